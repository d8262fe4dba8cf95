"""Tests of pairs of values: Student's t on their differences, what folds need instead, and the tests of correlations.

The paired t-test is common and not recommended for comparing models: it is swayed by single outliers and invalid on
resampled test sets, whose values share training data (Demšar 2006; Rainio, Teuho & Klén 2024,
doi:10.1038/s41598-024-56706-x). It is here because papers report it; every result says so.

The corrected resampled t-test of Nadeau & Bengio (2003, doi:10.1023/A:1024068626366): the variance of the mean of J
folds is not s²/J but about s² (1/J + n_test/n_train), the ratio being 1/(k - 1) for k folds, repeated or not. The same
t distribution read as a posterior gives the probability that the difference is practically nil (Benavoli et al. 2017,
jmlr.org/papers/v18/16-305). Repeated runs use the same cases over and over and have fewer than J - 1 degrees of freedom
(Bouckaert 2003, ICML): ``compare`` takes k + r - 2 for r runs of k folds, a calibration on simulated nulls (``python -m
benchmarks nulls``), not a theorem.

Of five repetitions of twofold cross-validation (Dietterich 1998, doi:10.1162/089976698300017197) Alpaydin's F (1999,
doi:10.1162/089976699300016007) uses all ten differences.

Is there any association? Pearson's r with Fisher's interval, Spearman's rank correlation, Kendall's τ-b (Kendall 1970,
ISBN 978-0-85264-199-6). Up to nine pairs the rank correlations go through all orders, ties as they are; Kendall's
without ties is exact up to 33; beyond, the t and the normal approximation. Shapiro and Wilk's test asks whether values
can be normal (Royston 1995, doi:10.2307/2986146); scores bounded by 1 are usually skewed, so expect small p-values.
"""

from __future__ import annotations

import itertools
import math
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from scoreproof.arrays import Alternative, Floats, correlation, midranks, numbers, pair, score_table, without_noise
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.statistics.result import Effect, Interval, TestResult
from scoreproof.statistics.tails import f_upper, fisher_interval, normal_p, t_p, t_quantile
from scoreproof.validation import Share, real, whole

WARNING = (
    "the paired t-test is swayed by outliers and not valid on resampled test sets (folds share training "
    "data): prefer the Wilcoxon signed-rank test, or the corrected resampled t-test for folds"
)


def paired_t(
    x: npt.ArrayLike, y: npt.ArrayLike, *, alternative: Alternative = "two-sided", level: Share = 0.95
) -> TestResult:
    """Student's t on paired differences. All differences zero: t = 0, p = 1; all equal: t infinite, p = 0.

    >>> result = paired_t([0.85, 0.81, 0.80, 0.80, 0.97], [0.83, 0.80, 0.77, 0.82, 0.97])
    >>> round(result.statistic, 4), round(result.p_value, 4)
    (0.93, 0.405)
    """
    first, second = pair(x, y, at_least=2, why="a variance needs two")
    n = len(first)
    t, mean, error = studentised(first, second, 1 / n)
    p, how = t_p(t, n - 1, alternative), "Student's t on the differences"
    effects = (mean_difference(mean, error, n - 1, level), d_z_effect(t / math.sqrt(n), n, level))
    details, inputs = {"standard_error": error}, {"x": first, "y": second, "level": level}
    return TestResult("Paired t-test", how, "t", t, p, alternative, (n - 1,), effects, (WARNING,), details, inputs)


def corrected_resampled_t(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    folds: int | None = None,
    test_to_train: float | None = None,
    alternative: Alternative = "two-sided",
    level: Share = 0.95,
    rope: float | None = None,
    df: float | None = None,
) -> TestResult:
    """t for values from (repeated) k-fold cross-validation or random splits of one data set.

    Say ``folds=k`` for k-fold cross-validation, repeated or not, or ``test_to_train`` = n_test / n_train for
    random splits; without either, one run of as many folds as there are values is assumed. ``rope`` adds the
    posterior probabilities that y is better, that the two are practically equal (within ±rope), and that x is
    better. ``df`` are the degrees of freedom, values - 1 unless told; see ``cautious_df``.

    >>> x, y = [0.78, 0.76, 0.79, 0.81, 0.83], [0.77, 0.74, 0.78, 0.82, 0.80]
    >>> result = corrected_resampled_t(x, y, folds=5)
    >>> round(result.statistic, 4), round(result.p_value, 4)
    (1.206, 0.2943)
    """
    first, second = pair(x, y, at_least=2, why="a variance needs two")
    n = len(first)
    ratio, folds = _ratio(n, folds, test_to_train)
    df = float(n - 1) if df is None else real("df (degrees of freedom)", df, above=0)
    t, mean, error = studentised(first, second, 1 / n + ratio)
    details: dict[str, Any] = {"standard_error": error, "test_to_train": ratio, "folds": folds}
    if rope is not None:
        details |= {"rope": rope, "rope_probabilities": _rope_probabilities(mean, error, df, rope)}
    p, how = t_p(t, df, alternative), f"Nadeau-Bengio, test to train {ratio:.4g}"
    effects = (mean_difference(mean, error, df, level), d_z_effect(t * math.sqrt(1 / n + ratio), n, level))
    inputs = {"x": first, "y": second, "folds": folds, "test_to_train": ratio, "level": level}
    return TestResult("Corrected resampled t-test", how, "t", t, p, alternative, (df,), effects, (), details, inputs)


