"""Many models on many data sets: Friedman's test, its sharper relatives, and which models differ after it.

The models are ranked within each data set and the mean ranks compared (Friedman 1937,
doi:10.1080/01621459.1937.10503522). The χ² statistic is too conservative; the F of Iman & Davenport (1980,
doi:10.1080/03610928008827904) is recommended (Demšar 2006, jmlr.org/papers/v7/demsar06a; Rainio, Teuho & Klén 2024,
doi:10.1038/s41598-024-56706-x).

For few models and data sets p is exact: the rank sums of all but the last model walk on a small grid, one step per data
set for each order of its ranks, ties as they are. Where the grid would be large, F takes Kendall's degrees of freedom,
which give the permutation distribution's mean and variance (Kendall & Babington Smith 1939,
doi:10.1214/aoms/1177732186). Iman and Davenport's own are too generous there: 19 % at 5 % for three models and sets.

Nemenyi's test (1963) compares all pairs of mean ranks through the studentized range, an integral (Hartley 1942) of
positive terms by a Gauss-Legendre rule that errs by less than 1e-13 (R's ptukey by up to 4e-9); Holm's compares them,
or all models with one control, through normal tails. Mean-rank tests depend on the other models in the table:
pairwise Wilcoxon tests are preferred (Benavoli, Corani & Mangili 2016, jmlr.org/papers/v17/benavoli16a).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy import special

from scoreproof.arrays import Floats, midranks, rounded, score_table
from scoreproof.errors import InvalidOption
from scoreproof.jsonable import document
from scoreproof.results import Result, SmallTable, Tabular
from scoreproof.statistics.resampling import weighted_interval
from scoreproof.statistics.result import Effect, LateEffects, TestResult, bare_p, number_text, p_text
from scoreproof.statistics.tails import adjust, chi2_p, f_upper, normal_p
from scoreproof.statistics.wilcoxon import lost_to_rounding, wilcoxon_signed_rank
from scoreproof.validation import Share, shown, whole

_MOST_STEPS = 20_000_000
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(64)


def friedman(
    scores: npt.ArrayLike,
    *,
    statistic: Literal["F", "chi2"] = "F",
    ties: Literal["corrected", "uncorrected"] = "corrected",
    higher_is_better: bool = True,
    decimals: int | None = 9,
    small_sample: bool = False,
) -> TestResult:
    """Do models (columns) differ over data sets (rows)? Rank 1 is best.

    ``statistic`` is Iman-Davenport's F or Friedman's χ²; ``ties`` says whether the variance of the ranks is
    reduced by ties within a row (Demšar's formula does not). Both statistics are in ``details``. Every row
    all equal: the statistic is 0 and p = 1. Every row ranks alike: F is infinite, and p is the exact chance
    of that. ``small_sample`` takes p from the exact permutation distribution where that is quickly listed, else
    from F with Kendall's degrees of freedom (see ``rank_permutations``).

    >>> result = friedman([[0.76, 0.77, 0.80], [0.60, 0.59, 0.57], [0.95, 0.97, 0.98], [0.63, 0.66, 0.67]])
    >>> round(result.statistic, 4), round(result.p_value, 4)
    (1.0, 0.4219)
    """
    table = score_table(scores)
    ranked = rank_rows(table, higher_is_better=higher_is_better, decimals=decimals)
    j, k = table.shape
    chi2 = ranked.chi2(corrected=ties == "corrected")
    f = ranked.iman_davenport(chi2)
    treatment = f"ties {ties}" if ranked.tie_losses.any() else "no ties"
    df: tuple[float, ...] = (float(k - 1), float((k - 1) * (j - 1)))
    name, value, how = "F", f, "Iman-Davenport F"
    p = ranked.chance_of_agreement() if math.isinf(f) else f_upper(f, *df)
    if statistic == "chi2":
        name, value, how, df, p = "χ²", chi2, "χ²", df[:1], chi2_p(chi2, k - 1)
    if small_sample:
        exact = exact_friedman_p(ranked.ranks)
        if exact is not None:
            p, how = exact, f"{how}, exact permutation distribution"
        elif statistic == "F" and math.isfinite(f):
            # They give the permutation distribution's mean and variance.
            df = (k - 1 - 2 / j, (k - 1 - 2 / j) * (j - 1))
            p, how = f_upper(f, *df), f"{how}, Kendall's degrees of freedom"
    alike = "every data set ranks the models alike: F is infinite, its p is the exact chance of that"
    notes = [alike] if math.isinf(f) else []
    lost = (lost_to_rounding(table[:, 0], table[:, other], decimals) for other in range(1, k))
    notes += next((list(note) for note in lost if note), [])
    if j < 10 and statistic == "chi2":
        notes.append(f"χ² is unreliable with {j} data sets: prefer Iman-Davenport's F")
    effects = LateEffects(lambda: (ranked.agreement(),))
    both = {"chi2_tie_corrected": ranked.chi2(corrected=True), "chi2_uncorrected": ranked.chi2(corrected=False)}
    details = {"mean_ranks": ranked.means.tolist(), **both, "F": f, "data_sets": j, "models": k}
    inputs = {"scores": table, "higher_is_better": higher_is_better, "decimals": decimals}
    told: dict[str, Any] = {"notes": tuple(notes), "details": details, "inputs": inputs}
    return TestResult("Friedman test", f"{how}, {treatment}", name, value, p, df=df, effects=effects, **told)


@dataclass(frozen=True, slots=True)
class RankedRows:
    """The ranks of the models within each data set, and what Friedman's statistics need of them."""

    ranks: Floats

    @property
    def tie_losses(self) -> Floats:
        """Of every data set the sum of t³ - t over its runs of t equal ranks, by which their squares add up to less."""
        k = self.ranks.shape[1]
        return np.asarray(np.rint(2.0 * k * (k + 1) * (2 * k + 1) - 12 * (self.ranks**2).sum(axis=1)), dtype=np.float64)

    @property
    def means(self) -> Floats:
        return np.asarray(self.ranks.mean(axis=0), dtype=np.float64)

    def chi2(self, *, corrected: bool) -> float:
        j, k = self.ranks.shape
        totals = self.ranks.sum(axis=0) - j * (k + 1) / 2
        scale = j * k * (k + 1) - (float(self.tie_losses.sum()) / (k - 1) if corrected else 0.0)
        return 0.0 if scale <= 0 else 12 * float(np.sum(totals**2)) / scale

    def iman_davenport(self, chi2: float) -> float:
        j, k = self.ranks.shape
        room = j * (k - 1) - chi2
        return math.inf if room <= 1e-12 * j * (k - 1) else (j - 1) * chi2 / room

    def agreement(self, level: float = 0.95) -> Effect:
        """Kendall's W with the BCa interval of resampled data sets, where there are a few."""
        j, k = self.ranks.shape
        w = self.chi2(corrected=True) / (j * (k - 1))
        if j < 5:
            return Effect("Kendall's W", w)
        losses = self.tie_losses

        def value(weights: Floats) -> Floats:
            totals = weights @ self.ranks - j * (k + 1) / 2
            scale = j * k * (k + 1) - (weights @ losses) / (k - 1)
            squares = 12 * np.sum(totals**2, axis=1) / np.where(scale > 0, scale, np.inf)
            return np.asarray(squares / (j * (k - 1)))

        bounds = weighted_interval(value, np.ones(j, dtype=np.int64), level, 0)
        return Effect("Kendall's W", w, bounds)

    def chance_of_agreement(self) -> float:
        """The probability that all data sets agree on the order seen, when each shuffles it fairly."""
        j, k = self.ranks.shape
        _, sizes = np.unique(self.ranks[0], return_counts=True)
        orders = math.factorial(k) // math.prod(math.factorial(int(s)) for s in sizes)
        return math.exp(-(j - 1) * math.log(orders))


def rank_rows(table: Floats, *, higher_is_better: bool, decimals: int | None) -> RankedRows:
    """Midranks within each row, 1 for the best, after rounding to ``decimals``."""
    values = rounded(table, decimals)
    return RankedRows(np.apply_along_axis(midranks, 1, -values if higher_is_better else values))


def exact_friedman_p(ranks: Floats) -> float | None:
    """P(the squared rank sums are at least those seen); None where listing them takes too long."""
    j, k = ranks.shape
    doubled = np.rint(2 * ranks).astype(np.int64)
    low = doubled.min()
    unit = math.gcd(*(int(r - low) for r in doubled.ravel())) or 1
    steps = (doubled - low) // unit
    side = int(steps.max()) * j + 1
    if k > 6 or float(side) ** (k - 1) * math.factorial(k) * j > _MOST_STEPS:
        return None
    law = np.zeros((side,) * (k - 1))
    law[(0,) * (k - 1)] = 1.0
    for row in steps:
        orders = {order[:-1] for order in permutations(row.tolist())}
        longer = np.zeros_like(law)
        for order in orders:
            # What would be rolled around the edge is zero: the grid holds the longest walk.
            longer += np.roll(law, order, axis=tuple(range(k - 1)))
        law = longer / len(orders)
    sums = np.indices(law.shape)
    last = int(steps.sum()) - sums.sum(axis=0)
    middle = int(steps.sum())
    # k times the distance from the middle keeps it whole.
    far = np.sum((k * sums - middle) ** 2, axis=0) + (k * last - middle) ** 2
    seen = int(np.sum((k * steps.sum(axis=0) - middle) ** 2))
    return min(1.0, float(law[far >= seen].sum()))


def range_p(q: float, k: int, *, df: float = math.inf) -> float:
    """P(the range of k standard normal values >= q), over a deviation of ``df`` degrees of freedom.

    k ∫ φ(x) {Φ(x)^(k-1) - [Φ(x) - Φ(x - q)]^(k-1)} dx: every term positive, so small tails keep their digits.
    """
    k = whole("k", k, at_least=2)
    if q <= 0 or math.isfinite(df):
        from scipy.stats import studentized_range

        return 1.0 if q <= 0 else float(studentized_range.sf(q, k, df))
    edges = np.linspace(-9.0, 9.0 + q, 25)
    half = np.diff(edges)[:, None] / 2
    x = edges[:-1, None] + half + half * _NODES
    missing = np.minimum(1.0, np.exp(special.log_ndtr(x - q) - special.log_ndtr(x)))
    with np.errstate(divide="ignore"):
        lost = -np.expm1((k - 1) * np.log1p(-missing))
    inside = np.exp(-x * x / 2 + (k - 1) * special.log_ndtr(x)) * lost
    return min(1.0, k * float(np.sum(_WEIGHTS * inside * half)) / math.sqrt(2 * math.pi))


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
        apart, level = self.significant(), f"at alpha {self.alpha:g}"
        if not apart:
            return f"{self.method}: no pair differs {level}."
        listed = "; ".join(f"{t.first} and {t.second} ({p_text(t.p_adjusted)})" for t in apart)
        return f"{self.method}: {len(apart)} of {len(self.pairs)} pairs differ {level}: {listed}."

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
    alpha: Share = 0.05,
    higher_is_better: bool = True,
    decimals: int | None = 9,
) -> PostHoc:
    """All pairs of mean ranks, through the studentized range; p-values are already adjusted.

    >>> result = nemenyi([[3, 1, 2], [9, 4, 5], [8, 2, 6], [7, 1, 5], [5, 2, 4]], models=["A", "B", "C"])
    >>> print(result)
    Nemenyi test: 1 of 3 pairs differ at alpha 0.05: A and B (p = 0.00446).
    """
    table = score_table(scores)
    names = model_names(models, table.shape[1])
    means = rank_rows(table, higher_is_better=higher_is_better, decimals=decimals).means
    cd = critical_difference(len(names), len(table), alpha=alpha)
    pairs = []
    for a, b in pairs_of(len(names)):
        gap = float(means[a] - means[b])
        p = range_p(abs(gap) / _rank_error(*table.shape) * math.sqrt(2), len(names))
        pairs.append(PairTest(names[a], names[b], gap, p, p))
    return PostHoc("Nemenyi test", names, tuple(means.tolist()), tuple(pairs), alpha, cd, len(table))


def posthoc(
    scores: npt.ArrayLike,
    *,
    method: Literal["wilcoxon", "ranks"] = "wilcoxon",
    correction: str = "holm",
    control: str | int | None = None,
    models: Sequence[str] | None = None,
    alpha: Share = 0.05,
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
    table = score_table(scores)
    names = model_names(models, table.shape[1])
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


def critical_difference(models: int, data_sets: int, *, alpha: Share = 0.05) -> float:
    """How far two mean ranks must lie apart for Nemenyi's test to call the models different."""
    k, j = whole("models", models, at_least=2, at_most=10**6), whole("data_sets", data_sets, at_least=1)
    from scipy.optimize import brentq

    q = brentq(lambda q: math.log(max(range_p(q, k), 1e-320) / alpha), 1e-9, 60.0, xtol=1e-13, rtol=1e-14)
    return float(q) / math.sqrt(2) * _rank_error(j, k)


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
