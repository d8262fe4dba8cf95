"""What a row is: a result, a fold, the average over folds, a heading inside the table.

Zeros that a program added: 0.7794 printed as 0.779400.

``%f`` and pandas' LaTeX print six decimals, also of numbers that were rounded to fewer before, and pandas fills a
column up to its longest number, so that fold rows of three digits get a fourth from the mean below them. Where every
score of the rows of one kind has the same many decimals and all end in the same zeros, the zeros are no digits of the
report, and are left out. That can only widen what a number stands for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from scoreproof.papers.table_semantics.cells import CellKind, ReadCell
from scoreproof.papers.table_semantics.counts import NO_COUNTS, Counts
from scoreproof.papers.table_semantics.headings import Heading, Role

_FOLD_WORDS = "fold|split|run|round|repetition|repeat|iteration|trial"
_FOLD = re.compile(
    rf"(?:the\s+)?(?:cv[- ]?)?(?:{_FOLD_WORDS})\s*[-_#:.]?\s*(?:no\.?\s*)?(\d{{1,3}})"
    r"|(\d{1,3})(?:st|nd|rd|th)?[-\s]*(?:cv[- ])?(?:fold|split|run|round)|k\s*=\s*(\d{1,3})",
    re.IGNORECASE,
)
_FOLD_HEADER = re.compile(rf"(?:cv\s*)?(?:{_FOLD_WORDS})s?(?:\s*(?:no\.?|number|#|index|id))?|k", re.IGNORECASE)
_DEVIATION = r"(?:std|sd|s\.d\.?|st\.?\s?dev|stdev|std\.? ?dev(?:iation)?|standard deviation|sem|standard error)\.?"
_HOW = r"(?:abs(?:olute|\.)?|rel(?:ative|\.)?|avg\.?|average|mean|max(?:imum)?|our|%|total|performance|net)?"
_CHANGED = r"diff(?:erences?|s|\.)?|improvements?|improv?\.?|gains?|increase|decrease|drop|change|gap|uplift|reduction"
_BETWEEN = r"(?:over|vs|versus|of|in|from|w\.?r\.?t|compared|to|against|between|on|with)\.?"
_QUANTILE = r"\d{1,2}(?:\.\d+)?\s*%|q[123]|p\d{2}|(?:lower|upper|1st|3rd|first|third) quartile"
_KINDS = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        ("mean", rf"(?:the\s+)?(?:mean|average|avg)\.?(?:\s*(?:±|\+/-|\(|/|,)?\s*±?\s*{_DEVIATION}\)?)?"),
        ("mean", r"(?:mean|average|avg\.?)\s+(?:values?|scores?|performance|over\s.*|of\s.*|across\s.*)"),
        ("mean", r"(?:\d+|five|ten|k)-?fold (?:mean|average)"),
        ("spread", rf"(?:±\s*)?{_DEVIATION}"),
        ("min", r"min(?:imum|\.)?|worst(?: fold)?"),
        ("max", r"(?:\d{1,2}\s+)*max(?:imum|\.)?|best(?: fold)?"),  # "25%" unescaped hides its row in LaTeX
        ("median", rf"median|iqr|var(?:iance)?|{_QUANTILE}"),
        ("count", r"count|n|no\.? of (?:folds|runs)|#"),
        ("overall", r"overall|total|all|pooled|all folds|combined|aggregated?"),
        ("class average", r"(?:macro|micro|weighted|samples)[- ]?(?:avg|average)\.?|avg\.?\s*/\s*total"),
        ("difference", rf"{_HOW}\s*(?:[Δ∆]|delta|{_CHANGED})\s*(?:\(.*\)|%|in %|{_BETWEEN}\b.*)?"),
        ("difference", r"[Δ∆].*|.*[Δ∆]\s*(?:\(.*\))?|.+\s(?:improvement|vs\.?\s+(?:the\s+)?baselines?)"),
        ("difference", r"vs\.?\s.*|(?:ours?|proposed|best)\s*(?:vs\.?|versus|[-−–])\s+.*"),
        ("difference", r"p[- ]?values?.*|p|(?:avg\.?|average|mean)?\s*rank(?:ing)?s?"),
    )
)


# No word of the patterns above lacks all of these: one look spares most labels the rest.
_SPECIAL = re.compile(
    r"fold|split|run|round|repe|iter|trial|k\s*=|^\d+$|mean|av|st|s\.?d|sem|min|max|worst|best|med|%|^q|^p\d|quart|iqr|var|count|^n$|#|over|tot|all|pool|comb|agg"
    r"|macro|micro|weig|samp|[δ∆]|del|dif|imp|gain|cre|drop|chan|gap|vs|rank|val|^p$|lift|duc|prop|our"
)


class RowKind(StrEnum):
    """What a row of a table's body is."""

    RESULT = "result"
    CLASS = "class"  #: a class of a class report
    DIFFERENCE = "difference"  #: between other rows, or a p-value
    FOLD = "fold"
    MEAN = "mean"
    SPREAD = "spread"
    MIN = "min"
    MAX = "max"
    MEDIAN = "median"  #: or another quantile
    COUNT = "count"  #: how many values were summarised
    OVERALL = "overall"
    CLASS_AVERAGE = "class average"
    ACCURACY = "accuracy"
    SECTION = "section"
    EMPTY = "empty"


