"""`omnium releases` against a router: what the verbs print, change, ask, and how they end."""

from __future__ import annotations

from pathlib import Path

from harness.command_line import CommandLine
from harness.routers import VERSION, Scene
from harness.wheels import MadeRelease, make_release
from omnium_store.access import Role

from .conftest import NEW


async def test_a_release_goes_from_its_wheel_to_retired(
    omnium: CommandLine, made: MadeRelease, scene: Scene
) -> None:
    """One story, as a person would go through it."""
    flags = ("--env", "prod", "--yes", "--output", "json")
    registered = await omnium("register", str(made.flows), *flags, GITHUB_SHA="abc")
    assert registered.code == 0, registered.err
    assert (registered.json["version"], registered.json["status"]) == (NEW, "prod")
    assert "status: - -> prod" in registered.err

    again = await omnium("register", str(made.flows.parent), "--env", "prod", "--yes", "--output", "ids")
    assert (again.code, again.out) == (0, f"{NEW}\n")

    listed = await omnium("list", "--output", "ids")
    assert sorted(listed.out.split()) == sorted([NEW, VERSION])

    shown = await omnium("show", NEW)
    assert [word for word in (made.code_sha, "tally", "workflows", "audit") if word not in shown.out] == []
    assert (await omnium("show", NEW, "--output", "json")).json["audit"][0]["build"] == {"commit": "abc"}

    default = await omnium("default", NEW, "--sport", "tally", "--yes", "--output", "json")
    assert [(row["before"], row["after"], row["from"]) for row in default.json] == [(None, NEW, "always")]

    explained = await omnium("defaults", "explain", "--sport", "tally")
    assert f"tally gets {NEW}: the default of sport tally from always on, set by ada." in explained.out

    held = await omnium("retire", NEW, "--yes")
    assert held.code == 1
    assert "It is the default of tally (now)." in held.reason
    assert "It is the only prod release of tally." in held.reason

    third = make_release(made.flows.parent.parent / "third", version="0.2.0+g00000000000c")
    await omnium("register", str(third.flows), "--env", "prod", "--yes")
    await omnium("default", third.version, "--yes")
    retired = await omnium("retire", NEW, "--reason", "replaced", "--yes", "--output", "json")
    assert (retired.code, retired.json["after"], retired.json["changed"]) == (0, "retired", True)
    assert "status: prod -> retired" in retired.err
    once_more = await omnium("retire", NEW)
    assert (once_more.code, "no" in once_more.out) == (0, True)


async def test_the_wheel_and_the_contract_may_lie_apart(omnium: CommandLine, made: MadeRelease) -> None:
    apart = made.contract.parent.parent / "apart"
    apart.mkdir()
    contract = made.contract.rename(apart / made.contract.name)
    missing = await omnium("register", str(made.flows), "--yes")
    assert (missing.code, "There is no omnium-contract wheel in" in missing.reason) == (2, True)
    done = await omnium("register", str(made.flows), "--contract", str(contract), "--yes", "--output", "json")
    assert (done.code, done.json["status"]) == (0, "proven")


async def test_nothing_is_changed_where_nobody_can_be_asked(omnium: CommandLine, made: MadeRelease) -> None:
    later = ("default", VERSION, "--sport", "football", "--from", "2999-01-01T00:00Z")
    assert (await omnium(*later)).code == 0  # it is that already: nothing to ask
    for arguments in (("register", str(made.flows)), ("default", VERSION, "--competition", "men")):
        ended = await omnium(*arguments)
        assert (ended.code, ended.reason) == (
            1,
            "omnium: Nothing was changed: there is nobody to ask here. Say --yes.",
        )
    assert (await omnium("list", "--output", "ids")).out == f"{VERSION}\n"


async def test_a_default_that_is_set_already_asks_nothing(omnium: CommandLine) -> None:
    ended = await omnium("default", VERSION, "--sport", "football")
    assert ended.code == 0
    assert VERSION in ended.out


async def test_pins_can_be_piped_into_the_next_verb(omnium: CommandLine, scene: Scene) -> None:
    assert (await omnium("pins", VERSION, "--output", "ids")).out == f"{scene.match}\n"
    told = await omnium("pins", VERSION)
    assert "1 unfinished fixture is on it (0 live); the last is due to end about" in told.out
    assert "m-1" in told.out
    assert (await omnium("pins", VERSION, "--output", "json")).json["counts"]["upcoming"] == 1


async def test_exit_codes_say_what_kind_of_no_it_is(omnium: CommandLine, made: MadeRelease) -> None:
    cases = {
        1: await omnium("default", VERSION, "--from", "2001-01-01T00:00Z", "--yes"),
        2: await omnium("default", VERSION, "--from", "tomorrow", "--yes"),
        3: await omnium("retire", VERSION, "--yes", role=Role.VIEWER),
        4: await omnium("show", "9.9.9"),
        5: await omnium("list", OMNIUM_URL="http://127.0.0.1:9"),
    }
    assert {code: ended.code for code, ended in cases.items()} == {code: code for code in cases}
    assert [ended.reason for ended in cases.values() if not ended.reason.startswith("omnium: ")] == []
    assert "A default only goes forward" in cases[1].reason
    assert "--from tomorrow is no moment with a zone" in cases[2].reason
    assert "There is no release 9.9.9" in cases[4].reason
    assert [ended for ended in cases.values() if "Traceback" in ended.err] == []


async def test_a_broken_wheel_is_refused_before_it_is_sent(omnium: CommandLine, made: MadeRelease) -> None:
    made.flows.write_bytes(made.flows.read_bytes()[:-50])
    ended = await omnium("register", str(made.flows), "--yes", OMNIUM_URL="http://127.0.0.1:9")
    assert (ended.code, "is not a sound wheel" in ended.reason) == (1, True)


async def test_notes_are_checked_and_kept(omnium: CommandLine, made: MadeRelease, tmp_path: Path) -> None:
    notes = tmp_path / "notes.toml"
    notes.write_text('[[rule_changes]]\nsport = "tally"\nwhat = "more"\n')
    bad = await omnium("register", str(made.flows), "--notes", str(notes), "--yes")
    assert (bad.code, "change 1: it needs `keys`, a list of globs" in bad.reason) == (1, True)
    notes.write_text('[[rule_changes]]\nsport = "tally"\nwhat = "more"\nkeys = ["points"]\n')
    assert (await omnium("register", str(made.flows), "--notes", str(notes), "--yes")).code == 0
    shown = await omnium("show", NEW)
    assert "declared rule changes" in shown.out
    absent = await omnium("register", str(made.flows), "--notes", "absent.toml", "--yes")
    assert (absent.code, "The notes absent.toml can't be read" in absent.reason) == (2, True)


async def test_gate_problems_reach_the_terminal_whole(omnium: CommandLine, tmp_path: Path) -> None:
    made = make_release(
        tmp_path / "bad", {"a/__init__.py": "print(1)", "b/__init__.py": "1 / 0"}, version=NEW
    )
    ended = await omnium("register", str(made.flows), "--yes")
    assert ended.code == 1
    assert "- omnium_flows.a: prints '1' while it is imported" in ended.err
    assert "- omnium_flows.b: raises ZeroDivisionError" in ended.err
