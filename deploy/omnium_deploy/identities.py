"""Which process a pid means: numbers are given out again, so a pid alone must never be killed."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

_PROC = Path("/proc")


def birth(pid: int) -> str | None:
    """A text that no other process of that number has, or None when there is no such process."""
    if (_PROC / "self").exists():
        return _birth_in_proc(pid)
    shown = subprocess.run(
        ["ps", "-o", "lstart=", "-p", str(pid)], check=False, capture_output=True, text=True
    )
    return shown.stdout.strip() or None


def end(pid: int, born: str, *, grace_s: float) -> bool:
    """Stop that very process and its group: asked first, killed after the grace. False when it was gone."""
    if birth(pid) != born:
        return False
    _signal_group(pid, signal.SIGTERM)
    deadline = time.monotonic() + grace_s
    while birth(pid) == born:
        if time.monotonic() > deadline:
            _signal_group(pid, signal.SIGKILL)
        time.sleep(0.02)
    return True


def _signal_group(pid: int, number: signal.Signals) -> None:
    try:
        os.killpg(pid, number)
    except (ProcessLookupError, PermissionError):
        return


def _birth_in_proc(pid: int) -> str | None:
    try:
        text = (_PROC / str(pid) / "stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    fields = text.rpartition(")")[2].split()  # a command's name may hold spaces and brackets
    state, started = fields[0], fields[19]
    if state in "ZX":  # dead, only not yet fetched by its parent
        return None
    boot = (_PROC / "sys/kernel/random/boot_id").read_text().strip()
    return f"{boot}:{started}"
