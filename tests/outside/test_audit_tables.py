"""Tables as papers have them: counts in rows, folds, class reports, groups of columns, options per column."""

from __future__ import annotations

from typing import Any

import pytest

import scoreproof as sp
from scoreproof.papers.auditing import audit
from scoreproof.papers.result import AuditResult, Outcome
from scoreproof.papers.task import _ANYTHING_FITS


def run(table: dict[str, Any], **more: Any) -> AuditResult:
    return audit({"tables": [table], **more}, explain=False, strength=False, jobs=1)


CASES = {
    "datasets": {"cases": {"p": 300, "n": 300}},
    "experiments": {"test": {"dataset": "cases"}},
}


def test_counts_in_the_row_win() -> None:
    grid = [["Method", "pos", "neg", "Sens", "Spec"], ["A", "10", "20", "0.90", "0.95"], ["B", "", "", "0.90", "0.95"]]
    result = run({"grid": grid, "experiment": "test"}, **CASES)
    a, b = result.rows()
    assert a.readings[0].answer.problem.to_dict()["experiment"] == {"type": "testset", "p": 10, "n": 20}
    assert b.readings[0].answer.problem.to_dict()["experiment"] == {"type": "testset", "p": 300, "n": 300}
    assert a.notes == ("the row says p=10, n=20, the data set p=300, n=300; the row's were used",)


def test_a_matrix_in_the_row_is_compared_with_the_scores() -> None:
    cells = ["213", "87", "74", "226"]
    grid = [
        ["CNN", *("TN", "FP", "FN", "TP"), "Acc", "F1"],
        ["X", *cells, "0.732", "0.737"],
        ["Y", *cells, "0.732", "0.739"],
    ]
    result = run({"grid": grid})
    assert result.rows()[0].outcome is Outcome.CONSISTENT
    checks = result.tables[0].checks
    assert [(check.kind, str(check.verdict), check.rows) for check in checks] == [
        ("printed_matrix", "consistent", (1,)),
        ("printed_matrix", "inconsistent", (2,)),
        ("printed_matrix", "consistent", (2,)),
    ]
    assert "f1 is printed as 0.739, but the " in checks[1].words
    assert sp.verify(checks[1].certificate or {})
    assert result.verdict == "inconsistent"


def test_counts_that_contradict_each_other() -> None:
    grid = [["Method", "N", "pos", "neg", "Acc"], ["A", "100", "60", "50", "0.90"]]
    result = run({"grid": grid, "experiment": "test"}, **CASES)
    (one,) = result.tables[0].checks
    assert one.verdict == "inconsistent"
    assert "do not add up to total 100" in one.words
    assert sp.verify(one.certificate or {})
    assert "were not used" in result.rows()[0].notes[0]


def folds_table(average: str) -> list[list[str]]:
    return [
        ["Fold", "pos", "neg", "Acc"],
        ["Fold 1", "20", "30", "0.900"],
        ["Fold 2", "20", "30", "0.940"],
        ["Fold 3", "20", "30", "0.860"],
        ["Average", "", "", average],
    ]


@pytest.mark.parametrize(("average", "verdict"), [("0.90", "consistent"), ("0.93", "inconsistent")])
def test_fold_rows_and_their_average(average: str, verdict: str) -> None:
    result = run({"grid": folds_table(average)})
    assert [str(row.outcome) for row in result.rows()[:3]] == ["consistent"] * 3
    (one,) = result.tables[0].checks
    assert one.verdict == verdict
    assert verdict == "consistent" or sp.verify(one.certificate or {})
    mean = result.rows()[3]
    assert [one.answer.problem.to_dict()["experiment"]["type"] for one in mean.readings] == [
        "mean_of_scores",
        "score_of_means",
    ]


