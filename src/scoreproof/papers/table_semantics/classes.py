"""Tables of classes: reports with supports and the averages that follow from them, and averages over classes elsewhere.

Accuracy is the sum of correct cases over all cases, macro averages are plain means and weighted averages means by
support, so each can be compared with the class rows exactly. With two classes the whole report is one confusion matrix
seen from both sides. Classes are compared with averages only where nothing is in doubt: every row and every support was
read, no row may be a total, and the supports add up to the printed total. What stands in the way is said. A class's
negatives are the other classes' cases only where each case has one class, which a row of accuracy shows.

A confusion matrix of two classes says nothing about an average over several. Headings and captions often name the
average (macro, micro, weighted); where they do not, recall gives it away: weighted by support it is the accuracy, in
every row, which one positive class would make a coincidence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from scoreproof.errors import InvalidOption, InvalidValue, ScoreproofError
from scoreproof.jsonable import Jsonable
from scoreproof.kinds.average import printed_average
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.binary.kind import KIND as BINARY
from scoreproof.kinds.kind import Problem
from scoreproof.kinds.multi_class.problem import classes_problem
from scoreproof.papers.table_semantics.cells import CellKind, Counts, ReadCell
from scoreproof.papers.table_semantics.headings import Heading, Role
from scoreproof.papers.table_semantics.interpretation import AverageCheck, compared
from scoreproof.papers.table_semantics.orientation import Scale
from scoreproof.papers.table_semantics.rows import Report, Row, RowKind
from scoreproof.papers.table_semantics.words import CLASS_MEANS, PATTERNS, key_of
from scoreproof.reported import Claim, Rounding, report

if TYPE_CHECKING:
    from scoreproof.papers.table_semantics.interpretation import Column

_SAYS = PATTERNS["classes"]
_MEASURES = frozenset({"ppv", "sens", "f1"})
_TOTALS = (RowKind.MEAN, RowKind.OVERALL, RowKind.CLASS_AVERAGE)
# The scores of the other class, seen from this one.
_MIRRORED = {"ppv": "npv", "sens": "spec", "f1": "f1n"}
_AVERAGES = ("macro", "weighted", "micro")
_KINDS = (RowKind.RESULT, RowKind.FOLD, RowKind.MEAN, RowKind.OVERALL)


@dataclass(frozen=True, slots=True)
class ClassRow(Jsonable):
    """One class: its scores as printed and its support."""

    name: str
    scores: Mapping[str, str]
    support: int | None

    @property
    def undefined(self) -> str:
        """In words, which of its scores is 0/0 and so whatever the program was told to print; nothing if none is."""
        return undefined_score(self.scores, self.support)


def undefined_score(scores: Mapping[str, str], support: int | None) -> str:
    """Which score of a class must be 0/0: the recall of no cases, the precision of a class nobody was given.

    >>> undefined_score({"ppv": "1.00", "sens": "0.00"}, 7), undefined_score({"ppv": "0.50", "sens": "0.50"}, 4)
    ('no case was given this class, so its precision is 0/0', '')
    """
    if support == 0:
        return "the class has no cases, so its recall is 0/0"
    try:
        zero = "sens" in scores and not report("sens", scores["sens"]).number.units
        given = "ppv" in scores and report("ppv", scores["ppv"]).number.units
    except InvalidValue:
        return ""  # the row carries the error itself
    return "no case was given this class, so its precision is 0/0" if zero and given else ""


@dataclass(frozen=True, slots=True)
class ClassReport:
    """A whole report; ``averages`` maps macro, micro and weighted to their scores.

    ``doubts`` says why the averages are not compared with the classes: a row that was not read, supports that do not
    add up. ``single`` says that each case has one class, as a row of accuracy shows. ``rounding`` is how the report was
    rounded: to nearest where scikit-learn printed it, any way where somebody may have typed it.
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

    def binary(self, positive: str | None = None) -> tuple[TestSet, dict[str, str]]:
        """A report on two classes as one test set and its scores from both sides.

        The second class is the positive one, as in scikit-learn, unless ``positive`` names the other.
        """
        if len(self.classes) != 2 or not self.single or any(row.support is None for row in self.classes):
            raise InvalidOption(f"classes: expected two with their supports for a binary reading, got {self}")
        if positive is not None and positive not in self._names:
            raise InvalidOption(f"positive: expected one of {', '.join(self._names)}; got {positive!r}")
        yes = self.classes[self._names.index(positive) if positive is not None else 1]
        no = self.classes[1 - self.classes.index(yes)]
        scores = {name: text for name, text in yes.scores.items() if name in _MIRRORED}
        scores |= {_MIRRORED[name]: text for name, text in no.scores.items() if name in _MIRRORED}
        if self.accuracy is not None:
            scores["acc"] = self.accuracy
        return TestSet(yes.support or 0, no.support or 0), scores

    def check_averages(
        self, *, rounding: str | Rounding | None = None, eps: str | None = None
    ) -> tuple[AverageCheck, ...]:
        """Accuracy, macro and weighted averages against the class rows; none where there are doubts."""
        rule = self._rule(rounding, eps)
        posed = []
        for what, problem in self._averages(rule) if not self.doubts else ():
            with suppress(ScoreproofError):  # the row carries the error itself
                posed.append((what, problem()))
        return tuple(compared(*each) for each in posed)

    def _averages(self, rule: dict[str, Any]) -> Iterator[tuple[str, Callable[[], Problem]]]:
        """The averages that follow from the class rows, by their names, each with what poses its problem."""
        recalls = self._of_all("sens")
        if self.accuracy is not None and self.total and self.single and len(self.classes) > 1 and None not in recalls:
            # Correct cases are whole numbers: recall and support leave each class a range of them.
            report: dict[str, Any] = {"acc": self.accuracy, "sens": recalls}
            yield "accuracy", partial(classes_problem, self._names, [self._counts], report, **rule)
        for average, scores in self.averages.items():
            weights = self._counts if average == "weighted" else None
            for name, text in scores.items() if average in ("macro", "weighted") else ():
                rows = self._of_all(name)
                if None not in rows and (weights is None or any(weights)):
                    how = {"weights": weights, **rule}
                    yield f"{average} {name}", partial(printed_average, name, list(filter(None, rows)), text, **how)

    def _rule(self, rounding: str | Rounding | None, eps: str | None) -> dict[str, Any]:
        return {"eps": eps} if eps else {"rounding": self.rounding if rounding is None else rounding}

    @property
    def _names(self) -> list[str]:
        return [part.name for part in self.classes]

    @property
    def _counts(self) -> list[int]:
        return [part.support or 0 for part in self.classes]

    def _of_all(self, name: str) -> list[str | None]:
        """A score of every class."""
        return [part.scores.get(name) for part in self.classes]

    def coupled(self, *, rounding: str | Rounding | None = None, eps: str | None = None) -> Problem | None:
        """All classes and averages as the one confusion matrix they are of; as labels where that is not said.

        None where they were not read whole.
        """
        if self.doubts or any(part.support is None for part in self.classes) or not self.total:
            return None
        rule = self._rule(rounding, eps)
        if len(self.classes) == 2 and self.single and not any(part.undefined for part in self.classes):
            test_set, scores = self.binary()
            return BINARY.problem(test_set, scores, undefined="zero", **rule)  # scikit-learn prints 0/0 as 0
        if len(self.classes) < 2 or not any(part.scores for part in self.classes):
            return None
        report: dict[str, Any] = {name: values for name in _MIRRORED if any(values := self._of_all(name))}
        for average, own in self.averages.items():
            if average in _AVERAGES:
                report |= {f"{average} {name}": text for name, text in own.items() if name in _MIRRORED}
        if self.accuracy is not None and self.single:
            report["acc"] = self.accuracy
        return classes_problem(self._names, [self._counts], report, exclusive=self.single, **rule)

    def to_dict(self) -> dict[str, Any]:
        return {
            "classes": [row.to_dict() for row in self.classes],
            "accuracy": self.accuracy,
            "averages": {kind: dict(scores) for kind, scores in self.averages.items()},
            "total": self.total,
            "not_compared": list(self.not_compared),
            "checks": [check.to_dict() for check in self.check_averages()],
        }

    def __str__(self) -> str:
        if any(row.support is None for row in self.classes):
            return f"classification report: {', '.join(row.name for row in self.classes)}"
        names = ", ".join(f"{row.name} ({row.support})" for row in self.classes)
        return f"classification report on {self.total} cases: {names}"


