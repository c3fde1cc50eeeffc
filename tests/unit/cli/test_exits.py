"""Exit codes, and the reason as the last line on stderr."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from omnium.exits import Exit, exit_code
from omnium.groups import verbs
from omnium_deploy.errors import HomeBusy, NotRunning, StartFailed, UsageProblem
from omnium_store import errors


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        (errors.Refused("no"), Exit.REFUSED),
        (errors.TooLarge("no"), Exit.REFUSED),
        (errors.BadRequest("no"), Exit.USAGE),
        (errors.Unauthenticated("no"), Exit.NOT_ALLOWED),
        (errors.Forbidden("no"), Exit.NOT_ALLOWED),
        (errors.NotFound("no"), Exit.NOT_FOUND),
        (errors.TooMany("no"), Exit.UNAVAILABLE),
        (errors.ReleaseUnavailable("0.9.0"), Exit.UNAVAILABLE),
        (errors.DatabaseAway("no"), Exit.UNAVAILABLE),
        (errors.InternalError(), Exit.UNAVAILABLE),
        (UsageProblem("no"), Exit.USAGE),
        (NotRunning("no"), Exit.UNAVAILABLE),
        (HomeBusy("no"), Exit.UNAVAILABLE),
        (StartFailed("no"), Exit.UNAVAILABLE),
    ],
)
def test_a_script_can_tell_failures_apart(failure: Exception, code: Exit) -> None:
    assert exit_code(failure) is code


def test_a_verb_that_fails_ends_with_its_code_and_the_sentence_as_the_last_line() -> None:
    app = verbs("Test.")
    inner = verbs("Inner.")
    app.add_typer(inner, name="inner")

    @inner.command()
    def fail() -> None:
        raise errors.NotFound("There is no release 9. The list: omnium releases list")

    @inner.command()
    def other() -> None:
        return

    ended = CliRunner().invoke(app, ["inner", "fail"])
    assert ended.exit_code == Exit.NOT_FOUND
    assert ended.stderr.splitlines()[-1] == "omnium: There is no release 9. The list: omnium releases list"
    assert ended.stdout == ""


def test_a_flag_that_does_not_exist_is_a_matter_of_usage() -> None:
    app = verbs("Test.")

    @app.command()
    def one() -> None:
        return

    @app.command()
    def two() -> None:
        return

    ended = CliRunner().invoke(app, ["one", "--nonsense"])
    assert ended.exit_code == Exit.USAGE
    assert "--nonsense" in ended.stderr.splitlines()[-1]
