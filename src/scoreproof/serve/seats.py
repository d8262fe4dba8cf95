"""A few processes that answer questions, and the queue before them.

There are never more processes than seats, whatever is asked at once; who comes later waits, and when too many wait the
next is told so. A question can be taken back: while it waits it is dropped, while it is answered its process is ended.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from scoreproof.limits import current
from scoreproof.work.subprocess_worker import Died, SubprocessWorker, Tell

_TARGET = "scoreproof.serve.desk:answer"
_MEMORY = 1_000  # megabytes of one process
_MOST_WAITING = 400
_AGAIN = 0.1  # seconds after which a process that is to end, and was not yet there, is ended again


class Busy(Exception):
    """Too many questions wait already."""


class PendingQuestion:
    """One question on its way; ``cancel`` takes it back."""

    def __init__(self) -> None:
        self.cancelled = asyncio.Event()
        self._seat: SubprocessWorker | None = None

    @property
    def is_worked_on(self) -> bool:
        return self._seat is not None

    def begin(self, seat: SubprocessWorker) -> None:
        self._seat = seat

    def end(self) -> None:
        self._seat = None

    def cancel(self) -> None:
        self.cancelled.set()
        if self._seat is not None:
            self._seat.stop()


class Seats:
    """So many processes."""

    def __init__(self, number: int) -> None:
        self._seats = [SubprocessWorker(_TARGET) for _ in range(number)]
        self._free = list(self._seats)
        self._gate = asyncio.Semaphore(number)
        self._threads = ThreadPoolExecutor(number, thread_name_prefix="seat")
        self._waiting = 0
        self._last: dict[str, PendingQuestion] = {}
        self._releases: set[asyncio.Future[None]] = set()
        self._limits = current().to_dict()

    async def ask(
        self,
        request: Mapping[str, Any],
        data: bytes = b"",
        *,
        seconds: float,
        told: Tell | None = None,
        question: PendingQuestion | None = None,
    ) -> dict[str, Any]:
        """The answer, or ``{"error": words}`` where there is none."""
        if self._waiting >= _MOST_WAITING:
            raise Busy
        question = question or PendingQuestion()
        if not await self._has_turn(question):
            return _CANCELLED
        seat = self._free.pop()
        question.begin(seat)
        work = asyncio.get_running_loop().run_in_executor(
            self._threads, _answered, seat, {**request, "limits": self._limits}, data, seconds, told
        )
        release = asyncio.ensure_future(self._release(question, seat, work))
        self._releases.add(release)
        release.add_done_callback(self._releases.discard)
        try:
            answer = await asyncio.shield(work)
        except asyncio.CancelledError:  # nobody waits for the answer any more
            question.cancel()
            raise
        return _CANCELLED if question.cancelled.is_set() else answer

    async def _release(self, question: PendingQuestion, seat: SubprocessWorker, work: asyncio.Future[Any]) -> None:
        """Give a seat to the next question once it is done with this one, which may be cancelled before it began."""
        dropped = asyncio.ensure_future(question.cancelled.wait())
        await asyncio.wait((work, dropped), return_when=asyncio.FIRST_COMPLETED)
        dropped.cancel()
        while not work.done():
            seat.stop()
            await asyncio.wait((work,), timeout=_AGAIN)
        question.end()
        self._free.append(seat)
        self._gate.release()

    async def _has_turn(self, question: PendingQuestion) -> bool:
        """Wait for a free seat, which is then held; false if the question was taken back meanwhile."""
        self._waiting += 1
        turn = asyncio.ensure_future(self._gate.acquire())
        dropped = asyncio.ensure_future(question.cancelled.wait())
        try:
            await asyncio.wait((turn, dropped), return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:  # who leaves gives the turn back, also one that comes just then
            turn.add_done_callback(lambda done: None if done.cancelled() else self._gate.release())
            raise
        finally:
            self._waiting -= 1
            dropped.cancel()
            if not turn.done():
                turn.cancel()
        held = turn.done() and not turn.cancelled()
        if held and question.cancelled.is_set():
            self._gate.release()
        return held and not question.cancelled.is_set()

    async def ask_last(self, who: str, request: Mapping[str, Any], *, seconds: float) -> dict[str, Any]:
        """The same for somebody of whom only the last question counts: the one before is dropped while it waits.

        One that is worked on goes on: it ends soon by itself, and starting a process anew takes longer.
        """
        before, question = self._last.get(who), PendingQuestion()
        self._last[who] = question
        if before is not None and not before.is_worked_on:
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


def _answered(
    seat: SubprocessWorker, request: Mapping[str, Any], data: bytes, seconds: float, told: Tell | None
) -> dict[str, Any]:
    try:
        answer: dict[str, Any] = seat(request, data, seconds=seconds, megabytes=_MEMORY, told=told)
    except Died as end:
        return {"error": _ENDS.get(str(end), _CRASH), "ended": str(end)}
    return answer


_CANCELLED = {"error": "cancelled", "ended": "stopped"}
_CRASH = "The process that worked on this ended unexpectedly. Nothing else is lost; ask again, or ask for less."
_ENDS = {
    "stopped": "cancelled",
    "late": "This takes longer than the page waits while one types; the full report takes its time.",
    "memory": "This needs more memory than one question of the page may take.",
    "depth": "This nests deeper than it can be read.",
}
