"""``scoreproof check --explain`` from the outside."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "scoreproof", *arguments], capture_output=True, text=True, check=False)


TYPO = ("check", "--p", "1000", "--n", "6000", "acc=0.6801", "npv=0.9401", "f1=0.4004")


def test_the_explanation_is_printed() -> None:
    done = run(*TYPO, "--explain", "--explain-budget", "2")
    assert done.returncode == 1
    assert "Smallest conflict (proved)" in done.stdout
    assert "1. acc = 0.6821 instead of 0.6801 (one digit changed)" in done.stdout
    assert "Only the conflict is proved" in done.stdout


def test_json_carries_it() -> None:
    document = json.loads(run(*TYPO, "--explain", "--explain-budget", "2", "--json").stdout)
    explanation = document["explanation"]
    assert explanation["repairs"][0]["changes"] == [{"score": "acc", "from": "0.6801", "to": "0.6821"}]
    assert {one["answer"] for one in explanation["hypotheses"]} <= {"fits", "does not fit", "undecided"}
    assert explanation["proved"]


def test_a_hypothesis_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "balanced.yaml"
    file.write_text("type: testset\np: 500\nn: 500\n", encoding="utf-8")
    done = run(
        "check", "--p", "50", "--n", "500", "acc=0.750", "sens=0.600", "spec=0.900", "--explain", "--hypothesis",
        str(file), "--json",
    )  # fmt: skip
    tried = json.loads(done.stdout)["explanation"]["hypotheses"][0]
    assert (tried["name"], tried["answer"]) == ("balanced", "fits")


def test_options_of_explanations_need_it() -> None:
    done = run(*TYPO, "--oversampled", "3000")
    assert done.returncode == 2
    assert "add --explain" in done.stderr


def test_a_missing_hypothesis_file() -> None:
    done = run(*TYPO, "--explain", "--hypothesis", "nowhere.yaml")
    assert done.returncode == 2
    assert "nowhere.yaml" in done.stderr
    assert "Traceback" not in done.stderr


def test_reconstruction_explains_too() -> None:
    done = run("reconstruct", "ppv=0.9705", "sens=1", "acc=0.5317", "--eps", "sens=0", "--explain")
    assert done.returncode == 1
    assert "ppv and acc exchanged" in done.stdout
