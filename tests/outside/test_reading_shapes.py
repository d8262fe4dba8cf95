"""Shapes in which people write results: lists that programs print, names in cells, halves side by side, odd PDF pages."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from scoreproof.documents import read_tables
from scoreproof.documents.read import read_paper
from scoreproof.documents.readers import pdf
from scoreproof.errors import UnreadableInput
from scoreproof.papers.auditing import audit
from scoreproof.papers.table_semantics import interpret

SPACES = " ".join(
    f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for short, name in (("office", "office"), ("table", "table"), ("text", "text"), ("style", "style"),
                        ("fo", "xsl-fo-compatible"))
)  # fmt: skip


def cell(text: str, **more: object) -> str:
    told = "".join(f' table:{name.replace("_", "-")}="{value}"' for name, value in more.items())
    return f"<table:table-cell{told}><text:p>{text}</text:p></table:table-cell>"


def ods(*rows: str, style: str = "") -> bytes:
    """A spreadsheet as LibreOffice stores it: what is alike stands once, with a count."""
    lines = "".join(
        row if row.startswith("<table:table-row") else f"<table:table-row>{row}</table:table-row>" for row in rows
    )
    content = (
        f'<office:document-content {SPACES}><office:automatic-styles><style:style style:name="b">'
        f'<style:text-properties fo:font-weight="bold"/></style:style><style:style style:name="off">'
        f'<style:table-properties table:display="false"/></style:style></office:automatic-styles><office:body>'
        f'<office:spreadsheet><table:table table:name="Results" table:style-name="{style}">{lines}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", content)
    return made.getvalue()


EMPTY = '<table:table-row table:number-rows-repeated="{}"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>'


def test_opendocument_spreadsheets(tmp_path: Path) -> None:
    covered = "<table:covered-table-cell/>"
    file = tmp_path / "results.ods"
    file.write_bytes(
        ods(
            cell("Five folds"),
            cell("Model", number_rows_spanned=2) + cell("Test set", number_columns_spanned=2) + covered,
            covered + cell("Acc") + cell("F1"),
            cell("A") + cell("0.90", style_name="b") + cell("0.80"),
            cell("B")
            + cell("0.50", number_columns_repeated=2)
            + '<table:table-cell table:number-columns-repeated="9999"/>',
            EMPTY.format(3),
            cell("k") + cell("n"),
            cell("1") + cell("20"),
            EMPTY.format(1048560),
        )
    )
    first, second = read_tables(file)
    assert first.rows == (
        ("Model", "Test set", "Test set"), ("Model", "Acc", "F1"), ("A", "0.90", "0.80"), ("B", "0.50", "0.50"),
    )  # fmt: skip
    assert (first.caption, first.position.sheet, first.format, first.bold) == ("Five folds", "Results", "ods", {(2, 1)})
    assert (second.rows, second.position.line) == ((("k", "n"), ("1", "20")), 9)


def test_opendocument_that_cannot_be_read(tmp_path: Path) -> None:
    for name, content, words in (
        ("hidden.ods", ods(cell("A") + cell("1"), cell("B") + cell("2"), style="off"), "'Results' is hidden"),
        ("broken.ods", ods("<table:table-cell>"), "not a readable OpenDocument spreadsheet"),
        ("wide.ods", ods(cell("1", number_columns_repeated=3000), cell("2")), "columns"),
        (
            "long.ods",
            ods(f'<table:table-row table:number-rows-repeated="999999">{cell("1")}</table:table-row>'),
            "cells",
        ),
        ("text.odt", ods(cell("1")), "save it as .xlsx, .docx"),
    ):
        file = tmp_path / name
        file.write_bytes(content)
        with pytest.raises(UnreadableInput, match=words):
            read_tables(file)


def test_reports_that_programs_print_line_by_line() -> None:
    text = (
        "Epoch 1/9, Loss: 1.25\nTrain Accuracy: 61.2%\n\nBest model: forest\n------\nAccuracy = 0.875\n"
        "Precision (weighted): 0.850\nRecall: 87.5%\n\nRanking\n1. SVC: Acc=0.91, F1=0.90, MCC=0.81±0.02\n"
        "2. k-NN: Acc=0.88, F1=0.85, MCC=0.71±0.03\n\nlearning rate: 0.01\ndropout: 0.5\n"
    )
    listed, ranked = read_tables(text, kind="text")
    assert listed.rows == (("Accuracy", "Precision (weighted)", "Recall"), ("0.875", "0.850", "87.5%"))
    assert ranked.rows == (
        ("", "Acc", "F1", "MCC"), ("SVC", "0.91", "0.90", "0.81±0.02"), ("k-NN", "0.88", "0.85", "0.71±0.03"),
    )  # fmt: skip
    assert (listed.caption, ranked.caption, ranked.position.line) == ("Best model: forest", "Ranking", 11)


def test_odd_markdown_keeps_its_table() -> None:
    table = "| Model | Acc |\n|---|---|\n| {} | 0.91 |\n"
    for label, shown in (("\ud800", "?"), ("A</td></tr></table>", "A"), ("<tr>A", "A")):
        (read,) = read_tables(table.format(label))
        assert read.body == ((shown, "0.91"),)
    (read,) = read_tables(">" * 50 + " deep\n\n" + table.format("A"))
    assert (read.body, read.header) == ((("A", "0.91"),), (("Model", "Acc"),))
    with pytest.raises(UnreadableInput, match="nested too deeply; what follows may be missing"):
        read_tables("".join("  " * level + "- a\n" for level in range(100)) + "\n" + table.format("A"))


def test_tiny_scores_of_a_dictionary_are_read() -> None:
    scores = {"precision": 5e-05, "recall": 0.25, "f1-score": 0.0001, "support": 4.0}
    (read,) = read_tables(f"{ {'a': scores, 'weighted avg': scores} }\n".replace("}, '", "},\n'"))
    assert read.body[0] == ("a", "5e-05", "0.25", "0.0001", "4.0")


def test_formulas_without_a_stored_result_are_named(tmp_path: Path) -> None:
    book = pytest.importorskip("openpyxl").Workbook()
    for row in (("Model", "Acc", "F1"), ("A", 0.91, 0.9), ("B", "=B2-0.1", "=C2-0.1")):
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    tables = read_tables(tmp_path / "a.xlsx")
    assert tables[0].body == (("A", "0.91", "0.9"), ("B", "", ""))
    assert [problem.partition(";")[0] for problem in tables.problems] == [
        "formulas without a stored result are blank, 2 in all, the first in B3"
    ]


def test_what_a_notebook_printed_twice_is_two_tables() -> None:
    printed = "Accuracy = 0.5391\nF1-Score = 0.5745\nAccuracy = 0.5424\nF1-Score = 0.6283\n"
    cells = [{"cell_type": "code", "outputs": [{"output_type": "stream", "name": "stdout", "text": [printed]}]}]
    tables = read_tables(json.dumps({"cells": cells}) + "\n", kind="notebook")
    assert [table.body for table in tables] == [(("0.5391", "0.5745"),), (("0.5424", "0.6283"),)]


def test_scores_named_inside_cells_are_not_taken_for_others() -> None:
    for header, cells in (
        ("First | Second", "RMSE 0.50 | **Acc. 0.81**"),
        ("Accuracy", "Acc. 0.81"),
        ("Clinic A", "Acc. 0.8, F1 0.7"),
    ):
        columns = "|".join(["---"] * (header.count("|") + 2))
        (table,) = read_tables(f"| Model | {header} |\n|{columns}|\n| A | {cells} |\n")
        assert interpret(table).reports == ()


def test_halves_side_by_side_become_tables() -> None:
    left, right = read_tables("Model,Acc,Model,Acc\nA,0.9,C,0.8\nB,0.7,,\n")
    assert (left.body, right.body) == ((("A", "0.9"), ("B", "0.7")), (("C", "0.8"),))
    assert [left.position.index, right.position.index] == [0, 1]
    twice = read_tables("Acc,F1,Acc,F1\n0.9,0.8,0.7,0.6\n")  # numbers are no labels
    assert len(twice) == 1


@pytest.mark.parametrize(
    ("header", "cells", "wanted"),
    [
        ("P/R | F1", "0.91 / 0.88 | 0.895", {"": {"ppv": "0.91", "sens": "0.88", "f1": "0.895"}}),
        ("Prec/Rec/F1 (%)", "**91.2**/88.0/89.6", {"": {"ppv": "91.2%", "sens": "88.0%", "f1": "89.6%"}}),
        ("Acc (F1)", "0.91 (0.88)", {"": {"acc": "0.91", "f1": "0.88"}}),
        ("Acc (Train/Val)", "0.99/0.91", {"Train": {"acc": "0.99"}, "Val": {"acc": "0.91"}}),
        ("Train/Test Accuracy (%)", "99.1/91.2", {"Train": {"acc": "99.1%"}, "": {"acc": "91.2%"}}),
        ("LV Dice | LV IoU | RV Dice | RV IoU", "0.90 | 0.82 | 0.85 | 0.74",
         {"LV": {"f1": "0.90", "ji": "0.82"}, "RV": {"f1": "0.85", "ji": "0.74"}}),
        ("Acc (n/N) | F1", "190/200 | 0.88", {"": {"f1": "0.88"}}),
        ("Dice/F1 | Mean (SD)", "0.91 | 0.88 (0.02)", {"": {"f1": "0.91"}}),
    ],
)  # fmt: skip
def test_several_scores_of_one_column_are_columns_of_their_own(header: str, cells: str, wanted: object) -> None:
    line = f"|---|{'---|' * len(header.split(' | '))}\n"
    (table,) = read_tables(f"| Model | {header} |\n{line}| A | {cells} |\n| B | {cells} |\n", kind="markdown")
    assert {report.group: report.scores for report in interpret(table).reports if report.row == 1} == wanted


CONVERTED = """# Results

