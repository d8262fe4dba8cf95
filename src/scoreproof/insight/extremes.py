"""Exact ranges over matrices that are listed: the extremes over blocks of (tp, tn).

At fixed p and n every score is monotone in tp and in tn, so over a block it is largest and smallest at the corners with
the most and the fewest of both. Floats say which corners come near the extreme; among those, integers decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from scoreproof.kinds.binary.engine.solutions import Block
from scoreproof.kinds.binary.scores import Score, known_scores
from scoreproof.kinds.binary.scores.score import RATIO, Link
from scoreproof.kinds.unknown_classes.experiment import PREVALENCE, Range, leads
from scoreproof.kinds.unknown_classes.forms import CellRatio, Quotient, further

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FINE = 10**12
_MARGIN = 1e-9  # a million times the error of a ratio of floats


class Monotone(Protocol):
    """Something that is monotone in tp and tn at fixed p and n."""

    @property
    def name(self) -> str: ...
    @property
    def ratio(self) -> CellRatio: ...
    @property
    def link(self) -> Link: ...


class CellCount(NamedTuple):
    """A number of cases."""

    name: str
    ratio: CellRatio
    link: Link = RATIO


_COUNTS = (
    CellCount("tp", lambda tp, fp, fn, tn: (tp, 1)),
    CellCount("fp", lambda tp, fp, fn, tn: (fp, 1)),
    CellCount("fn", lambda tp, fp, fn, tn: (fn, 1)),
    CellCount("tn", lambda tp, fp, fn, tn: (tn, 1)),
    CellCount("p", lambda tp, fp, fn, tn: (tp + fn, 1)),
    CellCount("n", lambda tp, fp, fn, tn: (fp + tn, 1)),
)


def exact_ranges(
    groups: Sequence[tuple[int, int, Iterable[Block]]], reported: Iterable[Score] = ()
) -> dict[str, Range]:
    """The exact ranges of counts, prevalence, scores and leads that are defined for some matrix.

    ``groups`` are positives, negatives and the blocks of matrices; scores are those that are registered or reported.
    """
    import numpy as np

    blocks = [(p, n, block) for p, n, some in groups for block in some]
    corners = [(p, n, block, most) for p, n, block in blocks for most in {False, block.count > 1}]
    cells = np.array([_cells(p, n, *_corner(block, most)) for p, n, block, most in corners], dtype=float)
    scores = dict.fromkeys([*known_scores(), *reported])
    ranges = {}
    wanted: list[Monotone] = [*_COUNTS, PREVALENCE, *scores, *leads()]
    for measure in wanted:
        ratios = _float_ratios(measure, cells.reshape(-1, 4).T)
        low, high = (
            _extreme(measure, [corners[k] for k in _near(ratios, upper=upper)], upper=upper) for upper in (False, True)
        )
        if low is not None and high is not None and low[1]:
            top = None if high[1] == 0 else _value(measure.link, high, upper=True)
            ranges[measure.name] = Range(_value(measure.link, low, upper=False), top)
    return ranges


def _float_ratios(measure: Monotone, cells: NDArray[Any]) -> NDArray[Any]:
    import numpy as np

    with np.errstate(divide="ignore", invalid="ignore"):
        num, den = measure.ratio(*cells)
        return np.asarray(num / (den * np.ones_like(cells[0])))


def _near(ratios: NDArray[Any], *, upper: bool) -> list[int]:
    """Which of the corners come near the extreme, or are 0/0."""
    import numpy as np

    unclear = np.isnan(ratios)
    signed = np.where(unclear, -np.inf, ratios if upper else -ratios)
    best = signed.max(initial=-np.inf)
    margin = _MARGIN * max(1.0, abs(best)) if np.isfinite(best) else 0.0
    near: list[int] = np.flatnonzero((signed >= best - margin) | unclear).tolist()
    return near


def _extreme(measure: Monotone, corners: Iterable[tuple[int, int, Block, bool]], *, upper: bool) -> Quotient | None:
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


def _value(link: Link, ratio: Quotient, *, upper: bool) -> Fraction:
    num, den = ratio
    if link.name == "ratio":
        return Fraction(num, den)
    low = Fraction(link.floor(num, den, _FINE), _FINE)
    exact = not upper or link.inverse(low) == Fraction(num, den)
    return low if exact else low + Fraction(1, _FINE)
