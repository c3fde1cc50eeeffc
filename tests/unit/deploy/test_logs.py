"""Logs: their ends, and setting long ones aside."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from omnium_deploy.logs import LogFile, last_lines, set_aside


def test_the_last_lines_are_the_last_ones_and_a_missing_file_has_none(tmp_path: Path) -> None:
    log = tmp_path / "router.log"
    log.write_text("".join(f"line {number}\n" for number in range(5000)))
    assert last_lines(log, 2) == ["line 4998", "line 4999"]
    assert last_lines(tmp_path / "none.log", 2) == []


def test_a_long_log_is_set_aside_while_its_writer_goes_on(tmp_path: Path) -> None:
    log, short = tmp_path / "router.log", tmp_path / "worker.log"
    short.write_text("short\n")
    with log.open("a") as writer:
        writer.write("x" * 100 + "\n")
        writer.flush()
        assert set_aside(tmp_path, most_bytes=50) == [log]
        writer.write("after\n")
        writer.flush()
    assert log.read_text() == "after\n"
    assert (tmp_path / "router.log.1").read_text() == "x" * 100 + "\n"
    assert short.read_text() == "short\n"
    assert set_aside(tmp_path, most_bytes=50) == []


def test_a_log_appends_and_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "supervisor.log"
    for line in ("one\n", "two\n"):
        with contextlib.closing(LogFile(path)) as log:
            assert log.write(line) == 4
    assert path.read_text() == "one\ntwo\n"
    assert path.stat().st_mode & 0o077 == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
def test_a_full_disk_stops_nobody() -> None:
    with contextlib.closing(LogFile(Path("/dev/full"))) as log:
        assert log.write("lost\n") == 5
        log.flush()
