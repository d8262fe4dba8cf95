"""Right or wrong on the same cases: McNemar's test for two models, Cochran's Q for several, Bowker's for k classes.

McNemar's judges two classifiers by the cases only one of them gets right: exact binomial, χ² with or without the
continuity correction (McNemar 1947, doi:10.1007/BF02295996), and mid-p, which ``compare`` runs: the exact test is
needlessly cautious, the mid-p test hardly ever above its level (Fagerland, Lydersen & Laake 2013,
doi:10.1186/1471-2288-13-91). For accuracy it mixes errors among positives and negatives, which Rainio, Teuho & Klén
(2024, doi:10.1038/s41598-024-56706-x) advise against; whether a difference is that of the models or of the threshold
shows when the test is repeated at others. Q asks whether all models are right equally often (Cochran 1950,
doi:10.1093/biomet/37.3-4.256). Bowker's test (1948, doi:10.1080/01621459.1948.10483284) asks whether two
models put cases into the classes alike: it sees a difference that leaves the accuracy unchanged.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import (
    Alternative,
    as_array,
    binary_labels,
    both_classes,
    holds_label,
    numbers,
    same_length,
    score_table,
    texts,
)
from scoreproof.errors import InvalidValue
from scoreproof.results import SmallTable, Tabular
from scoreproof.statistics.result import Effect, Interval, TestResult, bare_p, number_text
from scoreproof.statistics.tails import (
    adjust,
    binomial_lower,
    binomial_upper,
    chi2_p,
    clopper_pearson,
    normal_p,
    two_sided_z,
)
from scoreproof.statistics.wilcoxon import fair_coin_p
from scoreproof.validation import Share, whole

Method = Literal["exact", "mid-p", "chi2", "chi2-corrected"]
METHODS = ("exact", "mid-p", "chi2", "chi2-corrected")
_WORDS = {
    "exact": "exact binomial",
    "mid-p": "mid-p",
    "chi2": "χ² without continuity correction",
    "chi2-corrected": "χ² with continuity correction",
}
ACCURACY_WARNING = (
    "accuracy mixes errors among positives and negatives, and a gain in one can hide a loss in the other: compare "
    "sensitivity and specificity separately, too (metric='bacc', --metric bacc)"
)


def mcnemar(
    b: int,
    c: int,
    *,
    n: int | None = None,
    method: Method = "exact",
    alternative: Alternative = "two-sided",
    level: Share = 0.95,
) -> TestResult:
    """The test from b, the cases only the first classifier gets right, and c, those only the second does.

    ``n``, the number of cases compared, adds the difference of the two rates with the interval of Bonett &
    Price (2012, doi:10.3102/1076998611411915), widened to 0 or cut there where the test says otherwise. Without any
    discordant case (b = c = 0) every method gives statistic 0 and p = 1: nothing speaks for a difference.
    ``alternative="greater"`` asks whether the first is better.

    >>> result = mcnemar(54, 19, n=300)
    >>> print(str(result).partition(";")[0])
    McNemar test (exact binomial): b = 54 against c = 19, p = 5.06e-05
    >>> print(*result.effects, sep="; ")
    difference = 0.117 (95% CI 0.0612 to 0.171); odds ratio b/c = 2.84 (95% CI 1.66 to 5.08)
    >>> mcnemar(7, 7, method="chi2-corrected").p_value, mcnemar(0, 0).p_value
    (1.0, 1.0)
    """
    b, c = whole("b", b), whole("c", c)
    if n is not None and whole("n", n) < b + c:
        raise InvalidValue(f"n = {n}: expected at least b + c = {b + c}, the cases on which the two disagree")
    is_chi2 = method.startswith("chi2")
    details: dict[str, object] = {"b": b, "c": c}
    if not is_chi2:
        details |= {"shown": f"{b} against c = {c}", "turned": f"{c} against c = {b}"}
    difference: tuple[Effect, ...] = ()
    if n is not None:
        more, less = (b + 1) / (n + 2), (c + 1) / (n + 2)
        half = two_sided_z(level) * math.sqrt(max(0.0, more + less - (more - less) ** 2) / (n + 2))
        bounds = Interval(max(-1.0, more - less - half), min(1.0, more - less + half), level, "Bonett-Price")
        if (kept := mcnemar_p(b, c, method) > 1 - level) != (0 in bounds):  # the interval must not contradict the test
            ends = (min, max) if kept else (max, max) if b > c else (min, min)
            low, high = (end(bound, 0.0) for end, bound in zip(ends, (bounds.low, bounds.high), strict=True))
            bounds = Interval(low, high, level, f"{bounds.method}, {'widened to' if kept else 'cut at'} 0")
        difference = (Effect("difference", (b - c) / n if n else 0.0, bounds),)
    how = _WORDS[method] if b + c else "no discordant case"
    statistic = mcnemar_chi2(b, c, corrected=method == "chi2-corrected") if is_chi2 else b
    p, df = mcnemar_p(b, c, method, alternative), (1,) if is_chi2 else ()
    effects = (*difference, _odds_ratio(b, c, level))
    few = f"χ² with {b + c} discordant cases: use the mid-p test below 20"
    none = "the two agree on every case: nothing speaks for a difference"
    notes = (none,) if b + c == 0 else (few,) if is_chi2 and b + c < 20 else ()
    inputs = {"b": b, "c": c, "n": n, "level": level}
    return TestResult(
        "McNemar test", how, "χ²" if is_chi2 else "b", statistic, p, alternative, df, effects, notes, details, inputs
    )


def mcnemar_predictions(
    truth: npt.ArrayLike,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    score: Literal["sensitivity", "specificity", "accuracy"],
    positive: Hashable | None = None,
    method: Method = "exact",
    alternative: Alternative = "two-sided",
    level: Share = 0.95,
) -> TestResult:
    """The test from the true labels and the labels two classifiers predicted.

    Labels are 0/1, -1/1 or booleans, or anything with ``positive=`` naming the positive one. Truth of one
    class only leaves the other class's score without cases: b = c = 0 and p = 1, with a note.

    >>> truth, first, second = [1, 1, 1, 1, 0, 0], [1, 1, 1, 0, 0, 1], [0, 0, 1, 0, 0, 0]
    >>> mcnemar_predictions(truth, first, second, score="sensitivity").details["b"]
    2
    """
    y = binary_labels("truth", truth, positive=positive)
    given = {name: _predicted(name, labels, positive) for name, labels in (("first", first), ("second", second))}
    for name, labels in given.items():
        same_length("truth", y, name, labels)
    cases = {"sensitivity": y, "specificity": ~y, "accuracy": np.ones(len(y), dtype=np.bool_)}[score]
    right_one, right_two = ((labels == y)[cases] for labels in given.values())
    b, c = int(np.sum(right_one & ~right_two)), int(np.sum(right_two & ~right_one))
    n = int(np.sum(cases))
    result = mcnemar(b, c, n=n, method=method, alternative=alternative, level=level)
    notes: tuple[str, ...] = (ACCURACY_WARNING,) if score == "accuracy" else ()
    side = "positive" if score == "sensitivity" else "negative"
    notes += () if n else (f"truth holds no {side} case: {score} is undefined",)
    shares = {"first": float(np.mean(right_one)) if n else None, "second": float(np.mean(right_two)) if n else None}
    details = {**result.details, "score": score, **shares}
    told: dict[str, Any] = {"details": details, "inputs": {"truth": y, **given, "level": level}}
    return replace(result, test=f"McNemar test of {score}", notes=(*notes, *result.notes), **told)


def cochran_q(right: npt.ArrayLike) -> TestResult:
    """Are all models (columns of 0 and 1) right equally often on the same cases (rows)?"""
    table = score_table(right, at_least=(1, 2))
    if not np.isin(table, (0, 1)).all():
        raise InvalidValue("right holds other values than 0 and 1: expected 1 where a model is right, else 0")
    k = table.shape[1]
    columns, rows = table.sum(axis=0), table.sum(axis=1)
    room = float(np.sum(rows * (k - rows)))
    q = (k - 1) * k * float(np.sum((columns - columns.mean()) ** 2)) / room if room else 0.0
    how = "χ² approximation" if room else "no model differs from another on any case"
    details = {"right": columns.astype(int).tolist(), "cases": len(table)}
    return TestResult(
        "Cochran's Q test", how, "Q", q, chi2_p(q, k - 1), df=(float(k - 1),), details=details, inputs={"right": table}
    )


def bowker(first: npt.ArrayLike, second: npt.ArrayLike) -> TestResult:
    """Do two models put the same cases into k classes alike? Symmetry of the table of their answers."""
    words, others = texts(as_array("first", first)), texts(as_array("second", second))
    same_length("first", words, "second", others)
    labels, codes = np.unique(np.concatenate([words, others]), return_inverse=True)
    k = len(labels)
    codes = codes.reshape(2, -1)
    table = np.bincount(codes[0] * k + codes[1], minlength=k * k).reshape(k, k)
    i, j = np.triu_indices(k, 1)
    total = table[i, j] + table[j, i]
    used = total > 0
    chi2 = float(np.sum((table[i, j] - table[j, i])[used] ** 2 / total[used]))
    df = int(used.sum())
    how = "χ² of symmetry" if df else "the models agree on every case"
    p = chi2_p(chi2, df) if df else 1.0
    notes = ("it asks whether the models confuse the classes alike, not which of them is better",)
    details = {"labels": labels.tolist(), "table": table.tolist()}
    return TestResult(
        "Bowker test", how, "χ²", chi2, p, df=(float(df),), notes=notes, details=details, inputs={"cases": len(words)}
    )


def mcnemar_p(b: int, c: int, method: str, alternative: Alternative = "two-sided") -> float:
    """The p-value alone."""
    if b + c == 0:
        return 1.0
    if method == "exact":
        return fair_coin_p(b, c, alternative)
    if method == "mid-p":
        return _mid_p(b, c, alternative)
    chi2 = mcnemar_chi2(b, c, corrected=method == "chi2-corrected")
    if alternative == "two-sided":
        return chi2_p(chi2, 1)
    return normal_p(math.copysign(math.sqrt(chi2), b - c), alternative)


def _mid_p(b: int, c: int, alternative: Alternative) -> float:
    """Half of the observed split counts as more extreme: the mean of the tails with and without it."""
    if alternative == "two-sided":
        low, n = min(b, c), b + c
        tails = binomial_lower(low, n) + binomial_lower(low - 1, n)
        return 1 - (binomial_lower(low, n) - binomial_lower(low - 1, n)) / 2 if b == c else tails
    more, less = (b, c) if alternative == "greater" else (c, b)
    return (binomial_upper(more, more + less) + binomial_upper(more + 1, more + less)) / 2


def mcnemar_chi2(b: int, c: int, *, corrected: bool) -> float:
    """(|b - c| - 1)² / (b + c), or without the 1; never corrected beyond zero."""
    if b + c == 0:
        return 0.0
    return float(max(0, abs(b - c) - corrected) ** 2 / (b + c))


def _predicted(name: str, labels: npt.ArrayLike, positive: Hashable | None) -> npt.NDArray[np.bool_]:
    """Predictions as booleans; a classifier that never says "positive" is no mistake."""
    if positive is None:
        return binary_labels(name, labels)
    array = as_array(name, labels)
    if array.ndim != 1 or (array.dtype.kind == "f" and np.isnan(array).any()):
        raise InvalidValue(f"{name}: expected one label per case, none missing, got shape {array.shape}")
    return holds_label(array, positive)


def _odds_ratio(b: int, c: int, level: float) -> Effect:
    """b/c, its interval from the exact one of b/(b + c)."""
    share = clopper_pearson(b, b + c, level=level)

    def odds(p: float) -> float:
        return p / (1 - p) if p < 1 else math.inf

    value = math.nan if b + c == 0 else (b / c if c else math.inf)
    interval = Interval(odds(share.low), odds(share.high), level, "Clopper-Pearson")
    return Effect("odds ratio b/c", value, interval)


@dataclass(frozen=True, slots=True)
class ThresholdTests(Tabular):
    """McNemar's test of sensitivity and of specificity at each threshold, corrected for all of them."""

    thresholds: tuple[float, ...]
    sensitivity: tuple[TestResult, ...]
    specificity: tuple[TestResult, ...]
    p_adjusted: tuple[tuple[float, float], ...]
    alpha: float = 0.05

    def _rows(self) -> list[dict[str, Any]]:
        rows = []
        for i, threshold in enumerate(self.thresholds):
            row: dict[str, Any] = {"threshold": threshold}
            for j, (name, tests) in enumerate((("sens", self.sensitivity), ("spec", self.specificity))):
                told = tests[i].details
                row |= {f"{name}_first": told["first"], f"{name}_second": told["second"]}
                row |= {f"{name}_b": told["b"], f"{name}_c": told["c"], f"{name}_p": self.p_adjusted[i][j]}
            rows.append(row)
        return rows

    def __str__(self) -> str:
        ahead = {"first": 0, "second": 0, "both ways": 0}
        for row in self._rows():
            signs = {np.sign(row[f"{n}_b"] - row[f"{n}_c"]) for n in ("sens", "spec") if row[f"{n}_p"] <= self.alpha}
            if signs:
                ahead["both ways" if len(signs) > 1 else "first" if signs == {1} else "second"] += 1
        many, level = len(self.thresholds), f"alpha {self.alpha:g}"
        if not any(ahead.values()):
            return f"At none of {many} thresholds the models differ in sensitivity or specificity ({level})."
        parts = [f"the {who} at {n}" for who, n in ahead.items() if n and who != "both ways"]
        told = f"is better in sensitivity or specificity: {', '.join(parts)}" if parts else "is better in both"
        crossed = f"; at {ahead['both ways']} each is better in one of the two" if ahead["both ways"] else ""
        return f"Of {many} thresholds one model {told}{crossed} (McNemar tests, Holm-corrected, {level})."

    def _tables(self) -> list[SmallTable]:
        head = ("threshold", "sensitivity 1", "sensitivity 2", "p", "specificity 1", "specificity 2", "p")
        shown = [
            [(name, value) for name, value in row.items() if name[-2:] not in ("_b", "_c")] for row in self._rows()
        ]
        rows = [[(bare_p if name.endswith("_p") else number_text)(value) for name, value in row] for row in shown]
        return [SmallTable(rows, head, "McNemar tests over thresholds")]


