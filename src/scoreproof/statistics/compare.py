"""Compare models: follow the recommendation, check its assumptions, run the test and the post hoc, correct, report.

A table of scores (rows data sets or cases; columns models) goes to Wilcoxon's or Friedman's test if the rows are data
sets, to a permutation test of the means if they are cases, to Welch's if they are training runs, to the corrected
t-test if they are folds; true labels and predictions of one test set go to DeLong's, McNemar's or a permutation test;
published rates and matrices to the cautious end of McNemar's range (Rainio, Teuho & Klén 2024,
doi:10.1038/s41598-024-56706-x). Asking for another test is possible; what the table says against it is then noted.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence  # noqa: F401  a type of the options
from dataclasses import replace
from typing import Any, Literal, Unpack

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import as_array, score_table, written
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.quantities.measures import shared
from scoreproof.statistics.compare_predictions import PREDICTION_TESTS, compare_predictions
from scoreproof.statistics.compare_scores import (
    GROUP_TESTS,
    SCORE_TESTS,
    compare_auc_groups,
    compare_groups,
    compare_scores,
)
from scoreproof.statistics.comparison import Comparison
from scoreproof.statistics.equivalence import QUESTIONS as EQUIVALENCE
from scoreproof.statistics.friedman import model_names, position
from scoreproof.statistics.plan import CompareOptions, Plan
from scoreproof.statistics.published import compare_matrices, compare_published
from scoreproof.statistics.recommend import is_listed, measured, rises
from scoreproof.statistics.resampling import cluster_codes
from scoreproof.statistics.tails import CORRECTIONS
from scoreproof.validation import Share, chosen, optioned, random_seed, real

TESTS = tuple(dict.fromkeys(("auto", *SCORE_TESTS, *PREDICTION_TESTS, *GROUP_TESTS)))
_PUBLISHED = {"published": compare_published, "matrices": compare_matrices}
_MOST_PAIRS = 5_000
_PER_CASE = ("segmentation", "retrieval", "multilabel")


@optioned(CompareOptions, correction="holm", decimals=9, seed=0)
def compare(
    data: Mapping[str, npt.ArrayLike] | npt.ArrayLike,
    *,
    truth: npt.ArrayLike | None = None,
    models: Sequence[str] | None = None,
    values: str | None = None,
    task: str | None = None,
    metric: str | None = None,
    test: str = "auto",
    question: Literal["better", "variance", "equivalent", "not worse"] = "better",
    alpha: Share = 0.05,
    control: str | int | None = None,
    paired: bool = True,
    **more: Unpack[CompareOptions],
) -> Comparison:
    """Compare two or more models and say what came out.

    data: a mapping from model names to columns, or a table with a column per model. Without ``truth`` the columns hold
        values of a metric; with it, each model's scores or labels for the cases. With ``values="published"`` it maps
        names to one value each (as text, so that its digits survive), with ``values="matrices"`` to (tp, fp, fn, tn).
    values: how the values came about: "data sets", "per case", "runs", "folds", "5x2 folds", "published" or
        "matrices". Unless told, as many rows as a cross-validation has (5, 10, 20, 25, 30, 50, 100) are taken for
        folds, which is the safe way, and others for data sets; a note says so. Columns of 0 and 1 alone are cases.
    clusters: what each row belongs to (patient, speaker, document), where rows of one are not independent: whole
        clusters are swapped and drawn, and AUCs get Obuchowski's variance.
    question: "better", "variance" (who varies more), "equivalent" (within ``margin`` of each other) or "not worse"
        (than ``control``, by more than ``margin``).
    costs: for predicted classes and metric="cost", a row for each true and a column for each predicted class, sorted.
    test: "auto" follows the recommendation; else one of ``scoreproof.statistics.compare.TESTS``.
    folds: the folds of one run, for the corrected resampled t-test; up to 10 rows may be one run, more must say.
    test_to_train: instead of folds, test cases over training cases, for repeated random splits.
    higher_is_better: by default as the metric's name says (errors and distances are better low), or the end of all
        columns' names ("A_rmse", "B_rmse"); where nothing says it, no model is called better, only higher.
    positives, negatives, cases: the size of the test set, for published values.
    paired: False for models evaluated on different cases: a mapping of names to values, not as many for each; or, for
        two AUCs, to (truth, scores).
    rope: the half-width of practical equality, in units of the score; adds the probabilities that either model is
        better and that they are practically equal (Bayesian signed-rank test, or correlated t-test for folds).
    control: compare all models with this one only, instead of all pairs.
    correction: how p-values of several pairs are corrected (see ``adjust``).

    >>> scores = {"A": [0.81, 0.77, 0.92, 0.85, 0.88, 0.79], "B": [0.78, 0.75, 0.90, 0.86, 0.84, 0.74]}
    >>> result = compare(scores, values="data sets", metric="accuracy")
    >>> result.test, result.pairs[0].result.p_value
    ('Wilcoxon signed-rank test', 0.0625)
    >>> result = compare({"A": [0.1, 0.4, 0.35, 0.8], "B": [0.3, 0.2, 0.6, 0.7]}, truth=[0, 0, 1, 1])
    >>> result.test
    'DeLong test'
    """
    chosen("test", test, TESTS)
    published = values in _PUBLISHED and truth is None
    _check_form(isinstance(data, Mapping) and models is None, truth is None, paired, values, (test, question))
    names, columns = _columns(data, models, named=published or not paired)
    metric = shared(names) if metric is None and truth is None else metric
    asked: dict[str, Any] = {"test": test, "question": question, "task": task, "alpha": alpha}
    asked |= _settled(more, metric, control, names, len(columns[0]) if columns else 0)
    if truth is None and columns:
        _check_scales(names, columns, metric)
        if values is None and paired:
            values, told = _rows_unsaid(columns, asked)
            asked |= told
    known = metric if truth is not None or published or is_listed(metric, task) else None
    values = "one test set" if truth is not None else values or "data sets"
    plan = Plan(names=names, values=values, metric=known, measured=metric, **asked)
    if (pairs := len(plan.pairs())) > _MOST_PAIRS:
        ask = "say which models (models=, --models), or compare all with one (control=, --control)"
        raise InvalidOption(f"{len(names):,} models make {pairs:,} pairs: expected at most {_MOST_PAIRS:,}; {ask}")
    _check_question(plan, paired=paired and not published, predictions=truth is not None)
    return _run(data, truth, columns, plan, paired=paired, published=published)


def _check_form(named: bool, alone: bool, paired: bool, values: str | None, asked: tuple[str, str]) -> None:
    """Refuse data that come in another form than groups and published values have."""
    published = values in _PUBLISHED and alone
    if not paired and (not named or not alone or published):
        raise InvalidOption("paired = False: expected a mapping of names to values, without truth= or models=")
    if published and (not named or asked != ("auto", "better")):
        raise InvalidOption(f"values = {values!r}: expected a mapping of names, test='auto' and question='better'")


def _settled(
    more: CompareOptions, metric: str | None, control: str | int | None, names: tuple[str, ...], rows: int
) -> dict[str, Any]:
    """Options as a plan has them: checked, and known from the metric's name where they were not told."""
    margin, clusters, upwards = more["margin"], more["clusters"], more["higher_is_better"]
    sizes = {name: more.pop(name) for name in ("positives", "negatives", "cases")}  # type: ignore[misc]
    return {
        **more,
        "sizes": sizes,
        "seed": random_seed(more["seed"]),
        "correction": chosen("correction", more["correction"].lower(), CORRECTIONS),
        "clusters": None if clusters is None else cluster_codes(clusters, rows),
        "control": None if control is None else position(control, names),
        "margin": None if margin is None else real("margin", margin, above=0),
        "higher_is_better": rises(metric) if upwards is None else upwards,
    }


