"""A release becomes prod by another person than registered it, with a passed report of exactly its bytes."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from harness.postgres import Database
from harness.replay_reports import failed_report, report_document
from harness.wheels import MadeRelease, make_release
from omnium_releases import approving, reporting
from omnium_releases.approving import Approved, Registrant, Terms
from omnium_releases.audit import Trace, entries
from omnium_releases.defaults import set_default
from omnium_releases.listing import show
from omnium_releases.orders import Evidence
from omnium_releases.replay_reports import ReplayReport, report_of
from omnium_store.database import Connection, connect
from omnium_store.errors import NotFound, Refused

from .conftest import Register

OTHER = {"version": "9", "code_sha": "9" * 64, "contract_sha": "9" * 64}
STAGING = Terms(environment="staging")
NOTES = '[[rule_changes]]\nsport = "tally"\nwhat = "more"\nkeys = ["points"]\n'


def report(document: dict[str, Any]) -> ReplayReport:
    return report_of(json.dumps(document))


@pytest.fixture
def newer(tmp_path: Path) -> MadeRelease:
    """A second release of the same sport."""
    return make_release(tmp_path / "newer", version="0.2.0+g000000000002")


@pytest.fixture
async def staged(registering: Register, made: MadeRelease) -> MadeRelease:
    """The first release, registered for staging by Ada."""
    await registering(made, env="staging", environment="staging", trace=Trace(sub="ada"))
    return made


async def store(conn: Connection, document: dict[str, Any], version: str) -> reporting.Reported:
    return await reporting.store(conn, version, report(document), who="ci", trace=Trace(sub="ci"))


async def approve(
    conn: Connection, version: str, *, who: str = "Bob", sub: str = "bob", terms: Terms = STAGING
) -> Approved:
    return await approving.approve(conn, version, who=who, terms=terms, trace=Trace("r-1", {}, sub))


async def refusal(conn: Connection, version: str, **told: Any) -> tuple[str, str]:
    before = await conn.fetchval("SELECT status FROM plugin_release WHERE version = $1", version)
    audited = await conn.fetchval("SELECT count(*) FROM release_audit")
    with pytest.raises(Refused) as refused:
        await approve(conn, version, **told)
    assert before == await conn.fetchval("SELECT status FROM plugin_release WHERE version = $1", version)
    assert audited == await conn.fetchval("SELECT count(*) FROM release_audit")
    return refused.value.reason, refused.value.message


async def test_the_first_release_is_approved_by_its_goldens_alone_and_the_audit_says_so(
    conn: Connection, staged: MadeRelease
) -> None:
    await store(conn, report_document(staged), staged.version)
    done = await approve(conn, staged.version)
    assert (done.before, done.after, done.changed, done.registered_by) == ("staging", "prod", True, "ada")
    (ground,) = done.grounds
    assert (ground.sport, ground.against) == ("tally", None)
    card = await show(conn, staged.version)
    assert (card.status, card.approved_by, card.approved_at is not None) == ("prod", "Bob", True)
    entry = (await entries(conn, staged.version))[0]
    assert (entry.verb, entry.who, entry.sub, entry.request_id) == ("approve", "Bob", "bob", "r-1")
    assert entry.seen["grounds"] == [
        "tally: its first release, by goldens alone: 2 matches, 40 commands, 0 differences, 0 undeclared"
    ]
    assert entry.seen["reports"] == [card.reports[0].id]


async def test_a_later_release_needs_a_report_against_the_one_that_matches_get_today(
    conn: Connection, registering: Register, made: MadeRelease, newer: MadeRelease
) -> None:
    await registering(made, env="prod")
    await set_default(conn, made.version, sport="tally", competition=None, from_at=None, who="ada")
    await registering(newer, env="staging", environment="staging", trace=Trace(sub="ada"))
    await store(conn, report_document(newer), newer.version)
    reason, message = await refusal(conn, newer.version)
    assert reason == "no_report"
    assert f"proves tally against {made.version}" in message
    assert f"omnium replay --old {made.version} --new {newer.version}" in message
    assert f"omnium releases report {newer.version} report.json" in message
    await store(conn, report_document(newer, made), newer.version)
    (ground,) = (await approve(conn, newer.version)).grounds
    assert (ground.against, ground.report and ground.report.old_version) == (made.version, made.version)


async def test_the_default_counts_that_stands_when_it_is_approved_not_when_it_was_replayed(
    conn: Connection, registering: Register, made: MadeRelease, newer: MadeRelease, tmp_path: Path
) -> None:
    newest = make_release(tmp_path / "newest", version="0.3.0+g000000000003")
    for release in (made, newer):
        await registering(release, env="prod")
    await set_default(conn, made.version, sport="tally", competition=None, from_at=None, who="ada")
    await registering(newest, env="staging", environment="staging", trace=Trace(sub="ada"))
    await store(conn, report_document(newest, made), newest.version)
    await set_default(conn, newer.version, sport="tally", competition=None, from_at=None, who="ada")
    reason, message = await refusal(conn, newest.version)
    assert (reason, f"against {newer.version}" in message) == ("no_report", True)
    await set_default(conn, made.version, sport="tally", competition=None, from_at=None, who="ada")
    assert (await approve(conn, newest.version)).changed


async def test_without_a_default_the_prod_release_that_was_approved_last_counts(
    conn: Connection, registering: Register, made: MadeRelease, newer: MadeRelease
) -> None:
    await registering(made, env="prod")
    await registering(newer, env="staging", environment="staging", trace=Trace(sub="ada"))
    reason, message = await refusal(conn, newer.version)
    assert (reason, f"against {made.version}" in message) == ("no_report", True)


async def test_who_registered_it_does_not_approve_it(conn: Connection, staged: MadeRelease) -> None:
    await store(conn, report_document(staged), staged.version)
    for told in ({"who": "ada", "sub": "ada"}, {"who": "Somebody Else", "sub": "ada"}):
        reason, message = await refusal(conn, staged.version, **told)
        assert (reason, "another person has to approve it" in message) == ("same_person", True)
    assert (await approve(conn, staged.version, who="ada", sub="another-ada")).changed


async def test_where_it_is_set_so_one_person_may_do_both(conn: Connection, staged: MadeRelease) -> None:
    await store(conn, report_document(staged), staged.version)
    terms = Terms(environment="staging", by_another=False)
    assert (await approve(conn, staged.version, who="ada", sub="ada", terms=terms)).changed


async def test_a_name_counts_where_nobody_said_more(
    conn: Connection, registering: Register, made: MadeRelease
) -> None:
    await registering(made, env="staging", environment="staging")
    await store(conn, report_document(made), made.version)
    assert (await refusal(conn, made.version, who="ada", sub="x"))[0] == "same_person"
    assert (await approve(conn, made.version)).changed


async def test_a_release_is_staged_before_it_is_approved(
    conn: Connection, registering: Register, made: MadeRelease
) -> None:
    await registering(made, env="proven", environment="staging", trace=Trace(sub="ada"))
    await store(conn, report_document(made), made.version)
    reason, message = await refusal(conn, made.version)
    assert (reason, "Register the same wheels with --env staging first" in message) == ("not_staged", True)


async def test_a_retired_release_stays_so(conn: Connection, staged: MadeRelease) -> None:
    await conn.execute("UPDATE plugin_release SET status = 'retired'")
    assert (await refusal(conn, staged.version))[0] == "retired"


async def test_an_unknown_release_is_not_found(conn: Connection, made: MadeRelease) -> None:
    for asked in (approve(conn, "9"), store(conn, report_document(made), "9")):
        with pytest.raises(NotFound) as missing:
            await asked
        assert missing.value.reason == "no_such_release"


async def test_approving_again_changes_nothing(conn: Connection, staged: MadeRelease) -> None:
    await store(conn, report_document(staged), staged.version)
    await approve(conn, staged.version)
    audited = len(await entries(conn))
    again = await approve(conn, staged.version, who="Eve", sub="eve")
    assert (again.changed, again.before) == (False, "prod")
    assert ((await show(conn, staged.version)).approved_by, len(await entries(conn))) == ("Bob", audited)


async def test_a_preview_says_the_same_and_changes_nothing(conn: Connection, staged: MadeRelease) -> None:
    told: dict[str, Any] = {"who": "Bob", "terms": STAGING, "trace": Trace(sub="bob")}
    with pytest.raises(Refused, match="has no replay report"):
        await approving.preview(conn, staged.version, **told)
    await store(conn, report_document(staged), staged.version)
    planned = await approving.preview(conn, staged.version, **told)
    assert (planned.changed, len(planned.grounds)) == (True, 1)
    assert (await show(conn, staged.version)).status == "staging"


async def test_a_failed_replay_is_kept_and_stops_the_approval(conn: Connection, staged: MadeRelease) -> None:
    await store(conn, report_document(staged), staged.version)
    await store(conn, failed_report(staged, corpus_digest="d" * 64), staged.version)
    reason, message = await refusal(conn, staged.version)
    assert (reason, "The newest replay of release" in message) == ("report_failed", True)
    assert [one.passed for one in (await show(conn, staged.version)).reports] == [False, True]
    await store(conn, report_document(staged, corpus_digest="e" * 64), staged.version)
    assert (await approve(conn, staged.version)).changed


async def test_a_report_that_does_not_hold_the_sport_proves_nothing_of_it(
    conn: Connection, staged: MadeRelease
) -> None:
    await store(conn, report_document(staged, sports=("chess",)), staged.version)
    assert (await refusal(conn, staged.version))[0] == "no_report"


async def test_a_report_of_other_bytes_or_other_notes_is_not_stored(
    conn: Connection, staged: MadeRelease, newer: MadeRelease
) -> None:
    declared = [{"sport": "tally", "what": "more", "keys": ["points"], "why": ""}]
    same_name = {"version": staged.version, "code_sha": "f" * 64, "contract_sha": staged.contract_sha}
    for document in (
        report_document(newer),
        report_document(staged, new=same_name),
        report_document(staged, declared=declared),
    ):
        with pytest.raises(Refused) as refused:
            await store(conn, document, staged.version)
        assert refused.value.reason == "report_mismatch"
    assert await conn.fetchval("SELECT count(*) FROM replay_report") == 0


async def test_the_same_report_again_changes_nothing(conn: Connection, staged: MadeRelease) -> None:
    assert (await store(conn, report_document(staged), staged.version)).changed
    assert not (await store(conn, report_document(staged), staged.version)).changed
    assert [entry.verb for entry in await entries(conn, staged.version)] == ["report", "register"]


async def test_a_stored_report_is_read_as_it_was_written(conn: Connection, staged: MadeRelease) -> None:
    document = report_document(staged, notes=["a \u0000 in a text"])
    await store(conn, document, staged.version)
    (facts,) = (await show(conn, staged.version)).reports
    stored = await reporting.document(conn, staged.version, facts.id)
    assert stored == {name: value for name, value in document.items() if value is not None}
    with pytest.raises(NotFound) as missing:
        await reporting.document(conn, "9", facts.id)
    assert missing.value.reason == "no_such_report"


async def test_a_local_environment_asks_for_nothing_and_says_so(
    conn: Connection, registering: Register, made: MadeRelease
) -> None:
    await registering(made, env="proven", trace=Trace(sub="ada"))
    done = await approve(conn, made.version, who="ada", sub="ada", terms=Terms(environment="local"))
    assert (done.before, done.after, [ground.report for ground in done.grounds]) == ("proven", "prod", [None])
    entry = (await entries(conn, made.version))[0]
    assert (entry.verb, entry.reason) == ("approve", "a local environment asks for no report")


# Registering for prod: what `approve --to` does in the other environment -----------------------------------


async def test_a_release_that_was_staged_elsewhere_is_registered_for_prod_with_its_report(
    conn: Connection, registering: Register, made: MadeRelease
) -> None:
    evidence = Evidence((report(report_document(made)),), Registrant("Ada", "ada"))
    told = {"environment": "prod", "who": "Bob", "trace": Trace("r-2", {"run": "7"}, "bob")}
    done = await registering(made, env="prod", evidence=evidence, **told)
    assert (done.status, done.before, done.changed) == ("prod", None, True)
    card = await show(conn, made.version)
    assert (card.registered_by, card.registered_sub, card.approved_by) == ("Ada", "ada", "Bob")
    assert [one.passed for one in card.reports] == [True]
    verbs = [(entry.verb, entry.sub, entry.build) for entry in card.audit]
    assert verbs == [(verb, "bob", {"run": "7"}) for verb in ("approve", "report", "register")]
    assert card.audit[-1].seen["stagedBy"] == {"name": "Ada", "sub": "ada"}
    again = await registering(made, env="prod", evidence=evidence, **told)
    assert (again.changed, len(await entries(conn))) == (False, 3)


@pytest.mark.parametrize(
    ("evidence_of", "reason"),
    [
        (lambda made: Evidence((), Registrant("Ada", "ada")), "no_report"),
        (lambda made: Evidence((report(report_document(made)),)), "same_person"),
        (lambda made: Evidence((report(report_document(made)),), Registrant("Bob", "bob")), "same_person"),
        (lambda made: Evidence((report(failed_report(made)),), Registrant("Ada", "ada")), "report_failed"),
        (
            lambda made: Evidence((report(report_document(made, sports=("chess",))),), Registrant("A", "a")),
            "no_report",
        ),
        (
            lambda made: Evidence((report({**report_document(made), "new": OTHER}),), Registrant("A", "a")),
            "report_mismatch",
        ),
    ],
)
async def test_registering_for_prod_is_held_to_what_an_approval_asks_for(
    evidence_of: Any, reason: str, conn: Connection, registering: Register, made: MadeRelease
) -> None:
    with pytest.raises(Refused) as refused:
        await registering(
            made,
            env="prod",
            environment="prod",
            who="Bob",
            trace=Trace(sub="bob"),
            evidence=evidence_of(made),
        )
    assert refused.value.reason == reason
    for table in ("plugin_release", "replay_report", "release_audit", "release_artifact"):
        assert await conn.fetchval(f"SELECT count(*) FROM {table}") == 0


async def test_climbing_to_prod_by_registering_again_is_an_approval_too(
    conn: Connection, registering: Register, staged: MadeRelease
) -> None:
    evidence = Evidence((report(report_document(staged)),))
    told = {"env": "prod", "environment": "staging", "evidence": evidence}
    with pytest.raises(Refused) as refused:
        await registering(staged, **told, who="ada", trace=Trace(sub="ada"))
    assert refused.value.reason == "same_person"
    forged = Evidence(evidence.reports, Registrant("Somebody", "somebody"))
    with pytest.raises(Refused) as refused:
        await registering(staged, **{**told, "evidence": forged}, who="ada", trace=Trace(sub="ada"))
    assert refused.value.reason == "same_person"  # who registered it here stands in the database
    done = await registering(staged, **told, who="Bob", trace=Trace(sub="bob"))
    assert (done.before, done.status) == ("staging", "prod")
    assert [e.verb for e in await entries(conn, staged.version)] == [
        "register",
        "approve",
        "report",
        "register",
    ]


async def test_a_failed_report_that_comes_with_the_wheels_stops_them(
    conn: Connection, registering: Register, made: MadeRelease
) -> None:
    with pytest.raises(Refused, match=r"failed with 1 failures by its goldens alone") as refused:
        await registering(made, env="staging", evidence=Evidence((report(failed_report(made)),)))
    assert refused.value.reason == "report_failed"
    assert await conn.fetchval("SELECT count(*) FROM plugin_release") == 0


async def test_other_notes_under_a_known_version_are_refused(
    registering: Register, made: MadeRelease
) -> None:
    await registering(made, env="proven", notes=NOTES)
    assert not (await registering(made, env="proven", notes=NOTES)).changed
    assert not (await registering(made, env="proven")).changed
    with pytest.raises(Refused, match="registered with other rule changes") as refused:
        await registering(made, env="staging", notes=NOTES.replace("points", "sides.*"))
    assert refused.value.reason == "notes_taken"


async def test_a_default_that_changes_while_somebody_approves_waits_or_is_seen(
    database: Database, conn: Connection, registering: Register, made: MadeRelease, newer: MadeRelease,
    tmp_path: Path,
) -> None:  # fmt: skip
    """Never an approval by a report against a release that was the default no more."""
    newest = make_release(tmp_path / "newest", version="0.3.0+g000000000003")
    for release in (made, newer):
        await registering(release, env="prod")
    await set_default(conn, made.version, sport="tally", competition=None, from_at=None, who="ada")
    await registering(newest, env="staging", environment="staging", trace=Trace(sub="ada"))
    await store(conn, report_document(newest, made), newest.version)
    other = await connect(database.dsn, role="omnium_router")
    try:
        async with other.transaction():
            await set_default(other, newer.version, sport="tally", competition=None, from_at=None, who="eve")
            approval = asyncio.create_task(approve(conn, newest.version))
            done, _ = await asyncio.wait({approval}, timeout=0.3)
            assert not done
        with pytest.raises(Refused) as refused:
            await approval
    finally:
        await other.close()
    assert (refused.value.reason, f"against {newer.version}" in refused.value.message) == ("no_report", True)
