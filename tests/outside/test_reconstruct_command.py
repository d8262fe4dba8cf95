"""``scoreproof reconstruct`` and bad input to it, from the outside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import scoreproof as sp
import scoreproof.cli.check
import scoreproof.cli.inference
from scoreproof.cli.app import app

WORKED = ("acc=0.706", "tpr=0.430", "fpr=0.031", "ppv=0.930")


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["reconstruct", *arguments])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.output


def test_nothing_known() -> None:
    status, output = run(*WORKED, "--rounding", "nearest")
    assert status == 0
    assert output.startswith("consistent: ")
    assert "0.4866" in output
    assert "Smallest test sets that give these scores: 381" in output


def test_a_total_lists_the_class_counts() -> None:
    status, output = run("acc=0.706", "f1=0.588", "--total", "500", "--rounding", "nearest", "--limit", "3")
    assert status == 0
    assert "148 class counts and 148 matrices fit" in output
    assert "... 145 more" in output
    assert "acc and f1 alone do not fix the prevalence" in output


def test_counts_list_the_matrices() -> None:
    status, output = run("acc=0.6821", "npv=0.9401", "f1=0.4004", "--p", "1000", "--n", "6000")
    assert status == 0
    assert "2 matrices fit" in output
    assert "tp=743 fn=257 fp=1969 tn=4031" in output


def test_an_impossible_report_and_its_certificate(tmp_path: Path) -> None:
    proof = tmp_path / "proof.json"
    status, output = run(
        "acc=0.85", "ppv=0.80", "sens=0.75", "--total", "100", "--rounding", "nearest", "--certificate", str(proof)
    )
    assert status == 1
    assert "no confusion matrix of 100 cases" in output
    verified = CliRunner().invoke(app, ["verify", str(proof)])
    assert verified.exit_code == 0
    assert "with whatever class counts" in verified.output


def test_json_stands_alone(tmp_path: Path) -> None:
    status, output = run(*WORKED, "--json", "--rounding", "nearest")
    document = json.loads(output)
    assert status == 0
    assert document["known"] == "rates"
    assert document["ranges"]["prevalence"]["low"] < 0.4867
    assert document["ranges"]["prevalence"]["high"] > 0.4894
    refuted = json.loads(run("bm=0.400", "bacc=0.702", "--json")[1])
    assert refuted["verdict"] == "inconsistent"
    assert sp.verify(refuted["certificate"])
    open_end = json.loads(run("lrp=2.0", "--json")[1])
    assert open_end["ranges"]["dor"]["high"] is None  # infinity is no JSON


@pytest.mark.parametrize("known", [(), ("--total", "120"), ("--p", "60", "--n", "60")])
def test_figures_are_written(tmp_path: Path, known: tuple[str, ...]) -> None:
    for name, start in (("region.png", b"\x89PNG"), ("region.svg", b"<?xml")):
        assert run("acc=0.80", "sens=0.80", "spec=0.80", "--plot", str(tmp_path / name), *known)[0] == 0
        assert (tmp_path / name).read_bytes().startswith(start)
    with pytest.raises(sp.ScoreproofError, match=r"named \.png"):
        run("acc=0.80", "--plot", str(tmp_path / "region.nonsense"), *known)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("acc",), "expected NAME=VALUE"),
        (("acuracy=0.9",), "did you mean accuracy"),
        (("acc=0.9", "--total", "ten"), "--total: expected a number"),
        (("acc=0.9", "--total", "9-5"), "least <= most"),
        (("acc=0.9", "--total", "0"), "least <= most"),
        (("acc=0.9", "--p", "5"), "p alone does not fix the test set"),
        (("acc=0.9", "--p", "5", "--n", "5", "--total", "11"), "contradicts"),
        (("acc=0.9", "--p", "5", "--n", "5", "--prevalence", "0.5"), "p and n fix it already"),
        (("acc=0.9", "--p", "9", "--total", "5"), "more than the total"),
        (("acc=0.9", "--prevalence", "1.7"), "prevalence"),
        (("acc=0.9 ± 0.1",), "mean over folds"),
        (("acc=nan",), "expected a number"),
        (("acc=90",), "if it is a percentage"),
        (("acc=0.9", "--tightness", "0"), "tightness: expected a positive number"),
        (("acc=0.9", "--budget", "-1"), "budget: expected a positive number"),
        (("acc=0.9", "--rounding", "up"), "rounding: expected one of"),
    ],
)
def test_wrong_usage_says_what_is_wrong(arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(sp.ScoreproofError, match=message):
        run(*arguments)


@pytest.mark.parametrize("bad", [True, 2.5, "100", (1, 2, 3), (1, "2"), -4])
def test_bad_totals(bad: Any) -> None:
    with pytest.raises(sp.ScoreproofError, match="total"):
        sp.reconstruct({"acc": "0.9"}, total=bad)


def test_degenerate_reports_have_defined_answers() -> None:
    assert sp.reconstruct({"acc": "1.000", "sens": "1.000", "spec": "1.000"}).verdict == "consistent"
    assert sp.reconstruct({"acc": "0.50"}, total=1).verdict == "inconsistent"
    beyond = sp.reconstruct({"mcc": "1.5"})
    assert beyond.verdict == "inconsistent"
    assert "never above 1" in beyond.reason
    one_class = sp.reconstruct({"sens": "0.50"}, p=10, n=0)
    assert one_class.verdict == "consistent"
    assert "spec" not in one_class.ranges
    only = sp.reconstruct({"ppv": "1.0000", "pt": "0.0000"}, rounding="ceil")
    assert only.witness is not None
    assert only.witness.fp == 0
    assert only.ranges["fp"].seen_high == 0
    hopeless = sp.reconstruct({"sens": "0.0", "ppv": "0.9"}, eps=0)  # no positive answer at all, yet a precision
    assert hopeless.verdict == "inconsistent"
    assert sp.verify(hopeless.certificate or {})


def test_p_and_a_total_fix_n() -> None:
    assert sp.reconstruct({"acc": "0.9"}, p=4, total=10).classes == (4, 6)
    assert sp.reconstruct({"acc": "0.9"}, n=4, total=10).classes == (6, 4)


def test_undefined_as_zero_needs_counts() -> None:
    assert sp.reconstruct({"ppv": "0.00"}, p=3, n=3, undefined="zero").verdict == "consistent"
    with pytest.raises(sp.ScoreproofError, match="needs p and n"):
        sp.reconstruct({"ppv": "0.00"}, total=6, undefined="zero")


def test_a_registered_score_needs_counts() -> None:
    sp.register("hits", lambda tp, fp, fn, tn: (tp, tp + fp + fn + tn))
    try:
        assert sp.reconstruct({"hits": "0.50"}, p=5, n=5).ranges["tp"].high == 5
        assert {group.p for group in sp.reconstruct({"hits": "0.50"}, total=10).groups or ()} == {5, 6, 7, 8, 9, 10}
        with pytest.raises(sp.ScoreproofError, match="give p and n"):
            sp.reconstruct({"hits": "0.50"})
    finally:
        sp.unregister("hits")


def test_results_print_and_render() -> None:
    found = sp.reconstruct({"acc": "0.80", "f1": "0.80"})
    assert str(found).startswith("consistent: acc = 0.80, f1 = 0.80 of any size; prevalence")
    assert "<table>" in found._repr_html_()
    json.loads(found.to_json())
    large = sp.reconstruct({"acc": "0.80"}, total=10**7)
    assert large.groups is None
    assert large.ranges["tp"].high is not None
    assert large.ranges["tp"].high >= 8 * 10**6
