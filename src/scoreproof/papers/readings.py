"""Every way an experiment of the specification can be read.

A paper that does not say whether its folds were stratified, or how scores were aggregated, has several readings, and
a report is inconsistent only if it is so under all of them (Fazekas and Kovács 2024, doi:10.1016/j.asoc.2024.111993,
sections 4 and 5.1). Class counts that stand in the table itself win over those of the data set.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

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
from scoreproof.kinds.multi_class.experiment import ClassFolds, MultiClass
from scoreproof.kinds.unknown_classes.experiment import UnknownClasses
from scoreproof.papers.specification.load import Specification
from scoreproof.papers.specification.model import UNTESTED, DatasetModel, ExperimentModel
from scoreproof.papers.task import RowReading, over_sets

_FOLDS = tuple(range(2, 11))  # that are tried where their number is unknown
_REPEATS = (1, 5, 10)
_MOST = 200
_OF_CLASSES = frozenset({"multi_class", "multi_label", "unknown_counts"})
#: Which class is the positive one, where the classes are called so themselves.
_CLASSES = {"positive": "", "negative": "classes exchanged"}


class _Base(NamedTuple):
    """A data set before folds and aggregation: one set of any classes, several sets, or one of unknown classes."""

    label: str
    sets: tuple[Any, ...] = ()
    total: int | None = None


class Readings:
    """The readings of the experiments of one specification; each is made once."""

    def __init__(self, spec: Specification) -> None:
        self._spec, self._paper = spec, spec.paper
        self._made: dict[tuple[tuple[str, ...], TestSet | None], tuple[RowReading, ...]] = {}

    def of(self, names: Sequence[str], counts: TestSet | None = None) -> tuple[RowReading, ...]:
        """The readings of one or several experiments, with the table's own counts where it has some."""
        key = tuple(names), counts
        if key not in self._made:
            self._made[key] = self._several(*key)
        return self._made[key]

    def of_classes(self, names: Sequence[str]) -> tuple[RowReading, ...]:
        """The readings of experiments that have several classes under each of them; none of others."""
        stated = [name for name in names if name != UNTESTED]
        readings = self.of(stated) if stated else ()
        return readings if all(reading.experiment.kind in _OF_CLASSES for reading in readings) else ()

    def parted(self, names: Sequence[str]) -> tuple[tuple[RowReading, ...], tuple[str, ...]]:
        """The readings of the experiments that have several classes, and the names of the others."""
        of_classes = {name: self.of_classes([name]) for name in names}
        readings = tuple(reading for own in of_classes.values() for reading in own)
        return readings, tuple(name for name in names if not of_classes[name])

    def with_classes_listed(self, names: Sequence[str]) -> list[str]:
        """The experiments that are one test set whose two classes are named, so that averages are over these."""
        paper = self._paper
        two = {name for name, own in paper.datasets.items() if own.classes is not None and len(own.classes) == 2}
        models = ((name, paper.experiments[name]) for name in names if name in paper.experiments)
        whole = ((name, model.dataset) for name, model in models if model.folds is None and model.runs == 1)
        return [name for name, datasets in whole if datasets and two.issuperset(datasets)]

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
        """What one of several rows, called folds or runs, can be: a fold, or (without folds, or of repeats) a run."""
        by_cases: dict[Any, RowReading] = {}
        for name in names:
            model = self._paper.experiments[name]
            readings: Sequence[RowReading] = ()
            if model.folds is None:
                readings = self.of([name])
            elif model.repeats != 1:
                readings = self._readings(("experiments", name), model.model_copy(update={"repeats": 1}), None)
            own = {reading.experiment: reading for reading in readings}
            for k in (rows,) if model.folds is None else _numbers(model.folds, (rows,)):
                for whole in self._wholes(model):
                    own |= _fold(whole, k, model.stratified)
            if model.assumed:
                own = {key: replace(reading, assumed=model.assumed) for key, reading in own.items()}
            by_cases = {**own, **by_cases}  # what is told first of the same cases counts
        return tuple(by_cases.values())

    def counts(self, names: Sequence[str]) -> TestSet | None:
        """The class counts the specification gives for some experiments, if they agree on one set."""
        wholes = (whole for name in names for whole in self._wholes(self._paper.experiments[name]))
        sets = {whole.sets[0] for whole in wholes if whole.sets}
        return sets.pop() if len(sets) == 1 else None

    def _wholes(self, model: ExperimentModel) -> Iterator[_Base]:
        """The data sets of an experiment that are one set, of known or of unknown classes."""
        for name in model.dataset or ():
            dataset = self._paper.datasets[name]
            yield from (base for base in _bases("", dataset) if len(base.sets) < 2 and not dataset.several)
            if dataset.catalog is not None:
                plain = model.model_copy(update={"folds": None, "dataset": [name]})
                known = (reading.experiment for reading in self._known(name, dataset, plain))
                yield from (_Base("", (own,)) for own in known if isinstance(own, TestSet))

    def _several(self, names: tuple[str, ...], counts: TestSet | None) -> tuple[RowReading, ...]:
        readings: list[RowReading] = []
        for name in names:
            prefix, model = f"{name}: " if len(names) > 1 else "", self._paper.experiments[name]
            every = self._readings(("experiments", name), model, counts)
            readings += [RowReading(f"{prefix}{each.label}", each.experiment, model.assumed) for each in every]
        if len(readings) > _MOST:
            words = f"it has {len(readings)} readings, more than {_MOST}; say more that is known"
            raise self._spec.fail(("experiments", names[0]), words)
        return tuple(readings)

    def _readings(self, place: tuple[str, str], model: ExperimentModel, counts: TestSet | None) -> list[RowReading]:
        try:
            if model.tree is not None:
                tree = experiment_from_dict(_typed(model.tree))
                ways = ways_to_aggregate(tree) if isinstance(tree, Experiment) and is_unknown(tree) else (tree,)
                return [RowReading(str(way), way) for way in ways]
            readings = [*(self._of_data(model) if counts is None else _of_base(_Base("", (counts,)), model))]
            return readings if model.runs == 1 else _over_runs(readings, model.runs)
        except ValueError as error:
            source = self._spec.document.source or "specification:"
            located = isinstance(error, InvalidOption) and str(error).startswith(source)  # it has its line already
            raise (error if located else self._spec.fail(place, str(error))) from None

    def _of_data(self, model: ExperimentModel) -> Iterator[RowReading]:
        """The readings of the data sets of an experiment, each with the name of its data where there are several."""
        named = {name: self._paper.datasets[name] for name in model.dataset or ()}
        several = len(named) > 1
        bases = [base for name, own in named.items() for base in _bases(name if several else "", own)]
        unlike = len({base.label for base in bases}) > 1
        for base in bases:
            prefix = f"{base.label}, " if unlike and base.label else ""
            yield from (replace(each, label=f"{prefix}{each.label}") for each in _of_base(base, model))
        for name, dataset in named.items():
            if dataset.catalog is not None:
                known = self._known(name, dataset, model)
                yield from (replace(each, label=f"{name}: {each.label}") if several else each for each in known)

    def _known(self, name: str, dataset: DatasetModel, model: ExperimentModel) -> list[RowReading]:
        """The usual readings of a catalogue entry, narrowed to what the experiment says."""
        try:
            known = entry(str(dataset.catalog), [self._spec.resolve(file) for file in self._paper.catalog])
        except InvalidOption as error:
            raise self._spec.fail(("datasets", name, "catalog"), str(error)) from None
        chosen = dict(dataset.axes) | ({} if dataset.positive is None else {"positive": dataset.positive})
        folds = (None,) if model.folds is None else _numbers(model.folds, _FOLDS)
        made: dict[Experiment, RowReading] = {}
        for k, repeats in itertools.product(folds, _numbers(model.repeats, _REPEATS) if model.folds else (1,)):
            for reading in known.readings(items=dataset.items, folds=k, repeats=repeats, **chosen):
                way, _, dealt = reading.choices.get("aggregation", "").partition(", ")
                left_open = not dealt or model.stratified in ("unknown", dealt == "stratified")
                if left_open and (not way or model.aggregation in ("unknown", way)):
                    made.setdefault(reading.experiment, RowReading(reading.label, reading.experiment))
        return list(made.values())


