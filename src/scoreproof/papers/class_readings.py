"""Data sets of several classes, as experiments: one test set, or its stratified folds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from scoreproof.errors import InvalidOption
from scoreproof.kinds.binary.experiment import Aggregation
from scoreproof.kinds.multi_class.experiment import ClassFolds, MultiClass
from scoreproof.papers.specification.model import DatasetModel, ExperimentModel


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
