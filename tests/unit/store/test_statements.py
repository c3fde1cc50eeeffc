"""Named SQL is read by name, and a block that nobody can understand is refused."""

from __future__ import annotations

import pytest

from omnium_store.statements import Statements, parse, statement

TWO = """-- A comment of the file.

-- name: one
-- The first.
SELECT 1;

-- name: two
-- The second,
-- and more about it.
SELECT 2
-- inside
FROM t
"""


def test_blocks_are_found_by_name_without_their_comments() -> None:
    assert parse(TWO, origin="x.sql") == {"one": "SELECT 1", "two": "SELECT 2\n-- inside\nFROM t"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("-- name: a\nSELECT 1", "a needs a comment line"),
        ("-- name: a\n-- Why.\n", "a has no SQL"),
        ("-- name: a\n-- Why.\nSELECT 1\n-- name: a\n-- Why.\nSELECT 2", "a is there twice"),
    ],
)
def test_a_bad_block_is_refused_by_name(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        parse(text, origin="x.sql")


def test_the_stores_own_statements_are_all_readable() -> None:
    found = Statements.of("omnium_store")
    assert len(found) > 10
    assert all(statement(name) for name in found)


def test_an_unknown_statement_is_named_in_the_error() -> None:
    with pytest.raises(KeyError, match="no_such"):
        statement("no_such")


def test_a_package_without_sql_has_no_statements() -> None:
    assert len(Statements.of("omnium_proto")) == 0
