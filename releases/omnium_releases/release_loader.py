"""Imports from a release's folder: source that RECORD lists, hashed as it is read, and never bytecode."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from importlib.machinery import FileFinder, SourceFileLoader
from os import stat_result
from pathlib import Path

from omnium_contract.release import record_lines


class VerifiedSource(SourceFileLoader):
    """Loads one module if its source is what RECORD says at this moment."""

    def __init__(self, fullname: str, path: str, hashes: Mapping[str, str | None]) -> None:
        super().__init__(fullname, path)
        self._hashes = hashes

    def path_stats(self, path: stat_result | str) -> Mapping[str, float]:
        """None to be had: so Python neither reads nor writes bytecode, which nobody could verify."""
        raise OSError(f"{path}: bytecode is not used for a release")

    def get_data(self, path: str) -> bytes:
        """The bytes of a file of the release. Raises `ImportError` naming a file that is not as listed."""
        content = super().get_data(path)
        if hashlib.sha256(content).hexdigest() != self._hashes.get(path):
            raise ImportError(f"{path}: differs from RECORD", name=self.name, path=path)
        return content


def listed_hashes(folder: Path) -> dict[str, str | None]:
    """Absolute path → hex SHA-256 of every file that the RECORDs in `folder` list."""
    return {
        str(folder / path): hashed
        for record in sorted(folder.glob("*.dist-info/RECORD"))
        for path, hashed in record_lines(record.read_bytes())
    }


def release_hook(folder: Path) -> Callable[[str], FileFinder]:
    """A hook for `sys.path_hooks` that answers for `folder` and what lies below it."""
    hashes = listed_hashes(folder)

    def loader(fullname: str, path: str) -> VerifiedSource:
        return VerifiedSource(fullname, path, hashes)

    def finder(path: str) -> FileFinder:
        if not Path(path).is_relative_to(folder):
            raise ImportError("not of the release", path=path)
        return FileFinder(path, (loader, [".py"]))  # type: ignore[arg-type]  # a factory is called like a class

    return finder
