"""What is reported of predicted numbers: errors in the unit of what is predicted, shares of variance, correlation.

An error has no greatest value, and the smaller it is the better; a share of variance may be below 0, since a model can
be worse than the mean of the true values.

What is reported of rankings: areas under curves, and of retrieval with one relevant item per query hits, reciprocal
ranks, discounted gains.

Names with a cut-off (Hits@10) are made on demand; the cut-off stands in the name.

What is reported of object detectors: counts of matched objects, and average precisions by overlap.

AP50 is the average precision at an intersection over union of 0.50, mAP the mean over 0.50, 0.55, ..., 0.95 (Lin et al.
2014, doi:10.1007/978-3-319-10602-1_48). The names of precision, recall and F1 are those of the confusion matrix, so a
column of a table is the same score whatever the experiment. "AP50 of class 3" is that of one class, AP_s, AP_m and AP_l
(AR_s, ...) those of small, medium and large objects.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from scoreproof.quantities.registry import Quantity, Register, declare, spelled

KIND_NAME = "regression"
_ZERO, _UNIT = Fraction(0), Fraction(1)


def _named(kind: str, name: str, title: str, synonyms: str = "", **more: Any) -> Quantity:
    """A quantity whose synonyms stand in one text, with commas between them."""
    return Quantity(name, title, synonyms=tuple(synonyms.split(", ")) if synonyms else (), kind=kind, **more)


def _error(name: str, title: str, synonyms: str) -> Quantity:
    return _named(KIND_NAME, name, title, f"{title}, {synonyms}", range=(_ZERO, None), direction=-1)


def _share(name: str, title: str, synonyms: str, least: Fraction | None = None) -> Quantity:
    return _named(KIND_NAME, name, title, f"{title}, {synonyms}", range=(least, _UNIT))


REGRESSION = declare(
    KIND_NAME,
    Register(),
    _error("mae", "mean absolute error", "mean abs error, average absolute error, mean absolute deviation error"),
    _error("mse", "mean squared error", "mean square error"),
    _error("rmse", "root mean squared error", "root mean square error, rms error"),
    _error("maxe", "maximum absolute error", "max error, maximum error, max absolute error, maxae"),
    _error("medae", "median absolute error", "median abs error"),
    _named(KIND_NAME, "bias", "mean error", "mean error, mean bias error, mbe, mean signed error, mean bias",
           range=(None, None)),
    _share("r2", "coefficient of determination", "r squared, r-square, r2 score"),
    _share("adjusted_r2", "adjusted R²", "adj r2, adj r squared, adjusted r squared, r2 adjusted"),
    _share("ev", "explained variance", "explained variance score, evs"),
    _share("r", "Pearson's correlation", "pearson, pearson r, pearsons r, pearson correlation, pearson correlation "
           "coefficient, pearsons correlation coefficient, correlation coefficient, pcc, plcc", Fraction(-1)),
    _error("variance", "variance of the true values", "target variance, variance of y, var y"),
)  # fmt: skip


DEEPEST = 100_000  # the largest cut-off that is read


@dataclass(frozen=True, slots=True)
class RankMean(Quantity):
    """A mean over queries of a function of the rank: ``measure`` says which, ``cutoff`` from where on it is 0."""

    measure: str = "hits"
    cutoff: int | None = None


# The words before the @ by measure, and titles; hits and the precision always have a cut-off.
_NAMES = {
    word: measure
    for measure, words in {
        "hits": "hits hit h hitrate hitratio hr recall r success top",
        "p": "p precision prec",
        "mrr": "mrr map",
        "ndcg": "ndcg",
    }.items()
    for word in words.split()
}
_TITLES = {
    "hits": "share of queries whose item is among the first {k}",
    "p": "precision among the first {k}",
    "mrr": "mean reciprocal rank",
    "ndcg": "mean discounted gain",
}
_NEEDS_CUTOFF = ("hits", "p")
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
    if "@" not in name and match[1] not in ("hits", "hit", "mrr", "ndcg"):
        return None  # "P1" and "R2" have other senses
    return rank_mean(_NAMES[match[1]], int(match[2]))


RANKING = declare("ranking", Register(_with_cutoff, numbered=True), MRR, MEAN_RANK, NDCG)


AUC = _named(
    "curve", "auc", "area under the ROC curve",
    "auroc, roc auc, auc roc, auc of roc, roc area, area under the curve, area under roc, area under the roc curve, "
    "area under curve, c statistic, area under the receiver operating characteristic curve, au roc",
    latex=r"\frac{1}{pn}\sum_{i,j}[s_i > s_j] + \tfrac12[s_i = s_j]",
    reference="Hanley and McNeil 1982, doi:10.1148/radiology.143.1.7063747",
)  # fmt: skip
AP = _named(
    "curve", "ap", "average precision", "average precision, average precision score, avg precision score",
    latex=r"\sum_k (R_k - R_{k-1}) P_k",
    reference="the sum over thresholds without interpolation, as in scikit-learn's average_precision_score",
)  # fmt: skip
AUPRC = _named(
    "curve", "auprc", "area under the precision-recall curve",
    "pr auc, auc pr, aupr, auc prc, prc auc, area under the precision recall curve, auc of pr, "
    "area under the pr curve, area under precision recall curve",
    reference="by steps, trapezoids or Davis and Goadrich's interpolation (2006, doi:10.1145/1143844.1143874)",
)  # fmt: skip
BEST_ACCURACY = _named(  # a maximum may be over folds
    "curve", "best_acc", "best accuracy over all thresholds", "best accuracy, optimal accuracy"
)
CURVE = declare("curve", Register(), AUC, AP, AUPRC, BEST_ACCURACY)


THRESHOLDS = tuple(range(50, 100, 5))
PRECISION = _named("detection", "ppv", "precision", "precision, p")
RECALL = _named("detection", "sens", "recall", "recall, sensitivity, r, tpr")
F1 = _named("detection", "f1", "F1", "f1 score, f measure, f score")
MEAN_AP = _named("detection", "map", "mean of AP50, AP55, ..., AP95", "ap, mean average precision")
MAX_RECALL = _named(
    "detection", "max_recall", "recall of all detections", "maximum recall, max recall, recall of all detections"
)
AT_THRESHOLD = {f"ap{t}": _named("detection", f"ap{t}", f"AP at an overlap of 0.{t}") for t in THRESHOLDS}
AVERAGE_RECALL = {
    most: _named("detection", f"ar{most}", f"average recall with {most} detections per image", f"ar@{most}")
    for most in (1, 10, 100)
}
SIZES = ("small", "medium", "large")
SIZED_PRECISION = {size: _named("detection", f"ap_{size}", f"AP of {size} objects") for size in SIZES}
SIZED_RECALL = {size: _named("detection", f"ar_{size}", f"average recall of {size} objects") for size in SIZES}

_OVERLAPS = r"[\[({]?(?:0?\.)?50?(?:[:\-–,to]+|:(?:0?\.)?0?5:)(?:0?\.)?95[\])}]?"
_WHOLE = re.compile(rf"m?ap(?:[@_]?(?:iou=?)?{_OVERLAPS})|(?:ap|map)(?:50-95|50:95)|coco(?:m?ap)|m?ap(?:coco)")
_SINGLE = re.compile(r"m?ap(?:@|@iou=?|iou=?|_|at)?[(\[]?(?:0?\.([5-9][05]?)|([5-9][05]))[)\]]?%?")

# "Arm" and "APS" head other columns: a single letter stands apart from the name, or is written small behind capitals.
_SIZED = re.compile(r"(?i:m?(ap|ar)[\s_^{(@-]+(s|m|l|small|medium|large)[})\s]*)|m?(AP|AR)(s|m|l|small|medium|large)")
_OF_CLASS = re.compile(r"(.{1,60}?) of class ([1-9][0-9]{0,8})", re.IGNORECASE)


def _resolved(name: str, more: object) -> Quantity | None:
    """A name that a list cannot hold: of a class, of objects of one size, at an overlap."""
    match = _OF_CLASS.fullmatch(name.strip())
    if match is not None:
        meant = DETECTION.find(match[1])
        return None if meant is None or meant.name not in BY_CLASS else of_class(meant, int(match[2]))
    return _of_a_size(name) or _average_precision(name)


def _of_a_size(name: str) -> Quantity | None:
    """AP_s, APm, AR^L, AP small."""
    match = _SIZED.fullmatch(name.strip())
    if match is None:
        return None
    which, letter = (match[1] or match[3]).lower(), (match[2] or match[4])[0].lower()
    sized = SIZED_PRECISION if which == "ap" else SIZED_RECALL
    return next(quantity for size, quantity in sized.items() if size[0] == letter)


def _average_precision(name: str) -> Quantity | None:
    """AP50, mAP@0.5, AP@.75, mAP@[.5:.95]: the overlap stands in the name."""
    text = spelled(name)
    if _WHOLE.fullmatch(text):
        return MEAN_AP
    match = _SINGLE.fullmatch(text)
    return None if match is None else AT_THRESHOLD.get(f"ap{match[1] or match[2]:0<2}")


def of_class(mean: Quantity, number: int) -> Quantity:
    """The quantity of one class, whose mean over the classes is another; classes are numbered from 1."""
    return Quantity(f"{mean.name} of class {number}", f"{mean.title}, of class {number}", kind="detection")


BY_CLASS = ("map", *AT_THRESHOLD, *(quantity.name for quantity in SIZED_PRECISION.values()))
DETECTION = declare(
    "detection",
    Register(_resolved, numbered=True, beginnings=("ap", "ar", "map")),
    *(PRECISION, RECALL, F1, MEAN_AP, MAX_RECALL, *AT_THRESHOLD.values(), *AVERAGE_RECALL.values()),
    *(*SIZED_PRECISION.values(), *SIZED_RECALL.values()),
)
