"""Empirical Bayes for a leaderboard: how good the entries are, given how good they look together.

Each entry's accuracy is drawn towards the others by as much as chance explains the spread (Efron and Morris 1975,
doi:10.1080/01621459.1975.10479864). The distribution of true accuracies is a beta distribution or, for long boards with
their typical tail of weak entries, a spline on the log scale (Efron 2016, doi:10.1093/biomet/asv068). Ranks are
posterior expectations (Laird and Louis 1989, doi:10.3102/10769986014001029).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize, minimize_scalar
from scipy.special import betaln

from scoreproof.arrays import Floats
from scoreproof.errors import InvalidOption

Prior = Literal["beta", "spline"]
#: boards from this length on show the shape of their own distribution well enough
LONG_BOARD = 50
_MOST_WEIGHTS = 12 * 10**6
_KNOTS = 9
_PENALTY = 0.15
_MOST_ROWS = 400
_HOPELESS = -80.0


@dataclass(frozen=True, slots=True, eq=False)
class Shrunken:
    """The posterior of every entry, in the order the entries were given."""

    prior: Prior
    mean: Floats = field(repr=False)
    low: Floats = field(repr=False)
    high: Floats = field(repr=False)
    expected_rank: Floats = field(repr=False)
    chance_best: Floats = field(repr=False)
    shrinkage: float  #: 0: the scores are taken at face value; 1: all differences are noise


def shrink(correct: NDArray[Any], n: int, prior: Prior, alpha: float = 0.05) -> Shrunken:
    """The posterior means, intervals, expected ranks and chances to be the best of all entries."""
    distinct, which, many = np.unique(correct, return_inverse=True, return_counts=True)
    if prior == "beta":
        points, weights = _beta(distinct, many, n)
    else:
        points, weights = _spline(distinct, many, n)
    posterior = _posterior(distinct, n, points, weights)
    mean = posterior @ points
    middles = np.cumsum(posterior, axis=1) - posterior / 2
    low, high = (np.array([np.interp(at, row, points) for row in middles]) for at in (alpha / 2, 1 - alpha / 2))
    total = many @ posterior
    # The entry itself is counted half.
    ranks = posterior @ (np.cumsum(total[::-1])[::-1] - total / 2) + 0.5
    best = _chance_best(posterior, many)
    centred = distinct / n - np.average(distinct / n, weights=many)
    spread = float(many @ centred**2)
    # One minus the slope of posterior means on scores.
    shrinkage = 1.0 if spread == 0 else min(1.0, max(0.0, 1 - float((many * centred) @ mean) / spread))
    low, high, ranks, best, mean = (values[which.ravel()] for values in (low, high, ranks, best, mean))
    return Shrunken(prior, mean, low, high, ranks, best, shrinkage)


def _posterior(k: NDArray[Any], n: int, points: Floats, weights: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        log = np.outer(k, np.log(points)) + np.outer(n - k, np.log1p(-points)) + np.log(weights)
    log -= log.max(axis=1, keepdims=True)
    mass = np.exp(log)
    return np.asarray(mass / mass.sum(axis=1, keepdims=True))


def _beta(k: NDArray[Any], many: NDArray[np.int64], n: int) -> tuple[Floats, Floats]:
    """A beta prior around the mean score, its strength by maximum likelihood, on a fine grid."""
    centre = float(np.average(k, weights=many)) / n
    centre = min(1 - 0.5 / n, max(0.5 / n, centre))

    def loss(log_strength: float) -> float:
        a, b = centre * math.exp(log_strength), (1 - centre) * math.exp(log_strength)
        return -float(many @ (betaln(k + a, n - k + b) - betaln(a, b)))

    tries = np.linspace(math.log(0.5), math.log(1000.0 * n), 80)
    at = int(np.argmin([loss(t) for t in tries]))
    bounds = (tries[max(0, at - 1)], tries[min(len(tries) - 1, at + 1)])
    strength = math.exp(minimize_scalar(loss, bounds=bounds, method="bounded").x)
    means = (strength * centre + k) / (strength + n)
    points = _grid(float(means.min()), float(means.max()), n + strength, len(k))
    with np.errstate(divide="ignore"):
        # d theta = sin(2 phi) d phi = 2 sqrt(theta (1 - theta)) d phi on the arcsine grid
        log = (strength * centre - 0.5) * np.log(points) + (strength * (1 - centre) - 0.5) * np.log1p(-points)
    return points, np.exp(log - log.max())


def _grid(low: float, high: float, strength: float, rows: int) -> Floats:
    """Points whose spacing follows the spread of the posteriors (constant after the arcsine " "transformation)."""
    spread = 0.5 / math.sqrt(strength)
    start = max(0.0, math.asin(math.sqrt(low)) - 6 * spread)
    stop = min(math.pi / 2, math.asin(math.sqrt(high)) + 6 * spread)
    size = math.ceil(max(100, min(4 * (stop - start) / spread, _MOST_WEIGHTS / rows)))
    if size * spread < 1.5 * (stop - start):
        raise InvalidOption(f"scores: {rows:,} different ones of so many cases are too many; shorten the board")
    middles = start + (np.arange(size) + 0.5) * (stop - start) / size
    return np.asarray(np.sin(middles) ** 2)


def _spline(k: NDArray[Any], many: NDArray[np.int64], n: int) -> tuple[Floats, Floats]:
    """A prior whose logarithm is a natural cubic spline, by maximum likelihood with Efron's mild penalty."""
    points = _grid(k[0] / n, k[-1] / n, n, len(k))
    basis = _natural_splines(np.arcsin(np.sqrt(points)), np.repeat(np.arcsin(np.sqrt(k / n)), many))
    k, many = _binned(k, many, n)
    likelihood = _posterior(k, n, points, np.ones_like(points))

    def prior(coefficients: Floats) -> Floats:
        log = np.einsum("ij,j->i", basis, coefficients)
        mass = np.exp(log - log.max())
        return np.asarray(mass / mass.sum())

    def loss(coefficients: Floats) -> tuple[float, Floats]:
        weights = prior(coefficients)
        # Plain loops: on a busy machine the threads of a matrix product wait for each other far longer than they work.
        mixture = np.maximum(np.einsum("ij,j->i", likelihood, weights), 1e-300)
        size = math.sqrt(float(coefficients @ coefficients) + 1e-12)
        pull = weights * (np.einsum("i,ij->j", many / mixture, likelihood) - many.sum())
        return _PENALTY * size - float(many @ np.log(mixture)), _PENALTY * coefficients / size - np.einsum(
            "i,ij->j", pull, basis
        )

    fitted = minimize(loss, np.zeros(basis.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 300})
    return points, prior(np.asarray(fitted.x))


