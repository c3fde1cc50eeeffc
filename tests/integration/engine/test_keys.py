"""Keys: the same command again is the stored answer, another one under the same key is no silent loss."""

from __future__ import annotations

import asyncio
import random
from collections import Counter

import pytest

from harness.arena import Arena
from omnium_store.errors import OutOfTime, Overloaded


async def test_the_same_key_again_is_a_duplicate_and_nothing_runs(arena: Arena) -> None:
    first = await arena.send("court.start", key="s")
    before = await arena.counts()
    again = await arena.send("court.start", key="s")
    assert again == {**first, "duplicate": True}
    assert await arena.counts() == before
    assert len(arena.bells) == 1


async def test_a_duplicate_tells_the_stored_answer_with_the_board_as_it_is_now(arena: Arena) -> None:
    first = await arena.send("court.start", key="s")
    now = await arena.point()
    again = await arena.send("court.start", key="s")
    assert (again["seq"], again["duplicate"]) == (first["seq"], True)
    assert (again["value"], again["version"]) == (now["value"], 2)


async def test_the_same_key_with_another_input_or_command_is_refused(arena: Arena) -> None:
    await arena.started()
    await arena.point(key="p", worth=1)
    other_input = await arena.point(key="p", worth=2)
    other_command = await arena.send("court.start", key="p")
    assert [other_input["refusal"], other_command["refusal"]] == ["key_reused", "key_reused"]
    assert "new key" in other_input["message"]
    assert [r["refusal"] for r in await arena.rows("refused_command")] == ["key_reused"] * 2


async def test_the_order_of_an_inputs_fields_makes_no_other_command(arena: Arena) -> None:
    await arena.started()
    await arena.send("court.point", key="p", input={"entry": arena.home, "worth": 2})
    again = await arena.send("court.point", key="p", input={"worth": 2, "entry": arena.home})
    assert again["duplicate"]


async def test_keys_are_the_senders_own(arena: Arena) -> None:
    await arena.started()
    await arena.point(key="p", sender="ada")
    assert not (await arena.point(key="p", sender="bob"))["duplicate"]


async def test_a_refusal_holds_no_key(arena: Arena) -> None:
    assert (await arena.point(key="p"))["refusal"] == "rejected"
    await arena.started()
    answer = await arena.point(key="p")
    assert (answer["accepted"], answer["duplicate"]) == (True, False)


async def test_a_null_and_an_absent_field_are_two_inputs(arena: Arena) -> None:
    cleared = await arena.send("desk.edit_side", key="k", input={"side": arena.home, "rank": None})
    assert cleared["accepted"]
    assert (await arena.send("desk.edit_side", key="k", input={"side": arena.home}))[
        "refusal"
    ] == "key_reused"


async def test_a_cancelled_call_ends_by_itself_and_its_key_has_the_answer(arena: Arena) -> None:
    await arena.started()
    outcomes: Counter[bool] = Counter()
    for number in range(60):
        call = asyncio.create_task(arena.point(key=f"p{number}"))
        await asyncio.sleep(random.random() * 0.004)
        call.cancel()
        await asyncio.wait([call])
        answer = await arena.point(key=f"p{number}")
        assert answer["accepted"]
        outcomes[answer["duplicate"]] += 1
    seqs = [r["seq"] for r in await arena.rows("timeline_item", "seq")]
    assert seqs == list(range(1, 62))
    assert outcomes[True] > 0
    assert await arena.advisory_locks() == 0


async def test_a_command_whose_turn_did_not_come_has_not_run(arena: Arena) -> None:
    await arena.started()
    async with arena.connection.transaction():
        await arena.connection.execute("SELECT pg_advisory_xact_lock(lock_key_v1($1))", arena.fixture)
        first = asyncio.create_task(arena.point(key="a"))
        await asyncio.sleep(0.05)
        with pytest.raises(Overloaded, match="Nothing has run"):
            await arena.road.execute(arena.request("court.point", key="b"), timeout=0.05)
    assert (await first)["accepted"]
    answer = await arena.point(key="b")
    assert (answer["accepted"], answer["duplicate"]) == (True, False)


async def test_a_call_out_of_time_leaves_its_transaction_to_end(arena: Arena) -> None:
    await arena.started()
    async with arena.connection.transaction():
        await arena.connection.execute("SELECT pg_advisory_xact_lock(lock_key_v1($1))", arena.fixture)
        request = arena.request("court.point", key="a", input={"entry": arena.home, "worth": 1})
        with pytest.raises(OutOfTime, match="same key"):
            await arena.road.execute(request, timeout=0.1)
    await arena.road.settle()
    assert (await arena.point(key="a"))["duplicate"]


async def test_sixteen_clients_with_retries_and_cancellations_leave_a_gapless_log(arena: Arena) -> None:
    roads = [arena.road, arena.another(), arena.another()]
    turn = random.Random(16)

    async def sent(key: str) -> dict[str, object]:
        while True:
            road = turn.choice(roads)
            request = arena.request("court.point", key=key, input={"entry": arena.home, "worth": 1})
            call = asyncio.create_task(road.execute(request, timeout=20))
            if turn.random() < 0.2:
                await asyncio.sleep(turn.random() * 0.01)
                call.cancel()
                await asyncio.wait([call])
                continue
            response = await call
            return {"accepted": response.accepted, "duplicate": response.duplicate}

    async def client(number: int) -> None:
        for count in range(8):
            key = f"{number}-{count}"
            assert (await sent(key))["accepted"]
            if turn.random() < 0.3:
                assert (await sent(key))["duplicate"]

    starts = [arena.request("court.start", key="start") for _ in range(16)]
    answers = await asyncio.gather(*(turn.choice(roads).execute(r, timeout=20) for r in starts))
    assert Counter((a.accepted, a.duplicate) for a in answers) == {(True, False): 1, (True, True): 15}
    await asyncio.gather(*(client(number) for number in range(16)))
    for road in roads:
        await road.settle()
    rows = await arena.rows("timeline_item", "seq", "idempotency_key")
    assert [r["seq"] for r in rows] == list(range(1, 130))
    assert len({r["idempotency_key"] for r in rows}) == 129
    assert await arena.connection.fetchval("SELECT version FROM fixture") == 129
    assert await arena.rows("refused_command") == []
