"""The figure that tells a comparison's story: mean ranks, ROC curves, or differences with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoreproof.arrays import Bools, Floats
from scoreproof.figures import new_figure
from scoreproof.statistics.auc import sort_with_order
from scoreproof.statistics.wording import bare_p, number_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from scoreproof.statistics.comparison import Comparison

_COLOURS = ("#2b6ca3", "#c46a2b", "#3a8a5f", "#8a4a8f", "#7a7a7a", "#b03a4a", "#5f7fbf", "#9a8a2a")
_MOST_POINTS = 2000


def comparison_figure(comparison: Comparison) -> Figure:
    """ROC curves for DeLong's test, a critical-difference diagram for many models, else differences."""
    if comparison.curves:
        return roc_figure(comparison)
    if comparison.ranks is not None:
        from scoreproof.statistics.critical_difference_diagram import critical_difference_diagram

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
    right.set_yticks(range(len(shown)), [f"p {_sign(p.p_adjusted)}" for p in shown])
    right.tick_params(length=0)
    _plain(axes)
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
    axes.set_xlabel("false positive rate (1 − specificity)")
    axes.set_ylabel("sensitivity")
    axes.set_aspect("equal")
    axes.set_xlim(-0.01, 1.01)
    axes.set_ylim(-0.01, 1.01)
    _plain(axes)
    legend = axes.legend(loc="lower right", frameon=False, fontsize=8.5, title="AUC", title_fontsize=8.5)
    for text in legend.get_texts():
        text.set_parse_math(False)
    return figure


def roc_points(truth: Bools, scores: Floats) -> tuple[Floats, Floats]:
    """False and true positive rates at every threshold, thinned to what a figure can show.

    >>> x, y = roc_points(np.array([True, False, True, False]), np.array([0.9, 0.4, 0.4, 0.1]))
    >>> x.tolist(), y.tolist()
    ([0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0])
    """
    order, ordered = sort_with_order(-scores)
    hits = np.cumsum(truth[order])
    last = np.append(np.flatnonzero(ordered[1:] != ordered[:-1]), len(scores) - 1)
    y = np.append(0, hits[last]) / hits[-1]
    x = np.append(0, last + 1 - hits[last]) / (len(scores) - hits[-1])
    if len(x) > _MOST_POINTS:
        keep = np.unique(np.linspace(0, len(x) - 1, _MOST_POINTS).astype(int))
        x, y = x[keep], y[keep]
    return np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)


def _plain(axes: Axes) -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _sign(p: float) -> str:
    text = bare_p(p)
    return text if text.startswith("<") else f"= {text}"
