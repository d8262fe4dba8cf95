"""The statistics against others': DeLong on a million cases, scipy's tests, and files of a million rows.

At most three times scipy's time wherever scipy has the function; ours add effect sizes and intervals. Wilcoxon is
exact up to 500 pairs, where scipy approximates from 50 on, so the two are compared beyond and below.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.measure import Row, best, both
from scoreproof import statistics as st
from scoreproof.columns import read_columns

_CASES = 1_000_000
_PROMISE = 1 / 3


def rows() -> Iterator[Row]:
    """Continuous scores, and scores rounded to three digits, where ties abound; then scipy; then files."""
    yield from _delong()
    yield from _scipy()
    yield from _files()


def _delong() -> Iterator[Row]:
    from MLstatkit import Delong_test  # type: ignore[import-untyped,import-not-found,unused-ignore]

    generator = np.random.default_rng(0)
    truth = generator.integers(0, 2, _CASES)
    first = truth + generator.normal(size=_CASES)
    second = 0.8 * truth + 0.5 * first + generator.normal(size=_CASES)
    what = f"DeLong, {_CASES:,} cases"
    ours = best(lambda: st.delong_paired(truth, first, second), repeats=7)
    theirs = best(lambda: Delong_test(truth, first, second), repeats=2)
    yield Row(f"{what}, continuous scores", ours, theirs, promised_ratio=10, note="MLstatkit")
    a, b = np.round(first, 3), np.round(second, 3)
    ours = best(lambda: st.delong_paired(truth, a, b), repeats=7)
    theirs = best(lambda: Delong_test(truth, a, b), repeats=2)
    yield Row(f"{what}, scores of three digits", ours, theirs, note="MLstatkit")


def _scipy() -> Iterator[Row]:
    from scipy import stats

    generator = np.random.default_rng(0)
    for n in (20, 1000, 100_000):
        x, y = generator.normal(size=(2, n))
        pairs: dict[str, tuple[Callable[..., object], Callable[..., object]]] = {
            "Wilcoxon": (st.wilcoxon_signed_rank, stats.wilcoxon),
            "Kendall": (st.kendall_test, partial(stats.kendalltau, method="asymptotic")),
            "Pearson": (st.pearson_test, stats.pearsonr),
            "Spearman": (st.spearman_test, stats.spearmanr),
            "paired t": (st.paired_t, stats.ttest_rel),
            "Levene": (st.levene, stats.levene),
            "Bartlett": (st.bartlett, stats.bartlett),
            "Fligner": (st.fligner, stats.fligner),
        }
        for name, (ours, theirs) in pairs.items():
            slow = name == "Wilcoxon" and n > 10_000
            times = both(partial(ours, x, y), partial(theirs, x, y), turns=3 if n > 10_000 else 8)
            note = "scipy, which has no interval" if name == "Wilcoxon" else "scipy"
            yield Row(f"{name}, n = {n:,}", *times, promised_ratio=None if slow else _PROMISE, note=note)
    for shape in ((20, 5), (1000, 1000)):
        table = generator.normal(size=shape)
        times = both(partial(st.friedman, table), partial(stats.friedmanchisquare, *table.T), turns=3)
        yield Row(f"Friedman, {shape[0]} x {shape[1]}", *times, promised_ratio=_PROMISE, note="scipy")


def _files() -> Iterator[Row]:
    import pandas as pd  # type: ignore[import-untyped,import-not-found,unused-ignore]

    generator = np.random.default_rng(0)
    truth = generator.integers(0, 2, _CASES)
    scores = truth[:, None] + generator.normal(size=(_CASES, 2))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "predictions.csv"
        frame = pd.DataFrame({"truth": truth, "net": scores[:, 0].round(6), "tree": scores[:, 1].round(6)})
        frame.to_csv(path, index=False)

        def ours() -> object:
            table = read_columns(path)
            return [table.numbers(name) for name in table.names]

        times = best(ours, repeats=3), best(lambda: pd.read_csv(path), repeats=3)
        yield Row(f"a file of {_CASES:,} predictions", *times, note="pandas, without its import of half a second")
