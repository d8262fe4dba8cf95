"""Every way an experiment of the specification can be read.

A paper that does not say whether its folds were stratified, or how scores were aggregated, has several readings, and
a report is inconsistent only if it is so under all of them (Fazekas and Kovács 2024, doi:10.1016/j.asoc.2024.111993,
sections 4 and 5.1). Class counts that stand in the table itself win over those of the data set.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scoreproof.catalog import entry
from scoreproof.checking.check import experiment_from_dict
from scoreproof.errors import InvalidOption
from scoreproof.kinds.binary.experiment import (
    Aggregation,
    Experiment,
    KFold,
    MeanOfScores,
    ScoreOfMeans,
    TestSet,
    is_unknown,
)
from scoreproof.kinds.binary.experiment import readings as ways_to_aggregate
from scoreproof.kinds.common_average.problem import AverageOf
from scoreproof.kinds.unknown_classes.experiment import UnknownClasses
from scoreproof.papers.row_reading import RowReading, class_experiments, over_runs
from scoreproof.papers.specification.load import Specification
from scoreproof.papers.specification.model import UNTESTED, DatasetModel, ExperimentModel

UNKNOWN_FOLDS = tuple(range(2, 11))
UNKNOWN_REPEATS = (1, 5, 10)
_MOST = 200
_OF_CLASSES = frozenset({"multi_class", "multi_label", "unknown_counts"})
_MEAN, _ADDED = Aggregation.MEAN_OF_SCORES, Aggregation.SCORE_OF_MEANS


@dataclass(frozen=True, slots=True)
class _Base:
    """A data set before folds and aggregation: one set, several, or one of unknown classes."""

    label: str
    sets: tuple[TestSet, ...] = ()
    total: int | None = None


class Readings:
    """The readings of the experiments of one specification; those without counts of their own are made once."""

    def __init__(self, spec: Specification) -> None:
        self._spec, self._paper = spec, spec.paper
        self._made: dict[tuple[str, ...], tuple[RowReading, ...]] = {}

    def of(self, names: Sequence[str], counts: TestSet | None = None) -> tuple[RowReading, ...]:
        """The readings of one or several experiments, with the table's own counts where it has some."""
        key = tuple(names)
        if counts is None:
            if key not in self._made:
                self._made[key] = self._several(key, None)
            return self._made[key]
        if len(key) == 1 and self._is_plain(key[0]):
            return (RowReading("one test set", counts),)
        return self._several(key, counts)

    def of_classes(self, names: Sequence[str]) -> tuple[RowReading, ...]:
        """The readings of experiments that have several classes under each of them; none of others."""
        stated = [name for name in names if name != UNTESTED]
        readings = self.of(stated) if stated else ()
        return readings if all(reading.experiment.kind in _OF_CLASSES for reading in readings) else ()

    def parted(self, names: Sequence[str]) -> tuple[tuple[RowReading, ...], tuple[str, ...]]:
        """The readings of the experiments that have several classes, and the names of the others."""
        of_classes = [name for name in names if name != UNTESTED and self.of_classes([name])]
        readings = tuple(reading for name in of_classes for reading in self.of([name]))
        return readings, tuple(name for name in names if name not in of_classes)

    def with_classes_listed(self, names: Sequence[str]) -> list[str]:
        """The experiments that are one test set whose two classes are named, so that averages are over these."""
        paper = self._paper
        stated = [name for name in names if name in paper.experiments and self._is_plain(name)]
        sets = {name: paper.experiments[name].dataset or () for name in stated}
        two = {name for name, own in paper.datasets.items() if own.classes is not None and len(own.classes) == 2}
        return [name for name in stated if sets[name] and two.issuperset(sets[name])]

    def guessed(self, names: Sequence[str]) -> bool:
        """Whether nothing but assumptions stands behind some experiments."""
        experiments = self._paper.experiments
        return all(name in experiments and bool(experiments[name].assumed) for name in names)

    def of_own_counts(self, names: Sequence[str], counts: TestSet) -> tuple[RowReading, ...]:
        """A row with counts of its own is of one test set, unless the text speaks of folds: then it may be of them."""
        folds = [name for name in names if self._paper.experiments[name].folds is not None]
        if not folds:
            return (RowReading("one test set", counts),)
        alone = RowReading("one test set", counts, "the scores are of one test set, not means over folds")
        return (alone, *dict.fromkeys(self._several(tuple(folds), counts)))

    def hypothesis(self, name: str) -> tuple[RowReading, ...]:
        """The readings of a hypothesis."""
        return tuple(self._readings(("hypotheses", name), self._paper.hypotheses[name], None))

    def folds_of(self, names: Sequence[str], rows: int) -> tuple[RowReading, ...]:
        """What one of several rows, called folds or runs, can be.

        A stratified fold's counts, or a fold of unknown classes; without folds in the experiment (or with repeats of
        them) also a run of the whole.
        """
        by_cases: dict[Any, RowReading] = {}
        for name in names:
            model = self._paper.experiments[name]
            bases = [base for own in model.dataset or () for base in _bases("", self._paper.datasets[own])]
            readings: Sequence[RowReading] = ()
            if model.folds is None:
                readings = self.of([name])
            elif model.repeats != 1:
                readings = self._readings(("experiments", name), model.model_copy(update={"repeats": 1}), None)
            own = {reading.experiment: reading for reading in readings}
            for k in _numbers(model.folds, (rows,)) if model.folds is not None else (rows,):
                for whole in self._single_sets(model):
                    own |= _fold(whole, k, model.stratified)
                for base in bases:
                    own |= {} if base.sets else _open_folds(base.total, k)
            if model.assumed:
                own = {key: replace(reading, assumed=model.assumed) for key, reading in own.items()}
            by_cases = {**own, **by_cases}  # what is told first of the same cases counts
        return tuple(by_cases.values())

    def counts(self, names: Sequence[str]) -> TestSet | None:
        """The class counts the specification gives for some experiments, if they agree on one set."""
        sets = {whole for name in names for whole in self._single_sets(self._paper.experiments[name])}
        return sets.pop() if len(sets) == 1 else None

    def _single_sets(self, model: ExperimentModel) -> list[TestSet]:
        """The data sets of an experiment that are one set of known classes."""
        sets: list[TestSet] = []
        for name in model.dataset or ():
            dataset = self._paper.datasets[name]
            if dataset.catalog is not None:
                plain = model.model_copy(update={"folds": None, "dataset": [name]})
                known = [reading.experiment for reading in self._known(name, dataset, plain, several=False)]
                sets += [experiment for experiment in known if isinstance(experiment, TestSet)]
            else:
                sets += [base.sets[0] for base in _bases("", dataset) if len(base.sets) == 1]
        return sets

    def _is_plain(self, name: str) -> bool:
        model = self._paper.experiments[name]
        return model.folds is None and model.tree is None and model.runs == 1

    def _several(self, names: tuple[str, ...], counts: TestSet | None) -> tuple[RowReading, ...]:
        readings: list[RowReading] = []
        for name in names:
            prefix = f"{name}: " if len(names) > 1 else ""
            model = self._paper.experiments[name]
            readings += [
                RowReading(f"{prefix}{reading.label}", reading.experiment, model.assumed)
                for reading in self._readings(("experiments", name), model, counts)
            ]
        if len(readings) > _MOST:
            raise self._spec.fail(
                ("experiments", names[0]), f"it has {len(readings)} readings, more than {_MOST}; say more that is known"
            )
        return tuple(readings)

    def _readings(self, place: tuple[str, str], model: ExperimentModel, counts: TestSet | None) -> list[RowReading]:
        try:
            if model.tree is not None:
                tree = experiment_from_dict(_typed(model.tree))
                ways = ways_to_aggregate(tree) if isinstance(tree, Experiment) and is_unknown(tree) else (tree,)
                return [RowReading(str(way), way) for way in ways]
            named = {} if counts is not None else {name: self._paper.datasets[name] for name in model.dataset or ()}
            several = len(named) > 1
            bases = [base for name, own in named.items() for base in _bases(name if several else "", own)]
            bases = bases if counts is None else [_Base("", (counts,))]
            readings = _labelled(bases, model)
            for name, dataset in named.items():
                if dataset.several:
                    folds, repeats = _numbers(model.folds, UNKNOWN_FOLDS), _numbers(model.repeats, UNKNOWN_REPEATS)
                    stated = class_experiments(dataset, model, folds, repeats)
                    readings += [RowReading(f"{name}, {label}" if several else label, own) for label, own in stated]
                if dataset.catalog is not None:
                    readings += self._known(name, dataset, model, several=several)
            return readings if model.runs == 1 else over_runs(readings, model.runs)
        except InvalidOption as error:
            located = str(error).startswith(self._spec.document.source or "specification:")  # it has its line already
            raise (error if located else self._spec.fail(place, str(error))) from None
        except ValueError as error:
            raise self._spec.fail(place, str(error)) from None

    def _known(
        self, name: str, dataset: DatasetModel, model: ExperimentModel, *, several: bool
    ) -> Iterator[RowReading]:
        """The usual readings of a catalogue entry, narrowed to what the experiment says."""
        files = [self._spec.resolve(file) for file in self._paper.catalog]
        try:
            known = entry(str(dataset.catalog), files)
        except InvalidOption as error:
            raise self._spec.fail(("datasets", name, "catalog"), str(error)) from None
        chosen = dict(dataset.axes)
        if dataset.positive is not None:
            chosen["positive"] = dataset.positive
        folds: Iterable[int | None] = (None,) if model.folds is None else _numbers(model.folds, UNKNOWN_FOLDS)
        seen: list[Experiment] = []
        for k, repeats in itertools.product(folds, _numbers(model.repeats, UNKNOWN_REPEATS) if model.folds else (1,)):
            for reading in known.readings(items=dataset.items, folds=k, repeats=repeats, **chosen):
                if _matches(reading.experiment, model) and not any(reading.experiment == other for other in seen):
                    seen.append(reading.experiment)
                    yield RowReading(f"{name}: {reading.label}" if several else reading.label, reading.experiment)


