"""How often does ``compare`` call identical models different? Every recommended path on simulated nulls.

Two models are identical when swapping them changes nothing. Folds are simulated twice: as correlated normal
values (1/k between any two folds, the model behind the corrected t-test), and for real, by cross-validating two
classifiers that see different but interchangeable features of one small data set. A path is a row of the decision
table that compares models; a row without a null here is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.measure import Row
from scoreproof.statistics import RULES, auc_interval, compare

Floats = NDArray[np.float64]
Generator = np.random.Generator

ALPHA, PROMISED = 0.05, 0.06
DRAWS = 3000


@dataclass(frozen=True, slots=True)
class Null:
    """Identical models, made anew with every call, and how they are compared."""

    what: str
    draw: Callable[[Generator], tuple[Any, dict[str, Any]]]
    draws: int = DRAWS


def rows() -> Iterator[Row]:
    """The share of comparisons that call any two identical models different."""
    covered: set[tuple[str, str, str]] = set()
    for number, null in enumerate(NULLS):
        generator = np.random.default_rng(number)
        alarms = 0
        for _ in range(null.draws):
            data, options = null.draw(generator)
            found = compare(data, **options)
            whole = found.omnibus is not None and found.omnibus.significant(found.alpha)
            alarms += whole or bool(found.significant())
        covered.add((found.recommendation.test, found.recommendation.values, found.question))
        yield Row(null.what, rate=alarms / null.draws, promised_rate=PROMISED, note=found.recommendation.test)
    missing = _missing(covered)
    if missing:
        raise AssertionError(f"no null for {', '.join(missing)}")


def _missing(covered: set[tuple[str, str, str]]) -> list[str]:
    """The rules that compare models and that no null has followed."""
    rules = [rule for rule in RULES if rule.models != {"one"}]
    seen = [any((rule.test, v, rule.question) in covered for v in rule.values) for rule in rules]
    return [rule.test for rule, found in zip(rules, seen, strict=True) if not found]


def _shared(generator: Generator, rows: int, models: int, share: float = 0.5) -> Floats:
    """Normal values whose rows have something in common, as data sets and cases have."""
    common = generator.normal(size=(rows, 1))
    return np.asarray(np.sqrt(share) * common + np.sqrt(1 - share) * generator.normal(size=(rows, models)))


def _bounded(values: Floats, decimals: int) -> Floats:
    """Skewed scores below 1, printed with a few decimals, so that ties abound."""
    return np.round(1 - 0.2 * np.exp(0.7 * values), decimals)


def _table(rows: int, models: int, *, decimals: int | None = None, **options: Any) -> Callable[[Generator], Any]:
    def draw(generator: Generator) -> tuple[Floats, dict[str, Any]]:
        values = _shared(generator, rows, models)
        return (values if decimals is None else _bounded(values, decimals)), options

    return draw


def _correlated(folds: int, repeats: int, models: int, /, **options: Any) -> Callable[[Generator], Any]:
    """Differences between folds correlate by 1/k, whatever the run they belong to."""

    def draw(generator: Generator) -> tuple[Floats, dict[str, Any]]:
        whole = generator.normal(size=(1, models)) / np.sqrt(folds)
        own = generator.normal(size=(folds * repeats, models)) * np.sqrt(1 - 1 / folds)
        return np.asarray(whole + own), options

    return draw


def _cross_validated(
    folds: int, repeats: int, models: int, cases: int = 100, /, **options: Any
) -> Callable[[Generator], Any]:
    """Nearest-centroid classifiers, each on five features of its own, all alike."""

    def draw(generator: Generator) -> tuple[Floats, dict[str, Any]]:
        truth = np.repeat([False, True], cases // 2)
        features = generator.normal(size=(models, cases, 5)) + 0.35 * truth[:, None]
        scores = []
        for _ in range(repeats):
            order = generator.permutation(cases)
            for fold in range(folds):
                test = np.zeros(cases, dtype=bool)
                test[order[fold::folds]] = True
                ill, well = (features[:, ~test & (truth == side)].mean(axis=1) for side in (True, False))
                towards = ill - well
                middle = np.einsum("mf,mf->m", towards, (ill + well) / 2)
                called = np.einsum("mcf,mf->mc", features[:, test], towards) > middle[:, None]
                scores.append((called == truth[test]).mean(axis=1))
        return np.array(scores), options

    return draw


def _scores(positives: int, negatives: int, models: int, shift: float, **options: Any) -> Callable[[Generator], Any]:
    """Numeric scores of one test set that share what makes a case hard."""

    def draw(generator: Generator) -> tuple[dict[str, Floats], dict[str, Any]]:
        truth = np.arange(positives + negatives) < positives
        values = _shared(generator, len(truth), models) + shift * truth[:, None]
        return {f"model {i}": values[:, i] for i in range(models)}, {"truth": truth.astype(int), **options}

    return draw


def _labels(positives: int, negatives: int, models: int, **options: Any) -> Callable[[Generator], Any]:
    """Predicted labels: the scores above, cut where both classes are hit equally."""
    scores = _scores(positives, negatives, models, 2.0)

    def draw(generator: Generator) -> tuple[dict[str, Any], dict[str, Any]]:
        data, given = scores(generator)
        return {name: (values > 1).astype(int) for name, values in data.items()}, {**given, **options}

    return draw


def _classes(cases: int, models: int, **options: Any) -> Callable[[Generator], Any]:
    """Predicted classes of four, right for seven cases in ten and more often together than by chance."""

    def draw(generator: Generator) -> tuple[dict[str, Any], dict[str, Any]]:
        truth = generator.choice(4, size=cases, p=[0.5, 0.3, 0.15, 0.05])
        hard = _shared(generator, cases, models)
        wrong = generator.integers(0, 4, size=(cases, models))
        answers = np.where(hard < 0.5, truth[:, None], wrong)
        return {f"model {i}": answers[:, i] for i in range(models)}, {"truth": truth, **options}

    return draw


def _predicted_numbers(cases: int, models: int, **options: Any) -> Callable[[Generator], Any]:
    """Predicted numbers whose errors share what makes a case hard."""

    def draw(generator: Generator) -> tuple[dict[str, Any], dict[str, Any]]:
        truth = generator.normal(size=cases)
        answers = truth[:, None] + _shared(generator, cases, models)
        return {f"model {i}": answers[:, i] for i in range(models)}, {"truth": truth, **options}

    return draw


def _printed(positives: int, negatives: int, models: int, values: str, **options: Any) -> Callable[[Generator], Any]:
    """What a paper would print of the labels or scores above."""
    sizes = {"positives": positives, "negatives": negatives, "cases": positives + negatives}

    def draw(generator: Generator) -> tuple[dict[str, Any], dict[str, Any]]:
        truth = np.arange(positives + negatives) < positives
        scores = _shared(generator, len(truth), models) + 2 * truth[:, None]
        called = scores > 1
        found: dict[str, Any] = {}
        for i in range(models):
            if options.get("metric") == "auc":
                found[f"model {i}"] = f"{auc_interval(truth, scores[:, i]).value:.3f}"
            elif values == "published":
                found[f"model {i}"] = f"{np.mean(called[:, i] == truth):.4f}"
            else:
                tp, fp = int(np.sum(called[truth, i])), int(np.sum(called[~truth, i]))
                found[f"model {i}"] = (tp, fp, positives - tp, negatives - fp)
        return found, {"values": values, **(sizes if values == "published" else {}), **options}

    return draw


def _groups(sizes: tuple[int, ...], **options: Any) -> Callable[[Generator], Any]:
    """Values of each model on cases of its own, skewed and with ties."""

    def draw(generator: Generator) -> tuple[dict[str, Any], dict[str, Any]]:
        groups = {f"model {i}": _bounded(generator.normal(size=n), 2) for i, n in enumerate(sizes)}
        return groups, {"paired": False, **options}

    return draw


def _two_test_sets(positives: int, negatives: int) -> Callable[[Generator], Any]:
    def draw(generator: Generator) -> tuple[dict[str, Any], dict[str, Any]]:
        truth = (np.arange(positives + negatives) < positives).astype(int)
        sides = {name: (truth, generator.normal(size=len(truth)) + 1.5 * truth) for name in "AB"}
        return sides, {"paired": False, "values": "one test set"}

    return draw


NULLS = [
    Null("two models, 6 data sets", _table(6, 2)),
    Null("two models, 12 data sets, skewed, 2 decimals", _table(12, 2, decimals=2)),
    Null("two models, 40 cases, skewed, 1 decimal", _table(40, 2, decimals=1, values="per case")),
    Null("two models, 5 runs", _table(5, 2, values="runs")),
    Null("three models, 4 data sets", _table(4, 3)),
    Null("three models, 10 data sets, skewed, 2 decimals", _table(10, 3, decimals=2)),
    Null("six models, 15 data sets", _table(15, 6)),
    Null("ten models, 5 data sets", _table(5, 10), 1000),
    Null("two models, 10 folds, correlated", _correlated(10, 1, 2, values="folds")),
    Null("two models, 5 x 5 folds, correlated", _correlated(5, 5, 2, values="folds", folds=5)),
    Null("two models, 10 x 10 folds, correlated", _correlated(10, 10, 2, values="folds", folds=10)),
    Null("two models, 5x2 folds, correlated", _correlated(2, 5, 2, values="5x2 folds")),
    Null("four models, 10 x 10 folds, correlated", _correlated(10, 10, 4, values="folds", folds=10)),
    Null("two models, 10 folds, cross-validated", _cross_validated(10, 1, 2, values="folds")),
    Null("two models, 5 x 5 folds, cross-validated", _cross_validated(5, 5, 2, values="folds", folds=5)),
    Null(
        "two models, 10 x 10 folds, cross-validated",
        _cross_validated(10, 10, 2, values="folds", folds=10),
    ),
    Null("two models, 5x2 folds, cross-validated", _cross_validated(2, 5, 2, values="5x2 folds")),
    Null("four models, 10 folds, cross-validated", _cross_validated(10, 1, 4, values="folds")),
    Null("spread of two models, 10 data sets", _table(10, 2, question="variance")),
    Null("spread of two models, 30 cases, skewed", _table(30, 2, decimals=3, values="per case", question="variance")),
    Null("spread of four models, 12 data sets, skewed", _table(12, 4, decimals=3, question="variance")),
    Null(
        "spread of two models, 5 x 5 folds, cross-validated",
        _cross_validated(5, 5, 2, values="folds", folds=5, question="variance"),
    ),
    Null("AUC of two models, 30 + 30 cases", _scores(30, 30, 2, 1.5)),
    Null("AUC of two models, 15 + 200 cases", _scores(15, 200, 2, 2.0)),
    Null("AUC of two models, 10 + 10 cases", _scores(10, 10, 2, 1.5)),
    Null("AUC of four models, 50 + 50 cases", _scores(50, 50, 4, 1.5), 1500),
    Null("labels of two models, 50 + 50 cases", _labels(50, 50, 2)),
    Null("labels of two models, 500 + 500 cases", _labels(500, 500, 2)),
    Null("labels of three models, 100 + 100 cases, sensitivity", _labels(100, 100, 3, metric="sens")),
    Null("labels of two models, 30 + 70 cases, F1", _labels(30, 70, 2, metric="f1")),
    Null("labels of two models, 50 + 50 cases, MCC", _labels(50, 50, 2, metric="mcc")),
    Null("labels of three models, 50 + 50 cases, precision", _labels(50, 50, 3, metric="ppv"), 1500),
    Null("four classes, two models, 200 cases, accuracy", _classes(200, 2)),
    Null("four classes, two models, 100 cases, macro F1", _classes(100, 2, metric="f1"), 2000),
    Null("predicted numbers of two models, 30 cases", _predicted_numbers(30, 2)),
    Null("predicted numbers of three models, 30 cases, squared", _predicted_numbers(30, 3, metric="mse")),
    Null("two groups of 12 and 20 values", _groups((12, 20))),
    Null("four groups of 8 to 20 values", _groups((8, 20, 12, 9))),
    Null("spread of two groups, 15 and 25 values", _groups((15, 25), question="variance")),
    Null("AUC of two models on different test sets, 40 + 40 cases", _two_test_sets(40, 40)),
    Null("published AUC of two models, 50 + 50 cases", _printed(50, 50, 2, "published", metric="auc"), 1500),
    Null("published accuracy of two models, 400 cases", _printed(200, 200, 2, "published", metric="acc")),
    Null("confusion matrices of two models, 200 + 200 cases", _printed(200, 200, 2, "matrices")),
]
