"""Registering: whole or not at all, once, and never two contents under one name."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from harness.postgres import Database
from harness.tampering import changed, relisted
from harness.wheels import MadeRelease, make_release
from omnium_releases import listing
from omnium_releases.artifacts import fetch
from omnium_releases.audit import Trace, entries
from omnium_releases.programs import install
from omnium_releases.registering import register
from omnium_store.database import Connection, connect
from omnium_store.errors import BadRequest, NotFound, Refused

from .conftest import Register, tally

TABLES = ("plugin_release", "release_artifact", "scoring_program_version", "sport", "release_audit")


async def rows(conn: Connection) -> dict[str, int]:
    return {table: await conn.fetchval(f"SELECT count(*) FROM {table}") for table in TABLES}


async def test_a_release_is_stored_with_all_that_belongs_to_it(
    conn: Connection, registering: Register, made: MadeRelease
) -> None:
    done = await registering(made, notes='summary = "First"', trace=Trace("request-1", {"commit": "abc"}))
    assert (made.version, "prod", None, True) == (done.version, done.status, done.before, done.changed)
    assert (done.workflows, done.sports) == (("tally",), ("tally",))
    card = await listing.show(conn, made.version)
    assert (made.code_sha, made.contract_sha, "0.1.0") == (
        card.code_sha,
        card.contract_sha,
        card.contract_version,
    )
    assert (card.notes, card.registered_by, card.approved_by) == ('summary = "First"', "ada", "ada")
    assert [artifact.kind for artifact in card.artifacts] == ["contract", "flows"]
    assert [(p.workflow, p.commands, p.format_number) for p in card.programs] == [("tally", 3, 1)]
    (entry,) = card.audit
    assert (
        entry.who,
        entry.verb,
        entry.request_id,
        entry.build,
    ) == ("ada", "register", "request-1", {"commit": "abc"})
    assert ("local", None, "prod", made.code_sha) == tuple(
        entry.seen[name] for name in ("environment", "before", "after", "codeSha")
    )
    assert entry.reason == "a local environment asks for no report"


async def test_what_was_stored_is_what_was_sent(
    conn: Connection, registering: Register, made: MadeRelease
) -> None:
    await registering(made)
    stored = await fetch(conn, made.version)
    assert made.flows.read_bytes() == stored.files.flows.content
    assert made.contract.read_bytes() == stored.files.contract.content
    assert ("prod", made.version) == (stored.status, stored.version)


async def test_the_same_bytes_again_change_nothing(
    conn: Connection, registering: Register, made: MadeRelease
) -> None:
    first = await registering(made)
    before = await rows(conn)
    again = await registering(made, who="bob")
    assert (False, "prod", first.code_sha) == (again.changed, again.status, again.code_sha)
    assert (first.workflows, first.sports) == (again.workflows, again.sports)
    assert before == await rows(conn)


async def test_the_same_bytes_again_for_less_do_not_take_it_down(
    registering: Register, made: MadeRelease
) -> None:
    await registering(made)
    again = await registering(made, env="proven")
    assert (again.changed, again.status) == (False, "prod")


async def test_a_release_climbs_when_it_is_registered_for_more(
    conn: Connection, registering: Register, made: MadeRelease
) -> None:
    assert (await registering(made, env="proven")).status == "proven"
    staged = await registering(made, env="staging", environment="staging")
    assert (staged.before, staged.status, staged.changed) == ("proven", "staging", True)
    live = await registering(made, env="prod", who="bob")
    assert (live.before, live.status) == ("staging", "prod")
    assert (await listing.show(conn, made.version)).approved_by == "bob"
    told = [(entry.seen["before"], entry.seen["after"]) for entry in await entries(conn, made.version)]
    assert told == [("staging", "prod"), ("proven", "staging"), (None, "proven")]


@pytest.mark.parametrize("environment", ["staging", "prod"])
async def test_prod_without_a_report_is_refused_where_it_is_not_local(
    environment: str, conn: Connection, registering: Register, made: MadeRelease
) -> None:
    with pytest.raises(Refused, match="has no replay report") as refused:
        await registering(made, environment=environment)
    assert refused.value.reason == "no_report"
    assert dict.fromkeys(TABLES, 0) == await rows(conn)
    await registering(made, env="staging", environment=environment)
    with pytest.raises(Refused, match="has no replay report"):
        await registering(made, environment=environment)


@pytest.mark.parametrize("which", ["flows", "contract"])
async def test_other_bytes_under_a_known_version_are_refused(
    which: str, conn: Connection, registering: Register, made: MadeRelease, tmp_path: Path
) -> None:
    await registering(made)
    other = make_release(tmp_path, tally(**{"Reaching it": "Getting there"}))
    sent = {"flows": other.flows.read_bytes()}
    if which == "contract":
        sent = {"contract": rebuilt(made.contract.read_bytes())}
    before = await rows(conn)
    with pytest.raises(Refused, match="is taken by other content") as refused:
        await registering(made, **sent)
    assert refused.value.reason == "version_taken"
    assert f"the {'flows' if which == 'flows' else 'contract'}" in refused.value.message
    assert "give the flows another version" in refused.value.message
    assert before == await rows(conn)


def rebuilt(contract: bytes) -> bytes:
    return relisted(contract, "omnium_contract/py.typed", b"# other\n")


async def test_an_unsound_wheel_is_refused_and_nothing_is_stored(
    conn: Connection, registering: Register, made: MadeRelease
) -> None:
    broken = changed(made.flows.read_bytes(), "omnium_flows/tally/__init__.py", b"pass")
    with pytest.raises(Refused, match=r"omnium_flows/tally/__init__\.py: differs from RECORD"):
        await registering(made, flows=broken)
    assert dict.fromkeys(TABLES, 0) == await rows(conn)


async def test_flows_without_entry_points_are_refused(registering: Register, tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        await registering(make_release(tmp_path, {"constants.py": "A = 1\n"}))
    assert refused.value.reason == "no_entry_points"


async def test_gate_problems_are_all_told_and_nothing_is_stored(
    conn: Connection, registering: Register, tmp_path: Path
) -> None:
    source = {**tally(**{'description="Begin."': 'description=""'}), "other/__init__.py": "print('hello')"}
    with pytest.raises(Refused) as refused:
        await registering(make_release(tmp_path / "a", source))
    assert (refused.value.reason, "prints 'hello' while it is imported" in refused.value.message) == (
        "gate",
        True,
    )
    source = tally(**{'description="Begin."': 'description=""', 'message="No."': 'message=""'})
    with pytest.raises(Refused) as refused:
        await registering(make_release(tmp_path / "b", source))
    assert "- tally.begin: has no description" in refused.value.message
    assert "- tally.mischief: has no message" in refused.value.message
    assert dict.fromkeys(TABLES, 0) == await rows(conn)


async def test_notes_are_held_to_the_release(
    conn: Connection, registering: Register, made: MadeRelease
) -> None:
    notes = '[[rule_changes]]\nsport = "{}"\nwhat = "more"\nkeys = ["points"]\n'
    with pytest.raises(Refused, match="football is not in the release, which has tally"):
        await registering(made, notes=notes.format("football"))
    await registering(made, notes=notes.format("tally"))
    expected = [{"sport": "tally", "what": "more", "keys": ["points"], "why": ""}]
    assert expected == (await listing.show(conn, made.version)).rule_changes


async def test_an_unknown_step_is_the_callers_mistake(registering: Register, made: MadeRelease) -> None:
    with pytest.raises(BadRequest, match="--env is one of proven, staging, prod, not 'live'"):
        await registering(made, env="live")


async def test_a_retired_release_is_not_registered_again(
    conn: Connection, registering: Register, made: MadeRelease
) -> None:
    await registering(made, env="proven")
    await conn.execute("UPDATE plugin_release SET status = 'retired'")
    with pytest.raises(Refused, match="is retired and stays so"):
        await registering(made)


async def test_registering_at_once_stores_one(
    database: Database, made: MadeRelease, cache: Path, conn: Connection
) -> None:
    async def one(who: str) -> bool:
        own = await connect(database.dsn, role="omnium_router")
        try:
            done = await register(
                own,
                flows=made.flows.read_bytes(),
                flows_name=made.flows.name,
                contract=made.contract.read_bytes(),
                contract_name=made.contract.name,
                env="prod",
                notes="",
                who=who,
                cache=cache,
                environment="local",
            )
            return done.changed
        finally:
            await own.close()

    changes = await asyncio.gather(*(one(f"person {nth}") for nth in range(4)))
    assert sorted(changes) == [False, False, False, True]
    assert (await rows(conn)) == {
        "plugin_release": 1,
        "release_artifact": 2,
        "scoring_program_version": 1,
        "sport": 1,
        "release_audit": 1,
    }


async def test_a_format_and_a_workflow_of_records_make_no_sport(
    conn: Connection, registering: Register, tmp_path: Path
) -> None:
    format_of = (
        "\n\nclass Short(Tally):\n    code = 'short_tally'\n    scope = ('short',)\n\n"
        "    @validation(message='No.')\n"
        "    def running(self, input: dict[str, Any], ctx: Ctx[TallyFormat]) -> Verdict:\n"
        "        return ok()\n"
    )
    records = (
        "from omnium_contract.flows.sport import Workflow\n\n\n"
        "class {name}(Workflow):\n    code = '{code}'\n    title = '{name}'\n    subject = '{subject}'\n"
    )
    source = {
        "tally/__init__.py": tally()["tally/__init__.py"] + format_of,
        "results/__init__.py": records.format(name="Results", code="results", subject="fixture"),
        "games/__init__.py": records.format(name="Games", code="games", subject="event"),
    }
    done = await registering(make_release(tmp_path, source))
    assert done.workflows == ("games", "results", "short_tally", "tally")
    assert done.sports == ("games", "tally")
    assert [tuple(row) for row in await conn.fetch("SELECT code, name FROM sport ORDER BY code")] == [
        ("games", "Games"),
        ("tally", "Tally"),
    ]


async def test_programs_are_installed_again_from_the_stored_wheels(
    connection: Connection, conn: Connection, registering: Register, made: MadeRelease, cache: Path
) -> None:
    await registering(made)
    unchanged = await install(conn, made.version, who="bob", cache=cache)
    assert (unchanged.written, unchanged.unchanged) == ((), ("tally",))
    document = await connection.fetchval("DELETE FROM scoring_program_version RETURNING document")
    written = await install(conn, made.version, who="bob", cache=cache)
    assert (written.written, written.unchanged) == (("tally",), ())
    assert document == await conn.fetchval("SELECT document FROM scoring_program_version")
    assert [entry.verb for entry in await entries(conn)] == ["install", "register"]


async def test_another_program_than_the_published_one_is_refused(
    connection: Connection, conn: Connection, registering: Register, made: MadeRelease, cache: Path
) -> None:
    await registering(made)
    await connection.execute("UPDATE scoring_program_version SET checksum = 'other'")
    with pytest.raises(Refused, match="gives another program of tally") as refused:
        await install(conn, made.version, who="bob", cache=cache)
    assert refused.value.reason == "program_differs"


async def test_a_program_is_kept_as_canonical_text(
    conn: Connection, registering: Register, made: MadeRelease
) -> None:
    await registering(made)
    text = await conn.fetchval("SELECT document FROM scoring_program_version")
    assert json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"), ensure_ascii=False) == text


async def test_what_is_not_there_is_not_found(conn: Connection, cache: Path) -> None:
    for asked in (listing.show(conn, "9"), fetch(conn, "9"), install(conn, "9", who="x", cache=cache)):
        with pytest.raises(NotFound) as missing:
            await asked
        assert missing.value.reason == "no_such_release"


async def test_the_list_says_who_is_on_each_release(
    conn: Connection, registering: Register, made: MadeRelease, tmp_path: Path
) -> None:
    newer = make_release(tmp_path, version="0.1.0+g000000000002")
    await registering(made)
    await registering(newer, env="staging")
    first, second = await listing.list_releases(conn)
    assert (newer.version, "staging", ("tally",)) == (first.version, first.status, first.sports)
    assert (made.version, "prod", 0, 0, 0, 0) == (
        second.version,
        second.status,
        second.live,
        second.upcoming,
        second.done,
        second.workers,
    )
