"""An independent oracle: scores by their textbook definitions, and brute force over all matrices.

Nothing here is imported from the package, and the formulas are written in another form: values in 60-digit
decimals for making reports, and comparisons in 64-bit integers (exact for p, n up to 60 and five digits) for
deciding them by looking at every cell.
"""

from __future__ import annotations

import decimal
from collections.abc import Callable, Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

decimal.getcontext().prec = 60
Bounds = tuple[Fraction, Fraction]
TIE = Fraction(1, 10**40)
Integers = Any  # arrays of 64-bit integers

TWENTY = (
    *("acc", "sens", "spec", "ppv", "npv", "f1", "f2", "f1n", "f2n", "upm", "gm", "fm"),
    *("mk", "bm", "mcc", "lrp", "lrn", "pt", "dor", "ji", "bacc", "kappa"),
)


def value(name: str, tp: int, fp: int, fn: int, tn: int) -> Decimal | None:
    """The score by its textbook definition; None where that divides by zero."""
    cells = [Decimal(cell) for cell in (tp, fp, fn, tn)]
    try:
        return _define(name, *cells)
    except (decimal.InvalidOperation, ZeroDivisionError):
        return None


def _define(name: str, tp: Decimal, fp: Decimal, fn: Decimal, tn: Decimal) -> Decimal:  # noqa: C901 - a table of formulas
    p, n = tp + fn, fp + tn
    one = Decimal(1)
    if name == "acc":
        return (tp + tn) / (p + n)
    if name == "sens":
        return tp / p
    if name == "spec":
        return tn / n
    if name == "ppv":
        return tp / (tp + fp)
    if name == "npv":
        return tn / (tn + fn)
    if name in ("f1", "f2"):
        weight = Decimal(name[1]) ** 2
        return (1 + weight) * tp / ((1 + weight) * tp + weight * fn + fp)
    if name in ("f1n", "f2n"):
        weight = Decimal(name[1]) ** 2
        return (1 + weight) * tn / ((1 + weight) * tn + weight * fp + fn)
    if name == "upm":
        return (
            4 / (1 / (tp / (tp + fp)) + 1 / (tp / p) + 1 / (tn / n) + 1 / (tn / (tn + fn)))
            if tp * tn
            else (Decimal(0) / (tp + tn) / (fp + fn))
        )
    if name == "gm":
        return ((tp / p) * (tn / n)).sqrt()
    if name == "fm":
        return ((tp / (tp + fp)) * (tp / p)).sqrt()
    if name == "mk":
        return tp / (tp + fp) + tn / (tn + fn) - 1
    if name == "bm":
        return tp / p + tn / n - 1
    if name == "mcc":
        return (tp * tn - fp * fn) / ((tp + fp) * p * n * (tn + fn)).sqrt()
    if name == "lrp":
        return (tp / p) / (fp / n)
    if name == "lrn":
        return (fn / p) / (tn / n)
    if name == "pt":
        rate, false_rate = tp / p, fp / n
        return false_rate.sqrt() / (rate.sqrt() + false_rate.sqrt())
    if name == "dor":
        return (tp / fp) / (fn / tn) if tn and fn else tp * tn / (fp * fn)
    if name == "ji":
        return tp / (tp + fp + fn)
    if name == "bacc":
        return (tp / p + tn / n) / 2
    if name == "kappa":
        total = p + n
        agreement, chance = (tp + tn) / total, (p * (tp + fp) + n * (tn + fn)) / total**2
        return (agreement - chance) / (one - chance)
    raise KeyError(name)


def printed(exact: Decimal, digits: int, how: str) -> str:
    """The value as an author would print it; ``how`` is half_up, half_even, floor or ceil."""
    rule = {
        "half_up": ROUND_HALF_UP,
        "half_even": ROUND_HALF_EVEN,
        "floor": ROUND_FLOOR,
        "ceil": ROUND_CEILING,
    }[how]
    # 50 digits first: a tie in the 60-digit value may be an artefact of its own rounding
    text = exact.quantize(Decimal(1).scaleb(-50), rounding=ROUND_HALF_EVEN)
    return f"{text.quantize(Decimal(1).scaleb(-digits), rounding=rule):f}"


