"""The critical-difference diagram of Demšar (2006, jmlr.org/papers/v7/demsar06a, Figure 1).

Models hang from an axis of mean ranks, the best at the left; a bar joins those that the test of pairs cannot
tell apart: Nemenyi's, by its critical difference, or whichever test was made of the pairs, by its p-values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoreproof.arrays import Bools
from scoreproof.errors import InvalidOption
from scoreproof.figures import new_figure
from scoreproof.statistics.posthoc import PostHoc
from scoreproof.statistics.wording import number_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_INK = "#222222"
_BAR = "#b04a3a"


def indistinguishable(tests: PostHoc) -> list[tuple[int, int]]:
    """The longest runs of models, by rank, within which no pair differs.

    Runs are pairs of positions in the order of the mean ranks; a model alone is no run.

    >>> from scoreproof.statistics import nemenyi
    >>> indistinguishable(nemenyi([[3, 1, 2], [9, 4, 5], [8, 2, 6], [7, 1, 5], [5, 2, 4]]))
    [(0, 1), (1, 2)]
    """
    order = np.argsort(tests.mean_ranks, kind="stable")
    ranks, apart = np.array(tests.mean_ranks)[order], _apart(tests)[np.ix_(order, order)]
    runs: list[tuple[int, int]] = []
    for start, low in enumerate(ranks):
        if tests.critical_difference is not None:
            end = max(i for i, r in enumerate(ranks) if r - low <= tests.critical_difference)
        else:
            end = start
            while end + 1 < len(ranks) and not apart[start : end + 2, start : end + 2].any():
                end += 1
        if end > start and (not runs or end > runs[-1][1]):
            runs.append((start, end))
    return runs


def _apart(tests: PostHoc) -> Bools:
    """Which pairs differ; one that was not tested cannot be drawn."""
    p = tests.p_matrix()
    if tests.critical_difference is None and np.isnan(p).any():
        raise InvalidOption(f"{tests.method}: not all pairs were tested: expected all, or the result of nemenyi(...)")
    return np.asarray(p <= tests.alpha)


def critical_difference_diagram(tests: PostHoc) -> Figure:
    """The diagram as a matplotlib figure, of ``nemenyi`` or of another test of all pairs.

    >>> from scoreproof.statistics import nemenyi
    >>> figure = critical_difference_diagram(nemenyi([[3, 1, 2], [9, 4, 5], [8, 2, 6], [7, 1, 5]]))
    >>> len(figure.axes)
    1
    """
    runs = indistinguishable(tests)
    k = len(tests.models)
    lines = (k + 1) // 2
    depth = 0.35 * len(runs) + 0.25
    figure = new_figure(8.0, 1.4 + 0.25 * len(runs) + 0.32 * lines)
    axes = figure.add_subplot()
    axes.set_axis_off()
    span = max(1.0, k - 1.0)
    axes.set_xlim(1 - 0.42 * span, k + 0.42 * span)
    axes.set_ylim(-(depth + lines * 0.5 + 0.1), 1.35)
    _axis(axes, k, tests.critical_difference)
    ordered = sorted(zip(tests.mean_ranks, tests.models, strict=True))
    for position, (rank, name) in enumerate(ordered):
        left = position < lines
        line = position if left else k - 1 - position
        height = -(depth + (line + 0.5) * 0.5)
        edge = 1 - 0.06 * span if left else k + 0.06 * span
        axes.plot([rank, rank, edge], [0, height, height], color=_INK, linewidth=0.9, solid_joinstyle="miter")
        text = (
            f"{_short(name)} ({number_text(round(rank, 2))})"
            if left
            else f"({number_text(round(rank, 2))}) {_short(name)}"
        )
        axes.text(
            edge - 0.02 * span if left else edge + 0.02 * span,
            height,
            text,
            ha="right" if left else "left",
            va="center",
            fontsize=9,
            color=_INK,
            parse_math=False,
        )
    for level, (start, end) in enumerate(runs):
        y = -0.18 - 0.35 * level
        low, high = ordered[start][0], ordered[end][0]
        axes.plot([low - 0.01 * span, high + 0.01 * span], [y, y], color=_BAR, linewidth=4, solid_capstyle="round")
    if runs:
        axes.set_title(f"bars join models not told apart ({tests.method})", fontsize=8, color=_BAR, y=-0.06)
    return figure


def _axis(axes: Axes, k: int, critical: float | None) -> None:
    axes.plot([1, k], [0, 0], color=_INK, linewidth=1.2)
    step = max(1, -(-(k - 1) // 12))
    for tick in range(1, k + 1, step):
        axes.plot([tick, tick], [0, 0.1], color=_INK, linewidth=1.0)
        axes.text(tick, 0.18, str(tick), ha="center", va="bottom", fontsize=9, color=_INK)
    if critical is None:
        return
    end = min(1 + critical, k + 0.4 * (k - 1))
    axes.plot([1, end], [0.85, 0.85], color=_BAR, linewidth=1.6)
    for x in (1, end):
        axes.plot([x, x], [0.77, 0.93], color=_BAR, linewidth=1.6)
    label = f"critical difference {critical:.2f}"
    axes.text((1 + end) / 2, 0.98, label, ha="center", va="bottom", fontsize=9, color=_BAR)


def _short(name: str) -> str:
    return name if len(name) <= 28 else name[:27] + "…"
