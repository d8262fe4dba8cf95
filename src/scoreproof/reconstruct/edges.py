"""Matrices on which scores may be 0/0: a single answer, a single class, a single kind of error.

Bounds on rates are about matrices on which every reported score is defined. The others have two or three zero cells;
on them a score depends on the share of one of the two cells that are left, and where a 0/0 counts as zero they may
give the report as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

from scoreproof.reported import Reported
from scoreproof.scores import ConfusionMatrix

Span = tuple[Fraction, Fraction]
_WHOLE: Span = (Fraction(0), Fraction(1))


def open_edges(reported: tuple[Reported, ...], prevalence: Span | None) -> list[tuple[tuple[int, int], Span]]:
    """Pairs of cells, and the shares of the first, on which the report is not excluded with 0/0 counted as zero.

    Empty if every such matrix is excluded. What a score says is used if it is constant or a quotient of linear forms
    along the edge; an edge on which all scores are defined is left to the bounds on rates.
    """
    found = []
    for cells in combinations(range(4), 2):
        span = _shares(reported, prevalence, cells)
        if span is not None and span[0] <= span[1]:
            found.append((cells, span))
    return found


def edge_witnesses(
    reported: tuple[Reported, ...], prevalence: Span | None, total: tuple[int, int] | None
) -> Iterator[ConfusionMatrix]:
    """Matrices on open edges that give the report, 0/0 counted as zero: with these totals, or of any size."""
    for (first, second), (low, high) in open_edges(reported, prevalence):
        for size in _sizes(total, low, high):
            for share in {-(-low * size // 1), (low + high) * size // 2, high * size // 1}:
                cells = [0, 0, 0, 0]
                cells[first], cells[second] = int(share), size - int(share)
                matrix = ConfusionMatrix(*cells)
                if min(cells) >= 0 and _gives(reported, prevalence, matrix):
                    yield matrix


def _sizes(total: tuple[int, int] | None, low: Fraction, high: Fraction) -> list[int]:
    if total is not None:
        return sorted({total[0], (total[0] + total[1]) // 2, total[1]})
    middle = ((low + high) / 2).limit_denominator(10**6)
    return sorted({low.denominator, high.denominator, middle.denominator, 1000})


def _gives(reported: tuple[Reported, ...], prevalence: Span | None, matrix: ConfusionMatrix) -> bool:
    share = Fraction(matrix.p, matrix.p + matrix.n)
    if prevalence is not None and not prevalence[0] <= share <= prevalence[1]:
        return False
    for claim in reported:
        below, above = (claim.score.compare(*matrix.cells, end) for end in (claim.low, claim.high))
        if below is None or above is None:
            if claim.score.ratio(*matrix.cells)[0] or not claim.low <= 0 <= claim.high:
                return False
        elif below < 0 or above > 0:
            return False
    return True


def _shares(reported: tuple[Reported, ...], prevalence: Span | None, cells: tuple[int, int]) -> Span | None:
    """The shares of the first of two cells that nothing excludes; None if no score is 0/0 anywhere on the edge."""

    def matrix(x: int, y: int) -> list[int]:
        values = [0, 0, 0, 0]
        values[cells[0]], values[cells[1]] = x, y
        return values

    low, high = _WHOLE
    holes = False
    for claim in reported:
        ratio = claim.score.ratio
        ends = ratio(*matrix(1, 0)), ratio(*matrix(0, 1))
        inside = ratio(*matrix(1, 1)), ratio(*matrix(1, 2)), ratio(*matrix(2, 1))
        holes = holes or (0, 0) in ends or (0, 0) in inside
        least, most = claim.score.link.inverse(claim.low), claim.score.link.inverse(claim.high)
        if all(pair == (0, 0) for pair in inside):
            if not claim.low <= 0 <= claim.high:
                return Fraction(1), Fraction(0)
        elif any(den == 0 for _, den in inside):
            if all(den == 0 for _, den in inside):
                return Fraction(1), Fraction(0)
        elif len({Fraction(*pair) for pair in inside}) == 1:
            if least <= Fraction(*inside[0]) <= most:
                continue
            # constant inside, and not as reported: what is left are ends of the edge where it is 0/0
            at = [Fraction(1)] * (ends[0] == (0, 0)) + [Fraction(0)] * (ends[1] == (0, 0))
            if not at or not claim.low <= 0 <= claim.high:
                return Fraction(1), Fraction(0)
            low, high = max(low, min(at)), min(high, max(at))
        elif all(inside[1][k] == ends[0][k] + 2 * ends[1][k] and inside[2][k] == 2 * ends[0][k] + ends[1][k] for k in (0, 1)):
            (a, c), (b, d) = ends
            for bound, sign in ((least, 1), (most, -1)):
                low, high = _half(sign * (a - b - bound * (c - d)), sign * (b - bound * d), low, high)
    if prevalence is not None:
        p, q = int(cells[0] in (0, 2)), int(cells[1] in (0, 2))
        for bound, sign in ((prevalence[0], 1), (prevalence[1], -1)):
            low, high = _half(Fraction(sign * (p - q)), sign * (q - bound), low, high)
    return (low, high) if holes else None


def _half(slope: Fraction, level: Fraction, low: Fraction, high: Fraction) -> Span:
    """The part of [low, high] where slope * s + level is not negative."""
    if slope == 0:
        return (low, high) if level >= 0 else (Fraction(1), Fraction(0))
    root = -level / slope
    return (max(low, root), high) if slope > 0 else (low, min(high, root))
