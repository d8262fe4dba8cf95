"""Certificates that no parts have the reported means, whatever they are: by one inequality each.

Of every part the scores lie in [0, 1] (informedness in [-1, 1]); F = (1 + b) P R / (b P + R), J = D / (2 - D) with D =
F at b = 1, accuracy is between sensitivity and specificity. A mean over the parts, with whatever common weights, obeys

    P + R - 1 <= F <= (1 + b) PR / (bP + R)        the right side is concave, and F is 1 at (1, 1)
    P + R - 1 <= J <= min(P, R)                    S + T - 1 <= accuracy <= S + T
    D / (2 - D) <= J <= D                          the left side is convex
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from scoreproof_verify.documents import Document, known_keys, listed, read_deviations, variance_of
from scoreproof_verify.formulas import Rule, Rules
from scoreproof_verify.frame import Checker, Patience, Words
from scoreproof_verify.statement import Claim, claims
from scoreproof_verify.texts import Rejected, decimal, fraction, quoted, require

_MOST_PARTS = 10**9
_PLAIN = ("ppv", "sens", "npv", "spec", "acc", "ji")
_BOTH_CLASSES = ("bacc", "bm")
_SIDES = ("below", "above")
Bound = Callable[[Fraction, Fraction], Fraction]
#: What a relation to two other means gives: which they are, and its lower and its upper end from theirs.
_OF_TWO: dict[tuple[Any, str], tuple[tuple[str, str], Bound, Bound]] = {
    ("overlap", "ji"): (("ppv", "sens"), lambda x, y: x + y - 1, min),
    ("rates", "acc"): (("sens", "spec"), lambda x, y: x + y - 1, lambda x, y: x + y),
    ("rates", "bacc"): (("sens", "spec"), lambda x, y: (x + y) / 2, lambda x, y: (x + y) / 2),
    ("rates", "bm"): (("sens", "spec"), lambda x, y: x + y - 1, lambda x, y: x + y - 1),
}

Span = tuple[Fraction, Fraction]
_WHOLE: Span = (Fraction(0), Fraction(1))


class Means:
    """The statement once more: how many parts, and of every score the span of its mean."""

    def __init__(self, statement: Document, rules: Rules) -> None:
        tree = known_keys("the experiment", statement["experiment"], "type", "parts")
        require(tree.get("type") == "common_average", "the experiment is not a common average")
        self.parts = None if tree.get("parts") is None else tree.integer("parts", "the parts")
        require(self.parts is None or 1 <= self.parts <= _MOST_PARTS, "the number of parts is out of range")
        self.deviations, undefined = read_deviations(statement), statement["undefined"]
        require(undefined in ("any", "exclude"), "over unknown parts a 0/0 counts, or there is none")
        self.claims = {claim.name: claim for claim in claims(statement["scores"], rules)}
        for name, claim in self.claims.items():
            known = name in _PLAIN or bool(claim.rule.harmonic) or (name in _BOTH_CLASSES and undefined == "exclude")
            require(known, f"nothing is known about means of {name[:40]} over unknown parts")
        if self.deviations[0] != "ignore" and any(claim.spread is not None for claim in self.claims.values()):
            require(self.parts != 1, "one part has no deviation")
            enough = self.deviations[0] == "deviation" or self.parts is not None
            require(enough, "a standard error needs the number of parts")

    def claim(self, name: Any) -> Claim:
        require(isinstance(name, str) and name in self.claims, "the proof is about a score that is not claimed")
        return self.claims[name]

    def span(self, name: str) -> Span:
        """Where a mean lies; everywhere from 0 to 1 if it is not claimed."""
        claim = self.claims.get(name)
        if claim is None:
            return _WHOLE
        least = Fraction(claim.rule.least or 0)
        return max(claim.low, least), min(claim.high, Fraction(1))

    def variance(self, name: str) -> Span:
        return variance_of(self.claim(name), self.deviations, self.parts)


def check(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    means = Means(statement, rules)
    kind = proof.get("kind")
    target = means.claim(proof.get("score"))
    if kind == "range":
        proof.keep_to("kind", "score")
        require(target.low > 1 or target.high < (target.rule.least or 0), f"{target.name} may have such a mean")
        why = f"{target} is outside the range of the score"
    elif kind == "deviation":
        proof.keep_to("kind", "score")
        require((target.rule.least or 0) == 0, "the score may be negative")
        _refute_deviation(means.span(target.name), means.variance(target.name))
        why = f"values from 0 to 1 with a mean of {target} do not deviate as much as printed"
    else:
        side = proof.get("side")
        require(side in _SIDES, "the proof names no side")
        if kind == "bound":
            proof.keep_to("kind", "score", "relation", "side")
            end = _bound(means, target, proof.get("relation"), str(side))
        else:
            require(kind == "parabola", f"unknown kind of proof {quoted(kind)}")
            proof.keep_to("kind", "score", "side", "from", "touch", "coefficients")
            end = _parabola(means, target.name, proof, str(side))
        low, high = means.span(target.name)
        require(high < end if side == "below" else low > end, f"{target.name} may have such a mean")
        why = f"the mean of {target.name} is {'at least' if side == 'below' else 'at most'} {decimal(end)}"
    number = "parts" if means.parts is None else f"{means.parts} parts"
    reported = listed(means.claims.values())
    return lambda: f"Proved: no common average over the same {number}, whatever they are, gives {reported}: {why}."


def _refute_deviation(mean: Span, variance: Span) -> None:
    """With values from 0 to 1 squares are at most the values, so the variance is at most mean (1 - mean)."""
    half = Fraction(1, 2)
    most = half * half if mean[0] <= half <= mean[1] else max(end * (1 - end) for end in mean)
    require(variance[0] > most, "the deviation may be as large as this")


def _bound(means: Means, target: Claim, relation: Any, side: str) -> Fraction:
    """The end that a relation gives, on the side on which the claim is to lie outside of it."""
    name, lower = target.name, side == "below"
    if relation == "harmonic":
        return _harmonic(means, target, 0 if lower else 1)
    if relation == "curve":
        start = {"ji": "f1", "f1": "ji"}.get(name)
        require(start is not None and start in means.claims, "the relation is one of f1 and ji")
        mean = means.span(str(start))[0 if lower else 1]
        bent_inwards = (name == "ji") == lower  # the curve itself is the bound, by Jensen's inequality
        return _curve(name, mean) if bent_inwards else _at_corners(name, mean, means.parts)
    if isinstance(relation, str) and (relation, name) in _OF_TWO:
        pair, least, most = _OF_TWO[relation, name]
        ends = [means.span(score)[0 if lower else 1] for score in pair]
        return (least if lower else most)(*ends)
    if relation in ("balanced", "informed") and name in ("acc", "bm"):
        source = "bacc" if relation == "balanced" else "bm"
        require(source in means.claims and source != name, f"{source} is not claimed")
        end = means.span(source)[0 if lower else 1]
        total = 2 * end if source == "bacc" else end + 1  # sensitivity + specificity
        return total - 1 if lower or name == "bm" else total
    raise Rejected(f"unknown relation {quoted(relation)} of {name}")


def _harmonic(means: Means, target: Claim, side: int) -> Fraction:
    """The least mean of an F-score beside means of precision and recall, or (side 1) the F-score of these means."""
    require(bool(target.rule.harmonic), "the relation is one of F-scores")
    own = ("ppv", "sens") if target.rule.harmonic == "tp" else ("npv", "spec")
    precision, recall = (means.span(score)[side] for score in own)
    return _f(target.rule, precision, recall) if side else _least_f(target.rule, precision, recall, means.parts)


def _f(rule: Rule, precision: Fraction, recall: Fraction) -> Fraction:
    """The F-score of a part, read off its rule at tp = PR, fp = R - PR, fn = P - PR (0 true negatives)."""
    both = precision * recall
    if both == 0:
        return Fraction(0)
    if rule.harmonic == "tp":
        num, den = rule.ratio(both, Fraction(0), precision, recall - both)
    else:
        num, den = rule.ratio(Fraction(0), both, recall - both, precision)
    return Fraction(num) / Fraction(den)


def _least_f(rule: Rule, precision: Fraction, recall: Fraction, parts: int | None) -> Fraction:
    """What the mean F-score is never below."""
    if parts is None:
        return max(Fraction(0), precision + recall - 1)
    full_p, odd_p = divmod(precision * parts, 1)
    full_r, odd_r = divmod(recall * parts, 1)
    best: list[Fraction] = []
    for with_p in (0, 1, 2):  # beside the odd precision: recall 0, recall 1, the odd recall
        for with_r in (0, 1, 2):
            if (with_p == 2) != (with_r == 2):
                continue
            beside_p = odd_r if with_p == 2 else Fraction(with_p)
            total = _f(rule, odd_p, beside_p)
            used, left_p, left_r = 1, full_p, full_r - (with_p == 1)
            if with_p != 2:
                total += _f(rule, Fraction(with_r), odd_r)
                used, left_p = 2, full_p - (with_r == 1)
            room = parts - used
            # an odd value that is 0 takes no room of its own: it is one of the zeros
            room += (odd_p == 0 and with_p == 0) + (odd_r == 0 and with_r == 0 and with_p != 2)
            if 0 <= left_p <= room and 0 <= left_r <= room:
                both = left_p + left_r - room  # so many parts have no choice but to be (1, 1)
                best.append(total + both if both > 0 else total)
    require(bool(best), "the means are those of no parts")
    return min(best) / parts


def _curve(name: str, value: Fraction) -> Fraction:
    """The Jaccard index of a Dice coefficient, or the other way round."""
    return value / (2 - value) if name == "ji" else 2 * value / (1 + value)


def _at_corners(name: str, mean: Fraction, parts: int | None) -> Fraction:
    if parts is None:
        return mean
    whole, rest = divmod(mean * parts, 1)
    return (whole + _curve(name, rest)) / parts


def _parabola(means: Means, name: str, proof: Document, side: str) -> Fraction:
    """The bound of a parabola that lies on one side of the curve from 0 to 1."""
    start = proof.get("from")
    require((start, name) in (("f1", "ji"), ("ji", "f1")), "the parabola is not one of f1 and ji")
    given = proof.list_of("coefficients", 3, 3, "a parabola has three coefficients")
    a, b, c = (fraction(entry, "a coefficient") for entry in given)
    x = proof.fraction("touch", "where the parabola touches")
    # numerator - denominator q of the curve, as coefficients of 1, t, t^2, t^3; the denominator is positive
    gap = [-2 * a, 1 + a - 2 * b, b - 2 * c, c] if name == "ji" else [-a, 2 - a - b, -b - c, -c]
    k = gap[3]
    require(k >= 0, "the parabola is on the other side")
    if side == "below":
        require(gap == [0, k * x * x, -2 * k * x, k], "the parabola is not below the curve")
    else:
        require(gap == [-k * x * x, k * x * x + 2 * k * x, -k - 2 * k * x, k], "the parabola is not above the curve")
    (low, high), (least, most) = means.span(str(start)), means.variance(str(start))
    ends = []
    for spread in (least, most):
        places = [low, high]
        if c != 0 and low <= -b / (2 * c) <= high:
            places.append(-b / (2 * c))
        ends += [a + b * t + c * (t * t + spread) for t in places]
    return min(ends) if side == "below" else max(ends)


KINDS = {"common_average": Checker(frozenset({"experiment", "scores", "undefined", "spread", "divisor"}), check)}
