"""The ways to understand how a row's scores came about, what changes them, and the options it is asked with.

What the row itself says (its counts, its class, the folds it averages); means over runs, where the mean over runs on
one known set is one over equal parts and of anything else only what averages have in common is known; data sets of
several classes, as one test set or as its stratified folds. Options are the paper's, overruled by the table's,
overruled by the column's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scoreproof.errors import InvalidOption
from scoreproof.kinds.binary.experiment import Aggregation, MeanOfScores, ScoreOfMeans, TestSet
from scoreproof.kinds.common_average.problem import AverageOf
from scoreproof.kinds.multi_class.experiment import ClassFolds, MultiClass
from scoreproof.kinds.unknown_classes.experiment import UnknownClasses
from scoreproof.papers.specification.model import DatasetModel, ExperimentModel, OptionsModel, TableModel
from scoreproof.papers.table_semantics import Counts, Report, RowKind, Value
from scoreproof.quantities import quantity
from scoreproof.reported import Conventions
from scoreproof.reported.conventions import told


@dataclass(slots=True, unsafe_hash=True)  # not frozen: each row has one, made thrice as fast so
class RowReading:
    """One way to understand how a row's scores came about."""

    label: str
    experiment: Any  # of some kind, which it names
    assumed: str = ""  # what is taken for granted, where nobody is sure


OF_CLASS = RowReading(
    "a class against all others, sizes unknown", UnknownClasses(), "the scores are of one class in one test set"
)


def with_total(readings: tuple[RowReading, ...], counts: Counts) -> tuple[RowReading, ...]:
    """Readings of unknown classes with the number of cases, or the classes, that the row itself gives."""
    completed = []
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
        completed.append(reading)
    return tuple(completed)


def from_both_sides(readings: tuple[RowReading, ...]) -> tuple[RowReading, ...]:
    """Columns headed by a class are of this class or, as the specification counts, of the other one."""
    sets = [(reading, reading.experiment) for reading in readings if isinstance(reading.experiment, TestSet)]
    turned = [
        replace(reading, label=f"{reading.label}, the other class positive", experiment=TestSet(of.n, of.p))
        for reading, of in sets
        if of.p != of.n
    ]
    return (*readings, *turned)


def over_folds(folds: Sequence[TestSet], ways: set[str]) -> tuple[RowReading, ...]:
    means = []
    if ways != {"score_of_means"}:
        means.append(RowReading(f"mean of scores over the {len(folds)} folds", MeanOfScores(tuple(folds))))
    if ways != {"mean_of_scores"}:
        means.append(RowReading(f"score of means over the {len(folds)} folds", ScoreOfMeans(tuple(folds))))
    return tuple(means)


def both_classes(readings: Sequence[RowReading]) -> tuple[RowReading, ...]:
    """The readings that are one test set of two classes, for averages over both: which is positive is all the same."""
    of_both: dict[tuple[int, ...], RowReading] = {}
    for reading in readings:
        if isinstance(reading.experiment, TestSet) and reading.experiment.p and reading.experiment.n:
            counts = tuple(sorted((reading.experiment.p, reading.experiment.n)))
            of_both.setdefault(counts, replace(reading, label="both classes", experiment=MultiClass(counts)))
    return tuple(of_both.values())


def _exactly(test: UnknownClasses) -> int | None:
    """How many cases there are, where that is known."""
    ends = test.totals
    return ends[0] if ends is not None and ends[0] == ends[1] else None


def about_counts(report: Report, stated: TestSet | None, counts: TestSet | None, names: Sequence[str]) -> list[str]:
    """What is said of a row with counts of its own beside those that the specification gives."""
    completed = report.counts.completed()
    if completed.conflict:
        return [f"the counts in the row contradict each other ({completed.conflict}) and were not used"]
    if counts is not None:
        if stated is not None and stated != counts and report.kind is not RowKind.FOLD:
            return [
                f"the row says p={counts.p}, n={counts.n}, the data set p={stated.p}, n={stated.n}; the row's were used"
            ]
        return [f"p={counts.p} and n={counts.n} as the row itself says"] if names else []
    if stated is not None and completed.total is not None and stated.p + stated.n != completed.total:
        return [f"the row says {completed.total} cases, the data set has {stated.p + stated.n}"]
    return []


def over_runs(readings: Iterable[RowReading], runs: Any) -> list[RowReading]:
    """The readings of an experiment whose scores are means over ``runs``: a number, several, or "unknown"."""
    if runs == "unknown":
        return [RowReading("means over runs, whose number is unknown", AverageOf())]
    made = {run.experiment: run for reading in readings for run in _readings(reading, runs)}
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


class TableSettings:
    """What holds for the rows of one table; rows without anything special share one set of options."""

    def __init__(self, paper: OptionsModel, model: TableModel) -> None:
        own = model.options
        merged: dict[str, Any] = {}
        for name in OptionsModel.model_fields:
            given = getattr(own, name)
            merged[name] = getattr(paper, name) if given is None else given
        if own.rounding is not None:
            merged["eps"] = None
        elif own.eps is not None:
            merged["rounding"] = None
        self._brackets: str = merged.pop("brackets") or "ignore"
        self.usual = told({name: value for name, value in merged.items() if value is not None})
        self._columns = {
            header: column
            for header, column in model.columns.items()
            if column.rounding is not None or column.eps is not None
        }

    @property
    def rule(self) -> dict[str, str | None]:
        """Rounding or eps of the table."""
        rounding, eps = self.usual.rounding, self.usual.eps
        return {"eps": eps} if isinstance(eps, str) else {"rounding": rounding if isinstance(rounding, str) else None}

    def of(self, values: Sequence[Value]) -> tuple[Conventions, dict[str, str]]:
        """The options and the texts of a row's plain values."""
        scores = {value.score: value.text for value in values}
        special = self._columns or self._brackets != "ignore" or {value.spread_kind for value in values} - {""}
        if len(scores) == len(values) and not special:
            return self.usual, scores
        first: dict[str, Value] = {}
        for value in values:
            first.setdefault(value.score, value)
        bracketed = [value for value in first.values() if value.cell.bracket and self._brackets != "ignore"]
        scores = {name: value.text for name, value in first.items()}
        scores |= {
            value.score: value.cell.text(percent=value.text.endswith("%"), spread=value.cell.bracket)
            for value in bracketed
        }
        kinds = {{"": "", "sem": "error"}.get(value.spread_kind, "deviation") for value in first.values()} - {""}
        kinds |= {self._brackets} if bracketed else set()
        how = self.usual
        if kinds and how.spread != "ignore":
            how = how.but(spread=kinds.pop() if len(kinds) == 1 else "ignore")
        return self._by_column({quantity(name).name: value for name, value in first.items()}, how), scores

    def by_name(self, values: Mapping[str, Value]) -> Conventions:
        """The options of a row whose scores have other names than their columns: averages over classes."""
        return self._by_column(values, self.usual)

    def _by_column(self, values: Mapping[str, Value], how: Conventions) -> Conventions:
        """With the rounding or eps that columns have of their own."""
        own = {}
        for name, value in values.items():
            own[name] = self._columns.get(value.header) or self._columns.get(value.header.split(" / ")[-1])
        if not any(own.values()):
            return how
        usual = self.rule.get("rounding"), self.rule.get("eps")
        each = {name: (column.rounding, column.eps) if column else usual for name, column in own.items()}
        rounding = {name: rule for name, (rule, margin) in each.items() if rule is not None and not margin}
        return how.but(
            rounding=rounding, eps={name: margin for name, (_, margin) in each.items() if margin is not None}
        )
