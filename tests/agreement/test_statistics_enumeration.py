"""Agreement with brute force: every sign pattern, every overlap, every pair of cases."""

from __future__ import annotations

from itertools import combinations, product
from math import comb, factorial

import numpy as np
import pytest

from scoreproof import statistics as st
from scoreproof.arrays import midranks


def tied_pairs(seed: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    return generator.integers(0, 6, n) / 10, generator.integers(0, 6, n) / 10


@pytest.mark.parametrize("zeros", ["drop", "pratt"])
@pytest.mark.parametrize("seed", range(6))
def test_wilcoxon_exact_with_ties_and_zeros(seed: int, zeros: str) -> None:
    x, y = tied_pairs(seed, 11)
    d = np.round(x - y, 9)
    ranks = midranks(np.abs(d[d != 0] if zeros == "drop" else d))
    ranks, signs = (ranks, d[d != 0]) if zeros == "drop" else (ranks[d != 0], d[d != 0])
    seen = ranks[signs > 0].sum()
    sums = np.array([np.dot(ranks, choice) for choice in product((0, 1), repeat=len(ranks))])
    upper, lower = np.mean(sums >= seen - 1e-9), np.mean(sums <= seen + 1e-9)
    for alternative, wanted in (
        ("greater", upper),
        ("less", lower),
        ("two-sided", min(1, 2 * min(upper, lower))),
    ):
        found = st.wilcoxon_signed_rank(x, y, zeros=zeros, alternative=alternative)
        assert found.p_value == pytest.approx(wanted, rel=1e-12)
        assert found.statistic == seen


@pytest.mark.parametrize("seed", range(5))
def test_permutation_exact(seed: int) -> None:
    x, y = tied_pairs(seed, 10)
    d = x - y
    sums = np.array([np.dot(d, choice) for choice in product((1, -1), repeat=len(d))])
    two = np.mean(np.abs(sums) >= abs(d.sum()) - 1e-9)
    assert st.permutation_test(x, y).p_value == pytest.approx(two, rel=1e-12)
    up = np.mean(sums >= d.sum() - 1e-9)
    assert st.permutation_test(x, y, alternative="greater").p_value == pytest.approx(up, rel=1e-12)
    assert st.permutation_test(y, x, alternative="less").p_value == pytest.approx(up, rel=1e-12)


def test_random_permutations_approach_the_exact_test() -> None:
    x, y = tied_pairs(3, 14)
    exact = st.permutation_test(x, y).p_value
    sampled = st.permutation_test(x, y, method="random", swaps=20_000, seed=5)
    assert sampled.p_value == pytest.approx(exact, abs=0.015)
    own = st.permutation_test(x, y, statistic=lambda a, b: float(np.mean(a - b)), swaps=4000, seed=5)
    assert own.p_value == pytest.approx(exact, abs=0.03)
    again = st.permutation_test(x, y, method="random", swaps=20_000, seed=5)
    assert again.p_value == sampled.p_value


@pytest.mark.parametrize("seed", range(6))
def test_delong_from_all_pairs_of_cases(seed: int) -> None:
    generator = np.random.default_rng(seed)
    truth = np.append(generator.integers(0, 2, 40), [0, 0, 1, 1]).astype(bool)
    a = generator.integers(0, 8, len(truth)) + 2.0 * truth
    b = generator.normal(size=len(truth)) + truth

    def wins(s: np.ndarray) -> np.ndarray:
        pos, neg = s[truth][:, None], s[~truth][None, :]
        return (pos > neg) + 0.5 * (pos == neg)

    one, two = wins(a), wins(b)
    m, n = one.shape
    s10 = np.cov(one.mean(axis=1), two.mean(axis=1))
    s01 = np.cov(one.mean(axis=0), two.mean(axis=0))
    s = s10 / m + s01 / n
    z = (one.mean() - two.mean()) / np.sqrt(s[0, 0] + s[1, 1] - 2 * s[0, 1])
    found = st.delong_paired(truth, a, b)
    assert found.statistic == pytest.approx(z, rel=1e-10)
    assert found.details["covariance"] == pytest.approx(s[0, 1], rel=1e-10)
    several = st.delong_many(truth, [a, b])
    assert several.statistic == pytest.approx(z * z, rel=1e-9)
    assert several.p_value == pytest.approx(found.p_value, rel=1e-9)


@pytest.mark.parametrize("score", ["sensitivity", "specificity", "accuracy"])
def test_attainable_mcnemar_over_all_overlaps(score: str) -> None:
    parts = {"sensitivity": [(7, 4, 10)], "specificity": [(6, 9, 11)], "accuracy": [(7, 4, 10), (6, 9, 11)]}[score]
    overlaps = [range(max(0, a + b - t), min(a, b) + 1) for a, b, t in parts]
    p = [
        st.mcnemar(
            sum(a - o for (a, _, _), o in zip(parts, both, strict=True)),
            sum(b - o for (_, b, _), o in zip(parts, both, strict=True)),
        ).p_value
        for both in product(*overlaps)
    ]
    first, second, totals = zip(*parts, strict=True)
    found = st.attainable_mcnemar([first], [second], totals, score=score)
    assert (found.details["p_low"], found.p_value) == (min(p), max(p))


def test_mcnemar_power_by_summing_all_tables() -> None:
    n, p_b, p_c = 25, 0.4, 0.15
    power = sum(
        comb(n, b) * comb(n - b, c) * p_b**b * p_c**c * (1 - p_b - p_c) ** (n - b - c)
        for b in range(n + 1)
        for c in range(n + 1 - b)
        if st.mcnemar(b, c).p_value <= 0.05
    )
    assert st.power_mcnemar(n=n, p_b=p_b, p_c=p_c).power == pytest.approx(power, rel=1e-10)


@pytest.mark.parametrize(
    ("design", "given"),
    [
        ("proportions", {"first": 0.75}),
        ("mcnemar", {"discordant": 0.2}),
        ("auc", {"first": 0.8}),
        ("wilcoxon", {"sd": 0.1}),
        ("seeds", {"sd": 0.1}),
        ("folds", {"sd": 0.001, "folds": 5}),
    ],
)
def test_the_smallest_difference_has_the_power_asked_for(design: str, given: dict[str, float]) -> None:
    found = st.plan_study(design, size=300, power=0.7, **given)
    assert found.power == pytest.approx(0.7, rel=1e-6)
    assert found.n == 300


def test_perfect_agreement_has_its_exact_chance() -> None:
    rows, models = 3, 3
    orders = [np.array(p) for p in {tuple(p) for p in product((1, 2, 3), repeat=3) if len(set(p)) == 3}]
    assert len(orders) == factorial(models)
    same = sum(all((o == rows_[0]).all() for o in rows_) for rows_ in product(orders, repeat=rows))
    found = st.friedman([[1, 2, 3]] * rows)
    assert found.p_value == pytest.approx(same / len(orders) ** rows, rel=1e-12)


def test_a12_and_rank_biserial_by_counting() -> None:
    x, y = tied_pairs(9, 30)
    counted = np.mean((x[:, None] > y[None, :]) + 0.5 * (x[:, None] == y[None, :]))
    assert st.a12(x, y) == pytest.approx(counted, rel=1e-12)
    d = np.round(x - y, 9)
    ranks = midranks(np.abs(d[d != 0]))
    total = ranks[d[d != 0] > 0].sum() - ranks[d[d != 0] < 0].sum()
    assert st.wilcoxon_signed_rank(x, y).effects[-1].value == pytest.approx(total / ranks.sum(), rel=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_hommel_is_closed_testing_with_simes(seed: int) -> None:
    p = np.round(np.random.default_rng(seed).random(6) ** 2, 2)
    wanted = np.zeros(len(p))
    for size in range(1, len(p) + 1):
        for subset in combinations(range(len(p)), size):
            simes = np.min(size * np.sort(p[list(subset)]) / np.arange(1, size + 1))
            for i in subset:
                wanted[i] = max(wanted[i], simes)
    np.testing.assert_allclose(st.adjust(p, "hommel"), wanted, rtol=1e-12)


def test_rank_rows_against_ranking_each_row() -> None:
    table = np.random.default_rng(0).integers(0, 5, (30, 6)) / 4
    found = st.friedman(table, higher_is_better=False)
    wanted = np.mean([midranks(row) for row in table], axis=0)
    np.testing.assert_allclose(found.details["mean_ranks"], wanted, rtol=1e-12)
