"""Children that need not start: a process that has loaded the package forks one for every attack.

A third to a half of what an attack took was the start of an interpreter and the loading of the package, the same two
thousand times. The child is fenced, goes to its folder, and then is the interpreter with its arguments, to its natural
end: what it prints, how it ends, what it takes and what its own children see is as if it had been started by itself
(``tests/outside/test_attack_harness.py`` compares the two, and plants one of every fault). The start that it was spared
is added to its processor time.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import resource
import runpy
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from io import BufferedRWPair
from pathlib import Path
from types import ModuleType
from typing import Any

_FENCE = 6 << 30  # bytes of address space, so that a miss does not take the machine with it
_LOOK = 0.5  # seconds between two looks at the processor time of a child
_EARLY = (
    "scoreproof.cli.audit",
    "scoreproof.cli.check",
    "scoreproof.cli.listings",
    "scoreproof.checking.check",
    "scoreproof.papers.run",
    "scoreproof.documents.read",
    "scoreproof_verify",
    "numpy",
    "typer.rich_utils",
    "yaml",
)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a child ended, and what it and its own children took; ``late`` if it had to be ended."""

    status: int
    seconds: float
    megabytes: float
    late: bool


def child(arguments: Sequence[str], folder: Path, paths: Sequence[str], *, processor: float, clock: float) -> Ended:
    """An interpreter with these arguments in this folder; what it says is in the files ``.out`` and ``.err`` there.

    It is ended when it has taken more than ``processor`` seconds of its own, or when ``clock`` seconds have passed.
    """
    request = {
        "arguments": list(arguments),
        "folder": str(folder),
        "paths": list(paths),
        "processor": processor,
        "clock": clock,
    }
    talk = _forker(os.getpid())
    talk.write(json.dumps(request).encode() + b"\n")
    talk.flush()
    return Ended(**json.loads(talk.readline()))


@cache
def _forker(owner: int) -> BufferedRWPair:
    """The line to the process that forks; each process that asks has its own."""
    ours, theirs = socket.socketpair()
    with theirs:
        subprocess.Popen(
            [sys.executable, "-m", __spec__.name, str(theirs.fileno())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env={**os.environ, "COLUMNS": "120", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            pass_fds=(theirs.fileno(),),
            start_new_session=True,
        )
    with ours:
        return ours.makefile("rwb")


def _fork_for(talk: BufferedRWPair) -> dict[str, Any]:
    """Fork a child for every request; returns in the child, with what was asked for."""
    for name in _EARLY:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    spent = time.process_time()
    while line := talk.readline():
        request: dict[str, Any] = json.loads(line)
        begun = time.monotonic()
        pid = os.fork()
        if not pid:
            talk.close()
            return request
        ended = _wait(pid, begun, request["processor"], request["clock"], spent)
        talk.write(json.dumps(asdict(ended)).encode() + b"\n")
        talk.flush()
    os._exit(0)


def _wait(pid: int, begun: float, processor: float, clock: float, spent: float) -> Ended:
    """Status and use of a child (what it started included); one that is far too late is ended."""
    late, looked = False, begun
    while True:
        ended, status, usage = os.wait4(pid, os.WNOHANG)
        if ended:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)  # what it left behind
            seconds = spent + usage.ru_utime + usage.ru_stime
            return Ended(os.waitstatus_to_exitcode(status), seconds, usage.ru_maxrss / 1024, late)
        now = time.monotonic()
        if not late and now - looked > _LOOK:
            looked = now
            if now - begun > clock or spent + _taken(pid) > processor:
                os.killpg(pid, signal.SIGKILL)
                late = True
        time.sleep(0.002)


def _taken(pid: int) -> float:
    """Seconds of processor time of a process that runs, and of its children that have ended."""
    try:
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, words[11:15])) / os.sysconf("SC_CLK_TCK")


def _become(request: dict[str, Any]) -> None:
    """Be the interpreter with these arguments: what is raised here ends it as it would end a program."""
    os.setsid()
    resource.setrlimit(resource.RLIMIT_AS, (_FENCE, _FENCE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.chdir(request["folder"])
    for name, number in ((".out", 1), (".err", 2)):
        handle = os.open(name, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(handle, number)
        os.close(handle)
    paths, (flag, program, *more) = request["paths"], request["arguments"]
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)
    sys.path[:0] = [request["folder"] if flag == "-m" else "", *paths]
    custom = Path(paths[0]) / "sitecustomize.py"
    if custom.exists():
        exec(compile(custom.read_text(), custom, "exec"), {"__name__": "sitecustomize", "__file__": str(custom)})
    gc.unfreeze()
    if flag == "-m":
        sys.argv = [program, *more]
        runpy.run_module(program, run_name="__main__", alter_sys=True)
    else:
        sys.argv = ["-c", *more]
        main = sys.modules["__main__"] = ModuleType("__main__")
        exec(compile(program, "<string>", "exec"), main.__dict__)


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as line:
        conversation = line.makefile("rwb")
    _become(_fork_for(conversation))
