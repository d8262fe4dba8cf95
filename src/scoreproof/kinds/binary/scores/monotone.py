"""Monotone scores of one's own: proved by signs of a polynomial's coefficients, or declared and tried.

Every engine rests on a score moving one way with tp and tn: one that falls where it should rise would accuse honest
reports. A formula of plain arithmetic is run on the cells as polynomials and returns its numerator N and denominator D
in full. When a wrong positive becomes a right one, tp grows as fn shrinks, and N / D changes with the sign of
N' D - N D', again a polynomial in cells that are not negative: if all its coefficients have one sign, so has it. The
same for tn and fp. A formula that compares, branches, divides or takes a minimum cannot be run so and raises TypeError.

Where that fails the author may declare the direction. Then every matrix of a few cases is tried, and lines through
random ones of up to a million: tp (or tn) from one end to the other at fixed class counts. What is wrong is said with
the matrix that shows it, and what rests on a declaration says so. Arrays of floats must give the same values.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import pairwise, product
from operator import mul
from typing import Any, NoReturn

from scoreproof.errors import InvalidOption
from scoreproof.kinds.binary.scores.score import THRESHOLD, Link
from scoreproof.validation import shown

Exponents = tuple[int, int, int, int]
MOST_DEGREE = 8
Cells = tuple[int, int, int, int]
_SMALL = 6  # of p and n, for which every matrix is tried
_MIDDLE = 40  # up to which all points of a line are
_LARGEST = 10**6
_LINES = 300
_MOST_BITS = 1000
_MOST_WORDS = 100
_CLOSE = 2.0**-46  # of a float value to the exact one, as the engines assume


class Polynomial:
    """Integer coefficients by exponents of (tp, fp, fn, tn).

    >>> tp, fp, fn, tn = CELLS
    >>> ((tp + fn) * (tp - 2)).terms
    {(2, 0, 0, 0): 1, (1, 0, 0, 0): -2, (1, 0, 1, 0): 1, (0, 0, 1, 0): -2}
    """

    __slots__ = ("terms",)

    def __init__(self, terms: dict[Exponents, int]) -> None:
        self.terms = {exponents: factor for exponents, factor in terms.items() if factor}
        if any(sum(exponents) > MOST_DEGREE for exponents in self.terms):
            raise TypeError(f"a polynomial of degree above {MOST_DEGREE}")

    def __add__(self, other: Any) -> Polynomial:
        terms = dict(self.terms)
        for exponents, factor in as_polynomial(other).terms.items():
            terms[exponents] = terms.get(exponents, 0) + factor
        return Polynomial(terms)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Polynomial:
        return self + -as_polynomial(other)

    def __rsub__(self, other: Any) -> Polynomial:
        return as_polynomial(other) + -self

    def __neg__(self) -> Polynomial:
        return self * -1

    def __pos__(self) -> Polynomial:
        return self

    def __mul__(self, other: Any) -> Polynomial:
        return Polynomial(multiplied(self.terms, as_polynomial(other).terms))

    __rmul__ = __mul__

    def __pow__(self, power: Any) -> Polynomial:
        if type(power) is not int or not 0 <= power <= MOST_DEGREE:
            raise TypeError(f"a polynomial to the power {power!r}")
        return reduce(mul, [self] * power, as_polynomial(1))

    def __eq__(self, other: object) -> NoReturn:
        self._unknown()

    def _unknown(self, *_: Any) -> NoReturn:
        raise TypeError("a polynomial is not compared, and is neither true nor false")

    __hash__ = _unknown
    __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __len__ = __int__ = __float__ = __index__ = _unknown


CELLS = tuple(Polynomial({tuple(int(k == at) for k in range(4)): 1}) for at in range(4))  # type: ignore[dict-item]


def as_polynomial(value: Any) -> Polynomial:
    """A polynomial as it is, a whole number as a constant; nothing else is admitted."""
    if isinstance(value, Polynomial):
        return value
    if type(value) is not int:
        raise TypeError(f"a polynomial with {value!r}, which is no whole number")
    return Polynomial({(0, 0, 0, 0): value})


def multiplied(polynomial: dict[Exponents, int], other: dict[Exponents, int]) -> dict[Exponents, int]:
    """The terms of a product, of any degree."""
    terms: dict[Exponents, int] = {}
    for (a, b, c, d), factor in polynomial.items():
        for (e, f, g, h), coefficient in other.items():
            exponents = (a + e, b + f, c + g, d + h)
            terms[exponents] = terms.get(exponents, 0) + factor * coefficient
    return terms


def slope(polynomial: Polynomial, gains: int, loses: int) -> Polynomial:
    """The derivative along an exchange: one cell grows as another shrinks."""
    terms: dict[Exponents, int] = {}
    for at, sign in ((gains, 1), (loses, -1)):
        for exponents, factor in polynomial.terms.items():
            if exponents[at]:
                lower = tuple(power - (k == at) for k, power in enumerate(exponents))
                terms[lower] = terms.get(lower, 0) + sign * exponents[at] * factor  # type: ignore[index, arg-type]
    return Polynomial(terms)


def at(polynomial: Polynomial, cells: tuple[int, int, int, int]) -> int:
    """The value for a matrix."""
    return sum(
        factor * cells[0] ** a * cells[1] ** b * cells[2] ** c * cells[3] ** d
        for (a, b, c, d), factor in polynomial.terms.items()
    )


class MonotoneTrial:
    """A ratio tried on many matrices: what it returned, and examples of where it rose and fell."""

    def __init__(self, name: str, ratio: Callable[..., Any], link: Link) -> None:
        self.name, self.ratio, self.link = name, ratio, link
        self.tried: dict[Cells, tuple[int, int]] = {}
        self.moves: dict[int, str] = {}

    def refused(self, why: str) -> InvalidOption:
        return InvalidOption(f"score {self.name!r} cannot be registered: {why}")

    def direction(self) -> int:
        """+1 or -1 if it moved one way in all that was tried."""
        for line in _lines():
            values = [(cells, *self._value(cells)) for cells in line]
            defined = [value for value in values if value[1:] != (0, 0)]
            for (cells, num, den), (other, num_after, den_after) in pairwise(defined):
                change = num_after * den - num * den_after
                sign = (change > 0) - (change < 0)
                if sign and sign not in self.moves:
                    self.moves[sign] = (
                        f"it {'rises' if sign > 0 else 'falls'} from {num}/{den} for {_shown(cells)} to "
                        f"{num_after}/{den_after} for {_shown(other)}"
                    )
            if len(self.moves) == 2:
                raise self.refused(
                    f"{self.moves[1]}, and {self.moves[-1]}; the engines need a score that moves one way with tp and tn"
                )
        return next(iter(self.moves), 1)

    def _value(self, cells: Cells) -> tuple[int, int]:
        """What the ratio returns for a matrix, if that is what a ratio returns."""
        if cells not in self.tried:
            try:
                returned = self.ratio(*cells)
            except Exception as error:
                raise self.refused(
                    f"its ratio must return a numerator and a denominator for all counts, and where it is undefined a "
                    f"denominator of 0; for {_shown(cells)} it raised {type(error).__name__}: {error}"
                ) from None
            flaw = _flaw(returned, cells, self.link)
            if flaw:
                raise self.refused(flaw)
            self.tried[cells] = returned[0], returned[1]
        return self.tried[cells]

    def try_arrays(self) -> None:
        """Means of scores are searched with whole arrays of matrices, as floats: the same formula must give these."""
        import numpy as np

        chosen = list(self.tried)[:: max(1, len(self.tried) // _LINES)]
        cells = [np.array(column, dtype=np.float64) for column in zip(*chosen, strict=True)]
        try:
            returned = [np.asarray(part, dtype=np.float64) for part in self.ratio(*cells)]
            num, den = (np.broadcast_to(part, (len(chosen),)) for part in returned)
            with np.errstate(all="ignore"):
                values = self.link.forward(num / den)
        except Exception as error:
            raise self.refused(
                "its ratio must also work on numpy arrays, with sums, differences, products and powers only (no min, "
                f"max, if, or rounding): on arrays it raised {type(error).__name__}: {error}"
            ) from None
        if all(part.ndim == 0 for part in returned):
            raise self.refused("it is the same for all matrices, and no report of it says anything")
        for point, value in zip(chosen, values.tolist(), strict=True):
            exact_num, exact_den = self.tried[point]
            if not exact_den:
                continue
            exact = Fraction(self.link.floor(exact_num, exact_den, 1 << 80), 1 << 80)
            if not abs(value - float(exact)) <= _CLOSE * max(1.0, abs(float(exact))):
                raise self.refused(
                    f"as floats its formula gives {value!r} where the exact value is {float(exact)!r} "
                    f"({_shown(point)}): "
                    "write it without differences of large numbers, and without anything but arithmetic"
                )


def _lines() -> Iterator[list[Cells]]:
    """Lines of matrices, tp (or tn) from one end to the other: all of a few cases, and through some of up to many."""
    rng = random.Random(0)
    grids = [(p, n, range(p + 1), range(n + 1)) for p, n in product(range(1, _SMALL + 1), repeat=2)]
    for number in range(_LINES):
        p, n = (round((_MIDDLE if number % 3 == 0 else _LARGEST) ** rng.random()) for _ in range(2))
        if number % 10 == 0:  # a set without one of the classes
            p, n = (p, 0) if number % 20 else (0, n)
        tp, tn = rng.randint(0, p), rng.randint(0, n)
        grids.append((p, n, range(tp, tp + 1), range(tn, tn + 1)))
    for p, n, tps, tns in grids:
        yield from ([(x, n - tn, p - x, tn) for x in _some(rng, p)] for tn in tns)
        yield from ([(tp, n - x, p - tp, x) for x in _some(rng, n)] for tp in tps)


def _some(rng: random.Random, most: int) -> list[int]:
    """Both ends, and neighbours here and there between them."""
    if most <= _MIDDLE:
        return [*range(most + 1)]
    inner = [rng.randint(0, most - 1) for _ in range(6)]
    return sorted({0, 1, most - 1, most, *inner, *(x + 1 for x in inner)})


def _flaw(returned: Any, cells: Cells, link: Link) -> str:
    """Why what a formula returned for a matrix is no ratio; empty if it is one."""
    where = f"for {_shown(cells)}"
    if not isinstance(returned, (tuple, list)) or len(returned) != 2:
        why = "its ratio must return two whole numbers, numerator and denominator, such as (tp, tp + fp)"
        return f"{why}; {where} it returned {_shortened(returned)}"
    num, den = returned
    if type(num) is not int or type(den) is not int:
        kinds = f"{type(num).__name__} and {type(den).__name__}"
        return (
            "its ratio must return two integers of Python, numerator and denominator (fractions, floats: multiply "
            "both by what makes them whole; numpy: its integers overflow, use the cells as they come); "
            f"{where} it returned {_shortened(num)} and {_shortened(den)} ({kinds})"
        )
    bits = max(num.bit_length(), den.bit_length())
    if bits > _MOST_BITS:
        why = "divide out what numerator and denominator share, or take a lower power"
        return f"its numbers do not fit into floats: {where} one has {bits} bits; {why}"
    if den < 0 or (den == 0 and num < 0):
        why = "its denominator must not be negative, nor its numerator where the denominator is 0 (change both signs)"
        return f"{why}; {where} it returned {num} and {den}"
    if link is THRESHOLD and den and not 0 <= num <= den:
        return f"the link 'threshold' takes a ratio between 0 and 1; {where} it is {num}/{den}"
    tp, fp, fn, tn = cells
    if num == den == 0 and not ((0 in (tp, fn) and 0 in (fp, tn)) or 0 in (tp + fn, fp + tn)):
        why = "it is 0/0 for matrices other than the all-right, all-wrong, all-positive and all-negative ones"
        return f"{why}, which the engines do not allow; for example {where}"
    return ""


def _shown(cells: Cells) -> str:
    return ", ".join(f"{name}={count}" for name, count in zip(("tp", "fp", "fn", "tn"), cells, strict=True))


def _shortened(value: object) -> str:
    """What a formula returned, in short; whole numbers too long to print by what they are."""
    try:
        words = repr(value)
    except ValueError:
        return f"a very long {type(value).__name__}"
    return words if len(words) <= _MOST_WORDS else f"{words[:_MOST_WORDS]} ..."


Declared = bool | str | None
_WORDS = {"rises": 1, "falls": -1}


@dataclass(frozen=True, slots=True)
class Monotonicity:
    """+1 or -1, and whether that is only the author's word."""

    direction: int
    declared: bool