def feasible(p: int, n: int, bounds: Mapping[str, Bounds]) -> NDArray[np.bool_]:
    """For every (tp, tn) whether all scores are defined and inside their closed bounds, exactly."""
    tp, tn = np.meshgrid(np.arange(p + 1, dtype=np.int64), np.arange(n + 1, dtype=np.int64), indexing="ij")
    inside = np.ones(tp.shape, dtype=bool)
    for name, (low, high) in bounds.items():
        inside &= _side(name, tp, tn, p, n, low, 1) & _side(name, tp, tn, p, n, high, -1)
    return inside


def feasible_with_zeros(p: int, n: int, bounds: Mapping[str, Bounds]) -> bool:
    """Whether a matrix on which some score is 0/0 fits with that counted as zero: one of the corners of the grid."""

    def inside(name: str, tp: int, tn: int) -> bool:
        low, high = bounds[name]
        try:
            exact = _define(name, *map(Decimal, (tp, n - tn, p - tp, tn)))
        except decimal.InvalidOperation:
            return low <= 0 <= high
        except ZeroDivisionError:
            return False  # infinite
        return low - TIE <= Fraction(exact) <= high + TIE

    return any(all(inside(name, tp, tn) for name in bounds) for tp in (0, p) for tn in (0, n))


def _side(name: str, tp: Integers, tn: Integers, p: int, n: int, bound: Fraction, sign: int) -> Any:
    """sign * (score - bound) >= 0 and the score is defined."""
    fp, fn = n - tn, p - tp
    a, b = bound.numerator, bound.denominator
    if name in ("gm", "fm", "mcc"):
        x, square = {
            "gm": (tp * tn * 0 + 1, tp * tn),
            "fm": (tp * 0 + 1, tp * tp),
            "mcc": (tp * tn - fp * fn, (tp * tn - fp * fn) ** 2),
        }[name]
        d = {"gm": tp * 0 + p * n, "fm": p * (tp + fp), "mcc": (tp + fp) * p * n * (tn + fn)}[name]
        difference = np.sign(x) * square * b * b - (1 if a >= 0 else -1) * a * a * d
        return (d != 0) & (sign * difference >= 0)
    if name == "pt":
        # (1 - c) sqrt(fpr) >= c sqrt(sens), squared where both sides are not negative
        defined = (tp + fp) != 0
        if p == 0 or n == 0:
            return np.zeros(tp.shape, dtype=bool)
        if a < 0 or a > b:
            return defined & ((sign > 0) == (a < 0))
        return defined & (sign * ((b - a) ** 2 * fp * p - a * a * tp * n) >= 0)
    definitions: dict[str, Callable[[], tuple[Integers, Integers]]] = {
        "acc": lambda: (tp + tn, tp * 0 + p + n),
        "sens": lambda: (tp, tp * 0 + p),
        "spec": lambda: (tn, tn * 0 + n),
        "ppv": lambda: (tp, tp + fp),
        "npv": lambda: (tn, tn + fn),
        "f1": lambda: (2 * tp, 2 * tp + fp + fn),
        "f2": lambda: (5 * tp, 5 * tp + 4 * fn + fp),
        "f1n": lambda: (2 * tn, 2 * tn + fp + fn),
        "f2n": lambda: (5 * tn, 5 * tn + 4 * fp + fn),
        "upm": lambda: (4 * tp * tn, 4 * tp * tn + (tp + tn) * (fp + fn)),
        "mk": lambda: (tp * (tn + fn) + tn * (tp + fp) - (tp + fp) * (tn + fn), (tp + fp) * (tn + fn)),
        "bm": lambda: (tp * n + tn * p - p * n, tp * 0 + p * n),
        "lrp": lambda: (tp * n, p * fp),
        "lrn": lambda: (fn * n, p * tn),
        "dor": lambda: (tp * tn, fp * fn),
        "ji": lambda: (tp, tp + fp + fn),
        "bacc": lambda: (tp * n + tn * p, tp * 0 + 2 * p * n),
        "kappa": lambda: (
            (p + n) * (tp + tn) - p * (tp + fp) - n * (tn + fn),
            (p + n) ** 2 - p * (tp + fp) - n * (tn + fn),
        ),
    }
    num, den = definitions[name]()
    return (den != 0) & (sign * (num * b - a * den) >= 0)
