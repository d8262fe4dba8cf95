"""Why a row is not tested, what would allow it, and what it prints beside its plain values.

A row is checked only if its numbers are the scores of the experiment that was stated: not differences, not averages
over classes or other rows, not of the training data. Everything else is listed with its reason, so that nothing
disappears between the paper and the report, and nobody is accused of what was never claimed.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from scoreproof.errors import ScoreproofError
from scoreproof.kinds import fitted
from scoreproof.papers.specification.load import Specification
from scoreproof.papers.specification.model import UNTESTED, TableModel
from scoreproof.papers.table_semantics import Interpretation, Report, RowKind, Value
from scoreproof.papers.table_semantics.classes import names_class, undefined_score
from scoreproof.papers.table_semantics.words import TRAINS, VALIDATIONS, key_of
from scoreproof.quantities import quantity
from scoreproof.reported import Conventions

if TYPE_CHECKING:
    from scoreproof.papers.rows import ReportedRow

_SUMMARIES = {
    RowKind.SPREAD: "a row of standard deviations; it is compared with the fold rows",
    RowKind.MIN: "a row of minima",
    RowKind.MAX: "a row of maxima",
    RowKind.MEDIAN: "medians and other quantiles are not tested",
    RowKind.COUNT: "a row of counts",
    RowKind.DIFFERENCE: "a row of differences between others, not of scores",
}
_AVERAGES = (
    "not tested: averages over classes ({}); if not, say binary: true for this table, and if the data set has two "
    "classes list them (classes: {{ill: 60, well: 140}})"
)
_NO_SCORE = "no score of the whole stands in this row, only averages over classes or other statistics"
_LONE_CLASS = "a class of a class report; how many cases the other classes have was not read"


class Why(NamedTuple):
    """Why a row is not tested; ``lacks_sizes``: only since nobody says over how many cases, of which classes, it is."""

    words: str = ""
    lacks_sizes: bool = True


@dataclass(frozen=True, slots=True)
class Untested:
    """Why rows of one table are not tested."""

    spec: Specification
    model: TableModel
    meaning: Interpretation

    def why(self, row: ReportedRow, *, of_classes: bool = False) -> Why:
        """Why a row is not tested; no words if it is. ``of_classes``: its experiment has several classes."""
        report, names, scores = row.report, row.names, row.scores
        if self.model.untested is not None or names == (UNTESTED,):
            return Why(self.model.untested or "left out by the specification", False)
        if report.kind is not RowKind.RESULT:
            if report.kind in _SUMMARIES:
                return Why(_SUMMARIES[report.kind], False)
            if report.kind is RowKind.CLASS:
                if row.counts is None:
                    return Why(_LONE_CLASS)
                return Why(undefined_score(scores, report.counts.support), False)
        averages = self.meaning.over_classes(report.group)
        if averages and not of_classes:
            return Why(_AVERAGES.format(averages))
        others = self.of_other_data(report)
        if not scores and not of_classes:
            return Why(_NO_SCORE, bool(averages or others) or (row.guessed and not row.known))
        if not names and not row.known:
            return Why("no experiment is given for this row, and the row does not give its counts")
        if others or row.special is not None:
            return Why(others)
        return Why(self._of_several_matrices(report, names, row.options), row.guessed and not row.known)

    def of_other_data(self, report: Report) -> str:
        """Columns of training data have counts of their own; validation data have them where test columns stand by."""
        if not report.group or report.group in self.model.groups:
            return ""
        key = key_of(report.group)
        others = {key_of(report.group) for report in self.meaning.reports} - {key}
        if key in TRAINS or (key in VALIDATIONS and others - TRAINS - VALIDATIONS):
            return f"the columns {report.group!r} are not of the test set; name their experiment with groups"
        classes = {report.group for report in self.meaning.reports if names_class(report.group)}
        if report.group in classes and len(classes) > 2:
            return f"the columns {report.group!r} are of one class of several; name their experiment with groups"
        return ""

    def _of_several_matrices(self, report: Report, names: Sequence[str], options: Conventions) -> str:
        """Means over runs, or over the rows of the table, are not the scores of one test set."""
        means = "mean" in {value.statistic for value in report.values} or "±" in "".join(
            [v.text for v in report.values]
        )
        if report.kind is not RowKind.MEAN and not means:
            return ""
        if report.kind is RowKind.MEAN and any(report.kind is RowKind.RESULT for report in self.meaning.reports):
            return "an average of other rows, not of one experiment"
        if options.spread == "ignore" or not self.is_one_matrix(names):
            return ""
        return (
            "means, but the experiment is one test set (no folds of known class counts); give class counts and folds, "
            "or spread: ignore where the values are of one matrix"
        )

    def is_one_matrix(self, names: Sequence[str]) -> bool:
        """Whether an experiment, as stated, is one test set without folds and parts."""
        models = [self.spec.paper.experiments[name] for name in names if name != UNTESTED]
        datasets = [self.spec.paper.datasets[name] for model in models for name in model.dataset or ()]
        return all(model.folds is None and model.tree is None and model.runs == 1 for model in models) and all(
            dataset.sets is None and dataset.catalog is None for dataset in datasets
        )


def untested_parts(
    meaning: Interpretation, compared: Container[tuple[str, str]] = (), *, of_classes: bool = False
) -> tuple[str, ...]:
    """Columns and averages that no check uses, each with the reason.

    Averages are used where classes are counted, and those ``compared`` with each other, by their word and their score.
    """
    notes = [f"{column.heading.text}: {column.heading.note or 'not a score'}" for column in meaning.untested]
    headings = [column.heading for column in meaning.score_columns]
    others = [
        own for own in headings if not of_classes and own.qualifier and (own.qualifier, own.score) not in compared
    ]
    kinds = (f"{own.text}: {own.qualifier} averages over classes are not tested" for own in others)
    medians = (
        f"{own.text}: {own.statistic} is not tested" for own in headings if own.statistic in ("median", "interval")
    )
    return (*notes, *dict.fromkeys((*kinds, *medians)), *meaning.not_compared)


def untested_columns(meaning: Interpretation, experiments: Sequence[Any], anyway: Container[str]) -> Iterator[str]:
    """Columns of other kinds than a confusion matrix's that no stated experiment has, not tested ``anyway``."""
    for heading in (column.heading for column in meaning.score_columns):
        name = heading.score
        if quantity(name).kind != "binary" and name not in anyway:
            reasons = [fitted(experiment, {name: ""}).left_out.get(name, "") for experiment in experiments]
            if reasons and all(reasons):
                yield "; ".join(filter(None, (f"{heading.text}: {reasons[0]}", needed([name]))))


