"""A worker serves what was registered, or nothing."""

from __future__ import annotations

import shutil
from pathlib import Path

from harness.workers import fleet_key, worker_process, worker_that_fails
from harness.world import Connection as Owner

from .conftest import Tallied


async def why_not(tallied: Tallied, **settings: str) -> tuple[int, str, str]:
    """Exit status, reason and message of a worker that does not start."""
    fleet_key(tallied.home)
    status, lines = await worker_that_fails(tallied.dsn, tallied.home, tallied.release.version, **settings)
    [line] = [line for line in lines if line["event"] == "worker.not_started"]
    return status, line["reason"], line["message"]


async def unpacked(tallied: Tallied) -> Path:
    """The folder of the release in the cache, after a worker ran from it."""
    async with worker_process(tallied.dsn, tallied.home, tallied.release.version):
        pass
    [folder] = (tallied.home / "cache" / "releases").iterdir()
    return folder


async def test_a_file_that_was_changed_in_the_cache_is_named(tallied: Tallied) -> None:
    folder = await unpacked(tallied)
    module = folder / "omnium_flows" / "tally" / "__init__.py"
    module.chmod(0o644)
    module.write_text(module.read_text().replace("not_begun", "not_begum"))
    status, reason, message = await why_not(tallied)
    assert (status, reason) == (1, "tampered")
    assert "omnium_flows/tally/__init__.py" in message


async def test_bytecode_that_is_not_listed_is_named(tallied: Tallied) -> None:
    folder = await unpacked(tallied)
    hidden = folder / "omnium_flows" / "tally" / "__pycache__" / "__init__.cpython-311.pyc"
    hidden.parent.mkdir()
    hidden.write_bytes(b"anything")
    status, reason, message = await why_not(tallied)
    assert (status, reason) == (1, "tampered")
    assert hidden.name in message


async def test_a_contract_that_was_changed_is_named(tallied: Tallied) -> None:
    folder = await unpacked(tallied)
    module = folder / "omnium_contract" / "canonical.py"
    module.chmod(0o644)
    module.write_text(module.read_text() + "\n")
    assert "omnium_contract/canonical.py" in (await why_not(tallied))[2]


async def test_a_wheel_that_was_changed_in_the_table_is_named(tallied: Tallied, owner: Owner) -> None:
    await owner.execute(
        """UPDATE release_artifact SET content = set_byte(content, 200, get_byte(content, 200) # 1)
           WHERE kind = 'flows'"""
    )
    status, reason, message = await why_not(tallied)
    assert (status, reason) == (1, "tampered")
    assert tallied.release.version in message


async def test_a_program_that_differs_from_the_registered_one_is_refused(
    tallied: Tallied, owner: Owner
) -> None:
    await owner.execute("UPDATE scoring_program_version SET checksum = 'another'")
    status, reason, message = await why_not(tallied)
    assert (status, reason) == (1, "program_differs")
    assert "tally" in message


async def test_a_program_of_another_format_number_is_no_reason(tallied: Tallied, owner: Owner) -> None:
    await owner.execute("UPDATE scoring_program_version SET checksum = 'another', format_number = 99")
    async with worker_process(tallied.dsn, tallied.home, tallied.release.version) as worker:
        assert worker.serving["release"] == tallied.release.version


async def test_a_release_that_is_not_there_is_not_started(tallied: Tallied) -> None:
    status, lines = await worker_that_fails(tallied.dsn, tallied.home, "7.7.7")
    assert (status, lines[-1]["reason"]) == (4, "no_such_release")


async def test_without_the_fleets_key_nobody_is_served(tallied: Tallied) -> None:
    fleet_key(tallied.home)
    shutil.rmtree(tallied.home / "keys")
    status, lines = await worker_that_fails(tallied.dsn, tallied.home, tallied.release.version)
    assert (status, lines[-1]["reason"]) == (4, "no_fleet_key")


async def test_a_port_that_is_taken_is_named(tallied: Tallied) -> None:
    async with worker_process(tallied.dsn, tallied.home, tallied.release.version) as worker:
        status, _, message = await why_not(tallied, OMNIUM_WORKER_LISTEN=worker.address)
    assert status == 1
    assert worker.address in message


async def test_a_database_that_is_away_is_waited_for(tallied: Tallied, unused_tcp_port: int) -> None:
    away = f"postgresql://postgres@127.0.0.1:{unused_tcp_port}/none"
    fleet_key(tallied.home)
    status, lines = await worker_that_fails(
        away, tallied.home, tallied.release.version, OMNIUM_WORKER_PATIENCE_S="1"
    )
    assert {"worker.waits_for_database"} <= {line["event"] for line in lines}
    assert (status, lines[-1]["reason"]) == (5, "database_away")
