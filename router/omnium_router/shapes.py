"""Shapes of answers that are values of other packages, made of their dataclasses: never out of date."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache, reduce
from operator import or_
from typing import Any, Union, get_args, get_origin, get_type_hints

from pydantic import create_model

from omnium_router.given import Given

_LISTS = (list, tuple, Sequence)


@lru_cache
def shape_of(kind: type) -> type[Given]:
    """The model of what `omnium_releases.documents.document` makes of a value of this dataclass."""
    hints = get_type_hints(kind)
    members: dict[str, Any] = {one.name: (_shape(hints[one.name]), ...) for one in dataclasses.fields(kind)}
    return create_model(kind.__name__, __base__=Given, __doc__=kind.__doc__, **members)


def list_of(name: str, kind: type, **more: Any) -> type[Given]:
    """The model of an answer with `items` of a dataclass, and members of its own."""
    members: dict[str, Any] = {"items": (list[shape_of(kind)], ...), **_required(more)}  # type: ignore[misc]  # made here
    return create_model(name, __base__=Given, __doc__=f"Several: {kind.__doc__}", **members)


def answer_of(name: str, kind: type, **more: Any) -> type[Given]:
    """The model of a dataclass with members of the answer's own beside its own."""
    members: dict[str, Any] = _required(more)
    return create_model(name, __base__=shape_of(kind), __doc__=kind.__doc__, **members)


def _required(members: Mapping[str, Any]) -> dict[str, Any]:
    return {name: (hint, ...) for name, hint in members.items()}


def _shape(hint: Any) -> Any:
    origin, arguments = get_origin(hint), get_args(hint)
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return shape_of(hint)
    if hint is datetime:
        return datetime | None  # the beginning of time has no text
    if origin in (Union, types.UnionType):
        return reduce(or_, (_shape(one) for one in arguments))
    if origin in _LISTS:
        return list[_shape(arguments[0])]  # type: ignore[misc]  # known at run time only
    if origin is not None and issubclass(origin, Mapping):
        return dict[str, Any]
    return hint
