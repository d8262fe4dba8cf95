"""Experiments of every kind as plain dictionaries, for JSON, YAML and requests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoreproof.kinds.binary.experiment import experiment_from_dict as binary_from_dict
from scoreproof.kinds.unknown_classes.experiment import UnknownClasses

_READERS = {"unknown_classes": UnknownClasses.from_dict}


def experiment_from_dict(tree: Mapping[str, Any]) -> Any:
    """The experiment a dictionary describes; its ``type`` says which.

    >>> experiment_from_dict({"type": "testset", "p": 100, "n": 200})
    TestSet(p=100, n=200)
    """
    reader = _READERS.get(tree.get("type", "")) if isinstance(tree, Mapping) else None
    return binary_from_dict(tree) if reader is None else reader(tree)
