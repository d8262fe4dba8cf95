"""Names that everybody knows and nothing is proved about, each with the reason; by the key of the name.

What carries a number or a threshold in its name (BLEU-4, AUC@5%FPR, FPR95) is known by a pattern. Checks refuse these
names, tables and frames list their columns as not tested, all with the same reason.
"""

from __future__ import annotations

import re

from scoreproof.quantities.names import key

_OF_A_PART = "it is of a part of the curve, and which part is not said"
_AT_A_POINT = "it is of a threshold that is chosen by another score"
_SEVERAL = "with several relevant items it may fall with the cut-off, and no ranks of single items give it"
_DISTANCE = "it is a distance between outlines, which no counts of pixels give"
_OUTLINES = "it counts outlines within a tolerance, which no counts of pixels give"
_NORMALISED = "by what it is normalised is not said"
_OF_RANKS = "it is of ranks"
_LOGARITHMS = "it is of logarithms"
_PROBABILITIES = "it is of predicted probabilities, not of decisions"
OF_TEXTS = "it compares texts, not classes"
_PICTURES = "it compares pictures by a formula or a model of their own"
_TRACKS = "it follows objects over time, beyond one matching"
_SEGMENTS = "it multiplies the quality of matched segments with their number"
_POSES = "it is of distances between points"
_TIMES = "it is of pairs of times, some of them censored"

UNTESTED: dict[str, str] = {
    **dict.fromkeys(("pauc", "partialauc", "partialauroc", "standardizedpartialauc", "standardisedpartialauc",
                     "partialareaunderthecurve", "froc", "cpm"), _OF_A_PART),
    **dict.fromkeys(("eer", "equalerrorrate", "mindcf", "dcf", "hter", "apcer", "bpcer", "acer"), _AT_A_POINT),
    "dcg": "it is not divided by the best there could be",
    **dict.fromkeys(("alphandcg", "gradedndcg", "multirelevantndcg", "ndcgmultirelevant"), _SEVERAL),
    **dict.fromkeys(("hausdorff", "hausdorffdistance", "95hausdorffdistance", "hd", "hd95", "95hd", "hd95mm", "assd",
                     "asd", "averagesurfacedistance", "averagesymmetricsurfacedistance", "masd"), _DISTANCE),
    **dict.fromkeys(("nsd", "normalizedsurfacedice", "normalisedsurfacedice", "surfacedice", "boundaryiou",
                     "boundaryf1"), _OUTLINES),
    "mape": "it depends on the size of every true value",
    "meanabsolutepercentageerror": "it depends on the size of every true value",
    "smape": "it depends on the size of every value",
    "wape": "it depends on the sum of the true values",
    "mase": "it depends on the errors of another forecast",
    **dict.fromkeys(("rmsle", "msle"), _LOGARITHMS),
    **dict.fromkeys(("nrmse", "rrmse", "nmae", "cvrmse"), _NORMALISED),
    "rae": "it depends on the spread of the true values",
    "absrel": "it depends on the size of every true value",
    **dict.fromkeys(("spearman", "spearmanr", "spearmanrho", "srcc", "srocc", "kendall", "kendalltau", "krcc"),
                    _OF_RANKS),
    "ccc": "concordance is not covered yet",
    "nse": "report the Nash-Sutcliffe efficiency as r2: it is the same",
    **dict.fromkeys(("ece", "expectedcalibrationerror", "brier", "brierscore", "logloss", "crossentropy", "nll",
                     "perplexity", "ppl", "bpc"), _PROBABILITIES),
    **dict.fromkeys(("bleu", "rouge", "meteor", "cider", "spice", "chrf", "bertscore", "ter", "wer", "worderrorrate",
                     "cer", "charactererrorrate", "per", "em", "exactmatch"), OF_TEXTS),
    **dict.fromkeys(("psnr", "ssim", "msssim", "lpips", "fid", "inceptionscore", "clipscore"), _PICTURES),
    **dict.fromkeys(("mota", "motp", "idf1", "hota"), _TRACKS),
    **dict.fromkeys(("pq", "panopticquality"), _SEGMENTS),
    **dict.fromkeys(("mpjpe", "pampjpe", "epe", "pck"), _POSES),
    **dict.fromkeys(("cindex", "concordanceindex"), _TIMES),
}  # fmt: skip

#: What a name means in one kind alone, where another kind knows it as something else.
_OF_A_KIND = {"ranking": {"map": _SEVERAL, "meanaverageprecision": _SEVERAL}}
_PATTERNS = (
    (re.compile(r"p?auc(roc)?@.*|p?auroc@.*|p?auc[0-9]+fpr"), _OF_A_PART),
    (
        re.compile(r"(tpr|tnr|fpr|fnr|sens|spec|sensitivity|specificity)(@|at(?=.*(fpr|spec|sens|tpr|[0-9]))|[0-9]).*"),
        _AT_A_POINT,
    ),
    (re.compile(r"(bleu|rouge|cider|chrf|hd|pck)[-@]?([0-9.]+|l|w|lsum|d|\+\+)"), ""),
    (re.compile(r"err@[0-9]+"), _SEVERAL),
)


def why_untested(name: str, kind: str | None = None) -> str:
    """Why nothing is tested about a name that everybody knows; empty if it is not such a name.

    >>> why_untested("AUC@5%FPR"), why_untested("BLEU-4"), why_untested("Accuracy")
    ('it is of a part of the curve, and which part is not said', 'it compares texts, not classes', '')
    """
    plain = key(name)
    known = _OF_A_KIND.get(kind or "", {}).get(plain) or UNTESTED.get(plain)
    if known is not None:
        return known
    text = "".join(name.lower().split()).replace("_", "").replace("%", "")
    for pattern, reason in _PATTERNS:
        match = pattern.fullmatch(text)
        if match is not None:
            return reason or UNTESTED[match[1]]
    return ""
