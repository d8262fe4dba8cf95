"""``scoreproof sota`` as its users meet it."""

import base64
import json
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

import scoreproof.cli.sota  # noqa: F401  (adds the command)
from scoreproof.cli.app import app
from scoreproof.errors import ScoreproofError

EXAMPLE = ["sota", "--cases", "3000", "--classifiers", "1000", "--accuracy", "0.9"]
BOARD = "team,score,public\nA,0.95,0.96\nB & <b>,0.949,0.955\nC,0.93,0.94\nD,0.90,0.91\n"


@pytest.fixture
def run():
    def call(*arguments):
        return CliRunner().invoke(app, [str(a) for a in arguments], catch_exceptions=False)

    return call


@pytest.fixture
def board(tmp_path):
    path = tmp_path / "leaderboard.csv"
    path.write_text(BOARD, encoding="utf-8")
    return path


@pytest.fixture
def fails(run):
    def call(*arguments):
        with pytest.raises(ScoreproofError) as caught:
            run(*arguments)
        return str(caught.value)

    return call


def document(result):
    assert result.exit_code == 0
    return json.loads(result.stdout, parse_constant=lambda name: pytest.fail(f"{name} in the JSON"))


def test_the_example_prints_both_conventions(run):
    result = run(*EXAMPLE)
    assert result.exit_code == 0
    for words in ("0.917313", "0.001817", "0.921333", "0.921667", "0.03253", "0.02475"):
        assert words in result.stdout


def test_json_alone_on_standard_output(run):
    found = document(run(*EXAMPLE, "--observed-best", "0.9213", "--better-by", "0.01", "--max-bias", "0.005", "--json"))
    assert found["best"]["mean"] == pytest.approx(0.917313083048514, rel=1e-12)
    assert found["best"]["intervals"]["holds"]["high"] == pytest.approx(2765 / 3000)
    assert found["adjusted"]["estimate"] == pytest.approx(0.9043758, abs=1e-7)
    assert found["luck"]["classifiers"] == 20960
    assert found["cases_needed"]["cases"] == 37306
    assert 0.98 < found["overlooked"]["below"] < 0.99


def test_dependence(run):
    found = document(run(*EXAMPLE, "--dependence", "0.95", "--json"))
    assert found["best"]["reference"]["q"] == 0.45
    assert found["best"]["reference"]["correlation"] == pytest.approx(0.25)
    same = document(run(*EXAMPLE, "--correlation", "0.25", "--json"))
    assert same["best"]["mean"] == pytest.approx(found["best"]["mean"], rel=1e-12)


def test_observed_best_without_accuracy(run):
    found = document(run("sota", "--cases", "3000", "--classifiers", "1000", "--observed-best", "0.9213", "--json"))
    assert set(found) == {"adjusted"}


def test_lists_of_accuracies_and_a_simulated_cross_check(run):
    found = document(
        run(
            *("sota", "--cases", "300", "--classifiers", "9,1", "--accuracy", "0.9,0.92"),
            *("--simulate", "2000", "--seed", "1", "--json"),
        )
    )
    simulated = found["simulation"]
    assert simulated["mean"] == pytest.approx(found["best"]["mean"], abs=5 * simulated["standard_error"])


def test_other_scores(run):
    options = (
        "--classifiers",
        "100",
        "--positives",
        "50",
        "--negatives",
        "950",
        "--sens",
        "0.8",
        "--spec",
        "0.98",
    )
    assert document(run("sota", "--score", "F-measure", *options, "--json"))["best"]["score"] == "f1"
    errors = document(run("sota", "--score", "err", *options, "--json"))["best"]
    assert errors["bias"] < 0
    assert document(run("sota", "--score", "mcc", *options, "--json"))["best"]["bias"] > 0


def test_auc_says_that_it_is_an_approximation(run):
    options = ("--classifiers", "427", "--positives", "135", "--negatives", "7552")
    found = document(run("sota", "--auc", "0.9352", *options, "--json"))
    assert found["best"]["approximation"] is True
    assert "shape of the ROC curve" in found["best"]["note"]
    seen = document(run("sota", "--score", "auc", "--observed-best", "0.949", *options, "--json"))
    assert seen["adjusted"]["estimate"] < 0.949
    assert "approximation" in run("sota", "--auc", "0.9352", *options).stdout


