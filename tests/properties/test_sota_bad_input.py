"""Bad input ends in an error that names the culprit, never in a traceback of another kind or a hang."""

import math

import numpy as np
import pytest

from scoreproof.errors import InvalidOption, InvalidValue, ScoreproofError, UnknownScore
from scoreproof.sota import (
    adjusted_auc,
    adjusted_estimate,
    auc_sd,
    best_of,
    best_of_auc,
    best_of_score,
    cases_needed,
    leaderboard,
    luck,
    margin,
    overlooked,
    simulate_auc,
    simulate_best,
)

BAD = [
    (lambda: best_of(0, 100, 0.9), "m"),
    (lambda: best_of(-3, 100, 0.9), "m"),
    (lambda: best_of(10**16, 100, 0.9), "m"),
    (lambda: best_of(2.5, 100, 0.9), "m"),
    (lambda: best_of(True, 100, 0.9), "m"),
    (lambda: best_of("10", 100, 0.9), "m"),
    (lambda: best_of(None, 100, 0.9), "m"),
    (lambda: best_of(10, 0, 0.9), "n"),
    (lambda: best_of(10, 10**10, 0.9), "n"),
    (lambda: best_of(10, math.inf, 0.9), "n"),
    (lambda: best_of(10, 100, 1.1), "accuracy"),
    (lambda: best_of(10, 100, -0.1), "accuracy"),
    (lambda: best_of(10, 100, math.nan), "accuracy"),
    (lambda: best_of(10, 100, 10**400), "accuracy"),
    (lambda: best_of(10, 100, "0.9"), "accuracy"),
    (lambda: best_of(10, 100, None), "accuracy"),
    (lambda: best_of(10, 100, []), "accuracy"),
    (lambda: best_of(2, 100, [0.9, 90]), "accuracy[1]"),
    (lambda: best_of(2, 100, [[0.9], [0.9, 0.8]]), "accuracy[0]"),
    (lambda: best_of(3, 100, [0.9, 0.8]), "m"),
    (lambda: best_of([1, 2, 3], 100, [0.9, 0.8]), "m"),
    (lambda: best_of([1, 0], 100, [0.9, 0.8]), "m[1]"),
    (lambda: best_of([1, 2], 100, 0.9), "m"),
    (lambda: best_of([10**15, 10**15], 100, [0.9, 0.8]), "m"),
    (lambda: best_of(10, 100, 0.9, p_dep=1.2), "p_dep"),
    (lambda: best_of(10, 100, 0.9, p_dep=0.5), "p_dep"),
    (lambda: best_of(10, 100, 1.0, p_dep=0.5), "p_dep"),
    (lambda: best_of(10, 100, 0.9, correlation=-0.1), "correlation"),
    (lambda: best_of(10, 100, 0.9, p_dep=0.95, correlation=0.1), "p_dep"),
    (lambda: best_of(10, 100, 0.9, reference=0.9), "reference"),
    (lambda: best_of(2, 100, [0.5, 0.99], correlation=0.9), "correlation"),
    (lambda: best_of(10, 100, 0.9).interval(0), "alpha"),
    (lambda: best_of(10, 100, 0.9).interval(0.05, "exact"), "convention"),
    (lambda: best_of(10, 100, 0.9).quantile(1.0), "probability"),
    (lambda: best_of(10, 100, 0.9).failures_quantile(0), "probability"),
    (lambda: best_of(10, 100, 0.9).cdf(math.nan), "value"),
    (lambda: adjusted_estimate(92.1, 10, 100), "observed best"),
    (lambda: adjusted_estimate(0.9, 10, 100, alpha=1), "alpha"),
    (lambda: adjusted_estimate(0.99, 10, 3000, p_dep=0.95), "p_dep"),
    (lambda: overlooked(0.9, 100, delta=0.05), "overlooked"),
    (lambda: overlooked(0.9, 100, delta=0.5, accuracy=0.9), "delta"),
    (lambda: overlooked(0.9, 100, delta=math.nan, accuracy=0.9), "delta"),
    (lambda: cases_needed(0, 10, 0.9), "max_bias"),
    (lambda: cases_needed(1e-9, 1000, 0.9), "max_bias"),
    (lambda: luck(0.9, 100, 0.8, chance=0), "chance"),
    (lambda: margin(10, 100, 0.9, alpha=0), "alpha"),
    (lambda: best_of_score("nonsense", 10, 5, 5, sens=0.5, spec=0.5), "nonsense"),
    (lambda: best_of_score("f1", 10, 0, 5, sens=0.5, spec=0.5), "p"),
    (lambda: best_of_score("f1", 10, 5, 5, sens=50, spec=0.5), "sens"),
    (lambda: best_of_score("f1", 10, 5, 5, sens=0.5, spec=0.5, undefined="one"), "undefined"),
    (lambda: best_of_score("ppv", 10, 5, 5, sens=0.0, spec=1.0), "ppv"),
    (lambda: best_of_score("mcc", 10, 10**8, 10**8, sens=0.5, spec=0.5), "p and n"),
    (lambda: auc_sd(1.5, 10, 10), "auc"),
    (lambda: auc_sd(0.9, 10, 10, shape="round"), "shape"),
    (lambda: auc_sd(0.9, 10, 10, shape="binormal", ratio=0), "ratio"),
    (lambda: best_of_auc(0, 0.9, 10, 10), "m"),
    (lambda: adjusted_auc(95, 10, 10, 10), "observed best"),
    (lambda: simulate_auc(10**9, 0.9, 100, 100), "m"),
    (lambda: simulate_best(10**9, 100, 0.9), "m"),
    (lambda: simulate_best(3, 100, [0.9, 0.8]), "m"),
    (lambda: simulate_best(3, 100, 0.9, draws=0), "draws"),
    (lambda: leaderboard([], 100), "scores"),
    (lambda: leaderboard("0.9", 100), "scores"),
    (lambda: leaderboard(0.9, 100), "scores"),
    (lambda: leaderboard([0.9, "x"], 100), "scores[1]"),
    (lambda: leaderboard([0.9, math.nan], 100), "scores[1]"),
    (lambda: leaderboard([0.9, -0.1], 100), "scores[1]"),
    (lambda: leaderboard([94.9, 93.2], 100), "percent=True"),
    (lambda: leaderboard([0.949, 0.932], 100, percent=True), "proportions"),
    (lambda: leaderboard([194.9, 93.2], 100, percent=True), "scores[0]"),
    (lambda: leaderboard([0.8, 0.9], 100), "sort=True"),
    (lambda: leaderboard([0.9, 0.8], 0), "n"),
    (lambda: leaderboard([0.9, 0.8], 100, names=["a"]), "names"),
    (lambda: leaderboard([0.9, 0.8], 100, public=[0.9]), "public"),
    (lambda: leaderboard([0.9, 0.8], 100, public_cases=100), "public_cases"),
    (lambda: leaderboard([0.9, 0.8], 100, public=[0.9, 0.8]), "public"),
    (lambda: leaderboard([0.9, 0.8, 0.7], 100, public=[0.9, 0.9, 0.9]), "public"),
    (lambda: leaderboard([0.9, 0.8], 100, prior="flat"), "prior"),
    (lambda: leaderboard([0.9, 0.8], 100, alpha=5), "alpha"),
]


