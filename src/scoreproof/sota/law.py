"""What the questions accept, how classifiers resemble each other, and the failures of one classifier.

Møllersen and Holsbø ("What is the state of the art? Accounting for multiplicity in machine learning benchmark
performance", 2023, arXiv:2303.07272, section 4.1) let every classifier be right with probability p_dep where a
reference classifier is right, and with probability q where it is wrong. Given the reference the classifiers are
independent and identically distributed: failures are a sum of two binomials, and nothing has to be simulated.

Everything about the best of many follows from one classifier's survival function, far out in its tail. It is kept as
its logarithm: below the median as log1p(-cdf), above it as a sum from the right. Loader's saddle-point form of the
binomial ("Fast and accurate computation of binomial probabilities", 2000) keeps the digits that differences of large
log-gammas lose: a Stirling remainder and two deviances, each computed without cancellation.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import numpy as np
from scipy.special import xlog1py

from scoreproof.arrays import Floats
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.jsonable import Jsonable
from scoreproof.validation import exact, fraction, real, whole

MOST_CLASSIFIERS = 10**15
MOST_CASES = 10**9


def count(name: str, value: Any, *, most: int, least: int = 1) -> int:
    """A whole number between ``least`` and ``most``."""
    return whole(name, value, at_least=least, at_most=most)


def number(name: str, value: Any) -> float:
    """A finite number among the data."""
    return real(name, value, error=InvalidValue)


def probability(name: str, value: Any) -> float:
    """A proportion in [0, 1]."""
    share = fraction(name, value, closed=True, error=InvalidValue)
    return share if share > 1e-300 else 0.0  # products of denormal numbers lose their meaning


def correct_count(name: str, observed: float, n: int) -> int:
    """How many of n cases a proportion means: the nearest count. ``whole_cases`` says whether it fits."""
    return min(n, max(0, round(probability(name, observed) * n)))


def whole_cases(name: str, text: str, n: int) -> float:
    """A printed proportion that whole cases can give; an error where none does, since another would be analysed."""
    exact(name, text.strip(), error=InvalidValue)
    printed = Decimal(text.strip())
    value = probability(name, float(printed))
    digits = max(0, -int(printed.as_tuple().exponent))
    if fits_cases(value, n, digits):
        return value
    low = min(n - 1, math.floor(value * n))
    near = ", ".join(f"{k} give {k / n:.{digits}f}" for k in (low, low + 1))
    raise InvalidValue(f"{name} {text} of {n} cases: {near}; check both")


def decimals(value: float) -> int:
    """The decimals a number is written with; a percentage divided by 100 has its own two more."""
    return max(0, -int(Decimal(repr(value)).as_tuple().exponent))


def fits_cases(value: float, n: int, digits: int) -> bool:
    """Whether a proportion of so many decimals can be that of whole cases, rounded or cut off."""
    return abs(round(value * n) / n - value) < max(10.0**-digits, 1e-12)


@dataclass(frozen=True, slots=True)
class Reference(Jsonable):
    """The model at one accuracy: the reference is right on ``right`` of n cases and wrong on ``wrong``.

    ``q`` keeps the accuracy of the classifiers: right * p_dep + wrong * q = n * accuracy. Where n * accuracy
    is a whole number this is the paper's q = right / wrong * (1 - p_dep).
    """

    right: int
    wrong: int
    p_dep: float
    q: float

    _told = "* correlation"

    @property
    def correlation(self) -> float:
        """The correlation of correctness between two of the classifiers, over the cases of the test set."""
        share = self.right / (self.right + self.wrong)
        accuracy = share * self.p_dep + (1 - share) * self.q
        variance = accuracy * (1 - accuracy)
        if variance <= 0:
            return 0.0
        return share * (1 - share) * (self.p_dep - self.q) ** 2 / variance


@dataclass(frozen=True, slots=True)
class Dependence:
    """How strongly the classifiers follow the reference: ``p_dep`` itself, or their pairwise correlation."""

    p_dep: float | None = None
    correlation: float | None = None
    reference: float | None = None  #: accuracy of the reference; the classifiers' own accuracy where None

    def at(self, n: int, accuracy: float) -> Reference:
        """The model for classifiers of this accuracy; an error where it asks for q outside [0, 1]."""
        share = accuracy if self.reference is None else self.reference
        # Whole cases, rounded down, so that q is never negative.
        right = min(n, math.floor(n * share * (1 + 1e-15) + 1e-12 * math.sqrt(n)))
        wrong = n - right
        if right == 0 or wrong == 0:
            # A reference that is always right, or always wrong, leaves only the classifiers' own accuracy.
            if self.p_dep is not None and right > 0 and not math.isclose(self.p_dep, accuracy, abs_tol=0.5 / n):
                raise InvalidOption(
                    f"p_dep: the reference is right on all {n:,} cases, so p_dep must be the accuracy "
                    f"{accuracy:g} itself, got {self.p_dep:g}; leave it out for independent classifiers"
                )
            return Reference(right, wrong, accuracy, accuracy)
        p_dep = self.p_dep
        if p_dep is None:
            lift = math.sqrt((self.correlation or 0.0) * accuracy * (1 - accuracy) * wrong / right)
            # A reference of whole cases may leave no room for a correlation of exactly one.
            p_dep = _tidy(accuracy + lift if self.reference is not None else min(1.0, accuracy + lift))
        q = (n * accuracy - right * p_dep) / wrong
        if -1e-12 < q < 0 or 1 < q < 1 + 1e-12:
            q = min(1.0, max(0.0, q))
        if not (0 <= q <= 1 and 0 <= p_dep <= 1):
            raise InvalidOption(self._impossible(n, accuracy, right, p_dep, q))
        return Reference(right, wrong, p_dep, _tidy(q))

    def _impossible(self, n: int, accuracy: float, right: int, p_dep: float, q: float) -> str:
        wrong = n - right
        whose = f"the reference (right on {right:,} of {n:,} cases)"
        if self.p_dep is None:
            return (
                f"correlation: {self.correlation:g} is impossible for a classifier of accuracy {accuracy:g} and "
                f"{whose}: it would need p_dep = {p_dep:.4g} and q = {q:.4g}; choose a smaller correlation"
            )
        low, high = max(0.0, (n * accuracy - wrong) / right), min(1.0, n * accuracy / right)
        return (
            f"p_dep: {p_dep:g} is impossible at accuracy {accuracy:g}: where {whose} is wrong the classifiers would "
            f"be right with probability {q:.4g}; choose p_dep between {low:.4g} and {high:.4g}"
        )

    def feasible(self, n: int, accuracy: float) -> bool:
        """Whether the model exists at this accuracy."""
        try:
            self.at(n, accuracy)
        except InvalidOption:
            return False
        return True

    def __str__(self) -> str:
        if self.p_dep is not None:
            return f"p_dep = {self.p_dep:g}"
        return f"pairwise correlation {self.correlation:g}"


def dependence(p_dep: Any = None, correlation: Any = None) -> Dependence | None:
    """The option as the user gave it, checked; None for independent classifiers."""
    if p_dep is not None and correlation is not None:
        raise InvalidOption("p_dep and correlation say the same thing in two ways: give one of them")
    given = {"p_dep": p_dep, "correlation": correlation}
    told = {name: probability(name, value) for name, value in given.items() if value is not None}
    return Dependence(**told) if told else None


def _tidy(x: float) -> float:
    """0.45 rather than 0.45000000000000007: the last two bits are rounding of the formula."""
    rounded = round(x, 14)
    return rounded if math.isclose(x, rounded, rel_tol=1e-15) else x


#: outside the window of this depth no tail holds more than exp(-DEPTH): less than the smallest float
DEPTH = 750.0
_STIRLING_SMALL = np.array(
    [0.0] + [math.lgamma(k + 1) - (k + 0.5) * math.log(k) + k - 0.5 * math.log(2 * math.pi) for k in range(1, 16)]
)
#: pairs of counts a plain convolution may visit; beyond, Fourier transforms take over
_MOST_PAIRS = 10**7
#: depth of the window for those: tails below exp(-200) are dropped
_WIDE = 200.0
#: standard deviations that one transform covers
_STRETCH = 7.0


@dataclass(frozen=True, slots=True, eq=False)
class Law:
    """P(X = start + i) = exp(log_pmf[i]); whatever lies outside the window is negligible."""

    start: int
    log_pmf: Floats = field(repr=False)

    @property
    def end(self) -> int:
        return self.start + len(self.log_pmf) - 1

    def log_cdf(self) -> Floats:
        """log P(X <= x) over the window."""
        return np.minimum(np.logaddexp.accumulate(self.log_pmf), 0.0)

    def log_sf(self) -> Floats:
        """log P(X > x) over the window; the last is minus infinity, as nothing lies beyond."""
        above = np.append(np.logaddexp.accumulate(self.log_pmf[::-1])[-2::-1], -np.inf)
        log_cdf = self.log_cdf()
        upper = log_cdf > -math.log(2)
        return np.where(upper, np.minimum(above, 0.0), log1mexp(log_cdf))

    def tails(self, x: int) -> tuple[float, float]:
        """log P(X <= x) and log P(X > x)."""
        if x < self.start:
            return -math.inf, 0.0
        if x >= self.end:
            return 0.0, -math.inf
        cut = x - self.start + 1
        below = float(np.logaddexp.reduce(self.log_pmf[:cut]))
        above = float(np.logaddexp.reduce(self.log_pmf[cut:]))
        if below < above:
            return min(below, 0.0), float(log1mexp(below))
        return float(log1mexp(above)), min(above, 0.0)


def failures_of_one(n: int, accuracy: float, model: Dependence | None = None, depth: float = DEPTH) -> Law:
    """The law of one classifier's failures on n cases, given the reference if there is one."""
    if model is None:
        return _binomial(n, 1.0 - accuracy, accuracy, depth)
    return _given(model.at(n, accuracy), depth)