def monotonicity(name: str, ratio: Any, link: Link, declared: Declared) -> Monotonicity:
    """The direction of a score; an error that says what is wrong if it cannot be relied on."""
    if not (declared is None or declared is True or (isinstance(declared, str) and declared in _WORDS)):
        raise InvalidOption(
            f"score {shown(name)}: monotone: expected True, 'rises' or 'falls' if you know that it is, "
            f"got {shown(declared)}"
        )
    trial = MonotoneTrial(name, ratio, link)
    direction = trial.direction()
    trial.try_arrays()
    words = _WORDS.get(str(declared))
    if words is not None and trial.moves and direction != words:
        raise trial.refused(f"it is declared to {'rise' if words > 0 else 'fall'}, but {trial.moves[direction]}")
    proved = _proved(trial)
    if proved is None and declared is None:
        raise trial.refused(
            "nothing proves that it moves one way with tp and with tn, on which every verdict would rest (only "
            "formulas of sums, differences and products can be proved, and not all of them); if you know that it does, "
            "add monotone=True (or 'rises', 'falls'): results then hold under that condition, and say so"
        )
    return Monotonicity(words or proved or direction, proved is None)


def proved_direction(ratio: Any) -> int | None:
    """+1 or -1 if the coefficients prove it for all matrices; None if they do not.

    >>> proved_direction(lambda tp, fp, fn, tn: (tp, tp + fp)), proved_direction(lambda tp, fp, fn, tn: (fn, fn + tn))
    (1, -1)
    >>> proved_direction(lambda tp, fp, fn, tn: (tp, tn + 1)) is None
    True
    """
    parts = polynomials(ratio)
    if parts is None:
        return None
    num, den = parts
    if not den.terms or any(factor < 0 for factor in den.terms.values()):
        return None
    if not _never_below(num, den):
        return None
    signs: set[int] = set()
    for gains, loses in ((0, 2), (3, 1)):  # tp for fn, tn for fp
        change = multiplied(slope(num, gains, loses).terms, den.terms)
        for exponents, factor in multiplied(num.terms, slope(den, gains, loses).terms).items():
            change[exponents] = change.get(exponents, 0) - factor
        signs |= {1 if factor > 0 else -1 for factor in change.values() if factor}
    return None if len(signs) > 1 else signs.pop() if signs else 1


