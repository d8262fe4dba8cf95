"""Whether given counts give a whole report on several classes, in exact fractions.

A 0/0 counts as zero or as one, or is left out: then no number is printed for it, and averages are over what is left,
over all F-scores but those of classes without a correct case if these count as 0/0, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from scoreproof_verify.class_statement import Entry, Stated, beta_squared, ratio

Point = tuple[int, int]  # tp, q
_WAYS = {
    "any": ("zero", "one", "left out", "left out with F"),
    "zero": ("zero",),
    "one": ("one",),
    "skip": ("left out", "left out with F"),
    "exclude": ("never",),
}
_VALUES = {"zero": Fraction(0), "one": Fraction(1)}


def gives(stated: Stated, sets: Sequence[Sequence[Point]]) -> bool:
    """Whether counts of all classes of all sets give every printed value, in some admitted way."""
    return any(all(_printed(stated, sets, entry, way) for entry in stated.entries) for way in _WAYS[stated.undefined])


def _printed(stated: Stated, sets: Sequence[Sequence[Point]], entry: Entry, way: str) -> bool:
    if entry.score == "mcc" and entry.place is None and not entry.average:
        return _mcc(stated, sets[0], entry, way)
    values = [_value(stated, number, own, entry, way) for number, own in enumerate(sets)]
    kept = [value for value in values if value is not None]
    if len(kept) < len(values) and not (way.startswith("left") and kept and len(values) > 1):
        return False
    mean = sum(kept, Fraction(0)) / len(kept)
    return entry.low <= mean <= entry.high


def _value(stated: Stated, number: int, own: Sequence[Point], entry: Entry, way: str) -> Fraction | None:
    counts = stated.counts[number]
    if entry.place is not None:
        return _single(stated, number, own, entry.score, entry.place, way)
    if entry.average == "micro":
        parts = [ratio(entry.score, tp, q, n, stated.sizes[number]) for n, (tp, q) in zip(counts, own, strict=True)]
        above, below = sum(a for a, _ in parts), sum(b for _, b in parts)
        return Fraction(above, below) if below else _VALUES.get(way)
    if entry.average:
        return _mean(stated, number, own, entry.score, entry.average, way)
    cases, right = sum(counts), sum(tp for tp, _ in own)
    if entry.score == "acc":
        return Fraction(right, cases)
    by_chance = Fraction(sum(n * q for n, (_, q) in zip(counts, own, strict=True)), cases * cases)
    if by_chance == 1:
        return _VALUES.get(way)
    return (Fraction(right, cases) - by_chance) / (1 - by_chance)


def _single(stated: Stated, number: int, own: Sequence[Point], name: str, place: int, way: str) -> Fraction | None:
    tp, q = own[place]
    above, below = ratio(name, tp, q, stated.counts[number][place], stated.sizes[number])
    if below == 0 or (way == "left out with F" and tp == 0 and beta_squared(name) is not None):
        return _VALUES.get(way)
    return Fraction(above, below)


def _mean(stated: Stated, number: int, own: Sequence[Point], name: str, average: str, way: str) -> Fraction | None:
    squared = beta_squared(name)
    if squared is not None and stated.macro_f1 == "of means":
        precision = _mean(stated, number, own, "ppv", average, way)
        recall = _mean(stated, number, own, "sens", average, way)
        if precision is None or recall is None:
            return None
        below = squared * precision + recall
        return (1 + squared) * precision * recall / below if below else _VALUES.get(way)
    above, weights = Fraction(0), 0
    for place, n in enumerate(stated.counts[number]):
        weight = n if average == "weighted" else 1
        value = _single(stated, number, own, name, place, way)
        if value is None:
            if way == "never" and weight:
                return None
            continue
        above, weights = above + weight * value, weights + weight
    return above / weights if weights else None


def _mcc(stated: Stated, own: Sequence[Point], entry: Entry, way: str) -> bool:
    """The correlation of truth and prediction; its square and its sign say all."""
    counts = stated.counts[0]
    cases = sum(counts)
    covariance = cases * sum(tp for tp, _ in own) - sum(n * q for n, (_, q) in zip(counts, own, strict=True))
    variances = (cases**2 - sum(n * n for n in counts)) * (cases**2 - sum(q * q for _, q in own))
    if variances == 0:
        value = _VALUES.get(way)
        return value is not None and entry.low <= value <= entry.high
    signed = Fraction(covariance * abs(covariance), variances)
    return entry.low * abs(entry.low) <= signed <= entry.high * abs(entry.high)
