"""The distribution of the best score among m classifiers, whatever the score.

Values are kept best first, with the logarithm of the probability that *no* classifier reaches them (Møllersen and
Holsbø 2023, arXiv:2303.07272, equation 1, in log space). From that one array follow the probability mass (equation 2),
quantiles, moments and both readings of a "95% interval" for a discrete distribution. For any score of a confusion
matrix every matrix is visited once: tp and tn of a classifier with known sensitivity and specificity are independent
binomials, so F1, MCC or a score of one's own have as exact a distribution as accuracy has.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from scoreproof.arrays import Floats
from scoreproof.errors import InvalidOption
from scoreproof.jsonable import document
from scoreproof.kinds.binary.scores import Score
from scoreproof.kinds.binary.scores import score as lookup
from scoreproof.results import Result
from scoreproof.sota.law import MOST_CASES, MOST_CLASSIFIERS, count, log_pmf, number, probability, window
from scoreproof.validation import chosen, fraction

Convention = Literal["quantile", "holds"]


@dataclass(frozen=True, slots=True)
class BestInterval(Result):
    """Two limits for the best score and the probabilities that really lie at and beyond them.

    ``quantile`` is the paper's convention: the smallest number of failures z with F(z) >= alpha/2, which
    leaves *more* than alpha/2 at or beyond the limit. ``holds`` moves each limit one possible value outwards,
    so that ``p_low`` = P(best <= low) and ``p_high`` = P(best >= high) really are at most alpha/2. A limit is
    None where no possible score is that rare.
    """

    low: float | None
    high: float | None
    p_low: float
    p_high: float
    alpha: float
    convention: Convention

    def __str__(self) -> str:
        low, high = ("none" if limit is None else f"{limit:.4f}" for limit in (self.low, self.high))
        chances = f"P(best at most {low}) = {self.p_low:.4f}, P(best at least {high}) = {self.p_high:.4f}"
        return f"{low} to {high} ({self.convention}: {chances})"


@dataclass(frozen=True, slots=True, eq=False)
class Best(Result):
    """The best of ``m`` classifiers; ``log_none[i]`` is the log probability that none reaches " "``values[i]``."""

    score: str
    m: int
    truth: float  #: the true score of the (truly best) classifier
    setting: str  #: the rest of the situation, in words
    values: Floats = field(repr=False)  #: possible scores, best first
    log_none: Floats = field(repr=False)
    higher_is_better: bool = True

    _told = "classifiers=m *"

    def reaches(self, value: float) -> float:
        """The probability that at least one classifier scores ``value`` or better: the paper's F."""
        return self._reached(self._as_good(value))

    def pmf(self, value: float) -> float:
        """The probability that the best scores exactly ``value``."""
        return self._reached(self._as_good(value)) - self._reached(self._as_good(value, better=True))

    def cdf(self, value: float) -> float:
        """The probability that the best score is at most ``value``."""
        if self.higher_is_better:
            return self._none(self._as_good(value, better=True))
        return self._reached(self._as_good(value))

    def quantile(self, probability: float) -> float:
        """The smallest score x with cdf(x) >= probability."""
        wanted = fraction("probability", probability)
        if self.higher_is_better:
            # P(best <= values[i]) is the chance that none reaches values[i - 1]
            none = np.concatenate([[1.0], np.exp(self.log_none[:-1])])
            return float(self.values[np.flatnonzero(none >= wanted)[-1]])
        return float(self.values[np.argmax(self._reached_all() >= wanted)])

    @property
    def masses(self) -> Floats:
        """The probability of each of ``values``; they add to one."""
        before = np.concatenate([[0.0], self.log_none[:-1]])
        with np.errstate(invalid="ignore"):
            step = np.where(np.isneginf(before), 0.0, self.log_none - before)
        return np.asarray(np.exp(before) * -np.expm1(step))

    @property
    def mean(self) -> float:
        """The expected best score."""
        masses = self.masses
        centre = float(self.values[np.argmax(masses)])
        return centre + float(masses @ (self.values - centre))

    @property
    def sd(self) -> float:
        """The standard deviation of the best score."""
        return math.sqrt(float(self.masses @ (self.values - self.mean) ** 2))

    @property
    def bias(self) -> float:
        """How far the expected best lies above (for an error rate: below) the truth."""
        return self.mean - self.truth

    @property
    def median(self) -> float:
        return self.quantile(0.5)

    def interval(self, alpha: float = 0.05, convention: Convention = "holds") -> BestInterval:
        """Limits for the best score; see ``BestInterval`` for the two conventions."""
        half = fraction("alpha", alpha) / 2
        chosen("convention", convention, get_args(Convention))
        reached, none = self._reached_all(), np.exp(self.log_none)
        good = int(np.argmax(reached >= half))
        bad = int(np.argmax(none <= half))
        if convention == "holds":
            good -= bool(reached[good] > half)
            bad += 1
        best_end = (float(self.values[good]), float(reached[good])) if good >= 0 else (None, 0.0)
        worst_end = (float(self.values[bad]), self._none(bad)) if bad < len(none) else (None, 0.0)
        (low, p_low), (high, p_high) = (worst_end, best_end) if self.higher_is_better else (best_end, worst_end)
        return BestInterval(low, high, p_low, p_high, float(alpha), convention)

    def summary(self, alpha: float = 0.05) -> dict[str, Any]:
        """Mean, spread and both intervals as plain data."""
        limits = {convention: self.interval(alpha, convention) for convention in get_args(Convention)}
        return document(self, "score classifiers=m truth setting mean sd bias median", intervals=limits)

    def to_dict(self) -> dict[str, Any]:
        return {**self.summary(), **document(self, "higher_is_better values log_none")}

    def __str__(self) -> str:
        holds = self.interval()
        limit = holds.high if self.higher_is_better else holds.low
        rare = "no possible score is reached with probability 0.025 or less"
        if limit is not None:
            rare = f"{limit:.4f} or better is reached with probability at most 0.025"
        return (
            f"The best of {self.m:,} classifiers ({self.setting}) is expected to score {self.score} "
            f"{self.mean:.4f} (sd {self.sd:.6f}), {abs(self.bias):.4f} "
            f"{'above' if self.bias >= 0 else 'below'} the true {self.truth:.4g}; {rare}."
        )

    def _as_good(self, value: float, *, better: bool = False) -> int:
        """How many of ``values`` are this good or better (or only better); the last bits of a float do not matter."""
        sign = -1 if self.higher_is_better else 1
        value = number("value", value)
        slack = 4e-16 * max(1.0, abs(value)) * (-1 if better else 1)
        return int(np.searchsorted(sign * self.values, sign * value + slack, side="left" if better else "right"))

    def _reached(self, how_many: int) -> float:
        return 0.0 if how_many == 0 else float(-np.expm1(self.log_none[how_many - 1]))

    def _none(self, how_many: int) -> float:
        return 1.0 if how_many == 0 else float(np.exp(self.log_none[how_many - 1]))

    def _reached_all(self) -> Floats:
        return np.asarray(-np.expm1(self.log_none))


