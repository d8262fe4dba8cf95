"""What of a row can be tested whatever its sizes are, or of several classes, and what is not tested at all.

A row without an experiment, or of averages over classes, is read as means over the same parts: classes, folds, images,
or one confusion matrix. Only scores that every such average has in common are compared, not accuracy: beside averages
over classes it is that of all cases. What is not checked at all is listed with its reason.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby, product
from typing import Any, NamedTuple

from scoreproof.errors import DuplicateScore, ScoreproofError
from scoreproof.kinds import fitted
from scoreproof.kinds.binary.scores import score
from scoreproof.kinds.common_average.problem import AverageOf
from scoreproof.kinds.detection_problem import Detection
from scoreproof.kinds.multi_class.experiment import MultiClass
from scoreproof.kinds.multi_class.quantities import AVERAGES as OF_CLASSES
from scoreproof.kinds.multi_class.quantities import refused
from scoreproof.kinds.ranking_problem import Ranking
from scoreproof.kinds.regression.problem import Regression
from scoreproof.papers.result import CellText
from scoreproof.papers.table_semantics import Interpretation, Report, RowKind, Value
from scoreproof.papers.task import Posed, RowReading, TableSettings, pose
from scoreproof.quantities import quantity
from scoreproof.quantities.task_quantities import AT_THRESHOLD
from scoreproof.reported.conventions import USUAL, Conventions


def untested_parts(meaning: Interpretation, options: Conventions, *, of_classes: bool) -> tuple[str, ...]:
    """Columns and averages that no check uses, each with the reason; used are averages that some row is tested for."""
    notes = [f"{column.heading.text}: {column.heading.note or 'not a score'}" for column in meaning.untested]
    headings = [column.heading for column in meaning.score_columns]
    qualified = [] if of_classes else [own for own in headings if own.qualifier]
    used = _used_averages(meaning, options) if qualified else set()
    others = [own for own in qualified if (own.qualifier, own.score) not in used]
    kinds = (f"{own.text}: {own.qualifier} averages over classes are not tested" for own in others)
    ranges = [own for own in headings if own.statistic in ("median", "interval")]
    medians = (f"{own.text}: {own.statistic} is not tested" for own in ranges)
    return (*notes, *dict.fromkeys((*kinds, *medians)), *meaning.not_compared)


def _used_averages(meaning: Interpretation, options: Conventions) -> set[tuple[str, str]]:
    rows = [row for row in meaning.reports if row.qualified and row.kind in _KINDS]
    over = ((row, meaning.over_classes(row.group)) for row in rows)
    return {(value.qualifier, value.score) for row, word in over if word for value in _averages(row, word, options)}


def untested_columns(meaning: Interpretation, experiments: Sequence[Any], how: Conventions | None) -> Iterator[str]:
    """Columns of other kinds than a matrix's that no stated experiment has, nor (with options) a row is tested for."""
    rows = [row for row in meaning.reports if row.kind in _KINDS] if how is not None else []
    ways = [(way, row) for way in COMMON if way is not AVERAGES for row in rows]
    anyway = {value.score for way, row in ways for value in way.values(row, "", how or USUAL)}
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

    >>> needed(["mrr", "acc"])[:56], needed(["acc"])
    ('to test it one must know how many queries there were, ea', '')
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


_KINDS = (RowKind.RESULT, RowKind.CLASS, RowKind.FOLD, RowKind.MEAN, RowKind.OVERALL)
_OPEN = "no experiment is given for this row: tested is only "
_SIZES = {"mae", "mse", "rmse", "maxe", "medae", "bias"}
_MOST_DIGITS = 8
_MATES = ({"ppv", "sens"}, {"npv", "spec"})


class Common(NamedTuple):
    """What holds whatever was averaged: a reading, which values of a row it is about, and what is said of it."""

    reading: RowReading
    values: Callable[[Report, str, Conventions], tuple[Value, ...]]
    note: str


def common(row: Report, over: str, how: Conventions, *, other_kinds: bool) -> tuple[Common, tuple[Value, ...]] | None:
    """How a row of unknown sizes is tested, and its values, of averages if ``over`` says so; None if it is not."""
    ways = () if row.kind not in _KINDS else COMMON if other_kinds else (AVERAGES,)
    return next(((way, values) for way in ways if (values := way.values(row, over, how))), None)


def _averages(row: Report, over: str, how: Conventions) -> tuple[Value, ...]:
    """Precision, recall, F-scores, Dice and Jaccard; of averages over classes those with one averaging word."""
    if how.undefined == "skip":  # means that leave parts out are over different ones
        return ()
    groups = [list(row.plain)]
    if over:
        values = sorted((v for v in row.values if v.statistic in ("", "mean")), key=lambda value: value.qualifier)
        groups = [list(group) for _, group in groupby(values, key=lambda value: value.qualifier)]
    for alike in groups:
        values = [value for value in alike if _is_common(value.score)]
        names = [value.score for value in values]
        if (not over or len(set(names)) == len(names)) and says_something(names):
            return tuple(values)
    return ()


def says_something(names: Sequence[str]) -> bool:
    """Whether some relation between the means of these scores can be broken."""
    known = set(names)
    if any(known & _MATES[name.endswith("n")] for name in known if _beta(name) is not None):
        return True
    return ("ji" in known and bool(known & {"f1", *_MATES[0]})) or {"acc", "sens", "spec"} <= known


def _errors(row: Report, over: str, how: Conventions) -> tuple[Value, ...]:
    values = tuple(value for value in row.plain if quantity(value.score).kind == "regression")
    names = {value.score for value in values}
    return values if len(names & _SIZES) > 1 or {"r2", "ev"} <= names else ()


