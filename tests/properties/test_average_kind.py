"""Printed means and deviations: true tables are never flagged, what is refuted has a proof, and no forgery passes."""

from __future__ import annotations

import copy
import json
import pickle
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from tests.forgery import RULES, alterations, certificate_of, printed_as, root_printed_as, sealed
from tests.outside.test_javascript_verifier import assert_alike

import scoreproof as sp
from scoreproof.checking import Answer, ask
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.kinds import read_problem
from scoreproof.kinds.average import AverageProblem, printed_average
from scoreproof.solve.sum_of_squares import Squares, squares_of

VALUES = some.lists(some.fractions(-2, 3, max_denominator=997), min_size=2, max_size=7)
NEAREST = {"rounding": "nearest"}
REFUTED: dict[str, AverageProblem] = {
    "mean": printed_average("acc", ["0.90", "0.92", "0.95"], "0.94", **NEAREST),
    "weighted": printed_average("recall", {"cat": "0.90", "dog": "0.50"}, "0.70", weights=[3, 1], **NEAREST),
    "eps": printed_average("loss", ["1.2", "3.4"], "2.6", eps="1/10"),
    "small deviation": printed_average(
        "acc", ["0.90", "0.92", "0.95"], "0.92 ± 0.01", statistic="deviation", **NEAREST
    ),
    "large deviation": printed_average("acc", ["0.90", "0.92", "0.95"], "0.05", statistic="deviation", **NEAREST),
    "between divisors": printed_average(
        "acc", ["0.9000", "0.9100", "0.9200"], "0.0090", statistic="deviation", **NEAREST
    ),
    "sample": printed_average("x", ["0.900", "0.920"], "0.010", statistic="deviation", divisor="sample", **NEAREST),
    "commas": printed_average("acc", ["90,0%", "92,0 % ± 1,0"], "95,0%", decimal_comma=True),
    "of a machine": printed_average("acc", ["0.9333333333333333", "0.8666666666666667"], "0.9000000000010101"),
    "unlike digits": printed_average("x", ["0.9", "0.920", "0.111"], "0.9", statistic="deviation", **NEAREST),
}


def answered(name: str) -> Answer[Any, Any]:
    answer = ask(REFUTED[name])
    assert answer.verdict == "inconsistent", str(answer)
    return answer


@settings(max_examples=150)
@given(VALUES, some.integers(0, 4), some.integers(0, 4), some.sampled_from(RULES), some.data())
def test_a_true_mean_is_never_flagged(
    values: list[Fraction], digits: int, more: int, rule: str, data: some.DataObject
) -> None:
    weights = data.draw(some.none() | some.lists(some.integers(0, 9), min_size=len(values), max_size=len(values)))
    weights = weights if weights and sum(weights) else None
    shares = weights or [1] * len(values)
    mean = sum((share * value for share, value in zip(shares, values, strict=True)), Fraction(0)) / sum(shares)
    rounding = data.draw(some.sampled_from((rule, "any")))
    rows = [printed_as(value, digits, rule) for value in values]
    problem = printed_average("loss", rows, printed_as(mean, more, rule), weights=weights, rounding=rounding)
    assert ask(problem).verdict == "consistent"


@settings(max_examples=150)
@given(
    VALUES, some.integers(1, 4), some.integers(1, 4), some.sampled_from(RULES), some.sampled_from((0, 1)), some.data()
)
def test_a_true_deviation_is_never_flagged(
    values: list[Fraction], digits: int, more: int, rule: str, off: int, data: some.DataObject
) -> None:
    variance = squares_of(values) / (len(values) - off)
    own = [data.draw(some.integers(0, 1)) for _ in values]  # some rows are printed with a digit more
    rows = [printed_as(value, digits + extra, rule) for value, extra in zip(values, own, strict=True)]
    problem = printed_average(
        "loss",
        rows,
        root_printed_as(variance, more, rule),
        statistic="deviation",
        divisor=data.draw(some.sampled_from(("any", "population" if off == 0 else "sample"))),
        rounding=data.draw(some.sampled_from((rule, "any"))),
    )
    assert ask(problem).verdict == "consistent"


