"""Two proportions of different cases: which p-values the usual tests can have given."""

from __future__ import annotations

import itertools
from typing import Annotated, Any

import numpy as np
from scipy import special

from scoreproof.claims.recheck import Recheck, Reproduction, Standing, among, shown, standing
from scoreproof.claims.texts import First, PText, RoundingWord, Second, Sizes, claim_of
from scoreproof.errors import InvalidOption
from scoreproof.kinds.paired_counts import RATE, counts_of
from scoreproof.reported.p_text import read_p
from scoreproof.validation import Doc, chosen, whole
from scoreproof.validation import shown as repr_of

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

    >>> found = proportions("0.930", "0.905", n=1000, p="0.04", test="pooled z")
    >>> found.verdict, [round(end, 3) for end in found.range]
    (<Standing.CERTAIN: 'certain'>, [0.042, 0.042])
    """
    if test is not None:
        chosen("test", test, PROPORTION_TESTS)
    sizes = tuple(n) if isinstance(n, list | tuple) else (n, n)
    if len(sizes) != 2:
        raise InvalidOption(f"n: expected one size or a pair of sizes, got {repr_of(n)}")
    n1, n2 = (whole("n", size, at_least=1) for size in sizes)
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
    ranges = {}
    for name in tests:
        values = [_TESTS[name](x, n1, y, n2) for x, y in pairs]
        spare = 1 if name != "fisher" or every else 2  # Fisher's p is not quite monotone in the counts
        ranges[name] = min(values) / spare, 1.0 if level else min(1.0, max(values) * spare)
    standings = {name: standing(*own, printed) for name, own in ranges.items()}
    if not standings:
        return Recheck(claim, Standing.POSSIBLE, "too many cases for Fisher's test to be re-checked")
    fits = tuple(
        Reproduction(name, {}, f"p between {shown(ranges[name][0])} and {shown(ranges[name][1])}")
        for name, one in standings.items()
        if one is not Standing.IMPOSSIBLE
    )
    low, high = min(own[0] for own in ranges.values()), max(own[1] for own in ranges.values())
    return Recheck(
        claim,
        among(list(standings.values())),
        f"p lies between {shown(low)} and {shown(high)}",
        "p",
        (low, high),
        fits,
        assumes=("different, independent cases", "two-sided", " or ".join(tests)),
    )


def _pairs(one: range, other: range, n1: int, n2: int) -> tuple[list[tuple[int, int]], bool]:
    """Counts to try, and whether the two proportions may be equal, where p is 1.

    p grows as the proportions approach each other, so corners hold the extremes; few counts are all tried.
    """
    if len(one) * len(other) <= _MOST_PAIRS:
        return list(itertools.product(one, other)), False
    corners = list(itertools.product((one[0], one[-1]), (other[0], other[-1])))
    level = one[0] * n2 <= other[-1] * n1 and other[0] * n1 <= one[-1] * n2
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
