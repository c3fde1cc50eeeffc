"""The source of one wheel: the files that go into it, and the version that their hash gives it."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from omnium_store.errors import Refused

_VERSION: Final = re.compile(r'^version = "(?P<version>[^"+]+)"$', re.MULTILINE)
#: Files beside the packages that a build puts into a wheel's metadata.
_TOLD: Final = ("LICEN[CS]E*", "COPYING*", "NOTICE*", "AUTHORS*")
_LEFT_OUT: Final = (".pyc", ".pyo", "~", ".orig", ".rej")


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A project's files as they are now, without what lies beside its packages (tests, bytecode)."""

    project: str
    version: str
    files: Mapping[str, bytes]
    package_files: Mapping[str, bytes]
    digest: str

    @classmethod
    def read(cls, folder: Path, *, with_: Source | None = None) -> Source:
        """Read a project. `with_` is what its version depends on besides. Raises `Refused`."""
        try:
            text = (folder / "pyproject.toml").read_text(encoding="utf-8")
            told = tomllib.loads(text)
            project, number = told["project"]["name"], _VERSION.search(text)
            packages = told["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
            backend = told["build-system"]["requires"]
            beside = {path.name: path.read_bytes() for path in _beside(folder, told["project"].get("readme"))}
        except (OSError, tomllib.TOMLDecodeError, KeyError) as error:
            raise _no_source(folder, f"{type(error).__name__}: {error}") from error
        if number is None:
            raise _no_source(folder, 'its pyproject.toml has no line `version = "X.Y.Z"`')
        _check_backend(folder, backend)
        package_files = {name: content for package in packages for name, content in _below(folder, package)}
        digest = _digest({**package_files, **beside, "pyproject.toml": _what_a_build_reads(told)}, with_)
        version = f"{number['version']}+g{digest[:12]}"
        versioned = _VERSION.sub(f'version = "{version}"', text, count=1).encode()
        return cls(
            project=canonicalize_name(project),
            version=version,
            files={**package_files, **beside, "pyproject.toml": versioned},
            package_files=package_files,
            digest=digest,
        )

    @property
    def wheel_name(self) -> str:
        """The name of the wheel file that it builds."""
        return f"{self.project.replace('-', '_')}-{self.version}-py3-none-any.whl"

    def export(self, folder: Path) -> None:
        """Write the files alone into a new folder, with ignore files that ignore nothing of them."""
        for name, content in {**self.files, ".gitignore": b"", ".hgignore": b""}.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            path.chmod(0o644)


def _below(folder: Path, package: str) -> Iterator[tuple[str, bytes]]:
    """The files of a package; bytecode, hidden files and what editors leave behind are none."""
    if not (folder / package).is_dir():
        raise _no_source(folder, f"its package {package} is no folder")
    for path in sorted((folder / package).rglob("*")):
        name = path.relative_to(folder)
        hidden = any(part.startswith(".") or part == "__pycache__" for part in name.parts)
        if not hidden and not name.name.endswith(_LEFT_OUT) and path.is_file():
            yield name.as_posix(), path.read_bytes()


def _beside(folder: Path, readme: object) -> Iterator[Path]:
    for pattern in _TOLD:
        yield from sorted(path for path in folder.glob(pattern) if path.is_file())
    if isinstance(readme, str):
        yield folder / readme


def _what_a_build_reads(told: Mapping[str, Any]) -> bytes:
    """The tables of pyproject.toml that a wheel depends on: settings of other tools change no release."""
    tables = {
        "project": told["project"],
        "build-system": told["build-system"],
        "hatch": told["tool"]["hatch"],
    }
    return json.dumps(tables, sort_keys=True, default=str).encode()


def _digest(files: Mapping[str, bytes], with_: Source | None) -> str:
    lines = [f"{hashlib.sha256(content).hexdigest()} {name}\n" for name, content in sorted(files.items())]
    return hashlib.sha256("".join([*lines, with_.digest if with_ else ""]).encode()).hexdigest()


def _check_backend(folder: Path, requires: list[Any]) -> None:
    """The backend's version is written into the wheel: it is pinned, and the one that is installed here."""
    for requirement in (Requirement(text) for text in requires):
        pins = [specifier for specifier in requirement.specifier if specifier.operator == "=="]
        if not pins:
            raise _no_source(folder, f"its build backend {requirement} is not pinned with ==")
        try:
            installed = metadata.version(requirement.name)
        except metadata.PackageNotFoundError:
            installed = "not installed"
        if installed != pins[0].version:
            raise Refused(
                f"{folder} is built with {requirement}; here it is {installed}. Run `make install` first.",
                reason="backend_missing",
            )


def _no_source(folder: Path, why: str) -> Refused:
    return Refused(
        f"{folder} is no source of a wheel: {why}. Name the folder that holds the project's pyproject.toml.",
        reason="no_source",
    )
