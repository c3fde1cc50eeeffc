"""Codes of countries as the Games know them."""

from __future__ import annotations

import re

_NOC = re.compile(r"[A-Z]{3}")


def is_noc(code: str) -> bool:
    """Whether `code` has the form of an NOC's code: three capital letters, AIN and ROT among them.

    >>> is_noc("JPN"), is_noc("Japan"), is_noc("jp")
    (True, False, False)
    """
    return _NOC.fullmatch(code) is not None
