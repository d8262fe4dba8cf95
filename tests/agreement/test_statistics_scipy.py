"""Agreement with scipy and scikit-learn on random inputs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import roc_auc_score

from scoreproof import statistics as st
from scoreproof.statistics.friedman import range_p

SEEDS = range(5)


def sample(seed: int, n: int = 25) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    x = generator.normal(size=n)
    return x, 0.5 * x + generator.normal(0.2, 1.3, n)


def near(found: float, wanted: float, rel: float = 1e-9) -> None:
    assert found == pytest.approx(wanted, rel=rel)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("seed", SEEDS)
def test_two_models(seed: int, alternative: str) -> None:
    x, y = sample(seed)
    t, theirs = st.paired_t(x, y, alternative=alternative), stats.ttest_rel(x, y, alternative=alternative)
    near(t.statistic, theirs.statistic)
    near(t.p_value, theirs.pvalue)
    found = st.wilcoxon_signed_rank(x, y, alternative=alternative)
    near(found.p_value, stats.wilcoxon(x, y, alternative=alternative, method="exact").pvalue)
    wins = int(np.sum(x > y))
    near(
        st.sign_test(x, y, alternative=alternative).p_value,
        stats.binomtest(wins, len(x), alternative=alternative).pvalue,
    )


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_wilcoxon_for_many_values(alternative: str) -> None:
    x, y = sample(1, 5000)
    found = st.wilcoxon_signed_rank(np.round(x, 1), np.round(y, 1), alternative=alternative)
    d = np.round(np.round(x, 1) - np.round(y, 1), 9)
    theirs = stats.wilcoxon(d, alternative=alternative, method="asymptotic", correction=False)
    near(found.p_value, theirs.pvalue)
    assert "normal approximation" in found.method


def test_exact_and_asymptotic_meet_where_one_hands_over() -> None:
    x, y = sample(2, 500)
    exact = st.wilcoxon_signed_rank(x, y, method="exact").p_value
    near(st.wilcoxon_signed_rank(x, y, method="asymptotic").p_value, exact, rel=0.05)


@pytest.mark.parametrize("seed", SEEDS)
def test_variances(seed: int) -> None:
    x, y = sample(seed)
    z = np.random.default_rng(seed + 100).normal(size=13)
    near(st.bartlett(x, y, z).p_value, stats.bartlett(x, y, z).pvalue)
    near(st.levene(x, y, z).p_value, stats.levene(x, y, z).pvalue)
    near(st.levene(x, y, z, center="mean").p_value, stats.levene(x, y, z, center="mean").pvalue)
    near(st.pitman_morgan(x, y).p_value, stats.pearsonr(x + y, x - y).pvalue)


@pytest.mark.parametrize("n", [3, 4, 5, 6, 11, 12, 50, 1000])
def test_shapiro_wilk(n: int) -> None:
    x = np.random.default_rng(n).gamma(3, size=n)
    ours, theirs = st.shapiro_wilk(x), stats.shapiro(x)
    near(ours.statistic, theirs.statistic, rel=1e-7)
    near(ours.p_value, theirs.pvalue, rel=1e-4)


@pytest.mark.parametrize("shape", [(5, 3), (12, 4), (40, 7)])
def test_friedman(shape: tuple[int, int]) -> None:
    table = np.random.default_rng(shape[0]).integers(0, 20, shape) / 20
    ours, theirs = st.friedman(table, statistic="chi2"), stats.friedmanchisquare(*table.T)
    near(ours.statistic, theirs.statistic)
    near(ours.p_value, theirs.pvalue)


@pytest.mark.parametrize(("q", "k"), [(0.5, 2), (3.0, 2), (3.6, 4), (5.0, 12), (8.0, 5)])
def test_studentized_range(q: float, k: int) -> None:
    wanted = stats.studentized_range.sf(q, k, np.inf)
    near(range_p(q, k), wanted, rel=1e-6)


@pytest.mark.parametrize(("k", "n"), [(0, 9), (1, 20), (17, 17), (40, 81), (999, 1000)])
def test_proportions(k: int, n: int) -> None:
    theirs = stats.binomtest(k, n)
    for ours, name in (("wilson", "wilson"), ("clopper-pearson", "exact")):
        found, wanted = st.proportion_interval(k, n, method=ours).interval, theirs.proportion_ci(method=name)
        np.testing.assert_allclose([found.low, found.high], [wanted.low, wanted.high], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_correlations(seed: int) -> None:
    x, y = np.round(sample(seed, 30), 1)
    near(st.pearson_test(x, y).p_value, stats.pearsonr(x, y).pvalue)
    near(st.spearman_test(x, y).p_value, stats.spearmanr(x, y).pvalue)
    near(st.kendall_test(x, y).p_value, stats.kendalltau(x, y, method="asymptotic").pvalue)


@pytest.mark.parametrize("method", ["bh", "by"])
def test_false_discovery_rate(method: str) -> None:
    p = np.random.default_rng(4).random(30) ** 2
    np.testing.assert_allclose(st.adjust(p, method), stats.false_discovery_control(p, method=method), rtol=1e-12)


@pytest.mark.parametrize("digits", [1, 8])
def test_auc(digits: int) -> None:
    generator = np.random.default_rng(digits)
    truth = generator.integers(0, 2, 500)
    scores = np.round(truth + generator.normal(size=500), digits)
    near(st.auc_interval(truth, scores).value, roc_auc_score(truth, scores))


def test_bootstrap_intervals_resemble_scipys() -> None:
    # Few and skewed values, so that the correction for skewness shows well above the noise of resampling.
    x = np.random.default_rng(0).gamma(0.5, size=20)
    for ours, theirs in (("percentile", "percentile"), ("basic", "basic"), ("bca", "BCa")):
        found = st.bootstrap_interval(np.mean, x, method=ours, resamples=20_000).interval
        wanted = stats.bootstrap((x,), np.mean, method=theirs, n_resamples=20_000, rng=1).confidence_interval
        assert found is not None
        np.testing.assert_allclose([found.low, found.high], [wanted.low, wanted.high], atol=0.012)
