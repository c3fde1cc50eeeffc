"""The lock of a home, between processes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from omnium_deploy.home import Home, HomeLock, holder

TAKE = (
    "import sys; from pathlib import Path; from omnium_deploy.home import Home, HomeLock\n"
    "lock = HomeLock.take(Home(Path(sys.argv[1]))); print(lock is not None, flush=True); sys.stdin.read()"
)


def test_a_killed_holder_holds_nothing(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.prepare()
    with subprocess.Popen(
        [sys.executable, "-c", TAKE, str(home.root)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"True\n"
        assert holder(home) == process.pid
        assert HomeLock.take(home) is None
        process.kill()
        process.wait()
    assert holder(home) is None