SUMMARIES = frozenset(
    {RowKind.COUNT, RowKind.MEAN, RowKind.SPREAD, RowKind.MIN, RowKind.MAX, RowKind.MEDIAN, RowKind.OVERALL}
)


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its place in the table, what it is called, and its cells as read.

    ``index`` counts all rows of the table (or columns, if the table was transposed). ``labels`` are the texts of the
    label columns, ``section`` the heading inside the table above it. ``cells`` has one entry per column.
    """

    index: int
    kind: RowKind
    labels: tuple[str, ...]
    cells: tuple[ReadCell, ...]
    counts: Counts = NO_COUNTS
    section: str = ""
    fold: int | None = None

    @property
    def label(self) -> str:
        if not self.section and len(self.labels) == 1:
            return self.labels[0]
        return " / ".join(dict.fromkeys(part for part in (self.section, *self.labels) if part))

    def to_dict(self) -> dict[str, Any]:
        entry: dict[str, Any] = {"index": self.index, "kind": str(self.kind), "label": self.label}
        if self.fold is not None:
            entry["fold"] = self.fold
        if self.counts:
            entry["counts"] = self.counts.to_dict()
        entry["cells"] = [cell.to_dict() for cell in self.cells]
        return entry


def is_fold_header(text: str) -> bool:
    """Whether a column of numbers under this header numbers the folds."""
    return _FOLD_HEADER.fullmatch(text.strip()) is not None


def classify(
    labels: tuple[str, ...], headers: tuple[str, ...], cells: tuple[ReadCell, ...]
) -> tuple[RowKind, int | None]:
    """The kind of a row from its labels, and its fold's number.

    >>> classify(("U-Net", "Fold 3"), ("Method", ""), ())
    (<RowKind.FOLD: 'fold'>, 3)
    >>> classify(("Mean ± SD",), ("Fold",), ())[0].value
    'mean'
    """
    if cells and all(cell.kind is CellKind.MISSING and not cell.raw for cell in cells):
        return (RowKind.SECTION if any(labels) else RowKind.EMPTY), None
    for label, header in zip(reversed(labels), reversed(headers), strict=True):
        text = label.strip().strip("*_:").strip()
        if _SPECIAL.search(text.lower()) is None:
            continue
        match = _FOLD.fullmatch(text)
        if match:
            return RowKind.FOLD, int(next(group for group in match.groups() if group))
        if re.fullmatch(r"\d{1,3}", text) and is_fold_header(header):
            return RowKind.FOLD, int(text)
        for name, pattern in _KINDS:
            if pattern.fullmatch(text):
                return RowKind(name), None
    return RowKind.RESULT, None


_DEFAULT = 6  # the decimals of %f
_FEWEST = 4  # decimals, and numbers: fewer may end in zeros by chance
_PADDED = re.compile(rf"\d+\.(\d{{{_FEWEST},{_DEFAULT}}})")


def without_padding(headings: Sequence[Heading], rows: list[Row], assumptions: list[str]) -> list[Row]:
    """The rows without zeros that all numbers of their kind of row, or of its column, end in."""
    scores = [index for index, heading in enumerate(headings) if heading.role is Role.SCORE]
    decimals: dict[tuple[RowKind, int], list[str]] = {}
    usual: set[tuple[RowKind, int]] = set()  # most columns, seen at their first number that does not end in 0
    for row in rows:
        for index in scores:
            place = row.kind, index
            cell = row.cells[index]
            if place in usual or cell.kind is not CellKind.NUMBER:
                continue
            match = _PADDED.fullmatch(cell.number) if cell.number[-1] == "0" else None
            if match is None:
                usual.add(place)
            else:
                decimals.setdefault(place, []).append(match[1])
    cuts: dict[tuple[RowKind, int], int] = {}
    for kind in {kind for kind, _ in decimals}:
        whole = {place: found for place, found in decimals.items() if place[0] is kind}
        alike = not any(place[0] is kind for place in usual)
        together = _zeros([one for found in whole.values() for one in found], _FEWEST) if alike else 0
        for place, found in whole.items():
            cut = 0 if place in usual else max(together, _zeros(found, _FEWEST - 1))
            if cut:
                cuts[place] = cut
    for kind, cut in dict.fromkeys((place[0], cut) for place, cut in cuts.items()):
        assumptions.append(
            f"{kind} rows: scores that all end in {'0' * cut} are read without, as filled in by a program"
        )
    return [_shortened(row, scores, cuts) for row in rows] if cuts else rows


def _zeros(decimals: Sequence[str], fewest: int) -> int:
    """How many zeros all of these end in, if they are as many decimals and enough numbers to tell."""
    length = len(decimals[0])
    enough = len(decimals) >= (2 if length == _DEFAULT else fewest)
    longest = max(len(digits.rstrip("0")) for digits in decimals)
    return length - longest if enough and longest and {*map(len, decimals)} == {length} else 0


def _shortened(row: Row, scores: Sequence[int], cuts: dict[tuple[RowKind, int], int]) -> Row:
    cells = list(row.cells)
    for index in scores:
        cut = cuts.get((row.kind, index))
        if cut and cells[index].kind is CellKind.NUMBER:
            cells[index] = cells[index]._replace(number=cells[index].number[:-cut])
    return replace(row, cells=tuple(cells))
