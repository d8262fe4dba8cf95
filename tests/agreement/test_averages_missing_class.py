"""Means over sets that lack a class, against trying every matrix of every set."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import scoreproof as sp

NAMES = (["acc"], ["err"], ["acc", "spec"], ["spec"], ["acc", "sens"], ["sens"], ["bacc"])


def mean(name: str, sets: list[tuple[int, int]], cells: tuple[tuple[int, int], ...], undefined: str) -> Fraction | None:
    values = []
    for (p, n), (tp, tn) in zip(sets, cells, strict=True):
        top, bottom = {
            "acc": (tp + tn, p + n),
            "err": (p + n - tp - tn, p + n),
            "sens": (tp, p),
            "spec": (tn, n),
            "bacc": (tp * n + tn * p, 2 * p * n),
        }[name]
        if bottom == 0 and undefined == "exclude":
            return None
        values.append(Fraction(top, bottom) if bottom else Fraction(0))
    return sum(values, Fraction(0)) / len(values)


def possible(sets: list[tuple[int, int]], texts: dict[str, str], undefined: str) -> bool:
    grids = [[(tp, tn) for tp in range(p + 1) for tn in range(n + 1)] for p, n in sets]
    for cells in product(*grids):
        means = [(mean(name, sets, cells, undefined), Fraction(text)) for name, text in texts.items()]
        if all(value is not None and abs(value - printed) <= Fraction(1, 1000) for value, printed in means):
            return True
    return False


def test_decided_as_trying_everything_does() -> None:
    rng = random.Random(3)
    seen = {"consistent": 0, "inconsistent": 0}
    for _ in range(400):
        drawn = [(rng.choice([0, 0, 1, 2, 3]), rng.choice([0, 1, 2, 3])) for _ in range(rng.randint(1, 3))]
        sets = [one for one in drawn if sum(one)]
        if not sets:
            continue
        undefined = rng.choice(["exclude", "zero"])
        texts = {
            name: f"{rng.choice((0, 250, 333, 500, 667, 750, 1000, 912)) / 1000:.3f}" for name in rng.choice(NAMES)
        }
        result = sp.check(sp.MeanOfScores([sp.TestSet(*one) for one in sets]), texts, undefined=undefined, strict=True)
        assert str(result.verdict) == ("consistent" if possible(sets, texts, undefined) else "inconsistent")
        assert result.certificate is None or sp.verify(result.certificate)
        seen[str(result.verdict)] += 1
    assert min(seen.values()) > 40


def test_folds_smaller_than_a_class_are_decided() -> None:
    """Up to as many folds as cases of a class, and beyond: accuracy is defined in all of them."""
    for k in range(2, 21):
        result = sp.check(sp.KFold(10, 20, k), {"acc": "0.91234"}, strict=True)
        assert result.verdict is sp.Verdict.INCONSISTENT
        assert sp.verify(result.certificate)
