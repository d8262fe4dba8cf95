"""Unsaid conventions of other reports: predicted numbers, several classes, detectors, rankings, curves, tests."""

from __future__ import annotations

from collections.abc import Callable
from math import comb, sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import stats

import scoreproof as sp
from benchmarks.unsaid.drawing import Floats, Report, Rng, columns, matrix, printed, test_set, texts
from scoreproof import claims
from scoreproof.kinds.regression.kind import shared_variance

# predicted numbers


def predictions(rng: Rng, n: int, noise: tuple[float, float] = (0.3, 1.5)) -> tuple[Floats, Floats]:
    y = rng.normal(10, 3, n)
    return y, y + rng.normal(rng.uniform(-0.5, 0.5), rng.uniform(*noise), n)


def error_batches(rng: Rng) -> Report:
    n = int(rng.integers(100, 400))
    y, q = predictions(rng, n)
    errors = (y - q) * np.where(rng.random(n) < 0.1, 3, 1)
    parts = [errors[i : i + 32] for i in range(0, n, 32)]
    shown = {
        "mse": np.mean([(e**2).mean() for e in parts]),
        "rmse": np.mean([np.sqrt((e**2).mean()) for e in parts]),
        "mae": np.mean([np.abs(e).mean() for e in parts]),
    }
    return Report(sp.Regression(n), texts(shown, 4))


def residual_error(beside: bool) -> Callable[[Rng], Report]:
    def draw(rng: Rng) -> Report:
        n, k = int(rng.integers(15, 80)), int(rng.integers(1, 6))
        y, q = predictions(rng, n)
        e = y - q
        rmse = sqrt((e**2).sum() / (n - k - 1))
        r2 = 1 - (e**2).sum() / ((y - y.mean()) ** 2).sum()
        other = {"mae": np.abs(e).mean(), "maxe": np.abs(e).max(), "r2": r2} if beside else {"mse": (e**2).mean()}
        return Report(sp.Regression(n), texts({"rmse": rmse, **other}, 3))

    return draw


def root_of_mean(rng: Rng) -> Report:
    parts = [np.subtract(*predictions(rng, 40)) for _ in range(5)]
    squares = np.array([(e**2).mean() for e in parts])
    rmse = f"{printed(sqrt(squares.mean()), 3)} ± {printed(float(np.sqrt(squares).std(ddof=1)), 3)}"
    return Report(sp.Regression(folds=5), {"rmse": rmse, "mse": printed(float(squares.mean()), 3)})


def adjusted(rng: Rng) -> Report:
    n, k = int(rng.integers(20, 60)), int(rng.integers(2, 8))
    y, q = predictions(rng, n, (1.0, 3.0))
    r2 = 1 - ((y - q) ** 2).sum() / ((y - y.mean()) ** 2).sum()
    return Report(
        sp.Regression(n, predictors=k), texts({"r2": r2, "adjusted_r2": 1 - (1 - r2) * (n - 1) / (n - k - 2)}, 4)
    )


def squared_correlation(rng: Rng) -> Report:
    n = int(rng.integers(30, 100))
    y, q = predictions(rng, n)
    q = q + rng.uniform(0, 2)
    shown = {"rmse": sqrt(((y - q) ** 2).mean()), "mae": np.abs(y - q).mean(), "r2": np.corrcoef(y, q)[0, 1] ** 2}
    if rng.random() < 0.5:
        shown["variance"] = y.var()
    return Report(sp.Regression(n), texts(shown, 3))


def rows_compared(rng: Rng) -> Report:
    y, first = predictions(rng, 60)
    shown = {}
    for name, q in (("A", first), ("B", y + rng.normal(1.0, 2.0, 60))):
        shown[name] = texts({"mse": ((y - q) ** 2).mean(), "r2": np.corrcoef(y, q)[0, 1] ** 2}, 3)
    return Report(problem=shared_variance(shown))


# several classes


def confusion(rng: Rng, k: int) -> NDArray[np.int64]:
    cells = rng.multinomial(int(rng.integers(100, 300)), rng.dirichlet(np.ones(k * k) * 0.5)).reshape(k, k)
    made: NDArray[np.int64] = cells + np.diag(rng.integers(10, 60, k))
    return made


def class_scores(cells: NDArray[np.int64]) -> dict[str, Floats]:
    right, rows_, given = np.diag(cells), cells.sum(1), cells.sum(0)
    with np.errstate(all="ignore"):
        return {
            "ppv": np.nan_to_num(right / given),
            "sens": np.nan_to_num(right / rows_),
            "f1": np.nan_to_num(2 * right / (given + rows_)),
        }


def one_against_rest(rng: Rng) -> Report:
    cells = confusion(rng, 4)
    wrong = cells.sum() - np.trace(cells)
    acc = 1 - 2 * wrong / (4 * cells.sum())
    shown = {"acc": acc, "macro recall": class_scores(cells)["sens"].mean()}
    return Report(sp.MultiClass(cells.sum(1).tolist()), texts(shown, 3))


