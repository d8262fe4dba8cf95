"""Pictures of a re-interpretation: ranks as intervals, and costs as bands over the cost ratio."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoreproof.errors import InvalidOption
from scoreproof.figures import new_figure
from scoreproof.kinds.binary.scores import score
from scoreproof.reconstruction.figure import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from scoreproof.reinterpretation.result import Reinterpretation

_RATIOS = (0.1, 100.0)
_STEPS = 400


def rank_figure(result: Reinterpretation, name: str) -> Figure:
    """The range of one score for every method, the best rank on top, with the rank written beside it."""
    wanted = score(name)
    rows = result.ranks.get(wanted.name)
    if not rows:
        raise InvalidOption(f"a rank plot needs at least two methods with {wanted.title}; the table has none such")
    figure = new_figure(7.0, 1.1 + 0.38 * len(rows))
    axes = figure.add_subplot()
    claimed = result.claim.method if result.claim else None
    finite = [float(row.value.high) for row in rows if row.value.high is not None] or [1.0]
    edge = max(finite) * 1.25
    for place, row in enumerate(rows):
        low = float(row.value.low)
        high = edge if row.value.high is None else float(row.value.high)
        colour = COLOURS[1] if row.method == claimed else COLOURS[0]
        axes.plot([low, high], [place, place], color=colour, linewidth=5, solid_capstyle="butt", zorder=2)
        axes.plot([low, high], [place, place], "|", color=colour, markersize=12, zorder=3)
        rank = f"{row.best}" if row.best == row.worst else f"{row.best} to {row.worst}"
        axes.annotate(f"rank {rank}", (1.02, place), xycoords=("axes fraction", "data"), va="center", fontsize=9)
    axes.set_yticks(range(len(rows)), [row.method for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlabel(f"{wanted.title} (guaranteed range)")
    axes.grid(axis="x", color="#dddddd", zorder=0)
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def cost_figure(result: Reinterpretation) -> Figure:
    """Cost per case, in units of C_FP, against the ratio C_FN / C_FP."""
    import numpy as np

    if not result._errors:
        raise InvalidOption("a cost plot needs at least one method whose errors are known; the table has none")
    figure = new_figure(7.0, 4.4)
    axes = figure.add_subplot()
    ratios = np.geomspace(*_RATIOS, _STEPS)
    for k, (name, corners) in enumerate(result._errors.items()):
        lines = np.array([[float(fn) * ratio + float(fp) for ratio in ratios] for fn, fp in corners])
        colour = COLOURS[k % len(COLOURS)]
        axes.fill_between(ratios, lines.min(axis=0), lines.max(axis=0), color=colour, alpha=0.3, linewidth=0)
        axes.plot(ratios, lines.min(axis=0), color=colour, linewidth=1.2, label=name)
        axes.plot(ratios, lines.max(axis=0), color=colour, linewidth=1.2)
    if result.cost_ratio is not None:
        axes.axvline(float(result.cost_ratio), color="black", linestyle=":", linewidth=1)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("cost of a false negative / cost of a false positive")
    axes.set_ylabel("cost per case (false positive = 1)")
    axes.legend(frameon=False, fontsize=9)
    axes.grid(color="#eeeeee")
    axes.spines[["top", "right"]].set_visible(False)
    return figure
