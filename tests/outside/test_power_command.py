"""``scoreproof power`` from the outside: tables, JSON, figures, interruptions, bad input."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

import scoreproof.cli.power  # noqa: F401  (adds the command)
from scoreproof.checking.check import check
from scoreproof.cli.app import app
from scoreproof.errors import InvalidOption, ScoreproofError, UnreadableInput
from scoreproof.insight.deviations import LastDigit, OtherCounts, Oversampling, SwappedColumns
from scoreproof.insight.outcomes import PlausibleClassifier
from scoreproof.insight.power_analysis import power
from scoreproof.insight.strength_of_pass import strength
from scoreproof.kinds.binary.experiment import KFold, MeanOfScores, TestSet

SKIN = ["--p", "75", "--n", "304", "--scores", "acc,sens,spec"]
FOLDS = [
    "--p",
    "9",
    "--n",
    "14",
    "--folds",
    "3",
    "--scores",
    "acc,f1",
    "--deviation",
    "other aggregation",
    "--jobs",
    "1",
]
MAIN = "import scoreproof.cli.app as a; a._COMMANDS = {'power': 'power'}; a.main()"
# As in a terminal, also where the tests themselves run in the background and ignore Ctrl-C.
INTERRUPTIBLE = f"import signal; signal.signal(signal.SIGINT, signal.default_int_handler); {MAIN}"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["power", *arguments], catch_exceptions=False)


def document(result: Result) -> Any:
    assert result.exit_code == 0
    return json.loads(result.stdout, parse_constant=lambda name: pytest.fail(f"{name} in the JSON"))


def test_a_table_for_people() -> None:
    result = run(*SKIN, "--digits", "2,3", "--score", "acc", "--rounding", "nearest")
    assert result.exit_code == 0
    for words in ("one test set, p=75, n=304", "the last digit of acc off by one", "0.7256", "exact"):
        assert words in result.stdout


def test_json_alone() -> None:
    found = document(run(*FOLDS, "--digits", "1,2", "--trials", "12", "--json"))
    assert found["experiment"]["aggregation"] == "mean_of_scores"
    assert found["performed"]["aggregation"] == "score_of_means"
    assert [point["digits"] for point in found["points"]] == [1, 2]
    for point in found["points"]:
        assert point["trials"] == 12
        assert not point["exact"]
        assert point["low"] <= point["power"] <= point["high"]
        assert point["power"] == point["noticed"] / 12


def test_the_deviations_and_their_options() -> None:
    few = ["--p", "12", "--n", "20", "--scores", "acc,sens,spec", "--digits", "2", "--json"]
    found = {
        name: document(run(*few, "--deviation", name, *extra))["deviation"]
        for name, extra in {
            "last digit": ["--score", "sens"],
            "swapped-columns": ["--swap", "acc,spec"],
            "other counts": ["--true-p", "13"],
            "oversampling": ["--true-p", "18"],
            "none": [],
        }.items()
    }
    assert found["last digit"]["score"] == "sens"
    assert [found["swapped-columns"][place] for place in ("first", "second")] == ["acc", "spec"]
    assert found["other counts"] == {"name": "other counts", "p": 13, "n": None}
    assert found["oversampling"]["to"] == 18
    plausible = document(run(*few, "--classifier", "0.7,0.95"))
    assert plausible["classifier"] == {"name": "plausible", "low": 0.7, "high": 0.95}


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_figures(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"curve.{ending}"
    assert run(*FOLDS, "--digits", "1,2", "--trials", "5", "--plot", str(file)).exit_code == 0
    content = file.read_bytes()
    assert len(content) > 2000
    if ending == "svg":
        assert ElementTree.fromstring(content).tag.endswith("svg")


def test_results_print_well() -> None:
    curve = power(TestSet(20, 30), ["acc", "ppv"], [1, 2], deviation=LastDigit("ppv"))
    assert str(curve).count("\n") == 2  # and ppv is undefined for one of the 651 matrices
    assert "exact, 650 outcomes" in str(curve)
    assert "<table>" in curve._repr_html_()
    assert json.loads(curve.to_json()) == curve.to_dict()
    assert json.loads(curve[2].to_json())["digits"] == 2
    with pytest.raises(KeyError):
        curve[3]


def test_going_on_from_a_record(tmp_path: Path) -> None:
    record = tmp_path / "trials.jsonl"
    arguments = [*FOLDS, "--digits", "2", "--seed", "3", "--json"]
    fresh = document(run(*arguments, "--trials", "30"))
    document(run(*arguments, "--trials", "11", "--resume", str(record)))
    kept = record.read_bytes()
    record.write_bytes(kept + b'{"digits": 2, "tri')  # as a crash leaves it
    resumed = document(run(*arguments, "--trials", "30", "--resume", str(record)))
    assert resumed == fresh
    assert record.read_bytes().startswith(kept)
    assert len(record.read_text(encoding="utf-8").splitlines()) == 31


def test_a_finished_record_is_only_read(tmp_path: Path) -> None:
    record = tmp_path / "trials.jsonl"
    options: dict[str, Any] = {"deviation": "other aggregation", "trials": 6, "jobs": 1, "resume": record}
    calls: list[tuple[int, int]] = []
    first = power(KFold(9, 14, 3), ["acc", "f1"], 2, **options)
    kept = record.read_bytes()
    again = power(
        KFold(9, 14, 3), ["acc", "f1"], 2, progress=lambda done, total: calls.append((done, total)), **options
    )
    assert again.to_dict() == first.to_dict()
    assert calls == [(done, 6) for done in range(7)]
    assert record.read_bytes() == kept


@pytest.mark.parametrize("jobs", [1, 2])
def test_trials_of_a_record_count_only_if_they_are_shown_again(tmp_path: Path, jobs: int) -> None:
    record = tmp_path / "trials.jsonl"
    options: dict[str, Any] = {"trials": 12, "jobs": jobs, "resume": record, "rounding": "nearest", "budget": 600}
    experiment = KFold(9, 14, 3)
    first = power(experiment, ["acc", "f1"], 2, **options)
    lines = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
    trials = [line["result"] for line in lines[1:]]
    assert {trial["verdict"] for trial in trials} == {"consistent", "inconsistent"}
    assert all(trial["shown"] for trial in trials)
    for trial in trials:  # every verdict turned, and what showed the other left as it is
        trial["verdict"] = {"consistent": "inconsistent", "inconsistent": "consistent"}[trial["verdict"]]
    record.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert power(experiment, ["acc", "f1"], 2, **options).to_dict() == first.to_dict()
    for trial in trials:  # and with a proof of something else
        trial["shown"], trial["changed"] = {"proof": {"kind": "totals", "cases": []}, "witness": []}, False
    record.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert power(experiment, ["acc", "f1"], 2, **options).to_dict() == first.to_dict()


@pytest.mark.parametrize(
    ("content", "error", "words"),
    [
        (b"acc,sens\n0.9,0.8\n", UnreadableInput, "line 1"),
        (b"hello", UnreadableInput, "new file or the journal"),
        (b"[" * 100_000 + b"\n", UnreadableInput, "line 1"),
        (b"\xff\xfe\x00\n", UnreadableInput, "line 1"),
        (b'{"journal": "scoreproof power trials", "about": {"seed": 0}}\n', InvalidOption, "another setting"),
    ],
)
def test_files_that_are_no_record_of_this_setting(
    tmp_path: Path, content: bytes, error: type[ScoreproofError], words: str
) -> None:
    record = tmp_path / "trials.jsonl"
    record.write_bytes(content)
    with pytest.raises(error, match=words):
        power(TestSet(9, 14), "acc", 2, trials=3, jobs=1, exact=False, resume=record)
    assert record.read_bytes() == content


def test_a_record_of_another_seed_is_refused(tmp_path: Path) -> None:
    record = tmp_path / "trials.jsonl"
    power(TestSet(9, 14), "acc", 2, trials=3, jobs=1, exact=False, resume=record)
    with pytest.raises(InvalidOption, match="other seed"):
        power(TestSet(9, 14), "acc", 2, trials=3, jobs=1, exact=False, seed=1, resume=record)
    spoiled = record.read_text(encoding="utf-8").replace('"verdict": "', '"verdict": "not ')
    record.write_text(spoiled, encoding="utf-8")
    with pytest.raises(UnreadableInput, match="line 2"):
        power(TestSet(9, 14), "acc", 2, trials=3, jobs=1, exact=False, resume=record)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interruption_keeps_what_was_done(tmp_path: Path, jobs: str) -> None:
    record = tmp_path / "trials.jsonl"
    command = [*SKIN, "--digits", "3", "--simulate", "--trials", "1000000", "--jobs", jobs, "--resume", str(record)]
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTIBLE, "power", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while process.poll() is None and not (record.exists() and record.stat().st_size > 5000):
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 130
    assert out == ""
    assert "run again to go on" in err
    assert "Traceback" not in err
    done = len(record.read_text(encoding="utf-8").splitlines()) - 1
    assert done > 20
    found = document(run(*SKIN, "--digits", "3", "--simulate", "--trials", "20", "--resume", str(record), "--json"))
    assert found["points"][0]["trials"] == 20


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([*SKIN, "--digits", "two"], "--digits: expected whole numbers"),
        ([*SKIN, "--digits", ""], "--digits: expected whole numbers"),
        ([*SKIN, "--digits", "40"], "at most 9"),
        ([*SKIN, "--digits", "-1"], "at least 0"),
        ([*SKIN, "--digits", "2", "--deviation", "typo"], "deviation: expected one of"),
        ([*SKIN, "--digits", "2", "--score", "f1"], "not among the reported scores"),
        ([*SKIN, "--digits", "2", "--score", "nonsense"], "no score is called"),
        ([*SKIN, "--digits", "2", "--true-p", "5"], "--true-p: does not go with"),
        ([*SKIN, "--digits", "2", "--deviation", "other counts"], "got neither"),
        ([*SKIN, "--digits", "2", "--deviation", "other aggregation"], "a stated aggregation"),
        ([*SKIN, "--digits", "2", "--deviation", "oversampling", "--true-n", "500"], "expected --true-p"),
        ([*SKIN, "--digits", "2", "--deviation", "oversampling", "--true-p", "5"], "at least the 75 cases"),
        ([*SKIN, "--digits", "2", "--deviation", "swapped columns", "--swap", "acc"], "expected two scores"),
        ([*SKIN, "--digits", "2", "--deviation", "swapped columns", "--swap", "acc,acc"], "are one score"),
        ([*SKIN, "--digits", "2", "--classifier", "good"], "classifier: expected"),
        ([*SKIN, "--digits", "2", "--classifier", "0.9,0.1"], "low must be below high"),
        ([*SKIN, "--digits", "2", "--classifier", "a,b"], "LOW,HIGH"),
        ([*SKIN, "--digits", "2", "--rounding", "bankers"], "rounding: expected one of"),
        ([*SKIN, "--digits", "2", "--rounding", "nearest", "--eps", "0.1"], "contradict"),
        ([*SKIN, "--digits", "2", "--eps", "-1"], "eps: expected a number not below 0"),
        ([*SKIN, "--digits", "2", "--trials", "0"], "trials: expected a whole number of at least 1"),
        ([*SKIN, "--digits", "2", "--seed", "-1"], "seed: expected a whole number of at least 0"),
        ([*SKIN, "--digits", "2", "--budget", "0"], "budget: expected a positive number"),
        ([*SKIN, "--digits", "2", "--budget", "nan"], "budget: expected a positive number"),
        ([*SKIN, "--digits", "2", "--simulate", "--jobs", "0"], "jobs: expected"),
        ([*SKIN, "--digits", "2", "--plot", "curve.exe"], "expected a file named .png"),
        ([*SKIN, "--digits", "2", "--undefined", "ignore"], "undefined: expected one of"),
        (["--p", "75", "--n", "304", "--scores", "acc,accuracy", "--digits", "2"], "given twice"),
        (["--p", "75", "--n", "304", "--scores", "", "--digits", "2"], "no score is called"),
        (["--p", "75", "--scores", "acc", "--digits", "2"], "the experiment is missing"),
        (["--p", "0", "--n", "30", "--scores", "sens", "--digits", "2"], "leaves a score undefined"),
        (["--p", "0", "--n", "30", "--scores", "sens", "--digits", "2", "--simulate"], "left a score undefined"),
    ],
)
def test_bad_input_gets_one_clear_line(arguments: list[str], words: str) -> None:
    with pytest.raises(ScoreproofError, match=words):
        run(*arguments)


def test_bad_calls() -> None:
    skin = TestSet(75, 304)
    calls: list[tuple[str, Any]] = [
        ("experiment", lambda: power("skin", "acc", 2)),  # type: ignore[call-overload]
        ("scores", lambda: power(skin, [], 2)),
        ("scores", lambda: power(skin, [3], 2)),  # type: ignore[list-item]
        ("digits", lambda: power(skin, "acc", [])),
        ("digits", lambda: power(skin, "acc", 2.5)),  # type: ignore[call-overload]
        ("digits", lambda: power(skin, "acc", "2")),
        ("level", lambda: power(skin, "acc", 2, level=95)),
        ("exact", lambda: power(KFold(9, 14, 3), "acc", 2, exact=True)),
        ("no trials to keep", lambda: power(skin, "acc", 2, exact=True, resume="trials.jsonl")),
        ("ranges", lambda: power(MeanOfScores([TestSet(5, 6)] * 2, {"acc": ("0.1", "0.9")}), "acc", 2, jobs=1)),
        ("two reported scores", lambda: power(skin, "acc", 2, deviation="swapped columns")),
        ("got one", lambda: SwappedColumns("acc")),
        ("at most 1,000", lambda: power(TestSet(5, 10**30), "acc", 2)),
        ("at most 1,000", lambda: power(KFold(5, 10**10, 5, stratified=False), "acc", 2, jobs=1)),
        ("one data set", lambda: power(MeanOfScores([skin, skin]), "acc", 2, deviation=OtherCounts(p=3))),
        ("oversampling to", lambda: power(skin, "acc", 2, deviation=Oversampling(to=1.5))),  # type: ignore[arg-type]
        ("true p", lambda: OtherCounts(p=-1)),
        ("plausible", lambda: PlausibleClassifier(low=-1)),
        ("deviation", lambda: power(skin, "acc", 2, deviation=None)),  # type: ignore[call-overload]
        ("result of a check", lambda: strength("0.9")),  # type: ignore[arg-type]
        ("within", lambda: strength(check(skin, {"acc": "0.85"}), within=0)),
        ("draws", lambda: strength(check(skin, {"acc": "0.85"}), draws=0)),
    ]
    for words, call in calls:
        with pytest.raises(ScoreproofError, match=words):
            call()


@pytest.mark.parametrize(
    ("experiment", "texts", "options"),
    [
        (TestSet(10, 20), {"acc": "1.20"}, {}),
        (TestSet(0, 20), {"acc": "0.85", "spec": "0.85"}, {}),
        (TestSet(0, 20), {"sens": "0.85"}, {}),
        (TestSet(0, 20), {"sens": "0.00"}, {"undefined": "zero"}),
        (TestSet(10**12, 10**13), {"acc": "0.9", "mcc": "0.5"}, {}),
        (TestSet(10, 20), {"acc": 0.9}, {"eps": 0.001}),
        (TestSet(10, 20), {"acc": "90%", "lrp": "0.0"}, {}),
        (TestSet(5, 10**30), {"acc": "0.9", "sens": "0.4"}, {}),
        (KFold(10, 20, 5), {"acc": Fraction(1, 3)}, {"eps": 0}),
        (KFold(10, 20, 5), {"acc": "0.90 ± 0.05"}, {"minimum": {"acc": "0.83"}, "divisor": "sample"}),
        (KFold(10, 20, 5, aggregation="unknown"), {"f1": "0.90"}, {}),
    ],
)
def test_strength_of_odd_reports(experiment: Any, texts: dict[str, Any], options: dict[str, Any]) -> None:
    found = strength(check(experiment, texts, **options), budget=0.5, draws=20)
    assert 0 <= found.low <= found.fraction <= found.high <= 1
    assert found.undecided == 0
    json.dumps(found.to_dict(), allow_nan=False)
    assert "would pass by chance" in str(found)
    assert str(found) in found._repr_html_()
