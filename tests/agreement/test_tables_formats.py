"""Every format gives back exactly the cells its producer wrote: TeX, Chromium, Word, Excel, HTML, CSV, Markdown, text."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from sklearn.metrics import classification_report

from scoreproof.documents import Table, read_tables
from scoreproof.papers.table_semantics import interpret

FOLDER = Path(__file__).parents[1] / "data" / "tables"
TRUTH = json.loads((FOLDER / "truth.json").read_text(encoding="utf-8"))
FILES = {
    "tables.tex": ("vessels", "folds"),
    "tables_latex.pdf": ("vessels", "folds"),
    "tables_chromium.pdf": ("vessels", "folds", "folds"),
    "tables.html": ("vessels", "folds", "folds"),
    "tables.docx": ("vessels", "folds"),
    "tables.xlsx": ("vessels", "folds"),
}


def rows(table: Table) -> list[list[str]]:
    return [list(row) for row in table.rows]


@pytest.mark.parametrize("name", FILES)
def test_real_producers(name: str) -> None:
    tables = read_tables(FOLDER / name)
    assert not tables.problems
    assert len(tables) == len(FILES[name])
    for table, key in zip(tables, FILES[name], strict=True):
        truth = TRUTH[key]
        assert rows(table) == truth["rows"]
        assert table.header_rows == truth["header_rows"]
        spans = sorted([span.row, span.column, span.rows, span.columns] for span in table.spans)
        assert spans == sorted(truth["spans"])
        assert sorted(map(list, table.bold)) == truth["bold"]
        assert truth["caption"].partition(". ")[2] in table.caption


@pytest.mark.parametrize("name", ["many_latex.pdf", "many.html", "many_chromium.pdf"])
def test_source_and_print_agree_on_many_styles(name: str) -> None:
    sources, prints = read_tables(FOLDER / "many.tex"), read_tables(FOLDER / name)
    assert len(sources) == len(prints) == 12
    for one, other in zip(sources, prints, strict=True):
        assert rows(one) == rows(other)
        assert one.header_rows == other.header_rows
        assert one.caption in other.caption


def by_caption(path: Path) -> dict[str, list[list[str]]]:
    """The tables of a document by their captions, these without their numbers."""
    found = {re.sub(r"^Table \d+[:.] ", "", table.caption): rows(table) for table in read_tables(path)}
    assert "" not in found
    return found


@pytest.mark.parametrize(
    ("source", "count"),
    [("two_columns.tex", 8), ("prints.tex", 9), ("boxes.html", 2)],
    ids=["columns", "prints", "boxes"],
)
def test_each_cell_of_a_print_is_that_of_its_source(source: str, count: int) -> None:
    """Subscripts, decimal commas, notes, merged headers with and without rules, single boxes."""
    expected, found = by_caption(FOLDER / source), by_caption((FOLDER / source).with_suffix(".pdf"))
    if source == "boxes.html":  # boxes that are no table in the source
        assert found.pop("A grid of boxes.") == [["Model", "Acc", "AUC"], ["A", "0.91", "0.95"], ["B", "0.90", "0.93"]]
    if source == "two_columns.tex":  # a header of two lines is two levels of it in print
        body = expected["No rules but one."][1:]
        expected["No rules but one."] = [["Model", "Accuracy", "F1"], ["Model", "(%)", "(macro)"], *body]
        assert found.pop("Rotated headers. Model") == expected.pop("Rotated headers.")[1:]  # which are not read
    assert len(expected) == count
    assert found == expected


def delimited(truth: dict[str, Any], separator: str) -> str:
    """A spreadsheet export: spanned cells are blank after their first place."""
    covered = {
        (row, column)
        for top, left, down, across in truth["spans"]
        for row in range(top, top + down)
        for column in range(left, left + across)
        if (row, column) != (top, left)
    }
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator)
    for r, row in enumerate(truth["rows"]):
        writer.writerow(["" if (r, c) in covered else text for c, text in enumerate(row)])
    return out.getvalue()


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_delimited_files(suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"table{suffix}"
    text = delimited(TRUTH["vessels"], "\t" if suffix == ".tsv" else ",")
    file.write_text(text, encoding="utf-8-sig")
    table = read_tables(file)[0]
    assert table.header_rows == 2
    assert rows(table)[1][2:] == TRUTH["vessels"]["rows"][1][2:]
    assert [row[1:] for row in rows(table)[2:]] == [row[1:] for row in TRUTH["vessels"]["rows"][2:]]
    found = interpret(table)
    assert {one.group for one in found.reports} == {"DRIVE", "STARE"}
    assert found.reports[2].label == "Supervised / SegNet"
    assert found.reports[2].scores == {"acc": "94.94 ± 1.10%", "sens": "0.7406", "f1": "0.80"}


def markdown(truth: dict[str, Any]) -> str:
    lines = ["Table 1. Folds.", ""]
    for number, row in enumerate(truth["rows"]):
        cells = [f"**{text}**" if [number, column] in truth["bold"] else text for column, text in enumerate(row)]
        lines.append(f"| {' | '.join(cells)} |")
        if number == 0:
            lines.append("|" + "---|" * len(row))
    return "\n".join(lines) + "\n"


def test_markdown() -> None:
    table = read_tables(markdown(TRUTH["folds"]))[0]
    assert rows(table) == TRUTH["folds"]["rows"]
    assert sorted(map(list, table.bold)) == TRUTH["folds"]["bold"]
    assert table.caption == "Table 1. Folds."


def test_pasted_in_columns_and_word_by_word() -> None:
    truth = TRUTH["folds"]["rows"]
    padded = "\n".join("".join(f"{text:<16}" for text in row).rstrip() for row in truth)
    assert rows(read_tables(padded)[0]) == truth
    words = "\n".join(" ".join(row) for row in [[row[0].replace("Fold ", "F-"), *row[1:]] for row in truth[:6]])
    table = read_tables(words)[0]
    assert rows(table) == [[row[0].replace("Fold ", "F-"), *row[1:]] for row in truth[:6]]


MODEL_CARD = """---
license: mit
model-index:
- name: vessels-base
  results:
  - task: {type: image-segmentation}
    dataset: {name: DRIVE, type: drive, split: test}
    metrics:
    - {type: accuracy, value: 0.9540, name: Accuracy}
    - {type: f1, value: 0.810, name: F1 macro, args: {average: macro}}
  - task: {type: image-segmentation}
    dataset: {name: STARE, type: stare}
    metrics:
    - {type: accuracy, value: 0.90, name: Accuracy}
