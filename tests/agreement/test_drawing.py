"""The drawn regions against every confusion matrix, one by one."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoreproof as sp
from scoreproof.kinds.binary.drawing import Drawing, draw

NAMES = ["acc", "sens", "spec", "ppv", "npv", "f1", "mcc", "kappa", "gm", "lrp", "lrn", "dor", "bacc", "fpr"]


def cells(strip: object) -> set[tuple[int, int]]:
    return {(tp, tn) for tp, low, high in strip.runs for tn in range(low, high + 1)}  # type: ignore[attr-defined]


def allowed(statement: dict[str, object], p: int, n: int) -> list[set[tuple[int, int]]]:
    """For each score the matrices that print like the report, by trying them all."""
    found = []
    for one in statement["scores"]:  # type: ignore[attr-defined]
        said = sp.report(one["score"], one["text"], rounding=one["rounding"])
        found.append(
            {
                (tp, tn)
                for tp in range(p + 1)
                for tn in range(n + 1)
                if (value := said.score.exact(tp, n - tn, p - tp, tn)) is not None
                and said.score.compare(tp, n - tn, p - tp, tn, said.low) >= 0  # type: ignore[operator]
                and said.score.compare(tp, n - tn, p - tp, tn, said.high) <= 0  # type: ignore[operator]
                and value is not None
            }
        )
    return found


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
    statement = {
        "experiment": {"type": "testset", "p": p, "n": n},
        "scores": [{"score": a, "text": b, "rounding": rounding} for a, b in zip(names, texts, strict=True) if b],
        "undefined": "exclude",
    }
    found = draw(statement)
    if not statement["scores"]:
        assert found is None
        return
    assert isinstance(found, Drawing)
    expected = allowed(statement, p, n)
    assert [cells(strip) for strip in found.overview.strips] == expected
    shared = set.intersection(*expected)
    assert cells(found.overview.common) == shared
    assert shared == cells(found.zoom.common), "the closer window must hold everything that fits"
    a, b, c, d = found.zoom.box
    inside = {cell for cell in expected[0] if a <= cell[0] <= b and c <= cell[1] <= d}
    assert cells(found.zoom.strips[0]) == inside


def test_an_undefined_corner_does_not_mislead_the_search() -> None:
    """mcc is 0/0 at (3, 0) and 0.29 at (3, 1), which 0.5 does not allow."""
    statement = {
        "experiment": {"type": "testset", "p": 3, "n": 5},
        "scores": [{"score": "mcc", "text": "0.5", "rounding": "any"}],
        "undefined": "exclude",
    }
    found = draw(statement)
    assert isinstance(found, Drawing)
    assert [cells(strip) for strip in found.overview.strips] == allowed(statement, 3, 5)


def test_large_planes_are_sampled_exactly() -> None:
    p, n = 10**15, 3 * 10**15
    result = sp.check(sp.TestSet(p, n), {"acc": "0.9123", "mcc": "0.7500", "f1": "0.8000"})
    found = draw(result.statement())
    assert found is not None
    assert found.scores == (("acc", "0.9123"), ("mcc", "0.7500"), ("f1", "0.8000"))
    for strip, one in zip(found.overview.strips, result.reported, strict=True):
        assert 10 < len(strip.runs) <= 160
        for tp, low, high in strip.runs:
            for tn, inside in ((low - 1, False), (low, True), (high, True), (high + 1, False)):
                if 0 <= tn <= n:
                    ends = [one.score.compare(tp, n - tn, p - tp, tn, end) for end in (one.low, one.high)]
                    assert (ends[0] >= 0 >= ends[1]) is inside  # type: ignore[operator]


def test_the_closer_look_holds_every_band_of_a_conflict() -> None:
    result = sp.check(sp.TestSet(1000, 6000), {"acc": "0.6801", "npv": "0.9401", "f1": "0.4004"})
    found = draw(result.statement())
    assert found is not None
    assert all(strip.runs for strip in found.zoom.strips)
    assert found.zoom.common.runs == ()
    a, b, c, d = found.zoom.box
    assert Fraction((b - a + 1) * (d - c + 1), 1001 * 6001) < Fraction(1, 1000)


@pytest.mark.parametrize(
    "statement",
    [
        {},
        {"experiment": None, "scores": []},
        {
            "experiment": {"type": "testset", "p": 0, "n": 5},
            "scores": [{"score": "acc", "text": "0.9", "rounding": "any"}],
        },
        {"experiment": {"type": "testset", "p": 5, "n": 5}, "scores": [{"score": "nonsense", "text": "0.9"}]},
        {"experiment": {"type": "testset", "p": 5, "n": 5}, "scores": [{"score": "acc", "text": "x"}]},
        {"experiment": {"type": "kfold", "p": 50, "n": 50, "k": 5}, "scores": [{"score": "acc", "text": "0.9"}]},
    ],
)
def test_what_is_not_one_matrix_has_no_region(statement: dict[str, object]) -> None:
    assert draw(statement) is None


def test_a_conflict_is_drawn_alone() -> None:
    names = {"acc": "0.90", "sens": "0.90", "spec": "0.80"}
    statement = sp.check(sp.TestSet(100, 100), names).statement()
    found = draw(statement, focus={"acc", "spec"})
    assert found is not None
    assert found.scores == (("acc", "0.90"), ("spec", "0.80"))
    assert found.left_out == ("sens",)