def _labelled(bases: Sequence[_Base], model: ExperimentModel) -> list[RowReading]:
    """The readings of data sets, each with the name of its data where these differ."""
    named = len({base.label for base in bases}) > 1
    return [
        replace(reading, label=f"{base.label}, {reading.label}" if named and base.label else reading.label)
        for base in bases
        for reading in _of_base(base, model)
    ]


def _fold(whole: TestSet, k: int, stratified: Any) -> dict[Any, RowReading]:
    """One of k folds of a set; programs differ on which of the larger shares of two classes fall together."""
    folds: dict[Any, RowReading] = {}
    if stratified is not False:
        for p, n in itertools.product(_shares(whole.p, k), _shares(whole.n, k)):
            if p + n:
                folds[p, n] = RowReading(f"a stratified fold, p={p}, n={n}", TestSet(p, n))
    if stratified is not True:
        folds |= _open_folds(whole.p + whole.n, k)
    return folds


def _open_folds(total: int | None, k: int) -> dict[Any, RowReading]:
    """One of k folds of a set of which the classes, perhaps also the cases, are not known."""
    if total is None:
        return {None: RowReading("a fold, classes unknown", UnknownClasses())}
    return {
        size: RowReading(f"a fold of {size} cases, classes unknown", UnknownClasses(size))
        for size in _shares(total, k)
        if size
    }


