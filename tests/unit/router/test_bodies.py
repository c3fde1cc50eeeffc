"""Splitting a body: what is passed on travels as it was sent, what is wrong is said with its place."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnium_router import bodies
from omnium_store.errors import BadRequest

RAW = frozenset({"input"})
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
spaces = st.text(alphabet=" \t\r\n", max_size=3)


@given(values, values, spaces, spaces, st.booleans())
def test_a_body_is_split_into_what_json_reads_and_the_very_bytes(
    sent: Any, other: Any, before: str, after: str, escaped: bool
) -> None:
    text = json.dumps(sent, ensure_ascii=escaped)
    try:
        raw = text.encode()
    except UnicodeEncodeError:  # a lone surrogate has no bytes
        return
    whole = (
        f'{before}{{{after}"input"{before}:{after}'.encode()
        + raw
        + f', "x": {json.dumps(other)}}}{after}'.encode()
    )
    found = bodies.split(whole, raw=RAW)
    assert found == {"input": raw, "x": other}


@given(st.lists(st.dictionaries(st.text(max_size=5), values, max_size=3), max_size=5), st.integers(1, 50))
def test_a_long_input_is_walked_to_the_same_end(rows: list[Any], times: int) -> None:
    many = json.dumps({"rows": rows * times, "pad": ["x" * 100] * 300}).encode()
    found = bodies.split(b'{"input":' + many + b',"key":"k"}', raw=RAW)
    assert found == {"input": many, "key": "k"}


@given(st.binary(max_size=200))
def test_noise_is_refused_or_is_json(noise: bytes) -> None:
    try:
        found = bodies.split(noise, raw=RAW)
    except BadRequest:
        return
    assert json.loads(noise).keys() == found.keys()


@given(st.text(alphabet='{}[]",:0123 \\ntrue', max_size=60), st.booleans())
def test_nearly_json_is_judged_as_json_judges_it(text: str, long: bool) -> None:
    pad = ', "pad": ["' + "x" * bodies.LONG + '"]' if long else ""
    body = f'{{"input": {text}{pad}}}'.encode()
    try:
        expected = json.loads(body, object_pairs_hook=list)
        is_good = len({name for name, _ in expected}) == len(expected)
    except (ValueError, RecursionError):
        is_good = False
    try:
        bodies.split(body, raw=RAW)
        assert is_good
    except BadRequest:
        assert not is_good


@pytest.mark.parametrize(
    ("body", "line", "column"),
    [
        (b"", 1, 1),
        (b"[]", 1, 1),
        (b'{"a": 1,\n "b" 2}', 2, 6),
        (b'{"a": 1, "a": 2}', 1, 10),
        (b'{"input": {"x": NaN}}', 1, 11),
        (b'{"a": 1} x', 1, 10),
        (b'{"a": "\xff"}', 1, 8),
        (b'{"input": ' + b"[" * 200_000, 1, 15),
    ],
)
def test_what_is_wrong_is_said_with_its_place(body: bytes, line: int, column: int) -> None:
    with pytest.raises(BadRequest) as refused:
        bodies.split(body, raw=RAW)
    assert (refused.value.metadata["line"], refused.value.metadata["column"]) == (str(line), str(column))


def test_numbers_keep_their_digits() -> None:
    sent = b'{"a": 1.0, "b": 123456789012345678901234567890, "c": 1e5, "d": 0.10}'
    assert bodies.split(b'{"input":' + sent + b"}", raw=RAW)["input"] == sent
