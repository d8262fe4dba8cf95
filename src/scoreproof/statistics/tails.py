"""From a statistic to a p-value, p-values of many tests at once, and intervals of a proportion by every usual formula.

Every tail is computed from its own side, never as one minus the other, so that p = 1e-40 keeps all its digits;
scipy.special is enough for this and imports ten times faster than scipy.stats. Of the corrections Holm (1979,
jstor.org/stable/4615733) needs no assumption and always beats Bonferroni; Hochberg (1988, doi:10.1093/biomet/75.4.800)
and Hommel (1988, doi:10.1093/biomet/75.2.383) gain a little under independence; Benjamini & Hochberg (1995,
doi:10.1111/j.2517-6161.1995.tb02031.x) and, under any dependence, Benjamini & Yekutieli (2001,
doi:10.1214/aos/1013699998) control the false discovery rate instead.

Of a proportion (an accuracy, a sensitivity, a win rate) Wilson's interval (1927, doi:10.1080/01621459.1927.10502953) is
the one to use; Clopper-Pearson (1934, doi:10.1093/biomet/26.4.404) never falls short of its level; Wald's is what most
papers print and what fails at 0 and 1 (Brown, Cai & DasGupta 2001, doi:10.1214/ss/1009213286; Agresti & Coull 1998,
doi:10.1080/00031305.1998.10480550). ``z`` is the half-width in standard errors (1.96 for 95%), ``tail`` what is left
out on either side (0.025). The formulas are as published, for one count or arrays of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from scoreproof.arrays import Alternative, Floats, numbers
from scoreproof.errors import InvalidValue
from scoreproof.results import Result
from scoreproof.statistics.result import Interval, number_text
from scoreproof.validation import Share, chosen, random_seed, whole


def normal_p(z: float, alternative: Alternative = "two-sided") -> float:
    """The p-value of a standard normal statistic."""
    if alternative == "two-sided":
        return min(1.0, 2 * float(special.ndtr(-abs(z))))
    return float(special.ndtr(-z if alternative == "greater" else z))


def normal_quantile(probability: float) -> float:
    return float(special.ndtri(probability))


def two_sided_z(level: float) -> float:
    """The half-width of a normal interval in standard errors: 1.96 for 0.95."""
    return -normal_quantile((1 - level) / 2)


def fisher_interval(r: float, error: float, level: float) -> Interval | None:
    """The interval of a correlation from the standard error of its inverse hyperbolic tangent; none at 1 and -1."""
    if abs(r) >= 1 or not math.isfinite(r + error):
        return None
    half = two_sided_z(level) * error
    return Interval(math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half), level, "Fisher's z")


def in_errors(difference: float, error: float) -> float:
    """A difference in standard errors; without any error all but 0 is infinite."""
    if error == 0:
        return 0.0 if difference == 0 else math.copysign(math.inf, difference)
    return difference / error


def welch_df(variances: Sequence[float], sizes: Sequence[int]) -> float:
    """Welch's degrees of freedom from the variances of two means; those of equal variances where there is none."""
    if not sum(variances):
        return float(sum(sizes) - len(sizes))
    return sum(variances) ** 2 / sum(v**2 / (n - 1) for v, n in zip(variances, sizes, strict=True))


def t_p(t: float, df: float, alternative: Alternative = "two-sided") -> float:
    """The p-value of Student's t."""
    if math.isinf(t):
        return 0.0 if alternative == "two-sided" or (t > 0) == (alternative == "greater") else 1.0
    if alternative == "two-sided":
        return min(1.0, 2 * float(special.stdtr(df, -abs(t))))
    return float(special.stdtr(df, -t if alternative == "greater" else t))


def t_quantile(level: float, df: float) -> float:
    """The half-width of a t interval in standard errors."""
    return -float(special.stdtrit(df, (1 - level) / 2))


def chi2_p(statistic: float, df: float) -> float:
    """The upper tail of the chi-squared distribution."""
    return float(special.chdtrc(df, 0.0 if statistic < 0 else statistic))  # below zero: float noise around no effect


