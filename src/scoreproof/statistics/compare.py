"""Compare models: follow the recommendation, check its assumptions, run the test and the post hoc, correct, report.

A table of scores (rows data sets or cases; columns models) goes to Wilcoxon's or Friedman's test, folds to the
corrected t-test; true labels and predictions of one test set go to DeLong's, McNemar's or a permutation test; published
rates and matrices to the cautious end of McNemar's range (Rainio, Teuho & Klén 2024, doi:10.1038/s41598-024-56706-x).
Asking for another test is possible; what the table says against it is then noted.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import score_table
from scoreproof.errors import InvalidOption, InvalidValue, ScoreproofError
from scoreproof.statistics.compare_groups import GROUP_TESTS, compare_auc_groups, compare_groups
from scoreproof.statistics.compare_predictions import PREDICTION_TESTS, compare_predictions
from scoreproof.statistics.compare_published import compare_matrices, compare_published
from scoreproof.statistics.compare_scores import SCORE_TESTS, compare_scores
from scoreproof.statistics.comparison import Comparison
from scoreproof.statistics.corrections import CORRECTIONS
from scoreproof.statistics.plan import Plan
from scoreproof.statistics.posthoc import model_names, position
from scoreproof.statistics.recommend import metric_name, rises
from scoreproof.validation import chosen, fraction, random_seed

TESTS = tuple(dict.fromkeys(("auto", *SCORE_TESTS, *PREDICTION_TESTS, *GROUP_TESTS)))
_PUBLISHED = {"published": compare_published, "matrices": compare_matrices}
_PER_CASE = ("segmentation", "retrieval", "multilabel")


def compare(
    data: Mapping[str, npt.ArrayLike] | npt.ArrayLike,
    *,
    truth: npt.ArrayLike | None = None,
    models: Sequence[str] | None = None,
    values: str = "data sets",
    task: str | None = None,
    metric: str | None = None,
    test: str = "auto",
    question: Literal["better", "variance"] = "better",
    folds: int | None = None,
    test_to_train: float | None = None,
    higher_is_better: bool | None = None,
    alpha: float = 0.05,
    correction: str = "holm",
    control: str | int | None = None,
    paired: bool = True,
    positive: Hashable | None = None,
    positives: int | None = None,
    negatives: int | None = None,
    cases: int | None = None,
    decimals: int | None = 9,
    seed: int = 0,
    rope: float | None = None,
) -> Comparison:
    """Compare two or more models and say what came out.

    Parameters
    ----------
    data: a mapping from model names to columns, or a table with a column per model. Without ``truth`` the
        columns hold values of a metric; with it, each model's scores or labels for the cases. With
        ``values="published"`` it maps names to one value each (as text, so that its digits survive), with
        ``values="matrices"`` to (tp, fp, fn, tn).
    values: how the values came about: "data sets", "per case", "runs", "folds", "5x2 folds", "published" or
        "matrices".
    test: "auto" follows the recommendation; else one of ``scoreproof.statistics.compare.TESTS``.
    folds: the folds of one run, for the corrected resampled t-test; up to 10 rows may be one run, more must say.
    test_to_train: instead of folds, test cases over training cases, for repeated random splits.
    higher_is_better: by default as the metric's name says (errors and distances are better low); where nothing says it,
        no model is called better, only higher.
    positives, negatives, cases: the size of the test set, for published values.
    paired: False for models evaluated on different cases: a mapping of names to values, not as many for each; or, for
        two AUCs, to (truth, scores).
    rope: the half-width of practical equality, in units of the score; adds the probabilities that either model is
        better and that they are practically equal (Bayesian signed-rank test, or correlated t-test for folds).
    control: compare all models with this one only, instead of all pairs.
    correction: how p-values of several pairs are corrected (see ``adjust``).

    >>> scores = {"A": [0.81, 0.77, 0.92, 0.85, 0.88, 0.79], "B": [0.78, 0.75, 0.90, 0.86, 0.84, 0.74]}
    >>> found = compare(scores, values="data sets")
    >>> found.test, found.pairs[0].result.p_value
    ('Wilcoxon signed-rank test', 0.0625)
    >>> found = compare({"A": [0.1, 0.4, 0.35, 0.8], "B": [0.3, 0.2, 0.6, 0.7]}, truth=[0, 0, 1, 1])
    >>> found.test
    'DeLong test'
    """
    chosen("test", test, TESTS)
    chosen("correction", correction.lower(), CORRECTIONS)
    alpha, seed = fraction("alpha", alpha), random_seed(seed)
    columns: list[npt.NDArray[Any]] = []
    published = values in _PUBLISHED and truth is None
    if not paired:
        if not isinstance(data, Mapping) or truth is not None or models is not None or published:
            raise InvalidOption("paired = False: expected a mapping of names to values, without truth= or models=")
        names = model_names([str(k) for k in data], len(data))
    elif published:
        if not isinstance(data, Mapping) or models is not None or test != "auto" or question != "better":
            raise InvalidOption(f"values = {values!r}: expected a mapping of names, test='auto' and question='better'")
        names = model_names([str(k) for k in data], len(data))
    else:
        names, columns = _columns(data, models)
    if len(names) < 2:
        raise InvalidValue(f"data holds {len(names)} model: expected at least 2")
    plan = Plan(
        names=names,
        values="one test set" if truth is not None else values,
        task=task,
        metric=metric if truth is not None or published or _is_listed(metric, task) else None,
        test=test,
        question=question,
        folds=folds,
        test_to_train=test_to_train,
        higher_is_better=rises(metric) if higher_is_better is None else higher_is_better,
        alpha=alpha,
        correction=correction.lower(),
        control=None if control is None else position(control, names),
        positive=positive,
        decimals=decimals,
        seed=seed,
        rope=rope,
        sizes={"positives": positives, "negatives": negatives, "cases": cases},
    )
    if rope is not None and (truth is not None or published or not paired or question != "better"):
        raise InvalidOption("rope: expected a table of scores on the same cases, with question='better'; leave it out")
    if isinstance(data, Mapping) and not paired:
        if values == "one test set":
            return compare_auc_groups(data, replace(plan, higher_is_better=True))
        return compare_groups(data, plan)
    if test in GROUP_TESTS and test not in SCORE_TESTS:
        raise InvalidOption(f"test = {test!r} is for models on different cases: expected paired=False (--unpaired)")
    if isinstance(data, Mapping) and published:
        return _PUBLISHED[values](data, replace(plan, higher_is_better=True))
    if truth is None:
        if test in PREDICTION_TESTS and test not in SCORE_TESTS:
            raise InvalidOption(
                f"test = {test!r} needs the true labels: expected truth=; these are predictions, not scores"
            )
        table, advice = score_table(np.column_stack(columns)), None
        if values == "one test set" and task in _PER_CASE and question == "better":
            advice = plan.advice()
            plan = replace(plan, values="per case")
        return compare_scores(table, plan, advice)
    if test in SCORE_TESTS and test not in PREDICTION_TESTS:
        raise InvalidOption(f"test = {test!r} compares values of a metric: expected a table of scores, without truth=")
    return compare_predictions(truth, columns, plan)


def _is_listed(metric: str | None, task: str | None) -> bool:
    """Whether the decision table knows a metric: a table of scores may be of any other."""
    with suppress(ScoreproofError):
        return metric is not None and bool(metric_name(metric, task))
    return False


def _columns(
    data: Mapping[str, npt.ArrayLike] | npt.ArrayLike, models: Sequence[str] | None
) -> tuple[tuple[str, ...], list[npt.NDArray[Any]]]:
    """Names and columns; the lengths are compared here, the numbers checked where they are used."""
    try:
        if isinstance(data, Mapping):
            if models is not None:
                raise InvalidOption("models was given twice: expected either a mapping of names or models=")
            names = model_names([str(k) for k in data], len(data))
            columns = [np.asarray(v) for v in data.values()]
        else:
            # A data frame brings its own names.
            own = [str(c) for c in data.columns] if models is None and hasattr(data, "columns") else models
            table = np.asarray(data)
            if table.ndim != 2:
                raise InvalidValue(f"data has shape {table.shape}: expected two dimensions, a column per model")
            names = model_names(own, table.shape[1])
            columns = [table[:, i] for i in range(table.shape[1])]
    except ScoreproofError:
        raise
    except ValueError:
        raise InvalidValue("data is ragged: expected one value per model in every row") from None
    if len(columns) < 2:
        raise InvalidValue(
            f"data holds {len(columns)} model: expected at least 2; for one model report an interval "
            "(proportion_interval, auc_interval, bootstrap_interval)"
        )
    for name, column in zip(names, columns, strict=True):
        if column.ndim != 1 or len(column) != len(columns[0]):
            raise InvalidValue(
                f"model {name!r} has shape {column.shape} but {names[0]!r} {columns[0].shape}: "
                "expected one value each for the same cases"
            )
    return names, columns