class _Supports(NamedTuple):
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
    averages = _averages(rows, own)
    accuracy = _accuracy(rows, own)
    if accuracy is None and not averages:
        return None
    class_rows = [ClassRow(row.label, _scores(row, own), row.counts.support) for row in classes]
    complete = {column.heading.score for column in own}
    unread = (f"row {row.name!r} was not read" for row in class_rows if row.scores.keys() < complete)
    doubts = tuple(dict.fromkeys((*_supports(rows).doubts, *unread)))
    total, single = sum(row.support or 0 for row in class_rows), RowKind.ACCURACY in {row.kind for row in rows}
    return ClassReport(tuple(class_rows), accuracy, averages, total, doubts, single, rounding)


def _averages(rows: Sequence[Row], columns: Sequence[Column]) -> dict[str, dict[str, str]]:
    """The scores of the first row of each average."""
    averages: dict[str, dict[str, str]] = {}
    for row in rows:
        if row.kind is RowKind.CLASS_AVERAGE and (average := _average(row.label)):
            averages.setdefault(average, _scores(row, columns))
    return averages


def _accuracy(rows: Sequence[Row], columns: Sequence[Column]) -> str | None:
    """The accuracy of a report, from the last of its rows that print one number."""
    accuracies = [{*_scores(row, columns).values()} for row in rows if row.kind is RowKind.ACCURACY]
    return next((values.pop() for values in reversed(accuracies) if len(values) == 1), None)


