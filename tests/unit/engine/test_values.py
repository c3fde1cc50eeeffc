"""The engine's small values: moments, hashes, answers, facts, turns, plans."""

from __future__ import annotations

import asyncio
import uuid
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness import courts
from omnium_worker import instants
from omnium_worker.answers import Answer, duplicate_of, fresh_board
from omnium_worker.chain import LogRow, content, row_hash
from omnium_worker.checkpoints import is_due
from omnium_worker.facts import FixtureCache, fixture_of
from omnium_worker.plans import WorkflowPlan
from omnium_worker.refusals import Refusal
from omnium_worker.runtime import libm_probe, runtime_sha
from omnium_worker.turns import Turns

ROW = LogRow(
    stream=uuid.UUID(int=1),
    unit="event",
    seq=1,
    fold_order="1",
    code="court.point",
    payload=b'{"entry":"home"}',
    confirmed=(),
    corrects=None,
    key="k",
    sender="person:ada",
    actor="Ada",
    source_code="",
    input_hash=b"\x01",
    occurred_at=datetime(2026, 1, 1, tzinfo=UTC),
    release_id=uuid.UUID(int=2),
    code_sha="a",
    runtime_sha="b",
    digest=b"\x02",
)


@settings(deadline=None)
@given(st.datetimes(timezones=st.just(UTC)))
def test_a_moment_is_written_and_read_again_as_the_same(moment: datetime) -> None:
    text = instants.instant(moment)
    assert instants.parse(text) == moment
    assert instants.instant(instants.parse(text)) == text


def test_a_moment_has_as_many_digits_as_it_needs_and_is_in_utc() -> None:
    noon = datetime(2026, 10, 7, 14, 0, tzinfo=timezone(timedelta(hours=2)))
    assert instants.instant(noon) == "2026-10-07T12:00:00Z"
    assert instants.instant(noon.replace(microsecond=500_000)) == "2026-10-07T12:00:00.5Z"


def test_a_moment_without_an_offset_is_none() -> None:
    with pytest.raises(ValueError, match="no offset"):
        instants.parse("2026-10-07T12:00:00")


@pytest.mark.parametrize(
    "change",
    [
        {"payload": b"{}"},
        {"actor": "Eve"},
        {"seq": 2},
        {"key": "x"},
        {"digest": None},
        {"corrects": 1},
        {"confirmed": ("a",)},
        {"occurred_at": datetime(2027, 1, 1, tzinfo=UTC)},
    ],
)
def test_a_hash_holds_to_all_that_a_row_says(change: dict[str, Any]) -> None:
    assert row_hash(replace(ROW, **change), None) != row_hash(ROW, None)


def test_a_hash_holds_to_the_row_before() -> None:
    assert row_hash(ROW, b"one") != row_hash(ROW, b"two")
    assert list(orjson.loads(content(ROW))) == sorted(orjson.loads(content(ROW)))


def test_a_refusal_is_told_with_its_notes_and_no_value() -> None:
    notes = ({"field": "minute", "message": "is required"},)
    refusal = Refusal(kind="input", message="minute: is required", notes=notes)
    answer = Answer(
        accepted=False, release="0.1.0", version=3, fixture_status="LIVE", is_dry_run=False, refusal=refusal
    )
    assert orjson.loads(answer.to_json()) == {
        "accepted": False,
        "duplicate": False,
        "seq": None,
        "message": "minute: is required",
        "refusal": "input",
        "reason": None,
        "touches": [],
        "value": None,
        "counts": {},
        "notes": [{"field": "minute", "message": "is required"}],
        "dryRun": False,
        "fixtureStatus": "LIVE",
        "release": "0.1.0",
        "version": 3,
    }


def test_a_duplicate_keeps_what_was_stored_but_for_the_fresh_board() -> None:
    stored = '{"accepted":true,"duplicate":false,"seq":4,"value":null,"version":4}'
    fresh = fresh_board(b'{"a":1}', version=9, status="LIVE")
    assert orjson.loads(duplicate_of(stored, is_dry_run=False, fresh=fresh)) == {
        "accepted": True,
        "duplicate": True,
        "dryRun": False,
        "seq": 4,
        "value": {"a": 1},
        "version": 9,
        "fixtureStatus": "LIVE",
    }


def test_a_checkpoint_is_due_every_64_events() -> None:
    assert [n for n in range(1, 200) if is_due(n)] == [64, 128, 192]


def test_the_cache_of_fixtures_is_bounded_and_keeps_what_is_used() -> None:
    cache = FixtureCache(most=100)
    fixture = fixture_of(None, b'{"id": "f"}')
    for number in range(10):
        cache.keep("court", f"{number}" * 30, fixture)
        cache.get("court", "0" * 30)
    assert [n for n in range(10) if cache.get("court", f"{n}" * 30)] == [0, 8, 9]
    assert cache.get("other", "0" * 30) is None


def test_facts_that_the_releases_contract_does_not_know_are_left_out() -> None:
    fixture = fixture_of(None, b'{"id": "f", "sides": [{"entry": "a", "shoeSize": 43}], "weather": "fine"}')
    assert (fixture.id, fixture.sides[0].entry, fixture.sides[0].position) == ("f", "a", 1)


def test_the_runtime_is_named_by_what_results_depend_on(monkeypatch: pytest.MonkeyPatch) -> None:
    before = runtime_sha()
    assert libm_probe() == libm_probe()
    monkeypatch.setattr("omnium_worker.runtime.ENGINE_RULES", 999)
    runtime_sha.cache_clear()
    assert runtime_sha() != before
    monkeypatch.undo()
    runtime_sha.cache_clear()
    assert runtime_sha() == before


async def test_turns_of_one_subject_follow_each_other_and_leave_nothing() -> None:
    turns, inside, order = Turns(), [], []

    async def take(subject: str, number: int) -> None:
        async with turns.of(subject):
            assert subject not in inside
            inside.append(subject)
            await asyncio.sleep(0)
            inside.remove(subject)
            order.append((subject, number))

    given_up = asyncio.create_task(take("a", 9))
    tasks = [asyncio.create_task(take(s, n)) for n in range(3) for s in ("a", "b")]
    given_up.cancel()
    await asyncio.gather(*tasks)
    assert [n for s, n in order if s == "a"] == [0, 1, 2]
    assert turns._locks == {}


def test_a_plan_has_all_that_its_command_may_need() -> None:
    plan = WorkflowPlan(courts.court())
    point, late = plan.commands["court.point"], plan.commands["court.late"]
    assert [rule.name for rule in point.rules] == ["is_open", "side_plays", "is_ordinary"]
    assert [rule.model for rule in point.rules] == [None, courts.Point, courts.Point]
    assert [action.name for action in point.actions] == ["tallies"]
    assert (point.needs, late.needs) == (frozenset(), frozenset({"log"}))
    assert point.actors[0].path == (("scoredBy", "scored_by"),)
    assert [(s.key, s.scope) for s in point.stats] == [("court.points.node", "node")]
    assert [action.name for action in plan.at_finish] == ["laurels"]
