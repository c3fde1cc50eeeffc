"""`runtime_sha`: what remains of the platform that the same rules may give another result on."""

from __future__ import annotations

import hashlib
import math
import sys
from collections.abc import Iterator
from functools import cache
from typing import Final

import pydantic

from omnium_contract import canonical

#: Grows when the engine judges, folds or writes canonical bytes otherwise than before. It is part of
#: every log row and checkpoint through `runtime_sha`, so growing it makes every stored state be folded again.
ENGINE_RULES: Final = 1

#: Where the last bits of a libm show: rounding of transcendental functions differs between implementations.
_POINTS: Final = (0.1, 0.7, 1.0 / 3.0, 2.5, 9.8, 123.456, 1e-9, 1e9)
_FUNCTIONS: Final = (
    math.sin,
    math.cos,
    math.tan,
    math.exp2,
    math.log,
    math.log1p,
    math.cbrt,
    math.gamma,
    math.atan,
)


@cache
def runtime_sha() -> str:
    """Hex SHA-256 over Python's minor, pydantic's version, a probe of libm, and the engine's rule number."""
    return canonical.digest(
        {
            "python": f"{sys.version_info.major}.{sys.version_info.minor}",
            "pydantic": pydantic.VERSION,
            "libm": libm_probe(),
            "engine": ENGINE_RULES,
        }
    ).hex()


def libm_probe() -> str:
    """Hex SHA-256 of the exact results of the maths library at fixed points."""
    return hashlib.sha256("\n".join(_results()).encode()).hexdigest()


def _results() -> Iterator[str]:
    for function in _FUNCTIONS:
        for point in _POINTS:
            try:
                yield f"{function.__name__} {point!r} {function(point).hex()}"
            except (ValueError, OverflowError) as error:
                yield f"{function.__name__} {point!r} {type(error).__name__}"
    yield float(sum([9.1, 9.3, 8.7, 9.0])).hex()  # compensated from Python 3.12 on
