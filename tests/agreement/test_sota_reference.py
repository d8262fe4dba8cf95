"""The exact distributions against R, scipy, sixty-digit arithmetic and brute force."""

import itertools
import json
import math
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import brentq

from scoreproof.kinds.binary.scores import score
from scoreproof.sota import (
    adjusted_estimate,
    best_of,
    best_of_score,
    cases_needed,
    law,
    luck,
    margin,
    overlooked,
)
from scoreproof.sota.law import Dependence

DATA = Path(__file__).parents[1] / "data" / "sota"
INDEPENDENT = json.loads((DATA / "independent.json").read_text())["rows"]
DEPENDENT = json.loads((DATA / "dependent.json").read_text())["rows"]


@pytest.mark.parametrize("row", INDEPENDENT + DEPENDENT, ids=lambda r: f"{r['m']}-{r['n']}-{r['p']}-{r.get('p_dep')}")
def test_r_reference(row):
    best = best_of(row["m"], row["n"], row["p"], p_dep=row.get("p_dep"))
    quantile, holds = best.interval(row["alpha"], "quantile"), best.interval(row["alpha"], "holds")
    z = row["z_smallest_with_F_ge_alpha_half"]
    assert best.mean == pytest.approx(row["E"], rel=1e-9)
    # R's convolution cancels: its p_dep = .99 standard deviation is off by 2.7e-9 (see the sixty-digit test)
    assert best.sd == pytest.approx(row["SD"], rel=1e-9 if "p_dep" not in row else 5e-9)
    assert best.failures_quantile(row["alpha"] / 2) == z
    assert best.failures_cdf(z) == pytest.approx(row["F_at_z"], rel=1e-9)
    assert best.failures_cdf(z - 1) == pytest.approx(row["F_at_z_minus_1"], rel=1e-9)
    assert quantile.high == pytest.approx(row["acc_paper_convention"], rel=1e-12)
    assert holds.high == pytest.approx(row["acc_conservative"], rel=1e-12)
    if "q" in row:
        assert best.reference.q == pytest.approx(row["q"], rel=1e-12)
    if "median_acc" in row:
        assert best.median == pytest.approx(row["median_acc"], rel=1e-12)


def _binomial(n: int, fail: Decimal) -> list[Decimal]:
    masses = [(1 - fail) ** n]
    for k in range(n):
        masses.append(masses[-1] * (n - k) / (k + 1) * fail / (1 - fail))
    return masses


def _moments(masses: list[Decimal], m: int) -> tuple[Decimal, Decimal]:
    n = len(masses) - 1
    survival, before, first, second = Decimal(1), Decimal(1), Decimal(0), Decimal(0)
    for z, mass in enumerate(masses):
        survival = max(Decimal(0), survival - mass)
        none = survival**m
        first += (before - none) * (n - z) / n
        second += (before - none) * ((Decimal(n) - z) / n) ** 2
        before = none
    return first, (second - first * first).sqrt()


@pytest.mark.parametrize("m", [1, 1000, 10**9])
def test_sixty_digits_independent(m):
    with localcontext() as context:
        context.prec = 60
        mean, sd = _moments(_binomial(2000, Decimal("0.1")), m)
    best = best_of(m, 2000, 0.9)
    assert best.mean == pytest.approx(float(mean), rel=1e-14)
    assert best.sd == pytest.approx(float(sd), rel=1e-11)


def test_sixty_digits_dependent():
    with localcontext() as context:
        context.prec = 60
        easy = [x for x in _binomial(2700, Decimal("0.01")) if x > Decimal(10) ** -40]
        hard = _binomial(300, Decimal("0.91"))
        masses = [Decimal(0)] * 3001
        for i, x in enumerate(easy):
            for j, y in enumerate(hard):
                masses[i + j] += x * y
        mean, sd = _moments(masses, 1000)
    best = best_of(1000, 3000, 0.9, p_dep=0.99)
    assert best.mean == pytest.approx(float(mean), rel=1e-14)
    assert best.sd == pytest.approx(float(sd), rel=1e-12)


@pytest.mark.parametrize("n", [10**5, 10**7])
@pytest.mark.parametrize("m", [1, 10**3, 10**9])
@pytest.mark.parametrize("p", [0.5, 0.9, 0.9999])
def test_large_counts_against_scipy(m, n, p):
    best = best_of(m, n, p)
    zs = [best.failures_quantile(u) for u in (1e-12, 1e-3, 0.5, 0.999)]
    for z in zs:
        # SciPy's incomplete beta function itself holds about nine digits for ten million cases
        expected = -math.expm1(m * math.log1p(-stats.binom.cdf(z, n, 1 - p)))
        if expected < 0.9:
            assert best.failures_cdf(z) == pytest.approx(expected, rel=1e-6)
        assert best.failures_cdf(z) - best.failures_cdf(z - 1) == pytest.approx(
            best.failures_pmf(z), rel=1e-6, abs=1e-13
        )
    assert best.masses.sum() == pytest.approx(1, abs=1e-12)
    assert p - 1e-9 <= best.mean <= 1


