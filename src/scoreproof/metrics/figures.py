"""Figures of evaluations: curves, a confusion matrix, predicted against true values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from scoreproof.arrays import numbers
from scoreproof.errors import InvalidOption
from scoreproof.figures import new_figure
from scoreproof.metrics.binary import BinaryEvaluation
from scoreproof.metrics.classes import MulticlassEvaluation
from scoreproof.metrics.labels import number
from scoreproof.metrics.predicted_numbers import evaluate_regression

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_BLUE, _GREY, _RED = "#1f5a96", "#8a8a8a", "#b5452c"


def curves_figure(evaluation: BinaryEvaluation) -> Figure:
    """The ROC curve and the precision-recall curve, with the point of the threshold in use."""
    roc, pr = evaluation.roc, evaluation.precision_recall
    if roc is None or pr is None:
        raise InvalidOption("curves need numeric scores; give scores as well as labels")
    if not (roc.p and roc.n):
        raise InvalidOption("curves need cases of both classes; the truth holds one class only")
    given = evaluation.threshold
    label = "labels as given" if given is None else f"threshold {given:.3g}"
    figure = new_figure(9.2, 4.4)
    left, right = figure.subplots(1, 2)
    left.plot([0, 1], [0, 1], color=_GREY, linestyle=":", label="chance")
    left.plot(roc.fpr, roc.tpr, color=_BLUE, label=f"AUC {number(roc.auc, 3)}")
    left.plot([1 - evaluation["spec"]], [evaluation["sens"]], "o", color=_RED, label=label)
    _unit_axes(left, "false positive rate (1 - specificity)", "true positive rate (sensitivity)")
    left.legend(loc="lower right", frameon=False)
    share = roc.p / (roc.p + roc.n)
    right.axhline(share, color=_GREY, linestyle=":", label=f"chance ({number(share, 3)})")
    told = f"average precision {number(pr.average_precision(), 3)}"
    recall, precision = np.r_[0.0, pr.recall], np.r_[pr.precision[0], pr.precision]
    right.step(recall, precision, where="pre", color=_BLUE, label=told)
    if not np.isnan(evaluation["ppv"]):
        right.plot([evaluation["sens"]], [evaluation["ppv"]], "o", color=_RED, label=label)
    _unit_axes(right, "recall (sensitivity)", "precision")
    right.legend(loc="lower left", frameon=False)
    return figure


def confusion_figure(evaluation: MulticlassEvaluation) -> Figure:
    """The matrix of true and predicted classes, shaded by the share of each true class."""
    counts = evaluation.matrix
    k = len(counts)
    side = min(max(3.6, 0.7 * k + 1.8), 14)
    figure = new_figure(side, side)
    axes = figure.subplots()
    totals = counts.sum(axis=1, keepdims=True)
    share = np.divide(counts, totals, out=np.zeros(counts.shape), where=totals > 0)
    axes.imshow(share, cmap="Blues", vmin=0, vmax=1)
    names = [str(label) for label in evaluation.labels]
    axes.set_xticks(range(k), names, rotation=45 if max(map(len, names)) > 3 else 0, ha="center")
    axes.set_yticks(range(k), names)
    if k <= 20:
        for i in range(k):
            for j in range(k):
                dark = share[i, j] > 0.55
                axes.text(j, i, str(counts[i, j]), ha="center", va="center", color="white" if dark else "black")
    axes.set_xlabel("predicted class")
    axes.set_ylabel("true class")
    axes.set_title(f"accuracy {number(evaluation.accuracy, 3)}, kappa {number(evaluation.kappa.kappa, 3)}")
    return figure


def regression_figure(truth: ArrayLike, predicted: ArrayLike) -> Figure:
    """Predicted against true values, with the line of perfect prediction."""
    x, y = numbers("truth", truth), numbers("predicted", predicted)
    result = evaluate_regression(x, y)
    figure = new_figure(4.8, 4.6)
    axes = figure.subplots()
    low, high = float(min(x.min(), y.min())), float(max(x.max(), y.max()))
    axes.plot([low, high], [low, high], color=_GREY, linestyle=":", label="perfect")
    axes.plot(x, y, "o", color=_BLUE, alpha=0.6 if x.size < 500 else 0.2, markersize=4, markeredgewidth=0)
    axes.set_xlabel("true value")
    axes.set_ylabel("predicted value")
    axes.set_title(f"RMSE {number(result.rmse, 3)}, R² {number(result.r2, 3)}", fontsize="medium")
    axes.legend(loc="upper left", frameon=False)
    return figure


def _unit_axes(axes: Axes, across: str, up: str) -> None:
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel=across, ylabel=up)
    axes.set_aspect("equal")
    axes.spines[["top", "right"]].set_visible(False)