Reported on 300 cases.

<table><tr><td rowspan="2">Model</td><td colspan="2">Set A</td></tr><tr><td>P</td><td>R</td></tr>
<tr><td>X</td><td>$90.1 \\pm 0.2$</td><td>80.0 &lt; 90</td></tr></table>

Table 1: First scores

<table><tr><td>Model</td><td>F1</td></tr><tr><td>X</td><td>84.8</td></tr></table>

Table 2: Second scores

```
<table><tr><td>no</td><td>table</td></tr><tr><td>1</td><td>2</td></tr></table>
```
"""


def test_html_tables_in_markdown_and_captions_below_them() -> None:
    """What converters of PDF write; the caption of the first table is not that of the second."""
    paper = read_paper(CONVERTED, kind="markdown")
    assert [table.caption for table in paper.tables] == ["Table 1: First scores", "Table 2: Second scores"]
    assert [table.position.line for table in paper.tables] == [5, 10]
    assert paper.tables[0].body == (("X", "90.1 ± 0.2", "80.0 < 90"),)
    assert paper.tables[0].header_rows == 2
    assert [text for text, _ in paper.paragraphs] == [
        "Reported on 300 cases.", "Table 1: First scores", "Table 2: Second scores"
    ]  # fmt: skip


def test_html_tables_stand_in_order_beside_pipe_tables() -> None:
    above = "Table 1: a\n\n| P | R |\n|---|---|\n| 0.5 | 0.6 |\n\n"
    tables = read_tables(
        f"{above}Table 2: b\n\n<table><tr><th>P</th><th>R</th></tr><tr><td>1</td><td>2</td></tr></table>\n",
        kind="markdown",
    )
    assert [(table.caption, table.format) for table in tables] == [
        ("Table 1: a", "markdown"),
        ("Table 2: b", "markdown"),
    ]


def test_tables_that_are_named_or_commented_out_hide_no_others() -> None:
    html = "<table><tr><th>P</th><th>R</th></tr><tr><td>{}</td><td>0.5</td></tr></table>\n\n"
    text = (
        "We write `<table>` and `<!--` here.\n\n"
        + html.format(1)
        + f"<!-- {html.format(2)} | a | b |\n|---|---|\n| 3 | 4 |\n"
    )
    text += (
        "\n-->\n\n```\n<!--\n```\n\n"
        + html.format(5)
        + "<table>\n\n"
        + html.format(6)
        + "<!-- never closed\n\n"
        + html.format(7)
    )
    assert [table.body[0][0] for table in read_tables(text, kind="markdown")] == ["1", "5", "6", "7"]


def test_tables_behind_the_end_of_a_page_in_markdown_and_indented_ones_are_read() -> None:
    pipes = "| P | R |\n|---|---|\n| {} | 0.5 |\n\n"
    text = (
        f"{pipes.format(1)}</body></html>\n\n- A point\n\n      {pipes.format(2).replace(chr(10), chr(10) + ' ' * 6)}"
    )
    assert [table.body[0][0] for table in read_tables(text, kind="markdown")] == ["1", "2"]


def test_a_head_that_is_not_read_stops_no_table() -> None:
    for head in ("model-index: !include a.yaml", "model-index: [", "model-index: {a: &a 1, b: *a}", "model-index: 1"):
        paper = read_paper(f"---\n{head}\n---\n\n| Model | Acc |\n|---|---|\n| A | 0.9 |\n", kind="markdown")
        assert paper.tables[-1].body == (("A", "0.9"),)


def test_folds_in_columns_are_compared_with_their_mean() -> None:
    """scikit-learn's cv_results_: rows are candidates, and no folds though a number is all that names them."""
    names = [f"split{k}_test_{score}" for score in ("accuracy", "f1") for k in range(3)]
    head = ["", "param_C", *names, "mean_test_accuracy", "std_test_accuracy", "mean_test_f1", "rank_test_f1"]
    folds = ["0.84", "0.87", "0.90", "0.71", "0.78", "0.70"]
    rows = [["0", "1", *folds, "0.87", "0.0245", "0.73", "1"], ["1", "9", *folds, "0.90", "0.0467", "0.73", "1"]]
    (table,) = read_tables("\n".join(map(",".join, (head, *rows))) + "\n", kind="csv")
    found = interpret(table)
    assert not any(report.fold for report in found.reports)
    checks = {f"{block.label} {check.what}": bool(check) for block in found.folds for check in block.check_averages()}
    assert checks == {
        "0 mean acc": True, "0 acc, standard deviation": True, "0 mean f1": True,
        "1 mean acc": False, "1 acc, standard deviation": False, "1 mean f1": True,
    }  # fmt: skip


