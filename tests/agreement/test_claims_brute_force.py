"""What claims look up by halving, by arrays or roughly, against lists of everything."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from scoreproof.claims.areas import _most
from scoreproof.claims.rankings import _friedman
from scoreproof.claims.same_cases import fitting_pairs, pair_p_values
from scoreproof.kinds.paired_counts import METHODS, Discordant
from scoreproof.kinds.rank_sums import MEAN_RANK, MeanRanksProblem
from scoreproof.reported import report
from scoreproof.statistics.friedman import range_p
from scoreproof_verify.frame import Patience
from scoreproof_verify.kinds.reported_test import chi2


@pytest.mark.parametrize("method", METHODS)
def test_pairs_with_a_p_value(method: str) -> None:
    rng = np.random.default_rng(1)
    for _ in range(60):
        least, n = int(rng.integers(-12, 8)), int(rng.integers(10, 40))
        allowed = [Discordant(d, max(0, d), max(0, d) + int(rng.integers(0, n))) for d in range(least, least + 5)]
        low, high = sorted(rng.uniform(0, 1, 2)) if rng.random() < 0.7 else (0.0, float(rng.choice([0.05, 1.0])))
        every = [(b, b - one.difference) for one in allowed for b in range(one.fewest, one.most + 1)]
        values = pair_p_values(*np.array(every, dtype=np.int64).T, method)
        wanted = {pair for pair, p in zip(every, values, strict=True) if low - 1e-12 <= p <= high + 1e-12}
        found = fitting_pairs(allowed, method, low, high)
        assert set(found.pairs(10**6)) == wanted
        assert found.count == len(wanted)
        assert found.range == pytest.approx((values.min(), values.max()))
        if wanted:
            assert found.discordant() == (min(b + c for b, c in wanted), max(b + c for b, c in wanted))


def test_the_greatest_variance_of_an_auc() -> None:
    """All staircases of r full rows, equal ones up to row s, and empty ones."""
    for p, n, a in itertools.product((2, 5, 17), (17, 40), (0.5, 0.77, 0.9, 0.97, 1.0)):
        one, other, cells, best = 1 / (n * n * p * (p - 1)), 1 / (p * p * n * (n - 1)), a * p * n, 0.0
        for r in range(p + 1):
            for s in range(r, p + 1):
                c = (cells - r * n) / (s - r) if s > r else 0.0
                if -1e-9 <= c <= n * (1 + 1e-12) and (s > r or abs(cells - r * n) < 1e-9):
                    rows = [n] * r + [c] * (s - r)
                    best = max(best, sum(one * own * own + other * own * (2 * i - 1) for i, own in enumerate(rows, 1)))
        assert _most(a, p, n) == pytest.approx(best - a * a * (1 / (p - 1) + 1 / (n - 1)), rel=1e-9, abs=1e-12)


def test_the_range_of_friedmans_statistic() -> None:
    for texts, sets in ((["1.5", "2.0", "2.5"], 7), (["1.2", "2.4", "2.3"], 9), (["1.8", "2.1", "3.3", "2.8"], 4)):
        claims = [replace(report(MEAN_RANK, text, rounding="any"), name=str(at)) for at, text in enumerate(texts)]
        problem = MeanRanksProblem(tuple(claims), len(texts), sets)
        k, unit = len(texts), 2 * sets
        sums = [
            chosen
            for chosen in itertools.product(*(range(low, high + 1) for low, high in problem.spans()))
            if 2 * sum(chosen) == unit * k * (k + 1)
        ]
        values = [
            12 * sets / (k * (k + 1)) * (sum((s / unit) ** 2 for s in own) - k * (k + 1) ** 2 / 4) for own in sums
        ]
        assert _friedman(problem) == pytest.approx((max(0, min(values)), max(values)), abs=1e-9)


def test_tails_of_chi_square_lie_between_their_bounds() -> None:
    for top, bottom in itertools.product((1, 3, 7, 20, 61, 150, 400, 3000), (1, 3, 8, 19, 50)):
        low, high = chi2(Fraction(top, bottom), 1, Patience(60))
        tail = float(stats.chi2.sf(top / bottom, 1))
        assert float(low) * (1 - 1e-9) <= tail <= float(high) * (1 + 1e-9)
        assert high - low < Fraction(1, 10**20)


def test_the_studentized_range_of_finite_degrees_of_freedom() -> None:
    """Printed upper 5 % points of the studentized range (k means, df degrees of freedom), two decimals each."""
    for k, df, q in ((2, 5, 3.64), (3, 10, 3.88), (4, 9, 4.41), (5, 20, 4.23), (10, 60, 4.65)):
        assert range_p(q - 0.005, k, df=df) > 0.05 > range_p(q + 0.006, k, df=df)
    # The range of two is |t| times the root of two.
    assert range_p(3.0, 2, df=7) == pytest.approx(2 * float(stats.t.sf(3 / 2**0.5, 7)), rel=1e-6)
