"""Means over common parts: true ones are never flagged, what is refuted has a proof, and no forgery passes."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from tests.forgery import (
    RULES,
    alterations_prove_nothing_possible,
    certificate_of,
    printed_as,
    root_printed_as,
    sealed,
)

import scoreproof as sp
from scoreproof.checking import Answer, ask
from scoreproof.errors import InvalidExperiment, InvalidOption, InvalidValue, NotCovered
from scoreproof.kinds import kind_named, read_problem
from scoreproof.kinds.binary.scores import score
from scoreproof.kinds.common_average.problem import CommonAverageProblem, Parts, common_average

REFUTED: dict[str, CommonAverageProblem] = {
    "harmonic above": common_average(sp.AverageOf(), {"precision": "91.29%", "recall": "93.44%", "f1": "92.54%"}),
    "harmonic below": common_average(sp.AverageOf(), {"ppv": "0.90", "sens": "0.95", "f2": "0.80"}),
    "harmonic of few": common_average(sp.AverageOf(10), {"ppv": "0.9129", "sens": "0.9344", "f1": "0.855"}),
    "negative class": common_average(sp.AverageOf(), {"npv": "0.50", "spec": "0.50", "f1n": "0.60"}),
    "one of the pair": common_average(sp.AverageOf(), {"ppv": "0.40", "f1": "0.60"}),
    "overlap": common_average(sp.AverageOf(), {"ppv": "0.60", "sens": "0.70", "iou": "0.65"}),
    "curve below": common_average(sp.AverageOf(), {"dice": "97.78%", "iou": "94.84%"}),
    "curve above": common_average(sp.AverageOf(4), {"dice": "0.700", "iou": "0.690"}),
    "parabola above": common_average(
        sp.AverageOf(), {"dice": "0.8500 ± 0.1000", "iou": "0.7600"}, divisor="population", rounding="nearest"
    ),
    "parabola below": common_average(sp.AverageOf(50), {"dice": "0.8500 ± 0.1000", "iou": "0.7440"}),
    "parabola of the overlap": common_average(sp.AverageOf(50), {"iou": "0.7500 ± 0.0500", "dice": "0.8600"}),
    "deviation": common_average(sp.AverageOf(), {"acc": "0.95 ± 0.40", "sens": "0.9"}),
    "error of the mean": common_average(sp.AverageOf(100), {"dice": "0.90 ± 0.05"}, spread="error"),
    "rates": common_average(sp.AverageOf(), {"acc": "0.05", "sens": "0.50", "spec": "0.60"}),
    "balanced": common_average(sp.AverageOf(), {"bacc": "0.70", "sens": "0.50", "spec": "0.60"}, undefined="exclude"),
    "informed": common_average(sp.AverageOf(), {"bacc": "0.70", "bm": "0.50"}, undefined="exclude"),
    "accuracy": common_average(sp.AverageOf(), {"acc": "0.20", "bm": "0.50"}, undefined="exclude"),
    "range": common_average(sp.AverageOf(), {"acc": "1.02", "sens": "0.50"}),
}


@cache
def answered(name: str) -> Answer[Any, Any]:
    answer = ask(REFUTED[name])
    assert answer.verdict == "inconsistent", str(answer)
    return answer


@some.composite
def true_reports(draw: some.DrawFn) -> tuple[sp.AverageOf, dict[str, str], str, str]:
    """Means over parts that are known here, printed by an honest rule; a 0/0 counts as 0 or as 1."""
    parts = draw(some.lists(some.tuples(*[some.integers(0, 12)] * 4), min_size=1, max_size=8))
    weights = draw(
        some.just([1] * len(parts)) | some.lists(some.integers(1, 9), min_size=len(parts), max_size=len(parts))
    )
    zero = draw(some.sampled_from([Fraction(0), Fraction(1)]))
    names = draw(
        some.lists(
            some.sampled_from(["ppv", "sens", "f1", "f2", "ji", "acc", "spec", "npv", "f1n"]), min_size=1, unique=True
        )
    )
    digits, rule = draw(some.integers(1, 5)), draw(some.sampled_from(RULES))
    equal = len(set(weights)) == 1
    with_spread = equal and len(parts) > 1 and draw(some.booleans())
    divisor = draw(some.sampled_from(["population", "sample"]))
    scores = {}
    for name in names:
        ratios = [score(name).ratio(*cells) for cells in parts]
        values = [zero if den == 0 else Fraction(num, den) for num, den in ratios]
        mean = sum((w * v for w, v in zip(weights, values, strict=True)), Fraction(0)) / sum(weights)
        scores[name] = printed_as(mean, digits, rule)
        if with_spread:
            squares = sum(((v - mean) ** 2 for v in values), Fraction(0))
            scores[name] += " ± " + root_printed_as(squares / (len(parts) - (divisor == "sample")), digits, rule)
    known = equal and draw(some.booleans())
    return sp.AverageOf(len(parts) if known else None), scores, rule, draw(some.sampled_from(["any", divisor]))


@settings(max_examples=200)
@given(true_reports())
def test_true_averages_are_never_flagged(report: tuple[sp.AverageOf, dict[str, str], str, str]) -> None:
    experiment, scores, rule, divisor = report
    answer = sp.check(experiment, scores, rounding=rule, divisor=divisor, budget=1.0, strict=True)
    assert answer.verdict != "inconsistent", str(answer)


@settings(max_examples=60)
@given(true_reports(), some.sampled_from(list(REFUTED)))
def test_no_proof_fits_a_true_report(report: tuple[sp.AverageOf, dict[str, str], str, str], name: str) -> None:
    """Whatever a forger claims about true means: the verifier rejects every relation on every score and side."""
    experiment, scores, rule, divisor = report
    statement = common_average(experiment, scores, rounding=rule, divisor=divisor).to_dict()
    proofs = [certificate_of(answered(name))["proof"]]
    for relation in ("harmonic", "overlap", "curve", "rates", "balanced", "informed"):
        proofs += [
            {"kind": "bound", "relation": relation, "score": one, "side": side}
            for one in scores
            for side in ("below", "above")
        ]
    proofs += [{"kind": kind, "score": one} for kind in ("range", "deviation") for one in scores]
    for proof in proofs:
        assert not sp.verify(sealed("common_average", statement, proof)), proof


@pytest.mark.parametrize("name", list(REFUTED))
def test_it_holds_in_words(name: str) -> None:
    answer = answered(name)
    verified = sp.verify(certificate_of(answer))
    assert verified.words.startswith("Proved: no common average over the same"), verified.words
    assert answer.reason


def test_the_words() -> None:
    assert answered("harmonic above").reason == (
        "no common average gives these: with mean precision 91.29% and mean recall 93.44% the mean f1 is at most "
        "0.923625, and 92.54% is printed"
    )
    assert answered("curve below").reason.endswith("the mean iou is at least 0.956372, and 94.84% is printed")


@pytest.mark.parametrize("name", list(REFUTED))
def test_altered_certificates_prove_nothing_that_is_possible(name: str) -> None:
    def are_equal(altered: Any, proof: Any) -> bool:  # 00 is 0
        return [*map(Fraction, altered["coefficients"])] == [*map(Fraction, proof["coefficients"])]

    alterations_prove_nothing_possible(certificate_of(answered(name)), 1.0, are_equal)


@pytest.mark.parametrize("name", list(REFUTED))
def test_round_trips(name: str) -> None:
    problem = REFUTED[name]
    assert read_problem("common_average", json.loads(json.dumps(problem.to_dict()))) == problem
    assert pickle.loads(pickle.dumps(problem)) == problem
    assert Answer.from_dict(json.loads(answered(name).to_json())) == answered(name)


POSSIBLE: list[tuple[int | None, dict[str, str], dict[str, str]]] = [
    (None, {"ppv": "0.9129", "sens": "0.9344", "f1": "0.9234"}, {}),
    (None, {"ppv": "0.9129", "sens": "0.9344", "f1": "0.8480"}, {}),
    (10, {"ppv": "0.9129", "sens": "0.9344", "f1": "0.8800"}, {}),
    (None, {"npv": "0.80", "spec": "0.70", "f2n": "0.65"}, {}),
    (None, {"ppv": "0.80", "sens": "0.70", "f1": "0.72", "iou": "0.65"}, {}),
    (None, {"ppv": "0.40", "f1": "0.50"}, {}),
    (None, {"dice": "0.7000", "iou": "0.6900"}, {}),
    (20, {"dice": "0.85 ± 0.10", "iou": "0.75"}, {}),
    (3, {"dice": "0.850 ± 0.100", "iou": "0.749"}, {}),
    (2, {"dice": "0.850 ± 0.100", "iou": "0.752"}, {}),
    (None, {"iou": "0.7500 ± 0.0500", "dice": "0.8560"}, {}),
    (None, {"acc": "0.95", "sens": "0.50", "spec": "0.60"}, {}),
    (None, {"acc": "0.15", "sens": "0.50", "spec": "0.60", "bacc": "0.55", "bm": "0.10"}, {"undefined": "exclude"}),
    (None, {"acc": "0.80", "sens": "0.70", "spec": "0.85", "ppv": "0.70", "f1": "0.70"}, {}),
]


@pytest.mark.parametrize(("parts", "scores", "options"), POSSIBLE)
def test_what_is_possible_has_parts_that_show_it(
    parts: int | None, scores: dict[str, str], options: dict[str, Any]
) -> None:
    answer = sp.check(sp.AverageOf(parts), scores, **options, strict=True)
    assert answer.verdict == "consistent", str(answer)
    assert isinstance(answer.witness, Parts)
    assert Parts.from_dict(json.loads(json.dumps(answer.witness.to_dict()))) == answer.witness
    assert parts in (None, answer.witness.number)
    assert "parts" in str(kind_named("common_average").tables(answer.problem, answer.witness)[0].head)
    moved = Parts(answer.witness.counts, answer.witness.matrices[::-1] * 2)
    assert not kind_named("common_average").holds(answer.problem, Parts((), ()))
    assert parts is None or not kind_named("common_average").holds(
        answer.problem, Parts(answer.witness.counts * 2, moved.matrices)
    )


def test_what_it_does_not_cover_is_said() -> None:
    with pytest.raises(NotCovered, match="nothing is known about its mean over unknown parts"):
        sp.check(sp.AverageOf(), {"mcc": "0.5"}, strict=True)
    with pytest.raises(NotCovered, match="programs differ on parts that lack a class"):
        sp.check(sp.AverageOf(), {"bacc": "0.5"}, strict=True)
    with pytest.raises(NotCovered, match="needs the number of parts"):
        sp.check(sp.AverageOf(), {"dice": "0.5 ± 0.1"}, spread="error", strict=True)
    with pytest.raises(InvalidOption, match="means that leave out different parts are open"):
        sp.check(sp.AverageOf(), {"f1": "0.5"}, undefined="skip", strict=True)
    with pytest.raises(InvalidOption, match="fold_digits"):
        sp.check(sp.AverageOf(), {"f1": "0.5"}, fold_digits=2, strict=True)
    with pytest.raises(InvalidValue, match="one part has no deviation"):
        sp.check(sp.AverageOf(1), {"f1": "0.5 ± 0.1"}, strict=True)
    for wrong in (0, -1, True, "many", 10**10):
        with pytest.raises(InvalidExperiment, match="how many parts"):
            sp.AverageOf(wrong)  # type: ignore[arg-type]


def test_it_is_explained() -> None:
    said = answered("harmonic above").explain()
    assert set(said.conflicts[0].scores) == {"precision", "recall", "f1"} or set(said.conflicts[0].scores) == {
        "ppv",
        "sens",
        "f1",
    }
    assert sp.verify(said.conflicts[0].certificate or {})
    assert said.repairs
