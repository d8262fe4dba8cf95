"""Areas under curves against every ranking of a few cases."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

import pytest
from benchmarks.fuzz_kinds import areas_through, wrong_areas

import scoreproof as sp
from scoreproof.kinds.curve.bounds import best_curve, best_of

Walk = list[tuple[int, int]]


@pytest.mark.parametrize("ties", [True, False])
@pytest.mark.parametrize("p", range(1, 6))
def test_every_area_between_the_lowest_and_the_highest_walk_occurs_and_no_other(p: int, ties: bool) -> None:
    for n in range(1, 6):
        for (fp, tp), areas in areas_through(p, n, ties=ties).items():
            least, most = 2 * tp * (n - fp), 2 * (p * n - fp * (p - tp))
            assert areas == set(range(least, most + 1, 1 if ties else 2))


@pytest.mark.parametrize(("p", "n"), [(1, 1), (1, 4), (2, 2), (3, 2), (2, 3)])
@pytest.mark.parametrize("ties", [True, False])
def test_an_operating_point_and_an_area_are_decided_as_by_enumeration(p: int, n: int, ties: bool) -> None:
    assert list(wrong_areas(p, n, ties=ties)) == []


def walks(p: int, n: int, path: Walk) -> Iterator[Walk]:
    """All weak orders of p positives and n negatives, as the vertices of their curves."""
    x, y = path[-1]
    if path[-1] == (n, p):
        yield path
        return
    for dx in range(n - x + 1):
        for dy in range(p - y + 1):
            if dx + dy:
                yield from walks(p, n, [*path, (x + dx, y + dy)])


@pytest.mark.parametrize(("p", "n"), [(2, 1), (2, 2)])
def test_two_points_and_an_area_are_decided_as_by_enumeration(p: int, n: int) -> None:
    seen: dict[tuple[tuple[int, int], tuple[int, int]], set[int]] = {}
    for walk in walks(p, n, [(0, 0)]):
        area = sum((c - a) * (b + d) for (a, b), (c, d) in pairwise(walk))
        for first in walk:
            for second in walk:
                seen.setdefault((first, second), set()).add(area)
    vertices = [(x, y) for x in range(n + 1) for y in range(p + 1)]
    for first in vertices:
        for second in vertices:
            scores = [{"sens": Fraction(tp, p), "spec": Fraction(n - fp, n)} for fp, tp in (first, second)]
            for u in range(2 * p * n + 1):
                given = {"auc": Fraction(u, 2 * p * n), **scores[0]}
                answer = sp.check(sp.TestSet(p, n), given, points=scores[1:], eps=0, strict=True)
                assert (answer.verdict == "consistent") == (u in seen.get((first, second), ())), str(answer)


@pytest.mark.parametrize(("p", "n"), [(1, 3), (2, 2), (3, 2), (2, 3)])
def test_best_accuracies_of_all_rankings(p: int, n: int) -> None:
    seen = {
        (sum((c - a) * (b + d) for (a, b), (c, d) in pairwise(walk)), max(y + n - x for x, y in walk))
        for walk in walks(p, n, [(0, 0)])
    }
    for u in range(2 * p * n + 1):
        for right in range(p + n + 1):
            scores = {"auc": Fraction(u, 2 * p * n), "best_acc": Fraction(right, p + n)}
            answer = sp.check(sp.TestSet(p, n), scores, eps=0, strict=True)
            assert answer.verdict == ("consistent" if (u, right) in seen else "inconsistent"), str(answer)


def test_best_accuracies_of_all_sizes_are_shown_by_a_curve() -> None:
    """All and only the pairs of the theorem have one; of a million cases, too."""
    for p, n in ((1, 5), (5, 1), (4, 4), (3, 5), (5, 4)):
        total, more = p + n, max(p, n)
        for right in range(more, total + 1):
            for u in range(2 * p * n + 1):
                possible = (total - right) ** 2 <= 2 * p * n - u and 2 * more * (right - more) <= u
                curve = best_curve(p, n, (u, u), right, ties=True)
                shown = curve is not None and (curve.twice_area, best_of(curve)) == (u, Fraction(right, total))
                assert shown == possible, (p, n, right, u)
    million = sp.TestSet(10**6, 10**6)
    assert sp.check(million, {"auc": "0.905", "best_acc": "0.850"}, strict=True).verdict == "consistent"
    assert sp.check(million, {"auc": "0.905", "best_acc": "0.750"}, strict=True).verdict == "inconsistent"


def average_precision(walk: Walk) -> Fraction:
    """As scikit-learn adds it up: the precision at each threshold, times the step in recall."""
    return sum((Fraction((d - b) * d, c + d) for (_, b), (c, d) in pairwise(walk) if d > b), Fraction(0)) / walk[-1][1]


def trapezoids(walk: Walk) -> Fraction:
    """The area under the polygon through the points of the precision-recall curve, which begins at precision 1."""
    heights = [Fraction(1), *(Fraction(y, x + y) for x, y in walk[1:])]
    steps = [Fraction((d - b), walk[-1][1]) for (_, b), (_, d) in pairwise(walk)]
    return sum((step * (a + b) / 2 for step, (a, b) in zip(steps, pairwise(heights), strict=True)), Fraction(0))


@pytest.mark.parametrize(("p", "n"), [(1, 2), (2, 2), (3, 2), (2, 3)])
def test_average_precisions_of_all_rankings(p: int, n: int) -> None:
    """None is refuted, and the least and the greatest at each operating point are the bounds."""
    ends: dict[tuple[int, int], list[Fraction]] = {}
    for walk in walks(p, n, [(0, 0)]):
        for vertex in walk:
            ends.setdefault(vertex, []).append(average_precision(walk))
    far = Fraction(1, 10**6)
    for (fp, tp), values in ends.items():
        scores = {"sens": Fraction(tp, p), "spec": Fraction(n - fp, n)}
        for value in {min(values), max(values), *values[:3]}:
            assert sp.check(sp.TestSet(p, n), {"ap": value, **scores}, eps=0, strict=True).verdict != "inconsistent"
        for value in (min(values) - far, max(values) + far):
            if 0 <= value <= 1:
                assert sp.check(sp.TestSet(p, n), {"ap": value, **scores}, eps=0, strict=True).verdict == "inconsistent"


def test_areas_by_trapezoids_are_never_refuted() -> None:
    """Within a moment each: what is refuted, is refuted at once; a curve is sought for longer."""
    cases = {(trapezoids(walk), fp, tp) for walk in walks(3, 2, [(0, 0)]) for fp, tp in walk}
    for area, fp, tp in sorted(cases)[::4]:
        scores = {"auprc": area, "sens": Fraction(tp, 3), "spec": Fraction(2 - fp, 2)}
        assert sp.check(sp.TestSet(3, 2), scores, eps=0, budget=0.05, strict=True).verdict != "inconsistent", (
            area,
            fp,
            tp,
        )
