"""Public against private scores: regression to the mean, or overfitting?

Whoever tops the public board was partly lucky, so a drop on the private one is expected even without any
overfitting. The reliability of the public scores (the share of their variance that is not sampling noise)
says how large a drop; what exceeds it is left to explain. Compare Roelofs et al., "A meta-analysis of
overfitting in machine learning" (2019), and Figure 8 of Møllersen and Holsbø (2023, arXiv:2303.07272).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from scoreproof.arrays import Floats
from scoreproof.errors import InvalidOption
from scoreproof.results import Result

Variance = Callable[[float], float]


@dataclass(frozen=True, slots=True)
class Regression(Result):
    """How private scores follow public ones."""

    entries: int
    mean_public: float
    mean_private: float
    slope: float
    slope_se: float | None
    intercept: float
    correlation: float | None
    reliability: float | None  #: the slope that sampling noise of the public scores alone would leave
    top_public: float
    top_private: float  #: the private score of the entry that leads the public board
    top_expected: float | None  #: what regression to the mean predicts for it
    shift_z: float | None  #: the average change, in standard errors of one entry on two test sets

    _told = "* top_drop unexplained_drop"

    @property
    def top_drop(self) -> float:
        return self.top_public - self.top_private

    @property
    def unexplained_drop(self) -> float | None:
        """What the public leader lost beyond regression to the mean (negative: it lost less)."""
        return None if self.top_expected is None else self.top_expected - self.top_private

    def __str__(self) -> str:
        text = (
            f"Private scores follow public ones with slope {self.slope:.3f} over {self.entries:,} entries; "
            f"the public leader went from {self.top_public:.4f} to {self.top_private:.4f}"
        )
        if self.top_expected is None:
            return f"{text}."
        return (
            f"{text}, where regression to the mean predicts {self.top_expected:.4f} "
            f"(reliability of the public scores {self.reliability:.3f})."
        )


def regression(
    public: Floats, private: Floats, private_variance: Variance, public_variance: Variance | None = None
) -> Regression:
    """The regression of private on public scores, entry by entry; variances are those of one score, by its value.

    >>> public = np.array([0.95, 0.93, 0.92, 0.90, 0.88])
    >>> private = np.array([0.92, 0.925, 0.91, 0.90, 0.89])
    >>> found = regression(public, private, lambda a: a * (1 - a) / 3000, lambda a: a * (1 - a) / 1000)
    >>> round(found.slope, 3), round(found.reliability, 3)
    (0.49, 0.895)
    """
    if len(public) < 3:
        raise InvalidOption(f"public: a regression needs at least 3 entries, got {len(public)}")
    centred = public - public.mean()
    spread = float(centred @ centred)
    if spread <= 0:
        raise InvalidOption("public: all public scores are equal, so nothing can be regressed on them")
    slope = float(centred @ private) / spread
    intercept = float(private.mean()) - slope * float(public.mean())
    residual = private - intercept - slope * public
    leader = int(np.argmax(public))
    reliability = expected = shift = None
    if public_variance is not None:
        noise = float(np.mean([public_variance(float(a)) for a in public]))
        reliability = min(1.0, max(0.0, 1 - noise / (spread / (len(public) - 1))))
        expected = float(private.mean() + reliability * centred[leader])
        shift = _shift(public, private, public_variance, private_variance)
    rest = private - private.mean()
    both = math.sqrt(spread * float(rest @ rest))
    return Regression(
        entries=len(public),
        mean_public=float(public.mean()),
        mean_private=float(private.mean()),
        slope=slope,
        slope_se=math.sqrt(float(residual @ residual) / (len(public) - 2) / spread),
        intercept=intercept,
        correlation=float(centred @ rest) / both if both > 0 else None,
        reliability=reliability,
        top_public=float(public[leader]),
        top_private=float(private[leader]),
        top_expected=expected,
        shift_z=shift,
    )


def _shift(public: Floats, private: Floats, public_variance: Variance, private_variance: Variance) -> float | None:
    """All entries share the two test sets, so the average is as uncertain as one entry at worst."""
    level = (float(public.mean()) + float(private.mean())) / 2
    se = math.sqrt(public_variance(level) + private_variance(level))
    return None if se == 0 else (float(private.mean()) - float(public.mean())) / se
