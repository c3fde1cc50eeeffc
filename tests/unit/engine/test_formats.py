"""Settings of new fixtures against the format model of the workflow that is going to play them."""

from __future__ import annotations

import uuid
from typing import Any

import orjson

from harness import courts
from omnium_worker import formats
from omnium_worker.rows import RecordRow

HOST = courts.host()


def added(**unit: Any) -> RecordRow:
    return RecordRow("fixture.add", orjson.dumps({"code": "M1", "sport": "court", **unit}))


def found(
    record: RecordRow, *, workflow: str = "court", release: uuid.UUID | None = None, **stored: Any
) -> Any:
    terms = formats.Terms(release_id=release or HOST.identity.release_id, workflow=workflow, stored=stored)
    [unit] = formats.new_units([record])
    return formats.problems(HOST, unit, terms)


def test_records_that_add_no_fixture_are_passed_over() -> None:
    assert formats.new_units([RecordRow("fixture.move", b"{}"), RecordRow("medals.set", b"{}")]) == []


def test_settings_that_fit_have_no_problem() -> None:
    assert found(added()) == ()
    assert found(added(format=None)) == ()
    assert found(added(format={"target": 5}), target=3) == ()


def test_settings_overlay_the_stored_format() -> None:
    assert found(added(format={"target": 5}, formatCode="short"), target=0) == ()


def test_each_problem_is_at_the_field_that_it_came_from() -> None:
    record = added(format={"sets": 3}, formatCode="short")
    assert found(record, target=0) == (
        {
            "field": "formatCode",
            "message": "short does not fit: target input should be greater than or equal to 1",
        },
        {"field": "format.sets", "message": "is not a setting of this format"},
    )


def test_nothing_is_said_of_another_releases_formats_or_of_an_unknown_workflow() -> None:
    wrong = added(format={"target": 0})
    assert found(wrong, release=uuid.UUID(int=9)) == ()
    assert found(wrong, workflow="curling") == ()
    assert found(wrong, workflow="desk") == ()
