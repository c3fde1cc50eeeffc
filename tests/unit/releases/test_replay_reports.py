"""Replay reports are read strictly: what proves a release must not be something that merely looks like it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.replay_reports import failed_report, report_document
from harness.wheels import MadeRelease
from omnium_releases.replay.outcome import Outcome, Reason
from omnium_releases.replay_reports import check_declares, check_is_of, headline, report_of, reports_of
from omnium_releases.rule_changes import RuleChange
from omnium_store.errors import Refused

OLD, NEW = (
    MadeRelease(version=f"{n}", flows=Path(), contract=Path(), code_sha=f"{n}" * 64, contract_sha="c" * 64)
    for n in (1, 2)
)
CHANGE = RuleChange(sport="tally", what="more", keys=("points",))


def text(**changed: Any) -> str:
    return json.dumps(report_document(NEW, OLD, **changed))


def test_a_report_says_what_was_compared_and_what_came_of_it() -> None:
    report = report_of(text(differences=[{"key": "points"}]))
    assert (report.old_version, report.old_code_sha) == ("1", "1" * 64)
    assert (report.new_version, report.new_code_sha, report.new_contract_sha) == ("2", "2" * 64, "c" * 64)
    assert (report.matches, report.events, report.differences, report.failures) == (2, 40, 1, 0)
    assert (report.passed, report.sports) == (True, ("tally",))
    assert headline(report) == "passed against 1: 2 matches, 40 commands, 1 differences"


def test_differences_are_counted_by_the_figures_where_the_list_is_bounded() -> None:
    figures = {"matches": 1, "differences": 9000}
    assert report_of(text(differences=[{}] * 5, by_sport={"tally": figures})).differences == 9000


def test_without_an_old_release_it_was_proven_by_goldens_alone() -> None:
    report = report_of(json.dumps(report_document(NEW)))
    assert (report.old_version, report.old_code_sha) == (None, None)
    assert headline(report).startswith("passed by its goldens alone")


def test_what_the_replay_writes_is_what_is_read() -> None:
    new = {"version": NEW.version, "code_sha": NEW.code_sha, "contract_sha": NEW.contract_sha}
    outcome = Outcome(old=None, new=new, corpus="golden", corpus_digest="d" * 64, matches=1, events=3)
    outcome.figures("tally").matches = 1
    outcome.figures("chess").matches = 0
    outcome.declared = [(CHANGE, 2)]
    report = report_of(json.dumps(outcome.as_data()))
    assert (report.passed, report.sports, report.declared) == (True, ("tally",), (CHANGE,))
    outcome.fail(Reason.UNDECLARED, "m-1 event 3: points 1 -> 2")
    failed = report_of(json.dumps(outcome.as_data()))
    assert (failed.passed, failed.failures) == (False, 1)


def test_the_same_report_has_one_hash_however_it_is_laid_out() -> None:
    first = report_of(text())
    assert (
        report_of(json.dumps(json.loads(text()), indent=2, sort_keys=True)).content_sha == first.content_sha
    )
    assert report_of(text(events=41)).content_sha != first.content_sha


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"passed": "yes"}, "`passed` is no truth value"),
        ({"matches": True}, "`matches` is no number"),
        ({"matches": -1}, "`matches` is no number"),
        ({"events": 2**40}, "`events` is no number"),
        ({"failures": None}, "`failures` is no list"),
        ({"by_sport": ["tally"]}, "`by_sport` is no object"),
        ({"corpus_digest": ""}, "`corpus_digest` is no text"),
        ({"corpus_digest": "a\u0000b"}, "`corpus_digest` is no text"),
        ({"new": None}, "`new` is no object"),
        ({"new": {"version": "2"}}, "`new.code_sha` is no text; `new.contract_sha` is no text"),
        ({"old": {"version": "1"}}, "`old.code_sha` is no text"),
        ({"old": 5}, "`old` is no object"),
        ({"declared": [{"sport": "tally"}]}, "`declared` is no list of rule changes"),
        ({"matches": 0}, "it passed without a match: an empty corpus proves nothing"),
        ({"failures": ["m-1"]}, "it passed with failures"),
    ],
)
def test_what_is_wrong_with_a_report_is_named(changed: dict[str, Any], problem: str) -> None:
    with pytest.raises(Refused) as refused:
        report_of(text(**changed))
    assert refused.value.reason == "bad_report"
    assert problem in refused.value.message
    assert "omnium replay" in refused.value.message


@pytest.mark.parametrize(
    "content", ["", "{", "[]x", "5", "null", '{"a": NaN}', "[" * 5000 + "]" * 5000, '{"a": "\\ud800"}']
)
def test_what_is_no_report_at_all_is_refused(content: str) -> None:
    with pytest.raises(Refused) as refused:
        report_of(content)
    assert refused.value.reason == "bad_report"


def test_every_problem_is_told_at_once() -> None:
    with pytest.raises(Refused) as refused:
        report_of("{}")
    expected = ("new", "corpus_digest", "passed", "matches", "events", "differences", "failures", "by_sport")
    assert [name for name in expected if f"`{name}`" not in refused.value.message] == []


def test_a_list_of_reports_is_read_whole() -> None:
    both = json.dumps([report_document(NEW, OLD), failed_report(NEW)])
    assert [report.passed for report in reports_of(both)] == [True, False]
    assert len(reports_of(text())) == 1


def test_a_report_of_other_bytes_is_not_of_this_release() -> None:
    report = report_of(text())
    check_is_of(report, version="2", code_sha="2" * 64, contract_sha="c" * 64)
    for told in (("3", "2" * 64, "c" * 64), ("2", "3" * 64, "c" * 64), ("2", "2" * 64, "d" * 64)):
        version, code_sha, contract_sha = told
        with pytest.raises(Refused, match="The report is not of release") as refused:
            check_is_of(report, version=version, code_sha=code_sha, contract_sha=contract_sha)
        assert refused.value.reason == "report_mismatch"


def test_a_report_is_judged_by_the_notes_that_the_release_has() -> None:
    declared = [{"sport": "tally", "what": "more", "keys": ["points"], "why": "", "differences": 3}]
    report = report_of(text(declared=declared))
    check_declares(report, (CHANGE,), version="2")
    check_declares(report_of(text()), (), version="2")
    wider = RuleChange(sport="tally", what="more", keys=("*",))
    for judged, changes, where in (
        (report, (), "in the report alone"),
        (report, (wider,), "in the report alone"),
        (report, (CHANGE, wider), "in the notes alone"),
        (report_of(text()), (CHANGE,), "in the notes alone"),
    ):
        with pytest.raises(Refused, match="other notes than release 2") as refused:
            check_declares(judged, changes, version="2")
        assert (refused.value.reason, where in refused.value.message) == ("report_mismatch", True)


def test_a_report_of_one_sport_knows_of_no_changes_of_another() -> None:
    """`omnium replay --sport` declares what it plays; each sport has its own report."""
    chess = RuleChange(sport="chess", what="castling", keys=("board",))
    check_declares(report_of(text()), (chess,), version="2")
