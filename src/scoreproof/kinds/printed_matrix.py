"""Propagation of sums, then branch and bound (Land and Doig 1960): printed counts of one matrix beside its scores.

p = tp + fn, n = tn + fp, total = p + n, and none is negative: what two of a sum are fixes the third.

Counts that contradict each other do not, whatever the scores. Counts that complete a matrix give every score, 0/0 as
the convention has it. Otherwise what is known goes to the engine for one confusion matrix: both class counts, with the
cells that are printed as exact sensitivity or specificity; or one class alone, with the rates of that class.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor
from typing import Annotated, ClassVar, Unpack

from scoreproof.errors import InvalidExperiment
from scoreproof.kinds.binary.engine.rectangles import filler
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.binary.one_matrix import decide_matrix
from scoreproof.kinds.binary.problem import BinaryProblem, Witness
from scoreproof.kinds.binary.scores import ConfusionMatrix, Score, score
from scoreproof.kinds.kind import Decision, Ends, Kind
from scoreproof.kinds.statement import ScoresOf, StatedFields
from scoreproof.kinds.unknown_classes.experiment import above, below
from scoreproof.reported import Claim, Value, read_scores, report
from scoreproof.reported.claim import refuse_spread
from scoreproof.reported.conventions import Stated, Undefined, told
from scoreproof.work.budget import Budget

CELLS = ("tp", "fp", "fn", "tn")
NAMES = (*CELLS, "p", "n", "total")
_SUMS = (("p", "tp", "fn"), ("n", "tn", "fp"), ("total", "p", "n"))
_LARGEST = 10**40  # what the verifier reads

Pairs = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Known:
    """The counts that are printed or follow; ``conflict`` says in words what contradicts what."""

    counts: dict[str, int]
    conflict: str = ""

    @property
    def matrix(self) -> ConfusionMatrix | None:
        """The confusion matrix, if all four cells are known."""
        if self.conflict or not all(cell in self.counts for cell in CELLS):
            return None
        return ConfusionMatrix(*(self.counts[cell] for cell in CELLS))

    def some_matrix(self, **cells: int) -> ConfusionMatrix:
        """A matrix with these counts, and with given cells where they are not known: all others as small as can be."""
        known = follow(tuple((cells | self.counts).items()))
        for cell in CELLS:
            if cell not in known.counts:
                known = follow((*known.counts.items(), (cell, 0)))
        return ConfusionMatrix(*(known.counts[cell] for cell in CELLS))


def read_counts(counts: Mapping[str, int | Iterable[int]] | Iterable[tuple[str, int]]) -> Pairs:
    """Counts by name; one that is printed twice is said as a list of its values.

    >>> read_counts({"tp": 5, "p": [10, 12]})
    (('tp', 5), ('p', 10), ('p', 12))
    """
    pairs: list[tuple[str, int]] = []
    for name, value in counts.items() if isinstance(counts, Mapping) else counts:
        pairs += [(name, each) for each in ([value] if isinstance(value, int) else value)]
    for name, number in pairs:
        whole = isinstance(number, int) and not isinstance(number, bool) and 0 <= number <= _LARGEST
        if name not in NAMES or not whole:
            raise InvalidExperiment(
                f"counts: expected whole numbers from 0 on for {', '.join(NAMES)}; got {name!r}: {number!r}"
            )
    if not pairs:
        raise InvalidExperiment(f"counts: expected at least one of {', '.join(NAMES)}; got none")
    return tuple(dict.fromkeys(pairs))


def follow(pairs: Pairs) -> Known:
    """What follows from printed counts, or the first contradiction among them.

    >>> follow((("tp", 5), ("p", 10), ("n", 20), ("tn", 18))).matrix
    ConfusionMatrix(tp=5, fp=2, fn=5, tn=18)
    >>> follow((("tp", 5), ("fn", 6), ("p", 10))).conflict
    'tp 5 and fn 6 do not add up to p 10'
    """
    values: dict[str, int] = {}
    for name, value in pairs:
        if values.setdefault(name, value) != value:
            return Known(values, f"{name} is {values[name]} and {value}")
    for _ in range(len(_SUMS)):
        for whole, part, other in _SUMS:
            a, b, c = (values.get(name) for name in (whole, part, other))
            if b is not None and c is not None:
                if values.setdefault(whole, b + c) != b + c:
                    return Known(values, f"{part} {b} and {other} {c} do not add up to {whole} {a}")
            elif a is not None and (b is not None or c is not None):
                known, missing = (part, other) if b is not None else (other, part)
                if values[known] > a:
                    return Known(values, f"{known} {values[known]} is more than {whole} {a}")
                values[missing] = a - values[known]
    return Known(values, *_beyond_total(values))


def _beyond_total(values: dict[str, int]) -> tuple[str, ...]:
    """That the known cells are more than all cases, in words; empty if they are not."""
    cells = [cell for cell in CELLS if cell in values]
    if "total" not in values or sum(values[cell] for cell in cells) <= values["total"]:
        return ()
    listed_cells = " and ".join(f"{cell} {values[cell]}" for cell in cells)
    return (f"{listed_cells} {'is' if len(cells) == 1 else 'are'} more than total {values['total']}",)


@dataclass(frozen=True, slots=True)
class PrintedMatrixProblem(StatedFields):
    """Printed counts of one matrix, any of tp, fp, fn, tn, p, n, total; and its scores."""

    kind: ClassVar[str] = "printed_matrix"
    counts: Pairs
    claims: Annotated[tuple[Claim, ...], ScoresOf()] = ()
    undefined: Undefined = Undefined.ANY

    def __post_init__(self) -> None:
        object.__setattr__(self, "counts", read_counts(self.counts))
        refuse_spread(self.claims)

    @property
    def known(self) -> Known:
        """What follows from the counts."""
        return follow(self.counts)


def printed_matrix(
    counts: Mapping[str, int | Iterable[int]],
    scores: Mapping[str, Value | Claim] | None = None,
    **stated: Unpack[Stated],
) -> PrintedMatrixProblem:
    """The problem of printed counts and scores; conventions are those of ``check``.

    >>> printed_matrix({"tp": 5, "fn": 5, "fp": 2, "tn": 18}, {"acc": "0.77"}).known.matrix
    ConfusionMatrix(tp=5, fp=2, fn=5, tn=18)
    """
    how = told(stated)
    claims = read_scores(scores, how) if scores else ()
    return PrintedMatrixProblem(read_counts(counts), claims, how.undefined)


OF_CLASS = {"p": ("sens", "fnr"), "n": ("spec", "fpr")}  # what depends on one class alone
_PINS = (("p", "tp", "sens"), ("n", "tn", "spec"))


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
    cells = ({"tp": tp} if "p" in known.counts else {}) | ({"tn": tn} if n else {})
    return Decision(Witness((known.some_matrix(**cells),)))


def comparable(problem: PrintedMatrixProblem, known: Known) -> tuple[tuple[Claim, ...], tuple[int, int]]:
    """The claims that known class counts decide, and those counts; 0 for a class that is not known."""
    p, n = known.counts.get("p"), known.counts.get("n")
    if p is not None and n is not None:
        return problem.claims, (p, n)
    names = OF_CLASS["p"] if p is not None else OF_CLASS["n"] if n is not None else ()
    return tuple(claim for claim in problem.claims if claim.score.name in names), (p or 0, n or 0)


def _pins(known: Known) -> tuple[Claim, ...]:
    """Printed cells as exact rates of their class."""
    counts = known.counts
    return tuple(
        replace(report(score(rate), Fraction(counts[cell], counts[whole]), eps=0), name=f"{cell} {counts[cell]}")
        for whole, cell, rate in _PINS
        if counts.get(whole) and cell in counts
    )


_FEWEST_DIGITS = 4
_MORE_DIGITS = 2  # than were printed, for what the matrix gives
_MOST_DIGITS = 40  # that help anybody


class PrintedMatrix(Kind[PrintedMatrixProblem, Witness]):
    """Printed counts of one confusion matrix, and scores beside them."""

    name = "printed_matrix"
    problem_type = PrintedMatrixProblem
    witness_type = Witness
    names_conflicts = True

    def decide(self, problem: PrintedMatrixProblem, *, deadline: Budget, seed: int) -> Decision[Witness]:
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

    def holds(self, problem: PrintedMatrixProblem, witness: Witness) -> bool:
        if len(witness.matrices) != 1 or min(witness.matrix.cells) < 0:
            return False
        matrix = witness.matrix
        counted = matrix.to_dict() | {"p": matrix.p, "n": matrix.n, "total": matrix.p + matrix.n}
        if any(counted[name] != value for name, value in problem.counts):
            return False
        return all(gives(matrix, claim, problem.undefined) for claim in problem.claims)

    def subject(self, problem: PrintedMatrixProblem) -> str:
        return f"the printed counts ({', '.join(f'{name} {value}' for name, value in problem.counts)})"

    def because(self, problem: PrintedMatrixProblem) -> str:
        known = problem.known
        if known.conflict:
            return f"the counts contradict each other: {known.conflict}"
        matrix = known.matrix
        if matrix is None:
            return super().because(problem) or _between_whole_numbers(problem, known)
        wrong = [claim for claim in problem.claims if not gives(matrix, claim, problem.undefined)]
        given = []
        for claim in wrong:
            digits = min(max(_FEWEST_DIGITS, claim.number.digits + _MORE_DIGITS), _MOST_DIGITS)
            value = claim.score.text(*matrix.cells, digits=digits) or "nothing (0/0)"
            given.append(f"{claim.name} {value}, not {claim.text}")
        return f"the printed matrix ({matrix}) gives {'; '.join(given)}"

    def implied(self, problem: PrintedMatrixProblem, target: Claim) -> Ends | None:
        matrix = problem.known.matrix
        return None if matrix is None else target.score.enclose(*matrix.cells, 10 ** (target.number.digits + 2))


def _between_whole_numbers(problem: PrintedMatrixProblem, known: Known) -> str:
    """The values next to a rate that no whole number of cases of its class gives; empty if that is not the reason."""
    for claim in problem.claims:
        whole = next((known.counts.get(size) for size, rates in OF_CLASS.items() if claim.score.name in rates), None)
        if not whole:
            continue
        least = floor(claim.number.value * whole)
        near = [Fraction(cases, whole) for cases in (least, least + 1)]
        if not any(claim.low <= value <= claim.high for value in near):
            digits = min(max(_FEWEST_DIGITS, claim.number.digits + _MORE_DIGITS), _MOST_DIGITS)
            values = f"{below(near[0], digits)} or {above(near[1], digits)}"
            return f"{whole} cases give {claim.name} {values}, not {claim.text}"
    return ""


KIND = PrintedMatrix()
