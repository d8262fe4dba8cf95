"""A short run of what ``make fuzz`` does at length, and agreement with scikit-learn."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from benchmarks.fuzz import judge_moved, judge_true, moved_cases, true_cases
from sklearn import metrics

import scoreproof as sp


def test_true_reports_are_never_flagged() -> None:
    answers = Counter(judge_true(case) for case in itertools.islice(true_cases(seed=2024), 3000))
    assert answers == {"consistent": 3000}


def test_moved_reports_are_decided_as_brute_force_does() -> None:
    answers = Counter(judge_moved(case) for case in itertools.islice(moved_cases(seed=2024), 2500))
    assert set(answers) == {"consistent", "inconsistent"}
    assert answers["consistent"] > 20


SKLEARN = {
    "acc": metrics.accuracy_score,
    "sens": metrics.recall_score,
    "ppv": metrics.precision_score,
    "f1": metrics.f1_score,
    "f0.5": lambda y, z: metrics.fbeta_score(y, z, beta=0.5),
    "mcc": metrics.matthews_corrcoef,
    "kappa": metrics.cohen_kappa_score,
    "ji": metrics.jaccard_score,
    "bacc": metrics.balanced_accuracy_score,
}


@pytest.mark.parametrize("name", SKLEARN)
def test_scores_agree_with_scikit_learn(name: str) -> None:
    rng = np.random.default_rng(7)
    for _ in range(20):
        truth = rng.integers(0, 2, 200)
        guess = np.where(rng.random(200) < 0.7, truth, 1 - truth)
        tn, fp, fn, tp = metrics.confusion_matrix(truth, guess).ravel().tolist()
        expected = SKLEARN[name](truth, guess)
        assert sp.score(name)(tp, fp, fn, tn) == pytest.approx(expected, rel=1e-12)
        assert sp.score(name).values([tp], [fp], [fn], [tn])[0] == pytest.approx(expected, rel=1e-12)
