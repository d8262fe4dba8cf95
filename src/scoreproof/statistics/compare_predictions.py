"""Comparing models by their predictions on one test set.

Numeric scores of two classes go to DeLong's test, labels to McNemar's (sensitivity and specificity of two
classes, accuracy of more) or, for other scores of the confusion matrix, to a permutation test; the errors of predicted
numbers to a permutation test of the metric itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import Bools, Floats, as_array, binary_labels, holds_label, numbers, same_length
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.statistics.auc import auc_interval
from scoreproof.statistics.comparison import Comparison, ModelSummary
from scoreproof.statistics.delong import delong_many, delong_paired
from scoreproof.statistics.mcnemar import bowker, cochran_q, mcnemar, mcnemar_predictions
from scoreproof.statistics.plan import RATES, Plan, conclude
from scoreproof.statistics.proportions import wilson
from scoreproof.statistics.recommend import Recommendation, metric_name, rises
from scoreproof.statistics.resampling import bootstrap_interval, permutation_test
from scoreproof.statistics.result import Effect, TestResult
from scoreproof.statistics.swapped_predictions import swapped_predictions
from scoreproof.validation import shown

PREDICTION_TESTS = ("delong", "mcnemar", "permutation")
_BOTH = ("acc", "bm", "bacc")
_MOST_LABELS = 50
Column = npt.NDArray[Any]
#: A metric of predicted numbers from the truth and the errors, and the part of it that every case adds.
_METRICS: dict[str, tuple[Callable[[Floats, Floats], Any], Callable[..., Any]]] = {
    "mae": (lambda y, error: np.mean(np.abs(error)), np.abs),
    "mse": (lambda y, error: np.mean(error**2), np.square),
    "rmse": (lambda y, error: np.sqrt(np.mean(error**2)), np.square),
    "r2": (lambda y, error: 1 - np.mean(error**2) / np.var(y) if np.ptp(y) > 0 else float("nan"), np.square),
}


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
        test = by_metric.get(metric, "mcnemar" if metric in (*RATES, *_BOTH) else "permutation")
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
        raise InvalidOption(
            f"metric = {shown(plan.metric)} with DeLong's test: expected 'auc', the only one it compares"
        )
    scores = [numbers(name, c, infinite=True) for name, c in zip(plan.names, columns, strict=True)]
    if plan.higher_is_better is False:
        scores = [-s for s in scores]
    results = [delong_paired(y, scores[a], scores[b], level=1 - plan.alpha) for a, b in plan.pairs()]
    notes = list(dict.fromkeys(note for r in results for note in r.notes))
    if labels:
        notes.append("the columns hold labels, not scores: their AUC is that of a single threshold")
    return conclude(
        {"": results},
        replace(plan, higher_is_better=True),
        advice,
        (ModelSummary(x, auc_interval(y, s, level=1 - plan.alpha)) for x, s in zip(plan.names, scores, strict=True)),
        rows=len(y),
        unit=f"cases ({int(y.sum())} positive)",
        omnibus=delong_many(y, scores) if len(scores) > 2 else None,
        notes=tuple(notes),
        curves={"truth": y, "scores": scores},
    )


def _mcnemar(y: Bools, columns: list[Column], plan: Plan, metric: str | None, advice: Recommendation) -> Comparison:
    if metric is not None and metric not in (*RATES, *_BOTH):
        raise InvalidOption(
            f"metric = {shown(metric)} with McNemar's test: expected one of {', '.join(RATES.values())}"
        )
    wanted = ["sensitivity", "specificity"] if metric not in RATES else [RATES[metric]]
    predicted = [_labels(name, c, plan) for name, c in zip(plan.names, columns, strict=True)]
    results = {
        score: [
            mcnemar_predictions(y, predicted[a], predicted[b], score=score, level=1 - plan.alpha)  # type: ignore[arg-type]
            for a, b in plan.pairs()
        ]
        for score in wanted
    }
    models = [_rates(name, y, p, plan) for name, p in zip(plan.names, predicted, strict=True)]
    unit = f"cases ({int(y.sum())} positive)"
    return conclude(results, plan, advice, models, rows=len(y), unit=unit, test="McNemar test")


def _multiclass(y: Column, columns: list[Column], plan: Plan) -> Comparison:
    metric = "acc" if plan.metric is None else metric_name(plan.metric, "multiclass")
    if plan.test == "delong":
        raise InvalidOption("test = 'delong' with more than two classes: expected two; compare acc, f1 or kappa")
    advice = plan.advice(task="multiclass", metric=metric)
    if plan.test == "permutation" or (plan.test == "auto" and metric != "acc"):
        return _swapped(y, columns, plan, metric, advice)
    if metric != "acc":
        raise InvalidOption(f"metric = {shown(metric)} with McNemar's test of several classes: expected 'acc'")
    right = [c.astype(str) == y.astype(str) if c.dtype.kind not in "biuf" else c == y for c in columns]
    n, level = len(y), 1 - plan.alpha
    results = []
    for a, b in plan.pairs():
        b_only, c_only = int(np.sum(right[a] & ~right[b])), int(np.sum(right[b] & ~right[a]))
        results.append(replace(mcnemar(b_only, c_only, n=n, level=level), test="McNemar test of correct predictions"))
    models = [
        ModelSummary(name, Effect("accuracy", float(r.mean()), wilson(int(r.sum()), n, level=level)))
        for name, r in zip(plan.names, right, strict=True)
    ]
    omnibus = cochran_q(np.column_stack(right).astype(int)) if len(right) > 2 else None
    return conclude(
        {"accuracy": results},
        plan,
        advice,
        models,
        rows=n,
        unit="cases",
        omnibus=omnibus,
        test="McNemar test",
        checks=(_confusions(*columns),) if len(columns) == 2 else (),
    )


def _confusions(first: Column, second: Column) -> TestResult:
    """Beside which is better: whether the models confuse the classes alike."""
    return replace(bowker(first, second), test="Bowker test of whether both put cases into classes alike")


def _swapped(y: Column, columns: list[Column], plan: Plan, metric: str, advice: Recommendation) -> Comparison:
    """Any score of the confusion matrix, by swapping predictions."""
    positive = plan.positive
    if plan.task != "multiclass" and len(np.unique(y.astype(str))) <= 2 and positive is None:
        binary_labels("truth", y)  # says which labels need to be told apart
    results = [
        swapped_predictions(
            y, columns[a], columns[b], metric=metric, positive=positive, level=1 - plan.alpha, seed=plan.seed
        )
        for a, b in plan.pairs()
    ]
    values = {}
    for (a, b), result in zip(plan.pairs(), results, strict=True):
        values[a], values[b] = result.details["values"]
    models = [ModelSummary(name, Effect(metric, values[i])) for i, name in enumerate(plan.names)]
    towards = replace(plan, higher_is_better=rises(metric))
    return conclude({"": results}, towards, advice, models, rows=len(y), unit="cases")


def _regression(y: Column, columns: list[Column], plan: Plan) -> Comparison:
    """The metric of all cases, tested by swapping predictions, with a bootstrap interval of its difference."""
    metric = "mae" if plan.metric is None else metric_name(plan.metric, "regression")
    advice = plan.advice(task="regression", metric=metric)
    if plan.test in ("delong", "mcnemar"):
        raise InvalidOption(
            f"test = {shown(plan.test)} with predicted numbers: expected auto; their errors are compared"
        )
    truth = numbers("truth", y)
    errors = [numbers(name, c) - truth for name, c in zip(plan.names, columns, strict=True)]
    value = _METRICS[metric][0]
    models = [
        ModelSummary(name, Effect(metric, float(value(truth, error))))
        for name, error in zip(plan.names, errors, strict=True)
    ]
    results = [_swapped_numbers(truth, errors[a], errors[b], metric, plan) for a, b in plan.pairs()]
    towards = replace(plan, higher_is_better=rises(metric))
    return conclude({"": results}, towards, advice, models, rows=len(y), unit="cases")


def _swapped_numbers(truth: Floats, first: Floats, second: Floats, metric: str, plan: Plan) -> TestResult:
    """The permutation test of a metric of errors.

    A swap keeps the sum of both models' parts of a case, so the metric's difference rises and falls with that of the
    mean parts: their test is the metric's, and is exact for few cases.
    """
    value, part = _METRICS[metric]

    def difference(y: Floats, a: Floats, b: Floats) -> float:
        return float(value(y, a) - value(y, b))

    size = bootstrap_interval(difference, truth, first, second, level=1 - plan.alpha, seed=plan.seed)
    return replace(
        permutation_test(part(first), part(second), seed=plan.seed),
        test="Permutation test of predictions",
        statistic_name=f"{metric} difference",
        statistic=size.value,
        effects=(replace(size, name="difference"),),
    )


def _rates(name: str, y: Bools, predicted: Bools, plan: Plan) -> ModelSummary:
    right = predicted == y
    level = 1 - plan.alpha
    accuracy = Effect("accuracy", float(right.mean()), wilson(int(right.sum()), len(y), level=level))
    rates = tuple(
        (label, float(right[cases].mean()) if cases.any() else float("nan"))
        for label, cases in (("sensitivity", y), ("specificity", ~y))
    )
    return ModelSummary(name, accuracy, rates)


def _are_labels(columns: list[Column], truth: Column) -> bool:
    """Whether every column holds nothing but the labels of truth."""
    allowed = np.unique(truth)
    if allowed.dtype.kind in "biuf" and all(c.dtype.kind in "biuf" for c in columns):
        both = np.array([0.0, 1.0]) if np.isin(allowed, (0, 1)).all() else allowed.astype(np.float64)
        return all(bool(np.isin(c.astype(np.float64), both).all()) for c in columns)
    words = {str(v) for v in allowed}
    return all({str(v) for v in np.unique(c)} <= words for c in columns)


def _labels(name: str, column: Column, plan: Plan) -> Bools:
    if plan.positive is None:
        return binary_labels(name, column)
    return holds_label(column, plan.positive)
