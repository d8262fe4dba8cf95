"""``scoreproof audit`` and ``scoreproof init`` from the outside: exit status, files, interruption, hook and action."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

import scoreproof as sp
import scoreproof.cli.audit
from scoreproof.cli.app import app
from scoreproof.errors import ScoreproofError
from scoreproof.papers.auditing import audit
from scoreproof.papers.draft import draft
from scoreproof.papers.plan import plan
from scoreproof.papers.specification.load import load

ROOT = Path(__file__).parents[2]
PAPERS = ROOT / "examples" / "papers"
TABLES = ROOT / "tests" / "data" / "tables"
MAIN = "import scoreproof.cli.app as a; a._COMMANDS = {**a._COMMANDS, 'audit': 'audit', 'init': 'audit'}; a.main()"
# As in a terminal, also where the tests themselves run in the background and ignore Ctrl-C.
#: Ctrl-C comes once four rows are in the journal.
INTERRUPTED = f"""
import os, signal
from scoreproof.work.journal import Journal
signal.signal(signal.SIGINT, signal.default_int_handler)
keep = Journal.__setitem__
def kept(self, key, result):
    keep(self, key, result)
    if len(self._results) == 4:
        os.kill(os.getpid(), signal.SIGINT)
Journal.__setitem__ = kept
{MAIN}
"""
runner = CliRunner()


def command(*arguments: object, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", MAIN, *map(str, arguments)], capture_output=True, text=True, cwd=folder, check=False
    )


def specification(folder: Path, **changes: Any) -> Path:
    document: dict[str, Any] = {
        "title": "Two rows",
        "datasets": {"cases": {"p": 1000, "n": 6000}},
        "experiments": {"test": {"dataset": "cases"}},
        "tables": [
            {
                "name": "Table 1",
                "experiment": "test",
                "grid": [
                    ["Method", "Acc", "NPV", "F1"],
                    ["A", "0.6801", "0.9401", "0.4004"],
                    ["B", "0.6821", "0.9401", "0.4004"],
                ],
            }
        ],
        **changes,
    }
    file = folder / "paper.scoreproof.yaml"
    file.write_text(yaml.safe_dump(document), encoding="utf-8")
    return file


def in_a_terminal(width: int, *arguments: object) -> str:
    """What a command writes to a terminal of this width, without colours."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(width), "TERM": "xterm"}
    with subprocess.Popen(
        [sys.executable, "-c", MAIN, *map(str, arguments)], stdout=theirs, stderr=subprocess.DEVNULL, env=environment
    ):
        os.close(theirs)
        written = b""
        try:
            while chunk := os.read(ours, 65536):
                written += chunk
        except OSError:
            pass  # the other end is closed
        os.close(ours)
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", written.decode("utf-8")).replace("\r\n", "\n")


def test_no_word_is_broken_at_the_edge_of_a_terminal() -> None:
    width = 60
    shown = in_a_terminal(width, "audit", PAPERS / "rainio2024.scoreproof.yaml", "--budget", 5)
    lines = [line.rstrip() for line in shown.splitlines()]
    assert max(map(len, lines)) <= width
    words = " ".join(shown.split())
    assert "κ 0.464 and MCC 0.737 cannot stand together. With MCC 0.737, κ would lie between" in words
    assert {"specificity", "significantly", "inconsistent"} <= set(words.split())


def test_what_decides_the_verdict_is_said_first(tmp_path: Path) -> None:
    """Six rows and an average that does not fit: not 'inconsistent  6 not tested'."""
    folds = [[f"Fold {k}", f"0.8{k}"] for k in range(1, 6)]
    table = {"name": "Table 1", "grid": [["", "Acc"], *folds, ["Mean", "0.90"]], "experiment": "test"}
    shown = runner.invoke(app, ["audit", str(specification(tmp_path, tables=[table])), "--no-explain"])
    title, verdict, *rest = shown.stdout.splitlines()
    assert title == "Two rows"
    assert verdict.startswith("inconsistent  ")
    assert "Table 1, Mean" in next(line for line in rest if line.startswith("✗")), "the card comes next"


