"""The settings of a match: whatever competitions vary, with the defaults of the Laws of the Game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import BeforeValidator, Field

from omnium_flows.football.constants import TableStep, Withdrawal
from omnium_flows.shared.inputs import Input

_H2H: Final = (TableStep.H2H_POINTS, TableStep.H2H_GOAL_DIFFERENCE, TableStep.H2H_GOALS_FOR)
_DIFFERENCE: Final = (TableStep.GOAL_DIFFERENCE, TableStep.GOALS_FOR)
#: Orders that competitions use. Which one a competition uses is always a setting: published lists disagree.
TABLE_ORDERS: Final[Mapping[str, tuple[TableStep, ...]]] = {
    "fifa_gd": (TableStep.POINTS, *_DIFFERENCE, *_H2H, TableStep.FAIR_PLAY, TableStep.LOTS),
    "h2h_first": (
        TableStep.POINTS,
        *_H2H,
        *_DIFFERENCE,
        TableStep.FAIR_PLAY,
        TableStep.RANKING,
        TableStep.LOTS,
    ),
    "wins_second": (
        TableStep.POINTS,
        TableStep.WINS,
        *_DIFFERENCE,
        *_H2H,
        TableStep.FAIR_PLAY,
        TableStep.LOTS,
    ),
}


def _table_order(told: Any) -> Any:
    return TABLE_ORDERS.get(told, told) if isinstance(told, str) else told


class FairPlay(Input):
    """Fair-play points: one line a person and match."""

    yellow: int = Field(default=-1, ge=-20, le=0, title="Caution", description="Points for a caution.")
    second_yellow: int = Field(
        default=-3, ge=-20, le=0, title="Second caution", description="For a sending-off by two cautions."
    )
    red: int = Field(default=-4, ge=-20, le=0, title="Red", description="For a direct sending-off.")
    yellow_red: int = Field(
        default=-5,
        ge=-20,
        le=0,
        title="Caution and red",
        description="For a caution and a direct sending-off.",
    )
    officials: bool = Field(
        default=True, title="Officials count", description="Whether cards to team officials count."
    )


class FootballFormat(Input):
    """The settings of a match, with the defaults of the Laws of the Game."""

    halves: int = Field(default=2, ge=1, le=4, title="Halves", description="Periods of regular time.")
    half_minutes: int = Field(default=45, ge=5, le=60, title="Half", description="Minutes of each of them.")
    extra_time: str = Field(
        default="none",
        pattern=r"^(none|2x[1-9][0-9]?)$",
        title="Extra time",
        description="`none`, or its two halves in minutes: `2x15`.",
    )
    golden_goal: bool = Field(
        default=False, title="Golden goal", description="Whether a goal in extra time ends the match."
    )
    shootout_kicks: int = Field(
        default=5,
        ge=0,
        le=11,
        title="Kicks",
        description="Kicks a side before sudden death; 0 for no shoot-out.",
    )
    replay_if_level: bool = Field(
        default=False,
        title="Replay",
        description="Whether a knock-out match that ends level is played again.",
    )
    players: int = Field(default=11, ge=3, le=11, title="Players", description="Players a side.")
    min_players: int = Field(
        default=7, ge=1, le=11, title="Least", description="With fewer no match goes on."
    )
    subs: int = Field(default=5, ge=0, le=99, title="Substitutions", description="Substitutions a side.")
    extra_time_subs: int = Field(
        default=1,
        ge=0,
        le=9,
        title="In extra time",
        description="Further substitutions, and windows, in extra time.",
    )
    sub_windows: int = Field(
        default=3, ge=0, le=99, title="Windows", description="Stoppages to use them in; 0 for any number."
    )
    concussion_subs: int = Field(
        default=1, ge=0, le=9, title="Concussion", description="Concussion substitutions beside the others."
    )
    bench: int = Field(default=12, ge=0, le=30, title="Bench", description="Named substitutes a side.")
    return_subs: bool = Field(
        default=False, title="Return", description="Whether a substituted player may come on again."
    )
    sub_leave_seconds: int = Field(
        default=10,
        ge=0,
        le=600,
        title="Leaving",
        description="Seconds that a substituted player has to leave.",
    )
    points: tuple[int, int, int] = Field(
        default=(3, 1, 0), title="Points", description="Table points for a win, a draw and a defeat."
    )
    award_score: tuple[int, int] = Field(
        default=(3, 0), title="Award", description="Goals of an awarded match: winner, loser."
    )
    table_order: Annotated[tuple[TableStep, ...], BeforeValidator(_table_order)] = Field(
        default=TABLE_ORDERS["fifa_gd"],
        min_length=1,
        title="Table order",
        description="Criteria of the table, first first; or `fifa_gd`, `h2h_first`, `wins_second`.",
    )
    h2h_reapply: bool = Field(
        default=True,
        alias="h2hReapply",  # the generator would write h2HReapply
        title="Head-to-head again",
        description="Whether sides still level after head-to-head are compared by it among themselves again.",
    )
    goal_average: bool = Field(
        default=False,
        title="Goal average",
        description="Whether the ratio of goals stands for their difference.",
    )
    withdrawn: Withdrawal = Field(
        default=Withdrawal.EXPUNGE,
        title="Withdrawal",
        description="What becomes of a withdrawn side's matches.",
    )
    fair_play: FairPlay = Field(
        default=FairPlay(), title="Fair play", description="Points that cards cost in the fair-play order."
    )
    single_yellow_wipe_after: str | None = Field(
        default=None,
        max_length=32,
        title="Cautions lapse",
        description="The stage after which single cautions no longer count for a suspension; none for never.",
    )
    var: bool = Field(default=False, title="Video review", description="Whether there are video assistants.")
    first_leg_home: int | None = Field(
        default=None,
        ge=0,
        le=99,
        title="First leg, home",
        description="First-leg goals of the side at home now.",
    )
    first_leg_away: int | None = Field(
        default=None,
        ge=0,
        le=99,
        title="First leg, away",
        description="First-leg goals of the side away now.",
    )
    away_goals: bool = Field(
        default=False,
        title="Away goals",
        description="Whether goals away from home decide a level aggregate.",
    )

    @property
    def extra_minutes(self) -> int:
        """Minutes of each half of extra time, 0 for none."""
        return 0 if self.extra_time == "none" else int(self.extra_time.partition("x")[2])

    @property
    def has_first_leg(self) -> bool:
        """Whether this is the second leg of a tie."""
        return self.first_leg_home is not None and self.first_leg_away is not None
