"""Bounds on averages over classes, from the rows of every class.

Precision and F1 fall with fp, so along a row they are extreme at its ends; recall is constant. Bounds are whole
multiples of 2^-64, rounded outwards.
"""

from __future__ import annotations

from scoreproof.kinds.class_report.model import ClassAverage, ReportModel
from scoreproof.kinds.class_report.points import Part, Row

SCALE = 1 << 64


def score_bounds(part: Part, score: str, rows: list[Row]) -> tuple[int, int]:
    """The least and the greatest value of a score of one class, in units of 2^-64."""
    least, most = SCALE, 0
    for tp, low, high in rows:
        for fp in (low, high):
            below, above = bounds_at(part, score, tp, fp)
            least, most = min(least, below), max(most, above)
    return least, most


def bounds_at(part: Part, score: str, tp: int, fp: int) -> tuple[int, int]:
    """The value at one point, rounded down and up; further apart where a 0/0 is open."""
    low, high, den = part.value(score, tp, fp)
    return low * SCALE // den, -(-high * SCALE // den)


def average_bounds(model: ReportModel, average: ClassAverage, rows: list[list[Row]]) -> tuple[int, int]:
    """The least and the greatest weighted sum over the classes."""
    least = most = 0
    for part, weight, own in zip(model.parts, average.weights, rows, strict=True):
        if weight:
            low, high = score_bounds(part, average.score, own)
            least, most = least + weight * low, most + weight * high
    return least, most


def apart(average: ClassAverage, least: int, most: int) -> bool:
    """Whether no weighted sum between these bounds is as reported."""
    return (
        least * average.high.denominator > average.high.numerator * SCALE
        or most * average.low.denominator < average.low.numerator * SCALE
    )