def cautious_df(values: int, folds: int | None) -> float:
    """k + r - 2 for r runs of k folds, values - 1 where no folds are known (random splits)."""
    return float(values - 1 if folds is None else (k := whole("folds", folds, at_least=2)) + values // k - 2)


def five_by_two_f(a: npt.ArrayLike, b: npt.ArrayLike) -> TestResult:
    """The combined 5x2cv F test; a and b hold five rows (repetitions) of two values (folds).

    All ten differences zero: F = 0, p = 1. Differences without spread inside any repetition: F infinite, p = 0.
    """
    first, second = score_table(a, at_least=(1, 1)), score_table(b, at_least=(1, 1))
    for name, table in (("a", first), ("b", second)):
        if table.shape != (5, 2):
            raise InvalidValue(f"{name} has shape {table.shape}: expected (5, 2), five times two folds")
    d, size = first - second, float(max(np.max(np.abs(first)), np.max(np.abs(second))))
    top, within = float(np.sum(d**2)), float(np.sum((d - d.mean(axis=1, keepdims=True)) ** 2))
    spread = 0.0 if within <= np.square(1e-14 * size) else within  # less is float noise
    f = 0.0 if top == 0 else (math.inf if spread == 0 else top / (2 * spread))
    effects = (Effect("mean difference", without_noise(float(np.mean(d)), float(np.max(np.abs(first))))),)
    p, inputs = f_upper(f, 10, 5), {"a": first, "b": second}
    return TestResult("Combined 5x2cv F test", "Alpaydin", "F", f, p, df=(10, 5), effects=effects, inputs=inputs)


def cohen_d_z(x: npt.ArrayLike, y: npt.ArrayLike) -> float:
    """The mean difference over the standard deviation of the differences (Cohen 1988, ISBN 978-0-8058-0283-2).

    No difference anywhere gives 0; a constant difference gives infinity.
    """
    return studentised(*pair(x, y, at_least=2, why="a standard deviation needs two"), 1.0)[0]


def d_z_effect(value: float, n: int, level: float) -> Effect:
    """d_z with the interval of its noncentral t distribution (Cumming & Finch 2001, doi:10.1177/0013164401614002)."""
    if not math.isfinite(value):
        return Effect("Cohen's d_z", value)
    tail = (1 - level) / 2
    low, high = (float(special.nctdtrinc(n - 1, p, value * math.sqrt(n))) / math.sqrt(n) for p in (1 - tail, tail))
    bounds = Interval(low, high, level, "noncentral t") if math.isfinite(low + high) else None
    return Effect("Cohen's d_z", value, bounds)


def studentised(x: Floats, y: Floats, factor: float) -> tuple[float, float, float]:
    """(t, mean difference, standard error), the variance of the mean being ``factor`` times that of one value.

    Differences that are constant up to the rounding of floats have none, by the line that R's t.test draws.
    """
    d = x - y
    mean = without_noise(float(np.mean(d)), float(max(np.max(np.abs(x)), np.max(np.abs(y)))))
    variance = float(np.var(d, ddof=1)) if len(d) > 1 else 0.0
    scale = max(abs(float(np.mean(x))), abs(float(np.mean(y))))
    if math.sqrt(variance / len(d)) <= 10 * float(np.finfo(np.float64).eps) * scale:
        return (0.0 if not np.any(d) else math.copysign(math.inf, mean)), mean, 0.0
    error = math.sqrt(factor * variance)
    return mean / error, mean, error


def mean_difference(mean: float, error: float, df: float, level: float) -> Effect:
    """The mean difference with its t interval."""
    half = t_quantile(level, df) * error
    return Effect("mean difference", mean, Interval(mean - half, mean + half, level, "t"))


def _ratio(n: int, folds: int | None, test_to_train: float | None) -> tuple[float, int | None]:
    if folds is not None and test_to_train is not None:
        raise InvalidOption("folds and test_to_train were both given: expected one; k folds imply 1/(k - 1)")
    if test_to_train is not None:
        return real("test_to_train (test cases over training cases)", test_to_train, above=0), None
    k = n if folds is None else whole("folds", folds, at_least=2)
    if n % k:
        raise InvalidOption(f"folds = {k} with {n} values: expected a multiple of {k}, runs x folds")
    return 1 / (k - 1), k


def _rope_probabilities(mean: float, error: float, df: float, rope: float) -> tuple[float, float, float]:
    """The posterior probabilities that y is better, that they are equal, and that x is better."""
    rope = real("rope (the half-width of practical equality)", rope, at_least=0)
    if error == 0:
        return float(mean < -rope), float(abs(mean) <= rope), float(mean > rope)
    below, above = (float(special.stdtr(df, (side * mean - rope) / error)) for side in (-1, 1))
    return below, max(0.0, 1 - below - above), above


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
        correlation = kendalltau(first, second, method=method, alternative=alternative)  # type: ignore[call-overload]
        tau = float(correlation.statistic)
        z = _kendall_z(tau, first, second)
        if tied and n <= _ALL_ORDERS:
            orders, sums = _orders(n), np.zeros(math.factorial(n))
            for i, j in combinations(range(n), 2):
                sums += np.sign(first[i] - first[j]) * np.sign(second[orders[:, i]] - second[orders[:, j]])
            signs = [np.sign(np.subtract.outer(v, v)) for v in (first, second)]
            how, p = "exact, all orders", _share(sums, float(np.sum(signs[0] * signs[1])) / 2, alternative)
        elif method == "exact":
            how, p = "exact", min(1.0, float(correlation.pvalue))
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
