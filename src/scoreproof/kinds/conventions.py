"""The registry of conventions: what authors and programs do without saying so, as data (``conventions.toml``).

An entry has a name, a sentence that reads after "fits only if", who computes so and how that was confirmed, the kinds
and quantities it is about, how common it is, and the change it makes of a problem: a function of ``kinds`` that gives
the problems (``Variant``) the report stands for under it. ``check`` tries the common and occasional ones before it
calls a report impossible; ``explain`` tries all; the page of conventions in the documentation is made from it.

The changes that serve several kinds stand here: another ±, claims left out, values widened, F1 of means. A claim that
a convention defines in a way no engine tests is left out, which admits more than the convention does; what is found
then says of the other claims that they fit.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from functools import cache, partial
from importlib import import_module
from importlib.resources import files
from itertools import takewhile
from math import ceil, floor, isqrt
from typing import Any

from scoreproof.kinds.binary.experiment import sums_matrices
from scoreproof.kinds.kind import Problem, Variant
from scoreproof.reported import Claim
from scoreproof.reported.claim import alone, spread_interval
from scoreproof.reported.conventions import USUAL, Conventions, Spread
from scoreproof.reported.number import Printed


class Frequency(StrEnum):
    """How common a convention is where nothing is said.

    ``common`` is the default of a usual program, or usual in a field; ``occasional`` is met, and not always said;
    ``rare`` is nearly always said where it is done, or would excuse almost any report: it is not admitted unasked.
    """

    COMMON = "common"
    OCCASIONAL = "occasional"
    RARE = "rare"


@dataclass(frozen=True, slots=True)
class Convention:
    """One way to compute what is printed; see the module for its parts.

    ``settled_by`` are the fields of ``Conventions`` that leave no choice once they are stated; ``quantities`` are those
    of which at least one must be claimed (any if there are none); ``note`` says what is lost by admitting it, or why it
    is called rare.
    """

    name: str
    label: str
    kinds: tuple[str, ...]
    frequency: Frequency
    by: str
    confirmed: str
    change: str
    arguments: Mapping[str, Any] = field(default_factory=dict, hash=False)
    quantities: tuple[str, ...] = ()
    settled_by: tuple[str, ...] = ()
    note: str = ""

    def concerns(self, problem: Problem, how: Conventions = USUAL) -> bool:
        """Whether it changes something that may be said of a problem, given what was stated."""
        own = problem.kind in self.kinds or (problem.kind == "curve" and "binary" in self.kinds)
        if not self.change or not own or any(name in self.settled_by for name in how.stated):
            return False
        return not self.quantities or any(claim.quantity.name in self.quantities for claim in problem.claims)

    def variants(self, problem: Problem) -> Iterable[Variant[Any]]:
        """The problems that the report stands for if it was computed so; none where it changes nothing."""
        change = partial(_function(self.change), **self.arguments)
        if problem.kind in self.kinds:
            variants: Iterable[Variant[Any]] = change(problem)
            return variants
        from scoreproof.kinds.curve.kind import beside

        return beside(problem, change)  # type: ignore[arg-type]


@cache
def _function(change: str) -> Any:
    module, _, name = change.partition(":")
    return getattr(import_module(f"scoreproof.kinds.{module}"), name)


@cache
def registry() -> tuple[Convention, ...]:
    """Every convention, in the order in which they are tried.

    >>> registry()[0].name, str(registry()[0].frequency)
    ('classes exchanged', 'common')
    """
    text = files("scoreproof.kinds").joinpath("conventions.toml").read_text(encoding="utf-8")
    return tuple(map(_entry, tomllib.loads(text)["convention"]))


def _entry(told: Mapping[str, Any]) -> Convention:
    listed = {name: tuple(told[name]) for name in ("kinds", "quantities", "settled_by") if name in told}
    return Convention(**{**told, **listed, "frequency": Frequency(told["frequency"])})


def conventions_of(problem: Problem, how: Conventions = USUAL, *, rare: bool = False) -> Iterator[Convention]:
    """The conventions that a problem may silently follow, given what was stated; rare ones only if asked for."""
    for convention in registry():
        if (rare or convention.frequency is not Frequency.RARE) and convention.concerns(problem, how):
            yield convention


Variants = Iterator[Variant[Any]]
_LEVEL = 0.975  # of a two-sided interval of 95 %
_FINE = 10**6  # parts in which a quantile is rounded, as tables have it
_HALF_BITS, _HALF_REACH, _HALF_DIGITS = 11, Fraction(1, 1000), 4
_ENOUGH = 3  # values that are no prints of half-precision numbers by chance


def between(claim: Claim, low: Fraction, high: Fraction) -> Claim:
    """The claim with other ends, whatever its text says."""
    middle = (low + high) / 2
    number = Printed(middle.numerator, middle.denominator)
    return replace(claim, number=number, low=low, high=high, rounding=None, eps=(high - low) / 2)


def claim_of(problem: Problem, name: str) -> Claim | None:
    """The claim about a quantity."""
    return next((claim for claim in problem.claims if claim.quantity.name == name), None)


def with_claim(problem: Any, old: Claim, new: Claim | None) -> Any:
    """The problem with one claim changed, or without it."""
    kept = (new if claim is old else claim for claim in problem.claims)
    return problem.with_claims(claim for claim in kept if claim is not None)


def without(problem: Any, dropped: Sequence[Claim]) -> Variants:
    """The rest of a report, or that nothing of it is left to test."""
    rest = [claim for claim in problem.claims if not any(claim is other for other in dropped)]
    if dropped:
        label = f"{', '.join(map(str, dropped))} {'is' if len(dropped) == 1 else 'are'} not tested then"
        yield Variant(label, problem.with_claims(rest) if rest else None, untested=not rest)


def nothing_left(problem: Any) -> Variants:
    """Any such report may have come about so."""
    yield Variant("", None, untested=True)


def parts_of(problem: Any) -> int | None:
    """Over how many values a ± was taken, where that is known."""
    stated = getattr(problem, "experiment", problem)
    for name in ("k", "folds", "parts", "values"):
        value = getattr(stated, name, None)
        number = len(value) if isinstance(value, tuple) else value
        if isinstance(number, int):
            return number * int(getattr(stated, "repeats", 1))
    return None


def multiple_of(factor: str, parts: int | None) -> Fraction | None:
    """How many standard deviations (or errors) a ± is; "t" is the quantile of Student's distribution."""
    if factor != "t":
        return Fraction(factor)
    if parts is None or parts < 2:
        return None
    from scipy.special import stdtrit

    return Fraction(round(float(stdtrit(parts - 1, _LEVEL)) * _FINE), _FINE)


