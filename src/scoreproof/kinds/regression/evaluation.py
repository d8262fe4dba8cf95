"""Errors and true values in floats: guesses, and measures with derivatives by complex steps (Squire and Trapp 1998).

Reports of several quantities of one evaluation pull against each other by their last digits. The mean squared error s,
the variance V, the bias b and the shares R = 1 - R² and E = 1 - EV obey s = R V and s - b² = E V: their intervals are
narrowed by these two equations (interval constraint propagation, Davis 1987), then each in turn is set to the middle of
what is left to it, for the fit to aim at.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from scoreproof.kinds.regression.cases import Cases, measures
from scoreproof.kinds.regression.problem import RegressionProblem
from scoreproof.solve.local_search import means_and_variances

Ends = tuple[float, float]
_USUAL_SHARE = 0.5  # of the variance that is left over, where nothing is said
_SHARES = ("r2", "adjusted_r2", "ev")
_SIZES = ("mae", "mse", "rmse", "maxe", "medae")
_UNEVEN = (0.1, 0.3, 1.0, 2.0)  # how different folds are, in logarithms
_STEP = 1e-30  # of an imaginary part


def of_sums(problem: RegressionProblem, names: Sequence[str]) -> Callable[[Any], tuple[Any, Any]]:
    """Measures by name and their derivatives, as a function of the sums of ``measures`` over one case, by fold."""
    import numpy as np

    def named(sums: Any) -> Any:
        values = measures(1, *sums)
        values["adjusted_r2"] = 1 - (1 - values["r2"]) * float(problem.adjustment)
        for name in ("rmse", "r"):
            sign = np.sign(values[name].real)
            values[name] = sign * np.sqrt(sign * values[name])
        return np.array([values[name] for name in names])

    def derived(sums: Any) -> tuple[Any, Any]:
        moved = named(sums[:, None] + 1j * _STEP * np.eye(len(sums))[:, :, None])
        return moved[:, 0].real, moved.imag / _STEP

    return derived


class Evaluation:
    """Groups of cases in folds: values are the errors, then the true values, of the first fold, of the second, ..."""

    def __init__(
        self, problem: RegressionProblem, names: Sequence[str], counts: Sequence[int], folds: Sequence[int]
    ) -> None:
        import numpy as np

        self.problem, self.counts, self.folds, self.names = problem, list(counts), list(folds), list(names)
        self.shares, self.weights = np.array(counts) / sum(counts), np.array(folds) / sum(folds)
        own = {claim.quantity.name for claim in problem.deviating}
        self.deviating = [row for row, name in enumerate(names) if name in own]
        self.of_sums = of_sums(problem, names)
        self.scales: Any = 1.0  # of the values; set by a guess

    def guess(self, rng: Any, shape: float) -> Any:
        """Errors of about the claimed size, and true values of about the claimed variance."""
        import numpy as np

        middles = {name: float(sum(span)) / 2 for name, span in self.problem.spans.items()}
        size, spread = _first_moments(middles)
        width, folds = len(self.counts), len(self.folds)
        uneven = 0.0 if folds == 1 else rng.choice(self._uneven(middles))
        normal = rng.normal(size=(folds, 2, width))
        errors = np.sign(normal[:, 0]) * abs(normal[:, 0]) ** shape
        errors *= size / np.sqrt((errors * errors * self.shares).sum(axis=1, keepdims=True) + 1e-300)
        errors *= np.exp(uneven * rng.normal(size=(folds, 1)))
        errors += min(max(middles.get("bias", 0.0), -size), size)
        factors = np.exp(uneven * rng.normal(size=(folds, 1)))
        along = _along(middles, size, spread, rng)
        across = math.sqrt(max(spread * spread - (along * size) ** 2, 0.0))
        true = factors * (across * normal[:, 1] + along * errors)
        self.scales = np.repeat(
            [[abs(each).max() + 1e-300 for each in pair] for pair in zip(errors, true, strict=True)], width
        )
        return np.stack([errors, true], axis=1).ravel() / self.scales

    def _uneven(self, middles: dict[str, float]) -> list[float]:
        """How different folds may be, in logarithms: as a ± or the squares beside the roots say, or in any way."""
        shares = []
        for claim in self.problem.claims:
            variance, middle = self.problem.variance(claim), abs(middles[claim.quantity.name])
            if variance is not None and middle and claim.quantity.name in _SIZES:
                shares.append(math.sqrt(float(sum(variance)) / 2) / middle)
        if middles.get("rmse") and "mse" in middles:
            shares.append(math.sqrt(max(middles["mse"] / middles["rmse"] ** 2 - 1, 0.0)))
        if not shares:
            return list(_UNEVEN)
        return [factor * min(sorted(shares)[len(shares) // 2], 3.0) for factor in (0.3, 1.0, 1.5)]

    def cases(self, values: Sequence[Fraction]) -> Cases:
        """Cases of these errors and true values."""
        width = len(self.counts)
        folds = []
        for place, count in enumerate(self.folds):
            errors = values[2 * width * place : 2 * width * place + width]
            true = values[2 * width * place + width : 2 * width * (place + 1)]
            folds.append((count, tuple((k, y, y - e) for k, e, y in zip(self.counts, errors, true, strict=True))))
        return Cases(tuple(folds))

    def measure(self, flat: Any) -> tuple[Any, Any]:
        """Means of the claimed measures over the folds, then the claimed variances, each with its derivatives."""
        import numpy as np

        number, width, w = len(self.folds), len(self.counts), self.shares
        errors, true = np.moveaxis((flat * self.scales).reshape(number, 2, width), 1, 0)
        sizes, signs = abs(errors), np.sign(errors)
        order = np.argsort(sizes, axis=1, kind="stable")
        passed, cases = np.cumsum(np.array(self.counts)[order], axis=1), sum(self.counts)
        rows, every = np.arange(number), np.eye(width)
        largest = every[order[:, -1]]
        middle = sum(every[order[rows, (passed > at).argmax(axis=1)]] for at in ((cases - 1) // 2, cases // 2)) / 2
        none, even = np.zeros_like(errors), np.broadcast_to(w, errors.shape)
        by_errors = np.array([w * signs, largest * signs, middle * signs, even, 2 * w * errors, none, none, w * true])
        by_true = np.array([none, none, none, none, none, even, 2 * w * true, w * errors])
        sums = [sizes @ w, (largest * sizes).sum(axis=1), (middle * sizes).sum(axis=1), errors @ w]
        sums += [(errors * errors) @ w, true @ w, (true * true) @ w, (true * errors) @ w]
        values, partials = self.of_sums(np.array(sums))
        slopes = np.einsum("nkf,kfw->nfw", partials, np.concatenate([by_errors, by_true], axis=2))
        return means_and_variances(
            values, slopes * self.scales.reshape(number, 2 * width), self.weights, self.deviating
        )


def _first_moments(middles: dict[str, float]) -> tuple[float, float]:
    """About the root of the mean squared error, and of the variance of the true values."""
    explained = [middles[name] for name in _SHARES if name in middles]
    explained += [middles["r"] ** 2] if "r" in middles else []
    left = max(1 - explained[0], 1e-9) if explained else _USUAL_SHARE
    variance = max(middles.get("variance", 0.0), 0.0)
    sizes = [middles.get("rmse"), math.sqrt(max(middles.get("mse", 0.0), 0.0)), 1.25 * middles.get("mae", 0.0)]
    sizes += [1.5 * middles.get("medae", 0.0), middles.get("maxe", 0.0) / 3, math.sqrt(left * variance)]
    size = next(filter(None, [*sizes, 2 * abs(middles.get("bias", 0.0))]), 1.0)
    return size, math.sqrt(variance or size * size / left)


def _along(middles: dict[str, float], size: float, spread: float, rng: Any) -> float:
    """How much of the errors is in the true values, for the claimed correlation.

    With variances V of the true values and S = s V of the errors, and C their covariance over V, the correlation with
    the predictions has (1 - C)² = r² (1 - 2 C + s).
    """
    if "r" not in middles or not spread:
        return 0.0
    left = size * size - min(abs(middles.get("bias", 0.0)), size) ** 2
    share, square = max(left, 1e-6 * size * size) / spread**2, middles["r"] ** 2
    root = math.sqrt(square * max(square - 1 + share, 0.0))
    fitting = [each for each in (1 - square - root, 1 - square + root) if (each < 1) == (middles["r"] > 0)]
    return float(rng.choice(fitting)) / share if fitting and share else 0.0


_ROUNDS = 12
_ANY: Ends = (0.0, math.inf)
_KEPT = 0.02  # of the room of the most precise claim, around the places chosen for all


def targets(problem: RegressionProblem) -> dict[str, Ends]:
    """The quantities to fit, and between which ends each is aimed at."""
    claimed = {name: (float(low), float(high)) for name, (low, high) in problem.spans.items()}
    if problem.experiment.folds is not None:
        return claimed
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
    return aims


def _met(own: Ends, other: Ends) -> Ends:
    """What two intervals share; the first where they do not meet."""
    low, high = max(own[0], other[0]), min(own[1], other[1])
    return (low, high) if low <= high else own


class _Linked:
    """Intervals of s, V, R, E and b², narrowed by s = R V and s - b² = E V."""

    def __init__(self, problem: RegressionProblem, claimed: Mapping[str, Ends]) -> None:
        self.needs_variance = any(name in claimed for name in ("variance", "r", *_SHARES))
        square = claimed.get("mse", _ANY)
        if "rmse" in claimed:
            square = _met(square, (claimed["rmse"][0] ** 2, claimed["rmse"][1] ** 2))
        left = (1 - claimed["r2"][1], 1 - claimed["r2"][0]) if "r2" in claimed else _ANY
        if "adjusted_r2" in claimed:
            low, high = ((1 - end) / float(problem.adjustment) for end in reversed(claimed["adjusted_r2"]))
            left = _met(left, (low, high))
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
