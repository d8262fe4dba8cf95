"""After Friedman: which models differ?

Nemenyi's test compares all pairs of mean ranks through the studentized range (1963; Demšar 2006,
jmlr.org/papers/v7/demsar06a); Holm's compares them, or all models with one control, through normal tails corrected for
their number. Mean-rank tests depend on the other models in the table, so pairwise Wilcoxon tests with a correction are
offered too, and preferred (Benavoli, Corani & Mangili 2016, jmlr.org/papers/v17/benavoli16a).

The range of k normal means is an integral (Hartley 1942) of positive terms, by a Gauss-Legendre rule that errs by less
than 1e-13; R's ptukey and qtukey err by up to 4e-9 and 6e-8.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy import special

from scoreproof.arrays import score_table
from scoreproof.errors import InvalidOption
from scoreproof.jsonable import document
from scoreproof.results import Result, SmallTable, Tabular
from scoreproof.statistics.friedman import rank_rows
from scoreproof.statistics.result import bare_p, number_text, p_text
from scoreproof.statistics.tails import adjust, normal_p
from scoreproof.statistics.wilcoxon import wilcoxon_signed_rank
from scoreproof.validation import Share, fraction, shown, whole

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(64)


def range_p(q: float, k: int, *, df: int | None = None) -> float:
    """P(the range of k standard normal values >= q); with ``df``, over a deviation of so many degrees of freedom."""
    k = whole("k", k, at_least=2)
    if q <= 0:
        return 1.0
    if df is not None:
        from scipy.stats import studentized_range

        return float(studentized_range.sf(q, k, whole("df", df, at_least=1)))
    return _upper(q, k)


def range_quantile(alpha: float, k: int) -> float:
    """The q that the range of k standard normal values exceeds with probability alpha."""
    alpha, k = fraction("alpha", alpha), whole("k", k, at_least=2)
    from scipy.optimize import brentq

    def above(q: float) -> float:
        return math.log(max(_upper(q, k), 1e-320)) - math.log(alpha)

    return float(brentq(above, 1e-9, 60.0, xtol=1e-13, rtol=1e-14))


def _upper(q: float, k: int) -> float:
    """k ∫ φ(x) {Φ(x)^(k-1) - [Φ(x) - Φ(x - q)]^(k-1)} dx: every term positive, so small tails keep their digits."""
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
    return range_quantile(alpha, k) / math.sqrt(2) * _rank_error(j, k)


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
