"""A report on several classes, read again from its statement, and whether given counts give it, in exact fractions.

Scores of one class against the rest are written in (tp, fp, fn, tn) as everybody knows them; how they depend on tp and
on q = tp + fp follows by inserting fp = q - tp, fn = n - tp, tn = N - n - q + tp. A 0/0 counts as zero or as one, or is
left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from scoreproof_verify.documents import Document, given, integer, known_keys, list_of, place_in
from scoreproof_verify.formulas import Formula, rule, squared_of
from scoreproof_verify.texts import Rejected, decimal, interval, quoted, require

_MOST_CLASSES = 1_000
_MOST_SETS = 1_000
_MOST_CASES = 10**9
_LONGEST_NAME = 200
_MOST_ENTRIES = 20_000
MOST_GIVEN = 10**7  # where the number of cases is not stated, no label is given to more

_WITH_NEGATIVES = ("spec", "fpr", "npv", "for", "acc", "err")
_OF_CLASSES = ("sens", "fnr", "ppv", "fdr", "ji", *_WITH_NEGATIVES)
_WHOLE = {"acc": "accuracy", "kappa": "kappa", "mcc": "MCC"}
_F = re.compile(r"f([0-9]{1,20}(?:\.[0-9]{1,20})?|[0-9]{1,20}/[0-9]{1,20})")
AVERAGES = ("macro", "weighted", "micro")


def beta_squared(name: str) -> Fraction | None:
    match = _F.fullmatch(name)
    return None if match is None else squared_of(match[1])


@lru_cache(maxsize=256)
def class_score(name: str) -> Formula:
    """Numerator and denominator of a score of one class; ``Rejected`` if there is no such score."""
    known = rule(name) if name in _OF_CLASSES or beta_squared(name) is not None else None
    return given(known, f"no score of a class is called {quoted(name)}").ratio


def ratio(name: str, tp: Any, q: Any, n: int, total: int) -> tuple[Any, Any]:
    return class_score(name)(tp, total - n - q + tp, n, total - n)


@lru_cache(maxsize=65536)
def slopes(name: str, n: int, total: int) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Numerator and denominator as a tp + b q + c each: both are linear, so three points say all."""
    at = [ratio(name, tp, q, n, total) for tp, q in ((0, 0), (1, 0), (0, 1))]
    (c, f), (c1, f1), (c2, f2) = at
    return (c1 - c, c2 - c, c), (f1 - f, f2 - f, f)


@dataclass(frozen=True, slots=True)
class Entry:
    """A printed value: what it is of, and the interval it stands for."""

    score: str
    place: int | None
    average: str
    text: str
    low: Fraction
    high: Fraction

    def said(self, names: tuple[str, ...]) -> str:
        owner = f" of {names[self.place]}" if self.place is not None else ""
        before = f"{self.average} " if self.average else ""
        word = _WHOLE[self.score] if not before and not owner else self.score
        return f"{before}{word}{owner} {self.text} (from {decimal(self.low)} to {decimal(self.high)})"


@dataclass(frozen=True, slots=True)
class Stated:
    """The whole report; ``sizes`` are the cases of every set, ``MOST_GIVEN`` where that is not stated."""

    names: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    sizes: tuple[int, ...]
    sized: bool
    entries: tuple[Entry, ...]
    undefined: str
    macro_f1: str
    exclusive: bool

    def is_mean(self, entry: Entry) -> bool:
        of_means = beta_squared(entry.score) is not None and self.macro_f1 != "mean"
        return entry.average in ("macro", "weighted") and not of_means

    def weight(self, entry: Entry, number: int, place: int) -> Fraction:
        """What a class of a set weighs in a macro or weighted average over it."""
        counts = self.counts[number]
        return Fraction(counts[place], sum(counts)) if entry.average == "weighted" else Fraction(1, len(counts))