@pytest.mark.parametrize(("call", "culprit"), BAD, ids=[str(i) for i in range(len(BAD))])
def test_bad_input_is_named(call, culprit):
    with pytest.raises(ScoreproofError) as caught:
        call()
    assert culprit in str(caught.value)
    assert type(caught.value) in (InvalidOption, InvalidValue, UnknownScore)
    assert len(str(caught.value)) > len(culprit) + 15


def test_the_impossible_p_dep_says_what_is_possible():
    with pytest.raises(InvalidOption, match=r"between 0\.8889 and 1"):
        best_of(10, 3000, 0.9, p_dep=0.5)
    assert best_of(10, 3000, 0.9, p_dep=0.8889).reference.q <= 1


def test_numpy_numbers_and_arrays_are_welcome():
    best = best_of(np.int64(3), np.int32(100), np.array([0.9, 0.8, 0.7]))
    assert best.mean == best_of(3, 100, [0.9, 0.8, 0.7]).mean
    assert best_of(np.int64(3), 100.0, np.float64(0.9)).m == 3
    assert best_of(3, 100, np.array(0.9)).mean == best_of(3, 100, 0.9).mean


@pytest.mark.parametrize(("m", "n", "p"), [(5, 10, 1.0), (5, 10, 0.0), (1, 1, 0.5), (10**15, 1, 0.5), (1, 10**9, 0.5)])
def test_degenerate_but_legal(m, n, p):
    best = best_of(m, n, p)
    assert best.masses.sum() == pytest.approx(1)
    assert str(best)
    assert best.to_dict()["cases"] == n


def test_no_score_is_rare_enough_when_everybody_is_perfect():
    holds = best_of(5, 10, 1.0).interval(0.05, "holds")
    assert (holds.low, holds.high, holds.p_low, holds.p_high) == (0.9, None, 0.0, 0.0)
    assert best_of(5, 10, 0.0).interval(0.05, "holds").low is None
    assert "no possible score" in str(best_of(5, 10, 1.0))
