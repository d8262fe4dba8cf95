"""What tables say against themselves, against trying everything on small grids."""

from __future__ import annotations

import random
from collections import defaultdict
from fractions import Fraction
from itertools import combinations, product

import pytest
from tests.forgery import decimal_text

import scoreproof as sp
from scoreproof.checking import ask
from scoreproof.kinds.average import printed_average
from scoreproof.kinds.binary.scores import ConfusionMatrix, score
from scoreproof.kinds.one_test_set import one_test_set
from scoreproof.kinds.printed_matrix import NAMES, printed_matrix

STEP = Fraction(1, 200)  # every end of a printed interval is on the grid, and so is every middle of two
GRID = [STEP * k for k in range(71)]  # 0 to 0.35


def texts_of(value: Fraction, digits: int) -> set[str]:
    """All texts a value may print as by rounding to the nearest, a tie either way."""
    scaled = value * 10**digits
    near = range(scaled.__floor__(), scaled.__ceil__() + 1)
    return {decimal_text(units, digits) for units in near if abs(scaled - units) <= Fraction(1, 2)}


@pytest.mark.parametrize("statistic", ["mean", "deviation"])
def test_two_rows_and_every_statistic(statistic: str) -> None:
    """Of two rows the mean is half their sum, and the population deviation half their distance."""
    seen: dict[tuple[str, str], set[str]] = defaultdict(set)
    for first, second in product(GRID, repeat=2):
        value = (first + second) / 2 if statistic == "mean" else abs(first - second) / 2
        for rows in product(texts_of(first, 1), texts_of(second, 1)):
            seen[rows] |= texts_of(value, 2)
    compared = 0
    for rows in product(("0.1", "0.2", "0.3"), repeat=2):
        for units in range(40):
            text = decimal_text(units, 2)
            problem = printed_average("loss", rows, text, statistic=statistic, divisor="population", rounding="nearest")
            expected = "consistent" if text in seen[rows] else "inconsistent"
            assert ask(problem).verdict == expected, (rows, text)
            compared += 1
    assert compared == 360


def all_matrices(most: int) -> list[ConfusionMatrix]:
    return [ConfusionMatrix(*cells) for cells in product(range(most + 1), repeat=4)]


def counted(matrix: ConfusionMatrix) -> dict[str, int]:
    return matrix.to_dict() | {"p": matrix.p, "n": matrix.n, "total": matrix.p + matrix.n}


def test_every_way_to_print_three_small_counts() -> None:
    """Any three of the counts, each from 0 to 2: no cell above 6 is needed to have them, if anything has them."""
    possible: dict[tuple[str, ...], set[tuple[int, ...]]] = defaultdict(set)
    for matrix in all_matrices(4):
        every = counted(matrix)
        for names in combinations(NAMES, 3):
            possible[names].add(tuple(every[name] for name in names))
    for names in combinations(NAMES, 3):
        for values in product(range(3), repeat=3):
            answer = ask(printed_matrix(dict(zip(names, values, strict=True))))
            assert answer.verdict == ("consistent" if values in possible[names] else "inconsistent"), (names, values)
            assert answer.certificate is None or sp.verify(answer.certificate)


def test_scores_beside_counts() -> None:
    """Never refuted if some matrix fits; decided whenever both class counts are known."""
    rng = random.Random(7)
    small = all_matrices(5)
    for _ in range(250):
        source = rng.choice(small)
        names = rng.sample(NAMES, rng.randint(1, 4))
        counts = {name: counted(source)[name] + (rng.random() < 0.1) for name in names}
        texts = {name: decimal_text(rng.randint(0, 10), 1) for name in rng.sample(("acc", "sens", "spec", "ppv"), 2)}
        problem = printed_matrix(counts, texts, rounding="nearest", undefined="exclude")
        fits = any(
            all(counted(matrix)[name] == value for name, value in counts.items())
            and all(inside(matrix, claim.score.name, claim.low, claim.high) for claim in problem.claims)
            for matrix in small
        )
        answer = ask(problem)
        if fits:
            assert answer.verdict != "inconsistent", str(answer)
        known = problem.known.counts
        if "p" in known and "n" in known and known["p"] + known["n"] > 0 and max(known.values()) <= 5:
            assert answer.verdict == ("consistent" if fits else "inconsistent"), str(answer)


def inside(matrix: ConfusionMatrix, name: str, low: Fraction, high: Fraction) -> bool:
    num, den = score(name).ratio(*matrix.cells)
    return bool(den and low * den <= num <= high * den)


def test_two_rows_of_eight_cases() -> None:
    """Never refuted if some class counts fit both rows."""
    rng = random.Random(11)
    names = ("acc", "sens", "spec")
    total = 8
    matrices = [matrix for matrix in all_matrices(total) if sum(matrix.cells) == total and matrix.p and matrix.n]
    refuted = 0
    for _ in range(60):
        rows = {
            label: {name: str(rng.choice(matrices).score(name, digits=1)) for name in names}
            if rng.random() < 0.3
            else {name: str(source.score(name, digits=2)) for name in names}
            for label, source in zip("AB", rng.choices(matrices, k=2), strict=True)
        }
        problem = one_test_set(rows, total=total, rounding="nearest", undefined="exclude")
        fitting = [
            {matrix.p for matrix in matrices if all(inside(matrix, c.score.name, c.low, c.high) for c in row.claims)}
            for row in problem.rows
        ]
        answer = ask(problem, budget=5.0)
        if fitting[0] & fitting[1]:
            assert answer.verdict == "consistent", str(answer)
        else:
            assert answer.verdict != "consistent", str(answer)
            refuted += answer.verdict == "inconsistent"
    assert refuted > 10
