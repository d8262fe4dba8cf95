"""The ranges of the cells of a confusion matrix of several classes against all matrices there are."""

from __future__ import annotations

import itertools
import random
from collections import defaultdict
from typing import Any

import pytest
from typer.testing import CliRunner

import scoreproof as sp
import scoreproof.cli.inference
from scoreproof.cli.app import app
from scoreproof.errors import InvalidOption
from scoreproof.insight.class_cells import cell_at
from scoreproof.kinds import kind_named
from scoreproof.kinds.multi_class.witness import ClassesWitness, ClassMatrix

Matrix = tuple[tuple[int, ...], ...]


def every_matrix(sizes: tuple[int, ...]) -> list[Matrix]:
    rows = ([row for row in itertools.product(range(n + 1), repeat=len(sizes)) if sum(row) == n] for n in sizes)
    return list(itertools.product(*rows))


def counts_of(matrix: Matrix) -> tuple[tuple[int, int], ...]:
    return tuple((row[i], sum(other[i] for other in matrix)) for i, row in enumerate(matrix))


@pytest.mark.parametrize("sizes", [(2, 3, 2), (3, 1, 3), (4, 5), (2, 0, 2), (2, 2, 1, 2)])
def test_a_cell_has_every_count_of_its_range(sizes: tuple[int, ...]) -> None:
    """The theorem by itself: for known tp and q, every count between the two ends and no other."""
    groups: dict[Any, list[Matrix]] = defaultdict(list)
    for matrix in every_matrix(sizes):
        groups[counts_of(matrix)].append(matrix)
    for counts, matrices in groups.items():
        for i, j in itertools.product(range(len(sizes)), repeat=2):
            low, high = cell_at(counts, sizes, (i, j))
            assert {matrix[i][j] for matrix in matrices} == set(range(low, high + 1))


def holds(answer: Any, matrix: Matrix) -> bool:
    cells = tuple((i, j, n) for i, row in enumerate(matrix) for j, n in enumerate(row) if n)
    return kind_named("multi_class").holds(answer.problem, ClassesWitness((ClassMatrix(len(matrix), cells),)))


@pytest.mark.parametrize("sizes", [(2, 3, 2), (3, 1, 3)])
def test_every_range_is_that_of_brute_force(sizes: tuple[int, ...]) -> None:
    rng = random.Random(sum(sizes))
    every = every_matrix(sizes)
    k, total, wide = len(sizes), sum(sizes), 0
    for _ in range(6):
        matrix = rng.choice(every)
        counts = counts_of(matrix)
        scores: dict[str, Any] = {"acc": f"{sum(tp for tp, _ in counts) / total:.2f}"}
        scores["macro ppv"] = f"{sum(tp / q if q else 0 for tp, q in counts) / k:.2f}"
        if rng.random() < 0.5:
            scores["sens"] = [f"{tp / n:.2f}" for (tp, _), n in zip(counts, sizes, strict=True)]
        found = sp.reconstruct_classes(sizes, scores, rounding="nearest", undefined="zero", budget=60)
        fitting = [one for one in every if holds(found.answer, one)]
        assert matrix in fitting
        for i, j in itertools.product(range(k), repeat=2):
            values = [one[i][j] for one in fitting]
            cell = found.cells[i][j]
            assert (cell.low, cell.high, cell.exact) == (min(values), max(values), True), (scores, i, j)
            wide += cell.low < cell.high
    assert wide > 10


def test_ranges_hold_for_the_matrix_behind_a_large_report() -> None:
    matrix = ((44, 3, 3), (5, 60, 5), (2, 1, 27))
    found = sp.reconstruct_classes(
        [50, 70, 30], {"acc": "0.873", "macro f1": "0.873", "kappa": "0.805"}, rounding="nearest", budget=20
    )
    assert found.verdict == "consistent"
    for row, cells in zip(matrix, found.cells, strict=True):
        assert all(cell.low <= count <= cell.high for count, cell in zip(row, cells, strict=True))
    assert sum(cell.high - cell.low for cells in found.cells for cell in cells) < 9 * 30
    with pytest.raises(InvalidOption, match="cases of every class"):
        sp.reconstruct_classes(sp.MultiClass(total=9, classes=3), {"acc": "0.9"})


def test_the_command(tmp_path: Any) -> None:
    plot = tmp_path / "cells.svg"
    given = [
        "reconstruct",
        "--classes",
        "cat=5,dog=4,cow=3",
        "acc=0.75",
        "sens=0.80,0.75,0.67",
        "--rounding",
        "nearest",
    ]
    run = CliRunner().invoke(app, [*given, "--plot", str(plot)])
    assert run.exit_code == 0, run.output
    assert "0 to 1" in run.output
    assert plot.read_text(encoding="utf-8").count("<svg") == 1
    run = CliRunner().invoke(app, [*given, "--p", "5"])
    assert isinstance(run.exception, InvalidOption)
    run = CliRunner().invoke(app, ["reconstruct", "--classes", "5,4,3", "acc=0.76", "--rounding", "nearest"])
    assert run.exit_code == 1