def _shares(count: int, k: int) -> list[int]:
    """How many of a count one of k equal parts can have."""
    return sorted({count // k, -(-count // k)})


#: Which class is the positive one, where the classes are called so themselves.
_CLASSES = {"positive": "", "negative": "classes exchanged"}


def _bases(prefix: str, dataset: DatasetModel) -> list[_Base]:
    if dataset.catalog is not None or dataset.several:
        return []
    if dataset.classes is not None:
        total = sum(dataset.classes.values())
        positive = [dataset.positive] if dataset.positive != "unknown" else list(dataset.classes)
        return [
            _Base(
                ", ".join(filter(None, (prefix, _CLASSES.get(str(name).lower(), f"{name} positive")))),
                (TestSet(dataset.classes[str(name)], total - dataset.classes[str(name)]),),
            )
            for name in positive
        ]
    if dataset.sets is not None:
        return [_Base(prefix, tuple(TestSet(p, n) for p, n in dataset.sets))]
    if isinstance(dataset.p, int) and isinstance(dataset.n, int):
        return [_Base(prefix, (TestSet(dataset.p, dataset.n),))]
    if dataset.total is not None and isinstance(dataset.p, int) and dataset.p <= dataset.total:
        return [_Base(prefix, (TestSet(dataset.p, dataset.total - dataset.p),))]
    return [_Base(prefix, (), dataset.total)]


def _of_base(base: _Base, model: ExperimentModel) -> Iterator[RowReading]:
    means, adds = model.aggregation != "score_of_means", model.aggregation != "mean_of_scores"
    if not base.sets:
        # Over folds of unknown sizes only relations between means are known; the sum of their matrices is one matrix.
        once = model.folds if isinstance(model.folds, int) and model.repeats == 1 else None
        if model.folds is None:
            yield RowReading("class counts unknown", UnknownClasses(base.total))
        elif means:  # one matrix is such a mean, too
            yield RowReading("means over the folds, whose sizes are unknown", AverageOf(once))
        else:
            total = base.total if model.repeats == 1 else None
            yield RowReading("all folds, score of means, class counts unknown", UnknownClasses(total))
    elif model.folds is None and len(base.sets) == 1:
        yield RowReading("one test set", base.sets[0])
    elif model.folds is None:
        ways = (("mean", means, MeanOfScores), ("score", adds, ScoreOfMeans))
        for word, possible, way in ways:
            if possible:
                of = "of scores" if word == "mean" else "of means"
                yield RowReading(f"{word} {of} over {len(base.sets)} sets", way(base.sets))
    else:
        yield from _of_folds(base.sets, model, means=means, adds=adds)


def _of_folds(sets: tuple[TestSet, ...], model: ExperimentModel, *, means: bool, adds: bool) -> Iterator[RowReading]:
    folds = _numbers(model.folds, UNKNOWN_FOLDS)
    truths = (True, False) if model.stratified == "unknown" else (model.stratified,)
    for repeats in _numbers(model.repeats, UNKNOWN_REPEATS):
        times = f"{repeats} times " if repeats > 1 else ""
        for k, stratified in itertools.product(folds if means else (), truths):
            kind = "stratified folds" if stratified else "folds without stratification"
            about = ("balanced", "scikit-learn") if stratified else ("any", "trainable")
            rule = model.rule if model.rule in about else None
            yield RowReading(f"{times}{k} {kind}, mean of scores", _over(sets, k, repeats, stratified, _MEAN, rule))
        if adds:  # the sum of the folds' matrices depends neither on their number nor on stratification
            yield RowReading(f"{times}all folds, score of means", _over(sets, min(folds), repeats, True, _ADDED))


def _over(
    sets: tuple[TestSet, ...],
    k: int,
    repeats: int,
    stratified: bool,
    aggregation: Aggregation,
    rule: str | None = None,
) -> KFold | MeanOfScores | ScoreOfMeans:
    parts = tuple(KFold(test_set.p, test_set.n, k, repeats, stratified, aggregation, rule) for test_set in sets)
    if len(parts) == 1:
        return parts[0]
    return MeanOfScores(parts) if aggregation is _MEAN else ScoreOfMeans(parts)


def _matches(experiment: Experiment, model: ExperimentModel) -> bool:
    """Whether a catalogue reading is one the specification leaves open."""
    if isinstance(experiment, TestSet):
        return True
    way = experiment.aggregation if isinstance(experiment, KFold) else None
    if isinstance(experiment, (MeanOfScores, ScoreOfMeans)):
        way = _MEAN if isinstance(experiment, MeanOfScores) else _ADDED
    if model.aggregation not in ("unknown", way):
        return False
    if isinstance(experiment, KFold) and way is _MEAN and isinstance(model.stratified, bool):
        return experiment.stratified == model.stratified
    return True


def _numbers(given: Any, usual: Sequence[int]) -> tuple[int, ...]:
    if given == "unknown":
        return tuple(usual)
    return tuple(given) if isinstance(given, list) else (given,)


def _typed(tree: Any) -> Any:
    """The texts of a tree as the numbers and truth values they stand for."""
    if isinstance(tree, dict):
        return {key: _typed(value) for key, value in tree.items()}
    if isinstance(tree, (list, tuple)):
        return [_typed(value) for value in tree]
    if isinstance(tree, str):
        if tree.isascii() and tree.isdigit():
            return int(tree)
        return {"true": True, "false": False}.get(tree.lower(), tree)
    return tree
