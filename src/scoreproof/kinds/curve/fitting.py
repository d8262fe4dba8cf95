"""Local search over rankings (Hoos and Stuetzle 2004): curves of one test set that give every area.

Rankings without ties, between all alike and far apart, are led through matrices that give the scores; where few cases
are of a class these are placed anew (``arrangements``). Whether a curve gives the report is judged exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

from scoreproof.kinds.binary.engine.bands import Band
from scoreproof.kinds.binary.engine.rectangles import filler
from scoreproof.kinds.binary.engine.solutions import Solutions
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.curve.arrangements import MOST_POSITIVES, Arrangement, placed_curves
from scoreproof.kinds.curve.bounds import best_counts, best_curve, best_of, whole_areas
from scoreproof.kinds.curve.path import Curve, walk_of
from scoreproof.kinds.curve.problem import CurveProblem
from scoreproof.reported import Claim
from scoreproof.work.budget import Budget

_BLOCKS = 400  # of fitting matrices that are looked at
_MATRICES = 24  # of them that curves are led through
_SUMS = 5
_COUNTS = 8  # of right answers at best that are tried
_HALVINGS = 40
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
    for way in (_arranged, _placed):
        for matrix in _matrices(problem, bands, cell):
            for curve in way(problem, matrix):
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
    cells: dict[tuple[int, int], None] = {}
    for block in blocks[:: max(1, len(blocks) // _MATRICES)]:
        (a, b), (c, d) = block.tp, block.tn
        cells |= dict.fromkeys([((a + b) // 2, (c + d) // 2), (a, c), (b, d), (a, d), (b, c)])
    for tp, tn in islice(cells, _MATRICES):
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
    half_cells, cells = area_ends(problem), matrix.p * matrix.n
    wanted = precision_ends(problem)
    for arrangement in _arrangements(problem, matrix):
        fewest, most = arrangement.sums
        odd = half_cells[0] == half_cells[1] and half_cells[0] % 2
        first = max(fewest, cells - half_cells[1] // 2)
        last = min(most, cells - (half_cells[0] + (0 if odd else 1)) // 2)
        if first > last:
            continue
        if wanted is None:
            yield arrangement.curve(arrangement.alike((first + last) // 2), half=bool(odd))
            continue
        low, high = float(wanted[0]), min(float(wanted[1]), 1.0)
        for total in _totals(arrangement, first, last, (low + high) / 2):
            for before in arrangement.between(total, low, high):
                yield arrangement.curve(before, half=bool(odd))


def _placed(problem: CurveProblem, matrix: ConfusionMatrix) -> Iterator[Curve]:
    """Rankings of few cases of a class, for an AUC and an average precision."""
    wanted = precision_ends(problem)
    if wanted is None:
        return
    yield from placed_curves(matrix, area_ends(problem), (float(wanted[0]), float(wanted[1])))


def _totals(arrangement: Arrangement, first: int, last: int, precision: float) -> list[int]:
    """Sums to try: near the one at which numbers that are all alike have the precision, and across the range."""
    low, high = first, last
    for _ in range(_HALVINGS):
        if low >= high:
            break
        middle = (low + high) // 2
        if arrangement.precision(arrangement.alike(middle)) > precision:
            low = middle + 1
        else:
            high = middle
    spread = [first + (last - first) * k // (_SUMS - 1) for k in range(_SUMS)]
    return list(dict.fromkeys([low, min(last, low + (last - first) // 8), *spread]))


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
