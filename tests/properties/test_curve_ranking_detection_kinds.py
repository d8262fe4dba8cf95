"""Areas, rankings, detectors: true reports are never flagged, what is refuted has a proof, and no forgery passes."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction
from typing import Any

import pytest
from benchmarks.fuzz_kinds import MAKERS, judged
from tests.forgery import alterations, certificate_of, sealed

import scoreproof as sp
from scoreproof.errors import InvalidExperiment, InvalidOption, InvalidValue, NotCovered, ScoreproofError, UnknownScore
from scoreproof.kinds import read_problem
from scoreproof.kinds.curve.path import run_of_positives
from scoreproof.kinds.ranking_problem import discount
from scoreproof.quantities import DETECTION
from scoreproof_verify.kinds.ranking import _discount

REFUTED: dict[str, tuple[Any, dict[str, Any], dict[str, Any]]] = {
    "no such area": (sp.TestSet(6, 70), {"auc": "0.9056"}, {"rounding": "nearest"}),
    "odd area": (sp.TestSet(3, 3), {"auc": "0.722"}, {"rounding": "nearest", "ties": False}),
    "area and point": (sp.TestSet(6, 70), {"auc": "0.500", "sens": "0.83", "spec": "0.91"}, {}),
    "area and accuracy": (sp.TestSet(60, 70), {"auc": "0.700", "acc": "0.95"}, {}),
    "precision": (sp.TestSet(20, 30), {"ap": "0.31", "sens": "0.85", "spec": "0.90"}, {}),
    "trapezoids": (sp.TestSet(20, 30), {"auprc": "0.99", "sens": "0.20", "ppv": "0.20"}, {}),
    "staircases": (
        sp.MeanOfScores([sp.TestSet(20, 20)] * 3),
        {"auc": "0.66", "sens": "0.800 ± 0.000", "spec": "0.850 ± 0.000"},
        {},
    ),
    "rates": (sp.UnknownClasses(), {"auc": "0.95", "sens": "0.50", "spec": "0.50"}, {}),
    "means": (sp.KFold(50, 60, 5), {"auc": "0.45", "sens": "0.90", "fpr": "0.20"}, {}),
    "scores": (sp.UnknownClasses(), {"auc": "0.95", "sens": "0.90", "spec": "0.90", "acc": "0.50"}, {}),
    "scores over folds": (sp.KFold(10, 20, 2), {"auc": "0.9", "sens": "0.80", "spec": "0.90", "bacc": "0.50"}, {}),
    "points": (sp.TestSet(50, 60), {"auc": "0.700", "sens": "0.60", "spec": "0.95"},
               {"points": [{"sens": "0.80", "spec": "0.85"}, {"sens": "0.90", "spec": "0.70"}]}),
    "apart": (sp.TestSet(50, 60), {"auc": "0.700"},
              {"points": [{"sens": "0.80", "spec": "0.85"}, {"sens": "0.70", "spec": "0.70"}]}),
    "concave point": (sp.TestSet(50, 60), {"auc": "0.80", "acc": "0.90", "sens": "0.83"}, {"concave": True}),
    "concave rates": (sp.UnknownClasses(), {"auc": "0.80", "sens": "0.80", "spec": "0.90"}, {"concave": True}),
    "concave above": (sp.UnknownClasses(), {"auc": "0.97", "sens": "0.70", "fpr": "0.20"}, {"concave": True}),
    "below the diagonal": (sp.TestSet(9, 9), {"auc": "0.80", "sens": "0.22", "spec": "0.33"}, {"concave": True}),
    "concave means": (sp.KFold(50, 60, 5), {"auc": "0.80", "sens": "0.80", "spec": "0.90"}, {"concave": True}),
    "concave alone": (sp.KFold(50, 60, 5), {"auc": "0.45"}, {"concave": True}),
    "concave scores": (sp.TestSet(50, 60), {"auc": "0.80", "acc": "0.999"}, {"concave": True}),
    "best accuracy": (sp.TestSet(50, 60), {"auc": "0.700", "best_acc": "0.900"}, {}),
    "better than best": (sp.TestSet(50, 60), {"auc": "0.900", "best_acc": "0.800", "acc": "0.85"}, {}),
    "hits": (sp.Ranking(100), {"hits@1": "0.353"}, {"rounding": "nearest"}),
    "falling hits": (sp.Ranking(100), {"hits@1": "0.35", "hits@10": "0.30"}, {}),
    "mrr": (sp.Ranking(1000), {"hits@1": "0.35", "hits@10": "0.61", "mrr": "0.62"}, {}),
    "ndcg": (sp.Ranking(1000), {"hits@1": "0.35", "hits@10": "0.61", "ndcg@10": "0.75"}, {}),
    "mean rank": (sp.Ranking(100, 50), {"hits@10": "0.90", "mr": "30.0"}, {}),
    "any number of queries": (sp.Ranking(), {"hits@1": "28.6%", "hits@10": "42.7%", "mrr": "0.65"}, {}),
    "falling shares": (sp.Ranking(), {"hits@1": "0.0056", "p@5": "0.00018", "hits@10": "0.0011"}, {}),
    "harmonic": (sp.Ranking(100), {"mr": "1.30", "mrr": "0.60"}, {}),
    "matches": (sp.Detection(100), {"precision": "0.83", "recall": "0.71", "f1": "0.80"}, {}),
    "overlaps": (sp.Detection(), {"ap50": "0.58", "ap75": "0.61"}, {}),
    "mean over overlaps": (sp.Detection(500), {"ap50": "0.500", "ap75": "0.300", "map": "0.450"}, {}),
    "low mean": (sp.Detection(), {"ap75": "0.500", "map": "0.200"}, {}),
    "recall": (sp.Detection(None, 1), {"max recall": "0.50", "map": "0.59"}, {"interpolation": "101"}),
    "average recall": (sp.Detection(), {"ar@100": "0.50", "map": "0.59"}, {}),
    "falling recalls": (sp.Detection(), {"ar@100": "0.50", "ar@1": "0.59"}, {}),
    "range": (sp.Detection(), {"ap50": "120%"}, {}),
    "small objects": (sp.Detection(), {"AP_s": "0.41", "AR_s": "0.30"}, {"interpolation": "101"}),
    "large objects": (sp.Detection(), {"AR large": "0.30", "AP large": "0.50"}, {}),
    "mean of classes": (sp.Detection(classes=3), {"AP50": "0.55", "AP50 per class": ["0.40", "0.50", "0.66"]}, {}),
    "mean of some classes": (sp.Detection(classes=3), {"map": "0.91", "map per class": ["0.40", "0.50", None]}, {}),
    "too small a mean": (sp.Detection(classes=3), {"map": "0.20", "map per class": ["0.40", "0.50", None]}, {}),
    "overlaps of a class": (
        sp.Detection(classes=2), {"ap50 per class": ["0.40", "0.70"], "ap75 per class": ["0.50", "0.60"]}, {},
    ),
    "mean of a class": (
        sp.Detection(classes=2), {"ap50": "0.50", "ap50 of class 2": "0.40", "map of class 2": "0.45"}, {},
    ),
}  # fmt: skip


def answered(name: str) -> Any:
    experiment, scores, options = REFUTED[name]
    answer = sp.check(experiment, scores, **options, strict=True)
    assert answer.verdict == "inconsistent", str(answer)
    return answer


@pytest.mark.parametrize("number", range(40))
@pytest.mark.parametrize("kind", list(MAKERS))
def test_true_reports_are_never_flagged(kind: str, number: int) -> None:
    verdict, words = judged(kind, number, 7)
    assert verdict != "inconsistent", words


@pytest.mark.parametrize("name", list(REFUTED))
def test_what_is_refuted_is_proved_and_survives_files(name: str) -> None:
    answer = answered(name)
    assert str(sp.verify(certificate_of(answer))).startswith("Proved: ")
    assert sp.Answer.from_dict(json.loads(answer.to_json())) == answer
    assert read_problem(answer.problem.kind, json.loads(json.dumps(answer.problem.to_dict()))) == answer.problem
    assert pickle.loads(pickle.dumps(answer.problem)) == answer.problem
    assert answer.explain(budget=1.0).conflicts


def possible(name: str, statement: Any) -> bool:
    """Whether an altered statement is possible, asked anew; what no check would take (10.83) is not."""
    try:
        again = sp.ask(read_problem(answered(name).problem.kind, statement), budget=1.0)
    except ScoreproofError:
        return False
    return str(again.verdict) != "inconsistent"


@pytest.mark.parametrize("name", list(REFUTED))
def test_no_altered_certificate_proves_what_is_possible(name: str) -> None:
    document = certificate_of(answered(name))
    kind, statement, proof = document["kind"], document["statement"], document["proof"]
    for altered in alterations(statement):
        if sp.verify(sealed(kind, altered, proof)):
            assert not possible(name, altered), altered
    for altered in alterations(proof):
        if sp.verify(sealed(kind, statement, altered)):
            assert isinstance(altered, dict), altered
            assert altered.keys() == proof.keys(), altered


@pytest.mark.parametrize(
    ("experiment", "scores", "error"),
    [
        (sp.TestSet(5, 0), {"auc": "0.9"}, NotCovered),
        (sp.ScoreOfMeans([sp.TestSet(5, 5), sp.TestSet(5, 5)]), {"auc": "0.9", "acc": "0.9"}, NotCovered),
        (sp.KFold(3, 30, 5), {"auc": "0.9"}, NotCovered),
        (sp.KFold(30, 30, 5, stratified=False), {"auc": "0.9"}, NotCovered),
        (sp.KFold(30, 30, 5), {"ap": "0.9"}, NotCovered),
        (sp.UnknownAggregation([sp.TestSet(5, 5), sp.TestSet(5, 5)]), {"auc": "0.9"}, NotCovered),
        (sp.TestSet(5, 5), {"partial auc": "0.9"}, UnknownScore),
        (sp.TestSet(5, 5), {"mrr": "0.9"}, UnknownScore),
        (sp.TestSet(5, 5), {"auc": "0.9 ± 0.1", "acc": "0.9"}, InvalidValue),
        (sp.Ranking(5), {"auc": "0.9"}, UnknownScore),
        (sp.Ranking(5), {"mrr": "0.9 ± 0.1"}, InvalidValue),
        (sp.Detection(), {"recall": "0.9"}, NotCovered),
        (sp.Detection(), {"AP50 of class 1": "0.9"}, NotCovered),
        (sp.Detection(500, classes=3), {"precision": "0.83", "recall": "0.71"}, NotCovered),
        (sp.Detection(classes=2), {"AP50 of class 3": "0.9"}, InvalidValue),
        (sp.Detection(classes=2), {"AP50": ["0.9", "0.8"]}, InvalidValue),
        (sp.Detection(10, classes=2), {"recall of class 1": "0.9"}, UnknownScore),
    ],
)
def test_what_is_not_covered_is_refused_with_a_sentence(experiment: Any, scores: Any, error: type[Exception]) -> None:
    with pytest.raises(error) as refused:
        sp.check(experiment, scores, strict=True)
    assert len(str(refused.value)) > 30


def test_options_that_say_nothing_are_refused() -> None:
    with pytest.raises(InvalidOption, match="ties"):
        sp.check(sp.TestSet(5, 5), {"acc": "0.9"}, ties=False, strict=True)
    with pytest.raises(InvalidOption, match="ties"):
        sp.check(sp.TestSet(5, 5), {"auc": "0.9"}, ties="no", strict=True)
    with pytest.raises(InvalidOption, match="undefined"):
        sp.check(sp.Ranking(5), {"mrr": "0.9"}, undefined="zero", strict=True)
    with pytest.raises(InvalidExperiment, match="queries"):
        sp.Ranking(0)
    with pytest.raises(InvalidExperiment, match="unknown key"):
        sp.experiment_from_dict({"type": "detection", "things": 3})
    assert sp.experiment_from_dict({"type": "detection", "objects": 100}) == sp.Detection(100)
    assert sp.experiment_from_dict({"type": "ranking", "queries": 9, "candidates": 5}) == sp.Ranking(9, 5)


def test_concave_curves_are_only_tested_on_request() -> None:
    report = {"auc": "0.80", "sens": "0.80", "spec": "0.90"}
    assert sp.check(sp.TestSet(50, 60), report, strict=True).verdict == "consistent"
    refuted = sp.check(sp.TestSet(50, 60), report, concave=True, strict=True)
    assert refuted.verdict == "inconsistent"
    assert refuted.certificate is not None
    assert refuted.certificate["statement"]["concave"] is True
    assert "concave" in str(sp.verify(refuted.certificate))
    assert any("not concave" in str(each) for each in refuted.explain(budget=2.0).hypotheses)
    with pytest.raises(NotCovered, match="ap"):
        sp.check(sp.TestSet(50, 60), {**report, "ap": "0.7"}, concave=True, strict=True)
    with pytest.raises(NotCovered, match="points"):
        sp.check(sp.TestSet(50, 60), report, points=[{"sens": "0.9"}], concave=True, strict=True)
    with pytest.raises(InvalidOption, match="ties"):
        sp.check(sp.TestSet(50, 60), report, ties=False, concave=True, strict=True)
    with pytest.raises(InvalidOption, match="concave"):
        sp.check(sp.TestSet(50, 60), {"sens": "0.80"}, concave=True, strict=True)


@pytest.mark.parametrize("experiment", [sp.TestSet(50, 60), sp.UnknownClasses(), sp.KFold(50, 60, 5)])
def test_concave_curves_that_fit_are_shown(experiment: Any) -> None:
    answer = sp.check(experiment, {"auc": "0.88", "sens": "0.80", "spec": "0.90"}, concave=True, strict=True)
    assert answer.verdict == "consistent"
    assert all(curve.concave for curve in answer.witness.curves)
    assert sp.Answer.from_dict(json.loads(answer.to_json())) == answer


def test_average_recall_limits_the_precision_as_recalls_are_read_off() -> None:
    """Eleven recalls count more of a small one than 101 do: without a word on it both are admitted."""
    scores = {"map": "0.53", "ar100": "0.50"}
    verdicts = {
        way: sp.check(sp.Detection(), scores, interpolation=way, rounding="nearest", strict=True).verdict
        for way in ("any", "11", "101", "all")
    }
    assert verdicts == {"any": "consistent", "11": "consistent", "101": "inconsistent", "all": "inconsistent"}


def test_a_statement_about_counts_needs_objects() -> None:
    score = {"score": "ppv", "text": "0.50", "rounding": "nearest"}
    statement = {"experiment": {"type": "detection"}, "scores": [score], "interpolation": "any"}
    with pytest.raises(NotCovered, match="give objects"):
        read_problem("detection", statement)


def test_objects_of_one_size_are_compared_with_their_own_recall_only() -> None:
    for scores in ({"AP_s": "0.90", "AR_m": "0.10"}, {"AP_s": "0.90", "map": "0.10"}, {"APl": "0.90", "ar100": "0.1"}):
        assert sp.check(sp.Detection(), scores, strict=True).verdict == "consistent"
    for heading in ("Arm", "APS", "maps", "Alarm"):
        assert DETECTION.find(heading) is None
    for heading in ("AP_s", "APs", "AP^{S}", "AP (small)", "mAP-S", "ap_small"):
        meant = DETECTION.find(heading)
        assert meant is not None
        assert meant.name == "ap_small"


def test_classes_that_are_not_printed_take_what_is_left() -> None:
    scores = {"AP50": "0.12", "AP50 per class": ["0.40", "0.50", "0.66"], "map of class 1": "0.30"}
    answer = sp.check(sp.Detection(classes=300), scores, strict=True)
    assert answer.verdict == "consistent"
    values = dict(answer.witness.classes)
    total = sum(values[f"ap50 of class {k}"] for k in (1, 2, 3)) + 297 * values["ap50 of other classes"]
    assert total / 300 == answer.witness.precisions[0]
    assert type(answer).from_dict(json.loads(answer.to_json())) == answer


def test_values_of_classes_that_do_not_fall_are_no_witness() -> None:
    """AP75 of the third class is what is left of the mean, and must not be above its AP50."""
    scores = {"AP50 per class": ["0.40", "0.50", "0.10"], "AP75 per class": ["0.30", "0.45", None], "AP75": "0.26"}
    answer = sp.check(sp.Detection(classes=3), scores, strict=True)
    assert answer.verdict == "consistent"
    impossible = sp.check(sp.Detection(classes=3), {**scores, "AP75": "0.34"}, rounding="nearest", strict=True)
    assert impossible.verdict == "undecided"


def test_hard_labels_are_noted() -> None:
    answer = sp.check(sp.TestSet(50, 50), {"auc": "0.85", "sens": "0.80", "spec": "0.90"}, strict=True)
    assert any("hard labels" in note for note in answer.notes)


def test_sums_of_precisions_are_enclosed() -> None:
    for x, before, after in ((1, 0, 5), (7, 3, 40), (300, 0, 3000), (3, 10, 2500)):
        exact = sum((Fraction(i, x + i) for i in range(before + 1, after + 1)), Fraction(0))
        low, high = run_of_positives(x, before, after)
        assert low <= exact <= high
        assert high - low < Fraction(1, 100)


def test_discounts_of_engine_and_verifier_enclose_each_other() -> None:
    for rank in (1, 2, 3, 7, 10, 100, 65_536, 99_999):
        (a, b), (c, d) = discount(rank), _discount(rank)
        assert c <= a <= b <= d
        assert d - c < Fraction(1, 10**4)


def test_the_mean_area_over_images_is_put_together_in_little_work() -> None:
    """Of two images there are billions of pairs of areas, and only those that can give the mean are tried."""
    images = [sp.TestSet(30_000 + 137 * number, 200_000 + 911 * number) for number in range(20)]
    answer = sp.check(sp.MeanOfScores(images), {"auc": "0.912345", "sens": "0.8", "spec": "0.9"}, budget=60)
    assert answer.verdict == "consistent"
