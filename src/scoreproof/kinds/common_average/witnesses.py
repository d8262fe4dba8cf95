"""Damped least squares (Levenberg 1944, Marquardt 1963), and bisection on families of parts that attain the bounds.

Every covered score of a part is a ratio of two sums of its cells, so it follows smoothly from the logarithms of the
cells. A few groups of parts stand for all, whatever their number. ``parts_hold`` disposes.

Near the bounds fits fail. From parts that are all alike (the largest mean F-score) a straight path leads to a corner
where all but two values are 0 or 1: there precision and recall go together (the largest overlap) or apart (the least
F-score). With a deviation of Dice or Jaccard parts are on two levels: the share on the lower one says how skew the
values are, and at both ends a level is 0 or 1. On both families the means that were started from stay and the others
change continuously, so that halving meets whatever lies between. One confusion matrix is an average, too: at last
it is asked of the kind of unknown class counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import chain, pairwise, product
from typing import Any

from scoreproof.kinds.binary.scores import ConfusionMatrix, score
from scoreproof.kinds.common_average.problem import CommonAverageProblem, Parts, mean_of, parts_hold
from scoreproof.kinds.common_average.relations import CURVES, UNIT, ZERO
from scoreproof.kinds.statement import Span
from scoreproof.kinds.unknown_classes.experiment import UnknownClasses
from scoreproof.kinds.unknown_classes.kind import KIND as UNKNOWN
from scoreproof.reported import Claim
from scoreproof.reported.claim import without_spread
from scoreproof.solve.local_search import fit_values, means_and_variances, shortest
from scoreproof.work.budget import Budget

_NUMBERS = (6, 12, 30, 3, 2)  # of parts, where it is not known
_GROUPS = 12
_STEPS = 50
_NOISES = (0.7, 2.0, 0.2, 4.0, 1.5, 3.0)  # of the guesses, in logarithms
_CASES_EACH = 10**9  # of a part
_BEYOND_FLOATS = 1e-9  # width of a claim that needs more
_FINER, _GRAIN = 3, 10**6  # times that parts are made finer, and by how much
_FURTHEST = 20.0  # logarithm of a cell
_SUMS = {"bacc": (("sens", 0.5), ("spec", 0.5)), "bm": (("sens", 1.0), ("spec", 1.0))}
_CELLS = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))


def parts_with(problem: CommonAverageProblem, deadline: Budget) -> Parts | None:
    """Parts that have the claimed means, if some were met."""
    for proposal in chain(_fitted_parts(problem), _at_bounds(problem)):
        if parts_hold(problem, proposal):
            return proposal
        if deadline.passed:
            return None
    single = UNKNOWN.problem(UnknownClasses(), {claim.name: without_spread(claim) for claim in problem.claims})
    decision = UNKNOWN.decide(single, deadline=deadline.within(1.0), seed=0)
    if decision.witness is None:
        return None
    parts = Parts((problem.experiment.parts or 1,), decision.witness.matrices)  # every part is alike
    return parts if parts_hold(problem, parts) else None


def _fitted_parts(problem: CommonAverageProblem) -> Iterator[Parts]:
    """Parts that seem to have the claimed means."""
    import numpy as np

    measures = _Measures(problem)
    numbers = _NUMBERS if problem.number is None else (problem.number,)
    rng = np.random.default_rng(0)
    ways = list(problem.divisor.ddof) if problem.deviating else [0]
    for noise, number, less in product(_NOISES, numbers, ways):
        if number <= less:
            continue
        groups = min(number, _GROUPS)
        counts = np.full(groups, number // groups)
        counts[: number % groups] += 1
        ends = [*measures.ends, *problem.variance_targets(number, less)]
        start = measures.guess[None] + noise * rng.normal(size=(groups, 4))
        met = fit_values(start.ravel(), measures.at(counts / number), ends, _STEPS)
        if met is None:
            continue
        parts = _parts(counts, met.reshape(-1, 4))
        yield parts
        if min(high - low for low, high in ends) < _BEYOND_FLOATS:
            yield _finer(problem, parts, measures.at(counts / number)(met)[1])


def _parts(counts: Any, logarithms: Any) -> Parts:
    """The parts of cells given by their logarithms, up to a factor."""
    import numpy as np

    kept = []
    for row in logarithms:
        cells = np.exp(row - row.max())
        kept.append(ConfusionMatrix(*(round(float(cell)) for cell in cells / cells.sum() * _CASES_EACH)))
    return Parts(tuple(int(count) for count in counts), tuple(kept))


def _finer(problem: CommonAverageProblem, parts: Parts, slopes: Any) -> Parts:
    """The parts with every cell changed a little: what the means are off by is known exactly, the step is in floats."""
    import numpy as np

    rows = slopes[: len(problem.claims)]  # a deviation is not printed that finely, or not met
    for _ in range(_FINER):
        off = [float((mean_of(claim, parts) or 0) - (claim.low + claim.high) / 2) for claim in problem.claims]
        step = shortest(rows, np.array(off)).reshape(-1, 4)
        if not np.isfinite(step).all():
            break
        cells = [
            ConfusionMatrix(
                *(
                    _GRAIN * cell - round(_GRAIN * cell * Fraction(change))
                    for cell, change in zip(matrix.cells, row, strict=True)
                )
            )
            for matrix, row in zip(parts.matrices, step.tolist(), strict=True)
        ]
        parts = Parts(parts.counts, tuple(cells))
    return parts


class _Measures:
    """The claims as ratios of sums of cells, in floats: their ends, a guess of the cells, and the means of parts."""

    def __init__(self, problem: CommonAverageProblem) -> None:
        import numpy as np

        self.deviating = [place for place, claim in enumerate(problem.claims) if claim in problem.deviating]
        self.ratios: list[list[tuple[float, Any, Any]]] = []
        self.ends: list[tuple[float, float]] = []
        for claim, (low, high) in zip(problem.claims, problem.means.values(), strict=True):
            name = claim.quantity.name
            known = [(score(own), weight) for own, weight in _SUMS.get(name, ())] or [(claim.score, 1.0)]
            self.ratios.append(
                [(weight, *np.array([each.ratio(*cells) for cells in _CELLS], dtype=float).T) for each, weight in known]
            )
            self.ends.append((float(low) + (name == "bm"), float(high) + (name == "bm")))
        means = {name: float(sum(span)) / 2 for name, span in problem.means.items()}
        sens, spec, ppv = (min(max(means.get(name, 0.7), 0.01), 0.99) for name in ("sens", "spec", "ppv"))
        false = sens * (1 - ppv) / ppv if "ppv" in means or "spec" not in means else (1 - spec)
        self.guess = np.log([sens, false, 1 - sens, false * spec / (1 - spec)])

    def at(self, shares: Any) -> Any:
        """The means and variances of parts of these shares, as a function of the logarithms of their cells."""
        import numpy as np

        def measure(flat: Any) -> tuple[Any, Any]:
            cells = np.exp(np.clip(flat.reshape(-1, 4), -_FURTHEST, _FURTHEST))
            values, slopes = np.zeros((len(self.ratios), len(cells))), np.zeros((len(self.ratios), *cells.shape))
            for row, ratios in enumerate(self.ratios):
                for weight, above, below in ratios:
                    under = cells @ below
                    own = (cells @ above) / under
                    values[row] += weight * own
                    slopes[row] += weight * (above[None] - own[:, None] * below[None]) / under[:, None] * cells
            return means_and_variances(values, slopes, shares, self.deviating)

        return measure


Group = tuple[int, Fraction, Fraction]  # how many parts, their precision and their recall
Family = Callable[[Fraction], list[Group]]  # from 0 on to 1
_PATH_NUMBERS = (10, 1_000, 1_000_000)  # of parts, where it is not known
_LEVEL_NUMBERS = (10_000, 10)
_HALVINGS, _LAST = 40, 1 - Fraction(1, 4**13)  # of a path; its end is left out, where parts have a 0/0
_INSIDE = Fraction(1, 1000)  # of a span, from its ends
_DENOMINATOR = 10**9


def _at_bounds(problem: CommonAverageProblem) -> Iterator[Parts]:
    """Parts on families that reach the bounds, at which a claim is met."""
    means = problem.means
    deviating = next(iter(problem.deviating), None)
    if means.keys() <= {"f1", "ji"} and deviating is not None:
        families = _levels(problem, deviating.quantity.name)
    elif {"ppv", "sens"} <= means.keys():
        families = _paths(problem, list(zip(_places(means["ppv"]), _places(means["sens"]), strict=True)))
    elif means.keys() <= {"f1", "ji"}:
        dice = means["f1"] if "f1" in means else CURVES["ji", "f1"].between(*means["ji"], 1)
        families = _paths(problem, [(place, place) for place in _places(dice)])
    else:
        return
    for family in families:
        for claim in problem.claims:
            for wanted in _places((claim.low, claim.high)):
                yield from _bisected(claim, wanted, family)


def _places(span: Span) -> tuple[Fraction, Fraction, Fraction]:
    """The middle of a span, and places just inside of its ends."""
    low, high = span
    step = (high - low) * _INSIDE
    return (low + high) / 2, high - step, low + step


def _bisected(claim: Claim, wanted: Fraction, family: Family) -> Iterator[Parts]:
    """The parts of a family at which a mean is about as wanted, if it is passed on the way."""

    def above(t: Fraction) -> bool:
        mean = mean_of(claim, _of_groups(family(t)))
        return mean is not None and mean > wanted

    low, high = ZERO, UNIT
    at_start = above(low)
    if above(high) is at_start:
        return
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if above(middle) is at_start else (low, middle)
    yield _of_groups(family(high))


def _of_groups(groups: list[Group]) -> Parts:
    """Parts of these precisions and recalls, as confusion matrices without true negatives."""
    matrices = []
    for _, x, y in groups:
        tp, fp, fn = x * y, (1 - x) * y, x * (1 - y)
        whole = math.lcm(tp.denominator, fp.denominator, fn.denominator)
        matrices.append(ConfusionMatrix(int(tp * whole), int(fp * whole), int(fn * whole), 0))
    return Parts(tuple(count for count, _, _ in groups), tuple(matrices))


def _paths(problem: CommonAverageProblem, starts: list[tuple[Fraction, Fraction]]) -> Iterator[Family]:
    """From equal parts to the corners where precision and recall go apart, or together."""

    def path(x: Fraction, y: Fraction, corner: list[Group]) -> Family:
        return lambda t: [(k, x + t * _LAST * (a - x), y + t * _LAST * (b - y)) for k, a, b in corner]

    numbers = _PATH_NUMBERS if problem.number is None else (problem.number,)
    for number, (x, y), apart in product(numbers, starts, (True, False)):
        yield path(x, y, _corner(x, y, number, apart=apart))


def _corner(x: Fraction, y: Fraction, number: int, *, apart: bool) -> list[Group]:
    """Parts of these mean precision and recall, all but one of either 0 or 1: both high in the same parts, or not.

    >>> _corner(Fraction(1, 2), Fraction(1, 2), 2, apart=True) == [(1, UNIT, ZERO), (1, ZERO, UNIT)]
    True
    """
    (ones_x, rest_x), (ones_y, rest_y) = (divmod(number * mean, 1) for mean in (x, y))
    at_x, at_y = int(ones_x), number - 1 - int(ones_y) if apart else int(ones_y)  # the parts left over
    groups = []
    for start, end in pairwise(sorted({0, at_x, at_x + 1, at_y, at_y + 1, number})):
        if start >= 0 and end <= number:
            a = UNIT if start < at_x else rest_x if start == at_x else ZERO
            b = rest_y if start == at_y else UNIT if (start < at_y) is not apart else ZERO
            groups.append((end - start, a, b))
    return groups


def _levels(problem: CommonAverageProblem, name: str) -> Iterator[Family]:
    """Parts on two levels of Dice or Jaccard, from a lower level near 0 to an upper one near 1."""
    numbers = _LEVEL_NUMBERS if problem.number is None else (problem.number,)
    curve = CURVES["ji", "f1"].value if name == "ji" else Fraction
    place = [claim.quantity.name for claim in problem.deviating].index(name)
    for number, less, mean in product(numbers, problem.divisor.ddof, _places(problem.means[name])):
        if number <= less:
            continue
        low, high = problem.variance_targets(number, less)[place]
        for variance in (low + share * (high - low) for share in (0.5, 0.99, 0.01)):
            least = number * variance / (variance + float(mean) ** 2)
            most = number * (1 - float(mean)) ** 2 / (variance + (1 - float(mean)) ** 2)
            if variance > 0 and 1 <= math.ceil(least) <= math.floor(most) < number:
                yield _two_levels(mean, variance, number, (math.ceil(least), math.floor(most)), curve)


def _two_levels(
    mean: Fraction, variance: float, number: int, ends: tuple[int, int], curve: Callable[[Fraction], Fraction]
) -> Family:
    def family(t: Fraction) -> list[Group]:
        lower = ends[0] + round(t * (ends[1] - ends[0]))
        fall = Fraction(round(math.sqrt(variance * (number - lower) / lower) * _DENOMINATOR), _DENOMINATOR)
        levels = (lower, mean - fall), (number - lower, mean + fall * lower / (number - lower))
        dice = [(count, curve(min(max(level, Fraction(1, _DENOMINATOR)), UNIT))) for count, level in levels]
        return [(count, level, level) for count, level in dice]

    return family
