"""Reading a JSON body without rebuilding what is only passed on.

`input` belongs to the rules, not to the router: its bytes travel exactly as they were sent, so that numbers
keep their digits and a key's input hash its meaning. Parsing and dumping again would lose both. The body is
walked once, member by member; what is passed on is only skipped, in pieces, so that an import of many
megabytes neither fills the memory with objects nor holds the process.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from json import decoder
from typing import Any, Final, NoReturn

from omnium_store.errors import BadRequest

SPACE: Final = re.compile(r"[ \t\n\r]*+")
LONG: Final = 16_384  # characters; a container longer than this is walked member by member
DEEPEST_WALK: Final = 4

Raw = bytes


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_scan: Callable[[str, int], tuple[Any, int]] = json.JSONDecoder(parse_constant=_no_constant).scan_once  # type: ignore[attr-defined]  # not in the stubs
_scan_text: Callable[[str, int], tuple[str, int]] = decoder.scanstring  # type: ignore[attr-defined]  # not in the stubs


def split(body: bytes, *, raw: frozenset[str]) -> dict[str, Any]:
    """The members of a JSON object; those named in `raw` as the bytes that were sent.

    Raises `BadRequest` (`bad_json`) with the position of what is wrong.
    """
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        raise _bad("is not UTF-8", body[: error.start].decode(), error.start) from None
    return _Walk(text).members(raw)


def parse(body: bytes) -> Any:
    """A whole JSON body as data. Raises `BadRequest` (`bad_json`) with the position of what is wrong."""
    try:
        return json.loads(body.decode(), parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        raise _bad("is not UTF-8", body[: error.start].decode(), error.start) from None
    except json.JSONDecodeError as error:
        raise _bad(error.msg, error.doc, error.pos) from None
    except (ValueError, RecursionError) as error:
        raise BadRequest(f"The body is not JSON: {_said(error)}.", reason="bad_json") from None


class _Walk:
    def __init__(self, text: str) -> None:
        self._text = text

    def members(self, raw: frozenset[str]) -> dict[str, Any]:
        at = self._space(0)
        if self._text[at : at + 1] != "{":
            raise _bad("has to be a JSON object", self._text, at)
        found: dict[str, Any] = {}
        at = self._space(at + 1)
        while self._text[at : at + 1] != "}":
            name, start = self._name(at)
            if name in found:
                raise _bad(f"says {name!r} twice", self._text, at)
            if name in raw:
                end = self._skip(start, 0)
                found[name] = self._text[start:end].encode()
            else:
                found[name], end = self._value(start)
            at = self._next(end, "}")
        if (rest := self._space(at + 1)) != len(self._text):
            raise _bad("goes on after its end", self._text, rest)
        return found

    def _skip(self, at: int, depth: int) -> int:
        """The end of the value at `at`. Long containers are walked, so that nothing of theirs is kept."""
        opening = self._text[at : at + 1]
        if depth < DEEPEST_WALK and opening in ("[", "{") and len(self._text) - at > LONG:
            return self._skip_members(at, "]" if opening == "[" else "}", depth)
        return self._value(at)[1]

    def _skip_members(self, at: int, closing: str, depth: int) -> int:
        at = self._space(at + 1)
        while self._text[at : at + 1] != closing:
            if closing == "}":
                _, at = self._name(at)
            at = self._next(self._skip(at, depth + 1), closing)
        return at + 1

    def _name(self, at: int) -> tuple[str, int]:
        """A member's name, and where its value begins."""
        if self._text[at : at + 1] != '"':
            raise _bad("needs a name in double quotes here", self._text, at)
        try:
            name, at = _scan_text(self._text, at + 1)
        except json.JSONDecodeError as error:
            raise _bad(error.msg, self._text, error.pos) from None
        at = self._space(at)
        if self._text[at : at + 1] != ":":
            raise _bad("needs a colon here", self._text, at)
        return name, self._space(at + 1)

    def _next(self, at: int, closing: str) -> int:
        """Past the comma, or at the closing bracket."""
        at = self._space(at)
        mark = self._text[at : at + 1]
        if mark == closing:
            return at
        if mark != ",":
            raise _bad(f"needs a comma or {closing} here", self._text, at)
        after = self._space(at + 1)
        if self._text[after : after + 1] == closing:
            raise _bad("has a comma before its end", self._text, at)
        return after

    def _value(self, at: int) -> tuple[Any, int]:
        try:
            return _scan(self._text, at)
        except StopIteration as error:
            raise _bad("needs a value here", self._text, error.value) from None
        except json.JSONDecodeError as error:
            raise _bad(error.msg, self._text, error.pos) from None
        except (ValueError, RecursionError) as error:
            raise _bad(_said(error), self._text, at) from None

    def _space(self, at: int) -> int:
        match = SPACE.match(self._text, at)
        return match.end() if match else at


def _said(error: Exception) -> str:
    return "is nested too deeply" if isinstance(error, RecursionError) else str(error)


def _bad(what: str, text: str, at: int) -> BadRequest:
    line = text.count("\n", 0, at) + 1
    column = at - text.rfind("\n", 0, at)
    return BadRequest(
        f"The body {what}: line {line}, column {column}.",
        reason="bad_json",
        metadata={"line": str(line), "column": str(column), "offset": str(at)},
    )
