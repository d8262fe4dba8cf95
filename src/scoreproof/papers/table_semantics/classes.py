"""Finding the classes of a class report among the rows of a table, and what belongs to all of them.

Classes are compared with averages only where nothing is in doubt: every row and every support was read, no row may be
a total, and the supports add up to the printed total. What stands in the way is said. A class's negatives are the
other classes' cases only where each case has one class, which a row of accuracy shows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from scoreproof.papers.table_semantics.cells import CellKind, ReadCell
from scoreproof.papers.table_semantics.class_report import ClassReport, ClassRow
from scoreproof.papers.table_semantics.counts import Counts
from scoreproof.papers.table_semantics.headings import Heading, Role
from scoreproof.papers.table_semantics.interpretation import Column
from scoreproof.papers.table_semantics.rows import Row, RowKind
from scoreproof.papers.table_semantics.scale import Scale
from scoreproof.reported import Rounding

_MEASURES = frozenset({"ppv", "sens", "f1"})
_ACCURACY = re.compile(r"(?:overall|total|average|avg\.?|mean)?\s*(?:acc(?:uracy|\.)?|oa)(?:\s*score)?", re.IGNORECASE)
_WEIGHTED = re.compile(r"avg\.?\s*/\s*total", re.IGNORECASE)  # scikit-learn before 0.20
_KIND = re.compile(r"(macro|micro|weighted|samples)\b|(macro|micro|weighted|samples)[-_ ]?av", re.IGNORECASE)
_HEADER = re.compile(
    r"(?:target\s+)?(?:class(?:es)?|labels?|categor(?:y|ies)|target)(?:\s*(?:names?|labels?|ids?|no\.?|index))?",
    re.IGNORECASE,
)
_CLASS = re.compile(
    r"class(?:es)?\s*[-_#]?\s*\w+|\w+\s+class|positives?|negatives?|benign|malignant|(?:ab)?normal|healthy|diseased?|yes|no"
    r"|true|false|spam|ham|real|fake",
    re.IGNORECASE,
)
_TOTALS = (RowKind.MEAN, RowKind.OVERALL, RowKind.CLASS_AVERAGE)


@dataclass(frozen=True, slots=True)
class _Supports:
    """What the supports say: the printed total, the rows that are totals though no word says so, and doubts."""

    total: int | None
    totals: frozenset[int]
    doubts: tuple[str, ...]


def with_classes(headings: Sequence[Heading], rows: list[Row]) -> list[Row]:
    """The rows of a class report with their kinds, and the class counts that follow; other tables are left alone."""
    names = {heading.score for heading in headings if heading.role is Role.SCORE}
    supported = any(heading.count == "support" for heading in headings)
    averaged = any(row.kind is RowKind.CLASS_AVERAGE for row in rows)
    if len(names & _MEASURES) < 2 or not (supported or averaged or _lists_classes(headings, rows)):
        return rows
    kinds = {row.index: _kind(row) for row in rows}
    rows = [_plain(replace(row, kind=kinds[row.index]), headings) for row in rows]
    supports = _supports(rows)
    rows = [replace(row, kind=RowKind.CLASS_AVERAGE) if row.index in supports.totals else row for row in rows]
    one_class_each = any(row.kind is RowKind.ACCURACY for row in rows)
    if supports.doubts or supports.total is None or not one_class_each:
        return rows
    return [_with_negatives(row, supports.total) if row.kind is RowKind.CLASS else row for row in rows]


def class_report(rows: Sequence[Row], columns: Sequence[Column], rounding: Rounding) -> ClassReport | None:
    """The classes and averages, if the table is a class report with supports."""
    own = [column for column in columns if column.heading.role is Role.SCORE and not column.heading.qualifier]
    classes = [row for row in rows if row.kind is RowKind.CLASS]
    if not classes or len({column.heading.group for column in own}) != 1:
        return None
    averages: dict[str, dict[str, str]] = {}
    accuracy: str | None = None
    doubts = list(_supports(rows).doubts)
    found = []
    for row in rows:
        scores = {
            column.heading.score: row.cells[column.index].text(percent=column.scale is Scale.PERCENT)
            for column in own
            if row.cells[column.index].kind is CellKind.NUMBER
        }
        if row.kind is RowKind.ACCURACY and scores:
            values = set(scores.values())
            accuracy = values.pop() if len(values) == 1 else None
        elif row.kind is RowKind.CLASS_AVERAGE:
            averages.setdefault(_average(row.label), scores)
        elif row.kind is RowKind.CLASS:
            if len(scores) < len({column.heading.score for column in own}):
                doubts.append(f"row {row.label!r} was not read")
            found.append(ClassRow(row.label, scores, row.counts.support))
    averages.pop("", None)
    if accuracy is None and not averages:
        return None
    total = sum(one.support or 0 for one in found)
    single = any(row.kind is RowKind.ACCURACY for row in rows)
    return ClassReport(tuple(found), accuracy, averages, total, tuple(dict.fromkeys(doubts)), single, rounding)


def names_class(text: str) -> bool:
    """Whether a label or header is that of one class.

    >>> [names_class(text) for text in ("Class 1", "benign", "Negative class", "Random forest")]
    [True, True, True, False]
    """
    return _CLASS.fullmatch(text.strip()) is not None


def _lists_classes(headings: Sequence[Heading], rows: Sequence[Row]) -> bool:
    """Whether the rows are classes by the header of a column of labels, or by every label."""
    labels = (Role.LABEL, Role.OTHER)  # class names may be numbers
    if any(heading.role in labels and _HEADER.fullmatch(heading.text.strip()) for heading in headings):
        return True
    own = [row.labels[-1] for row in rows if row.kind is RowKind.RESULT and row.labels]
    own = [label for label in own if not _ACCURACY.fullmatch(label.strip())]
    return len(own) > 1 and all(map(names_class, own))


def _kind(row: Row) -> RowKind:
    if row.kind is RowKind.RESULT:
        return RowKind.ACCURACY if _ACCURACY.fullmatch(row.label.strip()) else RowKind.CLASS
    return RowKind.CLASS_AVERAGE if row.kind in _TOTALS else row.kind


def _plain(row: Row, headings: Sequence[Heading]) -> Row:
    """pandas repeats the accuracy in every column, the support too: there it is no count that could not be read."""
    if row.kind is not RowKind.ACCURACY:
        return row
    cells = [
        ReadCell(cell.raw, CellKind.TEXT) if heading.count == "support" and cell.kind is CellKind.UNREAD else cell
        for heading, cell in zip(headings, row.cells, strict=True)
    ]
    return replace(row, cells=tuple(cells))


def _supports(rows: Sequence[Row]) -> _Supports:
    classes = [row for row in rows if row.kind is RowKind.CLASS]
    printed = [row.counts.support for row in rows if row.kind in (RowKind.ACCURACY, RowKind.CLASS_AVERAGE)]
    known = [support for support in printed if support is not None and support > 1]
    total = known[0] if known else None
    doubts = [f"the support of row {row.label!r} was not read" for row in classes if row.counts.support is None]
    if len(set(known)) > 1:
        doubts.append(f"the total is printed as {' and '.join(map(str, dict.fromkeys(known)))}")
    whole = sum(row.counts.support or 0 for row in classes)
    totals: set[int] = set()
    for row in classes if len(classes) > 2 and not doubts else ():
        if 2 * (row.counts.support or 0) == whole != total:
            if total == row.counts.support:
                totals.add(row.index)
            elif total is None:
                doubts.append(f"row {row.label!r} may be the total of the others")
    whole -= sum(row.counts.support or 0 for row in classes if row.index in totals)
    if not doubts and total is not None and whole != total:
        doubts.append(f"the rows have {whole} cases, the total is {total}")
    return _Supports(total, frozenset(totals), tuple(doubts))


def _with_negatives(row: Row, total: int) -> Row:
    support = row.counts.support
    if support is None or total <= support:
        return row
    return replace(row, counts=row.counts.merged(Counts(p=support, n=total - support)))


def _average(label: str) -> str:
    """Which average a row holds; nothing where it does not say."""
    if _WEIGHTED.fullmatch(label.strip()):
        return "weighted"
    found = _KIND.match(label.strip())
    return (found[1] or found[2]).lower() if found else ""
