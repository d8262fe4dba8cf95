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
from functools import cache
from typing import Any

from scoreproof.kinds.binary.scores import Score, score
from scoreproof.reported import Claim, report

NAMES = ("sens", "spec", "ppv", "npv", "f1")  # the scores of one class
# What some become when averaged over both classes; the others have formulas of their own.
_KNOWN = {
    "weighted": {"sens": "acc"},
    "macro": {"sens": "bacc", "spec": "bacc"},
    "micro": dict.fromkeys(NAMES, "acc"),
}


@cache
def over_classes(kind: str, name: str) -> Score:
    """What a score becomes when averaged over both classes.

    >>> over_classes("weighted", "sens").name, over_classes("macro", "f1").text(8, 10, 2, 10, digits=4)
    ('acc', '0.5982')
    """
    if name in _KNOWN[kind]:
        return score(_KNOWN[kind][name])
    of = score(name)

    def by_class(tp: Any, fp: Any, fn: Any, tn: Any) -> tuple[tuple[Any, Any, Any], tuple[Any, Any, Any]]:
        p, n = (tp + fn, fp + tn) if kind == "weighted" else (1, 1)
        return (*of.ratio(tp, fp, fn, tn), p), (*of.ratio(tn, fn, fp, tp), n)

    def ratio(tp: Any, fp: Any, fn: Any, tn: Any) -> tuple[Any, Any]:
        (a, b, p), (c, d, n) = by_class(tp, fp, fn, tn)
        return p * a * d + n * c * b, b * d * (p + n)

    title = f"{kind} average of {of.title} over both classes"
    predictive = by_class if name in ("ppv", "npv") else None  # of a class that is never predicted it is 0/0
    return Score(f"{kind} {name}", title, ratio=ratio, builtin=False, by_class=predictive)


def averaged(reported: Sequence[Claim], kind: str, names: Sequence[str] = ()) -> tuple[Claim, ...] | None:
    """The report with its class-wise scores, or those of some names, taken as averages over both classes.

    What is then one score is merged, to the interval all its texts allow; None if they allow none.

    >>> from scoreproof.reported import read_scores
    >>> [str(claim) for claim in averaged(read_scores({"acc": "0.81", "recall": "0.82", "spec": "0.7"}), "weighted")]
    ['acc = 0.815', 'spec = 0.7']
    """
    read: dict[str, Claim] = {}
    for claim in reported:
        taken = claim
        if claim.score.name in (names or NAMES):
            taken = replace(claim, quantity=over_classes(kind, claim.score.name))
        known = read.get(taken.score.name)
        merged = taken if known is None else _merged(known, taken)
        if merged is None:
            return None
        read[taken.score.name] = merged
    return tuple(read.values())


def concerns(reported: Sequence[Claim]) -> bool:
    """Whether a report has scores of one class, which may have been averaged over both."""
    return any(claim.score.name in NAMES for claim in reported)


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
