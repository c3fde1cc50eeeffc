"""The numbers of each person and side, kept in the state while the match goes on."""

from __future__ import annotations

from typing import Any

State = dict[str, Any]


def of_person(state: State, entry: str, person: str) -> dict[str, Any]:
    """The person's numbers, made at first sight. Two people of one name on two sides are two people."""
    people: dict[str, dict[str, Any]] = state["byPlayer"]
    fresh = {"entry": entry, "person": person}
    own = people.setdefault(person, fresh)
    return own if own["entry"] == entry else people.setdefault(f"{person} ({entry})", fresh)


def add(state: State, entry: str, person: str | None, number: str, by: int = 1) -> None:
    """Add to one number of a person; nothing where the person is not named."""
    if person:
        numbers = of_person(state, entry, person)
        numbers[number] = numbers.get(number, 0) + by


def add_for_side(state: State, entry: str, number: str, by: int = 1) -> None:
    """Add to one number of a side that is counted without its people."""
    counts: dict[str, int] = state["counts"].setdefault(entry, {})
    counts[number] = counts.get(number, 0) + by
