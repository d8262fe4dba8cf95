"""The order in which a system ranks documents, ties included.

trec_eval orders by score, highest first, and equal scores by document name, *last* name first; scores are
kept in single precision, so that two which differ only beyond it are equal. Ranking measures depend on this:
a system that gives every document the same score is ranked by the names alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from scoreproof.errors import InvalidValue


def ranking(scores: Mapping[str, float]) -> list[str]:
    """The documents of one query from the first to the last, as trec_eval orders them.

    >>> ranking({"d1": 0.5, "d2": 0.5, "d3": 0.9, "d10": 0.1})
    ['d3', 'd2', 'd1', 'd10']
    """
    for name, value in scores.items():
        if not isinstance(name, str):
            raise InvalidValue(f"document {name!r}: names must be text, since ties are broken by them")
        if not isinstance(value, int | float | np.number) or math.isnan(value):
            raise InvalidValue(f"document {name!r}: its score must be a number, got {value!r}")
    with np.errstate(over="ignore"):
        single = {name: float(np.float32(value)) for name, value in scores.items()}
    return sorted(sorted(single, reverse=True), key=lambda name: -single[name])


def gains_in_order(order: Sequence[str], judged: Mapping[str, float]) -> list[float]:
    """The judgement of each ranked document; unjudged ones count as 0.

    >>> gains_in_order(["a", "b", "c"], {"a": 2, "c": 1})
    [2.0, 0.0, 1.0]
    """
    return [float(judged.get(name, 0)) for name in order]
