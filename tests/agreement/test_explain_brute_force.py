"""Conflicts and repairs against trying every matrix and every text."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations

import scoreproof as sp
from scoreproof.insight.explanation import explain
from scoreproof.insight.repairs import text_slips

NAMES = ("acc", "sens", "spec", "ppv", "f1")


def value(name: str, tp: int, fp: int, fn: int, tn: int) -> Fraction | None:
    """The formulas written out once more, independent of the registry."""
    top, bottom = {
        "acc": (tp + tn, tp + fp + fn + tn),
        "sens": (tp, tp + fn),
        "spec": (tn, tn + fp),
        "ppv": (tp, tp + fp),
        "f1": (2 * tp, 2 * tp + fp + fn),
    }[name]
    return Fraction(top, bottom) if bottom else None


def possible(p: int, n: int, scores: dict[str, str]) -> bool:
    unit = {name: Fraction(1, 10 ** len(text.partition(".")[2])) for name, text in scores.items()}
    for tp in range(p + 1):
        for tn in range(n + 1):
            values = {name: value(name, tp, n - tn, p - tp, tn) for name in scores}
            if all(one is not None and abs(one - Fraction(scores[name])) <= unit[name] for name, one in values.items()):
                return True
    return False


def test_minimal_conflicts_are_all_of_them() -> None:
    rng = random.Random(5)
    seen = 0
    for _ in range(60):
        p, n = rng.randint(2, 12), rng.randint(2, 12)
        scores = {name: f"{rng.randint(30, 100) / 100:.2f}" for name in rng.sample(NAMES, rng.randint(1, 4))}
        wanted: set[frozenset[str]] = set()
        for size in range(1, len(scores) + 1):
            for subset in combinations(scores, size):
                if not any(known <= set(subset) for known in wanted) and not possible(
                    p, n, {name: scores[name] for name in subset}
                ):
                    wanted.add(frozenset(subset))
        found = explain(sp.check(sp.TestSet(p, n), scores, strict=True), assumptions=False)
        assert {frozenset(one.scores) for one in found.conflicts} == wanted
        seen += bool(wanted)
    assert seen > 20


def test_a_fitting_digit_is_never_missed() -> None:
    rng = random.Random(6)
    for _ in range(12):
        p, n = rng.randint(5, 15), rng.randint(5, 15)
        scores = {name: f"{rng.randint(300, 999) / 1000:.3f}" for name in ("acc", "sens", "spec")}
        result = sp.check(sp.TestSet(p, n), scores, strict=True)
        if result.verdict is not sp.Verdict.INCONSISTENT:
            continue
        wanted = set()
        for name, text in scores.items():
            for _, other in text_slips(sp.report(name, text)):
                inside = "%" not in other and 0 <= Fraction(other) <= 1
                if inside and possible(p, n, {**scores, name: other}):
                    wanted.add((name, other))
        repairs = explain(result, assumptions=False).repairs
        if len(repairs) < 10:
            found = {(r.changes[0].score, r.changes[0].repaired) for r in repairs if len(r.changes) == 1}
            assert wanted <= found