def _overlaps(row: Report, over: str, how: Conventions) -> tuple[Value, ...]:
    """Average precisions by overlap; "AP50" alone bounds the mean over all overlaps, as "mAP" or "AP" beside it is."""
    values = tuple(value for value in row.plain if value.score in ("ap", "map", *AT_THRESHOLD))
    named = [value for value in values if value.score in AT_THRESHOLD]
    telling = len(named) > 1 or any(value.score == "map" for value in values)
    return values if named and telling and len(values) - len(named) < 2 else ()


def _ranks(row: Report, over: str, how: Conventions) -> tuple[Value, ...]:
    """How many queries have their first relevant item among the first k; and the MRR."""
    values = [value for value in row.plain if value.score.startswith("hits@") or value.score == "mrr"]
    if any("recall" in value.header.lower() or "R@" in value.header for value in values):
        values = [value for value in values if value.score != "mrr"]  # several relevant items leave it more room
    short = all(len(value.cell.number) <= _MOST_DIGITS for value in values)
    return tuple(values) if short and len(values) > 1 else ()


AVERAGES = Common(
    RowReading("one test set, or means over the same classes, folds or images", AverageOf()),
    _averages,
    f"{_OPEN}whether any average over the same parts (classes, folds, images, or one matrix) gives its precision, "
    "recall, F, Dice and Jaccard",
)
ERRORS = Common(
    RowReading("one evaluation, or means over several", Regression(folds="unknown")),
    _errors,
    f"{_OPEN}what holds for errors of one evaluation and for means over several",
)
OVERLAPS = Common(
    RowReading("average precisions by overlap, of one evaluation or means over several", Detection()),
    _overlaps,
    f"{_OPEN}that average precision falls with the overlap, as it does in one evaluation and in means over several",
)
RANKS = Common(
    RowReading("first relevant items of any number of queries", Ranking()),
    _ranks,
    f"{_OPEN}that Hits@k never falls with k and what it leaves to the MRR, for any queries and for means over runs",
)
#: The first that some values of a row go with is how it is tested.
COMMON = (ERRORS, AVERAGES, OVERLAPS, RANKS)


def _is_common(name: str) -> bool:
    return name in ("ppv", "sens", "ji") or (_beta(name) is not None and not name.endswith("n"))


def _beta(name: str) -> object:
    with suppress(ScoreproofError):
        return score(name).beta
    return None


def covered(names: Iterable[str]) -> bool:
    """Whether a mean over folds of unknown sizes says something by these scores."""
    return says_something([name for name in names if _is_common(name) or name in ("acc", "spec", "npv")])


_OF_ONE_CLASS = "an average over both classes, or of the positive one? the heading does not say"
_TRIED = "macro, weighted and micro were tried"


class ClassValues:
    """The values of a row of several classes by the names they have.

    Those that are ``open`` do not say which average they are, and are read as macro, as weighted and as micro averages;
    of two classes a score that names no average may be that of the positive class: it is not tested.
    """

    def __init__(self, row: Report, readings: Sequence[RowReading]) -> None:
        two = all(isinstance(own := each.experiment, MultiClass) and len(own.names) == 2 for each in readings)
        self.named: dict[str, Value] = {}
        self.open: dict[str, Value] = {}
        left_out: dict[str, str] = {}
        for value in (*row.plain, *row.qualified):
            name = f"{value.qualifier} {value.score}".strip()
            why = refused(name)
            if not why:
                self.named.setdefault(name, value)
            elif value.qualifier or refused(f"macro {name}"):
                left_out[name] = why
            elif two:
                left_out[name] = _OF_ONE_CLASS
            else:
                self.open.setdefault(name, value)
        partly = []
        fits = [(each.label, fitted(each.experiment, dict.fromkeys(self.named, "")).left_out) for each in readings]
        for name in list(self.named):
            reasons = {label: out[name] for label, out in fits if name in out}
            why = next(iter(reasons.values()), "")
            if len(reasons) == len(fits):
                left_out[name] = why
                del self.named[name]
            elif reasons:
                partly.append(f"not tested as {' and as '.join(reasons)}: {name} ({why})")
        which = f"which average {', '.join(self.open)} {'is' if len(self.open) == 1 else 'are'} is not said: {_TRIED}"
        refusals = (f"not tested: {name} ({why})" for name, why in left_out.items())
        self.notes: tuple[str, ...] = (*refusals, *partly, *([which] if self.open else []))
        values = (*self.named.items(), *self.open.items())
        self.cells = tuple(CellText(value.place, name, value.cell.raw, value.text) for name, value in values)

    def tested_by(self, reading: RowReading) -> bool:
        """Whether a reading leaves anything to test."""
        return bool(self.open or fitted(reading.experiment, dict.fromkeys(self.named, "")).scores)

    def posed(self, readings: Sequence[RowReading], settings: TableSettings) -> Iterator[Posed]:
        """The problem of the row under each reading, and with the open values as each average."""
        for reading, average in product(readings, OF_CLASSES if self.open else ("",)):
            named = {**self.named, **{f"{average} {name}": value for name, value in self.open.items()}}
            label = f"{reading.label}, {average} averages" if average else reading.label
            with suppress(DuplicateScore):  # beside a column that is that average: then these are another one
                texts = {name: value.text for name, value in named.items()}
                posed = pose(replace(reading, label=label), texts, settings.by_name(named))
                yield from [posed] if posed is not None else []