def _run(
    data: Any,
    truth: npt.ArrayLike | None,
    columns: list[npt.NDArray[Any]],
    plan: Plan,
    *,
    paired: bool,
    published: bool,
) -> Comparison:
    """The comparison that fits what there is: groups, published values, a table of scores, or predictions."""
    test, values = plan.test, plan.values
    if not paired:
        if values == "one test set":
            return compare_auc_groups(data, replace(plan, higher_is_better=True))
        return compare_groups(data, plan)
    if test in GROUP_TESTS and test not in SCORE_TESTS:
        raise InvalidOption(f"test = {test!r} is for models on different cases: expected paired=False (--unpaired)")
    if published:
        return _PUBLISHED[values](data, replace(plan, higher_is_better=True))
    if truth is None:
        if test in PREDICTION_TESTS and test not in SCORE_TESTS:
            raise InvalidOption(f"test = {test!r} compares predictions: expected the true labels, truth=")
        table, advice = score_table(np.column_stack(columns)), None
        if values == "one test set" and plan.task in _PER_CASE and plan.question == "better":
            advice = plan.advice()
            plan = replace(plan, values="per case")
        return compare_scores(table, plan, advice)
    if test in SCORE_TESTS and test not in PREDICTION_TESTS:
        raise InvalidOption(f"test = {test!r} compares values of a metric: expected a table of scores, without truth=")
    return compare_predictions(truth, columns, plan)


def _check_question(plan: Plan, *, paired: bool, predictions: bool) -> None:
    """Refuse a question that the data cannot answer."""
    if (plan.margin is None) == (plan.question in EQUIVALENCE):
        raise InvalidOption(
            f"question = {plan.question!r} and margin = {plan.margin!r}: expected margin= (--margin), the largest "
            "difference that does not matter, with question 'equivalent' or 'not worse' and with no other"
        )
    if plan.clusters is not None and (not paired or plan.question == "variance"):
        raise InvalidOption("clusters: expected values or predictions of the same cases, asking which is better")
    if plan.question == "not worse" and (plan.control is None or (plan.higher_is_better is None and not predictions)):
        raise InvalidOption("question = 'not worse' needs control= (--control), and metric= or higher_is_better=")
    if plan.rope is not None and (predictions or not paired or plan.question != "better"):
        raise InvalidOption("rope: expected a table of scores on the same cases, with question='better'; leave it out")


