"""Reports of the compatibility replay, as `omnium replay --report json` writes them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from omnium_contract import canonical
from omnium_releases.rule_changes import RuleChange
from omnium_store.errors import Refused

LARGEST: Final = 8 * 1024 * 1024
_MOST: Final = 2**31 - 1  # of what is counted


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayReport:
    """What a replay found. Without an old release the new one was proven by its goldens alone."""

    old_version: str | None
    old_code_sha: str | None
    new_version: str
    new_code_sha: str
    new_contract_sha: str
    corpus_digest: str
    passed: bool
    sports: tuple[str, ...]
    matches: int
    events: int
    differences: int
    failures: int
    declared: tuple[RuleChange, ...]
    document: str

    @property
    def content_sha(self) -> str:
        """Hex SHA-256 of the report's canonical text."""
        return hashlib.sha256(self.document.encode()).hexdigest()


def reports_of(text: str | bytes) -> tuple[ReplayReport, ...]:
    """The report in a JSON text, or those in a list of them. Raises `Refused` (bad_report)."""
    told = _read(text)
    return tuple(report_from(one) for one in told) if isinstance(told, list) else (report_from(told),)


def report_of(text: str | bytes) -> ReplayReport:
    """The report in a JSON text. Raises `Refused` (bad_report) with every problem."""
    return report_from(_read(text))


def _read(text: str | bytes) -> Any:
    try:
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise _bad_report([f"it is no JSON ({error or type(error).__name__})"]) from error


def report_from(told: Any) -> ReplayReport:
    """The report in parsed JSON. Raises `Refused` (bad_report) with every problem."""
    if not isinstance(told, dict):
        raise _bad_report(["it is no JSON object"])
    if problems := list(_problems(told)):
        raise _bad_report(problems)
    old = told.get("old") or {}
    return ReplayReport(
        old_version=old.get("version"),
        old_code_sha=old.get("code_sha"),
        new_version=told["new"]["version"],
        new_code_sha=told["new"]["code_sha"],
        new_contract_sha=told["new"]["contract_sha"],
        corpus_digest=told["corpus_digest"],
        passed=told["passed"],
        sports=tuple(sorted(_sports(told["by_sport"]))),
        matches=told["matches"],
        events=told["events"],
        differences=_differences(told),
        failures=_count(told["failures"]),
        declared=tuple(_declared(told)),
        document=_canonical(told),
    )


def _canonical(told: Any) -> str:
    try:
        return canonical.dumps(told).decode()
    except (ValueError, RecursionError) as error:  # a lone surrogate, a depth that nobody can follow
        raise _bad_report([f"it can't be written down again ({error or type(error).__name__})"]) from error


def check_is_of(report: ReplayReport, *, version: str, code_sha: str, contract_sha: str) -> None:
    """Raise `Refused` (report_mismatch) unless the report is of exactly these bytes."""
    differing = [
        f"{what} {told[:20]}, not {known[:20]}"
        for what, told, known in (
            ("version", report.new_version, version),
            ("code", report.new_code_sha, code_sha),
            ("contract", report.new_contract_sha, contract_sha),
        )
        if told != known
    ]
    if differing:
        raise Refused(
            f"The report is not of release {version}: it is of {'; of '.join(differing)}. "
            "Replay the wheels that are registered, and send that report.",
            reason="report_mismatch",
            metadata={"release": version},
        )


def check_declares(report: ReplayReport, changes: tuple[RuleChange, ...], *, version: str) -> None:
    """Raise `Refused` (report_mismatch) unless the sports in it were judged by the notes of the release."""
    known, told = set(changes), set(report.declared)
    invented = told - known
    left_out = {change for change in known - told if change.sport in report.sports}
    if invented or left_out:
        listed = "; ".join(sorted(f"{change.sport}: {change.what}" for change in invented or left_out))
        where = "in the report alone" if invented else "in the notes alone"
        raise Refused(
            f"The report was made with other notes than release {version} is registered with: {where} "
            f"stands {listed}. Replay with the notes that the release has: omnium replay … --notes FILE",
            reason="report_mismatch",
            metadata={"release": version},
        )


def headline(report: ReplayReport) -> str:
    """The report in one sentence."""
    against = f"against {report.old_version}" if report.old_version else "by its goldens alone"
    how = "passed" if report.passed else f"failed with {report.failures} failures"
    return (
        f"{how} {against}: {report.matches} matches, {report.events} commands, "
        f"{report.differences} differences"
    )


def _problems(told: Mapping[str, Any]) -> Iterator[str]:
    if told.get("old") is not None:
        yield from _release_problems(told, "old", ("version", "code_sha"))
    yield from _release_problems(told, "new", ("version", "code_sha", "contract_sha"))
    yield from (
        f"`{name}` is no {what}" for name, (what, is_it) in _MEMBERS.items() if not is_it(told.get(name))
    )
    if told.get("passed") is True:
        yield from _contradictions(told)


def _release_problems(told: Mapping[str, Any], which: str, names: tuple[str, ...]) -> Iterator[str]:
    release = told.get(which)
    if not isinstance(release, dict):
        yield f"`{which}` is no object"
        return
    yield from (f"`{which}.{name}` is no text" for name in names if not _is_text(release.get(name)))


def _contradictions(told: Mapping[str, Any]) -> Iterator[str]:
    """A replay never passes like this, whoever wrote the file."""
    if told.get("matches") == 0:
        yield "it passed without a match: an empty corpus proves nothing"
    if told.get("failures") not in (0, []):
        yield "it passed with failures"


def _sports(by_sport: Mapping[str, Any]) -> Iterator[str]:
    """Those that a match was played of."""
    for sport, figures in by_sport.items():
        if not isinstance(figures, dict) or figures.get("matches", 1):
            yield sport


def _declared(told: Mapping[str, Any]) -> Iterator[RuleChange]:
    for change in told.get("declared") or []:
        yield RuleChange(
            sport=change["sport"],
            what=change["what"],
            keys=tuple(change["keys"]),
            why=change.get("why", ""),
        )


def _are_changes(value: Any) -> bool:
    return value is None or (isinstance(value, list) and all(map(_is_change, value)))


def _is_change(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("keys"), list)
        and all(isinstance(text, str) for text in (value.get("sport"), value.get("what"), *value["keys"]))
        and isinstance(value.get("why", ""), str)
    )


def _differences(told: Mapping[str, Any]) -> int:
    """How many there are: a report lists at most so many, its figures count them all."""
    figures: list[Any] = [
        one.get("differences") for one in told["by_sport"].values() if isinstance(one, dict)
    ]
    counted: list[int] = [one for one in figures if _is_number(one)]
    return max(_count(told["differences"]), sum(counted))


def _count(value: int | list[Any]) -> int:
    return len(value) if isinstance(value, list) else value


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= 200 and value.isprintable()


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST


def _is_list(value: Any) -> bool:
    return _is_number(value) or isinstance(value, list)


#: What a report says, and how one sees that it does.
_MEMBERS: Final[Mapping[str, tuple[str, Callable[[Any], bool]]]] = {
    "corpus_digest": ("text", _is_text),
    "passed": ("truth value", lambda value: isinstance(value, bool)),
    "matches": ("number", _is_number),
    "events": ("number", _is_number),
    "differences": ("list", _is_list),
    "failures": ("list", _is_list),
    "by_sport": ("object", lambda value: isinstance(value, dict)),
    "declared": ("list of rule changes", _are_changes),
}


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _bad_report(problems: list[str]) -> Refused:
    return Refused(
        f"The report can't be used: {'; '.join(problems)}. Write it with: omnium replay … --report json",
        reason="bad_report",
    )
