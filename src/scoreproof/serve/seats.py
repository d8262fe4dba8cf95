"""A few processes that answer questions, and the queue before them.

There are never more processes than seats, whatever is asked at once; who comes later waits, and when too many wait the
next is told so. A question can be taken back: while it waits it is dropped, while it is answered its process is ended.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from scoreproof.work.apart import Apart, Died, Tell

_TARGET = "scoreproof.serve.desk:answer"
_MEMORY = 1_000  # megabytes of one process
_MOST_WAITING = 400


class Busy(Exception):
    """Too many questions wait already."""


class Question:
    """One question on its way; ``cancel`` takes it back."""

    def __init__(self) -> None:
        self.cancelled = False
        self._seat: Apart | None = None
        self._since = 0.0

    @property
    def seconds(self) -> float:
        """How long it has been worked on."""
        return time.monotonic() - self._since if self._seat is not None else 0.0

    def begin(self, seat: Apart) -> None:
        self._seat, self._since = seat, time.monotonic()

    def end(self) -> None:
        self._seat = None

    def cancel(self) -> None:
        self.cancelled = True
        if self._seat is not None:
            self._seat.stop()


class Seats:
    """So many processes."""

    def __init__(self, number: int) -> None:
        self._seats = [Apart(_TARGET) for _ in range(number)]
        self._free = list(self._seats)
        self._gate = asyncio.Semaphore(number)
        self._threads = ThreadPoolExecutor(number, thread_name_prefix="seat")
        self._waiting = 0
        self._last: dict[str, Question] = {}

    async def ask(
        self,
        request: Mapping[str, Any],
        data: bytes = b"",
        *,
        seconds: float,
        told: Tell | None = None,
        question: Question | None = None,
    ) -> dict[str, Any]:
        """The answer, or ``{"error": words}`` where there is none."""
        if self._waiting >= _MOST_WAITING:
            raise Busy
        question = question or Question()
        self._waiting += 1
        try:
            await self._gate.acquire()
        finally:
            self._waiting -= 1
        seat = self._free.pop()
        try:
            if question.cancelled:
                return _CANCELLED
            question.begin(seat)
            work = asyncio.get_running_loop().run_in_executor(
                self._threads, self._answered, seat, request, data, seconds, told
            )
            answer = await asyncio.shield(work)
            return _CANCELLED if question.cancelled else answer
        except asyncio.CancelledError:  # nobody waits for the answer any more
            seat.stop()
            raise
        finally:
            question.end()
            self._free.append(seat)
            self._gate.release()

    async def ask_last(self, who: str, request: Mapping[str, Any], *, seconds: float) -> dict[str, Any]:
        """The same for somebody of whom only the last question counts: the one before is dropped if it takes long."""
        before, question = self._last.get(who), Question()
        self._last[who] = question
        if before is not None and (not before.seconds or before.seconds > 0.5):
            before.cancel()
        try:
            return await self.ask(request, seconds=seconds, question=question)
        finally:
            if self._last.get(who) is question:
                del self._last[who]

    def start(self) -> None:
        """Start a process for the first question."""
        self._threads.submit(self._seats[-1].start)

    def close(self) -> None:
        """End every process."""
        for seat in self._seats:
            seat.stop()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _answered(self, seat: Apart, request: Mapping[str, Any], data: bytes, seconds: float, told: Tell | None) -> Any:
        try:
            return seat(request, data, seconds=seconds, megabytes=_MEMORY, told=told)
        except Died as end:
            return {"error": _ENDS.get(str(end), _CRASH), "ended": str(end)}


_CANCELLED = {"error": "cancelled", "ended": "stopped"}
_CRASH = "The process that worked on this ended unexpectedly. Nothing else is lost; ask again, or ask for less."
_ENDS = {
    "stopped": "cancelled",
    "late": "This takes longer than the page waits while one types; the full report takes its time.",
    "memory": "This needs more memory than one question of the page may take.",
    "depth": "This nests deeper than it can be read.",
}
