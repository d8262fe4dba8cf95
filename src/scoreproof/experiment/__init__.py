"""How scores came about: test sets, folds, and the two ways of averaging."""

from scoreproof.experiment.serial import experiment_from_dict
from scoreproof.experiment.tree import (
    Aggregation,
    Experiment,
    KFold,
    MeanOfScores,
    ScoreOfMeans,
    TestSet,
    sums_matrices,
    total_counts,
)

__all__ = [
    "Aggregation",
    "Experiment",
    "KFold",
    "MeanOfScores",
    "ScoreOfMeans",
    "TestSet",
    "experiment_from_dict",
    "sums_matrices",
    "total_counts",
]
