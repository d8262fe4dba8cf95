"""Comparing models that were evaluated on different cases: groups of values, or AUCs of different test sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import Floats, numbers
from scoreproof.errors import InvalidOption
from scoreproof.statistics.auc import auc_interval
from scoreproof.statistics.comparison import Comparison, ModelSummary
from scoreproof.statistics.delong import delong_unpaired
from scoreproof.statistics.independent import dunn, kruskal_wallis, mann_whitney, welch_t
from scoreproof.statistics.plan import Plan, conclude
from scoreproof.statistics.recommend import metric_name
from scoreproof.statistics.result import Effect, TestResult
from scoreproof.statistics.variances import bartlett, f_test, levene

GROUP_TESTS = ("mann-whitney", "welch", "kruskal", "levene", "f-test", "bartlett")
_SPREAD: dict[str, Callable[..., TestResult]] = {"levene": levene, "f-test": f_test, "bartlett": bartlett}


def compare_groups(data: Mapping[str, npt.ArrayLike], plan: Plan) -> Comparison:
    """Values of each model, not of the same cases and not as many for each."""
    groups = [numbers(name, data[name], at_least=2) for name in plan.names]
    advice = plan.advice(paired=False)
    test = {"mann_whitney": "mann-whitney", "kruskal_wallis": "kruskal", "levene": "levene"}[advice.function]
    if plan.test != "auto":
        test = plan.test
    if test not in GROUP_TESTS or (test in _SPREAD) != (plan.question == "variance"):
        raise InvalidOption(
            f"test = {plan.test!r} with paired=False and question = {plan.question!r}: expected one of "
            f"{', '.join(t for t in GROUP_TESTS if (t in _SPREAD) == (plan.question == 'variance'))}"
        )
    omnibus: dict[str, Callable[..., TestResult]] = {"kruskal": kruskal_wallis, "levene": levene, "bartlett": bartlett}
    results = [_pair(groups, a, b, test, plan) for a, b in plan.pairs()]
    variances = [float(np.var(group)) for group in groups]
    return conclude(
        {"": results},
        plan,
        advice,
        (_summary(name, group, test) for name, group in zip(plan.names, groups, strict=True)),
        rows=min(len(g) for g in groups),
        unit="values of each model" if len({len(g) for g in groups}) == 1 else "values in the smallest group",
        ahead=(lambda a, b, _: variances[a] - variances[b]) if plan.question == "variance" else None,
        omnibus=omnibus[test](*groups) if len(groups) > 2 and test in omnibus else None,
        notes=tuple(dict.fromkeys(note for r in results for note in r.notes if "same cases" not in note)),
    )


def compare_auc_groups(data: Mapping[str, Any], plan: Plan) -> Comparison:
    """Two AUCs of different cases: each model comes with its own truth and scores."""
    advice = plan.advice(task=None, metric="auc", question="better", paired=False)
    if plan.metric is not None and metric_name(plan.metric) != "auc":
        raise InvalidOption(f"metric = {plan.metric!r} with models on different cases: expected 'auc'")
    sides = [(np.asarray(data[name][0]), numbers(name, data[name][1])) for name in plan.names]
    level = 1 - plan.alpha
    (y1, s1), (y2, s2) = sides
    result = delong_unpaired(y1, s1, y2, s2, level=level)
    models = [
        ModelSummary(name, auc_interval(y, s, level=level)) for name, (y, s) in zip(plan.names, sides, strict=True)
    ]
    return conclude({"": [result]}, plan, advice, models, rows=len(y1), unit=f"and {len(y2)} cases")


def _pair(groups: list[Floats], a: int, b: int, test: str, plan: Plan) -> TestResult:
    if test in _SPREAD:
        return _SPREAD[test](groups[a], groups[b])
    if test == "kruskal":
        return dunn(groups, a, b)
    if test == "welch":
        return welch_t(groups[a], groups[b], level=1 - plan.alpha)
    return mann_whitney(groups[a], groups[b])


def _summary(name: str, group: Floats, test: str) -> ModelSummary:
    mean, median = float(np.mean(group)), float(np.median(group))
    first, second = ("mean", "median") if test == "welch" else ("median", "mean")
    value = {"mean": mean, "median": median}
    rest = (
        (second, value[second]),
        ("standard deviation", float(np.std(group, ddof=1))),
        ("values", float(len(group))),
    )
    return ModelSummary(name, Effect(first, value[first]), rest)