MOST_MATRICES = 2 * 10**7
#: each tail leaves out less than exp(-depth); the second is tried where the first visits too many matrices
_DEPTHS = (70.0, 45.0)
_FEW = 3 * 10**6


def best_of_score(
    name: str | Score,
    m: int,
    p: int,
    n: int,
    *,
    sens: float,
    spec: float,
    undefined: Literal["exclude", "zero"] = "exclude",
) -> Best:
    """The exact distribution of the best score among m classifiers of this sensitivity and specificity.

    Where the score is undefined (0/0), the classifier counts as if it had reported nothing and another draw
    had taken its place (``exclude``), or as zero. ``truth`` is the score at the expected counts.

    >>> best = best_of_score("f1", 100, 50, 950, sens=0.8, spec=0.98)
    >>> round(best.truth, 4), round(best.mean, 4)
    (0.7339, 0.8397)
    >>> accuracy = best_of_score("acc", 1000, 300, 2700, sens=0.9, spec=0.9)
    >>> round(accuracy.mean, 4), round(accuracy.sd, 6)
    (0.9173, 0.001817)
    """
    score = lookup(name)
    m = count("m", m, most=MOST_CLASSIFIERS)
    p, n = count("p", p, most=MOST_CASES), count("n", n, most=MOST_CASES)
    sens, spec = probability("sens", sens), probability("spec", spec)
    values, masses = _one_classifier(score, p, n, sens, spec, zero=undefined == "zero")
    higher = score.direction > 0
    if higher:
        values, masses = values[::-1], masses[::-1]
    reached = np.cumsum(masses)
    missed = np.append(np.cumsum(masses[::-1])[-2::-1], 0.0)
    with np.errstate(divide="ignore"):
        log_none = m * np.where(reached < 0.5, np.log1p(-np.minimum(reached, 1.0)), np.log(missed))
    truth = float(score.values(p * sens, n * (1 - spec), p * (1 - sens), n * spec))
    setting = f"sensitivity {sens:g}, specificity {spec:g}, {p:,} positive and {n:,} negative cases"
    return Best(score.name, m, truth, setting, values, log_none, higher)


def _one_classifier(score: Score, p: int, n: int, sens: float, spec: float, *, zero: bool) -> tuple[Floats, Floats]:
    """Every value the score can take, ascending, and its probability for one classifier."""
    tp, log_tp, tn, log_tn = _windows(p, n, sens, spec)
    values = score.values(tp[:, None], (n - tn)[None, :], (p - tp)[:, None], tn[None, :])
    values = np.broadcast_to(values, (len(tp), len(tn))).ravel()
    masses = np.exp(log_tp[:, None] + log_tn[None, :]).ravel()
    defined = np.isfinite(values)
    if zero:
        values = np.where(defined, values, 0.0)
    else:
        values, masses = values[defined], masses[defined]
    total = float(masses.sum())
    if not total > 0:
        raise InvalidOption(
            f"{score.name}: undefined for every matrix that sensitivity {sens:g} and specificity {spec:g} "
            "can produce; undefined='zero' would count it as 0"
        )
    order = np.argsort(values, kind="stable")
    values, masses = values[order], masses[order]
    firsts = np.flatnonzero(np.concatenate([[True], np.diff(values) > 0]))
    return values[firsts], np.add.reduceat(masses, firsts) / total


def _windows(p: int, n: int, sens: float, spec: float) -> tuple[Floats, Floats, Floats, Floats]:
    """The counts worth visiting: tp and tn with their log probabilities."""
    for depth in _DEPTHS:
        (tp_low, tp_high), (tn_low, tn_high) = (window(p, sens, 1 - sens, depth), window(n, spec, 1 - spec, depth))
        if (matrices := (tp_high - tp_low + 1) * (tn_high - tn_low + 1)) <= _FEW:
            break
    if matrices > MOST_MATRICES:
        raise InvalidOption(
            f"p and n: {matrices:,} confusion matrices would have to be enumerated, more than {MOST_MATRICES:,}; with "
            "so many cases the normal approximation is safe, or study a smaller test set"
        )
    tp = np.arange(tp_low, tp_high + 1, dtype=np.float64)
    tn = np.arange(tn_low, tn_high + 1, dtype=np.float64)
    return tp, log_pmf(tp, p, sens, 1 - sens), tn, log_pmf(tn, n, spec, 1 - spec)
