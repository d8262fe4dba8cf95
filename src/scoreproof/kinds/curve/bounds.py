"""Sharp bounds by walks on a grid (Fawcett 2006, doi:10.1016/j.patrec.2005.10.010), and curves that attain them.

What an area demands of the operating point: two scores of its confusion matrix, both rising with tp and tn.
With u = 2 p n AUC: the curve through (fp, tp) has 2 tp tn <= u <= 2 (p n - fp fn), and every whole number between
(every even one without ties) is the u of some curve. So the area's interval becomes an upper bound on tp tn and a
lower bound on p n - fp fn, and nothing is lost. Of the average precision only the ends are known:

    lowest    first the fp negatives, then tp positives; then all other negatives, then the other positives
    highest   first the tp positives; after the fp negatives all other positives, as one tie

(a tie among positives raises the average precision). An area under the precision-recall curve that may be by
trapezoids or interpolated lies above the chords of the lowest curve, and below the same highest one.

The best accuracy over all thresholds of a ranking, beside its AUC: with c right answers at best of N = p + n, M the
larger and m the smaller class, and u = 2 p n AUC:

    (N - c)^2 <= 2 p n - u      the curve stays below tp - fp = c - n, which leaves a triangle of side N - c above it
    2 M (c - M) <= u            tp tn >= M (c - M) if tp + tn = c, and that many cells lie under the curve
    M <= c <= N                 one of the classes can always be answered throughout

Between these every pair (u, c) occurs: rows of the walk are moved to the left, up to the line, from the lowest walk on
(``best_curve``; without ties the row on the line is one half cell shorter).

Other areas are met by local search (``arrangements``); whether a curve gives the report is judged exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from math import ceil, floor, isqrt

from scoreproof.kinds.binary.engine.bands import Band
from scoreproof.kinds.binary.engine.rectangles import filler
from scoreproof.kinds.binary.engine.solutions import Solutions
from scoreproof.kinds.binary.scores import ConfusionMatrix, Score, score
from scoreproof.kinds.binary.scores.score import made
from scoreproof.kinds.curve.arrangements import MOST_POSITIVES, Arrangement, placed_curves, sums_of
from scoreproof.kinds.curve.path import Curve, Vertex, run_of_positives, walk_of
from scoreproof.kinds.curve.problem import CurveProblem
from scoreproof.reported import Claim
from scoreproof.work.budget import Budget


def whole_areas(claim: Claim, p: int, n: int, *, ties: bool) -> tuple[int, int]:
    """The least and the greatest 2 p n AUC that print like this; the least is above the greatest if none does.

    >>> from scoreproof.quantities.task_quantities import AUC
    >>> from scoreproof.reported import report
    >>> whole_areas(report(AUC, "0.905", rounding="nearest"), 6, 70, ties=False)
    (760, 760)
    """
    low, high = max(0, ceil(2 * p * n * claim.low)), min(2 * p * n, floor(2 * p * n * claim.high))
    return (low, high) if ties else (low + low % 2, high - high % 2)


LOWEST_AREA = made("lowest area", "area of the lowest curve", lambda tp, fp, fn, tn: (tp * tn, (tp + fn) * (fp + tn)))
HIGHEST_AREA = made(
    "highest area",
    "area of the highest curve",
    lambda tp, fp, fn, tn: (tp * (fp + tn) + fn * tn, (tp + fn) * (fp + tn)),
)


def _lowest_ap(tp: int, fp: int, fn: int, tn: int) -> tuple[int, int]:
    least = run_of_positives(fp, 0, tp)[0] + run_of_positives(fp + tn, tp, tp + fn)[0]
    return (least / (tp + fn)).as_integer_ratio()


def _lowest_chords(tp: int, fp: int, fn: int, tn: int) -> tuple[int, int]:
    p, n = tp + fn, fp + tn
    before = Fraction(tp * tp, fp + tp) if tp else Fraction(0)
    after = fn * (Fraction(tp, n + tp) + Fraction(p, n + p))
    return ((before + after) / (2 * p)).as_integer_ratio()


def _highest_ap(tp: int, fp: int, fn: int, tn: int) -> tuple[int, int]:
    p = tp + fn
    return tp * (p + fp) + fn * p, p * (p + fp)


LOWEST_AP = made("lowest average precision", "average precision of the lowest curve", _lowest_ap, builtin=False)
LOWEST_CHORDS = made("lowest trapezoids", "trapezoids under the lowest curve", _lowest_chords, builtin=False)
HIGHEST_AP = made("highest average precision", "average precision of the highest curve", _highest_ap, builtin=False)


def demanded(claim: Claim, p: int, n: int, first: int, *, ties: bool) -> list[Band]:
    """The two bands of a claim about an area, numbered from ``first`` on."""
    if claim.quantity.name == "best_acc":  # no threshold is better
        most = Fraction(floor((p + n) * claim.high), p + n)
        return [at_most(first, score("acc"), p, n, most), at_least(first + 1, score("acc"), p, n, Fraction(-1))]
    if claim.quantity.name == "auc":
        least, most = (Fraction(end, 2 * p * n) for end in whole_areas(claim, p, n, ties=ties))
        return [at_most(first, LOWEST_AREA, p, n, most), at_least(first + 1, HIGHEST_AREA, p, n, least)]
    lowest = LOWEST_AP if claim.quantity.name == "ap" else LOWEST_CHORDS
    return [at_most(first, lowest, p, n, claim.high), at_least(first + 1, HIGHEST_AP, p, n, claim.low)]


_BELOW, _ABOVE = (-1, 1), (2, 1)


def at_most(index: int, bounded: Score, p: int, n: int, end: Fraction) -> Band:
    return Band(index, bounded, p, n, _BELOW, end.as_integer_ratio(), None, None)


def at_least(index: int, bounded: Score, p: int, n: int, end: Fraction) -> Band:
    return Band(index, bounded, p, n, end.as_integer_ratio(), _ABOVE, None, None)


_MOST_STEPS = 20_000  # of a curve without ties along the line


def best_counts(claim: Claim, p: int, n: int, areas: tuple[int, int]) -> tuple[int, int]:
    """The least and the greatest number of right answers at best that print like this, with 2 p n AUC between ends.

    >>> from scoreproof.quantities.task_quantities import BEST_ACCURACY
    >>> from scoreproof.reported import report
    >>> best_counts(report(BEST_ACCURACY, "0.80"), 50, 50, (4500, 4500))
    (79, 81)
    """
    total, more, fewer = p + n, max(p, n), min(p, n)
    least = max(ceil(total * claim.low), more, total - isqrt(2 * p * n - areas[0]))
    return least, min(floor(total * claim.high), more + min(fewer, areas[1] // (2 * more)))


def best_curve(p: int, n: int, areas: tuple[int, int], right: int, *, ties: bool) -> Curve | None:
    """A curve with so many right answers at best and 2 p n AUC between ends; None if it was not found.

    >>> curve = best_curve(3, 4, (17, 17), 6, ties=True)
    >>> curve.twice_area, best_of(curve)
    (17, Fraction(6, 7))
    """
    if p > n:  # the same curve of the negatives, ranked the other way round
        turned = best_curve(n, p, areas, right, ties=ties)
        if turned is None:
            return None
        back = tuple((n - y, p - x) for x, y in reversed(turned.vertices))
        return Curve(back, ConfusionMatrix(0, 0, p, n))
    start = right - n  # the curve goes straight up to (0, start), on the line tp - fp = start
    more = max(areas[0] - 2 * n * start, 0)
    vertices: list[Vertex] = [(0, 0), (0, start)]
    full = 0  # rows that lie on the line: with ties they take k (2 n - k) half cells in all
    if ties:
        full = min(p - start, n if more >= n * n else n - isqrt(n * n - more - 1) - 1)  # k <= n - sqrt(n² - more)
        more -= full * (2 * n - full)
        vertices.append((full, start + full))
    elif more > _MOST_STEPS * (2 * n - _MOST_STEPS):
        return None
    while not ties and full < min(p - start, _MOST_STEPS) and more >= 2 * (n - full - 1):
        more -= 2 * (n - full - 1)
        full += 1
        vertices += [(full, start + full - 1), (full, start + full)]
    height = start + full
    if more:
        vertices += [(n - (more + 1) // 2, height), (n - more // 2, height + 1), (n, height + 1)]
    vertices += [(n, height), (n, p)] if not more else [(n, p)]
    curve = Curve(tuple(sorted(set(vertices))), ConfusionMatrix(0, 0, p, n))
    return curve if curve.sound and areas[0] <= curve.twice_area <= areas[1] else None


def best_of(curve: Curve) -> Fraction:
    """The best accuracy over the thresholds of a curve."""
    p, n = curve.matrix.p, curve.matrix.n
    return Fraction(max(tp + n - fp for fp, tp in curve.vertices), p + n)


_BLOCKS = 400  # of fitting matrices that are looked at
_MATRICES = 8  # of them that curves are led through
_SUMS = 9  # of negatives before the positives
_COUNTS = 8  # of right answers at best that are tried
_PROPOSED = 5e-3  # seconds that a proposed curve takes


def fitting_curve(problem: CurveProblem, bands: list[Band], cell: ConfusionMatrix, deadline: Budget) -> Curve | None:
    """A curve that gives the areas, through the matrix that was found or another one that gives the scores."""
    names = {claim.quantity.name for claim in problem.areas}
    if names <= {"auc"}:
        least = area_ends(problem)[0]
        return walk_of(cell, max(least, 2 * cell.tp * cell.tn) if names else 2 * cell.tp * cell.tn)
    if names <= {"auc", "best_acc"} and not problem.base.claims:
        curve = _with_best_accuracy(problem, cell.p, cell.n)
        if curve is not None:
            return curve
    if cell.p > MOST_POSITIVES:
        return None
    half_cells, ends = area_ends(problem), precision_ends(problem)
    for placed in (False, True):
        for matrix in _matrices(problem, bands, cell):
            for curve in placed_curves(matrix, half_cells, ends) if placed else _arranged(problem, matrix):
                deadline.charge(_PROPOSED)
                if areas_hold(problem, curve):
                    return curve
                if deadline.passed:
                    return None
    return None


def _with_best_accuracy(problem: CurveProblem, p: int, n: int) -> Curve | None:
    """A curve with the AUC, if it is claimed, and the best accuracy."""
    best = next(claim for claim in problem.areas if claim.quantity.name == "best_acc")
    ends = area_ends(problem)
    first, last = best_counts(best, p, n, ends)
    for right in range(first, min(last, first + _COUNTS) + 1):
        curve = best_curve(p, n, ends, right, ties=problem.ties)
        if curve is not None and areas_hold(problem, curve):
            return curve
    return None


def _matrices(problem: CurveProblem, bands: list[Band], cell: ConfusionMatrix) -> Iterator[ConfusionMatrix]:
    """Matrices that give the scores: every curve has the one that answers nothing positive."""
    p, n = cell.p, cell.n
    if not problem.base.claims:
        yield ConfusionMatrix(0, 0, p, n)
        return
    yield cell
    blocks = list(islice(Solutions(bands, filler=filler(problem.base.undefined)), _BLOCKS))
    for block in blocks[:: max(1, len(blocks) // _MATRICES)]:
        (a, b), (c, d) = block.tp, block.tn
        for tp, tn in dict.fromkeys([((a + b) // 2, (c + d) // 2), (a, c), (b, d)]):
            yield ConfusionMatrix(tp, n - tn, p - tp, tn)


def area_ends(problem: CurveProblem) -> tuple[int, int]:
    """The least and the greatest 2 p n AUC of a test set, as far as it is claimed."""
    test_set = problem.test_set
    assert test_set is not None
    auc = next((claim for claim in problem.areas if claim.quantity.name == "auc"), None)
    if auc is None:
        return 0, 2 * test_set.p * test_set.n
    return whole_areas(auc, test_set.p, test_set.n, ties=problem.ties)


def precision_ends(problem: CurveProblem) -> tuple[Fraction, Fraction] | None:
    """Between which ends the average precision is claimed to lie; None if it is not claimed."""
    claims = [claim for claim in problem.areas if claim.quantity.name in ("ap", "auprc")]
    if not claims:
        return None
    return max(claim.low for claim in claims), min(claim.high for claim in claims)


def _arranged(problem: CurveProblem, matrix: ConfusionMatrix) -> Iterator[Curve]:
    """Rankings without ties, or with a single one where half a cell is missing."""
    wanted = precision_ends(problem)
    sums, odd = sums_of(area_ends(problem), matrix.p * matrix.n)
    precision = None if wanted is None else float(wanted[0] + min(wanted[1], Fraction(1))) / 2
    for arrangement in _arrangements(problem, matrix):
        first, last = max(sums[0], int(arrangement.low.sum())), min(sums[1], int(arrangement.high.sum()))
        if first > last:
            continue
        for total in {first + (last - first) * k // (_SUMS - 1): None for k in range(_SUMS)}:
            yield arrangement.curve(arrangement.between(total, precision), half=odd)


def _arrangements(problem: CurveProblem, matrix: ConfusionMatrix) -> Iterator[Arrangement]:
    """With a best accuracy: for some numbers of right answers, reached at some thresholds."""
    best = next((claim for claim in problem.areas if claim.quantity.name == "best_acc"), None)
    if best is None:
        yield Arrangement(matrix)
        return
    p, n = matrix.p, matrix.n
    fewest, greatest = best_counts(best, p, n, area_ends(problem))
    for right in sorted({fewest, (fewest + greatest) // 2, greatest}):
        free = [None] if right == max(p, n) else []
        touched = range(max(1, right - n), p + 1)
        own = [matrix.tp] if matrix.tp in touched else []
        for touch in [*free, *own, *touched[:1]]:
            arrangement = Arrangement(matrix, right, touch)
            if arrangement.possible:
                yield arrangement


def areas_hold(problem: CurveProblem, curve: Curve) -> bool:
    """Whether a curve of one set gives every area."""
    return (problem.ties or curve.untied) and all(_area_holds(claim, curve) for claim in problem.areas)


def _area_holds(claim: Claim, curve: Curve) -> bool:
    name = claim.quantity.name
    values = {
        "best_acc": lambda: [(best_of(curve),) * 2],
        "auc": lambda: [(curve.auc,) * 2],
        "ap": lambda: [curve.average_precision()],
        "auprc": lambda: [curve.average_precision(), curve.trapezoids()],
    }[name]()
    return any(claim.low <= low and high <= claim.high for low, high in values)