def f_upper(statistic: float, df1: float, df2: float) -> float:
    """The upper tail of the F distribution."""
    return 0.0 if math.isinf(statistic) else float(special.fdtrc(df1, df2, 0.0 if statistic < 0 else statistic))


def f_lower(statistic: float, df1: float, df2: float) -> float:
    """The lower tail of the F distribution."""
    return 1.0 if math.isinf(statistic) else float(special.fdtr(df1, df2, statistic))


def binomial_lower(k: int, n: int, p: float = 0.5) -> float:
    """P(X <= k) for X binomial(n, p)."""
    return 0.0 if k < 0 else float(special.bdtr(min(k, n), n, p))


def binomial_upper(k: int, n: int, p: float = 0.5) -> float:
    """P(X >= k) for X binomial(n, p)."""
    return binomial_lower(n - k, n, 1 - p)


def adjust(p_values: npt.ArrayLike, method: str = "holm") -> Floats:
    """Adjusted p-values, in the order given.

    ``method`` is bonferroni, holm, hochberg, hommel, bh, by or none. One p-value stays as it is.

    >>> adjust([0.01, 0.04, 0.03], "holm")
    array([0.03, 0.06, 0.06])
    """
    p = numbers("p_values", p_values, at_least=0)
    outside = np.flatnonzero((p < 0) | (p > 1))
    if outside.size:
        raise InvalidValue(f"p_values[{outside[0]}] = {p[outside[0]]}: expected a probability in [0, 1]")
    name = chosen("correction", method.lower(), CORRECTIONS)
    return _ADJUSTMENTS[name](p) if p.size > 1 else p.copy()


def _step(p: Floats, factors: Floats, *, up: bool) -> Floats:
    """Multiply the sorted p-values and make them monotone, from below (step down) or from above (step up)."""
    order = np.argsort(p, kind="stable")
    scaled = np.asarray(p[order] * factors, dtype=np.float64)
    monotone = np.minimum.accumulate(scaled[::-1])[::-1] if up else np.maximum.accumulate(scaled)
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(1.0, monotone)
    return adjusted


def _hommel(p: Floats) -> Floats:
    """Hommel's rule through Simes' test on every size of subset (Wright 1992, doi:10.2307/2532694)."""
    n = p.size
    order = np.argsort(p, kind="stable")
    ordered = p[order]
    simes = np.full(n, float(np.min(n * ordered / np.arange(1, n + 1))))
    adjusted = simes.copy()
    for size in range(n - 1, 1, -1):
        upper = ordered[n - size + 1 :]
        least = float(np.min(size * upper / np.arange(2, size + 1)))
        simes[: n - size + 1] = np.minimum(size * ordered[: n - size + 1], least)
        simes[n - size + 1 :] = simes[n - size]
        adjusted = np.maximum(adjusted, simes)
    result = np.empty_like(p)
    result[order] = np.maximum(adjusted, ordered)
    return result


_ADJUSTMENTS: dict[str, Callable[[Floats], Floats]] = {
    "bonferroni": lambda p: np.minimum(1.0, p * p.size),
    "holm": lambda p: _step(p, np.arange(p.size, 0.0, -1), up=False),
    "hochberg": lambda p: _step(p, np.arange(p.size, 0.0, -1), up=True),
    "hommel": _hommel,
    "bh": lambda p: _step(p, p.size / np.arange(1.0, p.size + 1), up=True),
    "by": lambda p: _step(p, np.sum(1 / np.arange(1.0, p.size + 1)) * p.size / np.arange(1.0, p.size + 1), up=True),
    "none": lambda p: p.copy(),
}
CORRECTIONS = tuple(_ADJUSTMENTS)


Counts = npt.ArrayLike
Limits = tuple[Any, Any]


