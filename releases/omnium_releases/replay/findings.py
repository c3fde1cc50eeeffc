"""Each match's playings judged: against the record, against each other, and against what is declared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from omnium_proto.replay_pb2 import ReplayJudged
from omnium_releases.replay.comparing import Playing, first_parting, said
from omnium_releases.replay.declared import Declarations
from omnium_releases.replay.details import details, places_to_look
from omnium_releases.replay.differences import Difference
from omnium_releases.replay.entries import CorpusEntry
from omnium_releases.replay.outcome import Outcome, Reason
from omnium_releases.replay.players import Cast, Player
from omnium_releases.replay.records import departure

#: Differences of one match, and of all together, that a report keeps; all of them are judged and counted.
MOST_OF_A_MATCH: Final = 200
MOST_OF_ALL: Final = 5000


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """Who plays what. `again` is the new release under another hash seed; `old` None: there is none."""

    new: Player
    again: Player
    old: Player | None

    @property
    def players(self) -> list[Player]:
        """All of them, in the order in which their playings come."""
        return [self.new, self.again, *([self.old] if self.old else [])]


@dataclass(slots=True)
class Findings:
    """Judges match by match; what it finds goes into the outcome."""

    outcome: Outcome
    roles: Roles
    declarations: Declarations
    derive: Callable[[CorpusEntry], frozenset[int]]
    _lost: set[str] = field(default_factory=set)

    async def judge(self, entry: CorpusEntry, playings: Sequence[Playing]) -> None:
        """One match: `playings` are of `Roles.players`."""
        new, again, *rest = playings
        old = rest[0] if rest else Playing(problem="there is no old release")
        self._count(entry)
        upto = self._comparable(entry)
        is_alone = upto < len(entry.log)
        if is_alone:
            self.outcome.figures(entry.workflow).alone += 1
        self._hold_to_record(entry, new if is_alone else old, by=self._recorder(is_alone=is_alone))
        if new.problem:
            self._unplayable(entry, new, old)
            return
        await self._compare_again(entry, new, again)
        if upto and not old.problem:
            await self._compare(entry, old, new, upto=upto)

    def _count(self, entry: CorpusEntry) -> None:
        figures = self.outcome.figures(entry.workflow)
        refused = sum(command.refused is not None for command in entry.log)
        figures.matches += 1
        figures.events += len(entry.log)
        figures.refused += refused
        self.outcome.matches += 1
        self.outcome.events += len(entry.log)

    def _comparable(self, entry: CorpusEntry) -> int:
        """How many of its commands to compare: those before the first that the old release does not have."""
        old = self.roles.old
        if old is None or entry.workflow not in old.cast.folds:
            return 0
        known = old.cast.commands[entry.workflow]
        unknown = (
            place
            for place, command in enumerate(entry.log)
            if command.refused is None and command.code not in known
        )
        return next(unknown, len(entry.log))

    def _recorder(self, *, is_alone: bool) -> Cast:
        player = self.roles.new if is_alone or self.roles.old is None else self.roles.old
        return player.cast

    def _hold_to_record(self, entry: CorpusEntry, playing: Playing, *, by: Cast) -> None:
        """What a release recorded it must give again; what another one did may have been changed since."""
        departs = departure(entry, playing)
        if not departs:
            return
        if entry.recorded_by is None or entry.recorded_by.code_sha == by.code_sha:
            self.outcome.fail(
                Reason.ROTTEN,
                f"{entry.id} {departs}: {by.version} does not give what the corpus recorded.",
                match=entry.id,
                sport=entry.workflow,
            )
        else:
            self.outcome.notes.append(
                f"{entry.id} was recorded by {entry.recorded_by.version}; under {by.version} {departs}"
            )

    def _unplayable(self, entry: CorpusEntry, new: Playing, old: Playing) -> None:
        version, sport = self.roles.new.cast.version, entry.workflow
        if sport not in self.roles.new.cast.folds:
            if sport not in self._lost:
                self._lost.add(sport)
                self.outcome.fail(
                    Reason.LOST_SPORT,
                    f"{version} does not have {sport}, of which the corpus holds {entry.id}.",
                    match=entry.id,
                    sport=sport,
                )
        elif not old.problem or self.roles.old is None:
            self.outcome.fail(
                Reason.UNPLAYABLE,
                f"{entry.id} can't be played by {version}: {new.problem}",
                match=entry.id,
                sport=sport,
            )

    async def _compare_again(self, entry: CorpusEntry, new: Playing, again: Playing) -> None:
        place = first_parting(new.judged, again.judged, upto=len(entry.log))
        if place is None:
            return
        found = await self._details(
            entry, (new, again), (self.roles.new, self.roles.again), upto=len(entry.log)
        )
        self._chance(entry, found[0].sentence() if found else _place(entry, place))

    def _chance(self, entry: CorpusEntry, where: str) -> None:
        self.outcome.fail(
            Reason.NONDETERMINISTIC,
            f"{where}: two runs of one release differ.",
            match=entry.id,
            sport=entry.workflow,
        )

    async def _compare(self, entry: CorpusEntry, old: Playing, new: Playing, *, upto: int) -> None:
        place = first_parting(old.judged, new.judged, upto=upto)
        if place is None or self.roles.old is None:
            return
        found = await self._details(entry, (old, new), (self.roles.old, self.roles.new), upto=upto)
        if not found and _is_more_than_rows(old.judged[place], new.judged[place]):
            self._chance(entry, _place(entry, place))
        sports = frozenset({entry.workflow, entry.sport})
        judged = [self.declarations.judged(difference, sports=sports) for difference in found]
        self.add(judged, entry.id, entry.workflow)

    async def _details(
        self,
        entry: CorpusEntry,
        playings: tuple[Playing, Playing],
        players: tuple[Player, Player],
        *,
        upto: int,
    ) -> list[Difference]:
        first, second = (playing.judged[:upto] for playing in playings)
        place = first_parting(first, second, upto=upto)
        derive = places_to_look(first, second, derive=self.derive(entry), first=place or 0)
        return await details(entry, players, upto=upto, derive=derive)

    def add(self, differences: Sequence[Difference], match: str, sport: str) -> None:
        """Differences that are judged: kept, counted, and a failure where one is not declared."""
        figures = self.outcome.figures(sport)
        undeclared = [one for one in differences if not one.declared]
        figures.differences += len(differences)
        figures.undeclared += len(undeclared)
        self._keep([*undeclared, *(one for one in differences if one.declared)], of=match or sport)
        if undeclared:
            more = f" (and {len(undeclared) - 1} more of this match)" if len(undeclared) > 1 else ""
            self.outcome.fail(
                Reason.UNDECLARED, f"{undeclared[0].sentence()}{more}", match=match, sport=sport
            )

    def _keep(self, differences: Sequence[Difference], *, of: str) -> None:
        """As many as a report has room for, undeclared ones before others."""
        kept = differences[: min(MOST_OF_A_MATCH, MOST_OF_ALL - len(self.outcome.differences))]
        self.outcome.differences += sorted(kept, key=lambda one: one.event)
        if len(kept) < len(differences):
            self.outcome.notes.append(f"{len(kept)} of {len(differences)} differences of {of} are listed")


def _place(entry: CorpusEntry, place: int) -> str:
    command = entry.log[place]
    return f"{entry.id} event {command.seq} ({command.code})"


def _is_more_than_rows(old: ReplayJudged, new: ReplayJudged) -> bool:
    """Rows may differ in nothing but the name of the action that gives them, which is no difference."""
    return (said(old), old.state) != (said(new), new.state)
