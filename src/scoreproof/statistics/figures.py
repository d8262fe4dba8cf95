"""Figures of comparisons: mean ranks, ROC curves, differences and their intervals.

The critical-difference diagram is Demšar's (2006, jmlr.org/papers/v7/demsar06a, Figure 1): models hang from an axis of
mean ranks, the best at the left; a bar joins those that the test of pairs cannot tell apart: Nemenyi's, by its critical
difference, or whichever test was made of the pairs, by its p-values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from scoreproof.arrays import Bools, Floats
from scoreproof.errors import InvalidOption
from scoreproof.figures import new_figure
from scoreproof.statistics.friedman import PostHoc
from scoreproof.statistics.result import number_text, p_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from scoreproof.statistics.comparison import Comparison

_COLOURS = ("#2b6ca3", "#c46a2b", "#3a8a5f", "#8a4a8f", "#7a7a7a", "#b03a4a", "#5f7fbf", "#9a8a2a")
_INK, _BAR = "#222222", "#b04a3a"
_MOST_POINTS = 2000


def comparison_figure(comparison: Comparison) -> Figure:
    """ROC curves for DeLong's test, a critical-difference diagram for many models, else differences."""
    if comparison.curves:
        return roc_figure(comparison)
    if comparison.ranks is not None:
        return critical_difference_diagram(comparison.ranks)
    return difference_figure(comparison)


def difference_figure(comparison: Comparison) -> Figure:
    """Each pair's effect with its interval, and where nothing lies."""
    shown = [p for p in comparison.pairs if p.effect is not None]
    figure = new_figure(7.0, 1.5 + 0.5 * len(shown))
    axes = figure.add_subplot()
    neutral = 1.0 if comparison.question == "variance" else 0.0
    axes.axvline(neutral, color="#999999", linewidth=1, linestyle="--")
    for row, pair in enumerate(shown):
        effect = pair.effect
        if effect is None or not np.isfinite(effect.value):
            continue
        colour = "#b04a3a" if pair.p_adjusted <= comparison.alpha else "#555555"
        if effect.interval is not None:
            axes.plot([effect.interval.low, effect.interval.high], [row, row], color=colour, linewidth=2)
        axes.plot([effect.value], [row], "o", color=colour, markersize=6)
    between = "/" if comparison.question == "variance" else "−"
    labels = [f"{p.first} {between} {p.second}" + (f"\n{p.what}" if p.what else "") for p in shown]
    axes.set_yticks(range(len(shown)), labels, parse_math=False)
    axes.set_ylim(len(shown) - 0.4, -0.6)
    right = axes.secondary_yaxis("right")
    right.set_yticks(range(len(shown)), [p_text(p.p_adjusted) for p in shown])
    right.tick_params(length=0)
    axes.spines[["top", "right"]].set_visible(False)
    right.spines["right"].set_visible(False)
    level = next((p.effect.interval.level for p in shown if p.effect and p.effect.interval), None)
    name = shown[0].effect.name if shown and shown[0].effect else "difference"
    axes.set_xlabel(f"{name}" + (f", {100 * level:.6g}% interval" if level else ""))
    return figure


def roc_figure(comparison: Comparison) -> Figure:
    """The ROC curve of every model, with its AUC and interval."""
    figure = new_figure(5.2, 5.2)
    axes = figure.add_subplot()
    axes.plot([0, 1], [0, 1], color="#bbbbbb", linewidth=1, linestyle="--")
    truth: Bools = comparison.curves["truth"]
    for i, model in enumerate(comparison.models):
        x, y = roc_points(truth, comparison.curves["scores"][i])
        label = f"{model.name}: {number_text(round(model.main.value, 3))}"
        if model.main.interval is not None:
            label += f" ({model.main.interval.low:.3f} to {model.main.interval.high:.3f})"
        axes.plot(x, y, color=_COLOURS[i % len(_COLOURS)], linewidth=1.8, label=label)
    axes.set(xlabel="false positive rate (1 − specificity)", ylabel="sensitivity")
    axes.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")
    axes.spines[["top", "right"]].set_visible(False)
    legend = axes.legend(loc="lower right", frameon=False, fontsize=8.5, title="AUC", title_fontsize=8.5)
    for text in legend.get_texts():
        text.set_parse_math(False)
    return figure


def roc_points(truth: Bools, scores: Floats) -> tuple[Floats, Floats]:
    """False and true positive rates at every threshold, thinned to what a figure can show."""
    order = np.argsort(-scores)
    ordered, hits = scores[order], np.cumsum(truth[order])
    last = np.append(np.flatnonzero(ordered[1:] != ordered[:-1]), len(scores) - 1)
    y = np.append(0, hits[last]) / hits[-1]
    x = np.append(0, last + 1 - hits[last]) / (len(scores) - hits[-1])
    if len(x) > _MOST_POINTS:
        keep = np.unique(np.linspace(0, len(x) - 1, _MOST_POINTS).astype(int))
        x, y = x[keep], y[keep]
    return np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)


def indistinguishable(tests: PostHoc) -> list[tuple[int, int]]:
    """The longest runs of models, by rank, within which no pair differs.

    Runs are pairs of positions in the order of the mean ranks; a model alone is no run.

    >>> from scoreproof.statistics import nemenyi
    >>> indistinguishable(nemenyi([[3, 1, 2], [9, 4, 5], [8, 2, 6], [7, 1, 5], [5, 2, 4]]))
    [(0, 1), (1, 2)]
    """
    p = tests.p_matrix()
    if tests.critical_difference is None and np.isnan(p).any():
        raise InvalidOption(f"{tests.method}: not all pairs were tested: expected all, or the result of nemenyi(...)")
    order = np.argsort(tests.mean_ranks, kind="stable")
    ranks, apart = np.array(tests.mean_ranks)[order], (p <= tests.alpha)[np.ix_(order, order)]
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


def critical_difference_diagram(tests: PostHoc) -> Figure:
    """The diagram as a matplotlib figure, of ``nemenyi`` or of another test of all pairs."""
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
        short, told = name if len(name) <= 28 else name[:27] + "…", f"({number_text(round(rank, 2))})"
        style: dict[str, Any] = {"va": "center", "fontsize": 9, "color": _INK, "parse_math": False}
        if left:
            axes.text(edge - 0.02 * span, height, f"{short} {told}", ha="right", **style)
        else:
            axes.text(edge + 0.02 * span, height, f"{told} {short}", ha="left", **style)
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
