"""One attack: what it writes, what it runs in a child, and what may come of that.

The child is the real command line or a few lines of Python. It may end with any answer or with an error of ours; it may
not take more than ``seconds`` of processor time (its start included) or ``megabytes``, print a traceback or an escape, or
end with the status of an internal error. On an idle machine the clock says the same; what waits for ever is ended.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.attack.children import Ended, child

_SHOWN = 110


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one input may take; ``clock`` is when a child is ended: a busy machine is none of its faults."""

    seconds: float = 20.0
    megabytes: float = 1024
    clock: float = 300.0


BOUNDS = Bounds()

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

    place: str
    name: str
    together: int
    seconds: float
    megabytes: float
    status: int
    words: str
    flaw: str = ""

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        mark = self.flaw or "held"
        name = ascii(f"{self.place}: {self.name}")[1:-1]
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


def run(attack: Attack, bounds: Bounds = BOUNDS) -> Outcome:
    """The attack, carried out in a child of its own."""
    with tempfile.TemporaryDirectory() as name:
        folder, watch = Path(name) / "here", Path(name) / "watch"
        folder.mkdir()
        paths = list(filter(None, sys.path))
        if attack.watched:
            watch.mkdir()
            (watch / "sitecustomize.py").write_text(_WATCH)
            paths.insert(0, str(watch))
            for place in (folder / f"{SECRET}.csv", Path(name) / f"{SECRET}.tex", Path(name) / SECRET):
                place.write_text(f"Method,Acc\n{_HELD},0.91\n")
        arguments = attack.make(folder)
        ended = child(
            arguments,
            folder,
            paths,
            processor=bounds.seconds * attack.together,
            clock=bounds.clock * attack.together**0.5,
        )
        out, err = _beginning(folder / ".out"), _beginning(folder / ".err")
        seen = watch / ".seen"
        leak = seen.read_text(errors="replace") if seen.exists() else "pwned" if any(Path(name).rglob("pwned")) else ""
        leak = leak or ("shown" if attack.watched and _HELD in out + err else "")
    flaw = _flaw(ended, attack.together, err, bounds) or ("ESCAPES" if "\x1b" in out + err else "")
    flaw = flaw or ("LEAK" if leak else "")
    words = ascii(" ".join((leak or err or out).split()))[1:-1]
    shown = words[-_SHOWN:] if flaw else words[:_SHOWN]
    return Outcome(
        attack.place, attack.name, attack.together, ended.seconds, ended.megabytes, ended.status, shown, flaw
    )


def _beginning(file: Path) -> str:
    with file.open("rb") as opened:
        return opened.read(2_000_000).decode("utf-8", "replace")


def _flaw(ended: Ended, together: int, errors: str, bounds: Bounds) -> str:
    if ended.late or ended.seconds / together > bounds.seconds:
        return "SLOW"
    if ended.megabytes > bounds.megabytes:
        return "MEMORY"
    if "Traceback (most recent call last)" in errors or "internal error" in errors or ended.status == 4:
        return "TRACEBACK"
    return f"DIED {ended.status}" if ended.status not in (0, 1, 2, 3, 5) else ""
