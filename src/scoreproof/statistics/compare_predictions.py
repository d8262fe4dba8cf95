"""Comparing models by their predictions on one test set: DeLong for scores, McNemar for labels."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
import numpy.typing as npt

from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.statistics.arrays import BoolArray, binary_labels, holds_label, same_length, vector
from scoreproof.statistics.auc import auc_interval
from scoreproof.statistics.compare_scores import Plan
from scoreproof.statistics.comparison import Comparison, ModelSummary, PairResult
from scoreproof.statistics.corrections import adjust
from scoreproof.statistics.delong import delong_many, delong_paired
from scoreproof.statistics.mcnemar import mcnemar_predictions
from scoreproof.statistics.proportions import wilson
from scoreproof.statistics.recommend import metric_name, recommend
from scoreproof.statistics.result import Effect, TestResult

PREDICTION_TESTS = ("delong", "mcnemar")
_SCORES = {"sens": "sensitivity", "spec": "specificity", "acc": "accuracy"}


def compare_predictions(
    truth: npt.ArrayLike, columns: list[npt.NDArray[Any]], plan: Plan, positive: Hashable | None
) -> Comparison:
    """Run the plan on the true labels and a column of scores or labels for each model."""
    if plan.question == "variance":
        raise InvalidOption("question = 'variance' with truth=: expected a table of scores; one test set has no spread")
    y = binary_labels("truth", truth, positive=positive)
    for name, column in zip(plan.names, columns, strict=True):
        same_length("truth", y, name, column)
    labels = _are_labels(columns, truth)
    test = plan.test if plan.test != "auto" else ("mcnemar" if labels else "delong")
    if test == "mcnemar" and not labels:
        raise InvalidValue(
            "test = 'mcnemar' needs predicted labels: expected the two values of truth in every column; "
            "turn scores into labels with a threshold chosen on the training data"
        )
    if test == "delong":
        return _delong(y, columns, plan, labels=labels)
    return _mcnemar(y, columns, plan, positive)


def _delong(y: BoolArray, columns: list[npt.NDArray[Any]], plan: Plan, *, labels: bool) -> Comparison:
    if plan.metric is not None and metric_name(plan.metric) != "auc":
        raise InvalidOption(f"metric = {plan.metric!r} with DeLong's test: expected 'auc', the only one it compares")
    scores = [_numeric(name, c) for name, c in zip(plan.names, columns, strict=True)]
    if not plan.higher_is_better:
        scores = [-s for s in scores]
    results = [delong_paired(y, scores[a], scores[b], level=1 - plan.alpha) for a, b in plan.pairs()]
    notes = list(dict.fromkeys(note for r in results for note in r.notes))
    if labels:
        notes.append("the columns hold labels, not scores: their AUC is that of a single threshold")
    return Comparison(
        test="DeLong test",
        unit=f"cases ({int(y.sum())} positive)",
        rows=len(y),
        models=tuple(
            ModelSummary(name, auc_interval(y, s, level=1 - plan.alpha))
            for name, s in zip(plan.names, scores, strict=True)
        ),
        pairs=_corrected({"": results}, plan),
        recommendation=recommend(task="binary", metric="auc", models=len(plan.names), values="one test set"),
        omnibus=delong_many(y, scores) if len(scores) > 2 else None,
        notes=tuple(notes),
        alpha=plan.alpha,
        correction=plan.correction,
        curves={"truth": y, "scores": scores},
    )


def _mcnemar(y: BoolArray, columns: list[npt.NDArray[Any]], plan: Plan, positive: Hashable | None) -> Comparison:
    metric = "acc" if plan.metric is None else metric_name(plan.metric)
    if plan.metric is not None and metric not in _SCORES:
        raise InvalidOption(
            f"metric = {plan.metric!r} with McNemar's test: expected one of {', '.join(_SCORES.values())}"
        )
    wanted = ["sensitivity", "specificity"] if plan.metric is None else [_SCORES[metric]]
    predicted = [_labels(name, c, positive) for name, c in zip(plan.names, columns, strict=True)]
    results = {
        score: [
            mcnemar_predictions(y, predicted[a], predicted[b], score=score, level=1 - plan.alpha)  # type: ignore[arg-type]
            for a, b in plan.pairs()
        ]
        for score in wanted
    }
    notes = [note for found in results.values() for result in found for note in result.notes]
    return Comparison(
        test="McNemar test",
        unit=f"cases ({int(y.sum())} positive)",
        rows=len(y),
        models=tuple(_rates(name, y, p, plan) for name, p in zip(plan.names, predicted, strict=True)),
        pairs=_corrected(results, plan),
        recommendation=recommend(task="binary", metric=metric, models=len(plan.names), values="one test set"),
        notes=tuple(dict.fromkeys(notes)),
        alpha=plan.alpha,
        correction=plan.correction,
    )


def _rates(name: str, y: BoolArray, predicted: BoolArray, plan: Plan) -> ModelSummary:
    right = predicted == y
    level = 1 - plan.alpha
    accuracy = Effect("accuracy", float(right.mean()), wilson(int(right.sum()), len(y), level=level))
    rates = tuple(
        (label, float(right[cases].mean()) if cases.any() else float("nan"))
        for label, cases in (("sensitivity", y), ("specificity", ~y))
    )
    return ModelSummary(name, accuracy, rates)


def _corrected(results: dict[str, list[TestResult]], plan: Plan) -> tuple[PairResult, ...]:
    """All pairs of all scores as one family: two scores are two chances of a false alarm, too."""
    tests = [
        (what, pair, found) for what, many in results.items() for pair, found in zip(plan.pairs(), many, strict=True)
    ]
    adjusted = adjust([found.p_value for _, _, found in tests], plan.correction)
    pairs = []
    for (what, (a, b), result), p in zip(tests, adjusted, strict=True):
        sign = int(np.sign(result.effects[0].value))
        better = {1: plan.names[a], -1: plan.names[b], 0: None}[sign]
        pairs.append(PairResult(plan.names[a], plan.names[b], what, result, float(p), better))
    return tuple(pairs)


def _are_labels(columns: list[npt.NDArray[Any]], truth: npt.ArrayLike) -> bool:
    """Whether every column holds nothing but the labels of truth."""
    allowed = np.unique(np.asarray(truth))
    if allowed.dtype.kind in "biuf" and all(c.dtype.kind in "biuf" for c in columns):
        both = np.array([0.0, 1.0]) if np.isin(allowed, (0, 1)).all() else allowed.astype(np.float64)
        return all(bool(np.isin(c.astype(np.float64), both).all()) for c in columns)
    words = {str(v) for v in allowed}
    return all({str(v) for v in np.unique(c)} <= words for c in columns)


def _numeric(name: str, column: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    return vector(name, column, infinite=True)


def _labels(name: str, column: npt.NDArray[Any], positive: Hashable | None) -> BoolArray:
    if positive is None:
        return binary_labels(name, column)
    return holds_label(column, positive)
