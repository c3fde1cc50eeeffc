"""Kicks by team become kicks in order, or none where no order fits."""

from hypothesis import given
from hypothesis import strategies as st

from omnium_releases.readers.shootouts import Kick, interleaved

TEAMS = ("A", "B")


def kicks(a: str, b: str) -> list[Kick]:
    return [
        Kick(team, f"{team}{n}", c == "1")
        for team, row in zip(TEAMS, (a, b), strict=True)
        for n, c in enumerate(row)
    ]


def taken(a: str, b: str) -> str | None:
    order = interleaved(kicks(a, b), TEAMS)
    return None if order is None else "".join(k.team for k in order)


def test_it_ends_early_when_no_kick_left_can_change_it() -> None:
    assert taken("111", "000") == "ABABAB"


def test_the_second_team_began_where_only_that_fits() -> None:
    assert taken("1111", "10101"[:3] + "0") == "ABABABAB"
    assert taken("100", "1111") == "BABABAB"


def test_sudden_death_ends_after_equal_kicks() -> None:
    assert taken("111111", "111110") == "AB" * 6


def test_kicks_after_the_decision_fit_no_order() -> None:
    assert taken("11111", "00000") is None
    assert taken("1", "11111") is None


@given(st.lists(st.booleans(), min_size=14, max_size=40))
def test_a_shootout_that_was_played_is_found_again(outcomes: list[bool]) -> None:
    played: list[Kick] = []
    for number, scored in enumerate(outcomes):
        played.append(Kick(TEAMS[number % 2], str(number), scored))
        order = interleaved([k for t in TEAMS for k in played if k.team == t], TEAMS)
        if order is not None:
            assert sorted(order, key=lambda k: int(k.player)) == played
            return
