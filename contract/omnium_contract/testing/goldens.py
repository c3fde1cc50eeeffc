"""Goldens: a recorded match with the state's digest after every event, and all that it ends with."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from omnium_contract import canonical
from omnium_contract.flows.sport import Sport
from omnium_contract.flows.types import Event, Side
from omnium_contract.testing.facts import fixture
from omnium_contract.testing.match import Match


def golden_of(match: Match, *, format: Mapping[str, Any], what: str) -> dict[str, Any]:
    """The golden of a played match. `format` is the settings as given, `what` one line for people."""
    plain: dict[str, Any] = canonical.normal(
        {
            "what": what,
            "workflow": match.workflow.code,
            "fixtureType": match.fixture.fixture_type,
            "archetype": match.fixture.archetype,
            "format": dict(format),
            "sides": [{"entry": s.entry, "code": s.code, "name": s.name} for s in match.fixture.sides],
            "log": [_row(event) for event in match.log],
            "digests": match.digests,
            "state": match.state,
            "lines": [asdict(line) for line in match.lines()],
            "places": [asdict(place) for place in match.places()],
        }
    )
    return plain


def write_golden(path: Path, golden: Mapping[str, Any]) -> None:
    """Write a golden in the layout that a person can read in a diff."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(golden, indent=1, sort_keys=True, ensure_ascii=False) + "\n")


def read_golden(path: Path) -> dict[str, Any]:
    """A golden as it was written."""
    golden: dict[str, Any] = json.loads(path.read_text())
    return golden


def replayed(workflow: type[Sport], golden: Mapping[str, Any]) -> Match:
    """The golden's log sent again, command by command, through the rules. `AssertionError` at a refusal."""
    sides = [Side(position=n, **side) for n, side in enumerate(golden["sides"], 1)]
    kind = {"fixture_type": golden["fixtureType"], "archetype": golden["archetype"]}
    match = Match(workflow, fixture(workflow, sides=sides, format=golden["format"], **kind))
    for row in golden["log"]:
        match.must(row["code"], at=row["occurredAt"], confirm=row.get("confirmed", ()), **row["input"])
    return match


def check_golden(workflow: type[Sport], golden: Mapping[str, Any]) -> list[str]:
    """What playing the golden again gives otherwise than it states; the event that parts comes first."""
    match = replayed(workflow, golden)
    now = golden_of(match, format=golden["format"], what=golden.get("what", ""))
    return [*_first_parting(golden, now), *_endings(golden, now)]


def _row(event: Event) -> dict[str, Any]:
    return {
        "seq": event.seq,
        "code": event.code,
        "input": event.input,
        "occurredAt": event.occurred_at,
        "confirmed": list(event.confirmed) or None,
    }


def _first_parting(golden: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    for row, then, today in zip(golden["log"], golden["digests"], now["digests"], strict=True):
        if then != today:
            yield f"event {row['seq']} {row['code']}: the state after it is another one"
            return


def _endings(golden: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    for part in ("state", "lines", "places"):
        yield from (f"{part}{where}" for where in differences(golden.get(part), now.get(part)))


def differences(then: Any, now: Any, path: str = "") -> Iterator[str]:
    """Where two plain values part, as `.key.0.key: old -> new`; a null member is an absent one."""
    if isinstance(then, dict) and isinstance(now, dict):
        for key in sorted(then.keys() | now.keys()):
            yield from differences(then.get(key), now.get(key), f"{path}.{key}")
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for number, pair in enumerate(zip(then, now, strict=True)):
            yield from differences(*pair, f"{path}.{number}")
    elif then != now:
        yield f"{path}: {then!r} -> {now!r}"
