"""Experiments as plain dictionaries, and the experiments that an unknown aggregation may stand for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, replace
from fractions import Fraction
from itertools import product
from typing import Any

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
from scoreproof.reported import Claim
from scoreproof.reported.claim import claim_from_dict
from scoreproof.validation import exact, shown

_TYPES: dict[str, Any] = {"testset": TestSet, "kfold": KFold} | {
    averaged.type: averaged for averaged in (ScoreOfMeans, MeanOfScores, UnknownAggregation)
}


def experiment_from_dict(tree: Mapping[str, Any], *, stated: bool = False) -> Experiment:
    """The experiment a dictionary describes; ``stated`` says that it is of a statement, where ranges are read already.

    >>> experiment_from_dict({"type": "testset", "p": 100, "n": 200})
    TestSet(p=100, n=200)
    """
    return _read(tree, 0, stated)


def _read(tree: Any, depth: int, stated: bool) -> Experiment:
    if not isinstance(tree, Mapping):
        raise InvalidExperiment(f"experiment: expected a mapping with a 'type', got {shown(tree)}")
    require_within("depth", depth + 1, "experiment", least=True)
    kind = tree.get("type")
    if not isinstance(kind, str) or kind not in _TYPES:
        raise InvalidExperiment(f"experiment type: expected one of {', '.join(_TYPES)}; got {shown(kind)}")
    given = [each for each in fields(_TYPES[kind]) if each.init]
    known = {each.name for each in given}
    values = {key: value for key, value in tree.items() if key != "type"}
    needed = {each.name for each in given if each.default is MISSING and each.default_factory is MISSING}
    if missing := needed - set(values):
        raise InvalidExperiment(f"{kind}: missing {', '.join(sorted(missing))}")
    if unknown := set(values) - known:
        extra = ", ".join(sorted(map(str, unknown)))
        raise InvalidExperiment(f"{kind}: unknown key {extra}; known are {', '.join(sorted(known))}")
    if stated and values.get("ranges"):
        values["ranges"] = _stated_ranges(kind, values["ranges"])
    if "parts" in values:
        parts = values["parts"]
        if not isinstance(parts, (list, tuple)):
            raise InvalidExperiment(f"{kind}: parts must be a list, got {shown(parts)}")
        values["parts"] = tuple(_read(part, depth + 1, stated) for part in parts)
    experiment: Experiment = _TYPES[kind](**values)
    return experiment


def _stated_ranges(kind: str, ranges: Any) -> dict[str, tuple[Any, ...]]:
    if not isinstance(ranges, Mapping) or not all(isinstance(ends, (list, tuple)) for ends in ranges.values()):
        raise InvalidExperiment(f"{kind}: ranges: expected a mapping from scores to pairs, got {shown(ranges)}")
    return {name: tuple(_stated_end(name, end) for end in ends) for name, ends in ranges.items()}


def _stated_end(name: str, end: Any) -> Claim | Fraction | None:
    if end is None:
        return None
    if isinstance(end, Mapping):
        return claim_from_dict({"score": name, **end})
    return exact("ranges", end, error=InvalidExperiment)


def readings(experiment: Experiment) -> list[Experiment]:
    """The experiments an unknown aggregation may stand for; parts at one level are read in one way.

    >>> [type(reading).__name__ for reading in readings(UnknownAggregation([TestSet(5, 5), TestSet(6, 6)]))]
    ['MeanOfScores', 'ScoreOfMeans']
    """
    levels = _depth(experiment)
    require_within("readings", 2**levels, str(experiment))
    require_within(
        "sets", getattr(experiment, "extent", TreeSize(1, 1)).nodes << levels, f"all readings of {experiment}"
    )
    choices = product((Aggregation.MEAN_OF_SCORES, Aggregation.SCORE_OF_MEANS), repeat=levels)
    read = (_read_as(experiment, choice) for choice in choices)
    experiments = list(dict.fromkeys(tree for tree in read if tree is not None))
    if not experiments:
        raise InvalidExperiment(
            f"{experiment}: there is no way to read it; a score of means has a part that can only be a mean of scores"
        )
    return experiments


def _depth(experiment: Experiment) -> int:
    """How many levels of the tree have an unknown aggregation."""
    if isinstance(experiment, KFold):
        return int(experiment.aggregation is Aggregation.UNKNOWN)
    if isinstance(experiment, TestSet):
        return 0
    return max(map(_depth, experiment.parts)) + isinstance(experiment, UnknownAggregation)


def _read_as(experiment: Experiment, choice: tuple[Aggregation, ...]) -> Experiment | None:
    """The tree with the choices made, outermost level first; None if means would have to be summed."""
    if isinstance(experiment, TestSet):
        return experiment
    if isinstance(experiment, KFold):
        if experiment.aggregation is not Aggregation.UNKNOWN:
            return experiment
        return replace(experiment, aggregation=choice[0])
    here = choice[0] if isinstance(experiment, UnknownAggregation) else None
    below = choice[1:] if isinstance(experiment, UnknownAggregation) else choice
    parts = [_read_as(part, below) for part in experiment.parts]
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
