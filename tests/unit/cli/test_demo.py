"""The demo is a match that ends."""

from __future__ import annotations

from omnium import demo


def test_the_story_begins_with_the_start_and_ends_with_the_end() -> None:
    codes = [code for code, _ in demo._story("home", "away")]
    assert (codes[0], codes[-1]) == ("match_start", "match_end")
    assert codes.count("half_end") == 2
