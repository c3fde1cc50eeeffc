"""All that a router is made of, put together once."""

from __future__ import annotations

import time
from dataclasses import dataclass

from omnium_router.callers import Callers, TokenNews, load_keys
from omnium_router.commands import Commands, TimeLimits
from omnium_router.databases import Database
from omnium_router.fleet import Fleet
from omnium_router.fleet_view import fleet_gauges
from omnium_router.forwarding import Forwarding
from omnium_router.leases import Leases
from omnium_router.metrics import Metrics
from omnium_router.moves import Moves
from omnium_router.pins import Pins
from omnium_router.poisoned import Suspects
from omnium_router.pool_requests import PoolRequests
from omnium_router.programs import Programs
from omnium_router.rates import Rates
from omnium_router.settings import RouterSettings
from omnium_store.errors import BadRequest


@dataclass(slots=True)
class Standing:
    """Whether the router takes work."""

    draining: bool = False


@dataclass(frozen=True, slots=True)
class Services:
    """The parts of one router."""

    settings: RouterSettings
    metrics: Metrics
    database: Database
    callers: Callers
    token_news: TokenNews
    fleet: Fleet
    leases: Leases
    pins: Pins
    programs: Programs
    pool_requests: PoolRequests
    commands: Commands
    moves: Moves
    standing: Standing

    def start(self) -> None:
        """Begin to follow the database; it may be away."""
        self.leases.start()
        self.token_news.start()

    async def close(self) -> None:
        """Let go of workers and database."""
        await self.leases.close()
        await self.token_news.close()
        await self.pool_requests.close()
        await self.fleet.close()
        await self.database.close()


def assemble(settings: RouterSettings) -> Services:
    """The parts, not started. Needs a running event loop."""
    metrics = Metrics()
    database = Database(
        settings.database_url,
        connections=settings.router_database_connections,
        timeout_ms=settings.router_database_timeout_ms,
    )
    suspects = Suspects(clock=time.monotonic, ttl_s=settings.router_poison_minutes * 60)
    fleet = Fleet(settings, fleet_key=_fleet_key(settings), suspects=suspects, metrics=metrics)
    ttl_s = settings.router_default_ttl_ms / 1000
    pins = Pins(database, metrics, limit=settings.router_pin_cache, default_ttl_s=ttl_s)
    callers = Callers(load_keys(settings), _rates(settings))
    programs, pool_requests = Programs(database), PoolRequests(database)
    grace_s = settings.router_wait_for_worker_ms / 1000
    forwarding = Forwarding(
        fleet, pins, suspects, pool_requests=pool_requests, metrics=metrics, wait_for_worker_s=grace_s
    )
    limits = TimeLimits(settings.router_command_timeout_ms / 1000, settings.router_import_timeout_ms / 1000)
    metrics.watch(lambda: fleet_gauges(fleet, pins=len(pins), suspects=len(suspects)))
    return Services(
        settings=settings,
        metrics=metrics,
        database=database,
        callers=callers,
        token_news=TokenNews(callers, database, settings),
        fleet=fleet,
        leases=_leases(settings, database, fleet),
        pins=pins,
        programs=programs,
        pool_requests=pool_requests,
        commands=Commands(pins, programs, forwarding, metrics=metrics, limits=limits),
        moves=Moves(
            pins,
            fleet,
            pool_requests=pool_requests,
            metrics=metrics,
            wait_for_worker_s=grace_s,
            longest_s=limits.import_s,
        ),
        standing=Standing(),
    )


def _leases(settings: RouterSettings, database: Database, fleet: Fleet) -> Leases:
    poll_s, gone_s = settings.router_lease_poll_ms / 1000, settings.router_lease_gone_after_ms / 1000
    return Leases(database, fleet.take, poll_s=poll_s, gone_after_s=gone_s)


def _rates(settings: RouterSettings) -> Rates:
    per_second, burst = settings.router_rate_per_token, settings.router_burst_per_token
    return Rates(per_second=per_second, burst=burst, clock=time.monotonic)


def _fleet_key(settings: RouterSettings) -> str:
    try:
        return settings.fleet_key.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadRequest(
            f"The fleet key can't be read ({error}). `omnium up` makes it; workers need the same one.",
            reason="bad_settings",
        ) from error