def test_folds_of_a_data_set_without_counts_in_the_table() -> None:
    grid = [row[:1] + row[3:] for row in folds_table("0.90")]
    more = {
        "datasets": {"cases": {"p": 61, "n": 89}},
        "experiments": {"cv": {"dataset": "cases", "folds": 3, "stratified": "true"}},
    }
    result = run({"grid": grid, "experiment": "cv"}, **more)
    first, mean = result.rows()[0], result.rows()[3]
    assert {one.label for one in first.readings} == {
        f"a stratified fold, p={p}, n={n}" for p in (20, 21) for n in (29, 30)
    }
    assert len(mean.readings) == 2
    unknown = run({"grid": grid, "experiment": "cv"}, **{
        **more, "experiments": {"cv": {"dataset": "cases", "folds": 3, "stratified": "false"}},
    })  # fmt: skip
    assert [one.label for one in unknown.rows()[0].readings] == ["a fold of 50 cases, classes unknown"]


def test_a_classification_report_is_checked_against_itself() -> None:
    text = """\
              precision    recall  f1-score   support

         no       0.90      0.95      0.93       100
        yes       0.89      0.80      0.84        50

    accuracy                           0.90       150
   macro avg       0.90      0.88      0.88       150
weighted avg       0.90      0.90      0.90       150
"""
    result = run({"text": text})
    assert {row.label: str(row.outcome) for row in result.rows()} == {"no": "consistent", "yes": "consistent"}
    checks = {check.what: str(check.verdict) for check in result.tables[0].checks}
    assert checks["both classes as one matrix"] == "consistent"
    assert set(checks.values()) == {"consistent"}
    wrong = run(
        {"text": text.replace("accuracy                           0.90", "accuracy                           0.96")}
    )
    found = {check.what: check for check in wrong.tables[0].checks}
    for what in ("accuracy", "both classes as one matrix"):
        assert found[what].verdict == "inconsistent"
        assert sp.verify(found[what].certificate or {})


def test_groups_of_columns_have_their_own_experiments() -> None:
    grid = [
        ["", "DRIVE", "DRIVE", "Ours", "Ours"],
        ["Method", "Acc", "Sens", "Acc", "Sens"],
        ["A", "0.95", "0.75", "0.95", "0.90"],
    ]
    more = {
        "datasets": {"drive": {"catalog": "drive"}, "own": {"p": 100, "n": 300}},
        "experiments": {"vessels": {"dataset": "drive"}, "own": {"dataset": "own"}},
    }
    result = run({"grid": grid, "header_rows": 2, "groups": {"DRIVE": "vessels", "Ours": "own"}}, **more)
    found = {row.group: len(row.readings) for row in result.rows()}
    assert found == {"DRIVE": 8, "Ours": 1}


def test_rows_by_label_number_and_left_out() -> None:
    grid = [["Method", "Acc"], ["A", "0.905"], ["B", "0.905"], ["C", "0.905"]]
    more = {
        "datasets": {"small": {"p": 5, "n": 5}, "large": {"p": 100, "n": 100}},
        "experiments": {"small": {"dataset": "small"}, "large": {"dataset": "large"}},
    }
    table = {"grid": grid, "experiment": "large", "rows": {"A": "small", "2": "untested"}}
    assert [str(row.outcome) for row in run(table, **more).rows()] == ["inconsistent", "not tested", "consistent"]
    both = run({"grid": grid, "experiment": ["small", "large"]}, **more).rows()[0]
    assert [(one.label, str(one.verdict)) for one in both.readings] == [
        ("small: one test set", "inconsistent"),
        ("large: one test set", "consistent"),
    ]


def test_options_of_paper_table_and_column() -> None:
    grid = [["Method", "Acc", "Sens"], ["A", "0.905", "0.667"]]
    more = {"datasets": {"cases": {"p": 3, "n": 197}}, "experiments": {"test": {"dataset": "cases"}}}

    def stated(**table: Any) -> list[dict[str, Any]]:
        result = run({"grid": grid, "experiment": "test", **table}, options={"rounding": "nearest"}, **more)
        return list(result.rows()[0].readings[0].answer.problem.to_dict()["scores"])

    assert [one["rounding"] for one in stated()] == ["nearest", "nearest"]
    assert [one["eps"] for one in stated(options={"eps": "0.001"})] == ["1/1000", "1/1000"]
    mixed = stated(columns={"Sens": {"score": "sens", "rounding": "floor"}})
    assert [one["rounding"] for one in mixed] == ["nearest", "floor"]
    assert stated(columns={"Sens": {"score": "sens", "eps": "0.01"}})[1]["eps"] == "1/100"


