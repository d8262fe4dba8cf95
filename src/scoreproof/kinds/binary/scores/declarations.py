"""The scores themselves, as data.

The twenty scores of Fazekas and Kovács, "Testing the consistency of performance scores reported for binary
classification problems" (2024, doi:10.1016/j.asoc.2024.111993), Table 2, and the complements named there. The
ratios are written in the four cells; p = tp + fn and n = fp + tn.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from scoreproof.kinds.binary.scores.links import ROOT, THRESHOLD
from scoreproof.kinds.binary.scores.score import Score, Shape

_SURVEY = "Tharwat 2021, doi:10.1016/j.aci.2018.08.003"
_UNIT = (Fraction(0), Fraction(1))
_SIGNED = (Fraction(-1), Fraction(1))
_POSITIVE = (Fraction(0), None)
_LINEAR, _FRACTIONAL = Shape.LINEAR, Shape.FRACTIONAL


def _excess(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """tp * tn - fp * fn, which at fixed p and n is the affine n * tp + p * tn - n * p."""
    return tp * tn - fp * fn


def f_beta(beta: Fraction, *, negative: bool = False) -> Score:
    """The F-score of the positive (or negative) class that weighs recall ``beta`` times as much as precision."""
    u, v = (beta * beta).as_integer_ratio()
    name = f"f{_beta_text(beta)}{'n' if negative else ''}"
    if negative:
        return Score(
            name,
            f"F{_beta_text(beta)} of the negative class",
            lambda tp, fp, fn, tn: ((u + v) * tn, (u + v) * tn + u * fp + v * fn),
            r"\frac{(1+\beta^2)\,tn}{(1+\beta^2)\,tn+\beta^2 fp+fn}",
            "Redondo, Sbert & Ulloa 2020 (unified performance measure)",
            shape=_FRACTIONAL,
            beta=beta,
        )
    return Score(
        name,
        f"F{_beta_text(beta)} score",
        lambda tp, fp, fn, tn: ((u + v) * tp, (u + v) * tp + u * fn + v * fp),
        r"\frac{(1+\beta^2)\,tp}{(1+\beta^2)\,tp+\beta^2 fn+fp}",
        _SURVEY,
        shape=_FRACTIONAL,
        beta=beta,
    )


def _beta_text(beta: Fraction) -> str:
    """0.5 for 1/2, 2 for 2; a beta without a finite decimal keeps its fraction."""
    scale = 1
    while (beta * scale).denominator > 1 and scale < 10**6:
        scale *= 10
    if (beta * scale).denominator > 1:
        return f"{beta.numerator}/{beta.denominator}"
    digits = len(str(scale)) - 1
    return f"{float(beta):.{digits}f}" if digits else str(beta.numerator)


SCORES: tuple[Score, ...] = (
    Score(
        "acc",
        "accuracy",
        lambda tp, fp, fn, tn: (tp + tn, tp + fp + fn + tn),
        r"\frac{tp+tn}{p+n}",
        _SURVEY,
        (
            "accuracy",
            "overall accuracy",
            "classification accuracy",
            "correct classification rate",
            "ccr",
            "oa",
            "accuracy score",
            "fraction correct",
            "proportion correct",
            "rand accuracy",
        ),
        shape=_LINEAR,
    ),
    Score(
        "sens",
        "sensitivity",
        lambda tp, fp, fn, tn: (tp, tp + fn),
        r"\frac{tp}{p}",
        _SURVEY,
        (
            "sensitivity",
            "recall",
            "true positive rate",
            "tpr",
            "hit rate",
            "sen",
            "se",
            "sn",
            "rec",
            "pod",
            "probability of detection",
            "detection rate",
            "recall score",
        ),
        shape=_LINEAR,
    ),
    Score(
        "spec",
        "specificity",
        lambda tp, fp, fn, tn: (tn, fp + tn),
        r"\frac{tn}{n}",
        _SURVEY,
        ("specificity", "true negative rate", "tnr", "selectivity", "spe", "sp", "spc", "inverse recall"),
        shape=_LINEAR,
    ),
    Score(
        "ppv",
        "positive predictive value",
        lambda tp, fp, fn, tn: (tp, tp + fp),
        r"\frac{tp}{tp+fp}",
        _SURVEY,
        ("positive predictive value", "precision", "prec", "pre", "positive predictivity", "precision score"),
        shape=_FRACTIONAL,
    ),
    Score(
        "npv",
        "negative predictive value",
        lambda tp, fp, fn, tn: (tn, tn + fn),
        r"\frac{tn}{tn+fn}",
        _SURVEY,
        ("negative predictive value", "negative predictivity", "inverse precision"),
        shape=_FRACTIONAL,
    ),
    Score(
        "upm",
        "unified performance measure",
        lambda tp, fp, fn, tn: (4 * tp * tn, 4 * tp * tn + (tp + tn) * (fp + fn)),
        r"\frac{4\,tp\,tn}{4\,tp\,tn+(tp+tn)(fp+fn)}",
        "Redondo, Sbert & Ulloa 2020 (unified performance measure)",
        ("unified performance measure", "p4", "p4 metric", "p4 score"),
    ),
    Score(
        "gm",
        "geometric mean",
        lambda tp, fp, fn, tn: (tp * tn, (tp + fn) * (fp + tn)),
        r"\sqrt{\frac{tp\,tn}{p\,n}}",
        _SURVEY,
        ("geometric mean", "g-mean", "gmean", "geometric mean score", "g mean"),
        link=ROOT,
    ),
    Score(
        "fm",
        "Fowlkes-Mallows index",
        lambda tp, fp, fn, tn: (tp * tp, (tp + fn) * (tp + fp)),
        r"\frac{tp}{\sqrt{p\,(tp+fp)}}",
        "Fowlkes & Mallows 1983, doi:10.1080/01621459.1983.10478008",
        ("fowlkes-mallows index", "fowlkes-mallows", "fmi", "fowlkes mallows score"),
        link=ROOT,
    ),
    Score(
        "mk",
        "markedness",
        lambda tp, fp, fn, tn: (_excess(tp, fp, fn, tn), (tp + fp) * (tn + fn)),
        r"\frac{tp}{tp+fp}+\frac{tn}{tn+fn}-1",
        "Powers 2011, arXiv:2010.16061",
        ("markedness", "delta p", "deltap"),
        range=_SIGNED,
    ),
    Score(
        "bm",
        "bookmaker informedness",
        lambda tp, fp, fn, tn: (_excess(tp, fp, fn, tn), (tp + fn) * (fp + tn)),
        r"\frac{tp}{p}+\frac{tn}{n}-1",
        "Powers 2011, arXiv:2010.16061",
        (
            "bookmaker informedness",
            "informedness",
            "bookmaker",
            "youden",
            "youden j",
            "youden index",
            "youdens j",
            "youdens index",
            "youdens j statistic",
            "true skill statistic",
            "tss",
            "peirce skill score",
            "hanssen kuipers",
        ),
        shape=_LINEAR,
        range=_SIGNED,
    ),
    Score(
        "mcc",
        "Matthews correlation coefficient",
        lambda tp, fp, fn, tn: (
            _excess(tp, fp, fn, tn) * abs(_excess(tp, fp, fn, tn)),
            (tp + fn) * (fp + tn) * (tp + fp) * (tn + fn),
        ),
        r"\frac{tp\,tn-fp\,fn}{\sqrt{p\,n\,(tp+fp)(tn+fn)}}",
        "Matthews 1975, doi:10.1016/0005-2795(75)90109-9",
        (
            "matthews correlation coefficient",
            "matthews correlation",
            "matthews",
            "matthews corrcoef",
            "phi",
            "phi coefficient",
            "mean square contingency coefficient",
        ),
        link=ROOT,
        range=_SIGNED,
    ),
    Score(
        "lrp",
        "positive likelihood ratio",
        lambda tp, fp, fn, tn: (tp * (fp + tn), (tp + fn) * fp),
        r"\frac{tp/p}{fp/n}",
        _SURVEY,
        ("positive likelihood ratio", "plr", "lr+", "lrplus", "likelihood ratio positive", "dlr+"),
        shape=_FRACTIONAL,
        range=_POSITIVE,
    ),
    Score(
        "lrn",
        "negative likelihood ratio",
        lambda tp, fp, fn, tn: (fn * (fp + tn), (tp + fn) * tn),
        r"\frac{fn/p}{tn/n}",
        _SURVEY,
        ("negative likelihood ratio", "nlr", "lr-", "lrminus", "likelihood ratio negative", "dlr-"),
        direction=-1,
        shape=_FRACTIONAL,
        range=_POSITIVE,
    ),
    Score(
        "pt",
        "prevalence threshold",
        lambda tp, fp, fn, tn: (fp * (tp + fn), fp * (tp + fn) + tp * (fp + tn)),
        r"\frac{\sqrt{fp/n}}{\sqrt{tp/p}+\sqrt{fp/n}}",
        "Balayla 2020, doi:10.1371/journal.pone.0240215",
        ("prevalence threshold",),
        link=THRESHOLD,
        direction=-1,
        shape=_FRACTIONAL,
    ),
    Score(
        "dor",
        "diagnostic odds ratio",
        lambda tp, fp, fn, tn: (tp * tn, fp * fn),
        r"\frac{tp\,tn}{fp\,fn}",
        "Glas et al. 2003, doi:10.1016/S0895-4356(03)00177-X",
        ("diagnostic odds ratio", "odds ratio"),
        range=_POSITIVE,
    ),
    Score(
        "ji",
        "Jaccard index",
        lambda tp, fp, fn, tn: (tp, tp + fp + fn),
        r"\frac{tp}{tp+fp+fn}",
        _SURVEY,
        (
            "jaccard index",
            "jaccard",
            "jaccard score",
            "jaccard coefficient",
            "jaccard similarity",
            "iou",
            "intersection over union",
            "threat score",
            "ts",
            "csi",
            "critical success index",
            "ratio of verification",
            "tanimoto",
            "tanimoto coefficient",
        ),
        shape=_FRACTIONAL,
    ),
    Score(
        "bacc",
        "balanced accuracy",
        lambda tp, fp, fn, tn: (tp * (fp + tn) + tn * (tp + fn), 2 * (tp + fn) * (fp + tn)),
        r"\frac12\left(\frac{tp}{p}+\frac{tn}{n}\right)",
        _SURVEY,
        (
            "balanced accuracy",
            "bac",
            "ba",
            "bcr",
            "balanced classification rate",
            "balanced acc",
            "balanced accuracy score",
        ),
        shape=_LINEAR,
    ),
    Score(
        "kappa",
        "Cohen's kappa",
        lambda tp, fp, fn, tn: (
            2 * _excess(tp, fp, fn, tn),
            (tp + fp) * (fp + tn) + (tp + fn) * (tn + fn),
        ),
        r"\frac{2(tp\,tn-fp\,fn)}{(tp+fp)\,n+p\,(tn+fn)}",
        "Cohen 1960, doi:10.1177/001316446002000104",
        (
            "cohens kappa",
            "cohen kappa",
            "kappa score",
            "kappa coefficient",
            "kappa statistic",
            "cohen kappa score",
            "heidke skill score",
            "hss",
        ),
        shape=_FRACTIONAL,
        range=_SIGNED,
    ),
    Score(
        "err",
        "error rate",
        lambda tp, fp, fn, tn: (fp + fn, tp + fp + fn + tn),
        r"\frac{fp+fn}{p+n}",
        _SURVEY,
        (
            "error rate",
            "error",
            "misclassification rate",
            "classification error",
            "zero one loss",
            "inaccuracy",
        ),
        direction=-1,
        shape=_LINEAR,
        complement="acc",
    ),
    Score(
        "fnr",
        "false negative rate",
        lambda tp, fp, fn, tn: (fn, tp + fn),
        r"\frac{fn}{p}",
        _SURVEY,
        ("false negative rate", "miss rate", "type ii error rate"),
        direction=-1,
        shape=_LINEAR,
        complement="sens",
    ),
    Score(
        "fpr",
        "false positive rate",
        lambda tp, fp, fn, tn: (fp, fp + tn),
        r"\frac{fp}{n}",
        _SURVEY,
        ("false positive rate", "fall-out", "fallout", "probability of false detection", "type i error rate"),
        direction=-1,
        shape=_LINEAR,
        complement="spec",
    ),
    Score(
        "fdr",
        "false discovery rate",
        lambda tp, fp, fn, tn: (fp, tp + fp),
        r"\frac{fp}{tp+fp}",
        _SURVEY,
        ("false discovery rate",),
        direction=-1,
        shape=_FRACTIONAL,
        complement="ppv",
    ),
    Score(
        "for",
        "false omission rate",
        lambda tp, fp, fn, tn: (fn, tn + fn),
        r"\frac{fn}{tn+fn}",
        _SURVEY,
        ("false omission rate",),
        direction=-1,
        shape=_FRACTIONAL,
        complement="npv",
    ),
)

F1_SYNONYMS = (
    "f measure",
    "f score",
    "f",
    "dice",
    "dsc",
    "dice coefficient",
    "dice score",
    "dice similarity coefficient",
    "sorensen dice",
    "f1 measure",
    "balanced f score",
)
