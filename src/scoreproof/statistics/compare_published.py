"""Comparing models by what was published: AUCs or rates with the class sizes, or confusion matrices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.statistics.auc import hanley_mcneil, hanley_mcneil_test
from scoreproof.statistics.comparison import Comparison, ModelSummary
from scoreproof.statistics.mcnemar_range import attainable_mcnemar, counts_behind
from scoreproof.statistics.plan import RATES, Plan, conclude
from scoreproof.statistics.proportions import wilson
from scoreproof.statistics.recommend import metric_name
from scoreproof.statistics.result import Effect
from scoreproof.validation import whole


def compare_published(values: Mapping[str, Any], plan: Plan) -> Comparison:
    """One published value for each model and the size of the test set."""
    metric = None if plan.metric is None else metric_name(plan.metric)
    advice = plan.advice(metric=metric)
    if metric == "auc":
        p, n = _size(plan, "positives"), _size(plan, "negatives")
        areas = [_area(values[name]) for name in plan.names]
        level = 1 - plan.alpha
        results = [hanley_mcneil_test(areas[a], areas[b], p, n, level=level) for a, b in plan.pairs()]
        models = [
            ModelSummary(x, hanley_mcneil(area, p, n, level=level)) for x, area in zip(plan.names, areas, strict=True)
        ]
        return conclude({"": results}, plan, advice, models, rows=p + n, unit=f"cases ({p} positive)")
    size = {"acc": "cases", "sens": "positives", "spec": "negatives"}[metric or "acc"]
    total = _total(plan) if size == "cases" else _size(plan, size)
    word = RATES[metric or "acc"]
    counts = [counts_behind(values[name], total, name=f"{word} of {name}") for name in plan.names]
    results = [
        attainable_mcnemar([(k,) for k in counts[a]], [(k,) for k in counts[b]], (total,), score=word)
        for a, b in plan.pairs()
    ]
    models = [_rate(name, word, hits, total, plan) for name, hits in zip(plan.names, counts, strict=True)]
    return conclude({word: results}, plan, advice, models, rows=total, unit="cases")


def compare_matrices(matrices: Mapping[str, Any], plan: Plan) -> Comparison:
    """A confusion matrix for each model, of one test set."""
    known = [_matrix(name, matrices[name]) for name in plan.names]
    p, n = known[0].p, known[0].n
    for name, matrix in zip(plan.names, known, strict=True):
        if (matrix.p, matrix.n) != (p, n):
            raise InvalidValue(
                f"matrix of {name!r}: {matrix.p} positive and {matrix.n} negative cases, but {plan.names[0]!r} has "
                f"{p} and {n}: expected one test set"
            )
    metric = None if plan.metric is None else metric_name(plan.metric)
    advice = plan.advice(task="binary", metric=metric or "acc")
    totals: dict[str, tuple[int, ...]] = {"sensitivity": (p,), "specificity": (n,), "accuracy": (p, n)}
    wanted = ["sensitivity", "specificity"] if metric in (None, "bm", "bacc") else [RATES[metric]]
    right: dict[str, list[tuple[int, ...]]] = {
        "sensitivity": [(m.tp,) for m in known],
        "specificity": [(m.tn,) for m in known],
        "accuracy": [(m.tp, m.tn) for m in known],
    }
    results = {
        score: [
            attainable_mcnemar([right[score][a]], [right[score][b]], totals[score], score=score)
            for a, b in plan.pairs()
        ]
        for score in wanted
    }
    first = wanted[0]
    models = [
        _rate(name, first, [sum(hits)], sum(totals[first]), plan)
        for name, hits in zip(plan.names, right[first], strict=True)
    ]
    return conclude(results, plan, advice, models, rows=p + n, unit=f"cases ({p} positive)")


def _area(text: str | float) -> float:
    word = str(text).strip()
    try:
        return float(word.removesuffix("%")) / (100 if word.endswith("%") else 1)
    except ValueError:
        raise InvalidValue(f"AUC = {text!r}: expected a number between 0 and 1") from None


def _matrix(name: str, cells: Any) -> ConfusionMatrix:
    if isinstance(cells, ConfusionMatrix):
        return cells
    if isinstance(cells, Mapping):
        cells = [cells.get(k) for k in ("tp", "fp", "fn", "tn")]
    if not isinstance(cells, Sequence) or len(cells) != 4:
        raise InvalidValue(f"matrix of {name!r}: expected tp, fp, fn and tn, got {cells!r}")
    return ConfusionMatrix(*(whole(f"{k} of {name}", c) for k, c in zip(("tp", "fp", "fn", "tn"), cells, strict=True)))


def _rate(name: str, word: str, counts: list[int], total: int, plan: Plan) -> ModelSummary:
    middle = counts[len(counts) // 2]
    return ModelSummary(name, Effect(word, middle / total, wilson(middle, total, level=1 - plan.alpha)))


def _size(plan: Plan, what: str) -> int:
    value = plan.sizes.get(what)
    if value is None:
        raise InvalidOption(f"values = 'published' needs {what}= (--{what}): expected the number of {what[:-1]} cases")
    return whole(what, value, at_least=1)


def _total(plan: Plan) -> int:
    if plan.sizes.get("cases") is None and None not in (plan.sizes.get("positives"), plan.sizes.get("negatives")):
        return _size(plan, "positives") + _size(plan, "negatives")
    if plan.sizes.get("cases") is None:
        raise InvalidOption("values = 'published' needs cases= (--cases): expected the number of cases of the test set")
    return whole("cases", plan.sizes["cases"], at_least=1)
