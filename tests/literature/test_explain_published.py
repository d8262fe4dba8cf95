"""Published slips: the conflict is named, the true value found, the assumption identified."""

from __future__ import annotations

import pytest

import scoreproof as sp
from scoreproof.checking.answer import Fit
from scoreproof.insight.explanation import explain, explain_table
from scoreproof.insight.repairs import Slip

INCEPTION = {
    "acc": "0.732", "sens": "0.753", "spec": "0.710", "ppv": "0.722", "f1": "0.463", "kappa": "0.464", "mcc": "0.737",
}  # fmt: skip


def test_the_typo_in_the_paper_about_typos() -> None:
    """Fazekas and Kovács (2024), section 3.3: 0.6821 is meant where 0.6801 is printed."""
    result = sp.check(sp.TestSet(p=1000, n=6000), {"acc": "0.6801", "npv": "0.9401", "f1": "0.4004"})
    found = result.explain(assumptions=False)
    assert [conflict.scores for conflict in found.conflicts] == [("acc", "npv", "f1")]
    of_acc = [repair for repair in found.repairs if [change.score for change in repair.changes] == ["acc"]]
    assert "0.6821" in [repair.changes[0].repaired for repair in of_acc[:3]]
    assert found.repairs[0].changes[0].repaired == "0.6821"
    assert sp.verify(found.conflicts[0].certificate)


def test_the_shifted_columns_of_table_4() -> None:
    """Rainio, Teuho and Klén (2024), Table 4, InceptionV3: F1, kappa and MCC stand one column off."""
    found = sp.check(sp.TestSet(300, 300), INCEPTION).explain(assumptions=False)
    first = found.repairs[0]
    assert first.slip is Slip.SHIFTED
    assert {change.score: change.repaired for change in first.changes} == {
        "f1": "0.737",
        "kappa": "0.463",
        "mcc": "0.464",
    }
    assert str(first).startswith("columns f1, kappa and mcc shifted by one")


def test_oversampling_before_the_folds_were_made() -> None:
    """Fazekas and Kovács (2024), section 5.2: p' = 244 fits, the data set of 38 positives does not."""
    stated = sp.KFold(p=38, n=262, k=5, stratified=False)
    result = sp.check(stated, {"acc": "0.9447", "sens": "0.9139", "spec": "0.9733"})
    assert result.verdict is sp.Verdict.INCONSISTENT
    found = result.explain(oversampled=[244], assumptions=["oversampled"], budget=20)
    assert found.conflicts[0].scores == ("acc",)
    assert "acc 0.9447 is not possible with 300 cases" in found.conflicts[0].words
    raised = next(one for one in found.hypotheses if one.name == "oversampled")
    assert raised.answer is Fit.FITS
    assert "p raised from 38 to 244" in raised.fitting


def test_the_size_of_the_oversampled_class_is_found() -> None:
    """Had the folds been scikit-learn's, the scores themselves would say p' = 244: no other size fits."""
    stated = sp.KFold(p=38, n=262, k=5, rule="scikit-learn")
    result = sp.check(stated, {"acc": "0.9447", "sens": "0.9139", "spec": "0.9733"})
    found = result.explain(assumptions=["oversampled to any size"], budget=60)
    searched = next(one for one in found.hypotheses if one.name == "oversampled to any size")
    assert searched.fitting == ("p raised from 38 to 244",)
    assert searched.untried == 0


def test_a_user_names_the_hypothesis() -> None:
    stated = sp.KFold(p=38, n=262, k=5, stratified=False)
    result = sp.check(stated, {"acc": "0.9447", "sens": "0.9139", "spec": "0.9733"})
    raised = sp.KFold(p=244, n=262, k=5, stratified=False)
    found = explain(result, hypotheses={"oversampled to 244": raised}, assumptions=False, budget=20)
    assert [(one.name, one.answer) for one in found.hypotheses] == [("oversampled to 244", Fit.FITS)]
    assert found.hypotheses[0].witness is not None


