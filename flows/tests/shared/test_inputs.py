"""What inputs are made of."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from omnium_flows.shared.inputs import Choice, Entry, Input, Person


class Size(Choice):
    SMALL = "small", "A small one"
    LARGE = "large", "A large one"


class Order(Input):
    for_whom: Person
    size: Size
    side: Entry


def test_both_spellings_are_read_and_blanks_fall_away() -> None:
    told = {"forWhom": " Ali ", "size": "small", "side": "a"}
    assert Order.model_validate(told).for_whom == "Ali"
    assert Order.model_validate({"for_whom": "Ali", "size": "small", "side": "a"}).size is Size.SMALL


@pytest.mark.parametrize(
    "told",
    [
        {"forWhom": "Ali", "size": "small", "side": "a", "typo": 1},
        {"forWhom": "   ", "size": "small", "side": "a"},
        {"forWhom": "Ali", "size": "A small one", "side": "a"},
        {"forWhom": "Ali", "size": "small", "side": "a" * 65},
    ],
)
def test_what_is_unknown_empty_or_too_long_is_refused(told: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Order.model_validate(told)


def test_a_form_sees_the_labels_and_a_log_the_plain_word() -> None:
    schema = Order.model_json_schema()
    assert schema["$defs"]["Size"]["enum"] == ["small", "large"]
    assert schema["$defs"]["Size"]["oneOf"][1] == {"const": "large", "title": "A large one"}
    order = Order.model_validate({"forWhom": "Ali", "size": "large", "side": "a"})
    assert order.model_dump(mode="json", by_alias=True) == {"forWhom": "Ali", "size": "large", "side": "a"}
    assert str(Size.LARGE) == "large"
