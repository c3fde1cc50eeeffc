"""Football's commands: what a scorer can send, and the rules that guard each one, in the order they speak."""

from __future__ import annotations

from omnium_contract.flows.components import command
from omnium_flows.football.match.inputs import (
    AbandonInput,
    AwardInput,
    CardCancelInput,
    CardInput,
    CardMoveInput,
    GoalCancelInput,
    GoalInput,
    HalfEndInput,
    HalfStartInput,
    InjuryTimeInput,
    InterruptInput,
    LineupInput,
    MatchStartInput,
    Nothing,
    PenaltyInput,
    ShootoutExcludeInput,
    ShootoutKickInput,
    ShootoutStartInput,
    StatInput,
    SubstitutionInput,
)

#: Rules that every event in play obeys, in the order they speak.
_IN_PLAY = ("kicked_off", "half_is_open", "not_suspended", "not_over", "side_is_known", "enough_players")
_AT_THE_MATCH = ("kicked_off", "not_suspended", "not_over")
_CAUTIONS = ("caution_is_first", "caution_was_shown")
_ROWS = ("tallies",)
_ENDING = ("tallies", "placings")
_STATS = ("goals_node", "table")


class FootballCommands:
    """Mixed into `Football`."""

    @command(
        input=LineupInput,
        validations=("side_is_known", "lineup_is_early", "lineup_fits", "not_official"),
        actions=_ROWS,
        title="Line-up",
        description="The players of a side. Rules about squads bind a side only once it has given one.",
    )
    def lineup(self) -> None: ...

    @command(
        input=MatchStartInput,
        validations=(
            "fixture_is_on", "not_started", "two_sides", "sides_are_in_fixture", "kick_off_side_plays",
            "enough_players", "not_official",
        ),
        actions=_ROWS,
        title="Kick-off",
        description="The match begins, and its first half with it.",
    )  # fmt: skip
    def match_start(self) -> None: ...

    @command(
        input=HalfStartInput,
        validations=(
            *_AT_THE_MATCH, "enough_players", "period_is_next", "extra_time_is_played", "score_is_level",
            "kick_off_side_plays", "not_official",
        ),
        actions=_ROWS,
        title="Start of a period",
        description="The second half begins, or a half of extra time.",
    )  # fmt: skip
    def half_start(self) -> None: ...

    @command(
        input=HalfEndInput,
        validations=("kicked_off", "half_is_open", "not_suspended", "not_over", "not_official"),
        actions=_ROWS,
        title="End of the period",
        description="The period in progress ends.",
    )
    def half_end(self) -> None: ...

    @command(
        input=InjuryTimeInput,
        validations=("kicked_off", "half_is_open", "not_suspended", "not_over", "not_official"),
        title="Added time",
        description="The added time that is announced.",
    )
    def injury_time(self) -> None: ...

    @command(
        input=GoalInput,
        validations=(
            *_IN_PLAY, "golden_goal_stands", "people_are_on", "own_goal_by_other_side", "assist_fits",
            "not_official",
        ),
        actions=_ROWS,
        stats=_STATS,
        actors=(
            {"path": "input.scorer", "role": "scorer", "optional": True},
            {"path": "input.assist", "role": "assist", "optional": True},
        ),
        title="Goal",
        description="A goal, to one side, and how it came about. An own goal names the side it counts for "
        "and the player of the other side who conceded it.",
    )  # fmt: skip
    def goal(self) -> None: ...

    @command(
        input=GoalCancelInput,
        validations=("kicked_off", "not_over", "goal_stands", "not_official"),
        actions=_ROWS,
        stats=_STATS,
        title="Goal cancelled",
        description="A goal that does not stand. It stays in the list, marked, and a notice says so.",
    )
    def goal_cancel(self) -> None: ...

    @command(
        input=PenaltyInput,
        validations=(*_IN_PLAY, "golden_goal_stands", "people_are_on", "not_official"),
        actions=_ROWS,
        stats=_STATS,
        actors=({"path": "input.taker", "role": "taker", "optional": True},),
        title="Penalty",
        description="A penalty in play. Scored it is a goal; one to be retaken counts for nobody.",
    )
    def penalty(self) -> None: ...

    @command(
        input=CardInput,
        validations=("side_is_known", "person_is_in_squad", *_CAUTIONS, "not_official"),
        actions=_ROWS,
        stats=("table",),
        actors=({"path": "input.person", "role": "carded"},),
        title="Card",
        description="A card, at any time until the result is official.",
    )
    def card(self) -> None: ...

    @command(
        input=CardCancelInput,
        validations=("card_stands", "not_official"),
        actions=_ROWS,
        stats=("table",),
        title="Card cancelled",
        description="A card that does not stand.",
    )
    def card_cancel(self) -> None: ...

    @command(
        input=CardMoveInput,
        validations=("card_stands", "person_is_in_squad", *_CAUTIONS, "not_official"),
        actions=_ROWS,
        stats=("table",),
        actors=({"path": "input.to", "role": "carded"},),
        title="Card to another",
        description="A card shown to the wrong person is moved, and a sending-off with it.",
    )
    def card_move(self) -> None: ...

    @command(
        input=SubstitutionInput,
        validations=(
            "substitution_is_timely", "not_suspended", "not_over", "side_is_known", "players_may_change",
            "sent_off_is_not_replaced", "substitutions_left", "windows_left", "has_not_left", "not_official",
        ),
        actions=_ROWS,
        actors=({"path": "input.off", "role": "off"}, {"path": "input.on", "role": "on"}),
        title="Substitution",
        description="One player for another. Before kick-off it changes the line-up and uses nothing.",
    )  # fmt: skip
    def substitution(self) -> None: ...

    @command(
        input=StatInput,
        validations=(
            "kicked_off", "half_is_open", "not_suspended", "not_over", "side_is_known", "person_is_in_squad",
            "not_official",
        ),
        actions=_ROWS,
        actors=({"path": "input.player", "role": "player", "optional": True},),
        title="Count",
        description="A shot, corner, offside, foul, save or block.",
    )  # fmt: skip
    def stat(self) -> None: ...

    @command(
        input=ShootoutStartInput,
        validations=(
            *_AT_THE_MATCH, "side_is_known", "shootout_is_played", "periods_are_over", "tie_is_level",
            "not_official",
        ),
        actions=_ROWS,
        title="Shoot-out",
        description="Kicks from the penalty mark begin.",
    )  # fmt: skip
    def shootout_start(self) -> None: ...

    @command(
        input=ShootoutExcludeInput,
        validations=(
            *_AT_THE_MATCH, "side_is_known", "periods_are_over", "kicker_is_eligible", "exclusion_evens",
            "not_official",
        ),
        actors=({"path": "input.player", "role": "excluded"},),
        title="Left out",
        description="A side leaves a player out of the shoot-out so that both have as many.",
    )  # fmt: skip
    def shootout_exclude(self) -> None: ...

    @command(
        input=ShootoutKickInput,
        validations=(
            "shootout_was_started", "not_suspended", "not_over", "side_is_known", "sides_are_equal",
            "shootout_turn", "kicker_is_eligible", "kicker_is_due", "shootout_is_open", "not_official",
        ),
        actions=_ROWS,
        actors=({"path": "input.kicker", "role": "kicker", "optional": True},),
        title="Kick",
        description="One kick of the shoot-out, by the side that it names.",
    )  # fmt: skip
    def shootout_kick(self) -> None: ...

    @command(
        input=InterruptInput,
        validations=(*_AT_THE_MATCH, "not_official"),
        title="Suspended",
        description="Play is suspended and the clock stops.",
    )
    def interrupt(self) -> None: ...

    @command(
        input=Nothing,
        validations=("kicked_off", "not_over", "is_suspended", "enough_players", "not_official"),
        actions=_ENDING,
        title="Resumed",
        description="Play goes on, after a suspension or from where the match was abandoned.",
    )
    def resume(self) -> None: ...

    @command(
        input=AbandonInput,
        validations=("kicked_off", "not_abandoned", "not_over", "not_official"),
        actions=_ENDING,
        stats=_STATS,
        title="Abandoned",
        description="The match is broken off. It has no result until it is resumed or awarded.",
    )
    def abandon(self) -> None: ...

    @command(
        input=AwardInput,
        validations=("sides_were_named", "award_fits", "not_official"),
        actions=_ENDING,
        stats=_STATS,
        title="Award",
        description="An authority gives the match. Without goals it is the format's score; a better one on "
        "the field stands.",
    )
    def award(self) -> None: ...

    @command(
        input=Nothing,
        validations=(
            *_AT_THE_MATCH,
            "halves_were_played",
            "shootout_was_decided",
            "tie_is_decided",
            "not_official",
        ),
        actions=_ENDING,
        stats=_STATS,
        title="Final whistle",
        description="The match is over.",
    )
    def match_end(self) -> None: ...
