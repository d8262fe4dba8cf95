"""Do printed counts and the scores beside them fit together?

Counts that contradict each other do not, whatever the scores. Counts that complete a matrix give every score, 0/0 as
the convention has it. Otherwise what is known goes to the engine for one confusion matrix: both class counts, with the
cells that are printed as exact sensitivity or specificity; or one class alone, with the rates of that class.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from scoreproof.kinds.binary.engine.rectangles import filler
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.binary.one_matrix import decide_matrix
from scoreproof.kinds.binary.problem import BinaryProblem
from scoreproof.kinds.binary.scores import ConfusionMatrix, Score, score
from scoreproof.kinds.binary.witness import Witness
from scoreproof.kinds.kind import Decision
from scoreproof.kinds.printed_matrix.counts import Known
from scoreproof.kinds.printed_matrix.problem import PrintedMatrixProblem
from scoreproof.reported import Claim, report
from scoreproof.reported.conventions import Undefined
from scoreproof.work.budget import Budget

OF_CLASS = {"p": ("sens", "fnr"), "n": ("spec", "fpr")}  # what depends on one class alone
_PINS = (("p", "tp", "sens"), ("n", "tn", "spec"))


def decide_counts(problem: PrintedMatrixProblem, deadline: Budget) -> Decision[Witness]:
    """A matrix with the counts and scores, or a proof that there is none."""
    known = problem.known
    if known.conflict:
        return Decision(proof={"kind": "counts"})
    matrix = known.matrix
    if matrix is None:
        return _open(problem, known, deadline)
    for index, claim in enumerate(problem.claims):
        if not gives(matrix, claim, problem.undefined):
            return Decision(proof={"kind": "matrix", "score": index})
    return Decision(Witness((matrix,)))


def gives(matrix: ConfusionMatrix, claim: Claim, undefined: Undefined) -> bool:
    """Whether a matrix gives a printed score.

    Balanced accuracy of a matrix that lacks a class may be the recall of the other, as scikit-learn has it.
    """
    if _gives(matrix, claim, claim.score, filler(undefined)):
        return True
    lacking = undefined is Undefined.ANY and claim.score.name == "bacc" and 0 in (matrix.p, matrix.n)
    return lacking and _gives(matrix, claim, score("sens" if matrix.p else "spec"), filler(undefined))


def _gives(matrix: ConfusionMatrix, claim: Claim, of: Score, filled: int | None) -> bool:
    low, high = of.compare(*matrix.cells, claim.low), of.compare(*matrix.cells, claim.high)
    if low is None or high is None:
        return of.ratio(*matrix.cells)[0] == 0 and filled is not None and claim.low <= filled <= claim.high
    return low >= 0 >= high


def _open(problem: PrintedMatrixProblem, known: Known, deadline: Budget) -> Decision[Witness]:
    """The counts leave the matrix open."""
    if not problem.claims:
        return Decision(Witness((known.some_matrix(),)))
    claims, (p, n) = comparable(problem, known)
    if not claims or p + n == 0:
        return Decision(reason="the printed counts leave the confusion matrix open")
    asked = BinaryProblem(TestSet(p, n), (*claims, *_pins(known)), problem.undefined)
    decision = decide_matrix(asked, deadline)
    if decision.witness is None:
        return decision
    if len(claims) < len(problem.claims):
        return Decision(reason="the printed counts fix one class only, and other scores need the other class")
    tp, tn = decision.witness.tp, decision.witness.tn
    return Decision(Witness((known.some_matrix(tp if "p" in known.counts else None, tn if n else None),)))


def comparable(problem: PrintedMatrixProblem, known: Known) -> tuple[tuple[Claim, ...], tuple[int, int]]:
    """The claims that known class counts decide, and those counts; 0 for a class that is not known."""
    p, n = known.counts.get("p"), known.counts.get("n")
    if p is not None and n is not None:
        return problem.claims, (p, n)
    names = OF_CLASS["p"] if p is not None else OF_CLASS["n"] if n is not None else ()
    return tuple(claim for claim in problem.claims if claim.score.name in names), (p or 0, n or 0)


def _pins(known: Known) -> tuple[Claim, ...]:
    """Printed cells as exact rates of their class."""
    pins: list[Any] = []
    for whole, cell, rate in _PINS:
        if known.counts.get(whole) and cell in known.counts:
            share = Fraction(known.counts[cell], known.counts[whole])
            pins.append(replace(report(score(rate), share, eps=0), name=f"{cell} {known.counts[cell]}"))
    return tuple(pins)
