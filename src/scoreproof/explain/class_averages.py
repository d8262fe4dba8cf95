"""Scores averaged over both classes, each taken as the positive one in turn.

A paper may call "sensitivity" what its software averaged over the classes: weighted by class size this is the
accuracy, unweighted it is the balanced accuracy, and counted together (micro) every score is the accuracy. Fazekas
and Kovács (2024, doi:10.1016/j.asoc.2024.111993, section 5.3) met the weighted kind in the literature on skin
lesions. All of these grow with tp and tn, so the engines take them like any other score.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from scoreproof.reported import Reported
from scoreproof.scores import Score

Cells = tuple[Any, Any]


def _weighted_recall(tp: Any, fp: Any, fn: Any, tn: Any) -> Cells:
    return tp + tn, tp + fp + fn + tn


def _weighted_specificity(tp: Any, fp: Any, fn: Any, tn: Any) -> Cells:
    p, n = tp + fn, fp + tn
    return p * p * tn + n * n * tp, p * n * (p + n)


def _weighted_precision(tp: Any, fp: Any, fn: Any, tn: Any) -> Cells:
    p, n, positive, negative = tp + fn, fp + tn, tp + fp, tn + fn
    return p * tp * negative + n * tn * positive, positive * negative * (p + n)


def _weighted_npv(tp: Any, fp: Any, fn: Any, tn: Any) -> Cells:
    p, n, positive, negative = tp + fn, fp + tn, tp + fp, tn + fn
    return n * tp * negative + p * tn * positive, positive * negative * (p + n)


def _weighted_f1(tp: Any, fp: Any, fn: Any, tn: Any) -> Cells:
    p, n, wrong = tp + fn, fp + tn, fp + fn
    a, b = 2 * tp + wrong, 2 * tn + wrong
    return 2 * p * tp * b + 2 * n * tn * a, a * b * (p + n)


def _macro_recall(tp: Any, fp: Any, fn: Any, tn: Any) -> Cells:
    p, n = tp + fn, fp + tn
    return tp * n + tn * p, 2 * p * n


def _macro_precision(tp: Any, fp: Any, fn: Any, tn: Any) -> Cells:
    positive, negative = tp + fp, tn + fn
    return tp * negative + tn * positive, 2 * positive * negative


def _macro_f1(tp: Any, fp: Any, fn: Any, tn: Any) -> Cells:
    wrong = fp + fn
    a, b = 2 * tp + wrong, 2 * tn + wrong
    return tp * b + tn * a, a * b


_KINDS = {
    "weighted": {
        "sens": _weighted_recall,
        "spec": _weighted_specificity,
        "ppv": _weighted_precision,
        "npv": _weighted_npv,
        "f1": _weighted_f1,
    },
    "macro": {
        "sens": _macro_recall,
        "spec": _macro_recall,
        "ppv": _macro_precision,
        "npv": _macro_precision,
        "f1": _macro_f1,
    },
    "micro": dict.fromkeys(("sens", "spec", "ppv", "npv", "f1"), _weighted_recall),
}
KINDS = tuple(_KINDS)


def averaged(reported: Sequence[Reported], kind: str) -> tuple[Reported, ...] | None:
    """The report with its class-wise scores taken as averages over both classes; None if it has none.

    >>> from scoreproof.reported import read_scores
    >>> [one.score.name for one in averaged(read_scores({"acc": "0.81", "recall": "0.81"}), "weighted")]
    ['acc', 'weighted sens']
    """
    formulas = _KINDS[kind]
    if not any(one.score.name in formulas for one in reported):
        return None
    return tuple(
        replace(one, score=_score(kind, one.score, formulas[one.score.name])) if one.score.name in formulas else one
        for one in reported
    )


def _score(kind: str, of: Score, ratio: Any) -> Score:
    return Score(f"{kind} {of.name}", f"{kind} average of {of.title} over both classes", ratio, builtin=False)
