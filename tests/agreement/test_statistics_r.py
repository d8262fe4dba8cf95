"""Every reference value of R and other independent software, at a relative tolerance of 1e-9."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scoreproof import statistics as st
from scoreproof.statistics.friedman import range_p

REFERENCE = json.loads((Path(__file__).parents[1] / "data" / "statistics" / "reference.json").read_text())


def cases(name: str) -> Any:
    return pytest.mark.parametrize(
        ("given", "wanted"),
        [pytest.param(c["inputs"], c["outputs"], id=c["label"]) for c in REFERENCE[name]["cases"]],
    )


def agree(found: Any, wanted: Any, rtol: float = 1e-9) -> None:
    np.testing.assert_allclose(np.asarray(found, float), np.asarray(wanted, float), rtol=rtol, atol=1e-14)


def ends(interval: st.Interval | None) -> list[float]:
    assert interval is not None
    return [interval.low, interval.high]


@cases("mcnemar")
def test_mcnemar(given: Any, wanted: Any) -> None:
    agree(st.mcnemar(**given).p_value, wanted["p_exact"])
    agree(st.mcnemar(**given, method="mid-p").p_value, wanted["p_mid"])
    plain, corrected = st.mcnemar(**given, method="chi2"), st.mcnemar(**given, method="chi2-corrected")
    agree([plain.statistic, plain.p_value], [wanted["chi2"], wanted["p"]])
    agree([corrected.statistic, corrected.p_value], [wanted["chi2_corrected"], wanted["p_corrected"]])


@cases("binomial_ci")
def test_proportion_intervals(given: Any, wanted: Any) -> None:
    for method, interval in wanted.items():
        found = st.proportion_interval(given["k"], given["n"], method=method.replace("_", "-"), level=given["conf"])
        agree(ends(found.interval), interval)


@cases("five_by_two_cv")
def test_five_by_two(given: Any, wanted: Any) -> None:
    found = st.five_by_two_f(**given)
    agree([found.statistic, found.p_value], [wanted["F"], wanted["p_F"]])


@cases("power_two_proportions")
def test_power(given: Any, wanted: Any) -> None:
    p1, p2 = given["p1"], given["p2"]
    found = st.power_two_proportions(n=given["n_per_group"], p1=p1, p2=p2, alpha=given["sig"])
    agree(found.power, wanted["power"])
    planned = st.plan_study("proportions", first=p1, second=p2, alpha=given["sig"])
    assert planned.n == np.ceil(wanted["n_for_80"])


@cases("p_adjust")
def test_corrections(given: Any, wanted: Any) -> None:
    for method, adjusted in wanted.items():
        agree(st.adjust(given["p"], method), adjusted)


@cases("paired_t")
def test_paired_t(given: Any, wanted: Any) -> None:
    found, greater = st.paired_t(**given), st.paired_t(**given, alternative="greater")
    less = st.paired_t(**given, alternative="less")
    agree([found.statistic, *found.df, found.p_value], [wanted["t"], wanted["df"], wanted["p"]])
    agree([greater.p_value, 1 - less.p_value], [wanted["p_greater"]] * 2)
    assert found.effect is not None
    agree([found.effect.value, *ends(found.interval)], [wanted["mean_diff"], *wanted["ci95"]])


@cases("sign")
def test_sign(given: Any, wanted: Any) -> None:
    found = st.sign_test(**given)
    agree([found.p_value, *ends(found.interval)], [wanted["p"], *wanted["ci95_clopper_pearson"]])
    agree(st.sign_test(**given, alternative="greater").p_value, wanted["p_greater"])


@cases("nemenyi_q_values")
def test_studentized_range(given: Any, wanted: Any) -> None:
    for name, q in wanted.items():
        alpha = int(name[1:]) / 100
        # Within R's own accuracy: its quantiles are steps of a secant that stop at 1e-4.
        agree(
            st.critical_difference(given["k"], 6, alpha=alpha) / np.sqrt(given["k"] * (given["k"] + 1) / 36),
            q,
            rtol=1e-7,
        )
        agree(range_p(q * np.sqrt(2), given["k"]), alpha, rtol=1e-6)


@cases("correlation_regression")
def test_correlations(given: Any, wanted: Any) -> None:
    r, s, k = st.pearson_test(**given), st.spearman_test(**given), st.kendall_test(**given)
    agree([r.effects[0].value, r.p_value], [wanted["pearson"], wanted["pearson_p"]])
    agree(ends(r.interval), wanted["pearson_ci95"])
    agree([s.effects[0].value, s.p_value], [wanted["spearman"], wanted["spearman_p_asym"]])
    agree([k.effects[0].value, k.p_value], [wanted["kendall_tau_b"], wanted["kendall_p_asym"]])


@cases("corrected_resampled_t")
def test_corrected_resampled_t(given: Any, wanted: Any) -> None:
    found = st.corrected_resampled_t(
        given["x"], given["y"], folds=given["folds"], rope=given["rope"], alternative="greater"
    )
    agree([found.p_value, 1 - found.p_value], [wanted["p_right"], wanted["p_left"]])
    agree(found.details["rope_probabilities"][::-1], wanted["rope_probs"])


@cases("bartlett")
def test_bartlett(given: Any, wanted: Any) -> None:
    found = st.bartlett(*given["groups"])
    agree([found.statistic, *found.df, found.p_value], [wanted["K2"], wanted["df"], wanted["p"]])


@cases("f_test_variances")
def test_f_test(given: Any, wanted: Any) -> None:
    found, greater = st.f_test(**given), st.f_test(**given, alternative="greater")
    agree([found.statistic, *found.df], [wanted["F"], wanted["df1"], wanted["df2"]])
    agree([found.p_value, greater.p_value], [wanted["p"], wanted["p_greater"]])
    agree(ends(found.interval), wanted["ci95_ratio"])


@cases("levene")
def test_levene(given: Any, wanted: Any) -> None:
    mean, median = st.levene(*given["groups"], center="mean"), st.levene(*given["groups"])
    agree([mean.statistic, mean.p_value, *mean.df], [wanted[k] for k in ("F_mean", "p_mean", "df1", "df2")])
    agree([median.statistic, median.p_value], [wanted["F_median"], wanted["p_median"]])


@cases("shapiro_wilk")
def test_shapiro_wilk(given: Any, wanted: Any) -> None:
    found = st.shapiro_wilk(given["x"])
    agree([found.statistic], [wanted["W"]])
    assert found.p_value == pytest.approx(wanted["p"], rel=1e-6)


@cases("delong_paired")
def test_delong_paired(given: Any, wanted: Any) -> None:
    data = (given["y"], given["a"], given["b"])
    found, greater = st.delong_paired(*data), st.delong_paired(*data, alternative="greater")
    names = ("auc_first", "auc_second", "variance_first", "variance_second", "covariance")
    agree([found.details[n] for n in names], [wanted[k] for k in ("auc_a", "auc_b", "var_a", "var_b", "cov")])
    agree([found.statistic, found.p_value], [wanted["z"], wanted["p_two_sided"]])
    agree(greater.p_value, wanted["p_greater"])
    for effect, key in zip(found.effects, ("ci_diff", "ci_auc_a", "ci_auc_b"), strict=True):
        agree(ends(effect.interval), wanted[key])
    agree(ends(st.auc_interval(given["y"], given["a"]).interval), wanted["ci_auc_a"])


@cases("delong_unpaired")
def test_delong_unpaired(given: Any, wanted: Any) -> None:
    found = st.delong_unpaired(given["y1"], given["a"], given["y2"], given["b"])
    agree([found.details["auc_first"], found.details["auc_second"]], [wanted["auc_a"], wanted["auc_b"]])
    agree([found.statistic, *found.df, found.p_value], [wanted["D"], wanted["df"], wanted["p"]])


@cases("friedman_iman_davenport_nemenyi")
def test_friedman_and_nemenyi(given: Any, wanted: Any) -> None:
    scores = given["scores"]
    f = st.friedman(scores, higher_is_better=False)
    agree(f.details["mean_ranks"], wanted["avg_ranks_ascending"])
    agree([f.statistic, *f.df, f.p_value], [wanted[k] for k in ("F_iman_davenport", "df1", "df2", "p_F")])
    agree([f.statistic, f.effects[0].value], [wanted["F_from_anova_on_ranks"], wanted["kendall_W"]])
    chi2 = st.friedman(scores, statistic="chi2")
    agree([chi2.statistic, chi2.p_value], [wanted["chi2_tie_corrected"], wanted["p_chi2"]])
    plain = st.friedman(scores, statistic="chi2", ties="uncorrected")
    agree(plain.statistic, wanted["chi2_no_tie_correction"])
    found = st.nemenyi(scores)
    agree(found.p_matrix(), wanted["nemenyi_p"], rtol=1e-8)
    agree(found.critical_difference, wanted["nemenyi_cd_05"], rtol=1e-7)


@cases("wilcoxon_signed_rank")
def test_wilcoxon(given: Any, wanted: Any) -> None:
    x, y = given["x"], given["y"]
    found = st.wilcoxon_signed_rank(x, y)
    agree([found.statistic, found.details["n"]], [wanted["V"], wanted["n_nonzero"]])
    agree([found.p_value] * 2, [wanted["p_exact_dropzeros_exactRankTests"], wanted["p_exact_wilcox_coin"]])
    normal = st.wilcoxon_signed_rank(x, y, method="asymptotic")
    agree([normal.p_value, normal.details["z"]], [wanted["p_asymptotic"], wanted["z_wilcox_coin"]])
    corrected = st.wilcoxon_signed_rank(x, y, method="asymptotic", continuity=True)
    agree(corrected.p_value, wanted["p_asymptotic_cc"])
    pratt = st.wilcoxon_signed_rank(x, y, zeros="pratt")
    agree(pratt.p_value, wanted["p_exact_pratt_coin"])
    normal = st.wilcoxon_signed_rank(x, y, zeros="pratt", method="asymptotic")
    agree([normal.p_value, normal.details["z"]], [wanted["p_asymptotic_pratt_coin"], wanted["z_pratt_coin"]])
    if "p_exact" in wanted:
        greater = st.wilcoxon_signed_rank(x, y, alternative="greater")
        agree([found.p_value, greater.p_value], [wanted["p_exact"], wanted["p_exact_greater"]])
        agree([found.effects[0].value, *ends(found.interval)], [wanted["hl_estimate"], *wanted["hl_ci95"]])


def test_every_reference_is_used() -> None:
    used = {
        mark.args[1][0].id
        for name, function in globals().items()
        if name.startswith("test_") and hasattr(function, "pytestmark")
        for mark in function.pytestmark
    }
    first = {part["cases"][0]["label"] for key, part in REFERENCE.items() if key != "about"}
    assert first <= used