@settings(max_examples=150)
@given(VALUES, some.integers(1, 3), some.fractions(0, 3, max_denominator=50), some.booleans())
def test_what_is_refuted_has_a_proof_that_verifies(
    values: list[Fraction], digits: int, printed: Fraction, spread: bool
) -> None:
    rows = [printed_as(value, digits, "nearest") for value in values]
    statistic = "deviation" if spread else "mean"
    text = printed_as(printed, 2, "nearest")
    answer = ask(printed_average("loss", rows, text, statistic=statistic, rounding="nearest"))
    assert answer.verdict in ("consistent", "inconsistent"), answer.reason
    if answer.certificate is not None:
        verified = sp.verify(certificate_of(answer))
        assert verified, verified.words


@settings(max_examples=100)
@given(some.lists(some.tuples(some.integers(-9, 9), some.integers(0, 3)), min_size=1, max_size=7), some.randoms())
def test_the_range_of_the_squares(ends: list[tuple[int, int]], random: Any) -> None:
    boxes = [(Fraction(low, 3), Fraction(low, 3) + Fraction(width, 5)) for low, width in ends]
    squares = Squares.over(boxes)
    for point in (squares.lowest, squares.highest):
        assert all(low <= value <= high for value, (low, high) in zip(point, boxes, strict=True))
    assert squares_of(squares.lowest) == squares.least
    corners = [squares_of(corner) for corner in product(*boxes)]
    assert squares.bound == max(corners) == squares_of(squares.highest)
    for _ in range(20):
        inside = [low + (high - low) * Fraction(random.randint(0, 8), 8) for low, high in boxes]
        assert squares.least <= squares_of(inside) <= squares.bound


@pytest.mark.parametrize("name", list(REFUTED))
def test_it_holds_in_words(name: str) -> None:
    answer = answered(name)
    assert answer.reason.startswith("the printed rows give "), answer.reason
    verified = sp.verify(certificate_of(answer))
    assert verified
    assert verified.words.startswith("Proved: no "), verified.words


def test_the_words_name_the_range() -> None:
    assert answered("mean").reason == "the printed rows give 0.9183 to 0.9284"
    assert "with n - 1" in answered("small deviation").reason
    assert str(answered("weighted")).startswith("inconsistent: mean recall = 0.70 cannot come from the 2 printed rows")


@pytest.mark.parametrize("name", list(REFUTED))
def test_altered_statements_prove_nothing_that_is_possible(name: str) -> None:
    document = certificate_of(answered(name))
    tried = 0
    for statement in alterations(document["statement"]):
        verified = sp.verify(sealed("average", statement, document["proof"]))
        if verified:  # then it must still be impossible, as an independent look at the problem says
            try:
                again = read_problem("average", statement)
            except InvalidValue:
                continue  # 10.90 is no accuracy, and no mean of others either
            assert ask(again).verdict == "inconsistent", statement
        tried += 1
    assert tried > 20


@pytest.mark.parametrize("name", list(REFUTED))
def test_altered_proofs_are_rejected(name: str) -> None:
    document = certificate_of(answered(name))
    assert not sp.verify({**document, "digest": "0" * 64})
    for proof in alterations(document["proof"]):
        if sp.verify(sealed("average", document["statement"], proof)):
            assert as_numbers(proof) == as_numbers(document["proof"]), "0 may be written 00, but nothing else differs"


def as_numbers(proof: dict[str, Any]) -> list[Any]:
    return [
        (case["divisor"], case["side"], [Fraction(slope) for slope in case.get("slopes", [])])
        for case in proof["cases"]
    ]


@pytest.mark.parametrize("name", list(REFUTED))
@pytest.mark.parametrize("text", ["0.93", "0.92", "0.80", "0.023", "1.9"])
def test_a_proof_of_one_claim_is_none_of_a_possible_one(name: str, text: str) -> None:
    document = copy.deepcopy(certificate_of(answered(name)))
    document["statement"]["claim"] = {"text": text, "rounding": "any"}
    problem = read_problem("average", document["statement"])
    if ask(problem).verdict == "consistent":
        assert not sp.verify(sealed("average", document["statement"], document["proof"]))


@pytest.mark.parametrize("name", list(REFUTED))
def test_round_trips(name: str) -> None:
    problem = REFUTED[name]
    assert read_problem("average", json.loads(json.dumps(problem.to_dict()))) == problem
    assert pickle.loads(pickle.dumps(problem)) == problem
    assert hash(pickle.loads(pickle.dumps(problem))) == hash(problem)
    answer = answered(name)
    assert Answer.from_dict(json.loads(answer.to_json())) == answer
    without = problem.with_claims(())
    assert ask(without).verdict == "consistent"
    assert Answer.from_dict(json.loads(ask(without).to_json())) == ask(without)


