"""Comparing models by a table of scores: Wilcoxon for two, Friedman and corrected pairs for more."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

import numpy as np

from scoreproof.errors import InvalidOption
from scoreproof.statistics.arrays import FloatArray, chosen
from scoreproof.statistics.comparison import Comparison, ModelSummary, PairResult
from scoreproof.statistics.corrected_t import corrected_resampled_t
from scoreproof.statistics.corrections import adjust
from scoreproof.statistics.five_by_two import five_by_two_f
from scoreproof.statistics.friedman import friedman, rank_rows
from scoreproof.statistics.normality import shapiro_wilk
from scoreproof.statistics.paired_t import paired_t
from scoreproof.statistics.permutation import permutation_test
from scoreproof.statistics.pitman_morgan import pitman_morgan
from scoreproof.statistics.posthoc import nemenyi
from scoreproof.statistics.recommend import recommend
from scoreproof.statistics.result import Effect, TestResult
from scoreproof.statistics.sign import sign_test
from scoreproof.statistics.variances import levene
from scoreproof.statistics.wilcoxon import wilcoxon_signed_rank

SCORE_TESTS = (
    "wilcoxon",
    "sign",
    "paired-t",
    "corrected-t",
    "5x2cv",
    "permutation",
    "friedman",
    "pitman-morgan",
)
_TABLE_VALUES = ("data sets", "per case", "folds", "5x2 folds")
_UNITS = {"data sets": "data sets", "per case": "cases", "folds": "folds", "5x2 folds": "folds"}


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything ``compare`` was told, checked."""

    names: tuple[str, ...]
    values: str
    task: str | None
    metric: str | None
    test: str
    question: Literal["better", "variance"]
    folds: int | None
    higher_is_better: bool
    alpha: float
    correction: str
    control: int | None
    decimals: int | None
    seed: int

    def pairs(self) -> list[tuple[int, int]]:
        if self.control is None:
            return list(combinations(range(len(self.names)), 2))
        return [(self.control, i) for i in range(len(self.names)) if i != self.control]


def compare_scores(table: FloatArray, plan: Plan) -> Comparison:
    """Run the plan on a table of scores."""
    chosen("values", plan.values, _TABLE_VALUES)
    advice = recommend(
        task=plan.task, metric=plan.metric, models=len(plan.names), values=plan.values, question=plan.question
    )
    many = len(plan.names) > 2
    omnibus = None
    pair_test = plan.test
    if plan.question == "variance":
        if plan.test not in ("auto", "pitman-morgan"):
            raise InvalidOption(f"test = {plan.test!r} with question = 'variance': expected 'auto' or 'pitman-morgan'")
        normal = all(not check.significant(plan.alpha) for check in _normality(table, plan.names))
        pair_test = "pitman-morgan" if normal or plan.test != "auto" else "levene"
        omnibus = levene(*table.T) if many else None
    elif plan.test == "auto":
        pair_test = "5x2cv" if plan.values == "5x2 folds" and not many else "wilcoxon"
    elif plan.test == "friedman":
        pair_test = "wilcoxon"
    elif plan.test == "pitman-morgan":
        raise InvalidOption("test = 'pitman-morgan' compares variances: expected question='variance' with it")
    if plan.question == "better" and (plan.test == "friedman" or (plan.test == "auto" and many)):
        omnibus = friedman(table, higher_is_better=plan.higher_is_better, decimals=plan.decimals)
    run = _tests(plan)[pair_test]
    results = [run(table[:, a], table[:, b]) for a, b in plan.pairs()]
    ranks = nemenyi(
        table,
        models=plan.names,
        alpha=plan.alpha,
        higher_is_better=plan.higher_is_better,
        decimals=plan.decimals,
    )
    return Comparison(
        test=(omnibus or results[0]).test,
        unit=_UNITS[plan.values],
        rows=len(table),
        models=_summaries(table, plan),
        pairs=_corrected(results, table, plan),
        recommendation=advice,
        omnibus=omnibus,
        ranks=ranks if many and plan.question == "better" else None,
        checks=_checks(table, plan, pair_test),
        notes=_notes(results, plan, pair_test, many=many, rows=len(table)),
        alpha=plan.alpha,
        correction=plan.correction,
        higher_is_better=plan.higher_is_better,
        question=plan.question,
    )


