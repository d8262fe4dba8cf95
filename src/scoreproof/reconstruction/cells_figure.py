"""A picture of the ranges of all cells: dark where many cases are, each cell with its range written in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoreproof.errors import InvalidOption
from scoreproof.figures import new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from scoreproof.reconstruction.class_cells import ClassCells

_MOST_WRITTEN = 15  # classes of a map that has its numbers written
_DARK = 0.6


def cells_figure(found: ClassCells) -> Figure:
    """The middle of every range as a share of its row, and the ranges as texts."""
    import numpy as np

    if not found.cells:
        raise InvalidOption("a figure needs cells that are possible; this report has none")
    sizes = [max(n, 1) for n in found.answer.problem.counts[0]]
    shares = np.array([[(one.low + one.high) / 2 for one in row] for row in found.cells]) / np.array(sizes)[:, None]
    k = len(sizes)
    figure = new_figure(1.6 + min(0.75 * k, 12), 1.4 + min(0.6 * k, 10))
    axes = figure.add_subplot()
    image = axes.imshow(shares, cmap="Blues", vmin=0, vmax=1, aspect="auto")
    figure.colorbar(image, ax=axes, label="share of the true class (middle of the range)")
    for set_ticks in (axes.set_xticks, axes.set_yticks):
        set_ticks(range(k), labels=[name[:20] for name in found.classes])
    axes.tick_params(axis="x", rotation=45 if k > 6 else 0)
    axes.set_xlabel("given class")
    axes.set_ylabel("true class")
    if k <= _MOST_WRITTEN:
        for i, row in enumerate(found.cells):
            for j, one in enumerate(row):
                text = str(one.low) if one.low == one.high else f"{one.low}–{one.high}"
                colour = "white" if shares[i, j] > _DARK else "black"
                axes.text(j, i, text, ha="center", va="center", color=colour, fontsize=8)
    axes.set_title("Every matrix that gives the scores has each cell in its range", fontsize=10, loc="left")
    return figure
