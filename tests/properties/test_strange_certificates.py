"""Certificates from strangers: whatever they hold, they are refused in words, soon, and without a traceback."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import scoreproof as sp
from scoreproof.checking import certify

Document = dict[str, Any]


def _sealed(statement: Document, proof: Any) -> Document:
    experiment = statement["experiment"]
    unknown = isinstance(experiment, dict) and experiment.get("type") == "unknown_classes"
    return certify("unknown_classes" if unknown else "binary", statement, proof, "test")


def _set(p: Any = 5, n: Any = 5) -> Document:
    return {"type": "testset", "p": p, "n": n}


def _mean(*parts: Any, **more: Any) -> Document:
    return {"type": "mean_of_scores", "parts": list(parts), **more}


def _folds(**more: Any) -> Document:
    return {"type": "kfold", "p": 50, "n": 50, "k": 5, **more}


def _claim(text: Any = "0.5", score: Any = "acc", **more: Any) -> Document:
    return {"score": score, "text": text, **({} if "eps" in more else {"rounding": "any"}), **more}


def _states(experiment: Any = None, *scores: Any, **more: Any) -> Document:
    return {"experiment": experiment or _set(), "scores": list(scores) or [_claim()], "undefined": "any", **more}


def _nested(levels: int, leaf: Any, kind: str = "unknown_aggregation") -> Any:
    for _ in range(levels):
        leaf = {"type": kind, "parts": [leaf]}
    return leaf


def _lists(depth: int) -> Any:
    inner: list[Any] = []
    for _ in range(depth):
        inner = [inner]
    return inner


OUT: Document = {"kind": "rectangles", "steps": [["out", 0]]}
TWO = _mean(_set(), _set(6, 6))
TOTALS: Document = {"kind": "totals", "cases": [{"treatments": {}, "bits": None, "steps": []}]}
GIVEN: Document = {"means": [1], "squares": [], "positives": []}
MOMENTS: Document = {"kind": "moments", "defined": GIVEN, "left_out": None, "peaks": []}


def _columns(groups: int, rows: int, steps: Any = ()) -> Document:
    return {"kind": "columns", "groups": [[k] for k in range(groups)], "bits": [8] * rows, "steps": list(steps)}


STRANGE: dict[str, tuple[Callable[[], Document], Document]] = {
    "an F-score with beta 1/0": (lambda: _states(None, _claim(score="f1/0")), OUT),
    "an F-score with beta 0": (lambda: _states(None, _claim(score="f0")), OUT),
    "a text 1/0": (lambda: _states(None, _claim("1/0", eps="0")), OUT),
    "a text with an exponent of eight digits": (lambda: _states(None, _claim("1e-20000000")), OUT),
    "an eps with an exponent of eight digits": (lambda: _states(None, _claim(eps="1e-20000000")), OUT),
    "an eps of a million digits": (lambda: _states(None, _claim(eps="9" * 10**6)), OUT),
    "an eps of 3,000 digits as a number": (lambda: _states(None, _claim(eps=10**3000)), OUT),
    "a negative eps": (lambda: _states(None, _claim(eps="-0.1")), OUT),
    "an eps that is true": (lambda: _states(None, _claim(eps=True)), OUT),
    "an eps that is a list": (lambda: _states(None, _claim(eps=["0.1"])), OUT),
    "both eps and rounding": (lambda: _states(None, _claim(eps="0.1", rounding="any")), OUT),
    "neither eps nor rounding": (lambda: _states(None, {"score": "acc", "text": "0.5"}), OUT),
    "a text that is a number": (lambda: _states(None, _claim(1)), OUT),
    "a text that is a list": (lambda: _states(None, _claim(["0.5"])), OUT),
    "a text of a million digits": (lambda: _states(None, _claim("0." + "5" * 10**6)), OUT),
    "an empty text": (lambda: _states(None, _claim("")), OUT),
    "a text nan": (lambda: _states(None, _claim("nan")), OUT),
    "a score that is a list": (lambda: _states(None, _claim(score=["acc"])), OUT),
    "a score nobody knows": (lambda: _states(None, _claim(score="accuracy of sorts")), OUT),
    "a score twice": (lambda: _states(None, _claim(), _claim()), OUT),
    "a hundred and one scores": (lambda: _states(None, *(_claim(score=f"f{k}") for k in range(1, 102))), OUT),
    "scores that are an object": (lambda: {**_states(), "scores": {"acc": "0.5"}}, OUT),
    "no scores": (lambda: {**_states(), "scores": []}, OUT),
    "ranges that are null": (lambda: _states(_mean(_set(), _set(), ranges=None)), TOTALS),
    "a range of one end": (lambda: _states(_mean(_set(), _set(), ranges={"acc": ["0.5"]})), TOTALS),
    "a range with crossed ends": (lambda: _states(_mean(_set(), _set(), ranges={"acc": ["1", "0"]})), TOTALS),
    "a range 1/0": (lambda: _states(_mean(_set(), _set(), ranges={"acc": ["1/0", "1"]})), TOTALS),
    "a range of a score nobody knows": (lambda: _states(_mean(_set(), _set(), ranges={"x": ["0", "1"]})), TOTALS),
    "a thousand ranges of many folds": (
        lambda: _states(_folds(p=40_000, n=0, k=40_000, ranges={f"f{k}": ["0", "1"] for k in range(1, 1000)})),
        TOTALS,
    ),
    "fold_digits of 10^8": (lambda: _states(TWO, fold_digits=10**8), TOTALS),
    "fold_digits below 0": (lambda: _states(TWO, fold_digits=-1), TOTALS),
    "fold_digits that are true": (lambda: _states(TWO, fold_digits=True), TOTALS),
    "k that is 5.0": (lambda: _states(_folds(k=5.0)), TOTALS),
    "k that is true": (lambda: _states(_folds(k=True)), TOTALS),
    "k of 10^9": (lambda: _states(_folds(p=10**10, k=10**9)), TOTALS),
    "repeats of 10^9": (lambda: _states(_folds(repeats=10**9)), TOTALS),
    "repeats of 0": (lambda: _states(_folds(repeats=0)), TOTALS),
    "stratified that is 1": (lambda: _states(_folds(stratified=1)), TOTALS),
    "a rule of folds that is a list": (lambda: _states(_folds(rule=["any"])), TOTALS),
    "an aggregation nobody knows": (lambda: _states(_folds(aggregation="sum")), TOTALS),
    "p that is true": (lambda: _states(_set(True)), OUT),
    "p that is a text": (lambda: _states(_set("5")), OUT),
    "p below 0": (lambda: _states(_set(-5)), OUT),
    "p of 10^41": (lambda: _states(_set(10**41)), OUT),
    "no cases at all": (lambda: _states(_set(0, 0)), OUT),
    "an experiment that is a list": (lambda: _states([_set()]), OUT),
    "an experiment of a type that is a list": (lambda: _states({"type": ["testset"], "p": 5, "n": 5}), OUT),
    "an experiment with a key too many": (lambda: _states({**_set(), "q": 1}), OUT),
    "a mean without parts": (lambda: _states(_mean()), TOTALS),
    "no reading": (
        lambda: _states({"type": "score_of_means", "parts": [_nested(1, _folds())]}),
        {"kind": "cases", "cases": []},
    ),
    "a mean in a mean sixty times": (lambda: _states(_nested(60, _set(), "mean_of_scores")), OUT),
    "twelve unknown levels of many parts": (
        lambda: _states(_nested(11, {"type": "unknown_aggregation", "parts": [_set()] * 5000})),
        {"kind": "cases", "cases": []},
    ),
    "a hundred thousand cases": (lambda: _states(TWO), {"kind": "totals", "cases": TOTALS["cases"] * 10**5}),
    "cases that are an object": (lambda: _states(TWO), {"kind": "totals", "cases": {}}),
    "a case that is a list": (lambda: _states(TWO), {"kind": "totals", "cases": [[]]}),
    "a statement with an unknown key": (lambda: _states(link="identity"), OUT),
    "a 0/0 rule that is a list": (lambda: {**_states(), "undefined": ["any"]}, OUT),
    "a 0/0 rule that is left out": (lambda: {"experiment": _set(), "scores": [_claim()]}, OUT),
    "extremes of one matrix": (lambda: _states(minimum=[_claim()]), OUT),
    "a ± of one matrix": (lambda: _states(None, _claim("0.5 ± 0.1")), OUT),
    "attained that is 0": (lambda: _states(TWO, attained=0), TOTALS),
    "a proof that is a list": (_states, []),  # type: ignore[dict-item]
    "a kind that is a list": (_states, {"kind": ["rectangles"], "steps": []}),
    "steps that are a text": (_states, {"kind": "rectangles", "steps": "out"}),
    "a step that is a number": (_states, {"kind": "rectangles", "steps": [1]}),
    "a reason that is true": (_states, {"kind": "rectangles", "steps": [["out", True]]}),
    "a reason below 0": (_states, {"kind": "rectangles", "steps": [["out", -1]]}),
    "a proof of another kind": (_states, TOTALS),
    "a proof nested a hundred times": (_states, {"kind": "rectangles", "steps": _lists(100)}),
    "a proof nested 900 times": (_states, {"kind": "rectangles", "steps": _lists(900)}),
    "multipliers of 13,000 binary digits": (
        lambda: _states(TWO),
        {"kind": "totals", "cases": [{"treatments": {}, "bits": None, "steps": [["out", [10**4000]]] * 1000}]},
    ),
    "bits of 10^9": (
        lambda: _states(TWO),
        {"kind": "totals", "cases": [{"treatments": {}, "bits": 10**9, "steps": []}]},
    ),
    "class counts without a common measure": (
        lambda: _states(_mean(*(_set(10**39 + k, 10**39 + 7 * k) for k in range(5000)))),
        TOTALS,
    ),
    "twenty thousand kinds of sets with ranges": (
        lambda: _states(_mean(*(_set(10 + k, 10 + 7 * k) for k in range(20_000)), ranges={"acc": ["0.1", "0.9"]})),
        {"kind": "totals", "cases": [{"treatments": {}, "bits": 8, "steps": []}]},
    ),
    "ten thousand kinds of large sets": (lambda: _states(_mean(*(_set(k, 10**6) for k in range(1, 10_001)))), MOMENTS),
    "a bonus below 0": (
        lambda: _states(_mean(_set(), _set()), _claim(score="ppv")),
        {"kind": "moments", "defined": GIVEN, "left_out": {**GIVEN, "bonus": -1}, "peaks": []},
    ),
    "thirty groups of four million points": (lambda: _states(_mean(*[_set(2000, 2000)] * 30)), _columns(30, 200)),
    "three thousand groups": (
        lambda: _states(_mean(*(_set(9, k % 20 + 1) for k in range(3000)))),
        _columns(3000, 9100),
    ),
    "folds with 10^30 possible class counts": (
        lambda: _states(_folds(p=10**30, n=10**30, k=2, stratified=False)),
        _columns(2, 20),
    ),
    "a group left out": (lambda: _states(TWO), _columns(1, 10)),
    "a group twice": (lambda: _states(TWO), {**_columns(2, 10), "groups": [[0, 1], [1]]}),
    "unknown classes of 10^40 cases": (
        lambda: _states({"type": "unknown_classes", "total": [1, 10**40]}),
        {"kind": "known total", "steps": []},
    ),
    "unknown classes of less than no cases": (
        lambda: _states({"type": "unknown_classes", "total": [5, 1]}),
        {"kind": "known total", "steps": []},
    ),
}


@pytest.mark.parametrize("strange", STRANGE)
def test_what_is_strange_is_not_proved(strange: str) -> None:
    statement, proof = STRANGE[strange]
    found = sp.verify(_sealed(statement(), proof))
    assert not found
    assert found.words.startswith("Not proved: ")


def test_an_eps_of_one_read_before_does_not_make_true_a_number() -> None:
    possible = _states(None, _claim(eps=1))
    assert "exclude" in sp.verify(_sealed(possible, OUT)).words
    assert "eps is not a number" in sp.verify(_sealed(_states(None, _claim(eps=True)), OUT)).words


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 0.5, 5.0])
def test_numbers_that_are_not_whole_are_refused_wherever_they_stand(value: float, tmp_path: Path) -> None:
    for statement, proof in (
        (_states(_set(value)), OUT),
        (_states(None, _claim(eps=value)), OUT),
        (_states(), {"kind": "rectangles", "steps": [["out", value]]}),
    ):
        file = tmp_path / "strange.json"
        file.write_text(json.dumps(_sealed(statement, proof)), encoding="utf-8")
        assert "neither text nor whole number" in sp.verify(file).words
