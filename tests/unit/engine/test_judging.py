"""Judging without a database: it agrees with the contract's test kit, and holds components to their kind."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, field_validator

from harness import courts
from omnium_contract.flows.types import Line, Place, RecordCtx
from omnium_contract.testing import Match
from omnium_contract.testing.facts import record_context
from omnium_worker import judging
from omnium_worker.guard import OverBudget
from omnium_worker.host import ComponentFailed, Host
from omnium_worker.inputs import checked
from omnium_worker.judging import FoldCase, FoldJudgement
from omnium_worker.plans import ActionPlan
from omnium_worker.refusals import Denied, Refusal, failed, over_budget
from omnium_worker.rows import LineRow, line_rows, place_rows
from omnium_worker.story import Story

FACTS = orjson.dumps(
    {
        "id": "fixture",
        "sport": "court",
        "format": {"target": 20},
        "sides": [{"entry": "home"}, {"entry": "away"}],
    }
)
HOST = courts.host()
PLAN = HOST.workflow("court")
assert PLAN is not None
FIXTURE = HOST.fixture(PLAN, FACTS)


def judge(
    code: str,
    sent: dict[str, Any],
    *,
    state: bytes,
    seq: int = 1,
    confirm: tuple[str, ...] = (),
    host: Host = HOST,
) -> FoldJudgement:
    workflow = host.workflow("court")
    assert workflow is not None
    return judging.judge_fold(
        host,
        FoldCase(
            plan=workflow.commands[code],
            fixture=FIXTURE,
            state=state,
            sent=sent,
            seq=seq,
            occurred_at="2026-01-01T12:00:00Z",
            actor="ada",
            confirm=frozenset(confirm),
        ),
    )


@contextmanager
def refused() -> Iterator[list[Refusal]]:
    found: list[Refusal] = []
    with pytest.raises(Denied) as denied:
        yield found
    found.append(denied.value.refusal)


def initial() -> bytes:
    assert PLAN is not None
    return judging.initial(HOST, PLAN, FIXTURE)


COMMANDS = st.lists(
    st.tuples(
        st.just("court.point"),
        st.fixed_dictionaries(
            {"entry": st.sampled_from(["home", "away", "stranger"]), "worth": st.integers(1, 12)},
            optional={"scoredBy": st.sampled_from(["kim", "lee"]) | st.none()},
        ),
    )
    | st.just(("court.start", {})),
    max_size=25,
)


@settings(max_examples=60, deadline=None)
@given(COMMANDS)
def test_it_gives_what_the_test_kit_gives_and_the_story_tells_it_again(
    commands: list[tuple[str, Any]],
) -> None:
    match = Match.of(courts.court(), "home", "away", target=20)
    assert PLAN is not None
    state, story = initial(), Story(HOST, PLAN, FIXTURE)
    ran: dict[str, list[LineRow]] = {}
    for code, sent in commands:
        answer = match.send(code, at="2026-01-01T12:00:00Z", **sent)
        try:
            judged = judge(code, sent, state=state, seq=len(match.log))
        except Denied as denied:
            told = (denied.refusal.kind, denied.refusal.reason, denied.refusal.message)
            assert told == (answer.refusal, answer.reason, answer.message)
            continue
        assert answer.accepted
        assert judged.event.input == match.log[-1].input
        state = judged.state
        story.add(judged.event)
        ran |= {
            key: [line for line in judged.derived.lines if line.action == key] for key in judged.derived.ran
        }
        assert state == match.state_bytes == story.state
    assert sorted(story.rows().lines, key=repr) == sorted(
        (r for rows in ran.values() for r in rows), key=repr
    )


class Meddling:
    """Changes the state that a rule was given."""

    def call(self, key: str, fn: Any, /, *args: Any) -> Any:
        """`fn(*args)`."""
        if key == "court.not_started":
            args[-1].derived["points"]["home"] = 99
        return fn(*args)


def test_a_step_never_sees_what_a_rule_changed() -> None:
    judged = judge("court.start", {}, state=initial(), host=courts.host(guard=Meddling()))
    assert orjson.loads(judged.state)["points"]["home"] == 0


def test_the_first_no_is_the_answer() -> None:
    with refused() as no:
        judge("court.point", {"entry": "nobody", "worth": 50}, state=initial())
    assert (no[0].kind, no[0].reason, no[0].message) == ("rejected", "is_open", "Nothing is on")


def test_a_warning_is_asked_for_and_passes_when_it_is_overruled() -> None:
    live = judge("court.start", {}, state=initial()).state
    with refused() as no:
        judge("court.point", {"entry": "home", "worth": 11}, state=live, confirm=("side_plays",))
    assert (no[0].kind, no[0].reason) == ("confirm", "is_ordinary")
    judged = judge("court.point", {"entry": "home", "worth": 11}, state=live, confirm=("is_ordinary",))
    assert judged.event.confirmed == ("is_ordinary",)


def test_every_problem_of_an_input_is_one_note() -> None:
    with refused() as no:
        judge("court.point", {"worth": 0, "x": 1}, state=initial())
    assert [note["field"] for note in no[0].notes] == ["entry", "worth", "x"]


@pytest.mark.parametrize(
    ("where", "key"),
    [
        ("rule", "court.trouble"),
        ("exit", "court.trouble"),
        ("verdict", "court.trouble"),
        ("step", "court.state"),
        ("lines", "court.troubled"),
    ],
)
def test_a_component_that_fails_is_named(where: str, key: str) -> None:
    with pytest.raises(ComponentFailed) as failure:
        judge("court.misbehave", {"where": where}, state=initial())
    assert failure.value.key == key
    assert failed(failure.value).kind == "failed"


def test_a_budget_that_is_spent_passes_through() -> None:
    with pytest.raises(OverBudget) as spent:
        judge("court.misbehave", {"where": "loop"}, state=initial())
    assert over_budget(spent.value).reason == "court.trouble"


def action(name: str) -> ActionPlan:
    assert PLAN is not None
    return PLAN.actions[name]


@pytest.mark.parametrize(
    "given_lines",
    [
        None,
        [{"points": 1}],
        [Line(values={"unknown": 1})],
        [Line(values={"points": 1.5})],  # type: ignore[dict-item]
        [Line(values={"points": True})],
        [Line(values={"points": 2**63})],
        [Line(entry="a", values={"points": 1}), Line(entry="a", values={"points": 2})],
    ],
)
def test_lines_that_no_line_may_be_fail_their_action(given_lines: Any) -> None:
    with pytest.raises(ComponentFailed):
        line_rows(action("tallies"), given_lines)


@pytest.mark.parametrize(
    "given_places", [[Place(entry="stranger", rank=1)], [Place(entry="home", rank=1)] * 2, [1], "home"]
)
def test_places_that_no_place_may_be_fail_their_action(given_places: Any) -> None:
    with pytest.raises(ComponentFailed):
        place_rows(action("placings"), given_places, frozenset({"home", "away"}))


def test_rows_of_the_finish_are_taken_back_when_it_is_none_any_more() -> None:
    assert PLAN is not None
    laurels, tallies = PLAN.actions["laurels"], PLAN.actions["tallies"]
    assert judging.due(PLAN, [tallies], word="finished") == ([tallies, laurels], ())
    assert judging.due(PLAN, [tallies], word="live") == ([tallies], (laurels,))


def test_a_status_that_is_not_of_the_ladder_is_the_steps_fault() -> None:
    assert PLAN is not None
    with pytest.raises(ComponentFailed) as failure:
        judging.is_over(PLAN, "sleeping")
    assert failure.value.key == "court.state"


def test_records_come_from_all_actions_in_order() -> None:
    desk = HOST.workflow("desk")
    assert desk is not None
    ctx: RecordCtx = record_context()
    side = "00000000-0000-0000-0000-000000000001"
    judged = judging.judge_apply(
        HOST, desk.commands["desk.edit_two"], sent={"side": side, "rank": None}, ctx=ctx, confirm=frozenset()
    )
    assert [(r.kind, orjson.loads(r.data)) for r in judged.records] == [
        ("fixture.sides.set", {"side": side, "rank": None}),
        ("fixture.sides.set", {"side": "00000000-0000-0000-0000-000000000007", "rank": 1}),
    ]


class Even(BaseModel):
    number: int

    @field_validator("number")
    @classmethod
    def is_even(cls, value: int) -> int:
        if value % 2:
            raise ValueError("Take an even number")
        return value


def test_an_inputs_own_sentence_is_told_plainly() -> None:
    with refused() as no:
        checked(HOST.call, Even, key="x", sent={"number": 3})
    assert no[0].notes == ({"field": "number", "message": "Take an even number"},)
