"""Published errors of regression, under the reading that is named; typed from search excerpts, not checked in print."""

from __future__ import annotations

import itertools

import scoreproof as sp
from scoreproof.checking import ask
from scoreproof.kinds.regression.kind import shared_variance

# s13040-021-00235-0, Table 4: mean RMSE, ± read as the sample's deviation over the same 100 runs, and mean MSE
RUNS = {
    "DL": ("1.85", "0.26", "3.33"), "SVM, linear": ("1.81", "0.18", "3.27"), "MLP": ("1.82", "0.13", "3.29"),
    "SVM, kernel": ("1.82", "0.25", "3.37"), "RF": ("1.83", "0.26", "3.41"), "DT": ("2.46", "0.28", "6.11"),
    "kNN": ("2.65", "0.35", "7.12"),
}  # fmt: skip


def test_means_over_runs() -> None:
    """Three of seven rows fail by the variance of the RMSE under nearest rounding; one by Jensen's inequality alone."""
    experiment = sp.Regression(folds=100)
    broken = {
        name
        for name, (rmse, spread, mse) in RUNS.items()
        if sp.check(
            experiment, {"rmse": f"{rmse} ± {spread}", "mse": mse}, rounding="nearest", divisor="sample", strict=True
        ).verdict
        == "inconsistent"
    }
    assert len(broken) == 3
    without = {
        name
        for name, (rmse, _, mse) in RUNS.items()
        if sp.check(experiment, {"rmse": rmse, "mse": mse}, strict=True).verdict == "inconsistent"
    }
    assert without == {"DL"}
    assert without < broken


def test_six_models_share_one_variance() -> None:
    """PMC11922921, Table 3: six models on one year's data fit one variance of the true values."""
    rows = [("101.205", ".081435"), ("103.5172", ".06045"), ("64.9365", ".41062"), ("61.4940", ".44186"),
            ("60.414", ".45167"), ("48.0326", ".56404")]  # fmt: skip
    for (mse, share), (other, second) in itertools.combinations(rows, 2):
        problem = shared_variance(
            {"A": {"mse": mse, "r2": share}, "B": {"mse": other, "r2": second}}, rounding="nearest"
        )
        assert ask(problem).verdict == "consistent"
    moved = shared_variance({"A": {"mse": "101.205", "r2": ".081435"}, "B": {"mse": "48.0326", "r2": ".57404"}})
    assert ask(moved).verdict == "inconsistent"
