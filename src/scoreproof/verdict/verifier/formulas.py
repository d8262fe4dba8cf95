"""The scores once more, written down independently of the registry.

The forms are the standardised ones in (tp, tn, p, n) of Fazekas and Kovács (2024), Table 2. ``ratio`` gives a
numerator and a non-negative denominator; ``invert`` carries a bound on the score over to a bound on that ratio.
Monotonicity is the theorem the whole proof rests on: every score here never falls (RISES) or never rises (FALLS)
when tp or tn grows at fixed p and n; docs/proofs.md gives the argument for each.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

RISES, FALLS = 1, -1
LINEAR, STRAIGHT, CURVED, SIGNED = "linear", "straight", "curved", "signed"

Formula = Callable[[int, int, int, int], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One score: its ratio of integers, how a bound on it is inverted, where it goes, and its border's form."""

    ratio: Formula
    invert: Callable[[Fraction], Fraction]
    direction: int
    border: str


def _same(value: Fraction) -> Fraction:
    return value


def _signed_square(value: Fraction) -> Fraction:
    return value * value if value >= 0 else -value * value


def _threshold(value: Fraction) -> Fraction:
    if not 0 <= value <= 1:
        return Fraction(-1) if value < 0 else Fraction(2)
    return value**2 / (value**2 + (1 - value) ** 2)


def _matthews(tp: int, tn: int, p: int, n: int) -> tuple[int, int]:
    x = n * tp + p * tn - n * p
    return (x * x if x >= 0 else -x * x), n * p * (n - tn + tp) * (p + tn - tp)


_RULES: dict[str, Rule] = {
    "acc": Rule(lambda t, u, p, n: (t + u, p + n), _same, RISES, LINEAR),
    "err": Rule(lambda t, u, p, n: (p + n - t - u, p + n), _same, FALLS, LINEAR),
    "sens": Rule(lambda t, u, p, n: (t, p), _same, RISES, LINEAR),
    "fnr": Rule(lambda t, u, p, n: (p - t, p), _same, FALLS, LINEAR),
    "spec": Rule(lambda t, u, p, n: (u, n), _same, RISES, LINEAR),
    "fpr": Rule(lambda t, u, p, n: (n - u, n), _same, FALLS, LINEAR),
    "bm": Rule(lambda t, u, p, n: (n * t + p * u - n * p, n * p), _same, RISES, LINEAR),
    "bacc": Rule(lambda t, u, p, n: (n * t + p * u, 2 * n * p), _same, RISES, LINEAR),
    "ppv": Rule(lambda t, u, p, n: (t, n - u + t), _same, RISES, STRAIGHT),
    "fdr": Rule(lambda t, u, p, n: (n - u, n - u + t), _same, FALLS, STRAIGHT),
    "npv": Rule(lambda t, u, p, n: (u, p + u - t), _same, RISES, STRAIGHT),
    "for": Rule(lambda t, u, p, n: (p - t, p + u - t), _same, FALLS, STRAIGHT),
    "ji": Rule(lambda t, u, p, n: (t, n + p - u), _same, RISES, STRAIGHT),
    "lrp": Rule(lambda t, u, p, n: (n * t, p * (n - u)), _same, RISES, STRAIGHT),
    "lrn": Rule(lambda t, u, p, n: (n * (p - t), p * u), _same, FALLS, STRAIGHT),
    "pt": Rule(lambda t, u, p, n: (p * (n - u), p * (n - u) + n * t), _threshold, FALLS, STRAIGHT),
    "kappa": Rule(
        lambda t, u, p, n: (2 * n * t + 2 * p * u - 2 * n * p, n * n - n * u + n * t + p * p + p * u - p * t),
        _same,
        RISES,
        STRAIGHT,
    ),
    "upm": Rule(lambda t, u, p, n: (4 * t * u, u * (n + p - u + t) + t * (n + p + u - t)), _same, RISES, CURVED),
    "gm": Rule(lambda t, u, p, n: (t * u, n * p), _signed_square, RISES, CURVED),
    "fm": Rule(lambda t, u, p, n: (t * t, p * (n - u + t)), _signed_square, RISES, CURVED),
    "mk": Rule(lambda t, u, p, n: (n * t + p * u - n * p, (p + u - t) * (n - u + t)), _same, RISES, CURVED),
    "dor": Rule(lambda t, u, p, n: (t * u, (n - u) * (p - t)), _same, RISES, CURVED),
    "mcc": Rule(_matthews, _signed_square, RISES, SIGNED),
}

_F_NAME = re.compile(r"f(\d+(?:\.\d+)?|\d+/\d+)(n?)")


def rule(name: str) -> Rule | None:
    """The rule of a built-in score, F-scores of any beta included; None for a name it does not know."""
    if name in _RULES:
        return _RULES[name]
    match = _F_NAME.fullmatch(name)
    if match is None or Fraction(match[1]) <= 0:
        return None
    squared = Fraction(match[1]) ** 2
    s, r = squared.numerator, squared.denominator
    if match[2]:
        return Rule(lambda t, u, p, n: ((s + r) * u, s * n + r * (p + u - t)), _same, RISES, STRAIGHT)
    return Rule(lambda t, u, p, n: ((s + r) * t, s * p + r * (n + t - u)), _same, RISES, STRAIGHT)