def test_spreads_and_brackets() -> None:
    grid = [["Method", "Acc"], ["A", "0.900 (0.050)"]]
    more = {
        "datasets": {"cases": {"p": 50, "n": 50}},
        "experiments": {"cv": {"dataset": "cases", "folds": 5, "stratified": "true"}},
    }
    plain = run({"grid": grid, "experiment": "cv"}, **more).rows()[0]
    assert [one.answer.problem.to_dict()["scores"][0]["text"] for one in plain.readings] == ["0.900", "0.900"]
    told = run({"grid": grid, "experiment": "cv", "options": {"brackets": "deviation"}}, **more).rows()[0]
    assert told.readings[0].answer.problem.to_dict()["scores"][0]["text"] == "0.900 ± 0.050"
    assert told.readings[0].answer.problem.to_dict()["spread"] == "deviation"
    assert "spread" not in told.readings[1].answer.problem.to_dict()  # one matrix has none
    assert told.outcome is Outcome.CONSISTENT


def test_class_counts_unknown() -> None:
    grid = [["Method", "Acc", "PPV", "Sens"], ["A", "0.85", "0.80", "0.75"], ["B", "0.89", "0.80", "0.60"]]
    more = {
        "datasets": {"cases": {"total": 100}},
        "experiments": {"test": {"dataset": "cases"}},
        "options": {"rounding": "nearest"},
    }
    a, b = run({"grid": grid, "experiment": "test"}, **more).rows()
    assert a.outcome is Outcome.INCONSISTENT
    assert sp.verify(dict(a.readings[0].certificate or {}))
    assert b.outcome is Outcome.CONSISTENT
    open_ = {**more, "datasets": {"cases": {"p": "unknown", "n": "unknown"}}}
    assert run({"grid": grid, "experiment": "test"}, **open_).rows()[1].outcome is Outcome.CONSISTENT


def test_either_class_may_be_the_positive_one() -> None:
    grid = [["Method", "Acc", "Sens", "Spec"], ["A", "0.8707", "0.9145", "0.6933"]]
    more = {
        "datasets": {"skin": {"classes": {"benign": "304", "malignant": "75"}, "positive": "unknown"}},
        "experiments": {"test": {"dataset": "skin"}},
    }
    (row,) = run({"grid": grid, "experiment": "test"}, **more).rows()
    assert row.fitting() == ("benign positive, one test set",)


def test_unknown_folds_and_repeats_are_tried_and_said() -> None:
    grid = [["Method", "Acc"], ["A", "0.913"]]
    more = {
        "datasets": {"cases": {"p": 40, "n": 60}},
        "experiments": {"cv": {"dataset": "cases", "folds": "unknown", "repeats": 1}},
    }
    result = audit({"tables": [{"grid": grid, "experiment": "cv"}], **more}, explain=False, strength=False, budget=1.0)
    assert len(result.rows()[0].readings) == 9 * 2 + 1
    assert any("2 to 10 were tried" in text for text in result.tables[0].assumptions)


def test_one_bad_row_does_not_stop_the_others() -> None:
    grid = [["Method", "Acc", "Sens"], ["A", "0.90", "0.90"], ["B", "1.95", "0.90"], ["C", "0.9033", "0.90?"]]
    result = run({"grid": grid, "experiment": "test", "percent": "false"}, **CASES)
    a, b, c = result.rows()
    assert (a.outcome, c.outcome) == (Outcome.CONSISTENT, Outcome.CONSISTENT)
    assert b.outcome in (Outcome.INCONSISTENT, Outcome.ERROR)
    assert [cell["raw"] for cell in result.tables[0].unread] == ["0.90?"]
    worse = run({"grid": [grid[0], ["A", "90.5", "0.90"], grid[1]], "experiment": "test", "percent": "false"}, **CASES)
    assert worse.rows()[0].outcome is Outcome.ERROR
    assert "percentage" in worse.rows()[0].error
    assert worse.rows()[1].outcome is Outcome.CONSISTENT
    assert worse.verdict == "undecided"