def test_summary_json_and_certificates(tmp_path: Path) -> None:
    file = specification(tmp_path)
    shown = runner.invoke(app, ["audit", str(file), "--no-explain"])
    assert shown.exit_code == 1
    assert "inconsistent" in shown.stdout
    assert "1 consistent, 1 inconsistent" in shown.stdout
    made = runner.invoke(
        app, ["audit", str(file), "--no-explain", "--json", "--certificates", str(tmp_path / "proofs")]
    )
    document = json.loads(made.stdout)
    assert document["verdict"] == "inconsistent"
    (proof,) = (tmp_path / "proofs").iterdir()
    assert proof.name == "table1-row2-reading1.json"
    assert sp.verify(proof)


def test_exit_status_of_a_consistent_and_an_undecided_paper(tmp_path: Path) -> None:
    good = specification(
        tmp_path, tables=[{"grid": [["Acc", "Sens", "F1"], ["0.500", "0.500", "0.500"]], "experiment": "test"}]
    )
    assert runner.invoke(app, ["audit", str(good)]).exit_code == 0
    open_ = specification(tmp_path, tables=[{"grid": [["Acc"], ["0.5"]], "experiment": "test"}])
    assert runner.invoke(app, ["audit", str(open_)]).exit_code == 5  # nothing with one digit could have failed
    odd = specification(tmp_path, tables=[{"grid": [["Acc"], ["50"]], "percent": False, "experiment": "test"}])
    assert runner.invoke(app, ["audit", str(odd)]).exit_code == 3


def test_the_schema_is_printed() -> None:
    made = runner.invoke(app, ["audit", "--schema"])
    assert made.exit_code == 0
    assert json.loads(made.stdout) == json.loads(
        (ROOT / "docs" / "specification.schema.json").read_text(encoding="utf-8")
    )


