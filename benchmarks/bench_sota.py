"""The best of many classifiers: exact against 100,000 simulated competitions, and large test sets."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from benchmarks.measure import Row, best
from scoreproof.sota import (
    adjusted_estimate,
    best_of,
    best_of_score,
    cases_needed,
    leaderboard,
    luck,
    overlooked,
    simulate_best,
)

M, N, P = 1000, 3000, 0.9


def _once(call: Callable[[], object]) -> float:
    """Seconds of a single run, for what takes half a minute."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def rows() -> Iterator[Row]:
    """Every question at m = 1,000 and n = 3,000, then the extremes."""
    simulated = _once(lambda: simulate_best(M, N, P, draws=100_000, seed=1, p_dep=0.95))
    yield Row(
        "sota: best of 1,000 dependent classifiers, exact / 100,000 draws",
        best(lambda: best_of(M, N, P, p_dep=0.95).interval()),
        simulated,
        promised_ratio=1000,
        promised_seconds=0.05,
    )
    accuracies = [0.85 + 0.00007 * i for i in range(M)]
    board = [0.95 - 0.0001 * i for i in range(M)]
    calls: dict[str, Callable[[], object]] = {
        "best of 1,000 independent": lambda: best_of(M, N, P).interval(),
        "best of 1,000 unequal": lambda: best_of(M, N, accuracies).interval(),
        "adjusted estimate": lambda: adjusted_estimate(0.9213, M, N),
        "adjusted estimate, dependent": lambda: adjusted_estimate(0.9213, M, N, p_dep=0.95),
        "overlooked newcomer": lambda: overlooked(0.9213, N, accuracy=P, delta=0.01),
        "cases needed": lambda: cases_needed(0.005, M, P),
        "luck": lambda: luck(0.9213, N, P),
        "best F1 of 1,000": lambda: best_of_score("f1", M, 300, 2700, sens=0.9, spec=0.9),
        "best MCC of 1,000": lambda: best_of_score("mcc", M, 300, 2700, sens=0.9, spec=0.9),
    }
    for what, call in calls.items():
        yield Row(f"sota: {what}", best(call), promised_seconds=0.05)
    yield Row("sota: leaderboard of 1,000 entries", best(lambda: leaderboard(board, N)), promised_seconds=0.5)
    yield Row(
        "sota: best of 10^9 on 10^7 cases",
        best(lambda: best_of(10**9, 10**7, P).interval()),
        promised_seconds=1.0,
    )
    yield Row(
        "sota: best of 10^9 dependent on 10^7 cases",
        best(lambda: best_of(10**9, 10**7, 0.5, p_dep=0.7).interval()),
        promised_seconds=1.0,
    )
