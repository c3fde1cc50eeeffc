"""Where a fold goes on from: the scoreboard, a checkpoint of same code, runtime and prefix, or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson

from omnium_contract.flows.types import Event, Fixture
from omnium_store.errors import NeedsBulk
from omnium_worker import judging
from omnium_worker.facts import log_of
from omnium_worker.host import Host
from omnium_worker.judging import Loaded
from omnium_worker.opening import Opened
from omnium_worker.plans import WorkflowPlan

#: A checkpoint after every so many effective events: a correction folds at most as many again.
EVERY: Final = 64
#: How many events a live worker folds again; what is longer is a bulk worker's.
MOST_IN_LIVE: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A fold as it stands: canonical state, how many events made it, whether it was folded again just now."""

    state: bytes
    events: int
    is_refolded: bool


def is_due(events: int) -> bool:
    """Whether the state after so many events is kept as a checkpoint."""
    return events % EVERY == 0


def resume(
    host: Host, workflow: WorkflowPlan, fixture: Fixture[Any], *, opened: Opened, loaded: Loaded
) -> Board:
    """The state before the command. Raises `NeedsBulk` where more is to be folded than may be here."""
    if opened.tail_length is None:
        if opened.state is not None:
            return Board(state=opened.state, events=opened.events or 0, is_refolded=False)
        return Board(state=judging.initial(host, workflow, fixture), events=0, is_refolded=False)
    if opened.tail is None:
        raise NeedsBulk(f"{opened.tail_length} events are to be folded again first: that is a bulk worker's.")
    start = opened.state or judging.initial(host, workflow, fixture)
    tail = log_of(orjson.loads(opened.tail))
    before = loaded.log[: len(loaded.log) - len(tail)]
    state = refold(host, workflow, fixture, start=start, tail=tail, before=before)
    return Board(state=state, events=(opened.events or 0) + len(tail), is_refolded=True)


def refold(
    host: Host,
    workflow: WorkflowPlan,
    fixture: Fixture[Any],
    *,
    start: bytes,
    tail: Sequence[Event],
    before: Sequence[Event] = (),
) -> bytes:
    """The state after `tail`, folded on `start` as it was folded command by command.

    `before` made `start`; only a fold of the whole log reads it, and its last call has all.
    """
    if tail and workflow.step is not None and "log" in workflow.step.reads:
        whole = (*before, *tail[:-1])
        return judging.step(host, workflow, fixture, state=start, event=tail[-1], log=whole)
    state = start
    for event in tail:
        state = judging.step(host, workflow, fixture, state=state, event=event)
    return state
