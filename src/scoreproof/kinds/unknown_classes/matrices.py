"""Matrices of unknown class counts: a sieve for the smallest test sets that give a report, and exact ranges over all.

Cones of rates are searched for a direction, and what they give has numbers of cases that no paper has. Every total in
turn is shared out to the four cells by these rates, each cell rounded down or up so that they add up; the first that
fits is near the smallest where all rates that fit are near each other. Large totals, of which most fit, are tried in
steps. Of most class counts a share of cases says at once that they do not fit: among 40 positives no sensitivity is
printed 0.913. Only the others are searched for a matrix.

At fixed p and n every score is monotone in tp and in tn, so over a block of matrices it is largest and smallest at the
corners with the most and the fewest of both. Floats say which corners come near the extreme; among those, integers
decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoreproof.kinds.binary.engine.bands import band
from scoreproof.kinds.binary.engine.rectangles import decide
from scoreproof.kinds.binary.engine.solutions import Block
from scoreproof.kinds.binary.scores import ConfusionMatrix, Score, Shape, known_scores
from scoreproof.kinds.binary.scores.score import made
from scoreproof.kinds.unknown_classes.experiment import PREVALENCE, BoundedQuantity, Range, leads
from scoreproof.kinds.unknown_classes.forms import Quotient, further, linked
from scoreproof.reported import Claim

_EVERY, _TOGETHER = 20_000, 2_000  # totals up to it are tried one by one, and so many together
_MOST, _RISE = 1e13, 1.05
_NEAR = 1e-9  # floats propose what lies so close
_UP = np.array(list(product((0, 1), repeat=4)), dtype=np.int64)


def rounded(
    claims: tuple[Claim, ...], matrix: ConfusionMatrix, holds: Callable[[ConfusionMatrix], bool]
) -> ConfusionMatrix:
    """The first total whose shares, rounded down or up, hold; the matrix itself if none does."""
    most = matrix.p + matrix.n
    rates = np.array(matrix.cells, dtype=np.float64) / most
    totals = np.arange(1, min(_EVERY, most), dtype=np.float64)
    steps = np.round(np.exp(np.arange(np.log(_EVERY), np.log(min(_MOST, max(most, 1))), np.log(_RISE))))
    blocks: list[NDArray[Any]] = [*np.array_split(totals, 1 + len(totals) // _TOGETHER), steps]
    for some in blocks:
        floors = np.floor(some[:, None] * rates)
        which, how = np.nonzero((some - floors.sum(axis=1))[:, None] == _UP.sum(axis=1))
        cells = floors[which] + _UP[how]
        values = [(claim, claim.score.values(*cells.T)) for claim in claims]
        fits = [(own >= float(claim.low) - _NEAR) & (own <= float(claim.high) + _NEAR) for claim, own in values]
        kept = cells[np.all(fits, axis=0)] if fits else cells
        for proposal in kept.astype(np.int64).tolist():
            smaller = ConfusionMatrix(*proposal)
            if holds(smaller):
                return smaller
    return matrix


_MOST_TRIES = 2_500
_MOST_TOTAL = 20_000
_PER_TRY = 500  # class counts whose shares are asked while one pair of them is searched for a matrix
_BLOCK = 64
_LISTED = 5
_SAFE = 1 << 62


@dataclass(frozen=True, slots=True)
class Smallest:
    """The smallest totals that fit, each with a matrix; every smaller total up to ``searched`` is excluded."""

    matrices: tuple[ConfusionMatrix, ...]
    searched: int

    @property
    def totals(self) -> tuple[int, ...]:
        return tuple(matrix.p + matrix.n for matrix in self.matrices)


def smallest(
    reports: tuple[tuple[Claim, ...], ...],
    low: Fraction,
    high: Fraction,
    *,
    listed: int = _LISTED,
    most_tries: int = _MOST_TRIES,
    most_total: int = _MOST_TOTAL,
) -> Smallest:
    """The smallest totals, with a prevalence from ``low`` to ``high``, whose class counts fit every one of the reports.

    The matrices are those of the first report. ``most_tries`` class counts are searched for one, and a few more.
    """
    matrices: list[ConfusionMatrix] = []
    shares = [claim for report in reports for claim in report if claim.score.shape is Shape.LINEAR]
    tries, searched = 0, 0
    for totals in _blocks(low, high, most_total, most_tries * _PER_TRY):
        possible: dict[int, list[int]] = {}
        for p, total in _class_counts(totals, low, high, shares):
            possible.setdefault(total, []).append(p)
        for total, positives in possible.items():
            for p in positives:
                tries += len(reports)
                cell = _fits(reports, p, total - p)
                if cell is not None:
                    tp, tn = cell
                    matrices.append(ConfusionMatrix(tp, total - p - tn, p - tp, tn))
                    break
            if len(matrices) == listed or tries > most_tries:
                return Smallest(tuple(matrices), total)
        searched = totals[-1]
    return Smallest(tuple(matrices), searched)


def _blocks(low: Fraction, high: Fraction, most_total: int, most_pairs: int) -> Iterator[range]:
    """Totals that are looked at together, as long as they have not too many class counts."""
    first, pairs, share = 1, 0.0, float(high - low)
    while first <= most_total and pairs < most_pairs:
        last = min(most_total, max(_BLOCK, 3 * first // 2))
        pairs += (last - first + 1) * (1 + share * last)
        yield range(first, last + 1)
        first = last + 1


def _class_counts(totals: range, low: Fraction, high: Fraction, shares: list[Claim]) -> list[tuple[int, int]]:
    """The (p, total) of which a share of cases does not say that they do not fit."""
    (a, b), (c, d) = low.as_integer_ratio(), high.as_integer_ratio()
    ends = [(max(0, -(-a * total // b)), min(total, c * total // d)) for total in totals]
    widths = np.array([max(0, last - first + 1) for first, last in ends])
    starts = np.array([first for first, _ in ends])
    sizes = np.repeat(np.array(totals), widths)
    p = np.arange(len(sizes)) + np.repeat(starts - np.cumsum(widths) + widths, widths)
    for claim in shares:
        possible = _reached(claim, p, sizes - p)
        p, sizes = p[possible], sizes[possible]
    return list(zip(p.tolist(), sizes.tolist(), strict=True))


def _reached(claim: Claim, p: Any, n: Any) -> Any:
    """Whether a whole numerator reaches a share of cases whose denominator is known from p and n."""
    denominator = np.broadcast_to(claim.score.ratio(0, n, p, 0)[1], p.shape)
    (a, b), (c, d) = (claim.score.link.inverse(end).as_integer_ratio() for end in (claim.low, claim.high))
    if max(abs(a), b, abs(c), d) * int(denominator.max(initial=1)) >= _SAFE:
        denominator = denominator.astype(object)
    return -(-a * denominator // b) <= c * denominator // d


def _fits(reports: tuple[tuple[Claim, ...], ...], p: int, n: int) -> tuple[int, int] | None:
    """A cell for the first report, if these class counts fit all reports."""
    first = None
    for report in reports:
        cell = decide([band(index, claim, p, n) for index, claim in enumerate(report)]).cell
        if cell is None:
            return None
        first = first or cell
    return first


_MARGIN = 1e-9  # a million times the error of a ratio of floats


Measure = Score | BoundedQuantity  # monotone in tp and tn at fixed p and n
_COUNTS = (
    made("tp", "", lambda tp, fp, fn, tn: (tp, 1)),
    made("fp", "", lambda tp, fp, fn, tn: (fp, 1)),
    made("fn", "", lambda tp, fp, fn, tn: (fn, 1)),
    made("tn", "", lambda tp, fp, fn, tn: (tn, 1)),
    made("p", "", lambda tp, fp, fn, tn: (tp + fn, 1)),
    made("n", "", lambda tp, fp, fn, tn: (fp + tn, 1)),
)


def exact_ranges(
    groups: Sequence[tuple[int, int, Iterable[Block]]], reported: Iterable[Score] = ()
) -> dict[str, Range]:
    """The exact ranges of counts, prevalence, scores and leads that are defined for some matrix.

    ``groups`` are positives, negatives and the blocks of matrices; scores are those that are registered or reported.
    """
    blocks = [(p, n, block) for p, n, some in groups for block in some]
    corners = [(p, n, block, most) for p, n, block in blocks for most in {False, block.count > 1}]
    cells = np.array([_cells(p, n, *_corner(block, most)) for p, n, block, most in corners], dtype=float)
    scores = dict.fromkeys([*known_scores(), *reported])
    ranges = {}
    wanted: list[Measure] = [*_COUNTS, PREVALENCE, *scores, *leads()]
    for measure in wanted:
        ratios = _float_ratios(measure, cells.reshape(-1, 4).T)
        low, high = (
            _extreme(measure, [corners[k] for k in _near(ratios, upper=upper)], upper=upper) for upper in (False, True)
        )
        if low is not None and high is not None and low[1]:
            least, most = linked(measure.link, low, upper=False), linked(measure.link, high, upper=True)
            ranges[measure.name] = Range(least or Fraction(0), most)
    return ranges


def _float_ratios(measure: Measure, cells: NDArray[Any]) -> NDArray[Any]:
    with np.errstate(divide="ignore", invalid="ignore"):
        num, den = measure.ratio(*cells)
        return np.asarray(num / (den * np.ones_like(cells[0])))


def _near(ratios: NDArray[Any], *, upper: bool) -> list[int]:
    """Which of the corners come near the extreme, or are 0/0."""
    unclear = np.isnan(ratios)
    signed = np.where(unclear, -np.inf, ratios if upper else -ratios)
    best = signed.max(initial=-np.inf)
    margin = _MARGIN * max(1.0, abs(best)) if np.isfinite(best) else 0.0
    near: list[int] = np.flatnonzero((signed >= best - margin) | unclear).tolist()
    return near


def _extreme(measure: Measure, corners: Iterable[tuple[int, int, Block, bool]], *, upper: bool) -> Quotient | None:
    """The extreme ratio at these corners; where the measure is 0/0 there, at their neighbours in the block."""
    extreme: Quotient | None = None
    for p, n, block, most in corners:
        tp, tn = _corner(block, most)
        step = -1 if most else 1
        ratios = [measure.ratio(*_cells(p, n, tp, tn))]
        if ratios == [(0, 0)]:
            near = [(tp + step, tn), (tp, tn + step)]
            inside = [(x, y) for x, y in near if _within(x, block.tp) and _within(y, block.tn)]
            ratios = [ratio for x, y in inside if (ratio := measure.ratio(*_cells(p, n, x, y))) != (0, 0)]
        for ratio in ratios:
            if further(ratio, extreme, upper=upper):
                extreme = ratio
    return extreme


def _corner(block: Block, most: bool) -> tuple[int, int]:
    return (block.tp[1], block.tn[1]) if most else (block.tp[0], block.tn[0])


def _cells(p: int, n: int, tp: int, tn: int) -> tuple[int, int, int, int]:
    return tp, n - tn, p - tp, tn


def _within(count: int, ends: tuple[int, int]) -> bool:
    return ends[0] <= count <= ends[1]
