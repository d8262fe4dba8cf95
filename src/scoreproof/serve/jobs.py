"""A few processes that answer questions, and the queue before them.

There are never more processes than seats, whatever is asked at once; who comes later waits, and when too many wait the
next is told so. A question can be taken back: while it waits it is dropped, while it is answered its process is ended.

Long checks: each has a number, a folder for its report, and events for whoever listens.

Finished jobs are kept until newer ones push them out. A job goes on when a listener leaves and another comes; it ends
when it is cancelled, or when nobody has listened to it for a while.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import shutil
import time
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from scoreproof.limits import current
from scoreproof.work.subprocess_worker import Died, SubprocessWorker, Tell

_TARGET = "scoreproof.serve.desk:answer"
_MEMORY = 1_000  # megabytes of one process
_MOST_WAITING = 400


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
        try:
            question.begin(seat)
            work = asyncio.get_running_loop().run_in_executor(
                self._threads, _answered, seat, {**request, "limits": self._limits}, data, seconds, told
            )
            answer = await asyncio.shield(work)
            return _CANCELLED if question.cancelled.is_set() else answer
        except asyncio.CancelledError:  # nobody waits for the answer any more
            seat.stop()
            raise
        finally:
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


_MOST_KEPT = 40
_MOST_SECONDS = 3600.0
_ALONE = 60.0  # seconds that a job goes on with nobody listening
_BEAT = 10.0  # seconds after which a silent stream shows that it is alive


class Job:
    """One long check."""

    def __init__(self, folder: Path) -> None:
        self.number = secrets.token_hex(8)
        self.folder = folder / self.number
        self.question = PendingQuestion()
        self.last: tuple[str, Any] = ("waiting", "waiting for other checks to end")
        self._changed = asyncio.Condition()
        self._listeners = 0
        self._left = time.monotonic()

    @property
    def over(self) -> bool:
        return self.last[0] in ("done", "failed")

    @property
    def is_deserted(self) -> bool:
        return not self.over and not self._listeners and time.monotonic() - self._left > _ALONE

    async def say(self, kind: str, said: Any) -> None:
        async with self._changed:
            self.last = (kind, said)
            self._changed.notify_all()

    async def events(self) -> AsyncIterator[str]:
        """What happens to it, as server-sent events; at the end its result."""
        self._listeners += 1
        try:
            told = None
            while True:
                if self.last is not told:
                    told = self.last
                    yield f"event: {told[0]}\ndata: {json.dumps(told[1])}\n\n"
                if self.over:
                    return
                async with self._changed:
                    try:
                        await asyncio.wait_for(self._changed.wait_for(lambda: self.last is not told), _BEAT)  # noqa: B023
                    except TimeoutError:
                        yield ": alive\n\n"
        finally:
            self._listeners -= 1
            self._left = time.monotonic()


class Jobs:
    """The long checks of one server."""

    def __init__(self, seats: Seats, folder: Path) -> None:
        self._seats, self._folder = seats, folder
        self._jobs: dict[str, Job] = {}
        self._running: set[asyncio.Task[None]] = set()

    def __getitem__(self, number: str) -> Job | None:
        return self._jobs.get(number)

    def start(self, specification: Mapping[str, Any]) -> Job:
        """A new one."""
        self._tidy()
        job = Job(self._folder)
        job.folder.mkdir(mode=0o700)
        self._jobs[job.number] = job
        task = asyncio.get_running_loop().create_task(self._run(job, specification))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return job

    async def cancel(self, job: Job) -> None:
        """End it; who listens hears so at once, also where it still waits for its turn."""
        job.question.cancel()
        if not job.over:
            await job.say("failed", "cancelled")

    def close(self) -> None:
        for job in self._jobs.values():
            job.question.cancel()
        for task in self._running:
            task.cancel()

    async def _run(self, job: Job, specification: Mapping[str, Any]) -> None:
        loop = asyncio.get_running_loop()
        steps: asyncio.Queue[Any] = asyncio.Queue()

        def told(said: Any) -> None:
            loop.call_soon_threadsafe(steps.put_nowait, said)

        telling = loop.create_task(self._tell(job, steps))
        request = {"verb": "report", "specification": specification, "folder": str(job.folder)}
        try:
            answer = await self._seats.ask(
                request,
                seconds=_MOST_SECONDS,
                told=told,
                question=job.question,
            )
        except Exception as error:
            answer = {"error": f"the check could not be started ({type(error).__name__}); try again later"}
        finally:
            telling.cancel()
        if not job.over:
            await job.say("failed" if "error" in answer else "done", answer.get("error", answer))

    async def _tell(self, job: Job, steps: asyncio.Queue[Any]) -> None:
        while True:
            said = await steps.get()
            while not steps.empty():  # only the last step counts
                said = steps.get_nowait()
            if not job.over:
                await job.say("progress", said)
            if job.is_deserted:
                await self.cancel(job)
            await asyncio.sleep(0.1)

    def _tidy(self) -> None:
        over = [job for job in self._jobs.values() if job.over]
        for job in over[: max(0, len(self._jobs) - _MOST_KEPT + 1)]:
            del self._jobs[job.number]
            shutil.rmtree(job.folder, ignore_errors=True)
