"""Student's t on paired differences, and what folds of a cross-validation need instead.

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
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from scoreproof.arrays import Alternative, Floats, pair, score_table, without_noise
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.statistics.result import Effect, Interval, TestResult
from scoreproof.statistics.tails import f_upper, t_p, t_quantile
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