def test_averages_over_classes_are_listed_as_untested() -> None:
    grid = [["Method", "Macro F1", "Acc", "AUC"], ["A", "0.80", "0.90", "0.95"], ["B", "0.80", "", "0.95"]]
    result = run({"grid": grid, "experiment": "test"}, **CASES)
    a, b = result.rows()
    assert (a.outcome, b.outcome) == (Outcome.NOT_TESTED, Outcome.NOT_TESTED)
    assert "averages over classes (the heading 'Macro F1' says macro)" in a.notes[0]
    assert len(result.tables[0].untested) == 1
    told, _ = run({"grid": grid, "experiment": "test", "binary": "true"}, **CASES).rows()
    assert told.outcome is Outcome.CONSISTENT
    assert "not tested: macro f1" in told.notes


def test_claims_that_cannot_be_checked_are_said_to_be_so() -> None:
    grid = [["Method", "Acc", "F1"], ["A", "0.905", "0.905"], ["B", "0.905", "0.915"]]
    claims = [
        {"best": "A", "by": "acc"},
        {"best": "C", "by": "acc"},
        {"best": "A", "by": "colour"},
        {"better": "B", "than": "A", "by": "f1", "significant": "true"},
        {"better": "A", "than": "B", "by": "f1"},
        {"text": "It is fast."},
    ]
    result = run({"grid": grid, "experiment": "test"}, claims=claims, **CASES)
    assert [claim.holds for claim in result.claims] == [None, None, None, None, False, None]
    assert "shares the highest printed acc" in result.claims[0].words
    assert "no acc of C was read" in result.claims[1].words
    assert "McNemar's test is about" in result.claims[3].words
    assert "names no method" in result.claims[5].words


@pytest.mark.parametrize("option", [{"jobs": 0}, {"budget": 0}, {"budget": "x"}, {"seed": 1.5}, {"explain": "no"}])
def test_bad_options(option: dict[str, Any]) -> None:
    with pytest.raises(sp.ScoreproofError, match="expected"):
        audit({"tables": [{"grid": [["Acc"], ["0.9"]]}]}, **option)


UNKNOWN = {
    "datasets": {"cases": {"p": "unknown", "n": "unknown"}},
    "experiments": {"test": {"dataset": "cases"}, "cv": {"dataset": "cases", "folds": 3}},
}


def test_rows_of_one_test_set_share_its_prevalence() -> None:
    head = ["Model", "Sens", "Spec", "PPV", "NPV"]
    rows = [["A", "0.900", "0.900", "0.900", "0.900"], ["B", "0.900", "0.900", "0.500", "0.988"]]
    result = run({"grid": [head, *rows], "experiment": "test"}, **UNKNOWN)
    assert [str(row.outcome) for row in result.rows()] == ["consistent", "consistent"]
    (one,) = result.tables[0].checks
    assert (one.kind, str(one.verdict), one.rows) == ("one_test_set", "inconsistent", (2, 1))
    assert "need a prevalence of" in one.words
    assert sp.verify(one.certificate or {})
    assert str(result) == "audit: 1 comparison inside the tables inconsistent, 2 rows consistent"
    assert result.summary in str(result)
    apart = run({"grid": [["Dataset", *head[1:]], *rows], "experiment": "test"}, **UNKNOWN)
    own = run({"grid": [head, *rows], "rows": {"A": "test", "B": "other"}}, **{
        **UNKNOWN, "experiments": {"test": {"dataset": "cases"}, "other": {"dataset": "cases"}},
    })  # fmt: skip
    assert apart.verdict == own.verdict == "consistent"