def log_pmf(x: Any, n: int, fail: Any, success: Any) -> Floats:
    """log P(X = x) for x failures among n cases; ``fail`` and ``success`` add to one, each precise by itself."""
    x, fail, success = np.broadcast_arrays(*(np.asarray(a, dtype=np.float64) for a in (x, fail, success)))
    rest = n - x
    with np.errstate(divide="ignore", invalid="ignore"):
        inner = (
            _stirling_remainder(np.asarray([float(n)]))[0]
            - _stirling_remainder(x)
            - _stirling_remainder(rest)
            - _deviance(x, n * fail)
            - _deviance(rest, n * success)
            + 0.5 * (math.log(n / (2 * math.pi)) - np.log(x) - np.log(rest))
        )
        none = np.where(fail < 0.5, xlog1py(n, -fail), n * np.log(success))
        all_ = np.where(success < 0.5, xlog1py(n, -success), n * np.log(fail))
    result = np.where(x == 0, none, np.where(x == n, all_, inner))
    degenerate = ((fail == 0) & (x > 0)) | ((success == 0) & (x < n))
    return np.where(degenerate, -np.inf, result)


def window(n: int, fail: float, success: float, depth: float = DEPTH) -> tuple[int, int]:
    """The counts outside which each tail is below exp(-depth), by Bernstein's inequality."""
    mean = n * fail
    reach = depth / 3 + math.sqrt(depth * depth / 9 + 2 * depth * n * fail * success)
    return max(0, math.floor(mean - reach)), min(n, math.ceil(mean + reach))


