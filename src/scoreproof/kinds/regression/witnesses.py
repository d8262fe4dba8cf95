"""Cases at the extremes of the power mean inequalities, and between them by bisection; then fits to all claims.

Floats propose cases, ``cases_hold`` disposes.

The sizes of the errors come first: bounded by the largest and by the median, with the given sum, they are either as
alike as they can be or as different as they can be, and on the straight way between the two the sum of squares takes
every value between. Signs then give the bias, and true values along the errors and across them the variance and the
correlation. Means over folds are those of one evaluation whose values are larger in some folds and smaller in others.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import islice, pairwise, product

from scoreproof.kinds.printed import Span
from scoreproof.kinds.regression.cases import Cases, Group, cases_hold
from scoreproof.kinds.regression.fit_values import fitted_cases
from scoreproof.kinds.regression.problem import RegressionProblem, squared
from scoreproof.kinds.regression.relations import square_span
from scoreproof.work.budget import Budget

_NUMBERS = (10, 11, 30, 101, 1_000, 30_001)  # of cases, where it is not known
_FINE = 10**9
_INSIDE = 0.01  # of a span, from its ends
_GRID = 64
_WITHOUT_SCALE = frozenset({"r2", "ev", "r", "adjusted_r2"})  # the same in every unit
_MOST = 60  # proposals that are tried

Sizes = list[tuple[int, float, float]]  # how many errors, at least, at most


def cases_with(problem: RegressionProblem, deadline: Budget) -> Cases | None:
    """Cases that have the reported errors, if some were met."""
    experiment = problem.experiment
    if experiment.integers and problem.spans.keys() <= _WITHOUT_SCALE:
        cases = cases_with(replace(problem, experiment=replace(experiment, integers=False)), deadline)
        return None if cases is None else _whole_multiple(cases)
    base = _of_one(problem)
    for number, groups in enumerate(islice(_proposals(base), _MOST)):
        for folds in _folds(problem, groups):
            proposal = Cases(tuple((count, _scaled(groups, factor)) for count, factor in folds))
            if cases_hold(problem, proposal):
                return proposal
        if number % 8 == 7 and deadline.passed:
            return None
    return next((cases for cases in fitted_cases(problem, deadline) if cases_hold(problem, cases)), None)


def _whole_multiple(cases: Cases) -> Cases:
    """The same cases in a unit so small that all values are whole: no share of the variance changes."""
    (fold,) = cases.folds
    unit = math.lcm(*(value.denominator for _, *values in fold[1] for value in values))
    return Cases((((fold[0]), tuple((k, unit * y, unit * p) for k, y, p in fold[1])),))


def _scaled(groups: tuple[Group, ...], factor: Fraction) -> tuple[Group, ...]:
    return groups if factor == 1 else tuple((k, factor * y, factor * p) for k, y, p in groups)


def _of_one(problem: RegressionProblem) -> RegressionProblem:
    """Of means over folds what one evaluation of the same scale has: the mean squared error follows from the RMSE."""
    if problem.experiment.folds is None:
        return problem
    names = {claim.quantity.name for claim in problem.claims}
    kept = tuple(
        replace(claim, spread=None) for claim in problem.claims if claim.quantity.name != "mse" or "rmse" not in names
    )
    return replace(problem, claims=kept, experiment=replace(problem.experiment, folds=None))


def _folds(problem: RegressionProblem, groups: tuple[Group, ...]) -> Iterator[tuple[tuple[int, Fraction], ...]]:
    """Factors of the folds: none, or as far apart as a ± or the mean squared error says."""
    folds = problem.experiment.folds
    unit = Fraction(1)
    if folds is None:
        yield ((1, unit),)
        return
    number = folds if isinstance(folds, int) else 2
    yield ((number, unit),)
    shares = set()
    for claim in problem.claims:
        variance = problem.variance(claim)
        middle = float(claim.low + claim.high) / 2
        if variance is not None and middle:
            shares |= {math.sqrt(float(end)) / middle for end in _inside(variance)}
    spans = problem.spans
    if "mse" in spans and "rmse" in spans:
        root = float(sum(spans["rmse"])) / 2
        shares |= {math.sqrt(max(float(end) / root**2 - 1, 0.0)) for end in _inside(spans["mse"]) if root}
    even = number - number % 2
    for share in sorted(shares):
        step = Fraction(round(share * math.sqrt(number / even) * _FINE), _FINE)
        if 0 < step < 1:
            some = ((even // 2, 1 - step), (even // 2, 1 + step), (number % 2, unit))
            yield tuple(pair for pair in some if pair[0])


def _inside(span: Span) -> tuple[Fraction, Fraction, Fraction]:
    low, high = span
    step = (high - low) * Fraction(round(_INSIDE * 1000), 1000)
    return (low + high) / 2, low + step, high - step


def _proposals(problem: RegressionProblem) -> Iterator[tuple[Group, ...]]:
    numbers = _NUMBERS if problem.experiment.n is None else (problem.experiment.n,)
    for first in (True, False):  # the middles of all claims with every number before anything else
        for number in numbers:
            for mean, square, most, median in islice(_wanted(problem, number), *((0, 1) if first else (1, None))):
                errors = _sizes(number, mean, square, most, median)
                if errors is not None:
                    yield from _with_truth(problem, errors)


def _wanted(problem: RegressionProblem, number: int) -> Iterator[tuple[float, float, float | None, float | None]]:
    """Mean, mean square, largest and median error to look for; what is not claimed is chosen to go with the rest."""
    spans = problem.spans
    square = square_span(problem)
    means: list[float | None] = [None] if "mae" not in spans else [float(end) for end in _inside(spans["mae"])]
    squares: list[float | None] = [None] if square is None else [float(end) for end in _inside(square)]
    tops: list[float | None] = [None] if "maxe" not in spans else [float(end) for end in _inside(spans["maxe"])]
    halves: list[float | None] = [None] if "medae" not in spans else [float(end) for end in _inside(spans["medae"])]
    for mean, mean_square, top, half in product(means, squares, tops, halves):
        if mean is None:
            root = None if mean_square is None else math.sqrt(mean_square)
            low = max(0.0 if half is None else 0.6 * half, 0.0 if root is None or not top else root * root / top)
            low = max(low, math.sqrt(float(squared(spans["bias"])[0])) if "bias" in spans else 0.0)
            high = root if root is not None else top if top is not None else 2 * low + 1.0
            mean = (low + high) / 2
        if mean_square is None:
            high = mean * min(top if top is not None else 2 * mean, number * mean)
            mean_square = 0.7 * mean * mean + 0.3 * high
        yield mean, mean_square, top, half


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


def _with_truth(problem: RegressionProblem, sizes: list[tuple[int, float]]) -> Iterator[tuple[Group, ...]]:
    """True and predicted values of errors of these sizes."""
    number = sum(k for k, _ in sizes)
    spans = problem.spans
    whole = problem.experiment.integers
    biases = [float(end) for end in _inside(spans["bias"])] if "bias" in spans else [0.0]
    mean_square = sum(k * e * e for k, e in sizes) / number
    if "bias" not in spans and "ev" in spans and "r2" in spans:
        gap, share = float(sum(spans["ev"]) - sum(spans["r2"])) / 2, 1 - float(sum(spans["r2"])) / 2
        biases = [math.sqrt(max(gap, 0.0) * mean_square / share) if share > 0 else 0.0, 0.0]
    for bias in biases:
        signed = _signed(sizes, number * bias, exactly="bias" in spans or "ev" in spans)
        errors = [(k, Fraction(round(e)) if whole else Fraction(round(e * _FINE), _FINE)) for k, e in signed]
        if not ({"r2", "ev", "r", "variance", "adjusted_r2"} & spans.keys()):
            yield tuple((k, e, Fraction(0)) for k, e in errors)
            continue
        yield from _across(problem, errors, mean_square)


def _signed(sizes: list[tuple[int, float]], total: float, *, exactly: bool) -> list[tuple[int, float]]:
    """Errors of these sizes with about this sum: some of them negative, the large ones first."""
    turn = (sum(k * e for k, e in sizes) - total) / 2
    groups: list[tuple[int, float]] = []
    for k, e in sorted(sizes, key=lambda pair: -pair[1]):
        negative = min(k, max(0, math.floor(turn / e + 1e-9))) if e > 0 else 0
        turn -= negative * e
        groups += [(negative, -e), (k - negative, e)]
    groups = [group for group in groups if group[0]]
    k, e = groups[-1]
    if exactly and turn > 0 and e > 2 * turn:  # what is left is taken off one error
        groups[-1:] = [(1, e - 2 * turn), (k - 1, e)] if k > 1 else [(1, e - 2 * turn)]
    return groups


def _across(
    problem: RegressionProblem, errors: list[tuple[int, Fraction]], mean_square: float
) -> Iterator[tuple[Group, ...]]:
    """True values that are partly along the errors, partly across: half of a group above and half below."""
    number = sum(k for k, _ in errors)
    mean = float(sum((k * e for k, e in errors), Fraction(0)) / number)
    spread = max(mean_square - mean * mean, 0.0)
    place = max(range(len(errors)), key=lambda index: errors[index][0])
    half = errors[place][0] // 2
    if half == 0:
        return
    share = 2 * half / number
    for variance in _variances(problem, mean_square, spread):
        for along in _along(problem, variance, spread):
            rest = variance - along * along * spread
            if rest < 0:
                continue
            slope = Fraction(round(along * _FINE), _FINE)
            across = Fraction(round(math.sqrt(rest / share) * _FINE), _FINE)
            groups: list[Group] = []
            for index, (k, e) in enumerate(errors):
                pieces = (
                    [(half, across), (half, -across), (k - 2 * half, Fraction(0))]
                    if index == place
                    else [(k, Fraction(0))]
                )
                groups += [(part, slope * e + shift, slope * e + shift - e) for part, shift in pieces if part]
            yield tuple(groups)


def _variances(problem: RegressionProblem, mean_square: float, spread: float) -> list[float]:
    """Variances of the true values that the claims speak for."""
    spans, n, predictors = problem.spans, problem.experiment.n, problem.experiment.predictors
    shares = [(1 - float(end), mean_square) for name in ("r2",) if name in spans for end in _inside(spans[name])]
    if not shares and "adjusted_r2" in spans and n is not None and predictors is not None:
        factor = (n - predictors - 1) / (n - 1)
        shares = [((1 - float(end)) * factor, mean_square) for end in _inside(spans["adjusted_r2"])]
    if not shares and "ev" in spans:
        shares = [(1 - float(end), spread) for end in _inside(spans["ev"])]
    groups = [part / share for share, part in shares if share > 0]
    if not groups and "variance" in spans:
        groups = [float(end) for end in _inside(spans["variance"])]
    return groups or [4 * spread + 1.0]


def _along(problem: RegressionProblem, variance: float, spread: float) -> Iterator[float]:
    """How much of the errors is in the true values: none, or what the correlation asks for."""
    if "r" not in problem.spans or spread <= 0:
        yield 0.0
        return
    most = math.sqrt(variance / spread)

    def correlation(along: float) -> float:
        shared = along * spread
        below = variance * (variance - 2 * shared + spread)
        return (variance - shared) / math.sqrt(below) if below > 0 else 0.0

    places = [most * (2 * k / _GRID - 1) * 0.999999 for k in range(_GRID + 1)]
    heights = list(map(correlation, places))
    for wanted in map(float, _inside(problem.spans["r"])):
        for (low, below), (high, above) in pairwise(zip(places, heights, strict=True)):
            if (below - wanted) * (above - wanted) <= 0:
                for _ in range(50):
                    middle = (low + high) / 2
                    low, high = (low, middle) if (correlation(middle) > wanted) == (above > below) else (middle, high)
                yield high
