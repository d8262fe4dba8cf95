"""What must hold for every leaderboard."""

import itertools
import json
import math
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import betaln

from scoreproof import statistics
from scoreproof.errors import InvalidOption, ScoreproofError
from scoreproof.sota import auc_leaderboard, auc_sd, best_of, ladder, leaderboard, prediction_board, read_leaderboard
from scoreproof.sota.shrinkage import shrink

boards = st.integers(1, 10**5).flatmap(
    lambda n: st.tuples(st.just(n), st.lists(st.integers(0, n), min_size=1, max_size=70))
)


@settings(max_examples=60, deadline=None)
@given(boards, st.sampled_from(["auto", "beta", "spline"]))
def test_every_board_is_read_soberly(board, prior):
    n, correct = board
    scores = sorted((k / n for k in correct), reverse=True)
    found = leaderboard(scores, n, prior=prior)
    assert len(found.entries) == len(scores)
    assert 1 <= found.indistinguishable <= len(scores)
    assert sum(entry.chance_best for entry in found.entries) == pytest.approx(1)
    assert sum(entry.expected_rank for entry in found.entries) == pytest.approx(len(scores) * (len(scores) + 1) / 2)
    ranked = sorted(found.entries, key=lambda entry: entry.rank)
    assert [entry.score for entry in ranked] == scores
    assert ranked[0].rank == 1
    for above, below in itertools.pairwise(ranked):
        assert above.shrunken >= below.shrunken - 1e-9
        assert above.expected_rank <= below.expected_rank + 1e-6
        assert above.indistinguishable or not below.indistinguishable
    assert all(0 <= e.low <= e.high <= 1 for e in found.entries)
    json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert str(found)
    assert "<table>" in found._repr_html_()


def test_equal_scores_share_everything():
    found = leaderboard([0.9] * 6, 500)
    assert {entry.rank for entry in found.entries} == {1}
    assert [entry.expected_rank for entry in found.entries] == pytest.approx([3.5] * 6)
    assert [entry.chance_best for entry in found.entries] == pytest.approx([1 / 6] * 6)
    assert found.indistinguishable == 6
    assert found.shrinkage == 1.0


def test_scores_within_noise_shrink_almost_completely_and_far_apart_ones_hardly():
    noise = leaderboard([0.905, 0.9, 0.895], 200)
    assert noise.shrinkage > 0.9
    clear = leaderboard([0.95, 0.8, 0.6], 100_000)
    assert clear.shrinkage < 0.01
    assert [entry.expected_rank for entry in clear.entries] == pytest.approx([1, 2, 3], abs=1e-6)
    assert clear.indistinguishable == 1


def test_beta_prior_is_the_conjugate_formula():
    """Posterior means are (strength * centre + k) / (strength + n) at the strength of highest likelihood."""
    k, n = np.array([95, 92, 91, 90, 85, 70, 88, 60]), 100
    centre = k.mean() / n

    def loss(log_strength):
        a, b = centre * np.exp(log_strength[0]), (1 - centre) * np.exp(log_strength[0])
        return -np.sum(betaln(k + a, n - k + b) - betaln(a, b))

    strength = math.exp(minimize(loss, [3.0], method="Nelder-Mead", options={"xatol": 1e-8}).x[0])
    found = shrink(k, n, "beta")
    assert found.mean == pytest.approx((strength * centre + k) / (strength + n), abs=2e-4)


def test_the_margin_is_wider_for_more_entries_and_narrower_under_dependence():
    scores = [0.9 - 0.0005 * i for i in range(40)]
    few, many = leaderboard(scores[:5], 2000), leaderboard(scores, 2000)
    assert few.margin < many.margin
    assert leaderboard(scores, 2000, correlation=0.6).margin < many.margin


def test_the_expected_best_is_that_of_the_shrunken_accuracies():
    found = leaderboard([0.95, 0.94, 0.93, 0.92], 1000)
    assert found.expected_best == pytest.approx(best_of(4, 1000, [e.shrunken for e in found.entries]).mean)
    assert found.expected_best > found.top.shrunken


def test_percent_and_unsorted_boards_on_request():
    plain = leaderboard([0.95, 0.94, 0.9], 1000, names=["a", "b", "c"])
    other = leaderboard([90, 95, 94], 1000, names=["c", "a", "b"], percent=True, sort=True)
    assert [(e.name, e.rank, e.shrunken) for e in plain.entries] == [
        (e.name, e.rank, pytest.approx(e.shrunken)) for e in other.entries
    ]