def wald(k: Counts, n: Counts, z: float, *, shift: float = 0.0, off: int = 0) -> Limits:
    """p ± z √(p (1 - p) / n), widened by ``shift`` cases; ``off`` is taken off the cases under the root."""
    cases = np.asarray(n, dtype=float)
    share = np.asarray(k, dtype=float) / cases
    half = z * np.sqrt(share * (1 - share) / np.maximum(cases - off, 1)) + shift / cases
    return share - half, share + half


def score_limits(k: Counts, n: Counts, z: float, *, corrected: bool = False) -> Limits:
    """Wilson's; corrected as R's prop.test has it: the correction shrinks to nothing at exactly one half."""
    hits, cases = np.asarray(k, dtype=float), np.asarray(n, dtype=float)
    shift = np.minimum(0.5, np.abs(hits - cases / 2)) if corrected else 0.0
    half_square = z**2 / (2 * cases)

    def bound(share: Any, side: int) -> Any:
        inside = np.maximum(share * (1 - share) / cases + half_square / (2 * cases), 0)
        return (share + half_square + side * z * np.sqrt(inside)) / (1 + 2 * half_square)

    below, above = (hits - shift) / cases, (hits + shift) / cases
    return np.where(below <= 0, 0.0, bound(below, -1)), np.where(above >= 1, 1.0, bound(above, 1))


def agresti_coull(k: Counts, n: Counts, z: float) -> Limits:
    trials = np.asarray(n, dtype=float) + z**2
    share = (np.asarray(k, dtype=float) + z**2 / 2) / trials
    half = z * np.sqrt(share * (1 - share) / trials)
    return share - half, share + half


