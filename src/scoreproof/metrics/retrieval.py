"""A retrieval system over many queries: judgements and a run in, measures per query and their means out.

The inputs, measures, means and ties of trec_eval: means run over the queries that both the judgements and the run have
(``missing="zero"`` is its option -c); documents are ordered by score in single precision, equal scores by name, *last*
name first; a query without relevant documents scores 0. A measure of one list takes the gains of the ranked documents
in order; what was never retrieved enters through the number of relevant documents or the list of all gains. DCG after
Järvelin & Kekäläinen (2002, doi:10.1145/582415.582418), bpref after Buckley & Voorhees (2004,
doi:10.1145/1008992.1009000); Rainio, Teuho & Klén (2024, doi:10.1038/s41598-024-56706-x) define precision at k, average
precision and DCG.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from scoreproof.arrays import Bools, Floats, as_array, numbers
from scoreproof.errors import InvalidValue
from scoreproof.metrics.labels import number, small_table
from scoreproof.results import Result, SmallTable
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


def precision_at(gains: ArrayLike, k: int, *, level: float = 1.0) -> float:
    """The share of relevant documents among the first k; a shorter list is filled up with useless ones."""
    return float(np.count_nonzero(_relevant(gains, level)[: whole("k", k, at_least=1)]) / k)


def recall_at(gains: ArrayLike, k: int, *, relevant: int, level: float = 1.0) -> float:
    """The share of all relevant documents that are among the first k."""
    hits = _relevant(gains, level, relevant)
    return float(np.count_nonzero(hits[: whole("k", k, at_least=1)]) / relevant) if relevant else 0.0


def ranked_average_precision(gains: ArrayLike, *, relevant: int, level: float = 1.0) -> float:
    """The mean, over all relevant documents, of the precision where each is found (0 if it is not)."""
    hits = _relevant(gains, level, relevant)
    places = np.flatnonzero(hits) + 1
    return float(np.sum(np.arange(1, places.size + 1) / places) / relevant) if relevant else 0.0


def reciprocal_rank(gains: ArrayLike, *, level: float = 1.0) -> float:
    """One over the place of the first relevant document; 0 if there is none."""
    places = np.flatnonzero(_relevant(gains, level))
    return 1.0 / (int(places[0]) + 1) if places.size else 0.0


def dcg(gains: ArrayLike, k: int | None = None, *, exponential: bool = False) -> float:
    """The discounted cumulative gain of the first k: gain / log2(place + 1), summed.

    ``exponential`` takes 2**gain - 1 as the gain. Negative gains count as 0.
    """
    values = _gains(gains)[: None if k is None else whole("k", k, at_least=1)]
    values = np.maximum(values, 0.0)
    if exponential:
        values = np.exp2(values) - 1
    return float(np.sum(values / np.log2(np.arange(2, values.size + 2))))


def ndcg(
    gains: ArrayLike, k: int | None = None, *, judged: ArrayLike | None = None, exponential: bool = False
) -> float:
    """DCG as a share of the best possible; ``judged`` are the gains of all documents, retrieved or not."""
    best = np.sort(_gains(gains if judged is None else judged))[::-1]
    ideal = dcg(best, k, exponential=exponential)
    return dcg(gains, k, exponential=exponential) / ideal if ideal > 0 else 0.0


def r_precision(gains: ArrayLike, *, relevant: int, level: float = 1.0) -> float:
    """The precision at as many documents as are relevant."""
    return precision_at(gains, relevant, level=level) if relevant else 0.0


def bpref(judgements: Sequence[float | None], *, relevant: int, useless: int, level: float = 1.0) -> float:
    """Binary preference: how seldom judged useless documents precede relevant ones; None or below 0 is unjudged.

    ``relevant`` and ``useless`` count the judged documents, retrieved or not.
    """
    # trec_eval keeps negative judgements for documents that were not judged after all.
    seen = [judgement >= level for judgement in judgements if judgement is not None and judgement >= 0]
    if sum(seen) > relevant or len(seen) - sum(seen) > useless:
        raise InvalidValue(f"relevant={relevant}, useless={useless}: the ranking itself holds more of them")
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


def _relevant(gains: ArrayLike, level: float, relevant: int | None = None) -> Bools:
    """Which documents are relevant; no more than there are at all."""
    hits: Bools = _gains(gains) >= level
    retrieved = int(np.count_nonzero(hits))
    if relevant is not None and relevant < retrieved:
        raise InvalidValue(f"relevant={relevant}, but {retrieved} relevant documents are in the ranking itself")
    return hits


Missing = Literal["skip", "zero"]


@dataclass(frozen=True, slots=True, eq=False)
class RetrievalEvaluation(Result):
    """Every measure per query, and its mean over the queries.

    ``missing`` lists the judged queries for which the run has no documents, ``unjudged`` the queries of the
    run without judgements; the latter never count.
    """

    per_query: Mapping[str, Mapping[str, float]]
    mean: Mapping[str, float]
    missing: tuple[str, ...]
    unjudged: tuple[str, ...]
    counted_missing: Missing
    level: float

    task: ClassVar[str] = "retrieval"
    _told = "task queries *"

    @property
    def queries(self) -> int:
        return len(self.per_query)

    def __str__(self) -> str:
        text = (
            f"Over {len(self.per_query)} queries the mean average precision is {number(self.mean['map'])}, "
            f"nDCG {number(self.mean['ndcg'])} and the mean reciprocal rank {number(self.mean['recip_rank'])}"
        )
        if self.missing:
            how = "counted as 0" if self.counted_missing == "zero" else "left out"
            text += f"; {len(self.missing)} judged queries without results are {how}"
        return text + "."

    def _tables(self) -> list[SmallTable]:
        return [small_table(f"{len(self.per_query)} queries", ["measure", "mean"], list(self.mean.items()))]


def evaluate_retrieval(
    judgements: Mapping[str, Mapping[str, float]],
    run: Mapping[str, Mapping[str, float]],
    *,
    k: Sequence[int] = (1, 5, 10),
    level: float = 1.0,
    missing: Missing = "skip",
) -> RetrievalEvaluation:
    """Evaluate a run, {query: {document: score}}, against judgements, {query: {document: gain}}.

    A document is relevant from gain ``level`` upwards; nDCG uses the gains themselves. Measures carry trec_eval's
    names: map, Rprec, bpref, recip_rank, P_k, recall_k, ndcg, ndcg_cut_k; dcg and dcg_cut_k are added.

    >>> judged = {"q": {"a": 1, "b": 0, "c": 2}}
    >>> result = evaluate_retrieval(judged, {"q": {"a": 0.2, "b": 0.9, "c": 0.5}}, k=[1, 2])
    >>> result.mean["map"], result.mean["P_2"], result.mean["recip_rank"]
    (0.5833333333333333, 0.5, 0.5)
    """
    for query, name, gain in ((q, name, gain) for q, judged in judgements.items() for name, gain in judged.items()):
        if not isinstance(gain, int | float | np.number) or not math.isfinite(gain):
            raise InvalidValue(f"query {query!r}, document {name!r}: the gain must be a number, got {gain!r}")
    without = tuple(query for query in judgements if not run.get(query))
    queries = [query for query in judgements if missing == "zero" or query not in without]
    if not queries:
        raise InvalidValue("judgements and run share no query; their names must be the same")
    per_query = {query: _measure(judgements[query], run.get(query, {}), k, level) for query in queries}
    names = per_query[queries[0]]
    mean = {name: float(np.mean([values[name] for values in per_query.values()])) for name in names}
    unjudged = tuple(query for query in run if query not in judgements)
    frozen = MappingProxyType({query: MappingProxyType(values) for query, values in per_query.items()})
    return RetrievalEvaluation(frozen, MappingProxyType(mean), without, unjudged, missing, level)


def _measure(
    judged: Mapping[str, float], scores: Mapping[str, float], depths: Sequence[int], level: float
) -> dict[str, float]:
    order = ranking(scores)
    gains = [float(judged.get(name, 0)) for name in order]
    known = list(judged.values())
    relevant = sum(gain >= level for gain in known)
    useless = sum(0 <= gain < level for gain in known)
    values = {
        "map": ranked_average_precision(gains, relevant=relevant, level=level),
        "Rprec": r_precision(gains, relevant=relevant, level=level),
        "bpref": bpref([judged.get(name) for name in order], relevant=relevant, useless=useless, level=level),
        "recip_rank": reciprocal_rank(gains, level=level),
        "dcg": dcg(gains),
        "ndcg": ndcg(gains, judged=known),
    }
    for k in depths:
        values[f"P_{k}"] = precision_at(gains, k, level=level)
        values[f"recall_{k}"] = recall_at(gains, k, relevant=relevant, level=level)
        values[f"dcg_cut_{k}"] = dcg(gains, k)
        values[f"ndcg_cut_{k}"] = ndcg(gains, k, judged=known)
    return values