def test_true_positives_beyond_all_cases() -> None:
    """The KNN row discussed by Lavazza and Morasca (IEEE Access, Appendix A): tp would be 15 times all cases."""
    result = sp.reconstruct({"ppv": "0.9705", "sens": "1", "acc": "0.5317"}, eps={"sens": "0"})
    found = result.explain()
    assert found.conflicts[0].scores == ("ppv", "sens", "acc")
    assert "at least 15.3 times as many true positives as there are cases" in found.conflicts[0].words
    assert "With ppv 0.9705 and sens 1, acc would lie between 0.97040 and 1.00000" in found.conflicts[0].words
    assert {change.score: change.repaired for change in found.repairs[0].changes} == {"ppv": "0.5317", "acc": "0.9705"}


def test_accuracy_above_sensitivity_and_specificity() -> None:
    """The contradiction Fazekas and Kovács (2024), section 5.3, point out in a paper on skin lesions."""
    found = sp.check(sp.TestSet(117, 483), {"acc": "0.95", "sens": "0.80", "spec": "0.90"}).explain(assumptions=False)
    assert ("acc", "spec") in [conflict.scores for conflict in found.conflicts]
    assert "With acc 0.95 and sens 0.80, spec would lie between 0.973 and 1.000, not 0.90" in found.summary


def test_scores_weighted_by_class_size() -> None:
    """Ibid.: weighting both classes by their size turns "sensitivity" into accuracy."""
    matrix = sp.ConfusionMatrix(tp=60, fp=30, fn=15, tn=274)
    acc = sp.score("acc").text(*matrix.cells, digits=4)
    spec = f"{(75 * 274 / 304 + 304 * 60 / 75) / 379:.4f}"
    result = sp.check(sp.TestSet(75, 304), {"acc": acc, "sens": acc, "spec": spec})
    assert result.verdict is sp.Verdict.QUESTION
    assert [tried.name for tried in result.conventions if tried.answer is Fit.FITS] == ["weighted averages"]
    found = result.explain()
    weighted = next(one for one in found.hypotheses if one.name == "weighted averages")
    assert weighted.answer is Fit.FITS
    assert next(one for one in found.hypotheses if one.name == "micro averages").answer is Fit.DOES_NOT_FIT


@pytest.mark.parametrize(("region", "other"), [("fov", "all"), ("all", "fov")])
def test_the_other_evaluation_region(region: str, other: str) -> None:
    """A DRIVE image scored in one region and described as the other."""
    from scoreproof.catalog import entry

    drive = entry("drive")
    stated, true = (
        drive.readings(items=["01"], region=one, annotator="1")[0].experiment for one in (other, region)
    )  # fmt: skip
    tp, tn = int(0.74 * true.p), int(0.98 * true.n)
    cells = (tp, true.n - tn, true.p - tp, tn)
    scores = {name: sp.score(name).text(*cells, digits=5) for name in ("acc", "sens", "spec")}
    result = sp.check(stated, scores)
    assert result.verdict is sp.Verdict.INCONSISTENT
    found = result.explain()
    reading = next(one for one in found.hypotheses if one.name == "catalogue")
    assert reading.answer is Fit.FITS
    assert any("image 01" in label for label in reading.fitting)


def test_one_assumption_for_a_whole_table() -> None:
    stated = sp.KFold(p=30, n=60, k=5, aggregation="score_of_means")
    rows = {}
    for label, tp, tn in (("A", 41, 50), ("B", 47, 33), ("C", 53, 58)):
        cells = (tp, 60 - tn, 60 - tp, tn)
        rows[label] = {name: sp.score(name).text(*cells, digits=4) for name in ("acc", "sens", "f1")}
    results = {label: sp.check(stated, row) for label, row in rows.items()}
    assert all(one.verdict is sp.Verdict.INCONSISTENT for one in results.values())
    found = explain_table(results)
    assert found.explains_all == ("the smaller class was raised before evaluation: p raised from 30 to 60",)
    assert "all rows would fit if" in str(found)
