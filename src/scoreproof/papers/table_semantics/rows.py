"""What a row is: a result, a fold, the average over folds, a heading inside the table; and the scores it reports.

Zeros that a program added, 0.7794 printed as 0.779400, are no digits of the report: without them it can only be wider.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from scoreproof.jsonable import document
from scoreproof.papers.table_semantics.cells import NO_COUNTS, CellKind, Counts, ReadCell
from scoreproof.papers.table_semantics.headings import Heading, Role
from scoreproof.papers.table_semantics.words import PATTERNS, in_english

_SAYS = PATTERNS["rows"]
_KINDS = PATTERNS["row_kinds"]
_DIGITS = re.compile(r"\d+")


class RowKind(StrEnum):
    """What a row of a table's body is."""

    RESULT = "result"
    CLASS = "class"  #: a class of a class report
    FOLD = "fold"
    MEAN = "mean"
    SPREAD = "spread"
    MIN = "min"
    MAX = "max"
    MEDIAN = "median"  #: or another quantile
    COUNT = "count"  #: how many values were summarised
    OVERALL = "overall"
    CLASS_AVERAGE = "class average"
    DIFFERENCE = "difference"  #: between other rows, or a p-value
    ACCURACY = "accuracy"
    SECTION = "section"
    EMPTY = "empty"


#: The kinds that a name tells, from mean to difference, in the order in which they are tried.
_NAMED = tuple(RowKind)[3:12]
SUMMARIES = frozenset(tuple(RowKind)[3:10])


@dataclass(slots=True)  # not frozen: a long table has one for each row, made thrice as fast so
class Row:
    """One row: its place among all rows (or columns, if transposed), what it is called, its cells, one per column."""

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
        told = document(self, "index kind label fold counts cells")
        return {name: value for name, value in told.items() if value not in (None, {})}


class Value(NamedTuple):
    """One score: where it stands, which score, the text ``check`` is to read, and what its spread is, if said."""

    place: tuple[int, int]
    score: str
    text: str
    cell: ReadCell
    header: str = ""
    qualifier: str = ""
    statistic: str = ""
    spread_kind: str = ""

    def to_dict(self) -> dict[str, Any]:
        told = document(self, "place score text header qualifier statistic spread_kind", raw=self.cell.raw)
        return {name: value for name, value in told.items() if value or name in ("text", "raw")}


@dataclass(slots=True)  # not frozen, like ``Row``
class Report:
    """The scores of one row under one group of headers, with the counts that belong to them."""

    row: int
    label: str
    kind: RowKind
    group: str
    values: tuple[Value, ...]
    counts: Counts = NO_COUNTS
    fold: int | None = None
    section: str = ""

    @property
    def scores(self) -> dict[str, str]:
        """Score names to texts, for ``check``."""
        return {value.score: value.text for value in self.plain}

    @property
    def plain(self) -> tuple[Value, ...]:
        """Values of the whole, means or single values: no averages over classes, none that another contradicts."""
        stated = self._stated(qualified=False)
        if len({value.score for value in stated}) == len(stated):
            return tuple(stated)
        texts = self._texts()
        return tuple([value for value in stated if len(texts[value.score]) == 1])

    @property
    def qualified(self) -> tuple[Value, ...]:
        """Macro, micro and weighted averages."""
        return tuple(self._stated(qualified=True))

    @property
    def clashes(self) -> tuple[str, ...]:
        """Scores the row gives twice with different texts."""
        return tuple(f"{name} is {' and '.join(texts)}" for name, texts in self._texts().items() if len(texts) > 1)

    @property
    def extremes(self) -> dict[str, tuple[str | None, str | None]]:
        """The smallest and largest value over folds, where columns give them."""
        ends = {(value.score, value.statistic): value.text for value in self.values}
        names = dict.fromkeys(name for name, statistic in ends if statistic in ("min", "max"))
        return {name: (ends.get((name, "min")), ends.get((name, "max"))) for name in names}

    def _stated(self, *, qualified: bool) -> list[Value]:
        return [v for v in self.values if (v.qualifier != "") is qualified and v.statistic in ("", "mean")]

    def _texts(self) -> dict[str, dict[str, None]]:
        """The different texts of each score, in their order."""
        texts: dict[str, dict[str, None]] = {}
        for value in self._stated(qualified=False):
            texts.setdefault(value.score, {})[value.text] = None
        return texts

    def to_dict(self) -> dict[str, Any]:
        told = document(self, "row label kind group scores values counts clashes fold")
        return {name: value for name, value in told.items() if value is not None}


