"""The drawn regions against every confusion matrix, one by one."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoreproof as sp
from scoreproof.kinds import kind_named
from scoreproof.kinds.average import printed_average
from scoreproof.kinds.binary.drawing import Drawing, draw
from scoreproof.kinds.binary.problem import BinaryProblem, binary_problem

NAMES = ["acc", "sens", "spec", "ppv", "npv", "f1", "mcc", "kappa", "gm", "lrp", "lrn", "dor", "bacc", "fpr"]


def cells(strip: object) -> set[tuple[int, int]]:
    return {(tp, tn) for tp, low, high in strip.runs for tn in range(low, high + 1)}  # type: ignore[attr-defined]


def allowed(problem: BinaryProblem, p: int, n: int) -> list[set[tuple[int, int]]]:
    """For each score the matrices that print like the report, by trying them all."""
    return [
        {
            (tp, tn)
            for tp in range(p + 1)
            for tn in range(n + 1)
            if claim.score.exact(tp, n - tn, p - tp, tn) is not None
            and claim.score.compare(tp, n - tn, p - tp, tn, claim.low) >= 0  # type: ignore[operator]
            and claim.score.compare(tp, n - tn, p - tp, tn, claim.high) <= 0  # type: ignore[operator]
        }
        for claim in problem.claims
    ]


@given(
    st.integers(1, 25),
    st.integers(1, 25),
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True),
    st.integers(1, 3),
    st.sampled_from(["any", "nearest", "floor", "ceil"]),
    st.data(),
)
@settings(max_examples=200, deadline=None)
def test_bands_and_what_they_share_are_exact(
    p: int, n: int, names: list[str], digits: int, rounding: str, data: st.DataObject
) -> None:
    tp, tn = data.draw(st.integers(0, p)), data.draw(st.integers(0, n))
    texts = [sp.score(name).text(tp, n - tn, p - tp, tn, digits=digits) for name in names]
    printed = {name: text for name, text in zip(names, texts, strict=True) if text}
    if not printed:
        return
    problem = binary_problem(sp.TestSet(p, n), printed, rounding=rounding, undefined="exclude")
    found = draw(problem)
    assert isinstance(found, Drawing)
    expected = allowed(problem, p, n)
    assert [cells(strip) for strip in found.overview.strips] == expected
    shared = set.intersection(*expected)
    assert cells(found.overview.common) == shared
    assert shared == cells(found.zoom.common), "the closer window must hold everything that fits"
    a, b, c, d = found.zoom.box
    inside = {cell for cell in expected[0] if a <= cell[0] <= b and c <= cell[1] <= d}
    assert cells(found.zoom.strips[0]) == inside


def test_an_undefined_corner_does_not_mislead_the_search() -> None:
    """mcc is 0/0 at (3, 0) and 0.29 at (3, 1), which 0.5 does not allow."""
    problem = binary_problem(sp.TestSet(3, 5), {"mcc": "0.5"}, rounding="any", undefined="exclude")
    found = draw(problem)
    assert isinstance(found, Drawing)
    assert [cells(strip) for strip in found.overview.strips] == allowed(problem, 3, 5)


def test_large_planes_are_sampled_exactly() -> None:
    p, n = 10**15, 3 * 10**15
    result = sp.check(sp.TestSet(p, n), {"acc": "0.9123", "mcc": "0.7500", "f1": "0.8000"}, strict=True)
    found = draw(result.problem)
    assert found is not None
    assert found.scores == (("acc", "0.9123"), ("mcc", "0.7500"), ("f1", "0.8000"))
    for strip, one in zip(found.overview.strips, result.claims, strict=True):
        assert 10 < len(strip.runs) <= 160
        for tp, low, high in strip.runs:
            for tn, inside in ((low - 1, False), (low, True), (high, True), (high + 1, False)):
                if 0 <= tn <= n:
                    ends = [one.score.compare(tp, n - tn, p - tp, tn, end) for end in (one.low, one.high)]
                    assert (ends[0] >= 0 >= ends[1]) is inside  # type: ignore[operator]


def test_the_closer_look_holds_every_band_of_a_conflict() -> None:
    result = sp.check(sp.TestSet(1000, 6000), {"acc": "0.6801", "npv": "0.9401", "f1": "0.4004"}, strict=True)
    found = draw(result.problem)
    assert found is not None
    assert all(strip.runs for strip in found.zoom.strips)
    assert found.zoom.common.runs == ()
    a, b, c, d = found.zoom.box
    assert Fraction((b - a + 1) * (d - c + 1), 1001 * 6001) < Fraction(1, 1000)


@pytest.mark.parametrize(
    "experiment",
    [
        sp.TestSet(0, 5),
        sp.TestSet(5, 0),
        sp.KFold(p=50, n=50, k=5),
        sp.MeanOfScores((sp.TestSet(5, 5), sp.TestSet(5, 6))),
    ],
)
def test_what_is_not_one_matrix_has_no_region(experiment: sp.Experiment) -> None:
    assert draw(binary_problem(experiment, {"acc": "0.9"})) is None


def test_without_scores_or_classes_there_is_no_region() -> None:
    problem = binary_problem(sp.TestSet(5, 5), {"acc": "0.9"})
    assert isinstance(draw(problem), Drawing)
    assert draw(problem.with_claims(())) is None
    average = printed_average("acc", ["0.90", "0.92"], "0.91")
    assert kind_named(average.kind).drawing(average) is None


def test_a_conflict_is_drawn_alone() -> None:
    problem = sp.check(sp.TestSet(100, 100), {"acc": "0.90", "sens": "0.90", "spec": "0.80"}, strict=True).problem
    found = draw(problem, focus={"acc", "spec"})
    assert found is not None
    assert found.scores == (("acc", "0.90"), ("spec", "0.80"))
