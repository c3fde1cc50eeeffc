"""What services log: JSON lines, each with one event name, fields, and the id of the request that it is of.

log = structlog.get_logger("omnium.worker")
log.info("worker.serving", address=address)
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any, TextIO

import structlog

LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}


def open_journal(service: str, *, level: str = "info", stream: TextIO | None = None) -> None:
    """Send every log line of this process, the standard library's as well, to `stream` (stderr) as JSON."""
    out = stream or sys.stderr
    shared: list[structlog.types.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
        _Service(service),
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[*shared, structlog.processors.JSONRenderer(default=str)],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        logger_factory=structlog.WriteLoggerFactory(file=out),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processor=structlog.processors.JSONRenderer(default=str),
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *shared],
        )
    )
    logging.basicConfig(handlers=[handler], level=max(LEVELS[level], logging.WARNING), force=True)


@contextmanager
def of_request(request_id: str, **fields: Any) -> Iterator[None]:
    """Every line that is logged inside carries the request's id."""
    with structlog.contextvars.bound_contextvars(request_id=request_id, **fields):
        yield


class _Service:
    """Names the process, and calls the message of a line its event."""

    def __init__(self, service: str) -> None:
        self._service = service

    def __call__(
        self, _logger: Any, _method: str, event: MutableMapping[str, Any]
    ) -> MutableMapping[str, Any]:
        event["service"] = self._service
        return event
