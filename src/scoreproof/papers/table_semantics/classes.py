"""Tables of classes: reports with supports and the averages that follow from them, and averages over classes elsewhere.

Classes are compared with averages only where nothing is in doubt: every row and support was read, and the supports add
up to the printed total. A class's negatives are the other classes' cases only where each case has one class.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from scoreproof.errors import InvalidValue, ScoreproofError
from scoreproof.jsonable import Jsonable, document
from scoreproof.kinds.average import printed_average
from scoreproof.kinds.multi_class.problem import ClassesProblem, classes_problem
from scoreproof.papers.table_semantics.cells import CellKind, Counts, ReadCell
from scoreproof.papers.table_semantics.columns import Scale
from scoreproof.papers.table_semantics.headings import Heading, Role
from scoreproof.papers.table_semantics.interpretation import AverageCheck, Column, compared
from scoreproof.papers.table_semantics.rows import Report, Row, RowKind
from scoreproof.papers.table_semantics.words import PATTERNS, SETS, key_of
from scoreproof.reported import Rounding, report

_SAYS = PATTERNS["classes"]
_MEASURES = ("ppv", "sens", "f1")
_KINDS = (RowKind.RESULT, RowKind.FOLD, RowKind.MEAN, RowKind.OVERALL)


@dataclass(frozen=True, slots=True)
class ClassRow(Jsonable):
    """One class: its scores as printed and its support."""

    name: str
    scores: Mapping[str, str]
    support: int | None


def undefined_score(scores: Mapping[str, str], support: int | None) -> str:
    """Which score of a class must be 0/0: the recall of no cases, the precision of a class nobody was given."""
    if support == 0:
        return "the class has no cases, so its recall is 0/0"
    with suppress(InvalidValue):  # the row carries the error itself
        units = {name: report(name, scores[name]).number.units for name in ("sens", "ppv") if name in scores}
        if units.get("sens") == 0 and units.get("ppv"):
            return "no case was given this class, so its precision is 0/0"
    return ""


@dataclass(frozen=True, slots=True)
class ClassReport:
    """A whole report; ``averages`` maps macro, micro and weighted to their scores, ``doubts`` forbid to compare them.

    ``single``: each case has one class. ``rounding`` is to nearest where scikit-learn printed the report.
    """

    classes: tuple[ClassRow, ...]
    accuracy: str | None
    averages: Mapping[str, Mapping[str, str]]
    total: int
    doubts: tuple[str, ...] = ()
    single: bool = True
    rounding: Rounding = Rounding.NEAREST

    @property
    def not_compared(self) -> tuple[str, ...]:
        """In words, why averages over classes are not compared with the rows."""
        return tuple(f"averages over classes are not compared: {doubt}" for doubt in self.doubts)

    def check_averages(self, **rule: Any) -> tuple[AverageCheck, ...]:
        """Accuracy, macro and weighted averages against the class rows; none where there are doubts."""
        return () if self.doubts else tuple(self._compared(self._rule(rule)))

    def _compared(self, rule: dict[str, Any]) -> Iterator[AverageCheck]:
        recalls = self._of_all("sens")
        if self.accuracy is not None and self.total and self.single and len(self.classes) > 1 and None not in recalls:
            # Correct cases are whole numbers: recall and support leave each class a range of them.
            yield from compared("accuracy", self._problem, {"acc": self.accuracy, "sens": recalls}, rule)
        for average, scores in self.averages.items():
            weights = self._counts if average == "weighted" else None
            for name, text in scores.items() if average in ("macro", "weighted") else ():
                rows = self._of_all(name)
                if None not in rows and (weights is None or any(weights)):
                    yield from compared(f"{average} {name}", printed_average, name, rows, text, weights=weights, **rule)

    def coupled(self, **rule: Any) -> ClassesProblem | None:
        """All classes and averages as the one confusion matrix they are of; None where they were not read whole."""
        report: dict[str, Any] = {name: values for name in _MEASURES if any(values := self._of_all(name))}
        known = self.total and len(self.classes) > 1 and not any(part.support is None for part in self.classes)
        if self.doubts or not report or not known:
            return None
        for average, own in self.averages.items():
            if average in ("macro", "weighted", "micro"):
                report |= {f"{average} {name}": text for name, text in own.items() if name in _MEASURES}
        if self.accuracy is not None and self.single:
            report["acc"] = self.accuracy
        return self._problem(report, self._rule(rule))

    def _problem(self, report: dict[str, Any], rule: dict[str, Any]) -> ClassesProblem:
        names = [part.name for part in self.classes]
        return classes_problem(names, [self._counts], report, exclusive=self.single, **rule)

    def _rule(self, given: Mapping[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in given.items() if value} or {"rounding": self.rounding}

    @property
    def _counts(self) -> list[int]:
        return [part.support or 0 for part in self.classes]

    def _of_all(self, name: str) -> list[str | None]:
        return [part.scores.get(name) for part in self.classes]

    def to_dict(self) -> dict[str, Any]:
        return document(self, "classes accuracy averages total not_compared", checks=self.check_averages())

    def __str__(self) -> str:
        known = all(row.support is not None for row in self.classes)
        names = ", ".join(f"{row.name} ({row.support})" if known else row.name for row in self.classes)
        return f"classification report{f' on {self.total} cases' if known else ''}: {names}"


def with_classes(headings: Sequence[Heading], rows: list[Row]) -> list[Row]:
    """The rows of a class report with their kinds, and the class counts that follow; other tables are left alone."""
    names = {heading.score for heading in headings if heading.role is Role.SCORE}
    marked = any(heading.count == "support" for heading in headings)
    marked = marked or any(row.kind is RowKind.CLASS_AVERAGE for row in rows)
    if len(names & {*_MEASURES}) < 2 or not (marked or _lists_classes(headings, rows)):
        return rows
    rows = [_of_classes(row, headings) for row in rows]
    total, doubts = _supports(rows)
    if doubts or total is None or all(row.kind is not RowKind.ACCURACY for row in rows):
        return rows
    for place, row in enumerate(rows):
        size = row.counts.support
        if row.kind is RowKind.CLASS and size is not None and size < total:
            rows[place] = replace(row, counts=row.counts.merged(Counts(p=size, n=total - size)))
    return rows


def class_report(rows: Sequence[Row], columns: Sequence[Column], rounding: Rounding) -> ClassReport | None:
    """The classes and averages, if the table is a class report with supports."""
    own = [column for column in columns if column.heading.role is Role.SCORE and not column.heading.qualifier]
    classes = [ClassRow(row.label, scores, row.counts.support) for row, scores in _scored(rows, own, RowKind.CLASS)]
    averages: dict[str, dict[str, str]] = {}
    for row, scores in _scored(rows, own, RowKind.CLASS_AVERAGE):
        if average := _average(row.label):
            averages.setdefault(average, scores)
    printed = [{*scores.values()} for _, scores in _scored(rows, own, RowKind.ACCURACY)]
    accuracy = next((values.pop() for values in reversed(printed) if len(values) == 1), None)
    if not classes or len({column.heading.group for column in own}) != 1 or (accuracy is None and not averages):
        return None
    doubts = tuple(dict.fromkeys((*_supports(rows)[1], *_unread(rows, own))))
    total = sum(row.support or 0 for row in classes)
    return ClassReport(tuple(classes), accuracy, averages, total, doubts, bool(printed), rounding)


def _unread(rows: Sequence[Row], columns: Sequence[Column]) -> Iterator[str]:
    for row in rows:  # what is masked or left out claims nothing
        if row.kind is RowKind.CLASS and any(row.cells[at.index].kind is CellKind.UNREAD for at in columns):
            yield f"row {row.label!r} was not read"


def _scored(rows: Sequence[Row], columns: Sequence[Column], kind: RowKind) -> Iterator[tuple[Row, dict[str, str]]]:
    for row in rows:
        if row.kind is kind:
            cells = ((column, row.cells[column.index]) for column in columns)
            numbers = ((column, cell) for column, cell in cells if cell.kind is CellKind.NUMBER)
            yield row, {at.heading.score: cell.text(percent=at.scale is Scale.PERCENT) for at, cell in numbers}


def names_class(text: str) -> bool:
    """Whether a label or header is that of one class, such as "Class 1" or "benign"."""
    return _SAYS["class"].fullmatch(text.strip()) is not None


def _lists_classes(headings: Sequence[Heading], rows: Sequence[Row]) -> bool:
    """Whether the rows are classes by the header of a column of labels, or by every label."""
    labels = (Role.LABEL, Role.OTHER)  # class names may be numbers
    if any(heading.role in labels and _SAYS["header"].fullmatch(heading.text.strip()) for heading in headings):
        return True
    own = [row.labels[-1] for row in rows if row.kind is RowKind.RESULT and row.labels]
    own = [label for label in own if not _SAYS["accuracy"].fullmatch(label.strip())]
    return len(own) > 1 and all(map(names_class, own))


def _of_classes(row: Row, headings: Sequence[Heading]) -> Row:
    """A row of a class report with its kind."""
    label = row.label.strip()
    if row.kind in (RowKind.MEAN, RowKind.OVERALL) or (row.kind is RowKind.RESULT and _SAYS["macro"].fullmatch(label)):
        return replace(row, kind=RowKind.CLASS_AVERAGE)
    if row.kind is not RowKind.RESULT:
        return row
    if not _SAYS["accuracy"].fullmatch(label):
        return replace(row, kind=RowKind.CLASS)
    cells = list(row.cells)
    for place, heading in enumerate(headings):  # pandas repeats the accuracy as a support
        if heading.count == "support" and cells[place].kind is CellKind.UNREAD:
            cells[place] = ReadCell(cells[place].raw, CellKind.TEXT)
    return replace(row, kind=RowKind.ACCURACY, cells=tuple(cells))


def _supports(rows: Sequence[Row]) -> tuple[int | None, list[str]]:
    """The printed total, and why the supports cannot be relied on."""
    classes = [row for row in rows if row.kind is RowKind.CLASS]
    printed = (row.counts.support or 0 for row in rows if row.kind in (RowKind.ACCURACY, RowKind.CLASS_AVERAGE))
    known = [support for support in dict.fromkeys(printed) if support > 1]
    sizes = [row.counts.support for row in classes]
    whole, doubts = sum(filter(None, sizes)), []
    if None in sizes and (known or whole):  # macro averages need no supports
        doubts = [f"the support of row {classes[sizes.index(None)].label!r} was not read"]
    elif known and {whole} != {*known}:
        doubts = [f"the rows have {whole} cases, the total is {' and '.join(map(str, known))}"]
    elif not known and len(sizes) > 2 and whole and whole / 2 in sizes:
        doubts = [f"row {classes[sizes.index(whole // 2)].label!r} may be the total of the others"]
    return (known[0] if known else None), doubts


def _average(label: str) -> str:
    """Which average a row holds; nothing where it does not say."""
    match = _SAYS["kind"].search(label)
    named = (match[1] or match[2]).lower() if match else ""
    return "weighted" if _SAYS["weighted"].fullmatch(label.strip()) else named


def averages_over_classes(headings: Sequence[Heading], reports: Sequence[Report], caption: str) -> dict[str, str]:
    """For every group of columns whose scores are averages over classes, why they are taken for such."""
    stated = _SAYS["averaged_by_caption"].search(caption)
    of_all = f"the caption says {' '.join(stated[0].split())!r}" if stated else ""
    for heading in headings:
        if heading.role is Role.OTHER and key_of(heading.text.partition("(")[0]) in SETS["class_means"]:
            of_all = f"{heading.text!r} beside them is an average over classes"
    reasons = {}
    for group in dict.fromkeys(heading.group for heading in headings if heading.role is Role.SCORE):
        scores = [heading for heading in headings if heading.role is Role.SCORE and heading.group == group]
        named = (f"the heading {heading.text!r} says {heading.qualifier}" for heading in scores if heading.qualifier)
        why = next(named, of_all)
        if not why and _recall_is_accuracy([row for row in reports if row.group == group and row.kind in _KINDS]):
            why = "recall equals accuracy in every row, as an average over classes weighted by support does"
        if why:
            reasons[group] = why
    return reasons


def _recall_is_accuracy(reports: Sequence[Report]) -> bool:
    """Whether recall is the accuracy wherever both are given, perhaps cut otherwise; a perfect row says nothing."""
    telling = False
    for scores in (reported.scores for reported in reports):
        if "acc" not in scores or "sens" not in scores:
            continue
        try:
            accuracy, recall = report("acc", scores["acc"]), report("sens", scores["sens"])
        except ScoreproofError:
            return False
        first, second = accuracy.number, recall.number
        near = accuracy.low <= second.value <= accuracy.high and recall.low <= first.value <= recall.high
        if first.value != second.value and (first.scale == second.scale or not near):
            return False
        telling = telling or first.value != 1
    return telling
