"""Named SQL: every statement lives in a `.sql` file, under its name and a line that says what it is for.

-- name: fixture_pin
-- The release that a fixture is pinned to.
SELECT release_id FROM fixture WHERE id = $1
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

MARK = "-- name:"


class Statements(Mapping[str, str]):
    """The statements of one package, by name; read once."""

    def __init__(self, statements: Mapping[str, str], origin: str) -> None:
        self._statements = dict(statements)
        self._origin = origin

    @classmethod
    def of(cls, package: str) -> Statements:
        """Those in the folder `sql/` of `package`."""
        return _of(package)

    def __getitem__(self, name: str) -> str:
        try:
            return self._statements[name]
        except KeyError:
            raise KeyError(f"{self._origin}/sql has no statement {name!r}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._statements)

    def __len__(self) -> int:
        return len(self._statements)


def statement(name: str) -> str:
    """The text of one of the store's own statements."""
    return Statements.of("omnium_store")[name]


def parse(text: str, *, origin: str) -> dict[str, str]:
    """The named blocks of one file. Raises `ValueError` for one without a describing line or SQL."""
    found: dict[str, str] = {}
    for block in _blocks(text):
        name, _, rest = block.partition("\n")
        name = name.strip()
        description, _, body = rest.partition("\n")
        if not description.startswith("-- ") or not description[3:].strip():
            raise ValueError(f"{origin}: {name} needs a comment line that says what it is for")
        sql = _without_leading_comments(body).strip().rstrip(";")
        if not sql:
            raise ValueError(f"{origin}: {name} has no SQL")
        if name in found:
            raise ValueError(f"{origin}: {name} is there twice")
        found[name] = sql
    return found


def _blocks(text: str) -> list[str]:
    return [part for part in ("\n" + text).split("\n" + MARK)[1:] if part.strip()]


def _without_leading_comments(body: str) -> str:
    lines = body.splitlines()
    while lines and (lines[0].startswith("--") or not lines[0].strip()):
        lines.pop(0)
    return "\n".join(lines)


@cache
def _of(package: str) -> Statements:
    folder = files(package) / "sql"
    found: dict[str, str] = {}
    for file in sorted(_sql_files(folder), key=lambda file: file.name):
        for name, sql in parse(file.read_text(encoding="utf-8"), origin=f"{package}/sql/{file.name}").items():
            if name in found:
                raise ValueError(f"{package}/sql: {name} is there twice")
            found[name] = sql
    return Statements(found, package)


def _sql_files(folder: Traversable) -> list[Traversable]:
    return [file for file in folder.iterdir() if file.name.endswith(".sql")] if folder.is_dir() else []