def test_macro_rows_without_supports_are_compared_with_the_classes() -> None:
    rows = "Class,P,R,F1\nCat,0.90,0.80,0.85\nDog,0.70,0.90,0.79\nBird,0.80,0.70,0.75\nMacro,0.80,0.85,0.80\n"
    report = interpret(read_tables(rows)[0]).class_report
    assert report is not None
    assert {check.what: bool(check) for check in report.check_averages()} == {
        "macro ppv": True, "macro sens": False, "macro f1": True,
    }  # fmt: skip


def test_what_stands_beside_a_column_says_what_it_is() -> None:
    """Cases of which so many are right are the tested ones; beside ranks mAP is over queries."""
    counted = interpret(read_tables("Model,Total,Correct,Acc (%)\nA,237,147,62.03\nB,237,150,63.29\n")[0])
    assert [report.counts.total for report in counted.reports] == [237, 237]
    alone = interpret(read_tables("Model,Total,Acc (%)\nA,237,62.03\nB,237,63.29\n")[0])
    assert [report.counts.total for report in alone.reports] == [None, None]
    searched = interpret(read_tables("Model,mAP,MRR,R@1\nA,0.60,0.65,0.50\n")[0])
    assert searched.reports[0].scores == {"mrr": "0.65", "hits@1": "0.50"}
    detected = interpret(read_tables("Model,mAP,AP50\nA,0.40,0.65\n")[0])
    assert detected.reports[0].scores == {"map": "0.40", "ap50": "0.65"}


