"""What is recommended can be done with what there is, and ``compare`` does exactly that."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from scoreproof import statistics as st
from scoreproof.errors import InvalidOption
from scoreproof.kinds.binary.scores import score

GENERATOR = np.random.default_rng(11)
CASES = 60
TRUTH = np.arange(CASES) < 25
CLASSES = GENERATOR.integers(0, 4, CASES)

#: The test a comparison must have run, by the function that was recommended.
RUN = {
    "wilcoxon_signed_rank": "Wilcoxon signed-rank test",
    "friedman": "Friedman test",
    "corrected_resampled_t": "Corrected resampled t-test",
    "paired_levene": "Paired Levene test",
    "delong_paired": "DeLong test",
    "delong_many": "DeLong test",
    "mcnemar": "McNemar test",
    "mcnemar_predictions": "McNemar test",
    "paired_metric_test": "Permutation test of predictions",
    "permutation_test": "Paired permutation test",
    "welch_t": "Welch t-test",
    "hanley_mcneil_test": "Hanley-McNeil test",
    "attainable_mcnemar": "McNemar test, cautious end",
}
METRICS = {
    "binary": ("acc", "sens", "spec", "ppv", "npv", "bm", "f1", "kappa", "mcc", "auc"),
    "multiclass": ("acc", "sens", "spec", "ppv", "bm", "f1", "kappa", "mcc"),
    "regression": ("mae", "mse", "rmse", "r2", "pearson"),
    "segmentation": ("dice", "hausdorff"),
    "detection": ("map",),
    "retrieval": ("ndcg",),
    "multilabel": ("hamming-loss",),
}
ASKED = [
    (task, metric, values, models)
    for task, metrics in METRICS.items()
    for metric, values, models in product(metrics, st.VALUES, (2, 3))
]


def material(task: str, metric: str, values: str, models: int) -> tuple[Any, dict[str, Any]]:
    """What a user with these values would have at hand."""
    names = [f"model {i}" for i in range(models)]
    scores = TRUTH[:, None] + GENERATOR.normal(size=(CASES, models))
    if values == "one test set":
        if task == "binary":
            table = scores if metric == "auc" else (scores > 0.5).astype(int)
            return dict(zip(names, table.T, strict=True)), {"truth": TRUTH.astype(int)}
        if task == "multiclass":
            table = np.where(GENERATOR.random((CASES, models)) < 0.7, CLASSES[:, None], 0)
            return dict(zip(names, table.T, strict=True)), {"truth": CLASSES}
        if task == "regression":
            return dict(zip(names, scores.T, strict=True)), {"truth": GENERATOR.normal(size=CASES)}
    if values == "published":
        printed = {name: f"0.{80 + i}" for i, name in enumerate(names)}
        return printed, {"positives": 100, "negatives": 100, "cases": 200}
    if values == "matrices":
        return {name: (80 + i, 10, 20 - i, 90) for i, name in enumerate(names)}, {}
    table = GENERATOR.normal(size=(10, models))
    return dict(zip(names, table.T, strict=True)), {"folds": 5} if values == "folds" else {}


@pytest.mark.parametrize(("task", "metric", "values", "models"), ASKED)
def test_compare_runs_what_is_recommended(task: str, metric: str, values: str, models: int) -> None:
    try:
        advice = st.recommend(task=task, metric=metric, values=values, models=models)
    except InvalidOption:
        assert values in ("published", "matrices", "one test set")
        return
    data, given = material(task, metric, values, models)
    found = st.compare(data, values=values, task=task, metric=metric, **given)
    assert found.recommendation.function == advice.function
    assert found.recommendation.test == advice.test
    assert found.test == RUN[advice.function]


@pytest.mark.parametrize("values", [v for v in st.VALUES if v not in ("one test set", "published", "matrices")])
@pytest.mark.parametrize("models", [2, 4])
def test_so_does_the_question_of_spread(values: str, models: int) -> None:
    advice = st.recommend(values=values, models=models, question="variance")
    found = st.compare(GENERATOR.normal(size=(10, models)), values=values, question="variance")
    assert found.test == RUN[advice.function]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"metric": "f1", "values": "published"}, "ask for the predictions"),
        ({"metric": "mcc", "values": "matrices"}, "ask for the predictions"),
        ({"metric": "map", "task": "detection", "values": "one test set"}, "a value per case"),
        ({"question": "variance", "values": "one test set"}, "several values"),
        ({"question": "variance", "values": "published"}, "several values"),
        ({"models": 1, "values": "folds", "metric": "acc"}, "pool the predictions"),
    ],
)
def test_what_cannot_be_done_is_not_recommended(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidOption, match=words):
        st.recommend(**asked)


def test_every_recommended_function_exists() -> None:
    for rule in st.RULES:
        assert callable(getattr(st, rule.function))
        assert rule.values, f"{rule.test} must say which values it fits"


def test_the_decision_table_uses_its_own_words() -> None:
    known = {metric for metrics in st.TASKS.values() for metric in metrics}
    for rule in st.RULES:
        assert rule.models <= {"one", "two", "many"}
        assert rule.values <= set(st.VALUES)
        assert rule.tasks <= set(st.TASKS)
        assert all(metric in known or score(metric).name == metric for metric in rule.metrics)
        assert "{" not in rule.source
        assert all(len(pair) == 2 and all(pair) for pair in (*rule.avoid, *rule.instead))


def test_published_rates_must_be_counts() -> None:
    assert st.counts_behind("0.847", 300) == [254]
    assert st.counts_behind("84.7 %", 300) == [254]
    assert st.counts_behind("0.5", 10) == [5]
    assert st.counts_behind("0.7", 1000) == list(range(601, 800))
    with pytest.raises(st_error(), match="no whole number"):
        st.counts_behind("0.9447", 300)


def st_error() -> type[Exception]:
    from scoreproof.errors import InvalidValue

    return InvalidValue


def test_the_cautious_end_bounds_mcnemar() -> None:
    for _ in range(50):
        one, two = (GENERATOR.random((2, CASES)) < 0.8).astype(int)
        exact = st.mcnemar_predictions(TRUTH, one, two, score="accuracy").p_value
        right = [(int(((p == 1) & TRUTH).sum()), int(((p == 0) & ~TRUTH).sum())) for p in (one, two)]
        totals = (int(TRUTH.sum()), int((~TRUTH).sum()))
        bound = st.attainable_mcnemar([right[0]], [right[1]], totals, score="accuracy")
        assert bound.details["p_low"] - 1e-12 <= exact <= bound.p_value + 1e-12


@pytest.mark.parametrize("metric", ["f1", "mcc", "kappa", "ppv", "sens"])
def test_swapping_by_counts_is_swapping_by_cases(metric: str) -> None:
    from scoreproof.kinds.binary.scores import score

    value = score(metric)
    for _ in range(6):
        y, a, b = GENERATOR.integers(0, 2, (3, 8))

        def of(p: Any, y: Any = y) -> float:
            cells = [int(np.sum((p == i) & (y == j))) for i, j in ((1, 1), (1, 0), (0, 1), (0, 0))]
            return float(np.nan_to_num(value(*cells)))

        swaps = [np.array(s, dtype=bool) for s in product([0, 1], repeat=8)]
        far = [abs(of(np.where(s, b, a)) - of(np.where(s, a, b))) for s in swaps]
        wanted = np.mean([f >= abs(of(a) - of(b)) - 1e-12 for f in far])
        found = st.paired_metric_test(y, a, b, metric=metric)
        assert found.p_value == pytest.approx(wanted)


def test_errors_are_better_low() -> None:
    low, high = GENERATOR.normal(1, 0.1, 20), GENERATOR.normal(2, 0.1, 20)
    data = {"low": low, "high": high}
    assert st.compare(data, metric="hausdorff", task="segmentation", values="per case").pairs[0].better == "low"
    assert st.compare(data, metric="dice", task="segmentation", values="per case").pairs[0].better == "high"
    assert st.compare(data, metric="mae", higher_is_better=True).pairs[0].better == "high"


def test_practical_equality() -> None:
    x = GENERATOR.normal(0.8, 0.02, 10)
    same = st.compare({"A": x, "B": x + GENERATOR.normal(0, 0.001, 10)}, rope=0.01, metric="accuracy")
    assert any("practically equal (within 0.01) with 1.000" in note for note in same.notes)
    folds = st.compare({"A": x, "B": x - 0.1 + GENERATOR.normal(0, 0.001, 10)}, values="folds", rope=0.01, metric="acc")
    assert any(note.startswith("A is better with probability 1.000") for note in folds.notes)
    errors = st.compare({"A": x, "B": x - 0.1}, rope=0.01, higher_is_better=False)
    assert any("B with 1.000" in note or "B with 0.99" in note for note in errors.notes)
    with pytest.raises(InvalidOption, match="rope"):
        st.compare({"A": x, "B": x}, paired=False, rope=0.01)


def test_very_many_models_are_not_compared_pair_by_pair() -> None:
    scores = {f"m{k}": [0.5, 0.6, 0.7, 0.8, 0.9, 0.4] for k in range(150)}
    with pytest.raises(InvalidOption, match="150 models make 11,175 pairs"):
        st.compare(scores, values="data sets")
    assert len(st.compare(scores, values="data sets", control="m0").pairs) == 149
