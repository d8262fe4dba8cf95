"""One attack: what it writes, what it runs in a child, and what may come of that.

The child is the real command line or a few lines of Python. It may end with any answer or with an error of ours; it may
not take more than ``SECONDS`` of processor time or ``MEGABYTES``, print a traceback or an escape, or end with the status
of an internal error. On an idle machine the clock says the same; what waits for ever is ended.
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

SECONDS = 20.0
MEGABYTES = 1024
_PATIENCE = 15.0  # times the limit, by the clock, after which a child is ended: a busy machine is none of its faults
_FENCE = 6 << 30  # bytes of address space, so that a miss does not take the machine with it
_SHOWN = 110

# What a few lines of Python are run in: an answer, an error of ours or a wrong call end well, all else is a traceback.
_FRAME = """
import sys
from pathlib import Path
import scoreproof as sp
from scoreproof.errors import ScoreproofError
folder = Path(sys.argv[1])
def attack():
{body}
try:
    print(str(attack())[:200])
except ScoreproofError as error:
    print(type(error).__name__, str(error)[:300])
"""


# What a watched child and its own children tell of: written down in a file beside what they were given.
SECRET, _HELD = "hunter2", "swordfish"  # the name of a file, and what it holds
_WATCH = """
import os, sys
def watch(event, given, place=os.path.join(os.path.dirname(os.path.abspath(__file__)), ".seen")):
    bad = event in ("os.system", "os.posix_spawn", "socket.getaddrinfo", "urllib.Request", "os.exec")
    bad = bad or event == "socket.connect" and isinstance(given[1], tuple)
    bad = bad or event == "open" and "hunter2" in str(given[0])
    if bad:
        handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.write(handle, (event + " " + repr(given)[:200]).encode("utf-8", "replace"))
        os.close(handle)
sys.addaudithook(watch)
"""


@dataclass(frozen=True, slots=True)
class Attack:
    """A hostile input: ``make`` writes its files into a folder and gives the arguments of the interpreter.

    ``together`` is how many inputs are read by this one child, each within the limit of time. One that is ``watched``
    may not reach the network, start a shell, or open, show or change what ``secret`` and its kin hold.
    """

    place: str
    name: str
    make: Callable[[Path], Sequence[str]]
    together: int = 1
    watched: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one attack."""

    attack: Attack
    seconds: float
    megabytes: float
    status: int
    words: str
    flaw: str = ""

    def __str__(self) -> str:
        mark = self.flaw or "held"
        name = ascii(f"{self.attack.place}: {self.attack.name}")[1:-1]
        return f"{mark:10} {self.seconds:6.1f} s {self.megabytes:6.0f} MB  {name[:60]:60} {self.words[:_SHOWN]}"


def command(*arguments: str) -> list[str]:
    """The arguments that run the command line."""
    return ["-m", "scoreproof", *arguments]


def python(body: str, folder: Path) -> list[str]:
    """The arguments that run lines of Python; the last one returns the answer."""
    lines = body.strip().splitlines()
    lines[-1] = lines[-1] if lines[-1].startswith(("return", " ", "for", "raise")) else f"return {lines[-1]}"
    return ["-c", _FRAME.format(body="\n".join(f"    {line}" for line in lines)), str(folder)]


def snippet(place: str, body: str, name: str = "") -> Attack:
    """An attack that is a few lines of Python."""
    return Attack(place, name or " ".join(body.split()), lambda folder: python(body, folder))


def run(attack: Attack) -> Outcome:
    """The attack, carried out in a child of its own."""
    together = attack.together
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "here"
        folder.mkdir()
        paths = list(filter(None, sys.path))
        if attack.watched:
            (Path(name) / "watch").mkdir()
            (Path(name) / "watch" / "sitecustomize.py").write_text(_WATCH)
            paths.insert(0, str(Path(name) / "watch"))
            for place in (folder / f"{SECRET}.csv", Path(name) / f"{SECRET}.tex", Path(name) / SECRET):
                place.write_text(f"Method,Acc\n{_HELD},0.91\n")
        arguments = attack.make(folder)
        with (folder / ".out").open("w+b") as out, (folder / ".err").open("w+b") as err:
            begun = time.monotonic()
            child = subprocess.Popen(
                [sys.executable, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                cwd=folder,
                env={**os.environ, "COLUMNS": "120", "PYTHONPATH": os.pathsep.join(paths)},
                preexec_fn=_fenced,  # noqa: PLW1509  # no threads here
                start_new_session=True,
            )
            status, usage, late = _wait(child.pid, begun, together)
            seconds = usage.ru_utime + usage.ru_stime
            child.returncode = status
            said = _beginning(out), _beginning(err)
        seen = Path(name) / "watch" / ".seen"
        leak = seen.read_text(errors="replace") if seen.exists() else "pwned" if any(Path(name).rglob("pwned")) else ""
        leak = leak or ("shown" if attack.watched and _HELD in "".join(said) else "")
    megabytes = usage.ru_maxrss / 1024
    flaw = _flaw(seconds / together, megabytes, status, said[1], late) or ("ESCAPES" if "\x1b" in "".join(said) else "")
    flaw = flaw or ("LEAK" if leak else "")
    words = ascii(" ".join((leak or said[1] or said[0]).split()))[1:-1]
    return Outcome(attack, seconds, megabytes, status, words if not flaw else words[-_SHOWN:], flaw)


def _beginning(file: object) -> str:
    file.seek(0)  # type: ignore[attr-defined]
    content: bytes = file.read(2_000_000)  # type: ignore[attr-defined]
    return content.decode("utf-8", "replace")


def _fenced() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_FENCE, _FENCE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _wait(pid: int, begun: float, together: int) -> tuple[int, resource.struct_rusage, bool]:
    """Status and use of a child (what it started included); one that is far too late is ended."""
    late = False
    while True:
        ended, status, usage = os.wait4(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status), usage, late
        if not late and time.monotonic() - begun > _PATIENCE * SECONDS * together**0.5:
            os.killpg(pid, signal.SIGKILL)
            late = True
        time.sleep(0.005)


def _flaw(seconds: float, megabytes: float, status: int, errors: str, late: bool) -> str:
    if late or seconds > SECONDS:
        return "SLOW"
    if megabytes > MEGABYTES:
        return "MEMORY"
    if "Traceback (most recent call last)" in errors or "internal error" in errors or status == 4:
        return "TRACEBACK"
    return f"DIED {status}" if status not in (0, 1, 2, 3, 5) else ""
