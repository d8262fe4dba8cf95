"""What must hold for the best of many whatever the numbers."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scoreproof.errors import InvalidOption
from scoreproof.kinds.binary.scores import known_scores
from scoreproof.sota import (
    adjusted_estimate,
    best_of,
    best_of_auc,
    best_of_score,
    cases_needed,
    luck,
    overlooked,
)
from scoreproof.sota.law import Dependence
from scoreproof.statistics.tails import clopper_pearson

counts = st.integers(1, 10**9)
cases = st.one_of(st.integers(1, 60), st.integers(1, 10**6))
rates = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 1.0, 0.5, 1e-12, 1 - 1e-12]))
alphas = st.floats(1e-6, 0.999)
names = st.sampled_from(sorted(score.name for score in known_scores()))


@settings(max_examples=150, deadline=None)
@given(counts, cases, rates)
def test_masses_are_a_distribution(m, n, p):
    best = best_of(m, n, p)
    masses = best.masses
    assert masses.min() >= 0
    assert masses.sum() == pytest.approx(1, abs=1e-9)
    assert best.mean >= p - 1e-9
    assert 0 <= best.sd <= 0.5 + 1e-12
    assert ((best.values >= 0) & (best.values <= 1)).all()


@settings(max_examples=80, deadline=None)
@given(counts, st.integers(1, 60), rates)
def test_cdf_rises_and_agrees_with_the_masses(m, n, p):
    best = best_of(m, n, p)
    cdf = [best.cdf(k / n) for k in range(n + 1)]
    assert all(a <= b + 1e-15 for a, b in itertools.pairwise(cdf))
    assert cdf[-1] == 1.0
    for k in range(n + 1):
        below = cdf[k - 1] if k else 0.0
        assert cdf[k] - below == pytest.approx(best.pmf(k / n), abs=1e-12)
        assert best.reaches(k / n) == pytest.approx(1 - below, abs=1e-12)
        assert best.failures_pmf(n - k) == pytest.approx(best.pmf(k / n), abs=1e-12)
        assert best.failures_cdf(n - k) == best.reaches(k / n)
    assert best.failures_cdf(-1) == best.failures_pmf(-1) == best.failures_pmf(n + 1) == 0
    assert best.failures_cdf(n + 5) == 1


@settings(max_examples=80, deadline=None)
@given(counts, cases, rates, st.floats(1e-6, 1 - 1e-6))
def test_quantile_is_the_smallest_score_with_that_much_below(m, n, p, u):
    best = best_of(m, n, p)
    x = best.quantile(u)
    assert best.cdf(x) >= u
    assert best.cdf(x - 0.5 / n) < u


@settings(max_examples=120, deadline=None)
@given(counts, cases, rates, alphas)
def test_both_interval_conventions_mean_what_they_say(m, n, p, alpha):
    best = best_of(m, n, p)
    quantile, holds = best.interval(alpha, "quantile"), best.interval(alpha, "holds")
    half = alpha / 2
    assert best.reaches(quantile.high) == quantile.p_high >= half
    assert best.reaches(quantile.high + 1 / n) < half
    assert quantile.low <= quantile.high
    if holds.high is not None:
        assert best.reaches(holds.high) == holds.p_high <= half
        assert holds.high in (quantile.high, pytest.approx(quantile.high + 1 / n))
    else:
        assert best.reaches(1.0) > half
    if holds.low is not None:
        assert best.cdf(holds.low) == holds.p_low <= half
        assert best.cdf(quantile.low) > half or quantile.low == holds.low
    else:
        assert best.cdf(0.0) > half or best.cdf(best.values.min()) > half


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 10**6), cases, rates, st.integers(2, 50))
def test_more_classifiers_are_more_optimistic(m, n, p, factor):
    fewer, more = best_of(m, n, p), best_of(m * factor, n, p)
    assert more.mean >= fewer.mean - 1e-12
    z = fewer.failures_quantile(0.3)
    assert more.failures_cdf(z) >= fewer.failures_cdf(z) - 1e-12


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 10**6), st.integers(1, 400), rates)
def test_more_cases_are_less_optimistic(m, n, p):
    assert best_of(m, n + 1, p).bias <= best_of(m, n, p).bias + 1e-12


@settings(max_examples=60, deadline=None)
@given(counts, st.integers(2, 5000), st.floats(0.02, 0.98))
def test_p_dep_of_the_accuracy_is_independence(m, n, p):
    dependent, independent = best_of(m, n, p, p_dep=p), best_of(m, n, p)
    assert dependent.mean == pytest.approx(independent.mean, abs=1e-11)
    for u in (0.001, 0.5, 0.9):
        z = independent.failures_quantile(u)
        assert dependent.failures_cdf(z) == pytest.approx(independent.failures_cdf(z), rel=1e-7)
    assert best_of(m, n, p, correlation=0.0).mean == pytest.approx(independent.mean, abs=1e-11)


@settings(max_examples=60, deadline=None)
@given(counts, st.integers(2, 3000), st.floats(0.02, 0.98), st.floats(0, 1))
def test_dependence_keeps_the_accuracy_and_dampens_the_best(m, n, p, correlation):
    dependent = best_of(m, n, p, correlation=correlation)
    r = dependent.reference
    assert 0 <= r.q <= 1
    assert r.right + r.wrong == n
    assert (r.right * r.p_dep + r.wrong * r.q) / n == pytest.approx(p, abs=1e-12)
    assert best_of(1, n, p, correlation=correlation).mean == pytest.approx(p, abs=1e-10)
    assert dependent.masses.sum() == pytest.approx(1, abs=1e-9)
    # shared cases leave less room: the variance given the reference is smaller
    one = best_of(1, n, p, correlation=correlation)
    assert one.sd <= best_of(1, n, p).sd * (1 + 1e-9)


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 3000), st.integers(1, 99), st.floats(0, 1))
def test_correlation_and_p_dep_translate_both_ways(n, percent, correlation):
    n = n * 100
    p = percent / 100
    p_dep = Dependence(correlation=correlation).at(n, p).p_dep
    assert p_dep == pytest.approx(p + math.sqrt(correlation) * (1 - p), abs=1e-12)
    assert Dependence(p_dep=p_dep).at(n, p).correlation == pytest.approx(correlation, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 40), st.integers(1, 3000), rates, st.booleans())
def test_equal_accuracies_are_the_homogeneous_case(m, n, p, as_counts):
    one = best_of(m, n, p)
    many = best_of([m - 1, 1], n, [p, p]) if as_counts else best_of(m, n, [p] * m)
    assert many.m == m
    assert many.mean == pytest.approx(one.mean, abs=1e-12)
    assert many.sd == pytest.approx(one.sd, abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(st.lists(rates, min_size=2, max_size=8), st.integers(1, 200))
def test_unequal_accuracies_are_the_product_of_survivals(accuracies, n):
    best = best_of(len(accuracies), n, accuracies)
    singles = [best_of(1, n, p) for p in accuracies]
    for z in range(n + 1):
        none = math.prod(1 - single.failures_cdf(z) for single in singles)
        assert best.failures_cdf(z) == pytest.approx(1 - none, abs=1e-12)
    assert best.masses.sum() == pytest.approx(1, abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(0.3, 0.999), min_size=2, max_size=6), st.integers(10**4, 10**7))
def test_unequal_accuracies_on_large_test_sets(accuracies, n):
    accuracies = [round(p, 3) for p in accuracies]
    best = best_of(len(accuracies), n, accuracies)
    assert best.masses.sum() == pytest.approx(1, abs=1e-9)
    assert best.mean >= max(accuracies) - 1e-9
    z = best.failures_quantile(0.2)
    none = math.prod(1 - best_of(1, n, p).failures_cdf(z) for p in accuracies)
    assert best.failures_cdf(z) == pytest.approx(1 - none, rel=1e-8)


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 300), st.integers(1, 30), st.floats(0.05, 0.95), st.floats(0.05, 0.95), names)
def test_any_score_is_a_distribution(m, size, sens, spec, name):
    best = best_of_score(name, m, size, 2 * size, sens=sens, spec=spec)
    assert best.masses.sum() == pytest.approx(1, abs=1e-9)
    steps = np.diff(best.values)
    assert (steps < 0).all() if best.higher_is_better else (steps > 0).all()
    one = best_of_score(name, 1, size, 2 * size, sens=sens, spec=spec)
    assert (best.mean >= one.mean - 1e-12) == best.higher_is_better or best.mean == pytest.approx(one.mean)
    for convention in ("quantile", "holds"):
        found = best.interval(0.1, convention)
        if found.high is not None and found.low is not None:
            assert found.low <= found.high
        if convention == "holds":
            assert max(found.p_low, found.p_high) <= 0.05


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 10**9), st.integers(1, 10**6), st.floats(0, 1), st.floats(0.001, 0.5))
def test_adjusted_estimates_are_ordered(m, n, observed, alpha):
    found = adjusted_estimate(observed, m, n, alpha=alpha)
    assert 0 <= found.low <= found.median_unbiased <= found.high <= 1
    assert found.estimate <= found.observed + 1e-12
    assert found.low <= found.naive_low + 1e-12
    assert found.high <= found.naive_high + 1e-12
    if m == 1:
        limits = clopper_pearson(round(observed * n), n, level=1 - alpha)
        assert (found.low, found.high) == pytest.approx((limits.low, limits.high), rel=1e-9)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 10**6), st.integers(20, 3000), st.floats(0.05, 0.95), st.floats(0, 0.99))
def test_dependent_estimates_lie_between_independent_and_naive(m, n, observed, correlation):
    found = adjusted_estimate(observed, m, n, correlation=correlation)
    alone = adjusted_estimate(observed, m, n)
    assert found.low <= found.median_unbiased <= found.high
    assert alone.estimate - 2e-3 <= found.estimate <= found.observed + 1e-9


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 5000), rates, rates, st.floats(0.01, 0.99))
def test_luck_is_enough_and_one_fewer_is_not(n, observed, accuracy, chance):
    found = luck(observed, n, accuracy, chance=chance)
    if found.classifiers is None:
        assert found.log10 is None or found.log10 > 14.9
        assume(False)
    k = round(observed * n)
    assert best_of(found.classifiers, n, accuracy).reaches(k / n) >= chance - 1e-9
    if found.classifiers > 1:
        assert best_of(found.classifiers - 1, n, accuracy).reaches(k / n) < chance + 1e-9


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 10**6), rates, st.floats(0, 0.9), st.floats(0, 0.1))
def test_the_three_fates_of_a_newcomer_add_to_one(n, observed, accuracy, delta):
    found = overlooked(observed, n, accuracy=accuracy, delta=delta)
    assert found.below + found.tie + found.above == pytest.approx(1, abs=1e-9)


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 10**6), st.floats(0.01, 0.99), st.floats(0.003, 0.3))
def test_cases_needed_are_needed(m, accuracy, wish):
    found = cases_needed(wish, m, accuracy)
    assert best_of(m, found.cases, accuracy).bias < wish
    if found.cases > 1:
        assert best_of(m, found.cases - 1, accuracy).bias >= wish - 1e-12


@settings(max_examples=60, deadline=None)
@given(counts, st.floats(0, 1), st.integers(1, 10**6), st.integers(1, 10**6))
def test_best_auc_stays_in_range_and_orders_its_shapes(m, auc, p, n):
    best = best_of_auc(m, auc, p, n)
    assert best.auc - 1e-9 <= best.mean <= 1
    assert all(sd <= best.sd_by_shape["any curve, at most"] * (1 + 1e-9) + 1e-12 for sd in best.sd_by_shape.values())
    assert best.interval().low <= best.interval().high <= 1


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 3000), st.floats(0, 1), st.floats(0, 1))
def test_impossible_dependence_is_refused_and_possible_accepted(n, accuracy, p_dep):
    right = math.floor(n * accuracy + 1e-9)
    q = (n * accuracy - right * p_dep) / (n - right) if right < n else math.inf
    if right > 0 and q > 1 + 1e-9 and abs(p_dep - accuracy) > 1 / n:
        with pytest.raises(InvalidOption, match="p_dep"):
            best_of(5, n, accuracy, p_dep=p_dep)
    elif q < 1 - 1e-9:
        assert 0 <= best_of(5, n, accuracy, p_dep=p_dep).reference.q <= 1
