"""The distribution of the best score among m classifiers, whatever the score.

Values are kept best first, with the logarithm of the probability that *no* classifier reaches them (Møllersen
and Holsbø 2023, arXiv:2303.07272, equation 1, in log space). From that one array follow the probability mass
(equation 2), quantiles, moments and both readings of a "95% interval" for a discrete distribution.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from scoreproof.arrays import Floats
from scoreproof.jsonable import document
from scoreproof.results import Result
from scoreproof.sota.inputs import number
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
        low = "none" if self.low is None else f"{self.low:.4f}"
        high = "none" if self.high is None else f"{self.high:.4f}"
        return (
            f"{low} to {high} ({self.convention}: P(best at most {low}) = {self.p_low:.4f}, "
            f"P(best at least {high}) = {self.p_high:.4f})"
        )


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
        rare = (
            "no possible score is reached with probability 0.025 or less"
            if limit is None
            else f"{limit:.4f} or better is reached with probability at most 0.025"
        )
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
