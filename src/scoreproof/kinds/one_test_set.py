"""Branch and bound over cones (Horst and Tuy 1996), joined at one prevalence: two rows on one test set.

Rows on one test set share its prevalence, also where nobody printed it.

Each row bounds the prevalence on its own. If the bounds do not meet, a share between them makes that checkable: one
proof says that the first row is impossible at this prevalence or above, the other that the second is at this prevalence
or below, and every prevalence is one or the other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count
from typing import Annotated, Any, ClassVar, Self, Unpack

from scoreproof.errors import InvalidOption
from scoreproof.kinds.binary.engine.bands import band
from scoreproof.kinds.binary.engine.rectangles import decide
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.binary.one_matrix import matrix_holds
from scoreproof.kinds.binary.problem import BinaryProblem, Witness
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.kind import Decision, Kind
from scoreproof.kinds.statement import ScoresOf, StatedFields, short_name
from scoreproof.kinds.unknown_classes.experiment import Range, Total, UnknownClasses, basics
from scoreproof.kinds.unknown_classes.kind import closed
from scoreproof.kinds.unknown_classes.rates import rates
from scoreproof.reported import Claim, Value, read_scores
from scoreproof.reported.claim import refuse_spread
from scoreproof.reported.conventions import Conventions, Stated, Undefined, told
from scoreproof.work.budget import Budget


@dataclass(frozen=True, slots=True)
class ScoredRow(StatedFields):
    """The scores of one row; every claim has a name that no claim of the other row has."""

    name: str
    claims: Annotated[tuple[Claim, ...], ScoresOf()]

    def __post_init__(self) -> None:
        refuse_spread(self.claims)

    @classmethod
    def of(cls, name: str, claims: Iterable[Claim]) -> ScoredRow:
        """A row whose claims are told apart from another row's by its name."""
        return cls(short_name(name), tuple(replace(claim, name=f"{name}: {claim.name}") for claim in claims))


@dataclass(frozen=True, slots=True)
class TwoRows(StatedFields):
    """Two rows that are stated to be of one test set; of their claims each has a name that no other has."""

    rows: tuple[ScoredRow, ScoredRow]

    def __post_init__(self) -> None:
        names = [claim.name for claim in self.claims]
        if len(set(names)) != len(names):
            raise InvalidOption(f"claims: expected names that tell the two rows apart, got {', '.join(names)}")

    @property
    def claims(self) -> tuple[Claim, ...]:
        return self.rows[0].claims + self.rows[1].claims

    def with_claims(self, claims: Iterable[Claim]) -> Self:
        """Other claims; their names say of which row they are."""
        kept = tuple(claims)
        own = [{claim.name for claim in row.claims} for row in self.rows]
        strange = [claim.name for claim in kept if not any(claim.name in names for names in own)]
        if strange:
            raise InvalidOption(f"claims: expected some of {sorted(own[0] | own[1])}, got {', '.join(strange)}")
        first, second = (
            replace(row, claims=tuple(claim for claim in kept if claim.name in names))
            for row, names in zip(self.rows, own, strict=True)
        )
        return replace(self, rows=(first, second))


@dataclass(frozen=True, slots=True)
class OneTestSetProblem(TwoRows):
    """Two rows, each one confusion matrix, with the same positives and negatives; perhaps their number is known."""

    kind: ClassVar[str] = "one_test_set"
    total: tuple[int, int] | None = None
    undefined: Undefined = Undefined.ANY


def two_rows(
    rows: Mapping[str, Mapping[str, Value | Claim]], how: Conventions, kind: str = "binary"
) -> tuple[ScoredRow, ScoredRow]:
    """The rows of a problem, by name."""
    if len(rows) != 2:
        raise InvalidOption(f"rows: expected two that are compared, got {len(rows)}")
    first, second = (ScoredRow.of(name, read_scores(scores, how, kind=kind)) for name, scores in rows.items())
    return first, second


def one_test_set(
    rows: Mapping[str, Mapping[str, Value | Claim]], *, total: Total | None = None, **stated: Unpack[Stated]
) -> OneTestSetProblem:
    """The problem of two rows on one test set, by name; conventions are those of ``check``.

    >>> problem = one_test_set({"A": {"acc": "0.90", "sens": "0.80"}, "B": {"acc": "0.85"}})
    >>> [claim.name for claim in problem.claims]
    ['A: acc', 'A: sens', 'B: acc']
    """
    how = told(stated)
    if how.undefined not in (Undefined.ANY, Undefined.EXCLUDE):
        raise InvalidOption(f"undefined={str(how.undefined)!r} needs p and n; without them it is 'any' or 'exclude'")
    return OneTestSetProblem(two_rows(rows, how), UnknownClasses(total=total).totals, how.undefined)


