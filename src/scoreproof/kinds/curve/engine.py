"""Branch and bound over (tp, tn) (Land and Doig 1960), areas being two more monotone scores; relations of rates.

On a test set of known class counts every claim bounds monotone functions of (tp, tn) (see ``bounds``), so the engine
for one confusion matrix decides, exactly where the area is the AUC. Of a mean over folds, or of unknown class counts,
two relations between rates are tried first; the other scores go to the kind they belong to.

    one curve of any size   sens spec <= AUC <= 1 - (1 - sens) (1 - spec)
    means over folds        sens + spec - 1 <= AUC <= sens + spec
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, isqrt, lcm
from typing import Any

from scoreproof.kinds.binary.engine.bands import band
from scoreproof.kinds.binary.engine.rectangles import decide
from scoreproof.kinds.binary.experiment import normal_form
from scoreproof.kinds.binary.problem import BinaryProblem
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.curve.bounds import (
    HIGHEST_AREA,
    LOWEST_AREA,
    area_ends,
    best_counts,
    demanded,
    fitting_curve,
    whole_areas,
)
from scoreproof.kinds.curve.concave import (
    HIGHEST_CONCAVE,
    LOWEST_CONCAVE,
    concave_curves,
    concave_ends,
    demanded_of_concave,
)
from scoreproof.kinds.curve.path import Curves, decide_points, walk_of
from scoreproof.kinds.curve.problem import CurveProblem
from scoreproof.kinds.kind import Decision
from scoreproof.kinds.unknown_classes.kind import KIND as UNKNOWN
from scoreproof.reported import Claim, report
from scoreproof.work.budget import Budget

Interval = tuple[Fraction, Fraction]
_EVERYTHING_POSITIVE = report("sens", 1, eps=0), report("spec", 0, eps=0)  # every curve goes through that point
_TRIES = 30  # to put the areas of folds together
_PAIRS = 10_000  # of two folds in one of these tries; of images there are billions
_WITHOUT_AREAS = 0.3  # of the time for matrices that give the other scores
MOST_POSITIVES = 20_000  # whose precisions the verifier adds up


def decide_curve(problem: CurveProblem, deadline: Budget, seed: int) -> Decision[Curves]:
    """Curves that give the report, a proof that there are none, or neither."""
    if problem.test_set is not None:
        return _on_one_set(problem, deadline)
    kind = problem.base_kind
    if problem.base.claims and kind.cases(problem.base):
        return Decision(reason="the report has several readings; state which holds to test it with its areas")
    if refuted_by_rates(problem) is not None:
        return Decision(proof={"kind": "rates"})
    base = problem.base if problem.base.claims else problem.base.with_claims(_EVERYTHING_POSITIVE)
    within = _staircases(problem)
    own = deadline if within is None else deadline.part(_WITHOUT_AREAS)
    decision = kind.decide(base, deadline=own, seed=seed)
    if decision.proof is not None:
        return Decision(proof={"kind": "scores", "proof": decision.proof})
    curves = _with_areas(problem, decision)
    if curves is None and within is not None:
        decision = kind.decide(within, deadline=deadline, seed=seed)
        if decision.proof is not None and not problem.concave_area:
            return Decision(proof={"kind": "staircases", "proof": decision.proof})
        curves = _with_areas(problem, decision)
    if curves is not None:
        return Decision(curves, notes=(*decision.notes, *_notes(problem)))
    if decision.witness is None:
        return Decision(reason=decision.reason)
    return Decision(
        reason="confusion matrices fit the other scores, but not those that were found the areas (of each set all "
        "areas through its matrix were at hand)"
    )


def _with_areas(problem: CurveProblem, decision: Decision[Any]) -> Curves | None:
    """Curves with the areas through the matrices that were found, if some were."""
    if decision.witness is None:
        return None
    if problem.concave_area:
        matrices: Sequence[ConfusionMatrix] = decision.witness.matrices
        known = isinstance(problem.base, BinaryProblem)
        weights = [each.weight for each in normal_form(problem.base.experiment).sets] if known else [Fraction(1)]  # type: ignore[arg-type]
        curves = concave_curves(problem.areas, matrices, weights)
        return Curves(tuple(curves)) if curves else None
    if isinstance(problem.base, BinaryProblem):
        return _over_folds(problem, decision.witness.matrices)
    smaller = UNKNOWN.smaller(problem.base, decision.witness)
    return _of_any_size(problem, smaller.matrix) or _of_any_size(problem, decision.witness.matrix)


def _notes(problem: CurveProblem) -> tuple[str, ...]:
    untested = (f"the ± of {claim.name} was not tested" for claim in problem.areas if claim.spread is not None)
    return (*untested, *filter(None, [hard_labels(problem)]))


def hard_labels(problem: CurveProblem) -> str:
    """That the printed AUC is the mean of the printed sensitivity and specificity, if it is."""
    named = {claim.quantity.name: claim for claim in (*problem.base.claims, *problem.areas)}
    if not {"auc", "sens", "spec"} <= set(named):
        return ""
    mean = (named["sens"].number.value + named["spec"].number.value) / 2
    if abs(named["auc"].number.value - mean) * 2 * named["auc"].number.scale > 1:
        return ""
    return (
        "AUC = (sensitivity + specificity)/2 to the digit: it may have been computed from hard labels, not from scores"
    )


# ------------------------------------------------------------------------------------------------- known class counts
def _on_one_set(problem: CurveProblem, deadline: Budget) -> Decision[Curves]:
    test_set = problem.test_set
    assert test_set is not None
    p, n = test_set.p, test_set.n
    refuted = {"kind": "rates"} if problem.concave_area and refuted_by_rates(problem) is not None else None
    if not problem.concave_area:
        refuted = _by_counts(problem, p, n)
        if any(claim.quantity.name == "ap" for claim in problem.areas) and p > MOST_POSITIVES and refuted is None:
            return Decision(reason=f"average precision is tested up to {MOST_POSITIVES:,} positives, there are {p:,}")
    if refuted is not None:
        return Decision(proof=refuted)
    if problem.points:
        return decide_points(all_points(problem), p, n, area_ends(problem), deadline)
    bands = [band(index, claim, p, n) for index, claim in enumerate(problem.base.claims)]
    for claim in problem.areas:
        if problem.concave_area:
            bands += demanded_of_concave(claim, p, n, len(bands))
        else:
            bands += demanded(claim, p, n, len(bands), ties=problem.ties)
    searched = decide(bands, undefined=problem.base.undefined, budget=deadline)
    if searched.proof is not None:
        return Decision(proof={"kind": "rectangles", "steps": searched.proof})
    if searched.cell is None:
        return Decision(reason=searched.reason)
    tp, tn = searched.cell
    matrix = ConfusionMatrix(tp, n - tn, p - tp, tn)
    if problem.concave_area:
        curve = next(iter(concave_curves(problem.areas, [matrix], [Fraction(1)])), None)
    else:
        curve = fitting_curve(problem, bands, matrix, deadline)
    if curve is None:
        return Decision(
            reason="every bound on the areas holds, but no curve with all of them was found: rankings between all "
            "alike and far apart and cases of the smaller class placed anew were tried"
        )
    return Decision(Curves((curve,)), notes=tuple(filter(None, [hard_labels(problem)])))


def _by_counts(problem: CurveProblem, p: int, n: int) -> dict[str, Any] | None:
    """A proof that no whole number of half cells, or of right answers at best, prints like this; None if some does."""
    for index, claim in enumerate(problem.claims):
        if claim.quantity.name == "auc":
            least, most = whole_areas(claim, p, n, ties=problem.ties)
            if least > most:
                return {"kind": "grain", "score": index}
    best = next((claim for claim in problem.areas if claim.quantity.name == "best_acc"), None)
    if best is not None:
        fewest, greatest = best_counts(best, p, n, area_ends(problem))
        if fewest > greatest:
            return {"kind": "best", "score": problem.claims.index(best)}
    return None


def all_points(problem: CurveProblem) -> list[tuple[Claim, ...]]:
    """The claims at every threshold, the first of which may have none."""
    return [problem.base.claims, *problem.points] if problem.base.claims else list(problem.points)


# ------------------------------------------------------------------------------------------- several sets, or any size
def spans(claims: Sequence[Claim]) -> Mapping[str, Interval]:
    """The intervals of sensitivity and specificity, also from their complements."""
    known: dict[str, Interval] = {}
    for claim in claims:
        own, other = claim.quantity.name, {"fnr": "sens", "fpr": "spec"}.get(claim.quantity.name)
        if own in ("sens", "spec"):
            known[own] = claim.low, claim.high
        elif other is not None and other not in known:
            known[other] = 1 - claim.high, 1 - claim.low
    return {name: (max(low, Fraction(0)), min(high, Fraction(1))) for name, (low, high) in known.items()}


def rates_allow(problem: CurveProblem) -> Interval:
    """Between which ends the AUC lies, given sensitivity and specificity; from 0 to 1 without them."""
    known = spans(problem.base.claims)
    if any(low > high for low, high in known.values()):
        return Fraction(0), Fraction(1)
    if problem.concave:
        return _rates_allow_concave(problem, known)
    if len(known) < 2:
        return Fraction(0), Fraction(1)
    (a, b), (c, d) = known["sens"], known["spec"]
    if isinstance(problem.base, BinaryProblem):
        if problem.base.averages.fold_digits is not None:
            return Fraction(0), Fraction(1)
        return max(Fraction(0), a + c - 1), min(Fraction(1), b + d)
    return a * c, 1 - (1 - b) * (1 - d)


def _rates_allow_concave(problem: CurveProblem, known: Mapping[str, Interval]) -> Interval:
    """(sens + spec)/2 <= AUC is linear, and so holds for means; its upper end does not."""
    half, unit = Fraction(1, 2), Fraction(1)
    (a, b), (c, d) = (known.get(name, (Fraction(0), unit)) for name in ("sens", "spec"))
    if isinstance(problem.base, BinaryProblem) and problem.base.averages.fold_digits is not None:
        return half, unit
    ends = concave_ends(b, d)
    if ends is None:  # every point lies below the diagonal
        return unit, Fraction(0)
    of_one_curve = problem.test_set is not None or not isinstance(problem.base, BinaryProblem)
    return max(half, (a + c) / 2), ends[1] if of_one_curve else unit


def refuted_by_rates(problem: CurveProblem) -> Claim | None:
    """The claim about an area that no rates allow."""
    least, most = rates_allow(problem)
    return next((claim for claim in problem.areas if claim.high < least or claim.low > most), None)


def _staircases(problem: CurveProblem) -> BinaryProblem | None:
    """The scores of folds, with the lowest and the highest area of each as two more scores of its matrix.

    The mean AUC lies between the means of both, so an end of it bounds each. None where that says nothing.
    """
    if not isinstance(problem.base, BinaryProblem) or problem.base.averages.fold_digits is not None:
        return None
    claim = next((claim for claim in problem.areas if claim.quantity.name == "auc"), None)
    if claim is None or claim.high < 0 or claim.low > 1:
        return None
    high, low = min(claim.high, Fraction(1)), max(claim.low, Fraction(0))
    scores = (LOWEST_CONCAVE, HIGHEST_CONCAVE) if problem.concave_area else (LOWEST_AREA, HIGHEST_AREA)
    lowest, highest = (report(scores[0], high / 2, eps=high / 2), report(scores[1], (1 + low) / 2, eps=(1 - low) / 2))
    return problem.base.with_claims([*problem.base.claims, lowest, highest])


def _over_folds(problem: CurveProblem, matrices: Sequence[ConfusionMatrix]) -> Curves | None:
    """Curves through the matrices of all folds whose mean area is as claimed."""
    weights = [each.weight for each in normal_form(problem.base.experiment).sets]  # type: ignore[arg-type]
    if not problem.areas:
        return Curves(tuple(walk_of(m, 2 * m.tp * m.tn) for m in matrices))
    (claim,) = problem.areas
    step = 1 if problem.ties else 2
    lows = [2 * m.tp * m.tn for m in matrices]
    rooms = [(2 * (m.p * m.n - m.fp * m.fn) - low) // step for m, low in zip(matrices, lows, strict=True)]
    units = [weight * Fraction(step, 2 * m.p * m.n) for m, weight in zip(matrices, weights, strict=True)]
    lowest = sum((unit * low / step for unit, low in zip(units, lows, strict=True)), Fraction(0))
    chosen = _steps(units, rooms, claim.low - lowest, claim.high - lowest)
    if chosen is None:
        return None
    each = zip(matrices, lows, chosen, strict=True)
    return Curves(tuple(walk_of(matrix, low + step * more) for matrix, low, more in each))


def _steps(units: Sequence[Fraction], rooms: Sequence[int], low: Fraction, high: Fraction) -> list[int] | None:
    """Whole numbers up to their rooms whose sum, in their units, lies between two ends; None if a few tries fail.

    All but two are put near the share of their room that is needed; of these two the pairs that may do are tried.
    """
    most = sum((unit * room for unit, room in zip(units, rooms, strict=True)), Fraction(0))
    if low > most or high < 0:
        return None
    share = Fraction(0) if most == 0 else min(max(low / most, Fraction(0)), Fraction(1))
    whole = lcm(*(unit.denominator for unit in units), low.denominator, high.denominator)
    steps = [int(unit * whole) for unit in units]
    least, greatest = int(low * whole), int(high * whole)
    rng = random.Random(0)
    for attempt in range(_TRIES):
        chosen = [min(room, max(0, round(share * room) + rng.randint(-attempt, attempt))) for room in rooms]
        finest, *other = sorted(rng.sample(range(len(units)), min(2, len(units))), key=steps.__getitem__)
        rest = sum(steps[place] * chosen[place] for place in range(len(units)) if place not in (finest, *other))
        step, room = (steps[other[0]], rooms[other[0]]) if other else (1, 0)
        first = max(0, -((rest + steps[finest] * rooms[finest] - least) // step))  # so that the finest can do the rest
        for count in range(first, min(room, (greatest - rest) // step, first + _PAIRS) + 1):
            missing = least - rest - step * count
            more = max(0, -(-missing // steps[finest]))
            if more <= rooms[finest] and steps[finest] * more - missing <= greatest - least:
                chosen[finest] = more
                for place in other:
                    chosen[place] = count
                return chosen
    return None


def _of_any_size(problem: CurveProblem, matrix: ConfusionMatrix) -> Curves | None:
    """The matrix, or a multiple of it that has the same rates, with a curve that has the area."""
    if not (matrix.p and matrix.n):
        return None
    if not problem.areas:
        return Curves((walk_of(matrix, 2 * matrix.tp * matrix.tn),))
    (claim,) = problem.areas
    totals = problem.base.experiment.totals  # type: ignore[union-attr]
    width = max(claim.high - claim.low, Fraction(1, 10**12))
    enough = isqrt(ceil(1 / (matrix.p * matrix.n * width))) + 1
    for times in (1, enough) if totals is None else (1,):
        grown = ConfusionMatrix(*(times * cell for cell in matrix.cells))
        least, most = whole_areas(claim, grown.p, grown.n, ties=problem.ties)
        lowest, highest = 2 * grown.tp * grown.tn, 2 * (grown.p * grown.n - grown.fp * grown.fn)
        u = max(least, lowest)
        if u <= min(most, highest):
            return Curves((walk_of(grown, u),))
    return None
