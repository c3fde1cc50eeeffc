"""What every fold workflow promises, as a test class: subclass it, name the workflow and its goldens.

    class TestFootball(FoldConformance):
        workflow = Football
        goldens = Path(__file__).parent.parent / "goldens" / "football"

The goldens are the legal logs that the promises are tried on: one log, folded whole, resumed, thinned out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from omnium_contract import canonical
from omnium_contract.flows.components import ComponentKind
from omnium_contract.flows.program import checksum, program_of
from omnium_contract.flows.sport import Sport
from omnium_contract.flows.types import STATE_STATUSES, Event
from omnium_contract.testing.facts import context
from omnium_contract.testing.goldens import check_golden, read_golden, replayed
from omnium_contract.testing.match import Match


class FoldConformance:
    """The promises, each a test. Sources: the shared rules of all sports on folds, corrections and sums."""

    workflow: ClassVar[type[Sport]]
    goldens: ClassVar[Path]

    def test_every_golden_gives_what_it_states(self) -> None:
        parted = {p.name: check_golden(self.workflow, read_golden(p)) for p in self._paths()}
        assert {name: problems for name, problems in parted.items() if problems} == {}

    def test_there_are_at_least_four_goldens(self) -> None:
        assert len(self._paths()) >= 4

    def test_the_initial_state_is_plain_and_has_a_known_status(self) -> None:
        for match in self._matches():
            fresh = Match(self.workflow, match.fixture)
            assert fresh.state["status"] in STATE_STATUSES

    def test_folding_again_gives_the_same_state(self) -> None:
        for match in self._matches():
            assert _folded(match, match.log).digests == match.digests

    def test_a_kept_state_and_a_fresh_parse_of_it_give_the_same(self) -> None:
        for match in self._matches():
            assert _kept(match) == match.state_bytes

    def test_a_state_survives_storage_after_every_event(self) -> None:
        for match in self._matches():
            again = Match(self.workflow, match.fixture)
            for event in match.log:
                again.append(event)
                assert canonical.dumps(json.loads(again.state_bytes)) == again.state_bytes

    def test_a_log_with_any_event_voided_folds_without_raising(self) -> None:
        for match in self._matches():
            for thinned in _thinned(match):
                assert thinned.state["status"] in STATE_STATUSES

    def test_a_log_in_any_order_folds_without_raising(self) -> None:
        for match in self._matches():
            backwards = _folded(match, match.log[::-1])
            assert backwards.state["status"] in STATE_STATUSES
            assert _derives(backwards)

    def test_an_event_folded_twice_does_not_raise(self) -> None:
        for match in self._matches():
            doubled = [event for event in match.log for _ in range(2)]
            assert _derives(_folded(match, doubled))

    def test_lines_and_places_name_the_sides_of_the_fixture_and_declared_numbers(self) -> None:
        keys = {k for c in self.workflow.of(ComponentKind.ACTION) for k in c.spec.keys}
        for match in self._matches():
            entries = {side.entry for side in match.fixture.sides}
            for line in match.lines():
                assert set(line.values) <= keys
                assert line.entry is None or line.entry in entries
            assert {place.entry for place in match.places()} <= entries

    def test_ranks_are_shared_and_then_skip(self) -> None:
        for match in self._matches():
            ranks = sorted(p.rank for p in match.places() if p.rank is not None)
            assert all(rank == ranks.index(rank) + 1 for rank in ranks)

    def test_a_finished_match_is_refused_its_first_command_again(self) -> None:
        for match in self._matches():
            first = match.log[0]
            if match.state["status"] in ("finished", "official"):
                answer = match.send(first.code, **first.input)
                assert not answer.accepted

    def test_an_unknown_field_is_refused_and_named(self) -> None:
        for match in self._matches():
            answer = match.send(match.log[0].code, **{**match.log[0].input, "noSuchField": 1})
            assert (answer.refusal, answer.problems[0]["field"]) == ("input", "noSuchField")

    def test_the_program_is_the_same_each_time_it_is_built(self) -> None:
        assert checksum(program_of(self.workflow)) == checksum(program_of(self.workflow))

    def _paths(self) -> list[Path]:
        return sorted(self.goldens.glob("*.json"))

    def _matches(self) -> Iterator[Match]:
        for path in self._paths():
            yield replayed(self.workflow, read_golden(path))


def _folded(match: Match, log: list[Event]) -> Match:
    again = Match(match.workflow, match.fixture)
    for event in log:
        again.append(event)
    return again


def _thinned(match: Match) -> Iterator[Match]:
    for number in range(len(match.log)):
        thinned = _folded(match, match.log[:number] + match.log[number + 1 :])
        assert _derives(thinned)
        yield thinned


def _derives(match: Match) -> bool:
    canonical.dumps([[dict(line.values) for line in match.lines()], [p.rank for p in match.places()]])
    return True


def _kept(match: Match) -> bytes:
    """The state's bytes where one dictionary is kept and handed on, never stored between events."""
    step = match.workflow.components["state"]
    if "event" not in step.spec.reads:
        return match.state_bytes
    ctx, sport = context(match.fixture), match.workflow()
    state: Any = sport.initial(ctx)
    for event in match.log:
        state = step.fn(sport, state, event, ctx)
    return canonical.dumps(state)
