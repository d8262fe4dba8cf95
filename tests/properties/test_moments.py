"""Multipliers over means, squares and class totals: bounds that hold, proofs that are true, forgeries that are not."""

from __future__ import annotations

import copy
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np
import pytest
from benchmarks import tiny_means
from hypothesis import given, settings
from hypothesis import strategies as some
from tests.forgery import certificate_of

import scoreproof as sp
from scoreproof.checking.answer import verification_error
from scoreproof.kinds import kind_named
from scoreproof.kinds.binary.engine.averages.dual_bound_moments import MomentBound, applies
from scoreproof.work.budget import Budget
from scoreproof_verify import digest
from scoreproof_verify.formulas import LINEAR, rule
from scoreproof_verify.replay.boxes import BITS, LinearScore, Option, Share, Term, halved, joined, kept, single

NAMES = ("acc", "sens", "spec", "bacc", "ppv", "npv", "f1", "mcc", "kappa", "gm", "err", "bm", "mk", "ji", "fm", "upm")


def _value(name: str, tp: int, tn: int, p: int, n: int) -> tuple[Fraction, Fraction] | None:
    known = rule(name)
    assert known is not None
    num, den = known.ratio(tp, tn, p, n)
    return None if den == 0 else known.enclose(num, den, 80)


@given(data=some.data())
@settings(max_examples=150)
def test_no_cell_adds_more_than_the_bound_of_its_box(data: some.DataObject) -> None:
    """Halved boxes at any depth, class counts known or open, 0/0 counted, impossible or left out."""
    size = data.draw(some.integers(2, 9))
    least = data.draw(some.integers(0, size))
    most = data.draw(some.sampled_from((least, some_more := min(size, least + 3), some_more)))
    option = Option(size, least, most)
    known = least == most
    fill = data.draw(some.sampled_from((None, (0, 0), (1, 1))))
    bonus = data.draw(some.sampled_from((None, 0, 1 << (BITS + 3))))
    terms, linear = [], []
    names = data.draw(some.lists(some.sampled_from(NAMES), min_size=1, max_size=4, unique=True))
    for name in names:
        known_rule = rule(name)
        assert known_rule is not None
        mean, square = (data.draw(some.integers(-50, 50)) for _ in range(2))
        centre = Fraction(data.draw(some.integers(0, 20)), 20)
        affine = known_rule.border == LINEAR and (name in ("acc", "err") or (known and 0 < least < size))
        if affine:
            linear.append((name, LinearScore(known_rule, mean, square, centre)))
        else:
            aside = Fraction(data.draw(some.integers(-10, 10)))
            terms.append((name, Term(known_rule, mean, square, centre, aside, fill, known)))
    slope = data.draw(some.integers(-9, 9)) << BITS
    holes = tuple((term.rule, False) for _, term in terms) if bonus is not None else ()
    share = Share(option, tuple(s for _, s in linear), tuple(t for _, t in terms), 0, slope, bonus, holes, ())
    boxes = share.start()
    for _ in range(data.draw(some.integers(0, 8))):
        whole = single(boxes)
        if whole.all():
            break
        boxes = joined(halved(option, kept(boxes, ~whole)), kept(boxes, whole))
    bounds = share.upper(boxes)
    seen = 0
    for box, bound in zip(np.transpose(boxes).tolist(), bounds.tolist(), strict=True):
        for p in range(box[0], box[1] + 1):
            for tp in range(box[2], min(box[3], p) + 1):
                for tn in range(box[4], min(box[5], size - p) + 1):
                    seen += 1
                    worth = _worth(linear, terms, tp, tn, p, size - p, fill, bonus)
                    if worth is not None:
                        assert worth + Fraction(slope * p, 1 << BITS) <= Fraction(bound, 1 << BITS)
    assert seen == sum((p + 1) * (size - p + 1) for p in range(least, most + 1)), "boxes that miss or repeat cells"


def _worth(
    linear: list[tuple[str, LinearScore]],
    terms: list[tuple[str, Term]],
    tp: int,
    tn: int,
    p: int,
    n: int,
    fill: Any,
    bonus: int | None,
) -> Fraction | None:
    """The least that a cell surely adds, tried in every way; None if it is impossible."""
    total, out = Fraction(0), False
    for name, one in linear:
        value = _value(name, tp, tn, p, n)
        assert value is not None
        x = value[0] - one.centre
        total += one.mean * value[0] + one.square * x * x
    for name, term in terms:
        value = _value(name, tp, tn, p, n)
        if value is None and bonus is not None:
            out = True
            if fill is None:
                continue  # it can only be left out
        if value is None and fill is None:
            return None
        ends = value if value is not None else (Fraction(fill[0]), Fraction(fill[0]))
        worth = min(term.mean * f + term.square * (f - term.centre) ** 2 for f in ends) + term.aside
        total += max(worth, Fraction(0)) if value is None and bonus is not None else worth
    return total + (Fraction(bonus or 0, 1 << BITS) if out else 0)


