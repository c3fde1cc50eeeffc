"""What a router knows a thing by: a release, a command."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from omnium_proto import command_pb2

LIVE = "live"
BULK = "bulk"


@dataclass(frozen=True, slots=True)
class ReleaseRef:
    """One release: its row, its name for people, and the hashes that it is known by."""

    id: uuid.UUID
    version: str
    code_sha: str
    contract_sha: str

    def message(self) -> command_pb2.Release:
        """As it travels to a worker."""
        return command_pb2.Release(
            version=self.version, code_sha=self.code_sha, contract_sha=self.contract_sha
        )


@dataclass(frozen=True, slots=True)
class CommandIdentity:
    """What makes two sendings the same command: who, on what, under which key."""

    sender: str  # person:<sub> or integration:<sub>
    subject: str  # kind/ref
    key: str
