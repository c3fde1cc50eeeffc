"""Small releases made by hand: a flows wheel of any source beside a wheel of the working tree's contract."""

from __future__ import annotations

import base64
import hashlib
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import omnium_contract

CONTRACT_FOLDER: Final = Path(omnium_contract.__file__).parent
CONTRACT_VERSION: Final = "0.1.0"
SAMPLES: Final = Path(__file__).parent / "samples"
#: A zip's earliest time: the same source gives the same bytes.
_LONG_AGO: Final = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeRelease:
    """Two wheel files and the hashes that name them."""

    version: str
    flows: Path
    contract: Path
    code_sha: str
    contract_sha: str


def sample(name: str) -> str:
    """Source of a small workflow that lies beside this module: `tally`."""
    return (SAMPLES / f"{name}.py.txt").read_text()


def make_release(
    folder: Path, flows_source: Mapping[str, str] | None = None, *, version: str = "0.1.0+g000000000001"
) -> MadeRelease:
    """Write both wheels into `folder`.

    `flows_source` maps paths below `omnium_flows` to their text (`{"tally/__init__.py": …}`; the sample
    `tally` if none is given). Each folder that has an `__init__.py` becomes an entry point of its name.
    """
    source = {"tally/__init__.py": sample("tally")} if flows_source is None else flows_source
    folder.mkdir(parents=True, exist_ok=True)
    flows, code_sha = _write_wheel(
        folder,
        name="omnium_flows",
        version=version,
        files={f"omnium_flows/{path}": text.encode() for path, text in source.items()},
        extra={"entry_points.txt": _entry_points(source)},
        requires=f"omnium-contract=={CONTRACT_VERSION}",
    )
    contract, contract_sha = _write_wheel(
        folder,
        name="omnium_contract",
        version=CONTRACT_VERSION,
        files=_contract_files(),
        extra={},
        requires="pydantic>=2.8",
    )
    return MadeRelease(
        version=version, flows=flows, contract=contract, code_sha=code_sha, contract_sha=contract_sha
    )


def _contract_files() -> dict[str, bytes]:
    return {
        f"omnium_contract/{file.relative_to(CONTRACT_FOLDER).as_posix()}": file.read_bytes()
        for file in sorted(CONTRACT_FOLDER.rglob("*"))
        if file.is_file() and "__pycache__" not in file.parts
    }


def _entry_points(source: Mapping[str, str]) -> str:
    names = sorted({path.split("/")[0] for path in source if path.endswith("/__init__.py")})
    return "[omnium.flows]\n" + "".join(f"{name} = omnium_flows.{name}\n" for name in names)


def _write_wheel(
    folder: Path,
    *,
    name: str,
    version: str,
    files: Mapping[str, bytes],
    extra: Mapping[str, str],
    requires: str,
) -> tuple[Path, str]:
    """Write one wheel; returns its path and the SHA-256 of its RECORD."""
    info = f"{name}-{version}.dist-info"
    told = {
        "METADATA": f"Metadata-Version: 2.3\nName: {name.replace('_', '-')}\nVersion: {version}\n"
        f"Requires-Python: >=3.11\nRequires-Dist: {requires}\n",
        "WHEEL": "Wheel-Version: 1.0\nGenerator: omnium-tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        **extra,
    }
    members = {**files, **{f"{info}/{path}": text.encode() for path, text in told.items()}}
    record = "".join(_record_line(path, content) for path, content in members.items()) + f"{info}/RECORD,,\n"
    wheel = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in {**members, f"{info}/RECORD": record.encode()}.items():
            member = zipfile.ZipInfo(path, date_time=_LONG_AGO)
            member.external_attr = 0o644 << 16
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, content)
    return wheel, hashlib.sha256(record.encode()).hexdigest()


def _record_line(path: str, content: bytes) -> str:
    hashed = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{path},sha256={hashed},{len(content)}\n"
