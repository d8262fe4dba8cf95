"""DeLong's test on a million cases: one sort per classifier against MLstatkit's rankings."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.measure import Row, best
from scoreproof.statistics import delong_paired

_CASES = 1_000_000


def rows() -> Iterator[Row]:
    """Continuous scores, and scores rounded to three digits, where ties abound."""
    from MLstatkit import Delong_test  # type: ignore[import-untyped,import-not-found,unused-ignore]

    generator = np.random.default_rng(0)
    truth = generator.integers(0, 2, _CASES)
    first = truth + generator.normal(size=_CASES)
    second = 0.8 * truth + 0.5 * first + generator.normal(size=_CASES)
    what = f"DeLong, {_CASES:,} cases"
    ours = best(lambda: delong_paired(truth, first, second), repeats=7)
    theirs = best(lambda: Delong_test(truth, first, second), repeats=2)
    yield Row(f"{what}, continuous scores", ours, theirs, promised_ratio=10, note="MLstatkit")
    a, b = np.round(first, 3), np.round(second, 3)
    ours = best(lambda: delong_paired(truth, a, b), repeats=7)
    theirs = best(lambda: Delong_test(truth, a, b), repeats=2)
    yield Row(f"{what}, scores of three digits", ours, theirs, note="MLstatkit")
