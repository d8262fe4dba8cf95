"""Names that everybody knows and nothing is proved about, each with the reason; by the key of the name."""

from __future__ import annotations

_OF_A_PART = "it is of a part of the curve, and which part is not said"
_SEVERAL = "with several relevant items it may fall with the cut-off"
_DISTANCE = "it is a distance between outlines, which no counts of pixels give"
_NORMALISED = "by what it is normalised is not said"
_OF_RANKS = "it is of ranks"

UNTESTED: dict[str, str] = {
    "pauc": _OF_A_PART,
    "partialauc": _OF_A_PART,
    "partialauroc": _OF_A_PART,
    "standardizedpartialauc": _OF_A_PART,
    "dcg": "it is not divided by the best there could be",
    "alphandcg": _SEVERAL,
    "hausdorff": _DISTANCE,
    "hausdorffdistance": _DISTANCE,
    "hd": _DISTANCE,
    "hd95": _DISTANCE,
    "95hd": _DISTANCE,
    "hd95mm": _DISTANCE,
    "assd": _DISTANCE,
    "asd": _DISTANCE,
    "averagesurfacedistance": _DISTANCE,
    "mape": "it depends on the size of every true value",
    "smape": "it depends on the size of every value",
    "wape": "it depends on the sum of the true values",
    "mase": "it depends on the errors of another forecast",
    "rmsle": "it is of logarithms",
    "msle": "it is of logarithms",
    "nrmse": _NORMALISED,
    "rrmse": _NORMALISED,
    "rae": "it depends on the spread of the true values",
    "spearman": _OF_RANKS,
    "kendall": _OF_RANKS,
    "ccc": "concordance is not covered yet",
    "nse": "report the Nash-Sutcliffe efficiency as r2: it is the same",
}
