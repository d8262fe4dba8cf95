"""The HTML page as a document: what it holds, how it marks cells, and that it stays small."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import replace
from pathlib import Path

import lxml.html
import pytest
import report_fixtures
from lxml.html import HtmlElement

import scoreproof as sp
from scoreproof.checking.answer import Fit, Tried
from scoreproof.documents import Table
from scoreproof.errors import InvalidValue
from scoreproof.insight.conflicts import Conflict
from scoreproof.insight.explanation import Explanation, TableExplanation
from scoreproof.insight.repairs import Change, Repair, Slip
from scoreproof.kinds.binary.kind import Binary
from scoreproof.pages import to_html, to_text
from scoreproof.papers.result import Answered, AuditResult, CellText, Outcome, RowResult, TableResult


@pytest.fixture(scope="module")
def page() -> HtmlElement:
    return lxml.html.document_fromstring(to_html(report_fixtures.example()))


def text(found: HtmlElement) -> str:
    return " ".join(" ".join(found.itertext()).split())


def test_the_policy_names_exactly_the_script_and_the_style(page: HtmlElement) -> None:
    policy = page.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")[0]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for tag in ("style", "script[not(@type)]"):
        (found,) = page.xpath(f"//{tag}")
        digest = base64.b64encode(hashlib.sha256(found.text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert page.xpath("//*[@style]") == []
    assert page.xpath("//*[@src] | //link[@rel='stylesheet']") == []


def test_nothing_points_outside(page: HtmlElement) -> None:
    targets = set(page.xpath("//@href")) - {"data:,"}
    assert all(target.startswith("#") for target in targets)
    assert {target[1:] for target in targets} <= set(page.xpath("//@id"))


def test_the_same_audit_gives_the_same_page() -> None:
    assert to_html(report_fixtures.example()) == to_html(report_fixtures.example())


def test_a_stored_audit_has_the_same_page() -> None:
    audit = report_fixtures.example()
    stored = AuditResult.from_dict(json.loads(audit.to_json()))
    assert stored == audit
    assert to_html(stored) == to_html(audit)


def test_the_first_screen_says_what_was_tested_and_found(page: HtmlElement) -> None:
    summary = text(page.get_element_by_id("summary"))
    assert text(page.xpath("//header")[0]).endswith("✗ 8 of 9 result rows tested: 5 findings. Theme: auto")
    headlines = [text(card) for card in page.xpath("//section[@id='summary']/article/h3")]
    assert headlines[0].startswith("Acc 0.9494, Sens 0.9450 and Spec 0.9793 cannot stand together.")
    assert headlines[-1] == "“U-Net is the best method” does not hold: by accuracy the row Ours is higher."
    assert "4 rows can have come about as described or assumed. 1 row could not be decided" in summary
    assert "“the difference is significant”: open" in text(page.get_element_by_id("claims"))
    first, *_ = page.xpath("//main/section[1]/*[not(contains(@class, 'hidden'))]")
    assert first.tag == "article", "the card of a finding is the first thing below the title"


def test_a_paper_without_sizes_says_what_would_allow_a_test() -> None:
    grid = [["Method", "Acc", "Sens"], ["A", "0.95", "0.50"], ["B", "0.80", "0.50"]]
    page = lxml.html.document_fromstring(to_html(sp.audit({"tables": [{"name": "Table 3", "grid": grid}]})))
    assert "Table 3, 2 rows: state the size of the test set" in text(page.get_element_by_id("summary"))


def test_the_table_stands_as_in_the_paper(page: HtmlElement) -> None:
    (table,) = page.xpath("//section[@id='table-1']//table[@class='paper']")
    head = [[(text(cell), cell.get("rowspan"), cell.get("colspan")) for cell in row] for row in table.xpath("thead/tr")]
    assert head[0] == [("Method", "2", None), ("Data", "2", None), ("Performance", None, "4"), ("Cost", None, None)]
    assert [cell[0] for cell in head[1]] == ["Acc", "Sens", "Spec", "AUC", "Time (s)"]
    body = [[text(cell) for cell in row] for row in table.xpath("tbody/tr")]
    assert body[0] == ["U-Net", "DRIVE", "0.9494", "0.7450", "0.9793", "0.9772", "1.2"]
    assert body[3] == ["Ours", "0.9651", "0.7812", "n.a.†", "0.9830", "0.8"]
    assert [text(cell) for cell in table.xpath(".//b")] == ["0.9450", "0.9651"]
    assert text(table.xpath("caption")[0]) == "Vessel segmentation on the test images of DRIVE. Bold: best."


def test_cells_are_marked_by_what_became_of_them(page: HtmlElement) -> None:
    rows = page.xpath("//section[@id='table-1']//table[@class='paper']/tbody/tr")
    kinds = [[cell.get("class") for cell in row] for row in rows]
    good, bad = "c consistent", "c inconsistent"
    assert kinds[0] == [None, None, good, good, good, "skipped", "skipped"]
    assert kinds[2] == [None, bad, bad, bad, "skipped", "skipped"]
    assert kinds[3] == [None, good, good, "unread", "skipped", "skipped"]
    cards = json.loads(page.get_element_by_id("cards").text)
    row, cell = map(int, rows[2][1].get("data-c").split("."))
    assert cards["cards"][row][:2] == ["inconsistent", "Deep & Thin"]
    assert cards["lines"][cards["cards"][row][3][cell]] == "Acc (accuracy): 0.9494, a true value from 0.9493 to 0.9495"


def test_every_heading_of_a_table_says_what_it_heads(page: HtmlElement) -> None:
    heads = page.xpath("//th")
    assert len(heads) > 30
    assert [text(cell) for cell in heads if cell.get("scope") not in ("col", "colgroup", "row")] == []
    (above,) = page.xpath("//table[@class='paper']//th[text()='Performance']")
    assert above.get("scope") == "colgroup"


def test_the_cells_at_fault_are_red_and_not_the_row() -> None:
    table = report_fixtures.simple(report_fixtures.RAINIO[:1], 300, 300)
    told = Explanation(
        sp.Verdict.INCONSISTENT,
        "the seven scores",
        "one test set",
        (Conflict(("kappa", "mcc"), "kappa 0.464 and mcc 0.737 cannot stand together"),),
        (Repair(Slip.DIGIT, (Change("mcc", "0.737", "0.464"),), None, 1.0),),
    )
    found = replace(table, rows=(replace(table.rows[0], explanation=told),))
    page = lxml.html.document_fromstring(to_html(AuditResult("", "", (found,))))
    cells = page.xpath("//table[@class='paper']//td[@data-c]")
    assert [text(cell) for cell in cells if cell.get("class") == "c inconsistent"] == ["0.464", "0.737"]
    assert {cell.get("class") for cell in cells} == {"c inconsistent", "c aside"}
    assert "not at fault" in [text(item) for item in page.xpath("//ul[@class='signs']/li")]
    legend = [text(item) for item in page.xpath("//figure//ul[@class='legend']/li")]
    assert legend == ["kappa 0.464", "mcc 0.737"]


def test_a_score_that_is_not_at_fault_is_not_red() -> None:
    grid = [["Method", "Acc", "Sens", "Spec", "AUC"], ["A", "0.95", "0.50", "0.60", "0.61"]]
    for tree in ({"type": "kfold", "k": 5, "p": 50, "n": 100}, {"type": "testset", "p": 50, "n": 100}):
        paper = {"experiments": {"e": {"tree": tree}}, "tables": [{"grid": grid, "experiment": "e"}]}
        page = lxml.html.document_fromstring(to_html(sp.audit(paper)))
        cells = page.xpath("//table[@class='paper']//td[contains(@class, 'c ')]")
        kinds = {text(cell): cell.get("class").split()[1] for cell in cells}
        assert kinds["0.95"] == "inconsistent"
        assert kinds["0.61"] == "aside"
        assert sorted(kinds.values()).count("inconsistent") in (2, 3)


def test_averages_over_classes_are_marked_whatever_a_proof_calls_them() -> None:
    grid = [["Method", "Accuracy", "Macro F1", "Weighted recall"], ["A", "0.95", "0.50", "0.61"]]
    tree = {"type": "multi_class", "counts": [50, 70, 30]}
    paper = {"experiments": {"e": {"tree": tree}}, "tables": [{"grid": grid, "experiment": "e"}]}
    audited = sp.audit(paper)
    page = lxml.html.document_fromstring(to_html(audited))
    marks = page.xpath("//table[@class='paper']//td[contains(@class, 'c ')]/@class")
    (finding,) = audited.findings
    assert [mark.split()[1] for mark in marks].count("inconsistent") == len(finding.scores) >= 2


def test_a_proof_says_which_claims_it_uses() -> None:
    folds, one = sp.KFold(k=5, p=50, n=100), sp.TestSet(6, 70)
    scores = {"acc": "0.95", "sens": "0.50", "spec": "0.60", "auc": "0.60"}
    cases = [
        (sp.check(folds, scores), ["acc", "sens", "spec"]),
        (sp.check(sp.UnknownClasses(), {"auc": "0.95", "sens": "0.50", "spec": "0.50", "acc": "0.50"}), None),
        (sp.check(one, {"auc": "0.9056", "sens": "0.83"}), ["auc"]),
        (sp.check(one, {"sens": "0.83"}), []),
    ]
    for answer, names in cases:
        used = [claim.quantity.name for claim in answer.used]
        assert used == (["sens", "spec", "auc"] if names is None else names)


@pytest.mark.parametrize("transposed", [False, True])
def test_scores_are_called_as_the_paper_calls_them(transposed: bool) -> None:
    scores = {"ppv": "0.722", "sens": "0.7512"}
    only = report_fixtures.reading("as described", sp.TestSet(300, 300), scores)
    lines = [("", "Precision", "Recall"), ("A", "0.722", "0.7512")]
    places = [(1, 1), (1, 2)]
    if transposed:
        lines, places = [("", "A"), ("Precision", "0.722"), ("Recall", "0.7512")], [(1, 1), (2, 1)]
    cells = [CellText(place, name, value, value) for place, (name, value) in zip(places, scores.items(), strict=True)]
    conflict = Conflict(("ppv", "sens"), "ppv 0.722 is too high for sens 0.7512")
    said = Explanation(sp.Verdict.INCONSISTENT, "two scores", "one test set", conflicts=(conflict,))
    row = report_fixtures.row((0, 1), "A", cells, [only], explanation=said)
    page = lxml.html.document_fromstring(to_html(AuditResult("", "", (TableResult("T", Table(tuple(lines)), (row,)),))))
    assert "Precision 0.722 is too high for Recall 0.7512." in text(page.get_element_by_id("finding-1"))
    assert "ppv" not in text(page.xpath("//main")[0])


def test_the_matrix_is_told_by_true_class_first(page: HtmlElement) -> None:
    assert "for example tp 226, fn 74, fp 87, tn 213" in text(page.get_element_by_id("table-2"))


def test_pages_draw_what_they_are_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """One drawing per finding, of the problem that was asked, with the scores at fault."""
    calls = []
    drawing = Binary.drawing

    def counting(kind: Binary, problem: object, focus: object = ()) -> object:
        calls.append((problem, focus))
        return drawing(kind, problem, focus)  # type: ignore[arg-type]

    monkeypatch.setattr(Binary, "drawing", counting)
    table = report_fixtures.example().tables[1]
    to_html(AuditResult("", "", (table,)))
    assert calls == [(table.rows[0].readings[0].answer.problem, {"spec", "f1"})]


def test_a_finding_is_told_in_full(page: HtmlElement) -> None:
    told = text(page.get_element_by_id("finding-1"))
    for words in (
        "✗ inconsistent Table 2, Deep & Thin",
        "Acc 0.9494, Sens 0.9450 and Spec 0.9793 cannot stand together.",
        "Would fit (not proved) Sens 0.7450, one digit changed, would fit all three numbers.",
        "Ask the authors Is Sens 0.9450 in “Deep & Thin” as it was computed, or should it be 0.7450?",
        "Tried, does not help sensitivity and specificity exchanged",
        "Would fit if (not proved) only a part of the images evaluated (the first 10 images)",
        "Not decided in time changes of two digits at once",
        "Strength of the test about 1 in 4,000",
    ):
        assert words in told
    everything = text(page).lower()
    for accusation in ("fraud", "fabricat", "misconduct", "fake", "manipulat", "wrong", "dishonest"):
        assert accusation not in everything


OUT = (
    "positive positive", "fits every row", "readings:", "in the conflict that is told", "10^", "one confusion matrix included",
    "the experiments as described", "experiments it describes",
)  # fmt: skip


def test_words_that_no_reviewer_writes_are_gone(tmp_path: Path) -> None:
    lines = ["CNN 0.841 0.771 0.875 0.747 0.759", "SVM 0.797 0.708 0.840 0.680 0.694"]
    lines += ["Ours 0.895 0.871 0.905 0.816 0.844", "RF 0.828 0.740 0.870 0.732 0.736"]
    rows = "\n".join(f"| {' | '.join(line.split())} |" for line in ("Method Acc Sens Spec PPV F1", "-" * 1, *lines))
    rows = rows.replace("| - |", "|" + "---|" * 6)
    file = tmp_path / "paper.md"
    text_before = (
        "We test on a test set of 296 images, of which 96 are positive and 200 are negative.\n\nTable 1: Results.\n\n"
    )
    file.write_text(f"{text_before}{rows}\n", encoding="utf-8")
    audited = sp.audit(file, jobs=1)
    (question,) = audited.findings
    assert question.headline == "Sens 0.871 is not possible with 96 positives: 83 of 96 is 0.865, 84 of 96 is 0.875"
    for told in (text(lxml.html.document_fromstring(to_html(audited))), to_text(audited), question.text()):
        assert not [words for words in OUT if words in told]


def test_a_file_is_named_without_its_folder() -> None:
    table = report_fixtures.vessel_table()
    for source, shown in (
        ("/home/me/paper.tex", "paper.tex"),
        ("C:\\papers\\paper.tex", "paper.tex"),
        ("sub/paper.tex", "sub/paper.tex"),
        ("https://x.org/a.html", "https://x.org/a.html"),
    ):
        moved = replace(table, table=replace(table.table, source=source))
        page = lxml.html.document_fromstring(to_html(AuditResult("", "", (moved,))))
        assert f"Read from {shown}: table 1, page 7." in text(page.get_element_by_id("table-1"))


def test_averages_held_against_their_rows_are_marked() -> None:
    lines = [["Fold 1", "0.90"], ["Fold 2", "0.92"], ["Mean", "0.95"]]
    check = report_fixtures.average("acc", ["0.90", "0.92"], "0.95", 3)
    table = TableResult(
        "T", report_fixtures.plain_table(["", "Acc"], lines), (), checks=(check,), untested=("Acc: too short",)
    )
    page = lxml.html.document_fromstring(to_html(AuditResult("", "", (table,))))
    cells = page.xpath("//table[@class='paper']/tbody/tr/td[2]")
    assert [cell.get("class") for cell in cells] == ["skipped", "skipped", "c inconsistent"]
    assert cells[2].get("data-n") == "Mean acc: 0.95 does not fit: the printed rows give 0.9000 to 0.9200."
    assert cells[0].get("data-n") == "Not tested: too short"
    assert "No row could be tested; 1 finding." in text(page.xpath("//header")[0])


@pytest.mark.parametrize(("average", "kind"), [("0.90", "c inconsistent"), ("0.81", "c consistent")])
def test_a_comparison_is_told_in_the_cell_of_a_row_that_says_less(average: str, kind: str) -> None:
    """The row of an average cannot be tested by itself; its specificity has the same digits and is another score."""
    grid = [["Fold", "Acc", "Spec"], ["Fold 1", "0.80", "0.89"], ["Fold 2", "0.82", "0.91"], ["Mean", average, "0.90"]]
    audited = sp.audit({"tables": [{"grid": grid}]}, jobs=1)
    assert [str(row.outcome) for row in audited.rows()] == ["not tested"] * 3
    page = lxml.html.document_fromstring(to_html(audited))
    cells = page.xpath("//table[@class='paper']/tbody/tr[3]/td")
    assert [cell.get("class") for cell in cells] == [None, kind, "c consistent"]
    verb = "fits the rows" if average == "0.81" else "does not fit: the printed rows give 0.8000 to 0.8200"
    assert cells[1].get("data-n") == f"Mean Acc: {average} {verb}."
    assert cells[2].get("data-n") == "Mean Spec: 0.90 fits the rows."


def test_the_assumption_matrix(page: HtmlElement) -> None:
    (matrix,) = page.xpath("//section[@id='table-1']//table[@class='matrix']")
    signs = [[text(cell)[:1] for cell in row.xpath("td[contains(@class, 'mid')]")] for row in matrix.xpath("tbody/tr")]
    assert signs == [list("✓✓✗✗"), list("✗✗✓✗"), list("✗✗✗✗"), list("✓✓✓✓")]
    key = [text(one) for one in page.xpath("//section[@id='table-1']//ol[@class='key']/li")]
    assert key[0] == "(1) pixels in the field of view, mean of scores over 20 images"
    assert key[-1] == "In all: the 20 test images, first annotator."


def test_a_reading_that_fits_every_row_is_named() -> None:
    table = replace(report_fixtures.vessel_table(), fits_all=("field of view",))
    found = lxml.html.document_fromstring(to_html(AuditResult("", "", (table,))))
    assert "Every tested row is consistent with “field of view”" in text(found.get_element_by_id("table-1"))


def test_a_conflict_of_scores_has_its_plane(page: HtmlElement) -> None:
    (figure,) = page.get_element_by_id("finding-3").xpath("./figure[@class='plane']")
    assert "No matrix lies in all the bands." in text(figure)
    data = json.loads(figure.get("data-plane"))
    assert (data["p"], data["n"], [score["name"] for score in data["scores"]]) == (1000, 6000, ["Acc", "NPV", "F1"])
    tp, tn = data["best"]
    hit = [
        score["ends"][0] <= sp.score(name)(tp, 6000 - tn, 1000 - tp, tn) <= score["ends"][1]
        for name, score in zip(("acc", "npv", "f1"), data["scores"], strict=True)
    ]
    assert sum(hit) == 2, "of three scores two can be hit"
    assert page.xpath("//svg[@role='img'][not(title and desc)]") == []


def test_large_audits_stay_small_and_say_what_they_leave_out() -> None:
    audit = report_fixtures.many(3000, 900)
    other = [
        replace(row, readings=tuple(replace(each, label=f"{k}") for each in row.readings))
        for k, row in enumerate(audit.rows())
    ]
    answers = [replace(row, readings=tuple(_distinct(each, k) for each in row.readings)) for k, row in enumerate(other)]
    audit = replace(audit, tables=(replace(audit.tables[0], rows=tuple(answers)),))
    source = to_html(audit)
    assert len(source) < 6_000_000
    found = lxml.html.document_fromstring(source)
    assert len(found.xpath("//table[@class='paper']/tbody/tr")) == 2000
    assert len(found.xpath("//article")) == 60
    assert "and 840 more findings" in text(found.get_element_by_id("summary"))
    deck = json.loads(found.get_element_by_id("cards").text)
    assert len(deck["cards"]) == 3000
    assert sum(map(bool, deck["cards"])) == 2000
    assert "The table goes on: 1,000 more rows." in text(found.get_element_by_id("table-1"))
    searched = json.loads(found.get_element_by_id("rest").text)
    assert [entry[1] for entry in searched["tables"][0]] == [f"method {line}" for line in range(2000, 3000)]
    assert sum(entry[0] == "inconsistent" for entry in searched["tables"][0]) == 300


def _distinct(answered: Answered, number: int) -> Answered:
    """The same answer as if it were of another problem: what is the same in several rows is one finding."""
    claims = tuple(replace(claim, name=f"{claim.name}{number}") for claim in answered.answer.problem.claims)
    return replace(answered, answer=replace(answered.answer, problem=answered.answer.problem.with_claims(claims)))


def test_the_same_numbers_in_many_rows_are_one_finding() -> None:
    (finding,) = report_fixtures.many(200, 100).findings
    assert len(finding.where.rows) == 100
    assert len(finding.where.cells) == 300


@pytest.mark.parametrize(
    "explanation",
    [
        Explanation(sp.Verdict.INCONSISTENT, "", ""),
        Explanation(sp.Verdict.UNDECIDED, "acc = 0.9494", "the images", untried=("everything",)),
        Explanation(
            sp.Verdict.INCONSISTENT,
            "acc = 0.9494",
            "the images",
            (Conflict((), ""),),
            (Repair(Slip.NEAREST, (), None, 0.0),),
            (Tried("", "", Fit.UNDECIDED),),
        ),
    ],
)
def test_explanations_may_lack_anything(explanation: Explanation) -> None:
    table = report_fixtures.vessel_table()
    rows = tuple(replace(row, explanation=explanation, strength=None) for row in table.rows)
    bare = replace(table, rows=rows, explanation=TableExplanation((), (), (), 0))
    page = lxml.html.document_fromstring(to_html(AuditResult("x", "", (bare,))))
    assert "None" not in page.xpath("string(//main)")
    assert len(page.xpath("//article")) == 1
    assert "Strength" not in page.xpath("string(//main)")


def test_a_notebook_shows_tables_in_colour() -> None:
    audit = report_fixtures.example()
    shown = lxml.html.fragment_fromstring(audit._repr_html_(), create_parent=True)
    assert text(shown).startswith("inconsistent : Retinal vessels, revisited: 3 rows inconsistent, 1 comparison inside")
    assert len(shown.xpath(".//table")) == 3
    red = shown.xpath(".//table[1]//td[contains(@style, '#b42318')]")
    assert [text(cell) for cell in red[:3]] == ["0.9494", "0.9450", "0.9793"]
    assert shown.xpath(".//th[not(@scope)]") == []
    row = audit.tables[0].rows[2]
    assert str(row) == "inconsistent: Deep & Thin, acc 0.9494, sens 0.9450, spec 0.9793"
    assert row._repr_html_().startswith('<p><strong style="color:#b42318">inconsistent</strong>: Deep &amp; Thin, acc')


def test_empty_and_odd_results_have_a_page() -> None:
    nothing = lxml.html.document_fromstring(to_html(AuditResult("", "", ())))
    assert "No row could be tested." in text(nothing)
    assert "No table was found." in text(nothing)
    bare = TableResult("", Table((), 0), (RowResult(0, 0, "", "", "", (), Outcome.NOT_TESTED),))
    found = text(lxml.html.document_fromstring(to_html(AuditResult("", "", (bare,), interrupted=True))))
    assert "The audit was interrupted" in found
    assert "Nothing in this row can be tested." in found
    with pytest.raises(InvalidValue, match="AuditResult"):
        to_html({"title": "x"})  # type: ignore[arg-type]


def test_reports_of_audits_leave_the_reading_of_a_reported_score_alone() -> None:
    assert sp.report("acc", "0.90").text == "0.90"
