"""Which release this worker is: its rules by content, and the rest that a result depends on."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from omnium_proto import command_pb2


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """One release on one runtime. `version` is for people, the hashes are what is compared."""

    version: str
    release_id: uuid.UUID
    code_sha: str
    contract_sha: str
    runtime_sha: str

    def on_the_wire(self) -> command_pb2.Release:
        """As replies echo it, so that a router can refuse a reply from other code than it asked for."""
        return command_pb2.Release(
            version=self.version,
            code_sha=self.code_sha,
            contract_sha=self.contract_sha,
            runtime_sha=self.runtime_sha,
        )
