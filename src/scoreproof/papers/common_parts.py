"""Rows whose sizes nobody gives: whatever was averaged, some relations between the means hold.

A row without an experiment, or of averages over classes, is read as means over the same parts: classes, folds, images,
or one confusion matrix. Only scores that every such average has in common are compared: precision, recall, F-scores,
Dice and Jaccard. Accuracy is not: beside averages over classes it is that of all cases, and no average at all. Errors
of predicted numbers, average precisions by overlap and hits of a ranking have relations of their own that means keep.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from scoreproof.errors import ScoreproofError
from scoreproof.kinds.binary.scores import score
from scoreproof.kinds.common_average.problem import AverageOf
from scoreproof.kinds.detection_problem import Detection
from scoreproof.kinds.ranking_problem import Ranking
from scoreproof.kinds.regression.problem import Regression
from scoreproof.kinds.unknown_classes.experiment import UnknownClasses
from scoreproof.papers.row_reading import RowReading
from scoreproof.papers.table_semantics import Interpretation, Report, RowKind, Value
from scoreproof.quantities import quantity
from scoreproof.quantities.task_quantities import AT_THRESHOLD
from scoreproof.reported import Conventions

READING = RowReading("averages over the same parts, one confusion matrix included", AverageOf())
ERRORS = RowReading("one evaluation, or means over several", Regression(folds="unknown"))
OVERLAPS = RowReading("average precisions by overlap, of one evaluation or means over several", Detection())
RANKS = RowReading("first relevant items of any number of queries", Ranking())
OF_CLASS = RowReading(
    "a class against all others, sizes unknown", UnknownClasses(), "the scores are of one class in one test set"
)
_KINDS = (RowKind.RESULT, RowKind.CLASS, RowKind.FOLD, RowKind.MEAN, RowKind.OVERALL)
_OPEN = (
    "no experiment is given for this row: tested is only whether any average over the same parts (classes, folds, "
    "images, or one matrix) gives its precision, recall, F, Dice and Jaccard"
)
_OF_CLASSES = "averages over classes ({}): tested is only whether any average over the same parts gives them"
_ONLY_ERRORS = (
    "no experiment is given for this row: tested is only what holds for errors of one evaluation and for means over "
    "several"
)
_ONLY_OVERLAPS = (
    "no experiment is given for this row: tested is only that average precision falls with the overlap, as it does in "
    "one evaluation and in means over several"
)
_ONLY_RANKS = (
    "no experiment is given for this row: tested is only that Hits@k never falls with k and what it leaves to the MRR, "
    "for any number of queries and for means over several runs"
)
_SIZES = {"mae", "mse", "rmse", "maxe", "medae", "bias"}
_MOST_DIGITS = 8
_MATES = ({"ppv", "sens"}, {"npv", "spec"})


def common_values(one: Report, over_classes: str, options: Conventions) -> tuple[Value, ...]:
    """The values of a row that are compared as means over the same parts; none if nothing follows from them."""
    if one.kind not in _KINDS or options.undefined == "skip":  # means that leave parts out are over different ones
        return ()
    if not over_classes:
        values = tuple(value for value in one.plain if _is_common(value.score))
        return values if says_something([value.score for value in values]) else ()
    for alike in _alike(one):
        values = tuple(value for value in alike if _is_common(value.score))
        if len({value.score for value in values}) == len(values) and says_something([v.score for v in values]):
            return values
    return ()


def _alike(one: Report) -> list[list[Value]]:
    """The values by their averaging word: macro beside macro, weighted beside weighted."""
    values = sorted((v for v in one.values if v.statistic in ("", "mean")), key=lambda value: value.qualifier)
    return [list(group) for _, group in groupby(values, key=lambda value: value.qualifier)]


def says_something(names: Sequence[str]) -> bool:
    """Whether some relation between the means of these scores can be broken."""
    known = set(names)
    betas = {name for name in known if _beta(name) is not None}
    if any(known & _MATES[name.endswith("n")] for name in betas):
        return True
    return ("ji" in known and bool(known & {"f1", *_MATES[0]})) or {"acc", "sens", "spec"} <= known


def error_values(one: Report) -> tuple[Value, ...]:
    """The values of a row that are errors of predicted numbers; none if nothing follows from them."""
    values = tuple(value for value in one.plain if quantity(value.score).kind == "regression")
    names = {value.score for value in values}
    telling = len(names & _SIZES) > 1 or {"r2", "ev"} <= names
    return values if one.kind in _KINDS and telling else ()


def overlap_values(one: Report) -> tuple[Value, ...]:
    """The values of a row that are average precisions by overlap; none without an overlap that is named.

    One of them alone, "AP50", bounds the mean over all overlaps, which is what "mAP" or "AP" beside it is.
    """
    values = tuple(value for value in one.plain if value.score in ("ap", "map", *AT_THRESHOLD))
    named = [value for value in values if value.score in AT_THRESHOLD]
    means = len(values) - len(named)
    telling = len(named) > 1 or any(value.score == "map" for value in values)
    return values if one.kind in _KINDS and named and telling and means < 2 else ()


def rank_values(one: Report) -> tuple[Value, ...]:
    """The values of a row that say how many queries have their first relevant item among the first k; and the MRR.

    A recall that counts several relevant items never falls with k either, but leaves the MRR more room.
    """
    values = [value for value in one.plain if value.score.startswith("hits@") or value.score == "mrr"]
    if any("recall" in value.header.lower() or "R@" in value.header for value in values):
        values = [value for value in values if value.score != "mrr"]
    short = all(len(value.cell.number) <= _MOST_DIGITS for value in values)
    return tuple(values) if one.kind in _KINDS and short and len(values) > 1 else ()


def averages_compared(found: Interpretation, options: Conventions) -> set[tuple[str, str]]:
    """The averages over classes that some row is tested for, whatever the classes are: their words and their scores."""
    over = ((one, found.over_classes(one.group)) for one in found.reports if one.qualified)
    return {(value.qualifier, value.score) for one, word in over if word for value in common_values(one, word, options)}


def tested_anyway(reports: Iterable[Report]) -> set[str]:
    """The errors and the average precisions by overlap that some row is tested for, whatever its sizes."""
    return {value.score for one in reports for value in (*error_values(one), *overlap_values(one), *rank_values(one))}


def about(reading: RowReading, over_classes: str) -> str:
    """What is said of such a row."""
    only = {ERRORS.label: _ONLY_ERRORS, OVERLAPS.label: _ONLY_OVERLAPS, RANKS.label: _ONLY_RANKS}.get(reading.label)
    if only:
        return only
    return _OF_CLASSES.format(over_classes) if over_classes else _OPEN


def _is_common(name: str) -> bool:
    return name in ("ppv", "sens", "ji") or (_beta(name) is not None and not name.endswith("n"))


def _beta(name: str) -> object:
    try:
        return score(name).beta
    except ScoreproofError:
        return None


def covered(scores: Mapping[str, str]) -> bool:
    """Whether a mean over folds of unknown sizes says something by these scores."""
    return says_something([name for name in scores if _is_common(name) or name in ("acc", "spec", "npv")])