def test_best_of_every_pair_of_tiny_classifiers_by_brute_force():
    """Three classifiers of different accuracy on three cases: all 8^3 outcomes, in fractions."""
    accuracies = [Fraction(1, 2), Fraction(3, 4), Fraction(7, 8)]
    chances = dict.fromkeys(range(4), Fraction(0))
    for outcome in itertools.product(itertools.product((0, 1), repeat=3), repeat=3):
        chance = Fraction(1)
        for hits, a in zip(outcome, accuracies, strict=True):
            for hit in hits:
                chance *= a if hit else 1 - a
        chances[max(sum(hits) for hits in outcome)] += chance
    best = best_of(3, 3, [float(a) for a in accuracies])
    for correct, chance in chances.items():
        assert best.pmf(correct / 3) == pytest.approx(float(chance), rel=1e-12)


def test_dependent_model_case_by_case():
    """Two dependent classifiers on four cases, three of which the reference gets right."""
    p_dep, q = 0.875, 0.375
    chances = np.zeros(5)
    for hits in itertools.product((0, 1), repeat=8):
        chance = 1.0
        for i, hit in enumerate(hits):
            right = p_dep if i % 4 < 3 else q
            chance *= right if hit else 1 - right
        chances[max(sum(hits[:4]), sum(hits[4:]))] += chance
    best = best_of(2, 4, 0.75, p_dep=p_dep)
    assert best.reference.q == q
    assert [best.pmf(k / 4) for k in range(5)] == pytest.approx(chances.tolist(), rel=1e-12)


@pytest.mark.parametrize("name", ["f1", "mcc", "acc", "kappa", "ppv", "err", "lrn", "bacc", "f0.5"])
def test_any_score_by_listing_every_matrix(name):
    p, n, sens, spec, m = 4, 6, 0.7, 0.8, 3
    chosen = score(name)
    law: dict[float, float] = {}
    for tp, tn in itertools.product(range(p + 1), range(n + 1)):
        value = chosen(tp, n - tn, p - tp, tn)
        chance = stats.binom.pmf(tp, p, sens) * stats.binom.pmf(tn, n, spec)
        if not math.isnan(value):
            law[round(value, 12)] = law.get(round(value, 12), 0.0) + chance
    total = sum(law.values())
    best = best_of_score(name, m, p, n, sens=sens, spec=spec)
    for value in law:
        as_good = sum(c for v, c in law.items() if (v >= value if chosen.direction > 0 else v <= value)) / total
        assert best.reaches(value + (-1e-9 if chosen.direction > 0 else 1e-9)) == pytest.approx(
            1 - (1 - as_good) ** m, rel=1e-9
        )
    assert best.masses.sum() == pytest.approx(1)


def test_accuracy_by_enumeration_is_accuracy_by_failures():
    by_matrix = best_of_score("acc", 1000, 300, 2700, sens=0.9, spec=0.9)
    by_failures = best_of(1000, 3000, 0.9)
    assert by_matrix.mean == pytest.approx(by_failures.mean, rel=1e-12)
    assert by_matrix.sd == pytest.approx(by_failures.sd, rel=1e-10)
    assert by_matrix.interval(0.05, "holds").high == by_failures.interval(0.05, "holds").high


def _expected(n: int, m: int, p: float) -> float:
    return 1 - float((stats.binom.sf(np.arange(n + 1), n, 1 - p) ** m).sum()) / n


def test_adjusted_estimate_inverts_the_distribution():
    found = adjusted_estimate(0.9213, 1000, 3000)
    assert _expected(3000, 1000, found.estimate) == pytest.approx(2764 / 3000, abs=1e-12)
    assert 1 - stats.binom.sf(236, 3000, 1 - found.low) ** 1000 == pytest.approx(0.025, rel=1e-8)
    assert stats.binom.sf(235, 3000, 1 - found.high) ** 1000 == pytest.approx(0.025, rel=1e-8)
    middle = sum(stats.binom.sf(z, 3000, 1 - found.median_unbiased) ** 1000 for z in (235, 236))
    assert middle == pytest.approx(1, rel=1e-8)
    assert found.naive_low == pytest.approx(stats.binomtest(2764, 3000).proportion_ci().low, rel=1e-9)
    assert found.naive_high == pytest.approx(stats.binomtest(2764, 3000).proportion_ci().high, rel=1e-9)


