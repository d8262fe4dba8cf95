"""Ranks of few queries, and matches of few objects, against trying everything."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest

import scoreproof as sp
from scoreproof.kinds.ranking_problem import buckets, mean_bounds, ranking_problem
from scoreproof.quantities.task_quantities import MEAN_RANK, MRR
from scoreproof.reported.conventions import Conventions


@pytest.mark.parametrize(("queries", "last"), [(2, 12), (3, 7)])
def test_all_rank_vectors(queries: int, last: int) -> None:
    """The bounds that hits leave are the least and the greatest means that occur; hits that occur are possible."""
    seen: dict[tuple[int, ...], list[tuple[Fraction, Fraction]]] = {}
    for ranks in combinations_with_replacement(range(1, last + 1), queries):
        hits = tuple(sum(rank <= k for rank in ranks) for k in (1, 3, 5))
        means = sum(Fraction(1, rank) for rank in ranks) / queries, Fraction(sum(ranks), queries)
        seen.setdefault(hits, []).append(means)
    experiment = sp.Ranking(queries, last)
    for hits in product(range(queries + 1), repeat=3):
        scores = {f"hits@{k}": Fraction(hit, queries) for k, hit in zip((1, 3, 5), hits, strict=True)}
        answer = sp.check(experiment, scores, eps=0, strict=True)
        assert answer.verdict == ("consistent" if hits in seen else "inconsistent"), hits
        if hits in seen:
            found = buckets(ranking_problem(experiment, scores, Conventions(eps=0)))
            for side, measure in enumerate((MRR, MEAN_RANK)):
                values = [means[side] for means in seen[hits]]
                assert mean_bounds(found, measure) == (min(values), max(values))


def test_true_means_of_all_rank_vectors_are_never_refuted() -> None:
    for ranks in combinations_with_replacement(range(1, 8), 3):
        scores = {
            "mrr": sum(Fraction(1, rank) for rank in ranks) / 3,
            "mr": Fraction(sum(ranks), 3),
            "hits@3": Fraction(sum(rank <= 3 for rank in ranks), 3),
        }
        assert sp.check(sp.Ranking(3), scores, eps=0, budget=0.2, strict=True).verdict != "inconsistent", ranks
        assert sp.check(sp.Ranking(), scores, eps=0, budget=0.02).verdict != "inconsistent", ranks


@pytest.mark.parametrize("objects", [1, 3, 6])
def test_all_numbers_of_matches(objects: int) -> None:
    """Printed precision, recall and F1 are possible exactly if some true positives and detections print like them."""
    possible = {(round(100 * t / d), round(100 * t / objects), round(200 * t / (objects + d)))
                for t in range(objects + 1) for d in range(max(t, 1), 60)}  # fmt: skip
    moved = {
        (min(100, max(0, a + i)), min(100, max(0, b + j)), min(100, max(0, c + k)))
        for a, b, c in list(possible)[:12]
        for i, j, k in ((0, 0, 0), (1, 0, 0), (0, 0, 1), (0, 0, -2), (-3, 0, 0), (0, 2, 0))
    }
    half = Fraction(1, 200)
    for a, b, c in moved:
        wanted = [(Fraction(value, 100) - half, Fraction(value, 100) + half) for value in (a, b, c)]
        fits = any(
            all(
                low <= value <= high
                for (low, high), value in zip(
                    wanted, (Fraction(t, d), Fraction(t, objects), Fraction(2 * t, objects + d)), strict=True
                )
            )
            for t in range(objects + 1)
            for d in range(max(t, 1), 1300)
        )
        texts = {name: f"{value / 100:.2f}" for name, value in zip(("ppv", "sens", "f1"), (a, b, c), strict=True)}
        answer = sp.check(sp.Detection(objects), texts, rounding="nearest", strict=True)
        nothing_detected = (b, c) == (0, 0) and a in (0, 100)
        assert (answer.verdict == "consistent") == (fits or nothing_detected), (texts, str(answer))
