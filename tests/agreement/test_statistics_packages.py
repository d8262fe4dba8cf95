"""Our tests against those of statsmodels and scikit-posthocs, on random and on degenerate data.

Where the two differ on purpose (docs/comparing.md), the test says what the other prints, so that it fails when the
other is mended and the page is out of date.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
import scikit_posthocs  # type: ignore[import-untyped,unused-ignore]
from scipy import stats
from statsmodels.stats import contingency_tables, multitest, proportion  # type: ignore[import-untyped,unused-ignore]

from scoreproof import statistics as st

SEEDS = range(25)
CORRECTIONS = {
    "bonferroni": "bonferroni",
    "holm": "holm",
    "hochberg": "simes-hochberg",
    "hommel": "hommel",
    "bh": "fdr_bh",
    "by": "fdr_by",
}
INTERVALS = {"wilson": "wilson", "clopper-pearson": "beta", "agresti-coull": "agresti_coull", "jeffreys": "jeffreys"}


def agree(found: Any, wanted: Any, rel: float = 1e-9) -> None:
    assert np.asarray(found).tolist() == pytest.approx(np.asarray(wanted).tolist(), rel=rel, abs=1e-13)


@pytest.mark.parametrize("seed", SEEDS)
def test_cochrans_q(seed: int) -> None:
    generator = np.random.default_rng(seed)
    right = (generator.random((generator.integers(2, 60), generator.integers(2, 6))) < generator.random()).astype(int)
    right[0, :2] = 0, 1  # without any disagreement statsmodels divides 0 by 0
    wanted = contingency_tables.cochrans_q(right)
    found = st.cochran_q(right)
    agree([found.statistic, found.p_value, found.df[0]], [wanted.statistic, wanted.pvalue, wanted.df])


def test_cochrans_q_without_disagreement() -> None:
    agreed = np.repeat([[1], [0], [1]], 3, axis=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert np.isnan(contingency_tables.cochrans_q(agreed).statistic)
    assert st.cochran_q(agreed).p_value == 1


@pytest.mark.parametrize("b", [0, 1, 2, 5, 13, 40])
@pytest.mark.parametrize("c", [0, 1, 3, 6, 12, 90])
def test_mcnemar(b: int, c: int) -> None:
    table = [[17, b], [c, 9]]
    if b == c == 0:
        assert {st.mcnemar(0, 0, method=m).p_value for m in ("exact", "chi2", "chi2-corrected")} == {1.0}
        return
    agree(st.mcnemar(b, c).p_value, contingency_tables.mcnemar(table, exact=True).pvalue)
    for method, correction in (("chi2", False), ("chi2-corrected", True)):
        wanted = contingency_tables.mcnemar(table, exact=False, correction=correction)
        found = st.mcnemar(b, c, method=method)  # type: ignore[arg-type]
        if b != c or not correction:
            agree([found.statistic, found.p_value], [wanted.statistic, wanted.pvalue])


def test_mcnemar_at_b_equal_to_c() -> None:
    wanted = contingency_tables.mcnemar([[17, 6], [6, 9]], exact=False, correction=True)
    assert wanted.pvalue < 1
    assert st.mcnemar(6, 6, method="chi2-corrected").p_value == 1
    assert st.mcnemar(6, 6).p_value == 1


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("ours", CORRECTIONS)
def test_corrections(seed: int, ours: str) -> None:
    generator = np.random.default_rng(seed)
    p = generator.random(generator.integers(1, 30)) ** generator.integers(1, 6)
    if seed % 3 == 0:
        p = np.round(p, 1)  # ties, zeros and ones
    agree(st.adjust(p, ours), multitest.multipletests(p, method=CORRECTIONS[ours])[1])


@pytest.mark.parametrize("n", [1, 2, 7, 50, 1000])
@pytest.mark.parametrize("ours", INTERVALS)
@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_intervals_of_proportions(n: int, ours: str, level: float) -> None:
    for k in sorted({0, 1, n // 3, n // 2, n - 1, n}):
        low, high = proportion.proportion_confint(k, n, alpha=1 - level, method=INTERVALS[ours])
        found = st.proportion_interval(k, n, method=ours, level=level).interval
        # statsmodels clips Agresti and Coull's ends to [0, 1], which we leave and note.
        ends = np.clip([found.low, found.high], 0, 1) if ours == "agresti-coull" else [found.low, found.high]
        agree(ends, [low, high], rel=1e-8)


def groups(seed: int) -> list[Any]:
    generator = np.random.default_rng(seed)
    values = [generator.normal(size=generator.integers(2, 20)) for _ in range(generator.integers(2, 5))]
    return [np.round(v, 1) for v in values] if seed % 2 else values


@pytest.mark.parametrize("seed", SEEDS)
def test_dunn(seed: int) -> None:
    values = groups(seed)
    wanted = scikit_posthocs.posthoc_dunn(values).to_numpy()
    for i in range(len(values)):
        for j in range(i):
            agree(st.dunn(values, i, j).p_value, wanted[i, j])


@pytest.mark.parametrize("seed", SEEDS)
def test_kruskal_wallis(seed: int) -> None:
    values = groups(seed)
    wanted = stats.kruskal(*values)
    found = st.kruskal_wallis(*values)
    agree([found.statistic, found.p_value], [wanted.statistic, wanted.pvalue])


def test_dunn_of_equal_values() -> None:
    assert st.dunn([[1, 1, 1], [1, 1]], 0, 1).p_value == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_nemenyi(seed: int) -> None:
    generator = np.random.default_rng(seed)
    table = generator.normal(size=(generator.integers(2, 30), generator.integers(3, 8)))
    table += np.arange(table.shape[1]) * generator.random()
    if seed % 2:
        table = np.round(table, 1)
    wanted = scikit_posthocs.posthoc_nemenyi_friedman(table).to_numpy()
    found = st.nemenyi(table).p_matrix()
    away = ~np.eye(len(wanted), dtype=bool)
    # scipy's studentized range is good to about eight digits.
    assert found[away].tolist() == pytest.approx(wanted[away].tolist(), rel=1e-5, abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_wilcoxon_of_all_pairs(seed: int) -> None:
    generator = np.random.default_rng(seed)
    table = generator.normal(size=(generator.integers(6, 30), 4))
    wanted = scikit_posthocs.posthoc_wilcoxon(list(table.T), p_adjust="holm").to_numpy()
    found = st.posthoc(table, method="wilcoxon", correction="holm").p_matrix()
    away = ~np.eye(4, dtype=bool)
    agree(found[away], wanted[away])
