"""Reports on several classes with everything known about them, scored by the definitions and by nothing of the house."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any

Ratio = Callable[[int, int, int, int], tuple[int, int]]

# of tp, q (the cases a class is given to), n (its cases) and N (all cases)
SCORES: dict[str, Ratio] = {
    "sens": lambda t, q, n, N: (t, n),
    "ppv": lambda t, q, n, N: (t, q),
    "f1": lambda t, q, n, N: (2 * t, n + q),
    "f2": lambda t, q, n, N: (5 * t, 4 * n + q),
    "spec": lambda t, q, n, N: (N - n - q + t, N - n),
    "npv": lambda t, q, n, N: (N - n - q + t, N - q),
    "acc": lambda t, q, n, N: (N - n - q + 2 * t, N),
    "ji": lambda t, q, n, N: (t, n + q - t),
    "fdr": lambda t, q, n, N: (q - t, q),
    "fpr": lambda t, q, n, N: (q - t, N - n),
}
TREATMENTS = {
    "any": ("zero", "one", "skip", "skip F"),
    "zero": ("zero",),
    "one": ("one",),
    "skip": ("skip", "skip F"),
    "exclude": ("never",),
}
HALVES = {"nearest": (1, 1), "any": (2, 2), "floor": (0, 2), "ceil": (2, 0)}
_FILLED = {"zero": Fraction(0), "one": Fraction(1)}
Key = tuple[str, str, int]  # class, average or whole; the score; the class


@dataclass(frozen=True)
class Counts:
    """tp and q of every class of one matrix, or of labels."""

    n: tuple[int, ...]
    points: tuple[tuple[int, int], ...]
    total: int

    def one(self, name: str, i: int, way: str) -> Fraction | None:
        tp, q = self.points[i]
        num, den = SCORES[name](tp, q, self.n[i], self.total)
        if den == 0 or (way == "skip F" and name in ("f1", "f2") and tp == 0):
            return _FILLED.get(way)
        return Fraction(num, den)

    def average(self, name: str, average: str, way: str, of_means: bool) -> Fraction | None:
        if average == "micro":
            ratios = [SCORES[name](tp, q, n, self.total) for n, (tp, q) in zip(self.n, self.points, strict=True)]
            den = sum(below for _, below in ratios)
            return Fraction(sum(above for above, _ in ratios), den) if den else _FILLED.get(way)
        if of_means and name in ("f1", "f2"):
            p, r = self.average("ppv", average, way, False), self.average("sens", average, way, False)
            if p is None or r is None:
                return None
            b = 1 if name == "f1" else 4
            return (1 + b) * p * r / (b * p + r) if p + r else _FILLED.get(way)
        weights = [1] * len(self.n) if average == "macro" else self.n
        values = [self.one(name, i, way) for i in range(len(self.n))]
        if way == "never" and any(v is None and w for v, w in zip(values, weights, strict=True)):
            return None
        pairs = [(w, v) for w, v in zip(weights, values, strict=True) if v is not None]
        size = sum(w for w, _ in pairs)
        return sum((w * v for w, v in pairs), Fraction(0)) / size if size else None

    def whole(self, name: str, way: str) -> Any:
        """Accuracy or kappa; of MCC numerator and squared denominator."""
        right = sum(tp for tp, _ in self.points)
        if name == "acc":
            return Fraction(right, self.total)
        chance = sum(n * q for n, (_, q) in zip(self.n, self.points, strict=True))
        x = self.total * right - chance
        if name == "kappa":
            return Fraction(x, self.total**2 - chance) if self.total**2 != chance else _FILLED.get(way)
        square = (self.total**2 - sum(q * q for _, q in self.points)) * (self.total**2 - sum(n * n for n in self.n))
        return (x, square) if square else _FILLED.get(way)

    def value(self, key: Key, way: str, of_means: bool) -> Any:
        where, name, i = key
        if where == "class":
            return self.one(name, i, way)
        return self.whole(name, way) if where == "whole" else self.average(name, where, way, of_means)


def within(value: Any, low: Fraction, high: Fraction) -> bool:
    if value is None:
        return False
    if isinstance(value, tuple):
        x, square = value
        return bool(low * abs(low) * square <= x * abs(x) <= high * abs(high) * square)
    return bool(low <= value <= high)


@dataclass
class Report:
    """A report: texts by what they are of, and the conventions."""

    n: tuple[int, ...]
    digits: int
    rounding: str = "nearest"
    undefined: str = "any"
    macro_f1: str = "any"
    texts: dict[Key, str] = field(default_factory=dict)

    def given_by(self, counts: Counts) -> bool:
        below, above = (Fraction(half, 2 * 10**self.digits) for half in HALVES[self.rounding])
        meanings = {"any": (False, True), "mean": (False,), "of means": (True,)}[self.macro_f1]
        return any(
            all(
                within(counts.value(key, way, of_means), Fraction(text) - below, Fraction(text) + above)
                for key, text in self.texts.items()
            )
            for way in TREATMENTS[self.undefined]
            for of_means in meanings
        )

    @property
    def scores(self) -> dict[str, Any]:
        """As ``check`` takes them."""
        scores: dict[str, Any] = {}
        for (where, name, i), text in self.texts.items():
            if where == "class":
                scores.setdefault(name, {})[str(i + 1)] = text
            else:
                scores["accuracy" if (where, name) == ("whole", "acc") else f"{where} {name}".replace("whole ", "")] = (
                    text
                )
        return scores

    @property
    def options(self) -> Mapping[str, Any]:
        return {"rounding": self.rounding, "undefined": self.undefined, "macro_f1": self.macro_f1}


def printed(value: Any, digits: int, rounding: str, moved: int = 0) -> str:
    """A value as printed, or some units of the last digit beside it."""
    if isinstance(value, tuple):
        value = Fraction(round(value[0] / value[1] ** 0.5 * 10**12), 10**12)
    scaled = value * 10**digits
    units = {"floor": scaled.__floor__(), "ceil": scaled.__ceil__()}.get(rounding, round(scaled)) + moved
    sign, units = "-" * (units < 0), abs(units)
    return f"{sign}{units // 10**digits}.{units % 10**digits:0{digits}d}"


@lru_cache(maxsize=64)
def all_matrices(n: tuple[int, ...]) -> tuple[Counts, ...]:
    """The counts of every confusion matrix with these row sums."""

    def rows(cases: int, classes: int) -> Iterator[tuple[int, ...]]:
        if classes == 1:
            yield (cases,)
            return
        for first in range(cases + 1):
            for rest in rows(cases - first, classes - 1):
                yield first, *rest

    k = range(len(n))
    seen = {
        tuple((matrix[i][i], sum(row[i] for row in matrix)) for i in k)
        for matrix in itertools.product(*(tuple(rows(cases, len(n))) for cases in n))
    }
    return tuple(Counts(n, points, sum(n)) for points in sorted(seen))


def all_labels(n: tuple[int, ...], total: int) -> Iterator[Counts]:
    """All counts of labels out of so many cases."""
    own = [[(tp, tp + fp) for tp in range(cases + 1) for fp in range(total - cases + 1)] for cases in n]
    for points in itertools.product(*own):
        yield Counts(n, points, total)


def random_report(rng: random.Random, counts: Counts, *, whole: bool = True) -> Report:
    """What one matrix would report, often with something moved by some units."""
    report = Report(
        counts.n,
        rng.choice((1, 2, 2, 3, 4)),
        rng.choice(list(HALVES)),
        rng.choice(("any", "any", *TREATMENTS)),
        rng.choice(("any", "mean", "of means")),
    )
    way = rng.choice(TREATMENTS[report.undefined])
    of_means = rng.random() < 0.3 if report.macro_f1 == "any" else report.macro_f1 == "of means"
    often = rng.choice((0, 0.15, 0.4))
    for _ in range(rng.randint(1, 6)):
        at = rng.random()
        if at < 0.35:
            key: Key = ("class", rng.choice(list(SCORES)), rng.randrange(len(counts.n)))
        elif at < 0.75 or not whole:
            key = (rng.choice(("macro", "weighted", "micro")), rng.choice(list(SCORES)), 0)
        else:
            key = ("whole", rng.choice(("acc", "kappa", "mcc")), 0)
        value = counts.value(key, way, of_means)
        if value is not None:
            moved = rng.choice((-5, -3, -2, -1, 1, 2, 3, 5)) if rng.random() < often else 0
            report.texts[key] = printed(value, report.digits, report.rounding, moved)
    return report
