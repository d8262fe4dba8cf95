"""Words, intervals, figures and p-values of one comparison say the same thing."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from scoreproof import statistics as st
from scoreproof.statistics.wilcoxon import _walsh

TENTHS = some.lists(some.integers(-6, 9), min_size=1, max_size=30)


@given(TENTHS, some.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_the_interval_excludes_0_exactly_when_the_test_does(tenths: list[int], level: float) -> None:
    x = np.array(tenths) / 10
    found = st.wilcoxon_signed_rank(x + 0.3, np.full(len(x), 0.3), level=level)
    shift = next((e for e in found.effects if e.name.startswith("Hodges")), None)
    if shift is None:
        assert not any(tenths)
        return
    rejects = found.p_value <= 1 - level
    if shift.interval is None:
        assert not rejects
    else:
        assert (0 not in shift.interval) == rejects
        assert shift.value in shift.interval


@pytest.mark.parametrize("n", [101, 150, 400, 501, 900])
@pytest.mark.parametrize("decimals", [1, 2, 15])
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_so_it_does_when_there_are_many(n: int, decimals: int, alternative: st.wilcoxon_signed_rank) -> None:
    generator = np.random.default_rng(n)
    for _ in range(4):
        x = np.round(generator.normal(0.1, 1, n), decimals)
        found = st.wilcoxon_signed_rank(x, np.zeros(n), alternative=alternative)
        two_sided = st.wilcoxon_signed_rank(x, np.zeros(n))
        assert found.interval is not None
        assert (0 not in found.interval) == (two_sided.p_value <= 0.05)


@pytest.mark.parametrize("n", [101, 333, 1000])
@pytest.mark.parametrize("decimals", [1, 16])
def test_pairwise_means_by_counting_are_those_by_listing(n: int, decimals: int) -> None:
    d = np.sort(np.round(np.random.default_rng(n).exponential(size=n) - 0.5, decimals))
    listed = np.sort(((d[:, None] + d[None, :]) / 2)[np.triu_indices(n)])
    ranks = [1, 2, len(listed) // 7, len(listed) // 2, len(listed) - 3, len(listed)]
    assert _walsh(d, ranks) == pytest.approx([listed[r - 1] for r in ranks], abs=1e-15)


def test_nothing_vanishes_in_long_tables() -> None:
    generator = np.random.default_rng(1)
    for n in (3001, 25_000):
        x = generator.normal(0.05, 1, n)
        found = st.wilcoxon_signed_rank(x, np.zeros(n))
        assert found.effects[0].name == "Hodges-Lehmann difference"
        assert found.effects[0].value == pytest.approx(0.05, abs=0.05)
        assert found.interval is not None
        half = 1.96 * np.sqrt(np.pi / 3 / n)
        assert (found.interval.high - found.interval.low) / 2 == pytest.approx(half, rel=0.1)


@pytest.mark.parametrize("n", [3, 4, 5])
def test_few_pairs_have_no_interval_of_95_percent(n: int) -> None:
    found = st.wilcoxon_signed_rank(np.arange(1, n + 1) / 10, np.zeros(n))
    assert found.effects[0].interval is None
    reached = {3: "75%", 4: "87.5%", 5: "93.75%"}[n]
    assert any("no interval 95%" in note and reached in note for note in found.notes)
    assert st.wilcoxon_signed_rank(np.arange(1, 7) / 10, np.zeros(6)).interval is not None


def test_no_float_noise_in_words() -> None:
    x, y = [0.3, 0.2, 0.4, 0.1, 0.5, 0.6], [0.2, 0.3, 0.3, 0.2, 0.4, 0.7]
    for test in ("wilcoxon", "paired-t", "corrected-t", "permutation"):
        text = st.compare({"A": x, "B": y}, test=test).text
        assert not re.search(r"e-1[5-9]", text), text


def test_the_difference_has_the_sign_of_its_sentence() -> None:
    generator = np.random.default_rng(2)
    low, high = 0.7 + 0.01 * generator.normal(size=20), 0.9 + 0.01 * generator.normal(size=20)
    text = st.compare({"low": low, "high": high}, metric="accuracy").text
    assert re.search(r"high is better than low: .*difference, high − low = 0\.[12]\d\d \(95% CI 0\.", text)
    text = st.compare({"low": low, "high": high}).text
    assert re.search(r"high has higher values than low: .*difference, high − low = 0\.[12]\d\d \(95% CI 0\.", text)
    text = st.compare({"low": low, "high": high}, higher_is_better=False).text
    assert re.search(r"low is better than high: .*difference, low − high = -0\.[12]\d\d \(95% CI -0\.", text)
    found = st.compare({"low": low, "high": high})
    assert found.to_dict()["pairs"][0]["result"]["effects"][0]["value"] < 0
    assert "first − second" in found.pair_table()[0][1]


@given(some.integers(0, 400))
def test_the_diagram_joins_the_pairs_that_the_sentences_do_not_tell_apart(seed: int) -> None:
    generator = np.random.default_rng(seed)
    table = generator.normal(size=(14, 5)) + np.arange(5) * generator.uniform(0, 0.8)
    found = st.compare(table)
    assert found.ranks is not None
    order = sorted(range(5), key=lambda i: found.ranks.mean_ranks[i] if found.ranks else 0)
    differ = {frozenset((p.first, p.second)) for p in found.significant()}
    for start, end in st.indistinguishable(found.ranks):
        joined = [found.names[order[i]] for i in range(start, end + 1)]
        assert not any(frozenset((a, b)) in differ for a in joined for b in joined)
    if not differ:
        assert st.indistinguishable(found.ranks) == [(0, 4)]
    titles = [axes.get_title() for axes in found.figure().axes]
    assert any(found.ranks.method in title for title in titles) or differ


def test_both_tell_their_method() -> None:
    table = np.random.default_rng(3).normal(size=(15, 4)) + np.array([0, 0.1, 2, 4])
    found = st.compare(table)
    assert found.ranks is not None
    assert found.ranks.method == "Wilcoxon signed-rank tests, Holm"
    assert "Wilcoxon signed-rank tests, Holm" in found.figure().axes[0].get_title()
    against = st.compare(table, control="model 1")
    assert against.ranks is None


def test_latex_has_proper_minus_signs() -> None:
    generator = np.random.default_rng(2)
    found = st.compare({"U-Net": generator.normal(size=30), "ViT": 5 + generator.normal(size=30)})
    latex = found.latex()
    assert "$-$" in latex
    assert r"\times 10^{-" in latex
    assert not re.search(r"(?<![{$])-\d", latex)
    assert "U{-}Net" in latex


def test_zeros_at_the_end_are_kept() -> None:
    assert "median = 0.800" in st.compare({"A": [0.8, 0.8, 0.8], "B": [0.7, 0.7, 0.7]}).text


@given(some.integers(0, 40), some.integers(0, 40), some.integers(0, 300))
def test_mcnemars_interval_does_not_contradict_it(b: int, c: int, rest: int) -> None:
    found = st.mcnemar(b, c, n=b + c + rest + 1)
    assert found.interval is not None
    assert (0 not in found.interval) == (found.p_value <= 0.05)


@given(some.integers(0, 200), some.sampled_from([(10, 1), (10, 10), (5, 5), (5, 2), (2, 5)]))
def test_repeated_runs_are_compared_with_fewer_degrees_of_freedom(seed: int, design: tuple[int, int]) -> None:
    folds, runs = design
    x, y = np.random.default_rng(seed).normal(size=(2, folds * runs))
    found = st.compare({"A": x, "B": y + 0.3}, values="folds", folds=folds).pairs[0].result
    plain = st.corrected_resampled_t(x, y + 0.3, folds=folds)
    assert found.df == (folds + runs - 2,)
    assert found.statistic == plain.statistic
    assert found.p_value >= plain.p_value
    assert (found.p_value == plain.p_value) == (runs == 1)
    assert found.interval is not None
    assert (0 not in found.interval) == (found.p_value <= 0.05)