def small_pdf(folder: Path, drawn: bytes = b"10 10 90 90 re f") -> Path:
    """A page with nothing but a rectangle, as a scan would be, or with what is drawn instead."""
    font = b"<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
    parts = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 200] /Contents 4 0 R /Resources %s >>" % font,
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn) + 1, drawn),
    ]
    data, places = b"%PDF-1.4\n", []
    for number, part in enumerate(parts, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    start = len(data)
    data += b"xref\n0 5\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % place for place in places)
    data += b"trailer << /Size 5 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % start
    file = folder / "scan.pdf"
    file.write_bytes(data)
    return file


def test_a_caption_without_a_table_is_said(tmp_path: Path) -> None:
    """A table that is drawn in a way that is not read does not disappear without a word."""
    drawn = b"BT /F1 10 Tf 20 150 Td (Table 7: A table that is a picture.) Tj 0 -20 Td (Table 8 shows more.) Tj ET"
    done = command("tables", small_pdf(tmp_path, drawn))
    assert done.returncode == 2
    assert "page 1: no table was read under the caption of table 7" in done.stderr
    assert "table 8" not in done.stderr


@pytest.mark.parametrize(
    "case", ["missing", "broken", "unknown key", "large", "scan", "no scores", "folder", "none", "journal"]
)
def test_bad_input_ends_in_one_message(case: str, tmp_path: Path) -> None:
    file = tmp_path / "paper.yaml"
    arguments: list[object] = ["audit", file]
    if case == "missing":
        said = "no such file"
    elif case == "broken":
        file.write_text("title: [x\ntables: 3\n", encoding="utf-8")
        said = "paper.yaml:2: broken YAML at column"
    elif case == "unknown key":
        file.write_text("titel: x\ntables: []\n", encoding="utf-8")
        said = "paper.yaml:1: unknown key 'titel'; did you mean title?"
    elif case == "large":
        with file.open("wb") as handle:
            handle.truncate(100 * 2**20)
        said = "100 megabytes, at most 50 are read"
    elif case == "scan":
        file.write_text(f"tables:\n  - file: {small_pdf(tmp_path).name}\n", encoding="utf-8")
        said = "paper.yaml:2: tables.1.file"
    elif case == "no scores":
        file.write_text("tables:\n  - grid: [[Colour, Size], [red, '3']]\n", encoding="utf-8")
        said = "no column is named like a score"
    elif case == "folder":
        arguments, said = (
            ["audit", specification(tmp_path), "--json", "--certificates", tmp_path / "a" / "b"],
            "there is no folder",
        )
    elif case == "none":
        arguments, said = ["audit"], "what to audit is missing"
    else:
        file.write_text("{}\n", encoding="utf-8")
        arguments, said = ["audit", specification(tmp_path), "--resume", file], "the journal of an earlier run"
    done = command(*arguments)
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert done.stderr.startswith("error: ")
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("name", ["tables.tex", "tables.html", "tables.docx", "tables.xlsx", "tables_latex.pdf"])
def test_a_draft_can_be_filled_in_and_run(name: str, tmp_path: Path) -> None:
    target = tmp_path / "draft.yaml"
    made = runner.invoke(app, ["init", str(TABLES / name), "--output", str(target)])
    assert made.exit_code == 0, made.output
    text = target.read_text(encoding="utf-8")
    assert "catalog: drive" in text
    if "FILL IN  #" in text:
        with pytest.raises(ScoreproofError, match="still to be filled in"):
            audit(target)
        text = (
            text.replace("p: FILL IN", "p: 400").replace("n: FILL IN", "n: 600").replace("folds: FILL IN", "folds: 5")
        )
        target.write_text(text, encoding="utf-8")
    tasks = [planned.task(report) for planned in plan(load(target)) for report in planned.reports]
    assert len(tasks) >= 10
    assert not [task.error for task in tasks if task.error]
    assert all(task.posed or task.notes for task in tasks)


def test_a_draft_without_counts_is_marked(tmp_path: Path) -> None:
    paper = tmp_path / "results.csv"
    paper.write_text(
        "Method,Acc (%),AUC,F1 ± std\nA,95.40,0.99,0.90 ± 0.02\nA,95.10,0.98,0.91 ± 0.02\n", encoding="utf-8"
    )
    target = tmp_path / "results.scoreproof.yaml"
    assert runner.invoke(app, ["init", str(paper)]).exit_code == 0
    with pytest.raises(ScoreproofError) as caught:
        audit(target)
    said = str(caught.value)
    lines = target.read_text(encoding="utf-8").split("\n")
    for place in ("datasets.main.p", "datasets.main.n", "experiments.main.folds"):
        (line,) = [one for one in said.split("\n") if f": {place}: " in one]
        number = int(line.split(":")[1])
        assert "FILL IN" in lines[number - 1]
    again = runner.invoke(app, ["init", str(paper)])
    assert isinstance(again.exception, ScoreproofError)
    assert "--force" in str(again.exception)
    assert runner.invoke(app, ["init", str(paper), "--force"]).exit_code == 0


@pytest.mark.parametrize(
    ("name", "paper"),
    [
        (
            "paper.md",
            "## Data\nIt has 38 preterm and 262 term records. We used 5-fold cross-validation.\n\n"
            "| Method | Acc | Sens |\n|---|---|---|\n| A | 0.9447 | 0.9139 |\n",
        ),
        (
            "paper.tex",
            "\\section{Data}\nIt has 38 preterm and 262 term records. % 500 test images\nWe used 5-fold cross-validation.\n\n"
            "\\begin{tabular}{lcc}Method & Acc & Sens \\\\ A & 0.9447 & 0.9139 \\\\ \\end{tabular}\n",
        ),
        (
            "paper.html",
            "<h2>Data</h2><p>It has 38 preterm and 262 term records. We used 5-fold cross-validation.</p>"
            "<table><tr><th>Method<th>Acc<th>Sens</tr><tr><td>A<td>0.9447<td>0.9139</tr></table>",
        ),
    ],
)
def test_a_draft_offers_what_the_text_says(name: str, paper: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(paper)
    text = draft(file).text
    assert "# p: 38, n: 262 (if preterm is the positive class): the text says 'It has 38 preterm" in text
    assert text.count("n: 262") == 1
    assert "# folds: 5 # the text says 'We used 5-fold cross-validation.'" in text
    assert "500" not in text


def test_a_draft_survives_hostile_texts(tmp_path: Path) -> None:
    labels = ['a: "b" # c', "- [x", "yes", "\\u0041 \\", "{k}: &v *w", "%!", "naïve — “q”", "null", "1", "'", "@x"]
    lines = ["Method;Acc.;# odd: header"] + [
        f'"{label.replace(chr(34), chr(34) * 2)}";0.9{i % 10};7' for i, label in enumerate(labels)
    ]
    paper = tmp_path / "odd.csv"
    paper.write_text("\n".join(lines) + "\n", encoding="utf-8")
    target = tmp_path / "odd.scoreproof.yaml"
    assert runner.invoke(app, ["init", str(paper)]).exit_code == 0
    text = target.read_text(encoding="utf-8").replace("FILL IN", "100")
    target.write_text(text, encoding="utf-8")
    result = audit(target, explain=False, strength=False)
    assert [row.label for row in result.rows()] == labels
    assert {str(row.outcome) for row in result.rows()} == {"not tested"}


def test_no_table_with_scores_to_draft_from(tmp_path: Path) -> None:
    paper = tmp_path / "none.csv"
    paper.write_text("Colour,Size\nred,3\nblue,4\n", encoding="utf-8")
    done = command("init", paper)
    assert done.returncode == 2
    assert "no column is named like a score" in done.stderr
    assert not (tmp_path / "none.scoreproof.yaml").exists()
    assert command("init", small_pdf(tmp_path)).returncode == 2


def slow_specification(folder: Path, rows: int) -> Path:
    """Rows of means over folds, each of which takes some hundredths of a second."""
    grid = [["Method", "F1", "MCC", "Acc"]]
    grid += [[f"m{i}", f"0.{700 + i}", f"0.{500 + i}", f"0.{780 + i}"] for i in range(rows)]
    file = folder / "slow.yaml"
    document = {
        "datasets": {"cases": {"p": 60, "n": 90}},
        "experiments": {"cv": {"dataset": "cases", "folds": 5, "stratified": True, "aggregation": "mean_of_scores"}},
        "tables": [{"grid": grid, "experiment": "cv"}],
    }
    file.write_text(yaml.safe_dump(document), encoding="utf-8")
    return file


def test_an_interrupted_audit_goes_on(tmp_path: Path) -> None:
    file, journal = slow_specification(tmp_path, 24), tmp_path / "rows.jsonl"
    arguments = [
        sys.executable,
        "-c",
        INTERRUPTED,
        "audit",
        str(file),
        "--no-explain",
        "--jobs",
        "1",
        "--json",
        "--resume",
        str(journal),
    ]
    ended = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert ended.returncode == 130, ended.stderr
    assert f"the finished rows are in {journal}" in ended.stderr
    assert "Traceback" not in ended.stderr
    document = json.loads(ended.stdout)
    assert document["interrupted"] is True
    before = journal.read_text(encoding="utf-8").split("\n")
    kept = len(before) - 2
    assert kept == 4
    unreached = [row for row in document["tables"][0]["rows"] if "not reached before the interruption" in row["notes"]]
    assert len(unreached) - (24 - kept) in (0, 1)  # a row may be kept at the moment of the interruption
    arguments[2] = MAIN
    again = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert again.returncode in (0, 1, 3)
    after = journal.read_text(encoding="utf-8").split("\n")
    assert after[: kept + 1] == before[: kept + 1]
    assert len(after) - 2 == 24
    whole = audit(file, explain=False, strength=False, jobs=1)
    assert without_examples(json.loads(again.stdout)) == without_examples(json.loads(whole.to_json()))


def without_examples(document: Any) -> Any:
    """All but the witnesses of means: which of several is found first is a matter of time."""
    if isinstance(document, dict):
        return {key: without_examples(value) for key, value in document.items() if key != "witness"}
    return [without_examples(value) for value in document] if isinstance(document, list) else document


def test_a_journal_cut_off_in_a_line_is_read(tmp_path: Path) -> None:
    file, journal = specification(tmp_path), tmp_path / "rows.jsonl"
    first = audit(file, explain=False, strength=False, resume=journal)
    text = journal.read_text(encoding="utf-8")
    journal.write_text(text[:-40], encoding="utf-8")
    assert audit(file, explain=False, strength=False, resume=journal) == first
    assert audit(file, explain=False, strength=False, resume=journal) == first
