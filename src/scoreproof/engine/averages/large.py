"""Means over sets too large to list their points: images with millions of pixels.

The relaxation generates its columns: the point of each set that the current prices value most is found by zooming into
a grid of rates. If the relaxation is infeasible its prices are the proof, which the verifier checks by halving
rectangles of monotone scores; no list of points is needed. A witness comes from least squares on the rates, rounded to
whole counts and judged exactly.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoreproof.engine.averages.multipliers import as_integers
from scoreproof.engine.averages.relaxation import Program
from scoreproof.engine.averages.targets import Demand, Target
from scoreproof.scores import ConfusionMatrix

Floats = NDArray[np.float64]
_GRID = 41
_ZOOMS = 5
_ROUNDS = 80
_STEP = 1e-6  # of a rate


@dataclass(slots=True)
class Outcome:
    witness: tuple[ConfusionMatrix, ...] | None = None
    multipliers: list[int] | None = None
    reason: str = ""


def applies(demand: Demand) -> bool:
    """Whether this engine can say anything: known class counts, means only."""
    return (
        not demand.form.families
        and not demand.bounds
        and all(t.mean is not None and t.variance is None for t in demand.targets)
        and all(t.minimum is None and t.maximum is None for t in demand.targets)
    )


class _Sets:
    """The evaluation sets as arrays, alike ones together."""

    def __init__(self, demand: Demand) -> None:
        kinds: dict[tuple[int, int, Any], list[int]] = {}
        for index, one in enumerate(demand.form.sets):
            kinds.setdefault((one.p, one.n, one.weight), []).append(index)
        self.members = list(kinds.values())
        self.p = np.array([key[0] for key in kinds], dtype=np.float64)
        self.n = np.array([key[1] for key in kinds], dtype=np.float64)
        self.weight = np.array([float(key[2]) for key in kinds])
        self.count = [len(members) for members in self.members]


def decide_large(demand: Demand, *, budget: float, seed: int = 0) -> Outcome:
    """A refutation by the relaxation, a witness by least squares, or neither within the budget."""
    start = time.monotonic()
    bounded = [t for t in demand.targets if None not in t.score.range]
    sets = _Sets(demand)
    relaxed = _relax(sets, bounded, start + budget) if bounded else _Relaxed()
    if relaxed.prices is not None:
        multipliers = dict(zip((t.score.name for t in bounded), as_integers(relaxed.prices), strict=True))
        return Outcome(multipliers=[multipliers.get(t.score.name, 0) for t in demand.targets])
    witness = _least_squares(demand, sets, relaxed, np.random.default_rng(seed), start + budget)
    if witness is not None:
        return Outcome(witness)
    state = "feasible" if relaxed.points else "not settled"
    return Outcome(reason=f"the relaxation is {state}, and no witness was found within {budget:g} s")


def _values(target: Target, tp: Floats, tn: Floats, p: Any, n: Any) -> Floats:
    values = target.score.values(tp, n - tn, p - tp, tn)
    return np.nan_to_num(values, nan=0.0)


@dataclass(slots=True)
class _Relaxed:
    """Prices under which no choice reaches what the report requires, or the points of a relaxed solution by set."""

    prices: Floats | None = None
    points: dict[int, list[tuple[float, float, float]]] = field(default_factory=dict)  # share, sens, spec


def _relax(sets: _Sets, targets: list[Target], deadline: float) -> _Relaxed:
    """Solve the relaxation by generating columns."""
    owner: list[tuple[int, float, float]] = []
    low, high = (np.array([float(t.mean[side]) for t in targets if t.mean]) for side in (0, 1))
    program = Program(low, high, sets.count)

    def add(at: list[int], tp: list[float], tn: list[float]) -> None:
        columns = [
            np.array([_values(t, np.array([x]), np.array([y]), sets.p[k], sets.n[k])[0] for t in targets])
            * sets.weight[k]
            for k, x, y in zip(at, tp, tn, strict=True)
        ]
        program.add([len(targets) + k for k in at], columns)
        owner.extend((k, x / max(sets.p[k], 1), y / max(sets.n[k], 1)) for k, x, y in zip(at, tp, tn, strict=True))

    everyone = list(range(len(sets.p)))
    for a in (0.05, 0.5, 0.8, 0.97):
        for b in (0.05, 0.8, 0.97):
            add(everyone, [float(np.rint(a * p)) for p in sets.p], [float(np.rint(b * n)) for n in sets.n])
    for _ in range(_ROUNDS):
        cost, prices = program.solve()
        if cost < 1e-9:
            points: dict[int, list[tuple[float, float, float]]] = {}
            for (k, sens, spec), share in zip(owner, program.shares(), strict=True):
                if share > 1e-9:
                    points.setdefault(k, []).append((share, sens, spec))
            return _Relaxed(points=points)
        if time.monotonic() > deadline:
            break
        y = prices[: len(targets)]
        best, tp, tn = _price(sets, targets, y)
        reach = float((best * sets.weight * np.array(sets.count)).sum())
        need = float(np.where(y > 0, y * low, y * high).sum())
        if reach < need - 1e-9 * float(np.abs(y).sum()):
            return _Relaxed(y)
        better = [k for k in everyone if best[k] * sets.weight[k] + prices[len(targets) + k] > 1e-9]
        if not better:
            return _Relaxed(y if reach < need else None)
        add(better, [float(tp[k]) for k in better], [float(tn[k]) for k in better])
    return _Relaxed()


def _start(sets: _Sets, relaxed: _Relaxed, attempt: int, total: int) -> Floats | None:
    """Rates to begin with from a relaxed solution: each set where most of it is, or at the average of where it is."""
    if not relaxed.points or attempt > 1:
        return None
    rates = np.empty((2, total))
    for k, members in enumerate(sets.members):
        points = sorted(relaxed.points[k], reverse=True)
        shares = np.array([share for share, _, _ in points])
        for at, index in enumerate(members):
            if attempt == 0:
                upto = np.cumsum(shares)
                one = points[int(np.searchsorted(upto, (at + 0.5) / len(members) * upto[-1]))]
                rates[:, index] = one[1:]
            else:
                rates[:, index] = [
                    float(np.average([point[axis] for point in points], weights=shares)) for axis in (1, 2)
                ]
    return rates.ravel()


def _price(sets: _Sets, targets: list[Target], y: Floats) -> tuple[Floats, Floats, Floats]:
    """For every set the point where y . scores is largest, by zooming into a grid of rates."""
    kinds = len(sets.p)
    low = np.zeros((kinds, 2))
    high = np.ones((kinds, 2))
    steps = np.linspace(0.0, 1.0, _GRID)
    best = np.full(kinds, -np.inf)
    point = np.zeros((kinds, 2))
    for _ in range(_ZOOMS):
        rates = low[:, :, None] + (high - low)[:, :, None] * steps
        tp = np.rint(rates[:, 0, :, None] * sets.p[:, None, None]) + np.zeros((1, 1, _GRID))
        tn = np.rint(rates[:, 1, None, :] * sets.n[:, None, None]) + np.zeros((1, _GRID, 1))
        total = np.zeros(tp.shape)
        for price, target in zip(y, targets, strict=True):
            if price:
                total += price * _values(target, tp, tn, sets.p[:, None, None], sets.n[:, None, None])
        flat = total.reshape(kinds, -1)
        at = flat.argmax(axis=1)
        value = flat[np.arange(kinds), at]
        here = np.stack(
            [tp.reshape(kinds, -1)[np.arange(kinds), at], tn.reshape(kinds, -1)[np.arange(kinds), at]], axis=1
        )
        improved = value > best
        best[improved], point[improved] = value[improved], here[improved]
        centre = point / np.stack([sets.p, sets.n], axis=1).clip(1)
        width = (high - low) / _GRID * 2
        low, high = np.clip(centre - width, 0, 1), np.clip(centre + width, 0, 1)
    return best, point[:, 0], point[:, 1]


def _least_squares(
    demand: Demand, kinds: _Sets, relaxed: _Relaxed, rng: np.random.Generator, deadline: float
) -> tuple[ConfusionMatrix, ...] | None:
    """Rates of all sets that meet the means, from several starts; rounded and judged exactly."""
    from scipy.optimize import least_squares

    form = demand.form
    p = np.array([one.p for one in form.sets], dtype=np.float64)
    n = np.array([one.n for one in form.sets], dtype=np.float64)
    weight = np.array([float(one.weight) for one in form.sets])
    targets = [t for t in demand.targets if t.mean is not None]
    centre = np.array([float(t.mean[0] + t.mean[1]) / 2 for t in targets if t.mean])
    width = np.array([max(float(t.mean[1] - t.mean[0]) / 2, 1e-12) for t in targets if t.mean])
    middle = {t.score.name: c for t, c in zip(targets, centre, strict=True)}
    sets = len(p)

    def residuals(x: Floats) -> Floats:
        tp, tn = x[:sets] * p, x[sets:] * n
        means = [float((weight * _values(t, tp, tn, p, n)).sum()) for t in targets]
        off: Floats = (np.array(means) - centre) / width
        return off

    def slopes(x: Floats) -> Floats:
        """Each mean changes with each set's own rates only, so one difference per axis gives all of them."""
        rows = []
        for t, scale in zip(targets, width, strict=True):
            here = _values(t, x[:sets] * p, x[sets:] * n, p, n)
            east = _values(t, (x[:sets] - _STEP) * p, x[sets:] * n, p, n)
            north = _values(t, x[:sets] * p, (x[sets:] - _STEP) * n, p, n)
            rows.append(np.concatenate([(here - east) * weight, (here - north) * weight]) / _STEP / scale)
        return np.array(rows)

    attempt = 0
    while time.monotonic() < deadline and attempt < 1000:
        spread = 0.02 * (1 + attempt)
        first = rng.normal(middle.get("sens", rng.uniform(0.3, 0.95)), spread, sets)
        second = rng.normal(middle.get("spec", rng.uniform(0.5, 0.98)), spread / 2, sets)
        guess = _start(kinds, relaxed, attempt, sets)
        guess = np.clip(np.concatenate([first, second]) if guess is None else guess, 1e-3, 1 - 1e-3)
        found = least_squares(residuals, guess, jac=slopes, bounds=(0, 1), xtol=1e-14, ftol=1e-14, max_nfev=100)
        attempt += 1
        if np.abs(found.fun).max() < 0.95:
            tp, tn = np.rint(found.x[:sets] * p).astype(int), np.rint(found.x[sets:] * n).astype(int)
            witness = tuple(
                ConfusionMatrix(int(a), one.n - int(b), one.p - int(a), int(b))
                for one, a, b in zip(form.sets, tp, tn, strict=True)
            )
            if demand.fits(witness):
                return witness
    return None
