"""A retrieval system over many queries: judgements and a run in, measures per query and their means out.

The same inputs as trec_eval (qrels and a run), the same measures and the same treatment of ties. Like
trec_eval, the means run over the queries that both the judgements and the run have; ``missing="zero"`` counts
judged queries without results as 0 (trec_eval's option -c). Rainio, Teuho & Klén 2024
(doi:10.1038/s41598-024-56706-x, "Information retrieval") define precision at k, average precision and DCG.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Literal, get_args

import numpy as np

from scoreproof.errors import InvalidValue
from scoreproof.metrics.presentation import number, small_table
from scoreproof.metrics.retrieval import measures
from scoreproof.metrics.retrieval.measures import gains_in_order, ranking
from scoreproof.results import Result, SmallTable
from scoreproof.validation import chosen

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
    chosen("missing", missing, get_args(Missing))
    _check_judgements(judgements)
    without = tuple(query for query in judgements if not run.get(query))
    queries = [query for query in judgements if missing == "zero" or query not in without]
    if not queries:
        raise InvalidValue("judgements and run share no query; their names must be the same")
    per_query = {query: _measure(judgements[query], run.get(query, {}), k, level) for query in queries}
    names = per_query[queries[0]]
    mean = {name: float(np.mean([values[name] for values in per_query.values()])) for name in names}
    return RetrievalEvaluation(
        per_query=MappingProxyType({query: MappingProxyType(values) for query, values in per_query.items()}),
        mean=MappingProxyType(mean),
        missing=without,
        unjudged=tuple(query for query in run if query not in judgements),
        counted_missing=missing,
        level=level,
    )


def _measure(
    judged: Mapping[str, float], scores: Mapping[str, float], depths: Sequence[int], level: float
) -> dict[str, float]:
    order = ranking(scores)
    gains = gains_in_order(order, judged)
    known = list(judged.values())
    relevant = sum(gain >= level for gain in known)
    useless = sum(0 <= gain < level for gain in known)
    values = {
        "map": measures.ranked_average_precision(gains, relevant=relevant, level=level),
        "Rprec": measures.r_precision(gains, relevant=relevant, level=level),
        "bpref": measures.bpref([judged.get(name) for name in order], relevant=relevant, useless=useless, level=level),
        "recip_rank": measures.reciprocal_rank(gains, level=level),
        "dcg": measures.dcg(gains),
        "ndcg": measures.ndcg(gains, judged=known),
    }
    for k in depths:
        values[f"P_{k}"] = measures.precision_at(gains, k, level=level)
        values[f"recall_{k}"] = measures.recall_at(gains, k, relevant=relevant, level=level)
        values[f"dcg_cut_{k}"] = measures.dcg(gains, k)
        values[f"ndcg_cut_{k}"] = measures.ndcg(gains, k, judged=known)
    return values


def _check_judgements(judgements: Mapping[str, Mapping[str, float]]) -> None:
    for query, judged in judgements.items():
        for name, gain in judged.items():
            if not isinstance(gain, int | float | np.number) or not math.isfinite(gain):
                raise InvalidValue(f"query {query!r}, document {name!r}: the gain must be a number, got {gain!r}")
