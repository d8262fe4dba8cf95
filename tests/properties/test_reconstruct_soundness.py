"""No admissible matrix escapes: true reports, from their total and from nothing, and the parts they rest on."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import pytest
from benchmarks import fuzz_reconstruct as fuzz
from hypothesis import given, settings
from hypothesis import strategies as st

import scoreproof as sp
from scoreproof.insight.reconstructing import degrees_fixed, fixes
from scoreproof.kinds.unknown_classes.bounds import cone_bounds
from scoreproof.kinds.unknown_classes.experiment import (
    PREVALENCE,
    Range,
    above,
    below,
    float_above,
    float_below,
    leads,
    reconstructed,
)
from scoreproof.kinds.unknown_classes.forms import Cone, RootBounds, Vector, everything


def test_the_truth_escapes_no_range_when_nothing_is_known() -> None:
    for case in itertools.islice(fuzz.cases(101, 5_000), 40):
        answer = fuzz.judge_rates(case)
        assert answer in ("consistent", "undecided"), answer


def test_the_truth_escapes_no_range_when_the_total_is_known() -> None:
    for case in itertools.islice(fuzz.cases(202, 5_000), 30):
        assert fuzz.judge_total(case) == "consistent"


def test_moved_reports_are_decided_and_what_proves_it_holds() -> None:
    for case in itertools.islice(fuzz.cases(303, 1_000), 10):
        answer = fuzz.judge_moved(case)
        assert answer[0].islower(), answer


def test_ranges_from_nothing_hold_every_matrix_that_fits_some_total() -> None:
    report = {"mcc": "0.42", "f1": "0.61", "bacc": "0.70"}
    wide = sp.reconstruct(report, tightness=0.01)
    for total in (37, 60):
        known = sp.reconstruct(report, total=total)
        for matrix in known.matrices():
            assert fuzz.outside(wide, matrix.cells) is None


def test_a_tighter_request_never_widens_a_range() -> None:
    report = {"mcc": "0.42", "f1": "0.61"}
    loose, tight = (sp.reconstruct(report, tightness=t) for t in (0.05, 0.001))
    for name, span in tight.ranges.items():
        assert loose.ranges[name].low <= span.low
        assert loose.ranges[name].high is None or span.high is not None


def test_ranges_are_as_tight_as_asked() -> None:
    found = sp.reconstruct({"acc": "0.706", "mcc": "0.480", "f1": "0.588"}, rounding="nearest", tightness=1e-3)
    for name, span in found.ranges.items():
        assert span.seen_low is not None, name
        assert span.seen_high is not None, name
        assert span.high is not None, name
        assert span.seen_low - span.low <= Fraction(11, 10_000) * max(1, abs(span.seen_low)), name
        assert span.high - span.seen_high <= Fraction(11, 10_000) * max(1, abs(span.seen_high)), name


vectors = st.tuples(*(st.integers(-9, 9) for _ in range(4)))
cells = st.tuples(*(st.integers(0, 40) for _ in range(4))).filter(lambda x: sum(x) > 0)


def inside(planes: list[Vector], x: Vector) -> bool:
    return all(sum(a * b for a, b in zip(plane, x, strict=True)) >= 0 for plane in planes)


def mixture(cone: Cone, weights: list[int]) -> Vector:
    rays = [ray.cells for ray in cone.rays]
    a, b, c, d = (sum(w * ray[k] for w, ray in zip(weights, rays, strict=False)) for k in range(4))
    return a, b, c, d


@settings(max_examples=150, deadline=None)
@given(st.lists(vectors, max_size=6), cells)
def test_a_cone_is_empty_only_if_no_direction_is_inside(planes: list[Vector], x: Vector) -> None:
    cone = everything()
    for plane in planes:
        cone = cone.clip(plane)
    assert all(inside(planes, ray.cells) for ray in cone.rays)
    if inside(planes, x):
        assert cone.rays
        for k in range(4):  # no ray is missing: the share of every cell lies between those of the rays
            shares = [Fraction(ray.cells[k], sum(ray.cells)) for ray in cone.rays]
            assert min(shares) <= Fraction(x[k], sum(x)) <= max(shares)


@settings(max_examples=80, deadline=None)
@given(st.lists(vectors, max_size=5), st.lists(st.integers(0, 30), min_size=12, max_size=12))
def test_no_point_of_a_cone_escapes_the_bounds_of_its_rays(planes: list[Vector], weights: list[int]) -> None:
    cone = everything()
    for plane in planes:
        cone = cone.clip(plane)
    rays = [ray.cells for ray in cone.rays]
    x = mixture(cone, weights) if rays else (0, 0, 0, 0)
    if sum(x) == 0:
        return
    for quantity in (*reconstructed(), *leads()):
        num, den = quantity.ratio(*x)
        if num == den == 0:
            continue
        low, high = cone_bounds(rays, quantity)
        assert low is not None, quantity.name
        assert high is not None, quantity.name
        assert low[0] * den <= num * low[1], quantity.name
        assert num * high[1] <= high[0] * den, quantity.name


@settings(max_examples=80, deadline=None)
@given(st.lists(cells, min_size=1, max_size=5), st.lists(st.integers(0, 30), min_size=5, max_size=5))
def test_the_root_in_the_matthews_correlation_is_enclosed(rays: list[Vector], weights: list[int]) -> None:
    a, b, c, d = (sum(w * ray[k] for w, ray in zip(weights, rays, strict=False)) for k in range(4))
    actual, predicted = (a + c) * (b + d), (a + b) * (c + d)
    root = RootBounds.on(rays)
    for (w0, w1), scale, sign in ((*root.above, 1), (*root.below, -1)):
        line = w0 * actual + w1 * predicted
        assert sign * (line * line - actual * predicted * scale * scale) >= 0


@pytest.mark.parametrize(
    ("names", "fixed"),
    [(("acc",), 1), (("acc", "f1"), 2), (("sens", "spec", "bm"), 2), (("f1", "ji"), 1), (("bm", "mk", "mcc"), 2), (("acc", "sens", "ppv"), 3), (("upm", "f1", "f1n"), 2), (("dor", "lrp", "lrn"), 2), (("acc", "kappa", "mcc", "gm"), 3)],
)  # fmt: skip
def test_degrees_of_freedom(names: tuple[str, ...], fixed: int) -> None:
    assert degrees_fixed([sp.score(name).ratio for name in names]) == fixed


def test_what_fixes_the_prevalence() -> None:
    assert fixes([sp.score(name).ratio for name in ("acc", "sens", "spec")], PREVALENCE.ratio)
    assert not fixes([sp.score(name).ratio for name in ("acc", "f1")], PREVALENCE.ratio)
    assert not fixes([sp.score(name).ratio for name in ("sens", "spec", "gm", "lrp")], PREVALENCE.ratio)


@settings(max_examples=200, deadline=None)
@given(st.fractions(-3, 3), st.integers(0, 6))
def test_printed_ends_are_rounded_outwards(value: Fraction, digits: int) -> None:
    assert Fraction(below(value, digits)) <= value <= Fraction(above(value, digits))
    assert Fraction(float_below(value)) <= value <= Fraction(float_above(value))
    assert Range(value, value).to_dict()["low"] <= Range(value, value).to_dict()["high"]


def test_missing_classes_do_not_make_a_score_undefined_between_the_ends() -> None:
    for p, n, report in ((0, 159, {"npv": "1.000", "mk": "0.000"}), (13, 0, {"upm": "0.0000", "sens": "0.6924"})):
        checked = sp.check(sp.TestSet(p, n), report, strict=True)
        assert checked.verdict == "consistent"
        assert checked.solutions().count == sum(1 for _ in checked.solutions().matrices())
    assert sp.check(sp.TestSet(0, 9), {"sens": "0.5"}, strict=True).verdict == "inconsistent"


def test_random_reports_of_one_score_keep_their_interval() -> None:
    rng = random.Random(3)
    for name in ("mcc", "kappa", "lrn"):
        text = f"{rng.uniform(0.2, 0.9):.2f}"
        found = sp.reconstruct({name: text}, tightness=0.05)
        span = found.ranges[name]
        assert span.low >= Fraction(text) - Fraction(1, 100)
        assert span.high is not None
        assert span.high <= Fraction(text) + Fraction(1, 100)
