"""Which command a subject is offered, from whom, and under which release."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from harness.arena import Arena
from omnium_proto import command_pb2
from omnium_store.errors import BadRequest, NotFound, Refused, WrongRelease


async def reason(arena: Arena, code: str, **told: Any) -> str | None:
    answer = await arena.send(code, **told)
    assert answer["refusal"] == "not_offered"
    assert answer["message"]
    found: str | None = answer["reason"]
    return found


async def test_what_is_not_in_the_program_is_not_offered_and_is_kept_as_evidence(arena: Arena) -> None:
    assert await reason(arena, "court.serve") == "no_such_command"
    assert await reason(arena, "chess.move") == "no_such_workflow"
    assert await reason(arena, "court.anthem") == "other_type"
    assert await reason(arena, "office.add_unit") == "other_subject"
    assert await reason(arena, "desk.edit_side", kind="event", ref="open-2026") == "other_subject"
    assert len(await arena.rows("refused_command")) == 5


async def test_imports_come_from_integrations_and_everything_else_from_people(arena: Arena) -> None:
    assert await reason(arena, "court.feed", input={"rows": []}) == "import_only"
    assert await reason(arena, "court.start", source="scores-inc") == "people_only"
    answer = await arena.send("court.feed", input={"rows": [{"a": "b"}]}, source="scores-inc")
    assert answer["accepted"]
    row = (await arena.rows("timeline_item"))[0]
    assert (row["source_code"], row["sender"]) == ("scores-inc", "integration:ada")


async def test_a_scorecard_takes_records_and_no_fold_commands(arena: Arena) -> None:
    card = await arena.world.fixture(
        "card", competition=arena.competition, sport=arena.sport, workflow="court"
    )
    (side,) = await arena.world.sides(card, "Alone")
    assert await reason(arena, "court.start", ref=card) == "scored_by_card"
    answer = await arena.send("desk.edit_side", ref=card, input={"side": str(side), "rank": 1})
    assert answer["accepted"]


async def test_a_fixture_of_another_sport_is_not_scored(arena: Arena) -> None:
    await arena.connection.execute("UPDATE fixture SET workflow = 'curling'")
    assert await reason(arena, "court.start") == "other_workflow"
    await arena.connection.execute("UPDATE fixture SET workflow = 'court'")


async def test_a_worker_of_another_release_writes_nothing_and_names_the_right_one(arena: Arena) -> None:
    other = await arena.other_release()
    road = arena.another(release=other.release_id, code_sha=other.code_sha)
    before = await arena.counts()
    commands: dict[str, dict[str, Any]] = {
        "court.start": {},
        "court.nonsense": {},
        "desk.edit_side": {"input": {"side": "x"}},
    }
    for code, told in commands.items():
        with pytest.raises(WrongRelease) as wrong:
            await road.execute(arena.request(code, **told), timeout=20)
        assert wrong.value.metadata == {"release": "0.1.0+g000000000001"}
    assert await arena.counts() == before


async def test_a_request_for_other_code_than_this_workers_is_refused_before_anything(arena: Arena) -> None:
    request = arena.request("court.start")
    request.release.CopyFrom(command_pb2.Release(version="0.9.0", code_sha="9" * 64))
    with pytest.raises(WrongRelease) as wrong:
        await arena.road.execute(request, timeout=20)
    assert wrong.value.metadata == {"release": "0.9.0"}


async def test_without_a_default_an_apply_command_says_how_to_set_one(arena: Arena) -> None:
    await arena.connection.execute("DELETE FROM release_default")
    with pytest.raises(Refused, match="omnium releases default") as refused:
        await arena.send("desk.edit_side", input={"side": arena.home})
    assert refused.value.reason == "no_default"


async def test_a_default_of_the_competition_wins_for_records(arena: Arena) -> None:
    other = await arena.other_release()
    await arena.world.default(other.release_id, sport=arena.sport, competition=arena.event)
    with pytest.raises(WrongRelease) as wrong:
        await arena.send("desk.edit_side", input={"side": arena.home})
    assert wrong.value.metadata == {"release": other.version}


async def test_an_unknown_subject_is_not_found(arena: Arena) -> None:
    for told in ({"ref": uuid.uuid4()}, {"ref": "no-uuid"}, {"event": "other-2026"}):
        with pytest.raises(NotFound) as missing:
            await arena.send("court.start", **told)
        assert missing.value.reason == "no_such_fixture"
    with pytest.raises(NotFound) as missing:
        await arena.send("office.add_unit", kind="event", ref="nowhere")
    assert missing.value.reason == "no_such_event"
    assert (await arena.send("court.start", event="open-2026"))["accepted"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"key": ""}, "key_required"),
        ({"key": "k" * 201}, "bad_key"),
        ({"input": b"{"}, "bad_json"),
        ({"input": b"[]"}, "bad_json"),
        ({"input": b'{"entry": "a\\u0000"}'}, "bad_json"),
        ({"expect": "abc"}, "expect_not_offered"),
        ({"subject": command_pb2.Subject(kind="planet", ref="mars")}, "bad_subject"),
        ({"sender": command_pb2.Sender()}, "sender_required"),
    ],
)
async def test_what_no_rule_can_answer_is_the_callers_to_change(
    arena: Arena, change: dict[str, object], reason: str
) -> None:
    request = arena.request("court.start")
    for name, value in change.items():
        request.ClearField(name)  # type: ignore[arg-type]
        if isinstance(value, str | bytes):
            setattr(request, name, value)
        else:
            getattr(request, name).CopyFrom(value)
    with pytest.raises(BadRequest) as bad:
        await arena.road.execute(request, timeout=20)
    assert bad.value.reason == reason
