"""Folds of unknown classes, refuted one way to deal the classes after the other, each on totals.

Where a data set has few folds there are few ways its classes can fall, up to the order of folds of one size. Each is a
demand on folds of known class counts, whose linear scores are decided in whole numbers (``totals``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product
from math import prod
from typing import Any

from scoreproof.kinds.binary.engine.averages.targets import Demand, linear_part
from scoreproof.kinds.binary.engine.averages.totals import decide_totals
from scoreproof.kinds.binary.experiment.folds import dealt_folds
from scoreproof.kinds.binary.experiment.normal import EvaluationSet, Family
from scoreproof.kinds.binary.experiment.tree import FoldRule
from scoreproof.kinds.binary.problem import Witness
from scoreproof.kinds.binary.scores import Shape
from scoreproof.kinds.kind import Decision
from scoreproof.work.budget import Budget

_MOST_WAYS = 3_000
_MOST_FOLDS = 40

Folds = tuple[tuple[int, int], ...]


class DealtClasses:
    """The ways to deal the classes of all data sets, refuted one by one; goes on where it was."""

    def __init__(self, demand: Demand, ways: list[list[Folds]]) -> None:
        self._demand = demand
        self.count = prod(map(len, ways))
        self._left = product(*ways)
        self._next: tuple[Folds, ...] | None = next(self._left, None)
        self._cases: list[dict[str, Any]] = []
        self.stuck = False  # a way that is not refuted

    def turn(self, pause: Budget, _: Budget) -> Decision[Witness]:
        """A proof, once every way is refuted; or the witness that one of them has."""
        while self._next is not None and not self.stuck and not pause.passed:
            linear = linear_part(self._known(self._next))
            outcome = None if linear is None else decide_totals(linear, pause)
            if outcome is None or outcome.proof is None:
                # what was interrupted is begun anew, longer; linear scores alone do not refute what they admit
                self.stuck = outcome is None or outcome.witness is not None
                if outcome is not None and outcome.witness is not None and self._demand.fits(outcome.witness):
                    return Decision(Witness(outcome.witness))
                return Decision()
            self._cases.append({"kind": "totals", "cases": outcome.proof})
            self._next = next(self._left, None)
        if self._next is None and not self.stuck:
            return Decision(proof={"kind": "dealt", "cases": self._cases})
        return Decision()

    def _known(self, dealt: tuple[Folds, ...]) -> Demand:
        """The demand with these class counts."""
        form = self._demand.form
        counts = [iter(folds) for folds in dealt]
        sets = tuple(
            one if one.family is None else EvaluationSet(*next(counts[one.family]), one.weight) for one in form.sets
        )
        return replace(self._demand, form=replace(form, sets=sets, families=()))


def dealt_classes(demand: Demand) -> DealtClasses | None:
    """The ways to deal, if linear scores are reported of few folds of unknown classes; None if there is no such."""
    form = demand.form
    some = any(target.score.builtin and target.score.shape is Shape.LINEAR for target in demand.targets)
    opened = form.families and all(family.rule is not FoldRule.BALANCED for family in form.families)
    if not some or not opened or len(form.sets) > _MOST_FOLDS:
        return None
    ways: list[list[Folds]] = []
    for family in form.families:
        listed = list(islice(_ways(family), _MOST_WAYS + 1))
        ways.append(sorted(listed))
        if prod(map(len, ways)) > _MOST_WAYS:
            return None
    return DealtClasses(demand, ways)


def _ways(family: Family) -> Iterator[Folds]:
    return dealt_folds(family.p, family.n, family.folds, trainable=family.rule is FoldRule.TRAINABLE)
