"""Comparing models by their predictions on one test set.

Numeric scores of two classes go to DeLong's test, labels to McNemar's of the accuracy (or of sensitivity and
specificity) or, for other scores of the confusion matrix and for cost matrices, to a permutation test of the metric
itself, and so do the errors of predicted numbers. Cases in clusters go to Obuchowski's variance and to permutations of
whole clusters.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import Bools, as_array, binary_labels, holds_label, numbers, same_length
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.statistics.auc import auc_interval, delong_many, delong_paired
from scoreproof.statistics.comparison import Comparison, ModelSummary
from scoreproof.statistics.equivalence import QUESTIONS as EQUIVALENCE
from scoreproof.statistics.equivalence import equivalent_aucs, equivalent_rates
from scoreproof.statistics.mcnemar import ACCURACY_WARNING, bowker, cochran_q, mcnemar
from scoreproof.statistics.paired_metric import ERRORS, paired_metric_test
from scoreproof.statistics.plan import ERROR_RATES, RATES, Plan, conclude
from scoreproof.statistics.recommend import Recommendation, metric_name, rises
from scoreproof.statistics.resampling import permutation_test
from scoreproof.statistics.result import Effect, TestResult
from scoreproof.statistics.tails import wilson
from scoreproof.validation import shown

PREDICTION_TESTS = ("delong", "mcnemar", "permutation")
_BOTH = ("bm", "bacc")
_MOST_LABELS = 50
_ALIKE = "Bowker test of whether both put cases into classes alike"
Column = npt.NDArray[Any]


def compare_predictions(truth: npt.ArrayLike, columns: list[Column], plan: Plan) -> Comparison:
    """Run the plan on the true labels (or numbers) and a column of predictions for each model."""
    if plan.question == "variance":
        raise InvalidOption("question = 'variance' with truth=: expected a table of scores; one test set has no spread")
    y = as_array("truth", truth)
    for name, column in zip(plan.names, columns, strict=True):
        same_length("truth", y, name, column)
    kind = _task(y, columns, plan)
    if kind == "regression":
        return _regression(y, columns, plan)
    upwards = replace(plan, higher_is_better=True)
    if kind == "multiclass":
        return _multiclass(y, columns, upwards)
    labels = _are_labels(columns, y)
    metric = None if plan.metric is None else metric_name(plan.metric, "binary")
    test = plan.test
    if test == "auto":
        by_metric = {None: "mcnemar" if labels else "delong", "auc": "delong"}
        test = by_metric.get(metric, "mcnemar" if metric in (*RATES, *ERROR_RATES, *_BOTH) else "permutation")
    if test != "delong" and not labels:
        raise InvalidValue(
            f"{test} test of {metric or 'labels'}: expected predicted labels, the two values of truth, in every "
            "column; turn scores into labels with a threshold chosen on the training data, or compare their AUC"
        )
    usual = {"delong": "auc", "mcnemar": "acc", "permutation": "f1"}
    advice = plan.advice(task="binary", metric=metric or usual[test])
    if test == "permutation":
        return _swapped(y, columns, plan, metric or "f1", advice)
    binary = binary_labels("truth", truth, positive=plan.positive)
    if test == "delong":
        return _delong(binary, columns, plan, advice, labels=labels)
    return _mcnemar(binary, columns, upwards, metric, advice)


def _task(y: Column, columns: list[Column], plan: Plan) -> Literal["binary", "multiclass", "regression"]:
    """What was predicted: told, or seen from the truth: two labels, several labels, or numbers."""
    if plan.task in ("binary", "multiclass", "regression"):
        return plan.task  # type: ignore[return-value]
    distinct = np.unique(y) if y.dtype.kind in "biuf" else np.unique(y.astype(str))
    if len(distinct) <= 2 or plan.positive is not None:
        return "binary"
    if y.dtype.kind not in "biuf":
        return "multiclass"
    numeric = [c for c in columns if c.dtype.kind in "biuf"]
    whole = all(bool(np.all(c == np.rint(c))) for c in (y, *numeric) if np.isfinite(c.astype(np.float64)).all())
    return "multiclass" if whole and len(distinct) <= _MOST_LABELS else "regression"


def _delong(y: Bools, columns: list[Column], plan: Plan, advice: Recommendation, *, labels: bool) -> Comparison:
    if plan.metric is not None and metric_name(plan.metric) != "auc":
        raise InvalidOption(f"metric = {shown(plan.metric)} with DeLong's test: expected 'auc', the only one")
    sign = -1 if plan.higher_is_better is False else 1
    scores = [sign * numbers(name, c, infinite=True) for name, c in zip(plan.names, columns, strict=True)]
    options: dict[str, Any] = {"level": plan.level, "clusters": plan.clusters}
    asked = {"margin": plan.margin, "question": plan.question} if plan.question in EQUIVALENCE else {}
    test: Callable[..., TestResult] = equivalent_aucs if asked else delong_paired
    results = [test(y, scores[a], scores[b], **options, **asked) for a, b in plan.pairs()]
    notes = list(dict.fromkeys(note for r in results for note in r.notes))
    if labels:
        notes.append("the columns hold labels, not scores: their AUC is that of a single threshold")
    areas = [auc_interval(y, s, **options) for s in scores]
    if any(area.interval is not None and area.interval.method.startswith("Newcombe") for area in areas):
        notes.append("an AUC of 1 has no variance by DeLong's formula: its interval is Newcombe's")
    whole = len(scores) > 2 and plan.clusters is None and not asked
    return conclude(
        {"": results},
        replace(plan, higher_is_better=True, measured=plan.measured or "AUC"),
        advice,
        (ModelSummary(x, area) for x, area in zip(plan.names, areas, strict=True)),
        rows=len(y),
        unit=f"cases ({int(y.sum())} positive)",
        omnibus=delong_many(y, scores) if whole else None,
        notes=tuple(notes),
        curves={"truth": y, "scores": scores},
    )


def _mcnemar(y: Bools, columns: list[Column], plan: Plan, metric: str | None, advice: Recommendation) -> Comparison:
    """Rates of correct answers, or of errors, which are one minus them: the same test, the mirrored interval."""
    if metric is not None and metric not in (*RATES, *ERROR_RATES, *_BOTH):
        raise InvalidOption(f"metric = {shown(metric)} with McNemar's test: expected {', '.join(RATES.values())}")
    wanted = ["sens", "spec"] if metric in _BOTH else [metric or "acc"]
    errors, told = wanted[0] in ERROR_RATES, plan.positive
    answers = zip(plan.names, columns, strict=True)
    predicted = [binary_labels(name, c) if told is None else holds_label(c, told) for name, c in answers]
    right = [p == y for p in predicted]
    results = {_rate_name(score): _tests_of_rate(right, y, score, plan) for score in wanted}
    models = [_rates(name, y, r, plan, errors=errors) for name, r in zip(plan.names, right, strict=True)]
    tests = [result for many in results.values() for result in many]
    notes = [note for result in tests for note in result.notes]
    if metric in (None, "acc", "err") and _crossed(models):
        notes.append(ACCURACY_WARNING)
    towards = replace(plan, higher_is_better=not errors, measured=plan.measured or "accuracy")
    more: dict[str, Any] = {"rows": len(y), "unit": f"cases ({int(y.sum())} positive)"}
    name = tests[0].test if plan.clusters is not None or plan.question in EQUIVALENCE else "McNemar test"
    return conclude(results, towards, advice, models, **more, test=name, notes=tuple(dict.fromkeys(notes)))


def _rate_name(score: str) -> str:
    word = RATES[ERROR_RATES.get(score, score)]
    return "error rate" if score == "err" else f"{word} error rate" if score in ERROR_RATES else word


def _tests_of_rate(right: list[Bools], y: Bools, score: str, plan: Plan) -> list[TestResult]:
    """A test of each pair of models by their right answers, among positives, negatives or all cases."""
    word = RATES[ERROR_RATES.get(score, score)]
    cases = {"sensitivity": y, "specificity": ~y, "accuracy": np.ones(len(y), dtype=np.bool_)}[word]
    side = "positive" if word == "sensitivity" else "negative"
    notes = () if cases.any() else (f"truth holds no {side} case: {word} is undefined",)
    results = []
    for a, b in plan.pairs():
        result = _pair_of_rates(right[a][cases], right[b][cases], plan, cases)
        result = replace(result, test=f"{result.test} of {word}") if result.test == "McNemar test" else result
        sizes = tuple(e.turned if score in ERROR_RATES and "difference" in e.name else e for e in result.effects)
        results.append(replace(result, effects=sizes, notes=(*notes, *result.notes)))
    return results


def _crossed(models: list[ModelSummary]) -> bool:
    """Whether sensitivity and specificity put two models in opposite orders."""
    rates = [(told["sensitivity"], told["specificity"]) for told in (dict(model.numbers) for model in models)]
    return any((a[0] - b[0]) * (a[1] - b[1]) < 0 for a in rates for b in rates)


def _pair_of_rates(first: Bools, second: Bools, plan: Plan, cases: Bools) -> TestResult:
    """Two models' right answers to the same cases: swapped by cluster, tested for equivalence, or McNemar's test."""
    if plan.clusters is not None:
        # Clusters may have cases outside: only what is compared is swapped.
        member = np.unique(plan.clusters[cases], return_inverse=True)[1]
        options: dict[str, Any] = {"level": plan.level, "seed": plan.seed, "clusters": member}
        result = permutation_test(first.astype(float), second.astype(float), **options)
        return replace(result, effects=(replace(result.effects[0], name="difference"),))
    b, c, n = int(np.sum(first & ~second)), int(np.sum(second & ~first)), len(first)
    if plan.question in EQUIVALENCE:
        return equivalent_rates(b, c, n, margin=plan.margin or 0.0, question=plan.question, level=plan.level)  # type: ignore[arg-type]
    return mcnemar(b, c, n=n, method="mid-p", level=plan.level)


def _multiclass(y: Column, columns: list[Column], plan: Plan) -> Comparison:
    metric = "acc" if plan.metric is None else metric_name(plan.metric, "multiclass")
    if plan.test == "delong":
        raise InvalidOption("test = 'delong' with more than two classes: expected two; compare acc, f1 or kappa")
    advice = plan.advice(task="multiclass", metric=metric)
    if plan.test == "permutation" or (plan.test == "auto" and (metric != "acc" or plan.clusters is not None)):
        return _swapped(y, columns, plan, metric, advice)
    if metric != "acc":
        raise InvalidOption(f"metric = {shown(metric)} with McNemar's test of several classes: expected 'acc'")
    right = [c.astype(str) == y.astype(str) if c.dtype.kind not in "biuf" else c == y for c in columns]
    n, all_cases = len(y), np.ones(len(y), dtype=np.bool_)
    results = [_pair_of_rates(right[a], right[b], plan, all_cases) for a, b in plan.pairs()]
    if plan.question == "better":
        results = [replace(result, test="McNemar test of correct predictions") for result in results]
    models = [
        ModelSummary(name, Effect("accuracy", float(r.mean()), wilson(int(r.sum()), n, level=plan.level)))
        for name, r in zip(plan.names, right, strict=True)
    ]
    better = plan.question == "better"
    omnibus = cochran_q(np.column_stack(right).astype(int)) if len(right) > 2 and better else None
    return conclude(
        {"accuracy": results},
        replace(plan, measured=plan.measured or "accuracy"),
        advice,
        models,
        rows=n,
        unit="cases",
        omnibus=omnibus,
        test="McNemar test" if better else results[0].test,
        # Beside which is better: whether the models confuse the classes alike.
        checks=(replace(bowker(*columns), test=_ALIKE),) if len(columns) == 2 and better else (),
    )


def _swapped(y: Column, columns: list[Column], plan: Plan, metric: str, advice: Recommendation) -> Comparison:
    """Any metric of the confusion matrix, of predicted numbers or of costs, by swapping predictions."""
    if plan.question in EQUIVALENCE:
        raise InvalidOption(f"question = {plan.question!r} of {metric}: expected auc, acc, sens or spec")
    if (
        metric not in ERRORS
        and plan.task != "multiclass"
        and len(np.unique(y.astype(str))) <= 2
        and plan.positive is None
    ):
        binary_labels("truth", y)  # says which labels need to be told apart
    options: dict[str, Any] = {"positive": plan.positive, "level": plan.level, "seed": plan.seed, "costs": plan.costs}
    results = [
        paired_metric_test(
            y, columns[a], columns[b], metric=metric, clusters=plan.clusters, studentized=True, **options
        )
        for a, b in plan.pairs()
    ]
    values = {}
    for (a, b), result in zip(plan.pairs(), results, strict=True):
        values[a], values[b] = result.details["values"]
    models = [ModelSummary(name, Effect(metric, values[i])) for i, name in enumerate(plan.names)]
    towards = replace(plan, higher_is_better=rises(metric), measured=plan.measured or metric)
    return conclude({"": results}, towards, advice, models, rows=len(y), unit="cases")


def _regression(y: Column, columns: list[Column], plan: Plan) -> Comparison:
    """The metric of all cases, tested by swapping predictions, with a bootstrap interval of its difference."""
    metric = "mae" if plan.metric is None else metric_name(plan.metric, "regression")
    if plan.test in ("delong", "mcnemar"):
        raise InvalidOption(f"test = {shown(plan.test)} with predicted numbers: expected 'auto'")
    for name, column in (("truth", y), *zip(plan.names, columns, strict=True)):
        numbers(name, column)
    advice = plan.advice(task="regression", metric=metric, question="better")
    if metric == "r2" and not np.ptp(y):
        raise InvalidValue("truth is constant: expected several values; R² compares with their spread")
    return _swapped(y, columns, plan, metric, advice)


def _rates(name: str, y: Bools, right: Bools, plan: Plan, *, errors: bool) -> ModelSummary:
    counted = ~right if errors else right
    bounds = wilson(int(counted.sum()), len(y), level=plan.level) if plan.clusters is None else None
    main = Effect("error rate" if errors else "accuracy", float(counted.mean()), bounds)
    rates = tuple(
        (label, float(right[cases].mean()) if cases.any() else float("nan"))
        for label, cases in (("sensitivity", y), ("specificity", ~y))
    )
    return ModelSummary(name, main, rates)


def _are_labels(columns: list[Column], truth: Column) -> bool:
    """Whether every column holds nothing but the labels of truth."""
    allowed = np.unique(truth)
    if allowed.dtype.kind in "biuf" and all(c.dtype.kind in "biuf" for c in columns):
        both = np.array([0.0, 1.0]) if np.isin(allowed, (0, 1)).all() else allowed.astype(np.float64)
        return all(bool(np.isin(c.astype(np.float64), both).all()) for c in columns)
    words = {str(v) for v in allowed}
    return all({str(v) for v in np.unique(c)} <= words for c in columns)
