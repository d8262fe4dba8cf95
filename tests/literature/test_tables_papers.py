"""Tables of the literature, read and checked.

Rainio, Teuho & Klén 2024, Evaluation metrics and statistical tests for machine learning, Scientific Reports 14:6086
(doi:10.1038/s41598-024-56706-x): in their Table 4 three columns of the second row are shifted.
"""

from __future__ import annotations

import pytest

import scoreproof as sp
from scoreproof.documents import read_tables
from scoreproof.papers.table_semantics import RowKind, interpret

TABLE_4 = """CNN\\Metric\tAcc.\tSen.\tSpe.\tPre.\tYouden\tF1\tκ\tMCC\tAUC
U-Net\t0.757\t0.870\t0.643\t0.709\t0.513\t0.781\t0.513\t0.527\t0.845
InceptionV3\t0.732\t0.753\t0.710\t0.722\t0.463\t0.463\t0.464\t0.737\t0.821
"""
TABLE_5 = """\t\t\t\tPre.\t\t\tF1\t\t\t
CNN\\Metric\tAcc.\tSen.\tSpe.\tMac.\tMic.\tYouden\tMac.\tMic.\tκ\tMCC
U-Net\t0.857\t0.714\t0.905\t0.760\t0.714\t0.619\t0.693\t0.714\t0.619\t0.641
InceptionV3\t0.801\t0.602\t0.867\t0.589\t0.602\t0.469\t0.591\t0.602\t0.469\t0.473
"""


def test_a_table_with_shifted_columns() -> None:
    found = interpret(read_tables(TABLE_4)[0])
    assert [column.heading.score for column in found.score_columns] == [
        "acc",
        "sens",
        "spec",
        "ppv",
        "bm",
        "f1",
        "kappa",
        "mcc",
        "auc",
    ]
    assert found.untested == ()
    unet, inception = (report.scores for report in found.reports)
    tests = sp.TestSet(300, 300)
    assert sp.check(tests, unet).verdict == "consistent"
    assert sp.check(tests, inception).verdict == "inconsistent"
    mended = inception | {"f1": inception["mcc"], "kappa": inception["f1"], "mcc": inception["kappa"]}
    assert sp.check(tests, mended).verdict == "consistent"


def test_two_header_levels_with_blanks_of_a_spreadsheet() -> None:
    table = read_tables(TABLE_5)[0]
    assert table.header_rows == 2
    found = interpret(table)
    report = found.reports[0]
    assert [(one.score, one.qualifier, one.text) for one in report.qualified] == [
        ("ppv", "macro", "0.760"), ("ppv", "micro", "0.714"), ("f1", "macro", "0.693"), ("f1", "micro", "0.714"),
    ]  # fmt: skip
    assert set(report.scores) == {"acc", "sens", "spec", "bm", "kappa", "mcc"}


FOLDS = """Fold,TP,FP,FN,TN,Accuracy,Recall
Fold 1,68,8,12,112,0.900,0.850
Fold 2,69,7,11,113,0.910,0.8625
Fold 3,67,10,13,110,0.885,0.8375
Average,,,,,0.898 ± 0.013,0.850
SD,,,,,0.013,0.0125
"""


def test_folds_and_their_average() -> None:
    found = interpret(read_tables(FOLDS)[0])
    (block,) = found.folds
    assert (block.k, block.complete) == (3, True)
    assert block.mean is not None
    assert block.spread is not None
    for fold in block.folds:
        test_set = fold.counts.test_set()
        matrix = fold.counts.matrix()
        assert test_set == sp.TestSet(80, 120)
        assert matrix is not None
        assert sp.check(test_set, fold.scores, rounding="nearest").verdict == "consistent"
        assert matrix.score("sens", digits=4) is not None
    assert all(block.check_averages(rounding="nearest")), [str(one) for one in block.check_averages()]


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [("0.898 ±", "0.908 ±", "mean acc"), ("0.898 ± 0.013", "0.898 ± 0.023", "acc, standard deviation")],
)
def test_an_average_that_is_not_one(old: str, new: str, what: str) -> None:
    (block,) = interpret(read_tables(FOLDS.replace(old, new))[0]).folds
    assert [one.what for one in block.check_averages(rounding="nearest") if not one] == [what]


def test_methods_with_folds_each() -> None:
    text = "Method,Fold,Acc\nA,1,0.90\n,2,0.80\n,Mean,0.85\nB,1,0.70\n,2,0.60\n,Mean,0.75\n"
    found = interpret(read_tables(text)[0])
    assert [(block.label, block.k) for block in found.folds] == [("A", 2), ("B", 2)]
    assert [all(block.check_averages(rounding="nearest")) for block in found.folds] == [True, False]
    assert [row.kind for row in found.rows][:3] == [RowKind.FOLD, RowKind.FOLD, RowKind.MEAN]


