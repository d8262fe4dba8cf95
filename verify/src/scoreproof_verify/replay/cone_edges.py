"""Matrices with a single answer, a single class or a single kind of error, where scores may be 0/0.

A proof about rates excludes every matrix on which all claimed scores are defined. Where 0/0 may count as zero, the
others must be excluded as well: built-in scores are 0/0 only where two or three of the four cells are 0. Scores depend
on the ratio x : y of the other two cells, as quotients of forms of degree at most two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from scoreproof_verify.statement import Claim, rule_of
from scoreproof_verify.texts import require

Span = tuple[Fraction, Fraction]
_FEW = 20_000  # matrices on an edge that are tried one by one
_POINTS = ((1, 1), (1, 2), (2, 1), (1, 0), (0, 1))


def require_closed(claims: Sequence[Claim], prevalences: Sequence[Span], total: tuple[int, int] | None) -> None:
    """``Rejected`` unless no matrix with two zero cells gives the claims with 0/0 counted as zero.

    Ranges of x : y are compared; of few cases every matrix is tried where these leave something.
    """
    few = total is not None and (total[1] - total[0] + 1) * total[1] <= _FEW
    for free in combinations(range(4), 2):
        error = _verification_error(claims, prevalences, free)
        if error and few and total is not None:
            for size in range(total[0], total[1] + 1):
                for x in range(size + 1):
                    cells = [x if k == free[0] else size - x if k == free[1] else 0 for k in range(4)]
                    require(not _fits(claims, prevalences, cells), "a matrix on which a score is 0/0 is not excluded")
        else:
            require(not error, error)
    for only in range(4):
        cells = [int(k == only) for k in range(4)]
        require(not _fits(claims, prevalences, cells), "a matrix on which a score is 0/0 is not excluded")


def _verification_error(claims: Sequence[Claim], prevalences: Sequence[Span], free: tuple[int, int]) -> str:
    """What ranges of x : y leave of an edge; empty if they close it."""
    if not _closed(claims, prevalences, free):
        return "a matrix on which a score is 0/0 is not excluded"
    recall = {(0, 2): "sens", (1, 3): "spec"}.get(free)
    if recall and any(claim.name == "bacc" for claim in claims):
        # scikit-learn's balanced accuracy of one class is that class's recall
        present = rule_of(recall, {})
        again = [replace(claim, rule=present) if claim.name == "bacc" else claim for claim in claims]
        if not _closed(again, prevalences, free, open_anyway=True):
            return "balanced accuracy of one class is not excluded"
    return ""


def _fits(claims: Sequence[Claim], prevalences: Sequence[Span], cells: Sequence[int]) -> bool:
    """Whether a matrix gives the claims, and one of its scores is 0/0."""
    placed = [_placed(claim, cells) for claim in claims]
    share = Fraction(cells[0] + cells[2], sum(cells))
    inside = all(place == 0 for place, _ in placed) and all(low <= share <= high for low, high in prevalences)
    return inside and any(hole for _, hole in placed)


def _ratio(claim: Claim, cells: Sequence[int]) -> tuple[int, int]:
    tp, fp, fn, tn = cells
    num, den = claim.rule.ratio(tp, tn, tp + fn, fp + tn)
    return num, den


def _placed(claim: Claim, cells: Sequence[int]) -> tuple[int, bool]:
    """Where a matrix puts a claim; balanced accuracy of one class may be that class's recall."""
    place, hole = _place(claim, cells)
    if claim.name == "bacc" and hole and place:
        recall = rule_of("sens" if cells[0] + cells[2] else "spec", {})
        return _place(replace(claim, rule=recall), cells)[0], True
    return place, hole


def _place(claim: Claim, cells: Sequence[int]) -> tuple[int, bool]:
    """-1, 0, 1 for below, in, above the claim, and whether that is a 0/0 counted as zero."""
    num, den = _ratio(claim, cells)
    hole = num == den == 0
    if den == 0:
        num, den = (0, 1) if hole else (1, 0)
    low, high = claim.rule.invert(claim.low), claim.rule.invert(claim.high)
    if den and num < low * den:
        return -1, hole
    return (1 if not den or num > high * den else 0), hole


def _closed(
    claims: Sequence[Claim], prevalences: Sequence[Span], free: tuple[int, int], *, open_anyway: bool = False
) -> bool:
    """Whether no ratio of two free cells gives all claims, or every score is defined for all of them."""

    def cells(x: int, y: int) -> list[int]:
        return [x if k == free[0] else y if k == free[1] else 0 for k in range(4)]

    least, most = Fraction(0), Fraction(1)  # of x / (x + y)
    holes = open_anyway
    for claim in claims:
        values = {point: _ratio(claim, cells(*point)) for point in _POINTS}
        inner = [values[point] for point in _POINTS[:3]]
        if all(value == (0, 0) for value in inner):
            holes = True
            if not claim.low <= 0 <= claim.high:
                return True
            continue
        low, high = claim.rule.invert(claim.low), claim.rule.invert(claim.high)
        if all(den == 0 for _, den in inner):
            return True  # infinite
        if any(den == 0 for _, den in inner):
            continue
        if len({Fraction(num, den) for num, den in inner}) == 1:
            if not low <= Fraction(*inner[0]) <= high:
                return True
            continue
        forms = _linear(values)
        if forms is None:
            continue  # says something, but nothing that is needed
        # low <= (a x + b y) / (c x + d y) <= high with x = s, y = 1 - s
        a, b, c, d = forms
        for bound, sign in ((low, 1), (high, -1)):
            slope, level = sign * (a - b - bound * (c - d)), sign * (b - bound * d)
            least, most = _half(slope, level, least, most)
    p = [int(free[0] in (0, 2)), int(free[1] in (0, 2))]
    for low, high in prevalences:
        for bound, sign in ((low, 1), (high, -1)):
            least, most = _half(Fraction(sign * (p[0] - p[1])), sign * (p[1] - bound), least, most)
    return not holes or least > most


def _linear(values: dict[tuple[int, int], tuple[int, int]]) -> tuple[int, int, int, int] | None:
    """a, b, c, d with the score (a x + b y) / (c x + d y), a common x or y cancelled; None if it is not so."""
    squares = []
    plain = True
    for part in (0, 1):
        a, b, both = (values[point][part] for point in ((1, 0), (0, 1), (1, 1)))
        at_12, at_21 = values[1, 2][part], values[2, 1][part]
        plain &= at_12 == a + 2 * b and at_21 == 2 * a + b and both == a + b
        cross = both - a - b
        squares.append((a, cross, b) if at_12 == a + 2 * cross + 4 * b and at_21 == 4 * a + 2 * cross + b else None)
    if plain:
        (a, c), (b, d) = values[1, 0], values[0, 1]
        return a, b, c, d
    num, den = squares
    if num is None or den is None:
        return None
    if num[2] == den[2] == 0:
        return num[0], num[1], den[0], den[1]
    if num[0] == den[0] == 0:
        return num[1], num[2], den[1], den[2]
    return None


def _half(slope: Fraction, level: Fraction, least: Fraction, most: Fraction) -> Span:
    """The part of [least, most] where slope * s + level >= 0."""
    if slope > 0:
        return max(least, -level / slope), most
    if slope < 0:
        return least, min(most, -level / slope)
    return (least, most) if level >= 0 else (Fraction(1), Fraction(0))
