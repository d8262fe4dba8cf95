"""``compare`` names no wrong winner: the name says which way is better, the metric is tested itself, the unknown asked."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from test_statistics_cli import as_json, run

from scoreproof import statistics as st
from scoreproof.errors import ScoreproofError

SETS = ["iris", "wine", "zoo", "glass", "yeast", "car", "ecoli", "heart"]
LOW = [0.31, 0.42, 0.18, 0.27, 0.39, 0.22, 0.35, 0.29]
HIGH = [0.36, 0.48, 0.25, 0.35, 0.48, 0.32, 0.46, 0.41]


def long(path: Path, column: str) -> Path:
    rows = [f"{m},{s},{x}" for m, values in (("low", LOW), ("high", HIGH)) for s, x in zip(SETS, values, strict=True)]
    path.write_text("\n".join([f"model,dataset,{column}", *rows]) + "\n")
    return path


def wide(path: Path, head: str = "dataset,low,high", first: list[str] = SETS) -> Path:
    rows = [f"{s},{a},{b}" for s, a, b in zip(first, LOW, HIGH, strict=True)]
    path.write_text("\n".join([head, *rows]) + "\n")
    return path


BETTER_LOW = (
    *("rmse", "RMSE (mm)", "mae", "MSE", "loss", "val_loss", "error", "Error rate", "brier", "hausdorff", "HD95"),
    "time",
    *("log_loss", "WER", "FID", "perplexity", "fpr", "1 - accuracy", "Runtime", "mean absolute error", "score ↓"),
)
BETTER_HIGH = (
    *("accuracy", "val_acc", "Dice", "AUROC", "f1_macro", "R2", "neg_mean_squared_error", "Top-1 Accuracy", "mAP50"),
    *("NDCG@10", "BLEU", "SSIM", "kappa", "score ↑"),
)


@pytest.mark.parametrize("name", BETTER_LOW)
def test_the_name_of_a_column_says_that_low_is_better(tmp_path: Path, name: str) -> None:
    found = as_json("compare", long(tmp_path / "scores.csv", name))
    assert (found["higher_is_better"], found["pairs"][0]["better"], found["best"]) == (False, "low", "low")
    assert "low is better than high" in found["text"]


@pytest.mark.parametrize("name", BETTER_HIGH)
def test_and_that_high_is(tmp_path: Path, name: str) -> None:
    found = as_json("compare", long(tmp_path / "scores.csv", name))
    assert (found["higher_is_better"], found["pairs"][0]["better"], found["best"]) == (True, "high", "high")


@pytest.mark.parametrize("name", ["score", "value", "result"])
def test_what_is_not_known_is_asked(tmp_path: Path, name: str) -> None:
    for path in (long(tmp_path / "long.csv", name), wide(tmp_path / "wide.csv")):
        found = as_json("compare", path)
        assert (found["higher_is_better"], found["pairs"][0]["better"], found["best"]) == (None, None, None)
        assert found["pairs"][0]["higher"] == "high"
        assert "high has higher values than low" in found["text"]
        assert "better than" not in found["text"]
        assert "--lower-is-better" in found["text"]
        for option, better in (("--lower-is-better", "low"), ("--higher-is-better", "high")):
            assert as_json("compare", path, option)["pairs"][0]["better"] == better
        assert as_json("compare", path, "--metric", "val_loss")["pairs"][0]["better"] == "low"
        assert as_json("compare", path, "--metric", "dice")["pairs"][0]["better"] == "high"


def test_one_metric_is_not_read_as_another(tmp_path: Path) -> None:
    with pytest.raises(ScoreproofError, match="'rmse', but the values are of 'accuracy'"):
        run("compare", long(tmp_path / "scores.csv", "accuracy"), "--metric", "rmse")


def test_a_column_of_metrics_beside_models(tmp_path: Path) -> None:
    path = wide(tmp_path / "scores.csv", "metric,low,high", ["RMSE"] * 8)
    assert as_json("compare", path)["pairs"][0]["better"] == "low"
    wide(path, "metric,low,high", ["RMSE", "accuracy"] * 4)
    with pytest.raises(ScoreproofError, match="several metrics"):
        run("compare", path)
    found = as_json("compare", path, "--metric", "accuracy")
    assert (found["rows"], found["higher_is_better"]) == (4, True)


def test_unpaired_values_know_their_metric(tmp_path: Path) -> None:
    path = long(tmp_path / "scores.csv", "rmse")
    assert as_json("compare", path, "--unpaired")["higher_is_better"] is False
    assert as_json("compare", wide(path), "--unpaired")["higher_is_better"] is None


def regression(path: Path, cases: int = 80) -> tuple[Path, dict[str, float]]:
    """A is off by about 1 everywhere, B by little in most cases and by much in some: B wins most cases and has the
    larger RMSE."""
    generator = np.random.default_rng(7)
    truth = 3 * generator.normal(size=cases)
    a = truth + generator.choice([-1.0, 1.0], cases)
    b = truth + np.where(np.arange(cases) % 5 == 0, 6.0, 0.2) * generator.choice([-1.0, 1.0], cases)
    rows = [f"{y:.6f},{u:.6f},{v:.6f}" for y, u, v in zip(truth, a, b, strict=True)]
    path.write_text("\n".join(["y_true,A,B", *rows]) + "\n")
    return path, {"A": float(np.sqrt(np.mean((a - truth) ** 2))), "B": float(np.sqrt(np.mean((b - truth) ** 2)))}


def test_the_metric_that_is_printed_is_tested(tmp_path: Path) -> None:
    path, rmse = regression(tmp_path / "predictions.csv")
    assert rmse["A"] < rmse["B"]
    found = as_json("compare", path, "--metric", "rmse")
    assert {m["name"]: m["main"]["value"] for m in found["models"]} == pytest.approx(rmse, abs=1e-5)
    assert found["models"][0]["main"]["name"] == "rmse"
    pair = found["pairs"][0]
    assert (pair["better"], found["best"]) == ("A", "A")
    assert pair["p_adjusted"] < 0.05
    assert pair["result"]["statistic"] == pytest.approx(rmse["A"] - rmse["B"], abs=1e-5)
    assert pair["result"]["effects"][0]["value"] == pair["result"]["statistic"]
    interval = pair["result"]["effects"][0]["interval"]
    assert interval["low"] < pair["result"]["statistic"] < interval["high"] < 0
    assert "A is better than B" in found["text"]
    for metric, better in (("mse", "A"), ("r2", "A"), ("mae", "A")):
        assert as_json("compare", path, "--metric", metric)["pairs"][0]["better"] == better


def test_the_test_of_an_rmse_is_that_of_all_swaps() -> None:
    generator = np.random.default_rng(3)
    y, a, b = generator.normal(size=(3, 8))

    def value(metric: str, p: np.ndarray) -> float:
        error = p - y
        return {
            "rmse": float(np.sqrt(np.mean(error**2))),
            "mae": float(np.mean(np.abs(error))),
            "r2": float(1 - np.sum(error**2) / np.sum((y - y.mean()) ** 2)),
        }[metric]

    for metric in ("rmse", "mae", "r2"):
        swaps = [np.array([(i >> k) & 1 for k in range(8)], dtype=bool) for i in range(256)]
        far = [abs(value(metric, np.where(s, b, a)) - value(metric, np.where(s, a, b))) for s in swaps]
        wanted = np.mean([f >= abs(value(metric, a) - value(metric, b)) - 1e-12 for f in far])
        found = st.compare({"A": a, "B": b}, truth=y, metric=metric)
        assert found.pairs[0].result.p_value == pytest.approx(wanted)
        assert found.pairs[0].result.statistic == pytest.approx(value(metric, a) - value(metric, b))


def test_models_with_equal_mse_are_not_called_different() -> None:
    """By ranks of squared errors these two differ nearly always."""
    alarms = 0
    for seed in range(40):
        generator = np.random.default_rng(seed)
        y = generator.normal(size=100)
        steady = generator.choice([-1.0, 1.0], 100)
        wild = np.where(generator.random(100) < 0.2, np.sqrt(5), 0.0) * generator.choice([-1.0, 1.0], 100)
        found = st.compare({"steady": y + steady, "wild": y + wild}, truth=y, metric="mse")
        alarms += found.pairs[0].p_adjusted <= 0.05
    assert alarms <= 6  # 5 % of 40 are 2; 7 or more happen in less than 0.5 % of such runs


@pytest.mark.parametrize(("metric", "better"), [("fpr", "A"), ("err", "A"), ("spec", "A"), ("fnr", "B"), ("sens", "B")])
def test_rates_of_errors_of_predicted_labels(tmp_path: Path, metric: str, better: str) -> None:
    truth = [1] * 20 + [0] * 60
    first = [1] * 8 + [0] * 12 + [0] * 60  # misses many, raises no false alarm
    second = [1] * 20 + [1] * 25 + [0] * 35
    rows = [f"{y},{a},{b}" for y, a, b in zip(truth, first, second, strict=True)]
    path = tmp_path / "labels.csv"
    path.write_text("\n".join(["truth,A,B", *rows]) + "\n")
    found = as_json("compare", path, "--metric", metric)
    pair = found["pairs"][0]
    assert pair["p_adjusted"] < 0.05
    assert pair["better"] == better
