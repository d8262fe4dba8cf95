"""The command line from the outside: output, exit status, files, pipes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.outside.commands import run

PRINTED = ("--p", "1000", "--n", "6000", "acc=0.6801", "npv=0.9401", "f1=0.4004")
MENDED = ("--p", "1000", "--n", "6000", "acc=0.6821", "npv=0.9401", "f1=0.4004")


def test_an_impossible_report_and_its_certificate(tmp_path: Path) -> None:
    proof = tmp_path / "proof.json"
    done = run("check", *PRINTED, "--certificate", str(proof))
    assert done.returncode == 1
    assert "INCONSISTENT" in done.stdout
    assert "acc 0.6801, npv 0.9401 and f1 0.4004 cannot stand together" in done.stdout
    assert "covers all 6,007,001 possible matrices" in done.stdout
    verified = run("verify", str(proof))
    assert verified.returncode == 0
    assert "Proved: no confusion matrix" in verified.stdout
    altered = json.loads(proof.read_text())
    altered["statement"]["experiment"]["p"] = 1001
    proof.write_text(json.dumps(altered))
    assert run("verify", str(proof)).returncode == 1
    assert json.loads(run("verify", str(proof), "--json").stdout)["valid"] is False


def test_a_possible_report_shows_the_matrices() -> None:
    done = run("check", *MENDED, "--all")
    assert done.returncode == 0
    assert "tp 743" in done.stdout
    assert "4031-4032" in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("arguments", "worth"),
    [
        (MENDED, "; the test is strong"),
        (("--p", "75", "--n", "304", "acc=0.855"), "About 75% of the reports like this one would pass by chance"),
        (("--p", "75", "--n", "304", "acc=0.86"), "Nothing could have refuted this: not tested"),
        (("--p", "75", "--n", "304", "auc=0.86"), "Nothing could have refuted this: not tested"),
        (("--average", "sens=0.912", "ppv=0.854"), "Nothing could have refuted this: not tested"),
        (("--average", "sens=0.912", "ppv=0.854", "f1=0.880"), "; the test is weak"),
        (("--regression", "unknown", "rmse=3.12"), "Nothing could have refuted this: not tested"),
        (("--p", "100", "--n", "100", f"acc=0.35{'0' * 40}"), "to say how strong the test is"),
    ],
)
def test_a_pass_says_what_it_is_worth(arguments: tuple[str, ...], worth: str) -> None:
    done = run("check", *arguments)
    first = done.stdout.splitlines()[0]
    assert (done.returncode, done.stderr) == (0, "")
    assert first.startswith("CONSISTENT  ")
    assert worth in first
    assert json.loads(run("check", *arguments, "--json").stdout)["worth"] in first


def test_a_test_set_of_unknown_classes_by_option_and_by_file(tmp_path: Path) -> None:
    refuted = run("check", "--total", "100", "acc=0.915")
    assert refuted.returncode == 1
    assert "acc 0.915" in refuted.stdout.splitlines()[1]
    file = tmp_path / "set.json"
    file.write_text('{"type": "unknown_classes", "total": 100}')
    possible = run("check", "--experiment", str(file), "acc=0.91", "sens=0.83", "--all")
    assert possible.returncode == 0
    assert "For example tp=" in possible.stdout
    assert "nothing to list" in possible.stdout
    for more in (
        ("--p", "3"),
        ("--folds", "5"),
        ("--experiment", str(file)),
        ("--repeats", "2"),
        ("--spread", "error"),
    ):
        assert run("check", "--total", "100", "acc=0.9", *more).returncode == 2


def test_json_stands_alone_on_standard_output() -> None:
    done = run("check", *MENDED, "--json", "--all")
    document = json.loads(done.stdout)
    assert document["verdict"] == "consistent"
    assert document["solutions"]["count"] == 2
    assert document["solutions"]["blocks"] == [{"tp": [743, 743], "tn": [4031, 4032]}]
    assert document["witness"]["matrices"][0]["tp"] == 743
    refuted = json.loads(run("check", *PRINTED, "--json").stdout)
    assert refuted["certificate"]["statement"]["scores"][0]["text"] == "0.6801"


def test_options_for_one_score() -> None:
    done = run("check", *MENDED, "--rounding", "f1=nearest", "--rounding", "acc=any", "--json")
    rules = {one["score"]: one["rounding"] for one in json.loads(done.stdout)["scores"]}
    assert rules == {"acc": "any", "npv": "any", "f1": "nearest"}


def test_scores_are_listed() -> None:
    done = run("scores")
    assert done.returncode == 0
    assert "Matthews correlation coefficient" in done.stdout
    listed = {one["name"] for one in json.loads(run("scores", "--json").stdout)}
    assert {"acc", "sens", "spec", "ppv", "npv", "f1", "f1n", "upm", "kappa", "err", "for"} <= listed


WRONG = {
    "no experiment": (("acc=0.9",), "--p and --n"),
    "unknown score": (("--p", "5", "--n", "5", "acuracy=0.9"), "did you mean accuracy"),
    "one score twice": (("--p", "5", "--n", "5", "recall=0.9", "sens=0.9"), "are one score"),
    "not a number": (("--p", "5", "--n", "5", "acc=good"), "expected a number"),
    "nan": (("--p", "5", "--n", "5", "acc=nan"), "expected a number"),
    "a percentage": (("--p", "5", "--n", "5", "acc=95.2"), "write '95.2%'"),
    "a comma": (("--p", "5", "--n", "5", "acc=0,9"), "--decimal-comma"),
    "a bracket": (("--p", "5", "--n", "5", "acc=0.9 (0.1)"), "bracket"),
    "a spread": (("--p", "5", "--n", "5", "acc=0.9 ± 0.1"), "±"),
    "negative p": (("--p", "-5", "--n", "5", "acc=0.9"), "at least 0"),
    "nothing to evaluate": (("--p", "0", "--n", "0", "acc=0.9"), "both 0"),
    "no equals sign": (("--p", "5", "--n", "5", "acc"), "NAME=VALUE"),
    "contradictory options": (("--p", "5", "--n", "5", "acc=0.9", "--rounding", "nearest", "--eps", "0.1"), "contradict"),
    "unknown rounding": (("--p", "5", "--n", "5", "acc=0.9", "--rounding", "up"), "nearest"),
    "option for another score": (("--p", "5", "--n", "5", "acc=0.9", "--eps", "f1=0.1"), "not among the reported"),
    "beta missing": (("--p", "5", "--n", "5", "fbeta=0.9"), "needs its beta"),
    "beta negative": (("--p", "5", "--n", "5", "fbeta=0.9", "--beta", "-1"), "positive"),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_wrong_input_gets_one_clear_line_and_status_2(what: str) -> None:
    arguments, expected = WRONG[what]
    done = run("check", *arguments)
    assert done.returncode == 2
    assert expected in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("content", ["", "not json", "[]", "{}", '{"statement": {}}', "\x00\xff", "[" * 100_000])
def test_verify_of_something_else(tmp_path: Path, content: str) -> None:
    file = tmp_path / "c.json"
    file.write_text(content, encoding="latin-1")
    done = run("verify", str(file))
    assert done.returncode in (1, 2)
    assert "Traceback" not in done.stderr
    assert done.stderr or done.stdout


def test_verify_of_a_missing_file_or_a_folder(tmp_path: Path) -> None:
    for target in (tmp_path / "none.json", tmp_path):
        done = run("verify", str(target))
        assert done.returncode == 2
        assert "Traceback" not in done.stderr


def test_help_and_version() -> None:
    assert "consistent" in run("check", "--help").stdout
    assert run("--version").stdout.startswith("scoreproof ")


def test_averages_without_counts() -> None:
    scores = ("precision=91.29%", "recall=93.44%", "f1=92.54%")
    done = run("check", "--average", *scores)
    assert done.returncode == 1
    assert "no common average gives these" in " ".join(done.stdout.split())
    few = run("check", "--parts", "20", "dice=0.85 ± 0.10", "iou=0.75")
    assert few.returncode == 0
    assert "parts" in few.stdout.split("For example")[1]
    assert run("check", "--average", "--total", "20", *scores).returncode == 2
    assert "how many parts" in run("check", "--parts", "-3", *scores).stderr


def test_errors_of_predicted_numbers(tmp_path: Path) -> None:
    proof = tmp_path / "proof.json"
    impossible = ("check", "--regression", "10", "mae=1.00", "rmse=3.50", "--certificate", str(proof))
    question = run(*impossible)
    assert (question.returncode, "It fits only if the RMSE is the residual standard error" in question.stdout) == (
        3,
        True,
    )
    assert run(*impossible, "--strict").returncode == 1
    assert run("verify", str(proof)).returncode == 0
    assert run("check", "--regression", "unknown", "mae=1.00", "rmse=3.50", "r2=0.7").returncode == 0
    wrong = run("check", "--regression", "ten", "mae=1.00")
    assert (wrong.returncode, "expected the number of cases, or unknown" in wrong.stderr) == (2, True)
    assert "nothing is tested about it" in run("check", "--regression", "10", "mape=3.0").stderr


def test_a_reader_who_stops_reading_hears_of_no_impossibility() -> None:
    """Status 1 means "inconsistent": a pipe that is closed early (``| head -1``) must not give it."""
    command = [sys.executable, "-m", "scoreproof", "tables", "-"]
    rows = "\n".join(f"| model {row} | 0.9{row:04d} |" for row in range(4000))
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as started:
        assert started.stdin is not None
        assert started.stdout is not None
        assert started.stderr is not None
        started.stdin.write(f"| model | acc |\n|---|---|\n{rows}\n")
        started.stdin.close()
        started.stdout.readline()
        started.stdout.close()
        said = started.stderr.read()
    assert started.returncode == 2
    assert "Traceback" not in said


def test_an_average_over_classes_asks_for_the_classes() -> None:
    done = run("check", "--p", "10", "--n", "20", "macro f1=0.8")
    assert done.returncode == 2
    assert "--classes" in done.stderr
