"""How many commands run at once, and what happens to one more."""

from __future__ import annotations

import asyncio

import pytest

from omnium_store.errors import Overloaded, ShuttingDown
from omnium_worker.admission import Admission


async def test_a_place_comes_back_however_its_command_ends() -> None:
    admission = Admission(1)
    with pytest.raises(RuntimeError), admission.enter():
        raise RuntimeError
    with admission.enter():
        assert admission.in_flight == 1
    assert admission.in_flight == 0


async def test_one_more_than_the_capacity_is_refused_and_takes_no_place() -> None:
    admission = Admission(2)
    with admission.enter(), admission.enter():
        with pytest.raises(Overloaded), admission.enter():
            pass
        assert admission.in_flight == 2


async def test_a_closed_door_lets_those_inside_finish() -> None:
    admission = Admission(2)
    with admission.enter():
        admission.close()
        with pytest.raises(ShuttingDown), admission.enter():
            pass
        idle = asyncio.create_task(admission.idle())
        await asyncio.sleep(0)
        assert not idle.done()
    await asyncio.wait_for(idle, 1)
