"""``scoreproof audit`` of papers: what the text proposes, what it never does, one paper and many."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import scoreproof as sp
import scoreproof.cli.audit
from scoreproof.checking import Answer, Verdict
from scoreproof.cli import audit_many
from scoreproof.cli.app import app
from scoreproof.cli.audit_many import papers_in
from scoreproof.errors import InvalidOption
from scoreproof.limits import current
from scoreproof.pages import to_html
from scoreproof.papers.auditing import audit
from scoreproof.papers.collecting import propose
from scoreproof.papers.proposals import named, proposals, resting_on
from scoreproof.papers.result import Outcome
from scoreproof.papers.text_facts.facts import Sentence
from scoreproof.serve.desk import answer
from scoreproof.work.budget import Budget

SIZES = "The test set has 1,143 images, of which 300 are melanomas."
GOOD = "| A | 0.9003 | 0.8000 | 0.9359 |"  # 240 of 300, 789 of 843
ODD = "| B | 0.9123 | 0.8000 | 0.9359 |"
runner = CliRunner()


def paper(folder: Path, *rows: str, said: str = SIZES, head: str = "Acc | Sens | Spec", name: str = "paper.md") -> Path:
    columns = head.count("|") + 2
    lines = ["# Data", "", said, "", "Table 1. Results.", "", f"| Method | {head} |", "|---" * columns + "|", *rows, ""]
    file = folder / name
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def outcomes(file: Path) -> list[str]:
    return [str(row.outcome) for row in audit(file, explain=False, strength=False).rows()]


def test_sizes_of_the_text_accuse_nobody(tmp_path: Path) -> None:
    file = paper(tmp_path, GOOD, ODD)
    run = runner.invoke(app, ["audit", str(file), "--no-explain", "--json"])
    assert run.exit_code == 3
    rows = json.loads(run.stdout)["tables"][0]["rows"]
    assert [row["outcome"] for row in rows] == ["consistent", "question"]
    page = (tmp_path / "paper.audit.html").read_text(encoding="utf-8")
    assert "only if the test set is the 300 melanomas and 843 not melanomas of section &#39;Data&#39;" in page
    assert SIZES in page
    assert 'class="question"' in page
    again = audit(tmp_path / "paper.audit.yaml", explain=False, strength=False)
    assert [str(row.outcome) for row in again.rows()] == ["consistent", "question"]


def test_guesses_share_their_time_and_a_test_of_guessed_sizes_is_weighed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = paper(tmp_path, *[GOOD] * 40)
    rows = list(audit(file, explain=False).rows())
    assert [row.strength is not None for row in rows] == [True] + [False] * 39
    assert all(row.strength is not None for row in audit(file, explain=False, strength=True).rows())
    late: list[float] = []

    def undecided(problem: Any, *, budget: Budget, seed: int) -> Answer[Any, Any]:
        late.append(budget.seconds)
        return Answer(problem, Verdict.UNDECIDED, reason="late")

    monkeypatch.setattr("scoreproof.papers.task.ask", undecided)
    rows = list(audit(file, explain=False, strength=False, jobs=1).rows())
    assert max(late) <= 30 * 4 / 40
    assert {str(row.outcome) for row in rows} == {"undecided"}
    assert all("left open: each guess had 3 s" in row.notes[-1] for row in rows)


def test_dropped_zeros_never_accuse(tmp_path: Path) -> None:
    said = "All scores are rounded to three decimals."
    file = paper(tmp_path, "| A | 0.9 | 0.912 | 0.953 |", head="Precision | Recall | F1", said=said)
    assert outcomes(file) == ["consistent"]  # 0.9 as printed goes up to 0.95; 0.900 and 0.912 give no F1 of 0.953


def test_an_audit_without_claims_loads_no_scipy(tmp_path: Path) -> None:
    file = paper(tmp_path, GOOD, ODD)
    code = (
        f"import sys; from scoreproof.papers.auditing import audit; audit({str(file)!r}); print('scipy' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"


RUNS = ((241, 790), (242, 793), (243, 792), (242, 792), (243, 794))  # tp and tn


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        ("", "question"),
        ("All models were trained with five random seeds, and means are reported.", "consistent"),
        ("Every experiment was repeated five times.", "consistent"),
        ("We report averages over three runs.", "question"),
        ("Results are averaged over several runs.", "consistent"),
        ("Scores are means over 20 random splits.", "consistent"),
    ],
)
def test_means_over_runs_that_the_text_speaks_of_are_not_those_of_one(said: str, outcome: str, tmp_path: Path) -> None:
    means = [(tp + tn) / 1143 for tp, tn in RUNS], [tp / 300 for tp, _ in RUNS], [tn / 843 for _, tn in RUNS]
    printed = " | ".join(f"{sum(each) / len(RUNS):.4f}" for each in means)
    assert outcomes(paper(tmp_path, f"| A | {printed} |", said=f"{SIZES} {said}")) == [outcome]


def test_runs_in_a_caption_are_of_its_table(tmp_path: Path) -> None:
    made = proposals([(SIZES, "section 2")], ["Averages over three runs.", "Results."])
    stated = [[made.experiments[name].get("runs", 1) for name in names] for names in made.of_tables]
    assert stated == [[[1, 3]], [1, 1]]
    assert "in one run or as a mean of 3" in made.experiments[made.of_tables[0][0]]["assumed"]
    resting = [[told["sentence"] for told in resting_on(made.extracted, names[0])] for names in made.of_tables]
    assert resting == [[SIZES], [SIZES]]


def test_the_page_shows_the_sentence_with_the_reading_of_every_table(tmp_path: Path) -> None:
    """The caption of one table alone speaks of runs: its reading and that of the other rest on the same sentence."""
    file = paper(tmp_path, GOOD)
    second = file.read_text(encoding="utf-8").split("Table 1.")[1].replace(" Results.", "Table 2. Means of three runs.")
    file.write_text(f"{file.read_text(encoding='utf-8')}\n{second}", encoding="utf-8")
    answered = answer(
        {"verb": "read", "name": file.name, "path": str(file), "limits": current().to_dict()}, b"", lambda *_: None
    )
    (shown,) = answered["sentences"]
    assert shown["sentence"] == SIZES
    stated = answered["rest"]["experiments"]
    assert [stated[name].get("runs") for name in shown["experiments"]] == [None, [1, 3]]


def test_what_is_impossible_for_any_sizes_is_inconsistent(tmp_path: Path) -> None:
    rows = ("| A | 0.900 | 0.900 | 0.500 |", *VOUCHING)
    file = paper(tmp_path, *rows, head="Precision | Recall | F1", said="We used 300 images.")
    assert outcomes(file) == ["inconsistent", *["consistent"] * 3]
    assert runner.invoke(app, ["audit", str(file), "--no-explain"]).exit_code == 1


VOUCHING = ("| B | 0.900 | 0.800 | 0.847 |", "| C | 0.700 | 0.800 | 0.747 |", "| D | 0.950 | 0.750 | 0.838 |")


def test_a_paper_in_which_nothing_is_tested_is_not_consistent(tmp_path: Path) -> None:
    file = paper(tmp_path, "| A | 0.871 |", "| B | 0.913 |", head="BLEU", said="We used a corpus.")
    result = runner.invoke(app, ["audit", str(file), "--no-explain"])
    assert result.exit_code == 5
    assert "not tested" in result.stdout
    assert "consistent" not in result.stdout
    page = file.with_suffix(".audit.html").read_text(encoding="utf-8")
    assert 'class="headline not tested"' in page
    other = tmp_path / "other"
    assert runner.invoke(app, ["audit", str(tmp_path), "--out", str(other)]).exit_code == 5


@settings(max_examples=10, deadline=None)
@given(st.tuples(*[st.integers(1, 60)] * 4), st.integers(20, 5000), st.sampled_from(["test", "all", "folds"]))
def test_true_scores_beside_wrong_sizes_are_never_inconsistent(
    tmp_path_factory: pytest.TempPathFactory, cells: tuple[int, int, int, int], size: int, said: str
) -> None:
    tp, fn, fp, tn = cells
    matrix = sp.ConfusionMatrix(tp=tp, fn=fn, fp=fp, tn=tn)
    printed = " | ".join(matrix.score(name, digits=4) for name in ("acc", "sens", "ppv", "f1"))
    text = {
        "test": f"The test set contains {size} images.",
        "all": f"We collected {size} normal and {size} abnormal images.",
        "folds": f"We had {size} term and {size + 7} preterm records. Five-fold cross-validation was used.",
    }[said]
    file = paper(tmp_path_factory.mktemp("p"), f"| A | {printed} |", said=text, head="Acc | Sens | Precision | F1")
    assert outcomes(file) in (["consistent"], ["question"], ["undecided"], ["not tested"])


def test_counts_of_the_row_win_unless_the_text_speaks_of_folds(tmp_path: Path) -> None:
    row, head = "| A | 40 | 60 | 0.937 | 0.951 | 0.902 |", "P | N | Acc | Sens | Spec"
    others = [f"| {tp} | 40 | 60 | {(tp + 50) / 100:.3f} | {tp / 40:.3f} | 0.833 |" for tp in (30, 33, 37)]
    found = outcomes(paper(tmp_path, row, *others, head=head, said="We tested on images."))
    assert found == ["inconsistent", *["consistent"] * 3]
    folds = "We had 38 preterm and 262 term records. Five-fold cross-validation was used."
    assert outcomes(paper(tmp_path, row, head=head, said=folds)) != ["inconsistent"]


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("We drive the error down on 300 images.", []),
        ("We used DRIVE.", []),
        ("The German data were collected in Ulm.", []),
        ("Unlike others we did not use the DRIVE dataset.", []),
        ("All methods were tested on the DRIVE dataset [12].", ["drive"]),
        ("The images of STARE were used.", ["stare"]),
        ("The Ionosphere dataset of the UCI repository was used.", ["ionosphere"]),
        ("The CHASE_DB1 database has 28 images.", ["chasedb1"]),
    ],
)
def test_a_name_of_the_catalogue_needs_more_than_the_word(said: str, names: list[str]) -> None:
    assert [entry.name for entry, _ in named([Sentence(said)])] == names


def test_all_cases_are_no_test_set_where_the_text_speaks_of_training() -> None:
    said = "We collected 5,000 images. We trained on 4,000 images."
    assert list(proposals([(said, "")], [""]).experiments) == ["one test set"]
    split = proposals([("We collected 5,000 images. The data were split 80/20 into training and test sets.", "")], [""])
    assert list(split.experiments) == ["1,000 cases (20% of 5,000)", "one test set"]


def test_a_caption_speaks_for_its_own_table() -> None:
    made = proposals([("The test set has 500 images.", "section 2")], ["Results on 38 test images.", "Others."])
    assert made.of_tables == [
        ["38 images of the test set", "one test set"],
        ["500 images of the test set", "one test set"],
    ]


def test_more_than_two_classes_propose_all_of_them() -> None:
    made = proposals(
        [("The test set has 250 images (120 cats, 80 dogs and 50 birds). There were 250 test images.", "")], [""]
    )
    name, opened = made.experiments
    assert made.datasets[name] == {"classes": {"cats": 120, "dogs": 80, "birds": 50}}
    assert made.datasets[opened] == {"p": "unknown", "n": "unknown"}
    stated = proposals([("5-fold cross-validation on 60 red, 50 green and 40 blue images was used.", "")], [""])
    assert not any("folds" in experiment for experiment in stated.experiments.values())  # stratified or not?


def test_rows_are_tried_as_reports_on_several_classes(tmp_path: Path) -> None:
    """Impossible with these classes and possible otherwise is a question; no average is taken for granted."""
    said = "The test set contains 250 images: 120 cats, 80 dogs and 50 birds."
    rows = ("| A | 0.912 | 0.900 |", "| B | 0.9131 | 0.900 |")
    assert outcomes(paper(tmp_path, *rows, said=said, head="Acc | Macro F1")) == ["consistent", "question"]
    assert outcomes(paper(tmp_path, *rows, said=said, head="Acc | Recall")) == ["consistent", "question"]
    assert outcomes(paper(tmp_path, "| A | 0.912 | 0.912 |", said=said, head="Acc | Precision")) == ["consistent"]


def test_tables_that_count_classes_propose_them(tmp_path: Path) -> None:
    counted = "\n".join(
        ("| Class | Train | Test |", "|---|---|---|", "| cat | 480 | 120 |", "| dog | 320 | 80 |", "| bird | 200 | 50 |",
         "| Total | 1,000 | 250 |")
    )  # fmt: skip
    file = paper(tmp_path, "| B | 0.9131 | 0.900 |", said=counted, head="Acc | Macro F1")
    result = audit(file, explain=False, strength=False)
    assert [str(row.outcome) for row in result.rows()] == ["question"]
    assert "120 cat, 80 dog and 50 bird of table 1" in result.rows()[0].condition
    assert any("cat 120, dog 80, bird 50" in told.sentence for told in result.extracted)
    for wrong in (counted.replace("250 |", "260 |"), counted.replace("Class", "Site"), counted.replace("Test", "Val")):
        rest = audit(paper(tmp_path, "| B | 0.9131 | 0.900 |", said=wrong, head="Acc | Macro F1"), explain=False)
        assert not rest.extracted


def test_a_table_without_scores_is_left_out_with_the_reason(tmp_path: Path) -> None:
    file = paper(tmp_path, GOOD)
    file.write_text(file.read_text() + "\n| Age | Sex |\n|---|---|\n| 31 | F |\n", encoding="utf-8")
    result = audit(file, explain=False, strength=False)
    assert len(result.tables) == 2
    assert propose(file).content["tables"][1]["untested"] == "no column is named like a score"


def test_many_papers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.md", "b.md"):
        paper(tmp_path, GOOD, ODD, name=name)
    (tmp_path / "c.pdf").write_text("no PDF", encoding="utf-8")
    out = tmp_path / "results"
    arguments = [
        "audit",
        *(str(tmp_path / name) for name in ("a.md", "c.pdf", "b.md")),
        "--out",
        str(out),
        "--no-explain",
    ]
    assert runner.invoke(app, arguments).exit_code == 2  # one failed
    with (out / "rows.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [Path(row["paper"]).name for row in rows] == ["a.md", "a.md", "b.md", "b.md"]
    assert [row["verdict"] for row in rows] == ["consistent", "question"] * 2
    assert rows[1]["reason"].startswith("if the test set is")
    index = (out / "index.html").read_text(encoding="utf-8")
    assert index.count('href="a.audit.html"') == 1
    assert "not a readable PDF" in index
    assert (out / "b.audit.yaml").exists()
    again = []
    true = audit_many._audited
    monkeypatch.setattr(audit_many, "_audited", lambda *given: again.append(given[1]) or true(*given))
    (out / "b.audit.html").unlink()
    second = runner.invoke(app, [*arguments, "--jobs", "1"])
    assert sorted(again) == ["b", "c"], second.output  # what is gone, and what failed


def test_the_hook_takes_several_files(tmp_path: Path) -> None:
    files = []
    for name, row in (("a", "0.9003"), ("b", "0.9103")):
        file = tmp_path / f"{name}.scoreproof.yaml"
        spec = {
            "datasets": {"d": {"p": 300, "n": 843}},
            "experiments": {"e": {"dataset": "d"}},
            "tables": [{"experiment": "e", "grid": [["M", "Acc", "Sens", "Spec"], ["A", row, "0.8000", "0.9359"]]}],
        }
        file.write_text(json.dumps(spec), encoding="utf-8")
        files.append(str(file))
    run = runner.invoke(app, ["audit", "--no-explain", *files])
    assert run.exit_code == 1
    assert "a.scoreproof.yaml: 1 consistent" in run.output
    assert runner.invoke(app, ["audit", "--no-explain", str(tmp_path)]).exit_code == 1  # the folder
    assert runner.invoke(app, ["audit", "--no-explain", f"{tmp_path}/a*.yaml"]).exit_code == 0
    refused = runner.invoke(app, ["audit", *files, "--html", str(tmp_path / "x.html")])
    assert f"expected one paper, got {files[0]}, {files[1]}; several go to --out" in str(refused.exception)


def test_questions_make_assumptions_firm(tmp_path: Path) -> None:
    file = paper(tmp_path, GOOD, ODD)
    run = runner.invoke(app, ["audit", str(file), "--ask", "--no-explain"], input="\nmelanomas\n0\n")
    assert run.exit_code == 1
    kept = (tmp_path / "paper.audit.yaml").read_text(encoding="utf-8")
    assert "positive: melanomas" in kept
    assert "assumed" not in kept.split("experiments:")[1].split("tables:")[0]
    opened = runner.invoke(app, ["audit", str(file), "--ask", "--no-explain"], input="nonsense\nunknown\n")
    assert opened.exit_code == 3


TABLES = (
    "| A | 0.8000 | 0.9048 | 0.8733 |\n| B | 0.8667 | 0.9571 | 0.9300 |",  # of 90 and 210
    "| A | 0.7317 | 0.8487 | 0.8188 |\n| B | 0.8537 | 0.9244 | 0.9062 |",  # of 41 and 119
)
CAPTIONS = (
    "Table 1. Results on the internal test set (90 melanomas and 210 nevi).",
    "Table 2. Results on the external test set (41 melanomas and 119 nevi).",
)


def two_tables(folder: Path, captions: tuple[str, str] = CAPTIONS, said: str = "") -> Path:
    """A paper of two honest tables, each of its own test set."""
    heads = "| Method | Sens | Spec | Acc |\n|---|---|---|---|"
    shown = "\n\n".join(f"{caption}\n\n{heads}\n{rows}" for caption, rows in zip(captions, TABLES, strict=True))
    file = folder / "paper.md"
    file.write_text(f"# Data\n\n{said}\n\n# Results\n\n{shown}\n", encoding="utf-8")
    return file


def asked(file: Path, answers: str) -> tuple[list[str], Any]:
    """The outcomes after answers to --ask, and the run."""
    run = runner.invoke(app, ["audit", str(file), "--ask", "--no-explain", "--json"], input=answers)
    told = json.loads(run.stdout[run.stdout.index("{") :])  # the answers are echoed before it
    return [row["outcome"] for table in told["tables"] for row in table["rows"]], run


def test_enter_at_every_question_gives_each_table_its_own_sizes(tmp_path: Path) -> None:
    rows, run = asked(two_tables(tmp_path), "\n" * 7)
    assert rows == ["consistent"] * 4
    assert "Table 2: Results on the external test set" in run.stderr  # it is said what a question is about
    kept = yaml.safe_load((tmp_path / "paper.audit.yaml").read_text(encoding="utf-8"))
    names = [table["experiment"][0] for table in kept["tables"]]
    sizes = [kept["datasets"][name]["classes"] for name in names]
    assert sizes == [{"melanomas": 90, "nevi": 210}, {"melanomas": 41, "nevi": 119}]
    assert not any("assumed" in kept["experiments"][name] for name in names)


def test_enter_chooses_no_size_that_the_text_says_of_no_table_alone(tmp_path: Path) -> None:
    """One sentence and two tables: which is it of? A person may say so; Enter leaves the question open."""
    captions = ("Table 1. Main results.", "Table 2. Results elsewhere.")
    file = two_tables(tmp_path, captions, "The test set has 300 images, of which 90 are melanomas.")
    plain = [str(row.outcome) for row in audit(file, explain=False, strength=False).rows()]
    assert plain == ["consistent"] * 4  # no row of Table 2 bears the size out
    assert asked(file, "\n" * 3)[0] == plain
    assert asked(file, "\n1\nmelanomas\n\n\n")[0] == plain  # said of Table 1 alone
    assert asked(file, "\n\n1\nmelanomas\n\n")[0] == [*plain[:2], "inconsistent", "inconsistent"]


def test_counts_that_are_typed_are_of_one_table(tmp_path: Path) -> None:
    captions = ("Table 1. Main results.", "Table 2. Results elsewhere.")
    file = two_tables(tmp_path, captions)
    assert asked(file, "all\n90+210\n0\n\n")[0] == ["consistent"] * 4
    assert asked(file, "all\n90+210\n0\n41+119\n0\n")[0] == ["consistent"] * 4
    assert asked(file, "all\n41+119\n0\n\n")[0] == ["inconsistent"] * 2 + ["consistent"] * 2


def drafted(file: Path) -> dict[str, Any]:
    """The draft that ``init`` writes, and where it stands."""
    run = runner.invoke(app, ["init", str(file), "--output", str(file.with_suffix(".yaml")), "--force"])
    assert run.exit_code == 0, run.output
    content: dict[str, Any] = yaml.safe_load(file.with_suffix(".yaml").read_text(encoding="utf-8"))
    return content


def test_a_draft_has_a_data_set_for_each_table_whose_caption_names_another(tmp_path: Path) -> None:
    file = two_tables(tmp_path)
    content = drafted(file)
    assert [table["experiment"] for table in content["tables"]] == ["main", "main2"]
    text = file.with_suffix(".yaml").read_text(encoding="utf-8")
    first, _, second = text.partition("main2:")
    assert "p: 90, n: 210" in first
    assert "p: 41" not in first
    assert "p: 41, n: 119" in second
    assert "p: 90" not in second
    file.with_suffix(".yaml").write_text(
        text.replace("FILL IN", "90", 1).replace("FILL IN", "210", 1).replace("FILL IN", "unknown"), encoding="utf-8"
    )
    assert runner.invoke(app, ["audit", str(file.with_suffix(".yaml")), "--no-explain"]).exit_code == 0


@pytest.mark.parametrize(
    ("captions", "said", "names"),
    [
        (("Table 1. Main results.", "Table 2. Ablation."), SIZES, ["main", "main"]),
        (("Table 1. Main results.", "Table 2. External cohort."), SIZES, ["main", "main2"]),
        (("Table 1. Results on ISIC.", "Table 2. Results on PH2."), "", ["main", "main2"]),
        (
            ("Table 1. Main results.", "Table 2. Ablation."),
            "The ISIC test set has 300 images. The PH2 test set has 160 images.",
            ["main", "main2"],
        ),
    ],
)
def test_tables_share_a_drafted_data_set_only_where_nothing_speaks_of_another(
    tmp_path: Path, captions: tuple[str, str], said: str, names: list[str]
) -> None:
    content = drafted(two_tables(tmp_path, captions, said))
    assert [table["experiment"] for table in content["tables"]] == names


def test_rows_and_columns_of_different_data_have_drafted_data_sets_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "skin.md"
    said = "The ISIC test set has 600 images, of which 117 are melanomas. PH2 was used, too."
    rows = "| ISIC | 0.885 | 0.744 | 0.919 |\n| PH2 | 0.915 | 0.925 | 0.913 |\n"
    file.write_text(f"{said}\n\n| Data set | Acc | Sens | Spec |\n|---|---|---|---|\n{rows}", encoding="utf-8")
    assert drafted(file)["tables"][0]["rows"] == {"ISIC": "ISIC", "PH2": "PH2"}
    assert file.with_suffix(".yaml").read_text(encoding="utf-8").count("p: 117, n: 483") == 1  # not offered for PH2
    file = tmp_path / "cohorts.html"
    heads = "<tr><th><th colspan=2>Internal cohort<th colspan=2>External cohort</tr>"
    heads += "<tr><th>Method<th>Sens<th>Spec<th>Sens<th>Spec</tr>"
    row = "<tr><td>A<td>0.8000<td>0.9048<td>0.7317<td>0.8487</tr>"
    file.write_text(f"<table>{heads}{row}</table>", encoding="utf-8")
    groups = drafted(file)["tables"][0]["groups"]
    assert groups == {"Internal cohort": "Internal cohort", "External cohort": "External cohort"}


def filled(file: Path, *counts: str) -> Path:
    """The draft of a paper with counts filled in, the last one wherever more are wanted."""
    drafted(file)
    spec = file.with_suffix(".yaml")
    text = spec.read_text(encoding="utf-8")
    for count in counts:
        text = text.replace(": FILL IN", f": {count}", 1)
    spec.write_text(text.replace(": FILL IN", f": {counts[-1]}"), encoding="utf-8")
    return spec


def test_sizes_that_a_caption_denies_are_said_and_accuse_nobody(tmp_path: Path) -> None:
    spec = filled(two_tables(tmp_path), "90", "210", "90", "210")  # those of Table 1 for both
    pages = [tmp_path / name for name in ("report.html", "report.tex", "report.txt")]
    options = [
        text for page, name in zip(pages, ("html", "latex", "text"), strict=True) for text in (f"--{name}", page)
    ]
    run = runner.invoke(app, ["audit", str(spec), "--no-explain", *map(str, options)])
    assert run.exit_code == 3, run.output
    said = "the caption says 'Results on the external test set (41 melanomas and 119 nevi).'"
    told = " ".join(run.output.split())
    assert f"audited with 90+210 cases, but {said}".lower() in told.split("Table 2 ")[0].lower()  # in the card
    result = audit(spec, explain=False, strength=False)
    assert [str(row.outcome) for row in result.rows()] == ["consistent"] * 2 + ["question"] * 2
    assert result.rows()[2].condition == f"if the cases are 90+210, although {said}"
    assert [len(table.other_sizes) for table in result.tables] == [0, 1]
    assert sp.AuditResult.from_dict(result.to_dict()).tables[1].other_sizes == result.tables[1].other_sizes
    for page in pages:
        assert "udited with 90+210 cases" in page.read_text(encoding="utf-8"), page


@pytest.mark.parametrize(
    ("caption", "counts", "outcome"),
    [
        ("Table 1. Results.", ("90", "211"), "inconsistent"),
        ("Table 1. Results on the test set (160 images).", ("90", "211"), "question"),
        ("Table 1. Results on the test set (301 images).", ("90", "211"), "inconsistent"),
        ("Table 1. Results on the test set (90 melanomas and 211 nevi).", ("90", "211"), "inconsistent"),
        ("Table 1. Results on the test set (90 melanomas and 211 nevi).", ("91", "210"), "question"),
        ("Table 1. Results of 5-fold cross-validation.", ("90", "211"), "inconsistent"),
        ("Table 1. Models were trained on 5,000 images.", ("90", "211"), "inconsistent"),
        ("Table 1. Results on the test set (41 melanomas and 119 nevi).", ("unknown", "unknown"), "consistent"),
    ],
)
def test_captions_beside_the_sizes_that_are_filled_in(
    tmp_path: Path, caption: str, counts: tuple[str, str], outcome: str
) -> None:
    file = tmp_path / "paper.md"
    rows = "| A | 0.8000 | 0.9048 | 0.8733 |"  # of 90 and 210
    file.write_text(f"{caption}\n\n| Method | Sens | Spec | Acc |\n|---|---|---|---|\n{rows}\n", encoding="utf-8")
    row = audit(filled(file, *counts), explain=False, strength=False).rows()[0]
    assert str(row.outcome) == outcome, row.reason


def test_other_sizes_of_a_caption_stand_beside_an_accusation(tmp_path: Path) -> None:
    caption = "Table 1. Results on the internal test set (90 melanomas and 210 nevi). The external test set had 41 melanomas and 119 nevi."
    file = tmp_path / "paper.md"
    rows = TABLES[1]
    file.write_text(f"{caption}\n\n| Method | Sens | Spec | Acc |\n|---|---|---|---|\n{rows}\n", encoding="utf-8")
    spec = filled(file, "90", "210")
    for row in audit(spec, explain=False, strength=False).rows():
        assert row.outcome is Outcome.INCONSISTENT
        assert any("41 melanomas and 119 nevi" in note for note in row.notes)
    run = runner.invoke(app, ["audit", str(spec), "--no-explain"])
    assert "41 melanomas" in run.output.split("Ask the authors")[0]


def test_sentences_beside_the_sizes_that_are_filled_in(tmp_path: Path) -> None:
    """A draft keeps the sentences of sizes, and an audit of it tells them."""
    file = paper(tmp_path, GOOD, said=SIZES)
    assert audit(filled(file, "300", "843"), explain=False, strength=False).rows()[0].outcome is Outcome.CONSISTENT
    row = audit(filled(file, "300", "844"), explain=False, strength=False).rows()[0]
    assert row.outcome is Outcome.QUESTION
    assert SIZES in row.condition


def test_one_experiment_for_a_whole_paper_is_held_against_each_caption(tmp_path: Path) -> None:
    result = audit(two_tables(tmp_path), sp.TestSet(90, 210), explain=False, strength=False)
    assert [str(row.outcome) for row in result.rows()] == ["consistent"] * 2 + ["question"] * 2


def test_sizes_of_a_header_are_held_against_those_given(tmp_path: Path) -> None:
    heads = "<tr><th><th colspan=3>Internal cohort (n = 300, 90 positive)<th colspan=3>External cohort (n = 160, 41 positive)</tr>"
    heads += "<tr><th>Method<th>Sens<th>Spec<th>Acc<th>Sens<th>Spec<th>Acc</tr>"
    row = "<tr><td>A<td>0.8000<td>0.9048<td>0.8733<td>0.7317<td>0.8487<td>0.8188</tr>"
    file = tmp_path / "paper.html"
    file.write_text(f"<table>{heads}{row}</table>", encoding="utf-8")
    rows = audit(filled(file, "90", "210", "90", "210"), explain=False, strength=False).rows()
    assert [str(row.outcome) for row in rows] == ["consistent", "question"]
    assert "External cohort (n = 160, 41 positive)" in rows[1].condition


def test_enter_keeps_the_runs_that_the_text_speaks_of(tmp_path: Path) -> None:
    said = "The test set has 1,143 images, of which 300 are melanomas. Means over five random seeds are given."
    file = paper(tmp_path, "| A | 0.9050 | 0.8073 | 0.9398 |", said=said)
    assert asked(file, "\n\n\n")[0] == ["consistent"]


def test_a_page_with_a_question_names_what_it_rests_on(tmp_path: Path) -> None:
    result = audit(paper(tmp_path, ODD), explain=False, strength=False)
    assert result.rows()[0].outcome is Outcome.QUESTION
    assert str(result) == "paper: 1 row question"
    assert "no inconsistency and 1 question" in to_html(result)


def test_cells_of_strangers_are_inert_in_a_spreadsheet(tmp_path: Path) -> None:
    file = paper(tmp_path, GOOD)
    evil = "=HYPERLINK(1)"
    file.write_text(file.read_text(encoding="utf-8").replace("| A |", f"| {evil} |"), encoding="utf-8")
    runner.invoke(app, ["audit", str(file), str(file), "--out", str(tmp_path / "out"), "--no-explain", "--jobs", "1"])
    with (tmp_path / "out" / "rows.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert rows[0]["row"] == f"'{evil}"
    assert not any(cell.startswith(("=", "@", "+", "-")) for row in rows for cell in row.values())


def test_papers_of_a_folder_are_found_below_it_and_parts_of_latex_papers_are_none(tmp_path: Path) -> None:
    grid = r"\begin{tabular}{lrrr} Method & Acc & Sens & Spec \\ A & 0.9003 & 0.8000 & 0.9359 \\ \end{tabular}"
    texts = {
        "a/main.tex": r"\documentclass{article}\begin{document}\input{parts/results}\includegraphics{fig/roc}\end{document}",
        "a/parts/results.tex": grid,
        "a/old.tex": r"% \documentclass{article}" + "\n" + grid,
        "a/main.pdf": "",
        "a/fig/roc.pdf": "",
        "a/.git/x.md": "",
        "b/main.tex": rf"\documentclass{{article}}\begin{{document}}{grid}\end{{document}}",
        "c/table.tex": grid,
        "a/supplement/more.md": "| M | Acc | Sens |\n|---|---|---|\n| A | 0.9 | 0.8 |\n",
        "empty/notes.bib": "",
        "results/papers.jsonl": "",
        "results/index.html": "",
    }
    for name, text in texts.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    secret = tmp_path.with_name(f"{tmp_path.name}-secret.csv")
    secret.write_text("M,Acc\nS,0.9\n", encoding="utf-8")
    (tmp_path / "c" / "link.csv").symlink_to(secret)
    (tmp_path / "c" / "circle.csv").symlink_to(tmp_path / "c" / "circle.csv")
    found = papers_in(tmp_path)
    names = [file.relative_to(tmp_path).as_posix() for file in found.papers]
    assert names == ["a/main.tex", "a/supplement/more.md", "b/main.tex", "c/table.tex"]
    assert {reason: sorted(left) for reason, left in found.left.items()} == {
        "printed from the LaTeX file beside it": ["a/main.pdf"],
        "part of a LaTeX paper": ["a/fig/roc.pdf", "a/old.tex", "a/parts/results.tex"],
        "hidden": ["a/.git"],
        "links that lead out of the folder": ["c/link.csv"],
        "reports of an audit": ["results"],
    }
    run = runner.invoke(app, ["audit", str(tmp_path), "--out", str(tmp_path / "out"), "--no-explain"])
    assert run.exit_code == 0
    assert "not looked at: part of a LaTeX paper: " in run.stderr
    reports = sorted(file.name for file in (tmp_path / "out").glob("*.audit.html"))
    assert reports == ["a-main.audit.html", "b-main.audit.html", "more.audit.html", "table.audit.html"]
    again = runner.invoke(app, ["audit", str(tmp_path), "--out", str(tmp_path / "out"), "--no-explain"])
    assert again.exit_code == 0
    assert len(list((tmp_path / "out").glob("*.audit.html"))) == 4
    with pytest.raises(InvalidOption, match="no paper in this folder"):
        papers_in(tmp_path / "empty")
    assert runner.invoke(app, ["audit", ""]).exit_code != 0  # not the folder we are in


UNSUSPECTED = {
    "means over seeds": (
        "The test set contains 500 images. All experiments were repeated with five seeds and averages are reported.",
        "| Model | Accuracy | Macro-F1 |\n|---|---|---|\n| A | 0.9132 | 0.9011 |\n| B | 0.9148 | 0.9027 |",
    ),
    "overlaps of images": (
        "The vessels of 20 test images were segmented. Scores were averaged over the images.",
        "| Net | Sensitivity | Dice | IoU |\n|---|---|---|---|\n| A | 0.781 | 0.801 | 0.671 |\n| B | 0.803 | 0.815 | 0.691 |",
    ),
    "several relevant documents": (
        "We use 50 queries of the news track.",
        "| System | Recall@5 | P@10 | MRR |\n|---|---|---|---|\n| BM25 | 0.251 | 0.432 | 0.682 |",
    ),
    "a number of runs": (
        "The cohort had 250 patients, 90 with relapse.",
        "| Model | N | Accuracy | AUC |\n|---|---|---|---|\n| A | 10 | 0.8412 | 0.891 |\n| B | 10 | 0.8323 | 0.882 |",
    ),
    "related work": (
        "Nothing is said here.\n\n# Related work\n\nThe test set had 40 images.",
        "| Model | Accuracy | Recall |\n|---|---|---|\n| A | 0.913 | 0.902 |",
    ),
}


@pytest.mark.parametrize("name", UNSUSPECTED)
def test_honest_rows_are_not_suspected(name: str, tmp_path: Path) -> None:
    data, table = UNSUSPECTED[name]
    paper = tmp_path / "paper.md"
    paper.write_text(f"# Data\n\n{data}\n\n# Results\n\n{table}\n", encoding="utf-8")
    outcomes = {str(row.outcome) for row in audit(paper, explain=False, strength=False, budget=10).rows()}
    assert outcomes <= {"consistent", "not tested"}


def test_a_proposal_is_accepted_for_the_rows_that_it_is_of(tmp_path: Path) -> None:
    """Enter accepts the size of ISIC; it accuses no other data, which is asked about on its own."""
    file = tmp_path / "skin.md"
    rows = "| ISIC | 0.885 | 0.744 | 0.919 |\n| PH2 | 0.915 | 0.925 | 0.913 |\n"
    said = "The ISIC test set has 600 images, of which 117 are melanomas. PH2 was used, too."
    file.write_text(f"{said}\n\n| Data set | Acc | Sens | Spec |\n|---|---|---|---|\n{rows}", encoding="utf-8")
    assert asked(file, "\nmelanomas\n0\n\n")[0] == ["consistent", "consistent"]
    assert asked(file, "117+483\n0\n\n")[0] == ["consistent", "consistent"]
    assert asked(file, "117+483\n0\n117+483\n0\n")[0] == ["consistent", "inconsistent"]
