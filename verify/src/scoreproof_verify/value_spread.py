"""Certificates that k bounded values cannot have a printed mean and ±.

Values in [0, 1] with sum S: any two that are strictly inside can be moved apart, which keeps S and raises the sum of
squares, so at most one is inside where that sum is largest. On [j, j + 1] the largest sum of squared distances from the
mean is j + (S - j)² - S²/k, convex in S, so that the ends of each such piece bound it.

Whole numbers c over n cases: every multiset of k distances from a middle is built value by value (how often each
distance occurs), keeping for each number of folds and each sum the attainable sums of squares as the bits of a number.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import isqrt
from typing import Any

from scoreproof_verify.experiment import integer
from scoreproof_verify.formulas import Rule
from scoreproof_verify.frame import Words
from scoreproof_verify.patience import Patience
from scoreproof_verify.printed import Printed, read_printed
from scoreproof_verify.texts import Rejected, decimal, every_key, fraction, known_keys, quoted, require

KEYS = frozenset({"values", "least", "most", "fold", "spread", "claims"})
_MOST_VALUES = 100_000
_MOST_CASES = 10**6
_MOST_SUMS = 4000
_MOST_STEPS = 40_000_000


def check(
    statement: Mapping[str, Any], proof: Mapping[str, Any], rules: Mapping[str, Rule], patience: Patience
) -> Words:
    """What a statement about a spread and its proof establish; ``Rejected`` if they do not."""
    every_key("the statement", statement, KEYS)
    k = integer(statement.get("values"), "the number of values")
    require(2 <= k <= _MOST_VALUES, "the number of values is out of range")
    least, most = fraction(statement.get("least"), "the least value"), fraction(statement.get("most"), "the greatest")
    require(least < most, "the bounds are in the wrong order")
    cases = statement.get("fold")
    if cases is not None:
        require(0 < integer(cases, "the cases of a fold") <= _MOST_CASES, "the cases of a fold are out of range")
        require(least == 0 and most == 1, "shares of cases lie between 0 and 1")
    printed = _claims(statement.get("claims"))
    low, high = least, most
    if "mean" in printed:
        low, high = max(least, printed["mean"].low), min(most, printed["mean"].high)
    divisors = _divisors(statement.get("spread"), k)
    known_keys("the proof", proof, "kind")
    way, of = proof.get("kind"), f"{k} values from {decimal(least)} to {decimal(most)}"
    if way == "mean":
        require(low > high, "the mean may lie within the bounds")
        return lambda: f"Proved: the mean of {of} does not print as {printed['mean']}."
    require((low <= high and "sd" in printed) or way == "lattice", "the statement has no spread")
    about = f" whose mean prints as {printed['mean']}" if "mean" in printed else ""
    if way == "wide":
        width = most - least
        largest = _largest((low - least) / width * k, (high - least) / width * k, k, patience) * width**2
        smallest = max(printed["sd"].low, Fraction(0)) ** 2 * min(divisors)
        require(largest < smallest, "values may be spread so widely")
        return lambda: f"Proved: {of}{about} do not have a spread that prints as {printed['sd']}."
    require(way == "lattice" and cases is not None, f"unknown kind of proof {quoted(way)}")
    assert cases is not None
    _exclude_counts(k, cases, (low, high), printed.get("sd"), divisors, patience)
    return lambda: (
        f"Proved: no counts of right cases in {k} folds of {cases} give "
        f"{' and '.join(f'a {name} that prints as {claim}' for name, claim in printed.items())}."
    )


def _claims(document: Any) -> dict[str, Printed]:
    require(isinstance(document, list) and 1 <= len(document) <= 2, "there are not one or two claims")
    printed: dict[str, Printed] = {}
    for entry in document:
        claim = read_printed(entry, "a claim")
        require(claim.name in ("mean", "sd") and claim.name not in printed, "a claim is neither the mean nor the sd")
        printed[claim.name] = claim
    return printed


def _divisors(spread: Any, k: int) -> list[int]:
    known = {"deviation": [k - 1, k], "error": [k * (k - 1)], "either": [k - 1, k, k * (k - 1)]}
    if not isinstance(spread, str) or spread not in known:
        raise Rejected(f"unknown spread {quoted(spread)}")
    return known[spread]


def _largest(first: Fraction, last: Fraction, k: int, patience: Patience) -> Fraction:
    """What the sum of squared distances is never above, for k values in [0, 1] whose sum lies between two."""
    found = Fraction(0)
    for j in range(int(first.__floor__()), min(int(last.__floor__()), k - 1) + 1):
        if j % 1000 == 0:
            patience.check()
        for s in (max(first, Fraction(j)), min(last, Fraction(j + 1))):
            found = max(found, j + (s - j) ** 2 - s * s / k)
    return found


def _exclude_counts(
    k: int, n: int, means: tuple[Fraction, Fraction], spread: Printed | None, divisors: list[int], patience: Patience
) -> None:
    first, last = -int((-means[0] * k * n).__floor__()), int((means[1] * k * n).__floor__())
    if spread is None:
        require(first > last, "there is a sum of counts with this mean")
        return
    require(last - first < _MOST_SUMS, "there are too many sums of counts")
    if spread.high < 0:
        return  # no deviation prints like this
    steps = 0
    for total in range(first, last + 1):
        middle = total // k
        rest = total - k * middle
        own = Fraction(rest * rest, k)  # of the squared distances from the middle, what the mean's own takes
        windows = [
            (
                -int((-(max(spread.low, Fraction(0)) ** 2 * d * n * n + own)).__floor__()),
                int((spread.high**2 * d * n * n + own).__floor__()),
            )
            for d in divisors
        ]
        top = max(end for _, end in windows)
        if all(start > end for start, end in windows):
            continue
        reach = isqrt(top)
        distances = range(max(-reach, -middle), min(reach, n - middle) + 1)
        steps += len(distances) * k * (2 * k * reach + 1)
        require(steps <= _MOST_STEPS, "there are too many counts")
        squares = _squares(k, rest, distances, top, patience)
        for start, end in windows:
            require(start > end or (squares >> start) & ((1 << (end - start + 1)) - 1) == 0, f"a sum of {total} fits")


def _squares(k: int, rest: int, distances: range, top: int, patience: Patience) -> int:
    """The sums of squares of k distances that add up to ``rest``, as the bits of a number."""
    mask = (1 << (top + 1)) - 1
    states: list[dict[int, int]] = [{0: 1}] + [{} for _ in range(k)]
    for distance in distances:
        patience.check()
        shift = distance * distance
        for used in range(k):  # upwards, so that a distance may occur again
            after = states[used + 1]
            for total, bits in states[used].items():
                moved = (bits << shift) & mask
                if moved:
                    after[total + distance] = after.get(total + distance, 0) | moved
    return states[k].get(rest, 0)