def _binned(k: NDArray[Any], many: NDArray[np.int64], n: int) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Scores a third of their sampling error apart, taken together where there are many: enough to fit a prior."""
    if len(k) <= _MOST_ROWS:
        return k, many
    place = np.floor(np.arcsin(np.sqrt(k / n)) * (6 * math.sqrt(n))).astype(np.int64)
    starts = np.flatnonzero(np.append(True, np.diff(place) > 0))
    total = np.add.reduceat(many, starts)
    return np.add.reduceat(k * many, starts) / total, total


def _natural_splines(x: Floats, data: Floats) -> Floats:
    """Columns that span natural cubic splines with knots at quantiles of the data, centred and scaled."""
    knots = np.unique(np.quantile(data, np.linspace(0.02, 0.98, _KNOTS)))
    columns = [x]
    if len(knots) >= 3:
        last, before = knots[-1], knots[-2]

        def bend(knot: float) -> Floats:
            cubes = np.maximum(x - knot, 0) ** 3 - np.maximum(x - last, 0) ** 3
            return np.asarray(cubes / (last - knot))

        columns += [bend(knot) - bend(before) for knot in knots[:-2]]
    basis = np.column_stack(columns)
    basis = basis - basis.mean(axis=0)
    return np.asarray(basis / basis.std(axis=0))


def _chance_best(posterior: Floats, many: NDArray[np.int64]) -> Floats:
    """The probability of each entry to be the truly best; entries on one point share it evenly.

    Within a point every entry is placed at random: P(i best) is the integral over its place u of the product
    of the others' chances to lie below.
    """
    upper = np.cumsum(posterior, axis=1)
    with np.errstate(divide="ignore"):
        # Below, someone else is better for sure: only the top of the grid counts.
        counts = many @ np.log(np.minimum(upper, 1.0)) > _HOPELESS
    posterior = posterior[:, counts]
    before = upper[:, counts] - posterior
    nodes, node_weights = np.polynomial.legendre.leggauss(12)
    chance = np.zeros(len(posterior))
    with np.errstate(divide="ignore", invalid="ignore"):
        for node, weight in zip((nodes + 1) / 2, node_weights / 2, strict=True):
            log_below = np.log(np.minimum(before + node * posterior, 1.0))
            everyone = many @ log_below
            others = np.exp(everyone - log_below)
            chance += weight * np.nansum(posterior * others, axis=1)
    return np.asarray(chance / (many @ chance))
