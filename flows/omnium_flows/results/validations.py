"""When the result of a fixture may be changed."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from omnium_contract.flows.components import validation
from omnium_contract.flows.types import Fixture, RecordCtx, Side, Verdict, ok, reject
from omnium_flows.results.commands import AddSideInput, ChangeTypeInput, EditSideInput, SetStatusInput
from omnium_flows.results.constants import (
    DUEL_SIDES,
    HIDDEN_BY,
    MARKS,
    NOT_STARTED,
    RANKLESS,
    STATUSES,
    TOLD_BY_THE_LOG,
    WITHOUT_RESULT,
    medal_word,
    side_mark,
    status_word,
)
from omnium_flows.shared import outcomes
from omnium_flows.shared.nations import is_noc
from omnium_flows.shared.units import Archetype


class ResultsValidations:
    """Mixed into `Results`."""

    @validation(message="That side is not part of this fixture")
    def side_is_in_fixture(self, input: Mapping[str, Any], ctx: RecordCtx) -> Verdict:
        """A side of another fixture would change the wrong match."""
        return Verdict(ok=_fixture(ctx).side(str(uuid.UUID(str(input.get("side"))))) is not None)

    @validation(message="A side is somebody: give a participant or a label")
    def side_keeps_someone(self, input: EditSideInput, ctx: RecordCtx) -> Verdict:
        """Taking away both label and participant would leave nobody."""
        side = _side(ctx, input.side)
        sent = input.model_fields_set
        label = (input.label or "").strip() if "label" in sent else side.name
        participant = input.participant_id if "participant_id" in sent else side.participant_id
        return Verdict(ok=bool(label or participant))

    @validation(message=f"A mark is one of {', '.join(MARKS)}, or nothing")
    def side_status_is_known(self, input: EditSideInput, ctx: RecordCtx) -> Verdict:
        """An unknown mark never becomes no mark."""
        word = side_mark(input.status)
        return Verdict(ok=not word or word in MARKS)

    @validation(message="A medal is Gold, Silver or Bronze")
    def side_medal_is_known(self, input: EditSideInput, ctx: RecordCtx) -> Verdict:
        """One of three words, or nothing at all."""
        return Verdict(ok=medal_word(input.medal) is not None)

    @validation(message="That participant or code is in this fixture already")
    def side_is_listed_once(self, input: Mapping[str, Any], ctx: RecordCtx) -> Verdict:
        """The same participant or the same code on two sides. Two people may have one name."""
        participant = input.get("participantId", input.get("participant_id"))
        code = str(input.get("code") or "").strip()
        for other in _fixture(ctx).sides:
            if other.entry == str(input.get("side")).lower():
                continue
            if participant and other.participant_id == str(participant).lower():
                return reject(f"{outcomes.name_of(other)} is listed twice. Choose another participant.")
            if code and other.code == code:
                return reject(f"{outcomes.name_of(other)} has the code {code} already. Choose another code.")
        return ok()

    @validation(message="A side with such a mark has no rank, score, medal or record")
    def mark_leaves_no_result(self, input: EditSideInput, ctx: RecordCtx) -> Verdict:
        """What a mark forbids is not typed beside it. What the side had is hidden, not refused."""
        typed = side_mark(input.status) if "status" in input.model_fields_set else None
        mark = (_side(ctx, input.side).status or "") if typed is None else typed
        sent = input.model_dump(mode="json", by_alias=True, exclude_unset=True)
        hidden = sorted(field for field in HIDDEN_BY.get(mark, ()) if sent.get(field))
        if not hidden:
            return ok()
        if mark == "WO":
            return reject("A side marked WO has no score and no record.")
        return reject(f"A side marked {mark} has no rank, score, medal or record.")

    @validation(message="Official results need a reason to change.")
    def official_needs_a_reason(self, input: Mapping[str, Any], ctx: RecordCtx) -> Verdict:
        """A revised result is published with why."""
        stays = status_word(str(input.get("status") or "")) == "OFFICIAL" and "side" not in input
        needed = _fixture(ctx).official and not stays
        return Verdict(ok=not needed or bool(str(input.get("reason") or "").strip()))

    @validation(message="An official result has ranks and medals that fit together")
    def official_still_fits(self, input: EditSideInput, ctx: RecordCtx) -> Verdict:
        """A revision keeps an official result whole; larger ones are made while it is not official."""
        fixture = _fixture(ctx)
        if not fixture.official:
            return ok()
        sent = _as_will_be(input)
        after = [
            outcomes.outcome_of(side, sent if side.entry == str(input.side) else None)
            for side in fixture.sides
        ]
        said = (
            outcomes.misfit(fixture.archetype, after, RANKLESS)
            if _ranks_count(fixture)
            else outcomes.misfit_medals(fixture.archetype, after)
        )
        if said is None:
            return ok()
        return reject(f"{said} Set the status to COMPLETED, correct all sides, then make it official again.")

    @validation(message="The sides of this fixture stay as they are")
    def sides_may_change(self, input: Mapping[str, Any], ctx: RecordCtx) -> Verdict:
        """A log names its sides, and so does an official result."""
        fixture = _fixture(ctx)
        if fixture.official:
            return reject("The result is official. Set the status to COMPLETED before its sides change.")
        if fixture.scoring_mode == "events" and fixture.status not in NOT_STARTED:
            return reject("The match has started, its log names the sides. Correct who a side is instead.")
        return ok()

    @validation(message="A duel has two sides.")
    def duel_has_two_sides(self, input: AddSideInput, ctx: RecordCtx) -> Verdict:
        """No third side."""
        fixture = _fixture(ctx)
        return Verdict(ok=fixture.archetype != "duel" or len(fixture.sides) < 2)

    @validation(message="A country is its three capital letters, like JPN")
    def side_noc_is_a_code(self, input: AddSideInput, ctx: RecordCtx) -> Verdict:
        """Or it is not known."""
        return Verdict(ok=not input.noc or is_noc(input.noc))

    @validation(message="That position is taken")
    def position_is_free(self, input: AddSideInput, ctx: RecordCtx) -> Verdict:
        """Nobody is moved from a lane to make room."""
        holder = next((s for s in _fixture(ctx).sides if s.position == input.position), None)
        if holder is None:
            return ok()
        return reject(f"Position {input.position} is {outcomes.name_of(holder)}'s. Choose a free one.")

    @validation(message="The type of this unit stays as it is")
    def type_may_change(self, input: ChangeTypeInput, ctx: RecordCtx) -> Verdict:
        """What is official is taken back first; a match that has begun was played under its type's rules."""
        fixture = _fixture(ctx)
        if fixture.official:
            return reject("The result is official. Set the status to COMPLETED before its type changes.")
        if fixture.scoring_mode == "events" and fixture.status not in NOT_STARTED:
            return reject(
                f"This match is {fixture.status}: its log was made by the rules of its type. "
                "Cancel it and add a unit of the other type."
            )
        return ok()

    @validation(message="A duel has two sides.")
    def type_fits_the_sides(self, input: ChangeTypeInput, ctx: RecordCtx) -> Verdict:
        """Sides are kept, so there must be room for them."""
        sides = len(_fixture(ctx).sides)
        if input.archetype is not Archetype.DUEL or sides <= DUEL_SIDES:
            return ok()
        return reject(f"A duel has two sides, and this unit has {sides}. Remove the others first.")

    @validation(message=f"A status is one of {', '.join(STATUSES)}")
    def status_is_known(self, input: SetStatusInput, ctx: RecordCtx) -> Verdict:
        """An unknown word never becomes a known one."""
        return Verdict(ok=status_word(input.status) in STATUSES)

    @validation(message="The status of this match follows from its log")
    def log_tells_the_status(self, input: SetStatusInput, ctx: RecordCtx) -> Verdict:
        """Whether a match that is scored by events runs or is over is said by its events alone."""
        fixture, word = _fixture(ctx), status_word(input.status)
        if fixture.scoring_mode != "events" or word == fixture.status:
            return ok()
        if word in TOLD_BY_THE_LOG:
            return reject(f"{word} follows from the log of this match. Send the sport's own command.")
        if word == "OFFICIAL" and fixture.status != "COMPLETED":
            return reject("The match is not finished. End it with the sport's own command first.")
        if word == "SCHEDULED" and fixture.status in TOLD_BY_THE_LOG:
            return reject("The match has started. Postpone, cancel or correct its log.")
        if word in WITHOUT_RESULT and fixture.status == "COMPLETED":
            return reject("The match is finished. Correct its log instead.")
        return ok()

    @validation(message="A duel has two sides.")
    def result_has_two_sides(self, input: SetStatusInput, ctx: RecordCtx) -> Verdict:
        """A duel that is over was played by two."""
        fixture = _fixture(ctx)
        over = status_word(input.status) in ("COMPLETED", "OFFICIAL")
        return Verdict(ok=not over or fixture.archetype != "duel" or len(fixture.sides) == 2)

    @validation(message="Everybody is in an official result, with a rank or a mark")
    def everyone_has_a_result(self, input: SetStatusInput, ctx: RecordCtx) -> Verdict:
        """Nobody is left out."""
        fixture = _fixture(ctx)
        if not _made_official(input, fixture):
            return ok()
        return _verdict(outcomes.missing_result(fixture.archetype, outcomes.outcomes_of(fixture), RANKLESS))

    @validation(message="A rank is given twice: mark the tie or change it.")
    def ties_are_marked(self, input: SetStatusInput, ctx: RecordCtx) -> Verdict:
        """Two sides on one rank are a tie that somebody meant."""
        fixture = _fixture(ctx)
        made = _made_official(input, fixture)
        return _verdict(outcomes.unmarked_ties(outcomes.outcomes_of(fixture)) if made else None)

    @validation(message="Ranks must run 1,2,2,4.")
    def ranks_run(self, input: SetStatusInput, ctx: RecordCtx) -> Verdict:
        """A shared rank, then a skip; none is missing."""
        fixture = _fixture(ctx)
        made = _made_official(input, fixture)
        return _verdict(outcomes.broken_ranks(outcomes.outcomes_of(fixture)) if made else None)

    @validation(message="Medals do not fit the ranks")
    def medals_fit_the_ranks(self, input: SetStatusInput, ctx: RecordCtx) -> Verdict:
        """A medal may be typed before the ranks; official is what fits."""
        fixture = _fixture(ctx)
        if status_word(input.status) != "OFFICIAL":
            return ok()
        return _verdict(outcomes.misfit_medals(fixture.archetype, outcomes.outcomes_of(fixture)))

    @validation(message="A side has a rank and no score", confirmable=True)
    def duel_has_scores(self, input: SetStatusInput, ctx: RecordCtx) -> Verdict:
        """A duel's rank is seldom typed without a score; a ranking's often is."""
        fixture = _fixture(ctx)
        if fixture.archetype != "duel" or fixture.scoring_mode == "events":
            return ok()
        if not _made_official(input, fixture):
            return ok()
        bare = [o for o in outcomes.outcomes_of(fixture) if o.rank is not None and not (o.score or o.mark)]
        if not bare:
            return ok()
        return reject(f"{bare[0].name} has a rank and no score. Confirm that there is none.")

    @validation(message="The winner has the lower score. Confirm it", confirmable=True)
    def winner_has_the_better_score(self, input: SetStatusInput, ctx: RecordCtx) -> Verdict:
        """Right after an award, a walkover or a disqualification; else a slip."""
        fixture = _fixture(ctx)
        if fixture.archetype != "duel" or not _made_official(input, fixture):
            return ok()
        plain = [one for one in outcomes.outcomes_of(fixture) if not one.mark]
        return _verdict(outcomes.upset(plain))

    @validation(message="Results of this fixture are typed: no release is pinned to it")
    def is_scored_by_events(self, input: Mapping[str, Any], ctx: RecordCtx) -> Verdict:
        """A scorecard is judged by the default of the moment."""
        return Verdict(ok=_fixture(ctx).scoring_mode == "events")

    @validation(message="The match has started and keeps its rules to the end")
    def has_not_started(self, input: Mapping[str, Any], ctx: RecordCtx) -> Verdict:
        """A live match is moved with a preview: `omnium releases move`."""
        status = _fixture(ctx).status
        if status in NOT_STARTED:
            return ok()
        return reject(
            f"This match is {status} and keeps its rules to the end. "
            "For a critical bug there is: omnium releases move."
        )


