"""The report as JSON, as `omnium releases register --report` takes it."""

from __future__ import annotations

import json

from omnium_releases.replay.outcome import Outcome


def json_report(outcome: Outcome) -> str:
    """All of the outcome."""
    return json.dumps(outcome.as_data(), indent=1, ensure_ascii=False) + "\n"