def test_balanced_accuracy_of_several_classes_is_no_finding(tmp_path: Path) -> None:
    rows = "".join(
        f"| {name} | 0.{a} | 0.{b} | 0.{r} |\n" for name, a, b, r in zip("ABC", "987", "654", "987", strict=True)
    )
    (tmp_path / "a.md").write_text(f"| Model | Accuracy | Balanced accuracy | Recall |\n|---|---|---|---|\n{rows}")
    outcomes = {str(row.outcome) for row in audit(tmp_path / "a.md", explain=False, strength=False).rows()}
    assert outcomes <= {"not tested", "consistent"}


class PdfPage:
    """Text and rules of a page, written as a PDF would have them."""

    def __init__(self) -> None:
        self.marks: list[str] = []

    def line(self, y: float, *cells: tuple[float, str]) -> PdfPage:
        self.marks += [f"BT /F 10 Tf {x} {800 - y} Td ({text}) Tj ET" for x, text in cells]
        return self

    def rule(self, x0: float, y0: float, x1: float, y1: float) -> PdfPage:
        self.marks.append(f"{x0} {800 - y0} m {x1} {800 - y1} l S")
        return self

    def box(self, x0: float, y0: float, x1: float, y1: float) -> PdfPage:
        self.marks.append(f"0.9 g {x0} {800 - y1} {x1 - x0} {y1 - y0} re f 0 g")
        return self


