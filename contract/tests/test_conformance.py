"""The conformance suite passes on a sound sport, and fails on ones that break a promise."""

import shutil
from typing import Any

import pytest

from omnium_contract.flows.components import action
from omnium_contract.flows.types import Gives
from omnium_contract.testing import Match, golden_of, write_golden
from omnium_contract.testing.conformance import FoldConformance
from rally import Rally, RallyFormat

LOGS = (("red", "red", "red"), ("red", "blue", "blue", "blue"), ("blue",), ("red", "blue", "red"))


@pytest.fixture(scope="module", autouse=True)
def rally_goldens(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("goldens")
    for number, entries in enumerate(LOGS):
        match = Match.of(Rally, "red", "blue")
        for entry in entries:
            match.must("point", entry=entry)
        write_golden(folder / f"{number}.json", golden_of(match, format={}, what="a made-up match"))
    TestRally.goldens = folder
    yield
    shutil.rmtree(folder)


class TestRally(FoldConformance):
    workflow = Rally


class Forgetful(Rally):
    code = "forgetful"
    scope = ("forgetful",)
    format_model = RallyFormat

    @action(gives=Gives.STATE, reads=("event",))
    def state(self, state: dict[str, Any], event: Any, ctx: Any) -> dict[str, Any]:
        if event.seq != len(state.get("seen", [])) + 1:
            raise ValueError("an event is missing")
        return {**super().state(state, event, ctx), "seen": [*state.get("seen", []), event.seq]}


def test_a_step_that_raises_on_a_voided_event_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    suite = TestRally()
    monkeypatch.setattr(TestRally, "workflow", Forgetful)
    with pytest.raises(ValueError, match="an event is missing"):
        suite.test_a_log_with_any_event_voided_folds_without_raising()


def test_a_changed_rule_is_caught_by_its_goldens(monkeypatch: pytest.MonkeyPatch) -> None:
    class Dearer(Rally):
        code = "dearer"
        scope = ("dearer",)
        format_model = RallyFormat

        @action(gives=Gives.STATE, reads=("event",))
        def state(self, state: dict[str, Any], event: Any, ctx: Any) -> dict[str, Any]:
            state = super().state(state, event, ctx)
            return {**state, "note": "changed"}

    suite = TestRally()
    monkeypatch.setattr(TestRally, "workflow", Dearer)
    with pytest.raises(AssertionError):
        suite.test_every_golden_gives_what_it_states()
