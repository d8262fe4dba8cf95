"""The statistics against others': DeLong on a million cases, scipy's tests, and files of a million rows.

At most three times scipy's time wherever scipy has the function; ours add effect sizes. Wilcoxon is exact up to 500
pairs, where scipy approximates from 50 on, or with ties; its interval, which scipy does not have, is computed when it
is looked at, and has rows of its own.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle
from pathlib import Path

import numpy as np

from benchmarks.measure import Row, best, both
from scoreproof import statistics as st
from scoreproof.cli.score_file import read_scores
from scoreproof.metrics.files import read_predictions

_CASES = 1_000_000
_PROMISE = 1 / 3


def rows() -> Iterator[Row]:
    """Continuous scores, and scores rounded to three digits, where ties abound; then scipy; then files."""
    yield from _delong()
    yield from _scipy()
    yield from _wilcoxon()
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
            "Kendall": (st.kendall_test, partial(stats.kendalltau, method="asymptotic")),
            "Pearson": (st.pearson_test, stats.pearsonr),
            "Spearman": (st.spearman_test, stats.spearmanr),
            "paired t": (st.paired_t, stats.ttest_rel),
            "Levene": (st.levene, stats.levene),
            "Bartlett": (st.bartlett, stats.bartlett),
        }
        for name, (ours, theirs) in pairs.items():
            times = both(partial(ours, x, y), partial(theirs, x, y), turns=3 if n > 10_000 else 8)
            yield Row(f"{name}, n = {n:,}", *times, promised_ratio=_PROMISE, note="scipy")
    for shape in ((20, 5), (1000, 1000)):
        table = generator.normal(size=shape)
        times = both(partial(st.friedman, table), partial(stats.friedmanchisquare, *table.T), turns=3)
        yield Row(f"Friedman, {shape[0]} x {shape[1]}", *times, promised_ratio=_PROMISE, note="scipy")


def _wilcoxon() -> Iterator[Row]:
    """Fresh data with every call: what a test remembers of its last ranks must not count."""
    from scipy import stats

    generator = np.random.default_rng(0)
    for n in (20, 50, 200, 500, 1000, 10_000, 100_000, 1_000_000):
        drawn = generator.normal(size=(3 if n > 10_000 else 40, n))
        for ties, sets in (("", drawn), (", one decimal", np.round(drawn, 1))):
            ours, theirs = cycle(sets), cycle(sets)
            zero = np.zeros(n)
            times = both(
                lambda ours=ours, zero=zero: st.wilcoxon_signed_rank(next(ours), zero),  # type: ignore[misc]
                lambda theirs=theirs, zero=zero: stats.wilcoxon(next(theirs), zero),  # type: ignore[misc]
                turns=3 if n > 10_000 else 8,
            )
            # With ties scipy has no exact test of this size, only an approximation.
            unmatched = bool(ties) and n == 500
            note = "scipy, which approximates" if unmatched else "scipy"
            yield Row(f"Wilcoxon, n = {n:,}{ties}", *times, promised_ratio=None if unmatched else _PROMISE, note=note)
        if n in (50, 200, 500):
            times = both(
                lambda sets=drawn, zero=zero: st.wilcoxon_signed_rank(sets[0], zero),  # type: ignore[misc]
                lambda sets=drawn, zero=zero: stats.wilcoxon(sets[0], zero, method="exact"),  # type: ignore[misc]
                turns=4,
            )
            yield Row(f"Wilcoxon, n = {n:,}, exact", *times, promised_ratio=_PROMISE, note="scipy's exact method")
        seconds = best(lambda x=drawn[0], zero=zero: st.wilcoxon_signed_rank(x, zero).interval, repeats=2)  # type: ignore[misc]
        yield Row(f"Wilcoxon, n = {n:,}, and its interval", seconds, note="scipy has no interval")


def _files() -> Iterator[Row]:
    """A million rows as ``compare`` and ``metrics`` read them; pandas without its import of half a second."""
    import pandas as pd  # type: ignore[import-untyped,import-not-found,unused-ignore]

    generator = np.random.default_rng(0)
    truth = generator.integers(0, 2, _CASES)
    scores = truth[:, None] + generator.normal(size=(_CASES, 2))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "predictions.csv"
        for digits in (6, 17):
            frame = pd.DataFrame({"truth": truth, "net": scores[:, 0], "tree": scores[:, 1]})
            (frame.round(6) if digits == 6 else frame).to_csv(path, index=False)
            readers: dict[str, Callable[[], object]] = {
                "compare": lambda: read_scores(str(path), predictions=True),
                "metrics": lambda: _predictions(path),
            }
            for command, ours in readers.items():
                times = both(ours, lambda: pd.read_csv(path), turns=3)
                what = f"{command}: reading {_CASES:,} rows, {digits} digits"
                # Beyond 15 digits every number is divided with 64 bits, which takes longer than is promised.
                yield Row(what, *times, promised_ratio=_PROMISE if digits == 6 else None, note="pandas.read_csv")
        words = {name: np.where(values > 0.5, "malignant", "benign") for name, values in frame.items()}
        pd.DataFrame(words).to_csv(path, index=False)
        times = both(lambda: read_scores(str(path), predictions=True), lambda: pd.read_csv(path), turns=3)
        yield Row(f"compare: reading {_CASES:,} rows of words", *times, note="pandas.read_csv")


def _predictions(path: Path) -> object:
    table = read_predictions(path)
    return table.labels(["truth"]), table.numbers("net"), table.numbers("tree")
