"""Mixtures of points, from which witnesses are sought, and reports that leave a score out of some set."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import scoreproof as sp
from scoreproof.checking import certify
from scoreproof.kinds.binary.engine.averages.seeking.mixture import MixedKind

FOLDS = ((1250, 2729), (2401, 3617), (494, 1182), (1262, 2236), (1870, 2826), (233, 426))


@given(st.lists(st.integers(0, 40), min_size=1, max_size=6), st.integers(0, 10**6))
def test_sets_are_dealt_to_points_by_their_shares(tenths: list[int], seed: int) -> None:
    shares = np.array(tenths) / 10
    sets = int(np.ceil(shares.sum())) or 1
    shares[-1] += sets - shares.sum()
    points = np.stack([np.full(len(shares), 9.0), np.arange(len(shares)), np.zeros(len(shares))])
    dealt = MixedKind(tuple(range(sets)), 20.0, points, shares).dealt(np.random.default_rng(seed))
    assert dealt.shape == (3, sets)
    for number, share in enumerate(shares):
        assert np.count_nonzero(dealt[1] == number) >= int(share + 1e-9)


def test_a_score_that_may_be_left_out_of_a_set_is_refuted_with_a_bonus() -> None:
    """Six unlike folds: no set can be without tp, so far is accuracy from its mean there."""
    experiment = sp.MeanOfScores([sp.TestSet(*fold) for fold in FOLDS])
    report = {"acc": "0.8169 ± 0.0191", "f1": "0.7469 ± 0.0330", "mcc": "0.6020 ± 0.0411"}
    answer = sp.check(experiment, report, undefined="any", divisor="sample")
    assert answer.verdict == "inconsistent"
    proof = answer.proof
    assert proof is not None
    assert proof["kind"] == "moments"
    assert proof["left_out"]["bonus"] > 0
    assert answer.certificate is not None
    statement = answer.certificate["statement"]
    for change in ({"defined": None}, {"left_out": None}, {"left_out": {**proof["left_out"], "bonus": 0}}):
        assert not sp.verify(certify("binary", statement, {**proof, **change}, "0"))
