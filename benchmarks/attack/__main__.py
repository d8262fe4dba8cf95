"""``make attack``: every attack of the list, then the fuzzers; status 1 if one got through."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator

from benchmarks.attack import (
    boards,
    certificates,
    data_frames,
    experiments,
    frames,
    journals,
    kinds,
    numbers,
    office,
    own_scores,
    papers,
    promises,
    reported,
    served,
    sheets,
    significance,
    structured,
    terminal,
    texts,
)
from benchmarks.attack.attack import Attack, Outcome, run
from benchmarks.attack.mutations import FORMATS, mutants
from benchmarks.recorded import record

PLACES = (
    boards,
    certificates,
    structured,
    office,
    texts,
    numbers,
    experiments,
    own_scores,
    terminal,
    journals,
    reported,
    significance,
    papers,
    promises,
    frames,
    data_frames,
    served,
    sheets,
)


def attacks() -> Iterator[Attack]:
    """The whole list."""
    for place in PLACES:
        yield from place.ATTACKS


def main() -> int:
    """Run what was asked for; what got through is said again at the end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="attacks whose place or name holds this")
    parser.add_argument(
        "--mutants", type=int, default=0, help="mutations of real files of each format and of certificates of each kind"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from", dest="first", type=int, default=0, help="the mutant to go on from")
    parser.add_argument("--quiet", action="store_true", help="only what got through")
    given = parser.parse_args()
    begun, flaws, count, slowest, largest = time.monotonic(), [], 0, 0.0, 0.0

    def take(outcome: Outcome) -> None:
        nonlocal count, slowest, largest
        count, slowest, largest = (
            count + outcome.attack.together,
            max(slowest, outcome.seconds),
            max(largest, outcome.megabytes),
        )
        if outcome.flaw:
            flaws.append(outcome)
        if outcome.flaw or not given.quiet:
            sys.stdout.write(f"{outcome}\n")
            sys.stdout.flush()

    for attack in attacks():
        if given.only in f"{attack.place}: {attack.name}":
            take(run(attack))
    if given.mutants:
        for name in FORMATS:
            if given.only in f"mutants of {name}":
                for outcome in mutants(name, given.mutants, given.seed, given.first):
                    take(outcome)
        for name in kinds.KINDS:
            if given.only in f"certificates of {name}":
                for outcome in kinds.mutants(name, given.mutants, given.seed, given.first):
                    take(outcome)
    for outcome in flaws:
        sys.stdout.write(f"got through: {outcome}\n")
    spent = time.monotonic() - begun
    sys.stdout.write(
        f"{count} attacks, {len(flaws)} got through; the slowest took {slowest:.1f} s, the largest {largest:.0f} MB; "
        f"{spent:.0f} s in all\n"
    )
    record(
        f"hostile inputs {given.only}".strip(),
        count,
        f"{len(flaws)} got through; at most {slowest:.1f} s and {largest:.0f} MB",
    )
    return 1 if flaws else 0


if __name__ == "__main__":
    sys.exit(main())