def _scores(row: Row, columns: Sequence[Column]) -> dict[str, str]:
    return {
        column.heading.score: row.cells[column.index].text(percent=column.scale is Scale.PERCENT)
        for column in columns
        if row.cells[column.index].kind is CellKind.NUMBER
    }


def names_class(text: str) -> bool:
    """Whether a label or header is that of one class.

    >>> [names_class(text) for text in ("Class 1", "benign", "Negative class", "Random forest")]
    [True, True, True, False]
    """
    return _SAYS["class"].fullmatch(text.strip()) is not None


def _lists_classes(headings: Sequence[Heading], rows: Sequence[Row]) -> bool:
    """Whether the rows are classes by the header of a column of labels, or by every label."""
    labels = (Role.LABEL, Role.OTHER)  # class names may be numbers
    if any(heading.role in labels and _SAYS["header"].fullmatch(heading.text.strip()) for heading in headings):
        return True
    own = [row.labels[-1] for row in rows if row.kind is RowKind.RESULT and row.labels]
    own = [label for label in own if not _SAYS["accuracy"].fullmatch(label.strip())]
    return len(own) > 1 and all(map(names_class, own))


def _kind(row: Row) -> RowKind:
    if row.kind is RowKind.RESULT and _SAYS["macro"].fullmatch(row.label.strip()):
        return RowKind.CLASS_AVERAGE
    if row.kind is RowKind.RESULT:
        return RowKind.ACCURACY if _SAYS["accuracy"].fullmatch(row.label.strip()) else RowKind.CLASS
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
    printed = (row.counts.support for row in rows if row.kind in (RowKind.ACCURACY, RowKind.CLASS_AVERAGE))
    known = list(dict.fromkeys(support for support in printed if support is not None and support > 1))
    total = known[0] if known else None
    doubts = _doubts(classes, known)
    whole = sum(row.counts.support or 0 for row in classes)
    sums = [] if doubts or whole == total else _sums(classes, whole)
    if total is None:
        doubts += [f"row {row.label!r} may be the total of the others" for row in sums]
        return _Supports(None, frozenset(), tuple(doubts))
    totals = frozenset(row.index for row in sums if row.counts.support == total)
    whole -= len(totals) * total
    if not doubts and whole != total:
        doubts.append(f"the rows have {whole} cases, the total is {total}")
    return _Supports(total, totals, tuple(doubts))