def test_leaderboard(run, board):
    found = document(run("sota", board, "--cases", "7687", "--public-cases", "3295", "--json"))
    assert [entry["name"] for entry in found["entries"]] == ["A", "B & <b>", "C", "D"]
    assert found["indistinguishable"] == 2
    assert found["regression"]["entries"] == 4
    printed = run("sota", board, "--cases", "7687").stdout
    assert "2 of 4 entries cannot be told from the top" in printed
    assert "B & <b>" in printed


def test_html_is_self_contained_and_holds_the_figures(run, board, tmp_path):
    for name, figures, arguments in (
        ("best.html", 3, EXAMPLE),
        ("board.html", 3, ("sota", board, "--cases", "7687")),
    ):
        path = tmp_path / name
        assert run(*arguments, "--html", path).exit_code == 0
        text = path.read_text(encoding="utf-8")
        pictures = re.findall(r'<img src="data:image/svg\+xml;base64,([^"]*)"', text)
        assert len(pictures) == figures
        for picture in pictures:
            assert ElementTree.fromstring(base64.b64decode(picture)).tag.endswith("svg")
        assert not re.search(r"<(iframe|object|embed)\b", text)
        assert not re.search(r'(src|href)="(?!#|data:)', text)
    assert "B &amp; &lt;b&gt;" in text
    assert "<b>" not in text


def test_figures_are_pictures(run, board, tmp_path):
    run(*EXAMPLE, "--figures", tmp_path / "a")
    run("sota", board, "--cases", "7687", "--figures", tmp_path / "b")
    written = sorted(path.name for path in tmp_path.glob("*/*.png"))
    assert written == [
        "boards.png",
        "figure1_overlooked.png",
        "figure2_cdf.png",
        "figure3_pmf.png",
        "leaderboard.png",
        "public_private.png",
    ]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in tmp_path.glob("*/*.png"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["sota"], "nothing to answer"),
        (
            ["sota", "--cases", "0", "--classifiers", "10", "--accuracy", "0.9"],
            "n: expected a whole number of at least 1, got 0",
        ),
        (["sota", "--cases", "10", "--classifiers", "many", "--accuracy", "0.9"], "--classifiers"),
        ([*EXAMPLE, "--dependence", "0.5"], "between 0.8889 and 1"),
        ([*EXAMPLE, "--sort"], "--sort"),
        ([*EXAMPLE, "--better-by", "0.01"], "--observed-best"),
        (["sota", "--simulate", "9", "--cases", "9"], "--simulate"),
        ([*EXAMPLE, "--positives", "10"], "--positives"),
        ([*EXAMPLE, "--alpha", "5"], "alpha"),
        (["sota", "--observed-best", "0.9", "--cases", "10"], "--classifiers or --accuracy"),
        (["sota", "--max-bias", "0.1", "--classifiers", "10"], "--accuracy"),
        (["sota", "--score", "f1", "--classifiers", "10"], "--positives"),
        (["sota", "--score", "auc", "--classifiers", "10"], "--positives"),
        (["sota", "--score", "auc", "--classifiers", "9", "--positives", "5", "--negatives", "5"], "--auc"),
    ],
)
def test_wrong_usage_is_one_clear_line(run, arguments, words):
    with pytest.raises(ScoreproofError) as caught:
        run(*arguments)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("", [], "empty"),
        ("team,score\n", [], "at least one line below"),
        ("team,score\nA,0.9\nB,0.95\n", [], "sort"),
        ("team,score\nA,95\nB,90\n", [], "--percent"),
        ("team,score\nA,0.95\nB,n/a\n", [], "line 3"),
        ("team,score\nA,0.95\nB\n", [], "line 3"),
        ("team,score\nA,95%\nB,0.9\n", [], "percent sign"),
        ("team,score\nA,0.95\n", ["--column", "auc"], "the columns are team, score"),
        ("team,loss\nA,0.95\n", [], "no column of scores"),
        ("1,2,0.9\n1,2,0.8\n", [], "without names"),
        ("team,score\nA,nan\n", [], "line 2: expected a score, got 'nan'"),
        ("team,score\nA,0.95\n", ["--observed-best", "0.9"], "--observed-best"),
        ("team,score\nA,0.95\n", ["--score", "f1"], "--score"),
        ("team,score\nA,0.95\n", ["--score", "auc"], "--positives"),
        ("team,score\nA,0.95\n", ["--score", "auc", "--positives", "5", "--negatives", "9"], "--cases"),
        ("team,score,public\nA,0.95,0.9\n", [], "at least 3"),
    ],
)
def test_bad_leaderboards(run, tmp_path, text, options, words):
    path = tmp_path / "board.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ScoreproofError) as caught:
        run("sota", path, "--cases", "1000", *options)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "Team;Score\nA;95%\nB;90%\n",
        "model\taccuracy\nA\t0.95\nB\t0.9\n",
        "\ufeffname,private_score\nA,0.95\nB,0.9\n",
        "A,0.95\nB,0.9\n",
        '"A",0.95\n\n"B",0.9\n',
    ],
)
def test_the_usual_dialects(run, tmp_path, text):
    path = tmp_path / "board.csv"
    path.write_text(text, encoding="utf-8")
    found = document(run("sota", path, "--cases", "1000", "--json"))
    assert [(entry["name"], entry["score"]) for entry in found["entries"]] == [("A", 0.95), ("B", 0.9)]


