"""Long checks: each has a number, a folder for its report, and events for whoever listens.

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
from pathlib import Path
from typing import Any

from scoreproof.serve.seats import PendingQuestion, Seats

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
