"""Cases fitted to reported errors, by damped least squares (Levenberg 1944, Marquardt 1963) and simulated annealing.

Errors and true values of a few groups of cases, of one evaluation or of folds that differ, are fitted to many claims at
once from guesses. Where values are whole numbers, single cases are then changed by whole numbers until every claim is
met (Kirkpatrick, Gelatt and Vecchi 1983): first the errors, for what is claimed of them alone, then the true values; if
that fails, both at once. Floats propose cases, ``cases_hold`` disposes.

Reports of several quantities of one evaluation pull against each other by their last digits. The mean squared error s,
the variance V, the bias b and the shares R = 1 - R² and E = 1 - EV obey s = R V and s - b² = E V: their intervals are
narrowed by these two equations (interval constraint propagation, Davis 1987), then each in turn is set to the middle of
what is left to it, for the fit to aim at.
"""

from __future__ import annotations

import math
import random
from bisect import bisect_left, insort
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from scoreproof.kinds.regression.cases import SHARES, Cases, Evaluation, measured, measures, moments_of
from scoreproof.kinds.regression.problem import RegressionProblem
from scoreproof.solve.local_search import fit_values, shortest
from scoreproof.work.budget import Budget

_NUMBERS = (12, 5, 31, 101)  # of cases, where it is not known
_FOLDS = (4, 2, 8)  # where their number is not known
_SINGLE, _GROUPS = 100, 24  # cases of their own, and groups of the others
_MOST_FOLDS = 12  # that differ
_STEPS = 120
_FITTED = 0.02  # seconds that all of them take
_SHAPES = (1.0, 2.0, 0.5, 3.0)  # of errors: a power of normal ones
_TRIES = 8
_DIGITS = 12  # of a value
_BEYOND_FLOATS = 1e-9  # width of a claim, as a share of its size, that needs more
_FINER = 3


def fitted_cases(problem: RegressionProblem, deadline: Budget) -> Iterator[Cases]:
    """Cases that seem to have the claimed errors."""
    import numpy as np

    folds = problem.experiment.folds
    aims = targets(problem)
    rng = np.random.default_rng(0)
    for shape, size, number, less in _trials(problem):
        if deadline.passed:
            return
        counts = _shared(size if folds is None else min(size, _NUMBERS[0]), _SINGLE, _GROUPS)
        evaluation = Evaluation(problem, list(aims), counts, _shared(number, _MOST_FOLDS, _MOST_FOLDS))
        ends = [*aims.values(), *problem.variance_targets(number, less)]
        guess = evaluation.guess(rng, shape)
        deadline.charge(_FITTED)
        met = fit_values(guess, evaluation.measure, ends, _STEPS)
        if problem.experiment.integers:
            if max(counts) == 1:
                near = (guess if met is None else met) * evaluation.scales
                cases = whole_cases(problem, near[:size], near[size:], deadline)
                yield from () if cases is None else (cases,)
            continue
        if met is None:
            continue
        values = [Fraction(text) for text in np.char.mod(f"%.{_DIGITS}e", met * evaluation.scales).tolist()]
        yield evaluation.cases(values)
        if min((high - low) / (abs(high) + 1e-9) for low, high in ends) < _BEYOND_FLOATS:
            yield _finer(problem, evaluation, values, met, ends)


def _trials(problem: RegressionProblem) -> Iterator[tuple[float, int, int, int]]:
    """Shapes of errors, numbers of cases and of folds, and what a divisor takes off those."""
    n, folds = problem.experiment.n, problem.experiment.folds
    several = (1,) if folds is None else (folds,) if isinstance(folds, int) else _FOLDS
    ways = problem.divisor.ddof if problem.deviating else (0,)
    sizes = _NUMBERS if n is None else (n,)
    for _, shape, size, number, less in product(range(_TRIES), _SHAPES, sizes, several, ways):
        if number > less:
            yield shape, size, number, less


