"""``scoreproof check --explain`` from the outside."""

from __future__ import annotations

import json
from pathlib import Path

from tests.outside.commands import run

TYPO = ("check", "--p", "1000", "--n", "6000", "acc=0.6801", "npv=0.9401", "f1=0.4004")


def test_the_explanation_is_printed() -> None:
    done = run(*TYPO, "--explain", "--explain-budget", "2")
    assert done.returncode == 1
    assert "acc 0.6801, npv 0.9401 and f1 0.4004 cannot stand together" in done.stdout
    assert "Would fit (not proved): acc 0.6821, one digit changed, would fit all three numbers." in done.stdout
    assert "Tried, does not help" in done.stdout


def test_the_finding_comes_without_asking_and_everything_else_does_not() -> None:
    done = run("check", "--p", "96", "--n", "104", "sens=0.871", "spec=0.750")
    assert done.returncode == 1
    verdict, sentence, picture, repair, *_ = done.stdout.splitlines()
    assert verdict == "INCONSISTENT  one test set, p=96, n=104"
    assert sentence.strip() == "sens 0.871 is not possible with 96 positives: 83 of 96 is 0.865, 84 of 96 is 0.875."
    assert "✗ 0.871" in picture
    assert repair.strip() == "Would fit (not proved): sens 0.781, two digits swapped, would fit both numbers."
    assert "Tried, does not help" not in done.stdout
    counted = run("check", "--p", "96", "--n", "104", "sens=0.871", "spec=0.750", "--no-explain")
    assert "Would fit" not in counted.stdout
    assert "83 of 96 is 0.865" in counted.stdout, "what arithmetic tells needs no explanation"


def test_json_carries_it() -> None:
    document = json.loads(run(*TYPO, "--explain", "--explain-budget", "2", "--json").stdout)
    explanation = document["explanation"]
    assert explanation["repairs"][0]["changes"] == [{"score": "acc", "from": "0.6801", "to": "0.6821"}]
    assert {one["answer"] for one in explanation["hypotheses"]} <= {"fits", "does not fit", "undecided"}
    assert explanation["conflicts"]


def test_a_hypothesis_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "balanced.yaml"
    file.write_text("type: testset\np: 500\nn: 500\n", encoding="utf-8")
    done = run(
        "check", "--p", "50", "--n", "500", "acc=0.750", "sens=0.600", "spec=0.900", "--explain", "--hypothesis",
        str(file), "--json",
    )  # fmt: skip
    tried = json.loads(done.stdout)["explanation"]["hypotheses"][0]
    assert (tried["name"], tried["answer"]) == ("balanced", "fits")


def test_options_of_explanations_contradict_having_none() -> None:
    done = run(*TYPO, "--oversampled", "3000", "--no-explain")
    assert done.returncode == 2
    assert "leave --no-explain out" in done.stderr


def test_a_missing_hypothesis_file() -> None:
    done = run(*TYPO, "--explain", "--hypothesis", "nowhere.yaml")
    assert done.returncode == 2
    assert "nowhere.yaml" in done.stderr
    assert "Traceback" not in done.stderr


def test_reconstruction_explains_too() -> None:
    done = run("reconstruct", "ppv=0.9705", "sens=1", "acc=0.5317", "--eps", "sens=0", "--explain")
    assert done.returncode == 1
    assert "pv and acc exchanged" in done.stdout
