"""Small honest tables, as people make them and in every format: none is flagged. Their dishonest twins are.

Every number is counted from matrices or predictions here, so the tables are true; what makes them hostile is how they
are laid out: differences, averages over classes, totals, unread cells, training columns, ranks, page heads.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import classification_report, precision_recall_fscore_support
from table_formats import FORMATS, Grid, html_table, print_pdf, write

import scoreproof as sp
from scoreproof.documents import Table, read_tables
from scoreproof.papers.auditing import audit
from scoreproof.papers.result import AuditResult, Outcome
from scoreproof.papers.table_semantics import interpret

P, N = 60, 140
MATRICES = {
    "kNN": sp.ConfusionMatrix(tp=47, fp=11, fn=13, tn=129),
    "SVM": sp.ConfusionMatrix(tp=52, fp=9, fn=8, tn=131),
    "Ours": sp.ConfusionMatrix(tp=55, fp=7, fn=5, tn=133),
}
KNOWN: dict[str, Any] = {"datasets": {"d": {"p": P, "n": N}}, "experiments": {"t": {"dataset": "d"}}}
UNKNOWN: dict[str, Any] = {
    "datasets": {"d": {"p": "unknown", "n": "unknown"}},
    "experiments": {"t": {"dataset": "d"}},
}


def scored(matrix: sp.ConfusionMatrix, *names: str, digits: int = 3) -> list[str]:
    return [str(matrix.score(name, digits=digits)) for name in names]


def table(*names: str, heads: list[str] | None = None, digits: int = 3, label: str = "Method") -> Grid:
    head = [label, *(heads or names)]
    return [head, *([name, *scored(one, *names, digits=digits)] for name, one in MATRICES.items())]


def beside(grid: Grid, head: str, cells: list[str]) -> Grid:
    return [[*row, cell] for row, cell in zip(grid, [head, *cells], strict=True)]


def below(grid: Grid, *rows: list[str]) -> Grid:
    return [*grid, *rows]


def multiclass(seed: int, classes: int = 3, size: int = 180) -> tuple[np.ndarray, np.ndarray]:
    dice = np.random.default_rng(seed)
    truth = np.concatenate([np.arange(classes), dice.integers(0, classes, size)])
    return truth, np.where(dice.random(len(truth)) < 0.7, truth, dice.integers(0, classes, len(truth)))


def averaged(average: str, *, spoken: str = "") -> Grid:
    rows = []
    for seed, name in enumerate(("kNN", "SVM", "Ours")):
        truth, guess = multiclass(seed)
        scores = precision_recall_fscore_support(truth, guess, average=average, zero_division=0)[:3]
        rows.append([name, *(f"{value:.3f}" for value in ((truth == guess).mean(), *scores))])
    return [["Method", "Accuracy", *(f"{spoken}{name}" for name in ("Precision", "Recall", "F1"))], *rows]


def report_grid(seed: int = 0, classes: int = 2, size: int = 150) -> Grid:
    """A class report as a grid: header, classes, accuracy, macro and weighted averages."""
    truth, guess = multiclass(seed, classes, size)
    found = classification_report(truth, guess, output_dict=True, zero_division=0)
    rows: Grid = [["", "precision", "recall", "f1-score", "support"]]
    for name, scores in found.items():
        if name == "accuracy":
            rows.append([name, "", "", f"{scores:.2f}", str(len(truth))])
        else:
            values = [f"{scores[key]:.2f}" for key in ("precision", "recall", "f1-score")]
            rows.append([name, *values, str(int(scores["support"]))])
    return rows


def changed(grid: Grid, row: int, column: int, text: str) -> Grid:
    return [[text if (r, c) == (row, column) else cell for c, cell in enumerate(cells)] for r, cells in enumerate(grid)]


def folds(k: int, *, numbered_from: int = 1) -> tuple[Grid, list[float]]:
    dice = np.random.default_rng(k)
    values = [round(float(dice.integers(70, 99)) / 100, 2) for _ in range(k)]
    return [["Fold", "Acc"], *([f"Fold {i + numbered_from}", f"{v:.2f}"] for i, v in enumerate(values))], values


def fold_table(k: int = 5, *, wrong: bool = False, unread: int | None = None, numbered_from: int = 1) -> Grid:
    grid, values = folds(k, numbered_from=numbered_from)
    mean = sum(values) / k + (0.05 if wrong else 0)
    if unread is not None:
        grid = changed(grid, unread, 1, "see text")
    return below(grid, ["Mean", f"{mean:.3f}"])


@dataclass(frozen=True)
class Case:
    """A table, what the user says about it, and how many of its rows are tested at least."""

    name: str
    grid: Grid
    spec: dict[str, Any] = field(default_factory=lambda: KNOWN)
    tested: int = 0
    more: dict[str, Any] = field(default_factory=dict)


def two_sets() -> Grid:
    small, large = sp.ConfusionMatrix(tp=9, fp=1, fn=1, tn=9), sp.ConfusionMatrix(tp=9, fp=90, fn=1, tn=810)
    names = ("sens", "spec", "ppv", "npv")
    return [["Dataset", *names], ["A", *scored(small, *names)], ["B", *scored(large, *names)]]


def from_both_sides() -> Grid:
    head = ["Method", *(f"{name} ({side})" for side in ("Negative", "Positive") for name in ("Precision", "Recall"))]
    rows = []
    for name, one in MATRICES.items():
        other = sp.ConfusionMatrix(tp=one.tn, fp=one.fn, fn=one.fp, tn=one.tp)
        rows.append([name, *scored(other, "ppv", "sens"), *scored(one, "ppv", "sens")])
    return [head, *rows]


def by_class(no: str, yes: str) -> Grid:
    rows = []
    for name, one in MATRICES.items():
        other = sp.ConfusionMatrix(tp=one.tn, fp=one.fn, fn=one.fp, tn=one.tp)
        rows += [[name, no, *scored(other, "ppv", "sens", "f1")], [name, yes, *scored(one, "ppv", "sens", "f1")]]
    return [["Method", "Class", "Precision", "Recall", "F1"], *rows]


PLAIN = table("acc", "sens", "spec", "f1")
FOLDS_UNKNOWN: dict[str, Any] = {**UNKNOWN, "experiments": {"t": {"dataset": "d", "folds": 5}}}
HONEST = [
    Case("plain", PLAIN, tested=3),
    Case("names", table("acc", "sens", "spec", "f1", heads=["Acc. (%)", "Sens", "Spec.", "Dice/F1"]), {
        **KNOWN, "datasets": {"d": {"p": P, "n": N}}}),  # fractions under a percent sign are left to the reader
    Case("delta row", below(PLAIN, ["Δ", "+0.015", "+0.050", "-0.014", "+0.026"]), tested=3),
    Case("negative delta row", below(PLAIN, ["Ours - SVM", "-0.015", "-0.050", "-0.014", "-0.026"]), tested=3),
    Case("improvement row", below(PLAIN, ["Improvement (%)", "1.8", "6.1", "1.5", "3.0"]), tested=3),
    Case("gain row", below(PLAIN, ["Gain over SVM", "0.015", "0.050", "0.014", "0.026"]), tested=3),
    Case("p-values", below(PLAIN, ["p-value", "0.031", "0.044", "0.51", "0.02"]), tested=3),
    Case("ranks", below(PLAIN, ["Rank", "1", "1", "1", "1"]), tested=3),
    Case("average of methods", below(PLAIN, ["Average", "0.912", "0.856", "0.936", "0.854"]), tested=3),
    Case("delta column", beside(PLAIN, "Δ Acc", ["0.000", "0.035", "0.060"]), tested=3),
    Case("gain column", beside(PLAIN, "Acc gain", ["0.0", "0.035", "0.060"]), tested=3),
    Case("sd column of other runs", beside(PLAIN, "SD of F1", ["0.012", "0.034", "0.011"]), tested=3),
    Case("best column", beside(PLAIN, "Best F1", ["0.999", "0.998", "0.997"]), tested=3),
    Case("top five", beside(PLAIN, "Top-5 Acc", ["0.999", "0.998", "0.997"]), tested=3),
    Case("recall at ten", beside(PLAIN, "Recall@10", ["0.123", "0.234", "0.345"]), tested=3),
    Case("mean average precision", beside(PLAIN, "Mean Average Precision", ["0.123", "0.234", "0.345"]), tested=3),
    Case("suffix errors", beside(PLAIN, "Suffix err.", ["4", "6", "8"]), tested=3),
    Case("model size", beside(PLAIN, "Size (MB)", ["1.4", "25", "102"]), tested=3),
    Case("training samples", beside(PLAIN, "Samples", ["7", "13", "29"]), tested=3),
    Case("training samples, unknown", beside(PLAIN, "Samples", ["7", "13", "29"]), UNKNOWN, tested=3),
    Case("regression error", beside(PLAIN, "Error", ["0.713", "0.613", "0.513"]), tested=3),
    Case("standard errors", beside(PLAIN, "SE", ["0.013", "0.012", "0.011"])),
    Case("for", beside(PLAIN, "for", ["0.713", "0.613", "0.513"]), tested=3),
    Case("training accuracy", beside(PLAIN, "Train Acc", ["0.999", "0.998", "0.997"]), tested=3),
    Case("validation accuracy", beside(PLAIN, "Val Acc", ["0.951", "0.952", "0.953"]), tested=3),
    Case("one class", beside(PLAIN, "F1 (class 2)", ["0.123", "0.234", "0.345"]), tested=3),
    Case("two sides", from_both_sides(), tested=6),
    Case("weighted averages", averaged("weighted")),
    Case("micro averages", averaged("micro")),
    Case("macro averages named", averaged("macro", spoken="Macro ")),
    Case("macro averages in the caption", averaged("macro"), more={"caption": "Macro-averaged results"}),
    Case("averages over classes in the caption", averaged("macro"), more={"caption": "Scores averaged over all classes"}),
    Case("rows of classes", [["Class", "Precision", "Recall", "F1"], ["cat", "0.71", "0.83", "0.77"],
                             ["dog", "0.91", "0.84", "0.87"], ["cow", "0.71", "0.31", "0.43"]]),
    Case("classes under methods", by_class("Negative", "Positive")),
    Case("classes under methods, as numbers", by_class("0", "1")),
    Case("many classes of a map", [["Method", "OA", "AA", "Kappa"], ["A", "0.9123", "0.8912", "0.8812"],
                                   ["B", "0.9321", "0.9012", "0.9112"]]),
    Case("runs", [["Run", *PLAIN[0][1:]], *([f"Run {i}", *row[1:]] for i, row in enumerate(PLAIN[1:], 1))], tested=3),
    Case("class report", report_grid()),
    Case("class report of four", report_grid(3, 4)),
    Case("class report, support with share", changed(report_grid(), 2, 4, f"{report_grid()[2][4]} (52%)")),
    Case("class report, support in words", changed(report_grid(), 2, 4, "see text")),
    Case("class report, recall unread", changed(report_grid(1, 3), 2, 2, "see text")),
    Case("class report, a class left out", [row for i, row in enumerate(report_grid(2, 4)) if i != 2]),
    Case("class report, floats", [[f"{cell}.0000" if i and j == 4 else cell for j, cell in enumerate(row)]
                                  for i, row in enumerate(report_grid(4, 3))]),
    Case("class report, total row", below(report_grid(5, 3), ["Total", "0.99", "0.99", "0.99", "183"])),
    Case("class report, overall accuracy", [[("Overall Accuracy" if cell == "accuracy" else cell) for cell in row]
                                            for row in report_grid(6, 3)]),
    Case("old class report", [row if row[0] != "weighted avg" else ["avg / total", *row[1:]]
                              for row in report_grid(7, 3) if row[0] not in ("accuracy", "macro avg")]),
    Case("folds", fold_table(), FOLDS_UNKNOWN),
    Case("folds from nought", fold_table(numbered_from=0), FOLDS_UNKNOWN),
    Case("folds, one unread", fold_table(unread=3), FOLDS_UNKNOWN),
    Case("folds, the last unread", fold_table(unread=5), FOLDS_UNKNOWN),
    Case("folds, some shown", [row for i, row in enumerate(fold_table(10)) if i not in (4, 5, 6)],
         {**UNKNOWN, "experiments": {"t": {"dataset": "d", "folds": 10}}}),
    Case("data sets of unknown classes", two_sets(), UNKNOWN, tested=2),
    Case("methods of unknown classes", table("sens", "spec", "ppv", "npv"), UNKNOWN, tested=3),
    Case("counts as text", [["Method", "N", "Pos", "Acc"], ["A", "n=26", "10 (38%)", "0.885"], ["B", "1,143", "43.0", "0.912"],
                            ["C", "72.0000", "36", "0.889"]], {}, tested=3),
    Case("row totals", [["Method", "N", "Acc"], ["A", "26", "0.885"], ["B", "72.0", "0.889"]], UNKNOWN, tested=2),
    Case("means of runs", [["Method", "Acc", "F1"], ["A", "0.9113 ± 0.0041", "0.8551 ± 0.0102"],
                           ["B", "0.9267 ± 0.0037", "0.8764 ± 0.0099"]]),
    Case("mean columns", [["Method", "Mean Acc", "Mean F1"], ["A", "0.9113", "0.8551"], ["B", "0.9267", "0.8764"]]),
    Case("digits of a PDF", changed(changed(PLAIN, 1, 1, "^88.0%"), 2, 1, "0_.9_1_5"), tested=3),
    Case("page head", below(PLAIN, ["Journal of Things 12", "", "", "", "1143"]), tested=3),
    Case("arrows after values", changed(PLAIN, 3, 1, f"{PLAIN[3][1]} ↑0.025"), tested=3),
    Case("changes in brackets", changed(PLAIN, 3, 1, f"{PLAIN[3][1]} (+0.025)"), tested=3),
    Case("a score twice", beside(PLAIN, "Accuracy", ["0.881", "0.882", "0.883"]), tested=3),
    Case("padded zeros", [[f"{cell}000" if i and j else cell for j, cell in enumerate(row)]
                          for i, row in enumerate(PLAIN)], tested=3),
    Case("percent signs", [[f"{100 * float(cell):.1f}%" if i and j else cell for j, cell in enumerate(row)]
                           for i, row in enumerate(PLAIN)], tested=3),
    Case("missing cells", changed(changed(PLAIN, 1, 2, "n/a"), 2, 3, "–"), tested=3),
]  # fmt: skip


def audited(file: Path, case: Case) -> AuditResult:
    given = {"file": str(file), **({"experiment": "t"} if case.spec else {})}
    if "caption" in case.more:
        given = {"grid": case.grid, "experiment": "t", **case.more}
    return audit({"tables": [given], **case.spec}, explain=False, strength=False, jobs=1, budget=10.0)


@pytest.mark.parametrize("case", HONEST, ids=lambda case: case.name)
def test_an_honest_table_is_not_flagged(case: Case, tmp_path: Path) -> None:
    for kind in FORMATS:
        result = audited(write(case.grid, kind, tmp_path), case)
        wrong = [row.to_dict() for row in result.rows() if row.outcome is Outcome.INCONSISTENT]
        assert not wrong, kind
        broken = [check.words for table in result.tables for check in table.checks if check.verdict != "consistent"]
        assert not broken, kind
        tested = [row for row in result.rows() if row.readings]
        assert len(tested) >= case.tested, (kind, [row.notes for row in result.rows()])
        assert result.verdict == (
            "consistent" if tested or any(table.checks for table in result.tables) else "not tested"
        ), kind


def test_there_are_enough_honest_tables() -> None:
    assert len({case.name for case in HONEST}) >= 60


def test_honest_tables_printed_to_pdf(tmp_path: Path) -> None:
    """All tables in one paper, printed by a browser; a PDF gives no more than the places of glyphs."""
    style = "<style>table{border-collapse:collapse;margin:12px}td,th{border:1px solid;padding:3px 12px}</style>"
    cases = [case for case in HONEST if "caption" not in case.more]
    page = f"<html><meta charset=utf-8>{style}<body>{'<p>Some words.</p>'.join(html_table(c.grid) for c in cases)}"
    tables = read_tables(print_pdf(page, tmp_path))
    assert len(tables) >= len(cases) - 3
    for one in tables:
        case = min(cases, key=lambda c, one=one: _distance(c.grid, one.rows))  # type: ignore[misc]
        grid = [list(row) for row in one.rows]
        given = {"grid": grid, "header_rows": str(max(one.header_rows, 1)), "experiment": "t"}
        spec = case.spec or KNOWN
        if not interpret(one).score_columns:
            continue
        result = audit({"tables": [given], **spec}, explain=False, strength=False, jobs=1, budget=10.0)
        assert result.verdict in ("consistent", "not tested"), (case.name, grid, str(result))


def _distance(grid: Grid, rows: tuple[tuple[str, ...], ...]) -> int:
    cells = {text for row in rows for text in row}
    own = {text for row in grid for text in row}
    return len(cells ^ own)


SLIPS = [
    Case("a digit", changed(PLAIN, 2, 1, "0.951"), tested=1),
    Case("a digit beside a delta row", below(changed(PLAIN, 2, 1, "0.951"), ["Δ", "+0.1", "+0.1", "+0.1", "+0.1"])),
    Case("columns exchanged", [[row[0], row[2], row[1], *row[3:]] if i else row for i, row in enumerate(PLAIN)]),
    Case("top-1", changed(table("acc", "sens", "spec", heads=["Top-1 Acc", "Recall/Sens", "TNR"]), 1, 1, "0.961")),
    Case("the mean of folds", fold_table(wrong=True), FOLDS_UNKNOWN),
    Case("the total", [["Method", "N", "Accuracy", "Recall"], ["A", "37", "0.912", "0.5"]], UNKNOWN),
    Case("the total as text", [["Method", "N", "Accuracy"], ["A", "n=37", "0.912"], ["B", "37.0", "0.857"]], UNKNOWN),
    Case("two prevalences", [["Model", *two_sets()[0][1:]], *two_sets()[1:]], UNKNOWN),
    Case("accuracy of a report", changed(report_grid(1, 3), 4, 3, "0.99")),
    Case("macro average of a report", changed(report_grid(1, 3), 5, 1, "0.10")),
    Case("macro average with supports as text", changed(changed(report_grid(1, 3), 5, 1, "0.10"), 1, 4,
                                                        f"{report_grid(1, 3)[1][4]}.0000")),
    Case("weighted average before 0.20", [row if row[0] != "weighted avg" else ["avg / total", "0.10", *row[2:]]
                                          for row in report_grid(7, 3) if row[0] not in ("accuracy", "macro avg")]),
    Case("recall of a class of seven", [["", "precision", "recall", "f1-score", "support"],
                                        ["a", "0.50", "0.912", "0.65", "7"], ["b", "0.50", "0.500", "0.50", "10"]]),
    Case("both sides", changed(from_both_sides(), 1, 2, "0.925")),
]  # fmt: skip


@pytest.mark.parametrize("case", SLIPS, ids=lambda case: case.name)
def test_a_slip_is_found(case: Case, tmp_path: Path) -> None:
    for kind in FORMATS:
        result = audited(write(case.grid, kind, tmp_path), case)
        assert result.verdict == "inconsistent", (kind, [(row.label, row.outcome, row.notes) for row in result.rows()])
        assert "inconsistent" in str(result)
        proofs = [reading.certificate for row in result.rows() for reading in row.readings if reading.certificate]
        checks = [check for check in result.tables[0].checks if check.verdict != "consistent"]
        proofs += [check.certificate for check in checks if check.certificate is not None]
        assert proofs or any(check.kind == "average" for check in checks)
        assert all(sp.verify(dict(proof)) for proof in proofs)


def test_the_rest_of_a_wrapped_value_is_no_value() -> None:
    """A narrow column of a PDF breaks "0.9612 ± 0.0135" after the ±; what stands below is a deviation, not a score."""
    rows = (
        ("Method", "Acc", "Precision", "NPV"),
        ("ResNet", "0.9612 ±", "0.3443 ±", "1.0 ± 0.0"),
        ("ResNet", "", "", "1.0 ± 0.0"),
        ("ResNet", "0.0135", "0.0928", "1.0 ± 0.0"),
        ("Logistic", "0.7156 +/-", "0.0677 \\pm", "0.9944 ±"),
        ("regression", "0.1433", "0.0457", "0.0072"),
        ("SVM", "0.8000", "0.5000", "0.9000"),
    )
    found = sp.interpret(Table(rows))
    assert [row.scores for row in found.reports if "acc" in row.scores] == [
        {"acc": "0.8000", "ppv": "0.5000", "npv": "0.9000"}
    ]
    rests = [cell.raw for cell in found.unread if "the rest of the value above" in cell.why]
    assert rests == ["0.0135", "0.0928", "0.1433", "0.0457", "0.0072"]
