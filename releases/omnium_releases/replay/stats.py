"""Stats that two releases declare otherwise: what they select and count, not what they are called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from omnium_releases.replay.differences import ABSENT, Difference, Kind, partings

#: Words for people: they are in no statement.
_WORDS: Final = frozenset({"name", "description"})


def stat_differences(
    old: Mapping[str, Mapping[str, Any]], new: Mapping[str, Mapping[str, Any]]
) -> Iterator[Difference]:
    """One difference a stat, in workflows that both releases have; `old` and `new` are programs by code."""
    for workflow in sorted(old.keys() & new.keys()):
        was, is_ = _stats(old[workflow]), _stats(new[workflow])
        for code in sorted(was.keys() | is_.keys()):
            if was.get(code) != is_.get(code):
                before, after = _texts(was.get(code), is_.get(code))
                yield Difference(
                    match="",
                    sport=workflow,
                    kind=Kind.STAT,
                    keys=(f"stats.{code}",),
                    old=before,
                    new=after,
                )


def _stats(program: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    declared = (stat["declared"] for stat in program.get("stats", ()))
    return {
        one["key"]: {name: value for name, value in one.items() if name not in _WORDS} for one in declared
    }


def _texts(was: Mapping[str, Any] | None, is_: Mapping[str, Any] | None) -> tuple[str, str]:
    """Only what parts of it; the whole where there was none or is none."""
    if was is None or is_ is None:
        return (ABSENT if was is None else "declared"), (ABSENT if is_ is None else "declared")
    parted = partings(dict(was), dict(is_))
    return (
        ", ".join(f"{path} {before}" for path, before, _ in parted),
        ", ".join(f"{path} {after}" for path, _, after in parted),
    )
