"""How scores came about: test sets, folds, and the two ways of averaging."""

from scoreproof.experiment.folds import fold_configurations, fold_sizes, stratified_folds
from scoreproof.experiment.normal import EvaluationSet, NormalForm, is_unknown, normal_form, readings
from scoreproof.experiment.serial import experiment_from_dict
from scoreproof.experiment.tree import (
    Aggregation,
    Experiment,
    KFold,
    MeanOfScores,
    ScoreOfMeans,
    TestSet,
    UnknownAggregation,
    sums_matrices,
    total_counts,
)

__all__ = [
    "Aggregation",
    "EvaluationSet",
    "Experiment",
    "KFold",
    "MeanOfScores",
    "NormalForm",
    "ScoreOfMeans",
    "TestSet",
    "UnknownAggregation",
    "experiment_from_dict",
    "fold_configurations",
    "fold_sizes",
    "is_unknown",
    "normal_form",
    "readings",
    "stratified_folds",
    "sums_matrices",
    "total_counts",
]
