"""What verbs print."""

from __future__ import annotations

import json

import pytest

from omnium.output import Output, cell, confirm_change, show_record, show_rows
from omnium_store.errors import Refused

ROWS = [
    {"version": "0.9.0", "sports": ["football", "games"], "default": True, "note": None},
    {"version": "0.10.0", "sports": [], "default": False, "note": "[b]not markup[/b]"},
]


def test_ids_are_one_a_line_for_the_next_verb(capsys: pytest.CaptureFixture[str]) -> None:
    show_rows(ROWS, columns=("version",), output=Output.IDS, identity="version")
    assert capsys.readouterr().out == "0.9.0\n0.10.0\n"


def test_json_is_everything_also_what_the_table_leaves_out(capsys: pytest.CaptureFixture[str]) -> None:
    show_rows(ROWS, columns=("version",), output=Output.JSON, identity="version")
    assert json.loads(capsys.readouterr().out) == ROWS


def test_a_table_has_its_columns_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    show_rows(ROWS, columns=("version", "sports", "default", "note"), output=Output.TABLE, identity="version")
    lines = [line.split("  ") for line in capsys.readouterr().out.splitlines() if line.strip()]
    words = [[word.strip() for word in line if word.strip()] for line in lines]
    assert words[0] == ["version", "sports", "default", "note"]
    assert words[-2:] == [
        ["0.9.0", "football, games", "yes", "-"],
        ["0.10.0", "-", "no", "[b]not markup[/b]"],
    ]


def test_a_card_has_a_line_for_each_member(capsys: pytest.CaptureFixture[str]) -> None:
    show_record(ROWS[0], output=Output.TABLE, identity="version")
    assert capsys.readouterr().out.splitlines() == [
        "version  0.9.0",
        "sports   football, games",
        "default  yes",
        "note     -",
    ]


def test_a_cell_shows_nested_values_as_json() -> None:
    assert cell({"a": [1, None]}) == '{"a": [1, null]}'


def test_a_change_is_shown_and_needs_a_yes_where_nobody_can_be_asked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(Refused, match="--yes"):
        confirm_change(
            {"default": "0.8.0", "sport": "football"}, {"default": "0.9.0", "sport": "football"}, yes=False
        )
    shown = capsys.readouterr()
    assert shown.err.splitlines() == ["  default: 0.8.0 -> 0.9.0", "  sport: football"]
    assert shown.out == ""


def test_a_change_with_yes_is_shown_and_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    confirm_change({}, {"default": "0.9.0"}, yes=True)
    assert capsys.readouterr().err == "  default: - -> 0.9.0\n"
