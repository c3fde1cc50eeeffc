"""Every refusal of the life of a release, by the real database, with the exit code that a script sees."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from harness.command_line import CommandLine, Ended
from harness.routers import VERSION, Scene
from harness.tampering import changed, relisted
from harness.wheels import MadeRelease, make_release, sample

from .conftest import NEW

OTHER = "0.3.0+g00000000000c"
TOMORROW = (datetime.now(UTC) + timedelta(days=1)).isoformat()


def assert_refused(ended: Ended, *sentences: str, code: int = 1) -> None:
    """It ended with the code, and the last line on stderr is the whole reason."""
    assert ended.code == code, ended
    assert ended.reason.startswith("omnium: "), ended
    assert [one for one in sentences if one not in ended.reason] == []
    assert "Traceback" not in ended.err


async def state(scene: Scene) -> list[tuple[str, str]]:
    """Status and defaults of every release, and how much was audited."""
    conn = scene.world.connection
    rows = await conn.fetch("SELECT version, status FROM plugin_release ORDER BY version")
    counts = [
        (table, str(await conn.fetchval(f"SELECT count(*) FROM {table}")))
        for table in ("release_default", "release_audit", "release_artifact", "replay_report")
    ]
    return [*(tuple(row) for row in rows), *counts]


# Retiring --------------------------------------------------------------------------------------------------


async def test_a_release_is_not_retired_while_unfinished_fixtures_are_on_it(
    omnium: CommandLine, scene: Scene
) -> None:
    await scene.world.release_of(OTHER, "football", "games")
    for sport in ("football", "games"):
        assert (await omnium("default", OTHER, "--sport", sport, "--yes")).code == 0
    before = await state(scene)
    ended = await omnium("retire", VERSION, "--yes")
    assert_refused(
        ended,
        "1 unfinished fixture is on it (0 live); the last is due to end about 2026-12-01T13:00:00Z.",
        "By start: tokyo/m-1 (SCHEDULED, 2026-12-01T10:00:00Z).",
        "Wait until they are finished, or move",
    )
    assert before == await state(scene)
    await scene.world.official(scene.match)
    assert (await omnium("retire", VERSION, "--yes")).code == 0


async def test_a_release_is_not_retired_while_it_is_a_default_now_or_later(
    omnium: CommandLine, scene: Scene
) -> None:
    await scene.world.official(scene.match)
    await scene.world.release_of(OTHER, "football", "games")
    before = await state(scene)
    ended = await omnium("retire", VERSION, "--yes")
    assert_refused(ended, "It is the default of football (now), games (now).", "omnium releases default")
    assert before == await state(scene)
    later = await omnium("default", OTHER, "--competition", "tokyo/men", "--from", TOMORROW, "--yes")
    assert later.code == 0
    assert_refused(await omnium("retire", OTHER, "--yes"), "football in tokyo/men (from 2")


async def test_the_only_prod_release_of_a_sport_is_not_retired(omnium: CommandLine, scene: Scene) -> None:
    await scene.world.release_of(OTHER, "boxing")
    await scene.world.release_of("0.4.0", "boxing", status="staging")
    ended = await omnium("retire", OTHER, "--yes")
    assert_refused(
        ended, "It is the only prod release of boxing.", "Bring another one that holds them to prod"
    )


async def test_everything_that_holds_a_release_is_told_at_once(omnium: CommandLine) -> None:
    ended = await omnium("retire", VERSION, "--yes")
    assert_refused(
        ended, "1 unfinished fixture", "It is the default of", "only prod release of football, games"
    )


async def test_what_is_not_there_is_not_retired(omnium: CommandLine) -> None:
    assert_refused(await omnium("retire", "9.9.9", "--yes"), "There is no release 9.9.9", code=4)


# Defaults --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", ["proven", "staging", "retired"])
async def test_only_a_prod_release_becomes_a_default(status: str, omnium: CommandLine, scene: Scene) -> None:
    await scene.world.release_of(OTHER, "football", status=status)
    before = await state(scene)
    ended = await omnium("default", OTHER, "--sport", "football", "--yes")
    assert_refused(ended, f"Release {OTHER} is {status}; only a prod release can be a default.")
    assert ("omnium releases approve" in ended.reason) is (status != "retired")
    assert before == await state(scene)


async def test_a_default_goes_forward_only(omnium: CommandLine, scene: Scene) -> None:
    await scene.world.release_of(OTHER, "football")
    past = await omnium("default", OTHER, "--sport", "football", "--from", "2020-01-01T00:00Z", "--yes")
    assert_refused(past, "2020-01-01T00:00:00Z is past", "leave --from out for now")
    at = ("--sport", "football", "--from", TOMORROW, "--yes")
    assert (await omnium("default", OTHER, *at)).code == 0
    assert_refused(await omnium("default", VERSION, *at), "rows are never edited", "Give a later moment")


async def test_a_default_is_taken_back_by_one_more_row_and_later_ones_are_shown(
    omnium: CommandLine, scene: Scene
) -> None:
    await scene.world.release_of(OTHER, "football")
    assert (await omnium("default", OTHER, "--sport", "football", "--yes")).code == 0
    assert (await omnium("default", VERSION, "--sport", "football", "--from", TOMORROW, "--yes")).code == 0
    back = await omnium("default", VERSION, "--sport", "football", "--yes")
    assert (back.code, f"{OTHER} -> {VERSION}" in back.err) == (0, True)
    assert f"set for later and kept: {VERSION} from" in back.err
    assert (
        await omnium("defaults", "explain", "--sport", "football", "--output", "ids")
    ).out == f"{VERSION}\n"
    rows = await scene.world.connection.fetchval(
        "SELECT count(*) FROM release_default d JOIN sport s ON s.id = d.sport_id WHERE s.code = 'football'"
    )
    assert rows == 4


async def test_a_default_needs_a_scope_that_fits(omnium: CommandLine, scene: Scene) -> None:
    await scene.world.release_of(OTHER, "football", "boxing")
    for event in ("rio", "paris"):
        await scene.world.competition("cup", parent=await scene.world.event(event))
    cases = (
        (("--sport", "chess"), "holds no rules of chess; it has boxing, football", 1),
        (("--sport", "boxing", "--competition", "men"), "is a competition of football, not of boxing", 1),
        (("--competition", "cup"), "several competitions: paris/cup, rio/cup", 1),
        (("--competition", "nowhere"), "There is no competition nowhere", 4),
    )
    for arguments, sentence, code in cases:
        assert_refused(await omnium("default", OTHER, *arguments, "--yes"), sentence, code=code)
    assert_refused(await omnium("defaults", "explain", "--sport", "chess"), "There is no sport chess", code=4)


# Registering -----------------------------------------------------------------------------------------------


async def test_a_wheel_that_is_not_what_its_record_lists_is_refused(
    omnium: CommandLine, made: MadeRelease, scene: Scene
) -> None:
    before = await state(scene)
    sound = made.flows.read_bytes()
    made.flows.write_bytes(changed(sound, "omnium_flows/tally/__init__.py", b"pass"))
    assert_refused(await omnium("register", str(made.flows), "--yes"), "differs from RECORD")
    made.flows.write_bytes(sound[:-40])
    assert_refused(await omnium("register", str(made.flows), "--yes"), "is not a sound wheel")
    assert before == await state(scene)


async def test_flows_without_entry_points_or_with_gate_problems_are_refused(
    omnium: CommandLine, tmp_path: Path
) -> None:
    bare = make_release(tmp_path / "bare", {"constants.py": "A = 1\n"}, version=NEW)
    assert_refused(await omnium("register", str(bare.flows), "--yes"), "has no entry point in the group")
    source = sample("tally").replace('description="Begin."', 'description=""').replace('"No."', '""')
    bad = make_release(tmp_path / "bad", {"tally/__init__.py": source}, version=NEW)
    ended = await omnium("register", str(bad.flows), "--yes")
    assert ended.code == 1
    assert "omnium: Release" in ended.err
    assert "- tally.begin: has no description" in ended.err
    assert "- tally.mischief: has no message" in ended.err


async def test_a_contract_or_a_platform_that_does_not_satisfy_is_refused(
    omnium: CommandLine, made: MadeRelease
) -> None:
    sound, info = made.flows.read_bytes(), f"omnium_flows-{NEW}.dist-info/METADATA"
    head = f"Metadata-Version: 2.3\nName: omnium-flows\nVersion: {NEW}\n"
    cases = {
        "Requires-Dist: omnium-contract>=9\n": "needs omnium-contract>=9",
        "Requires-Python: >=4\nRequires-Dist: omnium-contract\n": "needs Python >=4",
        "Requires-Dist: omnium-contract\nRequires-Dist: numpy\n": "needs numpy, which this platform does not",
    }
    for more, sentence in cases.items():
        made.flows.write_bytes(relisted(sound, info, (head + more).encode()))
        assert_refused(await omnium("register", str(made.flows), "--yes"), sentence)


async def test_a_version_never_names_two_contents(
    omnium: CommandLine, made: MadeRelease, tmp_path: Path, scene: Scene
) -> None:
    assert (await omnium("register", str(made.flows), "--yes")).code == 0
    before = await state(scene)
    source = sample("tally").replace("Reaching it", "Getting there")
    other = make_release(tmp_path / "other", {"tally/__init__.py": source}, version=NEW)
    ended = await omnium("register", str(other.flows), "--yes")
    assert_refused(ended, f"Version {NEW} is taken by other content", "give the flows another version")
    assert "code: " in ended.err  # the card has shown what is there and what would be
    assert before == await state(scene)


async def test_a_retired_version_is_not_registered_again(
    omnium: CommandLine, made: MadeRelease, scene: Scene
) -> None:
    assert (await omnium("register", str(made.flows), "--yes")).code == 0
    assert (await omnium("retire", NEW, "--yes")).code == 0
    ended = await omnium("register", str(made.flows), "--env", "staging", "--yes")
    assert_refused(ended, "is retired and stays so")


async def test_other_notes_under_a_known_version_are_refused(
    omnium: CommandLine, made: MadeRelease, tmp_path: Path
) -> None:
    notes = tmp_path / "notes.toml"
    assert (await omnium("register", str(made.flows), "--yes")).code == 0
    notes.write_text('[[rule_changes]]\nsport = "tally"\nwhat = "more"\nkeys = ["points"]\n')
    ended = await omnium("register", str(made.flows), "--notes", str(notes), "--yes")
    assert_refused(ended, "registered with other rule changes in its notes")
