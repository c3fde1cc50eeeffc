"""Sixteen clients on one match over several workers, with retries, cut connections and duplicates."""

from __future__ import annotations

import asyncio
import random
from collections import Counter

import pytest

from harness.crowds import Crowd, first_half, kick_off, workers_at_work
from harness.fleet import Match, RunningFleet
from harness.proofs import assert_logs_prove, log_rows
from harness.taps import Tap, open_desk
from omnium_releases.build import WheelPair

pytestmark = pytest.mark.xdist_group("fleet")

CLIENTS = 16
TAPS = 160
SEED = 20260919
#: A few seconds are usual; a busy machine gets more.
HANGS_S = 60.0


def shared_out(taps: list[Tap], dice: random.Random) -> list[list[Tap]]:
    """Each tap goes to one client, some to a second one too; each client has an order of its own."""
    hands: list[list[Tap]] = [[] for _ in range(CLIENTS)]
    for tap in taps:
        for client in dice.sample(range(CLIENTS), k=1 if dice.random() < 0.7 else 2):
            hands[client].append(tap)
    for hand in hands:
        dice.shuffle(hand)
    return hands


def counted(taps: list[Tap], code: str, match: Match) -> dict[str, int]:
    """How many taps of a code each side has."""
    found = Counter(tap.input["entry"] for tap in taps if tap.code == code)
    return {entry: found[entry] for entry in (match.home, match.away)}


async def test_sixteen_clients_on_one_match_lose_double_and_misjudge_nothing(
    fleet: RunningFleet, wheels: WheelPair
) -> None:
    dice = random.Random(SEED)
    match = await asyncio.to_thread(lambda: fleet.make_match(fleet.make_event()))
    begin, taps = kick_off(match), first_half(match, TAPS, dice)
    async with open_desk(fleet) as desk, asyncio.timeout(HANGS_S):
        crowd = Crowd(desk)
        async with workers_at_work(desk, wheels.version) as seen:
            # everybody begins the match, in every way at once
            await asyncio.gather(*(crowd.play([begin], random.Random(SEED + n)) for n in range(CLIENTS)))
            hands = shared_out(taps, dice)
            for hand in hands:
                hand.insert(dice.randrange(len(hand)), begin)  # and once more in the middle of it
            await asyncio.gather(
                *(crowd.play(hand, random.Random(SEED - n)) for n, hand in enumerate(hands, 1))
            )
        # who is cut off never hears the first answer: ask for it
        last = await asyncio.gather(*(crowd.send(tap) for tap in (begin, *taps)))

    assert crowd.troubles == []
    assert crowd.cut_off > CLIENTS
    assert len(seen) >= 2
    rows = await log_rows(fleet, match.fixture)
    assert [row["seq"] for row in rows] == list(range(1, TAPS + 2))
    assert {row["key"]: row["code"] for row in rows} == {tap.key: tap.code for tap in (begin, *taps)}
    assert rows[0]["key"] == begin.key
    by_key = {row["key"]: row["seq"] for row in rows}
    for key, answers in crowd.answers.items():
        assert [answer for answer in answers if not answer["accepted"]] == []  # no false refusal
        assert {answer["seq"] for answer in answers} == {by_key[key]}
        assert sum(not answer["duplicate"] for answer in answers) <= 1
    assert all(answer["duplicate"] for answer in last)
    state = fleet.board(match)["state"]
    assert state["goals"] == counted(taps, "football.goal", match)
    corners = {entry: numbers.get("corners", 0) for entry, numbers in state["counts"].items()}
    assert corners == counted(taps, "football.stat", match)
    await assert_logs_prove(fleet, wheels.version, [match.fixture])


async def test_a_key_that_was_used_for_another_command_is_refused_and_changes_nothing(
    fleet: RunningFleet,
) -> None:
    match = await asyncio.to_thread(lambda: fleet.make_match(fleet.make_event()))
    begin, (tap,) = kick_off(match), first_half(match, 1, random.Random(SEED))
    async with open_desk(fleet) as desk:
        assert (await desk.insist(begin))["accepted"]
        first = await desk.insist(tap)
        others = [
            Tap(fixture=tap.fixture, code=tap.code, key=tap.key, input={**tap.input, "minute": 44}),
            Tap(fixture=tap.fixture, code="football.half_end", key=tap.key),
        ]
        refused = await asyncio.gather(*(desk.insist(other) for other in others * 8))
        assert {answer["refusal"] for answer in refused} == {"key_reused"}
        again = await desk.insist(tap)
        assert (again["duplicate"], again["seq"]) == (True, first["seq"])
        late = await desk.insist(Tap(fixture=begin.fixture, code=begin.code, key="new", input=begin.input))
        assert (late["refusal"], late["message"]) == ("rejected", "The match has already begun")
    assert len(await log_rows(fleet, match.fixture)) == 2
