"""A folder of corpus entries: one file an entry, by sport, written whole or not at all."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from omnium_releases.replay.entries import CorpusEntry
from omnium_releases.replay.entry_documents import write_entry


@dataclass(frozen=True, slots=True)
class Shelf:
    """`folder/SPORT/ID.json`."""

    folder: Path

    def path(self, entry: CorpusEntry) -> Path:
        """Where an entry lies."""
        return self.folder / entry.workflow / f"{entry.id}.json"

    def put(self, entry: CorpusEntry) -> bool:
        """Write an entry; False where the very same one lies there already, which is then left alone."""
        path = self.path(entry)
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f".{path.stem}.{os.getpid()}.json")
        try:
            write_entry(draft, entry)
            if path.exists() and path.read_bytes() == draft.read_bytes():
                return False
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
        return True
