"""A leaderboard of AUCs, such as that of a medical imaging competition, read soberly.

An AUC is no count of cases, so its law must be said: here an AUC of a true area a is taken as normal with the
standard deviation of a stated ROC curve (``auc_sd``: Hanley and McNeil's, a binormal one, or the widest there
is), given the numbers of positives and negatives. The shrunken ranking takes it as the share of hits among as
many independent cases as have that standard deviation. Where the predictions are at hand,
bootstrap or DeLong say more; without them Møllersen and Holsbø (2023, arXiv:2303.07272, section 5) do the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from scipy.optimize import brentq
from scipy.special import log_ndtr

from scoreproof.errors import InvalidOption
from scoreproof.jsonable import document, rebuilt
from scoreproof.sota.auc import SHAPES, Shape, adjusted_auc, auc_sd, best_of_auc, lowest_crossing
from scoreproof.sota.inputs import MOST_CASES, count, number
from scoreproof.sota.leaderboard import (
    Board,
    best_first,
    entry_names,
    proportions,
    public_scores,
    ranked_entries,
    settled_prior,
)
from scoreproof.sota.regression import regression
from scoreproof.sota.shrinkage import shrink
from scoreproof.validation import chosen, fraction, shown

_GRID = np.linspace(-9.0, 9.0, 1801)
_CORRELATIONS = (0.0, 0.5, 0.9)  # between entries on one test set: none, usual, of much alike entries


@dataclass(frozen=True, slots=True, kw_only=True)
class AucLeaderboard(Board):
    """What a leaderboard's AUCs are worth."""

    p: int
    n: int
    margin: float  #: AUC by which the indistinguishable may trail the top
    sd: float  #: of one AUC at the winner's estimate
    estimate: float  #: of the winner, as if all entries were equally good: the most sceptical reading
    low: float
    high: float
    shape: Shape
    ratio: float
    correlation: float
    by_correlation: Mapping[str, int]  #: how many cannot be told from the top, by the correlation between entries

    @property
    def law(self) -> str:
        """The law that was assumed, in words."""
        shape = {"hanley-mcneil": "Hanley and McNeil's ROC curve", "worst": "the widest of all ROC curves"}
        curve = shape.get(self.shape, f"a binormal ROC curve (spread ratio {self.ratio:g})")
        dependent = (
            f", correlation {self.correlation:g} between entries" if self.correlation else ", independent entries"
        )
        return f"normal AUCs with the variance of {curve}: sd {self.sd:.4f} of one{dependent}"

    def to_dict(self) -> dict[str, Any]:
        told = (
            "positives=p negatives=n entries alpha indistinguishable by_correlation margin prior shrinkage shape ratio"
        )
        winner = {"observed": self.top.score, **document(self, "estimate low high")}
        more = {"score": "auc", "winner": winner, "winner_shrunken": self.top.shrunken, "approximation": True}
        return document(self, f"{told} correlation sd_one=sd law regression", **more)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        own = {"p": document["positives"], "n": document["negatives"], "sd": document["sd_one"]}
        return rebuilt(cls, {**document, **document["winner"], **own})

    def __str__(self) -> str:
        cases = f"{self.p:,} positive and {self.n:,} negative"
        text = self._sentences(cases, self.margin, "AUC ", (self.estimate, self.low, self.high))
        either = ", ".join(f"{many:,} if it is {rho}" for rho, many in self.by_correlation.items())
        text = f"{text} Assumed: {self.law}; the correlation is not known, and {either} cannot be told from the top."
        return text if self.regression is None else f"{text} {self.regression}"