def test_scores_down_the_side() -> None:
    text = "Metric,U-Net,SegNet\nAccuracy (%),95.40,94.9\nMCC,0.81,0.80\nAUC,0.97,0.96\nN,200,200\npos,80,80\n"
    found = interpret(read_tables(text)[0])
    assert found.transposed
    assert [report.label for report in found.reports] == ["U-Net", "SegNet"]
    assert found.reports[0].scores == {"acc": "95.40%", "mcc": "0.81", "auc": "0.97"}
    assert found.reports[0].values[0].place == (1, 1)
    assert found.reports[1].counts.test_set() == sp.TestSet(80, 120)
    assert found.untested == ()


@pytest.mark.parametrize(
    ("text", "scores"),
    [
        ("M;Acc;F1\nA;0,91;0,873\nB;0,85 ± 0,02;87,1%\n", {"acc": "0.85 ± 0.02", "f1": "87.1%"}),
        ("M,Acc,Acc std\nA,95.1,1.2\nB,94.1,0.9\n", {"acc": "94.1 ± 0.9%"}),
        ("M\tP\tR\tF1\nA\t0.90\t0.80\t0.847\nB\t0.91\t0.81\t0.857\n", {"ppv": "0.91", "sens": "0.81", "f1": "0.857"}),
        ("M\tP\tN\tF1\nA\t90\t80\t0.847\nB\t90\t80\t0.857\n", {"f1": "0.857"}),
        ("M,Sensitivity,LR+\nA,95,12.5\nB,94.0,8.0\n", {"sens": "94.0%", "lrp": "8.0"}),
    ],
)
def test_units_commas_and_letters(text: str, scores: dict[str, str]) -> None:
    found = interpret(read_tables(text)[0])
    assert found.reports[-1].scores == scores
    assert found.assumptions


def test_a_fraction_among_percentages_is_not_guessed() -> None:
    found = interpret(read_tables("M,Acc\nA,95.1\nB,94.0\nC,0.93\n")[0])
    assert [(cell.row, cell.raw) for cell in found.unread] == [(3, "0.93")]
    assert "percent, fraction" in found.unread[0].why
    assert [report.scores for report in found.reports] == [{"acc": "95.1%"}, {"acc": "94.0%"}]
    told = interpret(read_tables("M,Acc\nA,95.1\nB,0.93\n")[0], percent=True)
    assert told.reports[1].scores == {"acc": "0.93%"}


def test_counts_in_cells_and_brackets() -> None:
    text = "Method | Sens | Spec | FN | FP\n---|---|---|---|---\nA | 84.0% (510/607) | 84.2% (1068/1268) | 97 | 200\n"
    report = interpret(read_tables(text)[0]).reports[0]
    assert report.counts.matrix() == sp.ConfusionMatrix(tp=510, fp=200, fn=97, tn=1068)
    assert report.counts.test_set() == sp.TestSet(607, 1268)
    wrong = text.replace("(510/607)", "(511/607)")
    assert "tp" in interpret(read_tables(wrong)[0]).reports[0].counts.completed().conflict


def test_columns_as_told() -> None:
    table = read_tables("Method,PR,Foo\nA,0.90,12\n")[0]
    assert not interpret(table).reports
    told = interpret(table, columns={"PR": "precision", 2: "total"})
    assert told.reports[0].scores == {"ppv": "0.90"}
    assert told.reports[0].counts.total == 12
    with pytest.raises(sp.ScoreproofError, match="no column is headed 'XY'"):
        interpret(table, columns={"XY": "acc"})
    with pytest.raises(sp.ScoreproofError, match="did you mean precision"):
        interpret(table, columns={"PR": "precisoin"})


def test_a_binary_report_is_one_matrix_from_both_sides() -> None:
    text = """
              precision    recall  f1-score   support

      benign       0.92      0.84      0.88      1268
   malignant       0.72      0.84      0.77       607

    accuracy                           0.84      1875
   macro avg       0.82      0.84      0.83      1875
weighted avg       0.85      0.84      0.84      1875
"""
    for printed, verdict in ((text, "consistent"), (text.replace("0.92", "0.95"), "inconsistent")):
        report = interpret(read_tables(printed)[0]).class_report
        assert report is not None
        problem = report.coupled()
        assert problem is not None
        assert sp.ask(problem).verdict == verdict
