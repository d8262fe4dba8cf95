"""Precision averaged over both classes, over folds: as scikit-learn fills a class that is never predicted."""

import random
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from sklearn.metrics import precision_score

import scoreproof as sp
from scoreproof.checking import ask
from scoreproof.kinds.binary.assumptions import averaged
from scoreproof.kinds.binary.engine.averages.constraints import filled
from scoreproof.kinds.binary.problem import BinaryProblem
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.reported import read_scores
from scoreproof.reported.conventions import Undefined
from scoreproof_verify.formulas import of_one_class

Cells = tuple[int, int, int, int]
FOLDS = [(1, 2), (2, 1), (2, 2)]


def by_scikit_learn(cells: Cells, average: str, fill: int) -> float:
    tp, fp, fn, tn = cells
    true = [1] * (tp + fn) + [0] * (fp + tn)
    called = [1] * tp + [0] * fn + [1] * fp + [0] * tn
    return float(precision_score(true, called, average=average, zero_division=fill))


def exact(cells: Cells, average: str, way: str) -> Fraction | None:
    """The average of the precisions of both classes, written out; None if it is left out."""
    tp, fp, fn, tn = cells
    weights = (tp + fn, fp + tn) if average == "weighted" else (1, 1)
    fill = {"zero": Fraction(0), "one": Fraction(1)}.get(way)
    values = [Fraction(a, a + b) if a + b else fill for a, b in ((tp, fp), (tn, fn))]
    if None in values and way == "skip":
        return None
    known = [(value, weight) for value, weight in zip(values, weights, strict=True) if value is not None]
    return sum((v * w for v, w in known), Fraction(0)) / sum(w for _, w in known)


def problem(text: str, average: str, undefined: str, folds: list[tuple[int, int]]) -> BinaryProblem:
    claims = averaged(read_scores({"ppv": text}, rounding="nearest"), average)
    assert claims is not None
    return BinaryProblem(sp.MeanOfScores([sp.TestSet(*fold) for fold in folds]), claims, Undefined(undefined))


@pytest.mark.parametrize(("average", "way"), list(product(("macro", "weighted"), ("zero", "one"))))
def test_both_sides_fill_as_scikit_learn_does(average: str, way: str) -> None:
    score = problem("0.5", average, "zero", FOLDS).claims[0].score
    for p, n in ((1, 2), (3, 2), (5, 1)):
        for cells in ((0, 0, p, n), (p, n, 0, 0)):
            expected = by_scikit_learn(cells, average, int(way == "one"))
            assert float(filled(score, way, ConfusionMatrix(*cells)) or 0) == pytest.approx(expected)
            assert float(Fraction(*of_one_class(score.name, way, cells[0], cells[3], p, n))) == pytest.approx(expected)


@pytest.mark.parametrize("average", ["macro", "weighted"])
@pytest.mark.parametrize("undefined", ["any", "zero", "one", "skip"])
def test_tiny_folds_agree_with_trying_everything(average: str, undefined: str) -> None:
    rng = random.Random(f"{average} {undefined}")
    ways = ["zero", "skip", "present"] if undefined == "any" else [undefined]
    grids = [[(tp, n - tn, p - tp, tn) for tp in range(p + 1) for tn in range(n + 1)] for p, n in FOLDS]
    means: dict[str, set[Fraction]] = {way: set() for way in ways}
    for way, matrices in product(ways, product(*grids)):
        values = [x for cells in matrices if (x := exact(cells, average, way)) is not None]
        if values:
            means[way].add(sum(values, Fraction(0)) / len(values))
    verdicts: set[Any] = set()
    every = sorted(set().union(*means.values()))
    for turn in range(12):
        text = f"{float(rng.choice(every)) if turn % 2 else rng.uniform(0.1, 1):.3f}"
        middle, half = Fraction(text), Fraction(1, 2000)
        possible = any(abs(mean - middle) <= half for mine in means.values() for mean in mine)
        answer = ask(problem(text, average, undefined, FOLDS), budget=20)
        assert answer.verdict == ("consistent" if possible else "inconsistent"), text
        verdicts.add(str(answer.verdict))
    assert len(verdicts) == 2


@pytest.mark.parametrize(("average", "fill"), list(product(("macro", "weighted"), (0, 1))))
def test_what_scikit_learn_gives_is_not_flagged(average: str, fill: int) -> None:
    rng = random.Random(average)
    for _ in range(6):
        folds = [(rng.randint(1, 5), rng.randint(1, 5)) for _ in range(3)]
        cells = [rng.choice([(0, 0, p, n), (p, n, 0, 0), (p, 0, 0, n)]) for p, n in folds]
        text = f"{sum(by_scikit_learn(each, average, fill) for each in cells) / 3:.4f}"
        for undefined in ("any", "zero") if fill == 0 else ("one",):
            assert ask(problem(text, average, undefined, folds), budget=5).verdict != "inconsistent"
