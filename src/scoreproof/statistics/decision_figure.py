"""A recommendation as a picture: the path through the decision table, and what lies beside it."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from scoreproof.figures import new_figure
from scoreproof.statistics.recommend import VALUES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from scoreproof.statistics.recommend import Recommendation


def decision_figure(advice: Recommendation) -> Figure:
    """Boxes from the task to the test, the reasons below.

    >>> from scoreproof.statistics import recommend
    >>> len(decision_figure(recommend(models=3)).axes)
    1
    """
    steps = [
        ("task", advice.task or "any"),
        ("metric", advice.metric or "any"),
        ("values", VALUES[advice.values]),
        ("models", str(advice.models)),
        ("test", advice.test),
    ]
    notes = [("why", advice.why, "#222222")]
    notes += [("assumes", a, "#222222") for a in advice.assumptions]
    notes += [("avoid", f"{name}: {why}", "#a03a2a") for name, why in advice.avoid]
    notes += [("alternative", f"{name}: {why}", "#2b6ca3") for name, why in advice.instead]
    notes += [("then", advice.then, "#222222")] if advice.then else []
    wrapped = [(label, textwrap.wrap(text, 105), colour) for label, text, colour in notes]
    lines = sum(len(text) for _, text, _ in wrapped) + 0.35 * len(wrapped)
    height = 1.75 + 0.21 * lines
    figure = new_figure(10, height, layout=None)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set_xlim(0, 10)
    axes.set_ylim(0, height)
    middle = height - 0.8
    for i, (label, text) in enumerate(steps):
        last = i == len(steps) - 1
        x = 1.05 + 1.975 * i
        axes.text(
            x,
            middle,
            textwrap.fill(text, 20),
            ha="center",
            va="center",
            fontsize=9,
            color="white" if last else "#222222",
            fontweight="bold" if last else "normal",
            parse_math=False,
            bbox={
                "boxstyle": "round,pad=0.5",
                "facecolor": "#2f6f4f" if last else "#eef2f5",
                "edgecolor": "#2f6f4f" if last else "#8899aa",
            },
        )
        axes.text(x, height - 0.12, label, ha="center", va="top", fontsize=8, color="#667788")
        if not last:
            axes.annotate(
                "",
                xy=(x + 1.03, middle),
                xytext=(x + 0.93, middle),
                arrowprops={"arrowstyle": "-|>", "color": "#667788"},
            )
    y = height - 1.75
    for label, paragraph, colour in wrapped:
        axes.text(1.25, y, label, ha="right", va="top", fontsize=9, color=colour, fontweight="bold")
        for line in paragraph:
            axes.text(1.4, y, line, ha="left", va="top", fontsize=9, color=colour, parse_math=False)
            y -= 0.21
        y -= 0.07
    return figure
