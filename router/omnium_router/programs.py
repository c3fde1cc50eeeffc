"""Programs: what each workflow of a release offers, by its document in the database. They never change."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, Final

import orjson

from omnium_router.databases import Database
from omnium_router.identities import ReleaseRef
from omnium_store.statements import Statements

MOST_CACHED: Final = 512


@dataclass(frozen=True, slots=True)
class Program:
    """One workflow of one release: its document, and what a router asks of it."""

    workflow: str
    mode: str  # fold or apply
    subject: str  # fixture or event
    codes: frozenset[str]
    imports: frozenset[str]
    document: dict[str, Any]

    @classmethod
    def of(cls, text: str | bytes) -> Program:
        """From the document's text."""
        document: dict[str, Any] = orjson.loads(text)
        commands = document["commands"]
        return cls(
            workflow=document["code"],
            mode=document["mode"],
            subject=document["subject"],
            codes=frozenset(command["code"] for command in commands),
            imports=frozenset(command["code"] for command in commands if command.get("imports")),
            document=document,
        )


class Programs:
    """The programs of all releases, read once each."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._cached: OrderedDict[tuple[str, str], Program] = OrderedDict()

    async def find(self, release: ReleaseRef, workflow: str) -> Program | None:
        """The program of a workflow in a release, or None where the release has no such workflow."""
        cached = self._cached.get((release.version, workflow))
        if cached is not None:
            return cached
        query = Statements.of("omnium_router")["program"]
        row = await self._database.row(query, release.id, workflow)
        if row is None:
            return None
        program = Program.of(row["document"])
        self._cached[release.version, workflow] = program
        if len(self._cached) > MOST_CACHED:
            self._cached.popitem(last=False)
        return program

    def forget(self, version: str) -> None:
        """The programs of a release were published again."""
        for name in [name for name in self._cached if name[0] == version]:
            del self._cached[name]
