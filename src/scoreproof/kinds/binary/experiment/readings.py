"""The experiments that an unknown aggregation may stand for."""

from __future__ import annotations

from itertools import product

from scoreproof.errors import InvalidExperiment
from scoreproof.kinds.binary.experiment.tree import (
    Aggregation,
    Experiment,
    KFold,
    MeanOfScores,
    ScoreOfMeans,
    TestSet,
    TreeSize,
    UnknownAggregation,
    sums_matrices,
)
from scoreproof.limits import require_within

_ONE = TreeSize(1, 1)


def readings(experiment: Experiment) -> list[Experiment]:
    """The experiments an unknown aggregation may stand for; parts at one level are read in one way.

    >>> [type(one).__name__ for one in readings(UnknownAggregation([TestSet(5, 5), TestSet(6, 6)]))]
    ['MeanOfScores', 'ScoreOfMeans']
    """
    levels = _depth(experiment)
    require_within("readings", 2**levels, str(experiment))
    require_within("sets", getattr(experiment, "extent", _ONE).nodes << levels, f"all readings of {experiment}")
    choices = product((Aggregation.MEAN_OF_SCORES, Aggregation.SCORE_OF_MEANS), repeat=levels)
    read = (_read(experiment, choice) for choice in choices)
    found = list(dict.fromkeys(one for one in read if one is not None))
    if not found:
        raise InvalidExperiment(
            f"{experiment}: there is no way to read it; a score of means has a part that can only be a mean of scores"
        )
    return found


def _depth(experiment: Experiment) -> int:
    """How many levels of the tree have an unknown aggregation."""
    if isinstance(experiment, KFold):
        return int(experiment.aggregation is Aggregation.UNKNOWN)
    if isinstance(experiment, TestSet):
        return 0
    return max(map(_depth, experiment.parts)) + isinstance(experiment, UnknownAggregation)


def _read(experiment: Experiment, choice: tuple[Aggregation, ...]) -> Experiment | None:
    """The tree with the choices made, outermost level first; None if means would have to be summed."""
    if isinstance(experiment, TestSet):
        return experiment
    if isinstance(experiment, KFold):
        if experiment.aggregation is not Aggregation.UNKNOWN:
            return experiment
        return KFold(
            experiment.p,
            experiment.n,
            experiment.k,
            experiment.repeats,
            experiment.stratified,
            choice[0],
            experiment.rule,
            experiment.ranges,
        )
    here = choice[0] if isinstance(experiment, UnknownAggregation) else None
    below = choice[1:] if isinstance(experiment, UnknownAggregation) else choice
    parts = [_read(part, below) for part in experiment.parts]
    if any(part is None for part in parts):
        return None
    read = tuple(part for part in parts if part is not None)
    ranges = {} if isinstance(experiment, UnknownAggregation) else experiment.ranges
    if isinstance(experiment, ScoreOfMeans) or here is Aggregation.SCORE_OF_MEANS:
        return ScoreOfMeans(read, ranges) if all(map(sums_matrices, read)) else None
    return MeanOfScores(read, ranges)


def is_unknown(experiment: Experiment) -> bool:
    """Whether any level of the tree leaves its aggregation open."""
    return _depth(experiment) > 0
