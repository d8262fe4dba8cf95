"""Measures of one ranked list: precision and recall at k, average precision, DCG, reciprocal rank.

Each takes the gains of the ranked documents in order (0 for a document of no use); what was never retrieved enters
through the number of relevant documents or the list of all gains. Definitions as in trec_eval; DCG after Järvelin &
Kekäläinen (2002, doi:10.1145/582415.582418), bpref after Buckley & Voorhees (2004, doi:10.1145/1008992.1009000). A
query without any relevant document scores 0, as in trec_eval.

trec_eval orders by score, highest first, and equal scores by document name, *last* name first; scores are kept in
single precision, so that two which differ only beyond it are equal. A system that gives every document the same score
is ranked by the names alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from scoreproof.arrays import Bools, Floats, as_array, numbers
from scoreproof.errors import InvalidValue
from scoreproof.validation import shown, whole


def ranking(scores: Mapping[str, float]) -> list[str]:
    """The documents of one query from the first to the last, as trec_eval orders them.

    >>> ranking({"d1": 0.5, "d2": 0.5, "d3": 0.9, "d10": 0.1})
    ['d3', 'd2', 'd1', 'd10']
    """
    for name, value in scores.items():
        if not isinstance(name, str):
            raise InvalidValue(f"document {shown(name)}: names must be text, since ties are broken by them")
        if not isinstance(value, int | float | np.number) or math.isnan(value):
            raise InvalidValue(f"document {shown(name)}: its score must be a number, got {shown(value)}")
    with np.errstate(over="ignore"):
        single = {name: float(np.float32(value)) for name, value in scores.items()}
    return sorted(sorted(single, reverse=True), key=lambda name: -single[name])


def gains_in_order(order: Sequence[str], judged: Mapping[str, float]) -> list[float]:
    """The judgement of each ranked document; unjudged ones count as 0.

    >>> gains_in_order(["a", "b", "c"], {"a": 2, "c": 1})
    [2.0, 0.0, 1.0]
    """
    return [float(judged.get(name, 0)) for name in order]


def precision_at(gains: ArrayLike, k: int, *, level: float = 1.0) -> float:
    """The share of relevant documents among the first k; a shorter list is filled up with useless ones.

    >>> precision_at([1, 0, 1], 2), precision_at([1, 0, 1], 10)
    (0.5, 0.2)
    """
    return float(np.count_nonzero(_relevant(gains, level)[: whole("k", k, at_least=1)]) / k)


def recall_at(gains: ArrayLike, k: int, *, relevant: int, level: float = 1.0) -> float:
    """The share of all relevant documents that are among the first k.

    >>> recall_at([1, 0, 1], 2, relevant=4)
    0.25
    """
    hits = _relevant(gains, level)
    _check_total(hits, relevant)
    return float(np.count_nonzero(hits[: whole("k", k, at_least=1)]) / relevant) if relevant else 0.0


def ranked_average_precision(gains: ArrayLike, *, relevant: int, level: float = 1.0) -> float:
    """The mean, over all relevant documents, of the precision where each is found (0 if it is not).

    >>> ranked_average_precision([1, 0, 1], relevant=2)
    0.8333333333333333
    """
    hits = _relevant(gains, level)
    _check_total(hits, relevant)
    places = np.flatnonzero(hits) + 1
    return float(np.sum(np.arange(1, places.size + 1) / places) / relevant) if relevant else 0.0


def reciprocal_rank(gains: ArrayLike, *, level: float = 1.0) -> float:
    """One over the place of the first relevant document; 0 if there is none.

    >>> reciprocal_rank([0, 0, 1])
    0.3333333333333333
    """
    places = np.flatnonzero(_relevant(gains, level))
    return 1.0 / (int(places[0]) + 1) if places.size else 0.0


def dcg(gains: ArrayLike, k: int | None = None, *, exponential: bool = False) -> float:
    """The discounted cumulative gain of the first k: gain / log2(place + 1), summed.

    ``exponential`` takes 2**gain - 1 as the gain. Negative gains count as 0.

    >>> round(dcg([3, 2, 0, 1], k=2), 6)
    4.26186
    """
    values = _gains(gains)[: None if k is None else whole("k", k, at_least=1)]
    values = np.maximum(values, 0.0)
    if exponential:
        values = np.exp2(values) - 1
    return float(np.sum(values / np.log2(np.arange(2, values.size + 2))))


def ndcg(
    gains: ArrayLike, k: int | None = None, *, judged: ArrayLike | None = None, exponential: bool = False
) -> float:
    """DCG as a share of the best possible; ``judged`` are the gains of all documents, retrieved or not.

    >>> round(ndcg([3, 2, 0, 1], judged=[3, 3, 2, 1, 0, 0]), 4)
    0.7421
    """
    best = np.sort(_gains(gains if judged is None else judged))[::-1]
    ideal = dcg(best, k, exponential=exponential)
    return dcg(gains, k, exponential=exponential) / ideal if ideal > 0 else 0.0


def r_precision(gains: ArrayLike, *, relevant: int, level: float = 1.0) -> float:
    """The precision at as many documents as are relevant.

    >>> r_precision([1, 0, 1], relevant=2)
    0.5
    """
    return precision_at(gains, relevant, level=level) if relevant else 0.0


def bpref(judgements: Sequence[float | None], *, relevant: int, useless: int, level: float = 1.0) -> float:
    """Binary preference: how seldom judged useless documents precede relevant ones; None or below 0 is unjudged.

    ``relevant`` and ``useless`` count the judged documents, retrieved or not.

    >>> bpref([1, None, 0, 1], relevant=2, useless=3)
    0.75
    """
    # trec_eval keeps negative judgements for documents that were not judged after all.
    seen = [judgement >= level for judgement in judgements if judgement is not None and judgement >= 0]
    if sum(seen) > relevant or len(seen) - sum(seen) > useless:
        raise InvalidValue(
            f"relevant={relevant} and useless={useless}, but the ranking itself holds {sum(seen)} and "
            f"{len(seen) - sum(seen)} of them"
        )
    if relevant == 0:
        return 0.0
    worse, total = 0, 0.0
    for good in seen:
        if good:
            total += 1 - min(worse, relevant) / min(useless, relevant) if worse else 1.0
        else:
            worse += 1
    return total / relevant


def _gains(gains: ArrayLike) -> Floats:
    return np.zeros(0) if as_array("gains", gains).size == 0 else numbers("gains", gains)


def _relevant(gains: ArrayLike, level: float) -> Bools:
    hits: Bools = _gains(gains) >= level
    return hits


def _check_total(hits: Bools, relevant: int) -> None:
    retrieved = int(np.count_nonzero(hits))
    if relevant < retrieved:
        raise InvalidValue(f"relevant={relevant}, but {retrieved} relevant documents are in the ranking itself")