def read_report(statement: Document, *, exclusive: bool) -> Stated:
    """The report a statement describes; raises ``Rejected`` if it describes none."""
    undefined, macro_f1 = statement.get("undefined"), statement.get("macro_f1")
    require(isinstance(undefined, str) and undefined in _WAYS, "what a 0/0 counts as is not known")
    require(macro_f1 in ("any", "mean", "of means"), "what an averaged F-score is, is not known")
    otherwise = "the report does not have from 2 to 1,000 classes"
    parts = []
    for document in statement.list_of("classes", 1 + exclusive, _MOST_CLASSES, otherwise):
        given = known_keys("a class", document, "name", "counts")
        name, counted = given.get("name"), given.list_of("counts", 0, _MOST_CASES, "a class has no list of counts")
        require(isinstance(name, str) and len(name) <= _LONGEST_NAME, "the name of a class is not a short text")
        parts.append((str(name), [integer(n, "a number of cases", 0, _MOST_CASES) for n in counted]))
    names = tuple(name for name, _ in parts)
    require(len(set(names)) == len(names), "two classes have one name")
    sets = len(parts[0][1])
    require(1 <= sets <= _MOST_SETS and all(len(own) == sets for _, own in parts), "classes differ in their sets")
    counts = tuple(tuple(own[number] for _, own in parts) for number in range(sets))
    require(all(1 <= sum(own) <= _MOST_CASES for own in counts), "the number of cases is out of range")
    sizes, sized = tuple(map(sum, counts)), True
    if not exclusive:
        sizes, sized = _totals(statement["total"], counts)
    entries = statement.list_of("scores", 1, _MOST_ENTRIES, "there is no list of scores")
    read = tuple(_entry(document, len(names), exclusive, sized) for document in entries)
    about = [(entry.score, entry.place, entry.average) for entry in read]
    require(len(set(about)) == len(about), "a score is named twice")
    if sets > 1:
        require(all(entry.place is not None or entry.average or entry.score == "acc" for entry in read),
                "kappa and MCC are of one matrix")  # fmt: skip
    return Stated(names, counts, sizes, sized, read, str(undefined), str(macro_f1), exclusive)


def _totals(document: Any, counts: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], bool]:
    if document is None:
        return (MOST_GIVEN,) * len(counts), False
    given = list_of(document, len(counts), len(counts), "the totals are not one for each set")
    for total, own in zip(given, counts, strict=True):
        fits = max(own) <= integer(total, "a total") <= _MOST_CASES
        require(fits, "a total is below a number of cases, or out of range")
    return tuple(given), True


def _entry(document: Any, classes: int, exclusive: bool, sized: bool) -> Entry:
    given = known_keys("a score", document, "score", "text", "rounding", "eps", "class", "average")
    name = given.get("score")
    if not isinstance(name, str) or len(name) > 60:
        raise Rejected("a score has no name")
    place, average = given.get("class"), given.get("average", "")
    require(not ("class" in given and "average" in given), "a score is of a class or an average")
    if place is not None:
        place_in(range(classes), place, "a class", "there is no such class")
    if place is None and "average" not in given:
        require("class" not in given and exclusive and name in _WHOLE, f"no matrix has a score {quoted(name)}")
    else:
        require(place is not None or average in AVERAGES, "there is no such average")
        class_score(name)
        require(sized or name not in _WITH_NEGATIVES, f"{name} needs the number of cases")
    text = given.get("text")
    return Entry(name, place, str(average), str(text), *interval(text, given.get("rounding"), given.get("eps")))


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
    ways = _WAYS[stated.undefined]
    points = [
        (tp, n, q, stated.sizes[number])
        for number, own in enumerate(sets)
        for n, (tp, q) in zip(stated.counts[number], own, strict=True)
    ]
    if all(tp > 0 and 0 < n < size and 0 < q < size for tp, n, q, size in points):
        ways = ways[:1]  # they differ in what is undefined alone, and in an F without a hit
    return any(all(_printed(stated, sets, entry, way) for entry in stated.entries) for way in ways)


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
        if value is not None:
            above, weights = above + weight * value, weights + weight
        elif way == "never" and weight:
            return None
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
