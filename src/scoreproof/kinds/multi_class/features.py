"""Sums that goals depend on, in floats, for searching: what cells add to them, and how far sums are off the goals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from scoreproof.kinds.multi_class.cells import ClassCell
from scoreproof.kinds.multi_class.judge import Treatment
from scoreproof.kinds.multi_class.model import Agreement, ClassesModel, Mean, OfMeans, Ratio
from scoreproof.reported.conventions import Undefined

Value = Callable[[Any], Any]


class Features:
    """``of`` gives what counts of a cell add to each sum; ``off`` how far sums are off, in widths of the claims.

    A mean is kept as two sums, of weighted scores and of the weights of what is not left out.
    """

    def __init__(self, model: ClassesModel, treatment: Treatment | None) -> None:
        self.model = model
        self._fill = 1.0 if treatment is Treatment.ONE else 0.0
        self._skips = treatment in (Treatment.SKIP, Treatment.SKIP_F)
        self._skips_f = treatment is Treatment.SKIP_F
        self._means: list[Mean] = model.means
        self._ratios = [goal for goal in model.goals if isinstance(goal, Ratio)]
        self.size = 3 + 2 * len(self._means) + 2 * len(self._ratios)
        self._weights = [[float(w) for w in mean.weights] for mean in self._means]
        self._n = np.array([float(cell.n) for cell in model.cells])
        self._total = np.array([float(cell.total) for cell in model.cells])
        self._goals = self._made()
        self.low = np.array([float(goal.low) for goal in model.goals])
        self.high = np.array([float(goal.high) for goal in model.goals])
        self._right = model.right if len(model.sets) == 1 else []

    def of(self, cell: int, tp: Any, q: Any) -> Any:
        """An array of sums by counts of one cell."""
        own = self.model.cells[cell]
        return self._sums(own.n, own.total, [weights[cell] for weights in self._weights], tp, q)

    def of_each(self, tp: Any, q: Any) -> Any:
        """The same of all cells at once: counts, and sums after the first axis, have the cells as their first axis."""
        shape = (-1,) + (1,) * (np.ndim(tp) - 1)
        by_cell: list[Any] = [self._n, self._total, *self._weights]
        n, total, *weights = (np.reshape(values, shape) for values in by_cell)
        return self._sums(n, total, weights, tp, q)

    def _sums(self, n: Any, total: Any, weights: Any, tp: Any, q: Any) -> Any:
        tp, q = np.asarray(tp, float), np.asarray(q, float)
        values = np.empty((self.size, *tp.shape))
        values[0] = tp
        values[1] = n * q
        values[2] = q * q
        at = 3
        for mean, weight in zip(self._means, weights, strict=True):
            values[at], values[at + 1] = self._scored(mean, weight, mean.form.ratio(tp, q, n, total), tp)
            at += 2
        for goal in self._ratios:
            values[at], values[at + 1] = goal.form.ratio(tp, q, n, total)
            at += 2
        return values

    def _scored(self, mean: Mean, weight: Any, ratio: tuple[Any, Any], tp: Any) -> tuple[Any, Any]:
        """Weighted scores, and their weights where they are not left out."""
        num, den = ratio
        empty = (den + 0 * tp) == 0
        value = weight * np.where(empty, self._fill, num / np.where(empty, 1, den))
        if not self._skips:
            return value, weight
        left_out = empty | ((tp == 0) & (self._skips_f and mean.form.harmonic))
        return np.where(left_out, 0.0, value), np.where(left_out, 0.0, weight)

    def values(self, sums: Any) -> Any:
        """The goals' values, in the order of ``low`` and ``high``."""
        return np.array([value(sums) for value in self._goals]).reshape(len(self._goals), *np.shape(sums)[1:])

    def off(self, sums: Any) -> Any:
        """The sum over goals of how far each is off, 0 where all are met."""
        far: Any = 0 * sums[0]
        for least, most in self._right:
            far = far + np.maximum(0, np.maximum(least - sums[0], sums[0] - most))
        for value, low, high in zip(self._goals, self.low, self.high, strict=True):
            v = value(sums)
            width = max(high - low, 1e-9)
            slack = min(1e-12, width * 1e-3)
            far = far + np.maximum(0, np.maximum(low - v, v - high) - slack) / width
        return far

    def _made(self) -> list[Value]:
        places = {id(mean): 3 + 2 * number for number, mean in enumerate(self._means)}
        made: list[Value] = []
        at = 3 + 2 * len(self._means)
        for goal in self.model.goals:
            if isinstance(goal, Mean):
                made.append(_quotient(places[id(goal)], float(sum(goal.weights))))
            elif isinstance(goal, OfMeans):
                s, r = goal.form.den[2], goal.form.den[1]
                made.append(_harmonic(places[id(goal.precision)], places[id(goal.recall)], s, r, self._fill))
            elif isinstance(goal, Agreement):
                made.append(self._agreement(goal))
            else:
                made.append(_quotient(at))
                at += 2
        return made

    def _agreement(self, goal: Agreement) -> Value:
        total = float(self.model.cells[0].total)
        spread = total * total - sum(float(cell.n) ** 2 for cell in self.model.cells)
        if goal.name == "kappa":
            return lambda s: (total * s[0] - s[1]) / np.maximum(total * total - s[1], 1e-9)
        return lambda s: (total * s[0] - s[1]) / np.sqrt(np.maximum((total * total - s[2]) * spread, 1e-9))


def _quotient(at: int, size: float = 1.0) -> Value:
    """A mean of what is not left out, times the weight of all."""
    return lambda sums: size * sums[at] / np.maximum(sums[at + 1], 1e-12)


def _harmonic(p: int, r: int, s_weight: int, r_weight: int, fill: float) -> Value:
    """An F-score of the means at p and r; of two means of 0 what a 0/0 counts as."""
    precision, recall = _quotient(p), _quotient(r)

    def value(sums: Any) -> Any:
        x, y = precision(sums), recall(sums)
        below = s_weight * x + r_weight * y
        return np.where(below == 0, fill, (s_weight + r_weight) * x * y / np.maximum(below, 1e-300))

    return value


def score_ends(model: ClassesModel, mean: Mean, cell: ClassCell, tp: Any, q: Any) -> tuple[Any, Any]:
    """The least and the greatest value a score may count as in a mean; they differ where a 0/0 is open.

    What is left out of a mean counts as if it had the value of the mean.
    """
    num, den = mean.form.ratio(tp, q, cell.n, cell.total)
    den = den + 0 * tp
    empty = den == 0
    value = np.where(empty, 0.0, num / np.where(empty, 1, den))
    undefined = model.problem.undefined
    least, most = value.copy(), value
    least[empty] = 1.0 if undefined is Undefined.ONE else 0.0
    most[empty] = 0.0 if undefined is Undefined.ZERO else 1.0
    if mean.form.harmonic and undefined in (Undefined.ANY, Undefined.SKIP):
        left_out = min(1.0, float(mean.high)) if len(model.sets) == 1 else 1.0
        most = np.where((tp == 0) & ~empty, np.maximum(most, left_out), most)
    return least, most
