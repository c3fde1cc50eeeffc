"""The clean-import gate: each entry point, in a fresh process, prints nothing and touches nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from flow_entry_points import entry_points

FLOWS = Path(__file__).resolve().parent.parent
LIMIT_S = 30

#: Run in the fresh process. Reading is what importing does; anything else is an event that the hook reports.
WATCH = """
import sys
MODULE = sys.argv[1]
FORBIDDEN = ("socket.", "subprocess.", "os.system", "os.exec", "os.fork", "os.posix_spawn", "_thread.start")
def watch(event, args):
    writes = event == "open" and isinstance(args[1], str) and set(args[1]) & set("wax+")
    if writes or event.startswith(FORBIDDEN):
        sys.stderr.write(f"{event} {args[0] if args else ''}\\n")
sys.dont_write_bytecode = True
import omnium_contract.flows.registry, omnium_contract.stats
sys.addaudithook(watch)
__import__(MODULE)
"""


def problems_of(module: str) -> str:
    """What the import of `module` printed or did; empty if it is clean."""
    command = [sys.executable, "-c", WATCH, module]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    said = (done.stdout + done.stderr).strip()
    return said or ("" if done.returncode == 0 else f"ended with {done.returncode}")


def main() -> None:
    """Import each entry point of the tree."""
    found = {name: problems_of(module) for name, module in sorted(entry_points(FLOWS).items())}
    unclean = [f"- {name}: {said}" for name, said in found.items() if said]
    if unclean:
        sys.exit("\n".join(["Importing is not clean:", *unclean]))
    sys.stdout.write(f"{len(found)} entry points import cleanly\n")


if __name__ == "__main__":
    main()
