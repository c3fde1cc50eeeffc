"""Two inputs are told apart field by field, as whoever fills them in sees them."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, Field

from omnium_releases.shapes import field_changes


class Kind(StrEnum):
    """A choice."""

    OPEN = "open"
    PENALTY = "penalty"


class Scorer(BaseModel):
    """A nested model."""

    name: str
    shirt: int | None = None


class Goal(BaseModel):
    """An input."""

    minute: Annotated[int, Field(ge=0, le=120, description="of play")]
    kind: Kind = Kind.OPEN
    scorers: list[Scorer] = []


class Tree(BaseModel):
    """A model that holds itself."""

    name: str
    inner: list[Tree] = []


def changes(
    old: type[BaseModel] | None, new: type[BaseModel] | None
) -> list[tuple[str, str, str | None, str | None]]:
    before, after = (model.model_json_schema() if model else None for model in (old, new))
    return [(c.field, c.change, c.old, c.new) for c in field_changes(before, after)]


def test_the_same_shape_has_no_changes() -> None:
    assert changes(Goal, Goal) == changes(Tree, Tree) == changes(None, None) == []


def test_words_for_people_are_no_change_of_shape() -> None:
    class Reworded(BaseModel):
        """Another text."""

        minute: Annotated[int, Field(ge=0, le=120, description="of the match", title="Minute")]
        kind: Kind = Kind.OPEN
        scorers: list[Scorer] = []

    assert changes(Goal, Reworded) == []


def test_a_field_that_is_new_gone_or_bounded_otherwise_is_told_with_what_it_takes() -> None:
    class Later(BaseModel):
        minute: Annotated[int, Field(ge=0, le=130)]
        scorers: list[Scorer] = []
        own: bool

    assert changes(Goal, Later) == [
        ("kind", "removed", 'one of open, penalty (default "open"), optional', None),
        (
            "minute",
            "changed",
            "integer (maximum 120, minimum 0), required",
            "integer (maximum 130, minimum 0), required",
        ),
        ("own", "added", None, "boolean, required"),
    ]


def test_what_stands_inside_lists_and_choices_is_told_by_its_path() -> None:
    class Named(BaseModel):
        name: str
        shirt: str | None = None

    class Later(BaseModel):
        minute: Annotated[int, Field(ge=0, le=120)]
        kind: Kind = Kind.OPEN
        scorers: list[Named] = []

    assert [(field, change) for field, change, *_ in changes(Goal, Later)] == [("scorers[].shirt", "changed")]


def test_optional_and_required_are_two_shapes() -> None:
    class Bare(BaseModel):
        name: str

    class Lenient(BaseModel):
        name: str = "x"

    assert changes(Bare, Lenient) == [
        ("name", "changed", "string, required", 'string (default "x"), optional')
    ]


def test_a_choice_that_gets_longer_is_a_change() -> None:
    class Longer(StrEnum):
        OPEN = "open"
        PENALTY = "penalty"
        OWN = "own"

    class One(BaseModel):
        kind: Kind

    class Two(BaseModel):
        kind: Longer

    assert changes(One, Two) == [
        ("kind", "changed", "one of open, penalty, required", "one of open, penalty, own, required")
    ]


def test_a_whole_input_is_added_field_by_field() -> None:
    assert {(field, change) for field, change, *_ in changes(None, Scorer)} == {
        ("name", "added"),
        ("shirt", "added"),
    }
