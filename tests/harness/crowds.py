"""A crowd of clients on one match that behave as bad networks make them: sent twice, cut off, sent again."""

from __future__ import annotations

import asyncio
import random
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from harness.fleet import Match
from harness.taps import AWAY, Desk, Reply, Tap

#: How often a client behaves in which way.
_WAYS: Final = {"once": 4, "twice_at_once": 2, "cut_off": 3, "again_later": 2}
#: A request is cut off within this time: before it is sent, while it runs, or after its answer.
_PATIENCE_S: Final = 0.03


@dataclass(slots=True)
class Crowd:
    """Clients that share one list of taps. `answers` are all that were heard, by key."""

    desk: Desk
    answers: dict[str, list[Mapping[str, Any]]] = field(default_factory=lambda: defaultdict(list))
    troubles: list[Reply] = field(default_factory=list)
    cut_off: int = 0

    async def play(self, taps: Sequence[Tap], dice: random.Random) -> None:
        """One client: each tap in its own way, until it is answered."""
        for tap in taps:
            match dice.choices(list(_WAYS), weights=list(_WAYS.values()))[0]:
                case "twice_at_once":
                    await asyncio.gather(self.send(tap), self.send(tap))
                case "cut_off":
                    for _ in range(dice.randint(1, 3)):
                        await self.send_and_hang_up(tap, after_s=dice.random() * _PATIENCE_S)
                    await self.send(tap)
                case "again_later":
                    await self.send(tap)
                    await asyncio.sleep(dice.random() * _PATIENCE_S)
                    await self.send(tap)
                case _:
                    await self.send(tap)

    async def send(self, tap: Tap) -> Mapping[str, Any]:
        """Until it is answered."""
        answer = await self.desk.insist(tap, self.troubles)
        self.answers[tap.key].append(answer)
        return answer

    async def send_and_hang_up(self, tap: Tap, *, after_s: float) -> None:
        """Close the connection after a moment, unless it was answered by then."""
        sending = asyncio.create_task(self.desk.ask(tap))
        await asyncio.wait({sending}, timeout=after_s)
        if sending.done():
            reply = sending.result()
            assert reply.status in (200, AWAY, 503), reply
            if reply.status == 200:
                self.answers[tap.key].append(reply.body)
            return
        self.cut_off += 1
        sending.cancel()
        await asyncio.wait({sending})


def kick_off(match: Match) -> Tap:
    """The beginning of the match: the one tap that is refused when it comes a second time with a new key."""
    return Tap(
        fixture=match.fixture,
        code="football.match_start",
        key="kick-off",
        input={"home": match.home, "away": match.away},
    )


def first_half(match: Match, count: int, dice: random.Random) -> list[Tap]:
    """Goals and corners in any order: each is allowed at any time, so that every no would be a false one."""
    taps = []
    for number in range(count):
        entry = dice.choice((match.home, match.away))
        code, given = dice.choice(
            (
                ("football.goal", {"kind": "open_play"}),
                ("football.stat", {"kind": "corner"}),
            )
        )
        taps.append(
            Tap(fixture=match.fixture, code=code, key=f"tap-{number}", input={"entry": entry, **given})
        )
    return taps


@asynccontextmanager
async def workers_at_work(desk: Desk, release: str) -> AsyncIterator[set[str]]:
    """The workers of a release that were seen with something in flight while the body runs."""
    seen: set[str] = set()
    looking = asyncio.create_task(_look(desk, release, seen))
    try:
        yield seen
    finally:
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)


async def _look(desk: Desk, release: str, seen: set[str]) -> None:
    endpoints = desk.fleet.endpoints
    headers = {"Authorization": f"Bearer {endpoints.tokens['admin']}"}
    while True:
        async with desk.session.get(f"{endpoints.router}/fleet", headers=headers) as response:
            pools = (await response.json())["pools"]
        for pool in pools:
            if pool["release"] == release:
                seen |= {worker["id"] for worker in pool["workers"] if worker["inFlight"]}
        await asyncio.sleep(0.02)
