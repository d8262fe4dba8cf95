"""Counts of points by maximum entropy (Jaynes 1957), rounded to the nearest plane (Babai 1986, doi:10.1007/BF02579403).

How many of the sets take each point makes all sums linear in whole numbers.

The shares of points of greatest entropy that meet the sums come first (doi:10.1103/PhysRev.106.620; Newton's method on
as many unknowns as there are sums): those of a base distribution, tilted exponentially by what a point contributes to
the sums. Then come whole numbers near them, by nearest plane in a reduced basis of the lattice of counts, the sums
weighted by their widths. Folds of unknown classes are taken together and dealt to their data sets afterwards, by
exchanges of folds of one size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoreproof.arrays import Floats, Ints
from scoreproof.kinds.binary.engine.averages.fit import Fitted, fit, random_start
from scoreproof.kinds.binary.engine.averages.local_search import Points
from scoreproof.kinds.binary.engine.averages.points import every_point
from scoreproof.kinds.binary.engine.averages.sums import Sums
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.solve.lattice_branching import ReducedBasis
from scoreproof.work.budget import Budget

_FEWEST = 6  # sets
_LISTED = 3_000  # points of a set; of more a sample is taken
_SAMPLE, _SAMPLE_OF_ALL, _LEAST_SAMPLE = 700, 4_000, 60
_SAFE = 0.98
_ROUNDINGS, _SHAKES = 500, (0.3, 0.5, 0.15, 0.7)  # of shares at a time; by how much of what chance moves them
_ROUNDED = 2e-7  # seconds of a rounding, for each point
_POINTS, _POINTS_OF_MANY, _MANY = (28, 36, 44), (60, 110), 30  # of a sample, and from so many sets on
_TOGETHER = 30.0  # the weight of "every set takes a point"
_EXCHANGES = 600
_WEIGHED = 4e-6  # seconds of an entry of the tables whose weights are fitted


def applies(sums: Sums) -> bool:
    """Whether sets are alike enough: all classes known, or all folds of alike data sets."""
    alike = {(family.p, family.n, family.folds) for family in sums.families}
    mixed = sums.unknown.any() and not sums.unknown.all()
    return len(alike) <= 1 and not mixed and sums.sets >= _FEWEST


@dataclass(slots=True)
class _Pool:
    """Alike sets together: their points and what these contribute, by kind; families are taken together."""

    members: list[list[int]]
    points: list[Points]
    shares: list[Floats]  # rows x points

    @property
    def counts(self) -> list[int]:
        return [len(alike) for alike in self.members]

    def some(self, kept: list[Ints]) -> _Pool:
        return _Pool(
            self.members,
            [points[:, at] for points, at in zip(self.points, kept, strict=True)],
            [shares[:, at] for shares, at in zip(self.shares, kept, strict=True)],
        )


def _pool(sums: Sums, rates: Fitted, rng: np.random.Generator) -> _Pool:
    kinds: dict[object, list[int]] = {}
    for place in range(sums.sets):
        weights = tuple(row.weight[place] for row in sums.rows)
        classes = -1.0 if sums.unknown[place] else float(sums.p[place])
        kinds.setdefault((float(sums.size[place]), classes, weights), []).append(place)
    pool = _Pool(list(kinds.values()), [], [])
    for members in pool.members:
        points = _points(sums, members[0], rates, rng, len(pool.members))
        shares = sums.shares(np.full(points.shape[1], members[0]), *points)
        if sums.families:  # the positives of all data sets together
            shares = np.vstack([shares[: len(sums.rows)], points[:1]])
        good = np.isfinite(shares).all(axis=0)
        pool.points.append(points[:, good])
        pool.shares.append(shares[:, good])
    return pool


def _listable(sums: Sums, place: int) -> bool:
    """Whether a set has few enough points to list them."""
    size, p = sums.size[place], sums.p[place]
    return bool(((size + 2) ** 3 / 6 if sums.unknown[place] else (p + 1) * (size - p + 1)) <= _LISTED)


def _points(sums: Sums, place: int, rates: Fitted, rng: np.random.Generator, kinds: int) -> Points:
    """All points of a set, or a sample about fitted rates."""
    size, unknown = sums.size[place], bool(sums.unknown[place])
    if _listable(sums, place):
        return every_point(int(size), int(sums.least[place]), int(sums.most[place]))
    count = max(_LEAST_SAMPLE, min(_SAMPLE, _SAMPLE_OF_ALL // kinds))
    at = rng.integers(sums.sets, size=count)
    q = np.full(count, sums.p[place])
    if unknown:
        family = sums.families[0]
        share = family.p / (family.p + family.n)
        by_chance = np.sqrt(size * share * (1 - share)) * rng.choice([1, 1.5])
        drawn = np.rint(size * share + by_chance * rng.normal(size=count))
        q = np.clip(drawn, max(sums.least[place], 1), min(sums.most[place], size - 1))
    width = rng.choice([0.5, 1, 2]) * np.sqrt(0.1)
    sens = np.clip(rates.sens[at] + width / np.sqrt(np.maximum(q, 1)) * rng.normal(size=count), 0, 1)
    spec = np.clip(rates.spec[at] + width / np.sqrt(np.maximum(size - q, 1)) * rng.normal(size=count), 0, 1)
    return np.unique(np.stack([q, np.rint(sens * q), np.rint(spec * (size - q))]), axis=1)


def _box(sums: Sums, ddof: int) -> tuple[Floats, Floats]:
    middle, half = sums.box(ddof)
    if sums.families:
        rows = len(sums.rows)
        middle = np.append(middle[:rows], sum(family.p for family in sums.families))
        half = np.append(half[:rows], half[-1])
    return middle, half * _SAFE


def _by_chance(sums: Sums, pool: _Pool, rates: Fitted, flat: float) -> list[Floats]:
    """How likely points are by chance (logarithms, flattened a little); samples about rates are likely already."""
    likelihoods = []
    sens, spec = (float(np.clip(rate.mean(), 0.02, 0.98)) for rate in (rates.sens, rates.spec))
    for points, members in zip(pool.points, pool.members, strict=True):
        p, tp, tn = points
        size = float(sums.size[members[0]])
        likely = np.zeros(points.shape[1])
        if _listable(sums, members[0]):
            likely = binomial(p, tp, sens) + binomial(size - p, tn, spec)
            if sums.families:
                family = sums.families[0]
                likely = likely + binomial(np.full_like(p, size), p, family.p / (family.p + family.n))
        likelihoods.append(likely * flat)
    return likelihoods


def _sampled(
    pool: _Pool,
    weights: list[Floats],
    middle: Floats,
    half: Floats,
    most: int,
    rng: np.random.Generator,
    deadline: Budget,
) -> tuple[_Pool, list[Floats]] | None:
    """A random part of the points, likely ones first, and the shares refitted on it."""
    expected = [weight * count for weight, count in zip(weights, pool.counts, strict=True)]
    usable = [np.flatnonzero(of_kind > 1e-6) for of_kind in expected]
    if sum(map(len, usable)) > most:
        owner = np.concatenate([np.full(len(at), kind) for kind, at in enumerate(usable)])
        where = np.concatenate(usable)
        chance = np.concatenate([of_kind[at] for of_kind, at in zip(expected, usable, strict=True)]) ** 0.7
        picked = rng.choice(len(where), most, replace=False, p=chance / chance.sum())
        usable = [np.sort(where[picked[owner[picked] == kind]]) for kind in range(len(usable))]
        if any(not len(at) for at in usable):
            return None
        base = [np.log(np.maximum(weight[at], 1e-12)) for weight, at in zip(weights, usable, strict=True)]
        few = pool.some(usable)
        again = tilted(few.shares, few.counts, middle, half, base, deadline)
        return None if again is None else (few, again)
    return pool.some(usable), [weight[at] for weight, at in zip(weights, usable, strict=True)]


def _whole_counts(
    pool: _Pool, weights: list[Floats], middle: Floats, half: Floats, rng: np.random.Generator, deadline: Budget
) -> list[Ints] | None:
    """How many sets take each point, near the shares, so that every sum is in its interval."""
    kinds, rows = len(pool.members), len(middle)
    kind = np.concatenate([np.full(len(weight), number) for number, weight in enumerate(weights)])
    expected = np.concatenate([weight * count for weight, count in zip(weights, pool.counts, strict=True)])
    shares = np.concatenate(pool.shares, axis=1)
    count = len(expected)
    firm = float(rng.choice([1.5, 3, 6]))
    lattice = np.zeros((count, rows + kinds + count))
    lattice[:, :rows] = (shares / half[:, None]).T * firm
    lattice[np.arange(count), rows + kind] = _TOGETHER
    lattice[np.arange(count), rows + kinds + np.arange(count)] = 1 / np.sqrt(expected + 0.3)
    basis = ReducedBasis(lattice, deadline)
    everyone = np.array(pool.counts)
    for shake in _SHAKES:
        deadline.charge(_ROUNDED * _ROUNDINGS * count)
        if deadline.passed:
            return None
        shaken = expected + shake * rng.normal(size=(_ROUNDINGS, count)) * np.sqrt(expected + 0.2)
        aims = np.tile(np.concatenate([middle / half * firm, everyone * _TOGETHER, expected]), (_ROUNDINGS, 1))
        aims[:, rows + kinds :] = np.maximum(shaken, 0) / np.sqrt(expected + 0.3)
        counts = basis.nearest(aims)
        counts = counts[(counts >= 0).all(axis=1)]
        missed = np.abs((counts @ shares.T - middle) / half).max(axis=1, initial=0.0)
        whole = [(counts[:, kind == number].sum(axis=1) == sets) for number, sets in enumerate(everyone)]
        for at in np.flatnonzero((missed <= 1) & np.all(whole, axis=0))[:1]:
            return [counts[at, kind == number] for number in range(kinds)]
    return None


def _dealt(sums: Sums, pool: _Pool, counts: list[Ints], rng: np.random.Generator) -> Points | None:
    """Points to sets; folds are exchanged until every data set has its positives."""
    dealt = np.zeros((3, sums.sets))
    for members, points, taken in zip(pool.members, pool.points, counts, strict=True):
        each = np.repeat(np.arange(len(taken)), taken)
        dealt[:, members] = points[:, rng.permutation(each)]
    wanted = np.array([family.p for family in sums.families], dtype=np.float64)
    for _ in range(_EXCHANGES if len(wanted) else 0):
        off = np.bincount(sums.family, weights=dealt[0], minlength=len(wanted)) - wanted
        if not off.any():
            break
        over = int(rng.choice(np.flatnonzero(off > 0)))
        other = int(rng.choice(np.flatnonzero(off < 0)))
        givers, takers = np.flatnonzero(sums.family == over), np.flatnonzero(sums.family == other)
        gain = dealt[0][givers][:, None] - dealt[0][takers][None]
        same = sums.size[givers][:, None] == sums.size[takers][None]
        pairs = np.argwhere(same & (gain > 0) & (gain <= 2 * off[over]))
        if len(pairs):
            i, j = pairs[rng.integers(len(pairs))]
            i, j = int(givers[i]), int(takers[j])
        else:
            i = int(rng.integers(sums.sets))
            j = int(rng.choice(np.flatnonzero(sums.size == sums.size[i])))
        dealt[:, [i, j]] = dealt[:, [j, i]]
    else:
        if len(wanted):
            return None
    return dealt


def attempt(
    sums: Sums, ddof: int, spread: float, rng: np.random.Generator, deadline: Budget
) -> tuple[ConfusionMatrix, ...] | None:
    """One attempt at a witness by counts of points."""
    rates = fit(sums, random_start(sums, rng, spread), ddof, deadline)
    pool = _pool(sums, rates, rng)
    if any(not shares.shape[1] for shares in pool.shares):
        return None
    deadline.charge(_WEIGHED * sum(shares.size for shares in pool.shares))
    middle, half = _box(sums, ddof)
    base = _by_chance(sums, pool, rates, float(rng.choice([1.0, 0.6, 0.3])))
    weights = tilted(pool.shares, pool.counts, middle, half, base, deadline)
    if weights is None:
        return None
    for most in _POINTS_OF_MANY if sums.sets >= _MANY else _POINTS:
        if deadline.passed:
            return None
        few = _sampled(pool, weights, middle, half, most, rng, deadline)
        counts = None if few is None else _whole_counts(*few, middle, half, rng, deadline)
        if few is None or counts is None:
            continue
        for _ in range(5 if sums.families else 1):
            points = _dealt(sums, few[0], counts, rng)
            matrices = None if points is None else sums.judged(*points)
            if matrices is not None:
                return matrices
    return None


_NEWTON, _CLOSE, _USABLE = 60, 0.05, 3.0
_PLAY = 0.5  # half-widths by which sums are off as well as not
_VALUED = 4e-5  # seconds of shares, beside their size


def tilted(
    shares: Sequence[Floats],
    counts: Sequence[int],
    middle: Floats,
    half: Floats,
    base: Sequence[Floats],
    deadline: Budget,
) -> list[Floats] | None:
    """The shares of points of greatest entropy relative to a base whose sums are the wanted ones; None if none are."""
    rows = len(middle)
    scale = np.sqrt(np.mean([own.var(axis=1) for own in shares], axis=0)) + 1e-12
    tables = [own / scale[:, None] for own in shares]
    wanted = middle / scale
    play = (_PLAY * half / scale) ** 2  # sums need not be the middles exactly, which together may be out of reach

    def value(at: Floats) -> tuple[float, Floats, Floats, list[Floats]]:
        deadline.charge(_VALUED)
        cost, slope, curve = float(at @ (play * at / 2 - wanted)), play * at - wanted, np.diag(play)
        weights = []
        for table, start, count in zip(tables, base, counts, strict=True):
            power = at @ table + start
            top = float(power.max())
            weight = np.exp(power - top)
            total = float(weight.sum())
            weight /= total
            mean = table @ weight
            away = table - mean[:, None]
            cost += count * (top + float(np.log(total)))
            slope = slope + count * mean
            curve += count * (away * weight) @ away.T
            weights.append(weight)
        return cost, slope, curve, weights

    def far(at: Floats, slope: Floats) -> float:
        """How far the sums are from the middles, in half-widths."""
        return float(np.abs((slope - play * at) * scale / half).max())

    at = np.zeros(rows)
    cost, slope, curve, weights = value(at)
    damping = 1e-6
    least = sum(count * float(start.min()) for start, count in zip(base, counts, strict=True)) - rows / _PLAY**2 / 2
    for _ in range(_NEWTON):
        if cost < least or deadline.passed:  # no chances have less entropy
            return None
        if float(np.abs(slope * scale / half).max()) < _CLOSE:
            break
        ridge = (damping + 1e-14) * (float(np.trace(curve)) / rows + 1e-9)
        try:
            step = -np.linalg.solve(curve + ridge * np.eye(rows), slope)
        except np.linalg.LinAlgError:
            return None
        for halving in range(25):
            there = value(at + step / 2**halving)
            if there[0] < cost - 1e-12:
                break
        else:
            damping *= 100
            if damping > 1e3:
                break
            continue
        at = at + step / 2**halving
        cost, slope, curve, weights = there
        damping = max(damping / 10, 1e-12)
    return weights if far(at, slope) < _USABLE else None


def binomial(count: Floats, hits: Floats, chance: float) -> Floats:
    """Logarithms of binomial probabilities, by a table of logarithms of factorials."""
    table = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, int(count.max(initial=0)) + 1)))])
    n, k = count.astype(np.int64), hits.astype(np.int64)
    return np.asarray(table[n] - table[k] - table[n - k] + k * np.log(chance) + (n - k) * np.log(1 - chance))
