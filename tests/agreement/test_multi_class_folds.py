"""Means over several matrices of several classes, against all choices of matrices; folds as scikit-learn makes them."""

from __future__ import annotations

import random
import warnings
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold
from tests.class_reports import all_matrices, printed

import scoreproof as sp
from scoreproof.errors import InvalidExperiment

FOLDS = ((1, 1, 2), (2, 1, 1))
NAMES = {"macro ppv": ("macro", "ppv"), "macro sens": ("macro", "sens"), "macro f1": ("macro", "f1")}


@pytest.mark.parametrize("seed", range(2))
def test_means_over_two_matrices_agree_with_brute_force(seed: int) -> None:
    rng = random.Random(seed)
    each = []
    for n in FOLDS:
        values = set()
        for counts in all_matrices(n):
            own = [counts.whole("acc", "zero")]
            values.add((*own, *(counts.average(name, average, "zero", False) for average, name in NAMES.values())))
        each.append(sorted(values))
    means = {tuple((a + b) / 2 for a, b in zip(one, other, strict=True)) for one, other in product(*each)}
    verdicts: Counter[str] = Counter()
    for _ in range(10):
        true = rng.choice(sorted(means))
        digits = rng.choice((1, 2, 3))
        chosen = sorted(rng.sample(range(4), rng.randint(2, 4)))
        texts = {at: printed(true[at], digits, "nearest", rng.choice((0, 0, 0, 1, -1, 2))) for at in chosen}
        half = Fraction(1, 2 * 10**digits)
        possible = any(all(abs(mean[at] - Fraction(text)) <= half for at, text in texts.items()) for mean in means)
        names = ["acc", *NAMES]
        answer = sp.check(
            sp.MeanOfScores([sp.MultiClass(n) for n in FOLDS]),
            {names[at]: text for at, text in texts.items()},
            rounding="nearest",
            undefined="zero",
            macro_f1="mean",
            budget=1,
            strict=True,
        )
        verdicts[str(answer.verdict)] += 1
        if answer.verdict != "undecided":
            assert str(answer.verdict) == ("consistent" if possible else "inconsistent"), texts
    assert verdicts["consistent"] + verdicts["inconsistent"] >= 3, verdicts


@pytest.mark.parametrize(("counts", "k"), [((7, 11, 5), 4), ((50, 70, 30), 5), ((3, 2, 9, 4), 3)])
def test_folds_are_those_of_scikit_learn(counts: tuple[int, ...], k: int) -> None:
    truth = np.repeat(range(len(counts)), counts)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        folds = [np.bincount(truth[test], minlength=len(counts)) for _, test in StratifiedKFold(k).split(truth, truth)]
    experiment = sp.KFold(counts=counts, k=k, rule="scikit-learn")
    assert [tuple(map(int, fold)) for fold in folds] == experiment.sets  # type: ignore[attr-defined]
    assert sp.experiment_from_dict(experiment.to_dict()) == experiment


def test_folds_that_depend_on_the_order_of_classes_need_a_word() -> None:
    with pytest.raises(InvalidExperiment, match="say rule='scikit-learn'"):
        sp.KFold(counts=[7, 11, 5], k=4)
    assert sp.KFold(counts=[50, 70, 30], k=5).kind == "multi_class"
    assert sp.KFold(10, 20, 5).kind == "binary"
    with pytest.raises(InvalidExperiment, match="parts of two classes each, or of several"):
        sp.MeanOfScores([sp.MultiClass([5, 7, 3]), sp.TestSet(5, 7)])


def test_added_matrices_are_one() -> None:
    parts = [sp.MultiClass([5, 7, 3]), sp.MultiClass([4, 7, 4])]
    scores = {"acc": "0.80", "macro f1": "0.78"}
    summed = sp.check(sp.ScoreOfMeans(parts), scores, strict=True)
    assert summed.problem == sp.check(sp.MultiClass([9, 14, 7]), scores, strict=True).problem
    mean = sp.MeanOfScores(parts)
    assert sp.experiment_from_dict(mean.to_dict()) == mean
    assert sp.check(mean, scores, strict=True).verdict == "consistent"
