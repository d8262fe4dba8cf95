"""Whole true and predicted values near a report: single cases are changed by whole numbers until every claim is met.

Both errors and true values at once; if that fails, first the errors, for what is claimed of them alone, then the true
values, which only the variance and the shares of it depend on. A change that brings the claims no nearer is taken now
and then, less and less often. The sums behind all measures are carried along, so that a change costs next to nothing.
Floats propose; the cases are judged exactly elsewhere.
"""

from __future__ import annotations

import math
import random
from bisect import bisect_left, insort
from collections.abc import Sequence
from fractions import Fraction

from scoreproof.kinds.regression.cases import Cases
from scoreproof.kinds.regression.problem import RegressionProblem
from scoreproof.work.budget import Budget

_OF_ERRORS = ("mae", "mse", "rmse", "maxe", "medae", "bias")
_ERRORS_ONLY, _TRUE_ONLY, _BOTH = (0.0, 0.55), (0.55, 1.0), (0.0, 1.0)  # sorts of changes
_CHANGES = 20_000
_CLOCK = 512
_CHANGE = 1e-5  # seconds
_BOLD = 0.3  # how readily a change for the worse is taken at first
_JUMPS = 5  # a change is at most two to this power


def whole_cases(
    problem: RegressionProblem, errors: Sequence[float], true: Sequence[float], deadline: Budget
) -> Cases | None:
    """Whole cases from a guess; None if the claims are not met in time."""
    state = _State(problem, [round(e) for e in errors], [round(y) for y in true])
    rng = random.Random(0)
    if _settled(state, rng, _BOTH, deadline):
        return state.cases()
    state = _State(problem, [round(e) for e in errors], [round(y) for y in true])
    everything = state.ends
    state.ends = [end for end in everything if end[0] in _OF_ERRORS]
    settled = _settled(state, rng, _ERRORS_ONLY, deadline)
    state.ends = everything
    return state.cases() if settled and _settled(state, rng, _TRUE_ONLY, deadline) else None


def _settled(state: _State, rng: random.Random, ways: tuple[float, float], deadline: Budget) -> bool:
    """Changes of one sort until the claims are met; whether they are."""
    cost = state.cost()
    for number in range(_CHANGES):
        if cost == 0:
            return True
        if number % _CLOCK == 0:
            deadline.charge(_CLOCK * _CHANGE)
            if deadline.passed:
                return False
        moves = _moves(rng, len(state.errors), rng.uniform(*ways))
        state.move(moves)
        changed = state.cost()
        worse = changed - cost
        boldness = _BOLD * cost * (1 - number / _CHANGES)
        if worse <= 0 or (boldness > 0 and rng.random() < math.exp(-worse / boldness) * _BOLD):
            cost = changed
        else:
            state.move([(place, -e, -y) for place, e, y in moves])
    return cost == 0


def _moves(rng: random.Random, number: int, way: float) -> list[tuple[int, int, int]]:
    """Which cases change, by how much their errors, and by how much their true values."""
    step = rng.choice((-1, 1)) * rng.randint(1, 1 << rng.randrange(_JUMPS + 1))
    place = rng.randrange(number)
    if way < 0.35:
        return [(place, step, 0)]
    if 0.55 <= way < 0.85:
        return [(place, 0, step)]
    other = rng.randrange(number)
    if way < 0.55:
        return [(place, step, 0), (other, -step, 0)]
    return [(place, 0, step), (other, 0, -step)]


class _State:
    """Whole errors and true values with the sums behind all measures."""

    def __init__(self, problem: RegressionProblem, errors: list[int], true: list[int]) -> None:
        self.problem, self.errors, self.true = problem, errors, true
        self.sizes = sorted(map(abs, errors))
        self.sum_e, self.sum_y = sum(errors), sum(true)
        self.sum_size, self.sum_ee = sum(self.sizes), sum(e * e for e in errors)
        self.sum_yy, self.sum_ye = sum(y * y for y in true), sum(y * e for y, e in zip(true, errors, strict=True))
        self.ends = [
            (name, float(low), float(high), float(high - low) + 1e-3 * abs(float(high)) + 1e-9)
            for name, (low, high) in problem.spans.items()
        ]
        self.shares = any(name in ("r2", "ev", "r", "adjusted_r2", "variance") for name, *_ in self.ends)

    def move(self, moves: Sequence[tuple[int, int, int]]) -> None:
        for place, by_error, by_true in moves:
            e, y = self.errors[place], self.true[place]
            new_e, new_y = e + by_error, y + by_true
            self.errors[place], self.true[place] = new_e, new_y
            self.sum_e += by_error
            self.sum_y += by_true
            self.sum_ee += new_e * new_e - e * e
            self.sum_yy += new_y * new_y - y * y
            self.sum_ye += new_y * new_e - y * e
            if abs(new_e) != abs(e):
                self.sum_size += abs(new_e) - abs(e)
                del self.sizes[bisect_left(self.sizes, abs(e))]
                insort(self.sizes, abs(new_e))

    def cost(self) -> float:
        """How far the measures are outside of their claims; 0 if they are all within."""
        values = self._values()
        total = 0.0
        for name, low, high, unit in self.ends:
            value = values[name]
            if value is None:
                return math.inf
            total += max(0.0, low - value, value - high) / unit
        return total

    def _values(self) -> dict[str, float | None]:
        number, sizes = len(self.errors), self.sizes
        square, bias = self.sum_ee / number, self.sum_e / number
        values: dict[str, float | None] = {
            "mae": self.sum_size / number,
            "mse": square,
            "rmse": math.sqrt(square),
            "maxe": float(sizes[-1]),
            "medae": (sizes[(number - 1) // 2] + sizes[number // 2]) / 2,
            "bias": bias,
        }
        if not self.shares:
            return values
        true = number * self.sum_yy - self.sum_y**2
        apart = number * self.sum_ee - self.sum_e**2
        shared = number * self.sum_ye - self.sum_y * self.sum_e
        predicted = true - 2 * shared + apart
        values |= {"variance": true / number**2, "r2": None, "ev": None, "r": None, "adjusted_r2": None}
        if true:
            left = number * self.sum_ee / true
            values |= {"r2": 1 - left, "ev": 1 - apart / true}
            n, predictors = self.problem.experiment.n, self.problem.experiment.predictors
            if n is not None and predictors is not None:
                values["adjusted_r2"] = 1 - left * (n - 1) / (n - predictors - 1)
            if predicted:
                values["r"] = (true - shared) / math.sqrt(true * predicted)
        return values

    def cases(self) -> Cases:
        pairs = zip(self.errors, self.true, strict=True)
        return Cases.of_one(tuple((1, Fraction(y), Fraction(y - e)) for e, y in pairs))
