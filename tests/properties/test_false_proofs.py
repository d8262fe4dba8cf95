"""No proof of a statement that has matrices is accepted, however it is made."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import scoreproof as sp
from scoreproof.checking import certify
from scoreproof_verify.documents import Document
from scoreproof_verify.formulas import rule
from scoreproof_verify.frame import Patience
from scoreproof_verify.replay.branching import Replay
from scoreproof_verify.replay.columns import Model
from scoreproof_verify.replay.flattening import demands_of
from scoreproof_verify.statement import read_statement
from scoreproof_verify.texts import Rejected, interval, spread_of


def _set(p: int, n: int) -> dict[str, Any]:
    return {"type": "testset", "p": p, "n": n}


def _mean(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"type": "mean_of_scores", "parts": list(parts)}


@pytest.mark.parametrize("eps", ["100", "300", "500", "700", "1000", "100000", "1e18"])
@pytest.mark.parametrize("y", [[1 << 18, 1 << 18], [1 << 19, 1 << 19], [1 << 17, 3 << 16], [-(1 << 18), 1 << 18]])
def test_intervals_beyond_all_scores_do_not_overflow(eps: str, y: list[int]) -> None:
    statement = {
        "experiment": _mean(_set(50, 50), _set(60, 40)),
        "scores": [{"score": name, "text": "0.5", "eps": eps} for name in ("acc", "sens")],
        "undefined": "exclude",
    }
    given = {"means": y, "squares": [], "positives": []}
    proof = {"kind": "moments", "defined": given, "left_out": None, "peaks": [[50, 25, 25], [60, 30, 20]]}
    assert not sp.verify(certify("binary", statement, proof, "test"))


def _closed_greedily(statement: dict[str, Any], groups: list[list[int]], rows: int) -> dict[str, Any]:
    """A proof that closes each case by the first row that does, divides it otherwise, and tries what is left."""
    proof = {"kind": "columns", "groups": groups, "bits": [12] * rows}
    demands = demands_of(read_statement(Document(statement), {}), {})
    model = Model(demands, Document(proof), Patience(float("inf")))
    replay = Replay(model, Patience(float("inf")))
    whole: Any = [(k, np.arange(len(group.tp)), len(groups[k])) for k, group in enumerate(model.groups)]
    stack: list[Any] = [(whole, model.lows, model.highs)]
    axes = ["tp", "tn", "p", *(f"counts {name}" for name, _ in demands.scores())]
    filters = [["filter", [sign * (r == row) for r in range(rows)]] for row in range(rows) for sign in (1, -1)]
    steps: list[Any] = []
    while stack:
        node = stack.pop()
        closing = next((step for step in filters if not replay.filter(node, step)), None)
        if closing is not None:
            steps.append(closing)
            continue
        split = next(
            (
                ["split", at, axis, int(along.min()), list(range(count + 1))]
                for at, (group, columns, count) in enumerate(node[0])
                for axis in axes
                if (along := model.groups[group].axis(axis)[columns]).min() < along.max()  # type: ignore[index]
            ),
            None,
        )
        steps.append(split or ["all"])
        if split is not None:
            stack += replay.split(node, split)[::-1]
    return {**proof, "steps": steps}


def _repeats(text: str) -> dict[str, Any]:
    return {
        "experiment": {"type": "kfold", "p": 1, "n": 1, "k": 2, "repeats": 3},
        "scores": [{"score": "ppv", "text": text, "rounding": "any"}],
        "undefined": "skip",
        "spread_over": "repeats",
        "divisor": "sample",
    }


def test_a_deviation_over_repeats_of_which_one_is_left_out_as_a_whole() -> None:
    # precisions (1, -), (-, 0), (-, -): the means of the repeats are 1, 0 and none, which deviate by 0.7071
    statement = _repeats("0.500 ± 0.707")
    assert not sp.verify(certify("binary", statement, _closed_greedily(statement, [[k] for k in range(6)], 25), "test"))
    impossible = _repeats("0.500 ± 0.800")
    assert sp.verify(certify("binary", impossible, _closed_greedily(impossible, [[k] for k in range(6)], 25), "test"))


@pytest.mark.parametrize("text", ["85.1% ± 2.3%", "85.1 ± 2.3%", "85.1% ± 2.3", " 85.1 % +/- 2.3 % ", "8.51e-1±2.3e-2"])
def test_percent_signs_and_exponents_about_a_spread_are_read(text: str) -> None:
    middle, spread = interval(text, "any", None, mean=True), spread_of(text, "any", None)
    assert [float(x) for x in middle] == pytest.approx([0.850, 0.852])
    assert [float(x) for x in spread or ()] == pytest.approx([0.022, 0.024])


@pytest.mark.parametrize("text", ["0.5 ± -0.1", "0.5 ± −0.1"])
def test_a_negative_spread_is_refused(text: str) -> None:
    with pytest.raises(Rejected):
        spread_of(text, "any", None)


def test_prevalence_thresholds_keep_their_digits_where_one_less_the_ratio_is_small() -> None:
    found = rule("pt")
    assert found is not None
    p, n = 2_400_000, 1
    value = found.values(np.array([1.0]), np.array([0.0]), float(p), float(n))[0][0]
    low, high = found.enclose(*found.ratio(1, 0, p, n), 120)
    assert abs(value - float((low + high) / 2)) < 2.0**-51


def test_sets_of_different_parts_are_not_exchanged_where_scores_are_left_out() -> None:
    # (1, -), (1, 0) have the mean precision 3/4; (1, 1), (0, -) have 1/2
    pair = _mean(_set(1, 1), _set(1, 1))
    statement = {"experiment": _mean(pair, pair), "scores": [_claim("ppv")], "undefined": "skip"}
    proof = {"kind": "columns", "groups": [[0, 1, 2, 3]], "bits": [12] * 4, "steps": []}
    assert "not alike" in sp.verify(certify("binary", statement, proof, "test")).words


def _claim(name: str) -> dict[str, str]:
    return {"score": name, "text": "3/4", "eps": "0"}


def test_a_case_whose_interval_is_empty_does_not_stop_the_search() -> None:
    sets = [[(2, 5), (6, 2)], [(0, 3), (0, 2)], [(5, 5), (0, 1), (0, 1), (5, 0), (3, 3)]]
    parts = [sp.MeanOfScores([sp.TestSet(p, n) for p, n in part]) for part in sets]
    report = {"mcc": "-0.361", "bacc": "0.587", "spec": "0.733", "bm": "-0.092"}
    experiment = sp.MeanOfScores(parts, ranges={"bacc": ("0.313", "1.000")})
    found = sp.check(experiment, report, rounding="floor", budget=2, strict=True)
    assert found.verdict is not sp.Verdict.INCONSISTENT
