"""The ranges of every cell of a confusion matrix of several classes, from its class counts and reported scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, Unpack

from scoreproof.checking import Answer, OfAnswer, Verdict, ask
from scoreproof.errors import InvalidOption
from scoreproof.figures import new_figure
from scoreproof.jsonable import document, rebuilt
from scoreproof.kinds.multi_class.cell_ranges import CellRange, CellRanges
from scoreproof.kinds.multi_class.experiment import Counts, MultiClass
from scoreproof.kinds.multi_class.problem import classes_problem
from scoreproof.reported.conventions import Stated
from scoreproof.results import SmallTable
from scoreproof.validation import random_seed, seconds
from scoreproof.work.budget import Budget

if TYPE_CHECKING:
    from matplotlib.figure import Figure


_MOST_WRITTEN = 15  # classes of a map that has its numbers written
_DARK = 0.6
_LEAST_SECONDS = 5.0  # that the ranges get when the verdict is found, however long that took


@dataclass(frozen=True, slots=True)
class ClassCells(OfAnswer):
    """What follows for each cell: ``cells`` has a row for each true class, a range for each class it may be given.

    A range that is not ``exact`` is an outer bound: time ran out before its ends were found.
    """

    answer: Answer[Any, Any]
    cells: tuple[tuple[CellRange, ...], ...]

    @property
    def classes(self) -> tuple[str, ...]:
        names: tuple[str, ...] = self.answer.problem.classes
        return names

    def figure(self) -> Figure:
        """The matrix as a map of heat: the middle of every range as a share of its row, and the ranges as texts."""
        import numpy as np

        if not self.cells:
            raise InvalidOption("a figure needs cells that are possible; this report has none")
        sizes = [max(n, 1) for n in self.answer.problem.counts[0]]
        shares = (
            np.array([[(cell.low + cell.high) / 2 for cell in row] for row in self.cells]) / np.array(sizes)[:, None]
        )
        k = len(sizes)
        figure = new_figure(1.6 + min(0.75 * k, 12), 1.4 + min(0.6 * k, 10))
        axes = figure.add_subplot()
        image = axes.imshow(shares, cmap="Blues", vmin=0, vmax=1, aspect="auto")
        figure.colorbar(image, ax=axes, label="share of the true class (middle of the range)")
        for set_ticks in (axes.set_xticks, axes.set_yticks):
            set_ticks(range(k), labels=[name[:20] for name in self.classes])
        axes.tick_params(axis="x", rotation=45 if k > 6 else 0)
        axes.set_xlabel("given class")
        axes.set_ylabel("true class")
        if k <= _MOST_WRITTEN:
            for i, row in enumerate(self.cells):
                for j, cell in enumerate(row):
                    text = str(cell.low) if cell.low == cell.high else f"{cell.low}–{cell.high}"
                    colour = "white" if shares[i, j] > _DARK else "black"
                    axes.text(j, i, text, ha="center", va="center", color=colour, fontsize=8)
        axes.set_title("Every matrix that gives the scores has each cell in its range", fontsize=10, loc="left")
        return figure

    def to_dict(self) -> dict[str, Any]:
        return {**self.answer.to_dict(), "cells": [[document(cell, "*") for cell in row] for row in self.cells]}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        answer = Answer.from_dict({key: value for key, value in document.items() if key != "cells"})
        return rebuilt(cls, {**document, "answer": answer})

    def __str__(self) -> str:
        if self.verdict is not Verdict.CONSISTENT:
            return str(self.answer)
        fixed = sum(cell.low == cell.high for row in self.cells for cell in row)
        report = ", ".join(map(str, self.claims))
        all_cells = len(self.classes) ** 2
        return f"consistent: {report} fix {fixed} of the {all_cells} cells of the confusion matrix"

    def _rows(self) -> list[dict[str, Any]]:
        names = self.classes
        return [
            {"true": true, "given": given, **document(cell, "*")}
            for true, row in zip(names, self.cells, strict=False)
            for given, cell in zip(names, row, strict=True)
        ]

    def _tables(self) -> list[SmallTable]:
        if not self.cells:
            return []
        rows = [(name, *map(range_text, row)) for name, row in zip(self.classes, self.cells, strict=True)]
        return [SmallTable(rows, ("true \\ given", *self.classes))]


def range_text(cell: CellRange) -> str:
    """A range in a cell of a table.

    >>> range_text(CellRange(3, 3)), range_text(CellRange(0, 5)), range_text(CellRange(0, 5, exact=False))
    ('3', '0 to 5', '0 to 5 at most')
    """
    if cell.low == cell.high:
        return str(cell.low)
    return f"{cell.low} to {cell.high}{'' if cell.exact else ' at most'}"


def reconstruct_classes(
    classes: Counts | MultiClass,
    scores: Mapping[str, Any],
    *,
    budget: float = 30.0,
    seed: int = 0,
    **stated: Unpack[Stated],
) -> ClassCells:
    """Between which counts every cell of the confusion matrix lies, over all matrices that give the scores.

    ``classes`` are the class counts, listed or by name; scores and options are those of ``check`` on several classes.

    >>> from scoreproof import reconstruct_classes
    >>> found = reconstruct_classes([5, 4, 3], {"acc": "0.75", "sens": ["0.80", "0.75", "0.67"]}, rounding="nearest")
    >>> [[(one.low, one.high) for one in row] for row in found.cells]
    [[(4, 4), (0, 1), (0, 1)], [(0, 1), (3, 3), (0, 1)], [(0, 1), (0, 1), (2, 2)]]
    """
    experiment = classes if isinstance(classes, MultiClass) else MultiClass(classes)
    if experiment.counts is None:
        raise InvalidOption("classes: expected the cases of every class such as [50, 70, 30], got a number of cases")
    deadline = Budget(seconds(budget))
    problem = classes_problem(experiment.names, [experiment.sizes], scores, **stated)
    seed = random_seed(seed)
    answer = ask(problem, budget=deadline, seed=seed)
    if answer.witness is None:
        return ClassCells(answer, ())
    left = deadline.longer(min(_LEAST_SECONDS, deadline.seconds))
    ranges = CellRanges(problem, answer.witness.counts[0], left, seed).ranges
    k: Sequence[int] = range(len(experiment.names))
    return ClassCells(answer, tuple(tuple(ranges[i, j] for j in k) for i in k))
