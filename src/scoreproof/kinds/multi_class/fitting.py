"""Damped least squares (Levenberg 1944, Marquardt 1963): counts with fractions that meet all goals.

From a start (what the linear program of a part mixes, or classes with about the scores that the report has on average,
some better and some worse) damped least squares lead to counts whose scores meet the goals, whose sums add up and which
keep to the rules of every class. A linear row that holds adds nothing to the squares and is left out of the step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from scoreproof.kinds.multi_class.cells import ClassCell
from scoreproof.kinds.multi_class.model import Agreement, ClassesModel, CountPart, Mean, OfMeans, Ratio
from scoreproof.reported.conventions import Undefined
from scoreproof.work.budget import Budget

Value = Callable[[Any], Any]


class Features:
    """``of`` gives what counts of a cell add to each sum; ``off`` how far sums are off, in widths of the claims.

    A mean is kept as two sums, of weighted scores and of the weights of what is not left out.
    """

    def __init__(self, model: ClassesModel) -> None:
        self.model = model
        self._fill = 1.0 if model.problem.undefined is Undefined.ONE else 0.0
        self._skips = model.problem.undefined is Undefined.SKIP
        self._means: list[Mean] = model.means
        self._ratios = [goal for goal in model.goals if isinstance(goal, Ratio)]
        self.size = 3 + 2 * len(self._means) + 2 * len(self._ratios)
        sizes = [[float(cell.n) for cell in model.cells], [float(cell.total) for cell in model.cells]]
        self._by_cell = np.array([*sizes, *([float(w) for w in mean.weights] for mean in self._means)])
        self._goals = self._made()
        self.low = np.array([float(goal.low) for goal in model.goals])
        self.high = np.array([float(goal.high) for goal in model.goals])
        self._right = model.right if len(model.sets) == 1 else []

    def of(self, tp: Any, q: Any, cells: Any = slice(None)) -> Any:
        """What counts add to each sum: counts, and sums after the first axis, have the cells as their first axis."""
        n, total, *weights = self._by_cell[:, cells].reshape(len(self._by_cell), -1, *(1,) * (np.ndim(tp) - 1))
        tp, q = np.asarray(tp, float), np.asarray(q, float)
        values = np.empty((self.size, *tp.shape))
        values[0] = tp
        values[1] = n * q
        values[2] = q * q
        at = 3
        for mean, weight in zip(self._means, weights, strict=True):
            values[at], values[at + 1] = self._scored(weight, mean.form.ratio(tp, q, n, total), tp)
            at += 2
        for goal in self._ratios:
            values[at], values[at + 1] = goal.form.ratio(tp, q, n, total)
            at += 2
        return values

    def _scored(self, weight: Any, ratio: tuple[Any, Any], tp: Any) -> tuple[Any, Any]:
        """Weighted scores, and their weights where they are not left out."""
        num, den = ratio
        empty = (den + 0 * tp) == 0
        value = weight * np.where(empty, self._fill, num / np.where(empty, 1, den))
        if not self._skips:
            return value, weight
        return np.where(empty, 0.0, value), np.where(empty, 0.0, weight)

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


_STEPS = 40
_SECONDS = 4e-4  # of a step
_NUDGE = 1e-5
_INSIDE = 0.5  # half widths off the middle that are no matter
_NEAR = 0.1  # and beyond that near enough
_SLOW = 0.995  # of the squares left after a step that is hardly worth it
_MOST_ROWS = 100  # violated rows of a step, the worst
_TRIES = 8  # of a step, each damped more
_SPREADS = (0.1, 0.3, 0.6, 1.0, 1.5, 2.5) * 2  # of the classes' scores, as logits


class FittedCounts(NamedTuple):
    """Counts with fractions, and by how many half widths (beyond a half) or cases the worst goal or sum is off."""

    counts: list[tuple[float, float]]
    far: float


class Fitting:
    """Fits in one part, from any start."""

    def __init__(self, model: ClassesModel, node: CountPart, features: Features) -> None:
        self.model, self.features = model, features
        self.least = np.array([(box.t0, box.q0) for box in node.boxes], float).ravel()
        self.most = np.array([(box.t1, box.q1) for box in node.boxes], float).ravel()
        self.scale = np.maximum(np.repeat([float(cell.n) for cell in model.cells], 2), 1.0)
        self.middle = (features.low + features.high) / 2
        self.half = np.maximum((features.high - features.low) / 2, 1e-12)
        self.rows = LinearRows(model, node)

    def fit(self, start: Any, deadline: Budget) -> FittedCounts:
        """The start, moved towards counts that meet all goals."""
        x = np.clip(np.asarray(start, float).ravel(), self.least, self.most)
        off, parts = self._off(x)
        damping = 1e-3
        for _ in range(_STEPS):
            if np.abs(off).max(initial=0.0) < _NEAR or deadline.passed:
                break
            deadline.charge(_SECONDS)
            slopes, missed = self._slopes(x, off, parts)
            before = float(off @ off)
            for _ in range(_TRIES):
                new = np.clip(x + self._step(x, slopes, missed, damping), self.least, self.most)
                new_off, new_parts = self._off(new)
                after = float(new_off @ new_off)
                if after < before:
                    break
                damping *= 6
            else:
                break
            x, off, parts, damping = new, new_off, new_parts, max(damping / 4, 1e-12)
            if after > _SLOW * before:
                break
        pairs = x.reshape(-1, 2)
        return FittedCounts([(float(tp), float(q)) for tp, q in pairs], float(np.abs(off).max(initial=0.0)))

    def _off(self, x: Any) -> tuple[Any, Any]:
        """How far all goals, then all linear rows are off, and what each class adds to the sums."""
        parts = self.features.of(x[0::2], x[1::2])
        goals = self._missed(parts.sum(axis=1))
        return np.concatenate((goals, self.rows.missed(x))), parts

    def _missed(self, sums: Any) -> Any:
        """By how many half widths every goal is off what is well inside its interval."""
        middle, half = (np.reshape(ends, (-1,) + (1,) * (np.ndim(sums) - 1)) for ends in (self.middle, self.half))
        off = (self.features.values(sums) - middle) / half
        return off - np.clip(off, -_INSIDE, _INSIDE)

    def _slopes(self, x: Any, off: Any, parts: Any) -> tuple[Any, Any]:
        """By how much a change of every count, as a share of its class, changes what is off; what is off."""
        nudge = _NUDGE * self.scale
        nudge = np.where(x + nudge <= self.most, nudge, -nudge)
        tp, q = x[0::2], x[1::2]
        moved = self.features.of(np.stack((tp + nudge[0::2], tp), axis=1), np.stack((q, q + nudge[1::2]), axis=1))
        sums = parts.sum(axis=1)[:, None] + (moved - parts[:, :, None]).reshape(len(parts), -1)
        size = len(self.middle)
        goals = (self.features.values(sums) - self.features.values(parts.sum(axis=1))[:, None]) / self.half[:, None]
        broken = np.flatnonzero(off[size:])
        if len(broken) > _MOST_ROWS:
            broken = broken[np.argsort(-np.abs(off[size + broken]))[:_MOST_ROWS]]
        slopes = np.concatenate((goals / nudge, self.rows.slopes(broken)))
        return slopes * self.scale, np.concatenate((off[:size], off[size + broken]))

    def _step(self, x: Any, slopes: Any, off: Any, damping: float) -> Any:
        """The damped step; counts at an end of their range do not leave it."""
        free = np.ones(len(x), bool)
        step = np.zeros(len(x))
        for _ in range(3):
            own = slopes * free
            square = own @ own.T
            damped = square + damping * max(1.0, float(np.trace(square)) / len(off)) * np.eye(len(off))
            step = (own.T @ np.linalg.solve(damped, -off)) * self.scale
            to = x + step
            out = free & (((to < self.least) & (x <= self.least)) | ((to > self.most) & (x >= self.most)))
            if not out.any():
                break
            free &= ~out
        return step


class LinearRows:
    """The lines of a part in floats, in cases, over tp and q of every cell in turn."""

    def __init__(self, model: ClassesModel, node: CountPart) -> None:
        self.counts, lines = 2 * len(model.cells), list(model.lines)
        for number, (least, most) in enumerate(node.right):
            lines += [(((self.counts + number, 1),), -least), (((self.counts + number, -1),), most)]
        units = np.array([1.0 / max(abs(value) for _, value in parts) for parts, _ in lines])
        self._constants = units * [float(constant) for _, constant in lines]
        entries = [(row, at, value) for row, (parts, _) in enumerate(lines) for at, value in parts]
        row, at, value = zip(*entries, strict=True)
        self._row, self._at = np.array(row), np.array(at)
        self._value = units[self._row] * [float(own) for own in value]
        self._number = np.array([cell.number for cell in model.cells])

    def missed(self, x: Any) -> Any:
        """By how much every row is below 0."""
        full = np.concatenate((x, np.bincount(self._number, x[0::2])))
        return np.minimum(np.bincount(self._row, self._value * full[self._at]) + self._constants, 0.0)

    def slopes(self, rows: Any) -> Any:
        """The coefficients of some rows."""
        place = np.full(len(self._constants), -1)
        place[rows] = np.arange(len(rows))
        kept = place[self._row] >= 0
        slopes = np.zeros((len(rows), self.counts + self._number[-1] + 1))
        slopes[place[self._row[kept]], self._at[kept]] = self._value[kept]
        slopes[:, 0 : self.counts : 2] += slopes[:, self.counts + self._number]
        return slopes[:, : self.counts]


def likely_share(model: ClassesModel) -> float:
    """About how many of the cases of a class are correct, as far as claims say."""
    (least, most), total = model.right[0], sum(model.cells[c].n for c in model.sets[0])
    if len(model.sets) == 1 and most - least < 0.2 * total:
        return (least + most) / 2 / max(total, 1)
    alike = (
        goal for goal in model.goals if isinstance(goal, Mean) and goal.form.name in ("sens", "f1", "ppv", "right")
    )
    return next((min(1.0, max(0.0, float(goal.low + goal.high) / 2)) for goal in alike), 0.8)


def likely_starts(model: ClassesModel, share: float, rng: np.random.Generator) -> list[Any]:
    """Starts with about this precision and recall, from classes that are nearly alike to classes that differ much."""
    n = np.array([float(cell.n) for cell in model.cells])
    share = min(max(share, 0.02), 0.98)
    middle = np.log(share / (1 - share))
    starts = []
    for spread in _SPREADS:
        recall, precision = 1 / (1 + np.exp(-middle - spread * rng.standard_normal((2, len(n)))))
        tp = n * recall
        wrong = tp / precision - tp
        if model.exclusive:
            for cells in model.sets:
                wrong[cells] *= (n[cells] - tp[cells]).sum() / max(float(wrong[cells].sum()), 1e-9)
        starts.append(np.stack((tp, tp + wrong), axis=1))
    return starts
