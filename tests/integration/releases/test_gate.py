"""The gate: a release is imported in a process of its own, and what it does there is told."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

from harness.wheels import make_release, sample
from omnium_releases.artifacts import ReleaseFiles, Wheel, unpack
from omnium_releases.gate import Proof, prove

TALLY = sample("tally")


async def proof(source: dict[str, str], tmp_path: Path, cache: Path, *, seconds: float = 30) -> Proof:
    made = make_release(tmp_path / "wheels", source)
    folder = unpack(ReleaseFiles.of(Wheel.read(made.flows), Wheel.read(made.contract)), tmp_path)
    return await prove(folder, cache=cache, seconds=seconds)


async def test_a_sound_release_gives_its_programs(tmp_path: Path, cache: Path) -> None:
    found = await proof({"tally/__init__.py": TALLY}, tmp_path, cache)
    assert found.problems == ()
    (program,) = found.programs
    assert (program.workflow, program.format_number, program.owns_subjects) == ("tally", 1, True)
    document = json.loads(program.document)
    assert [c["code"] for c in document["commands"]] == ["tally.add", "tally.begin", "tally.misbehave"]


IMPORTS: dict[str, tuple[str, str]] = {
    "prints": ("print('hello', flush=True)", "prints 'hello' while it is imported"),
    "prints beside Python": ("import os; os.write(1, b'hello')", "prints 'hello' while it is imported"),
    "complains": ("import sys; print('oh', file=sys.stderr)", "prints 'oh' while it is imported"),
    "connects": (
        "import socket; socket.create_connection(('127.0.0.1', 9))",
        "uses the network (socket.",
    ),
    "looks up a name": (
        "import socket; socket.getaddrinfo('localhost', 80)",
        "uses the network (socket.getaddrinfo) while it is imported",
    ),
    "writes": ("open('/tmp/omnium-gate-wrote', 'w')", "writes /tmp/omnium-gate-wrote while it is imported"),
    "reads": ("open('/etc/hostname').read()", "reads /etc/hostname while it is imported"),
    "starts a process": (
        "import subprocess; subprocess.run(['true'])",
        "starts a process (subprocess.Popen)",
    ),
    "forks": ("import os; os.fork()", "starts a process (os.fork)"),
    "starts a thread": (
        "import threading; threading.Thread(target=print).start()",
        "starts a thread",
    ),
    "changes the environment": (
        "import os; os.environ['TZ'] = 'Asia/Kolkata'",
        "changes the environment (os.putenv)",
    ),
    "hides what it did": (
        "try:\n    open('/etc/hostname')\nexcept Exception:\n    pass",
        "reads /etc/hostname while it is imported",
    ),
    "raises": ("1 / 0", "raises ZeroDivisionError: division by zero while it is imported"),
    "leaves": ("raise SystemExit(0)", "raises SystemExit: 0 while it is imported"),
    "lacks a module": ("import numpy_of_ours", "raises ModuleNotFoundError: No module named 'numpy_of_ours'"),
}


async def test_an_import_that_does_more_than_define_is_told(tmp_path: Path, cache: Path) -> None:
    """Each case is an entry point of one release, so one run of the gate tells them all."""
    names = {case: f"case_{nth}" for nth, case in enumerate(IMPORTS)}
    source = {f"{names[case]}/__init__.py": f"{line}\n" for case, (line, _) in IMPORTS.items()}
    found = await proof(source, tmp_path, cache)
    assert found.programs == ()
    told = {
        case: [p for p in found.problems if p.startswith(f"omnium_flows.{names[case]}:")] for case in IMPORTS
    }
    assert dict.fromkeys(IMPORTS, 1) == {case: len(problems) for case, problems in told.items()}
    assert [
        (told[case], wanted) for case, (_, wanted) in IMPORTS.items() if wanted not in told[case][0]
    ] == []
    assert not os.path.exists("/tmp/omnium-gate-wrote")  # noqa: ASYNC240  one look at the end


async def test_a_module_that_pretends_to_lie_elsewhere_is_told(tmp_path: Path, cache: Path) -> None:
    line = "import sys; sys.modules['omnium_contract.canonical'].__file__ = '/elsewhere.py'"
    (problem,) = (await proof({"tally/__init__.py": f"{TALLY}\n{line}\n"}, tmp_path, cache)).problems
    assert "omnium_contract.canonical is loaded from /elsewhere.py" in problem


async def test_problems_of_all_entry_points_are_told_at_once(tmp_path: Path, cache: Path) -> None:
    source = {"tally/__init__.py": TALLY, "a/__init__.py": "print(1)", "b/__init__.py": "print(2)\n1 / 0"}
    found = await proof(source, tmp_path, cache)
    expected = (
        "omnium_flows.a: prints '1' while it is imported",
        "omnium_flows.b: raises ZeroDivisionError: division by zero while it is imported",
        "omnium_flows.b: prints '2' while it is imported",
    )
    assert expected == found.problems


async def test_a_class_that_does_not_hold_together_is_told_whole(tmp_path: Path, cache: Path) -> None:
    broken = TALLY.replace('validations=("not_begun",)', 'validations=("not_there", "gone")')
    (problem,) = (await proof({"tally/__init__.py": broken}, tmp_path, cache)).problems
    assert "names the validation 'not_there', which does not exist" in problem
    assert "names the validation 'gone', which does not exist" in problem


async def test_all_problems_of_publishing_are_told_at_once(tmp_path: Path, cache: Path) -> None:
    broken = TALLY.replace('description="Begin."', "").replace('message="No."', 'message=""')
    found = await proof({"tally/__init__.py": broken}, tmp_path, cache)
    assert {"tally.begin: has no description: say in one sentence what it does"} < set(found.problems)
    assert {"tally.mischief: has no message: write the sentence that the scorer reads"} < set(found.problems)


async def test_two_workflows_of_one_code_are_refused(tmp_path: Path, cache: Path) -> None:
    found = await proof({"tally/__init__.py": TALLY, "again/__init__.py": TALLY}, tmp_path, cache)
    assert found.problems == ("two workflows have the code 'tally': codes are permanent and single",)


async def test_an_import_without_end_is_ended(tmp_path: Path, cache: Path) -> None:
    started = time.monotonic()
    found = await proof({"tally/__init__.py": "while True: pass"}, tmp_path, cache, seconds=1.5)
    assert found.problems == ("its import takes longer than 1.5 s: an import defines, it does not work",)
    assert time.monotonic() - started < 10


async def test_a_process_that_dies_is_told(tmp_path: Path, cache: Path) -> None:
    found = await proof({"tally/__init__.py": "import os; os.kill(os.getpid(), 11)"}, tmp_path, cache)
    assert found.problems == ("the process that proved it died (SIGSEGV)",)


async def test_an_import_that_takes_all_memory_ends_alone(tmp_path: Path, cache: Path) -> None:
    (problem,) = (await proof({"tally/__init__.py": "bytearray(6 * 1024**3)"}, tmp_path, cache)).problems
    assert "raises MemoryError" in problem