def _shared(number: int, single: int, groups: int) -> list[int]:
    """So many cases in groups, the first of them alone."""
    alone = [1] * min(number, single)
    rest = number - len(alone)
    groups = min(groups, rest)
    return alone + [rest // groups + (place < rest % groups) for place in range(groups)]


def _finer(
    problem: RegressionProblem,
    evaluation: Evaluation,
    values: list[Fraction],
    met: Any,
    ends: list[tuple[float, float]],
) -> Cases:
    """The cases changed a little: what the means are off by is known exactly, the step is in floats."""
    import numpy as np

    claims = {claim.quantity.name: claim for claim in problem.claims}
    slopes = evaluation.measure(met)[1][: len(evaluation.names)]
    for _ in range(_FINER):
        folds = [(count, measured(groups)) for count, groups in evaluation.cases(values).folds]
        off = []
        for name, (low, high) in zip(evaluation.names, ends, strict=False):
            moments = moments_of(problem, name, folds)
            claim = claims.get(name)
            middle = Fraction(low + high) / 2 if claim is None else (claim.low + claim.high) / 2
            off.append(0.0 if moments is None else float(moments[0][0] - middle))
        step = shortest(slopes, np.array(off)) * evaluation.scales
        if not np.isfinite(step).all():
            break
        values = [value - Fraction(change) for value, change in zip(values, step.tolist(), strict=True)]
    return evaluation.cases(values)


_OF_ERRORS = ("mae", "mse", "rmse", "maxe", "medae", "bias")
_ERRORS, _TRUE = "e", "y"
_CHANGES = 20_000
_CLOCK = 512
_CHANGE = 1e-5  # seconds
_BOLD = 0.3  # how readily a change for the worse is taken at first
_JUMPS = 5  # a change is at most two to this power
_TOGETHER = 0.36  # how often two cases are changed at once, which leaves a sum as it is


def whole_cases(
    problem: RegressionProblem, errors: Sequence[float], true: Sequence[float], deadline: Budget
) -> Cases | None:
    """Whole cases from a guess; None if the claims are not met in time."""
    rng = random.Random(0)
    for stages in ((_ERRORS, _TRUE), (_ERRORS + _TRUE,)):
        state = _State(problem, [round(e) for e in errors], [round(y) for y in true])
        everything = state.ends
        for moved in stages:
            state.ends = [end for end in everything if moved != _ERRORS or end[0] in _OF_ERRORS]
            if not _settled(state, rng, deadline, moved):
                break
        else:
            return state.cases()
    return None


def _settled(state: _State, rng: random.Random, deadline: Budget, moved: str) -> bool:
    """Changes of errors or of true values, whichever are moved, until the claims are met; whether they are."""
    cost = state.cost()
    for number in range(_CHANGES):
        if cost == 0:
            return True
        if number % _CLOCK == 0:
            deadline.charge(_CLOCK * _CHANGE)
            if deadline.passed:
                return False
        step = rng.choice((-1, 1)) * rng.randint(1, 1 << rng.randrange(_JUMPS + 1))
        moves = [(rng.randrange(len(state.errors)), step)]
        if rng.random() < _TOGETHER:
            moves.append((rng.randrange(len(state.errors)), -step))
        of_errors = rng.choice(moved) == _ERRORS
        state.move(moves, of_errors=of_errors)
        changed = state.cost()
        worse = changed - cost
        boldness = _BOLD * cost * (1 - number / _CHANGES)
        if worse <= 0 or (boldness > 0 and rng.random() < math.exp(-worse / boldness) * _BOLD):
            cost = changed
        else:
            state.move([(place, -step) for place, step in moves], of_errors=of_errors)
    return cost == 0


class _State:
    """Whole errors and true values with the sums behind all measures."""

    def __init__(self, problem: RegressionProblem, errors: list[int], true: list[int]) -> None:
        self.errors, self.true, self.adjustment = errors, true, float(problem.adjustment)
        self.sizes = sorted(map(abs, errors))
        self.sum_e, self.sum_y = sum(errors), sum(true)
        self.sum_size, self.sum_ee = sum(self.sizes), sum(e * e for e in errors)
        self.sum_yy, self.sum_ye = sum(y * y for y in true), sum(y * e for y, e in zip(true, errors, strict=True))
        self.ends = []
        for name, (low, high) in problem.spans.items():
            if name in ("rmse", "r"):  # measures are squared
                low, high = low * abs(low), high * abs(high)
            self.ends.append((name, float(low), float(high), float(high - low) + 1e-3 * abs(float(high)) + 1e-9))

    def move(self, moves: Sequence[tuple[int, int]], *, of_errors: bool) -> None:
        for place, step in moves:
            e, y = self.errors[place], self.true[place]
            if not of_errors:
                self.true[place] = y + step
                self.sum_y += step
                self.sum_yy += step * (2 * y + step)
                self.sum_ye += step * e
                continue
            self.errors[place] = e + step
            self.sum_e += step
            self.sum_ee += step * (2 * e + step)
            self.sum_ye += step * y
            if abs(e + step) != abs(e):
                self.sum_size += abs(e + step) - abs(e)
                del self.sizes[bisect_left(self.sizes, abs(e))]
                insort(self.sizes, abs(e + step))

    def cost(self) -> float:
        """How far the measures are outside of their claims; 0 if they are all within."""
        number, sizes = len(self.errors), self.sizes
        middle = (sizes[(number - 1) // 2] + sizes[number // 2]) / 2
        sums = (self.sum_e, self.sum_ee, self.sum_y, self.sum_yy, self.sum_ye)
        values = measures(number, self.sum_size, sizes[-1], middle, *sums)
        total = 0.0
        for name, low, high, unit in self.ends:
            value = values["r2" if name == "adjusted_r2" else name]
            if value is None:
                return math.inf
            if name == "adjusted_r2":
                value = 1 - (1 - value) * self.adjustment
            total += max(0.0, low - value, value - high) / unit
        return total

    def cases(self) -> Cases:
        pairs = zip(self.errors, self.true, strict=True)
        return Cases.of_one(tuple((1, Fraction(y), Fraction(y - e)) for e, y in pairs))


Ends = tuple[float, float]
_ROUNDS = 12
_ANY: Ends = (0.0, math.inf)
_KEPT = 0.02  # of the room of the most precise claim, around the places chosen for all


def targets(problem: RegressionProblem) -> dict[str, Ends]:
    """The quantities to fit, and between which ends each is aimed at."""
    claimed = {name: (float(low), float(high)) for name, (low, high) in problem.spans.items()}
    if problem.experiment.folds is not None:
        return claimed
    known = _linked(problem, claimed)
    rooms = [(high - low) / (high or 1.0) for low, high in known.values() if high < math.inf]
    share = _KEPT * max(min(rooms, default=_KEPT), 1e-16)
    known = _narrowed(known)
    if not (known["s"][1] < math.inf and 0 < known["V"][1] < math.inf):
        return {name: ends for name, ends in claimed.items() if name != "rmse" or "mse" not in claimed}
    around = {name: (place - share * place, place + share * place) for name, place in _places(known).items()}
    aims = {name: ends for name, ends in claimed.items() if name in ("mae", "maxe", "medae", "r")}
    aims["mse"] = around["s"]
    if any(name in claimed for name in ("variance", "r", *SHARES)):
        aims["variance"] = around["V"]
    if "bias" in claimed or "ev" in claimed:
        aims["bias"] = _aim_of_bias(claimed, around["b²"])
    return aims


def _places(known: dict[str, Ends]) -> dict[str, float]:
    """One after the other set to the middle of what is left to it."""
    for name in ("R", "V", "s", "E", "b²"):
        if math.isfinite(known[name][1]):
            known = _narrowed(known | {name: (sum(known[name]) / 2,) * 2})
    return {name: sum(ends) / 2 for name, ends in known.items()}


def _aim_of_bias(claimed: Mapping[str, Ends], square: Ends) -> Ends:
    """Where its square is to be, on the side that is claimed; anywhere in its claim if its sign is open."""
    low, high = (math.sqrt(max(end, 0.0)) for end in square)
    signs = claimed.get("bias", (0.0, 1.0))
    if signs[0] < 0 < signs[1] and "ev" not in claimed:
        return signs
    return (low, high) if signs[1] > -signs[0] else (-high, -low)


def _linked(problem: RegressionProblem, claimed: Mapping[str, Ends]) -> dict[str, Ends]:
    """What claims say of s, V, R, E, b² and s - b²."""
    square = claimed.get("mse", _ANY)
    if "rmse" in claimed:
        square = _met(square, (claimed["rmse"][0] ** 2, claimed["rmse"][1] ** 2))
    left = (1 - claimed["r2"][1], 1 - claimed["r2"][0]) if "r2" in claimed else _ANY
    if "adjusted_r2" in claimed:
        low, high = ((1 - end) / float(problem.adjustment) for end in reversed(claimed["adjusted_r2"]))
        left = _met(left, (low, high))
    unexplained = (1 - claimed["ev"][1], 1 - claimed["ev"][0]) if "ev" in claimed else _ANY
    bias = claimed.get("bias", (-math.inf, math.inf))
    least = 0.0 if bias[0] < 0 < bias[1] else min(map(abs, bias))
    squared_bias = least**2, min(max(map(abs, bias)), claimed.get("mae", _ANY)[1]) ** 2
    known = {"s": square, "V": claimed.get("variance", _ANY), "R": left, "E": unexplained, "b²": squared_bias}
    return known | {"s - b²": _ANY}


def _narrowed(known: Mapping[str, Ends]) -> dict[str, Ends]:
    """Every interval by the others, a few times."""
    ends = dict(known)
    for _ in range(_ROUNDS):
        for total, share in (("s", "R"), ("s - b²", "E")):
            own, part, v = ends[total], ends[share], ends["V"]
            ends[total] = _met(own, (part[0] * v[0], part[1] * v[1] if part[1] and v[1] else 0.0))
            ends[share], ends["V"] = _met(part, _over(own, v)), _met(v, _over(own, part))
        s, rest, bias = ends["s"], ends["s - b²"], ends["b²"]
        ends["s"] = _met(s, (rest[0] + bias[0], rest[1] + bias[1]))
        ends["s - b²"] = _met(rest, (max(s[0] - bias[1], 0.0), s[1] - bias[0]))
        ends["b²"] = _met(bias, (max(s[0] - rest[1], 0.0), s[1] - rest[0]))
    return ends


def _met(own: Ends, other: Ends) -> Ends:
    """What two intervals share; the first where they do not meet."""
    low, high = max(own[0], other[0]), min(own[1], other[1])
    return (low, high) if low <= high else own


def _over(left: Ends, other: Ends) -> Ends:
    low = left[0] / other[1] if other[1] > 0 else 0.0
    return low, left[1] / other[0] if other[0] > 0 else math.inf
