"""Is there any association? The tests behind the correlation coefficients that regression models are scored with.

Pearson's r with Fisher's interval, Spearman's rank correlation, Kendall's τ-b (Kendall 1970, ISBN 978-0-85264-199-6).
Up to nine pairs the rank correlations go through all orders, ties as they are; Kendall's without ties is exact up to
33; beyond, the t and the normal approximation. Shapiro and Wilk's test asks whether values can be normal (Royston 1995,
doi:10.2307/2986146); scores bounded by 1 are usually skewed, so expect small p-values.
"""

from __future__ import annotations

import itertools
import math
from functools import lru_cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import Alternative, Floats, correlation, midranks, numbers, pair
from scoreproof.statistics.result import Effect, TestResult
from scoreproof.statistics.tails import fisher_interval, normal_p, t_p
from scoreproof.validation import Share

_CONSTANT = "one of the two is constant: the correlation is undefined, nothing speaks for an association"
_ALL_ORDERS = 9
_EXACT_UP_TO = 33
_LARGEST_SHAPIRO = 5000


def pearson_test(
    x: npt.ArrayLike, y: npt.ArrayLike, *, alternative: Alternative = "two-sided", level: Share = 0.95
) -> TestResult:
    """Pearson's correlation. A constant array: r undefined, p = 1, with a note."""
    first, second = pair(x, y, at_least=3, why="a correlation test needs three")
    r = correlation(first, second)
    interval = fisher_interval(r, 1 / math.sqrt(len(first) - 3) if len(first) > 3 else math.inf, level)
    return _t_result(first, second, Effect("r", r, interval), alternative, "Pearson correlation", "t distribution")


def spearman_test(x: npt.ArrayLike, y: npt.ArrayLike, *, alternative: Alternative = "two-sided") -> TestResult:
    """Spearman's rank correlation: all orders up to nine pairs, else the t approximation. Constant: p = 1, a note."""
    first, second = pair(x, y, at_least=3, why="a correlation test needs three")
    a, b = midranks(first), midranks(second)
    r = correlation(a, b)
    exact = None
    if len(a) <= _ALL_ORDERS and not math.isnan(r):
        sums = (b - b.mean())[_orders(len(b))] @ (a - a.mean())
        exact = _share(sums, float((a - a.mean()) @ (b - b.mean())), alternative)
    return _t_result(first, second, Effect("r_s", r), alternative, "Spearman correlation", "t approximation", exact)


def kendall_test(x: npt.ArrayLike, y: npt.ArrayLike, *, alternative: Alternative = "two-sided") -> TestResult:
    """Kendall's τ-b, exact up to 33 pairs without ties and up to nine with, else normal. Constant: p = 1, a note."""
    from scipy.stats import kendalltau

    first, second = pair(x, y, at_least=3, why="a correlation test needs three")
    n = len(first)
    constant = not np.ptp(first) or not np.ptp(second)
    tied = min(len(np.unique(first)), len(np.unique(second))) < n
    tau, z, how, p = math.nan, 0.0, "normal approximation", 1.0
    if not constant:
        method = "exact" if not tied and n <= _EXACT_UP_TO else "asymptotic"
        found = kendalltau(first, second, method=method, alternative=alternative)  # type: ignore[call-overload]
        tau = float(found.statistic)
        z = _kendall_z(tau, first, second)
        if tied and n <= _ALL_ORDERS:
            orders, sums = _orders(n), np.zeros(math.factorial(n))
            for i, j in combinations(range(n), 2):
                sums += np.sign(first[i] - first[j]) * np.sign(second[orders[:, i]] - second[orders[:, j]])
            signs = [np.sign(np.subtract.outer(v, v)) for v in (first, second)]
            how, p = "exact, all orders", _share(sums, float(np.sum(signs[0] * signs[1])) / 2, alternative)
        elif method == "exact":
            how, p = "exact", min(1.0, float(found.pvalue))
        else:
            p = normal_p(z, alternative)
    notes, told = (_CONSTANT,) if constant else (), {"x": first, "y": second}
    effects = (Effect("τ-b", tau),)
    return TestResult("Kendall correlation", how, "z", z, p, alternative, effects=effects, notes=notes, inputs=told)


