"""Counts inside a table: columns such as N, pos, TP, and cells such as "TN 1068 / FP 200 / FN 97 / TP 510".

They fix the class counts, or the confusion matrix itself, of a row. Counts that contradict each other (tp + fn is not
the stated p) are reported, never averaged away.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from typing import Any

from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.papers.table_semantics.words import PATTERNS

_SAYS = PATTERNS["counts"]
_NAMES = {"tp": "tp", "fp": "fp", "fn": "fn", "tn": "tn", "p": "p", "n": "n", "pos": "p", "neg": "n"}
# What the counts of "95.0% (190/200)" stand for, by score: the part and the whole.
_RATIOS = {
    "sens": ("tp", "p"),
    "spec": ("tn", "n"),
    "acc": ("", "total"),
    "fnr": ("fn", "p"),
    "fpr": ("fp", "n"),
    "ppv": ("tp", ""),
    "npv": ("tn", ""),
    "err": ("", "total"),
}


@dataclass(frozen=True, slots=True)
class Counts:
    """What a row says about its counts; ``conflict`` says in words what contradicts what.

    ``doubled`` are counts that are printed a second time, with another value.
    """

    tp: int | None = None
    fp: int | None = None
    fn: int | None = None
    tn: int | None = None
    p: int | None = None
    n: int | None = None
    total: int | None = None
    support: int | None = None
    conflict: str = ""
    doubled: tuple[tuple[str, int], ...] = ()

    def __bool__(self) -> bool:
        return self != NO_COUNTS

    def test_set(self) -> TestSet | None:
        """The test set these counts fix, if they fix both classes."""
        known = self if self.plain else self.completed()
        if known.p is None or known.n is None or known.conflict or known.p + known.n == 0:
            return None
        return TestSet(known.p, known.n)

    @property
    def plain(self) -> bool:
        """Whether p and n are given and nothing else that could add to or contradict them."""
        others = (self.total, self.tp, self.fp, self.fn, self.tn)
        return self.p is not None and self.n is not None and others == (None,) * 5

    def matrix(self) -> ConfusionMatrix | None:
        """The confusion matrix, if all four cells are known."""
        if self.tp is None and self.fn is None and self.fp is None and self.tn is None:
            return None
        known = self.completed()
        if known.tp is None or known.fp is None or known.fn is None or known.tn is None or known.conflict:
            return None
        return ConfusionMatrix(known.tp, known.fp, known.fn, known.tn)

    def completed(self) -> Counts:
        """What follows from the counts given, and the first contradiction among them."""
        values: dict[str, Any] = {name: getattr(self, name) for name in ("tp", "fp", "fn", "tn", "p", "n", "total")}
        conflict = self.conflict
        sums = (("p", "tp", "fn"), ("n", "tn", "fp"), ("total", "p", "n"))
        for _ in range(3):
            for whole, one, other in sums:
                a, b, c = values[whole], values[one], values[other]
                if b is not None and c is not None:
                    if a is None:
                        values[whole] = b + c
                    elif a != b + c and not conflict:
                        conflict = f"{one} {b} and {other} {c} do not add up to {whole} {a}"
                elif a is not None and (b is not None or c is not None):
                    rest = a - (b if b is not None else c or 0)
                    if rest < 0:
                        conflict = conflict or f"{one if b is not None else other} is more than {whole} {a}"
                    else:
                        values[other if b is not None else one] = rest
        return replace(self, **values, conflict=conflict)

    def merged(self, other: Counts) -> Counts:
        """Both together; where they differ, the first stands and the conflict is named."""
        if self is NO_COUNTS:
            return other
        if other is NO_COUNTS:
            return self
        values: dict[str, Any] = {}
        conflict = self.conflict or other.conflict
        doubled = [*self.doubled, *other.doubled]
        for field in fields(self):
            if field.name in ("conflict", "doubled"):
                continue
            mine, theirs = getattr(self, field.name), getattr(other, field.name)
            if mine is not None and theirs is not None and mine != theirs:
                conflict = conflict or f"{field.name} is {mine} and {theirs}"
                doubled.append((field.name, theirs))
            values[field.name] = mine if mine is not None else theirs
        return Counts(**values, conflict=conflict, doubled=tuple(doubled))

    def printed(self) -> dict[str, list[int]]:
        """The counts of a confusion matrix as they stand in the row, each with all its values."""
        names = ("tp", "fp", "fn", "tn", "p", "n", "total")
        stated = {name: [getattr(self, name)] for name in names if getattr(self, name) is not None}
        for name, value in self.doubled:
            stated.get(name, []).append(value)
        return stated

    @classmethod
    def of(cls, name: str, number: int) -> Counts:
        """One count by its name."""
        known: dict[str, Any] = {name: number}
        return cls(**known)

    def to_dict(self) -> dict[str, Any]:
        known = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in known.items() if value not in (None, "", ())}

    def __str__(self) -> str:
        return ", ".join(f"{name} {value}" for name, value in self.to_dict().items()) or "no counts"


NO_COUNTS = Counts()


def read_count(text: str, *, decimal_comma: bool = False) -> int | None:
    """A whole number, thousands separated or not, with its share of the whole or not; None for anything else.

    Where the table's decimals are commas, "42,000" may be either number and is not read.

    >>> [read_count(text) for text in ("1,234", "42.0000", "n=26", "4912 (52%)", "52 % (4912)", "12.5", "3 (4)")]
    [1234, 42, 26, 4912, 4912, None, None]
    >>> [read_count(text, decimal_comma=True) for text in ("1.234", "42,0", "42,000")]
    [1234, 42, None]
    """
    text = text.strip().strip("*†‡§$").strip()
    if len(text) > 40:
        return None
    share = _SAYS["before_share"].fullmatch(text) or _SAYS["after_share"].fullmatch(text)
    found = (_SAYS["comma_count"] if decimal_comma else _SAYS["count"]).fullmatch(share[1].strip() if share else text)
    return int(re.sub(r"\D", "", found[1])) if found else None


def counts_in(text: str) -> Counts:
    """The labelled counts of a cell; none if fewer than two are labelled.

    >>> counts_in("TN 1068 / FP 200 / FN 97 / TP 510").matrix()
    ConfusionMatrix(tp=510, fp=200, fn=97, tn=1068)
    """
    if len(text) > 300 or len(_SAYS["labels"].findall(text)) < 2:
        return NO_COUNTS
    found: dict[str, Any] = {}
    for label, digits in _SAYS["labelled"].findall(text):
        name = _NAMES[label.lower()]
        if name in found:
            return NO_COUNTS
        number = read_count(digits)
        if number is not None:
            found[name] = number
    return Counts(**found) if len(found) >= 2 else NO_COUNTS


def counts_of_ratio(name: str, part: int, whole: int) -> Counts:
    """What "190/200" beside a score says: for sensitivity tp and p, for specificity tn and n, and so on."""
    names = _RATIOS.get(name)
    if names is None or part > whole:
        return Counts()
    known: dict[str, Any] = {label: number for label, number in zip(names, (part, whole), strict=True) if label}
    return Counts(**known)
