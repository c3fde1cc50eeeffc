"""The compatibility replay: a corpus through the old release, the new one, and the new one once more."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from omnium_proto.replay_pb2 import ReplayRan
from omnium_releases.replay.comparing import Playing
from omnium_releases.replay.corpora import Corpus
from omnium_releases.replay.coverage import coverage_of
from omnium_releases.replay.declared import Declarations
from omnium_releases.replay.entries import CorpusEntry
from omnium_releases.replay.findings import Findings, Roles
from omnium_releases.replay.gathering import Gathering
from omnium_releases.replay.messages import places_to_derive
from omnium_releases.replay.outcome import Outcome, Reason
from omnium_releases.replay.players import OTHER_HASH_SEED, Part, Player, Wheels, company
from omnium_releases.replay.scopes import Scope
from omnium_releases.replay.stats import stat_differences
from omnium_releases.replay.streams import play_all
from omnium_releases.rule_changes import RuleChange
from omnium_store.errors import Refused

#: Lines and places are compared behind every so many commands, and at the end.
LINES_EVERY: Final = 64

#: Told after each match: the outcome so far.
Progress = Callable[[Outcome], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is replayed. `old` None: the new release is the first, and proven by what the corpus recorded.

    `bytecode` is a folder that keeps the platform's compiled modules from one run to the next. `sports` are
    those that it is about: others may have another default, against which they are replayed. Empty: all.
    """

    old: Wheels | None
    new: Wheels
    corpus: Corpus
    bytecode: Path
    changes: Sequence[RuleChange] = ()
    sports: frozenset[str] = frozenset()
    lines_every: int = LINES_EVERY


def _no_progress(outcome: Outcome) -> None:
    """Nobody looks."""


async def replay(plan: Plan, *, progress: Progress = _no_progress) -> Outcome:
    """Replay it. Raises `Refused` where a release does not start, or its worker ends in a match."""
    began = time.monotonic()
    parts = [Part("new", plan.new), Part("new", plan.new, OTHER_HASH_SEED)]
    if plan.old is not None:
        parts.append(Part("old", plan.old))
    async with company(parts, bytecode=plan.bytecode) as players:
        outcome = await _outcome(plan, players, progress)
    outcome.seconds = time.monotonic() - began
    return outcome


async def _outcome(plan: Plan, players: Sequence[Player], progress: Progress) -> Outcome:
    new, again, *rest = players
    roles = Roles(new=new, again=again, old=rest[0] if rest else None)
    outcome = Outcome(
        old=roles.old.cast.as_data() if roles.old else None,
        new=new.cast.as_data(),
        corpus=plan.corpus.name,
    )

    def derive(entry: CorpusEntry) -> frozenset[int]:
        return places_to_derive(entry, plan.lines_every)

    scope = Scope.of(plan.sports, new.cast.programs)
    changes = [change for change in plan.changes if scope.holds(change.sport)]
    findings = Findings(outcome, roles, Declarations(changes), derive)
    ran = await _play(plan.corpus, findings, scope, progress)
    _finish(findings, scope, ran)
    return outcome


async def _play(corpus: Corpus, findings: Findings, scope: Scope, progress: Progress) -> ReplayRan:
    """Every match on every player; what ran of the new release."""
    outcome, gathering = findings.outcome, Gathering(findings.outcome, scope)
    at = ""

    async def played(entry: CorpusEntry, playings: Sequence[Playing]) -> None:
        nonlocal at
        at = entry.id
        await findings.judge(entry, playings)
        progress(outcome)

    players = findings.roles.players
    try:
        ran = await play_all(players, gathering.entries(corpus), derive=findings.derive, played=played)
    except BaseExceptionGroup as group:
        refused = _first_refusal(group)
        if refused is None:
            raise
        behind = f" It was behind match {at}." if at else " It was at the first matches."
        raise Refused(f"{refused.message}{behind}", reason=refused.reason) from group
    gathering.finish()
    return ran[0]


def _first_refusal(group: BaseExceptionGroup[BaseException]) -> Refused | None:
    for error in group.exceptions:
        if isinstance(error, Refused):
            return error
        if isinstance(error, BaseExceptionGroup) and (found := _first_refusal(error)):
            return found
    return None


def _finish(findings: Findings, scope: Scope, ran: ReplayRan) -> None:
    """What can be said only when everything was played."""
    outcome, roles, declarations = findings.outcome, findings.roles, findings.declarations
    folds = scope.within(roles.new.cast.folds)
    _compare_stats(findings, scope)
    for change in declarations.unseen():
        outcome.fail(
            Reason.UNSEEN,
            f'"{change.what}" ({change.sport}: {", ".join(change.keys)}) is declared, and nothing in the '
            "corpus shows it.",
            sport=change.sport,
        )
    for change, glob in declarations.unseen_keys():
        outcome.notes.append(f'the key {glob} of "{change.what}" ({change.sport}) covers nothing')
    outcome.declared = list(declarations.counts())
    if folds or not scope.sports:  # else the release holds none of what was asked for
        _demand_matches(outcome, folds)
    if scope.sports:
        outcome.notes.append(f"asked for {', '.join(sorted(scope.sports))} alone")
    outcome.notes += _said_of_new_sports(outcome, roles)
    outcome.coverage = coverage_of(folds, ran)


def _compare_stats(findings: Findings, scope: Scope) -> None:
    old, new = findings.roles.old, findings.roles.new
    if old is None:
        return
    for difference in stat_differences(old.cast.programs, new.cast.programs):
        if not scope.holds(difference.sport):
            continue
        sports = frozenset({difference.sport})
        findings.add([findings.declarations.judged(difference, sports=sports)], "", difference.sport)


def _demand_matches(outcome: Outcome, folds: Mapping[str, Mapping[str, Any]]) -> None:
    if not outcome.matches:
        outcome.fail(
            Reason.EMPTY,
            f"The corpus {outcome.corpus} holds no match.",
        )
        return
    for code in sorted(folds):
        if code in outcome.by_sport and outcome.by_sport[code].matches:
            continue
        if folds[code].get("parent"):
            outcome.notes.append(f"no match of the format {code} is in the corpus")
        else:
            outcome.fail(
                Reason.NO_MATCH,
                f"The corpus holds no match of {code}.",
                sport=code,
            )


def _said_of_new_sports(outcome: Outcome, roles: Roles) -> Iterator[str]:
    if roles.old is None:
        yield (
            f"{roles.new.cast.version} is the first release: it is proven by what the corpus recorded alone"
        )
        return
    for sport in _sorted_new(outcome.by_sport, roles.old.cast.folds):
        yield (
            f"{roles.old.cast.version} does not have {sport}: "
            f"its {outcome.by_sport[sport].matches} matches are proven by what the corpus recorded alone"
        )
    for sport, figures in sorted(outcome.by_sport.items()):
        if sport in roles.old.cast.folds and figures.alone:
            yield (
                f"{figures.alone} matches of {sport} have commands that {roles.old.cast.version} does not "
                "have: from there on they are proven by what the corpus recorded alone"
            )


def _sorted_new(sports: Iterable[str], known: Iterable[str]) -> list[str]:
    return sorted(set(sports) - set(known))
