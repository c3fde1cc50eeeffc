"""Every component call has 250 ms of CPU time; what can't be interrupted ends the process in three seconds.

One interval timer runs all the time and counts the process's CPU time, so an idle worker gets no signal and a
call costs no system call but reading its clock. The signal's handler raises only while a call is armed, over
its budget, and in a frame below `BudgetGuard.call`: it can't fire into anything else, not even late, because
the frame that arms and disarms is itself never interrupted. A component that swallows it gets it again, the
second time at every line, so that no `except:` in a loop holds it.
"""

from __future__ import annotations

import asyncio
import atexit
import faulthandler
import math
import signal
import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any, Final, NoReturn, Protocol, TextIO, TypeVar

from omnium_worker.confinement import Confinement, ConfinementError
from omnium_worker.guard import OverBudget
from omnium_worker.memory import Memory
from omnium_worker.stage import Stage
from omnium_worker.voices import Voices

T = TypeVar("T")

LIMIT_S: Final = 0.25
#: Of the process's CPU time. How late a budget may be noticed, and how soon a swallowed one comes back.
TICK_S: Final = 0.02
WATCHDOG_S: Final = 3.0
REARM_S: Final = 1.0


class _SpentError(BaseException):
    """The budget is spent. Not an `Exception`, so that `except Exception` does not hold it."""


class ComponentError(RuntimeError):
    """A component tried to leave by an exception that means something else to the process."""


class Witness(Protocol):
    """Who is told what components do that they should not."""

    def said(self, key: str, text: str) -> None:
        """A component wrote to standard output or standard error."""

    def over_budget(self, key: str) -> None:
        """A component was stopped."""

    def refused(self, key: str, what: str) -> None:
        """A component reached for the machine."""


class BudgetGuard:
    """Calls components, one at a time, on the main thread: the only one that Python interrupts."""

    __slots__ = (
        "_confinement",
        "_limit",
        "_memory",
        "_stage",
        "_stopped_at",
        "_stops",
        "_until",
        "_voices",
        "_witness",
        "calls",
        "seconds",
    )

    def __init__(
        self,
        *,
        stage: Stage,
        confinement: Confinement,
        voices: Voices,
        memory: Memory,
        witness: Witness,
        limit_s: float = LIMIT_S,
    ) -> None:
        self._stage = stage
        self._confinement = confinement
        self._voices = voices
        self._memory = memory
        self._witness = witness
        self._limit = limit_s
        self._until = math.inf
        #: Stops of all calls so far, and which call (by its end) was stopped last.
        self._stops = 0
        self._stopped_at = math.nan
        #: How many calls there were so far, and how long they took.
        self.calls = 0
        self.seconds = 0.0

    def start(self) -> None:
        """Take the signal and start the timer. Call it on the main thread."""
        atexit.register(self.stop)
        signal.signal(signal.SIGPROF, self._tick)
        signal.setitimer(signal.ITIMER_PROF, TICK_S, TICK_S)

    def stop(self) -> None:
        """Stop the timer: a signal that finds no handler any more would end the process."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, signal.SIG_IGN)

    def call(self, key: str, fn: Callable[..., T], /, *args: object) -> T:
        """Run one component under all limits. Raises `OverBudget`, or what the component raised."""
        stage = self._stage
        outer_key, outer_until, stops = stage.key, self._until, self._stops
        began = time.perf_counter()
        stage.key = key
        self._until = min(outer_until, time.thread_time() + self._limit)
        try:
            result = fn(*args)
        except BaseException as error:  # noqa: BLE001  # a component's border: nothing of it may pass as ours
            self._until, stage.key = outer_until, outer_key
            self._count(began)
            self._settle(key, is_over=self._stops != stops)
            self._fail(key, error)
        self._until, stage.key = outer_until, outer_key
        self._count(began)
        if self._stops != stops or self._confinement.refused or self._voices.has_heard():
            self._settle(key, is_over=self._stops != stops)
        return result

    def _count(self, began: float) -> None:
        self.calls += 1
        self.seconds += time.perf_counter() - began

    def _tick(self, _signal: int, frame: FrameType | None) -> None:
        if frame is None or frame.f_code is _CALL or time.thread_time() < self._until:
            return
        self._stops += 1
        if self._stopped_at == self._until:
            self._insist(frame)
        self._stopped_at = self._until
        raise _SpentError

    def _insist(self, frame: FrameType | None) -> None:
        """The call was stopped before and goes on: stop it at every line, in `except` and `finally` too."""
        while frame is not None and frame.f_code is not _CALL:
            frame.f_trace = self._trace
            frame = frame.f_back
        key, self._stage.key = self._stage.key, None  # components may not set a trace; we may
        sys.settrace(self._trace)
        self._stage.key = key

    def _trace(self, frame: FrameType, event: str, _arg: Any) -> Callable[..., Any]:
        # raised while another exception travels it would only take that one's place, and end the trace
        if event != "exception" and frame.f_code is not _CALL and time.thread_time() >= self._until:
            raise _SpentError
        return self._trace

    def _settle(self, key: str, *, is_over: bool) -> None:
        """Tell what the call did besides computing; raise where that alone fails it, swallowed or not."""
        if is_over:
            sys.settrace(None)
        if self._voices.has_heard():
            self._witness.said(key, self._voices.take())
        refused = [*self._confinement.refused]
        self._confinement.refused.clear()
        for what in refused:
            self._witness.refused(key, what)
        if is_over:
            self._witness.over_budget(key)
            raise OverBudget(key) from None
        if refused:
            raise ConfinementError(f"{key} reached for the machine: {refused[0]} was refused.") from None

    def _fail(self, key: str, error: BaseException) -> NoReturn:
        if isinstance(error, MemoryError):
            error.__traceback__ = None  # its frames hold what the call took
            self._memory.end_if_leaking()
        if isinstance(error, Exception):
            raise error
        raise ComponentError(f"{key} left by {type(error).__name__}") from error


_CALL: Final = BudgetGuard.call.__code__


class Watchdog:
    """Ends the process when its event loop has not come round for three seconds; `file` gets a traceback."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    async def run(self) -> None:
        """Arm it again each second, until cancelled."""
        try:
            while True:
                self.arm()
                await asyncio.sleep(REARM_S)
        finally:
            faulthandler.cancel_dump_traceback_later()

    def arm(self) -> None:
        """Three seconds from now."""
        faulthandler.dump_traceback_later(WATCHDOG_S, exit=True, file=self._file)
