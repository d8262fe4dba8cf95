"""Refutations of constraints by branch and bound and by dual bounds, one for each divisor that deviations may have.

A statement that leaves the divisor of its deviations open is refuted when each divisor is; a dual bound that holds for
every divisor at once is asked first.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from scoreproof.kinds.binary.engine.averages.aggregated_folds import odd_cases
from scoreproof.kinds.binary.engine.averages.constraints import (
    MOST_COLUMNS,
    MOST_VALUES,
    Constraints,
    TooManyPoints,
    can_be_listed,
)
from scoreproof.kinds.binary.engine.averages.points import limited
from scoreproof.kinds.binary.engine.averages.portfolio import Decided, Run
from scoreproof.kinds.binary.experiment.tree import FoldRule
from scoreproof.kinds.binary.problem import Witness
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.kind import Decision
from scoreproof.work.budget import Budget, OutOfTime

if TYPE_CHECKING:
    from scoreproof.kinds.binary.engine.averages.branch_and_bound import TreeSearch
    from scoreproof.kinds.binary.engine.averages.dual_bound_moments import MomentBound

_SMALL = 50_000  # points of all sets, of which a tree soon knows
_FEW_SETS = 5  # which a tree soon divides, if bounds that follow leave few points


class ListedPoints(NamedTuple):
    """The constraints whose points are listed, with implied bounds or not, and how many points that are."""

    constraints: Constraints
    limited: bool
    points: int

    @classmethod
    def of(cls, constraints: Constraints) -> ListedPoints:
        """All points where they are few; otherwise those within bounds that follow, where there are any."""
        from scoreproof.kinds.binary.engine.averages.columns import count_columns

        points = count_columns(constraints)
        near = None if points <= _SMALL else limited(constraints)
        return cls(constraints, False, points) if near is None else cls(near, True, count_columns(near))

    @property
    def small(self) -> bool:
        """Whether a tree is likely to know first: few points, or few sets with bounds that follow."""
        if not self.limited:
            return self.points <= _SMALL
        return self.possible and len(self.constraints.form.sets) <= _FEW_SETS

    @property
    def possible(self) -> bool:
        """Whether the points fit into memory; with bounds, some of them are dropped before they are given rows."""
        if self.limited:
            return self.points <= MOST_COLUMNS and self.points * len(self.constraints.targets) <= MOST_VALUES
        return can_be_listed(self.constraints, self.points)


class Refutation:
    """The refuters of some constraints: ``branch_and_bound`` and ``dual_bound``, a run each."""

    def __init__(self, constraints: Constraints) -> None:
        self._cases = constraints.by_divisor()
        self._refuted: dict[int, dict[str, Any]] = {}
        listings = [ListedPoints.of(case) for case in self._cases]
        self.small = all(listing.small for listing in listings)
        self.branch_and_bound: list[Run] = [
            self._of_case(number, _TreeRefuter(listing).run)
            for number, listing in enumerate(listings)
            if listing.possible
        ]
        shared = _DualRefuter(replace(constraints, one_divisor=False))  # whichever divisor, for each score its own
        self.dual_bound: list[Run] = []
        if not (self.small and not any(listing.limited for listing in listings)):
            self.dual_bound.append(shared.run)
            if len(self._cases) > 1:
                self.dual_bound += [
                    self._of_case(number, _DualRefuter(case, shared).run) for number, case in enumerate(self._cases)
                ]

    def _of_case(self, number: int, run: Run) -> Run:
        """A run whose proof is one of several that are needed, if there are several divisors."""

        def of_divisor(pause: Budget, latest: Budget) -> Decided:
            decision = Decision() if number in self._refuted else run(pause, latest)
            if decision.proof is None:
                return decision
            self._refuted[number] = decision.proof
            cases = [self._refuted.get(k) for k in range(len(self._cases))]
            return Decision(proof=None if None in cases else {"kind": "divisors", "cases": cases})

        return run if len(self._cases) == 1 else of_divisor


class _TreeRefuter:
    """Branch and bound over the points of all sets, which are listed when its turn comes."""

    def __init__(self, listing: ListedPoints) -> None:
        self._listing = listing
        self._search: TreeSearch | None = None
        self._done = False

    def run(self, pause: Budget, latest: Budget) -> Decided:
        from scoreproof.kinds.binary.engine.averages.branch_and_bound import TreeSearch
        from scoreproof.kinds.binary.engine.averages.columns import build

        if self._done:
            return Decision()
        constraints = self._listing.constraints
        if self._search is None:
            try:
                self._search = TreeSearch(build(constraints, latest))
            except OutOfTime:
                return Decision(reason="the points of the evaluation sets were not listed")
            except TooManyPoints:
                self._done = True
                return Decision(reason="the evaluation sets have too many points to list")
        outcome = self._search.run(latest, pause)
        if outcome.witness is not None:
            return Decision(_in_repeats(constraints, outcome.witness))
        if outcome.proof is None:
            return Decision(reason=outcome.reason)
        self._done = True
        model = self._search.model
        proof = {
            "kind": "columns",
            "groups": [list(group.indices) for group in model.groups],
            "bits": [row.bits for row in model.rows],
            "steps": outcome.proof,
        }
        return Decision(proof={"kind": "limited", "proof": proof} if self._listing.limited else proof)


class _DualRefuter:
    """Multipliers over means, squares and class totals, without lists of points; begun when another could not."""

    def __init__(self, constraints: Constraints, after: _DualRefuter | None = None) -> None:
        self._constraints, self._after = constraints, after
        self._bound: MomentBound | None = None
        self.done = False

    def run(self, pause: Budget, _: Budget) -> Decided:
        from scoreproof.kinds.binary.engine.averages.dual_bound_moments import MomentBound, applies

        if self.done or (self._after is not None and not self._after.done):
            return Decision()
        if self._bound is None:
            if not applies(self._constraints):
                self.done = True
                return Decision()
            self._bound = MomentBound(self._constraints)
        proof = self._bound.refute(pause)
        self.done = self._bound.done
        return Decision(proof=proof)


def _in_repeats(constraints: Constraints, matrices: tuple[ConfusionMatrix, ...]) -> Witness:
    """The folds of balanced families dealt to their repeats, so that each repeat holds the data set once."""
    from scoreproof.kinds.binary.engine.averages.integer_rows import arranged

    placed = list(matrices)
    sets = constraints.form.sets
    for number, family in enumerate(constraints.form.families):
        if family.rule is FoldRule.BALANCED and family.repeats > 1:
            folds = [index for index, each in enumerate(sets) if each.family == number]
            p, n = sets[folds[0]].p, sets[folds[0]].n
            kinds = [
                [matrices[k] for k in folds if (matrices[k].p, matrices[k].n) == (p + more, n + extra)]
                for more, extra in ((1, 1), (1, 0), (0, 1), (0, 0))
            ]
            order = arranged(kinds, family.repeats, *odd_cases(family), len(kinds[0]))
            for index, matrix in zip(folds, order, strict=True):
                placed[index] = matrix
    return Witness(tuple(placed))
