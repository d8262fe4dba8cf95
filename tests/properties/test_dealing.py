"""Rates over folds of unknown classes: classes are dealt, then tp and tn found apart."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import islice, product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as some

import scoreproof as sp
from scoreproof.kinds import kind_named
from scoreproof.kinds.binary.engine.averages.seeking.dealing import Dealing, applies
from scoreproof.kinds.binary.engine.averages.targets import Demand
from scoreproof.kinds.binary.experiment.folds import dealt_folds
from scoreproof.work.budget import Budget

NAMES = ("acc", "sens", "spec", "bacc")


def _demand(experiment: sp.Experiment, scores: dict[str, str], **options: object) -> Demand:
    kind = kind_named("binary")
    found: Demand = kind._demanded(kind.problem(experiment, scores, undefined="exclude", **options))
    return found


def _report(rng: random.Random, sets: list[tuple[int, int, int]], digits: int, missing: str) -> dict[str, str]:
    """Means of rates over data sets in folds whose classes fall at random, to so many digits."""
    totals = dict.fromkeys(NAMES, Fraction(0))
    for p, n, k in sets:
        labels = [1] * (p - k) + [0] * (n - k)
        rng.shuffle(labels)
        size, larger = divmod(len(labels), k)
        for fold in range(k):
            mine = [labels.pop() for _ in range(size + (fold < larger))] + [0, 1]
            a, b = sum(mine), len(mine) - sum(mine)
            tp, tn = rng.randint(a // 2, a), rng.randint(b // 2, b)
            rates = (Fraction(tp + tn, a + b), Fraction(tp, a), Fraction(tn, b), Fraction(tp * b + tn * a, 2 * a * b))
            for name, rate in zip(NAMES, rates, strict=True):
                totals[name] += rate / k / len(sets)
    return {name: f"{float(value):.{digits}f}" for name, value in totals.items() if name != missing}


@given(some.integers(0, 10**6), some.sampled_from(NAMES), some.integers(1, 3))
@settings(max_examples=25)
def test_true_means_over_folds_of_unknown_classes_have_a_witness(seed: int, missing: str, count: int) -> None:
    rng = random.Random(seed)
    sets = [(rng.randint(8, 30), rng.randint(8, 30), rng.randint(2, 3)) for _ in range(count)]
    scores = _report(rng, sets, 3, missing)
    folds = [sp.KFold(p, n, k, stratified=False) for p, n, k in sets]
    demand = _demand(sp.MeanOfScores(folds) if count > 1 else folds[0], scores, rounding="any")
    assert applies(demand)
    found = Dealing(demand, 0).attempt(Budget(20))
    assert found is not None
    assert demand.fits(found)


@given(some.integers(0, 10**6))
@settings(max_examples=15)
def test_all_ways_to_deal_are_tried(seed: int) -> None:
    """Two folds of few cases: a witness is found if and only if trying everything finds one."""
    rng = random.Random(seed)
    p, n = rng.randint(3, 6), rng.randint(3, 6)
    scores = {"acc": f"{rng.uniform(0.4, 0.9):.2f}", "sens": f"{rng.uniform(0.4, 0.9):.2f}"}
    scores["spec"] = f"{rng.uniform(0.4, 0.9):.2f}"
    demand = _demand(sp.KFold(p, n, 2, stratified=False), scores, eps="0.02")
    found = Dealing(demand, seed).attempt(Budget(20))
    assert (found is not None) == _some_fit(p, n, {name: float(text) for name, text in scores.items()}, 0.02)


def _some_fit(p: int, n: int, wanted: dict[str, float], eps: float) -> bool:
    size = (p + n + 1) // 2
    for a in range(1, p):
        b = size - a
        if not 1 <= b <= n - 1:
            continue
        for tp, tn, tp2, tn2 in product(range(a + 1), range(b + 1), range(p - a + 1), range(n - b + 1)):
            values = {
                "acc": (tp + tn) / size / 2 + (tp2 + tn2) / (p + n - size) / 2,
                "sens": tp / a / 2 + tp2 / (p - a) / 2,
                "spec": tn / b / 2 + tn2 / (n - b) / 2,
            }
            if all(abs(values[name] - wanted[name]) <= eps + 1e-12 for name in wanted):
                return True
    return False


def test_other_reports_are_left_to_others() -> None:
    folds = sp.KFold(20, 30, 3, stratified=False)
    assert not applies(_demand(folds, {"sens": "0.8", "f1": "0.7"}))
    assert not applies(_demand(folds, {"sens": "0.8", "acc": "0.7"}))  # nothing is said of specificity
    assert not applies(_demand(folds, {"sens": "0.8 ± 0.1", "spec": "0.7"}))
    assert not applies(_demand(sp.KFold(20, 30, 3), {"sens": "0.8", "spec": "0.7"}))
    assert np.isfinite(Dealing(_demand(folds, {"sens": "0.8", "bacc": "0.7"}), 0)._rates).all()


def test_ways_to_deal_come_soon_even_if_folds_of_one_size_cannot_hold_all_positives() -> None:
    """Most of the 187 positives go into the 37 larger folds; ways to fill these alone are beyond count."""
    assert len(list(islice(dealt_folds(187, 12, 38, trainable=False), 50))) == 50
    assert len(list(islice(dealt_folds(700, 60, 39, trainable=True), 50))) == 50