Span = tuple[Fraction, Fraction]
_WHOLE: Span = (Fraction(0), Fraction(1))
_TIGHTNESS = 1e-4
_MOST_SIZES = 1_500  # class counts tried for a witness
_MOST_TOTAL = 20_000
_TO_LOOK = 2.0  # seconds


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
    solved = rates(claims, (), prevalence=span, tightness=1.0, budget=deadline)
    if solved.proof is None:
        return None
    if problem.total is None:
        return {"kind": "rates", "steps": solved.proof}
    return {"kind": "known total", "steps": [["rates", solved.proof]]}


def _apart(problem: OneTestSetProblem, lower: int, share: Fraction, deadline: Budget) -> Decision[Witness]:
    above = _refuted(problem, lower, (share, Fraction(1)), deadline.part(0.5))
    below = None if above is None else _refuted(problem, 1 - lower, (Fraction(0), share), deadline)
    if above is None or below is None:
        return Decision(reason="the rows seem to need different prevalences, but that was not proved")
    return Decision(proof={"kind": "apart", "lower": lower, "share": str(share), "above": above, "below": below})


def _together(
    problem: OneTestSetProblem, low: Fraction, high: Fraction, deadline: Budget
) -> tuple[ConfusionMatrix, ConfusionMatrix] | None:
    """A matrix for each row, of the same class counts: tried from small test sets on, as long as that is cheap."""
    least, most = problem.total or (1, _MOST_TOTAL)
    sizes = (
        (p, total - p)
        for total in range(least, most + 1)
        for p in range(max(0, math.ceil(low * total)), min(total, math.floor(high * total)) + 1)
    )
    for number, (p, n) in enumerate(sizes):
        if number > _MOST_SIZES or deadline.passed:
            return None
        first = _matrix(problem.rows[0].claims, p, n, deadline)
        second = None if first is None else _matrix(problem.rows[1].claims, p, n, deadline)
        if first is not None and second is not None:
            return first, second
    return None


def _matrix(claims: tuple[Claim, ...], p: int, n: int, deadline: Budget) -> ConfusionMatrix | None:
    """A matrix on which all scores are defined and as printed; any if nothing is claimed."""
    if not claims:
        return ConfusionMatrix(p, 0, 0, n)
    cell = decide([band(index, claim, p, n) for index, claim in enumerate(claims)], budget=deadline.moment(1.0)).cell
    return None if cell is None else ConfusionMatrix(cell[0], n - cell[1], p - cell[0], cell[1])


_TO_SAY = 1.0  # seconds


class OneTestSet(Kind[OneTestSetProblem, Witness]):
    """Two rows of scores on one test set whose class counts are unknown."""

    name = "one_test_set"
    problem_type = OneTestSetProblem
    witness_type = Witness
    is_quick = False
    names_conflicts = True

    def decide(self, problem: OneTestSetProblem, *, deadline: Budget, seed: int) -> Decision[Witness]:
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
                scales = (10**digits for digits in count(1))  # the share is a short decimal strictly between
                scale = next(scale for scale in scales if math.floor(below * scale) + 1 < above * scale)
                return _apart(problem, lower, Fraction(math.floor(below * scale) + 1, scale), deadline)
        low, high = max(spans[0][0], spans[1][0]), min(spans[0][1], spans[1][1])
        matrices = _together(problem, low, high, deadline.within(_TO_LOOK))
        return Decision(reason="the prevalences may meet") if matrices is None else Decision(Witness(matrices))

    def holds(self, problem: OneTestSetProblem, witness: Witness) -> bool:
        if len(witness.matrices) != 2:
            return False
        first, second = witness.matrices
        p, n = first.p, first.n
        if (second.p, second.n) != (p, n) or p + n == 0:
            return False
        if problem.total is not None and not problem.total[0] <= p + n <= problem.total[1]:
            return False
        return all(
            matrix_holds(BinaryProblem(TestSet(p, n), row.claims, problem.undefined), Witness((matrix,)))
            for row, matrix in zip(problem.rows, witness.matrices, strict=True)
        )

    def subject(self, problem: OneTestSetProblem) -> str:
        cases = ""
        if problem.total is not None:
            least, most = problem.total
            cases = f" of {least} cases" if least == most else f" of {least} to {most} cases"
        return f"one test set{cases}, class counts unknown"

    def because(self, problem: OneTestSetProblem) -> str:
        needs = []
        for index, row in enumerate(problem.rows):
            span = prevalence_of(problem, index, Budget.of_work(_TO_SAY)) if row.claims else None
            if span is None and row.claims:
                return f"the scores of {row.name} are impossible on any test set"
            needs.append("any" if span is None else span.text(4))
        first, second = problem.rows
        return (
            f"the scores of {first.name} need a prevalence of {needs[0]} and those of {second.name} one of {needs[1]}"
        )


KIND = OneTestSet()
