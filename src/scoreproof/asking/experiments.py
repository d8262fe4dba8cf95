"""Experiments of every kind as plain dictionaries, for JSON, YAML and requests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoreproof.errors import InvalidExperiment
from scoreproof.kinds import kind_named, kind_names
from scoreproof.kinds.binary.experiment import MeanOfScores, ScoreOfMeans
from scoreproof.kinds.binary.experiment import experiment_from_dict as binary_from_dict
from scoreproof.kinds.multi_class.experiment import folds_from
from scoreproof.validation import shown

_DEEPEST = 50
_MEANS = {"mean_of_scores": MeanOfScores, "score_of_means": ScoreOfMeans}


def experiment_from_dict(tree: Mapping[str, Any]) -> Any:
    """The experiment a dictionary describes; its ``type`` says which, or of which kind it is.

    >>> experiment_from_dict({"type": "testset", "p": 100, "n": 200})
    TestSet(p=100, n=200)
    """
    named = tree.get("type") if isinstance(tree, Mapping) else None
    name = named if isinstance(named, str) else ""
    if name == "kfold" and "counts" in tree:
        return folds_from({key: value for key, value in tree.items() if key != "type"})
    if name in _MEANS and _of_classes(tree):
        unknown = set(tree) - {"type", "parts"}
        if unknown:
            raise InvalidExperiment(f"{name} of several classes: unknown key {', '.join(sorted(map(shown, unknown)))}")
        return _MEANS[name]([experiment_from_dict(part) for part in tree["parts"]])
    if name in kind_names():
        return kind_named(name).experiment({key: value for key, value in tree.items() if key != "type"})
    return binary_from_dict(tree)


def _of_classes(tree: Any, depth: int = 0) -> bool:
    """Whether the first leaf of a tree of means has several classes."""
    if not isinstance(tree, Mapping) or depth > _DEEPEST:
        return False
    parts = tree.get("parts")
    if isinstance(parts, list) and parts:
        return _of_classes(parts[0], depth + 1)
    return tree.get("type") == "multi_class" or "counts" in tree
