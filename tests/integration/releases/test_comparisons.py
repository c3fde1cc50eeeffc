"""What two registered releases differ in."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.wheels import MadeRelease, make_release, sample
from omnium_releases.comparisons import compare
from omnium_store.database import Connection
from omnium_store.errors import NotFound

from .conftest import Register, tally

NEWER = "0.2.0+g000000000002"
NOTES = '[[rule_changes]]\nsport = "tally"\nwhat = "more"\nkeys = ["points"]\n'


async def test_the_same_release_has_no_differences(
    conn: Connection, registering: Register, made: MadeRelease
) -> None:
    await registering(made)
    found = await compare(conn, made.version, made.version)
    assert (found.components, found.inputs, found.files) == ((), (), ())


async def test_components_inputs_files_and_declared_changes_are_told(
    conn: Connection, registering: Register, made: MadeRelease, tmp_path: Path
) -> None:
    await registering(made)
    source = tally(**{'description="Begin."': 'description="Begin it."'})
    source["spare/__init__.py"] = (
        "from omnium_contract.flows.sport import Workflow\n\n\n"
        "class Spare(Workflow):\n    code = 'spare'\n    title = 'Spare'\n    subject = 'fixture'\n"
    )
    await registering(make_release(tmp_path, source, version=NEWER), notes=NOTES)
    found = await compare(conn, made.version, NEWER)
    assert [(c.workflow, c.kind, c.key, c.change, c.members) for c in found.components] == [
        ("spare", "workflow", "spare", "added", ()),
        ("tally", "command", "tally.begin", "changed", ("description",)),
    ]
    assert [(f.wheel, f.path, f.change) for f in found.files] == [
        ("flows", "omnium_flows/spare/__init__.py", "added"),
        ("flows", "omnium_flows/tally/__init__.py", "changed"),
    ]
    assert [change.what for change in found.rule_changes] == ["more"]
    assert (found.old.version, found.new.version, found.new.status) == (made.version, NEWER, "prod")
    back = await compare(conn, NEWER, made.version)
    assert [(c.key, c.change) for c in back.components if c.kind == "workflow"] == [("spare", "removed")]


async def test_a_helper_that_no_component_shows_is_seen_as_a_file(
    conn: Connection, registering: Register, made: MadeRelease, tmp_path: Path
) -> None:
    await registering(made)
    helped = {"tally/__init__.py": sample("tally") + "\n\nUNUSED = 1\n"}
    await registering(make_release(tmp_path, helped, version=NEWER))
    found = await compare(conn, made.version, NEWER)
    assert (found.components, found.inputs) == ((), ())
    assert [(f.path, f.change) for f in found.files] == [("omnium_flows/tally/__init__.py", "changed")]


async def test_an_input_that_takes_something_else_is_told_by_its_field(
    conn: Connection, registering: Register, made: MadeRelease, tmp_path: Path
) -> None:
    await registering(made)
    field = "    how: str | None = Field(None, description='H.')"
    source = tally(**{"class Add(BaseModel):": f"class Add(BaseModel):\n{field}"})
    await registering(make_release(tmp_path, source, version=NEWER))
    (change,) = (await compare(conn, made.version, NEWER)).inputs
    assert (change.workflow, change.key, change.field, change.change) == (
        "tally",
        "tally.add",
        "how",
        "added",
    )
    assert (change.old, change.new) == (None, "string or null, optional")


async def test_a_release_that_is_not_there_is_not_found(
    conn: Connection, registering: Register, made: MadeRelease
) -> None:
    await registering(made)
    for pair in ((made.version, "9"), ("9", made.version)):
        with pytest.raises(NotFound):
            await compare(conn, *pair)