def pdf_of(*pages: PdfPage) -> bytes:
    kids = " ".join(f"{3 + 2 * k} 0 R" for k in range(len(pages)))
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>"]
    font = "<< /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
    for k, page in enumerate(pages):
        text = "\n".join(page.marks)
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {4 + 2 * k} 0 R /Resources {font} >>"
        )
        objects.append(f"<< /Length {len(text)} >>\nstream\n{text}\nendstream")
    made, places = "%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(made))
        made += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    end = f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(made)}\n%%EOF\n"
    return f"{made}xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{end}".encode("latin-1")


def rows_of(page: PdfPage, y: float, *rows: tuple[str, ...]) -> PdfPage:
    for k, row in enumerate(rows):
        page.line(y + 14 * k, *zip((100.0, 220.0, 300.0, 380.0), row, strict=False))
    return page


HEAD = ("Model", "Acc", "F1", "MCC")
FIRST = (("A", "0.91", "0.90", "0.80"), ("B", "0.89", "0.88", "0.77"), ("C", "0.87", "0.86", "0.73"))
REST = (("D", "0.85", "0.84", "0.70"), ("E", "0.83", "0.81", "0.66"), ("F", "0.80", "0.79", "0.61"))


def test_one_vertical_rule_does_not_join_the_columns_beside_it(tmp_path: Path) -> None:
    page = rows_of(PdfPage().line(80, (100, "Table 1: Results.")), 112, HEAD, *FIRST)
    for y in (100, 118, 160):
        page.rule(95, y, 420, y)
    (tmp_path / "a.pdf").write_bytes(pdf_of(page.rule(200, 100, 200, 160)))
    (table,) = read_tables(tmp_path / "a.pdf")
    assert (table.rows, table.caption) == ((HEAD, *FIRST), "Table 1: Results.")


