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
from types import FrameType

from tests.outside import hostile
from tests.outside.public_calls import CALLS, Call, missing

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


def main() -> int:
    """Call everything; status 1 if a call ended in another way than it may."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="functions whose name holds this")
    parser.add_argument("--several", type=int, default=200, help="calls of each function with several wrong arguments")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    signal.signal(signal.SIGPROF, _late)
    flaws = [f"no call of {name}" for name in missing()]
    calls = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # some wrong values are good names of files
        for name, call in CALLS.items():
            if given.only in name:
                chance = random.Random(f"{name} {given.seed}")
                tried = [*hostile.one_by_one(call), *(hostile.several(call, chance) for _ in range(given.several))]
                for changed, arguments in tried:
                    calls += 1
                    said = judged(call, arguments)
                    if said:
                        flaws.append(f"{name}({', '.join(changed)}): {said}")
                        sys.stdout.write(f"{flaws[-1]}\n")
                        sys.stdout.flush()
        os.chdir("/")
    sys.stdout.write(f"{calls} calls of {len(CALLS)} functions, {len(flaws)} got through\n")
    record("wrong calls of public functions", calls, f"{len(flaws)} got through")
    return 1 if flaws else 0


if __name__ == "__main__":
    sys.exit(main())
