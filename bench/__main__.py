"""Run every benchmark one after another and write `bench/RESULTS.md`."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

#: Program and flags of each, in the order of the results.
PROGRAMS = (
    ("bench.road",),
    ("bench.road", "--length"),
    ("bench.road", "--doorbell"),
    ("bench.road", "--one-event"),
    ("bench.cold",),
    ("bench.memory",),
    ("bench.replay",),
)
RESULTS = Path(__file__).parent / "RESULTS.md"


def run(program: tuple[str, ...], *, quick: bool) -> tuple[str, dict[str, Any] | None]:
    """One program's table, and its line of JSON."""
    command = [sys.executable, "-m", *program, "--both", *(["--quick"] if quick else [])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return f"{' '.join(program)} failed:\n{done.stderr[-2000:]}", None
    *table, line = done.stdout.rstrip().splitlines()
    return "\n".join(table), json.loads(line)


def machine() -> str:
    """The machine in one line."""
    cores, memory = os.cpu_count(), os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    system = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    return f"{cores} cores, {memory:.0f} GiB, {system}"


def main() -> None:
    """Run all; print and keep what they found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="each program ends within 50 s")
    quick = parser.parse_args().quick
    date = datetime.now(UTC).date().isoformat()
    parts = [
        "# Results",
        f"{machine()}, {date}{', quick' if quick else ''}.",
        "Ratios compare within one run; absolute times mean little.",
    ]
    failed = False
    for program in PROGRAMS:
        table, line = run(program, quick=quick)
        failed |= line is None
        print(table, flush=True)
        parts += [f"## {' '.join(program)}", f"```\n{table}\n```"]
    RESULTS.write_text("\n\n".join(parts) + "\n")
    sys.exit(failed)


if __name__ == "__main__":
    main()
