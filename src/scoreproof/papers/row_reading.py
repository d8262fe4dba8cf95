"""The ways to understand how a row's scores came about, and what changes them.

What the row itself says (its counts, its class, the folds it averages); means over runs, where the mean over runs on
one known set is one over equal parts and of anything else only what averages have in common is known; data sets of
several classes, as one test set or as its stratified folds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scoreproof.errors import InvalidOption
from scoreproof.kinds.binary.experiment import Aggregation, MeanOfScores, ScoreOfMeans, TestSet
from scoreproof.kinds.common_average.problem import AverageOf
from scoreproof.kinds.multi_class.experiment import ClassFolds, MultiClass
from scoreproof.kinds.unknown_classes.experiment import UnknownClasses
from scoreproof.papers.specification.model import DatasetModel, ExperimentModel
from scoreproof.papers.table_semantics import Counts, Report, RowKind


@dataclass(frozen=True, slots=True)
class RowReading:
    """One way to understand how a row's scores came about."""

    label: str
    experiment: Any  # of some kind, which it names
    assumed: str = ""  # what is taken for granted, where nobody is sure


def with_total(readings: tuple[RowReading, ...], counts: Counts) -> tuple[RowReading, ...]:
    """Readings of unknown classes with the number of cases, or the classes, that the row itself gives."""
    found = []
    for reading in readings:
        test = reading.experiment
        if isinstance(test, UnknownClasses):
            cases = _exactly(test)
            known = counts if cases is None or counts.total is not None else replace(counts, total=cases)
            whole, total = known.test_set(), known.completed().total
            if whole is not None:
                reading = replace(reading, label="one test set", experiment=whole)
            elif total is not None and total > 0 and not known.completed().conflict:
                words = f"{total} cases as the row says, class counts unknown"
                of_row = f"the scores are of one test set of the {total:,} cases in its row" if reading.assumed else ""
                reading = replace(reading, label=words, experiment=UnknownClasses(total), assumed=of_row)
        found.append(reading)
    return tuple(found)


def from_both_sides(readings: tuple[RowReading, ...]) -> tuple[RowReading, ...]:
    """Columns headed by a class are of this class or, as the specification counts, of the other one."""
    turned = [
        replace(
            one, label=f"{one.label}, the other class positive", experiment=TestSet(one.experiment.n, one.experiment.p)
        )
        for one in readings
        if isinstance(one.experiment, TestSet) and one.experiment.p != one.experiment.n
    ]
    return (*readings, *turned)


def over_folds(folds: Sequence[TestSet], ways: set[str]) -> tuple[RowReading, ...]:
    found = []
    if ways != {"score_of_means"}:
        found.append(RowReading(f"mean of scores over the {len(folds)} folds", MeanOfScores(tuple(folds))))
    if ways != {"mean_of_scores"}:
        found.append(RowReading(f"score of means over the {len(folds)} folds", ScoreOfMeans(tuple(folds))))
    return tuple(found)


def both_classes(readings: Sequence[RowReading]) -> tuple[RowReading, ...]:
    """The readings that are one test set of two classes, for averages over both: which is positive is all the same."""
    found: dict[tuple[int, ...], RowReading] = {}
    for reading in readings:
        if isinstance(reading.experiment, TestSet) and reading.experiment.p and reading.experiment.n:
            counts = tuple(sorted((reading.experiment.p, reading.experiment.n)))
            found.setdefault(counts, replace(reading, label="both classes", experiment=MultiClass(counts)))
    return tuple(found.values())


def _exactly(test: UnknownClasses) -> int | None:
    """How many cases there are, where that is known."""
    ends = test.totals
    return ends[0] if ends is not None and ends[0] == ends[1] else None


def about_counts(one: Report, said: TestSet | None, counts: TestSet | None, names: Sequence[str]) -> list[str]:
    """What is said of a row with counts of its own beside those that the specification gives."""
    completed = one.counts.completed()
    if completed.conflict:
        return [f"the counts in the row contradict each other ({completed.conflict}) and were not used"]
    if counts is not None:
        if said is not None and said != counts and one.kind is not RowKind.FOLD:
            return [
                f"the row says p={counts.p}, n={counts.n}, the data set p={said.p}, n={said.n}; the row's were used"
            ]
        return [f"p={counts.p} and n={counts.n} as the row itself says"] if names else []
    if said is not None and completed.total is not None and said.p + said.n != completed.total:
        return [f"the row says {completed.total} cases, the data set has {said.p + said.n}"]
    return []


def over_runs(found: Iterable[RowReading], runs: Any) -> list[RowReading]:
    """The readings of an experiment whose scores are means over ``runs``: a number, several, or "unknown"."""
    if runs == "unknown":
        return [RowReading("means over runs, whose number is unknown", AverageOf())]
    made = {one.experiment: one for reading in found for one in _readings(reading, runs)}
    return list(made.values())


def _readings(reading: RowReading, runs: Any) -> Iterator[RowReading]:
    for count in runs if isinstance(runs, list) else [runs]:
        if count == 1:
            yield reading
        elif isinstance(reading.experiment, TestSet):
            over = MeanOfScores((reading.experiment,) * count)
            yield replace(reading, label=f"{reading.label}, mean of {count} runs", experiment=over)
        else:
            yield RowReading(f"means over {count} runs", AverageOf())  # of classes, too, where these are averaged


def class_experiments(
    dataset: DatasetModel, model: ExperimentModel, folds: Sequence[int], repeats: Sequence[int]
) -> Iterator[tuple[str, Any]]:
    """The experiments of a data set that has classes and no positive one, in words and as values."""
    assert dataset.classes is not None
    if model.folds is None:
        yield "one test set", MultiClass(dataset.classes)
        return
    if model.aggregation != "score_of_means" and model.stratified is not True:
        raise InvalidOption(
            "folds of several classes: expected stratified: true or aggregation: score_of_means; means over folds "
            "without stratification are not covered"
        )
    for times in repeats:
        prefix = f"{times} times " if times > 1 else ""
        if model.aggregation != "score_of_means":
            rule = model.rule if model.rule == "scikit-learn" else None
            for k in folds:
                label = f"{prefix}{k} stratified folds, mean of scores"
                yield label, ClassFolds(dataset.classes, k, times, Aggregation.MEAN_OF_SCORES, rule)
        if model.aggregation != "mean_of_scores":
            added = ClassFolds(dataset.classes, 2, times, Aggregation.SCORE_OF_MEANS)
            yield f"{prefix}all folds, score of means", added