def auc_leaderboard(
    scores: Sequence[float],
    p: int,
    n: int,
    *,
    names: Sequence[str] | None = None,
    public: Sequence[float] | None = None,
    public_sizes: tuple[int, int] | None = None,
    alpha: float = 0.05,
    prior: Literal["auto", "beta", "spline"] = "auto",
    percent: bool = False,
    sort: bool = False,
    shape: Shape = "hanley-mcneil",
    ratio: float = 1.0,
    correlation: float = 0.0,
) -> AucLeaderboard:
    """Read a leaderboard of AUCs on p positive and n negative cases, best first.

    ``shape`` and ``ratio`` choose the law of one AUC (see ``auc_sd``). ``correlation`` is that between the AUCs of
    two entries, which one test set makes positive; it narrows the margin, and 0 is the cautious choice.
    ``public_sizes`` are the positives and negatives of the public test set.

    >>> board = auc_leaderboard([0.9490, 0.9487, 0.9470, 0.9300, 0.90], 135, 7552)
    >>> board.indistinguishable, board.top.shrunken < 0.949
    (5, True)
    """
    p, n = count("p", p, most=MOST_CASES), count("n", n, most=MOST_CASES)
    alpha = fraction("alpha", alpha)
    chosen("shape", shape, SHAPES)
    rho = number("correlation", correlation)
    if not 0 <= rho < 1:
        raise InvalidOption(f"correlation: expected at least 0 and below 1, got {shown(correlation)}")
    values = proportions("scores", scores, percent)
    order = best_first(values, sort)
    best, m = float(values[order[0]]), len(values)
    low = _limit(best, m, p, n, 1 - alpha / 2, shape, ratio)
    high = _limit(best, m, p, n, alpha / 2, shape, ratio)
    # The truth lies below the top, where an AUC varies more; a perfect one has no variance by any formula at all.
    at = min(adjusted_auc(best, m, p, n, shape=shape, ratio=ratio), 1 - 1 / (2 * p * n + 2))
    sd = auc_sd(at, p, n, shape=shape, ratio=ratio)
    widest = max(auc_sd(a, p, n, shape=shape, ratio=ratio) for a in (low, at, min(at, max(low, 0.5))))
    reach = widest * _reach(m, alpha)
    margin = reach * math.sqrt(1 - rho)
    taken = settled_prior(prior, m)
    cases = max(2, round(at * (1 - at) / sd**2))
    posterior = shrink(values[order] * cases, cases, taken, alpha)
    close = values[order] >= best - margin - 1e-12
    many = {f"{r:g}": int((values >= best - reach * math.sqrt(1 - r) - 1e-12).sum()) for r in _CORRELATIONS}
    others = public_scores(public, {"public_sizes": public_sizes}, m, percent)
    spreads = _spreads(p, n, public_sizes, shape, ratio)
    entries = ranked_entries(values, order, entry_names(names, m), posterior, close)
    return AucLeaderboard(
        p=p,
        n=n,
        alpha=alpha,
        entries=entries,
        indistinguishable=int(close.sum()),
        margin=margin,
        sd=sd,
        estimate=adjusted_auc(best, m, p, n, shape=shape, ratio=ratio),
        low=low,
        high=high,
        prior=taken,
        shrinkage=posterior.shrinkage,
        shape=shape,
        ratio=float(ratio),
        correlation=rho,
        by_correlation=many,
        regression=None if others is None else regression(others, values, spreads[1], spreads[0]),
    )


def _spreads(
    p: int, n: int, public: tuple[int, int] | None, shape: Shape, ratio: float
) -> tuple[Callable[[float], float] | None, Callable[[float], float]]:
    """The variance of one AUC on the public and on the private test set, by its true value."""

    def on(positives: int, negatives: int) -> Callable[[float], float]:
        return lambda auc: auc_sd(auc, positives, negatives, shape=shape, ratio=ratio) ** 2

    return (None if public is None else on(*public)), on(p, n)


def _reach(m: int, alpha: float) -> float:
    """How many standard deviations the truly best of m equals may trail the top, with confidence 1 - alpha.

    Gupta's subset rule for normal scores: the integral of phi(x) Phi(x + h)^(m - 1) is 1 - alpha.
    """
    if m == 1:
        return 0.0
    step = float(_GRID[1] - _GRID[0])
    density = np.exp(-(_GRID**2) / 2) / math.sqrt(2 * math.pi) * step

    def kept(h: float) -> float:
        return float(density @ np.exp((m - 1) * log_ndtr(_GRID + h))) - (1 - alpha)

    return 0.0 if kept(0.0) >= 0 else float(brentq(kept, 0.0, 20.0))


def _limit(best: float, m: int, p: int, n: int, chance: float, shape: Shape, ratio: float) -> float:
    """The true AUC at which the best of m stays below the observed one with this probability."""

    def excess(auc: float) -> float:
        return best_of_auc(m, auc, p, n, shape=shape, ratio=ratio).quantile(chance) - best

    return lowest_crossing(excess, best)