def _over_runs(readings: Iterable[RowReading], runs: Any) -> list[RowReading]:
    """The readings of an experiment whose scores are means over a number of runs, several numbers, or "unknown"."""
    if runs == "unknown":
        return [RowReading("means over runs, whose number is unknown", AverageOf())]
    made: dict[Any, RowReading] = {}
    for reading, count in itertools.product(readings, runs if isinstance(runs, list) else [runs]):
        run = RowReading(f"means over {count} runs", AverageOf())  # of classes, too, where these are averaged
        if isinstance(reading.experiment, TestSet):  # on one known set: over equal parts
            over = MeanOfScores((reading.experiment,) * count)
            run = replace(reading, label=f"{reading.label}, mean of {count} runs", experiment=over)
        run = reading if count == 1 else run
        made[run.experiment] = run
    return list(made.values())


def _fold(whole: _Base, k: int, stratified: Any) -> dict[Any, RowReading]:
    """One of k folds of a set; programs differ on which of the larger shares of two classes fall together."""
    folds: dict[Any, RowReading] = {}
    total = whole.total
    for test in whole.sets:
        total = test.p + test.n
        for p, n in itertools.product(_shares(test.p, k), _shares(test.n, k)) if stratified is not False else ():
            if p + n:
                folds[p, n] = RowReading(f"a stratified fold, p={p}, n={n}", TestSet(p, n))
    if whole.sets and stratified is True:
        return folds
    if total is None:
        return {None: RowReading("a fold, classes unknown", UnknownClasses())}
    for size in filter(None, _shares(total, k)):
        folds[size] = RowReading(f"a fold of {size} cases, classes unknown", UnknownClasses(size))
    return folds


