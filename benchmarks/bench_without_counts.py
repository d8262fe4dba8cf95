"""Reports without counts: averages over common parts, errors of predicted numbers, detectors; AUC; one row each.

In processor time, so that other work on the machine does not count.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import scoreproof as sp
from benchmarks import measure
from benchmarks.measure import Row
from scoreproof.checking import ask
from scoreproof.kinds.regression.kind import shared_variance

best = partial(measure.best, clock=time.process_time)
_PROMISED = 1e-3  # seconds
_PROMISED_AUC = 2e-3

_REPORTS: tuple[tuple[str, Any, dict[str, str]], ...] = (
    ("precision, recall, F1: impossible", sp.AverageOf(), {"ppv": "91.29%", "sens": "93.44%", "f1": "92.54%"}),
    ("precision, recall, F1: possible", sp.AverageOf(), {"ppv": "91.29%", "sens": "93.44%", "f1": "92.01%"}),
    ("Dice and Jaccard: impossible", sp.AverageOf(), {"dice": "97.78%", "iou": "94.84%"}),
    ("Dice and Jaccard: possible", sp.AverageOf(), {"dice": "96.12%", "iou": "93.58%"}),
    ("Dice ± and Jaccard: impossible", sp.AverageOf(50), {"dice": "0.8500 ± 0.1000", "iou": "0.7440"}),
    ("AP, AP50, AP75: impossible", sp.Detection(), {"map": "52.0%", "ap50": "58.1%", "ap75": "40.4%"}),
    ("AP, AP50, AP75: possible", sp.Detection(), {"map": "37.4%", "ap50": "58.1%", "ap75": "40.4%"}),
    ("AUC, sens, spec: impossible", sp.UnknownClasses(), {"auc": "0.95", "sens": "0.50", "spec": "0.50"}),
    ("mae and rmse: impossible", sp.Regression(), {"mae": "2.10", "rmse": "2.00"}),
    ("mae, rmse, R²: possible", sp.Regression(100), {"mae": "1.20", "rmse": "1.85", "r2": "0.71"}),
    ("mae, rmse, R², n = 10^6: possible", sp.Regression(10**6), {"mae": "1.20", "rmse": "1.85", "r2": "0.71"}),
)


def _checked(experiment: Any, scores: dict[str, str], **options: Any) -> Callable[[], object]:
    return lambda: sp.check(experiment, scores, **options, strict=True)


def rows() -> Iterator[Row]:
    """The time of one row of each sort."""
    for title, experiment, scores in _REPORTS:
        yield Row(f"without counts: {title}", best(_checked(experiment, scores)), promised_seconds=_PROMISED)
    for size in (10**2, 10**6):
        classes = sp.TestSet(size, size)
        for title, auc in (("possible", "0.905"), ("impossible", "0.995")):
            scores = {"auc": auc, "sens": "0.83", "spec": "0.86"}
            row = best(_checked(classes, scores))
            yield Row(f"AUC, sens, spec at p = n = {size:,}: {title}", row, promised_seconds=_PROMISED_AUC)
        concave = best(_checked(classes, {"auc": "0.905", "sens": "0.83", "spec": "0.86"}, concave=True))
        yield Row(f"AUC of a concave curve at p = n = {size:,}", concave, promised_seconds=_PROMISED_AUC)
    pair = shared_variance({"A": {"rmse": "2.00", "r2": "0.50"}, "B": {"mse": "4.00", "r2": "0.70"}})
    yield Row("without counts: two rows, one variance", best(lambda: ask(pair)), promised_seconds=_PROMISED)
