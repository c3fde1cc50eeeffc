"""Starts a fleet in a process of its own that outlives the one that asked for it."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Sequence

from omnium_deploy import logs
from omnium_deploy.errors import StartFailed
from omnium_deploy.holding import end
from omnium_deploy.home import PRIVATE_FILE, Home
from omnium_deploy.reports import Failed, Told, Up, read_reports

_STOP_S = 60.0


def start(home: Home, command: Callable[[int], Sequence[str]], tell: Callable[[str], None]) -> Up | Failed:
    """Run `command(descriptor)` as a daemon until it reports there that everything answers, or why not.

    When it failed, or when somebody interrupts the wait, nothing of it runs any more.
    """
    home.prepare()
    reading, writing = os.pipe()
    try:
        daemon = _spawn(home, command(writing), writing)
    finally:
        os.close(writing)
    try:
        outcome = _last_report(reading, tell)
        if outcome is None:
            raise _death(home, daemon)
        if isinstance(outcome, Failed):
            daemon.wait()
        return outcome
    except BaseException:
        daemon.send_signal(signal.SIGTERM)
        daemon.wait()
        raise


def _spawn(home: Home, command: Sequence[str], writing: int) -> subprocess.Popen[bytes]:
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
    log = os.open(home.supervisor_log, flags, PRIVATE_FILE)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    try:
        return subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            pass_fds=(writing,),
        )
    finally:
        os.close(log)


def _last_report(reading: int, tell: Callable[[str], None]) -> Up | Failed | None:
    """The report that ends the wait; None when the daemon died without one."""
    for report in read_reports(reading):
        match report:
            case Told(text):
                tell(text)
            case Up() | Failed():
                return report
    return None


def _death(home: Home, daemon: subprocess.Popen[bytes]) -> StartFailed:
    """Why it died without a word; what it left is ended."""
    code = daemon.wait()
    end(home, wait_s=_STOP_S)
    said = "\n".join(logs.last_lines(home.supervisor_log, 5))
    return StartFailed(f"The supervisor died (exit {code}): {said}", log=home.supervisor_log)
