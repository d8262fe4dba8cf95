"""The price of admitting conventions: reports with one digit changed, by kind, that stay impossible nevertheless.

Each true report follows the usual convention; a digit of one printed value is changed. Of those that are impossible as
stated, the share is counted that ``check`` still calls so when it admits what nobody stated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import sqrt

import numpy as np

import scoreproof as sp
from benchmarks.unsaid import binary as b
from benchmarks.unsaid import others as o
from benchmarks.unsaid.drawing import Report, Rng, columns, matrix, printed, scores_of, test_set, texts


def one_matrix(*names: str) -> Callable[[Rng], Report]:
    def draw(rng: Rng) -> Report:
        p, n = test_set(rng)
        own = scores_of(*matrix(rng, p, n))
        return Report(sp.TestSet(p, n), texts({name: own[name] for name in names}, 3))

    return draw


def folds(*names: str, spread: bool = False) -> Callable[[Rng], Report]:
    def draw(rng: Rng) -> Report:
        p, n, made = b.folds(rng, 5)
        shown = {
            name: printed(float(own.mean()), 3) + (f" ± {printed(float(own.std(ddof=1)), 3)}" if spread else "")
            for name, own in columns(made, names).items()
        }
        return Report(sp.KFold(p, n, 5), shown)

    return draw


def averages(*names: str) -> Callable[[Rng], Report]:
    def draw(rng: Rng) -> Report:
        made = b.images(rng, 6)
        return Report(sp.AverageOf(6), texts({k: float(v.mean()) for k, v in columns(made, names).items()}, 3))

    return draw


def unknown(rng: Rng) -> Report:
    own = scores_of(*matrix(rng, *test_set(rng)))
    return Report(sp.UnknownClasses(), texts({name: own[name] for name in ("ppv", "sens", "f1")}, 3))


def errors(rng: Rng) -> Report:
    n = int(rng.integers(20, 100))
    y, q = o.predictions(rng, n)
    square = float(((y - q) ** 2).mean())
    shown = {"mse": square, "rmse": sqrt(square), "mae": float(np.abs(y - q).mean()), "r2": 1 - square / y.var()}
    return Report(sp.Regression(n), texts(shown, 3))


def several_classes(rng: Rng) -> Report:
    cells = o.confusion(rng, 3)
    own = o.class_scores(cells)
    shown = {"acc": np.trace(cells) / cells.sum(), "macro recall": own["sens"].mean(), "macro f1": own["f1"].mean()}
    return Report(sp.MultiClass(cells.sum(1).tolist()), texts(shown, 4))


def printed_matrix(rng: Rng) -> Report:
    cells = o.confusion(rng, 3)
    own = o.class_scores(cells)
    return Report(
        sp.PrintedClasses(cells.tolist()), texts({"macro f1": own["f1"].mean(), "bacc": own["sens"].mean()}, 3)
    )


def detector(rng: Rng) -> Report:
    objects = int(rng.integers(30, 200))
    tp = int(objects * rng.uniform(0.5, 0.95))
    given = tp + int(rng.integers(1, objects))
    shown = {"precision": tp / given, "recall": tp / objects, "f1": 2 * tp / (objects + given)}
    return Report(sp.Detection(objects), texts(shown, 3))


def ranking(rng: Rng) -> Report:
    ranks = rng.geometric(0.4, int(rng.integers(50, 300)))
    shown = {"mrr": (1 / ranks).mean(), "hits@1": (ranks <= 1).mean(), "hits@3": (ranks <= 3).mean()}
    return Report(sp.Ranking(len(ranks)), texts(shown, 3))


def curve(rng: Rng) -> Report:
    p, n, order = o.ranked(rng)
    above = np.cumsum(order)
    auc = float(above[~order].sum() / (p * n))
    at = int(rng.integers(5, p + n - 5))
    return Report(sp.TestSet(p, n), texts({"auc": auc, **o.operating_point(order, p, n, at)}, 3))


PLAIN: dict[str, Callable[[Rng], Report]] = {
    "binary: acc, sens, spec of a test set": one_matrix("acc", "sens", "spec"),
    "binary: acc, ppv, sens, f1 of a test set": one_matrix("acc", "ppv", "sens", "f1"),
    "binary: acc, sens, spec over 5 folds": folds("acc", "sens", "spec"),
    "binary: ppv, sens, f1 over 5 folds": folds("ppv", "sens", "f1"),
    "binary: acc, sens with ± over 5 folds": folds("acc", "sens", spread=True),
    "common_average: Dice, IoU": averages("f1", "ji"),
    "common_average: ppv, sens, f1": averages("ppv", "sens", "f1"),
    "unknown_classes: ppv, sens, f1": unknown,
    "regression: mse, rmse, mae, r2": errors,
    "multi_class: acc, macro recall, macro f1": several_classes,
    "printed_classes: macro f1, balanced accuracy": printed_matrix,
    "detection: precision, recall, f1": detector,
    "ranking: mrr, hits@1, hits@3": ranking,
    "curve: auc, sens, spec": curve,
}


def altered(name: str, number: int, seed: int = 0) -> Iterator[Report]:
    """So many reports of one sort, a digit after the point of one value changed in each."""
    rng = np.random.default_rng([seed, list(PLAIN).index(name)])
    for _ in range(number):
        report = PLAIN[name](rng)
        score = str(rng.choice(list(report.scores)))
        value, _, after = report.scores[score].partition(" ")
        place = int(rng.integers(value.index(".") + 1, len(value)))
        digit = str((int(value[place]) + int(rng.integers(1, 10))) % 10)
        text = f"{value[:place]}{digit}{value[place + 1 :]} {after}".strip()
        yield replace(report, scores={**report.scores, score: text})
