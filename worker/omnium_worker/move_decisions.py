"""Deciding a move: what it changes, whether that was expected, and the answer. Values in, values out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import orjson

from omnium_store import statuses
from omnium_store.errors import Refused
from omnium_store.statuses import FixtureStatus, Standing
from omnium_worker.differences import Differences, Told, between
from omnium_worker.identity import Identity
from omnium_worker.move_cases import Head, Move, digest_of
from omnium_worker.move_records import Kept, arguments
from omnium_worker.plans import WorkflowPlan
from omnium_worker.retelling import Retelling
from omnium_worker.rows import LineRow, PlaceRow

#: How many differences and conflicts are told; the counts and the digest are of all.
MOST_TOLD: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What became of a move: the answer, and what `close_move` takes where it is kept."""

    answer: bytes
    is_kept: bool = False
    arguments: tuple[Any, ...] = ()


def before(
    head: Head, *, lines: Iterable[LineRow], places: Iterable[PlaceRow], declared: Iterable[tuple[str, str]]
) -> Told:
    """The match as it stands, and as every screen shows it."""
    return Told(
        state=head.state or b"{}",
        lines=frozenset(lines),
        places=frozenset(places),
        standing=Standing(FixtureStatus(head.status), head.official),
        declared=frozenset(declared),
    )


def already_there(identity: Identity, move: Move, head: Head) -> Decision:
    """The answer for a match that is on the release: nothing to do."""
    nothing = Differences(found=(), conflicts=())
    return Decision(answer=_answer(identity, move, head, differences=nothing, seq=None, is_there=True))


def decide(identity: Identity, move: Move, head: Head, *, before: Told, retelling: Retelling) -> Decision:
    """What the move changes, and all that it writes. Raises `Refused`: other differences than expected."""
    rows = retelling.rows()
    after = Told(
        state=retelling.state if retelling.events else b"{}",
        lines=frozenset(rows.lines),
        places=frozenset(rows.places or ()),
        standing=_standing(before, retelling),
        declared=_declared(retelling.workflow),
    )
    differences = between(before, after, retelling.conflicts)
    if move.is_dry_run:
        return Decision(answer=_answer(identity, move, head, differences=differences, seq=None))
    _check(identity, move, head, differences)
    answer = _answer(identity, move, head, differences=differences, seq=head.next_seq)
    kept = Kept(after=after, retelling=retelling, differences=differences, answer=answer)
    return Decision(answer=answer, is_kept=True, arguments=arguments(identity, move, head, kept))


def _check(identity: Identity, move: Move, head: Head, differences: Differences) -> None:
    digest = digest_of(identity, move, head, differences)
    if digest != move.expect:
        raise Refused(
            f"Moving {head.code} to {identity.version} changes something else than the preview showed. "
            "Nothing was moved. Look again: omnium releases move.",
            reason="differences_changed",
            metadata={"digest": digest, "release": identity.version},
        )
    if head.official and differences.found and not move.reason:
        raise Refused(
            f"The result of {head.code} is official: a change of it needs a reason. Say --reason.",
            reason="official",
        )


def _standing(before: Told, retelling: Retelling) -> Standing:
    """The status that the rules tell now, unless a person has typed one that stands over it."""
    told, now = _word_of(before.state), before.standing
    if not retelling.events or retelling.word is None or retelling.word == told:
        return now
    try:
        tells = statuses.standing_of(retelling.word)
    except ValueError as error:
        raise Refused(f"The rules give no status that there is: {error}", reason="fold_failed") from None
    is_typed = told is None or statuses.LADDER.get(told) != now
    return now if is_typed and statuses.is_typed_over(tells, now) else tells


def _word_of(state: bytes) -> str | None:
    word = orjson.loads(state).get("status")
    return word if isinstance(word, str) else None


def _declared(workflow: WorkflowPlan) -> frozenset[tuple[str, str]]:
    return frozenset((action.key, key) for action in workflow.rows for key in action.keys)


def _answer(
    identity: Identity,
    move: Move,
    head: Head,
    *,
    differences: Differences,
    seq: int | None,
    is_there: bool = False,
) -> bytes:
    return orjson.dumps(
        {
            "fixture": str(move.fixture),
            "code": head.code,
            "name": head.name,
            "event": head.event,
            "workflow": head.workflow,
            "sides": [
                {name: side.get(name) for name in ("entry", "code", "name")}
                for side in orjson.loads(head.facts)["sides"]
            ],
            "from": head.release,
            "to": identity.version,
            "changed": not is_there,
            "dryRun": move.is_dry_run,
            "digest": digest_of(identity, move, head, differences),
            "events": head.events,
            "counts": differences.counts(),
            **differences.as_data(MOST_TOLD),
            "status": head.status,
            "seq": seq,
            "version": head.version + (seq is not None),
            "release": identity.version,
        }
    )
