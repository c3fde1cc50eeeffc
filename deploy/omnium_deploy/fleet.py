"""The running parts of one fleet on this machine, how they are, and how they end."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable

from omnium_deploy.database_keeper import DatabaseKeeper
from omnium_deploy.errors import StartFailed
from omnium_deploy.fleet_state import DatabaseState, FleetState, PoolState, ProcessState
from omnium_deploy.kept import Kept, KeptState
from omnium_deploy.launches import Launches
from omnium_deploy.local import LocalBackend
from omnium_deploy.pools import PoolKey, PoolRules
from omnium_deploy.ports import HOST
from omnium_deploy.probes import Probe, ask
from omnium_deploy.reconciler import Reconciler
from omnium_deploy.settings import FleetSettings
from omnium_deploy.wants import AWAY, Horizon, WantsReader

HOPELESS_RESTARTS = 3


class Fleet:
    """Router and pools over one database. `changed` is called when there is something new to say."""

    def __init__(self, launches: Launches, settings: FleetSettings, *, changed: Callable[[], None]) -> None:
        self.url = f"http://{HOST}:{launches.ports.http}"
        self.grpc = f"{HOST}:{launches.ports.grpc}"
        self._launches = launches
        self._settings = settings
        self._router = Kept(launches.router(), changed=changed)
        self._backend = LocalBackend(launches.worker, drain_s=settings.drain_s, changed=changed)
        horizon = Horizon(soon_s=settings.pool_soon_s, request_s=settings.pool_request_s)
        self._reader = WantsReader(launches.dsn, horizon, news=self._ring)
        self._reconciler = Reconciler(
            self._reader,
            self._backend,
            PoolRules(size=settings.pool_workers, grace_s=settings.pool_grace_s),
            every_s=settings.pool_every_s,
        )

    def start_router(self) -> None:
        """Begin to keep the router."""
        self._router.start()

    async def start_pools(self) -> None:
        """Start every pool that is wanted now."""
        await self._reconciler.step()

    async def keep_pools(self) -> None:
        """Keep the pools as they are wanted, without end."""
        await self._reconciler.run()

    async def roll(self) -> None:
        """Replace all workers of all pools, one at a time."""
        for key in sorted(await self._backend.sizes()):
            await self._backend.roll(key)

    async def look(self) -> Probe:
        """See how everybody is; kill what is stuck. Gives what the router says of itself."""
        stuck_after_s = self._settings.stuck_s
        try:
            self._backend.note(await self._reader.serving(), stuck_after_s=stuck_after_s)
        except AWAY:
            self._backend.note(None, stuck_after_s=stuck_after_s)
        alive = await ask(self.url, "/healthz")
        self._router.note(well=alive.well, stuck_after_s=stuck_after_s)
        return await ask(self.url, "/readyz") if alive.well else alive

    def waits_for(self) -> list[str]:
        """Pools without a serving worker that may still get one, in words."""
        serving, dying = self._serving(), self._dying()
        return [
            f"no worker of release {plan.key} serves yet"
            for plan in self._reconciler.plans
            if not serving.get(plan.key) and (plan.is_default or plan.key not in dying)
        ]

    def trouble(self) -> StartFailed | None:
        """Why it makes no sense to wait any longer: the router or a default release does not stay alive."""
        log = self._launches.home.log
        defaults = {plan.key for plan in self._reconciler.plans if plan.is_default}
        must = [self._router.state, *(state for key, state in self._backend.states() if key in defaults)]
        for state in must:
            if _is_hopeless(state):
                return StartFailed(
                    f"{state.name} does not stay alive (exit {state.last_exit}, {state.restarts} times).",
                    log=log / f"{state.name}.log",
                )
        return None

    def state(self, *, phase: str, started_at: str, database: DatabaseKeeper | None) -> FleetState:
        """All of it, for `fleet.json`."""
        serving = self._serving()
        return FleetState(
            pid=os.getpid(),
            phase=phase,
            started_at=started_at,
            database=DatabaseState(
                embedded=database is not None,
                pid=database.pid if database else None,
                restarts=database.restarts if database else 0,
            ),
            processes=(
                _process(self._router.state, kind="router"),
                *(_process(state, kind="worker", pool=key) for key, state in self._backend.states()),
            ),
            pools=tuple(
                PoolState(plan.key.version, plan.key.lane, plan.size, serving.get(plan.key, 0), plan.why)
                for plan in self._reconciler.plans
            ),
        )

    def _ring(self) -> None:
        self._reconciler.ask()

    def hurry(self) -> None:
        """Somebody asked twice: whoever is still ending is killed."""
        self._router.signal(signal.SIGKILL)
        self._backend.signal(signal.SIGKILL)

    async def stop(self) -> None:
        """End the router, so that nothing new comes; then the workers, which finish what they have."""
        await self._router.stop(grace_s=self._settings.drain_s)
        await self._backend.close()
        await self._reader.close()

    def _serving(self) -> dict[PoolKey, int]:
        return _count(key for key, state in self._backend.states() if state.well)

    def _dying(self) -> set[PoolKey]:
        return {key for key, state in self._backend.states() if _is_hopeless(state)}


def _count(keys: Iterable[PoolKey]) -> dict[PoolKey, int]:
    found: dict[PoolKey, int] = {}
    for key in keys:
        found[key] = found.get(key, 0) + 1
    return found


def _is_hopeless(state: KeptState) -> bool:
    return not state.well and state.restarts >= HOPELESS_RESTARTS


def _process(state: KeptState, *, kind: str, pool: PoolKey | None = None) -> ProcessState:
    return ProcessState(
        name=state.name,
        kind=kind,
        pid=state.pid,
        born=state.born,
        well=state.well,
        restarts=state.restarts,
        last_exit=state.last_exit,
        pool=str(pool) if pool else None,
    )
