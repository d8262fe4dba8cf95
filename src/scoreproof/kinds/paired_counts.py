"""Bisection over discordant pairs (McNemar 1947, doi:10.1007/BF02295996): two rates on the same cases and a p-value.

Of n cases the first method gets A right, the second B; b are those only the first gets right, c those only the second.
Then b - c = A - B = D, and b lies between max(0, D) and min(A, n - B): the overlap of the two may be anything between.
Over two classes both add up. At a fixed D every p-value is monotone in b (Fagerland and others 2013,
doi:10.1186/1471-2288-13-91, have the methods): it rises, except that of a one-sided test at D = 0, which falls; and
b = c = 0 always has p = 1. So for each D one b splits those with too small a p from those with too large a one, or a
fitting one is found. A rate exactly one unit of its last digit away is not printed so by any rule; counts are read
accordingly.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import comb, erfc, sqrt
from typing import Annotated, ClassVar, TypeVar

from scoreproof.errors import InvalidOption, NotCovered
from scoreproof.kinds.kind import Decision, Kind
from scoreproof.kinds.reported_test import chi2_tail
from scoreproof.kinds.statement import Entries, StatedFields, WholeNumbers
from scoreproof.quantities import Quantity
from scoreproof.reported import Claim
from scoreproof.reported.printed_text import PrintedP
from scoreproof.validation import chosen, whole
from scoreproof.work.budget import Budget, OutOfTime

RATE = Quantity("rate", "rate", kind="printed")
Number = TypeVar("Number", float, Fraction)
METHODS = ("exact", "exact, one-sided", "mid-p", "chi2", "chi2-corrected", "chi2-corrected-always")
MOST_CASES = 10**9


@dataclass(frozen=True, slots=True)
class RatePair(StatedFields):
    """The rates of two methods on the same cases (of one class, or of all); None where nothing is said."""

    cases: int
    first: Annotated[Claim | None, Entries(RATE, named=True)]
    second: Annotated[Claim | None, Entries(RATE, named=True)]


@dataclass(frozen=True, slots=True)
class PairedCountsProblem(StatedFields):
    """Rates of the cases, or of each class of them, and the p-value of McNemar's test by one of several methods."""

    kind: ClassVar[str] = "paired_counts"
    pairs: tuple[RatePair, ...]
    p: PrintedP | None
    methods: tuple[str, ...] = METHODS

    def __post_init__(self) -> None:
        if not 1 <= len(self.pairs) <= 2:
            raise InvalidOption(f"pairs: expected the rates of all cases, or of two classes; got {len(self.pairs)}")
        for pair in self.pairs:
            whole("n", pair.cases, at_least=1, at_most=MOST_CASES)
        if not self.methods or len(set(self.methods)) != len(self.methods):
            raise InvalidOption(f"methods: expected some of {', '.join(METHODS)}, each once")
        for method in self.methods:
            chosen("method", method, METHODS)

    @property
    def claims(self) -> tuple[Claim, ...]:
        rates = tuple(claim for pair in self.pairs for claim in (pair.first, pair.second) if claim is not None)
        return rates if self.p is None else (*rates, self.p.claim)

    def with_claims(self, claims: Iterable[Claim]) -> PairedCountsProblem:
        named = {claim.name: claim for claim in claims}

        def again(claim: Claim | None) -> Claim | None:
            return None if claim is None else named.get(claim.name)

        p = None if self.p is None or "p" not in named else replace(self.p, claim=named["p"])
        pairs = tuple(replace(pair, first=again(pair.first), second=again(pair.second)) for pair in self.pairs)
        return replace(self, pairs=pairs, p=p)


MOST_COUNTS = 300  # that a rate may stand for, in what is decided exactly
MOST_DISCORDANT = 3000
HALVED = {"mid-p"}  # at D = 0 some count half of what was seen and some give p = 1
FALLING = {"exact, one-sided"}  # whose p falls with b at D = 0


@dataclass(frozen=True, slots=True)
class Discordant:
    """At a difference b - c = ``difference``: b from ``fewest`` to ``most``."""

    difference: int
    fewest: int
    most: int


