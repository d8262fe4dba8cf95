"""Pictures of the best of many: Figures 1 to 8 of the paper for any parameters, and of a leaderboard.

After Møllersen and Holsbø (2023, arXiv:2303.07272).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scoreproof.arrays import Floats
from scoreproof.figures import new_figure
from scoreproof.sota.accuracy import BestAccuracy
from scoreproof.sota.auc import AucLeaderboard
from scoreproof.sota.law import log_pmf, window
from scoreproof.sota.leaderboard import Leaderboard, Regression
from scoreproof.statistics.tails import clopper_pearson

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

GREY, RED, BLUE, INK = "#9aa0a6", "#c0392b", "#2471a3", "#222222"
_SIZE = (7.2, 4.0)


def plot_overlooked(best: BestAccuracy, alpha: float = 0.05) -> Figure:
    """Figure 1: a significantly better classifier against the expected best and its adjusted upper limit."""
    n, truth, digits = best.n, best.truth, _digits(best.n)
    better = clopper_pearson(round(n * truth), n, level=1 - alpha).high
    limit = best.interval(alpha, "quantile").high
    marks = [(best.mean, BLUE, "expected best")]
    if limit is not None:
        marks.append((limit, RED, "upper limit"))
    figure, axes = _axes(f"One classifier, a better one, and the best of {best.m:,}", "accuracy on the test set")
    x, mass = _one(n, truth)
    axes.fill_between(x, mass, color=GREY, alpha=0.6, step="mid", linewidth=0, label=f"accuracy {truth:.4g}")
    x, mass = _one(n, better)
    axes.plot(x, mass, color=RED, linewidth=1.6, label=f"accuracy {better:.{digits}f}, significantly better")
    for start, shade, words in marks:
        above = x >= start - 1e-12
        label = f"reaches the {words} ({start:.{digits}f}): {mass[above].sum():.4f}"
        axes.fill_between(x[above], mass[above], color=shade, alpha=0.55, linewidth=0, label=label)
        axes.axvline(start, ymax=0.78, color=shade, linestyle="--", linewidth=1)
    axes.set_ylabel("probability")
    axes.set_ylim(bottom=0)
    axes.set_ylim(top=axes.get_ylim()[1] * 1.45)
    axes.legend(frameon=False, fontsize=8, loc="upper left", ncols=2)
    return figure


def plot_cdf(best: BestAccuracy, alpha: float = 0.05, *, exactly: bool = False) -> Figure:
    """Figures 2 and 3: the probability that at least one has at most z failures, or the best exactly z."""
    words = "exactly" if exactly else "at most"
    figure, axes = _axes(f"Best of {best.m:,}: {words} z failures", "accuracy on the test set")
    part = _visible(best)
    if exactly:
        axes.fill_between(best.values[part], best.masses[part], step="mid", color=GREY, alpha=0.8, linewidth=0)
    else:
        axes.step(best.values[part], -np.expm1(best.log_none[part]), where="mid", color=INK, linewidth=1.6)
    _limits(axes, best, alpha)
    axes.set_ylabel("f(z), best classifier" if exactly else "F(z), at least one classifier")
    axes.set_ylim(0, None if exactly else 1.02)
    # Failures on top, as in the paper: counted from the right.
    both = (lambda a: best.n * (1 - np.asarray(a, dtype=float)), lambda z: 1 - np.asarray(z, dtype=float) / best.n)
    axes.secondary_xaxis("top", functions=both).set_xlabel("failures z", fontsize=9)
    axes.set_title(axes.get_title(loc="left"), fontsize=10, loc="left", pad=10)
    return figure


def plot_example(correct: Sequence[int], n: int, *, dependent: bool = False) -> Figure:
    """Figures 4 and 5: the failures of every classifier in one simulated competition."""
    kind = "dependent" if dependent else "independent"
    failures = n - np.asarray(correct)
    figure, axes = _axes(f"One simulated competition of {len(failures):,} {kind} classifiers", "failures z")
    axes.hist(failures, bins=_edges(failures), color=GREY)
    axes.set_ylabel("classifiers")
    axes.axvline(int(failures.min()), color=RED, linestyle="--", linewidth=1, label=f"the best: {failures.min():,}")
    axes.axvline(float(failures.mean()), color=INK, linestyle="--", linewidth=1, label=f"mean: {failures.mean():,.1f}")
    axes.legend(frameon=False, fontsize=8)
    return figure


def plot_simulated(best: BestAccuracy, drawn: Floats, alpha: float = 0.05) -> Figure:
    """Figures 6 and 7: the fewest failures in each of many simulated competitions, and what is exact."""
    kind = "independent" if best.reference is None else "dependent"
    failures = np.rint(best.n * (1 - np.asarray(drawn))).astype(int)
    figure, axes = _axes(f"The best of {best.m:,} {kind} classifiers in {len(failures):,} simulations", "failures z")
    axes.hist(failures, bins=_edges(failures), color=GREY)
    axes.set_ylabel("simulated competitions")
    part = _visible(best)
    exact = best.n * (1 - best.values[part])
    axes.plot(exact, best.masses[part] * len(failures), color=INK, linewidth=1.4, label="exact distribution")
    limit = best.n * (1 - float(np.quantile(drawn, 1 - alpha / 2)))
    words = f"simulated upper limit: accuracy {1 - limit / best.n:.4f}"
    axes.axvline(limit, color=RED, linestyle="--", linewidth=1, label=words)
    axes.legend(frameon=False, fontsize=8)
    return figure


def plot_boards(board: Leaderboard | AucLeaderboard, public: Sequence[float], private: Sequence[float]) -> Figure:
    """Both boards in one picture: every entry from its public to its private score, leaders in colour."""
    figure, axes = _axes("From the public to the private board", "", (5.6, 5.0))
    for before, after in zip(public, private, strict=True):
        axes.plot([0, 1], [before, after], color=GREY, linewidth=0.6, alpha=0.5)
    for leader, colour, words in (
        (int(np.argmax(public)), RED, "public leader"),
        (int(np.argmax(private)), BLUE, "private leader"),
    ):
        ends = [public[leader], private[leader]]
        ranks = [1 + sum(s > scores[leader] for s in scores) for scores in (public, private)]
        label = f"{words}: rank {ranks[0]:,} to {ranks[1]:,}"
        axes.plot([0, 1], ends, "o-", color=colour, linewidth=1.8, markersize=4, label=label)
    top = board.top.score
    axes.fill_between([0.97, 1.03], top - _margin(board), top, color=BLUE, alpha=0.15, linewidth=0)
    axes.annotate(f"{board.indistinguishable:,} not told\nfrom the top", (1.03, top), fontsize=8, va="top")
    drop = board.regression
    if drop is not None and drop.top_expected is not None:
        axes.plot([1], [drop.top_expected], "x", color=RED, label="public leader, by chance alone")
    axes.set_xticks([0, 1], ["public", "private"])
    axes.set_xlim(-0.08, 1.28)
    axes.set_ylabel("score")
    axes.legend(frameon=False, fontsize=8, loc="lower left")
    return figure


def _margin(board: Leaderboard | AucLeaderboard) -> float:
    return board.margin if isinstance(board, AucLeaderboard) else board.margin / board.n


def plot_leaderboard(board: Leaderboard | AucLeaderboard, most: int = 30) -> Figure:
    """Scores, shrunken scores with their intervals, and who cannot be told from the top."""
    entries = sorted(board.entries, key=lambda entry: entry.rank)[:most]
    height = max(2.6, 0.24 * len(entries) + 1.5)
    title = f"{board.indistinguishable:,} of {len(board.entries):,} entries cannot be told from the top"
    figure, axes = _axes(title, "AUC" if isinstance(board, AucLeaderboard) else "accuracy", (7.2, height))
    rows = np.arange(len(entries))
    top = board.top.score
    axes.axvspan(top - _margin(board), top, color=BLUE, alpha=0.10, linewidth=0)
    axes.hlines(rows, [e.low for e in entries], [e.high for e in entries], color=INK, linewidth=1)
    axes.plot([e.shrunken for e in entries], rows, "o", color=INK, markersize=4, label="shrunken")
    axes.plot([e.score for e in entries], rows, "|", color=RED, markersize=9, label="score")
    equal = board.estimate if isinstance(board, AucLeaderboard) else board.winner.estimate
    axes.axvline(equal, color=BLUE, linestyle="--", linewidth=1, label="winner, if all are equal")
    names = [e.name.replace("$", r"\$") for e in entries]
    axes.set_yticks(rows, [name if len(name) <= 24 else name[:23] + "…" for name in names], fontsize=8)
    axes.set_ylim(len(entries) - 0.4, -0.6)
    axes.legend(frameon=False, fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.5 / (height - 1.2)), ncols=3)
    return figure


def plot_regression(fit: Regression, public: Sequence[float], private: Sequence[float]) -> Figure:
    """Figure 8 of the paper: private against public scores, with the fit and what chance alone predicts."""
    figure, axes = _axes("Public against private scores", "public score", (5.6, 4.4))
    axes.plot(public, private, ".", color=GREY, markersize=4)
    ends = np.array([min(public), max(public)])
    axes.plot(ends, ends, color=INK, linewidth=0.8, linestyle=":", label="public = private")
    axes.plot(ends, fit.intercept + fit.slope * ends, color=BLUE, label=f"fit, slope {fit.slope:.3f}")
    if fit.reliability is not None:
        line = fit.mean_private + fit.reliability * (ends - fit.mean_public)
        axes.plot(ends, line, color=RED, linestyle="--", label=f"chance alone, slope {fit.reliability:.3f}")
    axes.plot([fit.top_public], [fit.top_private], "o", color=RED, label="public leader")
    axes.set_ylabel("private score")
    axes.legend(frameon=False, fontsize=8)
    return figure


def _axes(title: str, xlabel: str, size: tuple[float, float] = _SIZE) -> tuple[Figure, Axes]:
    figure = new_figure(*size)
    axes = figure.add_subplot()
    axes.set_title(title, fontsize=10, loc="left")
    axes.set_xlabel(xlabel)
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _one(n: int, accuracy: float) -> tuple[Floats, Floats]:
    low, high = window(n, 1 - accuracy, accuracy, 12.0)
    zs = np.arange(low, high + 1)
    return (n - zs[::-1]) / n, np.exp(log_pmf(zs[::-1], n, 1 - accuracy, accuracy))


def _visible(best: BestAccuracy) -> slice:
    """The values that hold all but a hundred-thousandth and, if not far, the truth, with a little air."""
    reached = -np.expm1(best.log_none)
    first = int(np.searchsorted(reached, 1e-5))
    last = int(np.searchsorted(reached, 1 - 1e-5))
    truth = round(best.n * (1 - best.truth)) - best.first
    if last < truth < last + 4 * (last - first + 1):
        last = truth
    air = 2 + (last - first) // 20
    return slice(max(0, first - air), min(len(reached), last + air + 1))


def _limits(axes: Axes, best: BestAccuracy, alpha: float) -> None:
    holds = best.interval(alpha, "holds").high
    marks = [(best.truth, INK, "true accuracy"), (best.mean, BLUE, "expected best")]
    if holds is not None:
        marks.append((holds, RED, f"reached with probability ≤ {alpha / 2:g}"))
    for at, colour, words in marks:
        axes.axvline(at, color=colour, linestyle="--", linewidth=1, label=f"{words}: {at:.{_digits(best.n)}f}")
    axes.legend(frameon=False, fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=3)


def _edges(failures: NDArray[Any]) -> list[float]:
    """Bars for each number of failures, or for several where they spread far."""
    width = max(1, int(np.ptp(failures)) // 80)
    return [float(edge) - 0.5 for edge in np.arange(failures.min(), failures.max() + width + 1, width)]


def _digits(n: int) -> int:
    """Decimals that tell one case from the next."""
    return max(4, len(str(n)) - 1)