---
# A model card

| Data | Recall |
|---|---|
| DRIVE | 0.7450 |
"""


def test_model_index_keeps_text_as_text(tmp_path: Path) -> None:
    card = tmp_path / "README.md"
    card.write_text(MODEL_CARD, encoding="utf-8")
    index, table = read_tables(card)
    assert rows(index)[2:] == [
        ["image-segmentation", "DRIVE (test)", "0.9540", "0.810"],
        ["image-segmentation", "STARE", "0.90", ""],
    ]
    found = interpret(index)
    assert found.reports[0].scores == {"acc": "0.9540"}
    assert [(one.score, one.qualifier) for one in found.reports[0].qualified] == [("f1", "macro")]
    assert rows(table) == [["Data", "Recall"], ["DRIVE", "0.7450"]]
    assert rows(read_tables(MODEL_CARD.split("---")[1] + "\n")[0]) == rows(index)


def test_classification_report_of_scikit_learn() -> None:
    names = ["not a cat", "cat", "dog"]
    text = classification_report([0, 0, 1, 1, 2, 2, 2], [0, 1, 1, 1, 2, 0, 2], target_names=names, digits=3)
    table = read_tables(text)[0]
    assert [row[0] for row in table.body] == [*names, "accuracy", "macro avg", "weighted avg"]
    assert [row[4] for row in table.body[:3]] == ["2", "2", "3"]
    assert table.body[3][3] == "0.714"
    found = interpret(table)
    assert found.class_report is not None
    assert found.class_report.total == 7
    assert all(found.class_report.check_averages())
    assert [one.counts.test_set() and one.counts.p for one in found.reports] == [2, 2, 3]


def test_latex_beyond_the_basics() -> None:
    source = r"""
\newcommand{\best}[1]{\textbf{#1}} \def\pms#1#2{$#1\pm#2$}
\begin{table}\caption[short]{Scores in \%, see~\cite{x}}
\begin{tabularx}{\linewidth}{lXX} \hline
  Model\textsuperscript{a} & \makecell{Acc.\\(\%)} & $\kappa$ \\ \hline
  A~\cite{a} & \pms{85.40}{1.20} & \best{0.70} \\ % 99.9
  B & 95\% & $0.80_{\pm 0.10}$ \\
  C & \unknown{1}{2} & $0.90^2$ \\ \hline
\end{tabularx}\end{table}
"""
    table = read_tables(source)[0]
    assert rows(table) == [
        ["Model^a", "Acc. (%)", "κ"],
        ["A", "85.40 ± 1.20", "0.70"],
        ["B", "95%", "0.80 ± 0.10"],
        ["C", r"\unknown{1}{2}", "0.90^2"],
    ]
    found = interpret(table)
    assert found.tally["unread"] == 1
    assert found.reports[2].scores == {"kappa": "0.90"}
