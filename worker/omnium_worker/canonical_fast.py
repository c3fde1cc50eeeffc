"""The contract's canonical JSON, written by orjson: the same bytes (a property test says so), sooner."""

from __future__ import annotations

import hashlib
from typing import Any, Final

import orjson

from omnium_contract import canonical

_SORTED: Final = orjson.OPT_SORT_KEYS
#: Types that orjson writes as the contract does, whatever their value (large integers are refused by it).
_SAFE: Final = frozenset({str, int, bool})


def dumps(value: Any) -> bytes:
    """The canonical bytes of `value`. Raises `ValueError` for what JSON cannot carry."""
    try:
        return orjson.dumps(value if _is_plain(value) else _normal(value), option=_SORTED)
    except (_Unusual, TypeError, RecursionError):
        return canonical.dumps(value)


def digest(data: bytes) -> bytes:
    """32 bytes: the SHA-256 of canonical bytes."""
    return hashlib.sha256(data).digest()


class _Unusual(Exception):
    """A value that only the contract's own writer knows how to treat."""


def _is_plain(value: Any) -> bool:
    """Whether `value` is made of dicts without nulls, lists, text, integers and booleans alone."""
    kind = type(value)
    if kind is dict:
        value = value.values()
    elif kind is not list:
        return kind in _SAFE
    for item in value:
        kind = type(item)
        if kind not in _SAFE and not ((kind is dict or kind is list) and _is_plain(item)):
            return False
    return True


def _normal(value: Any) -> Any:
    kind = type(value)
    if kind in _SAFE or value is None:
        return value
    if kind is dict:
        return {key: _normal(item) for key, item in value.items() if item is not None}
    if kind is list or kind is tuple:
        return [_normal(item) for item in value]
    if kind is float:
        return _normal_float(value)
    raise _Unusual


def _normal_float(value: float) -> float | int:
    if value.is_integer():
        return int(value)
    # below 1e-4 Python writes an exponent in its own way; NaN and infinities are the contract's to refuse
    if 1e-4 <= abs(value) < 1e15:
        return value
    raise _Unusual
