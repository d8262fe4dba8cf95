"""Extremes of a convex sum, and dynamic programming (Bellman 1957) fold by fold: a mean ± of bounded values.

Values between 0 and 1 with a given sum S have the largest sum of squares when all but one are 0 or 1: floor(S) ones and
the rest of S. So the squared distances from the mean add up to at most floor(S) + (S - floor(S))² - S²/k, which between
whole numbers is convex in S and largest at an end. Any smaller spread occurs, too: draw all values to their mean.

Values that are whole numbers over n cases (c_1 ... c_k) have a whole sum and a whole sum of squares. Distances from the
rounded mean are few, so all pairs of sums can be listed fold by fold, the sums of squares of each sum as the bits of a
number.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, isqrt, sqrt
from typing import Annotated, ClassVar

from scoreproof.errors import InvalidOption
from scoreproof.kinds.kind import Decision, Kind
from scoreproof.kinds.statement import Called, Entries, StatedFields, Values
from scoreproof.quantities import Quantity
from scoreproof.reported import Claim
from scoreproof.validation import chosen, whole
from scoreproof.work.budget import Budget

MEAN = Quantity("mean", "mean", range=(None, None), kind="printed")
DEVIATION = Quantity("sd", "standard deviation", range=(Fraction(0), None), kind="printed")
SPREADS = ("deviation", "error", "either")
MOST_VALUES = 100_000
MOST_CASES = 10**6


@dataclass(frozen=True, slots=True)
class ValueSpreadProblem(StatedFields):
    """The claims are the mean and what follows the ±, by name (``mean``, ``sd``).

    ``cases`` says that every value is a whole number over so many cases; then the bounds are 0 and 1. ``spread`` says
    whether the ± is a standard deviation (divided by n or n - 1), a standard error, or either of them.
    """

    kind: ClassVar[str] = "value_spread"
    claims: Annotated[tuple[Claim, ...], Entries(lambda name: MEAN if name == "mean" else DEVIATION, named=True)]
    values: int
    least: Fraction = Fraction(0)
    most: Fraction = Fraction(1)
    cases: Annotated[int | None, Called("fold")] = None
    spread: str = "deviation"

    def __post_init__(self) -> None:
        whole("k", self.values, at_least=2, at_most=MOST_VALUES)
        chosen("spread", self.spread, SPREADS)
        names = [claim.name for claim in self.claims]
        if len(set(names)) != len(names) or not set(names) <= {"mean", "sd"}:
            raise InvalidOption(f"claims: expected a mean, an sd or both; got {', '.join(names)}")
        if self.least >= self.most:
            raise InvalidOption(
                f"bounds: expected the least value below the greatest, got {self.least} and {self.most}"
            )
        if self.cases is not None:
            whole("sizes", self.cases, at_least=1, at_most=MOST_CASES)
            if self.least != 0 or self.most != 1:
                raise InvalidOption("bounds: expected 0 and 1 for shares of cases")

    def divisors(self) -> dict[str, int]:
        """By what the sum of squared distances from the mean is divided, by the name of what is printed."""
        k = self.values
        known = {"sample": k - 1, "population": k} if self.spread != "error" else {}
        return known | ({"error": k * (k - 1)} if self.spread != "deviation" else {})


MOST_STEPS = 2_000_000  # of listing sums
_MOST_COUNTS = 2_000  # sums that print as one mean
_TRIES = 400
_DIGITS = 40


def _squares(spread: Claim) -> tuple[Fraction, Fraction]:
    """Between which squares a printed spread lies; of a number below 0 there are none."""
    return max(spread.low, Fraction(0)) ** 2, spread.high**2 if spread.high >= 0 else Fraction(-1)


def mean_span(problem: ValueSpreadProblem) -> tuple[Fraction, Fraction]:
    """The means that print as the printed one and lie between the bounds."""
    mean = problem.claim("mean")
    if mean is None:
        return problem.least, problem.most
    return max(problem.least, mean.low), min(problem.most, mean.high)


def _widest(low: Fraction, high: Fraction, k: int) -> tuple[Fraction, Fraction]:
    """The sum with the largest spread for k values in [0, 1] with a mean between two, and that spread."""
    ends = (low * k, high * k)
    first, last = ceil(ends[0]), floor(ends[1])
    near = {k // 2, (k + 1) // 2} | {first, last}  # whole sums: S - S²/k is largest in the middle
    sums = {*ends, *(Fraction(s) for s in near if first <= s <= last)}
    return max(((s, squares_at(s, k)) for s in sums), key=lambda pair: pair[1])


def squares_at(total: Fraction, k: int) -> Fraction:
    """The largest sum of squared distances from the mean of k values in [0, 1] that add up to a total.

    >>> squares_at(Fraction(9, 2), 5)
    Fraction(1, 5)
    """
    ones = floor(total)
    return ones + (total - ones) ** 2 - total * total / k


def largest_deviation(problem: ValueSpreadProblem) -> float:
    """The largest standard deviation (with k - 1) of such values with such a mean."""
    low, high = mean_span(problem)
    scale = problem.most - problem.least
    squares = _widest((low - problem.least) / scale, (high - problem.least) / scale, problem.values)[1]
    return sqrt(squares / (problem.values - 1)) * float(scale)


def _root_between(low: Fraction, high: Fraction) -> Fraction | None:
    """A fraction whose square lies between two."""
    for target in (high, (low + high) / 2):
        root = Fraction(isqrt(floor(target * 100**_DIGITS)), 10**_DIGITS)
        if low <= root * root <= high:
            return root
    return None


def _drawn(problem: ValueSpreadProblem, total: Fraction, share: Fraction) -> Values:
    """Ones, a rest and zeros of this sum, drawn to their mean until so much of their distance is left."""
    ones, k = floor(total), problem.values
    raw = [Fraction(1)] * ones + ([total - ones] if ones < k else []) + [Fraction(0)] * (k - ones - 1)
    mean, scale = total / k, problem.most - problem.least
    return Values(tuple(problem.least + scale * (mean + share * (value - mean)) for value in raw))


@dataclass(frozen=True, slots=True)
class FoldSums:
    """Counts with a sum ``k middle + rest`` whose squared distances from ``middle`` lie in one of the windows."""

    middle: int
    rest: int
    windows: tuple[tuple[int, int], ...]

    @property
    def reach(self) -> int:
        """How far a count may lie from the middle."""
        return isqrt(max(last for _, last in self.windows))


def wanted_sums(problem: ValueSpreadProblem) -> Iterator[FoldSums]:
    """What the counts of equal folds must meet, for every sum that prints as the mean."""
    n, k, spread = problem.cases or 1, problem.values, problem.claim("sd")
    low, high = mean_span(problem)
    for total in range(ceil(low * k * n), floor(high * k * n) + 1):
        middle = (2 * total + k) // (2 * k)
        rest = total - k * middle
        more = Fraction(rest * rest, k)
        if spread is None:
            yield FoldSums(middle, rest, ((0, k * n * n),))
            continue
        windows, (least, most) = [], _squares(spread)
        for divisor in problem.divisors().values():
            first, last = ceil(least * divisor * n * n + more), floor(most * divisor * n * n + more)
            if first <= last:
                windows.append((first, last))
        if windows:
            yield FoldSums(middle, rest, tuple(windows))


def _of_shares(problem: ValueSpreadProblem, deadline: Budget, seed: int) -> Decision[Values]:
    n, k = problem.cases or 1, problem.values
    low, high = mean_span(problem)
    if floor(high * k * n) - ceil(low * k * n) > _MOST_COUNTS:
        return Decision(reason="so many sums print as this mean that not all are tried")
    steps, rng = 0, random.Random(seed)
    every = list(wanted_sums(problem))
    for wanted in every:
        counts = _drawn_counts(wanted, n, k, rng)
        if counts is not None:
            return Decision(Values(tuple(Fraction(count, n) for count in counts)))
    for wanted in every:
        steps += k * min(2 * wanted.reach + 1, n + 1) * min(2 * k * wanted.reach + 1, k * n)
        if steps > MOST_STEPS or deadline.passed:
            return Decision(reason="too many sums to list them all")
        counts = _listed_counts(wanted, n, k)
        if counts is not None:
            return Decision(Values(tuple(Fraction(count, n) for count in counts)))
    return Decision(proof={"kind": "lattice"})


def _drawn_counts(wanted: FoldSums, n: int, k: int, rng: random.Random) -> list[int] | None:
    """Counts that fit, if chance finds some: all but two are drawn, the last two follow from both sums."""
    for first, last in wanted.windows:
        for _ in range(_TRIES // len(wanted.windows)):
            target = rng.randint(first, last)
            typical = max(1, isqrt(max(0, target // k)))
            drawn = [rng.randint(-2 * typical, 2 * typical) for _ in range(k - 2)]
            rest, squares = wanted.rest - sum(drawn), target - sum(d * d for d in drawn)
            apart = 2 * squares - rest * rest
            root = isqrt(apart) if apart >= 0 else -1
            if root < 0 or root * root != apart or (rest + root) % 2:
                continue
            counts = [wanted.middle + d for d in (*drawn, (rest + root) // 2, (rest - root) // 2)]
            if min(counts) >= 0 and max(counts) <= n:
                return counts
    return None


def _listed_counts(wanted: FoldSums, n: int, k: int) -> list[int] | None:
    """Counts that fit, from a list of all pairs of sums; None if there are none."""
    last = max(end for _, end in wanted.windows)
    low, high = max(-wanted.reach, -wanted.middle), min(wanted.reach, n - wanted.middle)
    full = (1 << (last + 1)) - 1
    reached: list[dict[int, int]] = [{0: 1}]
    for fold in range(k):
        left, following = k - fold - 1, dict[int, int]()
        for total, bits in reached[-1].items():
            for d in range(low, high + 1):
                if wanted.rest - left * high <= total + d <= wanted.rest - left * low:
                    moved = (bits << (d * d)) & full
                    if moved:
                        following[total + d] = following.get(total + d, 0) | moved
        reached.append(following)
    bits = reached[k].get(wanted.rest, 0)
    for first, end in wanted.windows:
        inside = (bits >> first) & ((1 << (end - first + 1)) - 1)
        if inside:
            return _traced(reached, wanted, first + (inside & -inside).bit_length() - 1, (low, high))
    return None


def _traced(reached: list[dict[int, int]], wanted: FoldSums, squares: int, span: tuple[int, int]) -> list[int]:
    """Counts that lead to a pair of sums, fold by fold backwards."""
    counts, total = [], wanted.rest
    for before in reached[-2::-1]:
        step = next(
            d
            for d in range(span[0], span[1] + 1)
            if squares >= d * d and (before.get(total - d, 0) >> (squares - d * d)) & 1
        )
        counts.append(wanted.middle + step)
        total, squares = total - step, squares - step * step
    return counts


class ValueSpread(Kind[ValueSpreadProblem, Values]):
    """A mean ± a spread of bounded values."""

    name = "value_spread"
    problem_type = ValueSpreadProblem
    witness_type = Values

    def decide(self, problem: ValueSpreadProblem, *, deadline: Budget, seed: int) -> Decision[Values]:
        low, high = mean_span(problem)
        if low > high:
            return Decision(proof={"kind": "mean"})
        if problem.cases is not None:
            return _of_shares(problem, deadline, seed)
        scale = problem.most - problem.least
        total, largest = _widest((low - problem.least) / scale, (high - problem.least) / scale, problem.values)
        spread = problem.claim("sd")
        if spread is None:
            return Decision(_drawn(problem, total, Fraction(0)))
        if spread.high < 0:
            return Decision(reason=f"the spread {spread.text} is below 0")
        least, most = _squares(spread)
        possible = [(least * divisor / scale**2, most * divisor / scale**2) for divisor in problem.divisors().values()]
        fitting = [(first, last) for first, last in possible if first <= largest]
        if not fitting:
            return Decision(proof={"kind": "wide"})
        first, last = fitting[0]
        share = Fraction(0) if not largest else _root_between(first / largest, min(Fraction(1), last / largest))
        if share is None:
            return Decision(reason="no values with exactly this spread were found, and none was excluded")
        return Decision(_drawn(problem, total, share))

    def holds(self, problem: ValueSpreadProblem, witness: Values) -> bool:
        values = witness.values
        k, n = len(values), problem.cases
        if k != problem.values or not all(problem.least <= value <= problem.most for value in values):
            return False
        if n is not None and any((value * n).denominator != 1 for value in values):
            return False
        total = sum(values, Fraction(0))
        mean, spread = problem.claim("mean"), problem.claim("sd")
        if mean is not None and not mean.low * k <= total <= mean.high * k:
            return False
        squares = sum((value * value for value in values), Fraction(0)) - total * total / k
        if spread is None:
            return True
        least, most = _squares(spread)
        return any(least * d <= squares <= most * d for d in problem.divisors().values())

    def subject(self, problem: ValueSpreadProblem) -> str:
        if problem.cases is not None:
            return f"{problem.values} folds of {problem.cases:,} cases"
        return f"{problem.values} values from {problem.least} to {problem.most}"

    def because(self, problem: ValueSpreadProblem) -> str:
        low, high = mean_span(problem)
        if low > high:
            return f"the mean lies outside of {problem.least} to {problem.most}"
        if problem.cases is not None:
            return "no counts of right cases have this mean and this spread"
        return f"the largest standard deviation of values with this mean is {largest_deviation(problem):.4g}"


KIND = ValueSpread()
