"""Areas under curves (AUC, average precision) beside the scores of an operating point."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from scoreproof.kinds.binary.experiment import normal_form, sums_matrices
from scoreproof.kinds.binary.kind import KIND as BINARY
from scoreproof.kinds.binary.one_matrix import matrix_holds
from scoreproof.kinds.binary.problem import BinaryProblem, Witness
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.curve.bounds import (
    HIGHEST_AP,
    HIGHEST_AREA,
    LOWEST_AP,
    LOWEST_AREA,
    LOWEST_CHORDS,
    areas_hold,
    whole_areas,
)
from scoreproof.kinds.curve.concave import HIGHEST_CONCAVE, LOWEST_CONCAVE
from scoreproof.kinds.curve.engine import all_points, decide_curve, hard_labels, rates_allow
from scoreproof.kinds.curve.path import Curve, Curves
from scoreproof.kinds.curve.problem import CurveProblem, curve_problem, is_area, read_curve_problem, uncovered
from scoreproof.kinds.kind import Decision, Ends, Kind, Variant
from scoreproof.kinds.unknown_classes.experiment import UnknownClasses
from scoreproof.kinds.unknown_classes.kind import KIND as UNKNOWN
from scoreproof.kinds.unknown_classes.kind import free
from scoreproof.reported import Claim, report
from scoreproof.reported.claim import alone, leaves_room
from scoreproof.reported.conventions import Conventions
from scoreproof.results import SmallTable
from scoreproof.work.budget import Budget

_ROWS = 3_000  # of matrices looked at to say where an area would have to lie
_FEWEST_DIGITS = 4
_ANY_ACCURACY = report("acc", Fraction(1, 2), eps=Fraction(1, 2))
_OF_RATES = ("auc", "sens", "fnr", "spec", "fpr")
_OF_ONE_MATRIX = ("rounding", "eps", "beta", "undefined", "concave")


class CurveKind(Kind[CurveProblem, Curves]):
    """AUC, average precision, and the scores of a threshold, all of one classifier."""

    name = "curve"
    witness_type = Curves
    choosy = True

    def posed(self, experiment: Any, scores: Mapping[str, Any], how: Conventions) -> CurveProblem:
        return curve_problem(experiment, scores, how)

    def row(self, experiment: Any, scores: Mapping[str, str], how: Conventions) -> CurveProblem:
        """One matrix has no ±: what is said of it is left out."""
        if getattr(experiment, "kind", "") == BINARY.name and not sums_matrices(experiment):
            return self.posed(experiment, scores, how)
        how = how.only(*_OF_ONE_MATRIX)
        if experiment.kind == UNKNOWN.name:
            how = how.but(undefined="any")
        return self.posed(experiment, {name: alone(text) for name, text in scores.items()}, how)

    def read(self, statement: Mapping[str, Any]) -> CurveProblem:
        return read_curve_problem(statement)

    def decide(self, problem: CurveProblem, *, deadline: Budget, seed: int) -> Decision[Curves]:
        return decide_curve(problem, deadline, seed)

    def holds(self, problem: CurveProblem, witness: Curves) -> bool:
        if not witness.curves or not all(_is_curve_of(problem, curve) for curve in witness.curves):
            return False
        matrices = Witness(tuple(curve.matrix for curve in witness.curves))
        if problem.test_set is not None and isinstance(problem.base, BinaryProblem):
            if len(witness.curves) != 1:
                return False
            (curve,) = witness.curves
            if problem.points:
                return _points_hold(problem, curve) and areas_hold(problem, curve)
            return matrix_holds(problem.base, matrices) and areas_hold(problem, curve)
        if not isinstance(problem.base, BinaryProblem):
            return UNKNOWN.holds(problem.base, matrices) and areas_hold(problem, witness.curves[0])
        base = problem.base if problem.base.claims else problem.base.with_claims([_ANY_ACCURACY])
        if not BINARY.holds(base, matrices):
            return False
        form = normal_form(problem.base.experiment)
        if len(form.sets) != len(witness.curves):
            return False
        mean = sum(
            (each.weight * curve.auc for each, curve in zip(form.sets, witness.curves, strict=True)), Fraction(0)
        )
        return all(claim.quantity.name == "auc" and claim.low <= mean <= claim.high for claim in problem.areas)

    def subject(self, problem: CurveProblem) -> str:
        ties = "" if problem.ties else " without ties"
        ranked = "a ranking whose ROC curve is concave, as was said," if problem.concave_area else f"one ranking{ties}"
        return f"{ranked} of {problem.base_kind.subject(problem.base)}"

    def because(self, problem: CurveProblem) -> str:
        beyond = super().because(problem)
        if beyond or problem.test_set is None or problem.concave:
            return beyond or _outside(problem)
        p, n = problem.test_set.p, problem.test_set.n
        for claim in problem.areas:
            if claim.quantity.name == "auc":
                least, most = whole_areas(claim, p, n, ties=problem.ties)
                if least > most:
                    unit = "2pn·AUC is a whole number" if problem.ties else "pn·AUC is a whole number without ties"
                    return f"{unit}, and none gives {claim.text} with p = {p} and n = {n}"
        return ""

    def used(self, problem: CurveProblem, proof: Mapping[str, Any]) -> Sequence[Claim]:
        if proof["kind"] == "scores":
            return problem.base.claims
        if proof["kind"] == "rates":
            return [claim for claim in problem.claims if claim.quantity.name in _OF_RATES]
        if proof["kind"] == "grain":
            return [problem.claims[proof["score"]]]
        return problem.areas if proof["kind"] == "best" else problem.claims

    def implied(self, problem: CurveProblem, target: Claim) -> Ends | None:
        """Between which ends an area lies, over all matrices that fit the other scores."""
        if target.quantity.kind != "curve" or problem.areas or problem.points:
            return None
        if problem.test_set is None:
            return rates_allow(problem) if target.quantity.name == "auc" else None
        if not problem.base.claims or not isinstance(problem.base, BinaryProblem):
            return None
        ends = BINARY.solutions(problem.base, most_rows=_ROWS)
        spans = ends.range("tp"), ends.range("tn")
        if spans[0] is None or spans[1] is None or spans[0].high is None or spans[1].high is None:
            return None
        lowest, highest = {
            "auc": (LOWEST_AREA, HIGHEST_AREA), "ap": (LOWEST_AP, HIGHEST_AP), "auprc": (LOWEST_CHORDS, HIGHEST_AP),
        }.get(target.quantity.name, (None, None))  # fmt: skip
        if problem.concave:
            lowest, highest = LOWEST_CONCAVE, HIGHEST_CONCAVE
        if lowest is None or highest is None:
            return None
        p, n = problem.test_set.p, problem.test_set.n
        (a, b), (c, d) = ((int(span.low), int(span.high or 0)) for span in spans if span is not None)
        return (Fraction(*lowest.ratio(a, n - c, p - a, c)), Fraction(*highest.ratio(b, n - d, p - b, d)))

    def free(self, problem: CurveProblem) -> bool:
        if problem.concave or problem.points:
            return False
        if problem.experiment == UnknownClasses():
            return free(problem.claims)
        if problem.test_set is None or len(problem.claims) > 1 or problem.areas[0].quantity.name != "auc":
            return False
        area, pairs = problem.areas[0], problem.test_set.p * problem.test_set.n  # in the right order, or not
        return leaves_room(area) and (area.high - area.low) * pairs >= 1

    def identity(self, problem: CurveProblem, conflict: Sequence[Claim]) -> str:
        if all(claim.quantity.kind != "curve" for claim in conflict):
            return problem.base_kind.identity(problem.base, conflict)
        if len(conflict) == 1:
            return self.because(problem.with_claims(conflict))
        outside = _outside(problem.with_claims(conflict)) or _by_the_point(problem, conflict)
        return "; ".join(filter(None, (outside, hard_labels(problem))))

    def quick(self, problem: CurveProblem) -> bool:
        return problem.test_set is not None

    def refuses(self, experiment: Any, name: str) -> str:
        return uncovered(experiment, name) if is_area(name) else BINARY.refuses(experiment, name)

    def tables(self, problem: CurveProblem, witness: Curves) -> Sequence[SmallTable]:
        if len(witness.curves) > 1:
            rows = [
                (number, *curve.matrix.cells, f"{float(curve.auc):.4f}")
                for number, curve in enumerate(witness.curves, start=1)
            ]
            return [SmallTable(rows, ("set", "tp", "fp", "fn", "tn", "AUC"), "one curve per set")]
        (curve,) = witness.curves
        return [
            SmallTable([curve.matrix.cells], ("tp", "fp", "fn", "tn"), "operating point"),
            SmallTable(list(curve.vertices), ("fp", "tp"), f"ROC curve, AUC {float(curve.auc):.6f}"),
        ]


def _points_hold(problem: CurveProblem, curve: Curve) -> bool:
    """Whether the claims of every threshold hold at some vertex of a curve of the right size."""
    test_set = problem.test_set
    assert test_set is not None
    p, n = test_set.p, test_set.n
    if (curve.matrix.p, curve.matrix.n) != (p, n):
        return False
    at = [Witness((ConfusionMatrix(tp, fp, p - tp, n - fp),)) for fp, tp in curve.vertices]
    return all(
        any(matrix_holds(BinaryProblem(test_set, point), witness) for witness in at) for point in all_points(problem)
    )


def not_concave(problem: CurveProblem) -> Iterator[Variant[CurveProblem]]:
    if problem.concave_area:
        yield Variant("a curve of the cases themselves", replace(problem, concave=False))


def beside(problem: CurveProblem, change: Callable[[Any], Iterable[Variant[Any]]]) -> Iterator[Variant[Any]]:
    """What an assumption makes of the other scores, with the areas."""
    if not isinstance(problem.base, BinaryProblem) or not problem.base.claims or problem.points:
        return
    for variant in change(problem.base):
        if variant.problem is None:
            yield variant
        elif not any(uncovered(variant.problem.experiment, area.quantity.name) for area in problem.areas):
            yield replace(variant, problem=replace(problem, base=variant.problem))


def _outside(problem: CurveProblem) -> str:
    """That the AUC is not between the ends that sensitivity and specificity leave, in words."""
    if problem.test_set is not None and not problem.concave:
        return ""
    least, most = rates_allow(problem)
    if least > most:
        return "a concave curve has no point below the diagonal, so sens + spec >= 1"
    for claim in problem.areas:
        if claim.high < least or claim.low > most:
            digits = max(_FEWEST_DIGITS, claim.number.digits + 1)
            rule = (
                "the area under a concave curve is at least one half and (sens + spec)/2"
                if problem.concave
                else "mean sens + spec - 1 <= mean AUC <= mean sens + spec"
                if isinstance(problem.base, BinaryProblem)
                else "sens·spec <= AUC <= 1 - (1 - sens)(1 - spec)"
            )
            return f"{rule}, so from {float(least):.{digits}f} to {float(most):.{digits}f}"
    return ""


def _by_the_point(problem: CurveProblem, conflict: Sequence[Claim]) -> str:
    if any(claim.quantity.name == "auc" for claim in conflict) and problem.test_set is not None:
        if problem.concave:
            return "a concave curve lies above its chords and below a line through the operating point"
        return "a curve through the operating point has tp·tn <= pn·AUC <= pn - fp·fn"
    return ""


def _is_curve_of(problem: CurveProblem, curve: Curve) -> bool:
    """Whether it is a curve of both classes, with ties or concave where that is admitted."""
    shaped = curve.concave if problem.concave_area else curve.parts == 1
    return bool(curve.sound and curve.matrix.p and curve.matrix.n and shaped and (problem.ties or curve.untied))


KIND = CurveKind()
