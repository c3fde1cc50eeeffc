"""How commands reach one worker: over one bidirectional stream, or a call each.

A link says `LinkDown` when it can't say whether the command ran; the key makes sending it again safe.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, Protocol

from omnium_proto import command_pb2
from omnium_router.identities import CommandIdentity

FLEET_KEY_HEADER: Final = "x-omnium-fleet-key"

Metadata = tuple[tuple[str, str], ...]
OnDown = Callable[[], None]


class LinkDown(Exception):
    """The way to the worker broke while it had the command: whether it ran is unknown."""


def is_cancelled() -> bool:
    """Whether somebody cancelled this task; else its `CancelledError` says that a channel was closed."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


class Link(Protocol):
    """The way to one worker."""

    def running(self) -> set[CommandIdentity]:
        """What the worker may be busy with, calls that nobody waits for any more included."""

    async def execute(
        self, request: command_pb2.ExecuteRequest, identity: CommandIdentity, *, timeout_s: float
    ) -> command_pb2.ExecuteResponse:
        """Run one command. Raises `LinkDown`, or the error that the worker answered."""

    async def close(self) -> None:
        """Let go; whatever waits gets `LinkDown`."""
