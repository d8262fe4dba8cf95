"""What a row is: a result, a fold, the average over folds, a heading inside the table."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from scoreproof.papers.table_semantics.cells import CellKind, ReadCell
from scoreproof.papers.table_semantics.counts import NO_COUNTS, Counts

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
