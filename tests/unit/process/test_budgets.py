"""Budgets, in processes of their own: they take a signal, and some of them end."""

from __future__ import annotations

import time

import pytest

from harness.scripts import run_script

HEAD = """
import os, sys, threading, time
sys.path.insert(0, "tests")
from harness.guards import started_guard
from omnium_worker.guard import OverBudget
guard, witness = started_guard()

def outcome(fn, *args):
    began = time.thread_time()
    try:
        said = guard.call("football.rule", fn, *args)
    except BaseException as error:
        said = type(error).__name__
    os.write(1, f"{said} {time.thread_time() - began:.2f}\\n".encode())
"""


def said(source: str) -> list[list[str]]:
    ended = run_script(HEAD + source)
    assert (ended.returncode, ended.stderr) == (0, "")
    return [line.split() for line in ended.stdout.splitlines()]


@pytest.mark.parametrize(
    "body",
    [
        "while True: pass",
        "while True:\n        try: sum(range(100))\n        except Exception: pass",
        "while True:\n        try: sum(range(100))\n        except: pass",
        "while True:\n        try: sum(range(100))\n        except: x = 1\n        finally: x = 2",
        "import re; re.match(r'(a+)+$', 'a' * 40 + 'b')",
        "import itertools\n    for _ in itertools.count(): [n for n in range(50)]",
    ],
    ids=["loop", "except-exception", "bare-except", "finally", "regular-expression", "comprehension"],
)
def test_a_loop_in_python_is_stopped_when_its_cpu_time_is_spent(body: str) -> None:
    [[what, spent]] = said(f"def stuck():\n    {body}\noutcome(stuck)\n")
    assert what == "OverBudget"
    assert 0.25 <= float(spent) < 0.6


def test_a_component_that_swallows_the_stop_once_is_over_budget_whatever_it_returns() -> None:
    source = """
def sly():
    for _ in range(2):
        try:
            while True: pass
        except BaseException:
            pass
    return "fine"
outcome(sly)
"""
    [[what, spent]] = said(source)
    assert what == "OverBudget"
    assert float(spent) < 0.5


def test_waiting_costs_no_budget() -> None:
    [[what, spent]] = said("outcome(time.sleep, 0.4)")
    assert what == "None"
    assert float(spent) < 0.1


def test_a_budget_is_of_one_call() -> None:
    source = """
def some():
    began = time.thread_time()
    while time.thread_time() - began < 0.1: pass
    return "fine"
for _ in range(5): outcome(some)
"""
    assert [what for what, _ in said(source)] == ["fine"] * 5


def test_a_nested_call_is_bounded_by_the_outer_one_and_gives_its_budget_back() -> None:
    source = """
def inner():
    began = time.thread_time()
    while time.thread_time() - began < 0.1: pass
def outer():
    while True: guard.call("football.inner", inner)
outcome(outer)
outcome(lambda: "fine")
"""
    [[what, spent], [after, _]] = said(source)
    assert (what, after) == ("OverBudget", "fine")
    assert float(spent) < 0.5


def test_the_stop_never_comes_late_however_close_the_end_is() -> None:
    """3,000 calls end around the moment when their budget does; nothing may be raised outside of one."""
    source = """
import signal
guard._limit = 0.0005
signal.setitimer(signal.ITIMER_PROF, 0.0002, 0.0002)
over = fine = 0
def nearly(until):
    while time.thread_time() < until: pass
try:
    for n in range(3000):
        try:
            guard.call("football.rule", nearly, time.thread_time() + 0.0004 + (n % 20) * 0.00001)
            fine += 1
        except OverBudget:
            over += 1
        for _ in range(20): pass
except BaseException as error:
    os.write(1, f"late {type(error).__name__}".encode())
os.write(1, f"{fine + over} {over}\\n".encode())
"""
    [[calls, over]] = said(source)
    assert calls == "3000"
    assert 0 < int(over) < 3000


def test_the_timer_stops_with_the_guard() -> None:
    source = """
guard.stop()
began = time.thread_time()
while time.thread_time() - began < 0.1: pass
outcome(lambda: "fine")
"""
    assert said(source)[0][0] == "fine"


def test_a_call_costs_a_few_microseconds() -> None:
    source = """
import timeit
bare = min(timeit.repeat(lambda: abs(1), number=20000, repeat=5)) / 20000
kept = min(timeit.repeat(lambda: guard.call("football.rule", abs, 1), number=20000, repeat=5)) / 20000
os.write(1, f"{(kept - bare) * 1e6:.2f}\\n".encode())
"""
    [[cost]] = said(source)
    assert float(cost) < 15


@pytest.mark.parametrize("leaving", ["SystemExit", "GeneratorExit", "KeyboardInterrupt", "CancelledError"])
def test_a_component_can_not_leave_by_an_exception_that_means_something_else(leaving: str) -> None:
    source = f"""
from asyncio import CancelledError
def leave(): raise {leaving}
outcome(leave)
"""
    assert said(source)[0][0] == "ComponentError"


def test_what_a_component_prints_is_told_with_its_key() -> None:
    source = """
def talk():
    print("hello")
    print("trouble", file=sys.stderr)
    print("x" * 10_000, file=sys.__stdout__)
outcome(talk)
print("ours")
[(key, text)] = witness.heard
os.write(1, f"{key} {text[:5]} {'trouble' in text} {text.count('x')}\\n".encode())
"""
    ended = run_script(HEAD + source)
    assert ended.returncode == 0, ended.stderr
    lines = ended.stdout.splitlines()
    assert "football.rule hello True 8186" in lines
    assert "ours" in lines


def test_a_loop_inside_c_ends_the_process_in_three_seconds() -> None:
    source = """
import asyncio
from omnium_worker.budgets import Watchdog
async def main():
    watchdog = asyncio.create_task(Watchdog(sys.__stderr__).run())
    await asyncio.sleep(0.1)
    guard.call("football.rule", sum, range(10**13))
asyncio.run(main())
"""
    began = time.monotonic()
    ended = run_script(HEAD + source)
    assert ended.returncode == 1
    assert "Timeout" in ended.stderr
    assert 2 < time.monotonic() - began < 6


def test_the_watchdog_leaves_a_process_alone_whose_loop_comes_round() -> None:
    source = """
import asyncio
from omnium_worker.budgets import Watchdog
async def main():
    watchdog = asyncio.create_task(Watchdog(sys.__stderr__).run())
    for _ in range(5):
        time.sleep(0.7)
        await asyncio.sleep(0)
    watchdog.cancel()
asyncio.run(main())
os.write(1, b"alive\\n")
"""
    assert said(source) == [["alive"]]


def test_a_leak_ends_the_process_and_one_greedy_call_does_not() -> None:
    source = """
guard, witness = started_guard(memory_mb=128)
def greedy(): return bytes(1 << 30)
outcome(greedy)
kept = []
def leak():
    while True: kept.append(bytearray(1 << 20))
for _ in range(20): outcome(leak)
os.write(1, b"survived\\n")
"""
    ended = run_script(HEAD + source)
    assert ended.returncode == 70
    assert ended.stdout.startswith("MemoryError")
    assert "survived" not in ended.stdout
    assert "worker.out_of_memory" in ended.stderr
