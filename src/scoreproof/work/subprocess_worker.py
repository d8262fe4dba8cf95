"""A worker in a process of its own with limits on time and memory: whatever it meets, this one goes on.

Time is limited by the clock, and by the processor time that the work takes: on a busy machine the clock says little.

The child is started at the first request and kept for the next ones, since its start is the larger part of the cost; it
answers one request at a time. If it is late, runs out of memory or dies, it is ended, and the next request starts
another. Requests and answers are JSON with a piece of bytes behind it: nothing that comes back is ever run. On the way
to its answer the child may tell how far it is; ``stop`` ends what it is doing.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import math
import os
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import cache
from typing import IO, Any

from scoreproof.errors import ScoreproofError, UnreadableInput
from scoreproof.limits import exceeded

BY_CLOCK = 10  # times the limit of processor time, for a machine that has other things to do
_HEAD = struct.Struct("<QQ")
_LARGEST = 1 << 30  # bytes of an answer
_DYING = 2.0  # seconds until a process that closed its pipe has ended
_START = """
import sys; sys.path[:] = {path!r}
from {module} import {name} as answer
from {here} import serve
try: import {early}
except ImportError: pass
serve(answer)
"""

Tell = Callable[[Any], None]
Answer = Callable[[Any, bytes, Tell], Any]
_WORKER = "SCOREPROOF_WORKER"


class Died(Exception):
    """The process that did the work ended without an answer.

    The message says why: ``late`` by the clock, ``processor`` for too much of its time, ``stopped``, ``memory``,
    ``depth``, ``no answer`` for what could not be understood, or by which signal or with which status it ended.
    """


class SubprocessWorker:
    """A function of another module (``module:name``), called in a process of its own."""

    def __init__(self, target: str) -> None:
        self._module, _, self._name = target.partition(":")
        self._child: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._lock = threading.Lock()
        self._ended = ""  # why the child was ended from here

    def __call__(
        self,
        request: Any,
        data: bytes,
        *,
        seconds: float,
        megabytes: int,
        processor: float | None = None,
        told: Tell | None = None,
    ) -> Any:
        """The answer to a request; ``Died`` if there is none within the limits. ``told`` hears what comes before it.

        ``seconds`` may pass by the clock without a word; ``processor`` limits the seconds of processor time, where the
        system can.
        """
        with self._lock:
            child, self._ended = self._started(), ""
            timer = self._timer(child, seconds)
            try:
                assert child.stdin is not None
                assert child.stdout is not None
                _send(child.stdin, {"request": request, "megabytes": megabytes, "processor": processor}, data)
                while "told" in (answer := _receive(child.stdout)[0]):
                    timer.cancel()
                    timer = self._timer(child, seconds)
                    if told is not None:
                        told(answer["told"])
            except (OSError, EOFError, ValueError):
                why = self._ended or _how_it_ended(child)
                self._end()
                raise Died(why) from None
            except BaseException:
                self._end()
                raise
            finally:
                timer.cancel()
            if self._ended or "died" in answer:
                self._end()
                raise Died(self._ended or answer["died"])
            return answer["answer"]

    def start(self, early: str = "sys") -> None:
        """Start the child before anything is asked; it loads the module ``early``, if there is one, meanwhile."""
        with self._lock:
            self._started(early)

    def stop(self) -> None:
        """End the child, whatever it does; who waits for its answer gets ``Died``. May be called by any thread."""
        child = self._child
        if child is not None and self._owner == os.getpid():
            self._kill(child, "stopped")

    def _timer(self, child: subprocess.Popen[bytes], seconds: float) -> threading.Timer:
        timer = threading.Timer(seconds, self._kill, (child, "late"))
        timer.daemon = True
        timer.start()
        return timer

    def _kill(self, child: subprocess.Popen[bytes], why: str) -> None:
        self._ended = why
        child.kill()

    def _started(self, early: str = "sys") -> subprocess.Popen[bytes]:
        alive = self._child is not None and self._child.poll() is None and self._owner == os.getpid()
        if not alive:
            code = _START.format(path=sys.path, module=self._module, name=self._name, here=__name__, early=early)
            # one thread for linear algebra: each reserves memory, which would count against the limit
            environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", _WORKER: "1"}
            self._child = subprocess.Popen(
                [sys.executable, "-c", code],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment,
            )
            self._owner = os.getpid()
            atexit.register(self._end)
        assert self._child is not None
        return self._child

    def _end(self) -> None:
        child, self._child = self._child, None
        if child is None or self._owner != os.getpid():
            return
        child.kill()
        child.wait()
        for pipe in (child.stdin, child.stdout):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()


def _how_it_ended(child: subprocess.Popen[bytes]) -> str:
    """Why a child closed its pipe, asked before anybody ends it from here."""
    try:
        status = child.wait(timeout=_DYING)
    except subprocess.TimeoutExpired:
        return "no answer"
    if status >= 0:
        return f"status {status}"
    name = signal.Signals(-status).name if -status in set(signal.Signals) else str(-status)
    return "processor" if name == "SIGXCPU" else f"signal {name}"


def in_worker() -> bool:
    """Whether this process is such a worker: what it reads is already sandboxed."""
    return _WORKER in os.environ


def serve(answer: Answer) -> None:
    """What the child does: answer requests until nobody asks any more."""
    source, out = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a library prints is no answer
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who asks hears Ctrl-C, and ends this process
    while True:
        try:
            asked, data = _receive(source)
        except EOFError:
            return
        _fence(asked["megabytes"], asked["processor"])
        try:
            made = {"answer": answer(asked["request"], data, lambda message: _send(out, {"told": message}, b""))}
        except MemoryError:
            made = {"died": "memory"}
        except RecursionError:
            made = {"died": "depth"}
        _send(out, made, b"")


def _send(pipe: IO[bytes], document: Any, data: bytes) -> None:
    head = json.dumps(document).encode()
    pipe.write(_HEAD.pack(len(head), len(data)))
    pipe.write(head)
    pipe.write(data)
    pipe.flush()


def _receive(pipe: IO[bytes]) -> tuple[Any, bytes]:
    sizes = _HEAD.unpack(_exactly(pipe, _HEAD.size))
    if max(sizes) > _LARGEST:
        raise ValueError("an answer is too large")
    head, data = (_exactly(pipe, size) for size in sizes)
    return json.loads(head), data


def _exactly(pipe: IO[bytes], size: int) -> bytes:
    data = pipe.read(size)
    if len(data) < size:
        raise EOFError
    return data


def _fence(megabytes: int, processor: float | None) -> None:
    """At most so much memory beside what the process has at its start, and so much more processor time.

    Only where the system can say so; who takes more time is ended by SIGXCPU.
    """
    _limit("AS", _address_space() + megabytes * 2**20)
    _limit("CORE", 0)
    if processor is not None:
        _limit("CPU", math.ceil(time.process_time() + processor))


def allow_more(processor: float) -> None:
    """So many seconds of processor time from here on, in a worker whose time is limited; elsewhere nothing happens."""
    _limit("CPU", math.ceil(time.process_time() + processor), only_if_limited=True)


def _limit(name: str, most: int, *, only_if_limited: bool = False) -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):  # on Windows there are no such limits
        import resource

        which = getattr(resource, f"RLIMIT_{name}")
        soft, hard = resource.getrlimit(which)
        if in_worker() and not (only_if_limited and soft == resource.RLIM_INFINITY):
            resource.setrlimit(which, (most, hard))


@cache
def _address_space() -> int:
    """Bytes of address space when first asked: before the first request."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 512 * 2**20


def unread(end: str, name: str) -> ScoreproofError:
    """The error for a file whose reader ended without an answer, as ``Died`` says it.

    >>> print(unread("signal SIGSEGV", "paper.pdf"))
    paper.pdf: the process that read it was ended by SIGSEGV; the file is damaged, or needs more memory than there is
    """
    if end == "processor":
        return exceeded("seconds", None, f"{name}: reading it took too much processor time")
    if end == "late":
        return exceeded("seconds", None, f"{name}: reading it took too long by the clock")
    if end == "memory":
        return exceeded("memory", None, f"{name}: reading it took too much memory")
    if end == "depth":
        return UnreadableInput(f"{name}: it nests deeper than it can be read")
    kind, _, which = end.partition(" ")
    if which == "SIGKILL":
        return UnreadableInput(
            f"{name}: the process that read it was killed from outside (SIGKILL): by somebody, or by the system, which "
            "does so when memory runs out"
        )
    if kind == "signal":
        words = f"was ended by {which}; the file is damaged, or needs more memory than there is"
    else:
        words = f"ended without an answer ({end}); the file is damaged"
    return UnreadableInput(f"{name}: the process that read it {words}")
