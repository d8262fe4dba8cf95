"""Exact against simulated: 10^5 competitions each, within Monte-Carlo error."""

import math

import numpy as np
import pytest

from scoreproof.sota import (
    auc_sd,
    best_of,
    best_of_auc,
    best_of_score,
    leaderboard,
    simulate_auc,
    simulate_best,
)

DRAWS = 100_000


def agree(best, drawn):
    assert drawn.mean() == pytest.approx(best.mean, abs=4.5 * best.sd / math.sqrt(len(drawn)))
    assert drawn.std() == pytest.approx(best.sd, rel=0.02)
    for u in (0.025, 0.25, 0.5, 0.9, 0.975):
        x = best.quantile(u)
        chance = best.cdf(x)
        error = 4.5 * math.sqrt(chance * (1 - chance) / len(drawn)) + 1e-9
        assert (drawn <= x + 1e-12).mean() == pytest.approx(chance, abs=error)


def test_independent():
    agree(best_of(40, 300, 0.9), simulate_best(40, 300, 0.9, draws=DRAWS, seed=1))


def test_dependent():
    agree(best_of(40, 300, 0.9, p_dep=0.95), simulate_best(40, 300, 0.9, draws=DRAWS, seed=2, p_dep=0.95))


def test_dependent_by_correlation():
    agree(
        best_of(30, 217, 0.83, correlation=0.4),
        simulate_best(30, 217, 0.83, draws=DRAWS, seed=3, correlation=0.4),
    )


def test_unequal():
    accuracies = np.linspace(0.8, 0.9, 25).tolist()
    agree(best_of(25, 200, accuracies), simulate_best(25, 200, accuracies, draws=DRAWS, seed=4))


def test_unequal_and_dependent():
    accuracies = [0.85, 0.88, 0.9, 0.9, 0.9, 0.91]
    agree(
        best_of(6, 400, accuracies, correlation=0.3),
        simulate_best(6, 400, accuracies, draws=DRAWS, seed=5, correlation=0.3),
    )


def test_the_correlation_is_the_correlation_of_correctness():
    """Classifiers drawn case by case, as the model describes it."""
    reference = best_of(2, 1000, 0.9, correlation=0.25).reference
    rng = np.random.default_rng(6)
    right = rng.random(DRAWS * 5) < reference.right / 1000
    chance = np.where(right, reference.p_dep, reference.q)
    one, two = rng.random(len(chance)) < chance, rng.random(len(chance)) < chance
    assert np.corrcoef(one, two)[0, 1] == pytest.approx(0.25, abs=0.01)
    assert one.mean() == pytest.approx(0.9, abs=0.003)


def test_f1_of_simulated_matrices():
    p, n, m = 60, 240, 20
    rng = np.random.default_rng(7)
    tp, tn = rng.binomial(p, 0.8, (DRAWS, m)), rng.binomial(n, 0.95, (DRAWS, m))
    drawn = (2 * tp / (2 * tp + (n - tn) + (p - tp))).max(axis=1)
    agree(best_of_score("f1", m, p, n, sens=0.8, spec=0.95), drawn)


@pytest.mark.parametrize(("p", "n", "ratio"), [(40, 120, 1.0), (40, 120, 2.0), (120, 40, 2.0), (30, 500, 0.5)])
def test_binormal_variance_against_ranked_scores(p, n, ratio):
    drawn = simulate_auc(1, 0.85, p, n, ratio=ratio, repetitions=20_000, seed=8)
    assert drawn.mean() == pytest.approx(0.85, abs=4.5 * drawn.std() / math.sqrt(20_000))
    assert drawn.std() == pytest.approx(auc_sd(0.85, p, n, shape="binormal", ratio=ratio), rel=0.03)


def test_auc_simulation_against_counting_pairs():
    rng = np.random.default_rng(9)
    positive, negative = rng.normal(1.5, 1, (4000, 20)), rng.normal(0, 1, (4000, 30))
    counted = (positive[:, :, None] > negative[:, None, :]).mean(axis=(1, 2))
    drawn = simulate_auc(1, 0.8555777, 20, 30, repetitions=4000, seed=10)
    assert counted.mean() == pytest.approx(drawn.mean(), abs=4.5 * drawn.std() * math.sqrt(2 / 4000))
    assert counted.std() == pytest.approx(drawn.std(), rel=0.06)


def test_best_auc_by_normal_approximation_in_the_middle():
    drawn = simulate_auc(30, 0.7, 200, 300, repetitions=600, seed=11)
    best = best_of_auc(30, 0.7, 200, 300, shape="binormal")
    assert drawn.mean() == pytest.approx(best.mean, abs=0.002)
    assert drawn.std() == pytest.approx(best.sd, rel=0.15)


def test_the_true_best_is_among_the_indistinguishable():
    """The worst case, all equally good, keeps a given entry with the confidence asked for; others even "
    "more."""
    rng = np.random.default_rng(12)
    kept = 0
    for _ in range(150):
        truth = np.append(rng.normal(0.88, 0.01, 19), 0.9)
        correct = rng.binomial(1000, truth)
        board = leaderboard((correct / 1000).tolist(), 1000, names=[str(i) for i in range(20)], sort=True, prior="beta")
        kept += next(entry.indistinguishable for entry in board.entries if entry.name == "19")
    assert kept / 150 >= 0.95


@pytest.mark.parametrize("prior", ["beta", "spline"])
def test_shrunken_scores_are_closer_to_the_truth(prior):
    rng = np.random.default_rng(13)
    raw, shrunken, covered = [], [], []
    for _ in range(15):
        truth = rng.normal(0.93, 0.004, 100)
        scores = rng.binomial(3000, truth) / 3000
        board = leaderboard(scores.tolist(), 3000, names=[str(i) for i in range(100)], sort=True, prior=prior)
        for entry in board.entries:
            true = truth[int(entry.name)]
            raw.append((entry.score - true) ** 2)
            shrunken.append((entry.shrunken - true) ** 2)
            covered.append(entry.low <= true <= entry.high)
    assert np.mean(shrunken) < 0.6 * np.mean(raw)
    assert 0.9 < np.mean(covered) < 0.99
