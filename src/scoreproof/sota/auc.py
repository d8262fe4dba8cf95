"""AUC as the score: the best of m, approximately, and a leaderboard of AUCs read soberly.

The area alone does not determine its sampling variance. Hanley and McNeil (1982, doi:10.1148/radiology.143.1.7063747)
assume exponential scores; a binormal curve lets the two classes differ in spread. Møllersen and Holsbø (2023,
arXiv:2303.07272, section 5) leave the shape and the number of positives unsaid, so their AUC interval can be bracketed
but not reproduced. On a board an AUC of a true area a is taken as normal with the standard deviation of a stated curve
(``auc_sd``), and its shrunken ranking takes it as the share of hits among as many independent cases as have that
standard deviation. Where the predictions are at hand, bootstrap or DeLong say more (``prediction_board``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self, TypedDict, Unpack

import numpy as np
from scipy.optimize import brentq
from scipy.special import log_ndtr, ndtr, ndtri, ndtri_exp, owens_t

from scoreproof.arrays import Floats
from scoreproof.errors import InvalidOption
from scoreproof.jsonable import document, rebuilt
from scoreproof.results import Result
from scoreproof.sota.best import BestInterval
from scoreproof.sota.law import MOST_CASES, MOST_CLASSIFIERS, count, number, probability
from scoreproof.sota.leaderboard import Board, Variance, scored_board
from scoreproof.sota.shrinkage import shrink
from scoreproof.statistics.auc import auc_error, hanley_mcneil_error
from scoreproof.validation import Share, fraction, optioned, random_seed, real

Shape = Literal["hanley-mcneil", "binormal", "worst"]
#: scores of the smaller class that a simulation may draw: some minutes
MOST_DRAWN = 2 * 10**9
_GRID = np.linspace(-13.0, 13.0, 6501)


def auc_sd(auc: float, p: int, n: int, *, shape: Shape = "hanley-mcneil", ratio: float = 1.0) -> float:
    """The standard deviation of an AUC on p positives and n negatives.

    ``binormal`` takes the scores of both classes as normal, those of the positives with ``ratio`` times the
    spread; ``worst`` is the largest value any ROC curve allows (Birnbaum and Klose 1957).
    """
    a = probability("auc", auc)
    p, n = count("p", p, most=MOST_CASES), count("n", n, most=MOST_CASES)
    if shape == "worst":
        return math.sqrt(a * (1 - a) / min(p, n))
    if shape == "hanley-mcneil":
        return hanley_mcneil_error(a, p, n)
    return auc_error(a, p, n, *_binormal(a, real("ratio", ratio, at_least=1e-9, at_most=1e9)))


def _binormal(a: float, ratio: float) -> tuple[float, float]:
    """P(two positives both beat one negative) and P(one positive beats two negatives)."""
    if a in (0.0, 1.0):
        return a, a
    z = float(ndtri(a))
    shares = 1 / (1 + ratio**2), ratio**2 / (1 + ratio**2)
    # P(both below z) for a bivariate normal of correlation r is Phi(z) - 2 T(z, sqrt((1 - r) / (1 + r)))
    q1, q2 = (a - 2 * float(owens_t(z, math.sqrt((1 - r) / (1 + r)))) for r in shares)
    return q1, q2


@dataclass(frozen=True, slots=True)
class BestAuc(Result):
    """The best of m AUCs by the normal approximation: good in the middle, optimistic close to AUC = 1."""

    auc: float
    m: int
    p: int
    n: int
    sd_one: float
    shape: Shape
    ratio: float

    _told = "auc classifiers=m positives=p negatives=n shape ratio sd_one mean sd bias sd_by_shape note"

    def reaches(self, value: float) -> float:
        """The probability that at least one classifier's AUC is ``value`` or more."""
        x = number("value", value)
        if self.sd_one == 0:
            return float(x <= self.auc)
        return float(-np.expm1(self.m * log_ndtr((x - self.auc) / self.sd_one)))

    def quantile(self, chance: float) -> float:
        """The AUC that the best stays below with probability ``chance``."""
        wanted = fraction("probability", chance)
        return min(1.0, self.auc + self.sd_one * float(ndtri_exp(math.log(wanted) / self.m)))

    @property
    def mean(self) -> float:
        return min(1.0, self.auc + self.sd_one * _moments(self.m)[0])

    @property
    def sd(self) -> float:
        return self.sd_one * _moments(self.m)[1]

    @property
    def bias(self) -> float:
        return self.mean - self.auc

    def interval(self, alpha: float = 0.05) -> BestInterval:
        """Limits for the best AUC; a continuous approximation, so the two conventions agree."""
        half = fraction("alpha", alpha) / 2
        return BestInterval(self.quantile(half), self.quantile(1 - half), half, half, alpha, "quantile")

    @property
    def sd_by_shape(self) -> dict[str, float]:
        """The spread of one AUC under other ROC curves of the same area: how much the shape matters here."""
        ratios = {"equal spread": 1.0, "positives half as spread": 0.5, "positives twice as spread": 2.0}
        given = self.auc, self.p, self.n
        binormal = {f"binormal, {x}": auc_sd(*given, shape="binormal", ratio=ratio) for x, ratio in ratios.items()}
        return {"hanley-mcneil": auc_sd(*given), **binormal, "any curve, at most": auc_sd(*given, shape="worst")}

    @property
    def note(self) -> str:
        spreads = list(self.sd_by_shape.values())[:-1]
        return (
            "An approximation: the AUC is taken as normal, and its variance depends on the shape of the ROC "
            "curve, which the area alone does not tell (sd of one AUC "
            f"{min(spreads):.4f} to {max(spreads):.4f} over common shapes, {self.sd_one:.4f} used)."
        )

    def to_dict(self) -> dict[str, Any]:
        return document(self, self._told, score="auc", interval=self.interval(), approximation=True)

    def __str__(self) -> str:
        return (
            f"The best of {self.m:,} classifiers of true AUC {self.auc:g} on {self.p:,} positive and {self.n:,} "
            f"negative cases is expected to reach about {self.mean:.4f} (sd {self.sd:.4f}). {self.note}"
        )