def _shares(count: int, k: int) -> list[int]:
    return sorted({count // k, -(-count // k)})


def _bases(prefix: str, dataset: DatasetModel) -> list[_Base]:
    classes, p, n, total = dataset.classes, dataset.p, dataset.n, dataset.total
    if dataset.catalog is not None:
        return []
    if classes is not None and dataset.several:
        return [_Base(prefix, (MultiClass(classes),))]
    if classes is not None:
        bases, cases = [], sum(classes.values())
        for name in [str(dataset.positive)] if dataset.positive != "unknown" else classes:
            label = ", ".join(filter(None, (prefix, _CLASSES.get(name.lower(), f"{name} positive"))))
            bases.append(_Base(label, (TestSet(classes[name], cases - classes[name]),)))
        return bases
    if dataset.sets is not None:
        return [_Base(prefix, tuple(TestSet(p, n) for p, n in dataset.sets))]
    if isinstance(p, int) and not isinstance(n, int) and total is not None and p <= total:
        n = total - p
    if isinstance(p, int) and isinstance(n, int):
        return [_Base(prefix, (TestSet(p, n),))]
    return [_Base(prefix, (), total)]


def _of_base(base: _Base, model: ExperimentModel) -> Iterator[RowReading]:
    if model.folds is not None and base.sets:
        yield from _of_folds(base.sets, model)
    elif len(base.sets) == 1:
        yield RowReading("one test set", base.sets[0])
    elif base.sets:
        yield from over_sets(base.sets, model.aggregation, "sets")
    elif model.folds is None:
        yield RowReading("class counts unknown", UnknownClasses(base.total))
    elif model.aggregation != "score_of_means":
        # over folds of unknown sizes only relations between means are known; one matrix is such a mean, too
        once = model.folds if isinstance(model.folds, int) and model.repeats == 1 else None
        yield RowReading("means over the folds, whose sizes are unknown", AverageOf(once))
    else:
        total = base.total if model.repeats == 1 else None
        yield RowReading("all folds, score of means, class counts unknown", UnknownClasses(total))


def _of_folds(sets: tuple[Any, ...], model: ExperimentModel) -> Iterator[RowReading]:
    folds = _numbers(model.folds, _FOLDS)
    means, adds = model.aggregation != "score_of_means", model.aggregation != "mean_of_scores"
    if means and isinstance(sets[0], MultiClass) and model.stratified is not True:
        raise InvalidOption("folds of several classes: expected stratified: true or aggregation: score_of_means")
    truths = (True, False) if model.stratified == "unknown" else (model.stratified,)
    for repeats in _numbers(model.repeats, _REPEATS):
        times = f"{repeats} times " if repeats > 1 else ""
        for k, stratified in itertools.product(folds if means else (), truths):
            kind = "stratified folds" if stratified else "folds without stratification"
            about = ("balanced", "scikit-learn") if stratified else ("any", "trainable")
            design = stratified, Aggregation.MEAN_OF_SCORES, model.rule if model.rule in about else None
            yield RowReading(f"{times}{k} {kind}, mean of scores", _cross_validated(sets, k, repeats, *design))
        if adds:  # the sum of the folds' matrices depends neither on their number nor on stratification
            added = _cross_validated(sets, min(folds), repeats, True, Aggregation.SCORE_OF_MEANS, None)
            yield RowReading(f"{times}all folds, score of means", added)


def _cross_validated(sets: tuple[Any, ...], k: int, repeats: int, stratified: bool, way: Aggregation, rule: Any) -> Any:
    if isinstance(sets[0], MultiClass):
        counts: Any = sets[0].counts
        return ClassFolds(counts, k, repeats, way, rule if rule == "scikit-learn" else None)
    parts = tuple(KFold(test.p, test.n, k, repeats, stratified, way, rule) for test in sets)
    over = MeanOfScores(parts) if way is Aggregation.MEAN_OF_SCORES else ScoreOfMeans(parts)
    return parts[0] if len(parts) == 1 else over


def _numbers(given: Any, usual: Sequence[int]) -> tuple[int, ...]:
    if given == "unknown":
        return tuple(usual)
    return tuple(given) if isinstance(given, list) else (given,)


def _typed(tree: Any) -> Any:
    if isinstance(tree, dict):
        return {key: _typed(value) for key, value in tree.items()}
    if isinstance(tree, (list, tuple)):
        return [_typed(value) for value in tree]
    if not isinstance(tree, str):
        return tree
    return int(tree) if tree.isascii() and tree.isdigit() else {"true": True, "false": False}.get(tree.lower(), tree)
