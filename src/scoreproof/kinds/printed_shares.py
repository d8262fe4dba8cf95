"""Bipartite flows with bounds (Ford and Fulkerson 1956): scores beside a matrix whose cells are shares of their rows.

Rows add up to the known cases of their classes. Counts of the diagonal and sums of the columns are sought as for any
report on several classes, within what the cells leave them; what is found must also be the sums of a whole matrix.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from scoreproof.kinds.kind import Decision, Kind
from scoreproof.kinds.multi_class.branch_and_bound import Engine
from scoreproof.kinds.multi_class.experiment import MultiClass
from scoreproof.kinds.multi_class.kind import KIND as CLASSES
from scoreproof.kinds.multi_class.kind import by_meaning
from scoreproof.kinds.multi_class.model import ClassesModel, model_of, with_rules
from scoreproof.kinds.multi_class.problem import ClassesProblem, OfReport, asked_of, classes_problem, problem_from_dict
from scoreproof.kinds.multi_class.witness import ClassesWitness, ClassMatrix, treatment_of
from scoreproof.kinds.printed_classes import PrintedClasses
from scoreproof.reported import Claim, Rounding, report
from scoreproof.reported.claim import refuse_spread
from scoreproof.reported.conventions import Conventions
from scoreproof.results import SmallTable
from scoreproof.work.budget import Budget

Ends = tuple[int, int]
Bounds = list[list[Ends]]


def share_bounds(text: str, n: int, rounding: Rounding) -> Ends:
    """The least and the greatest count out of n cases that a printed share stands for; least above greatest if none.

    >>> share_bounds("66.7%", 3, Rounding.NEAREST), share_bounds("33%", 200, Rounding.NEAREST)
    ((2, 2), (65, 67))
    """
    claim = report("sens", text, rounding=rounding)
    refuse_spread([claim])
    low, high = max(claim.low, Fraction(0)) * n, min(claim.high, Fraction(1)) * n
    return low.__ceil__(), high.__floor__()


def trimmed(bounds: Bounds, sizes: Sequence[int]) -> Bounds:
    """The bounds, less what the other cells of a row leave no room for."""
    made = []
    for row, n in zip(bounds, sizes, strict=True):
        least, most = sum(low for low, _ in row), sum(high for _, high in row)
        made.append([(max(low, n - (most - high)), min(high, n - (least - low))) for low, high in row])
    return made


def matrix_within(
    bounds: Bounds, right: Sequence[int], rows: Sequence[int], columns: Sequence[int]
) -> list[list[int]] | None:
    """A matrix with this diagonal and these sums within the bounds; None if there is none.

    A maximum flow from rows to columns: each cell has its least, the rest is sent through what room there is.

    >>> matrix_within([[(2, 3), (0, 2)], [(0, 1), (1, 2)]], [3, 1], [4, 2], [4, 2])
    [[3, 1], [1, 1]]
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_flow

    k = len(rows)
    low, high = np.array(bounds).transpose(2, 0, 1)
    on = np.diag_indices(k)
    if np.any(low[on] > right) or np.any(high[on] < right):
        return None
    low[on] = high[on] = right
    supply, demand = rows - low.sum(axis=1), columns - low.sum(axis=0)
    if min(supply.min(), demand.min()) < 0 or supply.sum() != demand.sum():
        return None
    room = np.zeros((2 * k + 2, 2 * k + 2), np.int32)  # rows, columns, where all comes from, where it goes
    room[:k, k:-2], room[-2, :k], room[k:-2, -1] = np.maximum(high - low, 0), supply, demand
    flow = maximum_flow(csr_array(room), 2 * k, 2 * k + 1)
    if flow.flow_value < supply.sum():
        return None
    made: list[list[int]] = (low + flow.flow.toarray()[:k, k:-2]).tolist()
    return made


_ALONE = 1.0  # seconds to see whether a score by itself is not what the matrix gives


@dataclass(frozen=True, slots=True)
class PrintedSharesProblem(OfReport):
    """Printed shares of the rows, how they were rounded, and a report on these classes."""

    kind: ClassVar[str] = "printed_shares"
    shares: tuple[tuple[str, ...], ...]
    rounding: Rounding
    report: ClassesProblem

    @property
    def bounds(self) -> Bounds:
        """What each share leaves its cell."""
        pairs = zip(self.shares, self.report.counts[0], strict=True)
        return [[share_bounds(text, n, self.rounding) for text in row] for row, n in pairs]

    def to_dict(self) -> dict[str, Any]:
        stated = {"shares": [list(row) for row in self.shares], "shares_rounding": self.rounding.value}
        return self.report.to_dict() | stated


