"""The flags that every benchmark has, and how it ends."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from bench.figures import Outcome, show


@dataclass(frozen=True, slots=True)
class Plan:
    """How long: rounds, and seconds of each part of a round."""

    rounds: int
    seconds: float


def parser(description: str | None) -> argparse.ArgumentParser:
    """A parser with the shared flags."""
    made = argparse.ArgumentParser(description=description)
    made.add_argument("--quick", action="store_true", help="end within 50 s")
    made.add_argument("--json", action="store_true", help="print one line of JSON")
    made.add_argument("--both", action="store_true", help="print the table, then the line")
    return made


def plan(told: argparse.Namespace) -> Plan:
    """Short rounds where it must be quick."""
    return Plan(rounds=3, seconds=1.5) if told.quick else Plan(rounds=5, seconds=4.0)


def end(outcome: Outcome, told: argparse.Namespace) -> None:
    """Print what was found, as it was asked for."""
    if told.both or not told.json:
        show(outcome, as_json=False)
    if told.both or told.json:
        show(outcome, as_json=True)