def test_whatever_the_verifier_accepts_is_impossible() -> None:
    """Tiny reports of every option: multipliers, where they refute, against trying everything."""
    kind = kind_named("binary")
    accepted = 0
    for report in islice(tiny_means.reports(11), 400):
        problem = kind.problem(report.experiment, report.scores, **report.options)
        if kind.cases(problem):
            continue
        constraints = kind._read_constraints(problem)
        if not applies(constraints):
            continue
        proof = MomentBound(constraints).refute(Budget(5))
        if proof is not None and not verification_error("binary", problem.to_dict(), proof):
            accepted += 1
            assert not tiny_means.possible(report), report
    assert accepted > 20


IMAGES = sp.MeanOfScores([sp.TestSet(30_000 + 7 * k, 200_000 + 11 * k) for k in range(4)])
SPREAD = {"acc": "0.9504 ± 0.0010", "sens": "0.8000 ± 0.1000", "spec": "0.9730 ± 0.0010"}


CERTIFICATES = {
    "known": certificate_of(sp.check(IMAGES, SPREAD, divisor="sample", undefined="exclude", strict=True)),
    "any": certificate_of(sp.check(IMAGES, SPREAD, divisor="population", strict=True)),
    "either divisor": certificate_of(sp.check(IMAGES, SPREAD, strict=True)),
    "open": certificate_of(
        sp.check(
            sp.KFold(2_000, 8_000, 5, stratified=False),
            {"acc": "0.9000", "sens": "0.5000", "ppv": "0.5000", "f1": "0.9000"},
            undefined="exclude",
            strict=True,
        )
    ),
    "open, narrowly": certificate_of(
        sp.check(
            sp.KFold(251, 4_751, 3, stratified=False),
            {"f1": "0.4789", "mcc": "0.4759", "ppv": "0.3551", "sens": "0.7341"},
            undefined="exclude",
            strict=True,
        )
    ),
    "with scores left out": certificate_of(
        sp.check(
            sp.KFold(1_003, 19_002, 5, stratified=False),
            {"sens": "0.674 ± 0.048", "spec": "0.868 ± 0.014", "f1": "0.332 ± 0.041", "gm": "0.776 ± 0.031"},
            rounding="nearest",
            divisor="sample",
            strict=True,
        )
    ),
}


@pytest.mark.parametrize("name", CERTIFICATES)
def test_certificates_of_moments_hold(name: str) -> None:
    certificate = CERTIFICATES[name]
    assert certificate["proof"]["kind"] == "moments"
    verification = sp.verify(certificate)
    assert verification, verification.words
    assert ("one divisor for all" in verification.words) is (name == "either divisor")


def _given(certificate: dict[str, Any]) -> dict[str, Any]:
    proof = certificate["proof"]
    found: dict[str, Any] = proof["defined"] or proof["left_out"]
    return found


ALTERATIONS: dict[str, Any] = {
    "zeroed": lambda c: _given(c).update(means=[0] * len(_given(c)["means"]), squares=[0] * len(_given(c)["squares"])),
    "reversed": lambda c: _given(c).update({key: [-y for y in _given(c)[key]] for key in ("means", "squares")}),
    "too few": lambda c: _given(c)["means"].pop(),
    "no number": lambda c: _given(c)["means"].__setitem__(0, "1"),
    "far too large": lambda c: _given(c)["means"].__setitem__(0, 1 << 40),
    "peaks of no set": lambda c: c["proof"].update(peaks=[[-1, 0, 0]] * len(c["proof"]["peaks"])),
    "peaks missing": lambda c: c["proof"].update(peaks=[]),
    "no multipliers": lambda c: c["proof"].update(defined=None, left_out=None),
    "both cases": lambda c: c["proof"].update(defined=_given(c), left_out={**_given(c), "bonus": 0}),
    "a negative bonus": lambda c: c["proof"].update(defined=None, left_out={**_given(c), "bonus": -1}),
    "an unknown key": lambda c: c["proof"].update(note="trust me"),
    "everything allowed": lambda c: [one.update(text="0.5", eps="0.5") for one in c["statement"]["scores"]],
    "0/0 as one likes": lambda c: c["statement"].update(undefined="skip" if c["proof"]["defined"] else "zero"),
}


@pytest.mark.parametrize("alteration", ALTERATIONS)
@pytest.mark.parametrize("name", CERTIFICATES)
def test_altered_moments_are_rejected(name: str, alteration: str) -> None:
    altered = copy.deepcopy(CERTIFICATES[name])
    ALTERATIONS[alteration](altered)
    altered["digest"] = digest(altered["kind"], altered["statement"], altered["proof"])
    assert not sp.verify(altered)


def test_one_divisor_serves_a_whole_report() -> None:
    """Two deviations that only different divisors give: possible if each score may have its own."""
    two = sp.MeanOfScores([sp.TestSet(10, 10), sp.TestSet(10, 10)])
    report = {"sens": "0.7000 ± 0.1000", "spec": "0.7000 ± 0.1414"}
    verdicts = {
        name: sp.check(two, report, divisor=name, rounding="nearest", strict=True).verdict
        for name in ("any", "each", "population", "sample")
    }
    assert verdicts == {
        "any": "inconsistent",
        "each": "consistent",
        "population": "inconsistent",
        "sample": "inconsistent",
    }
    alike = {"sens": "0.7000 ± 0.1414", "spec": "0.7000 ± 0.1414"}
    assert sp.check(two, alike, rounding="nearest", strict=True).verdict == "consistent"
