"""Every public function with every hostile value in every argument, then several at once.

``python -m benchmarks.attack.signatures --several 200 --seed 1``; the short form is ``tests/outside/test_signatures.py``.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
from dataclasses import asdict, dataclass
from functools import partial
from types import FrameType
from typing import Any

from tests.outside import hostile
from tests.outside.public_calls import CALLS, Call, missing

from benchmarks.attack.progress import journal, tried
from benchmarks.recorded import record

_SECONDS = 20.0  # of processor time, for one call


class Late(BaseException):
    """A call that does not come back; not an Exception, so that nothing on the way takes it for one of its own."""


def _late(number: int, frame: FrameType | None) -> None:
    raise Late


def judged(call: Call, arguments: dict[str, object]) -> str:
    """What a call came to, or that it took too long."""
    signal.setitimer(signal.ITIMER_PROF, _SECONDS)
    try:
        came: str = hostile.outcome(call, arguments)
        return came
    except Late:
        return f"took more than {_SECONDS:g} s"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


@dataclass(frozen=True, slots=True)
class Called:
    """What came of the wrong calls of one function."""

    name: str
    calls: int
    flaws: tuple[str, ...]

    @property
    def flaw(self) -> str:
        return "\n".join(self.flaws)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def called(name: str, several: int, seed: int) -> Called:
    """Every hostile value in every argument of a function, and in some at once."""
    signal.signal(signal.SIGPROF, _late)
    call, chance = CALLS[name], random.Random(f"{name} {seed}")
    flaws, calls = [], 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # some wrong values are good names of files
        for changed, arguments in (
            *hostile.one_by_one(call),
            *(hostile.several(call, chance) for _ in range(several)),
        ):
            calls += 1
            if said := judged(call, arguments):
                flaws.append(f"{name}({', '.join(changed)}): {said}")
        os.chdir("/")
    return Called(name, calls, tuple(flaws))


def main() -> int:
    """Call everything; status 1 if a call ended in another way than it may."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="functions whose name holds this")
    parser.add_argument("--several", type=int, default=200, help="calls of each function with several wrong arguments")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=0, help="how many at a time (as many as there are processors)")
    given = parser.parse_args()
    flaws = [f"no call of {name}" for name in missing()]
    calls = 0
    wanted = {
        f"{name} {given.several} {given.seed}": partial(called, name, given.several, given.seed)
        for name in CALLS
        if given.only in name
    }
    with journal("signatures", lambda document: Called(document["name"], document["calls"], ())) as book:
        for result in tried(wanted, book, given.jobs):
            calls += result.calls
            flaws += result.flaws
            sys.stdout.write("".join(f"{flaw}\n" for flaw in result.flaws))
            sys.stdout.flush()
    sys.stdout.write(f"wrong calls of {len(wanted)} functions: {calls} tried, {len(flaws)} got through\n")
    record("wrong calls of public functions", calls, f"{len(flaws)} got through")
    return 1 if flaws else 0


if __name__ == "__main__":
    sys.exit(main())
