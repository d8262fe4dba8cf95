"""Experiments of every kind as plain dictionaries, for JSON, YAML and requests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoreproof.kinds import kind_named, kind_names
from scoreproof.kinds.binary.experiment import experiment_from_dict as binary_from_dict


def experiment_from_dict(tree: Mapping[str, Any]) -> Any:
    """The experiment a dictionary describes; its ``type`` says which, or of which kind it is.

    >>> experiment_from_dict({"type": "testset", "p": 100, "n": 200})
    TestSet(p=100, n=200)
    """
    name = str(tree.get("type")) if isinstance(tree, Mapping) else ""
    if name in kind_names():
        return kind_named(name).experiment({key: value for key, value in tree.items() if key != "type"})
    return binary_from_dict(tree)