def log1mexp(log_p: Any) -> Floats:
    """log(1 - exp(log_p)) for log_p <= 0, accurate at both ends."""
    a = np.minimum(np.asarray(log_p, dtype=np.float64), 0.0)
    with np.errstate(divide="ignore"):
        return np.where(a > -math.log(2), np.log(-np.expm1(a)), np.log1p(-np.exp(a)))


def log_tails(x: int, n: int, accuracy: float, model: Dependence | None = None) -> tuple[float, float]:
    """log P(X <= x) and log P(X > x) of one classifier's failures, accurate however far out x lies."""
    if model is not None:
        return failures_of_one(n, accuracy, model).tails(x)
    if x < 0:
        return -math.inf, 0.0
    if x >= n:
        return 0.0, -math.inf
    fail = 1.0 - accuracy
    low, high = window(n, fail, accuracy)
    below = x < n * fail
    points = np.arange(max(0, x - (high - low + 1)), x + 1) if below else np.arange(min(n, x + 2 + high - low), x, -1)
    log_tail = float(np.logaddexp.reduce(log_pmf(points, n, fail, accuracy)))
    tails = min(log_tail, 0.0), float(log1mexp(log_tail))
    return tails if below else (tails[1], tails[0])


def _stirling_remainder(k: Floats) -> Floats:
    """log k! minus Stirling's formula; k holds whole numbers."""
    with np.errstate(divide="ignore", invalid="ignore"):
        r = 1.0 / k
        r2 = r * r
        series = r * (1 / 12 - r2 * (1 / 360 - r2 * (1 / 1260 - r2 * (1 / 1680 - r2 / 1188))))
    small = k < 16
    if not np.any(small):
        return np.asarray(series)
    table = _STIRLING_SMALL[np.minimum(k, 15).astype(np.int64)]
    return np.asarray(np.where(small, table, series))


