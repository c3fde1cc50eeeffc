"""`omnium token`: who may do what, as a token says it."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

import typer

from omnium.groups import verbs
from omnium.options import HomeOption, OutputOption
from omnium.output import Output, show_json
from omnium_deploy.endpoints import Endpoints
from omnium_deploy.home import Home
from omnium_store.access import Kind, Role
from omnium_store.database import connect
from omnium_store.tokens import Caller, TokenKeys, keep_issued

app = verbs("Tokens, signed by the key of a home.")

ISSUER = "omnium token"


@app.callback()
def group() -> None:
    """Keep `create` a verb of its own while it is the only one."""


@app.command()
def create(
    sub: Annotated[str, typer.Option(help="Who it is for: a stable name, the sender of commands.")],
    role: Annotated[list[Role] | None, typer.Option(help="What a person may; may be repeated.")] = None,
    source: Annotated[
        str, typer.Option(help="Makes it an integration's: the source that it imports from.")
    ] = "",
    name: Annotated[str, typer.Option(help="The name that screens show (else --sub).")] = "",
    event: Annotated[list[str] | None, typer.Option(help="Only this event; may be repeated.")] = None,
    fixture: Annotated[list[str] | None, typer.Option(help="Only this fixture; may be repeated.")] = None,
    days: Annotated[float, typer.Option(min=0.001, max=3650, help="How long it is good for.")] = 30,
    home: HomeOption = None,
    output: OutputOption = Output.IDS,
) -> None:
    """Make a token and print it. It is shown once and noted by its id, so that it can be revoked."""
    place = Home.at(home)
    endpoints = Endpoints.read(place)
    token, caller = TokenKeys.load_or_create(place.keys).issue(
        sub=sub,
        name=name,
        kind=Kind.INTEGRATION if source else Kind.PERSON,
        roles=role or [],
        source=source,
        events=event or [],
        fixtures=fixture or [],
        lifetime=timedelta(days=days),
    )
    asyncio.run(_keep(endpoints.database, caller))
    match output:
        case Output.JSON:
            show_json({"token": token, **_claims(caller)})
        case Output.IDS | Output.TABLE:
            typer.echo(token)


async def _keep(dsn: str, caller: Caller) -> None:
    connection = await connect(dsn, application=ISSUER)
    try:
        await keep_issued(connection, caller, issued_by=ISSUER)
    finally:
        await connection.close()


def _claims(caller: Caller) -> dict[str, Any]:
    return {
        "jti": caller.jti,
        "sub": caller.sub,
        "name": caller.name,
        "kind": caller.kind.value,
        "roles": sorted(caller.roles),
        "source": caller.source or None,
        "events": sorted(caller.events),
        "fixtures": sorted(caller.fixtures),
        "expiresAt": datetime.fromtimestamp(caller.exp, UTC).isoformat(),
    }
