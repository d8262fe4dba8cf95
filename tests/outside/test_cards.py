"""The card of a finding on every surface: its pictures, its sentences, the cells it marks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import lxml.html
import pytest
from typer.testing import CliRunner

import scoreproof as sp
from scoreproof.cli import audit as _command  # noqa: F401
from scoreproof.cli.app import app
from scoreproof.findings import Finding
from scoreproof.pages import to_html, to_latex, to_text

STATED = {
    "datasets": {"cases": {"p": 96, "n": 200}},
    "experiments": {"test": {"dataset": "cases"}},
    "tables": [
        {
            "name": "Table 1",
            "experiment": "test",
            "grid": [["Method", "Acc", "Sens", "Spec"], ["A", "0.895", "0.871", "0.905"], ["B", "0.885", "0.823", "0.915"]],
        }
    ],
}  # fmt: skip
PAPER = """# A classifier

The test set has 96 positive and 104 negative cases.

Table 1: Results on the test set.

| Method | Accuracy | Sensitivity | Specificity |
|---|---|---|---|
| SVM | 0.835 | 0.792 | 0.875 |
| CNN | 0.860 | 0.823 | 0.894 |
| GNN | 0.885 | 0.871 | 0.904 |
"""


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Any:
    paper = tmp_path_factory.mktemp("paper") / "paper.md"
    paper.write_text(PAPER, encoding="utf-8")
    return sp.audit(paper, jobs=1)


def finding_of(p: int, n: int, **scores: str) -> Finding:
    (finding,) = sp.check(sp.TestSet(p, n), scores).explain(budget=1).findings
    return finding


def test_a_paper_with_a_question_is_called_one(audited: Any) -> None:
    assert str(audited.verdict) == "question"
    page = lxml.html.document_fromstring(to_html(audited))
    (headline,) = page.xpath("//header//p[contains(@class, 'headline')]")
    assert headline.get("class") == "headline question"
    assert audited._repr_html_().startswith('<p><strong style="color:#')
    assert ">question</strong>" in audited._repr_html_()[:80]


def test_what_is_assumed_is_quoted_once_and_asked_with_the_slip(audited: Any) -> None:
    (finding,) = audited.findings
    review = finding.review()
    assert review.count("The test set has 96 positive and 104 negative cases.") == 1
    assert review.endswith(
        "Is it right that the test set is the 96 positive and 104 negative of section 'A classifier'? "
        "If so, is Sensitivity 0.871 in “GNN” as it was computed, or should it be 0.865?"
    )
    assert [ground.how for ground in finding.rests_on] == ["read", "borne out"]
    assert "This rests on the following: “The test set has" in review
    assert review.split("2 other rows fit it")[1].startswith(". Not proved, but possible: ")


def test_what_nobody_stated_is_not_said_to_be_read() -> None:
    grid = [["Method", "MAE", "RMSE"], ["A", "13.95", "12.10"]]
    (finding,) = sp.audit({"tables": [{"grid": grid}]}, jobs=1).findings
    assert "read" not in {ground.how for ground in finding.rests_on}


def test_without_a_repair_the_question_is_about_the_number() -> None:
    (finding,) = sp.check(sp.TestSet(96, 200), {"sens": "0.871", "spec": "0.905"}, strict=True).findings
    assert finding.question == "Is sens 0.871 as it was computed, and from which counts?"


def test_lines_of_the_terminal_hang_below_what_they_belong_to(audited: Any) -> None:
    (finding,) = audited.findings
    for width in (60, 80):
        lines = finding.text(width).splitlines()
        assert max(map(len, lines)) <= width
        assert all(line.startswith("  ") for line in lines[1:])
        assert any(line.startswith("    ") for line in lines)
        assert " ".join(finding.text(width).split()) == " ".join(finding.text(1000).split())


def test_a_notebook_marks_the_cells_at_fault() -> None:
    shown = lxml.html.fragment_fromstring(sp.audit(STATED, jobs=1)._repr_html_(), create_parent=True)
    red = shown.xpath(".//td[contains(@style, '#b42318')]")
    assert [cell.text_content().strip() for cell in red] == ["0.871"]
    green = shown.xpath(".//td[contains(@style, 'color')]")
    assert len(green) == 4, "and the row that fits"


def test_every_band_of_the_plane_is_in_sight() -> None:
    """The F1 score 0.8642 is that of (35, 254) alone, far from the specificity that is printed."""
    picture = finding_of(38, 262, spec="0.9885", f1="0.8642").picture
    assert picture is not None
    assert picture.sort == "plane"
    drawn = {shape.kind for shape in picture.shapes if shape.rings}
    assert {kind for kind, *_ in picture.legend} <= drawn
    a, b, c, d = picture.data["box"]
    assert a <= 35 <= b < 38, "and no more than that is shown"
    assert 200 < c <= 254
    assert d >= 259
    tp, tn = picture.data["best"]
    assert a <= tp <= b
    assert c <= tn <= d


def test_a_saved_picture_says_which_band_is_which(tmp_path: Path) -> None:
    picture = finding_of(1000, 6000, acc="0.6801", npv="0.9401", f1="0.4004").picture
    assert picture is not None
    picture.save(tmp_path / "plane.svg")
    drawn = lxml.html.fragment_fromstring((tmp_path / "plane.svg").read_text(encoding="utf-8"))
    labels = [label.text for label in drawn.iter("text")]
    assert labels[-3:] == ["acc 0.6801", "npv 0.9401", "f1 0.4004"]
    height = float(drawn.get("height"))
    assert all(float(label.get("y")) < height for label in drawn.iter("text"))


def test_labels_beside_a_gap_do_not_meet() -> None:
    """Of many cases they are long: each stands away from the other."""
    picture = finding_of(12345, 10, sens="0.500006", spec="0.5").picture
    assert picture is not None
    left, right = (label for label in picture.labels if "/12,345 = " in label.text)
    assert (left.anchor, right.anchor) == ("end", "start")
    assert left.x <= right.x + 1
    assert left.x - 6.5 * len(left.text) > 0
    assert right.x + 6.5 * len(right.text) < picture.size[0]


def test_labels_stay_in_the_frame() -> None:
    """A printed value far to the left of its range, both with long words."""
    stated = {"experiments": {"any": {"dataset": "all"}}, "datasets": {"all": {"p": "unknown", "n": "unknown"}}}
    grid = [["Class", "Precision", "Recall", "F1-Score"], ["A", "0.802", "1.000", "0.938"]]
    (finding,) = sp.audit({**stated, "tables": [{"experiment": "any", "grid": grid}]}, jobs=1).findings
    picture = finding.picture
    assert picture is not None
    assert picture.sort == "line"
    for label in picture.labels:
        assert 3.4 * len(label.text) <= label.x <= picture.size[0] - 3.4 * len(label.text), label


def test_sentence_repair_and_question_are_about_the_same_number() -> None:
    """84 and 194 of 96 and 204: three numbers of four agree on that, and the fourth has one digit changed."""
    finding = finding_of(96, 204, acc="0.9267", sens="0.8750", spec="0.9510", f1="0.8942")
    assert finding.headline.endswith("With acc 0.9267, sens 0.8750 and spec 0.9510, f1 would be 0.8842, not 0.8942")
    assert finding.repair.startswith("f1 0.8842, one digit changed")
    assert finding.question == "Is f1 0.8942 as it was computed, or should it be 0.8842?"
    assert finding.picture is not None
    assert finding.picture.data["best"] == [84, 194]
    assert [gauge["name"] for gauge in finding.picture.data["scores"]] == ["spec", "f1", "acc", "sens"]


def test_values_beside_a_gap_are_rounded_to_the_nearest() -> None:
    finding = finding_of(96, 200, sens="0.8710", spec="0.905")
    assert finding.instead is not None
    assert (finding.instead.low, finding.instead.high) == ("0.86458", "0.87500")


def test_a_question_about_several_rows_says_so(tmp_path: Path) -> None:
    rows = ("A,96,204,0.8600,0.8021,0.8873", "B,96,204,0.8900,0.8710,0.9118", "C,96,204,0.9267,0.8750,0.9510")
    text = "\n".join(("model,p,n,acc,sens,spec", *rows, "D,96,204,0.9000,0.8750,0.9510\n"))
    (tmp_path / "rows.csv").write_text(text, encoding="utf-8")
    (finding,) = sp.audit(tmp_path / "rows.csv", jobs=1).findings
    assert str(finding.verdict) == "question"
    assert finding.where.names == ("B", "D")
    assert finding.headline.startswith("2 of 4 tested rows cannot be as printed; B: sens 0.8710 is not possible")


def test_bars_are_told_apart() -> None:
    grid = [["Fold", "Acc"], ["Fold 1", "0.80"], ["Fold 2", "0.82"], ["Average", "0.90"]]
    (finding,) = sp.audit({"tables": [{"grid": grid}]}, jobs=1).findings
    assert finding.picture is not None
    assert [label.text for label in finding.picture.labels if label.anchor == "end"] == ["row 1", "row 2"]


def test_what_would_fit_every_row_is_said_in_a_sentence() -> None:
    grid = [["Method", "Acc", "Sens", "Spec"], ["A", "0.8367", "0.7900", "0.8600"], ["B", "0.8467", "0.8100", "0.8650"],
            ["C", "0.8567", "0.8300", "0.8700"], ["D", "0.8733", "0.8500", "0.8850"]]  # fmt: skip
    stated = {"datasets": {"cases": {"p": 96, "n": 104}}, "experiments": {"test": {"dataset": "cases"}}}
    audit = sp.audit({**stated, "tables": [{"experiment": "test", "grid": grid}]}, jobs=1, explain=True, budget=60)
    (finding,) = audit.findings
    assert finding.where.names == ("A", "B", "C", "D")
    assert finding.headline.startswith("4 of 4 tested rows cannot come from one test set, 96 positives and 104")
    assert finding.repair.startswith("one other assumption would fit all rows (")
    assert dict(finding.details)["Row by row"][0].startswith("A: Spec 0.860 is not possible with 104 negatives")


def test_headings_that_nobody_knows_are_all_named(tmp_path: Path) -> None:
    (tmp_path / "paper.md").write_text("| Method | Qual | Zorp |\n|---|---|---|\n| A | 0.91 | 0.85 |\n")
    done = CliRunner().invoke(app, ["audit", str(tmp_path / "paper.md")])
    assert "Table 1: say which scores its headings mean: Qual, Zorp" in done.output
    assert "not tested  Qual, Zorp: no score of this name is known" in done.output


def test_one_report_of_several_papers_is_refused_by_their_names(tmp_path: Path) -> None:
    paper = tmp_path / "paper.md"
    paper.write_text(PAPER, encoding="utf-8")
    with pytest.raises(
        sp.ScoreproofError, match=r"--html: expected one paper, got .*paper.md, report.json; several go"
    ):
        CliRunner().invoke(app, ["audit", str(paper), "report.json", "--html", "x.html"], catch_exceptions=False)


def test_texts_end_with_a_line(tmp_path: Path) -> None:
    (tmp_path / "paper.md").write_text(PAPER, encoding="utf-8")
    files = {"--text": to_text, "--latex": to_latex}
    for option in files:
        CliRunner().invoke(app, ["audit", str(tmp_path / "paper.md"), option, str(tmp_path / option)])
        assert (tmp_path / option).read_text(encoding="utf-8").endswith(("?\n", ".\n", "}\n")), option
