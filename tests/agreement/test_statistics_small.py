"""Small samples, clusters, equivalence, readers, calibration and plans against R.

``tests/data/statistics/small_and_clustered.R`` made the numbers; the commands stand in it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scoreproof import metrics as mt
from scoreproof import statistics as st

PATH = Path(__file__).parents[1] / "data" / "statistics" / "small_and_clustered.json"
WANTED: dict[str, Any] = json.loads(PATH.read_text())


def cases(name: str) -> Any:
    return pytest.mark.parametrize("case", WANTED[name], ids=lambda case: f"{name}")


def near(value: Any, tolerance: float = 1e-8) -> Any:
    return pytest.approx(value, rel=tolerance, abs=1e-12)


def ends(effect: Any) -> tuple[float, float]:
    assert effect.interval is not None
    return effect.interval.low, effect.interval.high


@cases("correlations")
def test_rank_correlations_of_few_pairs(case: Any) -> None:
    if "spearman" in case:
        assert st.spearman_test(case["x"], case["y"]).p_value == near(case["spearman"])
    assert st.kendall_test(case["x"], case["y"]).p_value == near(case["kendall"])


@cases("mann_whitney")
def test_mann_whitney_with_ties(case: Any) -> None:
    found = st.mann_whitney(case["x"], case["y"])
    assert found.p_value == near(case["p"])
    assert found.effects[1].value == near(case["a12"])
    assert ends(found.effects[1]) == near(tuple(case["ci"]))
    assert st.mann_whitney(case["x"], case["y"], alternative="greater").p_value == near(case["greater"])


@cases("effects")
def test_intervals_of_effect_sizes(case: Any) -> None:
    d = st.paired_t(case["x"], case["y"]).effects[1]
    assert d.value == near(case["d_z"])
    assert ends(d) == near(tuple(case["d_ci"]), 1e-6)
    r = st.wilcoxon_signed_rank(case["x"], case["y"]).effects[-1]
    assert r.value == near(case["rank_biserial"])
    assert ends(r) == near(tuple(case["r_ci"]), 1e-6)


@cases("equivalence")
def test_equivalence_of_means(case: Any) -> None:
    for name, paired in (("paired", True), ("welch", False)):
        for question in ("equivalent", "not worse"):
            found = st.equivalent_means(case["x"], case["y"], margin=case["margin"], question=question, paired=paired)
            assert found.p_value == near(case[name][question.replace(" ", "_")])
            assert ends(found.effects[0]) == near(tuple(case[name]["ci"]))


@cases("aucs")
def test_equivalence_of_aucs(case: Any) -> None:
    data = case["truth"], case["first"], case["second"]
    for question in ("equivalent", "not worse"):
        found = st.equivalent_aucs(*data, margin=case["margin"], question=question)
        assert found.p_value == near(case[question.replace(" ", "_")])


@cases("tango")
def test_equivalence_of_rates(case: Any) -> None:
    for question in ("equivalent", "not worse"):
        found = st.equivalent_rates(case["b"], case["c"], case["n"], margin=case["margin"], question=question)
        assert found.p_value == near(case[question.replace(" ", "_")])
        assert ends(found.effects[0]) == near(tuple(case["ci"]), 1e-6)


@cases("obuchowski")
def test_aucs_of_clustered_cases(case: Any) -> None:
    found = st.delong_paired(case["truth"], case["first"], case["second"], clusters=case["clusters"])
    assert found.effects[0].value == near(case["difference"])
    assert found.statistic == near(case["difference"] / np.sqrt(case["variance"]))
    assert found.p_value == near(case["p"])


def test_clusters_of_one_case_are_cases() -> None:
    case = WANTED["obuchowski"][0]
    truth, first = np.array(case["truth"]), np.array(case["first"])
    alone = st.delong_paired(truth, first, case["second"], clusters=np.arange(len(truth)))
    plain = st.delong_paired(truth, first, case["second"])
    assert alone.statistic == near(plain.statistic, 1e-2)


@cases("permutation")
def test_permutations_of_clusters(case: Any) -> None:
    found = st.permutation_test(case["x"], case["y"], clusters=case["clusters"])
    assert found.p_value == near(case["p"])
    assert found.effects[0].interval is not None


@cases("newcombe")
def test_the_interval_of_a_perfect_auc(case: Any) -> None:
    truth = np.repeat([1, 0], [case["p"], case["n"]])
    found = st.auc_interval(truth, truth)
    assert ends(found) == near((case["low"], 1.0))
    assert "Newcombe" in str(found)


@cases("icc")
def test_intraclass_correlations(case: Any) -> None:
    for i, (form, value) in enumerate(case["values"].items()):
        found = mt.icc(case["ratings"], form=form)
        assert found.value == near(value)
        assert ends(found) == near((case["low"][i], case["high"][i]), 1e-6)


@cases("fleiss")
def test_fleiss_kappa(case: Any) -> None:
    found = mt.fleiss_kappa(case["ratings"])
    assert found.value == near(case["kappa"])
    assert found.interval is not None
    assert (found.interval.high - found.interval.low) / 2 / 1.959963984540054 == near(case["se"])


@cases("krippendorff")
def test_krippendorff_alpha(case: Any) -> None:
    for scale in ("nominal", "ordinal", "interval", "ratio"):
        assert mt.krippendorff_alpha(case["ratings"], scale=scale).value == near(case[scale])


@cases("calibration")
def test_calibration_line_and_net_benefit(case: Any) -> None:
    line = mt.calibration_line(case["truth"], case["probability"])
    assert (line.slope, line.intercept, line.in_the_large) == near((case["slope"], case["intercept"], case["large"]))
    assert (line.slope_error, line.intercept_error) == near(tuple(case["errors"]), 1e-6)
    benefit = mt.net_benefit(case["truth"], case["probability"], threshold=case["threshold"])
    assert benefit == near(case["net_benefit"])


@pytest.mark.parametrize("design", ["seeds", "wilcoxon", "folds", "auc"])
def test_power_of_designs(design: str) -> None:
    for case in WANTED["power"][design]:
        wanted = case["power"]
        given = {key: value for key, value in case.items() if key != "power"}
        assert st.plan_study(design, **given).power == near(wanted, 1e-6)
        planned = st.plan_study(design, power=0.15, **{k: v for k, v in given.items() if k != "size"})
        assert planned.power >= 0.15
        if planned.n > 4:
            fewer = st.plan_study(design, **{**given, "size": int(planned.n) - 1})
            assert fewer.power < 0.15


@cases("thresholds")
def test_mcnemar_over_thresholds(case: Any) -> None:
    found = st.mcnemar_thresholds(case["truth"], case["first"], case["second"], thresholds=case["thresholds"])
    assert np.array(found.p_adjusted) == near(np.array(case["p"]))


@cases("f1")
def test_a_metric_by_all_swaps(case: Any) -> None:
    found = st.paired_metric_test(case["truth"], case["first"], case["second"], metric="f1")
    assert (found.statistic, found.p_value) == near((case["difference"], case["p"]))


def test_costs_of_several_classes() -> None:
    truth, first, second = [0, 0, 1, 1, 2, 2], [0, 1, 1, 2, 2, 0], [0, 0, 1, 1, 2, 1]
    costs = [[0, 1, 5], [2, 0, 1], [9, 3, 0]]
    found = st.paired_metric_test(truth, first, second, metric="cost", costs=costs)
    assert found.details["values"] == near([(1 + 1 + 9) / 6, 3 / 6])
    matrix = [[1, 1, 0], [0, 1, 1], [1, 0, 1]]
    assert mt.expected_cost(matrix, costs) == near((1 + 1 + 9) / 6)
    compared = st.compare({"A": first, "B": second}, truth=truth, task="multiclass", metric="cost", costs=costs)
    assert compared.best == "B"


def test_kendalls_w_has_an_interval() -> None:
    table = np.random.default_rng(3).normal(size=(20, 4)) + np.arange(4) / 2
    effect = st.friedman(table).effects[0]
    low, high = ends(effect)
    assert 0 <= low < effect.value < high <= 1