def counts_of(claim: Claim | None, cases: int) -> range:
    """The numbers of right answers whose share prints as a rate."""
    if claim is None:
        return range(cases + 1)
    first, last = -((-claim.low * cases) // 1), (claim.high * cases) // 1
    unit = None if claim.eps is not None else Fraction(1, claim.number.scale)  # a stated distance includes its ends
    if claim.low * cases == first and claim.number.value - claim.low == unit:
        first += 1
    if claim.high * cases == last and claim.high - claim.number.value == unit:
        last -= 1
    return range(max(0, int(first)), min(cases, int(last)) + 1)


def discordant(problem: PairedCountsProblem) -> list[Discordant]:
    """Every difference that the rates allow, with the b it allows; over two classes a hull of them."""
    parts = [_of_pair(pair) for pair in problem.pairs]
    if len(parts) == 1:
        return parts[0]
    together: dict[int, Discordant] = {}
    for lead in parts[0]:
        for other in parts[1]:
            d, few, most = lead.difference + other.difference, lead.fewest + other.fewest, lead.most + other.most
            known = together.get(d, Discordant(d, few, most))
            together[d] = Discordant(d, min(few, known.fewest), max(most, known.most))
    return [together[d] for d in sorted(together)]


def _of_pair(pair: RatePair) -> list[Discordant]:
    first, second = counts_of(pair.first, pair.cases), counts_of(pair.second, pair.cases)
    if len(first) > MOST_COUNTS or len(second) > MOST_COUNTS:
        raise NotCovered(f"a rate stands for more than {MOST_COUNTS} counts: too many to decide exactly")
    pairs = []
    for d in range(first.start - second.stop + 1, first.stop - second.start) if first and second else ():
        rights, middle = _rights(pair, d), (pair.cases + d) // 2  # min(A, n - A + d) is largest there
        near = (min(max(a, rights[0]), rights[-1]) for a in (middle, middle + 1))
        pairs.append(Discordant(d, max(0, d), max(min(a, pair.cases - a + d) for a in near)))
    return pairs


def p_bounds(method: str, b: int, c: int) -> tuple[Fraction, Fraction]:
    """Between which fractions the p-value of b against c lies; equal where it is a fraction.

    >>> p_bounds("exact", 5, 0), p_bounds("mid-p", 0, 5)[0]
    ((Fraction(1, 16), Fraction(1, 16)), Fraction(1, 32))
    """
    if b + c == 0:
        return Fraction(1), Fraction(1)
    if method.startswith("chi2"):
        return chi2_tail(_chi2(method, b, c), 1)
    tail, seen = _coin(min(b, c), b + c)
    p = _of_coin(method, b == c, tail, seen)
    return p, p


def _chi2(method: str, b: int, c: int) -> Fraction:
    off = method != "chi2" and (b != c or method == "chi2-corrected-always")
    return Fraction((abs(b - c) - off) ** 2, b + c)


@lru_cache(maxsize=4096)
def _coin(less: int, tosses: int) -> tuple[Fraction, Fraction]:
    """The probabilities that a fair coin shows at most, and exactly, so many heads."""
    tail = sum(comb(tosses, k) for k in range(less + 1))
    return Fraction(tail, 2**tosses), Fraction(comb(tosses, less), 2**tosses)


def _of_coin(method: str, tied: bool, tail: Number, seen: Number) -> Number:
    """The tail up to the smaller count, twice it, or twice it without half of what was seen on either side."""
    if method == "exact, one-sided":
        return tail
    off = seen if method == "mid-p" else 0 * seen
    return 1 - off / 2 if tied else 2 * tail - off


def fitting(
    problem: PairedCountsProblem, every: Sequence[Discordant], method: str, deadline: Budget
) -> Iterator[tuple[Discordant, int, bool]]:
    """For each difference the b that splits: the first that is not too small, and whether it fits."""
    assert problem.p is not None
    low, high = problem.p.low, problem.p.high
    for allowed in every:
        deadline.tick()
        start, end = allowed.fewest, allowed.most + 1
        if 2 * (start if problem.p.relation == "<" else end) - allowed.difference > MOST_DISCORDANT:
            raise NotCovered(f"the two may differ on more than {MOST_DISCORDANT:,} cases: too many for exact tails")
        if allowed.difference == 0 and high >= 1 and (start == 0 or method in HALVED):
            yield allowed, start, True
            continue
        start += allowed.difference == 0 and start == 0
        split = _split(method, allowed.difference, start, end, float(low), float(high))
        inside = split < end and low <= _about(method, split, split - allowed.difference) <= high
        yield allowed, split, inside


@lru_cache(maxsize=65536)
def _about(method: str, b: int, c: int) -> float:
    """The p-value as floats have it, for b + c > 0."""
    from scipy import special  # takes longer to load than all kinds together

    n, less = b + c, min(b, c)
    if method.startswith("chi2"):
        return erfc(sqrt(_chi2(method, b, c) / 2))
    tail = float(special.bdtr(less, n, 0.5))
    seen = tail - float(special.bdtr(less - 1, n, 0.5)) if less else tail
    return min(1.0, _of_coin(method, b == c, tail, seen))


def _split(method: str, d: int, start: int, end: int, low: float, high: float) -> int:
    """The first b from ``start`` on whose p is not too small (where p falls: not too large), as floats have it.

    Floats may propose here: the b that is found is judged in fractions, as a witness or by the verifier.
    """

    def early(b: int) -> bool:
        p = _about(method, b, b - d)
        return p > high if d == 0 and method in FALLING else p < low

    if start >= end or not early(start):  # floats of equal p differ: the ends are asked first
        return start
    return end if early(end - 1) else start + bisect_left(range(start, end), True, key=lambda b: not early(b))


_LETTERS = ("", "2")  # of the counts of the second class


class PairedCounts(Kind[PairedCountsProblem, WholeNumbers]):
    """Two rates on the same cases and the p-value of McNemar's test."""

    name = "paired_counts"
    problem_type = PairedCountsProblem
    witness_type = WholeNumbers

    def decide(self, problem: PairedCountsProblem, *, deadline: Budget, seed: int) -> Decision[WholeNumbers]:
        try:
            allowed = discordant(problem)
            if not allowed:
                return Decision(proof={"kind": "counts"})
            if problem.p is None:
                return Decision(_counts(problem, allowed[0], allowed[0].fewest))
            return _cut(problem, allowed, deadline)
        except NotCovered as why:
            return Decision(reason=str(why))
        except OutOfTime:
            return Decision(reason="not all differences were tried in the time allowed")

    def holds(self, problem: PairedCountsProblem, witness: WholeNumbers) -> bool:
        b = c = 0
        for pair, letter in zip(problem.pairs, _LETTERS, strict=False):
            right, other, only = (witness[f"{name}{letter}"] for name in ("first", "second", "b"))
            if right not in counts_of(pair.first, pair.cases) or other not in counts_of(pair.second, pair.cases):
                return False
            if not max(0, right - other) <= only <= min(right, pair.cases - other):
                return False
            b, c = b + only, c + only - (right - other)
        if problem.p is None:
            return True
        if b == c and problem.p.high >= 1 and HALVED.intersection(problem.methods):
            return True
        bounds = (
            p_bounds(method, b, c) for method in problem.methods
        )  # of less than 1e-20, which may reach over an end
        return any(high >= problem.p.low and low <= problem.p.high for low, high in bounds)

    def subject(self, problem: PairedCountsProblem) -> str:
        cases = sum(pair.cases for pair in problem.pairs)
        methods = "any method" if set(problem.methods) == set(METHODS) else " or ".join(problem.methods)
        bound = problem.p.as_bound if problem.p else ""
        return f"two methods on the same {cases:,} cases and McNemar's test ({methods}){bound}"

    def because(self, problem: PairedCountsProblem) -> str:
        allowed = discordant(problem)
        if not allowed:
            return "no numbers of cases print as the two rates"
        low, high = allowed[0].difference, allowed[-1].difference
        between = f"{low}" if low == high else f"{low} to {high}"
        return f"the two differ by {between} cases, whatever their overlap no such p-value comes of it"


def _cut(problem: PairedCountsProblem, allowed: Sequence[Discordant], deadline: Budget) -> Decision[WholeNumbers]:
    """The first counts that fit, or for each method and difference the b that splits."""
    cuts: dict[str, list[int]] = {}
    open_ended = False
    for method in problem.methods:
        cuts[method] = []
        for difference, split, fits in fitting(problem, allowed, method, deadline):
            if fits:
                witness = _counts(problem, difference, split)
                if witness is not None:
                    return Decision(witness)
                open_ended = True
            cuts[method].append(split)
    if open_ended:
        return Decision(reason="the differences of the two classes leave it open")
    return Decision(proof={"kind": "cuts", "cuts": cuts})


def _counts(problem: PairedCountsProblem, wanted: Discordant, b: int) -> WholeNumbers | None:
    """Right answers of both methods, class by class, with this difference and this b; None if none were found."""
    if len(problem.pairs) == 1:
        pair = problem.pairs[0]
        for right in _rights(pair, wanted.difference):
            if b <= min(right, pair.cases - right + wanted.difference):
                return WholeNumbers.of(first=right, second=right - wanted.difference, b=b)
        return None
    lead, other = problem.pairs
    for first in counts_of(lead.first, lead.cases):
        for second in counts_of(lead.second, lead.cases):
            rest = wanted.difference - (first - second)
            for right in _rights(other, rest):
                low, high = max(0, first - second), min(first, lead.cases - second)
                low2, high2 = max(0, rest), min(right, other.cases - right + rest)
                if low + low2 <= b <= high + high2:
                    b1 = min(high, b - low2)
                    return WholeNumbers.of(
                        first=first, second=second, b=b1, first2=right, second2=right - rest, b2=b - b1
                    )
    return None


def _rights(pair: RatePair, difference: int) -> range:
    """The right answers of the first that leave the second a count that prints as its rate; in the middle the best."""
    first, second = counts_of(pair.first, pair.cases), counts_of(pair.second, pair.cases)
    return range(max(first.start, second.start + difference), min(first.stop, second.stop + difference))


KIND = PairedCounts()
