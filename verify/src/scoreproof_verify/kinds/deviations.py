"""Certificates about deviations, variances and intervals: extreme points, subset sums, binomial tails.

The sum of squares of k values in [0, 1] is largest with at most one strictly inside: j + (S - j)² - S²/k for a sum S
in [j, j + 1]. Two rows of errors and R² on one test set share the variance v of the true values: (1 - R²) v = mse.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor, isqrt
from typing import Any

from scoreproof_verify.documents import Document, Printed, Score, given, known_keys, listed, read_named, read_score
from scoreproof_verify.formulas import Rules
from scoreproof_verify.frame import Checker, Patience, Words
from scoreproof_verify.texts import Interval, decimal, quoted, require

_MOST_VALUES = 100_000
_MOST_SPREAD_CASES = 10**6
_MOST_SUMS = 4000
_MOST_STEPS = 40_000_000


def check_value_spread(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    k = statement.integer("values", "the number of values", 2, _MOST_VALUES)
    least, most = statement.fraction("least", "the least value"), statement.fraction("most", "the greatest")
    require(least < most, "the bounds are in the wrong order")
    cases = statement.get("fold")
    if cases is not None:
        cases = statement.integer("fold", "the cases of a fold")
        require(0 < cases <= _MOST_SPREAD_CASES, "the cases of a fold are out of range")
        require(least == 0 and most == 1, "shares of cases lie between 0 and 1")
    otherwise = "a claim is neither the mean nor the sd"
    printed = read_named(statement.get("claims"), ("mean", "sd"), "there are not one or two claims", otherwise)
    mean = printed["mean"].span.within(least, most) if "mean" in printed else Interval(least, most)
    known = {"deviation": [k - 1, k], "error": [k * (k - 1)], "either": [k - 1, k, k * (k - 1)]}
    divisors = known[statement.word("spread", known)]
    proof.keep_to("kind")
    way, of = proof.get("kind"), f"{k} values from {decimal(least)} to {decimal(most)}"
    if way == "mean":
        require(mean.low > mean.high, "the mean may lie within the bounds")
        return lambda: f"Proved: the mean of {of} does not print as {printed['mean']}."
    require((mean.low <= mean.high and "sd" in printed) or way == "lattice", "the statement has no spread")
    if way == "wide":
        width = most - least
        largest = _largest(mean.plus(Interval(-least, -least)).times(k / width), k, patience) * width**2
        smallest = max(printed["sd"].low, Fraction(0)) ** 2 * min(divisors)
        require(largest < smallest, "values may be spread so widely")
        about = f" whose mean prints as {printed['mean']}" if "mean" in printed else ""
        return lambda: f"Proved: {of}{about} do not have a spread that prints as {printed['sd']}."
    n = given(cases if way == "lattice" else None, f"unknown kind of proof {quoted(way)}")
    _exclude_counts(k, n, mean, printed.get("sd"), divisors, patience)
    return lambda: (
        f"Proved: no counts of right cases in {k} folds of {n} give "
        f"{' and '.join(f'a {name} that prints as {claim}' for name, claim in printed.items())}."
    )


def _largest(sums: Interval, k: int, patience: Patience) -> Fraction:
    """What the sum of squared distances is never above, for k values in [0, 1] whose sum lies between two."""
    largest, (first, last) = Fraction(0), sums
    for j in range(floor(first), min(floor(last), k - 1) + 1):
        if j % 1000 == 0:
            patience.check()
        for s in (max(first, Fraction(j)), min(last, Fraction(j + 1))):
            largest = max(largest, j + (s - j) ** 2 - s * s / k)
    return largest


def _exclude_counts(
    k: int, n: int, means: Interval, spread: Printed | None, divisors: list[int], patience: Patience
) -> None:
    first, last = means.times(k * n).whole
    if spread is None:
        require(first > last, "there is a sum of counts with this mean")
        return
    require(last - first < _MOST_SUMS, "there are too many sums of counts")
    if spread.high < 0:
        return  # no deviation prints like this
    squared = spread.span.within(0, None).square
    steps = 0
    for total in range(first, last + 1):
        middle = total // k
        rest = total - k * middle
        own = Fraction(rest * rest, k)  # of the squared distances from the middle, what the mean's own takes
        windows = [squared.times(d * n * n).plus(Interval(own, own)).whole for d in divisors]
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


_KNOWN = ("mse", "rmse", "r2")


class Row:
    """A row: the ends of its mean squared error and of 1 - R²."""

    def __init__(self, document: Any) -> None:
        row = known_keys("a row", document, "name", "scores")
        self.name = row.text("name", "the name of a row")
        self.scores: list[Score] = []
        self.squares: list[Interval] = []
        self.rest: Interval | None = None
        for entry in row.list_of("scores", 0, len(_KNOWN), "a row has no list of scores"):
            score = read_score(entry, "a score", self._most_of)
            self.scores.append(score)
            if score.name == "r2":
                self.rest = score.span.rest
            else:
                require(score.high >= 0, "an error is negative")
                size = score.span.within(0, None)
                self.squares.append(size if score.name == "mse" else size.square)

    def _most_of(self, name: Any) -> int | None:
        known = name in _KNOWN and all(score.name != name for score in self.scores)
        require(known, "a score is not mse, rmse or r2, or is named twice")
        return 1 if name == "r2" else None

    def __str__(self) -> str:
        return f"{self.name} ({listed(self.scores)})"


def check_shared_variance(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    proof.kind(apart="lower")
    lower = proof.chosen("lower", (0, 1), "the lower row", "the proof names a row that there is not")
    rows = [Row(document) for document in statement.list_of("rows", 2, 2, "the statement does not have two rows")]
    small, large = rows[lower], rows[1 - lower]
    require(bool(small.squares and large.squares), "a row has no error or no R²")
    most, least = min(high for _, high in small.squares), max(low for low, _ in large.squares)
    # v <= most / rest of the first row, v >= least / rest of the second
    small_rest, large_rest = (given(row.rest, "a row has no error or no R²") for row in (small, large))
    require(small_rest.low > 0, "R² of the first row may be 1, which leaves the variance open")
    require(large_rest.high > 0, "R² of the second row is 1 or more")
    require(most * large_rest.high < least * small_rest.low, "one variance may fit both rows")
    return lambda: (
        f"Proved: {rows[0]} and {rows[1]} are not on one test set where R² is 1 - mse / variance: {small.name} needs a "
        f"smaller variance of the true values than {large.name}."
    )


_MOST_CASES = 10**15
_MOST_EXACT = 6000
_LONGEST = 2000  # binary digits of a limit's denominator
_NAMES = ("value", "low", "high")


def check_interval(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    cases = statement.get("n")
    if cases is not None:
        statement.integer("n", "the number of cases", 1, _MOST_CASES)
    method = statement.word("method", ("any", "clopper-pearson"))
    require(method == "any" or cases is not None, "a method is named without the number of cases")
    level = statement.fraction("level", "the level")
    require(0 < level < 1, "the level is out of range")
    otherwise = "a claim is none of value, low and high"  # limits may leave the range of a share
    known = read_named(statement.get("claims"), _NAMES, "there are not one to three claims", otherwise, value=1)
    sizes = [end.denominator.bit_length() for printed in known.values() for end in printed.span]
    require(max(sizes) <= _LONGEST, "a claim has too many digits")
    reported = "; ".join(f"{name} {known[name]}" for name in _NAMES if name in known)
    way = proof.get("kind")
    if way == "outside":
        proof.keep_to("kind")
        order = [known[name] for name in ("low", "value", "high") if name in known]
        apart = any(span.low > other.high for at, span in enumerate(order) for other in order[at + 1 :])
        require(apart, "the value may lie within its interval")
        return lambda: f"Proved: no value that prints so lies within an interval that prints so ({reported})."
    n = given(cases if "value" in known else None, "the statement names no cases, or no value")
    first, last = known["value"].span.times(n).within(0, n).whole
    if way == "count":
        proof.keep_to("kind")
        require(first > last, "a whole number of cases prints as the value")
        return lambda: f"Proved: no x of {n} cases prints as {known['value']}."
    require(way == "tails" and method == "clopper-pearson", f"unknown kind of proof {quoted(way)}")
    proof.keep_to("kind", "from")
    require(n <= _MOST_EXACT, "there are too many cases")
    start = proof.integer("from", "the count")
    require(first <= start <= last + 1, "the count is not one that prints as the value")
    tail = (1 - level) / 2
    if start > first:
        require(_excluded(start - 1, n, known, tail, below=True), f"the limits of {start - 1} are not too small")
    patience.check()
    if start <= last:
        require(_excluded(start, n, known, tail, below=False), f"the limits of {start} are not too large")
    return lambda: f"Proved: Clopper and Pearson's limits of no x of {n} cases print as stated ({reported})."


def _excluded(x: int, n: int, known: dict[str, Printed], tail: Fraction, *, below: bool) -> bool:
    """Whether a limit of x lies below (or else above) all that is printed of it."""
    signs = []
    for name in ("low", "high"):
        if name in known:
            share = known[name].low if below else known[name].high
            # the upper limit of x right answers is what the lower limit of n - x wrong ones leaves of 1
            signs.append(_compared(x, n, share, tail) if name == "low" else -_compared(n - x, n, 1 - share, tail))
    return (-1 if below else 1) in signs


def _compared(x: int, n: int, share: Fraction, tail: Fraction) -> int:
    """-1, 0, 1 for the lower limit of x below, at, above a share."""
    if x == 0 or not 0 < share < 1:
        return (share < 0) - (share > 0) if x == 0 else 1 if share <= 0 else -1
    gap = tail - _lower(n - x, n, 1 - share)  # X >= x is at most n - x of the others
    return (gap > 0) - (gap < 0)


def _lower(x: int, n: int, share: Fraction) -> Fraction:
    """P(X <= x) or, where shorter, 1 - P(X > x): b^n (1 + r_1 (1 + r_2 (1 + ...))) over (a + b)^n by Horner's
    rule, with r_i = (n - i + 1) a / (i b), for 0 < share = a / (a + b) < 1 and x <= n."""
    if 2 * x > n:
        return 1 - _lower(n - x - 1, n, 1 - share) if x < n else Fraction(1)
    a, b = share.numerator, share.denominator - share.numerator
    top, bottom = 1, 1
    for i in range(x, 0, -1):  # 1 + r_i * top / bottom
        top, bottom = i * b * bottom + (n - i + 1) * a * top, i * b * bottom
    return Fraction(b, a + b) ** n * Fraction(top, bottom)


KINDS = {
    "value_spread": Checker(frozenset({"values", "least", "most", "fold", "spread", "claims"}), check_value_spread),
    "shared_variance": Checker(frozenset({"rows"}), check_shared_variance),
    "proportion_interval": Checker(frozenset({"n", "level", "method", "claims"}), check_interval),
}