def mcnemar_thresholds(
    truth: npt.ArrayLike,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    thresholds: npt.ArrayLike | None = None,
    positive: Hashable | None = None,
    alpha: Share = 0.05,
) -> ThresholdTests:
    """McNemar's tests of two models' scores cut at the same thresholds, nine deciles of all scores unless told.

    >>> truth = [0] * 6 + [1] * 6
    >>> first, second = [1, 2, 3, 4, 5, 7, 6, 8, 9, 10, 11, 12], [4, 1, 8, 2, 3, 9, 5, 6, 7, 10, 12, 11]
    >>> print(mcnemar_thresholds(truth, first, second, thresholds=[4, 6, 8]))
    At none of 3 thresholds the models differ in sensitivity or specificity (alpha 0.05).
    """
    y = binary_labels("truth", truth, positive=positive)
    both_classes("truth", y, at_least=1)
    a, b = numbers("first", first), numbers("second", second)
    for name, scores in (("first", a), ("second", b)):
        same_length("truth", y, name, scores)
    deciles = np.unique(np.quantile(np.concatenate([a, b]), np.arange(1, 10) / 10))
    cuts = deciles if thresholds is None else numbers("thresholds", thresholds)
    tests = {
        score: tuple(mcnemar_predictions(y, a >= t, b >= t, score=score, method="mid-p", level=1 - alpha) for t in cuts)
        for score in ("sensitivity", "specificity")
    }
    p = adjust([r.p_value for many in tests.values() for r in many], "holm").reshape(2, -1).T
    pairs = tuple((float(s), float(t)) for s, t in p)
    return ThresholdTests(tuple(cuts.tolist()), tests["sensitivity"], tests["specificity"], pairs, alpha)
