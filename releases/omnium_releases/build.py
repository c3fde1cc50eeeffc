"""Builds the two wheels of a release from source folders: the same tree gives the same bytes anywhere.

    python -m omnium_releases.build --out dist [--contract DIR] [--flows DIR]

The version is X.Y.Z+g and 12 digits of the hash of all that goes into the wheels. The flows' hash covers the
contract too, so that a release with another contract has another version.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from omnium_releases.sources import Source
from omnium_releases.wheels import Wheel
from omnium_store.errors import OmniumError, Refused

#: The time that every file in a wheel has, so that the clock is not in it.
EPOCH: Final = "1580601600"


@dataclass(frozen=True, slots=True, kw_only=True)
class WheelPair:
    """Two wheel files and what names them."""

    version: str
    flows: Path
    contract: Path
    code_sha: str
    contract_sha: str


def build_wheels(contract: Path, flows: Path, out: Path) -> WheelPair:
    """Build both wheels into `out`; a wheel that is there and is of this very source is left alone.

    Raises `Refused` for a folder that is no source of a wheel, and for a failing build.
    """
    out.mkdir(parents=True, exist_ok=True)
    contract_source = Source.read(contract)
    flows_source = Source.read(flows, with_=contract_source)
    made = {source.project: _built(source, out) for source in (contract_source, flows_source)}
    (contract_path, contract_wheel), (flows_path, flows_wheel) = made.values()
    return WheelPair(
        version=flows_wheel.version,
        flows=flows_path,
        contract=contract_path,
        code_sha=flows_wheel.record_sha,
        contract_sha=contract_wheel.record_sha,
    )


def remove_others(pair: WheelPair, out: Path) -> list[Path]:
    """Remove older wheels of the same projects from `out`, so that it holds one release; gives them."""
    kept = {pair.flows.name, pair.contract.name}
    projects = {name.partition("-")[0] for name in kept}
    others = [
        path
        for path in sorted(out.glob("*.whl"))
        if path.name.partition("-")[0] in projects and path.name not in kept
    ]
    for path in others:
        path.unlink()
    return others


def _built(source: Source, out: Path) -> tuple[Path, Wheel]:
    path = out / source.wheel_name
    if (wheel := _current(source, path)) is not None:
        return path, wheel
    with tempfile.TemporaryDirectory(prefix="omnium-build-", dir=out) as draft:
        source.export(Path(draft, "source"))
        _run_backend(Path(draft, "source"), Path(draft, "wheel"))
        Path(draft, "wheel", source.wheel_name).replace(path)
    return path, Wheel.read(path)


def _current(source: Source, path: Path) -> Wheel | None:
    """The wheel at `path`, if it is sound and holds this very source."""
    try:
        wheel = Wheel.read(path)
    except (FileNotFoundError, Refused):
        return None
    held = {name: content for name, content in wheel.files.items() if ".dist-info/" not in name}
    return wheel if held == source.package_files else None


def _run_backend(source: Path, out: Path) -> None:
    """Run hatchling in a process that sees nothing of this one's environment."""
    done = subprocess.run(
        [sys.executable, "-P", "-s", "-m", "hatchling", "build", "-t", "wheel", "-d", str(out.absolute())],
        cwd=source,
        env={"PATH": os.defpath, "SOURCE_DATE_EPOCH": EPOCH, "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Refused(
            f"The build failed: {done.stderr.strip() or done.stdout.strip()}", reason="build_failed"
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the working tree's release and print its two files."""
    parser = argparse.ArgumentParser(
        prog="python -m omnium_releases.build", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--out", type=Path, required=True, help="where the wheels go")
    parser.add_argument(
        "--contract", type=Path, default=Path("contract"), help="folder of the contract's source"
    )
    parser.add_argument("--flows", type=Path, default=Path("flows"), help="folder of the flows' source")
    given = parser.parse_args(arguments)
    try:
        pair = build_wheels(given.contract, given.flows, given.out)
    except OmniumError as failure:
        print(failure.message, file=sys.stderr)
        return 1
    remove_others(pair, given.out)
    print(f"release {pair.version}\n{pair.flows}\n{pair.contract}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