def best_of_auc(m: int, auc: float, p: int, n: int, *, shape: Shape = "hanley-mcneil", ratio: float = 1.0) -> BestAuc:
    """The best of m AUCs by the normal approximation.

    >>> best = best_of_auc(427, 0.9352, 135, 7552)
    >>> round(best.mean, 3), round(best.interval().high, 3)
    (0.979, 0.992)
    """
    sd = auc_sd(auc, p, n, shape=shape, ratio=ratio)
    return BestAuc(float(auc), count("m", m, most=MOST_CLASSIFIERS), int(p), int(n), sd, shape, float(ratio))


def adjusted_auc(
    observed_best: float, m: int, p: int, n: int, *, shape: Shape = "hanley-mcneil", ratio: float = 1.0
) -> float:
    """The true AUC whose expected best of m is the observed one, in the same approximation."""
    best = probability("observed best", observed_best)
    factor = _moments(count("m", m, most=MOST_CLASSIFIERS))[0]

    def excess(auc: float) -> float:
        return auc + factor * auc_sd(auc, p, n, shape=shape, ratio=ratio) - best

    if m == 1 or excess(0.0) >= 0 or excess(best) <= 0:
        return best if m == 1 or excess(best) <= 0 else 0.0
    return lowest_crossing(excess, best)


def lowest_crossing(rising: Callable[[float], float], best: float) -> float:
    """The lowest AUC at which a function turns positive; it may fall again where an expected best exceeds 1."""
    grid = np.linspace(0.0, best, 201)
    values = [rising(float(a)) for a in grid]
    first = next((i for i in range(1, 201) if values[i - 1] < 0 <= values[i]), None)
    if first is None:
        return best if values[-1] < 0 else 0.0
    return float(brentq(rising, float(grid[first - 1]), float(grid[first])))


