"""Experiments as plain dictionaries, for JSON, YAML and certificates."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from scoreproof.errors import InvalidExperiment
from scoreproof.kinds.binary.experiment.tree import (
    Experiment,
    KFold,
    MeanOfScores,
    ScoreOfMeans,
    TestSet,
    UnknownAggregation,
)
from scoreproof.limits import require_within
from scoreproof.reported import Claim
from scoreproof.reported.claim import claim_from_dict
from scoreproof.validation import exact, shown

_KEYS: dict[str, tuple[set[str], set[str]]] = {
    "testset": ({"p", "n"}, set()),
    "kfold": ({"p", "n", "k"}, {"repeats", "stratified", "aggregation", "rule", "ranges"}),
    "score_of_means": ({"parts"}, {"ranges"}),
    "mean_of_scores": ({"parts"}, {"ranges"}),
    "unknown_aggregation": ({"parts"}, set()),
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
    if not isinstance(kind, str) or kind not in _KEYS:
        raise InvalidExperiment(f"experiment type: expected one of {', '.join(_KEYS)}; got {shown(kind)}")
    needed, optional = _KEYS[kind]
    keys = set(tree) - {"type"}
    if needed - keys:
        raise InvalidExperiment(f"{kind}: missing {', '.join(sorted(needed - keys))}")
    if keys - needed - optional:
        extra = ", ".join(sorted(map(str, keys - needed - optional)))
        raise InvalidExperiment(f"{kind}: unknown key {extra}; known are {', '.join(sorted(needed | optional))}")
    values = {key: tree[key] for key in keys}
    if stated and values.get("ranges"):
        values["ranges"] = _stated_ranges(kind, values["ranges"])
    if kind == "testset":
        return TestSet(**values)
    if kind == "kfold":
        return KFold(**values)
    parts = values["parts"]
    if not isinstance(parts, (list, tuple)):
        raise InvalidExperiment(f"{kind}: parts must be a list, got {shown(parts)}")
    children = tuple(_read(part, depth + 1, stated) for part in parts)
    if kind == "unknown_aggregation":
        return UnknownAggregation(children)
    return (ScoreOfMeans if kind == "score_of_means" else MeanOfScores)(children, ranges=values.get("ranges", {}))


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
