"""Cases at the extremes of the power mean inequalities, and between them by bisection; then fits to all claims.

Floats propose cases, ``cases_hold`` disposes. The sizes of the errors of one evaluation, bounded by the largest and by
the median, with the given sum, are either as alike as they can be or as different as they can be, and on the straight
way between the two the sum of squares takes every value between: so bounds are met where no fit comes near. True values
as far above their mean as below have the variance that R² asks for.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import islice, product

from scoreproof.kinds.printed import Span
from scoreproof.kinds.regression.cases import Cases, Group, cases_hold
from scoreproof.kinds.regression.fit_values import fitted_cases
from scoreproof.kinds.regression.problem import RegressionProblem
from scoreproof.kinds.regression.relations import square_span
from scoreproof.work.budget import Budget

_NUMBERS = (10, 11, 30, 101, 1_000, 30_001)  # of cases, where it is not known
_FINE = 10**9
_INSIDE = Fraction(1, 100)  # of a span, from its ends
_MOST = 60  # proposals that are tried
_OF_SIZES = frozenset({"mae", "mse", "rmse", "maxe", "medae", "r2"})
_WITHOUT_SCALE = frozenset({"r2", "ev", "r", "adjusted_r2"})  # the same in every unit

Sizes = list[tuple[int, float, float]]  # how many errors, at least, at most


def cases_with(problem: RegressionProblem, deadline: Budget) -> Cases | None:
    """Cases that have the reported errors, if some were met."""
    experiment = problem.experiment
    if experiment.integers and problem.spans.keys() <= _WITHOUT_SCALE:
        cases = cases_with(replace(problem, experiment=replace(experiment, integers=False)), deadline)
        return None if cases is None else _whole_multiple(cases)
    if experiment.folds is None and not experiment.integers and problem.spans.keys() <= _OF_SIZES:
        for number, groups in enumerate(islice(_proposals(problem), _MOST)):
            cases = Cases.of_one(groups)
            if cases_hold(problem, cases):
                return cases
            if number % 8 == 7 and deadline.passed:
                return None
    return next((cases for cases in fitted_cases(problem, deadline) if cases_hold(problem, cases)), None)


def _whole_multiple(cases: Cases) -> Cases:
    """The same cases in a unit so small that all values are whole: no share of the variance changes."""
    (fold,) = cases.folds
    unit = math.lcm(*(value.denominator for _, *values in fold[1] for value in values))
    return Cases((((fold[0]), tuple((k, unit * y, unit * p) for k, y, p in fold[1])),))


def _proposals(problem: RegressionProblem) -> Iterator[tuple[Group, ...]]:
    numbers = _NUMBERS if problem.experiment.n is None else (problem.experiment.n,)
    for first in (True, False):  # the middles of all claims with every number before anything else
        for number in numbers:
            for wanted in islice(_wanted(problem, number), *((0, 1) if first else (1, None))):
                sizes = _sizes(number, *wanted)
                if sizes is not None:
                    yield _with_truth(problem, sizes)


def _wanted(problem: RegressionProblem, number: int) -> Iterator[tuple[float, float, float | None, float | None]]:
    """Mean, mean square, largest and median error to look for; what is not claimed is chosen to go with the rest."""
    spans, square_ends = problem.spans, square_span(problem)
    ends = [spans.get("mae"), square_ends, spans.get("maxe"), spans.get("medae")]
    for mean, square, top, half in product(*(_inside(span) for span in ends)):
        if mean is None:
            root = None if square is None else math.sqrt(square)
            low = max(0.0 if half is None else 0.6 * half, 0.0 if root is None or not top else root * root / top)
            high = root if root is not None else top if top is not None else 2 * low + 1.0
            mean = (low + high) / 2
        if square is None:
            square = 0.7 * mean * mean + 0.3 * mean * min(top if top is not None else 2 * mean, number * mean)
        yield mean, square, top, half


def _inside(span: Span | None) -> list[float | None]:
    """The middle of a span, and places just inside of its ends."""
    if span is None:
        return [None]
    low, high = span
    step = (high - low) * _INSIDE
    return [float(end) for end in ((low + high) / 2, low + step, high - step)]


def _sizes(
    number: int, mean: float, square: float, most: float | None, median: float | None
) -> list[tuple[int, float]] | None:
    """Sizes of errors with this mean, mean square, largest and median."""
    top = most if most is not None else number * mean
    bounds: Sizes = []
    if median is None:
        bounds = [(number - (most is not None), 0.0, top)]
    else:
        beyond = (number - 1) // 2
        bounds = [(beyond, 0.0, median), (number - 2 * beyond, median, median)]
        bounds.append((beyond - (most is not None), median, top))
    if most is not None:
        bounds.append((1, most, most))
    bounds = [group for group in bounds if group[0] > 0]
    total = number * mean
    if not sum(k * low for k, low, _ in bounds) <= total * (1 + 1e-12) or top < mean:
        return None
    alike = _alike(bounds, total)
    apart = _apart(bounds, alike, total)
    wanted = number * square

    def squares(t: float) -> float:
        return sum(k * ((1 - t) * a + t * b) ** 2 for k, a, b in apart)

    low, high = 0.0, 1.0
    if wanted <= squares(0.0):
        high = 0.0
    for _ in range(60):
        t = (low + high) / 2
        low, high = (t, high) if squares(t) < wanted else (low, t)
    return [(k, (1 - high) * a + high * b) for k, a, b in apart]


def _alike(bounds: Sizes, total: float) -> list[float]:
    """One level for all, cut at each group's bounds, with this sum."""
    low, high = 0.0, max(most for _, _, most in bounds)
    for _ in range(80):
        level = (low + high) / 2
        if sum(k * min(max(level, least), most) for k, least, most in bounds) < total:
            low = level
        else:
            high = level
    return [min(max(high, least), most) for _, least, most in bounds]


def _apart(bounds: Sizes, alike: list[float], total: float) -> list[tuple[int, float, float]]:
    """Groups (count, alike, apart): from the largest bound on errors are as large as the sum lets them be."""
    left = total - sum(k * low for k, low, _ in bounds)
    groups: list[tuple[int, float, float]] = []
    for (k, low, high), level in sorted(zip(bounds, alike, strict=True), key=lambda pair: -pair[0][2] - pair[0][1]):
        room = high - low
        full = min(k, int(left / room)) if room > 0 else k
        left -= full * room if room > 0 else 0.0
        groups.append((full, level, high))
        if full < k:
            groups.append((1, level, low + max(left, 0.0)))
            left = 0.0
            groups.append((k - full - 1, level, low))
    return [group for group in groups if group[0]]


def _with_truth(problem: RegressionProblem, sizes: list[tuple[int, float]]) -> tuple[Group, ...]:
    """Errors of these sizes, and true values on two sides of 0 with the variance that R² asks for."""
    number = sum(k for k, _ in sizes)
    left = 1 - float(sum(problem.spans["r2"])) / 2 if "r2" in problem.spans else 0.5
    even = number - number % 2
    square = sum(k * e * e for k, e in sizes)
    height = math.sqrt(square / left / even) if left > 0 and even else 1.0
    values = [(number % 2, 0.0), (even // 2, -height), (even // 2, height)]
    errors, groups = sizes[::-1], list[Group]()
    while errors:
        (k, error), (j, true) = errors.pop(), values.pop()
        y, e = (Fraction(round(each * _FINE), _FINE) for each in (true, error))
        if k and j:
            groups.append((min(k, j), y, y - e))
        errors += [(k - j, error)] * (k > j)
        values += [(j - k, true)] * (j > k)
    return tuple(groups)