def quadratic_kappa(rng: Rng) -> Report:
    cells = confusion(rng, 4)
    weights = np.subtract.outer(np.arange(4), np.arange(4)) ** 2
    expected = np.outer(cells.sum(1), cells.sum(0)) / cells.sum()
    shown = {"acc": np.trace(cells) / cells.sum(), "kappa": 1 - (weights * cells).sum() / (weights * expected).sum()}
    return Report(sp.MultiClass(cells.sum(1).tolist()), texts(shown, 3))


def with_an_empty_class(predicted: bool) -> Callable[[Rng], Report]:
    """A listed class without cases: given to some cases, or to none while another is never given."""

    def draw(rng: Rng) -> Report:
        cells = confusion(rng, 4)
        cells[3] = 0
        if not predicted:
            cells[:, 3] = 0
            cells[:, 1], cells[:, 2] = 0, cells[:, 1] + cells[:, 2]
        own = class_scores(cells)
        f1 = own["f1"].mean() if predicted else own["f1"][:3].mean()
        shown = {"acc": np.trace(cells) / cells.sum(), "bacc": own["sens"][:3].mean(), "macro f1": f1}
        return Report(sp.MultiClass(cells.sum(1).tolist()), texts(shown, 3))

    return draw


def weighted_f1(rng: Rng) -> Report:
    cells = confusion(rng, 3)
    weights = cells.sum(1) / cells.sum()
    p, r = (float((class_scores(cells)[name] * weights).sum()) for name in ("ppv", "sens"))
    shown = {"weighted precision": p, "weighted recall": r, "weighted f1": 2 * p * r / (p + r)}
    return Report(sp.MultiClass(cells.sum(1).tolist()), texts(shown, 3))


def transposed(rng: Rng) -> Report:
    cells = confusion(rng, 3)
    own = class_scores(cells)
    shown = {name: [printed(v, 3) for v in own[name]] for name in ("ppv", "sens")}
    return Report(sp.PrintedClasses(cells.T.tolist()), shown)


def adjusted_shares(rng: Rng) -> Report:
    cells = confusion(rng, 4)
    rows_ = []
    for row in cells:
        share = row / row.sum() * 1000
        units = np.floor(share).astype(int)
        for place in np.argsort(units - share)[: 1000 - units.sum()]:
            units[place] += 1
        if rng.random() < 0.5:  # by hand: rounded, and the largest takes the rest
            units = np.round(share).astype(int)
            units[np.argmax(units)] += 1000 - units.sum()
        rows_.append([f"{u / 10:.1f}%" for u in units])
    shown = {"acc": printed(np.trace(cells) / cells.sum(), 4)}
    return Report(sp.PrintedClasses(rows_, counts=cells.sum(1).tolist()), shown, {"rounding": "nearest"})


# detectors, rankings, curves


def yolo(classes: int) -> Callable[[Rng], Report]:
    """Precision, recall and F1 where the mean F1 is greatest, each curve interpolated at 1,000 confidences."""

    def draw(rng: Rng) -> Report:
        grid = np.linspace(0, 1, 1000)
        curves, objects = [], 0
        for _ in range(classes):
            true = int(rng.integers(30, 200))
            objects += true
            right = np.sort(rng.beta(4, 2, int(true * rng.uniform(0.7, 0.95))))
            wrong = np.sort(rng.beta(2, 4, int(true * rng.uniform(0.3, 1.0))))
            at = np.sort(np.concatenate([right, wrong]))
            tp, fp = (len(own) - np.searchsorted(own, at) for own in (right, wrong))
            p = np.interp(grid, at, tp / np.maximum(tp + fp, 1))
            r = np.interp(grid, at, tp / true, right=0)
            curves.append((p, r, 2 * p * r / (p + r + 1e-16)))
        mean = np.mean(curves, axis=0)
        best = int(np.argmax(mean[2]))
        shown = dict(zip(("precision", "recall", "f1"), mean[:, best], strict=True))
        return Report(sp.Detection(objects), texts(shown, 3))

    return draw


def several_relevant(rng: Rng) -> Report:
    queries, first, recall = int(rng.integers(50, 300)), [], []
    for _ in range(queries):
        places = np.sort(rng.choice(np.arange(1, 60), int(rng.integers(2, 8)), replace=False))
        first.append(1 / places[0])
        recall.append((places <= 10).mean())
    shown = {"mrr": float(np.mean(first)), "recall@10": float(np.mean(recall))}
    return Report(sp.Ranking(queries), texts(shown, 3))


