"""Canonical JSON: one text for one value, whoever writes it.

Keys are sorted, whole floats are integers, a null member is an absent one, text is UTF-8 without escapes
that JSON does not ask for. State, checkpoints, digests and goldens are made of it, so a step must read a
member that may be missing with `.get`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from math import isfinite
from typing import Any


def normal(value: Any) -> Any:
    """`value` as plain JSON data: no nulls in objects, no whole floats, tuples as lists.

    Raises `ValueError` for what JSON cannot carry (NaN, infinities, keys that are not text, sets, …).

    >>> normal({"b": 2.0, "a": None})
    {'b': 2}
    """
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return _normal_float(value)
        case Mapping():
            return {_key(key): normal(item) for key, item in value.items() if item is not None}
        case list() | tuple():
            return [normal(item) for item in value]
        case _:
            raise ValueError(f"{type(value).__name__} is not JSON: use text, numbers, lists and mappings")


def dumps(value: Any) -> bytes:
    """The canonical bytes of `value`. Raises `ValueError` as `normal` does.

    >>> dumps({"b": [1.0, None], "a": "é", "c": None}).decode()
    '{"a":"é","b":[1,null]}'
    """
    text = json.dumps(normal(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


def digest(value: Any) -> bytes:
    """32 bytes: the SHA-256 of the canonical bytes of `value`."""
    return hashlib.sha256(dumps(value)).digest()


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise ValueError(f"the key {key!r} is not text: JSON objects have text keys")
    return key


def _normal_float(value: float) -> float | int:
    if not isfinite(value):
        raise ValueError(f"{value} is not JSON: leave the member out")
    return int(value) if value.is_integer() else value
