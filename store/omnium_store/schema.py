"""`schema.sql`: the tables as all migrations together make them, to read and to compare with.

    python -m omnium_store.schema --write | --check

Functions are not in it: they stand in `functions/` as they are. Needs the embedded server and its `pg_dump`.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit, urlunsplit

from omnium_store.embedded import TEST_SETTINGS, EmbeddedServer
from omnium_store.journal import open_journal
from omnium_store.migrations import migrate
from omnium_store.server_files import binaries

HEADER: Final = """\
-- The schema as all migrations together make it. Never edit it: python -m omnium_store.schema --write
"""
NOISE: Final = ("--", "SET ", "SELECT pg_catalog.set_config", "\\restrict", "\\unrestrict")


def dump(dsn: str) -> str:
    """The schema of a migrated database, without what differs between servers: owners, rights, settings."""
    with tempfile.TemporaryDirectory() as folder:
        archive, contents = Path(folder, "schema.dump"), Path(folder, "contents")
        address, environment = _without_password(dsn)
        _run("pg_dump", "--schema-only", "--no-owner", "--no-privileges", "--schema=public",
             "--format=custom", f"--file={archive}", f"--dbname={address}",
             environment=environment)  # fmt: skip
        listed = _run("pg_restore", "--list", str(archive))
        contents.write_text("\n".join(_ordered(listed)) + "\n", encoding="utf-8")
        text = _run("pg_restore", "--no-owner", f"--use-list={contents}", "--file=-", str(archive))
    return HEADER + _without_noise(text)


def committed() -> str:
    """The `schema.sql` that is part of the project."""
    return (files("omnium_store") / "schema.sql").read_text(encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> int:
    """Write `schema.sql`, or say whether it is what the migrations make."""
    parser = argparse.ArgumentParser(prog="python -m omnium_store.schema", description=__doc__)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--write", action="store_true", help="write it anew")
    what.add_argument("--check", action="store_true", help="exit 1 if it is not current")
    wanted = parser.parse_args(argv)
    open_journal("schema", level="warning")
    made = _made()
    if wanted.write:
        with as_file(files("omnium_store") / "schema.sql") as file:
            file.write_text(made, encoding="utf-8")
        return 0
    if made != committed():
        print(
            "schema.sql is not what the migrations make. Run: python -m omnium_store.schema --write",
            file=sys.stderr,
        )
        return 1
    return 0


def _made() -> str:
    with tempfile.TemporaryDirectory(prefix="omnium-schema-") as folder:
        server = EmbeddedServer(Path(folder, "pg"), settings=TEST_SETTINGS)
        try:
            dsn = server.start()
            asyncio.run(migrate(dsn))
            return dump(dsn)
        finally:
            server.stop()


def _ordered(listed: str) -> list[str]:
    """The archive's contents without functions; tables by name, as what functions need would come first."""
    entries = [line.split() for line in listed.splitlines() if line and not line.startswith(";")]
    wanted = [entry for entry in entries if entry[3] not in ("FUNCTION", "SCHEMA", "COMMENT")]
    tables = [entry for entry in wanted if entry[3] == "TABLE"]
    others = [entry for entry in wanted if entry[3] != "TABLE"]
    return [" ".join(entry) for entry in (*sorted(tables, key=lambda entry: entry[5]), *others)]


def _without_noise(text: str) -> str:
    lines = [line.rstrip() for line in text.splitlines() if not line.startswith(NOISE)]
    kept = [line for before, line in zip(["", *lines], lines, strict=False) if line or before]
    return "\n".join(kept).rstrip() + "\n"


def _without_password(dsn: str) -> tuple[str, dict[str, str]]:
    """The address as others may see it in the list of processes, and the password for the environment."""
    parts = urlsplit(dsn)
    bare = parts._replace(netloc=f"{parts.username}@{parts.hostname}:{parts.port}")
    return urlunsplit(bare), {"PGPASSWORD": unquote(parts.password or "")}


def _run(program: str, *args: str, environment: dict[str, str] | None = None) -> str:
    return subprocess.run(
        [str(binaries() / program), *args], check=True, stdout=subprocess.PIPE, text=True,
        env={**os.environ, **(environment or {})},
    ).stdout  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
