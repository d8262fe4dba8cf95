"""``make attack``: every attack of the list, then the fuzzers; status 1 if one got through."""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain, count

from benchmarks.attack import (
    boards,
    certificates,
    data_frames,
    doors,
    experiments,
    frames,
    journals,
    kinds,
    newest,
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
from benchmarks.attack.progress import journal, tried
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
    doors,
    newest,
    frames,
    data_frames,
    served,
    sheets,
)


def attacks() -> Iterator[Attack]:
    """The whole list."""
    for place in PLACES:
        yield from place.ATTACKS


def asked(only: str, mutated: int, seed: int, first: int) -> dict[str, Attack]:
    """The attacks whose place or name holds a text, by names of which no two are the same."""
    named: dict[str, Attack] = {}
    for attack in chain(
        attacks(),
        *(mutants(name, mutated, seed, first) for name in FORMATS),
        *(kinds.mutants(name, mutated, seed, first) for name in kinds.KINDS),
    ):
        if only in (name := f"{attack.place}: {attack.name}"):
            again = count(2)
            key = name
            while key in named:
                key = f"{name} ({next(again)})"
            named[key] = attack
    return named


@dataclass
class Tally:
    """What came of a list so far."""

    tried: int = 0
    through: int = 0
    slowest: float = 0.0
    largest: float = 0.0

    def add(self, outcome: Outcome) -> None:
        self.tried += outcome.together
        self.through += bool(outcome.flaw)
        self.slowest = max(self.slowest, outcome.seconds)
        self.largest = max(self.largest, outcome.megabytes)

    def __str__(self) -> str:
        return f"{self.through} got through; at most {self.slowest:.1f} s and {self.largest:.0f} MB"


def main() -> int:
    """Run what was asked for; what got through is said again at the end, then the figures of every list."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="attacks whose place or name holds this")
    parser.add_argument(
        "--mutants", type=int, default=0, help="mutations of real files of each format and of certificates of each kind"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from", dest="first", type=int, default=0, help="the mutant to go on from")
    parser.add_argument("--jobs", type=int, default=0, help="how many at a time (as many as there are processors)")
    parser.add_argument("--quiet", action="store_true", help="only what got through")
    given = parser.parse_args()
    begun, flaws = time.monotonic(), []
    tallies: defaultdict[str, Tally] = defaultdict(Tally)
    calls = asked(given.only, given.mutants, given.seed, given.first)
    with journal("inputs", lambda document: Outcome(**document)) as book:
        for outcome in tried({name: partial(run, attack) for name, attack in calls.items()}, book, given.jobs):
            tallies[outcome.place].add(outcome)
            if outcome.flaw:
                flaws.append(outcome)
            if outcome.flaw or not given.quiet:
                sys.stdout.write(f"{outcome}\n")
                sys.stdout.flush()
    for outcome in flaws:
        sys.stdout.write(f"got through: {outcome}\n")
    for place in dict.fromkeys(attack.place for attack in calls.values()):
        sys.stdout.write(f"{place}: {tallies[place].tried} tried, {tallies[place]}\n")
        record(f"hostile inputs: {place}", tallies[place].tried, str(tallies[place]))
    every = sum(tally.tried for tally in tallies.values())
    sys.stdout.write(f"{every} tried, {len(flaws)} got through; {time.monotonic() - begun:.0f} s in all\n")
    return 1 if flaws else 0


if __name__ == "__main__":
    sys.exit(main())
