"""Rates that meet reported means: a continuous guess at the counts, to be rounded and judged."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoreproof.kinds.binary.engine.averages.targets import Demand, Target
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.work.budget import NEVER, Budget

Floats = NDArray[np.float64]
_STEP = 1e-6  # of a rate, for slopes
_STEPS = 100
_CLOSE = 1e-3  # half-widths from the middle of every interval
_EDGE = 0.003  # how far a rate at 0 or 1 may move
_FAR = 0.9  # of the way to 0 or 1 in one step
_DAMPING, _HEAVY, _TINY = 1e-3, 1e9, 1e-30
_STEP = 4e-4  # seconds


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
        """How far the means are off, in half-widths of their intervals."""
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
        step = np.where(x > 0.5, -_STEP, _STEP)  # inwards
        moved = x + step
        for t, scale, weight in zip(self._targets, self._width, self._weight, strict=True):
            here = score_values(t, x[:k] * p, x[k:] * n, p, n)
            east = score_values(t, moved[:k] * p, x[k:] * n, p, n)
            north = score_values(t, x[:k] * p, moved[k:] * n, p, n)
            rows.append(np.concatenate([(east - here) * weight, (north - here) * weight]) / step / scale)
        return np.array(rows)

    def solve(
        self, rng: np.random.Generator, attempt: int, guess: Floats | None = None, deadline: Budget = NEVER
    ) -> tuple[Floats, float]:
        """Rates from a guess (or a random start, wider with every attempt), and the largest miss in half-widths.

        Damped Gauss-Newton. There are many rates and few means, so the smallest step that mends the means is found from
        a system as small as the means are many: no decomposition of long matrices, which threaded libraries can make
        forty times slower than they are. Rates near 0 or 1 are moved less, so that they stay inside.
        """
        if guess is None:
            guess = self._random_start(rng, attempt)
        rates = np.clip(guess, 1e-3, 1 - 1e-3)
        off = self._means(rates)
        damping = _DAMPING
        for _ in range(_STEPS):
            if np.abs(off).max() < _CLOSE:
                break
            deadline.tick()
            room = np.minimum(rates, 1 - rates) + _EDGE
            slopes = self._slopes(rates) * room
            square = slopes @ slopes.T
            scale = float(np.trace(square)) / len(square)
            while damping < _HEAVY:
                deadline.charge(_STEP)
                deadline.tick()
                pull = _solved(square, damping * scale + _TINY, off)
                moved = np.clip(rates - np.clip(room * (pull @ slopes), -_FAR * room, _FAR * room), 0, 1)
                there = self._means(moved)
                if float(there @ there) < float(off @ off):
                    break
                damping *= 8
            else:
                break  # no step helps
            rates, off = moved, there
            damping = max(damping / 5, 1e-12)
        return rates, float(np.abs(off).max())

    def _random_start(self, rng: np.random.Generator, attempt: int) -> Floats:
        middle = {t.score.name: c for t, c in zip(self._targets, self._centre, strict=True)}
        spread = 0.02 * (1 + attempt % 10)
        first = rng.normal(middle.get("sens", rng.uniform(0.3, 0.95)), spread, self.sets)
        second = rng.normal(middle.get("spec", rng.uniform(0.5, 0.98)), spread / 2, self.sets)
        return np.concatenate([first, second])

    def rounded(self, rates: Floats) -> tuple[ConfusionMatrix, ...]:
        """The matrices whose counts are nearest to the rates."""
        tp = np.rint(rates[: self.sets] * self._p).astype(int)
        tn = np.rint(rates[self.sets :] * self._n).astype(int)
        return tuple(
            ConfusionMatrix(int(a), one.n - int(b), one.p - int(a), int(b))
            for one, a, b in zip(self._demand.form.sets, tp, tn, strict=True)
        )


def _solved(square: Floats, damping: float, right: Floats) -> Floats:
    """The solution of a damped system; nothing to go by where it has none."""
    try:
        return np.asarray(np.linalg.solve(square + damping * np.eye(len(square)), right), dtype=np.float64)
    except np.linalg.LinAlgError:
        return np.zeros_like(right)
