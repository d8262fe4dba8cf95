"""Parts fitted to claimed means and deviations by damped least squares (Levenberg 1944, Marquardt 1963).

Every covered score of a part is a ratio of two sums of its cells, so it follows smoothly from the logarithms of the
cells. A few groups of parts stand for all, whatever their number.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from scoreproof.kinds.binary.scores import ConfusionMatrix, score
from scoreproof.kinds.common_average.problem import CommonAverageProblem, Parts, mean_of
from scoreproof.reported.claim import spread_interval
from scoreproof.reported.conventions import Spread
from scoreproof.solve.local_search import fit_values, shortest

_NUMBERS = (6, 12, 30, 3, 2)  # of parts, where it is not known
_GROUPS = 12
_STEPS = 50
_NOISES = (0.7, 2.0, 0.2, 4.0, 1.5, 3.0)  # of the guesses, in logarithms
_CASES = 10**9  # of a part
_BEYOND_FLOATS = 1e-9  # width of a claim that needs more
_FINER, _GRAIN = 3, 10**6  # times that parts are made finer, and by how much
_FURTHEST = 20.0  # logarithm of a cell
_SUMS = {"bacc": (("sens", 0.5), ("spec", 0.5)), "bm": (("sens", 1.0), ("spec", 1.0))}
_CELLS = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))


def fitted_parts(problem: CommonAverageProblem) -> Iterator[Parts]:
    """Parts that seem to have the claimed means."""
    import numpy as np

    measures = _Measures(problem)
    numbers = _NUMBERS if problem.experiment.parts is None else (problem.experiment.parts,)
    rng = np.random.default_rng(0)
    ways = list(problem.divisor.ddof) if measures.deviating else [0]
    for noise, number, less in product(_NOISES, numbers, ways):
        if number <= less:
            continue
        groups = min(number, _GROUPS)
        counts = np.full(groups, number // groups)
        counts[: number % groups] += 1
        ends = measures.ends(number, less)
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
        kept.append(ConfusionMatrix(*(round(float(cell)) for cell in cells / cells.sum() * _CASES)))
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
    """The claims as ratios of sums of cells, in floats."""

    def __init__(self, problem: CommonAverageProblem) -> None:
        import numpy as np

        self.problem = problem
        self.deviating = [place for place, claim in enumerate(problem.claims) if problem.variance(claim) is not None]
        self.ratios: list[list[tuple[float, Any, Any]]] = []
        for claim in problem.claims:
            known = [(score(name), weight) for name, weight in _SUMS.get(claim.quantity.name, ())]
            self.ratios.append(
                [
                    (weight, *np.array([each.ratio(*cells) for cells in _CELLS], dtype=float).T)
                    for each, weight in known or [(claim.score, 1.0)]
                ]
            )
        means = {name: float(sum(span)) / 2 for name, span in problem.means.items()}
        sens, spec, ppv = (min(max(means.get(name, 0.7), 0.01), 0.99) for name in ("sens", "spec", "ppv"))
        false = sens * (1 - ppv) / ppv if "ppv" in means or "spec" not in means else (1 - spec)
        self.guess = np.log([sens, false, 1 - sens, false * spec / (1 - spec)])

    def ends(self, number: int, less: int) -> list[tuple[float, float]]:
        """Of the means, then of the variances divided by the number of parts."""
        shifts = [1.0 if claim.quantity.name == "bm" else 0.0 for claim in self.problem.claims]
        ends = [
            (float(low) + shift, float(high) + shift)
            for (low, high), shift in zip(self.problem.means.values(), shifts, strict=True)
        ]
        times = (number if self.problem.spread is Spread.ERROR else 1) * (number - less) / number
        for place in self.deviating:
            low, high = (max(float(end), 0.0) ** 2 * times for end in spread_interval(self.problem.claims[place]))
            ends.append((low, high))
        return ends

    def at(self, shares: Any) -> Any:
        """The means and variances of parts of these shares, as a function of the logarithms of their cells."""
        import numpy as np

        def measure(flat: Any) -> tuple[Any, Any]:
            cells = np.exp(np.clip(flat.reshape(-1, 4), -_FURTHEST, _FURTHEST))
            means, rows, spreads, more = [], [], [], []
            for place, ratios in enumerate(self.ratios):
                values, slopes = np.zeros(len(cells)), np.zeros_like(cells)
                for weight, above, below in ratios:
                    under = cells @ below
                    own = (cells @ above) / under
                    values += weight * own
                    slopes += weight * (above[None] - own[:, None] * below[None]) / under[:, None] * cells
                mean = shares @ values
                means.append(mean)
                rows.append((shares[:, None] * slopes).ravel())
                if place in self.deviating:
                    off = values - mean
                    spreads.append(shares @ (off * off))
                    more.append((2 * (shares * off)[:, None] * slopes).ravel())
            return np.array(means + spreads), np.array(rows + more)

        return measure