def is_fold_header(text: str) -> bool:
    """Whether a column of numbers under this header numbers the folds."""
    return _SAYS["fold_header"].fullmatch(text.strip()) is not None


def fold_number(text: str) -> int | None:
    """The number of a fold by its name, such as "split0" or "Fold 3"."""
    match = _SAYS["fold"].fullmatch(text)
    return int(next(group for group in match.groups() if group)) if match else None


def classify(
    labels: tuple[str, ...], headers: tuple[str, ...], cells: tuple[ReadCell, ...], *, with_scores: bool = False
) -> tuple[RowKind, int | None]:
    """The kind of a row from its labels, and its fold's number; ``with_scores``: a blank row may be a result."""
    if cells and not cells[0].raw and all(cell.kind is CellKind.MISSING and not cell.raw for cell in cells):
        return (RowKind.EMPTY if not any(labels) else RowKind.RESULT if with_scores else RowKind.SECTION), None
    for label, header in zip(reversed(labels), reversed(headers), strict=True):
        if not _may_be_special(_DIGITS.sub("0", label)):
            continue
        text = _named(label)
        number = fold_number(text)
        if number is not None:
            return RowKind.FOLD, number
        if re.fullmatch(r"\d{1,3}", text) and is_fold_header(header):
            return RowKind.FOLD, int(text)
        kind = next((kind for kind in _NAMED if _KINDS[kind].fullmatch(text)), None)
        if kind is not None:
            return kind, None
    return RowKind.RESULT, None


def _named(label: str) -> str:
    return in_english(label.strip().strip("*_:").strip(), row=True)


@lru_cache(maxsize=1024)
def _may_be_special(label: str) -> bool:
    """Whether a label may name another kind than a result; the labels of a long table differ by their numbers."""
    return _SAYS["special"].search(_named(label).lower()) is not None


_FEWEST, _DEFAULT = 4, 6  # decimals, and of %f; fewer numbers may end in zeros by chance


def without_padding(headings: Sequence[Heading], rows: list[Row], assumptions: list[str]) -> list[Row]:
    """The rows without zeros that all numbers of a kind of row, or of its column, end in."""
    scores = [index for index, heading in enumerate(headings) if heading.role is Role.SCORE]
    cuts: dict[tuple[RowKind, int], int] = {}
    for kind in dict.fromkeys(row.kind for row in rows):
        own = [row for row in rows if row.kind is kind]
        together = _padding(own, scores, _FEWEST)
        cuts |= {(kind, i): cut for i in scores if (cut := together or _padding(own, [i], _FEWEST - 1))}
    for kind, cut in dict.fromkeys((kind, cut) for (kind, _), cut in cuts.items()):
        ends = f"scores that all end in {'0' * cut}"
        assumptions.append(f"{kind} rows: {ends} are read without, as filled in by a program")
    return [_shortened(row, cuts) for row in rows] if cuts else rows


def _padding(rows: Sequence[Row], columns: Sequence[int], fewest: int) -> int:
    """How many zeros all of these end in, if they are as many decimals and enough numbers to tell."""
    decimals = []
    for cell in (row.cells[index] for row in rows for index in columns):
        if cell.kind is CellKind.NUMBER:
            if not cell.number.endswith("0"):
                return 0
            decimals.append(cell.number.partition(".")[2])
    if len({*map(len, decimals)}) != 1:
        return 0
    length, longest = len(decimals[0]), max(len(digits.rstrip("0")) for digits in decimals)
    enough = _FEWEST <= length <= _DEFAULT and len(decimals) >= (2 if length == _DEFAULT else fewest)
    return length - longest if enough and longest else 0


def _shortened(row: Row, cuts: Mapping[tuple[RowKind, int], int]) -> Row:
    wanted = ((cell, cuts.get((row.kind, index), 0)) for index, cell in enumerate(row.cells))
    numbers = ((cell, cut if cell.kind is CellKind.NUMBER else 0) for cell, cut in wanted)
    return replace(row, cells=tuple(cell._replace(number=cell.number[:-cut]) if cut else cell for cell, cut in numbers))
