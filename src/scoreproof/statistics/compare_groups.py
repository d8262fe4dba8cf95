"""Comparing models that were evaluated on different cases: groups of values, or AUCs of different test sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from scoreproof.errors import InvalidOption
from scoreproof.statistics.arrays import FloatArray, vector
from scoreproof.statistics.auc import auc_interval
from scoreproof.statistics.comparison import Comparison, ModelSummary, PairResult
from scoreproof.statistics.delong import delong_unpaired
from scoreproof.statistics.independent import dunn, kruskal_wallis, mann_whitney, welch_t
from scoreproof.statistics.plan import Plan, paired_results
from scoreproof.statistics.recommend import metric_name, recommend
from scoreproof.statistics.result import Effect, TestResult
from scoreproof.statistics.variances import bartlett, f_test, levene

GROUP_TESTS = ("mann-whitney", "welch", "kruskal", "levene", "f-test", "bartlett")
_SPREAD: dict[str, Callable[..., TestResult]] = {"levene": levene, "f-test": f_test, "bartlett": bartlett}


def compare_groups(data: Mapping[str, npt.ArrayLike], plan: Plan) -> Comparison:
    """Values of each model, not of the same cases and not as many for each."""
    groups = [vector(name, data[name], at_least=2) for name in plan.names]
    many = len(groups) > 2
    advice = recommend(
        task=plan.task, metric=plan.metric, models=len(groups), values=plan.values, question=plan.question, paired=False
    )
    test = {"mann_whitney": "mann-whitney", "kruskal_wallis": "kruskal", "levene": "levene"}[advice.function]
    if plan.test != "auto":
        test = plan.test
    if test not in GROUP_TESTS or (test in _SPREAD) != (plan.question == "variance"):
        raise InvalidOption(
            f"test = {plan.test!r} with paired=False and question = {plan.question!r}: expected one of "
            f"{', '.join(t for t in GROUP_TESTS if (t in _SPREAD) == (plan.question == 'variance'))}"
        )
    omnibus: TestResult | None = None
    if many and test == "kruskal":
        omnibus = kruskal_wallis(*groups)
    elif many and test in ("levene", "bartlett"):
        omnibus = {"levene": levene, "bartlett": bartlett}[test](*groups)
    results = [_pair(groups, a, b, test, plan) for a, b in plan.pairs()]
    pairs = paired_results({"": results}, plan) if plan.question == "better" else _spreads(results, groups, plan)
    return Comparison(
        test=(omnibus or results[0]).test,
        unit="values of each model" if len({len(g) for g in groups}) == 1 else "values in the smallest group",
        rows=min(len(g) for g in groups),
        models=tuple(_summary(name, g, test) for name, g in zip(plan.names, groups, strict=True)),
        pairs=pairs,
        recommendation=advice,
        omnibus=omnibus,
        notes=tuple(dict.fromkeys(note for r in results for note in r.notes if "same cases" not in note)),
        alpha=plan.alpha,
        correction=plan.correction,
        higher_is_better=plan.higher_is_better,
        question=plan.question,
    )


def compare_auc_groups(data: Mapping[str, Any], plan: Plan) -> Comparison:
    """Two AUCs of different cases: each model comes with its own truth and scores."""
    advice = recommend(metric="auc", models=len(plan.names), values="one test set", paired=False)
    if plan.metric is not None and metric_name(plan.metric) != "auc":
        raise InvalidOption(f"metric = {plan.metric!r} with models on different cases: expected 'auc'")
    sides = [(np.asarray(data[name][0]), vector(name, data[name][1])) for name in plan.names]
    level = 1 - plan.alpha
    (y1, s1), (y2, s2) = sides
    result = delong_unpaired(y1, s1, y2, s2, level=level)
    return Comparison(
        test=result.test,
        unit=f"and {len(y2)} cases",
        rows=len(y1),
        models=tuple(
            ModelSummary(name, auc_interval(y, s, level=level)) for name, (y, s) in zip(plan.names, sides, strict=True)
        ),
        pairs=paired_results({"": [result]}, plan),
        recommendation=advice,
        notes=result.notes,
        alpha=plan.alpha,
        correction=plan.correction,
    )


def _pair(groups: list[FloatArray], a: int, b: int, test: str, plan: Plan) -> TestResult:
    if test in _SPREAD:
        return _SPREAD[test](groups[a], groups[b])
    if test == "kruskal":
        return dunn(groups, a, b)
    if test == "welch":
        return welch_t(groups[a], groups[b], level=1 - plan.alpha)
    return mann_whitney(groups[a], groups[b])


def _spreads(results: list[TestResult], groups: list[FloatArray], plan: Plan) -> tuple[PairResult, ...]:
    told = []
    for pair in paired_results({"": results}, plan):
        one, other = (float(np.var(groups[plan.names.index(n)])) for n in (pair.first, pair.second))
        better = None if one == other else (pair.first if one > other else pair.second)
        told.append(replace(pair, better=better))
    return tuple(told)


def _summary(name: str, group: FloatArray, test: str) -> ModelSummary:
    mean, median = float(np.mean(group)), float(np.median(group))
    first, second = ("mean", "median") if test == "welch" else ("median", "mean")
    value = {"mean": mean, "median": median}
    rest = (
        (second, value[second]),
        ("standard deviation", float(np.std(group, ddof=1))),
        ("values", float(len(group))),
    )
    return ModelSummary(name, Effect(first, value[first]), rest)