@pytest.mark.parametrize("repeated", [False, True])
def test_a_table_goes_on_over_the_page_break(repeated: bool, tmp_path: Path) -> None:
    """With its header again or without one."""
    upper = rows_of(PdfPage().line(600, (100, "Table 1: Results.")), 632, HEAD, *FIRST)
    lower = rows_of(PdfPage(), 62, *((HEAD,) if repeated else ()), *REST).line(300, (100, "And so it ends."))
    for y in (620, 638):
        upper.rule(95, y, 420, y)
    for y in (50, 68, 106) if repeated else (92,):
        lower.rule(95, y + 14 * repeated, 420, y + 14 * repeated) if y > 70 else lower.rule(95, y, 420, y)
    (tmp_path / "a.pdf").write_bytes(pdf_of(upper, lower))
    (table,) = read_tables(tmp_path / "a.pdf")
    assert table.rows == (HEAD, *FIRST, *REST)


def test_contents_pages_and_axes_are_no_tables(tmp_path: Path) -> None:
    """Nor is a table of words left out that three rules enclose."""
    contents = PdfPage().line(60, (100, "Contents"))
    for k in range(6):
        contents.line(80 + 14 * k, (100, f"{k + 1}"), (120, f"Chapter {k} " + ". " * 40), (400, f"{7 * k + 3}"))
    figure = PdfPage()
    for k in range(5):
        figure.line(100 + 40 * k, (90, f"0.{8 - 2 * k}"))
        figure.rule(110, 97 + 40 * k, 420, 97 + 40 * k)
    figure.line(300, *((110.0 + 60 * k, f"0.{2 * k}") for k in range(5))).line(330, (100, "Figure 1: ROC curves."))
    words = rows_of(PdfPage().line(80, (100, "Table 1: Names.")), 112, ("Model", "Kind", "By"), ("A", "net", "Ada"))
    rows_of(words, 140, ("B", "tree", "Bob"), ("C", "rule", "Eve"))
    for y in (100, 118, 160):
        words.rule(95, y, 420, y)
    (tmp_path / "a.pdf").write_bytes(pdf_of(contents, figure, words))
    (table,) = read_tables(tmp_path / "a.pdf")
    assert (table.caption, table.shape, table.position.page) == ("Table 1: Names.", (4, 3), 3)


def test_a_drawn_confusion_matrix_is_read(tmp_path: Path) -> None:
    """Its columns have the names of its rows."""
    page = PdfPage().line(240, (100, "Figure 3: Errors."))
    for k, (name, row) in enumerate((("ill", ("40", "7")), ("well", ("3", "50")))):
        page.line(125 + 50 * k, (110, name)).line(214, (170 + 60 * k, name))
        for c, text in enumerate(row):
            page.box(150 + 60 * c, 100 + 50 * k, 210 + 60 * c, 150 + 50 * k).line(128 + 50 * k, (172 + 60 * c, text))
    (tmp_path / "a.pdf").write_bytes(pdf_of(page))
    (table,) = read_tables(tmp_path / "a.pdf")
    assert table.rows == (("", "ill", "well"), ("ill", "40", "7"), ("well", "3", "50"))
    assert (table.caption, len(table.notes)) == ("Figure 3: Errors.", 1)


def test_pages_beyond_the_limit_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from scoreproof.documents.formats import open_source
    from scoreproof.documents.read import read_here

    page = rows_of(PdfPage().line(80, (100, "Table 1: Results.")), 112, HEAD, *FIRST)
    for y in (100, 118, 160):
        page.rule(95, y, 420, y)
    (tmp_path / "a.pdf").write_bytes(pdf_of(page, PdfPage().line(80, (100, "The end.")), PdfPage()))
    monkeypatch.setattr(pdf, "_MOST_PAGES", 1)
    contents = read_here("pdf", open_source(tmp_path / "a.pdf"))
    assert len(contents.tables) == 1
    assert contents.problems[0].startswith("pages 2 to 3 were not read")
    paper = read_paper(tmp_path / "a.pdf")  # in a process of its own
    assert [text for text, _ in paper.paragraphs] == ["Table 1: Results.", "The end."]
