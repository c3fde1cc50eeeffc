"""The statements of releases say which fixtures are over as the one table of statuses does."""

from __future__ import annotations

import re

from omnium_store.statements import Statements
from omnium_store.statuses import OVER, FixtureStatus

STATEMENTS = Statements.of("omnium_releases")
LISTED = re.compile(r"IN \(('[A-Z]+'(?:, '[A-Z]+')*)\)")
LIVE = {FixtureStatus.LIVE, FixtureStatus.INTERRUPTED}


def test_every_list_of_statuses_is_those_that_are_over_live_or_both() -> None:
    lists = [
        {word.strip("'") for word in found.split(", ")}
        for sql in STATEMENTS.values()
        for found in LISTED.findall(sql)
    ]
    assert len(lists) >= 8
    assert [words for words in lists if words not in (OVER, LIVE, OVER | LIVE)] == []