def _fixture(ctx: RecordCtx) -> Fixture[Mapping[str, Any]]:
    if ctx.fixture is None:
        raise ValueError("results act on a fixture")
    return ctx.fixture


def _side(ctx: RecordCtx, entry: uuid.UUID) -> Side:
    side = _fixture(ctx).side(str(entry))
    if side is None:
        raise ValueError(f"{entry} is not a side of this fixture")
    return side


def _verdict(said: str | None) -> Verdict:
    return ok() if said is None else reject(said)


def _made_official(input: SetStatusInput, fixture: Fixture[Mapping[str, Any]]) -> bool:
    return status_word(input.status) == "OFFICIAL" and _ranks_count(fixture)


def _ranks_count(fixture: Fixture[Mapping[str, Any]]) -> bool:
    """A match that is scored by events may have no ranks: they count once its log or a person gave one."""
    return fixture.scoring_mode != "events" or any(side.rank is not None for side in fixture.sides)


def _as_will_be(input: EditSideInput) -> dict[str, Any]:
    """The values that an edit leaves, in the words that are stored; what its mark hides is gone."""
    sent = input.model_dump(mode="json", by_alias=True, exclude_unset=True)
    if "medal" in sent:
        sent["medal"] = medal_word(sent["medal"])
    if "status" in sent:
        sent["status"] = side_mark(sent["status"])
        sent |= dict.fromkeys(HIDDEN_BY.get(sent["status"], ()))
    return sent