def _deviance(x: Floats, expected: Floats) -> Floats:
    """x log(x / expected) + expected - x, which errs by the last digit of x - expected."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        off = (x - expected) / expected
        return np.asarray(expected * ((1 + off) * np.log1p(off) - off))


def _binomial(n: int, fail: float, success: float, depth: float) -> Law:
    low, high = window(n, fail, success, depth)
    return Law(low, log_pmf(np.arange(low, high + 1), n, fail, success))


def _given(reference: Reference, depth: float) -> Law:
    both = ((reference.right, reference.p_dep), (reference.wrong, reference.q))
    parts = [(cases, 1.0 - success, success) for cases, success in both if cases > 0]
    if len(parts) == 1:
        return _binomial(*parts[0], depth)
    widths = [high - low + 1 for low, high in (window(*part, depth) for part in parts)]
    if math.prod(widths) > _MOST_PAIRS:
        return _tilted(parts, min(depth, _WIDE))
    easier, harder = (_binomial(*part, depth) for part in parts)
    # scaling by the peaks keeps the products of small numbers away from underflow as long as possible
    peaks = [float(np.max(law.log_pmf)) for law in (easier, harder)]
    mass = np.convolve(np.exp(easier.log_pmf - peaks[0]), np.exp(harder.log_pmf - peaks[1]))
    with np.errstate(divide="ignore"):
        return Law(easier.start + harder.start, np.log(mass) + sum(peaks))


def _tilted(parts: Sequence[tuple[int, float, float]], depth: float) -> Law:
    """The same sum for large counts, by Fourier transforms that keep relative accuracy in the tails.

    A transform is accurate relative to the peak only. Tilting a binomial by exp(t x) gives another binomial
    whose peak lies elsewhere, so each stretch of seven standard deviations is convolved around its own peak.
    """
    from scipy.signal import fftconvolve

    bounds = [window(*part, depth) for part in parts]
    start, end = sum(low for low, _ in bounds), sum(high for _, high in bounds)
    xs = np.arange(start, end + 1)
    mean = sum(cases * fail for cases, fail, _ in parts)
    sd = math.sqrt(sum(cases * fail * success for cases, fail, success in parts))
    stretch = np.rint((xs - mean) / (_STRETCH * sd)).astype(np.int64)
    log_mass = np.full(len(xs), -np.inf)
    for step in np.unique(stretch).tolist():
        tilt = _STRETCH * step / sd
        masses: list[Floats] = []
        log_scale = 0.0
        for (cases, fail, success), (low, high) in zip(parts, bounds, strict=True):
            growth = fail * math.expm1(tilt)
            scale = 1.0 + growth
            tilted = log_pmf(np.arange(low, high + 1), cases, fail * math.exp(tilt) / scale, success / scale)
            masses.append(np.exp(tilted))
            log_scale += cases * math.log1p(growth)
        here = stretch == step
        mass = np.maximum(np.asarray(fftconvolve(masses[0], masses[1]))[here], 0.0)
        with np.errstate(divide="ignore"):
            log_mass[here] = np.log(mass) + log_scale - tilt * xs[here]
    return Law(start, log_mass)
