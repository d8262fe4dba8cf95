"""Check a vector of multipliers against sets too large to list their points.

For each set the largest value of y . scores over all (tp, tn) is bounded by halving rectangles: every score is
monotone, so on a rectangle each term is at most its value at one of two opposite corners, rounded outwards. If the
weighted sum of these bounds falls short of what the claimed means require, nothing fits.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoreproof.verdict.verifier.averages import Demands
from scoreproof.verdict.verifier.formulas import SIGNED, Rule
from scoreproof.verdict.verifier.statement import Claim, integer, require

Ints = NDArray[np.int64]
_BITS = 36
_MOST_BOXES = 6_000_000
_SIGNED_SCORES = ("bm", "mk", "mcc", "kappa")
_UNBOUNDED = ("lrp", "lrn", "dor")


def refute(demands: Demands, proof: Any) -> int:
    """Raises ``Rejected`` unless the multipliers refute the demands; the number of rectangles looked at."""
    require(
        not demands.families and not demands.limits and not demands.variances, "multipliers alone do not say all here"
    )
    require(not demands.minima and not demands.maxima, "multipliers alone do not say all here")
    given = proof.get("multipliers")
    require(isinstance(given, list) and len(given) == len(demands.means), "multipliers are malformed")
    y = [integer(v, "a multiplier") for v in given]
    require(sum(map(abs, y)) < 1 << 25, "multipliers are too large for 64 bits")
    terms = [(v, claim) for v, claim in zip(y, demands.means, strict=True) if v]
    for _, claim in terms:
        require(claim.name not in _UNBOUNDED and claim.rule.border != "registered", f"{claim.name} has no finite range")
    need = sum((v * (claim.low if v > 0 else claim.high) for v, claim in terms), Fraction(0)) * (1 << _BITS)
    kinds: dict[tuple[int, int], Fraction] = {}
    for one in demands.sets:
        require(max(one.p, one.n) < 1 << 26, "a set is too large for exact floats")
        kinds[one.p, one.n] = kinds.get((one.p, one.n), Fraction(0)) + one.weight
    best = {kind: _descend(terms, *kind) for kind in kinds}
    slack = need - sum(kinds[kind] * value for kind, value in best.items())
    require(slack > 0, "the multipliers do not refute the report")
    looked = 0
    total = Fraction(0)
    for kind, weight in kinds.items():
        gap = ceil(slack * Fraction(999, 1000) / len(kinds) / weight) - 1
        bound, boxes = _bound(terms, *kind, best[kind] + gap)
        total += weight * bound
        looked += boxes
    require(total < need, "the multipliers do not refute the report")
    return looked


def _corner(terms: list[tuple[int, Claim]], p: int, n: int, low: tuple[Ints, Ints], high: tuple[Ints, Ints]) -> Ints:
    """An upper bound of y . scores on rectangles given by their lowest and highest cells, times 2**36."""
    total = np.zeros(len(low[0]), dtype=np.int64)
    for v, claim in terms:
        rises = claim.rule.direction > 0
        at = high if (v > 0) == rises else low
        total += v * _rounded(claim, p, n, *at, up=v > 0)
    return total


def _rounded(claim: Claim, p: int, n: int, tp: Ints, tn: Ints, *, up: bool) -> Ints:
    """A score's value times 2**36, rounded up or down; its range's end where it is undefined."""
    rule: Rule = claim.rule
    w, _, den = rule.values(tp.astype(np.float64), tn.astype(np.float64), float(p), float(n))
    least = -1.0 if claim.name in _SIGNED_SCORES or rule.border == SIGNED else 0.0
    w = np.where(den == 0, 1.0 if up else least, w)
    scaled = np.ldexp(w, _BITS)
    return (np.ceil(scaled + 1 / 16) if up else np.floor(scaled - 1 / 16)).astype(np.int64)


def _halve(p: int, n: int, boxes: Ints) -> Ints:
    """Each rectangle in two along its relatively longer side."""
    a, b, c, d = boxes
    by_tp = ((b - a).astype(np.float64) / max(p, 1) >= (d - c).astype(np.float64) / max(n, 1)) & (b > a) | (d == c)
    mid_tp, mid_tn = (a + b) // 2, (c + d) // 2
    first = np.stack([a, np.where(by_tp, mid_tp, b), c, np.where(by_tp, d, mid_tn)])
    second = np.stack([np.where(by_tp, mid_tp + 1, a), b, np.where(by_tp, c, mid_tn + 1), d])
    return np.concatenate([first, second], axis=1)


def _start(p: int, n: int) -> Ints:
    return np.array([[0], [p], [0], [n]], dtype=np.int64)


def _descend(terms: list[tuple[int, Claim]], p: int, n: int) -> int:
    """A value that y . scores may come near somewhere, found by following the best rectangles down."""
    boxes = _start(p, n)
    best = None
    while boxes.shape[1]:
        a, b, c, d = boxes
        middle = ((a + b) // 2, (c + d) // 2)
        value = int(_corner(terms, p, n, middle, middle).max())
        best = value if best is None else max(best, value)
        bound = _corner(terms, p, n, (a, c), (b, d))
        keep = np.argsort(-bound)[:256]
        boxes = boxes[:, keep]
        boxes = boxes[:, (boxes[0] < boxes[1]) | (boxes[2] < boxes[3])]
        if boxes.shape[1]:
            boxes = _halve(p, n, boxes)
    assert best is not None
    return best


def _bound(terms: list[tuple[int, Claim]], p: int, n: int, enough: int) -> tuple[int, int]:
    """An upper bound of y . scores on all cells, refined until it is at most ``enough`` or cells are reached."""
    boxes = _start(p, n)
    bound = None
    looked = 0
    while boxes.shape[1]:
        looked += boxes.shape[1]
        require(looked <= _MOST_BOXES, "bounding a set takes too many rectangles")
        a, b, c, d = boxes
        value = _corner(terms, p, n, (a, c), (b, d))
        done = (value <= enough) | ((a == b) & (c == d))
        if done.any():
            top = int(value[done].max())
            bound = top if bound is None else max(bound, top)
        boxes = boxes[:, ~done]
        if boxes.shape[1]:
            boxes = _halve(p, n, boxes)
    assert bound is not None
    return bound, looked
