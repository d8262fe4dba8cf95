"""The tail of a rank sum by its Fourier transform, against counting, sign by sign, in whole numbers."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from scoreproof import statistics as st
from scoreproof.arrays import Alternative
from scoreproof.statistics.signed_ranks import lower_tail, rank_sum_law


def counted(ranks: list[int], at: int) -> Fraction:
    """P(sum <= at), all whole numbers: a polynomial packed into one integer of wide digits."""
    width = len(ranks) + 1
    law = 1
    for rank in ranks:
        law += law << (width * rank)
    digits = law & ((1 << (width * (at + 1))) - 1)
    # Digits of base 2^width add up modulo 2^width - 1, and all counts together are no more than 2^n.
    total = digits % ((1 << width) - 1)
    return Fraction(total, 2 ** len(ranks))


def drawn(kind: str, n: int) -> npt.NDArray[np.int64]:
    generator = np.random.default_rng(n)
    kinds: dict[str, npt.NDArray[np.float64]] = {
        "untied": generator.random(n),
        "one decimal": np.abs(np.round(generator.normal(size=n), 1)),
        "three values": generator.choice([1.0, 2.0, 3.0], n),
        "all but two tied": np.concatenate([np.ones(n - 2), [2.0, 3.0]]),
        "all tied": np.ones(n),
        "half tied": np.concatenate([np.zeros(n // 2), generator.random(n - n // 2)]),
    }
    return (2 * np.asarray(stats.rankdata(kinds[kind]))).astype(np.int64)


KINDS = ["untied", "one decimal", "three values", "all but two tied", "all tied", "half tied"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [150, 200])
def test_the_tail_is_the_counted_one(kind: str, n: int) -> None:
    law = rank_sum_law(drawn(kind, n))
    total, spread = int(law.ranks.sum()), float(np.sqrt(np.sum(law.ranks.astype(float) ** 2))) / 2
    answered = 0
    for deviations in (0.01, 2, 6):
        at = int(total / 2 - deviations * spread)
        wanted = float(counted(law.ranks.tolist(), at))
        tail = lower_tail(law.ranks, at)
        answered += tail is not None
        assert tail is None or tail == pytest.approx(wanted, rel=1e-11)
        assert law.at_most(at * law.unit) == pytest.approx(wanted, rel=1e-11)
    assert answered >= 2 or n < 200 or kind == "half tied"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [300, 500, 900])
def test_the_tail_is_that_of_the_convolution(kind: str, n: int) -> None:
    law = rank_sum_law(drawn(kind, n))
    total, spread = int(law.ranks.sum()), float(np.sqrt(np.sum(law.ranks.astype(float) ** 2))) / 2
    lower = law._lower((total - 1) // 2)
    for deviations in (0.01, 0.7, 1.96, 4, 7, 12):
        at = int(total / 2 - deviations * spread)
        if at >= 0:
            assert law.at_most(at * law.unit) == pytest.approx(lower[at], rel=1e-11, abs=0)


@pytest.mark.parametrize("n", [150, 220, 500])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_p_is_scipys_exact_one(n: int, alternative: Alternative) -> None:
    generator = np.random.default_rng(n)
    for shift in (0.0, 0.1, -0.4):
        x = generator.normal(shift, 1, n)
        wanted = stats.wilcoxon(x, method="exact", alternative=alternative).pvalue
        # scipy takes upper tails as one minus the lower ones.
        found = st.wilcoxon_signed_rank(x, np.zeros(n), alternative=alternative).p_value
        assert found == pytest.approx(wanted, rel=1e-9, abs=1e-14)


def test_late_effects_are_effects_like_others() -> None:
    x = np.random.default_rng(3).normal(0.2, 1, 300)
    found = st.wilcoxon_signed_rank(x, np.zeros(300))
    again = pickle.loads(pickle.dumps(found))
    assert isinstance(again.effects, tuple)
    assert again == copy.deepcopy(found)
    assert found == again
    assert hash(found.effects) == hash(again.effects)
    assert [e.name for e in found.effects] == ["Hodges-Lehmann difference", "rank-biserial r"]
    assert found.effects[-1:] == again.effects[-1:]
    assert found.effects != again.effects[:1]
