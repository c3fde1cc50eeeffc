"""What a router is told at its start: read once from the environment, checked before a socket opens."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import BeforeValidator, Field, PlainSerializer, PositiveFloat, PositiveInt
from pydantic_settings import NoDecode

from omnium_store.settings import DatabaseSettings

MIB = 1024 * 1024


class Listen(NamedTuple):
    """Where a socket listens; port 0 takes a free one."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def _listen(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    host, colon, port = value.rpartition(":")
    if not colon or not port.isdigit() or int(port) > 65_535:
        raise ValueError("write HOST:PORT, like 127.0.0.1:8600; port 0 takes a free one")
    return Listen(host.strip("[]") or "127.0.0.1", int(port))


Address = Annotated[Listen, NoDecode, BeforeValidator(_listen), PlainSerializer(str)]


class RouterSettings(DatabaseSettings):
    """The settings of one router; docs/configuration.md is made to match them."""

    router_listen: Annotated[Address, Field(description="where HTTP is served")] = Listen("127.0.0.1", 8600)
    router_grpc_listen: Annotated[Address, Field(description="where gRPC is served")] = Listen(
        "127.0.0.1", 8601
    )
    environment: Annotated[
        str,
        Field(
            pattern="^(local|staging|prod)$",
            description="where this database stands; local registers a release for prod without a report",
        ),
    ] = "local"
    approval_by_another: Annotated[
        bool,
        Field(description="who approves a release for prod is not who registered it (never asked in local)"),
    ] = True

    token_issuers: Annotated[
        str,
        Field(description="whose tokens are taken, separated by commas; a provider's issuer beside our own"),
    ] = "omnium"
    token_audience: Annotated[str, Field(description="for whom tokens have to be made")] = "omnium"
    token_jwks_url: Annotated[
        str,
        Field(
            pattern="^(https?://.+)?$",
            description="where a provider publishes its keys (JWKS); empty: nowhere",
        ),
    ] = ""

    router_database_connections: Annotated[
        PositiveInt, Field(description="connections to the database at most")
    ] = 8
    router_database_timeout_ms: Annotated[
        PositiveInt, Field(description="how long a statement or waiting for a connection may take")
    ] = 5_000

    router_command_timeout_ms: Annotated[
        PositiveInt, Field(description="how long a person's command may take")
    ] = 10_000
    router_import_timeout_ms: Annotated[
        PositiveInt, Field(description="how long an import, or registering a release, may take")
    ] = 120_000
    router_body_timeout_ms: Annotated[
        PositiveInt, Field(description="how long a body may take to arrive")
    ] = 30_000
    router_body_limit: Annotated[PositiveInt, Field(description="bytes of a body at most")] = MIB
    router_large_body_limit: Annotated[
        PositiveInt, Field(description="bytes of an import or of wheels at most")
    ] = 32 * MIB
    router_header_limit: Annotated[
        PositiveInt, Field(description="bytes of a header, and of the request line, at most")
    ] = 16_384
    router_concurrency: Annotated[
        PositiveInt, Field(description="requests at once at most; more are answered 503")
    ] = 2_048
    router_rate_per_token: Annotated[
        PositiveFloat, Field(description="requests a second with one token, in the long run")
    ] = 5_000.0
    router_burst_per_token: Annotated[PositiveInt, Field(description="requests at once with one token")] = (
        10_000
    )

    router_queue_per_pool: Annotated[
        PositiveInt, Field(description="commands that wait for a worker of a pool at most")
    ] = 512
    router_lease_poll_ms: Annotated[
        PositiveInt, Field(description="how often the leases of workers are read")
    ] = 1_000
    router_lease_gone_after_ms: Annotated[
        PositiveInt, Field(description="a worker without a heartbeat for so long is gone")
    ] = 6_000
    router_wait_for_worker_ms: Annotated[
        int, Field(ge=0, description="how long a command waits for a worker that is coming")
    ] = 500
    router_ejection_ms: Annotated[
        PositiveInt, Field(description="how long a worker that broke gets nothing")
    ] = 1_000
    router_pin_cache: Annotated[
        PositiveInt, Field(description="fixtures whose pin is remembered at most")
    ] = 100_000
    router_default_ttl_ms: Annotated[PositiveInt, Field(description="how long a default is remembered")] = (
        1_000
    )
    router_revocation_poll_ms: Annotated[
        PositiveInt, Field(description="how often revoked tokens are read")
    ] = 2_000
    router_poison_minutes: Annotated[
        PositiveFloat, Field(description="how long a key that has stopped two workers is refused")
    ] = 10.0
    router_link: Annotated[
        str,
        Field(
            pattern="^(multiplex|unary)$",
            description="one stream for all commands of a worker, or a call each",
        ),
    ] = "multiplex"

    router_drain_notice_ms: Annotated[
        int, Field(ge=0, description="between saying not ready and closing the sockets")
    ] = 300
    router_drain_grace_ms: Annotated[
        PositiveInt, Field(description="how long requests may take to finish at the end")
    ] = 15_000

    @property
    def fleet_key(self) -> Path:
        """The key that workers know a router by."""
        return self.home / "keys" / "fleet.key"

    @property
    def token_keys(self) -> Path:
        """The folder of the keys that tokens are signed with."""
        return self.home / "keys"

    @property
    def cache(self) -> Path:
        """Where a release is unpacked for its gate."""
        return self.home / "cache"