def simulate_auc(
    m: int, auc: float, p: int, n: int, *, ratio: float = 1.0, repetitions: int = 200, seed: int | None = None
) -> Floats:
    """The best of m AUCs in simulated competitions: binormal scores, drawn and ranked, no approximation.

    Only the smaller class is drawn score by score; how many of the larger class fall between its sorted
    scores is multinomial.
    """
    a = probability("auc", auc)
    p, n = count("p", p, most=MOST_CASES), count("n", n, most=MOST_CASES)
    count("p and n (the smaller)", min(p, n), most=10**7)
    m = count("m", m, most=MOST_DRAWN // min(p, n))
    repetitions = count("repetitions", repetitions, most=MOST_DRAWN // (m * min(p, n)))
    spread = real("ratio", ratio, at_least=1e-9, at_most=1e9)
    if a in (0.0, 1.0):
        return np.full(repetitions, a)
    if p > n:  # swap the classes: the AUC of the mirrored problem is the same
        p, n, spread = n, p, 1 / spread
    shift = float(ndtri(a)) * math.sqrt(1 + spread**2)
    rng = np.random.default_rng(None if seed is None else random_seed(seed))
    best = np.full(repetitions, -np.inf)
    block = max(1, 10**6 // (p + 1))
    for start in range(0, repetitions * m, block):
        size = min(block, repetitions * m - start)
        below = ndtr(np.sort(rng.normal(shift, spread, (size, p)), axis=1))
        gaps = np.diff(np.concatenate([np.zeros((size, 1)), below, np.ones((size, 1))], axis=1), axis=1)
        counts = rng.multinomial(n, gaps / gaps.sum(axis=1, keepdims=True))
        # a negative below the i-th smallest positive is beaten by the p - i others as well
        areas = counts[:, :-1] @ np.arange(p, 0, -1) / (p * n)
        np.maximum.at(best, (start + np.arange(size)) // m, areas)
    return best


def _moments(m: int) -> tuple[float, float]:
    """Mean and standard deviation of the largest of m standard normals."""
    missed = -np.expm1(m * log_ndtr(_GRID))
    step, low = float(_GRID[1] - _GRID[0]), float(_GRID[0])
    first = low + step * (float(missed.sum()) - (missed[0] + missed[-1]) / 2)
    weighted = 2 * (_GRID - low) * missed
    # the integrand starts with slope 2: the trapezoid rule's end correction
    second = step * (float(weighted.sum()) - (weighted[0] + weighted[-1]) / 2) + step * step / 6
    return float(first), math.sqrt(max(0.0, second - (float(first) - low) ** 2))


_WIDE = np.linspace(-9.0, 9.0, 1801)
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
        entries = f"correlation {self.correlation:g} between entries" if self.correlation else "independent entries"
        return f"normal AUCs with the variance of {curve}: sd {self.sd:.4f} of one, {entries}"

    def to_dict(self) -> dict[str, Any]:
        told = (
            "positives=p negatives=n entries alpha indistinguishable by_correlation margin prior shrinkage shape ratio "
        )
        winner = {"observed": self.top.score, **document(self, "estimate low high")}
        more = {"score": "auc", "winner": winner, "winner_shrunken": self.top.shrunken, "approximation": True}
        return document(self, f"{told}correlation sd_one=sd law regression", **more)

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


class AucOptions(TypedDict, total=False):
    """The law of one AUC, and how the AUCs of two entries correlate."""

    shape: Shape
    ratio: float
    correlation: float


@optioned(AucOptions, shape="hanley-mcneil", ratio=1.0, correlation=0.0)
def auc_leaderboard(
    scores: Sequence[float],
    p: int,
    n: int,
    *,
    names: Sequence[str] | None = None,
    public: Sequence[float] | None = None,
    public_sizes: tuple[int, int] | None = None,
    alpha: Share = 0.05,
    prior: Literal["auto", "beta", "spline"] = "auto",
    percent: bool = False,
    sort: bool = False,
    **law: Unpack[AucOptions],
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
    shape, ratio = law["shape"], law["ratio"]
    rho = real("correlation", law["correlation"], at_least=0, below=1)
    if public is None and public_sizes is not None:
        raise InvalidOption("public_sizes: given without public scores; expected public= with it")
    board = scored_board(scores, names, public, percent=percent, sort=sort, prior=prior)
    best, m = float(board.ordered[0]), len(board.values)
    curve: dict[str, Any] = {"shape": shape, "ratio": ratio}

    def limit(chance: float) -> float:
        """The true AUC at which the best of m stays below the observed one with this probability."""
        return lowest_crossing(lambda auc: best_of_auc(m, auc, p, n, **curve).quantile(chance) - best, best)

    def variance_on(positives: int, negatives: int) -> Variance:
        return lambda auc: auc_sd(auc, positives, negatives, **curve) ** 2

    low, high, estimate = limit(1 - alpha / 2), limit(alpha / 2), adjusted_auc(best, m, p, n, **curve)
    # The truth lies below the top, where an AUC varies more; a perfect one has no variance by any formula at all.
    at = min(estimate, 1 - 1 / (2 * p * n + 2))
    sd = auc_sd(at, p, n, **curve)
    reach = max(auc_sd(a, p, n, **curve) for a in (low, at, min(at, max(low, 0.5)))) * _reach(m, alpha)
    margin = reach * math.sqrt(1 - rho)
    cases = max(2, round(at * (1 - at) / sd**2))
    posterior = shrink(board.ordered * cases, cases, board.prior, alpha)
    close = board.ordered >= best - margin - 1e-12
    many = {f"{r:g}": int((board.values >= best - reach * math.sqrt(1 - r) - 1e-12).sum()) for r in _CORRELATIONS}
    public_variance = None if public_sizes is None else variance_on(*public_sizes)
    told: dict[str, Any] = {"p": p, "n": n, "shape": shape, "ratio": float(ratio), "correlation": rho}
    told |= {"by_correlation": many, **board.regressed(variance_on(p, n), public_variance)}
    shared = board.ranked(board.ordered, close, posterior, alpha)
    return AucLeaderboard(**shared, **told, margin=margin, sd=sd, estimate=estimate, low=low, high=high)


def _reach(m: int, alpha: float) -> float:
    """How many standard deviations the truly best of m equals may trail the top, with confidence 1 - alpha.

    Gupta's subset rule for normal scores: the integral of phi(x) Phi(x + h)^(m - 1) is 1 - alpha.
    """
    if m == 1:
        return 0.0
    step = float(_WIDE[1] - _WIDE[0])
    density = np.exp(-(_WIDE**2) / 2) / math.sqrt(2 * math.pi) * step

    def kept(h: float) -> float:
        return float(density @ np.exp((m - 1) * log_ndtr(_WIDE + h))) - (1 - alpha)

    return 0.0 if kept(0.0) >= 0 else float(brentq(kept, 0.0, 20.0))
