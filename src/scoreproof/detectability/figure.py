"""Power against the number of digits, as in Figures 3 and 5 of Fazekas and Kovács (2024,
doi:10.1016/j.asoc.2024.111993).
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from scoreproof.detectability.result import Curves, percent, rule_words
from scoreproof.errors import InvalidOption
from scoreproof.figures import new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOURS = ("#2471a3", "#c0392b", "#1e8449", "#7d3c98", "#b9770e", "#566573")
_MARKS = "osD^v*"
_MOST = 6
_WIDE = 90  # characters of a title line
_APART = 0.06  # curves side by side, so that error bars and equal points stay visible


def plot_power(curves: Curves, *, title: str = "") -> Figure:
    """One curve per setting, with error bars where it was simulated; undecided trials widen the bar upwards."""
    if not curves:
        raise InvalidOption("curves: expected at least one power curve, got none")
    if len(curves) > _MOST:
        raise InvalidOption(f"curves: at most {_MOST} can be told apart in one figure, got {len(curves)}")
    figure = new_figure(6.4, 4.2)
    axes = figure.add_subplot()
    for number, (label, curve) in enumerate(curves.items()):
        shift = _APART * (number - (len(curves) - 1) / 2)
        points = sorted(curve, key=lambda one: one.digits)
        at = [one.digits + shift for one in points]
        found = [one.power for one in points]
        below = [max(0.0, one.power - one.low) for one in points]
        above = [max(0.0, one.high - one.power) for one in points]
        axes.errorbar(
            at,
            found,
            yerr=[below, above],
            color=_COLOURS[number],
            marker=_MARKS[number],
            markersize=5,
            linewidth=1.4,
            capsize=3,
            label=label.replace("$", r"\$"),
        )
        if len(curves) == 1:
            for x, one in zip(at, points, strict=True):
                axes.annotate(
                    percent(one.power),
                    (x, one.power),
                    xytext=(9, -12),
                    textcoords="offset points",
                    fontsize=8,
                    bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5, "alpha": 0.8},
                )
    _dress(axes, curves, title)
    return figure


def _dress(axes: Axes, curves: Curves, title: str) -> None:
    places = sorted({one.digits for curve in curves.values() for one in curve})
    axes.set_xticks(places)
    axes.set_xlim(places[0] - 0.4, places[-1] + 0.5)
    axes.set_ylim(-0.03, 1.06)
    axes.set_xlabel("decimal places reported")
    axes.set_ylabel("power: probability of being noticed")
    axes.grid(axis="y", color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    if len(curves) > 1:
        axes.legend(frameon=False, fontsize=8, loc="best")
    lines = textwrap.wrap(title, _WIDE) if title else _shared(curves)
    axes.set_title("\n".join(lines).replace("$", r"\$"), fontsize=9, loc="left")


def _shared(curves: Curves) -> list[str]:
    """What all curves have in common, as lines of a title."""
    said = [
        [
            f"{', '.join(one.names)}, {rule_words(one)}",
            f"{one.deviation}",
            f"stated: {one.stated}",
        ]
        for one in (curve.setting for curve in curves.values())
    ]
    common = [line for line in said[0] if all(line in other for other in said)]
    return [part for line in common for part in textwrap.wrap(line, _WIDE)]
