"""How scores came about: test sets, folds, and the two ways of averaging."""

from scoreproof.kinds.binary.experiment.normal import (
    EvaluationSet,
    NormalForm,
    fold_configurations,
    fold_sizes,
    normal_form,
    ranged,
    stratified_folds,
)
from scoreproof.kinds.binary.experiment.serial import experiment_from_dict, is_unknown, readings
from scoreproof.kinds.binary.experiment.tree import (
    Aggregation,
    Experiment,
    FoldRule,
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
    "FoldRule",
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
    "ranged",
    "readings",
    "stratified_folds",
    "sums_matrices",
    "total_counts",
]