class PrintedSharesKind(Kind[PrintedSharesProblem, ClassesWitness]):
    """A printed matrix of shares and scores beside it."""

    name = "printed_shares"
    witness_type = ClassesWitness
    is_quick = False
    experiment_type = PrintedClasses
    register = "multi_class"

    def read(self, statement: Mapping[str, Any]) -> PrintedSharesProblem:
        own = {key: value for key, value in statement.items() if key not in ("shares", "shares_rounding")}
        shares = tuple(tuple(map(str, row)) for row in statement["shares"])
        return PrintedSharesProblem(
            shares, Rounding(statement["shares_rounding"]), problem_from_dict(own, "multi_class")
        )

    def posed(self, experiment: Any, scores: Mapping[str, Any], how: Conventions) -> PrintedSharesProblem:
        sizes = MultiClass(experiment.counts).sizes
        report = classes_problem(list(experiment.names or ()), [sizes], scores, how)
        rounding = Rounding(how.rounding) if isinstance(how.rounding, str) else Rounding.ANY
        return PrintedSharesProblem(tuple(tuple(row) for row in experiment.matrix), rounding, report)

    def decide(self, problem: PrintedSharesProblem, *, deadline: Budget, seed: int) -> Decision[ClassesWitness]:
        if _broken_rows(problem):
            return Decision(proof={"kind": "rows"})

        def decided(report: ClassesProblem, due: Budget) -> Decision[ClassesWitness]:
            return _decide(replace(problem, report=report), due, seed)

        return by_meaning(problem.report, deadline, decided)

    def holds(self, problem: PrintedSharesProblem, witness: ClassesWitness) -> bool:
        if not CLASSES.holds(problem.report, witness):
            return False
        cells = zip(witness.matrix, problem.bounds, strict=True)
        return all(low <= count <= high for row, own in cells for count, (low, high) in zip(row, own, strict=True))

    def subject(self, problem: PrintedSharesProblem) -> str:
        return str(PrintedClasses(problem.shares, problem.classes, counts=problem.report.counts[0]))

    def because(self, problem: PrintedSharesProblem) -> str:
        """Cells and rows that are impossible by themselves, or scores that no counts of the cells give."""
        broken = _broken_rows(problem)
        if broken:
            return "; ".join(broken)
        sentences = []
        for claim in problem.claims:
            alone = problem.with_claims([claim])
            if self.decide(alone, deadline=Budget.of_work(_ALONE), seed=0).proof is not None:
                sentences.append(f"no counts of the printed shares give {claim}{_cell(problem, claim)}")
        return "; ".join(sentences) or "no counts of the printed shares give all scores together"

    def tables(self, problem: PrintedSharesProblem, witness: ClassesWitness) -> Sequence[SmallTable]:
        return CLASSES.tables(problem.report, witness)


def _decide(problem: PrintedSharesProblem, deadline: Budget, seed: int) -> Decision[ClassesWitness]:
    """One meaning of an averaged F-score."""
    sizes = problem.report.counts[0]
    bounds = trimmed(problem.bounds, sizes)

    def whole(counts: Sequence[tuple[int, int]]) -> list[list[int]] | None:
        return matrix_within(bounds, [tp for tp, _ in counts], sizes, [q for _, q in counts])

    engine = Engine(
        problem.report, deadline, seed, _within(problem.report, bounds), lambda counts: whole(counts) is not None
    )
    decision = engine.decide()
    if decision.witness is None:
        return decision
    matrix = whole(decision.witness.counts[0])
    assert matrix is not None
    cells = tuple((i, j, n) for i, row in enumerate(matrix) for j, n in enumerate(row) if n)
    witness = ClassesWitness((ClassMatrix(len(matrix), cells),))
    kept = treatment_of(problem.report, witness.counts)
    return Decision(witness) if kept is not False else Decision(reason="counts were found that do not hold")


def _within(report: ClassesProblem, bounds: Bounds) -> ClassesModel:
    """The model with what the cells leave of tp and q of every class."""
    rules = []
    for i in range(len(bounds)):
        low, high = bounds[i][i]
        least, most = (sum(row[i][side] for row in bounds) for side in (0, 1))
        rules += [(i, (1, 0, high)), (i, (-1, 0, -low)), (i, (0, 1, most)), (i, (0, -1, -least))]
    return with_rules(model_of(report), rules)


def _broken_rows(problem: PrintedSharesProblem) -> list[str]:
    """Cells that are no count of their row's cases, and rows whose cells do not add up, in words."""
    sentences = []
    names, sizes = problem.classes, problem.report.counts[0]
    for name, texts, row, n in zip(names, problem.shares, problem.bounds, sizes, strict=True):
        empty = [(other, text) for other, text, (low, high) in zip(names, texts, row, strict=True) if low > high]
        sentences += [f"cell {name}, {other}: {text} is no whole number of {n} cases" for other, text in empty]
        least, most = sum(low for low, _ in row), sum(high for _, high in row)
        if not empty and not least <= n <= most:
            sentences.append(f"the cells of row {name} make {least} to {most} cases, not {n}")
    return sentences


def _cell(problem: PrintedSharesProblem, claim: Claim) -> str:
    """The cell that a score of one class is about."""
    place = asked_of(claim).place
    if place is None:
        return ""
    name = problem.classes[place]
    return f" (cell {name}, {name}: {problem.shares[place][place]})"


KIND = PrintedSharesKind()
