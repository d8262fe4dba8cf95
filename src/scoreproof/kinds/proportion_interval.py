"""Exact binomial tails (Clopper and Pearson 1934, doi:10.1093/biomet/26.4.404): a proportion with its interval.

Three things are decided in whole numbers. An interval holds the value it is of. A proportion of n cases is x/n. And
Clopper and Pearson's limits (1934, doi:10.1093/biomet/26.4.404) are where binomial tails equal half of what the level
leaves out: the lower limit of x lies between two numbers exactly if the tail "x or more" is at most that at the one and
at least that at the other. Both limits grow with x, so one x at which they are too large and its predecessor at which
they are too small refute all.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, comb, floor
from typing import Annotated, ClassVar

from scoreproof.errors import InvalidOption
from scoreproof.kinds.kind import Decision, Kind
from scoreproof.kinds.statement import Called, Entries, StatedFields, WholeNumbers
from scoreproof.quantities import Quantity
from scoreproof.reported import Claim
from scoreproof.validation import MOST, chosen, shown, whole
from scoreproof.work.budget import Budget

PROPORTION = Quantity("proportion", "proportion", kind="printed")
LIMIT = Quantity("limit", "limit of an interval", range=(None, None), kind="printed")
METHODS = ("any", "clopper-pearson")
PARTS = ("value", "low", "high")


def quantity_of(name: str) -> Quantity:
    """What a part of the interval is a value of: limits may leave the range of proportions."""
    return PROPORTION if name == "value" else LIMIT


@dataclass(frozen=True, slots=True)
class ProportionIntervalProblem(StatedFields):
    """The claims are the value and the limits, by name; any of them may be missing, and the number of cases, too.

    ``method`` is ``clopper-pearson``, or ``any``: then nothing is asked of the limits but that the value lies between.
    """

    kind: ClassVar[str] = "proportion_interval"
    claims: Annotated[tuple[Claim, ...], Entries(quantity_of, named=True)]
    cases: Annotated[int | None, Called("n")]
    level: str = "0.95"
    method: str = "any"

    def __post_init__(self) -> None:
        names = [claim.name for claim in self.claims]
        if len(set(names)) != len(names) or not set(names) <= set(PARTS):
            raise InvalidOption(f"claims: expected some of {', '.join(PARTS)}, each once; got {', '.join(names)}")
        chosen("method", self.method, METHODS)
        if self.cases is not None:
            whole("n", self.cases, at_least=1, at_most=MOST)
        elif self.method != "any":
            raise InvalidOption("n: expected the number of cases for a named method, got none")
        try:
            level = Fraction(self.level)
        except (ValueError, ZeroDivisionError):
            level = Fraction(0)
        if not 0 < level < 1:
            raise InvalidOption(f"level: expected a number in (0, 1) such as 0.95, got {shown(self.level)}")

    @property
    def tail(self) -> Fraction:
        """What is left out on either side."""
        return (1 - Fraction(self.level)) / 2


MOST_EXACT = 6000  # cases up to which tails are computed in whole numbers


class ProportionInterval(Kind[ProportionIntervalProblem, WholeNumbers]):
    """A proportion with its interval."""

    name = "proportion_interval"
    problem_type = ProportionIntervalProblem
    witness_type = WholeNumbers

    def decide(self, problem: ProportionIntervalProblem, *, deadline: Budget, seed: int) -> Decision[WholeNumbers]:
        if _outside(problem):
            return Decision(proof={"kind": "outside"})
        if problem.cases is None:
            return Decision(reason="the number of cases is not known")
        first, last = possible_counts(problem.claim("value"), problem.cases)
        if first > last:
            return Decision(proof={"kind": "count"})
        if problem.method == "any":
            return Decision(WholeNumbers.of(x=first))
        if problem.cases > MOST_EXACT:
            return Decision(reason=f"tails of more than {MOST_EXACT:,} cases are not computed in whole numbers")
        start = _first_not_below(problem, first, last)
        if start <= last and not _above(problem, start):
            return Decision(WholeNumbers.of(x=start))
        return Decision(proof={"kind": "tails", "from": start})

    def holds(self, problem: ProportionIntervalProblem, witness: WholeNumbers) -> bool:
        if problem.cases is None or _outside(problem):
            return False
        x, (first, last) = witness["x"], possible_counts(problem.claim("value"), problem.cases)
        if not first <= x <= last:
            return False
        return problem.method == "any" or not (_below(problem, x) or _above(problem, x))

    def subject(self, problem: ProportionIntervalProblem) -> str:
        of = "a proportion" if problem.cases is None else f"a proportion of {problem.cases:,} cases"
        how = "" if problem.method == "any" else " by Clopper and Pearson's method"
        return f"{of} with its {float(Fraction(problem.level)) * 100:g}% interval{how}"

    def because(self, problem: ProportionIntervalProblem) -> str:
        if _outside(problem):
            return "the value lies outside its own interval"
        assert problem.cases is not None
        value = problem.claim("value")
        first, last = possible_counts(value, problem.cases)
        if first > last and value is not None:
            return f"no whole number of {problem.cases:,} cases gives {value.text}"
        return "no number of successes has these limits"


def possible_counts(value: Claim | None, cases: int) -> tuple[int, int]:
    """The first and the last number of successes whose share prints as the value."""
    if value is None:
        return 0, cases
    return max(0, ceil(value.low * cases)), min(cases, floor(value.high * cases))


def _outside(problem: ProportionIntervalProblem) -> bool:
    """Whether the value lies beyond a limit, or the limits are in the wrong order, however they were rounded."""
    low, value, high = (problem.claim(name) for name in ("low", "value", "high"))
    pairs = ((low, value), (value, high), (low, high))
    return any(claim is not None and other is not None and claim.low > other.high for claim, other in pairs)


def _first_not_below(problem: ProportionIntervalProblem, first: int, last: int) -> int:
    """The first count whose limits are not too small; one beyond the last if there is none."""
    from scipy import special  # takes longer to load than all kinds together

    low, high, n, tail = problem.claim("low"), problem.claim("high"), problem.cases or 0, float(problem.tail)

    def small(x: int) -> bool:  # floats may propose: the count is judged in whole numbers, here or by the verifier
        if low is not None and low.low > 0 and (x == 0 or special.betaincinv(x, n - x + 1, tail) < low.low):
            return True
        upper = float(special.betaincinv(x + 1, n - x, 1 - tail)) if x < n else 1.0
        return high is not None and upper < high.low

    return first + bisect_left(range(first, last + 1), True, key=lambda x: not small(x))


def _below(problem: ProportionIntervalProblem, x: int) -> bool:
    """Whether a limit of x successes is smaller than what was printed can stand for."""
    low, high = problem.claim("low"), problem.claim("high")
    return _limits_below(problem, x, None if low is None else low.low, None if high is None else high.low)


def _above(problem: ProportionIntervalProblem, x: int) -> bool:
    """Whether a limit of x successes is larger; successes and failures change places."""
    low, high, n = problem.claim("low"), problem.claim("high"), problem.cases or 0
    return _limits_below(problem, n - x, None if high is None else 1 - high.high, None if low is None else 1 - low.high)


def _limits_below(problem: ProportionIntervalProblem, x: int, low: Fraction | None, high: Fraction | None) -> bool:
    """Whether the share at which x or more of n have the probability ``tail`` lies below ``low``, or x or fewer."""
    n, tail = problem.cases or 0, problem.tail
    if low is not None and low > 0 and at_least(x, n, low) > tail:
        return True
    return high is not None and (high > 1 or 1 - at_least(x + 1, n, high) < tail)


def at_least(x: int, n: int, share: Fraction) -> Fraction:
    """The probability of x or more successes in n trials, in whole numbers.

    >>> at_least(2, 3, Fraction(1, 2))
    Fraction(1, 2)
    """
    if not 0 < x <= n or not 0 < share < 1:
        return Fraction(x <= 0 or (x <= n and share >= 1))
    a, whole = share.as_integer_ratio()
    b = whole - a
    upper = n - x < x  # the shorter side is summed
    k, stop = (x, n) if upper else (0, x - 1)
    term, total = comb(n, k) * a**k * b ** (n - k), 0
    while k <= stop:
        total += term
        term = term * (n - k) * a // ((k + 1) * b)
        k += 1
    return Fraction(total if upper else whole**n - total, whole**n)


KIND = ProportionInterval()
