"""One text for one value."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnium_contract import canonical

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=20,
)


@given(JSON)
def test_a_parse_of_the_bytes_gives_the_same_bytes(value: Any) -> None:
    once = canonical.dumps(value)
    assert canonical.dumps(json.loads(once)) == once


@given(st.dictionaries(st.text(max_size=5), st.integers(), max_size=6))
def test_the_order_of_members_does_not_matter(value: dict[str, int]) -> None:
    backwards = dict(reversed(value.items()))
    assert canonical.dumps(backwards) == canonical.dumps(value)


def test_whole_floats_are_integers_and_null_members_are_absent() -> None:
    assert (
        canonical.dumps({"b": 2.0, "a": None, "c": [None, 1e16, 0.5]})
        == b'{"b":2,"c":[null,10000000000000000,0.5]}'
    )


def test_equal_values_have_equal_digests() -> None:
    assert canonical.digest({"a": 1, "b": None}) == canonical.digest({"a": 1.0})


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1: 2}, {"a": {1, 2}}, object()])
def test_what_json_cannot_carry_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match=r"not JSON|not text"):
        canonical.dumps(value)