def test_public_scores_stay_with_their_entries_when_sorted():
    straight = leaderboard([0.95, 0.94, 0.9], 1000, public=[0.96, 0.93, 0.91], public_cases=500)
    mixed = leaderboard([0.9, 0.95, 0.94], 1000, public=[0.91, 0.96, 0.93], public_cases=500, sort=True)
    assert straight.regression.slope == pytest.approx(mixed.regression.slope)
    assert straight.regression.top_private == mixed.regression.top_private == 0.95


def test_regression_to_the_mean_without_overfitting():
    """Equal truths on both boards: the fit is as flat as the reliability says and nothing is left to "
    "explain."""
    rng = np.random.default_rng(3)
    truth = rng.normal(0.9, 0.01, 3000)
    public, private = rng.binomial(500, truth) / 500, rng.binomial(2000, truth) / 2000
    found = leaderboard(private.tolist(), 2000, public=public.tolist(), public_cases=500, sort=True).regression
    assert found.slope == pytest.approx(found.reliability, abs=4 * found.slope_se)
    assert found.reliability == pytest.approx(0.0001 / (0.0001 + 0.09 / 500), abs=0.05)
    assert found.top_drop > 0.01
    assert abs(found.unexplained_drop) < 0.03
    assert abs(found.shift_z) < 1


def test_overfitting_shows_as_a_shift():
    rng = np.random.default_rng(4)
    truth = rng.normal(0.9, 0.01, 200)
    public = np.clip(rng.binomial(3000, truth) / 3000 + 0.03, 0, 1)
    private = rng.binomial(7000, truth) / 7000
    found = leaderboard(private.tolist(), 7000, public=public.tolist(), public_cases=3000, sort=True).regression
    assert found.shift_z < -3


def test_too_many_different_scores_are_refused_rather_than_mangled():
    scores = np.linspace(0.99, 0.1, 15_000).tolist()
    with pytest.raises(InvalidOption, match="shorten the board"):
        leaderboard(scores, 10**9)


def test_the_truly_best_auc_is_kept():
    rng = np.random.default_rng(3)
    sd = auc_sd(0.9, 100, 900)
    kept = 0
    for _ in range(400):
        scores = np.clip(rng.normal(0.9, sd, 30), 0, 1)
        board = auc_leaderboard(list(scores), 100, 900, sort=True)
        # All are equally good: whichever is "the best" must be among those that cannot be told from the top.
        kept += next(e for e in board.entries if e.name == "#1").indistinguishable
    assert kept / 400 > 0.93


def test_a_board_of_equal_aucs_shrinks_to_their_mean():
    rng = np.random.default_rng(4)
    scores = np.clip(rng.normal(0.9, auc_sd(0.9, 100, 900), 200), 0, 1)
    board = auc_leaderboard(list(scores), 100, 900, sort=True)
    assert board.shrinkage > 0.8
    assert abs(board.top.shrunken - scores.mean()) < 0.01
    assert board.low < 0.9 < board.high
    again = auc_leaderboard(list(100 * scores), 100, 900, sort=True, percent=True)
    assert again.top.shrunken == pytest.approx(board.top.shrunken)


def test_scores_of_no_whole_cases_are_told():
    assert leaderboard([0.95, 0.94], 100).misfits == 0
    assert leaderboard([0.9433, 0.94], 300).misfits == 0
    board = leaderboard([0.9447, 0.94], 300)
    assert board.misfits == 1
    assert "no whole number of 300 cases" in str(board)


def test_a_long_board_is_read_like_a_short_one():
    rng = np.random.default_rng(5)
    truth = np.clip(rng.normal(0.85, 0.03, 3000), 0, 1)
    scores = np.sort(rng.binomial(20_000, truth) / 20_000)[::-1]
    found = leaderboard(list(scores), 20_000)
    shrunken = np.array([e.shrunken for e in found.entries])
    assert np.abs(np.sort(shrunken) - np.sort(scores)).max() < 0.01
    assert abs(sum(e.chance_best for e in found.entries) - 1) < 1e-9


