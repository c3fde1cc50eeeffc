"""The report in each of its forms."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import pytest

from omnium_proto.replay_pb2 import ReplayRan
from omnium_releases.replay.coverage import coverage_of
from omnium_releases.replay.differences import Difference, Kind
from omnium_releases.replay.outcome import WAYS_OUT, Outcome, Reason, SportFigures
from omnium_releases.replay.reports.json_text import json_report
from omnium_releases.replay.reports.junit import junit_report
from omnium_releases.replay.reports.page import page_report
from omnium_releases.replay.reports.text import MOST_LINES, headline, text_report
from omnium_releases.replay.stats import stat_differences
from omnium_releases.replay_reports import report_of
from omnium_releases.rule_changes import RuleChange

RELEASE = {"version": "0.2.0", "code_sha": "ab" * 32, "contract_sha": "cd" * 32, "runtime_sha": "ef" * 32}


def program(**more: Any) -> dict[str, Any]:
    return {
        "commands": [{"key": "tally.begin"}, {"key": "tally.add"}],
        "validations": [{"key": "tally.running"}, {"key": "tally.known_side"}],
        "actions": [{"key": "tally.state"}, {"key": "tally.lines", "inheritedFrom": "tally.lines"}],
        "branches": [],
        **more,
    }


@pytest.fixture
def outcome() -> Outcome:
    declared = RuleChange(sport="tally", what="counts double", keys=("points.*",), why="Law 1")
    difference = Difference(
        match="m<1>", sport="tally", kind=Kind.STATE, keys=("points.s1",), old="1", new="2", event=4,
        command="tally.add", declared="counts double",
    )  # fmt: skip
    stray = Difference(
        match="m<1>", sport="tally", kind=Kind.VERDICT, keys=("rules.running",), old='refused "<b>"',
        new="accepted", event=5, command="tally.add",
    )  # fmt: skip
    made = Outcome(old={**RELEASE, "version": "0.1.0"}, new=RELEASE, corpus="folder", corpus_digest="12" * 32)
    made.matches, made.events, made.seconds = 2, 30, 1.5
    made.by_sport["tally"] = SportFigures(matches=2, events=30, refused=3, differences=2, undeclared=1)
    made.differences += [difference, stray]
    made.fail(Reason.UNDECLARED, stray.sentence(), match="m<1>", sport="tally")
    made.fail(Reason.NO_MATCH, "The corpus holds no match of chess.", sport="chess")
    made.declared = [(declared, 1)]
    made.coverage = coverage_of(
        {"tally": program()},
        ReplayRan(called={"tally.running": 3, "tally.state": 3}, accepted={"tally.begin": 1}),
    )
    made.skipped.append(("README.md", "is not ours"))
    return made


def test_the_text_says_all_of_it_and_what_to_do(outcome: Outcome) -> None:
    text = text_report(outcome)
    for said in (
        "0.1.0 -> 0.2.0: 2 matches, 30 commands, 2 differences, 1 undeclared: FAILED",
        "m<1> event 4 (tally.add): points.s1 1 -> 2 (declared: counts double)",
        'm<1> event 5 (tally.add): refused "<b>" -> accepted [rules.running] (undeclared)',
        "tally: counts double [points.*]: 1 differences",
        "tally: 1 of 2 commands: add",
        "tally: 1 of 2 rules: known_side",
        "tally: 1 of 2 rules were asked and never said no",
        "sport_without_match: The corpus holds no match of chess.",
        f"undeclared: {WAYS_OUT[Reason.UNDECLARED]}",
    ):
        assert said in text


def test_a_long_list_is_cut_in_the_text_and_whole_in_the_json(outcome: Outcome) -> None:
    outcome.differences *= 50
    assert f"and {100 - MOST_LINES} more; all are in the JSON report" in text_report(outcome)
    assert len(json.loads(json_report(outcome))["differences"]) == 100


def test_the_json_is_a_report_that_releases_take(outcome: Outcome) -> None:
    report = report_of(json_report(outcome))
    assert (report.old_version, report.new_version, report.new_contract_sha) == ("0.1.0", "0.2.0", "cd" * 32)
    assert (report.matches, report.events, report.differences, report.failures) == (2, 30, 2, 2)
    assert (report.passed, report.sports) == (False, ("tally",))


def test_a_first_release_is_compared_with_none(outcome: Outcome) -> None:
    outcome.old = None
    assert headline(outcome).startswith("first release: 0.2.0")
    assert report_of(json_report(outcome)).old_version is None


def test_junit_has_a_failing_case_for_each_reason_and_a_passing_one_for_each_sport(outcome: Outcome) -> None:
    root = ElementTree.fromstring(junit_report(outcome))
    assert (root.get("tests"), root.get("failures")) == ("3", "2")
    assert [suite.get("name") for suite in root] == ["chess", "tally"]
    failing = [case for case in root.iter("testcase") if case.find("failure") is not None]
    assert [(case.get("classname"), case.get("name")) for case in failing] == [
        ("replay.chess", "sport_without_match"),
        ("replay.tally", "m<1>"),
    ]


def test_junit_carries_what_xml_can_not(outcome: Outcome) -> None:
    outcome.fail(Reason.ROTTEN, "bell \x07 and null \x00", match="m\x01")
    ElementTree.fromstring(junit_report(outcome))


class Page(HTMLParser):
    """Checks that every tag is closed in order, and keeps the text."""

    VOID = frozenset({"meta", "br"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_the_page_stands_alone_and_shows_every_difference(outcome: Outcome) -> None:
    text = page_report(outcome)
    page = Page()
    page.feed(text)
    shown = re.sub(r"\s+", " ", " ".join(page.text))
    assert (page.open, page.links, "{{" in text) == ([], [], False)
    for said in (
        "Replay failed",
        "m<1>",
        'refused "<b>"',
        "rules.running",
        "counts double",
        "Law 1",
        "known_side",
    ):
        assert said in shown
    assert "<script" not in text


def test_the_page_of_a_replay_that_passed_says_so(outcome: Outcome) -> None:
    outcome.failures.clear()
    outcome.differences.clear()
    text = page_report(outcome)
    assert "Replay passed" in text
    assert "both releases say the same of every command" in text


def test_a_component_that_is_inherited_is_no_part_of_the_coverage(outcome: Outcome) -> None:
    assert outcome.coverage["tally"].kinds["actions"].total == 1


def stat(key: str, **more: Any) -> dict[str, Any]:
    return {
        "declared": {"key": key, "kind": "totals", "name": "Goals", "numbers": {"goals": "goals"}, **more}
    }


def test_a_stat_that_is_declared_otherwise_is_a_difference_and_its_words_are_none() -> None:
    old = {"tally": program(stats=[stat("tally.a.node"), stat("tally.b.node"), stat("tally.c.node")])}
    new = {
        "tally": program(
            stats=[
                stat("tally.a.node", name="All goals", description="Reworded."),
                stat("tally.b.node", numbers={"goals": "points"}),
                stat("tally.d.node"),
            ]
        )
    }
    assert [(one.key, one.old, one.new) for one in stat_differences(old, new)] == [
        ("stats.tally.b.node", 'numbers.goals "goals"', 'numbers.goals "points"'),
        ("stats.tally.c.node", "declared", "absent"),
        ("stats.tally.d.node", "absent", "declared"),
    ]
