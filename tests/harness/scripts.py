"""Small Python programs in processes of their own: for what ends, signals or confines its process."""

from __future__ import annotations

import subprocess
import sys
import textwrap


def run_script(source: str, *, timeout: float = 30) -> subprocess.CompletedProcess[str]:
    """Run `source` in a fresh interpreter and give what it printed and how it ended."""
    return subprocess.run(
        [sys.executable, "-P", "-c", textwrap.dedent(source)],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
