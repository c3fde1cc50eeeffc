"""`omnium status`: what runs in a home, and how it is."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Any

import typer

from omnium.exits import Exit
from omnium.options import HomeOption, OutputOption
from omnium.output import Output, show_json, show_rows
from omnium_deploy.endpoints import Endpoints
from omnium_deploy.errors import NotRunning
from omnium_deploy.fleet_state import FleetState, PoolState, ProcessState
from omnium_deploy.home import Home, holder
from omnium_deploy.probes import ask


def status(home: HomeOption = None, output: OutputOption = Output.TABLE) -> None:
    """Say what runs in a home folder. Exit code 5 when it does not answer."""
    place = Home.at(home)
    told = describe(place)
    match output:
        case Output.JSON:
            show_json(told)
        case Output.IDS:
            typer.echo("\n".join(pool["version"] for pool in told["pools"]))
        case Output.TABLE:
            _show(told)
    if not told["ready"]:
        typer.echo(f"omnium: {told['reason']}", err=True)
        raise typer.Exit(Exit.UNAVAILABLE)


def describe(home: Home) -> dict[str, Any]:
    """Everything there is to say: also of a home where nothing runs, or where it does not answer."""
    pid = holder(home)
    state = FleetState.read(home) if pid else None
    told: dict[str, Any] = {
        "home": str(home.root),
        "running": pid is not None,
        "ready": False,
        "reason": "",
        "phase": state.phase if state else "down",
        "pid": pid,
        "startedAt": state.started_at if state else None,
        "router": None,
        "grpc": None,
        "database": asdict(state.database) if state else None,
        "processes": [_process(one) for one in state.processes] if state else [],
        "pools": [_pool(one) for one in state.pools] if state else [],
    }
    return told | _answers(home, running=pid is not None)


def _answers(home: Home, *, running: bool) -> dict[str, Any]:
    """Whether the router answers, and where."""
    if not running:
        return {"reason": f"Nothing runs in {home.root}. Start it: omnium up --home {home.root}"}
    try:
        endpoints = Endpoints.read(home)
    except NotRunning:
        return {"reason": f"The fleet in {home.root} is starting or stopping."}
    probe = asyncio.run(ask(endpoints.router, "/readyz"))
    reason = "" if probe.well else f"The router is not ready: {probe.why}."
    return {"ready": probe.well, "reason": reason, "router": endpoints.router, "grpc": endpoints.grpc}


def _process(state: ProcessState) -> dict[str, Any]:
    return {
        "name": state.name,
        "kind": state.kind,
        "release": state.pool,
        "pid": state.pid,
        "well": state.well,
        "restarts": state.restarts,
        "lastExit": state.last_exit,
    }


def _pool(state: PoolState) -> dict[str, Any]:
    return {
        "version": state.version,
        "lane": state.lane,
        "workers": state.size,
        "serving": state.serving,
        "why": list(state.why),
    }


def _show(told: dict[str, Any]) -> None:
    typer.echo(f"omnium in {told['home']}: {'ready' if told['ready'] else told['phase']}")
    if not told["running"]:
        return
    typer.echo(f"router {told['router'] or '-'}   gRPC {told['grpc'] or '-'}   supervisor {told['pid']}")
    rows = [_row(process) for process in told["processes"]]
    if database := told["database"]:
        name = "database" if database["embedded"] else "database (not ours)"
        rows.insert(0, {"process": name, "pid": database["pid"], "restarts": database["restarts"]})
    show_rows(rows, columns=("process", "pid", "well", "restarts"), output=Output.TABLE, identity="process")
    columns = ("version", "lane", "serving", "workers", "why")
    show_rows(told["pools"], columns=columns, output=Output.TABLE, identity="version")


def _row(process: dict[str, Any]) -> dict[str, Any]:
    return {**process, "process": process["name"]}