#: Rows that a cross-validation, once or repeated, usually has.
_LIKE_FOLDS = (5, 10, 20, 25, 30, 50, 100)
_LIKE_SAMPLES = (200, 500, 1000, 2000, 5000, 10_000)  #: as many as bootstraps have


def _rows_unsaid(columns: Sequence[npt.NDArray[Any]], asked: Mapping[str, Any]) -> tuple[str | None, dict[str, Any]]:
    """What rows are that nothing names: as many as a cross-validation has may be folds, and are taken for them.

    Zeros and ones alone are right and wrong answers of cases.
    """
    rows = len(columns[0])
    if asked["clusters"] is not None or asked["question"] == "variance" or asked["test"] not in ("auto", "corrected-t"):
        return None, {}
    if asked["folds"] is not None or asked["test_to_train"] is not None:
        return "folds", {}
    if asked["test"] == "auto" and all(c.dtype.kind in "biuf" and bool(np.isin(c, (0, 1)).all()) for c in columns):
        return "per case", {}
    ask = "say what they are: values= (--values 'data sets', 'per case', 'runs', or folds with --folds)"
    if rows in _LIKE_SAMPLES:
        raise InvalidOption(f"{rows:,} rows may be cases, or samples of a bootstrap, which no test may count: {ask}")
    if rows not in _LIKE_FOLDS:
        return "data sets", {
            "notes": (f"nothing says what the {rows} rows are: taken as independent data sets; {ask}",)
        }
    told, folds = (f"as one run of {rows} folds", rows) if rows <= 10 else (f"as {rows // 5} runs of 5 folds", 5)
    note = f"nothing says what the {rows} rows are: taken the safe way, {told}; {ask}"
    return "folds", {"folds": folds, "notes": (note,)}


def _check_scales(names: Sequence[str], columns: Sequence[npt.NDArray[Any]], metric: str | None) -> None:
    """0.81 beside 83.3 is a share beside a percentage; no difference of the two means anything."""
    known = None if metric is None else measured(metric)
    if known is not None and known.high != 1:
        return
    numeric = {
        n: c.astype(np.float64) for n, c in zip(names, columns, strict=True) if c.dtype.kind in "biuf" and c.size
    }
    shares = [n for n, c in numeric.items() if np.all(np.abs(c) <= 1) and np.median(c) > 0.05]
    percents = [n for n, c in numeric.items() if np.all(c >= 0) and np.median(c) > 5]
    bounded = all(np.all((c >= 0) & (c <= 100)) for c in numeric.values())
    both = [n for n, c in numeric.items() if bounded and _two_scales(c)]
    apart = [shares[0], percents[0]] if shares and percents else both[:1]
    if apart:
        raise InvalidValue(
            f"{' and '.join(map(repr, apart))}: some values lie between 0 and 1, others are as large as percentages or "
            "larger: expected one scale; divide the percentages by 100, or say metric= (--metric) if it has no bound"
        )


def _two_scales(c: npt.NDArray[np.float64]) -> bool:
    return bool(np.any((c > 0) & (c <= 1)) and np.any(c > 10) and not np.any((c > 1) & (c <= 10)))


def _columns(
    data: Mapping[str, npt.ArrayLike] | npt.ArrayLike, models: Sequence[str] | None, *, named: bool
) -> tuple[tuple[str, ...], list[npt.NDArray[Any]]]:
    """Names and columns (names alone where they come with other things than columns); lengths are compared here."""
    if isinstance(data, Mapping):
        if models is not None:
            raise InvalidOption("models was given twice: expected either a mapping of names or models=")
        if named and len(data) > 1:
            return model_names([*map(written, data)], len(data)), []
        names = model_names([*map(written, data)], len(data))
        columns = [as_array(written(k), v) for k, v in data.items()]
    else:
        # A data frame brings its own names.
        own = [*map(written, data.columns)] if models is None and hasattr(data, "columns") else models
        table = as_array("data", data)
        if table.ndim != 2:
            raise InvalidValue(f"data has shape {table.shape}: expected two dimensions, a column per model")
        names, columns = model_names(own, table.shape[1]), list(table.T)
    if len(columns) < 2:
        raise InvalidValue(f"data holds {len(columns)} model: expected at least 2; of one report an interval")
    for name, column in zip(names, columns, strict=True):
        if column.ndim != 1 or len(column) != len(columns[0]):
            raise InvalidValue(f"model {name!r} has shape {column.shape}: expected {columns[0].shape} as {names[0]!r}")
    return names, columns