def shapiro_wilk(x: npt.ArrayLike) -> TestResult:
    """Could these values come from a normal distribution? Small p says no.

    From 3 values on; above 5000 the approximation is outside its tested range, which a note says. A constant
    sample has no shape: W is undefined and p = 1, with a note.

    >>> result = shapiro_wilk([0.537724, -0.855932, 1.125589, -1.97586, 0.532226])
    >>> round(result.statistic, 6), round(result.p_value, 6)
    (0.898986, 0.404304)
    """
    from scipy.stats import shapiro

    values = np.sort(numbers("x", x, at_least=3, why="the test needs three"))
    n, notes = len(values), []
    if n > _LARGEST_SHAPIRO:
        notes.append(f"{n} values: the approximation of p was made for at most {_LARGEST_SHAPIRO}")
    width = float(values[-1] - values[0])
    w, p = math.nan, 1.0
    if width <= 1e-14 * float(np.max(np.abs(values))):
        notes.append("the values are constant: they have no shape to test")
    else:
        # Centred and scaled first: a far-off mean would eat the digits of the sums of squares.
        import warnings

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about more than 5000 values, which the note says
            w, p = (float(part) for part in shapiro((values - np.median(values)) / width))
    how, echoed = "Royston's approximation", {"x": values}
    return TestResult("Shapiro-Wilk test", how, "W", w, p, notes=tuple(notes), details={"n": n}, inputs=echoed)


@lru_cache(maxsize=8)
def _orders(n: int) -> npt.NDArray[np.int64]:
    """All orders of n places, a row each."""
    return np.array(list(itertools.permutations(range(n))), dtype=np.int64)


def _share(values: Floats, observed: float, alternative: Alternative) -> float:
    """The share of orders that are at least as extreme, equality up to rounding included."""
    slack = 1e-9 * max(1.0, float(np.max(np.abs(values))))
    if alternative == "two-sided":
        return float(np.mean(np.abs(values) >= abs(observed) - slack))
    return float(np.mean(values >= observed - slack if alternative == "greater" else values <= observed + slack))


def _kendall_z(tau: float, x: Floats, y: Floats) -> float:
    """Kendall's S over its standard deviation given the ties."""
    n = len(x)
    pairs = n * (n - 1) / 2
    ties = [np.unique(v, return_counts=True)[1].astype(np.float64) for v in (x, y)]
    in_pairs = [float(np.sum(t * (t - 1))) / 2 for t in ties]
    s = tau * math.sqrt((pairs - in_pairs[0]) * (pairs - in_pairs[1]))
    full = n * (n - 1) * (2 * n + 5) - sum(float(np.sum(t * (t - 1) * (2 * t + 5))) for t in ties)
    doubles = math.prod(float(np.sum(t * (t - 1))) for t in ties) / (2 * n * (n - 1))
    triples = math.prod(float(np.sum(t * (t - 1) * (t - 2))) for t in ties) / (9 * n * (n - 1) * (n - 2))
    return round(s) / math.sqrt(full / 18 + doubles + triples)


def _t_result(
    x: Floats, y: Floats, size: Effect, alternative: Alternative, test: str, method: str, exact: float | None = None
) -> TestResult:
    df, r = len(x) - 2, size.value
    t = 0.0 if math.isnan(r) else math.copysign(math.inf, r) if abs(r) == 1 else r * math.sqrt(df / (1 - r * r))
    p = 1.0 if math.isnan(r) else t_p(t, df, alternative) if exact is None else exact
    how, notes = method if exact is None else "exact, all orders", (_CONSTANT,) if math.isnan(r) else ()
    inputs = {"x": x, "y": y}
    return TestResult(test, how, "t", t, p, alternative, (float(df),), (size,), notes, inputs=inputs)
