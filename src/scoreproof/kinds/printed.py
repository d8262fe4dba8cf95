"""What kinds of printed values share: entries of statements, means with a ±, witnesses that are numbers.

A column may hold a score of a confusion matrix or something nobody here knows (a loss, a price): both are compared in
the same way, so an unknown name is a quantity of its own, without a range.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Self, cast

from scoreproof.errors import InvalidOption, ScoreproofError
from scoreproof.kinds.binary.scores import score
from scoreproof.kinds.statement import StatedFields
from scoreproof.quantities import Quantity
from scoreproof.reported import Claim, Value, report
from scoreproof.reported.claim import spread_interval
from scoreproof.reported.conventions import Divisor, Spread
from scoreproof.reported.p_text import PrintedP

_LONGEST_NAME = 200  # what a statement may carry


@dataclass(frozen=True, slots=True)
class Values(StatedFields):
    """Exact values that print as reported."""

    values: tuple[Fraction, ...]

    def __str__(self) -> str:
        return ", ".join(f"{float(value):.6g}" for value in self.values)


def measured(name: str | Quantity) -> Quantity:
    """The quantity of a name: a known score, or one of which nothing is known but the name.

    >>> measured("recall").name, measured("Dice loss").range
    ('sens', (None, None))
    """
    if isinstance(name, Quantity):
        return name
    if not isinstance(name, str) or not 0 < len(name) <= _LONGEST_NAME:
        raise InvalidOption(f"quantity: expected a name of 1 to {_LONGEST_NAME} characters, got {name!r}")
    try:
        return score(name)
    except ScoreproofError:
        return unknown(name)


def unknown(name: str, *, least: Fraction | None = None, most: Fraction | None = None) -> Quantity:
    """A quantity without formula; ``least`` and ``most`` bound its values, if anything does."""
    return Quantity(name, name, range=(least, most), kind="printed")


def printed(quantity: Quantity, value: Value | Claim, name: str, **options: Any) -> Claim:
    """A printed value under a name of its own; the options are those of ``report``."""
    claim = value if isinstance(value, Claim) else report(quantity, value, **options)
    return replace(claim, quantity=quantity, name=short_name(name))


def short_name(name: str) -> str:
    """A name as a statement may carry it: neither empty nor of any length."""
    name = name.strip() or "(no name)"
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 3]}..."


def listed(texts: Sequence[str], most: int = 8) -> str:
    """Texts in a row, the middle of a long row left out."""
    shown = list(texts) if len(texts) <= most else [*texts[: most - 2], f"... ({len(texts)} in all)", texts[-1]]
    return ", ".join(shown)


@dataclass(frozen=True, slots=True)
class WholeNumbers:
    """Whole numbers by name.

    >>> str(WholeNumbers.of(b=23, c=12))
    'b = 23, c = 12'
    """

    names: tuple[str, ...]
    values: tuple[int, ...]

    @classmethod
    def of(cls, **numbers: int) -> WholeNumbers:
        return cls(tuple(numbers), tuple(numbers.values()))

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> WholeNumbers:
        return cls(tuple(document), tuple(map(int, document.values())))

    def to_dict(self) -> dict[str, Any]:
        return dict(zip(self.names, self.values, strict=True))

    def __getitem__(self, name: str) -> int:
        return self.values[self.names.index(name)]

    def __str__(self) -> str:
        return ", ".join(f"{name} = {value}" for name, value in zip(self.names, self.values, strict=True))


class StatisticAndP(StatedFields):
    """A test's statistic and its p-value, told apart by their names; either may be missing."""

    __slots__ = ()
    statistic: Claim | None
    p: PrintedP | None

    @property
    def claims(self) -> tuple[Claim, ...]:
        told = (None if self.p is None else self.p.claim, self.statistic)
        return tuple(claim for claim in told if claim is not None)

    def with_claims(self, claims: Iterable[Claim]) -> Self:
        problem, named = cast(Any, self), {claim.name: claim for claim in claims}
        p = None if self.p is None or "p" not in named else replace(self.p, claim=named["p"])
        rest = (claim for name, claim in named.items() if name != "p")
        return replace(problem, p=p, statistic=next(rest, None))  # type: ignore[no-any-return]


Span = tuple[Fraction, Fraction]


def variance_ends(claim: Claim, spread: Spread, divisor: Divisor, number: int | None) -> Span | None:
    """Between which ends the variance over so many values lies, divided by their number; None without a ±.

    >>> from scoreproof.reported import report
    >>> variance_ends(report("acc", "0.90 ± 0.10", eps=0), Spread.DEVIATION, Divisor.ANY, 5)
    (Fraction(1, 125), Fraction(1, 100))
    """
    if claim.spread is None or spread is Spread.IGNORE:
        return None
    low, high = (max(end, Fraction(0)) ** 2 for end in spread_interval(claim))
    fewer = Fraction(1, 2) if number is None else Fraction(number - 1, number)  # a sample has at least two
    times = Fraction(number or 1) if spread is Spread.ERROR else Fraction(1)
    least = low if divisor is Divisor.POPULATION else fewer * low
    most = fewer * high if divisor is Divisor.SAMPLE and number is not None else high
    return times * least, times * most
