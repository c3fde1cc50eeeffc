"""What component code may touch; in processes of their own, since an audit hook can't be taken out again."""

from __future__ import annotations

import pytest

from harness.scripts import run_script

HEAD = """
import os, sys, socket, subprocess, threading, time
sys.path.insert(0, "tests")
from harness.guards import started_guard
guard, witness = started_guard()

def outcome(fn):
    try:
        guard.call("football.rule", fn)
        said = "allowed"
    except BaseException as error:
        said = type(error).__name__
    os.write(1, f"{said}\\n".encode())
"""


def outcomes(source: str) -> list[str]:
    ended = run_script(HEAD + source)
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout.splitlines()


@pytest.mark.parametrize(
    "what",
    [
        "socket.socket()",
        "socket.getaddrinfo('localhost', 80)",
        "open('/tmp/omnium-never', 'w')",
        "open('/tmp/omnium-never', 'a')",
        "os.open('/tmp/omnium-never', os.O_CREAT | os.O_RDWR)",
        "open('/etc/passwd')",
        "open(os.path.dirname(os.__file__) + '/../../../../../../../etc/passwd')",
        "open(1, 'w')",
        "subprocess.run(['true'])",
        "os.system('true')",
        "os.fork()",
        "os.posix_spawn('/bin/true', ['true'], {})",
        "threading.Thread(target=print).start()",
        "os.remove('/tmp/omnium-never')",
        "os.mkdir('/tmp/omnium-never')",
        "os.environ.__setitem__('A', 'B')",
        "os.kill(os.getpid(), 0)",
        "os.chdir('/')",
        "os.listdir('/etc')",
        "__import__('ctypes').CDLL(None)",
        "__import__('tempfile').mkstemp()",
        "__import__('urllib.request').request.urlopen('http://localhost')",
        "sys.settrace(None)",
        "sys.addaudithook(lambda *_: None)",
    ],
)
def test_the_machine_is_refused(what: str) -> None:
    assert outcomes(f"outcome(lambda: {what})") == ["ConfinementError"]


@pytest.mark.parametrize(
    "what",
    [
        "__import__('zoneinfo').ZoneInfo('Europe/Paris').utcoffset(None)",
        "__import__('html.entities')",
        "__import__('concurrent.futures')",
        "__import__('datetime').datetime.strptime('2026', '%Y')",
        "open(os.__file__).read()",
        "__import__('traceback').format_exc()",
        "__import__('importlib.metadata').metadata.version('pydantic')",
        "__import__('pydantic').TypeAdapter(dict[str, int]).json_schema()",
        "__import__('decimal').Decimal('1.1') / 3",
    ],
)
def test_computing_and_reading_what_it_was_imported_from_is_allowed(what: str) -> None:
    assert outcomes(f"outcome(lambda: {what})") == ["allowed"]


def test_what_was_refused_fails_the_call_even_if_the_component_swallows_it() -> None:
    source = """
def quiet():
    try: socket.socket()
    except Exception: pass
    return "fine"
outcome(quiet)
os.write(1, f"{witness.reached}\\n".encode())
outcome(lambda: "fine")
"""
    assert outcomes(source) == ["ConfinementError", "[('football.rule', 'socket.__new__')]", "allowed"]


def test_other_threads_and_the_platform_itself_are_not_confined() -> None:
    source = """
opened = []
def beside():
    for _ in range(200):
        with socket.socket(): opened.append(1)
        time.sleep(0.0005)
thread = threading.Thread(target=beside); thread.start()
def busy():
    until = time.monotonic() + 0.1
    while time.monotonic() < until: time.sleep(0.001)
outcome(busy)
thread.join()
os.write(1, f"{len(opened)}\\n".encode())
with open(os.devnull, "w"), socket.socket(): os.write(1, b"ours\\n")
"""
    assert outcomes(source) == ["allowed", "200", "ours"]
