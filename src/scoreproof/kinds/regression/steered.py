"""Cases steered towards many claims at once, from guesses: of one evaluation, or of folds that differ.

Errors and true values of a few groups of cases are the values that are changed; every measure is a smooth function of
them (the largest and the median error as long as the same case has it).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from scoreproof.kinds.regression.cases import Cases, measured, moments_of
from scoreproof.kinds.regression.problem import RegressionProblem
from scoreproof.kinds.regression.scores import Evaluation
from scoreproof.kinds.regression.targets import targets
from scoreproof.kinds.regression.whole import whole_cases
from scoreproof.kinds.steering import shortest, steered
from scoreproof.reported.claim import spread_interval
from scoreproof.reported.conventions import Spread
from scoreproof.work.budget import Budget

_NUMBERS = (12, 5, 31)  # of cases, where it is not known
_FOLDS = (4, 2, 8)  # where their number is not known
_SINGLE, _GROUPS = 100, 24  # cases of their own, and groups of the others
_MOST_FOLDS = 12  # that differ
_STEPS = 120
_STEERED = 0.02  # seconds that all of them take
_SHAPES = (1.0, 2.0, 0.5, 3.0)  # of errors: a power of normal ones
_TRIES = 8
_DIGITS = 12  # of a value
_BEYOND_FLOATS = 1e-9  # width of a claim, as a share of its size, that needs more
_FINER = 3


def steered_cases(problem: RegressionProblem, deadline: Budget) -> Iterator[Cases]:
    """Cases that seem to have the claimed errors."""
    import numpy as np

    n, folds = problem.experiment.n, problem.experiment.folds
    several = (1,) if folds is None else (folds,) if isinstance(folds, int) else _FOLDS
    deviating = [claim for claim in problem.claims if problem.variance(claim) is not None]
    ways = problem.divisor.ddof if deviating else (0,)
    aims = {name: (float(low), float(high)) for name, (low, high) in problem.spans.items()}
    if folds is None:
        aims = targets(problem)
    rng = np.random.default_rng(0)
    for _, shape, size, number, less in product(range(_TRIES), _SHAPES, _NUMBERS if n is None else (n,), several, ways):
        if deadline.passed:
            return
        if number <= less:
            continue
        counts = _shared(size if folds is None else min(size, _NUMBERS[0]), _SINGLE, _GROUPS)
        evaluation = Evaluation(problem, list(aims), counts, _shared(number, _MOST_FOLDS, _MOST_FOLDS))
        ends = [*aims.values(), *_deviations(problem, number, less)]
        guess = evaluation.guess(rng, shape)
        deadline.charge(_STEERED)
        met = steered(guess, evaluation.measure, ends, _STEPS)
        if problem.experiment.integers:
            if max(counts) == 1:
                near = (guess if met is None else met) * evaluation.scales
                found = whole_cases(problem, near[:size], near[size:], deadline)
                yield from () if found is None else (found,)
            continue
        if met is None:
            continue
        values = [Fraction(text) for text in np.char.mod(f"%.{_DIGITS}e", met * evaluation.scales).tolist()]
        yield evaluation.cases(values)
        if min((high - low) / (abs(high) + 1e-9) for low, high in ends) < _BEYOND_FLOATS:
            yield _finer(problem, evaluation, values, met, ends)


def _shared(number: int, single: int, groups: int) -> list[int]:
    """So many cases in groups, the first of them alone."""
    alone = [1] * min(number, single)
    rest = number - len(alone)
    groups = min(groups, rest)
    return alone + [rest // groups + (place < rest % groups) for place in range(groups)]


def _deviations(problem: RegressionProblem, number: int, less: int) -> list[tuple[float, float]]:
    """The ends of the variances, divided by the number of evaluations, that a ± speaks of."""
    found = []
    times = (number if problem.spread is Spread.ERROR else 1) * (number - less) / number
    for claim in problem.claims:
        if problem.variance(claim) is not None:
            low, high = (max(float(end), 0.0) ** 2 * times for end in spread_interval(claim))
            found.append((low, high))
    return found


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
        values = [value - Fraction(change) for value, change in zip(values, step.tolist(), strict=True)]
    return evaluation.cases(values)
