"""Printed matrices of row shares, with scores beside them, against all matrices there are."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from tests.agreement.test_class_cells_brute_force import Matrix, every_matrix
from tests.forgery import alterations, certificate_of, printed_as, sealed
from typer.testing import CliRunner

import scoreproof as sp
import scoreproof.cli.check
from scoreproof.checking import Answer, ask
from scoreproof.cli.app import app
from scoreproof.errors import InvalidExperiment, ScoreproofError
from scoreproof.kinds import kind_named, read_problem
from scoreproof.kinds.multi_class.witness import ClassesWitness, ClassMatrix
from scoreproof.kinds.printed_shares import matrix_within

KIND = kind_named("printed_shares")


def witness_of(matrix: Matrix) -> ClassesWitness:
    cells = tuple((i, j, n) for i, row in enumerate(matrix) for j, n in enumerate(row) if n)
    return ClassesWitness((ClassMatrix(len(matrix), cells),))


def printed(matrix: Matrix, digits: int) -> list[list[str]]:
    return [[printed_as(Fraction(100 * n, sum(row)), digits, "nearest") + "%" for n in row] for row in matrix]


def scores_of(matrix: Matrix, rng: random.Random) -> dict[str, Any]:
    k, total = len(matrix), sum(map(sum, matrix))
    tp, q = [matrix[i][i] for i in range(k)], [sum(row[i] for row in matrix) for i in range(k)]
    move = rng.choice((0, 0, 3, -4))
    scores: dict[str, Any] = {"acc": f"{sum(tp) / total + move / 100 * (rng.random() < 0.4):.2f}"}
    if rng.random() < 0.7:
        scores["macro ppv"] = f"{sum(t / g if g else 0 for t, g in zip(tp, q, strict=True)) / k + move / 100:.2f}"
    return scores


@pytest.mark.parametrize(("sizes", "digits"), [((4, 5, 3), 0), ((7, 6), 0), ((9, 8, 2), 0), ((5, 4, 4), 1)])
def test_every_verdict_is_that_of_brute_force(sizes: tuple[int, ...], digits: int) -> None:
    rng = random.Random(digits + sum(sizes))
    every = every_matrix(sizes)
    verdicts: Counter[str] = Counter()
    for _ in range(9):
        matrix = rng.choice(every)
        shares = printed(matrix, digits)
        if rng.random() < 0.2:
            shares[0][1] = shares[0][0]
        rounding = rng.choice(("nearest", "any"))
        experiment = sp.PrintedClasses(shares, counts=sizes)
        answer = sp.check(
            experiment, scores_of(matrix, rng), rounding=rounding, undefined="zero", budget=30, strict=True
        )
        possible_at_all = any(KIND.holds(answer.problem, witness_of(one)) for one in every)
        verdicts[str(answer.verdict)] += 1
        assert str(answer.verdict) == ("consistent" if possible_at_all else "inconsistent"), (shares, answer)
        assert Answer.from_dict(json.loads(answer.to_json())) == answer
        if answer.proof is not None:
            assert answer.reason
            assert sp.verify(answer.certificate)
    assert min(verdicts["consistent"], verdicts["inconsistent"]) > 0


def test_sums_within_bounds_are_met_exactly_where_a_matrix_does() -> None:
    """The flow of the engine against listing."""
    rng = random.Random(3)
    met = 0
    for _ in range(400):
        k = rng.choice((2, 3))
        bounds = [[(low, low + rng.randint(0, 2)) for low in (rng.randint(0, 2) for _ in range(k))] for _ in range(k)]
        cells = [range(low, high + 1) for row in bounds for low, high in row]
        flat = [rng.choice(own) for own in cells] if rng.random() < 0.7 else [rng.randint(0, 4) for _ in cells]
        one = [flat[k * i : k * i + k] for i in range(k)]
        right = [one[i][i] for i in range(k)]
        rows, columns = [sum(row) for row in one], [sum(row[j] for row in one) for j in range(k)]
        rng.shuffle(columns)
        found = any(
            [each[i * k + i] for i in range(k)] == right
            and [sum(each[k * i : k * i + k]) for i in range(k)] == rows
            and [sum(each[j::k]) for j in range(k)] == columns
            for each in itertools.product(*cells)
        )
        met += found
        assert (matrix_within(bounds, right, rows, columns) is not None) == found
    assert 50 < met < 350


def test_altered_certificates_are_rejected_or_still_true() -> None:
    shares = [["91%", "5%", "4%"], ["3%", "90%", "7%"], ["10%", "3%", "87%"]]
    given = sp.PrintedClasses(shares, counts={"cat": 20, "dog": 30, "cow": 15})
    refuted = [
        sp.check(given, {"acc": "0.89", "macro f1": "0.97"}, strict=True),
        sp.check(given, {"acc": "0.89"}, rounding="nearest", strict=True),
        sp.check(sp.PrintedClasses(shares, counts=[200, 300, 150]), {"kappa": "0.60"}, strict=True),
    ]
    rng = random.Random(1)
    for answer in refuted:
        document = certificate_of(answer)
        assert sp.verify(document)
        changed = [(altered, document["proof"]) for altered in alterations(document["statement"])]
        changed += [(document["statement"], altered) for altered in alterations(document["proof"])]
        rejected = 0
        for statement, proof in rng.sample(changed, min(40, len(changed))):
            if not sp.verify(sealed("printed_shares", statement, proof)):
                rejected += 1
                continue
            try:
                again = ask(read_problem("printed_shares", statement), budget=3)
            except ScoreproofError:
                continue
            assert again.verdict != "consistent", (statement, proof)
        assert rejected >= 5


def test_words_name_the_cell() -> None:
    shares = [["91%", "5%", "4%"], ["3%", "90%", "7%"], ["10%", "3%", "87%"]]
    given = sp.PrintedClasses(shares, ["cat", "dog", "cow"], counts=[200, 300, 150])
    answer = sp.check(given, {"sens": ["0.91", "0.95", None], "acc": "0.89"}, strict=True)
    assert answer.reason == "no counts of the printed shares give recall of dog = 0.95 (cell dog, dog: 90%)"
    shares[0][2] = "8%"
    answer = sp.check(
        sp.PrintedClasses(shares, ["cat", "dog", "cow"], counts=[200, 300, 150]), {"acc": "0.89"}, strict=True
    )
    assert answer.reason == "the cells of row cat make 202 to 214 cases, not 200"
    counted = sp.check(sp.PrintedClasses([[18, 2], [5, 15]], ["cat", "dog"]), {"sens": ["0.80", "0.75"]}, strict=True)
    assert counted.reason == (
        "the matrix gives recall of cat 0.9000, not 0.80 (cell cat, cat: 18 of 20 cases, 23 given)"
    )
    with pytest.raises(InvalidExperiment, match="as printed"):
        sp.PrintedClasses([[0.5, 0.5], [0.5, 0.5]], counts=[2, 2])
    with pytest.raises(InvalidExperiment, match="add up to 4, not 5"):
        sp.PrintedClasses([["50%", "50%"], ["50%", "50%"]], counts=[2, 2], total=5)


def test_the_command() -> None:
    matrix = "91% 5% 4%; 3% 90% 7%; 10% 3% 87%"
    run = CliRunner().invoke(app, ["check", "--matrix", matrix, "--classes", "cat=200,dog=300,cow=150", "acc=0.89"])
    assert run.exit_code == 0, run.output
    run = CliRunner().invoke(app, ["check", "--matrix", matrix, "--classes", "200,300,150", "kappa=0.60"])
    assert run.exit_code == 1, run.output
