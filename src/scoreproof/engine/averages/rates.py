"""Rates that meet reported means, by least squares: a continuous guess at the counts, to be rounded and judged."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoreproof.engine.averages.targets import Demand, Target
from scoreproof.scores import ConfusionMatrix

Floats = NDArray[np.float64]
_STEP = 1e-6  # of a rate, for slopes


def score_values(target: Target, tp: Floats, tn: Floats, p: Any, n: Any) -> Floats:
    """Float values of a target's score, 0 where it is undefined."""
    return np.nan_to_num(target.score.values(tp, n - tn, p - tp, tn), nan=0.0)


class RateFit:
    """Sensitivity and specificity of every set as unknowns, the reported means as equations."""

    def __init__(self, demand: Demand, shares: Floats | None = None) -> None:
        """``shares`` holds what each set weighs in the mean of each target, if not the same in all."""
        self._demand = demand
        sets = demand.form.sets
        self.sets = len(sets)
        self._p = np.array([one.p for one in sets], dtype=np.float64)
        self._n = np.array([one.n for one in sets], dtype=np.float64)
        self._targets = [t for t in demand.targets if t.mean is not None]
        even = np.array([float(one.weight) for one in sets])
        self._weight = np.broadcast_to(even, (len(self._targets), len(sets))) if shares is None else shares
        means = [t.mean for t in self._targets if t.mean is not None]
        self._centre = np.array([float(low + high) / 2 for low, high in means])
        self._width = np.array([max(float(high - low) / 2, 1e-12) for low, high in means])

    def _means(self, x: Floats) -> Floats:
        tp, tn = x[: self.sets] * self._p, x[self.sets :] * self._n
        means = [
            float((weight * score_values(t, tp, tn, self._p, self._n)).sum())
            for t, weight in zip(self._targets, self._weight, strict=True)
        ]
        off: Floats = (np.array(means) - self._centre) / self._width
        return off

    def _slopes(self, x: Floats) -> Floats:
        """Each mean changes with each set's own rates only, so one difference per axis gives all of them."""
        rows = []
        p, n, k = self._p, self._n, self.sets
        for t, scale, weight in zip(self._targets, self._width, self._weight, strict=True):
            here = score_values(t, x[:k] * p, x[k:] * n, p, n)
            east = score_values(t, (x[:k] - _STEP) * p, x[k:] * n, p, n)
            north = score_values(t, x[:k] * p, (x[k:] - _STEP) * n, p, n)
            rows.append(np.concatenate([(here - east) * weight, (here - north) * weight]) / _STEP / scale)
        return np.array(rows)

    def solve(self, rng: np.random.Generator, attempt: int, guess: Floats | None = None) -> tuple[Floats, float]:
        """Rates from a guess (or a random start, wider with every attempt), and the largest miss in half-widths."""
        from scipy.optimize import least_squares

        if guess is None:
            middle = {t.score.name: c for t, c in zip(self._targets, self._centre, strict=True)}
            spread = 0.02 * (1 + attempt % 10)
            first = rng.normal(middle.get("sens", rng.uniform(0.3, 0.95)), spread, self.sets)
            second = rng.normal(middle.get("spec", rng.uniform(0.5, 0.98)), spread / 2, self.sets)
            guess = np.concatenate([first, second])
        start = np.clip(guess, 1e-3, 1 - 1e-3)
        found = least_squares(self._means, start, jac=self._slopes, bounds=(0, 1), xtol=1e-14, ftol=1e-14, max_nfev=100)
        return np.asarray(found.x), float(np.abs(found.fun).max())

    def rounded(self, rates: Floats) -> tuple[ConfusionMatrix, ...]:
        """The matrices whose counts are nearest to the rates."""
        tp = np.rint(rates[: self.sets] * self._p).astype(int)
        tn = np.rint(rates[self.sets :] * self._n).astype(int)
        return tuple(
            ConfusionMatrix(int(a), one.n - int(b), one.p - int(a), int(b))
            for one, a, b in zip(self._demand.form.sets, tp, tn, strict=True)
        )
