"""Log lines are JSON with one event name, fields, and the request's id."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from omnium_store.journal import of_request, open_journal


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    handlers, level = list(logging.root.handlers), logging.root.level
    yield
    structlog.reset_defaults()
    logging.root.handlers[:] = handlers
    logging.root.setLevel(level)


def lines(out: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_line_has_event_fields_level_time_and_service() -> None:
    out = io.StringIO()
    open_journal("router", stream=out)
    structlog.get_logger("omnium.router").info("router.serving", port=1)
    [line] = lines(out)
    assert line.pop("at")
    assert line == {"event": "router.serving", "level": "info", "port": 1, "service": "router"}


def test_lines_of_a_request_carry_its_id_and_lines_after_it_do_not() -> None:
    out = io.StringIO()
    open_journal("router", stream=out)
    log = structlog.get_logger()
    with of_request("r1", route="/x"):
        log.info("a")
    log.info("b")
    first, second = lines(out)
    assert (first["request_id"], first["route"]) == ("r1", "/x")
    assert "request_id" not in second


def test_the_standard_librarys_lines_are_json_as_well() -> None:
    out = io.StringIO()
    open_journal("worker", stream=out)
    logging.getLogger("asyncio").warning("slow %s", "task")
    [line] = lines(out)
    assert (line["event"], line["logger"], line["service"]) == ("slow task", "asyncio", "worker")


def test_an_exception_is_one_line() -> None:
    out = io.StringIO()
    open_journal("worker", stream=out)
    try:
        raise ValueError("broken")
    except ValueError:
        structlog.get_logger().exception("work.failed")
    [line] = lines(out)
    assert "ValueError: broken" in str(line["exception"])


def test_lines_below_the_level_are_left_out() -> None:
    out = io.StringIO()
    open_journal("worker", level="warning", stream=out)
    structlog.get_logger().info("quiet")
    assert out.getvalue() == ""