def test_zeros_that_may_be_undefined_prove_no_prevalence() -> None:
    """A classifier that never says yes has precision 0/0, which scikit-learn prints as 0."""
    grid = [["Model", "Acc", "PPV", "Sens"], ["A", "0.520", "0.000", "0.000"], ["B", "0.900", "0.900", "0.875"]]
    assert run({"grid": grid, "experiment": "test"}, **UNKNOWN).tables[0].checks == ()


def test_the_row_says_how_many_cases() -> None:
    grid = [["Method", "N", "Accuracy", "Recall"], ["A", "7", "0.912", "0.5"], ["B", "100", "0.91", "0.5"]]
    a, b = run({"grid": grid, "experiment": "test"}, **UNKNOWN).rows()
    assert (a.outcome, b.outcome) == (Outcome.INCONSISTENT, Outcome.CONSISTENT)
    assert a.readings[0].label == "7 cases as the row says, class counts unknown"
    assert sp.verify(dict(a.readings[0].certificate or {}))
    one = [["Method", "Pos", "Recall"], ["A", "7", "0.912"], ["B", "7", "0.857"]]
    checks = run({"grid": one, "experiment": "test"}, **UNKNOWN).tables[0].checks
    assert [(check.kind, str(check.verdict)) for check in checks] == [
        ("binary", "inconsistent"),
        ("binary", "consistent"),
    ]


@pytest.mark.parametrize(("average", "verdict"), [("0.90", "consistent"), ("0.97", "inconsistent")])
def test_folds_of_unknown_sizes(average: str, verdict: str) -> None:
    grid = [row[:1] + row[3:] for row in folds_table(average)]
    result = run({"grid": grid, "experiment": "cv"}, **UNKNOWN)
    assert {str(row.outcome) for row in result.rows()} == {"not tested"}
    assert [str(check.verdict) for check in result.tables[0].checks] == [verdict]
    assert result.verdict == verdict
    pooled = {**UNKNOWN, "experiments": {"cv": {"dataset": "cases", "folds": 3, "aggregation": "score_of_means"}}}
    assert run({"grid": grid, "experiment": "cv"}, **pooled).tables[0].checks == ()
    ten = {**UNKNOWN, "experiments": {"cv": {"dataset": "cases", "folds": 10}}}
    assert run({"grid": grid, "experiment": "cv"}, **ten).tables[0].checks == ()


def test_means_are_not_of_one_test_set() -> None:
    grid = [["Method", "Acc"], ["A", "0.9117 ± 0.0031"]]
    (row,) = run({"grid": grid, "experiment": "test"}, **CASES).rows()
    assert row.outcome is Outcome.NOT_TESTED
    assert "means, but the experiment is one test set" in row.notes[0]
    (told,) = run({"grid": grid, "experiment": "test", "options": {"spread": "ignore"}}, **CASES).rows()
    assert str(told.outcome) == str(sp.check(sp.TestSet(300, 300), {"acc": "0.9117"}).verdict) == "consistent"


def test_means_over_runs_are_compared_with_no_single_matrix() -> None:
    """Neither with one that stands in the row, nor with that of another row: a ± says that there were several."""
    one = {"main": {"tree": {"type": "unknown_classes"}}}
    matrix = [["Method", "Acc", "TP", "FN", "FP", "TN"], ["A", "0.80 ± 0.02", "5", "5", "2", "18"]]
    rows = [["Method", "Acc", "Sens", "Spec"], ["A", "0.90 ± 0.01", "0.91 ± 0.01", "0.80 ± 0.02"]]
    rows.append(["B", "0.81 ± 0.02", "0.91 ± 0.01", "0.80 ± 0.02"])
    for grid in (matrix, rows):
        plain = [[cell.split(" ")[0] for cell in row] for row in grid]
        said = [
            [str(check.answer.verdict) for table in result.tables for check in table.checks]
            for result in (
                audit({"experiments": one, "tables": [{"grid": g, "experiment": "main"}]}) for g in (grid, plain)
            )
        ]
        assert said == [[], ["inconsistent"]]


