"""What would have to be known to test scores that no stated experiment has: as words, with what to write."""

from __future__ import annotations

from collections.abc import Iterable

from scoreproof.errors import ScoreproofError
from scoreproof.quantities import quantity

_NEEDED = {
    "ranking": "how many queries there were, each with one relevant item (tree: {type: ranking, queries: 500})",
    "regression": "an RMSE or MSE beside an MAE or R², or that all numbers are whole and how many there are "
    "(tree: {type: regression, n: 200, integers: true})",
    "detection": "that it is a detector, and how many objects were annotated (tree: {type: detection, objects: 500})",
}


def needed(names: Iterable[str]) -> str:
    """What to know of scores, in words that follow a reason; nothing of those that sizes of a test set are enough for.

    >>> needed(["mrr", "hits@10"])[:66]
    'to test it one must know how many queries there were, each with on'
    >>> needed(["acc"])
    ''
    """
    said = [_NEEDED[kind] for kind in dict.fromkeys(map(_kind, names)) if kind in _NEEDED]
    return f"to test it one must know {'; and '.join(said)}" if said else ""


def _kind(name: str) -> str:
    try:
        return quantity(name).kind
    except ScoreproofError:  # a name of one's own
        return ""
