"""The report as JUnit XML, which CI systems show: a suite a sport, a case a match."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from xml.etree import ElementTree

from omnium_releases.replay.outcome import WAYS_OUT, Failure, Outcome

_NO_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
#: The suite of what concerns no single sport.
_WHOLE: Final = "replay"


def junit_report(outcome: Outcome) -> str:
    """Every failure is a case that failed; every match with declared differences alone is one that passed."""
    suites = ElementTree.Element("testsuites", name="omnium replay")
    for sport in sorted({*outcome.by_sport, *(one.sport or _WHOLE for one in outcome.failures)}):
        _add_suite(suites, outcome, sport)
    _total(suites)
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, encoding="unicode", xml_declaration=True) + "\n"


def _add_suite(suites: ElementTree.Element, outcome: Outcome, sport: str) -> None:
    suite = ElementTree.SubElement(suites, "testsuite", name=sport)
    failures = [one for one in outcome.failures if (one.sport or _WHOLE) == sport]
    said = _declared_by_match(outcome, sport)
    for failure in failures:
        case = _case(suite, failure.match or str(failure.reason), sport)
        _add_failure(case, failure)
    failed = {failure.match for failure in failures}
    for match, text in said.items():
        if match not in failed:
            ElementTree.SubElement(_case(suite, match or "stats", sport), "system-out").text = _clean(text)
    figures = outcome.by_sport.get(sport)
    if figures is not None:
        case = _case(suite, f"{figures.matches} matches, {figures.events} commands", sport)
        case.set("time", f"{outcome.seconds:.2f}")


def _declared_by_match(outcome: Outcome, sport: str) -> Mapping[str, str]:
    found: dict[str, list[str]] = {}
    for one in outcome.differences:
        if one.sport == sport:
            found.setdefault(one.match, []).append(f"{one.sentence()} (declared: {one.declared})")
    return {match: "\n".join(lines) for match, lines in found.items()}


def _case(suite: ElementTree.Element, name: str, sport: str) -> ElementTree.Element:
    return ElementTree.SubElement(suite, "testcase", name=_clean(name), classname=f"replay.{sport}")


def _add_failure(case: ElementTree.Element, failure: Failure) -> None:
    text = _clean(failure.message)
    told = f"{text}\n{WAYS_OUT[failure.reason]}"
    ElementTree.SubElement(case, "failure", type=str(failure.reason), message=text).text = told


def _total(suites: ElementTree.Element) -> None:
    for element in [*suites, suites]:
        element.set("tests", str(len(element.findall(".//testcase"))))
        element.set("failures", str(len(element.findall(".//failure"))))


def _clean(text: str) -> str:
    """Without characters that XML cannot carry."""
    return _NO_XML.sub("\ufffd", text)
