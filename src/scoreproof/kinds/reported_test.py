"""Tails of t, χ² and F as series (Abramowitz and Stegun 1964, 6.5.29 and 26.5.4): a statistic and its p-value.

Tails are monotone in the statistic, so the ends of what it can stand for give the ends of p: of t, z and r on two
sides, on one, or on the other one; of F and χ² the upper tail, of F also both (the test of two variances), and half of
it where there is one degree of freedom, so that the statistic is a square. The tail of t falls and that of χ² rises
with the degrees of freedom; that of F is bounded by the ratio of a larger to a smaller χ² where they are not whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import Annotated, ClassVar

from scoreproof.errors import InvalidOption
from scoreproof.kinds.kind import Decision, Kind
from scoreproof.kinds.statement import SIDES, Entries, StatisticAndP, Values
from scoreproof.quantities import Quantity
from scoreproof.reported import Claim
from scoreproof.reported.printed_text import PrintedP
from scoreproof.validation import chosen, shown, whole
from scoreproof.work.budget import Budget

STATISTIC = Quantity("statistic", "test statistic", range=(None, None), kind="printed")
FREEDOM = {"z": 0, "t": 1, "r": 1, "chi2": 1, "F": 2}  # how many degrees of freedom each test has
TESTS = tuple(FREEDOM)
MOST_FREEDOM = 10**9

Span = tuple[int, int]  # whole numbers between which degrees of freedom lie
NAMES = {"two": "two-sided", "one": "one-sided", "other": "one-sided, other direction", "upper": "upper tail"}
MOST = 2000  # degrees of freedom whose tails are computed, as by the verifier
ERROR = Fraction(1, 10**60)
_FAR = 4000  # of χ²: beyond it tails are those there, or smaller
_CONTEXT = Context(prec=90, rounding=ROUND_HALF_EVEN, Emin=-(10**9), Emax=10**9)
_PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534212")
_ONE, _SMALL = Decimal(1), Decimal("1e-90")

Ends = tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class ReportedTestProblem(StatisticAndP):
    """A statistic (or a bound on its size) with its p-value, either of which may be missing.

    Degrees of freedom that are no whole numbers, as Welch's, are given by whole numbers on either side.
    """

    kind: ClassVar[str] = "reported_test"
    test: str
    df: tuple[Span, ...]
    statistic: Annotated[Claim | None, Entries(STATISTIC)]
    p: PrintedP | None
    relation: str = "="
    sides: str = "any"

    def __post_init__(self) -> None:
        chosen("test", self.test, TESTS)
        chosen("sides", self.sides, SIDES)
        chosen("relation", self.relation, ("=", "<", ">"))
        if len(self.df) != FREEDOM[self.test]:
            raise InvalidOption(
                f"df: expected {FREEDOM[self.test]} degrees of freedom for {self.test}, got {shown(self.df)}"
            )
        for low, high in self.df:
            whole("df", low, at_least=0, at_most=MOST_FREEDOM)
            whole("df", high, at_least=max(1, low), at_most=MOST_FREEDOM)


class ReportedTest(Kind[ReportedTestProblem, Values]):
    """A statistic and its p-value."""

    name = "reported_test"
    problem_type = ReportedTestProblem
    witness_type = Values

    def decide(self, problem: ReportedTestProblem, *, deadline: Budget, seed: int) -> Decision[Values]:
        near, far = sizes(problem)
        if out_of_range(problem):
            return Decision(proof={"kind": "range"})
        if problem.p is None:
            return Decision(Values((near,)))
        if too_many(problem):
            return Decision(reason="tails of so many degrees of freedom are not computed")
        ranges = p_ranges(problem, near, far)
        if all(high < problem.p.low or low > problem.p.high for low, high in ranges.values()):
            return Decision(proof={"kind": "tails"})
        return self._witness(problem, near, far)

    def _witness(self, problem: ReportedTestProblem, near: Fraction, far: Fraction | None) -> Decision[Values]:
        """A size of the statistic that has the p-value: p is monotone in it, so it is found by halving."""
        high = far if far is not None else max(near, Fraction(1)) * 10**6
        for name in p_ranges(problem, near, far):
            low, top = near, high
            for _ in range(80):
                for size in (low, top):
                    if self.holds(problem, Values((size,))):
                        return Decision(Values((size,)))
                middle = ((low + top) / 2).limit_denominator(10**12)
                own = p_ranges(problem, middle, middle)[name]
                assert problem.p is not None
                above = own[0] > problem.p.high  # p falls with the size, but on the other side
                low, top = (middle, top) if above is (name != "other") else (low, middle)
                if low >= top:
                    break
        return Decision(reason="the p-value lies at the edge of what its digits stand for")

    def holds(self, problem: ReportedTestProblem, witness: Values) -> bool:
        if out_of_range(problem) or len(witness.values) != 1:
            return False
        (size,), (near, far) = witness.values, sizes(problem)
        if size < near or (far is not None and size > far):
            return False
        if problem.p is None:
            return True
        if too_many(problem):
            return False
        ranges = p_ranges(problem, size, size, inner=True)
        return any(problem.p.low <= low and high <= problem.p.high for low, high in ranges.values())

    def subject(self, problem: ReportedTestProblem) -> str:
        return (
            f"a {SIDES[problem.sides]}{problem.test} test{_freedom(problem)}{problem.p.as_bound if problem.p else ''}"
        )

    def because(self, problem: ReportedTestProblem) -> str:
        if out_of_range(problem):
            return "no correlation exceeds 1" if problem.test == "r" else f"{problem.test} is not negative"
        ranges = p_ranges(problem, *sizes(problem))
        return "; ".join(
            f"{NAMES[name]} p {_between_in_words(*ends)}" for name, ends in ranges.items() if name != "other"
        )


def _freedom(problem: ReportedTestProblem) -> str:
    shown = [str(low) if low == high else f"{low} to {high}" for low, high in problem.df]
    return f" with {' and '.join(shown)} degrees of freedom" if shown else ""


def _between_in_words(low: Fraction, high: Fraction) -> str:
    first, last = f"{float(low):.3g}", f"{float(high):.3g}"
    return f"is {first}" if first == last else f"lies between {first} and {last}"


def sizes(problem: ReportedTestProblem) -> tuple[Fraction, Fraction | None]:
    """The least and the greatest absolute value that the statistic can stand for; None where there is no greatest."""
    claim, greatest = problem.statistic, Fraction(1) if problem.test == "r" else None
    if claim is None:
        return Fraction(0), greatest
    value = claim.number.value
    if problem.relation == "<" and value > 0:
        return Fraction(0), value
    if problem.relation != "=":  # t < -4 is a size above 4, t > -4 is any size
        return -value if problem.relation == "<" else max(value, Fraction(0)), greatest
    ends = sorted((abs(claim.low), abs(claim.high)))
    near = Fraction(0) if claim.low <= 0 <= claim.high else ends[0]
    if problem.test in ("F", "chi2"):
        return max(claim.low, Fraction(0)), claim.high
    return near, min(ends[1], Fraction(1)) if problem.test == "r" else ends[1]


def out_of_range(problem: ReportedTestProblem) -> bool:
    """Whether no such statistic can have this value: a negative F or χ², a correlation beyond 1."""
    near, far = sizes(problem)
    return (far is not None and far < 0) or (problem.test == "r" and near > 1)


def too_many(problem: ReportedTestProblem) -> bool:
    """Whether tails are not computed; those of t and r, and of F with one degree, lie between others."""
    if problem.test == "chi2":
        return problem.df[0][1] > MOST
    return problem.test == "F" and problem.df[0] != (1, 1) and sum(high for _, high in problem.df) > 2 * MOST


def p_ranges(
    problem: ReportedTestProblem, near: Fraction, far: Fraction | None, *, inner: bool = False
) -> dict[str, Ends]:
    """By side the fractions between which p lies for sizes from ``near`` to ``far``; of ``inner`` ones df are known.

    Where a witness is judged, any of the degrees of freedom will do: the lower ends are taken.
    """
    df = tuple((max(low, 1), max(low, 1)) if inner else (low, high) for low, high in problem.df)
    lowest = Fraction(0) if far is None else _tail(problem.test, far, df)[0]
    highest = _tail(problem.test, near, df)[1]
    if problem.test in ("F", "chi2"):
        ends_by_side = {"upper": (lowest, highest)}
        if problem.test == "F" and problem.sides != "one":
            ends = [2 * min(end, 1 - end) for end in (lowest, highest)]
            crosses = 2 * lowest <= 1 <= 2 * highest
            ends_by_side["two"] = (min(ends), Fraction(1) if crosses else max(ends))
        if problem.df[0][0] <= 1 and problem.sides != "two":
            ends_by_side["one"] = (lowest / 2, highest / 2)
        return ends_by_side
    both = {"two": (lowest, highest), "one": (lowest / 2, highest / 2), "other": (1 - highest / 2, 1 - lowest / 2)}
    return both if problem.sides == "any" else {n: both[n] for n in both if (n == "two") is (problem.sides == "two")}


def _tail(test: str, size: Fraction, df: tuple[tuple[int, int], ...]) -> Ends:
    """The least and the greatest tail beyond a size, on both sides for t, z and r, over the degrees of freedom."""
    square = size * size
    if test == "z":
        return chi2_tail(square, 1)
    if test == "chi2":
        low, high = df[0]
        return chi2_tail(size, low)[0] if low else Fraction(0), chi2_tail(size, high)[1]
    if test == "F" and df[0] == (1, 1):
        return _t_tail(size, *df[1], scaled=False)
    if test == "F":
        (m1, m2), (k1, k2) = df
        least = ratio_tail(size * m2 / k1, m1, k2)[0] if m1 and k1 else Fraction(0)
        return least, ratio_tail(size * m1 / k2, m2, k1)[1] if k1 else Fraction(1)
    if test == "r":
        if square >= 1:
            return Fraction(0), Fraction(0)
        return _t_tail(square / (1 - square), *df[0], scaled=True)
    return _t_tail(square, *df[0], scaled=False)


def _t_tail(square: Fraction, low: int, high: int, *, scaled: bool) -> Ends:
    """The two-sided tail of t at t² = square, or square times the degrees of freedom; it falls with them."""
    least = (
        ratio_tail(square if scaled else square / high, 1, high)[0]
        if high <= MOST
        else chi2_tail(square * high if scaled else square, 1)[0]
    )
    few = min(low, MOST)
    if not few:
        return least, Fraction(1)
    return least, ratio_tail(square * Fraction(low, few) if scaled else square / few, 1, few)[1]


# Tails, with their error, as sums of positive terms in decimals of 90 digits.
#
# P(χ²_m / χ²_k > c) is the incomplete beta function I_x(k/2, m/2) at x = 1/(1 + c), P(χ²_k > x) the incomplete gamma
# function Q(k/2, x/2). I_x(a, b) and P(a, z) = 1 - Q(a, z) are a first term times 1 + r_1 + r_1 r_2 + ... (Abramowitz
# and Stegun 1964, 6.5.29 and 26.5.4) with r_n = x (a + b + n - 1) / (a + n), and z / (a + n). For x of at most 1/2
# (otherwise 1 - I_1-x(b, a) is added up) the r_n stay below 3/4 from some n on, so that all terms after one are less
# than three times it. Every operation is rounded to 90 digits, so that after fewer than 10^5 of them less than 10^-60
# is lost.


@lru_cache(maxsize=4096)
def ratio_tail(c: Fraction, m: int, k: int) -> Ends:
    """Fractions between which P(χ²_m / χ²_k > c) lies.

    >>> round(float(ratio_tail(Fraction(484, 2800), 1, 28)[0]), 4)  # t(28) = 2.20
    0.0362
    """
    if c <= 0:
        return Fraction(1), Fraction(1)
    if c < 1:  # the other tail is the smaller sum
        low, high = ratio_tail(1 / c, k, m)
        return 1 - high, 1 - low
    with localcontext(_CONTEXT):
        odds = Decimal(c.numerator) / Decimal(c.denominator)
        x, y = 1 / (1 + odds), odds / (1 + odds)
        first = (x**k * y**m).sqrt() * _gamma(k + m) / (_gamma(k + 2) * _gamma(m))
        return _around(_series(first, x, Decimal(k + m) / 2, Decimal(k) / 2))


@lru_cache(maxsize=4096)
def chi2_tail(x: Fraction, k: int) -> Ends:
    """Fractions between which P(χ²_k > x) lies.

    >>> round(float(chi2_tail(Fraction(15508, 1000), 5)[0]), 6)
    0.008399
    """
    if x <= 0:
        return Fraction(1), Fraction(1)
    if x > _FAR:
        return Fraction(0), chi2_tail(Fraction(_FAR), k)[1]
    with localcontext(_CONTEXT):
        z = Decimal(x.numerator) / Decimal(2 * x.denominator)
        first = (z**k).sqrt() * (-z).exp() / _gamma(k + 2)
        return _around(1 - _series(first, z, None, Decimal(k) / 2))


def _series(term: Decimal, x: Decimal, above: Decimal | None, below: Decimal) -> Decimal:
    """A first term times 1 + r_1 + r_1 r_2 + ..., where r_n = x (above + n - 1) / (below + n), or x / (below + n)."""
    total, n, ratio = term, 0, Decimal(1)
    while term > total * _SMALL or ratio > Decimal("0.75"):
        n += 1
        ratio = (x if above is None else x * (above + n - 1)) / (below + n)
        term *= ratio
        total += term
    return total


def _gamma(twice: int) -> Decimal:
    """Γ(twice/2) as a product of halves."""
    return prod((Decimal(half) / 2 for half in range(2 - twice % 2, twice, 2)), start=_PI.sqrt() if twice % 2 else _ONE)


def _around(value: Decimal) -> Ends:
    exact = Fraction(value)
    return max(Fraction(0), exact - ERROR), min(Fraction(1), exact + ERROR)


KIND = ReportedTest()
