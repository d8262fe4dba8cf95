"""What is reported of rankings: areas under curves, and of retrieval with one relevant item per query hits, reciprocal
ranks, discounted gains.

Names with a cut-off (Hits@10) are made on demand; the cut-off stands in the name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from scoreproof.quantities.names import Quantity, spelled
from scoreproof.quantities.registry import Register, declare

DEEPEST = 100_000  # the largest cut-off that is read


@dataclass(frozen=True, slots=True)
class RankMean(Quantity):
    """A mean over queries of a function of the rank: ``measure`` says which, ``cutoff`` from where on it is 0."""

    measure: str = "hits"
    cutoff: int | None = None


# The words before the @, the measure, its title; hits and the precision always have a cut-off.
_NAMES = {
    "hits": ("hits", "share of queries whose item is among the first {k}"),
    "hit": ("hits", ""),
    "h": ("hits", ""),
    "hitrate": ("hits", ""),
    "hitratio": ("hits", ""),
    "hr": ("hits", ""),
    "recall": ("hits", ""),
    "r": ("hits", ""),
    "success": ("hits", ""),
    "top": ("hits", ""),
    "p": ("p", "precision among the first {k}"),
    "precision": ("p", ""),
    "prec": ("p", ""),
    "mrr": ("mrr", "mean reciprocal rank"),
    "ndcg": ("ndcg", "mean discounted gain"),
    "map": ("mrr", ""),
}
_NEEDS_CUTOFF = ("hits", "p")
_TITLES = {measure: title for measure, title in _NAMES.values() if title}
_CUT = re.compile(r"([a-z]+)@?[(]?k?=?([1-9][0-9]{0,5})[)]?")


@lru_cache(maxsize=1024)
def rank_mean(measure: str, cutoff: int | None = None) -> RankMean:
    """The quantity of a measure and a cut-off.

    >>> rank_mean("hits", 10).title
    'share of queries whose item is among the first 10'
    """
    name = measure if cutoff is None else f"{measure}@{cutoff}"
    title = _TITLES[measure].format(k=cutoff)
    if cutoff is not None and measure not in _NEEDS_CUTOFF:
        title += f" within the first {cutoff}"
    return RankMean(name, title, kind="ranking", measure=measure, cutoff=cutoff)


MEAN_RANK = RankMean(
    "mr", "mean rank", synonyms=("mean rank", "average rank"), range=(Fraction(1), None), direction=-1,
    kind="ranking", measure="mr",
)  # fmt: skip
MRR = RankMean("mrr", _TITLES["mrr"], synonyms=("mean reciprocal rank",), kind="ranking", measure="mrr")
NDCG = RankMean(
    "ndcg", _TITLES["ndcg"], synonyms=("normalized discounted cumulative gain",), kind="ranking", measure="ndcg"
)


def _with_cutoff(name: str, more: object) -> Quantity | None:
    match = _CUT.fullmatch(spelled(name))
    if match is None or match[1] not in _NAMES or int(match[2]) > DEEPEST:
        return None
    measure = _NAMES[match[1]][0]
    if "@" not in name and match[1] not in ("hits", "hit", "mrr", "ndcg"):
        return None  # "P1" and "R2" have other senses
    return rank_mean(measure, int(match[2]))


RANKING = declare("ranking", Register(_with_cutoff, numbered=True))
for _quantity in (MRR, MEAN_RANK, NDCG):
    RANKING.admit(_quantity)


AUC = Quantity(
    "auc",
    "area under the ROC curve",
    r"\frac{1}{pn}\sum_{i,j}[s_i > s_j] + \tfrac12[s_i = s_j]",
    "Hanley and McNeil 1982, doi:10.1148/radiology.143.1.7063747",
    synonyms=(
        "auroc", "roc auc", "auc roc", "auc of roc", "roc area", "area under the curve", "area under roc",
        "area under the roc curve", "area under curve", "c statistic",
        "area under the receiver operating characteristic curve", "au roc",
    ),
    kind="curve",
)  # fmt: skip
AP = Quantity(
    "ap",
    "average precision",
    r"\sum_k (R_k - R_{k-1}) P_k",
    "the sum over thresholds without interpolation, as in scikit-learn's average_precision_score",
    synonyms=("average precision", "average precision score", "avg precision score"),
    kind="curve",
)
AUPRC = Quantity(
    "auprc",
    "area under the precision-recall curve",
    reference="by steps, trapezoids or Davis and Goadrich's interpolation (2006, doi:10.1145/1143844.1143874)",
    synonyms=(
        "pr auc", "auc pr", "aupr", "auc prc", "prc auc", "area under the precision recall curve", "auc of pr",
        "area under the pr curve", "area under precision recall curve",
    ),
    kind="curve",
)  # fmt: skip
BEST_ACCURACY = Quantity(
    "best_acc",
    "best accuracy over all thresholds",
    synonyms=("best accuracy", "optimal accuracy"),  # a maximum may be over folds
    kind="curve",
)

CURVE = declare("curve", Register())
for _area in (AUC, AP, AUPRC, BEST_ACCURACY):
    CURVE.admit(_area)