def _doubts(classes: Sequence[Row], totals: Sequence[int]) -> list[str]:
    """Supports that were not read, and totals that contradict each other."""
    unread = [f"the support of row {row.label!r} was not read" for row in classes if row.counts.support is None]
    doubts = unread if totals or len(unread) < len(classes) else []  # macro averages need no supports
    return [*doubts, f"the total is printed as {' and '.join(map(str, totals))}"] if len(totals) > 1 else doubts


def _sums(classes: Sequence[Row], whole: int) -> list[Row]:
    """The rows that may be the total of the others, though no word says so."""
    return [row for row in classes if len(classes) > 2 and whole and 2 * (row.counts.support or 0) == whole]


def _with_negatives(row: Row, total: int) -> Row:
    support = row.counts.support
    if support is None or total <= support:
        return row
    return replace(row, counts=row.counts.merged(Counts(p=support, n=total - support)))


def _average(label: str) -> str:
    """Which average a row holds; nothing where it does not say."""
    if _SAYS["weighted"].fullmatch(label.strip()):
        return "weighted"
    match = _SAYS["kind"].search(label)
    return (match[1] or match[2]).lower() if match else ""


def averages_over_classes(headings: Sequence[Heading], reports: Sequence[Report], caption: str) -> dict[str, str]:
    """For every group of columns whose scores are averages over classes, why they are taken for such."""
    groups = dict.fromkeys(heading.group for heading in headings if heading.role is Role.SCORE)
    stated = _SAYS["averaged_by_caption"].search(caption)
    beside = next((heading for heading in headings if heading.role is Role.OTHER and _is_class_mean(heading)), None)
    reasons = {}
    for group in groups:
        scores = (heading for heading in headings if heading.role is Role.SCORE and heading.group == group)
        named = next((heading for heading in scores if heading.qualifier), None)
        if named is not None:
            reasons[group] = f"the heading {named.text!r} says {named.qualifier}"
        elif beside is not None:
            reasons[group] = f"{beside.text!r} beside them is an average over classes"
        elif stated is not None:
            reasons[group] = f"the caption says {' '.join(stated[0].split())!r}"
        elif _recall_is_accuracy([row for row in reports if row.group == group and row.kind in _KINDS]):
            reasons[group] = "recall equals accuracy in every row, as an average over classes weighted by support does"
    return reasons


def _is_class_mean(heading: Heading) -> bool:
    return key_of(heading.text.partition("(")[0]) in CLASS_MEANS


def _recall_is_accuracy(reports: Sequence[Report]) -> bool:
    """Whether the printed recall is the printed accuracy wherever both are given; a perfect row says nothing."""
    telling = False
    for reported in reports:
        texts = {value.score: value.text for value in reversed(reported.plain)}
        if "acc" not in texts or "sens" not in texts:
            continue
        try:
            accuracy, recall = report("acc", texts["acc"]), report("sens", texts["sens"])
        except ScoreproofError:
            return False
        if not _same(accuracy, recall):
            return False
        telling = telling or accuracy.number.value != 1
    return telling


def _same(claim: Claim, other: Claim) -> bool:
    """Whether two printed values are one value, perhaps cut to different digits."""
    first, second = claim.number, other.number
    if first.scale == second.scale:
        return first.units == second.units
    return claim.low <= second.value <= claim.high and other.low <= first.value <= other.high
