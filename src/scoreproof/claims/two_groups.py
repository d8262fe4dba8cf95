"""Two groups of different cases, proportions or ranks: which p-values the usual tests can have given."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from math import ceil, floor
from typing import Annotated, Any

import numpy as np
from scipy import special

from scoreproof.claims.recheck import (
    First,
    PText,
    Recheck,
    Reproduction,
    RoundingWord,
    Second,
    Sides,
    Sizes,
    Standing,
    claim_of,
    of_tests,
    pair_of_sizes,
    shown,
    standing,
)
from scoreproof.kinds.paired_counts import RATE, counts_of
from scoreproof.kinds.reported_test import STATISTIC
from scoreproof.reported.printed_text import read_p
from scoreproof.statistics.groups import rank_sum_p
from scoreproof.validation import Doc, chosen

PROPORTION_TESTS = ("pooled z", "unpooled z", "chi2-corrected", "fisher")
_MOST_PAIRS = 400  # of counts that are all tried; of more the corners and the nearest ones
_MOST_FISHER = 20_000


def proportions(
    a: First,
    b: Second,
    n: Sizes,
    p: PText = "<0.05",
    *,
    test: Annotated[str | None, Doc("pooled z, unpooled z, chi2-corrected or fisher; without it any of them.")] = None,
    rounding: RoundingWord = "any",
) -> Recheck:
    """Re-check a test of two proportions of different cases; ``n`` is the size of both groups, or a pair of sizes.

    ``test`` is one of ``PROPORTION_TESTS``; without it any of them may have been used.

    >>> result = proportions("0.930", "0.905", n=1000, p="0.04", test="pooled z")
    >>> result.verdict, [round(end, 3) for end in result.range]
    (<Standing.CERTAIN: 'certain'>, [0.042, 0.042])
    """
    if test is not None:
        chosen("test", test, PROPORTION_TESTS)
    n1, n2 = pair_of_sizes(n)
    printed = read_p(p, rounding=rounding)
    counts = [
        counts_of(claim_of(RATE, name, text, rounding=rounding), size)
        for name, text, size in (("a", a, n1), ("b", b, n2))
    ]
    claim = f"{printed} for {a} of {n1:,} against {b} of {n2:,} other cases"
    if not all(counts):
        return Recheck(claim, Standing.IMPOSSIBLE, "no numbers of cases print as these proportions")
    pairs, level = _pairs(counts[0], counts[1], n1, n2)
    every = len(pairs) == len(counts[0]) * len(counts[1])
    tests = [
        name
        for name in (PROPORTION_TESTS if test is None else (test,))
        if name != "fisher" or max(n1, n2) <= _MOST_FISHER
    ]
    ranges: dict[str, tuple[float, float]] = {}
    for name in tests:
        values = [_TESTS[name](x, n1, y, n2) for x, y in pairs]
        spare = 1 if name != "fisher" or every else 2  # Fisher's p is not quite monotone in the counts
        ranges[name] = min(values) / spare, 1.0 if level else min(1.0, max(values) * spare)
    if not ranges:
        return Recheck(claim, Standing.POSSIBLE, "too many cases for Fisher's test to be re-checked")
    return of_tests(claim, ranges, printed, ("different, independent cases", "two-sided", " or ".join(tests)))


def _pairs(first: range, other: range, n1: int, n2: int) -> tuple[list[tuple[int, int]], bool]:
    """Counts to try, and whether the two proportions may be equal, where p is 1.

    p grows as the proportions approach each other, so corners hold the extremes; few counts are all tried.
    """
    if len(first) * len(other) <= _MOST_PAIRS:
        return list(itertools.product(first, other)), False
    corners = list(itertools.product((first[0], first[-1]), (other[0], other[-1])))
    level = first[0] * n2 <= other[-1] * n1 and other[0] * n1 <= first[-1] * n2
    return corners, level


def _z(x: int, n1: int, y: int, n2: int, *, pooled: bool) -> float:
    p1, p2, both = x / n1, y / n2, (x + y) / (n1 + n2)
    variance = both * (1 - both) * (1 / n1 + 1 / n2) if pooled else p1 * (1 - p1) / n1 + p2 * (1 - p2) / n2
    if variance == 0:
        return 1.0 if p1 == p2 else 0.0
    return float(special.erfc(abs(p1 - p2) / np.sqrt(2 * variance)))


def _yates(x: int, n1: int, y: int, n2: int) -> float:
    n, hits = n1 + n2, x + y
    if hits in (0, n):
        return 1.0
    apart = max(0.0, abs(x * n2 - y * n1) - n / 2)
    return float(special.erfc(np.sqrt(n * apart**2 / (n1 * n2 * hits * (n - hits)) / 2)))


def _fisher(x: int, n1: int, y: int, n2: int) -> float:
    """The probability of all tables with these margins that are no likelier than this one."""
    hits = x + y
    k = np.arange(max(0, hits - n2), min(hits, n1) + 1)

    def logs(n: int, chosen_ones: Any) -> Any:
        return special.gammaln(n + 1) - special.gammaln(chosen_ones + 1) - special.gammaln(n - chosen_ones + 1)

    weights = logs(n1, k) + logs(n2, hits - k) - logs(n1 + n2, hits)
    own = weights[x - k[0]]
    return float(min(1.0, np.exp(weights[weights <= own + 1e-7]).sum()))


_TESTS = {
    "pooled z": lambda *counts: _z(*counts, pooled=True),
    "unpooled z": lambda *counts: _z(*counts, pooled=False),
    "chi2-corrected": _yates,
    "fisher": _fisher,
}


_MOST_VALUES = 10**6  # of a group
_MOST_EXACT = 50  # values of a group, up to which programs take the exact distribution of U
_TIED = 0.5  # of the variance of U, which tied values take away; two values that are equally common take a quarter
_ALTERNATIVES = {"two-sided": "two-sided", "one-sided": "less", "one-sided, to the other side": "greater"}
_SIDES = {"any": (*_ALTERNATIVES,), "two": ("two-sided",), "one": (*_ALTERNATIVES,)[1:]}


def rank_sum(
    n: Sizes,
    p: PText = "<0.05",
    *,
    statistic: Annotated[str, Doc("The printed U, of either group.")],
    sides: Sides = "any",
    rounding: RoundingWord = "any",
) -> Recheck:
    """Re-check a p-value of the Mann-Whitney U test (Wilcoxon's rank-sum test) of two groups of ``n`` values.

    The test is exact, or normal with or without a correction for continuity; tied values change its p. What no method
    gives is unexplained, not impossible.

    >>> print(rank_sum((10, 12), "= .014", statistic="23"))
    possible: p = .014 by the Mann-Whitney test of 10 and 12 values, U = 23: possible by exact, two-sided
    """
    chosen("sides", sides, tuple(_SIDES))
    first, second = pair_of_sizes(n, at_most=_MOST_VALUES)
    printed, u = read_p(p, rounding=rounding), claim_of(STATISTIC, "U", statistic, rounding=rounding)
    claim = f"{printed} by the Mann-Whitney test of {first:,} and {second:,} values, U = {u.text}"
    low, high = max(ceil(2 * u.low), 0) / 2, min(floor(2 * u.high), 2 * first * second) / 2
    if low > high:
        words = f"U lies between 0 and {first * second:,}; this may be a sum of ranks"
        return Recheck(claim, Standing.UNEXPLAINED, words, "U", (0.0, float(first * second)))
    by_side = {side: _rank_sum_ranges(low, high, first, second, _ALTERNATIVES[side]) for side in _SIDES[sides]}
    ranges = {f"{method}, {side}": span for side, own in by_side.items() for method, span in own.items()}
    fits = {name: span for name, span in ranges.items() if standing(*span, printed) is not Standing.IMPOSSIBLE}
    least, most = min(span[0] for span in ranges.values()), max(span[1] for span in ranges.values())
    words = f"p is {_listed(by_side)}{', or less if nearly all values are tied' * (printed.high < least)}"
    if fits:
        words = f"possible by {next(iter(fits))}"
    verdict = Standing.POSSIBLE if fits else Standing.UNEXPLAINED
    spans = ((name, f"p between {shown(low)} and {shown(high)}") for name, (low, high) in fits.items())
    methods = tuple(Reproduction(name, {}, span) for name, span in spans)
    assumes = ("different, independent values", f"{sides} sides" if sides == "any" else f"{sides}-sided")
    return Recheck(claim, verdict, words, "p", (least, most), methods, assumes=assumes)


def _listed(by_side: Mapping[str, Mapping[str, tuple[float, float]]]) -> str:
    spans = {side: (min(a for a, _ in own.values()), max(b for _, b in own.values())) for side, own in by_side.items()}
    return "; ".join(f"{shown(low)} to {shown(high)} ({side})" for side, (low, high) in spans.items())


def _rank_sum_ranges(low: float, high: float, n1: int, n2: int, side: Any) -> dict[str, tuple[float, float]]:
    """By method, between what p lies for a U between two values: it is monotone in U on either side of the mean."""
    mean, sd = n1 * n2 / 2, math.sqrt(n1 * n2 * (n1 + n2 + 1) / 12)
    ends = {low, high, min(max(mean, low), high)}
    ways: dict[str, list[float]] = {}
    if max(n1, n2) <= _MOST_EXACT:
        ways["exact"] = [rank_sum_p(_values(whole, n1, n2), n1, side) for u in ends for whole in (floor(u), ceil(u))]
    for tied, method in ((0.0, "normal"), (_TIED, "normal with ties")):
        away = [(u - mean, moved) for u in ends for moved in (0.0, 0.5)]
        scale = sd * math.sqrt(1 - tied)
        if side == "two-sided":
            ps = [math.erfc(max(0.0, abs(off) - moved) / scale / math.sqrt(2)) for off, moved in away]
        else:
            sign = 1 if side == "less" else -1
            ps = [float(special.ndtr((sign * off + moved) / scale)) for off, moved in away]
        ways[method] = [*ways.get("normal", ()), *ps]
    return {method: (min(ps), max(ps)) for method, ps in ways.items()}


def _values(u: int, n1: int, n2: int) -> Any:
    """Different values of two groups, the first group first, which have that U: so many pairs where it lies above."""
    moved, rest = divmod(u, n2)
    ranks = [place + (n2 if place > n1 - moved else rest if place == n1 - moved else 0) for place in range(1, n1 + 1)]
    return np.array([*ranks, *sorted({*range(1, n1 + n2 + 1)} - {*ranks})], dtype=float)
