"""Exact ranges over matrices that are listed: the extremes over blocks of (tp, tn).

At fixed p and n every score is monotone in tp and in tn, so over a block it is largest and smallest at a corner. A
whole group of blocks is skipped when the corner of the rectangle around it cannot change the range. Only integers
are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from scoreproof.engine.solutions import Block
from scoreproof.reconstruct.quantities import leads, of_score
from scoreproof.reconstruct.ranges import Range
from scoreproof.scores import Score, known_scores
from scoreproof.scores.links import RATIO, Link

Quotient = tuple[int, int]
_FINE = 10**12


@dataclass(frozen=True, slots=True)
class Measure:
    """Something that is monotone in tp and tn at fixed p and n: up if ``rises``, down otherwise."""

    name: str
    ratio: Callable[[Any, Any, Any, Any], tuple[Any, Any]] = field(repr=False, compare=False)
    rises: bool = True
    link: Link = field(default=RATIO, repr=False, compare=False)


def counts() -> Iterator[Measure]:
    """The four cells, the classes and the prevalence, as counts."""
    yield Measure("tp", lambda tp, fp, fn, tn: (tp, 1))
    yield Measure("fp", lambda tp, fp, fn, tn: (fp, 1), rises=False)
    yield Measure("fn", lambda tp, fp, fn, tn: (fn, 1), rises=False)
    yield Measure("tn", lambda tp, fp, fn, tn: (tn, 1))
    yield Measure("p", lambda tp, fp, fn, tn: (tp + fn, 1))
    yield Measure("n", lambda tp, fp, fn, tn: (fp + tn, 1))
    yield Measure("prevalence", lambda tp, fp, fn, tn: (tp + fn, tp + fp + fn + tn))


def measures(reported: Iterable[Score] = ()) -> list[Measure]:
    """All counts and every score that is registered or was reported."""
    scores = dict.fromkeys([*known_scores(), *reported])
    return [*counts(), *(Measure(one.name, one.ratio, one.direction > 0, one.link) for one in scores)]


def lead_measures() -> list[Measure]:
    """The leads over trivial classifiers, which at fixed p and n rise like accuracy and F1."""
    return [Measure(one.name, one.ratio) for one in leads()]


class Extremes:
    """The smallest and largest value of every measure over the groups that were added."""

    def __init__(self, wanted: Sequence[Measure]) -> None:
        self.wanted = wanted
        self._ends: dict[str, list[Quotient | None]] = {one.name: [None, None] for one in wanted}
        self._undefined = {one.name: False for one in wanted}

    def add(self, p: int, n: int, blocks: list[Block]) -> None:
        """Take in all matrices with p positives and n negatives in these blocks."""
        if not blocks:
            return
        hull = Block(
            (min(b.tp[0] for b in blocks), max(b.tp[1] for b in blocks)),
            (min(b.tn[0] for b in blocks), max(b.tn[1] for b in blocks)),
        )
        for one in self.wanted:
            ends = self._ends[one.name]
            for upper in (0, 1):
                most = bool(upper) is one.rises
                around = _ratio(one, p, n, *_corner(hull, most))
                if around != (0, 0) and not _further(around, ends[upper], upper=bool(upper)):
                    continue
                for block in blocks:
                    for cell in _defined(one, p, n, block, most=most):
                        found = _ratio(one, p, n, *cell)
                        if _further(found, ends[upper], upper=bool(upper)):
                            ends[upper] = found

    def range(self, name: str) -> Range | None:
        """The exact range of a measure; None if it is undefined for every matrix."""
        one = next(measure for measure in self.wanted if measure.name == name)
        low, high = self._ends[name]
        if low is None or high is None or low[1] == 0:
            return None
        return Range(_value(one.link, low, upper=False), None if high[1] == 0 else _value(one.link, high, upper=True))

    def ranges(self) -> dict[str, Range]:
        return {one.name: span for one in self.wanted if (span := self.range(one.name)) is not None}


def _ratio(one: Measure, p: int, n: int, tp: int, tn: int) -> Quotient:
    num, den = one.ratio(tp, n - tn, p - tp, tn)
    return num, den


def _corner(block: Block, most: bool) -> tuple[int, int]:
    return (block.tp[1], block.tn[1]) if most else (block.tp[0], block.tn[0])


def _defined(one: Measure, p: int, n: int, block: Block, *, most: bool) -> list[tuple[int, int]]:
    """The extreme corner of a block; where the measure is 0/0 there, its neighbours in the block."""
    tp, tn = _corner(block, most)
    if _ratio(one, p, n, tp, tn) != (0, 0):
        return [(tp, tn)]
    step = -1 if most else 1
    near = [(tp + step, tn), (tp, tn + step)]
    return [
        (x, y)
        for x, y in near
        if block.tp[0] <= x <= block.tp[1] and block.tn[0] <= y <= block.tn[1] and _ratio(one, p, n, x, y) != (0, 0)
    ]


def _further(ratio: Quotient, than: Quotient | None, *, upper: bool) -> bool:
    if than is None:
        return True
    difference = ratio[0] * than[1] - than[0] * ratio[1]
    return difference > 0 if upper else difference < 0


def _value(link: Link, ratio: Quotient, *, upper: bool) -> Fraction:
    num, den = ratio
    if link.name == "ratio":
        return Fraction(num, den)
    low = Fraction(link.floor(num, den, _FINE), _FINE)
    exact = not upper or link.inverse(low) == Fraction(num, den)
    return low if exact else low + Fraction(1, _FINE)


def bounded_everywhere(score: Score) -> bool:
    """Whether a score can also be bounded without counts."""
    return of_score(score) is not None
