"""Scores of one confusion matrix of unknown class counts: possible at some size, or at none.

Scores that do not bound each other (``free``) need no search. With all cells positive, the odds tp/fn, tn/fp, tp/fp and
tn/fn are those of sens, spec, ppv and npv; the product of the first two is that of the last two, and any three are
free. Of spec and npv the odds do not contain tp, with which f1, ji and fm run from 0 to 1 whatever the other cells are;
likewise f1n beside sens and ppv, with tn. At given sens and spec, and so at any value of bacc, bm and gm, the
prevalence takes ppv (or npv) from 0 to 1; likewise mk beside sens or spec. Accuracy runs from 0 to 1 with the class, or
the answer, that a rate does not speak of. An AUC A bounds a point of its curve by sens (1 - fpr) <= A <= 1 - fpr (1 -
sens), which some fpr fulfils at any sens and some sens at any fpr, and which every point close to (1, 1) fulfils; the
prevalence is still free.

Bounds on rates are about matrices on which every reported score is defined. Those on which scores may be 0/0 (a single
answer, a single class, a single kind of error) have two or three zero cells, the edges; on them a score depends on the
share of one of the two cells that are left, and where a 0/0 counts as zero they may give the report as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, product
from typing import Annotated, Any, ClassVar

from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.kinds.binary.problem import Witness
from scoreproof.kinds.binary.scores import ConfusionMatrix, score
from scoreproof.kinds.kind import Decision, Ends, Kind
from scoreproof.kinds.printed_matrix import gives
from scoreproof.kinds.statement import ScoresOf, StatedFields
from scoreproof.kinds.unknown_classes.experiment import UnknownClasses, basics, of_score
from scoreproof.kinds.unknown_classes.rates import Span, Totals, rates
from scoreproof.reported import Claim, Value, read_scores
from scoreproof.reported.claim import leaves_room
from scoreproof.reported.conventions import OF_TEXTS, Conventions, Undefined
from scoreproof.work.budget import Budget

_FINE = 1e-4
_TIGHTNESS = 0.01  # enough to say where a score would have to lie
_TRIES = 40  # class counts that are searched for a smaller matrix
_ONE_BOUND = 1.0  # seconds
MOST_GROUPS = 60_000  # class counts that are looked at one after the other


@dataclass(frozen=True, slots=True)
class UnknownClassesProblem(StatedFields):
    """Scores of one confusion matrix, of which at most the number of cases and the prevalence are known."""

    kind: ClassVar[str] = "unknown_classes"
    experiment: UnknownClasses
    claims: Annotated[tuple[Claim, ...], ScoresOf()]
    undefined: Undefined = Undefined.ANY

    @property
    def span(self) -> Span | None:
        """The prevalence as an interval, where it was printed."""
        claim = self.experiment.claim
        return None if claim is None else (claim.low, claim.high)


class UnknownClassesKind(Kind[UnknownClassesProblem, Witness]):
    """One confusion matrix of unknown class counts."""

    name = "unknown_classes"
    problem_type = UnknownClassesProblem
    witness_type = Witness
    experiment_type = UnknownClasses
    register = "binary"
    row_options = ("rounding", "eps", "beta")
    is_quick = False

    def posed(self, experiment: Any, scores: Mapping[str, Value | Claim], how: Conventions) -> UnknownClassesProblem:
        how.refuse_all_but(
            (*OF_TEXTS, "undefined"), f"that speaks of parts of a mean, but {experiment} is one confusion matrix"
        )
        claims = read_scores(scores, how)
        if how.undefined not in (Undefined.ANY, Undefined.EXCLUDE):
            raise InvalidOption(
                f"undefined={str(how.undefined)!r} needs p and n; without them it is 'any' (the default) or 'exclude'"
            )
        for claim in claims:
            if claim.spread is not None:
                raise InvalidValue(
                    f"{claim.name}: {claim.text!r} has a ±, so it is a mean over folds, but this is about one "
                    "confusion matrix; leave the ± out to treat the value as that of one matrix"
                )
        return UnknownClassesProblem(experiment, claims, how.undefined)

    def decide(self, problem: UnknownClassesProblem, *, deadline: Budget, seed: int) -> Decision[Witness]:
        totals = problem.experiment.totals
        decision = _any_size(problem, deadline) if totals is None else _of_total(problem, totals, deadline)
        if decision.proof is None or problem.undefined is not Undefined.ANY:
            return decision
        if closed(problem.claims, problem.span, totals):
            return decision
        for matrix in edge_witnesses(problem.claims, problem.span, totals):
            note = "this fits only if 0/0 counts as zero, as scikit-learn prints it; no other matrix gives the report"
            return Decision(Witness((matrix,)), notes=(note,))
        return Decision(reason="no matrix on which all scores are defined fits; with 0/0 counted as zero it is open")

    def holds(self, problem: UnknownClassesProblem, witness: Witness) -> bool:
        from scoreproof.kinds.binary.experiment import TestSet
        from scoreproof.kinds.binary.one_matrix import matrix_holds
        from scoreproof.kinds.binary.problem import BinaryProblem

        if len(witness.matrices) != 1:
            return False
        p, n = witness.matrices[0].p, witness.matrices[0].n
        totals, span = problem.experiment.totals, problem.span
        if totals is not None and not totals[0] <= p + n <= totals[1]:
            return False
        if span is not None and not span[0] * (p + n) <= p <= span[1] * (p + n):
            return False
        return matrix_holds(BinaryProblem(TestSet(p, n), problem.claims, problem.undefined), witness)

    def smaller(self, problem: UnknownClassesProblem, witness: Witness) -> Witness:
        """The smallest total, if few class counts have to be searched to know; else a small one."""
        from scoreproof.kinds.unknown_classes.matrices import rounded, smallest  # need numpy, which verdicts do not

        if problem.experiment.totals is not None:
            return witness
        matrix = rounded(problem.claims, witness.matrix, lambda other: self.holds(problem, Witness((other,))))
        low, high = problem.span or (Fraction(0), Fraction(1))
        below = matrix.p + matrix.n - 1
        least = smallest((problem.claims,), low, high, listed=1, most_tries=_TRIES, most_total=below)
        return Witness(least.matrices or (matrix,))

    def free(self, problem: UnknownClassesProblem) -> bool:
        return problem.experiment == UnknownClasses() and free(problem.claims)

    def identity(self, problem: UnknownClassesProblem, conflict: Sequence[Claim]) -> str:
        from scoreproof.kinds.binary.reasons import broken_identity

        return broken_identity(conflict, None)

    def implied(self, problem: UnknownClassesProblem, target: Claim) -> Ends | None:
        wanted = of_score(target.score)
        if wanted is None:
            return None
        known = rates(
            problem.claims, (wanted,), prevalence=problem.span, tightness=_TIGHTNESS, budget=Budget.of_work(_ONE_BOUND)
        )
        span = known.ranges.get(target.score.name)
        return None if span is None else (span.low, span.high)

    def subject(self, problem: UnknownClassesProblem) -> str:
        return str(problem.experiment)


def prevalence_range(problem: UnknownClassesProblem, budget: Budget) -> Span | None:
    """Between which ends the prevalence lies; None if it is open."""
    known = rates(problem.claims, basics()[-1:], prevalence=problem.span, tightness=_FINE, budget=budget)
    span = known.ranges.get("prevalence")
    return None if span is None or span.high is None else (span.low, span.high)


def _any_size(problem: UnknownClassesProblem, deadline: Budget) -> Decision[Witness]:
    known = rates(problem.claims, (), prevalence=problem.span, tightness=1.0, budget=deadline)
    if known.proof is not None:
        return Decision(proof={"kind": "rates", "steps": known.proof})
    if known.witness is None:
        return Decision(reason=f"{known.cones} cones of rates within {deadline.seconds:.3g} s")
    return Decision(Witness((ConfusionMatrix(*known.witness),)))


def _of_total(problem: UnknownClassesProblem, ends: tuple[int, int], deadline: Budget) -> Decision[Witness]:
    totals = Totals(problem.claims, *ends, problem.span, deadline)
    for group in totals.groups():
        return Decision(Witness((group.example,)))
    steps = None if totals.late else totals.refute()
    if steps is not None:
        return Decision(proof={"kind": "known total", "steps": steps})
    return Decision(reason=f"{totals.candidates} class counts could not all be decided within {deadline.seconds:.3g} s")


_FREE = tuple(
    frozenset(names)
    for names in (
        *combinations(("sens", "spec", "ppv", "npv"), 3),
        *product(["spec"], ["npv"], ("f1", "ji", "fm")),
        ("sens", "ppv", "f1n"),
        *product(("bacc", "bm", "gm"), ("ppv", "npv")),
        *product(["mk"], ("sens", "spec")),
        *product(["acc"], ("sens", "spec", "ppv", "npv", "auc")),
        *product(["auc"], ("sens", "spec"), ("ppv", "npv")),
        ("auc", "f1"),
    )
)


def free(claims: Sequence[Claim]) -> bool:
    """Whether any values of these scores, printed with so many digits, are those of some matrix of some size.

    >>> from scoreproof.reported import read_scores
    >>> free(read_scores({"sens": "0.91", "fdr": "0.20"})), free(read_scores({"sens": "0.91", "f1": "0.20"}))
    (True, False)
    """
    names = {getattr(claim.quantity, "complement", None) or claim.quantity.name for claim in claims}
    return all(map(leaves_room, claims)) and (len(names) == 1 or any(names <= together for together in _FREE))


_WHOLE: Span = (Fraction(0), Fraction(1))
_RECALL = {(0, 2): "sens", (1, 3): "spec"}  # of the only class, where the other two cells are 0
_FEW = 20_000  # matrices on an edge that are tried one by one
_POINTS = ((1, 1), (1, 2), (2, 1))


def open_edges(reported: tuple[Claim, ...], prevalence: Span | None) -> list[tuple[tuple[int, int], Span]]:
    """Pairs of cells, and the shares of the first, on which the report is not excluded with 0/0 counted as zero.

    Empty if every such matrix is excluded. An edge on which all scores are defined is left to the bounds on rates.
    """
    matrices = []
    for cells in combinations(range(4), 2):
        spans = [_shares(reported, prevalence, cells)]
        if cells in _RECALL and any(claim.score.name == "bacc" for claim in reported):
            recall = score(_RECALL[cells])  # which is what scikit-learn has as balanced accuracy of one class
            again = [replace(claim, quantity=recall) if claim.score.name == "bacc" else claim for claim in reported]
            spans.append(_shares(tuple(again), prevalence, cells, holes=True))
        matrices += [(cells, span) for span in spans if span is not None]
    for only in range(4):
        corner = ConfusionMatrix(*(int(cell == only) for cell in range(4)))
        undefined = any(claim.score.ratio(*corner.cells) == (0, 0) for claim in reported)
        if undefined and _gives(reported, prevalence, corner):
            matrices.append(((only, (only + 1) % 4), (Fraction(1), Fraction(1))))
    return matrices


def edge_witnesses(
    reported: tuple[Claim, ...], prevalence: Span | None, total: tuple[int, int] | None
) -> Iterator[ConfusionMatrix]:
    """Matrices on open edges that give the report, 0/0 counted as zero: with these totals, or of any size."""
    few = total is not None and _few(total)
    for (first, second), (low, high) in open_edges(reported, prevalence):
        for size in range(total[0], total[1] + 1) if few and total is not None else _sizes(total, low, high):
            ends = [int(end) for end in (-(-low * size // 1), (low + high) * size // 2, high * size // 1)]
            for share in range(ends[0], ends[2] + 1) if few else sorted({*ends}):
                cells = [0, 0, 0, 0]
                cells[first], cells[second] = share, size - share
                matrix = ConfusionMatrix(*cells)
                if min(cells) >= 0 and _gives(reported, prevalence, matrix):
                    yield matrix


def closed(reported: tuple[Claim, ...], prevalence: Span | None, total: tuple[int, int] | None) -> bool:
    """Whether no matrix on which a score is 0/0 gives the report: tried one by one if there are few."""
    if total is not None and _few(total):
        return next(edge_witnesses(reported, prevalence, total), None) is None
    return not open_edges(reported, prevalence)


def _few(total: tuple[int, int]) -> bool:
    return (total[1] - total[0] + 1) * total[1] <= _FEW


def _sizes(total: tuple[int, int] | None, low: Fraction, high: Fraction) -> list[int]:
    if total is not None:
        return sorted({total[0], (total[0] + total[1]) // 2, total[1]})
    middle = ((low + high) / 2).limit_denominator(10**6)
    return sorted({low.denominator, high.denominator, middle.denominator, 1000})


def _gives(reported: tuple[Claim, ...], prevalence: Span | None, matrix: ConfusionMatrix) -> bool:
    """Whether a matrix gives the report, a 0/0 counted as zero (or balanced accuracy as the only class's recall)."""
    if prevalence is not None and not prevalence[0] <= Fraction(matrix.p, matrix.p + matrix.n) <= prevalence[1]:
        return False
    return all(gives(matrix, claim, Undefined.ANY) for claim in reported)


def _shares(
    reported: tuple[Claim, ...], prevalence: Span | None, cells: tuple[int, int], *, holes: bool = False
) -> Span | None:
    """The shares of the first of two positive cells that nothing excludes; None if none, or no score is 0/0 there."""
    inside = [[x * (k == cells[0]) + y * (k == cells[1]) for k in range(4)] for x, y in _POINTS]
    undefined = [claim for claim in reported if all(claim.score.ratio(*point) == (0, 0) for point in inside)]
    if not (undefined or holes) or not all(claim.low <= 0 <= claim.high for claim in undefined):
        return None
    others = tuple(claim for claim in reported if claim not in undefined and claim.score.builtin)
    share = basics()[cells[0]]
    budget = Budget.of_work(_ONE_BOUND)
    known = rates(others, (share,), prevalence=prevalence, tightness=_FINE, budget=budget, edge=cells)
    span = known.ranges.get(share.name)
    if span is None or span.high is None:
        return _WHOLE if known.proof is None else None
    return span.low, span.high


KIND = UnknownClassesKind()
