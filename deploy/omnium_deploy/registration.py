"""Puts the releases that `--flows` names into the database; on one's own machine they become the default."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import asyncpg

from omnium_deploy.errors import UsageProblem
from omnium_deploy.home import Home
from omnium_deploy.offers import Offer, offers
from omnium_deploy.settings import FleetSettings
from omnium_releases.approving import LOCAL
from omnium_releases.audit import Trace
from omnium_releases.defaults import set_default
from omnium_releases.registering import register
from omnium_store.database import connect
from omnium_store.statements import Statements

STATEMENTS: Final = Statements.of("omnium_deploy")
DIST: Final = Path("dist")
WHO: Final = "omnium up"


class Registration:
    """The releases of one start."""

    def __init__(self, home: Home, settings: FleetSettings, dsn: str) -> None:
        self._home = home
        self._settings = settings
        self._dsn = dsn

    async def offered(self, flows: Sequence[Path]) -> list[Offer]:
        """The wheels to register: those that are named; for a database without a release those in `dist/`.

        Raises `UsageProblem` when there is nothing to run, which is no problem where people approve releases.
        """
        if flows:
            return offers(flows)
        if not self._is_local:
            return []
        connection = await self._connect()
        try:
            if await connection.fetchval(STATEMENTS["release_exists"]):
                return []
        finally:
            await connection.close()
        if not any(DIST.glob("*.whl")):
            raise UsageProblem(
                "This home has no release yet, and there are no wheels in dist/. "
                "Name one: omnium up --flows WHEEL (make wheels builds one)."
            )
        return offers([DIST])

    async def register(self, offered: Sequence[Offer]) -> list[str]:
        """Register each and make it the default of every sport that it holds. A line about each.

        In a scope without a default it counts from always on, else from now on. Of several that hold one
        sport the last one stays the default. Where the environment is not local they are staged and no more.
        """
        connection = await self._connect()
        try:
            return [await self._register(connection, offer) for offer in offered]
        finally:
            await connection.close()

    async def _register(self, connection: asyncpg.Connection[asyncpg.Record], offer: Offer) -> str:
        trace = Trace(request_id=WHO)
        registered = await register(
            connection,
            flows=offer.flows.read_bytes(),
            flows_name=offer.flows.name,
            contract=offer.contract.read_bytes(),
            contract_name=offer.contract.name,
            env="prod" if self._is_local else "staging",
            notes="",
            who=WHO,
            cache=self._home.cache,
            environment=self._settings.environment,
            trace=trace,
        )
        version = registered.version
        known = "registered" if registered.changed else "known already"
        if not self._is_local:
            return f"release {version} is {known}, {registered.status} in this environment"
        scopes = await set_default(
            connection, version, sport=None, competition=None, from_at=None, who=WHO, trace=trace
        )
        changed = [scope.sport for scope in scopes if scope.changed]
        told = f", now the default of {', '.join(changed)}" if changed else ""
        return f"release {version} is {known}{told}"

    @property
    def _is_local(self) -> bool:
        return self._settings.environment == LOCAL

    async def _connect(self) -> asyncpg.Connection[asyncpg.Record]:
        return await connect(self._dsn, application="omnium deploy")
