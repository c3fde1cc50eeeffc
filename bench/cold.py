"""From starting a worker to the moment when it serves, against a process that imports the same modules."""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

from bench.figures import Outcome, Ratio, at_most
from bench.fleets import Fleet, fleet
from bench.programs import end, parser, plan
from omnium_releases.isolation import isolated_command, isolated_environment

GOALS = {"imports": at_most(1.3)}
#: What a worker has loaded when it serves: its own modules and every workflow of the release.
IMPORTS = """
import sys
folder = sys.argv[1]
from omnium_releases.isolation import enter_release_folder
import pathlib, omnium_worker.process
enter_release_folder(pathlib.Path(folder))
import omnium_worker.serving
from omnium_contract.flows.registry import load_registry
load_registry(path=pathlib.Path(folder))
"""


def served_in(on: Fleet) -> float:
    """Seconds until a new worker of the fleet's release says that it serves."""
    environment = isolated_environment(
        {"OMNIUM_DATABASE_URL": on.endpoints["database"], "OMNIUM_HOME": str(on.home)}
    )
    command = isolated_command("omnium_worker", "--release", on.release, cache=on.home / "cache")
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    for line in process.stdout:
        if json.loads(line)["event"] == "worker.serving":
            break
    seconds = time.perf_counter() - began
    process.send_signal(signal.SIGTERM)
    process.wait()
    return seconds


def imported_in(folder: Path) -> float:
    """Seconds of a process that imports the same and ends."""
    environment = isolated_environment({})
    command = [sys.executable, "-P", "-s", "-c", IMPORTS, str(folder)]
    began = time.perf_counter()
    subprocess.run(command, check=True, env=environment)
    return time.perf_counter() - began


def main() -> None:
    """Both, interleaved."""
    told = parser(__doc__).parse_args()
    rounds = plan(told).rounds * 3
    with fleet() as on:
        folder = next(p for p in (on.home / "cache").iterdir() if p.is_dir() and any(p.glob("*.dist-info")))
        served_in(on), imported_in(folder)
        pairs = [(served_in(on), imported_in(folder)) for _ in range(rounds)]
    served, imported = zip(*pairs, strict=True)
    figures = {
        "serving_ms": statistics.median(served) * 1000,
        "imports_ms": statistics.median(imported) * 1000,
        "cores": os.cpu_count(),
    }
    ratio = Ratio.of([s / i for s, i in pairs])
    end(Outcome("cold", {"imports": ratio}, figures, GOALS), told)


if __name__ == "__main__":
    main()
