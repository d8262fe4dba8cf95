"""Costs of misclassification: for which ratio of costs is one method preferable to another?

MC = C_FN FN + C_FP FP (Lavazza and Morasca 2023, section VI.A). Per case and in units of C_FP it is k fn + fp with the
ratio k = C_FN / C_FP, a line in k. The rates (fn, fp) of a method are only known to be mixtures of some corners, so its
cost lies between two lines' envelopes, and one method is certainly cheaper than another on an interval of k.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoreproof.errors import InvalidOption
from scoreproof.reconstruct.ranges import Range, above, below
from scoreproof.reconstruct.result import Reconstruction

Errors = list[tuple[Fraction, Fraction]]  # (fn, fp) as rates
_MOST_CORNERS = 5_000


@dataclass(frozen=True, slots=True)
class Preference:
    """``one`` certainly costs less than ``other`` if the cost ratio is above ``low`` and below ``high`` (None: any)."""

    one: str
    other: str
    low: Fraction
    high: Fraction | None

    def __str__(self) -> str:
        if self.low == 0 and self.high is None:
            return f"{self.one} costs less than {self.other} whatever the costs"
        if self.high is None:
            return f"{self.one} certainly costs less than {self.other} if C_FN/C_FP is above {above(self.low)}"
        if self.low == 0:
            return f"{self.one} certainly costs less than {self.other} if C_FN/C_FP is below {below(self.high)}"
        return (
            f"{self.one} certainly costs less than {self.other} if C_FN/C_FP is between {above(self.low)} "
            f"and {below(self.high)}"
        )

    def to_dict(self) -> dict[str, Any]:
        high = None if self.high is None else float(self.high)
        return {"cheaper": self.one, "than": self.other, "ratio_above": float(self.low), "ratio_below": high}


def error_rates(found: Reconstruction) -> Errors:
    """Corners (fn, fp) of everything a method may have done wrong, as rates; every error is a mixture of them."""
    corners: dict[tuple[Fraction, Fraction], None] = {}
    for tp, fp, fn, tn in found.corners():
        total = tp + fp + fn + tn
        corners[Fraction(fn, total), Fraction(fp, total)] = None
        if len(corners) > _MOST_CORNERS:
            break
    else:
        return _hull(list(corners))
    spans = [_rate(found, name) for name in ("fn", "fp")]
    return [(fn, fp) for fn in spans[0] for fp in spans[1]]


def _rate(found: Reconstruction, name: str) -> tuple[Fraction, Fraction]:
    span = found.ranges[name]
    high = Fraction(1) if span.high is None else span.high
    if found.known == "rates":
        return span.low, high
    least, most = found.total or (sum(found.classes or (1,)),) * 2
    return span.low / most, high / least


def _hull(points: Errors) -> Errors:
    """The corners of the convex hull."""
    ordered = sorted(points)
    if len(ordered) < 3:
        return ordered
    hull: Errors = []
    for sweep in (ordered, ordered[::-1]):
        start = len(hull)
        for point in sweep:
            while len(hull) >= start + 2 and _turn(hull[-2], hull[-1], point) <= 0:
                hull.pop()
            hull.append(point)
        hull.pop()
    return hull


def _turn(a: tuple[Fraction, Fraction], b: tuple[Fraction, Fraction], c: tuple[Fraction, Fraction]) -> Fraction:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def cheaper(one: str, first: Errors, other: str, second: Errors) -> Preference | None:
    """The interval of cost ratios for which the one certainly costs less; None if there is none."""
    low, high = Fraction(0), None
    for fn, fp in first:
        for fn2, fp2 in second:
            gain, loss = fn2 - fn, fp - fp2  # less only if k * gain > loss
            if gain > 0:
                low = max(low, loss / gain)
            elif gain < 0:
                bound = loss / gain
                high = bound if high is None else min(high, bound)
            elif loss >= 0:
                return None
    if high is not None and high <= low:
        return None
    return Preference(one, other, low, high)


def cost(errors: Errors, ratio: Fraction) -> Range:
    """The cost per case, in units of C_FP, at one cost ratio."""
    values = [ratio * fn + fp for fn, fp in errors]
    return Range(min(values), max(values))


def read_ratio(ratio: Any) -> Fraction | None:
    """A cost ratio C_FN / C_FP: a positive number."""
    if ratio is None:
        return None
    try:
        exact = Fraction(str(ratio))
    except (ValueError, ZeroDivisionError):
        exact = Fraction(-1)
    if exact <= 0:
        raise InvalidOption(f"cost_ratio: expected a positive number C_FN / C_FP, got {ratio!r}")
    return exact
