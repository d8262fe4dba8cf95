"""Scores averaged over both classes (Fazekas and Kovács 2024, doi:10.1016/j.asoc.2024.111993, section 5.3).

A paper may call "sensitivity" what its software averaged over the classes: weighted by class size this is the
accuracy, unweighted it is the balanced accuracy, and counted together (micro) every score is the accuracy. The
weighted kind was met in the literature on skin lesions. Each class is taken as the positive one in turn; all of these
averages grow with tp and tn, so the engines take them like any other score.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from scoreproof.kinds.binary.scores import Score, score
from scoreproof.kinds.binary.scores.score import ByClass, Ratio
from scoreproof.reported import Claim, report

Cells = tuple[Any, Any]


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


def _macro_precision(tp: Any, fp: Any, fn: Any, tn: Any) -> Cells:
    positive, negative = tp + fp, tn + fn
    return tp * negative + tn * positive, 2 * positive * negative


def _macro_f1(tp: Any, fp: Any, fn: Any, tn: Any) -> Cells:
    wrong = fp + fn
    a, b = 2 * tp + wrong, 2 * tn + wrong
    return tp * b + tn * a, a * b


def _classwise(name: str) -> ByClass:
    """The predictive values of both classes with their weights; by class size npv is weighted by the other class's."""

    def by_class(tp: int, fp: int, fn: int, tn: int) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
        p, n = {"weighted ppv": (tp + fn, fp + tn), "weighted npv": (fp + tn, tp + fn)}.get(name, (1, 1))
        return (tp, tp + fp, p), (tn, tn + fn, n)

    return by_class


# What a score becomes when averaged over both classes: a known score, or a formula of its own.
_KINDS: dict[str, dict[str, str | Ratio]] = {
    "weighted": {
        "sens": "acc",
        "spec": _weighted_specificity,
        "ppv": _weighted_precision,
        "npv": _weighted_npv,
        "f1": _weighted_f1,
    },
    "macro": {
        "sens": "bacc",
        "spec": "bacc",
        "ppv": _macro_precision,
        "npv": _macro_precision,
        "f1": _macro_f1,
    },
    "micro": dict.fromkeys(("sens", "spec", "ppv", "npv", "f1"), "acc"),
}


def averaged(reported: Sequence[Claim], kind: str, names: Sequence[str] = ()) -> tuple[Claim, ...] | None:
    """The report with its class-wise scores, or those of some names, taken as averages over both classes.

    What is then one score is merged, to the interval all its texts allow; None if they allow none.

    >>> from scoreproof.reported import read_scores
    >>> [str(one) for one in averaged(read_scores({"acc": "0.81", "recall": "0.82", "spec": "0.7"}), "weighted")]
    ['acc = 0.815', 'spec = 0.7']
    """
    formulas = _KINDS[kind]
    read: dict[str, Claim] = {}
    for claim in reported:
        formula = None if names and claim.score.name not in names else formulas.get(claim.score.name)
        taken = claim
        if isinstance(formula, str):
            taken = replace(claim, quantity=score(formula))
        elif formula is not None:
            taken = replace(claim, quantity=_own(kind, claim.score, formula))
        known = read.get(taken.score.name)
        merged = taken if known is None else _merged(known, taken)
        if merged is None:
            return None
        read[taken.score.name] = merged
    return tuple(read.values())


def concerns(reported: Sequence[Claim]) -> bool:
    """Whether a report has scores of one class, which may have been averaged over both."""
    return any(claim.score.name in _KINDS["weighted"] for claim in reported)


def _merged(first: Claim, other: Claim) -> Claim | None:
    """Two texts of one score as the interval both allow, written as its middle and half its width."""
    low, high = max(first.low, other.low), min(first.high, other.high)
    if low > high:
        return None
    digits = max(first.number.digits, other.number.digits) + 2
    scale = 10**digits
    units, rest = divmod((low + high) / 2 * scale, 1)
    # An odd eps may put the middle between two decimals: then a little more than the interval is allowed.
    margin = (high - low) / 2 + (Fraction(1, scale) if rest else 0)
    whole, decimals = divmod(int(units), scale)
    text = f"{whole}.{decimals:0{digits}d}".rstrip("0").rstrip(".")
    return replace(report(first.score, text, eps=margin), name=first.name, spread=first.spread or other.spread)


def _own(kind: str, of: Score, ratio: Ratio) -> Score:
    name = f"{kind} {of.name}"
    predictive = _classwise(name) if of.name in ("ppv", "npv") else None
    title = f"{kind} average of {of.title} over both classes"
    return Score(name, title, ratio=ratio, builtin=False, by_class=predictive)
