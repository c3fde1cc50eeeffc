"""Football's rules: each says yes, or one sentence that names the thing and the way out."""

from __future__ import annotations

from omnium_contract.flows.components import validation
from omnium_contract.flows.types import Ctx, Verdict, ok, reject
from omnium_flows.football.constants import SubKind
from omnium_flows.football.match import board, course, eligibility
from omnium_flows.football.match.inputs import AwardInput, LineupInput, MatchStartInput, SubstitutionInput
from omnium_flows.football.match.periods import leader
from omnium_flows.football.match.sent import Raw, said, seq, shown
from omnium_flows.football.match.settings import FootballFormat
from omnium_flows.football.match.shootout import number_of_kickers
from omnium_flows.football.match.shootout import score_text as kicks_text

Match = Ctx[FootballFormat]


def _unless(problem: str | None) -> Verdict:
    return ok() if problem is None else reject(problem)


class FootballValidations:
    """Mixed into `Football`. In the order that a scorer must hear them."""

    # The course of the match

    @validation(message="The match is postponed or cancelled. Set it back to scheduled first.")
    def fixture_is_on(self, input: Raw, ctx: Match) -> Verdict:
        """Refuses to begin what is postponed or cancelled."""
        status = ctx.fixture.status.lower()
        off = status in ("postponed", "cancelled")
        return _unless(f"The match is {status}. Set it back to scheduled first." if off else None)

    @validation(message="The match has already begun")
    def not_started(self, input: Raw, ctx: Match) -> Verdict:
        """A match starts once."""
        return _unless("The match has already begun" if ctx.derived.get("started") else None)

    @validation(message="A match has two different sides")
    def two_sides(self, input: MatchStartInput, ctx: Match) -> Verdict:
        """Refuses a team playing itself."""
        return _unless("A match has two different sides" if input.home == input.away else None)

    @validation(message="That side is not in this match.")
    def sides_are_in_fixture(self, input: MatchStartInput, ctx: Match) -> Verdict:
        """Who plays is settled by the fixture, where it has sides."""
        known = {side.entry for side in ctx.fixture.sides}
        strange = next((side for side in (input.home, input.away) if known and side not in known), None)
        return _unless(None if strange is None else f"{strange} is not a side of this match.")

    @validation(message="The match has not kicked off.")
    def kicked_off(self, input: Raw, ctx: Match) -> Verdict:
        """What happens in a match needs a match."""
        return _unless(None if ctx.derived.get("started") else "The match has not kicked off.")

    @validation(message="The match has not kicked off.")
    def substitution_is_timely(self, input: SubstitutionInput, ctx: Match) -> Verdict:
        """Before kick-off only a line-up can be changed."""
        timely = ctx.derived.get("started") or board.gave_lineup(ctx.derived, input.entry)
        return _unless(None if timely else "The match has not kicked off.")

    @validation(message="The match has kicked off. Record a substitution instead.")
    def lineup_is_early(self, input: Raw, ctx: Match) -> Verdict:
        """A line-up is given before kick-off."""
        late = ctx.derived.get("started")
        return _unless("The match has kicked off. Record a substitution instead." if late else None)

    @validation(message="No half is open")
    def half_is_open(self, input: Raw, ctx: Match) -> Verdict:
        """Play needs a period in progress, or names the one that it is added to."""
        return _unless(course.no_open_period(ctx.derived, said(input, "period")))

    @validation(message="Play is suspended. Resume first.")
    def not_suspended(self, input: Raw, ctx: Match) -> Verdict:
        """Only cards are shown while play is suspended."""
        return _unless(course.suspended(ctx.derived))

    @validation(message="Play is not suspended.")
    def is_suspended(self, input: Raw, ctx: Match) -> Verdict:
        """Only what stands still can go on."""
        return _unless(None if course.suspended(ctx.derived) else "Play is not suspended.")

    @validation(message="The match is abandoned already.")
    def not_abandoned(self, input: Raw, ctx: Match) -> Verdict:
        """A match is abandoned once."""
        return _unless("The match is abandoned already." if ctx.derived.get("abandoned") else None)

    @validation(message="The match is over.")
    def not_over(self, input: Raw, ctx: Match) -> Verdict:
        """After the final whistle only cards are shown (Laws 5 and 12)."""
        return _unless("The match is over." if ctx.derived.get("done") else None)

    @validation(message="A side has too few players. The match cannot go on (Law 3).")
    def enough_players(self, input: Raw, ctx: Match) -> Verdict:
        """With too few players there is no start and no restart (Law 3.1)."""
        named = (said(input, "home"), said(input, "away"))
        sides = tuple(side for side in named if side) or tuple(ctx.derived.get("sides") or ())
        short = course.too_few_players(ctx.derived, sides, ctx.fixture.format)
        return _unless(
            None if short is None else board.too_few(board.side_name(ctx, short), ctx.fixture.format)
        )

    @validation(message="It is not the time of that period.")
    def period_is_next(self, input: Raw, ctx: Match) -> Verdict:
        """Periods come in their order, each after the one before has ended."""
        return _unless(course.wrong_period(ctx.derived, said(input, "period") or "", ctx.fixture.format))

    @validation(message="Extra time is not part of this match.")
    def extra_time_is_played(self, input: Raw, ctx: Match) -> Verdict:
        """Extra time is a setting of the format."""
        extra = (said(input, "period") or "").startswith("ET")
        missing = extra and not ctx.fixture.format.extra_minutes
        return _unless("Extra time is not part of this match." if missing else None)

    @validation(message="The score is not level.")
    def score_is_level(self, input: Raw, ctx: Match) -> Verdict:
        """Extra time is for a match, or a tie on aggregate, that is level."""
        return _unless(course.not_level(ctx.derived, said(input, "period") or "", ctx.fixture.format))

    @validation(message="The side that kicks off is not in this match.")
    def kick_off_side_plays(self, input: Raw, ctx: Match) -> Verdict:
        """Whoever kicks off plays in the match."""
        side = said(input, "kickOff", "kick_off")
        named = [said(input, "home"), said(input, "away")]
        plays = named if any(named) else ctx.derived.get("sides") or ()
        return _unless(None if side is None or side in plays else f"{side} is not a side of this match.")

    @validation(message="The golden goal decided the match. End the match.")
    def golden_goal_stands(self, input: Raw, ctx: Match) -> Verdict:
        """Nothing comes after a golden goal."""
        return _unless(course.golden_goal(ctx.derived, ctx.fixture.format))

    @validation(message="The match was not played to its end.")
    def halves_were_played(self, input: Raw, ctx: Match) -> Verdict:
        """The final whistle comes after the last period."""
        return _unless(course.unplayed(ctx.derived, ctx.fixture.format))

    @validation(message="The shoot-out is not decided.")
    def shootout_was_decided(self, input: Raw, ctx: Match) -> Verdict:
        """A shoot-out that was begun has a winner."""
        return _unless(course.shootout_open(ctx.derived, ctx.fixture.format))

    @validation(
        message="The score is level. Confirm that the match ends level.",
        confirmable=True,
        title="Ends level",
        description="A knock-out match that ends level although extra time or a shoot-out could decide it.",
    )
    def tie_is_decided(self, input: Raw, ctx: Match) -> Verdict:
        """Asks before a knock-out match ends level."""
        return _unless(course.undecided(ctx.derived, ctx.fixture.format))

    # Sides, squads and goals

    @validation(message="That side is not in this match.")
    def side_is_known(self, input: Raw, ctx: Match) -> Verdict:
        """The side named plays in the match."""
        side, sides = said(input, "entry", "first"), ctx.derived.get("sides") or ()
        return _unless(None if not sides or side in sides else f"{side} is not a side of this match.")

    @validation(message="That line-up cannot stand.")
    def lineup_fits(self, input: LineupInput, ctx: Match) -> Verdict:
        """As many as the format allows, nobody twice, captain and goalkeeper among the starters."""
        return _unless(eligibility.misnamed(input, board.side_name(ctx, input.entry), ctx.fixture.format))

    @validation(message="That player is not on the field.")
    def people_are_on(self, input: Raw, ctx: Match) -> Verdict:
        """Scorer, assistant and taker are on the field, where the side gave a line-up."""
        people = {role: said(input, role) for role in ("scorer", "assist", "taker")}
        entry = said(input, "entry") or ""
        return _unless(eligibility.not_playing(ctx.derived, entry, people, said(input, "kind")))

    @validation(message="An own goal is scored by a player of the other team.")
    def own_goal_by_other_side(self, input: Raw, ctx: Match) -> Verdict:
        """An own goal names the side it counts for and a player of the other one."""
        if said(input, "kind") != "own_goal":
            return ok()
        entry = said(input, "entry") or ""
        name = board.side_name(ctx, entry)
        return _unless(eligibility.wrong_own_goal(ctx.derived, entry, said(input, "scorer"), name))

    @validation(message="That assist cannot be one.")
    def assist_fits(self, input: Raw, ctx: Match) -> Verdict:
        """Nobody assists himself, and own goals and direct penalties have no assist."""
        kind = said(input, "kind") or ""
        return _unless(eligibility.wrong_assist(kind, said(input, "scorer"), said(input, "assist")))

    @validation(message="There is no such goal.")
    def goal_stands(self, input: Raw, ctx: Match) -> Verdict:
        """Only a goal that counts can be cancelled."""
        goal = board.goal_numbered(ctx.derived, seq(input))
        if goal is None:
            return reject(f"Event {seq(input)} is not a goal.")
        return _unless("That goal is cancelled already." if "cancelled" in goal else None)

    # Cards

    @validation(message="There is no such card.")
    def card_stands(self, input: Raw, ctx: Match) -> Verdict:
        """Only a card that counts can be cancelled or moved."""
        card = board.card_numbered(ctx.derived, seq(input))
        if card is None:
            return reject(f"Event {seq(input)} is not a card.")
        return _unless("That card is cancelled already." if "cancelled" in card else None)

    @validation(message="That person is not in the squad.")
    def person_is_in_squad(self, input: Raw, ctx: Match) -> Verdict:
        """A card, or a count, is for somebody in the squad, where the side gave a line-up."""
        card = shown(input, ctx)
        return _unless(eligibility.not_in_squad(ctx.derived, card) if card and card.person else None)

    @validation(
        message="This is a second yellow: he is sent off.",
        confirmable=True,
        title="Second yellow",
        description="A yellow card to somebody who has been cautioned is a second yellow.",
    )
    def caution_is_first(self, input: Raw, ctx: Match) -> Verdict:
        """Asks before a yellow card becomes a second yellow."""
        card = shown(input, ctx)
        if card is None or not eligibility.is_second_caution(ctx.derived, card):
            return ok()
        return reject(f"{card.person} has been cautioned. This is a second yellow: he is sent off.")

    @validation(
        message="He has no caution. Record a yellow, or a straight red.",
        confirmable=True,
        title="No first caution",
        description="A second yellow to somebody without a caution on record.",
    )
    def caution_was_shown(self, input: Raw, ctx: Match) -> Verdict:
        """Asks before a second yellow stands without a first."""
        card = shown(input, ctx)
        if card is None or not eligibility.lacks_caution(ctx.derived, card):
            return ok()
        return reject(f"{card.person} has no caution. Record a yellow, or a straight red.")

    # Substitutions

    @validation(message="These two cannot change places.")
    def players_may_change(self, input: SubstitutionInput, ctx: Match) -> Verdict:
        """One is on the field and the other on the bench, where the side gave a line-up."""
        return _unless(eligibility.cannot_change(ctx.derived, input))

    @validation(message="A sent-off player cannot be replaced.")
    def sent_off_is_not_replaced(self, input: SubstitutionInput, ctx: Match) -> Verdict:
        """Only before kick-off a named substitute takes the place of a player who was sent off."""
        replaced = eligibility.replaces_sent_off(ctx.derived, input)
        return _unless("A sent-off player cannot be replaced." if replaced else None)

    @validation(
        message="The side has used its substitutions.",
        confirmable=True,
        title="Substitutions used",
        description="More substitutions than the format allows.",
    )
    def substitutions_left(self, input: SubstitutionInput, ctx: Match) -> Verdict:
        """Asks before a side goes beyond its substitutions. Before kick-off a change uses none."""
        if not ctx.derived.get("started"):
            return ok()
        name = board.side_name(ctx, input.entry)
        return _unless(eligibility.no_substitution_left(ctx.derived, input, name, ctx.fixture.format))

    @validation(
        message="The side has used its windows; wait for half-time.",
        confirmable=True,
        title="Windows used",
        description="More stoppages than the format allows. Records may not mark concussion changes.",
    )
    def windows_left(self, input: SubstitutionInput, ctx: Match) -> Verdict:
        """Asks before a side uses a further stoppage; a break is none."""
        number = board.windows_allowed(ctx.derived, ctx.fixture.format)
        if not number or input.kind != SubKind.NORMAL or not ctx.derived.get("halfOpen"):
            return ok()
        used = board.subs_of(ctx.derived, input.entry)["windows"]
        if len(used) < number or eligibility.window_told(ctx.derived, input) in used:
            return ok()
        return reject(
            f"{board.side_name(ctx, input.entry)} has used its {number} windows; wait for half-time."
        )

    @validation(message="That player has already left the field and may not return.")
    def has_not_left(self, input: SubstitutionInput, ctx: Match) -> Verdict:
        """Nobody returns, unless the format lets substituted players come on again."""
        gone = board.has_left(ctx.derived, input.entry, input.on) and not ctx.fixture.format.return_subs
        return _unless(f"{input.on} has already left the field and may not return." if gone else None)

    # The shoot-out (Law 10.3)

    @validation(message="A shoot-out is not part of this match.")
    def shootout_is_played(self, input: Raw, ctx: Match) -> Verdict:
        """A shoot-out is a setting of the format, and there is one."""
        return _unless(course.no_shootout(ctx.derived, ctx.fixture.format))

    @validation(message="The match has periods to come.")
    def periods_are_over(self, input: Raw, ctx: Match) -> Verdict:
        """The shoot-out comes after the last period."""
        return _unless(course.periods_to_come(ctx.derived, ctx.fixture.format))

    @validation(message="The shoot-out starts only when the match (or the tie on aggregate) is level.")
    def tie_is_level(self, input: Raw, ctx: Match) -> Verdict:
        """Kicks decide what is level and nothing else."""
        return Verdict(ok=leader(ctx.derived, ctx.fixture.format) is None)

    @validation(message="The shoot-out has not started.")
    def shootout_was_started(self, input: Raw, ctx: Match) -> Verdict:
        """A kick belongs to a shoot-out."""
        return Verdict(ok=bool(ctx.derived.get("shootout")))

    @validation(message="A side must first exclude one player (Law 10.3).")
    def sides_are_equal(self, input: Raw, ctx: Match) -> Verdict:
        """Both sides kick with as many players, where both gave a line-up."""
        sides = ctx.derived.get("sides") or ()
        if not eligibility.all_gave_lineups(ctx.derived, sides):
            return ok()
        least, most = sorted((number_of_kickers(ctx.derived, s, ctx.fixture.format), s) for s in sides)
        if least[0] == most[0]:
            return ok()
        more, fewer = board.side_name(ctx, most[1]), board.side_name(ctx, least[1])
        counted = f"{more} has {most[0]} and {fewer} has {least[0]}"
        return reject(f"{more} must first exclude one player: {counted} (Law 10.3).")

    @validation(message="That side has nobody to leave out.")
    def exclusion_evens(self, input: Raw, ctx: Match) -> Verdict:
        """Only the side with more players leaves one out."""
        entry, sides = said(input, "entry") or "", ctx.derived.get("sides") or ()
        if not eligibility.all_gave_lineups(ctx.derived, sides):
            return ok()
        number = {side: number_of_kickers(ctx.derived, side, ctx.fixture.format) for side in sides}
        if number[entry] > min(number.values()):
            return ok()
        return reject(
            f"{board.side_name(ctx, entry)} has no more players than its opponents: nobody is left out."
        )

    @validation(message="It is the other side's kick.")
    def shootout_turn(self, input: Raw, ctx: Match) -> Verdict:
        """The sides take turns."""
        following = (ctx.derived.get("shootout") or {}).get("next")
        right = following in (None, said(input, "entry"))
        return _unless(None if right else f"It is {board.side_name(ctx, following or '')}'s kick.")

    @validation(message="That player is not eligible.")
    def kicker_is_eligible(self, input: Raw, ctx: Match) -> Verdict:
        """Only who was on the field at the end may kick, where the side gave a line-up."""
        person = said(input, "kicker", "player")
        return _unless(
            eligibility.cannot_kick(ctx.derived, said(input, "entry") or "", person) if person else None
        )

    @validation(message="That player has kicked; team-mates still have to.")
    def kicker_is_due(self, input: Raw, ctx: Match) -> Verdict:
        """Everybody kicks once before anybody kicks twice."""
        person = said(input, "kicker")
        problem = (
            eligibility.kicks_too_soon(ctx.derived, said(input, "entry") or "", person) if person else None
        )
        return _unless(problem)

    @validation(message="The shoot-out is decided.")
    def shootout_is_open(self, input: Raw, ctx: Match) -> Verdict:
        """No kick comes after the decision."""
        decided = (ctx.derived.get("shootout") or {}).get("decided")
        return _unless(f"The shoot-out is decided {kicks_text(ctx.derived)}." if decided else None)

    # Awards, and the end of all changes

    @validation(message="The sides of the match are not known.")
    def sides_were_named(self, input: Raw, ctx: Match) -> Verdict:
        """An award needs the two sides, of the fixture or of the kick-off."""
        return Verdict(ok=len(ctx.derived.get("sides") or ()) == 2)

    @validation(message="That award does not fit.")
    def award_fits(self, input: AwardInput, ctx: Match) -> Verdict:
        """The winner plays in the match and has the more goals."""
        return _unless(eligibility.misgiven(ctx.derived, input, board.side_name(ctx, input.winner or "")))

    @validation(message="Official: reopen the match to change it.")
    def not_official(self, input: Raw, ctx: Match) -> Verdict:
        """An official result is reopened before anything changes."""
        official = ctx.fixture.official or ctx.fixture.status == "OFFICIAL"
        return _unless("Official: reopen the match to change it." if official else None)
