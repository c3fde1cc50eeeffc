"""A wheel that was changed in the table is refused by whoever would run it, with the file named."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import pytest

from harness.tampering import Member, changed, relisted, with_member
from harness.wheels import MadeRelease
from omnium_releases.artifacts import Wheel, fetch
from omnium_store.database import Connection
from omnium_store.errors import Refused

from .conftest import Register

SOURCE = "omnium_flows/tally/__init__.py"
NAME = "omnium_flows-0.1.0+g000000000001-py3-none-any.whl"
RECORD = "omnium_flows-0.1.0+g000000000001.dist-info/RECORD"

CASES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "a changed file": (lambda wheel: changed(wheel, SOURCE, b"evil = 1"), f"{SOURCE}: differs from RECORD"),
    "an unlisted bytecode file": (
        lambda wheel: with_member(wheel, Member("omnium_flows/tally/__init__.pyc", b"")),
        "omnium_flows/tally/__init__.pyc: is not source",
    ),
    "another sound wheel": (
        lambda wheel: relisted(wheel, SOURCE, b"evil = 1"),
        f"{NAME}: its hash is not the registered one",
    ),
    "rubbish": (lambda wheel: b"rubbish", f"{NAME} is not a sound wheel: it is not a sound zip file"),
}


@pytest.mark.parametrize("case", CASES)
async def test_a_changed_wheel_is_refused_with_the_file_named(
    case: str, connection: Connection, conn: Connection, registering: Register, made: MadeRelease
) -> None:
    tamper, sentence = CASES[case]
    await registering(made)
    content = tamper(made.flows.read_bytes())
    await connection.execute("UPDATE release_artifact SET content = $1 WHERE kind = 'flows'", content)
    with pytest.raises(Refused) as refused:
        await fetch(conn, made.version)
    assert ("tampered", made.version) == (refused.value.reason, refused.value.metadata["release"])
    assert sentence in refused.value.message
    assert "Restore the row of release_artifact" in refused.value.message


async def test_a_wheel_changed_with_all_its_hashes_is_refused_by_the_release(
    connection: Connection, conn: Connection, registering: Register, made: MadeRelease
) -> None:
    await registering(made)
    content = relisted(made.flows.read_bytes(), SOURCE, b"evil = 1")
    await connection.execute(
        "UPDATE release_artifact SET content = $1, sha256 = $2, record_sha = $3 WHERE kind = 'flows'",
        content,
        hashlib.sha256(content).hexdigest(),
        record_sha(content),
    )
    with pytest.raises(Refused, match="RECORD is not the one that was registered") as refused:
        await fetch(conn, made.version)
    assert f"{NAME}: {RECORD}" in refused.value.message


def record_sha(wheel: bytes) -> str:
    return Wheel.read(wheel, filename=NAME).record_sha


async def test_a_missing_wheel_is_refused(
    connection: Connection, conn: Connection, registering: Register, made: MadeRelease
) -> None:
    await registering(made)
    await connection.execute("DELETE FROM release_artifact WHERE kind = 'contract'")
    with pytest.raises(Refused, match="the contract wheel is missing"):
        await fetch(conn, made.version)
    await connection.execute("DELETE FROM release_artifact")
    with pytest.raises(Refused, match="the contract wheel is missing; the flows wheel is missing"):
        await fetch(conn, made.version)


async def test_a_release_under_another_version_is_refused(
    connection: Connection, conn: Connection, registering: Register, made: MadeRelease
) -> None:
    await registering(made)
    await connection.execute("UPDATE plugin_release SET version = '9'")
    with pytest.raises(Refused, match="is version 0"):
        await fetch(conn, "9")
