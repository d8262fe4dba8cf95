"""What must hold for any data."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from scoreproof import statistics as st
from scoreproof.errors import InvalidValue
from scoreproof.statistics.auc import placements

VALUES = some.lists(some.integers(-20, 20), min_size=3, max_size=30)
PAIRS = VALUES.flatmap(
    lambda x: some.tuples(some.just(x), some.lists(some.integers(-20, 20), min_size=len(x), max_size=len(x)))
)
PAIRED_TESTS = (
    st.paired_t,
    st.corrected_resampled_t,
    st.wilcoxon_signed_rank,
    st.sign_test,
    st.permutation_test,
    st.pitman_morgan,
)
quick = settings(max_examples=60, deadline=None)


@quick
@given(PAIRS)
def test_swapping_the_models_changes_no_two_sided_p(pair: tuple[list[int], list[int]]) -> None:
    x, y = pair
    for test in PAIRED_TESTS:
        one, two = test(x, y), test(y, x)
        assert one.p_value == pytest.approx(two.p_value, rel=1e-9)
        assert 0 <= one.p_value <= 1


@quick
@given(PAIRS)
def test_the_two_directions_mirror_each_other(pair: tuple[list[int], list[int]]) -> None:
    x, y = pair
    for test in PAIRED_TESTS:
        greater, less = test(x, y, alternative="greater"), test(y, x, alternative="less")
        assert greater.p_value == pytest.approx(less.p_value, rel=1e-9, abs=1e-15)
        assert greater.p_value + test(x, y, alternative="less").p_value >= 1 - 1e-9


@quick
@given(PAIRS)
def test_results_are_valid_json_whatever_the_data(pair: tuple[list[int], list[int]]) -> None:
    x, y = pair
    results = [test(x, y) for test in PAIRED_TESTS]
    results += [st.f_test(x, y), st.bartlett(x, y), st.levene(x, y), st.shapiro_wilk(x)]
    results += [st.pearson_test(x, y), st.spearman_test(x, y), st.kendall_test(x, y)]
    results.append(st.friedman(np.column_stack([x, y])))
    for found in results:
        json.dumps(found.to_dict(), allow_nan=False)
        assert str(found).endswith(".")
        assert found._repr_html_().startswith("<table>")
        assert 0 <= found.p_value <= 1
    try:
        words = str(st.compare({"A": x, "B": y}))
    except InvalidValue as error:  # fractions beside percentages are asked about
        words = str(error) if "one scale" in str(error) else ""
    assert words


CASES = some.lists(
    some.tuples(some.booleans(), some.integers(-5, 5), some.integers(-5, 5)), min_size=1, max_size=40
).map(lambda rows: [(True, 0, 1), (True, 1, 0), (False, 0, 0), (False, 1, 1), *rows])


@quick
@given(CASES)
def test_delong_sees_only_the_order(cases: list[tuple[bool, int, int]]) -> None:
    y, a, b = (np.array(c) for c in zip(*cases, strict=True))
    plain = st.delong_paired(y, a, b)
    bent = st.delong_paired(y, np.exp(a / 2.0), b * 3 - 7)
    assert (plain.statistic, plain.p_value) == (bent.statistic, bent.p_value)
    assert st.delong_paired(y, a, np.exp(a / 2.0)).p_value == 1
    turned = st.delong_paired(~y, -a, -b)
    assert turned.statistic == pytest.approx(plain.statistic, rel=1e-9, abs=1e-9)


@quick
@given(CASES)
def test_placements_of_both_classes_have_one_mean(cases: list[tuple[bool, int, int]]) -> None:
    y, a, _ = (np.array(c) for c in zip(*cases, strict=True))
    found = placements(y, a.astype(float))
    assert found.positives.mean() == pytest.approx(found.negatives.mean(), abs=1e-12)


@quick
@given(some.lists(some.floats(0, 1), min_size=1, max_size=20))
def test_corrections_only_ever_raise_p_and_keep_the_order(p: list[float]) -> None:
    raw = np.array(p)
    bonferroni = st.adjust(p, "bonferroni")
    for method in ("holm", "hochberg", "hommel", "bh"):
        adjusted = st.adjust(p, method)
        assert (adjusted >= raw - 1e-15).all()
        assert (adjusted <= bonferroni + 1e-12).all()
        assert (np.diff(adjusted[np.argsort(raw, kind="stable")]) >= -1e-15).all()
    assert (st.adjust(p, "hommel") <= st.adjust(p, "hochberg") + 1e-12).all()
    assert (st.adjust(p, "hochberg") <= st.adjust(p, "holm") + 1e-12).all()


@quick
@given(some.integers(1, 300).flatmap(lambda n: some.tuples(some.integers(0, n), some.just(n))))
def test_intervals_hold_the_estimate_and_widen_with_the_level(counts: tuple[int, int]) -> None:
    k, n = counts
    # Agresti-Coull is left out: with one case its bounds, which leave [0, 1], do not nest.
    for method in ("wilson", "wilson-cc", "clopper-pearson", "wald"):
        narrow = st.proportion_interval(k, n, method=method, level=0.8).interval
        wide = st.proportion_interval(k, n, method=method, level=0.99).interval
        assert wide.low - 1e-12 <= narrow.low <= k / n + 1e-12
        assert k / n - 1e-12 <= narrow.high <= wide.high + 1e-12


@quick
@given(some.integers(0, 60), some.integers(0, 60))
def test_mcnemar_variants_keep_their_order(b: int, c: int) -> None:
    exact, mid = st.mcnemar(b, c), st.mcnemar(b, c, method="mid-p")
    assert mid.p_value <= exact.p_value
    assert st.mcnemar(b, c, method="chi2").p_value <= st.mcnemar(b, c, method="chi2-corrected").p_value
    assert exact.p_value == st.mcnemar(c, b).p_value


def test_small_tails_keep_their_digits() -> None:
    n = 400
    found = st.wilcoxon_signed_rank(np.arange(1, n + 1), np.zeros(n))
    assert found.p_value == pytest.approx(2.0 ** (1 - n), rel=1e-9)
    assert st.sign_test(wins=n, losses=0).p_value == pytest.approx(2.0 ** (1 - n), rel=1e-9)


def test_an_error_rate_near_alpha_under_no_difference() -> None:
    generator = np.random.default_rng(1)
    hits = 0
    for _ in range(400):
        truth = np.append(generator.integers(0, 2, 80), [0, 0, 1, 1])
        a, b = generator.normal(size=(2, len(truth))) + truth
        hits += st.delong_paired(truth, a, b).significant(0.05)
    assert 0.02 <= hits / 400 <= 0.09


def test_pitman_morgan_interval_holds_the_ratios_its_test_accepts() -> None:
    x, y = np.random.default_rng(6).normal(size=(2, 20)) * [[1.5], [1]]
    interval = st.pitman_morgan(x, y + x / 3).interval
    assert interval is not None
    for bound in (interval.low, interval.high):
        assert st.pitman_morgan(x, (y + x / 3) * math.sqrt(bound)).p_value == pytest.approx(0.05, rel=1e-6)


def test_f_test_interval_holds_the_ratios_its_test_accepts() -> None:
    x, y = np.random.default_rng(6).normal(size=(2, 20))
    interval = st.f_test(x, y).interval
    assert interval is not None
    for bound in (interval.low, interval.high):
        assert st.f_test(x, y * math.sqrt(bound)).p_value == pytest.approx(0.05, rel=1e-9)


def test_difference_of_rates_by_bonett_and_price() -> None:
    # b = 3, c = 0, n = 4: shares 4/6 and 1/6, half-width 1.96 sqrt((5/6 - 1/4) / 6).
    interval = st.mcnemar(3, 0, n=4).interval
    assert interval is not None
    half = 1.959963984540054 * math.sqrt((5 / 6 - 1 / 4) / 6)
    assert (interval.low, interval.high) == pytest.approx((0.5 - half, 1.0))
    interval = st.mcnemar(30, 20, n=98).interval
    half = 1.959963984540054 * math.sqrt((0.52 - 0.01) / 100)
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx((0.1 - half, 0.1 + half))