def test_it_is_explained() -> None:
    explanation = answered("mean").explain()
    assert "mean acc = 0.92 instead of 0.94" in str(explanation)


def test_a_target_that_only_a_root_reaches_is_undecided() -> None:
    rows = ["0", "1"]  # deviations from 0 to over 1, and the square of 0.7 is not that of a bisected point
    answer = ask(printed_average("x", rows, "0.7", statistic="deviation", divisor="population", eps="0"))
    assert answer.verdict == "inconsistent"  # the rows are exact, too
    problem = printed_average("x", rows, "0.7", statistic="deviation", divisor="population", rounding="nearest")
    exact = printed_average("x", rows, "0.7", statistic="deviation", divisor="population", eps="0")
    answer = ask(problem.with_claims(exact.claims))
    assert answer.verdict == "undecided"


def test_refused() -> None:
    with pytest.raises(InvalidOption, match="rows"):
        printed_average("acc", [], "0.9")
    with pytest.raises(InvalidOption, match="rows"):
        printed_average("acc", ["0.9"], "0.1", statistic="deviation")
    with pytest.raises(InvalidOption, match="weights"):
        printed_average("acc", ["0.9"], "0.9", weights=[0])
    with pytest.raises(InvalidOption, match="weights"):
        printed_average("acc", ["0.9", "0.8"], "0.1", statistic="deviation", weights=[1, 1])
    with pytest.raises(InvalidOption, match="statistic"):
        printed_average("acc", ["0.9"], "0.9", statistic="median")
    with pytest.raises(InvalidValue, match="not negative"):
        printed_average("acc", ["0.9", "0.8"], "-0.5", statistic="deviation")


def test_rows_of_many_widths_are_bounded() -> None:
    """Too many corners: the widest row stands for all, and what lies between bound and best corner is open."""
    rows = [printed_average("x", ["0.5"], "0.5", eps=f"1/{10 + k}").rows[0] for k in range(20)]
    verdicts = {
        text: str(ask(printed_average("x", rows, text, statistic="deviation", rounding="nearest")).verdict)
        for text in ("0.05", "0.09", "0.11", "0.12")
    }
    assert verdicts == {"0.05": "consistent", "0.09": "undecided", "0.11": "inconsistent", "0.12": "inconsistent"}


@settings(max_examples=150)
@given(VALUES, some.integers(1, 3), some.booleans(), some.data())
def test_no_proof_fits_a_true_statistic(
    values: list[Fraction], digits: int, spread: bool, data: some.DataObject
) -> None:
    """Whatever slopes a forger makes up, those that sum to 0 and are near the truth included."""
    rows = [printed_as(value, digits, "nearest") for value in values]
    if not spread:
        mean = sum(values, Fraction(0)) / len(values)
        problem = printed_average("loss", rows, printed_as(mean, 3, "nearest"), rounding="nearest")
        assert not sp.verify(sealed("average", problem.to_dict(), {"kind": "mean"}))
        return
    text = root_printed_as(squares_of(values) / len(values), 3, "nearest")
    options = {"statistic": "deviation", "divisor": "population", "rounding": "nearest"}
    problem = printed_average("loss", rows, text, **options)
    made_up = data.draw(some.lists(some.fractions(-2, 2), min_size=len(rows), max_size=len(rows)) | some.just(values))
    centre = sum(made_up, Fraction(0)) / len(made_up)
    slopes = [str(value - centre) for value in made_up]
    for case in ({"side": "above"}, {"side": "below", "slopes": slopes}):
        proof = {"kind": "deviation", "cases": [{"divisor": "population", **case}]}
        assert not sp.verify(sealed("average", problem.to_dict(), proof))


def test_the_words_say_the_weights(tmp_path: Path) -> None:
    """Some weighted mean of 0.1 and 0.9 is 0.5, but not the one by 1 and 99."""
    problem = printed_average("acc", ["0.1", "0.9"], "0.5", weights=[1, 99])
    certificate = certificate_of(ask(problem))
    assert "have a mean weighted by 1, 99 that prints as 0.5" in str(sp.verify(certificate))
    assert_alike(tmp_path, [certificate])
