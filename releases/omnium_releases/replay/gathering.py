"""The corpus on its way to the players: counted, hashed, and what gives no match noted."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import orjson

from omnium_releases.replay.corpora import Corpus, Skipped
from omnium_releases.replay.entries import CorpusEntry
from omnium_releases.replay.entry_documents import document_of
from omnium_releases.replay.outcome import Outcome, Reason
from omnium_releases.replay.scopes import Scope


@dataclass(slots=True)
class Gathering:
    """Passes entries on; what it sees goes into the outcome."""

    outcome: Outcome
    scope: Scope = field(default_factory=Scope)
    _digests: dict[str, str] = field(default_factory=dict)

    async def entries(self, corpus: Corpus) -> AsyncIterator[CorpusEntry]:
        """Every match of the corpus that can be told apart from the others."""
        async for entry in corpus.entries():
            if isinstance(entry, Skipped):
                self._skip(entry)
            elif not self.scope.holds(entry.workflow):
                continue
            elif entry.id in self._digests:
                self._skip(Skipped(entry.id, "is the id of two matches of the corpus", is_broken=True))
            else:
                self._digests[entry.id] = _digest(entry)
                yield entry

    def finish(self) -> None:
        """Name the corpus by its content, whatever the order and the names of its files."""
        lines = "".join(f"{digest} {id_}\n" for id_, digest in sorted(self._digests.items()))
        self.outcome.corpus_digest = hashlib.sha256(lines.encode()).hexdigest()

    def _skip(self, skipped: Skipped) -> None:
        self.outcome.skipped.append((skipped.name, skipped.reason))
        if skipped.is_broken:
            self.outcome.fail(
                Reason.BROKEN_FILE,
                f"{skipped.name} {skipped.reason}.",
            )


def _digest(entry: CorpusEntry) -> str:
    return hashlib.sha256(orjson.dumps(document_of(entry), option=orjson.OPT_SORT_KEYS)).hexdigest()