@pytest.mark.parametrize("dependence", [{"p_dep": 0.95}, {"correlation": 0.25}, {"correlation": 0.99}])
def test_adjusted_estimate_under_dependence(dependence):
    """Between two accuracies that a reference can have, the distribution is the mixture of theirs."""
    m, n, z = 1000, 3000, 236
    found = adjusted_estimate(0.9213, m, n, **dependence)

    def mixed(accuracy, what):
        right = math.floor(accuracy * n)
        share = accuracy * n - right
        low, high = (what(best_of(m, n, k / n, **dependence)) for k in (right, right + 1))
        return (1 - share) * low + share * high

    assert mixed(found.estimate, lambda best: best.mean) == pytest.approx(1 - z / n, abs=1e-10)
    assert mixed(found.low, lambda best: best.failures_cdf(z)) == pytest.approx(0.025, rel=1e-6)
    assert mixed(found.high, lambda best: 1 - best.failures_cdf(z - 1)) == pytest.approx(0.025, rel=1e-6)
    middle = mixed(found.median_unbiased, lambda best: best.failures_cdf(z - 1) + best.failures_cdf(z))
    assert middle == pytest.approx(1, rel=1e-6)


def test_copies_of_one_classifier_need_no_adjustment():
    found = adjusted_estimate(0.9, 10**9, 3000, correlation=1.0)
    assert found.estimate == pytest.approx(0.9, abs=1e-12)
    assert found.low == pytest.approx((2699 + 0.025) / 3000)
    assert found.high == pytest.approx((2701 - 0.025) / 3000)


def test_cases_needed_is_the_smallest_number():
    found = cases_needed(0.02, 100, 0.8)
    assert _expected(found.cases, 100, 0.8) - 0.8 < 0.02 <= _expected(found.cases - 1, 100, 0.8) - 0.8


def test_luck_is_the_smallest_number_of_classifiers():
    found = luck(0.9213, 3000, 0.9, chance=0.3)
    one = stats.binom.cdf(236, 3000, 0.1)
    assert found.chance_of_one == pytest.approx(one, rel=1e-9)
    reached = [-math.expm1(m * math.log1p(-one)) for m in (found.classifiers - 1, found.classifiers)]
    assert reached[0] < 0.3 <= reached[1]


def test_luck_far_beyond_floats():
    """All of 100,000 cases right at an accuracy of one half: one chance in 2^100000."""
    found = luck(1.0, 100_000, 0.5)
    assert found.classifiers is None
    assert found.log10 == pytest.approx(100_000 * math.log10(2) + math.log10(math.log(2)), rel=1e-12)


def test_overlooked_against_scipy():
    found = overlooked(0.9213, 3000, accuracy=0.9, delta=0.01)
    assert found.below == pytest.approx(stats.binom.cdf(2763, 3000, 0.91), rel=1e-9)
    assert found.tie == pytest.approx(stats.binom.pmf(2764, 3000, 0.91), rel=1e-9)
    assert found.above == pytest.approx(stats.binom.sf(2764, 3000, 0.91), rel=1e-9)


def test_margin_keeps_the_best_with_the_confidence_asked_for():
    m, n, p = 50, 400, 0.8
    zs = np.arange(n + 1)
    mass = stats.binom.pmf(zs, n, 1 - p)

    def kept(d: int) -> float:
        return float(mass @ stats.binom.sf(zs - d - 1, n, 1 - p) ** (m - 1))

    d = margin(m, n, p, alpha=0.1)
    assert kept(d) >= 0.9 > kept(d - 1)


def test_the_confidence_limit_is_where_the_tail_crosses():
    found = adjusted_estimate(0.75, 10**9, 40)
    root = brentq(lambda a: math.log1p(-stats.binom.sf(29, 40, a)) * 1e9 - math.log(0.975), 1e-6, 0.9)
    assert found.low == pytest.approx(root, rel=1e-6)


@pytest.mark.parametrize(("n", "p", "p_dep"), [(10**6, 0.9, 0.95), (10**6, 0.5, 0.7), (2 * 10**5, 0.97, 0.971)])
def test_fourier_and_plain_convolution_agree_in_both_tails(n, p, p_dep, monkeypatch):
    model = Dependence(p_dep=p_dep)
    monkeypatch.setattr(law, "_MOST_PAIRS", 10**10)
    plain = law.failures_of_one(n, p, model, 90.0)
    monkeypatch.setattr(law, "_MOST_PAIRS", 1)
    fourier = law.failures_of_one(n, p, model, 90.0)
    assert plain.start == fourier.start
    within = plain.log_pmf > -70
    assert fourier.log_pmf[within] == pytest.approx(plain.log_pmf[within], abs=1e-9)
