"""Means of scores: the examples of the literature, and what the peer gets wrong."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from tests.conftest import data
from tests.literature.test_single_matrix_papers import PRINTED
from tests.literature.test_single_matrix_papers import SAMPLE as FOLDS

import scoreproof as sp

SAMPLE = sp.MeanOfScores([sp.TestSet(100, 201), *[sp.TestSet(100, 200)] * 2, *[sp.TestSet(101, 200)] * 2])
EHG = {"acc": "0.9447", "sens": "0.9139", "spec": "0.9733"}


def holds(result: sp.Answer[Any, Any]) -> bool:
    """An inconsistent result with a certificate that holds."""
    return result.verdict is sp.Verdict.INCONSISTENT and bool(sp.verify(result.certificate))


def test_the_sample_problem_of_section_4_3_3() -> None:
    linear = {"acc": "0.8290", "sens": "0.7391", "spec": "0.8741"}
    assert sp.check(SAMPLE, linear).verdict == "consistent"
    assert holds(sp.check(SAMPLE, {**linear, "acc": "0.8280"}))


def test_electrohysterograms_of_section_5_2() -> None:
    assert holds(sp.check(sp.KFold(38, 262, 5, stratified=False), EHG))
    oversampled = sp.check(sp.KFold(244, 262, 5, stratified=False), EHG)
    assert oversampled.verdict == "consistent"
    matrices = oversampled.witness.matrices
    assert (sum(m.p for m in matrices), sum(m.n for m in matrices)) == (244, 262)
    for name, text in EHG.items():
        mean = sum(sp.score(name)(*m.cells) for m in matrices) / 5
        assert mean == pytest.approx(float(text), abs=1.0001e-4)


def test_numbers_of_fold_configurations() -> None:
    assert sum(1 for _ in sp.fold_configurations(30, 300, 5)) == 673
    configurations = list(sp.fold_configurations(38, 262, 5))
    assert len(configurations) == 1468  # as Algorithm 2 is written
    assert sum(all(p > 0 for p, _ in folds) for folds in configurations) == 918  # the figure in section 5.2
    assert ((12, 54), (9, 57), (6, 60), (2, 64), (1, 65)) in set(sp.fold_configurations(30, 300, 5))


@pytest.mark.parametrize("name", ["f1", "ppv", "mcc", "kappa", "gm"])
@pytest.mark.parametrize("move", ["0.01", "-0.01"])
def test_all_twenty_means_of_table_5_with_one_moved(name: str, move: str) -> None:
    means = {score: mean for score, (mean, _) in PRINTED.items()}
    means[name] = str(Decimal(means[name]) + Decimal(move))
    assert holds(sp.check(SAMPLE, means, budget=120))


def test_all_twenty_means_of_table_5_fit_the_printed_matrices() -> None:
    result = sp.check(SAMPLE, {score: mean for score, (mean, _) in PRINTED.items()}, budget=300)
    assert result.verdict == "consistent"
    found = sorted((m.p, m.n, m.tp, m.tn) for m in result.witness.matrices)
    assert found == sorted(FOLDS)


@pytest.mark.parametrize("case", data("protocol_cases.json")["cases"], ids=lambda case: case["id"])
def test_documented_examples_of_the_peer(case: dict) -> None:
    experiment = sp.experiment_from_dict(case["experiment"])
    assert sp.experiment_from_dict(experiment.to_dict()) == experiment
    result = sp.check(experiment, case["scores"], eps=case["eps"], budget=120)
    assert result.verdict == case["expected"]
    assert result.certificate is None or sp.verify(result.certificate)


@pytest.mark.parametrize("case", data("peer_findings.json")["folds"], ids=lambda case: case["note"])
def test_what_the_peer_gets_wrong_about_folds(case: dict) -> None:
    if "folds" in case:
        experiment: sp.Experiment = sp.MeanOfScores([sp.TestSet(p, n) for p, n in case["folds"]])
    else:
        experiment = sp.KFold(**case["kfold"])
    undefined = "exclude" if "exclude" in case["expected"] else "any"
    result = sp.check(experiment, case["scores"], eps=case["eps"], undefined=undefined, budget=60)
    assert holds(result)
    if "exclude" in case["expected"]:
        assert "2 positives cannot fill 5 folds" in result.reason
        assert sp.check(experiment, case["scores"], eps=case["eps"], undefined="skip").verdict == "consistent"
