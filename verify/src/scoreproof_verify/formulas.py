"""The scores once more, written down independently of the registry.

The forms are the standardised ones in (tp, tn, p, n) of Fazekas and Kovács (2024), Table 2. ``ratio`` gives a
numerator and a non-negative denominator; the link says how the value follows from them.
Monotonicity is the theorem the whole proof rests on: every score here never falls (RISES) or never rises (FALLS)
when tp or tn grows at fixed p and n; docs/proofs.md gives the argument for each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import Any

RISES, FALLS = 1, -1
LINEAR, STRAIGHT, CURVED, SIGNED, REGISTERED = "linear", "straight", "curved", "signed", "registered"

SAME, ROOT, THRESHOLD = "ratio", "root", "threshold"

Formula = Callable[[Any, Any, Any, Any], tuple[Any, Any]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One score: its ratio of integers, how its value follows from that, where it goes, and its border's form.

    ``least`` and ``most`` bound its values (None: nothing does). ``declared`` marks a score whose monotonicity is its
    author's word.
    """

    ratio: Formula
    link: str
    direction: int
    border: str
    least: int | None = 0
    most: int | None = 1
    declared: bool = False
    harmonic: str = ""  # of an F-score: "tp" or "tn", the count without which precision and recall are both 0

    def invert(self, value: Fraction) -> Fraction:
        """The ratio at which the score has this value; beyond its range, a ratio that is never reached."""
        if self.link == ROOT:
            return value * value if value >= 0 else -value * value
        if self.link == THRESHOLD:
            if not 0 <= value <= 1:
                return Fraction(-1) if value < 0 else Fraction(2)
            return value**2 / (value**2 + (1 - value) ** 2)
        return value

    def values(self, tp: Any, tn: Any, p: Any, n: Any) -> tuple[Any, Any, Any]:
        """Float values of arrays, with numerators and denominators; relative error below 2**-49 where defined."""
        from scoreproof_verify.arrays import np

        num, den, _ = np.broadcast_arrays(*self.ratio(tp, tn, p, n), tp)
        with np.errstate(all="ignore"):
            w = num / den
            if self.link == ROOT:
                root = np.sqrt(abs(w))
                w = np.where(w < 0, -root, root)
            elif self.link == THRESHOLD:
                w = np.sqrt(w) / (np.sqrt(w) + np.sqrt((den - num) / den))  # 1 - w would cancel
        return w, num, den

    def enclose(self, num: int, den: int, bits: int) -> tuple[Fraction, Fraction]:
        """Rationals around the value of a defined ratio, at most 2**-bits apart (a few times that for thresholds)."""
        unit = 1 << bits
        if self.link == ROOT:
            low = isqrt((abs(num) << (2 * bits)) // den)
            exact = low * low * den == abs(num) << (2 * bits)
            ends = (Fraction(low, unit), Fraction(low if exact else low + 1, unit))
            return ends if num >= 0 else (-ends[1], -ends[0])
        if self.link == THRESHOLD:
            above, below = isqrt(num << (2 * bits + 8)), isqrt((den - num) << (2 * bits + 8))
            if above * above == num << (2 * bits + 8) and below * below == (den - num) << (2 * bits + 8):
                return Fraction(above, above + below), Fraction(above, above + below)
            return Fraction(above, above + below + 1), Fraction(above + 1, above + below + 1)
        return Fraction(num, den), Fraction(num, den)


Rules = Mapping[str, Rule]  # by name, of scores that are not built in


def _matthews(tp: Any, tn: Any, p: Any, n: Any) -> tuple[Any, Any]:
    x = n * tp + p * tn - n * p
    return x * abs(x), n * p * (n - tn + tp) * (p + tn - tp)


_RULES: dict[str, Rule] = {
    "acc": Rule(lambda t, u, p, n: (t + u, p + n), SAME, RISES, LINEAR),
    "err": Rule(lambda t, u, p, n: (p + n - t - u, p + n), SAME, FALLS, LINEAR),
    "sens": Rule(lambda t, u, p, n: (t, p), SAME, RISES, LINEAR),
    "fnr": Rule(lambda t, u, p, n: (p - t, p), SAME, FALLS, LINEAR),
    "spec": Rule(lambda t, u, p, n: (u, n), SAME, RISES, LINEAR),
    "fpr": Rule(lambda t, u, p, n: (n - u, n), SAME, FALLS, LINEAR),
    "bm": Rule(lambda t, u, p, n: (n * t + p * u - n * p, n * p), SAME, RISES, LINEAR, -1),
    "bacc": Rule(lambda t, u, p, n: (n * t + p * u, 2 * n * p), SAME, RISES, LINEAR),
    "ppv": Rule(lambda t, u, p, n: (t, n - u + t), SAME, RISES, STRAIGHT),
    "fdr": Rule(lambda t, u, p, n: (n - u, n - u + t), SAME, FALLS, STRAIGHT),
    "npv": Rule(lambda t, u, p, n: (u, p + u - t), SAME, RISES, STRAIGHT),
    "for": Rule(lambda t, u, p, n: (p - t, p + u - t), SAME, FALLS, STRAIGHT),
    "ji": Rule(lambda t, u, p, n: (t, n + p - u), SAME, RISES, STRAIGHT),
    "lrp": Rule(lambda t, u, p, n: (n * t, p * (n - u)), SAME, RISES, STRAIGHT, 0, None),
    "lrn": Rule(lambda t, u, p, n: (n * (p - t), p * u), SAME, FALLS, STRAIGHT, 0, None),
    "pt": Rule(lambda t, u, p, n: (p * (n - u), p * (n - u) + n * t), THRESHOLD, FALLS, STRAIGHT),
    "kappa": Rule(
        lambda t, u, p, n: (2 * n * t + 2 * p * u - 2 * n * p, n * n - n * u + n * t + p * p + p * u - p * t),
        SAME,
        RISES,
        STRAIGHT,
        -1,
    ),
    "upm": Rule(lambda t, u, p, n: (4 * t * u, u * (n + p - u + t) + t * (n + p + u - t)), SAME, RISES, CURVED),
    "gm": Rule(lambda t, u, p, n: (t * u, n * p), ROOT, RISES, CURVED),
    "fm": Rule(lambda t, u, p, n: (t * t, p * (n - u + t)), ROOT, RISES, CURVED),
    "mk": Rule(lambda t, u, p, n: (n * t + p * u - n * p, (p + u - t) * (n - u + t)), SAME, RISES, CURVED, -1),
    "dor": Rule(lambda t, u, p, n: (t * u, (n - u) * (p - t)), SAME, RISES, CURVED, 0, None),
    "mcc": Rule(_matthews, ROOT, RISES, SIGNED, -1),
}


def _per_class(t: Any, u: Any, p: Any, n: Any) -> tuple[tuple[Any, Any], ...]:
    """The predictive values of both classes, and their F1, as numerators and denominators."""
    positive, negative, cases = n - u + t, p + u - t, p + n
    return (t, positive), (u, negative), (2 * t, cases + t - u), (2 * u, cases + u - t)


def _weighted(at: int, first: str) -> Formula:
    """An average over both classes, weighted by their cases: the first by p or by n, or unweighted."""

    def formula(t: Any, u: Any, p: Any, n: Any) -> tuple[Any, Any]:
        (a, b), (c, d) = _per_class(t, u, p, n)[at : at + 2]
        weight, other = {"p": (p, n), "n": (n, p)}.get(first, (1, 1))
        return weight * a * d + other * c * b, b * d * (weight + other)

    return formula


# A program that averages over classes fills the 0/0 of one class, not that of the average; predictive values are 0/0
# where a class is never predicted, the others only where a class has no cases.
DEFINED_FOR_BOTH = frozenset({"macro f1", "weighted f1", "weighted spec"})
PREDICTIVE_OF_BOTH = frozenset({"macro ppv", "macro npv", "weighted ppv", "weighted npv"})


def of_one_class(name: str, way: str, t: Any, u: Any, p: Any, n: Any) -> tuple[Any, Any]:
    """An average of predictive values where every case is called negative, or every one positive (p, n > 0).

    That of the class called is its share of all cases, that of the other is 0/0: it is filled, or left out (present).
    """
    negative = 1 * ((t == 0) & (u == n))
    called, cases = negative * n + (1 - negative) * p, p + n
    if way == "present":
        return called, cases
    fill = int(way == "one")
    if name.startswith("macro"):
        return called + fill * cases, 2 * cases
    weight = called if name == "weighted ppv" else cases - called  # of the class called
    return weight * called + (cases - weight) * fill * cases, cases * cases


# averages over both classes grow with tp and tn as their parts do; nothing is said of them if p changes
_RULES |= {
    "macro ppv": Rule(_weighted(0, ""), SAME, RISES, REGISTERED),
    "macro npv": Rule(_weighted(0, ""), SAME, RISES, REGISTERED),
    "macro f1": Rule(_weighted(2, ""), SAME, RISES, REGISTERED),
    "weighted ppv": Rule(_weighted(0, "p"), SAME, RISES, REGISTERED),
    "weighted npv": Rule(_weighted(0, "n"), SAME, RISES, REGISTERED),
    "weighted f1": Rule(_weighted(2, "p"), SAME, RISES, REGISTERED),
    "weighted spec": Rule(lambda t, u, p, n: (p * p * u + n * n * t, p * n * (p + n)), SAME, RISES, REGISTERED),
}

_F_NAME = re.compile(r"f([0-9]{1,60}(?:\.[0-9]{1,60})?|[0-9]{1,60}/[0-9]{1,60})(n?)")


def squared_of(beta: str) -> Fraction | None:
    """The square of the beta in the name of an F-score; None if it is not above 0."""
    value = Fraction(0) if re.fullmatch(r"[0-9]+/0+", beta) else Fraction(beta)
    return value**2 if value > 0 else None


@lru_cache(maxsize=1024)
def rule(name: str) -> Rule | None:
    """The rule of a built-in score, F-scores of any beta included; None for a name it does not know."""
    if name in _RULES:
        return _RULES[name]
    match = _F_NAME.fullmatch(name)
    squared = None if match is None else squared_of(match[1])
    if match is None or squared is None:
        return None
    s, r = squared.numerator, squared.denominator
    if match[2]:
        return Rule(lambda t, u, p, n: ((s + r) * u, s * n + r * (p + u - t)), SAME, RISES, STRAIGHT, harmonic="tn")
    return Rule(lambda t, u, p, n: ((s + r) * t, s * p + r * (n + t - u)), SAME, RISES, STRAIGHT, harmonic="tp")