def _tests(plan: Plan) -> dict[str, Callable[[FloatArray, FloatArray], TestResult]]:
    return {
        "wilcoxon": lambda x, y: wilcoxon_signed_rank(x, y, decimals=plan.decimals, level=1 - plan.alpha),
        "sign": lambda x, y: sign_test(x, y, decimals=plan.decimals, level=1 - plan.alpha),
        "paired-t": lambda x, y: paired_t(x, y, level=1 - plan.alpha),
        "corrected-t": lambda x, y: corrected_resampled_t(x, y, folds=plan.folds, level=1 - plan.alpha),
        "5x2cv": _five_by_two,
        "permutation": lambda x, y: permutation_test(x, y, seed=plan.seed),
        "levene": levene,
        "pitman-morgan": lambda x, y: pitman_morgan(x, y, level=1 - plan.alpha),
    }


def _five_by_two(x: FloatArray, y: FloatArray) -> TestResult:
    if len(x) != 10:
        raise InvalidOption(f"{len(x)} rows for the 5x2cv test: expected 10, repetition by repetition, two folds each")
    return five_by_two_f(x.reshape(5, 2), y.reshape(5, 2))


def _summaries(table: FloatArray, plan: Plan) -> tuple[ModelSummary, ...]:
    ranks = rank_rows(table, higher_is_better=plan.higher_is_better, decimals=plan.decimals).means
    return tuple(
        ModelSummary(
            name,
            Effect("median", float(np.median(column))),
            (
                ("mean", float(np.mean(column))),
                ("standard deviation", float(np.std(column, ddof=1))),
                ("mean rank", float(rank)),
            ),
        )
        for name, column, rank in zip(plan.names, table.T, ranks, strict=True)
    )


def _corrected(results: list[TestResult], table: FloatArray, plan: Plan) -> tuple[PairResult, ...]:
    adjusted = adjust([r.p_value for r in results], plan.correction)
    pairs = []
    for (a, b), result, p in zip(plan.pairs(), results, adjusted, strict=True):
        better = _better(table[:, a], table[:, b], result, plan)
        names = {1: plan.names[a], -1: plan.names[b], 0: None}
        pairs.append(PairResult(plan.names[a], plan.names[b], "", result, float(p), names[better]))
    return tuple(pairs)


def _better(x: FloatArray, y: FloatArray, result: TestResult, plan: Plan) -> int:
    """1 if the first comes out ahead (or varies more), -1 if the second, 0 if neither."""
    if plan.question == "variance":
        return int(np.sign(np.var(x) - np.var(y)))
    value = result.effects[0].value if result.effects else float(np.mean(x - y))
    if result.test == "Wilcoxon signed-rank test":
        value = result.effects[-1].value
    elif result.test == "Sign test":
        value -= 0.5
    elif result.test == "Paired permutation test":
        value = result.statistic
    sign = 0 if math.isnan(value) else int(np.sign(value))
    return sign if plan.higher_is_better else -sign


def _checks(table: FloatArray, plan: Plan, pair_test: str) -> tuple[TestResult, ...]:
    """Normality where the test rests on it, and the fold-aware t-test beside any other test on folds."""
    checks = []
    two = len(plan.names) == 2
    if plan.question == "variance":
        checks += _normality(table, plan.names)
    elif pair_test in ("paired-t", "corrected-t") and two:
        checks += _normality(table[:, :1] - table[:, 1:], ("the differences",))
    if plan.values == "folds" and plan.question == "better" and pair_test != "corrected-t" and two:
        checks.append(corrected_resampled_t(table[:, 0], table[:, 1], folds=plan.folds, level=1 - plan.alpha))
    return tuple(checks)


def _normality(table: FloatArray, names: tuple[str, ...]) -> list[TestResult]:
    """A Shapiro-Wilk test for each column, where there are values enough."""
    if len(table) < 3:
        return []
    found = zip(names, (shapiro_wilk(column) for column in table.T), strict=True)
    return [replace(result, test=f"{result.test} of {name}") for name, result in found]


def _notes(results: list[TestResult], plan: Plan, pair_test: str, *, many: bool, rows: int) -> tuple[str, ...]:
    notes = list(dict.fromkeys(note for r in results for note in r.notes))
    if plan.values in ("folds", "5x2 folds") and pair_test not in ("corrected-t", "5x2cv"):
        notes.append("folds share training data, so their values are not independent")
    if pair_test == "levene":
        notes.append("the values are not normal, so Levene's test took the place of Pitman and Morgan's")
    if many and plan.test not in ("auto", "friedman") and plan.question == "better":
        notes.append("pairs were tested without a test of all models first; Friedman's is recommended")
    if many and rows < 6 and pair_test == "wilcoxon":
        notes.append(f"with {rows} rows no single Wilcoxon test can reach 0.05")
    return tuple(dict.fromkeys(notes))
