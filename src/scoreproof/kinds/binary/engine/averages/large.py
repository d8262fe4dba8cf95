"""Means over sets too large to list their points: images with millions of pixels.

Only the means are refuted here; deviations, extremes and ranges count when a witness is judged. Scores that are 0/0 on
every matrix of a set (it lacks a class) make cases, as on totals.

The relaxation generates its columns: the point of each set that the current prices value most is found by zooming into
a grid of rates. If the relaxation is infeasible its prices are the proof, which the verifier checks by halving
rectangles of monotone scores; no list of points is needed. A witness comes from least squares on the rates, rounded to
whole counts and judged exactly.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoreproof.kinds.binary.engine.averages.blocks import Treatments, cases, mean_weights
from scoreproof.kinds.binary.engine.averages.multipliers import as_integers
from scoreproof.kinds.binary.engine.averages.rates import RateFit, score_values
from scoreproof.kinds.binary.engine.averages.relaxation import Program
from scoreproof.kinds.binary.engine.averages.targets import Demand, Target, left_out, treatments
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.reported.conventions import Undefined
from scoreproof.work.budget import Budget, OutOfTime

Floats = NDArray[np.float64]
_GRID = 41
_ZOOMS = 5
_ROUNDS = 80
_ATTEMPTS = 1000
_MOST_HOLES = 33  # ways to leave scores out at one corner
_PRICED = 2e-5  # seconds of a score on the points of a grid


@dataclass(slots=True)
class LargeOutcome:
    witness: tuple[ConfusionMatrix, ...] | None = None
    cases: list[dict[str, Any]] | None = None  # treatments of 0/0, and the multipliers that refute them
    reason: str = ""


def applies(demand: Demand) -> bool:
    """Whether this engine can say anything: class counts are known, and some mean is reported."""
    return not demand.form.families and any(target.mean is not None for target in demand.targets)


class _Sets:
    """The evaluation sets as arrays, alike ones together; what each weighs in the mean of each target."""

    def __init__(self, demand: Demand, treatment: Treatments) -> None:
        targets = [target for target in demand.targets if target.mean is not None]
        each = [mean_weights(demand, target.score, treatment) for target in targets]
        kinds: dict[Any, list[int]] = {}
        for index, one in enumerate(demand.form.sets):
            key = (one.p, one.n, tuple(mine.get(index, Fraction(0)) for mine in each))
            kinds.setdefault(key, []).append(index)
        self.members = list(kinds.values())
        self.p = np.array([key[0] for key in kinds], dtype=np.float64)
        self.n = np.array([key[1] for key in kinds], dtype=np.float64)
        self.weight = np.array([[float(share) for share in key[2]] for key in kinds])  # kinds x targets
        self.count = [len(members) for members in self.members]

    def shares(self, sets: int) -> Floats:
        """Targets x sets."""
        shares = np.zeros((self.weight.shape[1], sets))
        for kind, members in zip(self.weight, self.members, strict=True):
            shares[:, members] = kind[:, None]
        return shares


def decide_large(demand: Demand, deadline: Budget, *, seed: int = 0) -> LargeOutcome:
    """Refutations of all cases by the relaxation, a witness by least squares, or neither in time."""
    refuted: list[dict[str, Any]] = []
    reasons = []
    every = list(cases(demand))
    for number, treatment in enumerate(every):
        outcome = _decide_case(demand, treatment, deadline.part(1 / (len(every) - number)), seed)
        if outcome.witness is not None:
            return outcome
        if outcome.cases is None:
            reasons.append(outcome.reason)
        else:
            refuted += outcome.cases
    if reasons:
        return LargeOutcome(reason=f"{reasons[0]} within {deadline.seconds:.3g} s")
    return LargeOutcome(cases=refuted)


def _decide_case(demand: Demand, treatment: Treatments, deadline: Budget, seed: int) -> LargeOutcome:
    means = [target for target in demand.targets if target.mean is not None]
    bounded = [target for target in means if None not in target.score.range]
    sets = _Sets(demand, treatment)
    columns = [means.index(target) for target in bounded]
    relaxed = _relax(demand, sets, bounded, columns, deadline) if bounded else _Relaxed()
    if relaxed.prices is not None:

        def multipliers(whole: list[int]) -> list[int]:
            found = dict(zip(columns, whole, strict=True))
            return [found.get(place, 0) for place in range(len(means))]

        plain = multipliers(as_integers(relaxed.prices))
        case: dict[str, Any] = {"treatments": treatment, "multipliers": plain, "left_out": None}
        if not _can_leave_out(demand, means):
            return LargeOutcome(cases=[case])
        other = _relax(demand, sets, bounded, columns, deadline, leaving=True)
        if other.prices is not None:
            *whole, bonus = as_integers(other.prices)
            case["left_out"] = {"multipliers": multipliers(whole), "bonus": max(0, bonus)}
            return LargeOutcome(cases=[case])
        relaxed = other
    witness = _round_rates(demand, sets, relaxed, np.random.default_rng(seed), deadline)
    if witness is not None:
        return LargeOutcome(witness)
    state = "feasible" if relaxed.points else "not settled"
    return LargeOutcome(reason=f"the relaxation of the means is {state}, and no witness was found")


@dataclass(slots=True)
class _Relaxed:
    """Prices under which no choice reaches what the report requires, or the points of a relaxed solution by set."""

    prices: Floats | None = None
    points: dict[int, list[tuple[float, float, float]]] = field(default_factory=dict)  # share, sens, spec


def _relax(
    demand: Demand,
    sets: _Sets,
    targets: list[Target],
    columns: list[int],
    deadline: Budget,
    *,
    leaving: bool = False,
) -> _Relaxed:
    """Solve the relaxation by generating columns.

    A mean over the sets that count lies in [low, high] if the sum of weighted f - low is not negative and that of
    f - high not positive: two rows a score. With ``leaving``, a matrix on which scores are 0/0 is also a column without
    these, and at least one set is on such a column: one more row.
    """
    weight = sets.weight[:, columns]
    owner: list[tuple[int, float, float]] = []
    low, high = (np.array([float(t.mean[side]) for t in targets if t.mean]) for side in (0, 1))
    count = len(targets)
    below = np.concatenate([np.repeat([0.0, -np.inf], count), [1.0] * leaving])
    above = np.concatenate([np.repeat([np.inf, 0.0], count), [np.inf] * leaving])
    rows = len(below)
    program = Program(below, above, sets.count)

    def add(at: list[int], tp: list[float], tn: list[float], left_out: list[NDArray[np.bool_]] | None = None) -> None:
        fresh = []
        for number, (k, x, y) in enumerate(zip(at, tp, tn, strict=True)):
            value = np.array([score_values(t, np.array([x]), np.array([y]), sets.p[k], sets.n[k])[0] for t in targets])
            mine = weight[k] if left_out is None else np.where(left_out[number], 0.0, weight[k])
            extra = [float(left_out is not None)] * leaving
            fresh.append(np.concatenate([(value - low) * mine, (value - high) * mine, extra]))
        program.add([rows + k for k in at], fresh)
        owner.extend((k, x / max(sets.p[k], 1), y / max(sets.n[k], 1)) for k, x, y in zip(at, tp, tn, strict=True))

    everyone = list(range(len(sets.p)))
    for a in (0.05, 0.5, 0.8, 0.97):
        for b in (0.05, 0.8, 0.97):
            add(everyone, [float(np.rint(a * p)) for p in sets.p], [float(np.rint(b * n)) for n in sets.n])
    bonus = 0.0
    if leaving:
        _add_holes(demand, sets, targets, add)
    for _ in range(_ROUNDS):
        cost, prices = program.solve()
        if cost < 1e-9:
            points: dict[int, list[tuple[float, float, float]]] = {}
            for (k, sens, spec), share in zip(owner, program.shares(), strict=True):
                if share > 1e-9:
                    points.setdefault(k, []).append((share, sens, spec))
            return _Relaxed(points=points)
        deadline.charge(_PRICED * _ZOOMS * len(sets.p) * len(targets))
        if deadline.passed:
            break
        y = prices[:count] + prices[count : 2 * count]
        bonus = float(prices[2 * count]) if leaving else 0.0
        found = np.append(y, bonus) if leaving else y
        ends = np.where(y > 0, low, high)
        best, tp, tn = _price(sets, targets, weight * y)
        best = best - (weight * y) @ ends
        better = [k for k in everyone if best[k] + prices[rows + k] > 1e-9]
        # what the columns together reach at most: those priced now, and with holes those already there
        most = -prices[rows:] if leaving else best
        reach = float((most * np.array(sets.count)).sum())
        if reach < bonus - 1e-9 * float(np.abs(found).sum()) and not (leaving and better):
            return _Relaxed(found)
        if not better:
            return _Relaxed(found if reach < bonus else None)
        add(better, [float(tp[k]) for k in better], [float(tn[k]) for k in better])
    return _Relaxed()


def _add_holes(demand: Demand, sets: _Sets, targets: list[Target], add: Any) -> None:
    """Columns for the matrices on which a score is 0/0 and may be left out: corners of the grid."""
    for k, (p, n) in enumerate(zip(sets.p, sets.n, strict=True)):
        for tp, tn in ((0.0, 0.0), (0.0, n), (p, 0.0), (p, n)):
            if p and n:
                options = [(False, True) if _may_be_left_out(demand, t, tp, tn, p, n) else (False,) for t in targets]
                for out in islice(product(*options), 1, _MOST_HOLES):
                    add([k], [tp], [tn], [np.array(out)])


def _can_leave_out(demand: Demand, targets: list[Target]) -> bool:
    """Whether some score may be left out on some matrix of a set."""
    if demand.undefined not in (Undefined.ANY, Undefined.SKIP):
        return False
    return any(
        0 in (one.p, one.n) or _may_be_left_out(demand, target, tp, tn, one.p, one.n)
        for one in set(demand.form.sets)
        for target in targets
        for tp, tn in ((0, 0), (0, one.n), (one.p, 0), (one.p, one.n))
    )


def _may_be_left_out(demand: Demand, target: Target, tp: float, tn: float, p: float, n: float) -> bool:
    ways = treatments(target.score, demand.undefined)
    undefined = "skip" in ways and target.score.ratio(tp, n - tn, p - tp, tn)[1] == 0
    return bool(undefined) or any(left_out(target.score, way, int(tp), int(tn)) for way in ways)


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


def _price(sets: _Sets, targets: list[Target], prices: Floats) -> tuple[Floats, Floats, Floats]:
    """For every set the point that its prices (kinds x targets) value most, by zooming into a grid of rates."""
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
        for price, target in zip(prices.T, targets, strict=True):
            if price.any():
                total += price[:, None, None] * score_values(
                    target, tp, tn, sets.p[:, None, None], sets.n[:, None, None]
                )
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


def _round_rates(
    demand: Demand, kinds: _Sets, relaxed: _Relaxed, rng: np.random.Generator, deadline: Budget
) -> tuple[ConfusionMatrix, ...] | None:
    """Rates of all sets that meet the means, from several starts; rounded and judged exactly."""
    fit = RateFit(demand, kinds.shares(len(demand.form.sets)))
    attempt = 0
    while not deadline.passed and attempt < _ATTEMPTS:
        try:
            rates, off = fit.solve(rng, attempt, _start(kinds, relaxed, attempt, fit.sets), deadline)
        except OutOfTime:
            return None
        attempt += 1
        if off < 0.95:
            witness = fit.rounded(rates)
            if demand.fits(witness):
                return witness
    return None
