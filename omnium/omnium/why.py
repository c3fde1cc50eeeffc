"""`omnium why`: which event made a value of a match what it is."""

from __future__ import annotations

import asyncio
import json
import uuid
from typing import Annotated, Any, Final

import typer

from omnium.databases import DatabaseOption, connected, dsn_of
from omnium.options import HomeOption, OutputOption
from omnium.output import Output, show_card, show_json
from omnium_deploy.home import Home
from omnium_releases.causes import Cause, cause_of
from omnium_releases.corpus.logged import read_match
from omnium_releases.corpus.performances import Unproven
from omnium_releases.corpus.stages import RegisteredStages
from omnium_releases.documents import document
from omnium_store.errors import NotFound, Refused

#: A value that is longer is cut in the card; JSON has it whole.
LONGEST: Final = 200


def why(
    fixture: Annotated[str, typer.Argument(help="The match, by its id.")],
    key: Annotated[
        str,
        typer.Argument(help="goals.SIDE, result.winner, yellow_cards.PERSON, place.SIDE: code, name or id."),
    ],
    segment: Annotated[
        str | None, typer.Option("--segment", help="Of a fact: the half, set or innings.", show_default=False)
    ] = None,
    home: HomeOption = None,
    database: DatabaseOption = None,
    output: OutputOption = Output.TABLE,
) -> None:
    """Say which event made a value what it is: whose, when, and under which rules and release."""
    cause = asyncio.run(_cause(fixture_id(fixture), key, segment, Home.at(home), dsn_of(home, database)))
    match output:
        case Output.JSON:
            show_json(document(cause))
        case Output.IDS:
            typer.echo("" if cause.seq is None else cause.seq)
        case Output.TABLE:
            typer.echo(sentence(cause))
            show_card(_card(cause))


def fixture_id(text: str) -> uuid.UUID:
    """The id of a match. Raises `NotFound` for what can't be one."""
    try:
        return uuid.UUID(text)
    except ValueError:
        raise NotFound(f"There is no match {text}.", reason="no_such_fixture") from None


async def _cause(fixture: uuid.UUID, key: str, segment: str | None, home: Home, dsn: str) -> Cause:
    async with connected(dsn, verb="why") as conn:
        match = await read_match(conn, fixture)
        async with RegisteredStages(conn, home.cache).of(match.release) as stage:
            try:
                return await cause_of(match, stage, key, segment=segment)
            except Unproven as problem:
                raise Refused(
                    f"Match {fixture} can't be told: {problem}", reason="not_reproduced"
                ) from problem


def sentence(cause: Cause) -> str:
    """The answer in one sentence."""
    if cause.seq is None:
        return f"{cause.key} is {shown(cause.value)} since before the first event, under {cause.release}."
    was = "not there" if cause.before is None else shown(cause.before)
    became = "is gone" if cause.value is None else f"is {shown(cause.value)}"
    return (
        f"{cause.key} {became} since event {cause.seq}: {cause.code} by {cause.actor}. Before it was {was}."
    )


def shown(value: Any) -> str:
    """A value as people read it; a long one is cut."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _card(cause: Cause) -> dict[str, Any]:
    if cause.seq is None:
        return {}
    return {
        "command": f"{cause.title} ({cause.code})" if cause.title else cause.code,
        "input": shown(cause.input),
        "when": cause.at,
        "who": f"{cause.actor} ({cause.sender})",
        "judged by": cause.judged_by,
        "folded by": cause.release,
        "rules": cause.rules,
        **({"overruled": cause.overruled} if cause.overruled else {}),
        **({"action": cause.action} if cause.action else {}),
        "changes": cause.changes,
    }
