"""A confusion matrix of several classes that shows a report possible, as a table shaded by the share of each row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoreproof.kinds.multi_class.witness import ClassesWitness
from scoreproof.pages.texts import cut

_LEVELS = 9
_MOST_CLASSES = 30  # of a matrix that is drawn


@dataclass(frozen=True, slots=True)
class MatrixView:
    """Names of the classes; for each true class its cells, a count and how dark it is (0 to 9)."""

    names: tuple[str, ...]
    rows: tuple[tuple[tuple[str, int], ...], ...]
    caption: str


def matrix_view(witness: object, names: Sequence[str]) -> MatrixView | None:
    """The first matrix of a witness of several classes; None of others, and where there are too many classes.

    >>> from scoreproof.kinds.multi_class.witness import matrix_with
    >>> matrix_view(ClassesWitness((matrix_with([(3, 1), (0, 0)], [3, 1]),)), ["a", "b"]).rows
    ((('3', 9), ('0', 0)), (('1', 9), ('0', 0)))
    """
    if not isinstance(witness, ClassesWitness) or not witness.matrices:
        return None
    first, more = witness.matrices[0], len(witness.matrices) - 1
    if first.k > _MOST_CLASSES:
        return None
    rows = tuple(
        tuple((f"{cases:,}", -(-_LEVELS * cases // max(sum(row), 1))) for cases in row) for row in first.matrix
    )
    caption = "A confusion matrix that gives these scores; darker cells hold more of their row's cases."
    if more:
        caption = f"The first of {more + 1} confusion matrices whose scores have these means; darker is more of a row."
    return MatrixView(tuple(cut(name, 40) for name in names), rows, caption)
