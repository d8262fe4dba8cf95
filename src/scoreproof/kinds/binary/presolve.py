"""Presolve (Savelsbergh 1994, doi:10.1287/ijoc.6.4.445) of one report: the line one rate names, the box two leave.

Sensitivity says tp, specificity tn, accuracy their sum: one count then runs free. Every bound on a score that is affine
over affine is a bound on that count, so the scores leave an interval; the matrix in its middle is tried. What the line
does not give is left to the engine. ``presolve_batch`` does the same for many reports at once.

The box of matrices that the printed rates leave, and the score that refutes it: the short proof of most slips.

Sensitivity bounds tp and specificity tn; with one of them the accuracy bounds the other. At usual sizes a handful of
matrices is left, and a score that was mistyped lies outside its interval on all of them, which the corners of the box
show, since scores are monotone. The proof is at most four trims and an exclusion. A box that no single score refutes is
left to the engine.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from scoreproof.kinds.binary.engine.rectangles import Step
from scoreproof.kinds.binary.scores import Shape
from scoreproof.kinds.binary.scores.score import RATIO
from scoreproof.reported import Claim

HALF_PLANES = (Shape.LINEAR, Shape.FRACTIONAL)  # the shapes whose bounds are straight


class RateLine(NamedTuple):
    """Matrices (tp, tn) = (start + k step) for k = 0, ..., length."""

    start: tuple[int, int]
    step: tuple[int, int]
    length: int

    def at(self, k: int) -> tuple[int, int]:
        return self.start[0] + k * self.step[0], self.start[1] + k * self.step[1]


def presolve_line(claims: tuple[Claim, ...], name: str, count: int, p: int, n: int) -> tuple[int, int] | None:
    """tp and tn in the middle of what is left of the line, which may or may not give every score.

    ``name`` is the rate of the line, ``count`` the right answers that it says.
    """
    line = _line(name, count, p, n)
    low, high = 0, line.length
    ends = line.at(0), line.at(1)
    for claim in claims:
        quantity: Any = claim.quantity
        if quantity.name in NAMING or quantity.shape not in HALF_PLANES:
            continue
        (num, den), (num_next, den_next) = (quantity.ratio(tp, n - tn, p - tp, tn) for tp, tn in ends)
        least, below, most, above = claim.ends
        for value, following in (
            (num * below - least * den, num_next * below - least * den_next),
            (most * den - num * above, most * den_next - num_next * above),
        ):  # not below zero where the claim holds
            slope = following - value
            if slope > 0:
                low = max(low, -(value // slope))
            elif slope < 0:
                high = min(high, value // -slope)
            elif value < 0:
                return None
        if low > high:
            return None
    return line.at((low + high) // 2) if low <= high else None


def _line(name: str, count: int, p: int, n: int) -> RateLine:
    if name == "sens":
        return RateLine((count, 0), (0, 1), n)
    if name == "spec":
        return RateLine((0, count), (1, 0), p)
    first = max(0, count - n)
    return RateLine((first, count - first), (1, -1), min(p, count) - first)


NAMING = ("sens", "spec", "acc")  # the scores that name a matrix
ALL, LOWER, UPPER = 0, 1, -1  # sides of a box that a refutation needs
_Rate = tuple[int, tuple[int, int, int, int]]  # its place among the claims, the ends of its interval


class BoxSide(NamedTuple):
    """The counts of right answers of one class that a rate allows, and which of the claims says so."""

    low: int
    high: int
    by: int


def presolve_box(claims: tuple[Claim, ...], p: int, n: int, filled: int | None) -> dict[str, Any] | None:
    """The proof that nothing fits; None if the box of the rates does not show it.

    ``filled`` is what a 0/0 counts as; None if it excludes its matrix.
    """
    if not (p and n):
        return None
    named = _rates(claims)
    if named is None:
        return None
    tp, tn = sides(*named, p, n)
    refuting = (0, ALL) if is_empty(tp, p) or is_empty(tn, n) else _refuting(claims, tp, tn, p, n, filled)
    return None if refuting is None else box_proof(tp, tn, *refuting, p, n, tn_first=named[0] is None)


def _rates(claims: tuple[Claim, ...]) -> tuple[_Rate | None, _Rate | None, _Rate | None] | None:
    """Sensitivity, specificity and accuracy; None if fewer than two of them are there."""
    printed: dict[str, _Rate] = {}
    for index, claim in enumerate(claims):
        name = claim.quantity.name
        if name in NAMING:
            printed[name] = index, claim.ends
    return None if len(printed) < 2 else tuple(map(printed.get, NAMING))  # type: ignore[return-value]


def sides(sens: _Rate | None, spec: _Rate | None, acc: _Rate | None, p: int, n: int) -> tuple[BoxSide, BoxSide]:
    """What two of the rates leave of tp and of tn."""
    if sens is not None and spec is not None:
        return _counted(sens, p), _counted(spec, n)
    assert acc is not None
    right = _counted(acc, p + n)
    if sens is not None:
        tp = _counted(sens, p)
        return tp, BoxSide(right.low - min(tp.high, p), right.high - max(tp.low, 0), right.by)
    assert spec is not None
    tn = _counted(spec, n)
    return BoxSide(right.low - min(tn.high, n), right.high - max(tn.low, 0), right.by), tn


def _counted(rate: _Rate, of: int) -> BoxSide:
    index, (low, below, high, above) = rate
    return BoxSide(-(-low * of // below), high * of // above, index)


def is_empty(side: BoxSide, of: int) -> bool:
    """Whether no count of so many cases is left."""
    return side.low > of or side.high < 0 or side.low > side.high


def _refuting(
    claims: tuple[Claim, ...], tp: BoxSide, tn: BoxSide, p: int, n: int, filled: int | None
) -> tuple[int, int] | None:
    """The first claim that no matrix of the box gives, by its corners, and which sides of the box that takes."""
    a, b, c, d = max(tp.low, 0), min(tp.high, p), max(tn.low, 0), min(tn.high, n)
    apart = "acc" not in (claims[tp.by].quantity.name, claims[tn.by].quantity.name)
    for index, claim in enumerate(claims):
        score: Any = claim.quantity
        if score.link is not RATIO:
            continue
        least, most = _place(score, claim, a, c, p, n), _place(score, claim, b, d, p, n)
        for sides_needed, outside, box in (
            (LOWER, least == 1 and apart, (a, p, c, n)),
            (UPPER, most == -1 and apart, (0, b, 0, d)),
            (ALL, least == 1 or most == -1, (a, b, c, d)),
        ):  # a 0/0 that counts as a number is not monotone
            if outside and (filled is None or _is_defined(score, box, p, n)):
                return index, sides_needed
        if least is None and a == b and c == d and (filled is None or not claim.low <= filled <= claim.high):
            return index, ALL
    return None


def _is_defined(score: Any, box: tuple[int, int, int, int], p: int, n: int) -> bool:
    """Whether a score is no 0/0 at the corners of a box."""
    a, b, c, d = box
    return all(any(score.ratio(tp, n - tn, p - tp, tn)) for tp in (a, b) for tn in (c, d))


def _place(score: Any, claim: Claim, tp: int, tn: int, p: int, n: int) -> int | None:
    """Whether a matrix is right too rarely for a claim (-1), too often (1), or neither; None where it is 0/0."""
    num, den = score.ratio(tp, n - tn, p - tp, tn)
    direction: int = score.direction
    if den == 0:
        return direction if num else None
    low, below, high, above = claim.ends
    if num * below < low * den:
        return -direction
    return direction if num * above > high * den else 0


def box_proof(
    tp: BoxSide, tn: BoxSide, refuting: int, needed: int, p: int, n: int, *, tn_first: bool
) -> dict[str, Any]:
    """The sides trimmed to the box, and the claim that refutes it; a side of which nothing is left ends it.

    A claim that needs more right answers than the box has is refuted below its upper sides, one that needs fewer above
    its lower sides: then the others are not trimmed (but where the accuracy bounds a side, it takes both of the other).

    What the accuracy says of one side holds within the other, which is trimmed first.
    """
    steps: list[Step] = []
    proof = {"kind": "rectangles", "steps": steps}
    order = (("tn", tn, n), ("tp", tp, p)) if tn_first else (("tp", tp, p), ("tn", tn, n))
    for axis, side, of in order:
        low, high, by = side
        if low > of or high < 0:
            steps.append(["out", by])
            return proof
        if low > 0 and (needed != UPPER or high < low):
            steps.append(["trim", axis, "below", low, by])
        if high < low:
            steps.append(["out", by])
            return proof
        if high < of and needed != LOWER:
            steps.append(["trim", axis, "above", high, by])
    steps.append(["out", refuting])
    return proof
