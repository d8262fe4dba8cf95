"""After Friedman: which models differ?

Nemenyi's test compares all pairs of mean ranks through the studentized range (1963; Demšar 2006,
jmlr.org/papers/v7/demsar06a); Holm's compares them, or all models with one control, through normal tails corrected for
their number. Mean-rank tests depend on the other models in the table, so pairwise Wilcoxon tests with a correction are
offered too, and preferred (Benavoli, Corani & Mangili 2016, jmlr.org/papers/v17/benavoli16a).

The range of k normal means is the half-range integral of Hartley (1942), by default with the Gauss-Legendre rule of
Copenhaver & Holland (1988, doi:10.1080/00949658808811082) and, for quantiles, the secant steps of Lund & Lund (1983,
doi:10.2307/2347300), as in R's ptukey and qtukey, so that critical differences agree with R's to the last digit. That
rule errs by up to 4e-9 (quantiles 6e-8); ``rule="fine"`` errs by less than 1e-13.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy import special

from scoreproof.arrays import Floats, score_table
from scoreproof.errors import InvalidOption
from scoreproof.jsonable import document
from scoreproof.results import Result, SmallTable, Tabular
from scoreproof.statistics.friedman import rank_rows
from scoreproof.statistics.result import bare_p, number_text, p_text
from scoreproof.statistics.tails import adjust, normal_p
from scoreproof.statistics.wilcoxon import wilcoxon_signed_rank
from scoreproof.validation import chosen, fraction, shown, whole

RangeRule = Literal["r", "fine"]

_END = 8.0
_TINY = 1e-9
_STEP = 1e-4
#: The rational approximation of AS 70 to the normal quantile: top and bottom, highest power first.
_AS70 = (
    (-0.453642210148e-4, -0.204231210125, -0.342242088547, -1.0, 0.322232421088),
    (0.38560700634e-2, 0.103537752850, 0.531103462366, 0.588581570495, 0.99348462606e-1),
)


def range_p(q: float, k: int, *, df: int | None = None, rule: RangeRule = "r") -> float:
    """P(the range of k standard normal values >= q); with ``df``, over a deviation of so many degrees of freedom."""
    chosen("rule", rule, ("r", "fine"))
    k = whole("k", k, at_least=2)
    if q <= 0:
        return 1.0
    if df is not None:
        from scipy.stats import studentized_range

        return float(studentized_range.sf(q, k, whole("df", df, at_least=1)))
    coarse = 1.0 - _cdf(q, k) if rule == "r" else 0.0
    # One minus the integral has no digits left in the far tail.
    return coarse if coarse >= _TINY else _upper(q, k)


def range_quantile(alpha: float, k: int, *, rule: RangeRule = "r") -> float:
    """The q that the range of k standard normal values exceeds with probability alpha."""
    chosen("rule", rule, ("r", "fine"))
    alpha, k = fraction("alpha", alpha), whole("k", k, at_least=2)
    if rule == "r" and alpha >= _TINY:
        return _secant(alpha, k)
    from scipy.optimize import brentq

    def above(q: float) -> float:
        return math.log(max(_upper(q, k), 1e-320)) - math.log(alpha)

    return float(brentq(above, 1e-9, 60.0, xtol=1e-13, rtol=1e-14))


def _cdf(q: float, k: int) -> float:
    """[2Φ(q/2) - 1]^k + 2k ∫ φ(x) [Φ(x) - Φ(x - q)]^(k-1) dx from q/2, in 2 or 3 pieces of 12 points."""
    start = q / 2
    if start >= _END:
        return 1.0
    edges = np.linspace(start, _END, (2 if q > 3 else 3) + 1)
    nodes, weights = _legendre(12)
    half = np.diff(edges)[:, None] / 2
    x = edges[:-1, None] + half + half * nodes
    inside = np.exp(-x * x / 2) * (special.ndtr(x) - special.ndtr(x - q)) ** (k - 1) * (x * x <= 60)
    area = float(np.sum(weights * inside * half))
    central = float(2 * special.ndtr(start) - 1) ** k
    return min(1.0, central + 2 * k * area / math.sqrt(2 * math.pi))


def _upper(q: float, k: int) -> float:
    """k ∫ φ(x) {Φ(x)^(k-1) - [Φ(x) - Φ(x - q)]^(k-1)} dx: every term positive, so small tails keep their digits."""
    edges = np.linspace(-9.0, 9.0 + q, 25)
    nodes, weights = _legendre(64)
    half = np.diff(edges)[:, None] / 2
    x = edges[:-1, None] + half + half * nodes
    missing = np.minimum(1.0, np.exp(special.log_ndtr(x - q) - special.log_ndtr(x)))
    with np.errstate(divide="ignore"):
        lost = -np.expm1((k - 1) * np.log1p(-missing))
    inside = np.exp(-x * x / 2 + (k - 1) * special.log_ndtr(x)) * lost
    return min(1.0, k * float(np.sum(weights * inside * half)) / math.sqrt(2 * math.pi))


def _secant(alpha: float, k: int) -> float:
    """Secant steps from the starting value of AS 70 until one is shorter than 1e-4, as R does."""
    wanted = 1.0 - alpha
    y = math.sqrt(math.log(1.0 / (0.5 - 0.5 * wanted) ** 2))
    t = y + np.polyval(_AS70[0], y) / np.polyval(_AS70[1], y)
    old = float(t * ((0.8832 - 0.2368 * t) * math.log(k - 1.0) + 1.4142))
    old_miss = _cdf(old, k) - wanted
    new = max(0.0, old - 1.0) if old_miss > 0 and old > 1 else old + 1.0
    new_miss = _cdf(new, k) - wanted
    for _ in range(50):
        step = new - new_miss * (new - old) / (new_miss - old_miss)
        old, old_miss = new, new_miss
        new = max(0.0, step)
        new_miss = _cdf(new, k) - wanted if step > 0 else -wanted
        if abs(new - old) < _STEP:
            break
    return new


@cache
def _legendre(points: int) -> tuple[Floats, Floats]:
    nodes, weights = np.polynomial.legendre.leggauss(points)
    return nodes, weights


@dataclass(frozen=True, slots=True)
class PairTest(Result):
    """One comparison among several: ``p_value`` on its own, ``p_adjusted`` for the whole family."""

    first: str
    second: str
    difference: float
    p_value: float
    p_adjusted: float


@dataclass(frozen=True, slots=True)
class PostHoc(Tabular):
    """All comparisons after an omnibus test, with the mean ranks they rest on (1 is best)."""

    method: str
    models: tuple[str, ...]
    mean_ranks: tuple[float, ...]
    pairs: tuple[PairTest, ...]
    alpha: float
    critical_difference: float | None = None
    data_sets: int = 0

    def p_matrix(self) -> npt.NDArray[np.float64]:
        """The adjusted p-values as a symmetric matrix, 1 on the diagonal, NaN where no test was made."""
        where = {name: i for i, name in enumerate(self.models)}
        matrix = np.full((len(self.models), len(self.models)), np.nan)
        np.fill_diagonal(matrix, 1.0)
        for test in self.pairs:
            a, b = where[test.first], where[test.second]
            matrix[a, b] = matrix[b, a] = test.p_adjusted
        return matrix

    def significant(self) -> tuple[PairTest, ...]:
        return tuple(t for t in self.pairs if t.p_adjusted <= self.alpha)

    def __str__(self) -> str:
        apart = self.significant()
        if not apart:
            return f"{self.method}: no pair differs at alpha {self.alpha:g}."
        listed = "; ".join(f"{t.first} and {t.second} ({p_text(t.p_adjusted)})" for t in apart)
        count = f"{len(apart)} of {len(self.pairs)} pairs differ"
        return f"{self.method}: {count} at alpha {self.alpha:g}: {listed}."

    def to_dict(self) -> dict[str, Any]:
        return document(self, "*", sentence=str(self))

    def _rows(self) -> list[dict[str, Any]]:
        return [pair.to_dict() for pair in self.pairs]

    def _tables(self) -> list[SmallTable]:
        rows = [
            (f"{t.first} vs {t.second}", number_text(t.difference), bare_p(t.p_value), bare_p(t.p_adjusted))
            for t in self.pairs
        ]
        return [SmallTable(rows, ("pair", "difference", "p", "adjusted p"), self.method)]


def nemenyi(
    scores: npt.ArrayLike,
    *,
    models: Sequence[str] | None = None,
    alpha: float = 0.05,
    higher_is_better: bool = True,
    decimals: int | None = 9,
    rule: RangeRule = "r",
) -> PostHoc:
    """All pairs of mean ranks, through the studentized range; p-values are already adjusted.

    >>> result = nemenyi([[3, 1, 2], [9, 4, 5], [8, 2, 6], [7, 1, 5], [5, 2, 4]], models=["A", "B", "C"])
    >>> print(result)
    Nemenyi test: 1 of 3 pairs differ at alpha 0.05: A and B (p = 0.00446).
    """
    table, alpha = score_table(scores), fraction("alpha", alpha)
    names = model_names(models, table.shape[1])
    means = rank_rows(table, higher_is_better=higher_is_better, decimals=decimals).means
    cd = critical_difference(len(names), len(table), alpha=alpha, rule=rule)
    pairs = []
    for a, b in pairs_of(len(names)):
        gap = float(means[a] - means[b])
        p = range_p(abs(gap) / _rank_error(*table.shape) * math.sqrt(2), len(names), rule=rule)
        pairs.append(PairTest(names[a], names[b], gap, p, p))
    return PostHoc("Nemenyi test", names, tuple(means.tolist()), tuple(pairs), alpha, cd, len(table))


def posthoc(
    scores: npt.ArrayLike,
    *,
    method: Literal["wilcoxon", "ranks"] = "wilcoxon",
    correction: str = "holm",
    control: str | int | None = None,
    models: Sequence[str] | None = None,
    alpha: float = 0.05,
    higher_is_better: bool = True,
    decimals: int | None = 9,
) -> PostHoc:
    """All pairs, or all models against ``control``, with corrected p-values.

    ``method="ranks"`` tests differences of mean ranks by the normal distribution, the test Holm's procedure usually
    follows; ``"wilcoxon"`` runs a signed-rank test for each pair, which the other models cannot influence.

    >>> table = [[3, 1, 2], [9, 4, 5], [8, 2, 6], [7, 1, 5], [5, 2, 4]]
    >>> [round(t.p_adjusted, 4) for t in posthoc(table, method="ranks").pairs]
    [0.0047, 0.2277, 0.2277]
    """
    table, alpha = score_table(scores), fraction("alpha", alpha)
    names = model_names(models, table.shape[1])
    chosen("method", method, ("wilcoxon", "ranks"))
    means = rank_rows(table, higher_is_better=higher_is_better, decimals=decimals).means
    indices = pairs_of(len(names), None if control is None else position(control, names))
    if method == "ranks":
        gaps = [float(means[a] - means[b]) for a, b in indices]
        raw = [normal_p(gap / _rank_error(*table.shape)) for gap in gaps]
    else:
        gaps = [float(np.median(table[:, a] - table[:, b])) for a, b in indices]
        raw = [wilcoxon_signed_rank(table[:, a], table[:, b], decimals=decimals).p_value for a, b in indices]
    adjusted = adjust(raw, correction).tolist()
    numbers = zip(indices, gaps, raw, adjusted, strict=True)
    tests = tuple(PairTest(names[a], names[b], gap, p, q) for (a, b), gap, p, q in numbers)
    name = f"{'Mean ranks' if method == 'ranks' else 'Wilcoxon signed-rank tests'}, {correction_name(correction)}"
    return PostHoc(name, names, tuple(means.tolist()), tests, alpha, None, len(table))


def pairs_of(models: int, control: int | None = None) -> list[tuple[int, int]]:
    """All pairs of models, or those with one of them only."""
    if control is None:
        return list(combinations(range(models), 2))
    return [(control, other) for other in range(models) if other != control]


def critical_difference(models: int, data_sets: int, *, alpha: float = 0.05, rule: RangeRule = "r") -> float:
    """How far two mean ranks must lie apart for Nemenyi's test to call the models different.

    >>> round(critical_difference(4, 14), 4)
    1.2536
    """
    k, j = whole("models", models, at_least=2, at_most=10**6), whole("data_sets", data_sets, at_least=1)
    return range_quantile(alpha, k, rule=rule) / math.sqrt(2) * _rank_error(j, k)


def correction_name(correction: str) -> str:
    """How a correction is called in a sentence."""
    names = {"bh": "Benjamini-Hochberg", "by": "Benjamini-Yekutieli", "none": "uncorrected"}
    return names.get(correction.lower(), correction.capitalize())


def model_names(names: Sequence[str] | None, count: int) -> tuple[str, ...]:
    """The names given, or "model 1", "model 2"..."""
    if names is None:
        return tuple(f"model {i + 1}" for i in range(count))
    if isinstance(names, str) or len(names) != count:
        raise InvalidOption(f"models = {shown(names)}: expected {count} names, one per column")
    texts = tuple(str(n) for n in names)
    if len(set(texts)) < count:
        raise InvalidOption(f"models = {', '.join(texts)}: expected a different name for each")
    return texts


def position(model: str | int, names: Sequence[str]) -> int:
    """Where a model stands, by its name or its number from 0."""
    if isinstance(model, int) and 0 <= model < len(names):
        return model
    if model in names:
        return names.index(str(model))
    raise InvalidOption(f"control = {shown(model)}: expected one of {', '.join(names)}")


def _rank_error(data_sets: int, models: int) -> float:
    return math.sqrt(models * (models + 1) / (6 * data_sets))