def logit(k: Counts, n: Counts, z: float) -> Limits:
    """Wald's interval of the log odds; nothing at 0 and at n."""
    hits, misses = np.asarray(k, dtype=float), np.asarray(n, dtype=float) - np.asarray(k, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        centre, half = np.log(hits / misses), z * np.sqrt(1 / hits + 1 / misses)
        return special.expit(centre - half), special.expit(centre + half)


def arcsine(k: Counts, n: Counts, z: float) -> Limits:
    """The interval of arcsin √p, which has nearly the same error everywhere."""
    cases = np.asarray(n, dtype=float)
    angle, half = np.arcsin(np.sqrt(np.asarray(k, dtype=float) / cases)), z / (2 * np.sqrt(cases))
    return np.sin(np.maximum(angle - half, 0)) ** 2, np.sin(np.minimum(angle + half, np.pi / 2)) ** 2


def exact_limits(k: Counts, n: Counts, low: float, high: float) -> Limits:
    """The shares at which k or more of n have probability ``low``, and more than k probability ``high``."""
    hits, cases = np.asarray(k, dtype=float), np.asarray(n, dtype=float)
    least = special.betaincinv(np.maximum(hits, 1e-300), cases - hits + 1, low)
    most = special.betaincinv(hits + 1, np.maximum(cases - hits, 1e-300), high)
    return np.where(hits == 0, 0.0, least), np.where(hits == cases, 1.0, most)


def jeffreys(k: Counts, n: Counts, tail: float) -> Limits:
    hits, misses = np.asarray(k, dtype=float), np.asarray(n, dtype=float) - np.asarray(k, dtype=float)
    return (
        special.betaincinv(hits + 0.5, misses + 0.5, tail),
        1 - special.betaincinv(misses + 0.5, hits + 0.5, tail),
    )


Formula = Callable[[Counts, Counts, float], Limits]
#: Formulas with a number of standard errors, and those with a tail.
BY_ERRORS: dict[str, Formula] = {
    "wald": wald,
    "wald-cc": lambda k, n, z: wald(k, n, z, shift=0.5),
    "wald-sample": lambda k, n, z: wald(k, n, z, off=1),
    "wilson": score_limits,
    "wilson-cc": lambda k, n, z: score_limits(k, n, z, corrected=True),
    "agresti-coull": agresti_coull,
    "logit": logit,
    "arcsine": arcsine,
}
BY_TAIL: dict[str, Formula] = {
    "clopper-pearson": lambda k, n, tail: exact_limits(k, n, tail, 1 - tail),
    "jeffreys": jeffreys,
}


@dataclass(frozen=True, slots=True)
class Proportion(Result):
    """A proportion with its interval, ready to print.

    >>> print(proportion_interval(193, 300))
    193 of 300 = 0.643 (95% CI 0.588 to 0.695, Wilson)
    """

    k: int
    n: int
    interval: Interval
    notes: tuple[str, ...] = ()

    _told = "k n estimate interval notes"

    @property
    def estimate(self) -> float:
        return self.k / self.n if self.n else math.nan

    def __str__(self) -> str:
        return f"{self.k} of {self.n} = {number_text(self.estimate)} ({self.interval}, {self.interval.method})"


def proportion_interval(
    k: int, n: int, *, method: str = "wilson", level: Share = 0.95, resamples: int = 10_000, seed: int = 0
) -> Proportion:
    """The interval of k successes in n trials.

    ``method`` is wilson, wilson-cc (continuity corrected, as R's prop.test), clopper-pearson, agresti-coull,
    jeffreys, wald or bootstrap (percentiles of seeded resamples). Without trials nothing is known: (0, 1).
    Wald's and Agresti-Coull's formulas may leave [0, 1]; they are returned as they are, with a note.

    >>> proportion_interval(20, 20, method="wald").interval.low
    1.0
    >>> round(proportion_interval(20, 20, method="clopper-pearson").interval.low, 4)
    0.8316
    """
    k, n = whole("k", k), whole("n", n)
    if k > n:
        raise InvalidValue(f"k = {k} exceeds n = {n}: expected successes among the trials")
    chosen("method", method, PROPORTION_METHODS)
    name = _METHODS[method]
    if n == 0:
        return Proportion(k, n, Interval(0.0, 1.0, level, name), ("no trials: nothing is known",))
    if method == "bootstrap":
        generator, draws = np.random.default_rng(random_seed(seed)), whole("resamples", resamples, at_least=1)
        shares = generator.binomial(n, k / n, size=draws) / n
        ends = np.quantile(shares, [(1 - level) / 2, (1 + level) / 2])
        low, high, name = float(ends[0]), float(ends[1]), f"percentile bootstrap, {resamples:,}, seed {seed}"
    else:
        low, high = _limits(method, k, n, level)
    notes = []
    if low < 0 or high > 1:
        notes.append(f"the {name} interval leaves [0, 1]: use Wilson's")
    if method in ("wald", "bootstrap") and k in (0, n):
        notes.append(f"the {name} interval has no width at {k} of {n}: use Wilson's")
    return Proportion(k, n, Interval(low, high, level, name), tuple(notes))


def clopper_pearson(k: int, n: int, *, level: float = 0.95) -> Interval:
    """The exact interval on its own, for results that carry one."""
    return Interval(*_limits("clopper-pearson", k, n, level), level, "Clopper-Pearson")


def _limits(method: str, k: int, n: int, level: float) -> tuple[float, float]:
    """The limits of one count at a level, as floats; without trials nothing is known."""
    if n == 0:
        return 0.0, 1.0
    by_tail = method in BY_TAIL
    low, high = BY_TAIL[method](k, n, (1 - level) / 2) if by_tail else BY_ERRORS[method](k, n, two_sided_z(level))
    return float(low), float(high)


def wilson(k: int, n: int, *, level: float = 0.95) -> Interval:
    """Wilson's interval on its own, for results that carry one."""
    return Interval(*_limits("wilson", k, n, level), level, "Wilson")


_METHODS = {
    "wilson": "Wilson",
    "wilson-cc": "Wilson, continuity corrected",
    "clopper-pearson": "Clopper-Pearson",
    "agresti-coull": "Agresti-Coull",
    "jeffreys": "Jeffreys",
    "wald": "Wald",
    "bootstrap": "bootstrap",
}
PROPORTION_METHODS = tuple(_METHODS)
