"""`python -m omnium_worker --release VERSION`, or for replays `--folder DIR` or `--wheels FLOWS CONTRACT`."""

from __future__ import annotations

import os
import sys
import time
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Final

from omnium_releases.isolation import HASH_SEED, check_isolated, isolated_command, isolated_environment
from omnium_store.errors import BadRequest, Refused

#: When this interpreter began to be a worker.
_BEGAN: Final = time.monotonic()
#: Set for an interpreter that was started anew, so that one that is still not isolated ends.
_AGAIN: Final = "OMNIUM_WORKER_ISOLATED"


def main(arguments: list[str]) -> int:
    """Make sure that this interpreter is isolated, then serve; the exit status."""
    asked = _parse(arguments)
    _isolate(arguments, asked.hash_seed)
    # settings, gRPC and the rest are imported in the isolated interpreter alone
    from omnium_worker import process  # noqa: PLC0415
    from omnium_worker.settings import ReplaySettings, WorkerSettings  # noqa: PLC0415

    try:
        if asked.release:
            return process.run_worker(asked.release, WorkerSettings.from_environment(), began=_BEGAN)
        source = asked.folder or tuple(asked.wheels)
        return process.run_replay(source, ReplaySettings.from_environment(), began=_BEGAN)
    except BadRequest as error:
        print(error.message, file=sys.stderr)
        return 2


def _parse(arguments: list[str]) -> Namespace:
    parser = ArgumentParser(prog="omnium_worker", description="Host one release of the rules.")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--release", metavar="VERSION", help="a registered release; OMNIUM_DATABASE_URL says where"
    )
    what.add_argument("--folder", type=Path, metavar="DIR", help="an unpacked release, for replays")
    what.add_argument(
        "--wheels", type=Path, nargs=2, metavar=("FLOWS", "CONTRACT"), help="two wheels, for replays"
    )
    parser.add_argument("--replay", action="store_true", help="serve replays, without a database")
    parser.add_argument(
        "--hash-seed", type=int, default=HASH_SEED, metavar="N", help="PYTHONHASHSEED, for replays"
    )
    asked = parser.parse_args(arguments)
    asked.hash_seed = str(asked.hash_seed)
    if asked.release and asked.hash_seed != HASH_SEED:
        parser.error("--hash-seed is for replays: what serves has one hash seed everywhere")
    if asked.release and asked.replay:
        parser.error("--replay takes --folder or --wheels: a replay has no database")
    return asked


def _isolate(arguments: list[str], hash_seed: str) -> None:
    """Start again as an isolated interpreter unless this is one. Raises `Refused` if that does not help."""
    try:
        check_isolated(hash_seed=hash_seed)
    except Refused:
        if _AGAIN in os.environ:
            raise
        ours = {name: value for name, value in os.environ.items() if name.startswith("OMNIUM_")}
        cache = Path(os.environ.get("OMNIUM_HOME") or ".omnium") / "cache"
        command = isolated_command("omnium_worker", *arguments, cache=cache)
        os.execve(command[0], command, isolated_environment({**ours, _AGAIN: "1"}, hash_seed=hash_seed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
