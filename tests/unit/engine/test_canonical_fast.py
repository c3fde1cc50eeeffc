"""The fast writer of canonical JSON gives the contract's bytes, or the contract's error."""

from __future__ import annotations

import hashlib
import json
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omnium_contract import canonical
from omnium_worker import canonical_fast

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.floats(min_value=-1e-3, max_value=1e-3)
    | st.text()
    | st.sampled_from([2.0, 1e16, 1e22, -0.0, 1e-7, 0.1, 2**63, 2**64, 10**30, float("nan"), float("inf")]),
    lambda inner: (
        st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text() | st.integers(), inner)
    ),
    max_leaves=30,
)


def outcome(write: Any, value: Any) -> tuple[str, bytes]:
    try:
        return "written", write(value)
    except ValueError:
        return "refused", b""


@settings(deadline=None)
@given(VALUES)
def test_it_writes_what_the_contract_writes(value: Any) -> None:
    assert outcome(canonical_fast.dumps, value) == outcome(canonical.dumps, value)


@settings(deadline=None)
@given(VALUES)
def test_what_it_wrote_is_read_and_written_again_as_the_same(value: Any) -> None:
    kind, written = outcome(canonical_fast.dumps, value)
    if kind == "written":
        assert canonical_fast.dumps(json.loads(written)) == written


class Colour(StrEnum):
    RED = "red"


@pytest.mark.parametrize(
    "value",
    [
        {"b": [{"z": None, "a": 1.0}], "a": (1, None)},
        {"colour": Colour.RED, Colour.RED: 1},
        {"deep": {"null": None, "list": [None]}},
        [],
        {},
        "text",
        1.5,
        {"é": "\u2028", "control": "\x01\x7f"},
        {1: 2},
        {"set": {1}},
        {"surrogate": "\ud800"},
        True,
    ],
)
def test_corners(value: Any) -> None:
    assert outcome(canonical_fast.dumps, value) == outcome(canonical.dumps, value)


def test_a_digest_is_of_the_bytes() -> None:
    assert canonical_fast.digest(b"{}") == hashlib.sha256(b"{}").digest() == canonical.digest({})
