"""The scores themselves (Fazekas and Kovács 2024, doi:10.1016/j.asoc.2024.111993, Table 2), as data.

The twenty scores of "Testing the consistency of performance scores reported for binary classification problems", and
the complements named there. The ratios are written in the four cells; p = tp + fn and n = fp + tn.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from scoreproof.kinds.binary.scores.score import ROOT, THRESHOLD, Ratio, Score, Shape, made

SURVEY = "Tharwat 2021, doi:10.1016/j.aci.2018.08.003"
_SIGNED = (Fraction(-1), Fraction(1))
_POSITIVE = (Fraction(0), None)
_LINEAR, _FRACTIONAL = Shape.LINEAR, Shape.FRACTIONAL


def _excess(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """tp * tn - fp * fn, which at fixed p and n is the affine n * tp + p * tn - n * p."""
    return tp * tn - fp * fn


def _score(
    name: str, title: str, ratio: Ratio, latex: str, synonyms: str, reference: str = SURVEY, **more: Any
) -> Score:
    """A score from a line of the table; its synonyms are one text, which commas divide."""
    return made(name, title, ratio, latex, reference, synonyms.split(", "), **more)


_SCORES = (
    _score("acc", "accuracy", lambda tp, fp, fn, tn: (tp + tn, tp + fp + fn + tn), r"\frac{tp+tn}{p+n}",
           "accuracy, overall accuracy, classification accuracy, correct classification rate, ccr, oa, accuracy "
           "score, fraction correct, proportion correct, rand accuracy", shape=_LINEAR),
    _score("sens", "sensitivity", lambda tp, fp, fn, tn: (tp, tp + fn), r"\frac{tp}{p}",
           "sensitivity, recall, true positive rate, tpr, hit rate, sen, se, sn, rec, pod, probability of detection, "
           "detection rate, recall score", shape=_LINEAR),
    _score("spec", "specificity", lambda tp, fp, fn, tn: (tn, fp + tn), r"\frac{tn}{n}",
           "specificity, true negative rate, tnr, selectivity, spe, sp, spc, inverse recall", shape=_LINEAR),
    _score("ppv", "positive predictive value", lambda tp, fp, fn, tn: (tp, tp + fp), r"\frac{tp}{tp+fp}",
           "positive predictive value, precision, prec, pre, positive predictivity, precision score",
           shape=_FRACTIONAL),
    _score("npv", "negative predictive value", lambda tp, fp, fn, tn: (tn, tn + fn), r"\frac{tn}{tn+fn}",
           "negative predictive value, negative predictivity, inverse precision", shape=_FRACTIONAL),
    _score("upm", "unified performance measure",
           lambda tp, fp, fn, tn: (4 * tp * tn, 4 * tp * tn + (tp + tn) * (fp + fn)),
           r"\frac{4\,tp\,tn}{4\,tp\,tn+(tp+tn)(fp+fn)}", "unified performance measure, p4, p4 metric, p4 score",
           "Redondo, Sbert & Ulloa 2020 (unified performance measure)"),
    _score("gm", "geometric mean", lambda tp, fp, fn, tn: (tp * tn, (tp + fn) * (fp + tn)),
           r"\sqrt{\frac{tp\,tn}{p\,n}}", "geometric mean, g-mean, gmean, geometric mean score, g mean", link=ROOT),
    _score("fm", "Fowlkes-Mallows index", lambda tp, fp, fn, tn: (tp * tp, (tp + fn) * (tp + fp)),
           r"\frac{tp}{\sqrt{p\,(tp+fp)}}",
           "fowlkes-mallows index, fowlkes-mallows, fmi, fowlkes mallows score",
           "Fowlkes & Mallows 1983, doi:10.1080/01621459.1983.10478008", link=ROOT),
    _score("mk", "markedness", lambda tp, fp, fn, tn: (_excess(tp, fp, fn, tn), (tp + fp) * (tn + fn)),
           r"\frac{tp}{tp+fp}+\frac{tn}{tn+fn}-1", "markedness, delta p, deltap", "Powers 2011, arXiv:2010.16061",
           range=_SIGNED),
    _score("bm", "bookmaker informedness", lambda tp, fp, fn, tn: (_excess(tp, fp, fn, tn), (tp + fn) * (fp + tn)),
           r"\frac{tp}{p}+\frac{tn}{n}-1",
           "bookmaker informedness, informedness, bookmaker, youden, youden j, youden index, youdens j, youdens "
           "index, youdens j statistic, true skill statistic, tss, peirce skill score, hanssen kuipers",
           "Powers 2011, arXiv:2010.16061", shape=_LINEAR, range=_SIGNED),
    _score("mcc", "Matthews correlation coefficient",
           lambda tp, fp, fn, tn: (_excess(tp, fp, fn, tn) * abs(_excess(tp, fp, fn, tn)),
                                   (tp + fn) * (fp + tn) * (tp + fp) * (tn + fn)),
           r"\frac{tp\,tn-fp\,fn}{\sqrt{p\,n\,(tp+fp)(tn+fn)}}",
           "matthews correlation coefficient, matthews correlation, matthews, matthews corrcoef, phi, phi "
           "coefficient, mean square contingency coefficient", "Matthews 1975, doi:10.1016/0005-2795(75)90109-9",
           link=ROOT, range=_SIGNED),
    _score("lrp", "positive likelihood ratio", lambda tp, fp, fn, tn: (tp * (fp + tn), (tp + fn) * fp),
           r"\frac{tp/p}{fp/n}",
           "positive likelihood ratio, plr, lr+, lrplus, likelihood ratio positive, dlr+", shape=_FRACTIONAL,
           range=_POSITIVE),
    _score("lrn", "negative likelihood ratio", lambda tp, fp, fn, tn: (fn * (fp + tn), (tp + fn) * tn),
           r"\frac{fn/p}{tn/n}",
           "negative likelihood ratio, nlr, lr-, lrminus, likelihood ratio negative, dlr-", direction=-1,
           shape=_FRACTIONAL, range=_POSITIVE),
    _score("pt", "prevalence threshold", lambda tp, fp, fn, tn: (fp * (tp + fn), fp * (tp + fn) + tp * (fp + tn)),
           r"\frac{\sqrt{fp/n}}{\sqrt{tp/p}+\sqrt{fp/n}}", "prevalence threshold",
           "Balayla 2020, doi:10.1371/journal.pone.0240215", link=THRESHOLD, direction=-1, shape=_FRACTIONAL),
    _score("dor", "diagnostic odds ratio", lambda tp, fp, fn, tn: (tp * tn, fp * fn), r"\frac{tp\,tn}{fp\,fn}",
           "diagnostic odds ratio, odds ratio", "Glas et al. 2003, doi:10.1016/S0895-4356(03)00177-X", range=_POSITIVE),
    _score("ji", "Jaccard index", lambda tp, fp, fn, tn: (tp, tp + fp + fn), r"\frac{tp}{tp+fp+fn}",
           "jaccard index, jaccard, jaccard score, jaccard coefficient, jaccard similarity, iou, intersection over "
           "union, threat score, ts, csi, critical success index, ratio of verification, tanimoto, tanimoto "
           "coefficient", shape=_FRACTIONAL),
    _score("bacc", "balanced accuracy",
           lambda tp, fp, fn, tn: (tp * (fp + tn) + tn * (tp + fn), 2 * (tp + fn) * (fp + tn)),
           r"\frac12\left(\frac{tp}{p}+\frac{tn}{n}\right)",
           "balanced accuracy, bac, ba, bcr, balanced classification rate, balanced acc, balanced accuracy score",
           shape=_LINEAR),
    _score("kappa", "Cohen's kappa",
           lambda tp, fp, fn, tn: (2 * _excess(tp, fp, fn, tn), (tp + fp) * (fp + tn) + (tp + fn) * (tn + fn)),
           r"\frac{2(tp\,tn-fp\,fn)}{(tp+fp)\,n+p\,(tn+fn)}",
           "cohens kappa, cohen kappa, kappa score, kappa coefficient, kappa statistic, cohen kappa score, heidke "
           "skill score, hss", "Cohen 1960, doi:10.1177/001316446002000104", shape=_FRACTIONAL, range=_SIGNED),
)  # fmt: skip
_BY_NAME = {score.name: score for score in _SCORES}


def _complement(name: str, title: str, of: str, latex: str, synonyms: str) -> Score:
    """One minus another score."""
    whole = _BY_NAME[of]

    def ratio(tp: Any, fp: Any, fn: Any, tn: Any) -> tuple[Any, Any]:
        num, den = whole.ratio(tp, fp, fn, tn)
        return den - num, den

    return _score(name, title, ratio, latex, synonyms, direction=-1, shape=whole.shape, complement=of)


SCORES: tuple[Score, ...] = (
    *_SCORES,
    _complement("err", "error rate", "acc", r"\frac{fp+fn}{p+n}",
                "error rate, error, misclassification rate, classification error, zero one loss, inaccuracy"),
    _complement("fnr", "false negative rate", "sens", r"\frac{fn}{p}",
                "false negative rate, miss rate, type ii error rate"),
    _complement("fpr", "false positive rate", "spec", r"\frac{fp}{n}",
                "false positive rate, fall-out, fallout, probability of false detection, type i error rate"),
    _complement("fdr", "false discovery rate", "ppv", r"\frac{fp}{tp+fp}", "false discovery rate"),
    _complement("for", "false omission rate", "npv", r"\frac{fn}{tn+fn}", "false omission rate"),
)  # fmt: skip

F1_SYNONYMS = (
    "f measure, f score, f, dice, dsc, dice coefficient, dice score, dice similarity coefficient, sorensen "
    "dice, f1 measure, balanced f score"
)