def test_columns_of_training_data_need_their_own_experiment() -> None:
    grid = [
        ["", "Training", "Training", "Testing", "Testing"],
        ["Method", "Acc", "Sens", "Acc", "Sens"],
        ["A", "0.9876", "0.9753", "0.90", "0.80"],
    ]
    more = {
        "datasets": {"train": {"p": 81, "n": 81}, "test": {"p": 10, "n": 10}},
        "experiments": {"train": {"dataset": "train"}, "test": {"dataset": "test"}},
    }
    left = run({"grid": grid, "header_rows": 2, "experiment": "test"}, **more).rows()
    assert {row.group: str(row.outcome) for row in left} == {"Training": "not tested", "Testing": "consistent"}
    both = run({"grid": grid, "header_rows": 2, "groups": {"Training": "train", "Testing": "test"}}, **more).rows()
    assert {row.group: str(row.outcome) for row in both} == {"Training": "consistent", "Testing": "consistent"}


def test_recall_that_equals_accuracy_is_an_average_over_classes() -> None:
    grid = [["Method", "Acc", "Prec", "Recall", "F1"], ["A", "0.753", "0.761", "0.753", "0.752"],
            ["B", "0.812", "0.820", "0.812", "0.811"]]  # fmt: skip
    result = run({"grid": grid, "experiment": "test"}, **CASES)
    assert {row.readings[0].answer.problem.kind for row in result.rows()} == {"common_average"}
    assert "recall equals accuracy in every row" in result.rows()[0].notes[0]
    assert [cell.score for cell in result.rows()[0].cells] == ["ppv", "sens", "f1"]  # not acc: it is no average
    told = run({"grid": grid, "experiment": "test", "binary": "true"}, **CASES)
    assert {str(row.outcome) for row in told.rows()} == {"question"}  # which weighted averages would save
    other = run({"grid": [*grid, ["C", "0.900", "0.900", "0.893", "0.897"]], "experiment": "test"}, **CASES)
    assert "not tested" not in {str(row.outcome) for row in other.rows()}


def test_a_score_given_twice_is_not_chosen() -> None:
    grid = [["Method", "Acc", "Sens", "Accuracy"], ["A", "0.905", "0.91", "0.111"]]
    (row,) = run({"grid": grid, "experiment": "test"}, **CASES).rows()
    assert row.scores == {"sens": "0.91"}
    assert row.notes == ("given twice: acc is 0.905 and 0.111; none of them was checked", _ANYTHING_FITS)


def test_runs_on_one_test_set_are_no_folds_of_it() -> None:
    grid = [
        ["Run", "Acc", "F1"],
        ["Run 1", "0.905", "0.903"],
        ["Run 2", "0.915", "0.912"],
        ["Average", "0.910", "0.908"],
    ]
    first, second, mean = run({"grid": grid, "experiment": "test"}, **CASES).rows()
    assert (first.outcome, second.outcome, mean.outcome) == (Outcome.CONSISTENT, Outcome.CONSISTENT, Outcome.NOT_TESTED)
    assert "one test set" in first.fitting()
    wrong = run({"grid": [grid[0], ["Run 1", "0.905", "0.603"], *grid[2:]], "experiment": "test"}, **CASES)
    assert wrong.rows()[0].outcome is Outcome.INCONSISTENT


COUPLED = """\
              precision    recall  f1-score   support

          a       0.50      1.00      0.67        10
          b       0.50      1.00      0.67        10
          c       0.50      1.00      0.67        10

    accuracy                           1.00        30
"""


def test_classes_of_one_matrix_are_coupled_those_of_several_are_not() -> None:
    """Thirty false positives are thirty false negatives, but means over folds need not add up."""
    result = run({"text": COUPLED})
    (wrong,) = [check for check in result.tables[0].checks if check.verdict == "inconsistent"]
    assert wrong.kind == "multi_class"
    assert "30 false positives" in wrong.words
    assert sp.verify(wrong.certificate or {})
    folds = {"datasets": {"cases": {"total": 30}}, "experiments": {"cv": {"dataset": "cases", "folds": 5}}}
    assert run({"text": COUPLED, "experiment": "cv"}, **folds).tables[0].checks == ()