def spread(problem: Any, of: str, factor: str = "1") -> Variants:
    """What follows a ± is a multiple of a standard deviation or error, or something that is not tested."""
    if problem.kind == "value_spread":
        yield from _spread_of_values(problem, of, factor)
        return
    if all(claim.spread is None for claim in problem.claims):
        return
    parts = parts_of(problem)
    multiple = multiple_of(factor, parts)
    if multiple is None or (of == "error" and parts is None):
        return
    claims = [claim if claim.spread is None else _divided(claim, multiple) for claim in problem.claims]
    chosen, changed = Spread(of), problem.with_claims(claims)
    averages = getattr(changed, "with_averages", None)
    words = "it is not tested then" if chosen is Spread.IGNORE else ""
    yield Variant(words, replace(changed, spread=chosen) if averages is None else averages(spread=chosen))


def _divided(claim: Claim, multiple: Fraction) -> Claim:
    if multiple == 1:
        return claim
    low, high = (end / multiple for end in spread_interval(claim))
    middle = (low + high) / 2
    return replace(claim, spread=Printed(middle.numerator, middle.denominator), eps=(high - low) / 2)


def _spread_of_values(problem: Any, of: str, factor: str) -> Variants:
    """The same of a mean and its ± alone."""
    claim, multiple = problem.claim("sd"), multiple_of(factor, problem.values)
    if claim is None or multiple is None:
        return
    if of == "ignore":
        yield from without(problem, [claim])
        return
    changed = with_claim(problem, claim, between(claim, claim.low / multiple, claim.high / multiple))
    yield Variant("", replace(changed, spread=of))