_NEEDED = {
    "ranking": "how many queries there were, each with one relevant item (tree: {type: ranking, queries: 500})",
    "regression": "an RMSE or MSE beside an MAE or R², or that all numbers are whole and how many there are "
    "(tree: {type: regression, n: 200, integers: true})",
    "detection": "that it is a detector, and how many objects were annotated (tree: {type: detection, objects: 500})",
}


def needed(names: Iterable[str]) -> str:
    """What to know of scores, in words that follow a reason; nothing of those that sizes of a test set are enough for.

    >>> needed(["mrr", "hits@10"])[:66]
    'to test it one must know how many queries there were, each with on'
    >>> needed(["acc"])
    ''
    """
    kinds: dict[str, None] = {}
    for name in names:
        with suppress(ScoreproofError):  # a name of one's own
            kinds[quantity(name).kind] = None
    facts = [_NEEDED[kind] for kind in kinds if kind in _NEEDED]
    return f"to test it one must know {'; and '.join(facts)}" if facts else ""


def notes_on(report: Report, tested: Collection[Value] = ()) -> list[str]:
    """What of a row is not checked, in words; ``tested`` are averages over classes that are."""
    notes = [f"given twice: {clash}; none of them was checked" for clash in report.clashes]
    left = [value for value in report.qualified if value not in tested]
    if left:
        kinds = ", ".join(dict.fromkeys(f"{value.qualifier} {value.score}" for value in left))
        notes.append(f"not tested: {kinds}")
    return notes


def extremes(report: Report) -> tuple[dict[str, str], dict[str, str]]:
    """The smallest and the largest values of its scores."""
    pairs = report.extremes.items()
    low, high = ({name: text for name, ends in pairs if (text := ends[place]) is not None} for place in (0, 1))
    return low, high
