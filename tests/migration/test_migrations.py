"""Migrations from nothing, twice, at once, changed, and beside old code."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable

import asyncpg
import pytest

from harness.postgres import Database
from harness.world import SHA, World
from omnium_store import migrations, schema
from omnium_store.errors import Refused
from omnium_store.migrations import Migration, Step, functions, migrate, schema_number, status

POST = Migration("post", "0002_after", 2, "CREATE TABLE after_all (id int)")


@pytest.fixture
def post_step(monkeypatch: pytest.MonkeyPatch) -> Callable[[Step], tuple[Migration, ...]]:
    """A build that has one post migration more."""
    real = migrations.numbered

    def numbered(step: Step) -> tuple[Migration, ...]:
        return (*real(step), POST) if step == "post" else real(step)

    monkeypatch.setattr(migrations, "numbered", numbered)
    return numbered


async def has_table(database: Database, name: str) -> bool:
    connection = await database.connect()
    try:
        return await connection.fetchval("SELECT to_regclass($1) IS NOT NULL", name) is True
    finally:
        await connection.close()


async def test_migrating_twice_is_a_no_op(empty_database: Database) -> None:
    before = await status(empty_database.dsn)
    assert "pre/0001_initial" in before.pending
    assert not before.is_current
    assert "pre/0001_initial" in await migrate(empty_database.dsn)
    assert await migrate(empty_database.dsn) == []
    assert (await status(empty_database.dsn)).is_current


async def test_all_migrations_together_are_the_committed_schema(database: Database) -> None:
    assert schema.dump(database.dsn) == schema.committed()


async def test_who_migrates_at_the_same_time_waits_and_finds_it_done(empty_database: Database) -> None:
    results = await asyncio.gather(*(migrate(empty_database.dsn) for _ in range(3)))
    assert sorted(bool(result) for result in results) == [False, False, True]


async def test_a_migration_that_was_changed_after_it_was_applied_is_refused(
    database: Database, connection: asyncpg.Connection[asyncpg.Record]
) -> None:
    await connection.execute("UPDATE schema_migration SET checksum = 'x' WHERE name = '0001_initial'")
    with pytest.raises(Refused, match="pre/0001_initial has been applied") as caught:
        await migrate(database.dsn)
    assert caught.value.reason == "migration_changed"
    assert (await status(database.dsn)).changed == ("pre/0001_initial",)


async def test_a_database_of_a_newer_build_is_refused(
    database: Database, connection: asyncpg.Connection[asyncpg.Record]
) -> None:
    await connection.execute(
        "INSERT INTO schema_migration (kind, name, number, checksum) VALUES ('pre', '0999_next', 999, 'x')"
    )
    with pytest.raises(Refused, match="pre/0999_next") as caught:
        await migrate(database.dsn)
    assert caught.value.reason == "database_newer"
    assert (await status(database.dsn)).unknown == ("pre/0999_next",)


async def test_a_function_that_changed_is_made_again(
    database: Database, connection: asyncpg.Connection[asyncpg.Record]
) -> None:
    await connection.execute("UPDATE schema_migration SET checksum = 'x' WHERE name = 'keys_v1'")
    await connection.execute("DROP FUNCTION lock_key_v1")
    assert "function/keys_v1" in await migrate(database.dsn)
    assert await connection.fetchval("SELECT lock_key_v1(gen_random_uuid()) IS NOT NULL")


async def test_a_failing_migration_leaves_nothing_behind(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = Migration("post", "0002_broken", 2, "CREATE TABLE half (id int); SELECT 1 / 0")
    monkeypatch.setattr(migrations, "numbered", lambda step: (broken,) if step == "post" else ())
    monkeypatch.setattr(migrations, "_refuse_newer", lambda _: None)
    with pytest.raises(asyncpg.DivisionByZeroError):
        await migrate(database.dsn, ["post"])
    assert not await has_table(database, "half")


@pytest.mark.usefixtures("post_step")
@pytest.mark.parametrize("service", ["worker", "push"])
async def test_a_post_step_is_refused_while_a_process_of_an_older_build_lives(
    database: Database, world: World, service: str
) -> None:
    await lease(world, service, schema_number=1)
    with pytest.raises(Refused, match=rf"{service} 127\.0\.0\.1:1 \(schema 1\)") as caught:
        await migrate(database.dsn)
    assert caught.value.reason == "old_lease"
    assert not await has_table(database, "after_all")
    assert await migrate(database.dsn, ["pre"]) == []


@pytest.mark.usefixtures("post_step")
async def test_a_post_step_waits_for_no_dead_and_no_new_process(database: Database, world: World) -> None:
    await lease(world, "worker", schema_number=1, age="7 seconds")
    await lease(world, "push", schema_number=1, age="31 seconds")
    await lease(world, "worker", schema_number=2)
    assert "post/0002_after" in await migrate(database.dsn)
    assert await has_table(database, "after_all")


def test_the_schema_number_is_the_newest_migration() -> None:
    assert schema_number() == max(
        one.number or 0 for step in ("pre", "post") for one in migrations.numbered(step)
    )


def test_numbers_of_migrations_are_unique_over_both_steps() -> None:
    numbers = [one.number for step in migrations.STEPS for one in migrations.numbered(step)]
    assert len(numbers) == len(set(numbers))


def test_every_function_carries_a_version_in_its_name() -> None:
    assert [one.name for one in functions() if not one.name.rpartition("_v")[2].isdigit()] == []


async def lease(world: World, service: str, *, schema_number: int, age: str = "0 seconds") -> None:
    if service == "push":
        await world.connection.execute(
            """INSERT INTO push_instance (id, address, build, schema_number, heartbeat_at)
               VALUES ($1, '127.0.0.1:1', '0.1.0', $2, now() - $3::text::interval)""",
            uuid.uuid4(), schema_number, age,
        )  # fmt: skip
        return
    release = await world.release(f"0.1.0+g{uuid.uuid4().hex[:12]}")
    await world.connection.execute(
        """INSERT INTO worker_instance
               (id, address, release_id, code_sha, contract_sha, runtime_sha, capacity, build,
                schema_number, pid, heartbeat_at)
           VALUES ($1, '127.0.0.1:1', $2, $3, $3, $3, 1, '0.1.0', $4, 1, now() - $5::text::interval)""",
        uuid.uuid4(), release, SHA, schema_number, age,
    )  # fmt: skip