def tied_ranks(rng: Rng) -> Report:
    queries = int(rng.integers(50, 300))
    best = rng.geometric(0.3, queries)
    ranks = best + rng.integers(0, 3, queries) / 2
    shown = {"mrr": (1 / ranks).mean(), "hits@1": (ranks <= 1).mean(), "hits@3": (ranks <= 3).mean()}
    return Report(sp.Ranking(queries), texts({**shown, "mr": ranks.mean()}, 4))


def ranked(rng: Rng) -> tuple[int, int, NDArray[np.bool_]]:
    p, n = int(rng.integers(15, 60)), int(rng.integers(20, 120))
    score = np.concatenate([rng.normal(1.2, 1, p), rng.normal(0, 1, n)])
    return p, n, (np.arange(p + n) < p)[np.argsort(-score)]


def operating_point(order: NDArray[np.bool_], p: int, n: int, at: int) -> dict[str, float]:
    tp = int(order[:at].sum())
    return {"sens": tp / p, "spec": (n - at + tp) / n}


def area(kind: str) -> Callable[[Rng], Report]:
    """The area under a curve by another rule, beside sensitivity and specificity at a threshold."""

    def draw(rng: Rng) -> Report:
        p, n, order = ranked(rng)
        tp, fp = np.cumsum(order), np.cumsum(~order)
        recall, precision = tp / p, tp / (tp + fp)
        tpr, fpr = np.concatenate([[0], recall]), np.concatenate([[0], fp / n])
        if kind == "hull":
            kept: list[int] = []
            for i in range(len(tpr)):
                while len(kept) > 1 and (fpr[i] - fpr[kept[-2]]) * (tpr[kept[-1]] - tpr[kept[-2]]) <= (
                    fpr[kept[-1]] - fpr[kept[-2]]
                ) * (tpr[i] - tpr[kept[-2]]):
                    kept.pop()
                kept.append(i)
            shown = {"auc": np.trapezoid(tpr[kept], fpr[kept])}
        elif kind == "thresholds":
            kept = sorted({0, len(tpr) - 1, *rng.choice(len(tpr), min(60, len(tpr)), replace=False)})
            shown = {"auc": np.trapezoid(tpr[kept], fpr[kept])}
        elif kind == "first point":
            shown = {"auprc": np.trapezoid(precision, recall)}
        else:
            shown = {
                "auprc": np.trapezoid(np.concatenate([[1.0], precision]), np.concatenate([[0], recall])),
            }
        at = int(rng.integers(5, p + n - 5))
        return Report(sp.TestSet(p, n), texts({**shown, **operating_point(order, p, n, at)}, 3))

    return draw


# runs, ranks of methods, tests


def mean_of_runs(rng: Rng) -> Report:
    p, n = test_set(rng)
    made = [matrix(rng, p, n) for _ in range(int(rng.choice([3, 5])))]
    mean = {name: float(own.mean()) for name, own in columns(made, ("ppv", "sens", "f1")).items()}
    return Report(sp.UnknownClasses(), texts(mean, 4))


def tied_methods(rule: Literal["min", "dense"]) -> Callable[[Rng], Report]:
    def draw(rng: Rng) -> Report:
        sets, methods = int(rng.integers(5, 20)), int(rng.integers(3, 7))
        values = np.round(rng.normal(0.8, 0.02, (sets, methods)), 2)
        ranks = np.array([stats.rankdata(-row, method=rule) for row in values]).mean(0)
        return Report(claim=claims.ranks, options={"means": [printed(r, 2) for r in ranks], "datasets": sets})

    return draw


def spread_of(width: Callable[[Floats], float], *, signed: bool = False, kind: str = "any") -> Callable[[Rng], Report]:
    def draw(rng: Rng) -> Report:
        k = int(rng.integers(2, 7))
        values = rng.uniform(-1, 1, k) if signed else (rng.random(k) < 0.85) * rng.uniform(0.9, 1.0, k)
        text = f"{printed(float(values.mean()), 3)} ± {printed(width(values), 3)}"
        return Report(claim=claims.spread, options={"value": text, "k": k, "kind": kind})

    return draw


def mcnemar(method: str) -> Callable[[Rng], Report]:
    def draw(rng: Rng) -> Report:
        n = int(rng.integers(50, 400))
        b, c = int(rng.integers(5, 20)), int(rng.integers(0, 12))
        both = int(rng.integers(0, n - b - c))
        if method == "mid-p":
            tail = sum(comb(b + c, i) for i in range(min(b, c) + 1)) / 2 ** (b + c)
            p = min(1.0, 2 * tail - comb(b + c, min(b, c)) / 2 ** (b + c))
        else:
            less = {"chi2": 0.0, "chi2-corrected": 1.0, "half": 0.5}[method]
            p = float(stats.chi2.sf(max(abs(b - c) - less, 0) ** 2 / (b + c), 1))
        shown = {"a": f"{both + b}/{n}", "b": f"{both + c}/{n}", "p": printed(p, 4)}
        return Report(claim=claims.mcnemar, options=shown)

    return draw
