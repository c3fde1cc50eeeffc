"""What a worker is told by its environment, read once and checked before anything is opened."""

from __future__ import annotations

import ipaddress
from pathlib import Path
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from omnium_store.settings import DatabaseSettings, Settings


def _is_address(text: str) -> str:
    host, colon, port = text.rpartition(":")
    if not colon or not host or not port.isdigit() or int(port) > 65_535:
        raise ValueError("give HOST:PORT; port 0 takes a free one")
    return text


Address = Annotated[str, AfterValidator(_is_address)]
_EVERYWHERE: Final = frozenset({"0.0.0.0", "::"})


class ReplaySettings(Settings):
    """What a worker without a database is told."""

    home: Path = Field(default=Path(".omnium"), description="Folder with cache/ and keys/fleet.key.")
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="What is logged."
    )
    worker_listen: Address = Field(
        default="127.0.0.1:0", description="Where calls are taken; port 0 is a free one."
    )
    worker_memory_mb: int = Field(default=512, ge=0, description="What it may grow by; 0 sets no limit.")
    worker_grace_s: float = Field(default=20.0, ge=0, description="What calls in flight get when it stops.")
    metrics_listen: Address | None = Field(default=None, description="Where /metrics is; nowhere if not set.")

    @property
    def cache(self) -> Path:
        """Where releases are unpacked."""
        return self.home / "cache"

    @property
    def fleet_key(self) -> Path:
        """The file with the key that routers show."""
        return self.home / "keys" / "fleet.key"


class WorkerSettings(ReplaySettings, DatabaseSettings):
    """What a worker is told."""

    worker_advertise: str = Field(
        default="", description="Host that routers reach it by; else the one listened on."
    )
    worker_lane: Literal["live", "bulk"] = Field(default="live", description="Which commands it takes.")
    worker_capacity: int = Field(
        default=64, ge=1, le=10_000, description="Commands in flight; one more is refused."
    )
    worker_pool_size: int = Field(default=8, ge=1, le=64, description="Connections for commands.")
    worker_patience_s: float = Field(
        default=60.0, ge=0, description="How long a start waits for the database."
    )
    worker_timeout_ms: int = Field(default=10_000, ge=100, description="Longest that one command may take.")

    @model_validator(mode="after")
    def can_be_reached(self) -> Self:
        """A lease names one address: every address at once is none that a router could call."""
        host, _ = split_address(self.worker_listen)
        if host in _EVERYWHERE and not self.worker_advertise:
            raise ValueError(f"{self.worker_listen} is no address to call: set OMNIUM_WORKER_ADVERTISE too")
        return self


def split_address(address: str) -> tuple[str, int]:
    """Host and port of `HOST:PORT`, an IPv6 host without its brackets."""
    host, _, port = address.rpartition(":")
    return host.strip("[]"), int(port)


def join_address(host: str, port: int) -> str:
    """`HOST:PORT`, an IPv6 host in brackets."""
    try:
        is_six = ipaddress.ip_address(host).version == 6
    except ValueError:
        is_six = False
    return f"[{host}]:{port}" if is_six else f"{host}:{port}"
