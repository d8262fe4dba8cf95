"""Areas under concave curves against the hulls of every ranking of a few cases, and against curves drawn by chance."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from tests.agreement.test_curve_brute_force import walks

import scoreproof as sp
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.curve.concave import _highest, _highest_of_many, concave_curve, concave_ends
from scoreproof.kinds.curve.path import Curve
from scoreproof_verify.kinds.curve import most_under

Point = tuple[int, int]


def hull(walk: list[Point]) -> list[Point]:
    """The upper hull of the vertices of a curve."""
    kept: list[Point] = []
    for x, y in walk:
        while len(kept) > 1:
            (a, b), (c, d) = kept[-2:]
            if (c - a) * (y - b) < (x - a) * (d - b):
                break
            kept.pop()
        kept.append((x, y))
    return kept


def area(vertices: list[Point]) -> Fraction:
    n, p = vertices[-1]
    return Fraction(sum((c - a) * (b + d) for (a, b), (c, d) in pairwise(vertices)), 2 * p * n)


def asked(p: int, n: int, vertex: Point, auc: Fraction) -> Any:
    fp, tp = vertex
    scores = {"auc": auc, "sens": Fraction(tp, p), "spec": Fraction(n - fp, n)}
    return sp.check(sp.TestSet(p, n), scores, eps=0, concave=True, strict=True)


@pytest.mark.parametrize(("p", "n"), [(1, 1), (1, 3), (3, 1), (2, 2), (3, 2), (2, 3), (3, 3)])
def test_hulls_of_all_rankings_are_possible_and_just_beyond_the_ends_nothing_is(p: int, n: int) -> None:
    hulls = {tuple(hull(walk)) for walk in walks(p, n, [(0, 0)])}
    seen = {(vertex, area(list(vertices))) for vertices in hulls for vertex in vertices}
    for vertex, auc in seen:
        assert asked(p, n, vertex, auc).verdict == "consistent", (vertex, auc)
    tiny = Fraction(1, 10**6)
    for x in range(n + 1):
        for y in range(p + 1):
            ends = concave_ends(Fraction(y, p), 1 - Fraction(x, n))
            assert (ends is None) == (y * n < x * p)
            if ends is None:
                assert asked(p, n, (x, y), Fraction(3, 4)).verdict == "inconsistent"
                continue
            assert asked(p, n, (x, y), ends[0]).verdict == asked(p, n, (x, y), ends[1]).verdict == "consistent"
            assert asked(p, n, (x, y), ends[0] - tiny).verdict == "inconsistent"
            assert ends[1] == 1 or asked(p, n, (x, y), ends[1] + tiny).verdict == "inconsistent"


def test_a_concave_curve_is_a_hull_of_itself() -> None:
    for walk in walks(3, 3, [(0, 0)]):
        x, y = walk[-1]
        drawn = Curve(tuple(walk), ConfusionMatrix(0, 0, y, x))
        assert drawn.concave == (area(hull(walk)) == area(walk))
    assert not Curve(((0, 0), (1, 0), (1, 0), (1, 1)), ConfusionMatrix(0, 0, 1, 1)).concave


def test_curves_drawn_by_chance_keep_to_the_ends_of_each_of_their_points() -> None:
    """Decreasing slopes on a fine grid, and all of their points: the ends are the formulas', in floats."""
    rng = np.random.default_rng(3)
    at = np.linspace(0, 1, 41)
    for _ in range(200):
        slopes = np.sort(rng.exponential(size=40) ** rng.uniform(0.3, 6))[::-1]
        start = rng.choice([0.0, rng.random()])
        height = np.concatenate([[start], start + (1 - start) * np.cumsum(slopes) / slopes.sum()])
        under = float(np.trapezoid(height, at))
        for x, y in zip(at[1:-1], height[1:-1], strict=True):
            ends = concave_ends(Fraction(min(1.0, float(y))), 1 - Fraction(float(x)))
            assert ends is not None
            assert float(ends[0]) - 1e-9 <= under <= float(ends[1]) + 1e-9


def test_engine_and_verifier_know_the_same_end_by_two_formulas() -> None:
    for p, n in ((4, 6), (7, 3), (10, 10)):
        for tp in range(p + 1):
            for tn in range(n + 1):
                own = Fraction(*_highest(tp, n - tn, p - tp, tn))
                assert own == most_under(Fraction(tp, p), Fraction(tn, n))
                at_once = _highest_of_many(np.array(tp / p), np.array(1 - tn / n))[0]
                if tp * n != (n - tn) * p:  # on the diagonal itself a rounding error decides, and it only proposes
                    assert abs(float(at_once) - float(own)) < 1e-6


def test_every_share_of_the_way_is_a_concave_curve_with_that_area() -> None:
    for tp, fp, fn, tn in (
        (8, 1, 2, 9),
        (0, 0, 3, 4),
        (3, 4, 0, 0),
        (3, 2, 0, 2),
        (2, 0, 1, 4),
        (2, 1, 8, 9),
        (9, 8, 1, 2),
    ):
        matrix = ConfusionMatrix(tp, fp, fn, tn)
        ends = concave_ends(Fraction(tp, tp + fn), Fraction(tn, fp + tn))
        assert ends is not None
        for share in (Fraction(0), Fraction(1, 3), Fraction(1)):
            curve = concave_curve(matrix, share)
            assert curve.sound
            assert curve.concave
            assert curve.auc == ends[0] + share * (ends[1] - ends[0])
