"""Power and strength: Figures 3 and 5 of Fazekas and Kovács (2024, doi:10.1016/j.asoc.2024.111993), and their cost."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from benchmarks.measure import Row, best
from scoreproof.checking.check import check
from scoreproof.insight.deviations import LastDigit, OtherExperiment
from scoreproof.insight.power_analysis import power
from scoreproof.insight.power_result import PowerCurve
from scoreproof.insight.strength_of_pass import strength
from scoreproof.kinds.binary.experiment import Experiment, KFold, TestSet

SCORES = ["acc", "sens", "spec"]
SKIN = {"ISIC 2016": (75, 304), "ISIC 2017, melanoma": (117, 483), "ISIC 2017, keratosis": (90, 510)}
STATED = KFold(p=38, n=262, k=5, stratified=False)
TRIALS = 200


def _noted(curve: PowerCurve) -> str:
    points = []
    for one in curve:
        around = "" if one.exact else f" ({one.low:.3f} to {one.high:.3f}, {one.undecided} undecided)"
        points.append(f"{one.digits}: {one.power:.4f}{around}")
    return "; ".join(points)


def rows() -> Iterator[Row]:
    """Exact power of one matrix, simulated power of folds, and the strength of single reports."""
    for name, counts in SKIN.items():
        for rounding in ("nearest", "any"):
            start = time.perf_counter()
            curve = power(TestSet(*counts), SCORES, [2, 3, 4, 5], deviation=LastDigit("acc"), rounding=rounding)
            took = time.perf_counter() - start
            yield Row(f"power: Figure 5, {name}, {rounding}, exact", took, promised_seconds=20, note=_noted(curve))
    yield from _figure_3()
    yield from _strength()


def _figure_3() -> Iterator[Row]:
    truth = KFold(p=262, n=262, k=5, stratified=False)
    for rounding in ("nearest", "any"):
        start = time.perf_counter()
        # the stated folds hold 60 cases each, so the mean accuracy is that of one set of 300
        curve = power(
            TestSet(38, 262), "acc", [2, 3, 4], deviation=OtherExperiment(truth), rounding=rounding, trials=2000
        )
        took = time.perf_counter() - start
        yield Row(f"power: Figure 3, accuracy alone, {rounding}, 3 x 2,000 trials", took, note=_noted(curve))
    for rounding in ("nearest", "any"):
        start = time.perf_counter()
        curve = power(STATED, SCORES, [2, 3, 4], deviation="oversampling", rounding=rounding, trials=TRIALS)
        took = time.perf_counter() - start
        yield Row(
            f"power: Figure 3, {', '.join(SCORES)}, {rounding}, 3 x {TRIALS} trials",
            took,
            promised_seconds=180,  # minutes for a thousand
            note=_noted(curve),
        )


def _strength() -> Iterator[Row]:
    reports: dict[str, tuple[Experiment, dict[str, Any], float]] = {
        "75 + 304, 3 digits": (TestSet(75, 304), {"acc": "0.855", "sens": "0.507", "spec": "0.941"}, 0.005),
        "100 + 200, with mcc": (TestSet(100, 200), {"acc": "0.9567", "f1": "0.9345", "mcc": "0.9024"}, 0.005),
        "1,000 + 6,000, 4 digits": (TestSet(1000, 6000), {"acc": "0.6821", "npv": "0.9401", "f1": "0.4004"}, 0.1),
        "10,000 + 90,000, with mcc": (TestSet(10**4, 9 * 10**4), {"acc": "0.9567", "mcc": "0.8545"}, 1.0),
        "5 stratified folds": (KFold(38, 262, 5), {"acc": "0.9447", "sens": "0.9139", "spec": "0.9733"}, 2.5),
        "5 unstratified folds": (STATED, {"acc": "0.9447", "sens": "0.9139", "spec": "0.9733"}, 4.0),
    }
    for what, (experiment, scores, promised) in reports.items():
        result = check(experiment, scores)
        found = strength(result)
        took = best(lambda result=result: strength(result), repeats=3)  # type: ignore[misc]
        yield Row(f"strength: {what}", took, promised_seconds=promised, note=f"{found.method}: {found}")
