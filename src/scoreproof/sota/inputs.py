"""What the questions accept: counts, proportions, and how classifiers resemble each other.

Møllersen and Holsbø ("What is the state of the art? Accounting for multiplicity in machine learning benchmark
performance", 2023, arXiv:2303.07272, section 4.1) let every classifier be right with probability p_dep where a
reference classifier is right, and with probability q where it is wrong. Given the reference the classifiers are
independent and identically distributed, so nothing has to be simulated: failures are a sum of two binomials.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.jsonable import Jsonable
from scoreproof.validation import exact, fraction, real, whole

MOST_CLASSIFIERS = 10**15
MOST_CASES = 10**9


def count(name: str, value: Any, *, most: int, least: int = 1) -> int:
    """A whole number between ``least`` and ``most``."""
    return whole(name, value, at_least=least, at_most=most)


def number(name: str, value: Any) -> float:
    """A finite number among the data."""
    return real(name, value, error=InvalidValue)


def probability(name: str, value: Any) -> float:
    """A proportion in [0, 1]."""
    share = fraction(name, value, closed=True, error=InvalidValue)
    return share if share > 1e-300 else 0.0  # products of denormal numbers lose their meaning


def correct_count(name: str, observed: float, n: int) -> int:
    """How many of n cases a proportion means: the nearest count. ``whole_cases`` says whether it fits."""
    return min(n, max(0, round(probability(name, observed) * n)))


def whole_cases(name: str, text: str, n: int) -> float:
    """A printed proportion that whole cases can give; an error where none does, since another would be analysed."""
    exact(name, text.strip(), error=InvalidValue)
    printed = Decimal(text.strip())
    value = probability(name, float(printed))
    digits = max(0, -int(printed.as_tuple().exponent))
    if fits_cases(value, n, digits):
        return value
    low = min(n - 1, math.floor(value * n))
    near = ", ".join(f"{k} give {k / n:.{digits}f}" for k in (low, low + 1))
    raise InvalidValue(f"{name} {text} of {n} cases: {near}; check both")


def decimals(value: float) -> int:
    """The decimals a number is written with; a percentage divided by 100 has its own two more."""
    return max(0, -int(Decimal(repr(value)).as_tuple().exponent))


def fits_cases(value: float, n: int, digits: int) -> bool:
    """Whether a proportion of so many decimals can be that of whole cases, rounded or cut off."""
    return abs(round(value * n) / n - value) < max(10.0**-digits, 1e-12)


@dataclass(frozen=True, slots=True)
class Reference(Jsonable):
    """The model at one accuracy: the reference is right on ``right`` of n cases and wrong on ``wrong``.

    ``q`` keeps the accuracy of the classifiers: right * p_dep + wrong * q = n * accuracy. Where n * accuracy
    is a whole number this is the paper's q = right / wrong * (1 - p_dep).
    """

    right: int
    wrong: int
    p_dep: float
    q: float

    _told = "* correlation"

    @property
    def correlation(self) -> float:
        """The correlation of correctness between two of the classifiers, over the cases of the test set."""
        share = self.right / (self.right + self.wrong)
        accuracy = share * self.p_dep + (1 - share) * self.q
        variance = accuracy * (1 - accuracy)
        if variance <= 0:
            return 0.0
        return share * (1 - share) * (self.p_dep - self.q) ** 2 / variance


@dataclass(frozen=True, slots=True)
class Dependence:
    """How strongly the classifiers follow the reference: ``p_dep`` itself, or their pairwise correlation."""

    p_dep: float | None = None
    correlation: float | None = None
    reference: float | None = None  #: accuracy of the reference; the classifiers' own accuracy where None

    def at(self, n: int, accuracy: float) -> Reference:
        """The model for classifiers of this accuracy; an error where it asks for q outside [0, 1]."""
        right = _whole_cases(n, accuracy if self.reference is None else self.reference)
        wrong = n - right
        if right == 0 or wrong == 0:
            # A reference that is always right, or always wrong, leaves only the classifiers' own accuracy.
            if self.p_dep is not None and right > 0 and not math.isclose(self.p_dep, accuracy, abs_tol=0.5 / n):
                raise InvalidOption(
                    f"p_dep: the reference is right on all {n:,} cases, so p_dep must be the accuracy "
                    f"{accuracy:g} itself, got {self.p_dep:g}; leave it out for independent classifiers"
                )
            return Reference(right, wrong, accuracy, accuracy)
        p_dep = self.p_dep
        if p_dep is None:
            lift = math.sqrt((self.correlation or 0.0) * accuracy * (1 - accuracy) * wrong / right)
            # A reference of whole cases may leave no room for a correlation of exactly one.
            p_dep = _tidy(accuracy + lift if self.reference is not None else min(1.0, accuracy + lift))
        q = (n * accuracy - right * p_dep) / wrong
        if -1e-12 < q < 0 or 1 < q < 1 + 1e-12:
            q = min(1.0, max(0.0, q))
        if not (0 <= q <= 1 and 0 <= p_dep <= 1):
            raise InvalidOption(self._impossible(n, accuracy, right, p_dep, q))
        return Reference(right, wrong, p_dep, _tidy(q))

    def _impossible(self, n: int, accuracy: float, right: int, p_dep: float, q: float) -> str:
        wrong = n - right
        whose = f"the reference (right on {right:,} of {n:,} cases)"
        if self.p_dep is None:
            return (
                f"correlation: {self.correlation:g} is impossible for a classifier of accuracy {accuracy:g} and "
                f"{whose}: it would need p_dep = {p_dep:.4g} and q = {q:.4g}; choose a smaller correlation"
            )
        low, high = max(0.0, (n * accuracy - wrong) / right), min(1.0, n * accuracy / right)
        return (
            f"p_dep: {p_dep:g} is impossible at accuracy {accuracy:g}: where {whose} is wrong the classifiers would "
            f"be right with probability {q:.4g}; choose p_dep between {low:.4g} and {high:.4g}"
        )

    def feasible(self, n: int, accuracy: float) -> bool:
        """Whether the model exists at this accuracy."""
        try:
            self.at(n, accuracy)
        except InvalidOption:
            return False
        return True

    def __str__(self) -> str:
        if self.p_dep is not None:
            return f"p_dep = {self.p_dep:g}"
        return f"pairwise correlation {self.correlation:g}"


def dependence(p_dep: Any = None, correlation: Any = None) -> Dependence | None:
    """The option as the user gave it, checked; None for independent classifiers."""
    if p_dep is not None and correlation is not None:
        raise InvalidOption("p_dep and correlation say the same thing in two ways: give one of them")
    given = {"p_dep": p_dep, "correlation": correlation}
    told = {name: probability(name, value) for name, value in given.items() if value is not None}
    return Dependence(**told) if told else None


def p_dep_from_correlation(correlation: float, n: int, accuracy: float) -> float:
    """The p_dep under which two classifiers' correctness has this correlation.

    Given the reference the two are independent, so their correlation is the square of each one's correlation
    with the reference: p_dep = accuracy + sqrt(correlation) * (1 - accuracy) when n * accuracy is whole.

    >>> p_dep_from_correlation(0.25, 3000, 0.9)
    0.95
    """
    model = Dependence(correlation=probability("correlation", correlation))
    return model.at(count("n", n, most=MOST_CASES), probability("accuracy", accuracy)).p_dep


def correlation_from_p_dep(p_dep: float, n: int, accuracy: float) -> float:
    """The pairwise correlation that a p_dep stands for.

    >>> round(correlation_from_p_dep(0.95, 3000, 0.9), 12)
    0.25
    """
    model = Dependence(p_dep=probability("p_dep", p_dep))
    return model.at(count("n", n, most=MOST_CASES), probability("accuracy", accuracy)).correlation


def _whole_cases(n: int, accuracy: float) -> int:
    """The cases a reference of this accuracy gets right: rounded down, so that q is never negative for it."""
    return min(n, math.floor(n * accuracy * (1 + 1e-15) + 1e-12 * math.sqrt(n)))


def _tidy(x: float) -> float:
    """0.45 rather than 0.45000000000000007: the last two bits are rounding of the formula."""
    rounded = round(x, 14)
    return rounded if math.isclose(x, rounded, rel_tol=1e-15) else x
