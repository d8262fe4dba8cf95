"""Information retrieval: rankings and their measures, as trec_eval computes them."""

from scoreproof.metrics.retrieval.evaluation import RetrievalEvaluation, evaluate_retrieval
from scoreproof.metrics.retrieval.measures import (
    bpref,
    dcg,
    ndcg,
    precision_at,
    r_precision,
    ranked_average_precision,
    ranking,
    recall_at,
    reciprocal_rank,
)

__all__ = [
    "RetrievalEvaluation", "bpref", "dcg", "evaluate_retrieval", "ndcg", "precision_at", "r_precision",
    "ranked_average_precision", "ranking", "recall_at", "reciprocal_rank",
]  # fmt: skip
