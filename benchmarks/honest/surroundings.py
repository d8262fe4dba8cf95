"""Columns and rows that stand beside scores in honest tables and are no scores of the row's matrix."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.honest.cells import Cell, Style
from benchmarks.honest.cohorts import Generator
from benchmarks.honest.designs import Matrix


def append(header: list[str], rows: list[list[Cell]], names: Sequence[str], columns: Sequence[Sequence[Cell]]) -> None:
    header += names
    for row, cells in zip(rows, columns, strict=True):
        row += cells


Extra = Callable[[Generator, Style, list[Matrix], list[list[Any]]], tuple[list[str], list[list[Cell]]]]


def _count(number: int) -> Cell:
    return Cell(str(number), number)


def _one_column(name: str, cells: list[Cell]) -> tuple[list[str], list[list[Cell]]]:
    return [name], [[cell] for cell in cells]


def _difference(value: Any, other: Any) -> Cell:
    return Cell(f"{value - other:+.3f}") if math.isfinite(value - other) else Cell("-")


def _random_score(rng: Generator, how: Style, matrices: list[Matrix]) -> list[Cell]:
    return [how.cell(rng.uniform(0.4, 1.0)) for _ in matrices]


def _area(rng: Generator, how: Style, matrix: Matrix) -> Cell:
    """The AUC of some ranking, with ties perhaps, at one of whose thresholds the matrix stands."""
    tp, fp, fn, tn = matrix
    if not (tp + fn and fp + tn):
        return Cell("-")
    cells = (tp + fn) * (fp + tn)
    return how.cell(int(rng.integers(2 * tp * tn, 2 * (cells - fp * fn) + 1)) / (2 * cells))


EXTRAS: dict[str, Extra] = {
    "AUC": lambda rng, how, matrices, values: _one_column(
        str(rng.choice(["AUC", "AUROC", "ROC AUC"])), [_area(rng, how, matrix) for matrix in matrices]
    ),
    "ranking": lambda rng, how, matrices, values: _one_column(
        str(rng.choice(["P@5", "Recall@10", "AP@0.5", "Top-5 Acc", "mAP", "Mean Average Precision", "FPR@95"])),
        _random_score(rng, how, matrices),
    ),
    "training": lambda rng, how, matrices, values: _one_column(
        str(rng.choice(["Train Acc", "Training accuracy", "Val Acc"])), _random_score(rng, how, matrices)
    ),
    "difference": lambda rng, how, matrices, values: _one_column(
        str(rng.choice(["Δ", "Delta", "Gain", "vs. baseline", "Improvement"])),
        [_difference(line[0], values[0][0]) for line in values],
    ),
    "size": lambda rng, how, matrices, values: _one_column(
        str(rng.choice(["Params (M)", "Size (MB)", "Time (s)", "Epochs"])),
        [Cell(f"{rng.uniform(0.1, 90):.1f}") for _ in matrices],
    ),
    "N": lambda rng, how, matrices, values: _one_column("N", [_count(sum(matrix)) for matrix in matrices]),
    "counts": lambda rng, how, matrices, values: (
        ["TP", "FP", "FN", "TN"], [[_count(cell) for cell in matrix] for matrix in matrices]
    ),
    "p value": lambda rng, how, matrices, values: _one_column(
        "p-value", [Cell(f"{rng.uniform(0, 0.2):.3f}") for _ in matrices]
    ),
    "threshold": lambda rng, how, matrices, values: _one_column(
        "p_t", [Cell(f"{rng.uniform(0, 1):.2f}") for _ in matrices]
    ),
}  # fmt: skip


def difference_row(values: list[list[Any]], width: int) -> list[Cell]:
    """The last model less the first, column by column."""
    cells = [_difference(*pair) for pair in zip(values[-1], values[0], strict=True)]
    return [Cell("Δ"), *cells, *[Cell("") for _ in range(width - 1 - len(cells))]]
