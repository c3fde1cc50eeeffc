"""A release made by hand that does what rules must not, in a fleet beside releases that behave."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.fleet import Match, accepted
from harness.rivals import Rivals
from harness.taps import Desk, Tap, Traffic
from harness.wheels import MadeRelease, make_release


@dataclass(frozen=True, slots=True)
class Playground:
    """The sample `tally`, registered, the default of its sport, and serving."""

    rivals: Rivals
    release: MadeRelease

    @property
    def version(self) -> str:
        """Of the release."""
        return self.release.version

    def live_match(self) -> Match:
        """A match of it that has begun."""
        event = self.rivals.event
        match = self.rivals.fleet.make_match(event, competition=f"{event}-tally", sport="tally")
        with self.rivals.fleet.client("scorer") as client:
            accepted(client.command("tally", ("fixture", match.fixture), "tally.begin", {}, key="begin"))
        return match

    def points(self, desk: Desk, match: Match, name: str) -> Traffic:
        """Points for both sides in turn."""
        inputs: tuple[dict[str, Any], ...] = tuple({"entry": entry} for entry in (match.home, match.away))
        return Traffic(desk, match.fixture, "tally.add", inputs, name)

    def mischief(self, match: Match, kind: str) -> Tap:
        """One command whose rule does what it must not."""
        return Tap(
            fixture=match.fixture,
            code="tally.misbehave",
            key=f"{kind}-{uuid.uuid4().hex[:8]}",
            input={"kind": kind},
        )


def open_playground(rivals: Rivals, folder: Path) -> Playground:
    """Register the sample and wait until its pool serves."""
    release = make_release(folder)
    fleet, event = rivals.fleet, rivals.event
    rivals.register(release.flows, release.version)
    done = fleet.omnium("releases", "default", release.version, "--sport", "tally", "--yes")
    assert done.returncode == 0, done.stderr
    given = {"code": f"{event}-tally", "name": "Tallies", "sport": "tally"}
    with fleet.client("operator") as client:
        accepted(client.command("games", ("event", event), "games.add_competition", given))
    rivals.until_serving(release.version)
    return Playground(rivals, release)