def _never_below(num: Polynomial, den: Polynomial) -> bool:
    """Whether x/0 means more than everything: where the denominator vanishes, no coefficient is negative.

    With coefficients that are not negative it vanishes by which cells are zero, whatever the others are.
    """
    for zero in product((False, True), repeat=4):
        left = [
            [
                factor
                for powers, factor in polynomial.terms.items()
                if not any(z and k for z, k in zip(zero, powers, strict=True))
            ]
            for polynomial in (num, den)
        ]
        if not left[1] and any(factor < 0 for factor in left[0]):
            return False
    return True


def polynomials(ratio: Any) -> tuple[Polynomial, Polynomial] | None:
    """The formula run on polynomials; None if it is not plain arithmetic."""
    try:
        num, den = ratio(*CELLS)
        return as_polynomial(num), as_polynomial(den)
    except Exception:  # whatever a formula does with what is no number, it proves nothing
        return None


def _proved(trial: MonotoneTrial) -> int | None:
    """The proved direction, if the polynomials also say what the formula said of all matrices tried.

    A formula may look at what it is called with and treat numbers in another way. What goes through the link of the
    prevalence threshold must be proved to lie between 0 and 1.
    """
    parts = polynomials(trial.ratio)
    if parts is None:
        return None
    num, den = parts
    if any((at(num, cells), at(den, cells)) != words for cells, words in trial.tried.items()):
        return None
    within_one = all(factor >= 0 for part in (num, den - num) for factor in part.terms.values())
    return None if trial.link is THRESHOLD and not within_one else proved_direction(trial.ratio)
