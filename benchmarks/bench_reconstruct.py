"""Reconstruction: the rates case against a naive grid, unknown classes at a known total, and re-reading a table."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import numpy as np

import scoreproof as sp
from benchmarks.measure import Row, best

_NAMES = (
    *("mcc", "kappa", "upm", "gm", "bm", "mk", "fm", "dor", "lrp", "lrn"),
    *("pt", "bacc", "acc", "f1", "sens", "spec", "ppv", "npv", "ji", "f1n"),
)
_WORKED = {"acc": "0.706", "tpr": "0.430", "fpr": "0.031", "ppv": "0.930"}
_STEPS = 1_000  # of the naive grid in each of prevalence, sensitivity and specificity: the third digit
_SLICES = 8  # of them that are timed; the rest is extrapolated


def naive_grid(report: dict[str, str]) -> float:
    """Seconds for the grid anyone would write: rates to three digits, floats, those inside every interval.

    It guarantees nothing. A few slices are timed and stand for all.
    """
    axis = (np.arange(_STEPS) + 0.5) / _STEPS
    read = [sp.report(name, text, rounding="nearest") for name, text in report.items()]
    sens, spec = np.meshgrid(axis, axis, indexing="ij")
    start = time.perf_counter()
    for share in axis[:: _STEPS // _SLICES]:
        tp, tn = share * sens, (1 - share) * spec
        inside = np.ones(sens.shape, dtype=bool)
        for one in read:
            values = one.score.values(tp, 1 - share - tn, share - tp, tn)
            inside &= (values >= float(one.low)) & (values <= float(one.high))
    return (time.perf_counter() - start) * _STEPS / _SLICES


def random_report(rng: random.Random, total: int, count: int) -> dict[str, str]:
    """Some scores of a plausible matrix, to three digits."""
    p = rng.randint(total // 20, total - total // 20)
    n = total - p
    tp, tn = rng.randint(p // 2, p - 1), rng.randint(n // 2, n - 1)
    chosen = rng.sample(_NAMES, count)
    return {name: str(sp.score(name).text(tp, n - tn, p - tp, tn, digits=3)) for name in chosen}


def _slowest(reports: list[dict[str, str]], total: int | None) -> tuple[float, str, int]:
    """Seconds for the slowest report (the best of several runs), which it is, and how many were decided."""
    slowest, which, decided = 0.0, reports[0], 0
    for report in reports:
        start = time.perf_counter()
        found = sp.reconstruct(report, total=total, rounding="nearest")
        took = time.perf_counter() - start
        decided += found.verdict == "consistent"
        if took > slowest:
            slowest, which = took, report
    again = best(lambda: sp.reconstruct(which, total=total, rounding="nearest"), repeats=3)
    return again, " ".join(f"{name}={text}" for name, text in which.items()), decided


def rows() -> Iterator[Row]:
    """All of the above."""
    ours = best(lambda: sp.reconstruct(_WORKED, rounding="nearest"))
    note = f"theirs: a grid of {_STEPS}^3 rates, extrapolated from {_SLICES} slices"
    yield Row(
        "rates, acc tpr fpr ppv: all ranges",
        ours,
        naive_grid(_WORKED),
        promised_ratio=50,
        promised_seconds=2,
        note=note,
    )
    rng = random.Random(1)
    for count in (3, 4, 5, 6):
        reports = [random_report(rng, 5_000, count) for _ in range(15)]
        slowest, which, decided = _slowest(reports, None)
        note = f"{decided} of {len(reports)} decided; slowest: {which}"
        theirs = naive_grid(reports[0])
        yield Row(
            f"rates, slowest of {len(reports)} sets of {count} scores", slowest, theirs, promised_seconds=2, note=note
        )
    reports = [random_report(rng, 5_000, 3) for _ in range(20)]
    slowest, which, decided = _slowest(reports, 5_000)
    note = f"{decided} of {len(reports)} found; slowest: {which}"
    yield Row("total 5,000, p unknown, slowest of 20 sets of 3 scores", slowest, promised_seconds=2, note=note)
    worst = {"acc": "0.901", "sens": "0.901", "spec": "0.901"}
    ours = best(lambda: sp.reconstruct(worst, total=5_000), repeats=2)
    yield Row("total 5,000, every p admissible", ours, promised_seconds=2, note="acc = sens = spec = 0.901")
    proof = sp.reconstruct({"acc": "0.85", "ppv": "0.80", "sens": "0.75"}, total=100, rounding="nearest").certificate
    yield Row("verify: no p fits a total of 100", best(lambda: sp.verify(proof or {})))
    table = {f"m{k}": random_report(rng, 5_000, 4) for k in range(5)}
    start = time.perf_counter()
    sp.reinterpret(table, rounding="nearest", cost_ratio=10)
    yield Row("reinterpret a table of 5 methods with 4 scores", time.perf_counter() - start)