def test_status_2_and_one_line_in_a_real_process(tmp_path):
    (tmp_path / "noise.csv").write_bytes(b"\xff\xfe\x00\x81")
    program = "import scoreproof.cli.sota, scoreproof.cli.app as a; a.main()"
    for arguments in (
        ["sota", "--cases", "10", "--classifiers", "0", "--accuracy", "0.9"],
        ["sota", str(tmp_path / "noise.csv"), "--cases", "10"],
    ):
        done = subprocess.run(
            [sys.executable, "-c", program, *arguments],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 2
        assert done.stdout == ""
        assert done.stderr.startswith("error: ")
        assert done.stderr.count("\n") == 1


def test_a_score_of_no_whole_number_of_cases_is_an_error(run, fails):
    words = fails("sota", "--observed-best", "0.9447", "--cases", "300", "--classifiers", "20")
    assert "283 give 0.9433, 284 give 0.9467" in words
    found = document(run("sota", "--observed-best", "0.9433", "--cases", "300", "--classifiers", "20", "--json"))
    assert found["adjusted"]["observed"] == 283 / 300
    # Cut off or rounded, and with fewer digits, a count is still recognised.
    for text in ("0.94", "0.943", "0.9434"):
        run("sota", "--observed-best", text, "--cases", "300", "--classifiers", "20")


AUCS = "team,auc,public\n" + "".join(
    f"T{i},{0.9490 - 0.0004 * i:.4f},{0.9600 - 0.0006 * ((7 * i) % 60):.4f}\n" for i in range(60)
)


def test_a_leaderboard_of_aucs(run, fails, tmp_path):
    path = tmp_path / "board.csv"
    path.write_text(AUCS)
    options = ["sota", path, "--score", "auc", "--positives", "135", "--negatives", "7552"]
    found = document(run(*options, "--public-positives", "58", "--public-negatives", "3237", "--json"))
    assert found["score"] == "auc"
    assert found["winner"]["estimate"] < found["winner"]["observed"] == 0.949
    assert found["winner_shrunken"] < 0.949
    assert found["indistinguishable"] == 60
    assert "Hanley and McNeil" in found["law"]
    assert found["regression"]["reliability"] is not None
    assert "Assumed: normal AUCs" in " ".join(run(*options).stdout.split())
    binormal = document(run(*options, "--roc-shape", "binormal", "--json"))
    assert binormal["sd_one"] < found["sd_one"]
    run(*options, "--figures", tmp_path / "f", "--html", tmp_path / "b.html")
    assert {p.name for p in (tmp_path / "f").glob("*.png")} == {"leaderboard.png", "public_private.png", "boards.png"}
    assert "--public-negatives" in fails(*options, "--public-positives", "58")


def test_simulated_competitions_are_drawn(run, tmp_path):
    options = [*EXAMPLE, "--simulate", "200", "--seed", "1", "--figures"]
    run(*options, tmp_path / "a")
    run(*options, tmp_path / "b", "--dependence", "0.95")
    names = [{p.name for p in (tmp_path / folder).glob("*.png")} for folder in "ab"]
    assert {"figure4_example.png", "figure6_simulated.png"} <= names[0]
    assert {"figure5_example.png", "figure7_simulated.png"} <= names[1]
