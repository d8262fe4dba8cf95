"""The ways in which an experiment of unknown aggregation can be read: means of scores, or scores of sums."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from scoreproof.verdict.verifier.statement import require

_MEAN, _SUM = "mean_of_scores", "score_of_means"


def readings(tree: Any) -> list[Any]:
    """Every reading, one choice per level, in the order mean before sum; readings that sum means are left out."""
    found: list[Any] = []
    for choice in product((_MEAN, _SUM), repeat=_levels(tree, 0)):
        one = _read(tree, choice)
        if one is not None and one not in found:
            found.append(one)
    return found


def _levels(tree: Any, depth: int) -> int:
    require(isinstance(tree, Mapping) and depth <= 50, "the experiment is malformed")
    if tree.get("type") == "kfold":
        return int(tree.get("aggregation") == "unknown")
    if tree.get("type") == "testset":
        return 0
    require(isinstance(tree.get("parts"), list) and len(tree["parts"]) > 0, "the experiment is malformed")
    deepest = max(_levels(part, depth + 1) for part in tree["parts"])
    return deepest + int(tree.get("type") == "unknown_aggregation")


def _read(tree: Any, choice: tuple[str, ...]) -> Any:
    kind = tree.get("type")
    if kind == "testset":
        return tree
    if kind == "kfold":
        return {**tree, "aggregation": choice[0]} if tree.get("aggregation") == "unknown" else tree
    open_here = kind == "unknown_aggregation"
    parts = [_read(part, choice[1:] if open_here else choice) for part in tree["parts"]]
    if any(part is None for part in parts):
        return None
    kind = choice[0] if open_here else kind
    if kind == _SUM and any(_is_mean(part) for part in parts):
        return None
    extra = {"ranges": tree["ranges"]} if kind == _MEAN and "ranges" in tree else {}
    return {"type": kind, "parts": parts, **extra}


def _is_mean(tree: Any) -> bool:
    if tree.get("type") == "kfold":
        return bool(tree.get("aggregation") == _MEAN)
    return bool(tree.get("type") == _MEAN)


def single_part(tree: Any) -> Any:
    """A mean over one part is that part."""
    for _ in range(50):
        if isinstance(tree, Mapping) and tree.get("type") == _MEAN and not tree.get("ranges"):
            parts = tree.get("parts")
            if isinstance(parts, list) and len(parts) == 1:
                tree = parts[0]
                continue
        break
    return tree
