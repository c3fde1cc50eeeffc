"""Who calls: tokens verified once and remembered; their end, revocation and rate checked each time."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import aiohttp
import structlog

from omnium_router.databases import Database
from omnium_router.rates import Rates
from omnium_router.settings import RouterSettings
from omnium_store import tokens
from omnium_store.errors import BadRequest, DatabaseAway, Unauthenticated
from omnium_store.tokens import Caller, TokenKeys

MOST_REMEMBERED: Final = 10_000
LONGEST_TOKEN: Final = 8_192
JWKS_EVERY_S: Final = 300.0
JWKS_TIMEOUT: Final = aiohttp.ClientTimeout(total=10)

log = structlog.get_logger("omnium.router")


def load_keys(settings: RouterSettings) -> TokenKeys:
    """The keys of this home; made if there are none."""
    issuers = frozenset(name.strip() for name in settings.token_issuers.split(",") if name.strip())
    keys = TokenKeys.load_or_create(settings.token_keys)
    return replace(keys, issuers=issuers, audience=settings.token_audience)


class Callers:
    """Turns an Authorization header into a caller."""

    def __init__(self, keys: TokenKeys, rates: Rates, *, wall_clock: Callable[[], float] = time.time) -> None:
        self.keys = keys
        self._rates = rates
        self._wall_clock = wall_clock
        self._known: OrderedDict[str, Caller] = OrderedDict()
        self._revoked: frozenset[str] = frozenset()

    def identify(self, authorization: str) -> Caller:
        """The caller behind `Bearer TOKEN`. Raises `Unauthenticated` or `TooMany`."""
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != "bearer" or not token:
            raise Unauthenticated("This needs a token: send it as Authorization: Bearer TOKEN.")
        if len(token) > LONGEST_TOKEN:
            raise Unauthenticated("That is longer than any token of ours.", reason="token_invalid")
        caller = self._known.get(token) or self._learn(token)
        self.check_again(caller)
        return caller

    def check_again(self, caller: Caller) -> None:
        """One more request of a caller that is known. Raises `Unauthenticated` or `TooMany`."""
        self.check(caller)
        self._rates.take(caller.jti)

    def check(self, caller: Caller) -> None:
        """Raises `Unauthenticated` when the token has ended or was taken back."""
        if caller.exp + tokens.LEEWAY_S <= self._wall_clock():
            raise Unauthenticated("The token has expired. Get a new one.", reason="token_expired")
        if caller.jti in self._revoked:
            raise Unauthenticated("The token was revoked. Get a new one.", reason="token_revoked")

    def revoke(self, revoked: frozenset[str]) -> None:
        """The list of revoked tokens was read."""
        self._revoked = revoked

    def trust(self, keys: TokenKeys) -> None:
        """Other keys count from now on; whoever was known is verified again."""
        self.keys = keys
        self._known.clear()

    def _learn(self, token: str) -> Caller:
        caller = self.keys.verify(token)
        self._known[token] = caller
        if len(self._known) > MOST_REMEMBERED:
            self._known.popitem(last=False)
        return caller


class TokenNews:
    """Keeps callers up to date: revoked tokens from the database, keys from a provider."""

    def __init__(self, callers: Callers, database: Database, settings: RouterSettings) -> None:
        self._callers = callers
        self._database = database
        self._every_s = settings.router_revocation_poll_ms / 1000
        self._jwks_url = settings.token_jwks_url
        self._own_keys = callers.keys
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to listen to the news."""
        self._tasks.append(asyncio.create_task(self._follow_revocations(), name="revocations"))
        if self._jwks_url:
            self._tasks.append(asyncio.create_task(self._follow_provider(), name="provider's keys"))

    async def close(self) -> None:
        """Stop."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def refresh(self) -> None:
        """Read the revoked tokens now. Raises `DatabaseAway`."""
        async with self._database.connection() as connection:
            self._callers.revoke(await tokens.revoked(connection))

    async def _follow_revocations(self) -> None:
        while True:
            try:
                await self.refresh()
            except DatabaseAway as error:
                log.warning(
                    "router.revocations_unread", error=error.message, effect="the last list stays in force"
                )
            await asyncio.sleep(self._every_s)

    async def _follow_provider(self) -> None:
        async with aiohttp.ClientSession(timeout=JWKS_TIMEOUT) as session:
            while True:
                try:
                    async with session.get(self._jwks_url, raise_for_status=True) as response:
                        document = await response.json(content_type=None)
                    self._callers.trust(self._own_keys.with_jwks(document))
                except (aiohttp.ClientError, TimeoutError, ValueError, TypeError, BadRequest) as error:
                    log.warning("router.provider_keys_unread", error=repr(error), url=self._jwks_url)
                await asyncio.sleep(JWKS_EVERY_S)
