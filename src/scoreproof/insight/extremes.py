"""Exact ranges over matrices that are listed: the extremes over blocks of (tp, tn).

At fixed p and n every score is monotone in tp and in tn, so over a block it is largest and smallest at a corner.
Floats say which blocks come near the extreme; among those, integers decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from scoreproof.kinds.binary.engine.solutions import Block
from scoreproof.kinds.binary.scores import Score, known_scores
from scoreproof.kinds.binary.scores.links import RATIO, Link
from scoreproof.kinds.unknown_classes.forms import Quotient, further
from scoreproof.kinds.unknown_classes.quantities import leads
from scoreproof.kinds.unknown_classes.ranges import Range

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[Any]


_FINE = 10**12
_MARGIN = 1e-9


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


class MeasureExtremes:
    """The smallest and largest value of every measure over the groups that were added."""

    def __init__(self, wanted: Sequence[Measure]) -> None:
        self.wanted = wanted
        self._blocks: list[tuple[int, int, Block]] = []

    def add(self, p: int, n: int, blocks: Iterable[Block]) -> None:
        """Take in all matrices with p positives and n negatives in these blocks."""
        self._blocks += [(p, n, block) for block in blocks]

    def ranges(self) -> dict[str, Range]:
        """The exact range of every measure that is defined for some matrix."""
        found = {}
        corners = {most: self._corners(most) for most in (False, True)}
        for one in self.wanted:
            low = self._extreme(one, corners[not one.rises], upper=False)
            high = self._extreme(one, corners[one.rises], upper=True)
            if low is not None and high is not None and low[1]:
                top = None if high[1] == 0 else _value(one.link, high, upper=True)
                found[one.name] = Range(_value(one.link, low, upper=False), top)
        return found

    def _corners(self, most: bool) -> Floats:
        """The cells (tp, fp, fn, tn) at the corner of every block with the most (or fewest) tp and tn."""
        import numpy as np

        rows = []
        for p, n, block in self._blocks:
            tp, tn = _corner(block, most)
            rows.append((tp, n - tn, p - tp, tn))
        return np.array(rows, dtype=float).reshape(-1, 4).T

    def _extreme(self, one: Measure, cells: Floats, *, upper: bool) -> Quotient | None:
        """The extreme ratio: floats pick the blocks near it, with a margin a million times their error."""
        import numpy as np

        with np.errstate(divide="ignore", invalid="ignore"):
            num, den = one.ratio(*cells)
            ratios = np.asarray(num / (den * np.ones_like(cells[0])))
        unclear = np.isnan(ratios)
        signed = np.where(unclear, -np.inf, ratios if upper else -ratios)
        best = signed.max(initial=-np.inf)
        margin = _MARGIN * max(1.0, abs(best)) if np.isfinite(best) else 0.0
        chosen = np.flatnonzero((signed >= best - margin) | unclear)
        extreme: Quotient | None = None
        for p, n, block in dict.fromkeys(self._blocks[k] for k in chosen.tolist()):
            for tp, tn in _defined(one, p, n, block, most=upper is one.rises):
                ratio = _ratio(one, p, n, tp, tn)
                if further(ratio, extreme, upper=upper):
                    extreme = ratio
        return extreme


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


def _value(link: Link, ratio: Quotient, *, upper: bool) -> Fraction:
    num, den = ratio
    if link.name == "ratio":
        return Fraction(num, den)
    low = Fraction(link.floor(num, den, _FINE), _FINE)
    exact = not upper or link.inverse(low) == Fraction(num, den)
    return low if exact else low + Fraction(1, _FINE)
