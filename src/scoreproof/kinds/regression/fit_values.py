"""Cases fitted to reported errors, by damped least squares (Levenberg 1944, Marquardt 1963) and simulated annealing.

Errors and true values of a few groups of cases, of one evaluation or of folds that differ, are fitted to many claims at
once from guesses; every measure is a smooth function of them (the largest and the median error as long as the same case
has it). Where values are whole numbers, single cases are then changed by whole numbers until every claim is met
(Kirkpatrick, Gelatt and Vecchi 1983): errors and true values at once; if that fails, first the errors, for what is
claimed of them alone, then the true values, which only the variance and the shares of it depend on. Floats propose
cases, ``cases_hold`` disposes.

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

from scoreproof.kinds.regression.cases import Cases, Evaluation, measured, moments_of
from scoreproof.kinds.regression.problem import RegressionProblem
from scoreproof.reported.claim import spread_interval
from scoreproof.reported.conventions import Spread
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
    aims = {name: (float(low), float(high)) for name, (low, high) in problem.spans.items()}
    if folds is None:
        aims = targets(problem)
    rng = np.random.default_rng(0)
    for shape, size, number, less in _trials(problem):
        if deadline.passed:
            return
        counts = _shared(size if folds is None else min(size, _NUMBERS[0]), _SINGLE, _GROUPS)
        evaluation = Evaluation(problem, list(aims), counts, _shared(number, _MOST_FOLDS, _MOST_FOLDS))
        ends = [*aims.values(), *_deviations(problem, number, less)]
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
    deviating = any(problem.variance(claim) is not None for claim in problem.claims)
    ways = problem.divisor.ddof if deviating else (0,)
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


def _deviations(problem: RegressionProblem, number: int, less: int) -> list[tuple[float, float]]:
    """The ends of the variances, divided by the number of evaluations, that a ± speaks of."""
    cases = []
    times = (number if problem.spread is Spread.ERROR else 1) * (number - less) / number
    for claim in problem.claims:
        if problem.variance(claim) is not None:
            low, high = (max(float(end), 0.0) ** 2 * times for end in spread_interval(claim))
            cases.append((low, high))
    return cases


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


Ends = tuple[float, float]
_ROUNDS = 12
_ANY: Ends = (0.0, math.inf)
_KEPT = 0.02  # of the room of the most precise claim, around the places chosen for all
_SHARES = ("r2", "adjusted_r2", "ev")


def targets(problem: RegressionProblem) -> dict[str, Ends]:
    """The quantities to fit, and between which ends each is aimed at."""
    claimed = {name: (float(low), float(high)) for name, (low, high) in problem.spans.items()}
    known = _Linked(problem, claimed)
    known.narrow()
    if not (math.isfinite(known.ends["s"][1]) and math.isfinite(known.ends["V"][1]) and known.ends["V"][1] > 0):
        return {name: ends for name, ends in claimed.items() if name != "rmse" or "mse" not in claimed}
    for name in ("R", "V", "s", "E", "b²"):
        known.settle(name)
    aims = {name: ends for name, ends in claimed.items() if name in ("mae", "maxe", "medae", "r")}
    aims["mse"] = known.around("s")
    if known.needs_variance:
        aims["variance"] = known.around("V")
    if "bias" in claimed or "ev" in claimed:
        low, high = (math.sqrt(max(end, 0.0)) for end in known.around("b²"))
        signs = claimed.get("bias", (0.0, 1.0))
        aims["bias"] = (low, high) if signs[1] > -signs[0] else (-high, -low)
        if signs[0] < 0 < signs[1] and "ev" not in claimed:
            aims["bias"] = signs
    return _possible(aims)


def _possible(aims: dict[str, Ends]) -> dict[str, Ends]:
    """Narrower by what always holds between the sizes of errors, and between r and the explained variance."""
    root = tuple(math.sqrt(max(end, 0.0)) for end in aims["mse"])
    if "mae" in aims:
        low = max(aims["mae"][0], root[0] ** 2 / aims["maxe"][1] if aims.get("maxe", (0, 0))[1] > 0 else 0.0)
        aims["mae"] = _met(aims["mae"], (low, root[1]))
    if "maxe" in aims:
        aims["maxe"] = _met(aims["maxe"], (root[0], math.inf))
    if "r" in aims and "variance" in aims:
        bias = min(abs(end) for end in aims.get("bias", (0.0, 0.0)))
        explained = 1 - (aims["mse"][1] - bias**2) / aims["variance"][0] if aims["variance"][0] > 0 else 0.0
        if explained > 0 and aims["r"][1] > 0:
            aims["r"] = _met(aims["r"], (math.sqrt(explained), 1.0))
    return aims


def _met(own: Ends, other: Ends) -> Ends:
    """What two intervals share; the first where they do not meet."""
    low, high = max(own[0], other[0]), min(own[1], other[1])
    return (low, high) if low <= high else own


class _Linked:
    """Intervals of s, V, R, E and b², narrowed by s = R V and s - b² = E V."""

    def __init__(self, problem: RegressionProblem, claimed: Mapping[str, Ends]) -> None:
        n, predictors = problem.experiment.n, problem.experiment.predictors
        self.needs_variance = any(name in claimed for name in ("variance", "r", *_SHARES))
        square = claimed.get("mse", _ANY)
        if "rmse" in claimed:
            square = _met(square, (claimed["rmse"][0] ** 2, claimed["rmse"][1] ** 2))
        left = (1 - claimed["r2"][1], 1 - claimed["r2"][0]) if "r2" in claimed else _ANY
        if "adjusted_r2" in claimed and n is not None and predictors is not None:
            factor = (n - predictors - 1) / (n - 1)
            low, high = claimed["adjusted_r2"]
            left = _met(left, ((1 - high) * factor, (1 - low) * factor))
        bias = claimed.get("bias", (-math.inf, math.inf))
        least = 0.0 if bias[0] < 0 < bias[1] else min(map(abs, bias))
        self.ends: dict[str, Ends] = {
            "s": square,
            "V": claimed.get("variance", _ANY),
            "R": left,
            "E": (1 - claimed["ev"][1], 1 - claimed["ev"][0]) if "ev" in claimed else _ANY,
            "b²": (least**2, min(max(map(abs, bias)), claimed.get("mae", _ANY)[1]) ** 2),
        }
        self.claimed = dict(self.ends)

    def narrow(self) -> None:
        """Every interval by the others, a few times."""
        for _ in range(_ROUNDS):
            s, v, left, unexplained, bias = (self.ends[name] for name in ("s", "V", "R", "E", "b²"))
            rest = (max(s[0] - bias[1], 0.0), s[1] - bias[0])
            self._cut("s", _times(left, v), (_times(unexplained, v)[0] + bias[0], _times(unexplained, v)[1] + bias[1]))
            self._cut("V", _over(s, left), _over(rest, unexplained))
            self._cut("R", _over(s, v))
            self._cut("E", _over(rest, v))
            explained = _times(unexplained, v)
            self._cut("b²", (max(s[0] - explained[1], 0.0), s[1] - explained[0]))

    def _cut(self, name: str, *others: Ends) -> None:
        for other in others:
            self.ends[name] = _met(self.ends[name], other)

    def settle(self, name: str) -> None:
        """One of them to the middle of what is left to it."""
        low, high = self.ends[name]
        if math.isfinite(high):
            self.ends[name] = ((low + high) / 2,) * 2
            self.narrow()

    def around(self, name: str) -> Ends:
        """Ends around the place that was chosen for one of them, within its claim and what follows from the others."""
        low, high = self.ends[name]
        place = (low + high) / 2
        room = self.fineness * place
        return place - room, place + room

    @property
    def fineness(self) -> float:
        """How precisely the places are to be met: a part of the smallest room there is, as a share."""
        rooms = [(high - low) / (high or 1.0) for low, high in self.claimed.values() if high < math.inf]
        return _KEPT * max(min(rooms, default=_KEPT), 1e-16)


def _times(left: Ends, other: Ends) -> Ends:
    return left[0] * other[0], left[1] * other[1] if left[1] and other[1] else 0.0


def _over(left: Ends, other: Ends) -> Ends:
    low = left[0] / other[1] if other[1] > 0 else 0.0
    return low, left[1] / other[0] if other[0] > 0 else math.inf
