"""Where sizes are open, the example has sizes that a paper could have."""

from __future__ import annotations

import random
from itertools import count

import pytest

import scoreproof as sp
from scoreproof.kinds import kind_named
from scoreproof.kinds.binary.scores import score

ANY = sp.UnknownClasses()
SETS = [
    ("acc", "sens", "spec"),
    ("sens", "ppv", "f1"),
    ("acc", "sens", "ppv", "f1"),
    ("acc", "mcc"),
    ("bacc", "f1", "acc"),
    ("sens", "spec", "ppv", "npv"),
]


def smallest_total(claims: tuple[sp.Claim, ...]) -> int:
    """By trying every matrix of every total."""
    for total in count(1):
        for tp in range(total + 1):
            for fp in range(total + 1 - tp):
                for fn in range(total + 1 - tp - fp):
                    cells = tp, fp, fn, total - tp - fp - fn
                    sides = [
                        (one.score.compare(*cells, one.low), one.score.compare(*cells, one.high)) for one in claims
                    ]
                    if all(low is not None and high is not None and low >= 0 >= high for low, high in sides):
                        return total
    raise AssertionError


@pytest.mark.parametrize(
    ("scores", "total"),
    [
        ({"acc": "0.69", "mcc": "0.21"}, 10),
        ({"sens": "0.667", "spec": "0.625"}, 11),
        ({"sens": "0.51", "ppv": "1.00", "f1": "0.67"}, 2),
        ({"acc": "0.82", "ppv": "0.75", "sens": "0.89"}, 22),
        ({"f1": "0.85", "kappa": "0.26"}, None),
    ],
)
def test_the_example_is_the_smallest_that_does_it(scores: dict[str, str], total: int | None) -> None:
    answer = sp.check(ANY, scores, strict=True)
    known = smallest_total(answer.claims)
    assert total in (None, known)
    matrix = answer.witness.matrix
    assert matrix.p + matrix.n == known


@pytest.mark.parametrize("seed", range(12))
def test_examples_have_sizes_that_a_paper_could_have(seed: int) -> None:
    rng = random.Random(seed)
    p, n = rng.randint(30, 3000), rng.randint(30, 3000)
    tp, tn = round(p * rng.uniform(0.5, 1)), round(n * rng.uniform(0.5, 1))
    for names in SETS:
        texts = {name: score(name).text(tp, n - tn, p - tp, tn, digits=rng.choice((2, 3, 4))) for name in names}
        for experiment in (ANY, sp.AverageOf(), sp.AverageOf(5), sp.UnknownClasses(prevalence=f"{p / (p + n):.2f}")):
            if isinstance(experiment, sp.AverageOf) and {"mcc", "bacc"} & {*names}:
                continue
            answer = sp.check(experiment, texts, strict=True)  # type: ignore[arg-type]
            assert answer.verdict == "consistent"
            assert kind_named(answer.problem.kind).holds(answer.problem, answer.witness)
            assert max(matrix.p + matrix.n for matrix in answer.witness.matrices) <= 200_000
        curve = sp.check(ANY, {**texts, "auc": f"{tp / p / 2 + tn / n / 2:.3f}"}, strict=True)  # type: ignore[dict-item]
        if curve.witness is not None:
            assert max(path.matrix.p + path.matrix.n for path in curve.witness.curves) <= 10_000_000
