"""An experiment of which the class counts are not known, and guaranteed ranges of all that is bounded of it.

That is the cells as rates, the prevalence, every score, and the lead over trivial classifiers. Each is a quotient of
forms in the four cells, so one mechanism bounds them all. The trivial classifiers are those of Lavazza and Morasca
(2023, doi:10.1109/ACCESS.2023.3278996), sections II.B and II.C: guessing positive with the prevalence as probability
has F1 equal to the prevalence r and accuracy r^2 + (1 - r)^2; always positive has F1 2 r / (1 + r) and accuracy r;
always the larger class has accuracy max(r, 1 - r). Ranges are written so that rounding never makes them narrower.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any, ClassVar

from scoreproof.errors import InvalidExperiment, InvalidValue
from scoreproof.kinds.binary.scores import Score, known_scores
from scoreproof.kinds.binary.scores.score import RATIO, Link, made
from scoreproof.kinds.statement import Described
from scoreproof.kinds.unknown_classes.forms import MATTHEWS, CellRatio, Linear, Matthews, Quadratic, forms, squared
from scoreproof.limits import require_digits
from scoreproof.reported import Claim, Value, report
from scoreproof.reported.claim import claim_from_dict
from scoreproof.reported.number import decimal_text
from scoreproof.validation import shown


@dataclass(frozen=True, slots=True)
class Range:
    """Between ``low`` and ``high`` lies the true value of every admissible matrix; ``high`` None is infinity.

    ``exact`` says that both ends belong to admissible matrices (or are limits of such); otherwise they are outer
    bounds, and values from ``seen_low`` to ``seen_high`` are known to occur.

    >>> str(Range(Fraction(1, 3), Fraction(2, 3)))
    '0.3333 to 0.6667'
    """

    low: Fraction
    high: Fraction | None
    exact: bool = True
    seen_low: Fraction | None = None
    seen_high: Fraction | None = None

    @property
    def width(self) -> Fraction | None:
        return None if self.high is None else self.high - self.low

    def holds(self, value: Fraction | int) -> bool:
        """Whether a value lies in the range."""
        return self.low <= value and (self.high is None or value <= self.high)

    def text(self, digits: int = 4) -> str:
        """Both ends as decimals, rounded outwards; one number if both are that number."""
        low, high = below(self.low, digits), above(self.high, digits)
        return low if low == high else f"{low} to {high}"

    def __str__(self) -> str:
        return self.text()

    def to_dict(self) -> dict[str, Any]:
        """Floats, rounded outwards; ``high`` None is infinity."""
        return {
            "low": float_below(self.low),
            "high": None if self.high is None else float_above(self.high),
            "exact": self.exact,
        }


def below(value: Fraction, digits: int = 4) -> str:
    """A decimal not above the value; a whole number is written without decimals.

    >>> below(Fraction(2, 3)), below(Fraction(-2, 3)), below(Fraction(12))
    ('0.6666', '-0.6667', '12')
    """
    units = math.floor(value * 10**digits)
    return str(value) if value.denominator == 1 else decimal_text(units, digits)


def above(value: Fraction | None, digits: int = 4) -> str:
    """A decimal not below the value; None is infinity."""
    if value is None or value.denominator == 1:
        return "infinity" if value is None else str(value)
    return decimal_text(math.ceil(value * 10**digits), digits)


def float_below(value: Fraction) -> float:
    """The largest float not above the value (or one step below it)."""
    near = _float(value)
    return near if math.isinf(near) is False and Fraction(near) <= value else math.nextafter(near, -math.inf)


def float_above(value: Fraction) -> float:
    """A float not below the value."""
    return -float_below(-value)


def _float(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.copysign(1.7e308, value.numerator)


PREVALENCE = made(
    "prevalence",
    "prevalence",
    lambda tp, fp, fn, tn: (tp + fn, tp + fp + fn + tn),
    reference="Lavazza & Morasca 2023, doi:10.1109/ACCESS.2023.3278996",
)


@dataclass(frozen=True, slots=True)
class BoundedQuantity:
    """Something to bound: a name, its forms, the link from ratio to value, and the range it never leaves.

    ``curved`` says that its own forms are not linear.
    """

    name: str
    title: str
    forms: Quadratic | Matthews = field(repr=False, compare=False)
    ratio: CellRatio = field(repr=False, compare=False)
    link: Link = field(repr=False, compare=False)
    least: Fraction | None
    most: Fraction | None
    curved: bool = False

    @classmethod
    def of(
        cls,
        name: str,
        title: str,
        ratio: CellRatio,
        link: Link = RATIO,
        least: Fraction | None = Fraction(0),
        most: Fraction | None = Fraction(1),
    ) -> BoundedQuantity | None:
        """A quantity by its ratio; None if that is no quotient of forms."""
        plain = MATTHEWS if name == "mcc" else forms(ratio)
        if isinstance(plain, Linear):
            return cls(name, title, squared(plain), ratio, link, least, most)
        return None if plain is None else cls(name, title, plain, ratio, link, least, most, curved=True)


@cache
def basics() -> tuple[BoundedQuantity, ...]:
    """The four cells as rates, and the prevalence."""
    words = {"tp": "true positives", "fp": "false positives", "fn": "false negatives", "tn": "true negatives"}
    cells: list[tuple[str, str, CellRatio]] = [
        (name, f"{title}, as a rate", lambda *cells, k=k: (cells[k], sum(cells)))
        for k, (name, title) in enumerate(words.items())
    ]
    every = [*cells, ("prevalence", "prevalence", PREVALENCE.ratio)]
    return tuple(filter(None, (BoundedQuantity.of(*each) for each in every)))


_TRIVIAL = {
    "random": "guessing with the prevalence",
    "all positive": "always saying positive",
    "all negative": "always saying negative",
}
#: By score and trivial classifier the ratio of tp, tn, p and n.
_LEADS: dict[tuple[str, str], CellRatio] = {
    ("f1", "random"): lambda t, u, p, n: (2 * t * (p + n) - p * (t + p + n - u), (p + n) * (t + p + n - u)),
    ("acc", "random"): lambda t, u, p, n: ((t + u) * (p + n) - p * p - n * n, (p + n) ** 2),
    ("acc", "all positive"): lambda t, u, p, n: (t + u - p, p + n),
    ("acc", "all negative"): lambda t, u, p, n: (t + u - n, p + n),
    ("f1", "all positive"): lambda t, u, p, n: (
        2 * t * (2 * p + n) - 2 * p * (t + p + n - u),
        (t + p + n - u) * (2 * p + n),
    ),
}


def _of_cells(ratio: CellRatio) -> CellRatio:
    return lambda tp, fp, fn, tn: ratio(tp, tn, tp + fn, fp + tn)


@cache
def leads() -> tuple[BoundedQuantity, ...]:
    """How far accuracy and F1 lie beyond those of trivial classifiers."""
    made = (
        BoundedQuantity.of(
            f"{name} - {rival}",
            f"{'F1' if name == 'f1' else 'accuracy'} beyond {_TRIVIAL[rival]}",
            _of_cells(ratio),
            least=Fraction(-1),
        )
        for (name, rival), ratio in _LEADS.items()
    )
    return tuple(filter(None, made))


@cache
def of_score(score: Score) -> BoundedQuantity | None:
    """A score as a quantity; None if it is registered by the user."""
    if not score.builtin:
        return None
    return BoundedQuantity.of(score.name, score.title, score.ratio, score.link, *score.range)


def reconstructed(reported: tuple[Score, ...] = ()) -> tuple[BoundedQuantity, ...]:
    """Everything a reconstruction bounds: cells, prevalence, all built-in scores, and those reported besides."""
    return basics() + tuple(filter(None, map(of_score, dict.fromkeys([*known_scores(), *reported]))))


Total = int | tuple[int, int]


@dataclass(frozen=True, slots=True)
class UnknownClasses(Described):
    """One confusion matrix of unknown class counts; ``total`` is how many cases there are, or at least and at most.

    ``prevalence`` may be given as it was printed.

    >>> str(UnknownClasses(total=100))
    'one test set of 100 cases, class counts unknown'
    """

    kind: ClassVar[str] = "unknown_classes"
    total: Total | None = None
    prevalence: Value | Claim | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", _total(self.total))
        if self.prevalence is not None:
            given: Any = self.prevalence
            if isinstance(given, Mapping):
                given = claim_from_dict({"score": PREVALENCE, **given}, kind=None)
            object.__setattr__(self, "prevalence", read_prevalence(given))

    @property
    def totals(self) -> tuple[int, int] | None:
        """The fewest and the most cases there may be."""
        return self.total if isinstance(self.total, tuple) else None

    @property
    def claim(self) -> Claim | None:
        """The prevalence as it was read."""
        return self.prevalence if isinstance(self.prevalence, Claim) else None

    def to_dict(self) -> dict[str, Any]:
        tree = Described.to_dict(self)
        if self.claim is not None:
            stated = self.claim.to_dict()
            tree["prevalence"] = {key: stated[key] for key in ("text", "rounding", "eps") if key in stated}
        return tree

    def __str__(self) -> str:
        cases = "any size"
        if self.totals is not None:
            least, most = self.totals
            cases = f"{least if least == most else f'{least} to {most}'} cases, class counts unknown"
        given = "" if self.claim is None else f", prevalence {self.claim.text}"
        return f"one test set of {cases}{given}"


def read_prevalence(value: Value | Claim, **options: Any) -> Claim:
    """A prevalence as printed; the options are those of ``report``."""
    claim = value if isinstance(value, Claim) else report(PREVALENCE, value, **options)
    if claim.spread is not None:
        raise InvalidValue(f"prevalence: expected one number, got {claim.text!r} with a ±")
    if claim.low > 1 or claim.high < 0:
        raise InvalidValue(f"prevalence: expected a value from 0 to 1, got {claim.text}")
    return claim


def _total(total: Any) -> tuple[int, int] | None:
    if total is None:
        return None
    ends = total if isinstance(total, (tuple, list)) else (total, total)
    if len(ends) != 2 or any(isinstance(end, bool) or not isinstance(end, int) for end in ends):
        raise InvalidExperiment(f"total: expected a whole number or a pair (least, most), got {shown(total)}")
    low, high = ends
    require_digits(high, "total")
    if not 1 <= low <= high:
        raise InvalidExperiment(f"total: expected 1 <= least <= most, got {shown(total)}")
    return low, high