# --------------------------------------------------------------------------------------- predictions and the ladder
def drawn(rng: np.random.Generator, n: int, accuracies: list[float], shared: float) -> tuple[Any, dict[str, Any]]:
    """Entries of these accuracies; a share of the cases is as hard for all of them."""
    y = rng.integers(0, 2, n)
    common, alone = rng.random(n), rng.random((len(accuracies), n))
    hard = rng.random(n) < shared
    right = [np.where(hard, common, own) < a for own, a in zip(alone, accuracies, strict=True)]
    return y, {f"e{k}": np.where(one, y, 1 - y) for k, one in enumerate(right)}


def test_the_truly_best_stays_among_those_that_could_be_best() -> None:
    rng = np.random.default_rng(5)
    kept = 0
    for _ in range(100):
        y, entries = drawn(rng, 300, [0.85, 0.84, 0.84, 0.83, 0.80], 0.6)
        board = prediction_board(y, entries, draws=400, seed=1)
        kept += next(entry.could_be_best for entry in board.entries if entry.name == "e0")
    assert kept >= 90  # 95 % asked for


def test_predictions_tell_more_than_scores_do() -> None:
    rng = np.random.default_rng(2)
    y, entries = drawn(rng, 2000, [0.90, 0.86, 0.86, 0.85], 0.95)
    board = prediction_board(y, entries, public_share=0.3)
    scores = sorted((entry.score for entry in board.entries), reverse=True)
    assert sum(entry.could_be_best for entry in board.entries) <= leaderboard(scores, 2000).indistinguishable
    assert board.correlation > 0.5
    assert 0 <= board.public_leader_wins <= 1
    assert "would stand for" in str(board)


def test_auc_boards_have_delongs_errors() -> None:
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 400)
    scores = {"a": y + rng.normal(size=400), "b": 0.5 * y + rng.normal(size=400)}
    board = prediction_board(y, scores, score="auc", draws=20_000)
    for entry in board.entries:
        interval = statistics.auc_interval(y, scores[entry.name])
        assert entry.score == pytest.approx(interval.value)
        assert entry.se == pytest.approx((interval.interval.high - interval.interval.low) / 3.92, rel=0.03)


@pytest.mark.parametrize(
    "wrong",
    [
        {"truth": [1], "predictions": {"a": [1]}},
        {"truth": [0, 1], "predictions": {}},
        {"truth": [0, 1], "predictions": {"a": [1, 0, 1]}},
        {"truth": [0, 2], "predictions": {"a": [1, 0]}, "score": "auc"},
        {"truth": [0, 1], "predictions": {"a": [1, 0]}, "public_share": 2.0},
        {"truth": [0, Decimal("sNaN")], "predictions": {"a": [1, 0]}},
    ],
)
def test_predictions_that_make_no_board_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ScoreproofError):
        prediction_board(**wrong)


def test_a_ladder_releases_improvements_only() -> None:
    found = ladder([0.80, 0.805, 0.85, 0.849, 0.90], step=0.02)
    assert found.improvements == (1, 3, 5)
    assert found.released == pytest.approx((0.80, 0.80, 0.84, 0.84, 0.90))
    assert ladder([0.5, 0.6], cases=100).step == pytest.approx(0.1)
    for wrong in ({"scores": [], "step": 0.1}, {"scores": [0.5]}, {"scores": [0.5], "step": 0}):
        with pytest.raises(ScoreproofError):
            ladder(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "heading", ["Top-1 Accuracy", "Acc@1", "Score", "top1_accuracy (%)", "Private Score", "Test Acc ↑"]
)
def test_headings_of_real_boards_are_found(heading: str, tmp_path: Path) -> None:
    file = tmp_path / "board.csv"
    file.write_text(f"Model,Params,{heading}\nA,5,0.95\nB,7,0.94\n", encoding="utf-8")
    board = read_leaderboard(file)
    assert (board.names, board.scores, board.percent) == (("A", "B"), (0.95, 0.94), "%" in heading)


def test_auc_boards_show_correlations_side_by_side() -> None:
    board = auc_leaderboard([0.95 - 0.001 * k for k in range(100)], 135, 7552)
    many = list(board.by_correlation.values())
    assert list(board.by_correlation) == ["0", "0.5", "0.9"]
    assert many[0] == board.indistinguishable
    assert many[0] > many[1] > many[2]
    assert all(f"{one:,} if it is" in str(board) for one in many)
