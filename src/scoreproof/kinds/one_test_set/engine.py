"""Rows on one test set share its prevalence, also where nobody printed it.

Each row bounds the prevalence on its own. If the bounds do not meet, a share between them makes that checkable: one
proof says that the first row is impossible at this prevalence or above, the other that the second is at this prevalence
or below, and every prevalence is one or the other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from scoreproof.kinds.binary.engine.bands import band
from scoreproof.kinds.binary.engine.rectangles import decide
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.binary.witness import Witness
from scoreproof.kinds.kind import Decision
from scoreproof.kinds.one_test_set.problem import OneTestSetProblem
from scoreproof.kinds.unknown_classes.edges import closed
from scoreproof.kinds.unknown_classes.quantities import basics
from scoreproof.kinds.unknown_classes.ranges import Range
from scoreproof.kinds.unknown_classes.rates import rates
from scoreproof.reported import Claim
from scoreproof.reported.conventions import Undefined
from scoreproof.work.budget import Budget

Span = tuple[Fraction, Fraction]
_WHOLE: Span = (Fraction(0), Fraction(1))
_TIGHTNESS = 1e-4
_MOST_DIGITS = 12  # of the share between
_MOST_SIZES = 1_500  # class counts tried for a witness
_MOST_TOTAL = 20_000
_TO_LOOK = 2.0  # seconds


def decide_shared(problem: OneTestSetProblem, deadline: Budget) -> Decision[Witness]:
    """Two matrices of one test set, or a proof that the rows need different prevalences."""
    unproved = [claim.name for claim in problem.claims if not claim.score.builtin]
    if unproved:
        return Decision(reason=f"without class counts only built-in scores are decided, not {', '.join(unproved)}")
    spans: list[Span] = []
    for index in (0, 1):
        proof = _refuted(problem, index, None, deadline.part(0.2))
        if proof is not None:
            return Decision(proof={"kind": "row", "row": index, "proof": proof})
        span = prevalence_of(problem, index, deadline.part(0.3))
        spans.append(_WHOLE if span is None else (span.low, Fraction(1) if span.high is None else span.high))
    for lower in (0, 1):
        below, above = spans[lower][1], spans[1 - lower][0]
        if below < above:
            return _apart(problem, lower, _between(below, above), deadline)
    low, high = max(spans[0][0], spans[1][0]), min(spans[0][1], spans[1][1])
    matrices = _together(problem, low, high, deadline.within(_TO_LOOK))
    return Decision(reason="the prevalences may meet") if matrices is None else Decision(Witness(matrices))


def prevalence_of(problem: OneTestSetProblem, index: int, deadline: Budget) -> Range | None:
    """A guaranteed range of the prevalence that a row needs, if there is one."""
    claims = problem.rows[index].claims
    if not claims:
        return None
    known = rates(claims, basics()[-1:], tightness=_TIGHTNESS, budget=deadline)
    return known.ranges.get("prevalence")


def _refuted(problem: OneTestSetProblem, index: int, span: Span | None, deadline: Budget) -> dict[str, Any] | None:
    """The proof that a row is impossible at these prevalences, matrices on which a score is 0/0 included."""
    claims = problem.rows[index].claims
    if not claims or (problem.undefined is Undefined.ANY and not closed(claims, span, problem.total)):
        return None
    found = rates(claims, (), prevalence=span, tightness=1.0, budget=deadline, bounds_wanted=False)
    if found.proof is None:
        return None
    if problem.total is None:
        return {"kind": "rates", "steps": found.proof}
    return {"kind": "known total", "steps": [["rates", found.proof]]}


def _apart(problem: OneTestSetProblem, lower: int, share: Fraction, deadline: Budget) -> Decision[Witness]:
    above = _refuted(problem, lower, (share, Fraction(1)), deadline.part(0.5))
    below = None if above is None else _refuted(problem, 1 - lower, (Fraction(0), share), deadline)
    if above is None or below is None:
        return Decision(reason="the rows seem to need different prevalences, but that was not proved")
    return Decision(proof={"kind": "apart", "lower": lower, "share": str(share), "above": above, "below": below})


def _between(low: Fraction, high: Fraction) -> Fraction:
    """A short decimal strictly between two numbers, or their middle."""
    for digits in range(1, _MOST_DIGITS):
        units = (low * 10**digits).__floor__() + 1
        if low < Fraction(units, 10**digits) < high:
            return Fraction(units, 10**digits)
    return (low + high) / 2


def _together(
    problem: OneTestSetProblem, low: Fraction, high: Fraction, deadline: Budget
) -> tuple[ConfusionMatrix, ConfusionMatrix] | None:
    """A matrix for each row, of the same class counts: tried from small test sets on, as long as that is cheap."""
    for number, (p, n) in enumerate(_sizes(problem, low, high)):
        if number > _MOST_SIZES or deadline.passed:
            return None
        first = _matrix(problem.rows[0].claims, p, n, deadline)
        second = None if first is None else _matrix(problem.rows[1].claims, p, n, deadline)
        if first is not None and second is not None:
            return first, second
    return None


def _sizes(problem: OneTestSetProblem, low: Fraction, high: Fraction) -> Iterator[tuple[int, int]]:
    least, most = problem.total or (1, _MOST_TOTAL)
    for total in range(least, most + 1):
        for p in range(max(0, math.ceil(low * total)), min(total, math.floor(high * total)) + 1):
            yield p, total - p


def _matrix(claims: tuple[Claim, ...], p: int, n: int, deadline: Budget) -> ConfusionMatrix | None:
    """A matrix on which all scores are defined and as printed; any if nothing is claimed."""
    if not claims:
        return ConfusionMatrix(p, 0, 0, n)
    cell = decide([band(index, claim, p, n) for index, claim in enumerate(claims)], budget=deadline.moment(1.0)).cell
    return None if cell is None else ConfusionMatrix(cell[0], n - cell[1], p - cell[0], cell[1])