def values_below_zero(problem: Any) -> Variants:
    """A mean of values from -1 to 1, such as correlations, of which no bounds were given."""
    if problem.cases is None and (problem.least, problem.most) == (0, 1):
        yield Variant("", replace(problem, least=Fraction(-1)))


def f1_of_means(problem: Any) -> Variants:
    """F1 was computed from the mean precision and recall, or from both as they are printed."""
    if problem.kind == "binary" and sums_matrices(problem.experiment):
        return
    precision, recall, f1 = (claim_of(problem, name) for name in ("ppv", "sens", "f1"))
    if precision is None or recall is None or f1 is None:
        return
    low, high = (_harmonic(getattr(precision, end), getattr(recall, end)) for end in ("low", "high"))
    if f1.high < low or f1.low > high:
        yield Variant("", None)
    else:
        yield Variant("", with_claim(problem, f1, None))


def _harmonic(a: Fraction, b: Fraction) -> Fraction:
    """2ab / (a + b), which rises with both; 0 where one is."""
    return 2 * a * b / (a + b) if a > 0 and b > 0 else Fraction(0)


def half_precision(problem: Any) -> Variants:
    """Every value is the print of a half-precision number, which is good to three digits."""
    claims = problem.claims
    printed = [*takewhile(lambda half: half is not False, map(_prints_half, claims))]
    if len(printed) == len(claims) and printed.count(True) >= _ENOUGH:
        yield Variant("", problem.with_claims(between(c, c.low - _HALF_REACH, c.high + _HALF_REACH) for c in claims))


def _prints_half(claim: Claim) -> bool | None:
    """Whether a number of 11 bits, as a share of one or in percent, rounds to the digits; None where most digits do."""
    if claim.number.digits < _HALF_DIGITS or not claim.number.units:
        return None if claim.number.digits >= _HALF_DIGITS else False
    answer: bool | None = False
    for times in (1, 100):
        units, scale, unit = abs(claim.number.units) * times, claim.number.scale, times
        exponent = units.bit_length() - scale.bit_length()
        exponent -= units << max(0, -exponent) < scale << max(0, exponent)
        bits = _HALF_BITS - 1 - exponent  # from here on in steps of half precision, 2 ** -bits
        units, unit, scale = units << max(0, bits), unit << max(0, bits), scale << max(0, -bits)
        if scale < 2 * unit:
            answer = None
        elif 2 * abs((2 * units + scale) // (2 * scale) * scale - units) <= unit:
            return True
    return answer


def plain_texts(claims: Sequence[Claim]) -> list[Claim]:
    """The claims without what follows a ±."""
    return [replace(claim, text=alone(claim.text), spread=None) for claim in claims]


def intersected(claim: Claim, low: Fraction, high: Fraction) -> Claim | None:
    """A claim and two more ends for its quantity; None where they do not meet."""
    low, high = max(claim.low, low), min(claim.high, high)
    return between(claim, low, high) if low <= high else None


def roots(low: Fraction, high: Fraction, fine: int = 10**12) -> tuple[Fraction, Fraction] | None:
    """Ends between two square roots, so close that no printed digit tells; None where no root is between."""
    least, most = ceil(max(low, Fraction(0)) * fine**2), floor(high * fine**2)
    if most < 0:
        return None
    first, last = isqrt(least - 1) + 1 if least else 0, isqrt(most)
    return (Fraction(first, fine), Fraction(last, fine)) if first <= last else None
