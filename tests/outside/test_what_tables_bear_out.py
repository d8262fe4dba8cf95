"""A reading is a hypothesis and the table is the evidence: what was misread in real papers, as made tables."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.outside.test_paper_audit import paper
from typer.testing import CliRunner

from scoreproof.cli.app import app
from scoreproof.papers.auditing import audit
from scoreproof.papers.result import AuditResult

PRF = "Precision | Recall | F1"
#: one matrix each: F1 is the harmonic mean to the last digit
EXACT = tuple(
    f"| M{i} | {p:.3f} | {r:.3f} | {2 * p * r / (p + r):.3f} |"
    for i, (p, r) in enumerate(((0.9, 0.8), (0.7, 0.8), (0.95, 0.75), (0.66, 0.91), (0.812, 0.777)))
)


def audited(folder: Path, *rows: str, head: str = PRF, said: str = "We used images.") -> AuditResult:
    return audit(paper(folder, *rows, head=head, said=said), explain=False, strength=False, jobs=1)


def outcomes(result: AuditResult) -> list[str]:
    return [str(row.outcome) for row in result.rows()]


def status(folder: Path) -> int:
    return CliRunner().invoke(app, ["audit", str(folder / "paper.md"), "--no-explain"]).exit_code


def test_an_error_among_rows_that_pass_is_inconsistent(tmp_path: Path) -> None:
    result = audited(tmp_path, "| A | 0.900 | 0.900 | 0.500 |", *EXACT)
    assert outcomes(result) == ["inconsistent", *["consistent"] * len(EXACT)]
    assert status(tmp_path) == 1


@pytest.mark.parametrize(
    ("rows", "head", "expected"),
    [
        # counts of wins, read as scores: what fails is not sporadic
        (tuple(f"| {x} | 0.{x}00 | 0.{x}50 | 0.990 |" for x in (5, 6, 7, 8)) + EXACT[:3], PRF, "not tested"),
        # a column in percent whose values are all below 2
        (
            tuple(
                f"| {tp} | {tp} | 1 | 21 | {71 - tp} | {100 * tp / (tp + 1):.2f} | {100 / (tp + 1):.2f} |"
                for tp in (60, 62, 65, 70)
            ),
            "TP | FP | TN | FN | Precision | FDR",
            "consistent",
        ),
        # the interquartile range of the others under a name that nobody knows; the median stands before it
        (
            (
                "| a | 0.900 | 0.800 | 0.847 |",
                "| b | 0.700 | 0.800 | 0.747 |",
                "| c | 0.950 | 0.750 | 0.838 |",
                "| d | 0.600 | 0.600 | 0.600 |",
                "| e | 0.500 | 0.900 | 0.643 |",
                "| median | 0.700 | 0.800 | 0.747 |",
                "| sqr | 0.300 | 0.050 | 0.195 |",
            ),
            PRF,
            "not tested",
        ),
        # deviations under each line of means
        (
            tuple(
                line for i, row in enumerate(EXACT) for line in (row, f"| | 0.0{i + 1}2 | 0.02{i + 2} | 0.0{9 - i}1 |")
            ),
            PRF,
            "not tested",
        ),
        # macro averages that nobody calls so: no matrix gives them, averages do
        (
            (
                "| A | 0.912 | 0.905 | 0.871 | 0.882 |",
                "| B | 0.893 | 0.884 | 0.842 | 0.858 |",
                "| C | 0.931 | 0.928 | 0.902 | 0.911 |",
            ),
            "Accuracy | Precision | Recall | F1",
            "consistent",
        ),
        # averages weighted by the sizes of the classes: recall is accuracy
        (
            ("| A | 0.795 | 0.800 | 0.795 | 0.793 |", "| B | 0.812 | 0.815 | 0.812 | 0.811 |"),
            "Accuracy | Precision | Recall | F1",
            "consistent",
        ),
        # one number above 100 in a column of scores: a count, in a matrix of categories that are named F, P and R
        (
            ("| amod | 27 | 2 | 44 |", "| case | 123 | 11 | 29 |", "| obj | 11 | 52 | 23 |", "| obl | 8 | 20 | 2 |"),
            "F | P | R",
            "not tested",
        ),
        # score names on both axes: how well one score is predicted from another
        (
            (
                "| Kappa | 0.213 | 0.178 | 0.440 |",
                "| MSE | 0.031 | 0.012 | 0.020 |",
                "| Accuracy | 0.654 | 0.5 | 0.6 |",
            ),
            PRF,
            "",
        ),
        # deviations as rows under a name with an underscore, as programs write them
        (
            (*(f"{row}" for row in EXACT[:4]), "| test_std | 0.041 | 0.012 | 0.093 |"),
            PRF,
            "consistent",
        ),
        # p-values in columns named like scores
        (
            ("| A vs B | 0.041 | 0.650 | 0.820 |", "| A vs C | 0.003 | 0.910 | 0.210 |"),
            "p-value Precision | p-value Recall | p-value F1",
            "",
        ),
        # folds of a segmentation: means over images, so that no matrix gives Dice and Jaccard
        (
            tuple(
                f"| Fold {i} | {d:.3f} | {j:.3f} |" for i, (d, j) in enumerate(((0.9, 0.83), (0.88, 0.8), (0.91, 0.84)))
            ),
            "Dice | IoU",
            "consistent",
        ),
        # a stray % behind fractions
        (("| A | 0.90% | 0.80% | 0.85% |", "| B | 0.70% | 0.80% | 0.75% |"), PRF, "consistent"),
        # balanced accuracy of several classes beside the accuracy
        (
            ("| A | 0.337 | 0.917 |", "| B | 0.288 | 0.909 |", "| C | 0.457 | 0.941 |"),
            "Balanced accuracy | Accuracy",
            "not tested",
        ),
        # averages over the labels of each case
        (
            ("| A | 0.712 | 0.655 | 0.661 |", "| B | 0.803 | 0.744 | 0.751 |"),
            "Precision | Recall | F1 (instance-wise average)",
            "",
        ),
        # a cited row in whole numbers that was padded with zeros
        ((*EXACT, "| [12] | 0.690 | 0.720 | 0.700 |"), PRF, "consistent"),
        # two tables side by side: the second has headings of its own, which are the same
        (
            ("| A | 0.90 | 0.80 | B | 0.70 | 0.60 |", "| C | 0.80 | 0.81 | D | 0.55 | 0.71 |"),
            "Precision | Recall | Method | Precision | F1",
            "",
        ),
        # names of scores inside the cells
        (("| A | Acc. 0.809 | F1 0.702 |", "| B | Acc. 0.777 | F1 0.655 |"), "Metric 1 | Metric 2", ""),
        # what a search over settings prints: splits, their mean, their deviation and a rank
        (
            ("| 3 | 0.944 | 0.921 | 0.9325 | 0.0115 | 1 |", "| 5 | 0.836 | 0.902 | 0.8690 | 0.0330 | 2 |"),
            "split0_test_accuracy | split1_test_accuracy | mean_test_accuracy | std_test_accuracy | rank_test_accuracy",
            "",
        ),
        # totals and right answers beside a share that was rounded down
        (("| A | 237 | 147 | 62 |", "| B | 237 | 201 | 85 |"), "Total | Correct | Accuracy (%)", ""),
        # means of runs, their spread in brackets
        (
            ("| A | 0.81 (0.02) | 0.77 (0.05) | 0.78 (0.03) |", "| B | 0.70 (0.02) | 0.69 (0.05) | 0.69 (0.03) |"),
            PRF,
            "consistent",
        ),
    ],
)
def test_misreadings_accuse_nobody(tmp_path: Path, rows: tuple[str, ...], head: str, expected: str) -> None:
    result = audited(tmp_path, *rows, head=head)
    assert not expected or expected in outcomes(result)
    assert not {"inconsistent", "question"} & set(outcomes(result))
    assert not any(check.verdict == "inconsistent" for table in result.tables for check in table.checks)
    assert not any(table.questions for table in result.tables)
    assert status(tmp_path) in (0, 5)


def test_a_macro_row_under_the_name_of_its_split_is_an_average(tmp_path: Path) -> None:
    """The F1 of one class is that of another; the averages over the classes are right and not to blame."""
    rows = [
        *("| Valid 0 | 0.981 | 0.954 | 0.967 | 5210 |", "| Valid 1 | 0.452 | 0.611 | 0.967 | 342 |"),
        *("| Valid 2 | 0.117 | 0.250 | 0.159 | 12 |", "| Valid macro avg | 0.517 | 0.605015 | 0.548770 | 5564 |"),
    ]
    result = audited(tmp_path, *rows, head="Precision | Recall | F1 | Support")
    doubted = {row.label for row in result.rows() if str(row.outcome) in ("question", "inconsistent")}
    assert doubted == {"Valid 1"}


def test_f_beside_t_counts_what_is_false(tmp_path: Path) -> None:
    counts = ((9, 0, 31, 1), (7, 3, 28, 3), (8, 1, 30, 2), (9, 2, 29, 1))
    rows = [
        f"| L{k} | {tp} | {fp} | {tn} | {fn} | {tp + fn} | {tn + fp} | {tp + tn} | {fp + fn} |"
        for k, (tp, fp, tn, fn) in enumerate(counts)
    ]
    result = audited(tmp_path, *rows, head="TP | FP | TN | FN | P | N | T | F")
    assert not [question for table in result.tables for question in table.questions]


def test_a_small_miss_in_every_row_is_one_question(tmp_path: Path) -> None:
    """Accuracy outside of both rates, in all rows: one cause, one question."""
    rows = ("| A | 97.19 | 2.49 | 2.50 |", "| B | 97.03 | 2.90 | 2.92 |", "| C | 96.98 | 1.94 | 2.09 |")
    result = audited(tmp_path, *rows, head="Accuracy (%) | FPR (%) | FNR (%)")
    assert outcomes(result) == ["question"] * 3
    ((question,),) = [table.questions for table in result.tables]
    assert question.rows == (1, 2, 3)
    assert "impossible if the scores are of one test set" in str(question)
    assert status(tmp_path) == 3
    shown = CliRunner().invoke(app, ["audit", str(tmp_path / "paper.md"), "--no-explain"]).stdout
    assert shown.count("question  Table 1, A, B and C") == 1


def test_a_size_that_the_rows_contradict_is_not_used(tmp_path: Path) -> None:
    """Pixel scores against a number of images: no row fits it, and nobody is asked."""
    rows = [f"| M{i} | 0.{900 + 7 * i} | 0.{801 + 13 * i} | 0.{953 - 3 * i} |" for i in range(6)]
    result = audited(
        tmp_path, *rows, head="Acc | Sens | Spec", said="The test set has 50 images, of which 20 are melanomas."
    )
    assert not {"inconsistent", "question"} & set(outcomes(result))
    assert any("not used: the test set is the" in note for row in result.rows() for note in row.notes)


def test_a_size_that_many_rows_contradict_is_of_something_else(tmp_path: Path) -> None:
    fitting = [f"| M{k} | {hits / 150:.3f} |" for k, hits in enumerate((141, 131, 127, 119, 113))]
    others = ["| A | 0.945 |", "| B | 0.895 |", "| C | 0.862 |", "| D | 0.804 |"]
    said = "We test on 150 images."
    assert not [q for t in audited(tmp_path, *fitting, *others, head="Accuracy", said=said).tables for q in t.questions]


def test_a_size_that_the_other_rows_bear_out_makes_a_question(tmp_path: Path) -> None:
    said = "The test set has 1,143 images, of which 300 are melanomas."
    cells = ((240, 789), (251, 800))
    good = [f"| M{tp} | {(tp + tn) / 1143:.4f} | {tp / 300:.4f} | {tn / 843:.4f} |" for tp, tn in cells]
    result = audited(tmp_path, *good, "| B | 0.9123 | 0.8000 | 0.9359 |", head="Acc | Sens | Spec", said=said)
    assert outcomes(result) == ["consistent", "consistent", "question"]
    ((question,),) = [table.questions for table in result.tables]
    assert question.passing == 2
    assert "if the test set is the 300 melanomas and 843" in str(question)


@pytest.mark.parametrize(
    ("head", "rows"),
    [
        ("MAE | RMSE", ("13.95 | 12.10",)),
        ("RMSE | MAE | R2", ("18.64 | 14.43 | 0.889", "12.10 | 13.95 | 0.921")),
        (PRF, ("0.900 | 0.900 | 0.500",)),
        ("Dice | IoU", ("0.700 | 0.820",)),
    ],
)
def test_plain_headings_are_enough_for_a_question(tmp_path: Path, head: str, rows: tuple[str, ...]) -> None:
    """No neighbours vouch for one or two rows, but impossible under any sizes and any average is worth asking about."""
    result = audited(tmp_path, *(f"| M{i} | {row} |" for i, row in enumerate(rows)), head=head)
    assert outcomes(result)[-1] == "question"
    ((question,),) = [table.questions for table in result.tables]
    assert question.means
    (finding,) = result.findings
    assert finding.details[0] == ("What would settle it", (question.clears,))
    assert "ppv" not in finding.question


@pytest.mark.parametrize(
    ("head", "caption"), [("P | R | F", "Results"), (PRF, "Number of wins"), (PRF, "Results of the significance tests")]
)
def test_letters_and_captions_of_something_else_are_not_enough(tmp_path: Path, head: str, caption: str) -> None:
    file = paper(tmp_path, "| A | 0.900 | 0.900 | 0.500 |", head=head, said="We used images.")
    file.write_text(file.read_text(encoding="utf-8").replace("Results", caption), encoding="utf-8")
    assert outcomes(audit(file, explain=False, strength=False, jobs=1)) == ["not tested"]


def test_tables_with_the_same_headings_vouch_for_each_other(tmp_path: Path) -> None:
    """One row alone is a question; beside a table of the same headings whose rows pass it is a finding."""
    lone = "| A | 0.900 | 0.900 | 0.500 |"
    line = "|---" * 4 + "|"
    tables = [f"| Method | {PRF} |\n{line}\n" + "\n".join(rows) for rows in (EXACT, (lone,))]
    path = tmp_path / "paper.md"
    path.write_text("# Paper\n\nWe used images.\n\n" + "\n\nSome words.\n\n".join(tables) + "\n", encoding="utf-8")
    result = audit(path, explain=False, strength=False, jobs=1)
    assert outcomes(result) == [*["consistent"] * len(EXACT), "inconsistent"]


@pytest.mark.parametrize(
    ("head", "said", "good", "odd", "condition"),
    [
        (
            "RMSE | MAE | R2",
            "Prices of 102 houses were predicted.",
            ("18.64 | 14.43 | 0.889", "17.20 | 13.08 | 0.905"),
            "12.10 | 13.95 | 0.921",  # no mean error is above its root mean square
            "are what their headings say",
        ),
        (
            "Accuracy",
            "Fruit of seven kinds was photographed. The model was trained on 2,000 images and tested on 400 images.",
            ("0.8475", "0.8550", "0.8325", "0.8625"),
            "0.8587",
            "400 images",
        ),
    ],
)
def test_an_odd_row_of_any_kind_is_a_question_once_others_fit(
    tmp_path: Path, head: str, said: str, good: tuple[str, ...], odd: str, condition: str
) -> None:
    few, many = ([f"| M{i} | {row} |" for i, row in enumerate((*rows, odd))] for rows in (good[:1], good))
    if condition != "are what their headings say":  # sizes that were guessed need rows that bear them out
        assert "question" not in outcomes(audited(tmp_path, *few, head=head, said=said))
    result = audited(tmp_path, *many, head=head, said=said)
    assert outcomes(result) == [*["consistent"] * len(good), "question"]
    assert [condition in question.condition for table in result.tables for question in table.questions] == [True]


@pytest.mark.parametrize(
    ("head", "good", "odd"),
    [
        ("Hits@1 | Hits@10 | MRR", ("0.312 | 0.701 | 0.44", "0.287 | 0.655 | 0.41"), "0.402 | 0.655 | 0.35"),
        ("MRR | TOP-1", ("0.637 | 0.493 ± 0.009", "0.675 ± 0.006 | 0.539"), "0.512 | 0.604"),
        ("mAP@0.5 | mAP@0.5:0.95", ("78.0 | 52.0", "71.4 | 44.9"), "63.5 | 70.2"),
        (
            "Precision (ill) | Recall (ill) | F1 (ill)",
            ("0.62 | 0.65 | 0.63", "0.81 | 0.70 | 0.75"),
            "0.62 | 0.65 | 0.83",
        ),
        ("LP | LR | LF", ("72.4 | 71.7 | 72.0", "60.3 | 38.5 | 47.0"), "60.3 | 38.5 | 74.0"),
        ("Rec MAE | Rec RMSE", ("5.37 | 10.51", "4.10 | 9.00"), "12.0 | 9.1"),
    ],
)
def test_rows_that_need_no_sizes_are_tested(tmp_path: Path, head: str, good: tuple[str, ...], odd: str) -> None:
    """What every number of cases, and every mean over runs, has in common."""
    result = audited(tmp_path, *(f"| M{i} | {row} |" for i, row in enumerate((*good, odd))), head=head)
    assert outcomes(result) == [*["consistent"] * len(good), "question"]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        # one matrix each: F1 is the harmonic mean
        (("0.91 | 0.80 | 0.85", "0.62 | 0.80 | 0.70"), ["consistent"] * 2),
        # as means over folds: near the harmonic mean
        (("0.912 | 0.801 | 0.849", "0.622 | 0.801 | 0.692", "0.755 | 0.690 | 0.715"), ["consistent"] * 3),
        # no class has these, and runs that are alike do not explain them
        (("0.91 | 0.80 | 0.85", "0.62 | 0.80 | 0.70", "0.91 | 1.00 | 0.91"), ["consistent", "consistent", "question"]),
    ],
)
def test_classes_without_supports(tmp_path: Path, rows: tuple[str, ...], expected: list[str]) -> None:
    table = [f"| {name} | {row} |" for name, row in zip(("normal", "benign", "malignant"), rows, strict=False)]
    assert outcomes(audited(tmp_path, *table, head=PRF)) == expected
