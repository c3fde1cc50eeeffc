"""Files that verbs of `omnium releases` are given: notes and replay reports; `-` is standard input."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from omnium_deploy.errors import UsageProblem
from omnium_releases.replay_reports import report_of

STANDARD_INPUT = Path("-")


def read_text(path: Path, what: str) -> str:
    """The text of a file. Raises `UsageProblem`."""
    try:
        return sys.stdin.read() if path == STANDARD_INPUT else path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageProblem(f"The {what} {path} can't be read: {error}.") from None


def read_report(path: Path) -> dict[str, Any]:
    """A replay report, checked before anything is sent. Raises `UsageProblem`, `Refused` (bad_report)."""
    report: dict[str, Any] = json.loads(report_of(read_text(path, "report")).document)
    return report
