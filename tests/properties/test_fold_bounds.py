"""Extremes over folds whose matrices are added up: true ones are never flagged, impossible ones are, with a proof."""

from __future__ import annotations

import random

import pytest

import scoreproof as sp


def drawn(rng: random.Random, folds: list[tuple[int, int]]) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    """Pooled scores of random folds, and the smallest and the largest accuracy of a fold, to four digits."""
    cells = [(rng.randint(0, p), rng.randint(0, n), p, n) for p, n in folds]
    tp, tn, p, n = (sum(column) for column in zip(*cells, strict=True))
    each = [(a + b) / (c + d) for a, b, c, d in cells]
    pooled = {"acc": f"{(tp + tn) / (p + n):.4f}", "sens": f"{tp / p:.4f}"}
    return pooled, {"acc": f"{min(each):.4f}"}, {"acc": f"{max(each):.4f}"}


@pytest.mark.parametrize("seed", range(12))
def test_true_extremes_of_pooled_folds_are_never_flagged(seed: int) -> None:
    rng = random.Random(seed)
    folds = [(rng.randint(3, 12), rng.randint(3, 20)) for _ in range(rng.randint(2, 4))]
    pooled, least, most = drawn(rng, folds)
    parts = sp.ScoreOfMeans([sp.TestSet(*fold) for fold in folds])
    nested = sp.MeanOfScores([parts, parts])
    assert sp.check(parts, pooled, minimum=least, maximum=most, budget=5, strict=True).verdict != "inconsistent"
    assert (
        sp.check(nested, pooled, minimum=least, maximum=most, extremes_over="folds", budget=5, strict=True).verdict
        != "inconsistent"
    )


def test_extremes_bound_folds_and_not_the_data_set() -> None:
    folds = sp.KFold(50, 100, 5, aggregation="score_of_means")
    said = {"acc": "0.9000", "sens": "0.80"}
    refuted = sp.check(folds, said, minimum={"acc": "0.92"}, strict=True)
    assert refuted.verdict == "inconsistent"
    assert sp.verify(refuted.certificate)
    sets = sp.MeanOfScores([sp.ScoreOfMeans([sp.TestSet(10, 20)] * 2)] * 2)
    assert sp.check(sets, {"acc": "0.9000"}, minimum={"acc": "0.8833"}, strict=True).verdict == "consistent"
    over_folds = sp.check(sets, {"acc": "0.9000"}, minimum={"acc": "0.9333"}, extremes_over="folds", strict=True)
    assert over_folds.verdict == "inconsistent"
    with pytest.raises(sp.ScoreproofError, match="ranges"):
        sp.check(
            sp.ScoreOfMeans([sp.TestSet(1, 2)] * 2, ranges={"acc": ("0.5", None)}),
            said,
            minimum={"acc": "0.8"},
            strict=True,
        )
