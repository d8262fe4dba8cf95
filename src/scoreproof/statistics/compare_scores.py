"""Comparing models by values of a metric: a table of scores of the same rows, or groups of values of different cases.

What the rows are decides: data sets go to Wilcoxon's test (two models) or Friedman's and corrected pairs (more), cases
to a permutation test of their means, by cluster where cases belong together, training runs to Welch's test: two models'
runs of one seed are no pairs unless they share the order of the data.

Folds are another matter: they share training data, so that rank tests which take them for independent call
identical models different in half of all ten times tenfold cross-validations. They go to the corrected
resampled t-test, which needs to know how many folds one run has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import Floats, numbers
from scoreproof.errors import InvalidOption
from scoreproof.statistics.auc import auc_interval, delong_unpaired
from scoreproof.statistics.comparison import Comparison, ModelSummary, PairResult
from scoreproof.statistics.equivalence import QUESTIONS as EQUIVALENCE
from scoreproof.statistics.equivalence import bayesian_signed_rank, equivalent_means
from scoreproof.statistics.friedman import PairTest, PostHoc, correction_name, friedman, rank_rows
from scoreproof.statistics.groups import (
    bartlett,
    dunn,
    f_test,
    kruskal_wallis,
    levene,
    mann_whitney,
    paired_levene,
    pitman_morgan,
    welch_t,
)
from scoreproof.statistics.paired_values import (
    cautious_df,
    corrected_resampled_t,
    five_by_two_f,
    paired_t,
    shapiro_wilk,
)
from scoreproof.statistics.plan import Plan, conclude, paired_results
from scoreproof.statistics.recommend import Recommendation, metric_name
from scoreproof.statistics.resampling import permutation_test
from scoreproof.statistics.result import Effect, TestResult
from scoreproof.statistics.wilcoxon import sign_test, wilcoxon_signed_rank
from scoreproof.validation import chosen

SCORE_TESTS = (
    *["wilcoxon", "sign", "paired-t", "corrected-t", "5x2cv", "permutation", "welch", "mann-whitney", "friedman"],
    *["levene", "pitman-morgan"],
)
GROUP_TESTS = ("mann-whitney", "welch", "kruskal", "levene", "f-test", "bartlett")
_SPREAD: dict[str, Callable[..., TestResult]] = {"levene": levene, "f-test": f_test, "bartlett": bartlett}
_VARIANCE_TESTS = ("auto", "levene", "pitman-morgan")
#: What is run when the recommendation is followed.
_RECOMMENDED = {
    "wilcoxon_signed_rank": "wilcoxon", "friedman": "friedman", "corrected_resampled_t": "corrected-t",
    "paired_levene": "levene", "permutation_test": "permutation", "welch_t": "welch", "mann_whitney": "mann-whitney",
    "kruskal_wallis": "kruskal", "levene": "levene", "equivalent_means": "equivalence",
}  # fmt: skip
_UNITS = {"data sets": "data sets", "per case": "cases", "runs": "runs", "folds": "folds", "5x2 folds": "folds"}
_OF_MEANS = ("paired-t", "corrected-t", "5x2cv", "permutation", "welch", "equivalence")
_FOLDS = ("folds", "5x2 folds")
_ON_RUNS = (
    "the runs share one test set: what is found holds for it, not for other data",
    "runs of two models were not paired: equal seeds are pairs only if they share the order of the data",
)
#: More rows than this are hardly one run of a cross-validation.
_ONE_RUN = 10


def compare_scores(table: Floats, plan: Plan, advice: Recommendation | None = None) -> Comparison:
    """Run the plan on a table of scores; ``advice`` is the recommendation that led here, where there was one."""
    chosen("values", plan.values, tuple(_UNITS))
    advice = advice or plan.advice()
    many = len(plan.names) > 2
    test = _RECOMMENDED[advice.function] if plan.test == "auto" else plan.test
    if plan.question == "variance" and plan.test not in _VARIANCE_TESTS:
        raise InvalidOption(f"test = {plan.test!r} with question = 'variance': expected {', '.join(_VARIANCE_TESTS)}")
    if plan.question == "better" and plan.test in _VARIANCE_TESTS[1:]:
        raise InvalidOption(f"test = {plan.test!r} compares variances: expected question='variance' with it")
    if plan.question in EQUIVALENCE and plan.test != "auto":
        raise InvalidOption(f"test = {plan.test!r} with question = {plan.question!r}: expected test='auto'")
    if plan.clusters is not None and (plan.values != "per case" or test != "permutation"):
        raise InvalidOption(
            f"clusters with values = {plan.values!r} and test = {plan.test!r}: expected values='per case' with the "
            "permutation test; values of data sets, runs and folds are one each"
        )
    omnibus, ranks = None, None
    if test == "friedman":
        omnibus = friedman(table, higher_is_better=plan.highest_first, decimals=plan.decimals, small_sample=True)
    pair_test = "wilcoxon" if test == "friedman" else test
    run = _tests(plan, len(table))[pair_test]
    results = [run(table[:, a], table[:, b]) for a, b in plan.pairs()]
    by_score = {"": results}

    def ahead(a: int, b: int, result: TestResult) -> float:
        return _ahead(table[:, a], table[:, b], result, plan)

    if omnibus is not None and many and plan.control is None:
        pairs = paired_results(by_score, plan, ahead)
        ranks = _ranks(table, pairs, plan, significant=omnibus.significant(plan.alpha))
    return conclude(
        by_score,
        plan,
        advice,
        _summaries(table, plan, pair_test),
        rows=len(table),
        unit=_UNITS[plan.values],
        ahead=ahead,
        omnibus=omnibus,
        ranks=ranks,
        checks=_checks(table, plan, pair_test),
        notes=_notes(table, results, plan, pair_test) + _practical(table, plan),
    )


def _tests(plan: Plan, rows: int) -> dict[str, Callable[[Floats, Floats], TestResult]]:
    level = plan.level

    def corrected(x: Floats, y: Floats) -> TestResult:
        design = _design(plan, rows)
        return corrected_resampled_t(x, y, **design, level=level, df=cautious_df(rows, design["folds"]))

    def five_by_two(x: Floats, y: Floats) -> TestResult:
        if rows != 10:
            raise InvalidOption(f"{rows} rows for the 5x2cv test: expected 10, run by run, two folds each")
        return five_by_two_f(x.reshape(5, 2), y.reshape(5, 2))

    def swaps(x: Floats, y: Floats) -> TestResult:
        options: dict[str, Any] = {"clusters": plan.clusters, "seed": plan.seed, "level": level}
        return permutation_test(x, y, studentized=plan.test == "auto", **options)

    plain: dict[str, Callable[..., TestResult]] = {"paired-t": paired_t, "welch": welch_t, "levene": paired_levene}
    plain |= {"mann-whitney": mann_whitney, "pitman-morgan": pitman_morgan}
    return {
        **{name: partial(test, level=level) for name, test in plain.items()},
        "wilcoxon": partial(wilcoxon_signed_rank, decimals=plan.decimals, level=level),
        "sign": partial(sign_test, decimals=plan.decimals, level=level),
        "corrected-t": corrected,
        "5x2cv": five_by_two,
        "permutation": swaps,
        "equivalence": _equivalence(plan, rows),
    }


def _equivalence(plan: Plan, rows: int) -> Callable[[Floats, Floats], TestResult]:
    def run(x: Floats, y: Floats) -> TestResult:
        design = _design(plan, rows) if plan.values in _FOLDS else {"test_to_train": plan.test_to_train}
        sign = -1 if plan.higher_is_better is False and plan.question == "not worse" else 1
        result = equivalent_means(
            sign * x,
            sign * y,
            margin=plan.margin or 0.0,
            question=plan.question,  # type: ignore[arg-type]
            paired=plan.values != "runs",
            level=plan.level,
            **design,
        )
        # The difference as it is written, of the values themselves.
        return replace(result, effects=(result.effects[0].turned,)) if sign < 0 else result

    return run


def _design(plan: Plan, rows: int) -> dict[str, Any]:
    """What the correction of folds rests on: the folds of one run, or test over training cases."""
    told = plan.test_to_train
    return {"folds": None if told is not None else _folds_of_one_run(plan, rows), "test_to_train": told}


def _folds_of_one_run(plan: Plan, rows: int) -> int:
    """k, which the correction rests on: told, known from the design, or all rows where they are few.

    Ten times ten folds read as one run of a hundred would let the correction all but vanish, so it is asked for.
    """
    if plan.values == "5x2 folds":
        if rows != 10 or plan.folds not in (None, 2):
            raise InvalidOption(f"{rows} rows of 5x2 folds: expected 10, repetition by repetition, two folds each")
        return 2
    if plan.folds is not None:
        return plan.folds
    if rows > _ONE_RUN:
        raise InvalidOption(
            f"{rows} rows of folds: expected folds= (--folds), the folds of one run (10 for ten times tenfold), or "
            "test_to_train= (--test-to-train), test cases over training cases, for random splits"
        )
    return rows


def _summaries(table: Floats, plan: Plan, pair_test: str) -> tuple[ModelSummary, ...]:
    ranks = rank_rows(table, higher_is_better=plan.highest_first, decimals=plan.decimals).means
    models = zip(plan.names, table.T, ranks.tolist(), strict=True)
    return tuple(_summary(name, column, pair_test, ("mean rank", rank)) for name, column, rank in models)


def _summary(name: str, values: Floats, test: str, last: tuple[str, float]) -> ModelSummary:
    """A model by what its test compares, the mean or the median, and by the rest."""
    centre = {"mean": float(np.mean(values)), "median": float(np.median(values))}
    first, second = ("mean", "median") if test in _OF_MEANS else ("median", "mean")
    rest = ((second, centre[second]), ("standard deviation", float(np.std(values, ddof=1))), last)
    return ModelSummary(name, Effect(first, centre[first]), rest)


def _ranks(table: Floats, pairs: tuple[PairResult, ...], plan: Plan, *, significant: bool) -> PostHoc:
    """The mean ranks, with the pairs the sentences tell; none differs where the test of all models found nothing."""
    means = rank_rows(table, higher_is_better=plan.highest_first, decimals=plan.decimals).means
    tests = []
    for p in pairs:
        size = 0.0 if p.effect is None else p.effect.value
        tests.append(PairTest(p.first, p.second, size, p.result.p_value, p.p_adjusted if significant else 1.0))
    method = f"{pairs[0].result.test}s, {correction_name(plan.correction)}"
    if not significant:
        method = "Friedman test of all models, which finds no difference"
    return PostHoc(method, plan.names, tuple(means.tolist()), tuple(tests), plan.alpha, None, len(table))


def _ahead(x: Floats, y: Floats, result: TestResult, plan: Plan) -> float:
    """Above 0 if the first scores higher (or varies more), below if the second does."""
    if plan.question == "variance":
        return float(np.var(x) - np.var(y))
    if result.test in ("Wilcoxon signed-rank test", "Mann-Whitney test"):
        return result.effects[-1].value - 0.5 * (result.test == "Mann-Whitney test")
    if "ermutation test" in result.test:
        return result.statistic
    value = result.effects[0].value if result.effects else float(np.mean(x - y))
    return value - 0.5 if result.test == "Sign test" else value


def _checks(table: Floats, plan: Plan, pair_test: str) -> tuple[TestResult, ...]:
    """A Shapiro-Wilk test for each column, where the test asked for rests on normality and there are values enough."""
    columns = dict(zip(plan.names, table.T, strict=True)) if pair_test == "pitman-morgan" else {}
    if pair_test == "paired-t" and len(plan.names) == 2:
        columns = {"the differences": table[:, 0] - table[:, 1]}
    tested = {name: shapiro_wilk(column) for name, column in columns.items() if len(table) > 2}
    return tuple(replace(result, test=f"{result.test} of {name}") for name, result in tested.items())


def _practical(table: Floats, plan: Plan) -> tuple[str, ...]:
    """For each pair how likely either is better, and how likely both are practically equal."""
    if plan.rope is None:
        return ()
    notes = []
    word = "higher" if plan.higher_is_better is None else "better"
    for a, b in plan.pairs():
        x, y = (-table[:, i] if plan.higher_is_better is False else table[:, i] for i in (a, b))
        if plan.values in _FOLDS:
            result = corrected_resampled_t(x, y, **_design(plan, len(table)), rope=plan.rope)
            second, equal, first = result.details["rope_probabilities"]
            how = "Bayesian correlated t-test"
        else:
            chances = bayesian_signed_rank(x, y, rope=plan.rope, seed=plan.seed)
            second, equal, first = chances.second, chances.equal, chances.first
            how = "Bayesian signed-rank test"
        notes.append(
            f"{plan.names[a]} is {word} with probability {first:.3f}, {plan.names[b]} with {second:.3f}, and both are "
            f"practically equal (within {float(plan.rope):g}) with {equal:.3f} ({how})"
        )
    return tuple(notes)


def _notes(table: Floats, results: list[TestResult], plan: Plan, pair_test: str) -> tuple[str, ...]:
    """What the tests say themselves, and what the design of the comparison says against them."""
    rows, many, better = len(table), len(plan.names) > 2, plan.question == "better"
    notes = [n for r in results for n in r.notes if plan.values == "runs" or "same cases" not in n]
    if plan.values in _FOLDS:
        notes += _notes_on_folds(plan, pair_test, rows)
    if plan.values == "runs":
        notes += _ON_RUNS if pair_test == "welch" else _ON_RUNS[:1]
    gaps = [float(np.mean(table[:, a] - table[:, b])) for a, b in plan.pairs()]
    both = zip(results, gaps, strict=True)
    if pair_test == "wilcoxon" and any(r.p_value <= 0.05 and r.effects[-1].value * gap < 0 for r, gap in both):
        notes.append("ranks and means point opposite ways: the test asks who is ahead on most rows, not by how much")
    if many and plan.test not in ("auto", "friedman") and better and plan.values == "data sets":
        notes.append("pairs were tested without a test of all models first; Friedman's is recommended")
    if many and rows < 6 and pair_test == "wilcoxon":
        notes.append(f"with {rows} rows no single Wilcoxon test can reach 0.05")
    return tuple(dict.fromkeys(notes))


def _notes_on_folds(plan: Plan, pair_test: str, rows: int) -> list[str]:
    if plan.question == "variance":
        return ["folds of one data set do not show how a model would vary over other data sets"]
    if plan.question == "better" and pair_test != "corrected-t":
        return [
            "folds share training data, which this test ignores: it calls identical models different far too often; "
            "the corrected resampled t-test is recommended"
        ]
    unsaid = plan.values == "folds" and pair_test == "corrected-t" and plan.folds is None and plan.test_to_train is None
    told = f"read as one run of {rows} folds; if runs were repeated, say how many folds one has (--folds)"
    return [told] if unsaid else []


def compare_groups(data: Mapping[str, npt.ArrayLike], plan: Plan) -> Comparison:
    """Values of each model, not of the same cases and not as many for each."""
    if plan.question in EQUIVALENCE:
        raise InvalidOption(f"question = {plan.question!r} with paired=False: expected the same cases, or runs")
    groups = [numbers(name, data[name], at_least=2) for name in plan.names]
    advice = plan.advice(paired=False)
    test = _RECOMMENDED[advice.function] if plan.test == "auto" else plan.test
    if test not in GROUP_TESTS or (test in _SPREAD) != (plan.question == "variance"):
        raise InvalidOption(
            f"test = {plan.test!r} with paired=False and question = {plan.question!r}: expected one of "
            f"{', '.join(t for t in GROUP_TESTS if (t in _SPREAD) == (plan.question == 'variance'))}"
        )
    omnibus: dict[str, Callable[..., TestResult]] = {"kruskal": kruskal_wallis, "levene": levene, "bartlett": bartlett}
    results = [_group_pair(groups, a, b, test, plan) for a, b in plan.pairs()]
    variances = [float(np.var(group)) for group in groups]
    return conclude(
        {"": results},
        plan,
        advice,
        (_summary(x, g, test, ("values", float(len(g)))) for x, g in zip(plan.names, groups, strict=True)),
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
    level = plan.level
    (y1, s1), (y2, s2) = sides
    result = delong_unpaired(y1, s1, y2, s2, level=level)
    models = [
        ModelSummary(name, auc_interval(y, s, level=level)) for name, (y, s) in zip(plan.names, sides, strict=True)
    ]
    return conclude({"": [result]}, plan, advice, models, rows=len(y1), unit=f"and {len(y2)} cases")


def _group_pair(groups: list[Floats], a: int, b: int, test: str, plan: Plan) -> TestResult:
    if test == "kruskal":
        return dunn(groups, a, b, level=plan.level)
    if test in _SPREAD:
        return _SPREAD[test](groups[a], groups[b])
    return (welch_t if test == "welch" else mann_whitney)(groups[a], groups[b], level=plan.level)
