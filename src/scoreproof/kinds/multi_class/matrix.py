"""From the counts of every class to a whole confusion matrix, and back.

A matrix with diagonal tp_i, row sums n_i and column sums tp_i + fp_i exists if and only if the wrong cases counted by
their true class, fn_i = n_i - tp_i, and by the class they were given, fp_i, are equally many, say E, and
fn_i + fp_i <= E for every class.

Necessary: a wrong case is counted once by row and once by column, and what is wrong in row i and what is wrong in
column i are different cases. Sufficient, by construction: take the class u with the largest fn + fp and the next
largest with which it has a cell (u, j) or (i, u) to fill, and fill that cell until its row or its column is used up, or
until another class h has fn_h + fp_h = E for what is left of E. The condition then holds for what is left. A step is
never empty: if another class h is as full as E before it, then so is u, all others are empty (fn and fp add up to E
each), and h is the partner.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Point = tuple[int, int]  # tp, fp
_MOST_SHOWN = 6  # classes of a matrix that is written out in a sentence


@dataclass(frozen=True, slots=True)
class ClassMatrix:
    """A confusion matrix of k classes by its cells that are not 0: (true class, given class, cases)."""

    k: int
    cells: tuple[tuple[int, int, int], ...]

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> ClassMatrix:
        return cls(document["k"], tuple((i, j, cases) for i, j, cases in document["cells"]))

    def to_dict(self) -> dict[str, Any]:
        return {"k": self.k, "cells": [list(cell) for cell in self.cells]}

    @property
    def matrix(self) -> list[list[int]]:
        """All cells, one row for each true class."""
        rows = [[0] * self.k for _ in range(self.k)]
        for i, j, cases in self.cells:
            rows[i][j] += cases
        return rows

    @property
    def supports(self) -> list[int]:
        """The row sums."""
        sums = [0] * self.k
        for i, _, cases in self.cells:
            sums[i] += cases
        return sums

    @property
    def points(self) -> list[Point]:
        """tp and fp of every class."""
        right, wrong = [0] * self.k, [0] * self.k
        for i, j, cases in self.cells:
            if i == j:
                right[i] += cases
            else:
                wrong[j] += cases
        return list(zip(right, wrong, strict=True))

    @property
    def sound(self) -> bool:
        """Whether it is a matrix at all: every cell inside it, named once, with a positive whole number."""
        places = [(i, j) for i, j, _ in self.cells]
        return len(set(places)) == len(places) and all(
            0 <= i < self.k and 0 <= j < self.k and isinstance(cases, int) and cases > 0 for i, j, cases in self.cells
        )

    def __str__(self) -> str:
        if self.k <= _MOST_SHOWN:
            rows = "; ".join(" ".join(map(str, row)) for row in self.matrix)
            return f"the confusion matrix ({rows}), a row for each true class"
        right = sum(tp for tp, _ in self.points)
        return (
            f"a confusion matrix of {self.k} classes with {right} correct and {sum(self.supports) - right} wrong cases"
        )


def matrix_with(points: Sequence[Point], supports: Sequence[int]) -> ClassMatrix:
    """A matrix with these counts.

    >>> matrix_with([(3, 1), (2, 2), (4, 0)], [4, 3, 5]).matrix
    [[3, 1, 0], [1, 2, 0], [0, 1, 4]]
    """
    k = len(points)
    cells = {(i, i): tp for i, (tp, _) in enumerate(points)}
    rows = [support - tp for (tp, _), support in zip(points, supports, strict=True)]
    columns = [fp for _, fp in points]
    left = sum(rows)
    while left:
        full = [row + column for row, column in zip(rows, columns, strict=True)]
        order = sorted((i for i in range(k) if full[i]), key=full.__getitem__, reverse=True)
        u, rest = order[0], order[1:]
        partner = next(j for j in rest if (rows[u] and columns[j]) or (columns[u] and rows[j]))
        i, j = (u, partner) if rows[u] and columns[partner] else (partner, u)
        room = (left - full[h] for h in rest[:2] if h != partner)  # the fullest of the others has the least
        cases = min(rows[i], columns[j], *room)
        cells[i, j] = cells.get((i, j), 0) + cases
        rows[i], columns[j], left = rows[i] - cases, columns[j] - cases, left - cases
    return ClassMatrix(k, tuple((i, j, cases) for (i, j), cases in sorted(cells.items()) if cases))
