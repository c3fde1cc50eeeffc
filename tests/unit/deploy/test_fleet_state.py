"""What a supervisor says of itself, and what a start reports."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from omnium.status import describe
from omnium_deploy.fleet_state import DatabaseState, FleetState, PoolState, ProcessState
from omnium_deploy.home import Home, HomeLock
from omnium_deploy.reports import Failed, PipeReporter, Report, Told, Up, read_reports

STATE = FleetState(
    pid=7,
    phase="starting",
    started_at="2026-01-10T15:00:00+00:00",
    database=DatabaseState(embedded=True, pid=8, restarts=1),
    processes=(
        ProcessState("router", "router", 9, "b:1", well=True, restarts=0, last_exit=None),
        ProcessState("worker-1", "worker", None, "", well=False, restarts=2, last_exit=-9, pool="0.9.0"),
    ),
    pools=(PoolState("0.9.0", "live", 2, 1, ("default of football",)),),
)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path)
    made.prepare()
    return made


def test_a_state_is_read_as_it_was_written(home: Home) -> None:
    assert FleetState.read(home) is None
    STATE.write(home)
    assert FleetState.read(home) == STATE


@pytest.mark.parametrize("text", ["", "{", "[]", '{"pid": 1}'])
def test_a_state_that_can_not_be_read_says_nothing(home: Home, text: str) -> None:
    home.state.write_text(text)
    assert FleetState.read(home) is None


def test_the_state_of_a_killed_supervisor_is_not_taken_for_the_present(home: Home) -> None:
    STATE.write(home)
    told = describe(home)
    assert (told["running"], told["phase"], told["processes"]) == (False, "down", [])
    assert "omnium up" in told["reason"]


def test_a_fleet_that_starts_is_described_and_not_ready(home: Home) -> None:
    lock = HomeLock.take(home)
    assert lock is not None
    STATE.write(home)
    told = describe(home)
    lock.release()
    assert (told["running"], told["ready"], told["phase"]) == (True, False, "starting")
    assert told["processes"][1] == {
        "name": "worker-1",
        "kind": "worker",
        "release": "0.9.0",
        "pid": None,
        "well": False,
        "restarts": 2,
        "lastExit": -9,
    }


def test_reports_come_out_of_the_pipe_as_they_went_in() -> None:
    reading, writing = os.pipe()
    reporter = PipeReporter(writing)
    sent: list[Report] = [Told("database is up"), Up(already=False), Failed("no", 5, "/x.log")]
    for report in sent:
        reporter.report(report)
    assert not os.get_inheritable(writing)
    os.close(writing)
    assert list(read_reports(reading)) == sent


def test_a_reader_that_has_gone_harms_nobody() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    PipeReporter(writing).report(Up(already=True))
    os.close(writing)
