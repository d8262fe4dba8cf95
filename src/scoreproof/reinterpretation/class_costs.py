"""What the mistakes of a classifier of k classes cost, cell by cell.

Classes are not equally far from each other: calling dementia normal is worse than calling it mild impairment. A price
for every cell of the k by k matrix says how far, and the mean price of a case ranks classifiers (Lavazza & Morasca
2023, section VI.C, doi:10.1109/ACCESS.2023.3278996).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from scoreproof.errors import InvalidValue
from scoreproof.validation import exact


def class_cost(matrix: Sequence[Sequence[int]], costs: Sequence[Sequence[Any]]) -> Fraction:
    """The mean cost of a case, exactly; rows are true, columns called classes, in both tables.

    >>> class_cost([[8, 2, 0], [1, 6, 3], [0, 1, 9]], [[0, 1, 3], [1, 0, 1], [3, 1, 0]])
    Fraction(7, 30)
    """
    k = len(matrix)
    for name, table in (("matrix", matrix), ("costs", costs)):
        if len(table) != k or any(len(row) != k for row in table) or k < 2:
            raise InvalidValue(f"{name}: expected {k} rows of {k} numbers, one for each class, at least two classes")
    total = Fraction(0)
    cases = 0
    for i, row in enumerate(matrix):
        for j, many in enumerate(row):
            if isinstance(many, bool) or int(many) != many or many < 0:
                raise InvalidValue(f"matrix[{i}][{j}] = {many!r}: expected a count of cases, at least 0")
            total += int(many) * exact(f"costs[{i}][{j}]", costs[i][j])
            cases += int(many)
    if cases == 0:
        raise InvalidValue("matrix: no case at all; at least one is needed")
    return total / cases


def cheapest(
    matrices: Mapping[str, Sequence[Sequence[int]]], costs: Sequence[Sequence[Any]]
) -> tuple[tuple[str, Fraction], ...]:
    """Methods by their mean cost, the cheapest first.

    >>> found = cheapest({"A": [[9, 1], [4, 6]], "B": [[7, 3], [1, 9]]}, [[0, 1], [10, 0]])
    >>> [name for name, _ in found]
    ['B', 'A']
    """
    return tuple(sorted(((name, class_cost(m, costs)) for name, m in matrices.items()), key=lambda pair: pair[1]))
