"""What can be reported: a quantity with its names, its range and which way is better."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Quantity:
    """Something a paper prints a number for.

    ``kind`` names the kind of problem it belongs to; within a kind a name means one thing. ``range`` holds the least
    and the greatest value it can have, None where there is none. ``direction`` is +1 if larger values are better.

    >>> from fractions import Fraction
    >>> Quantity("rmse", "root mean squared error", range=(Fraction(0), None), direction=-1, kind="regression").name
    'rmse'
    """

    name: str
    title: str
    latex: str = ""
    reference: str = ""
    synonyms: tuple[str, ...] = ()
    range: tuple[Fraction | None, Fraction | None] = (Fraction(0), Fraction(1))
    direction: int = 1
    kind: str = "binary"
    builtin: bool = True

    def __str__(self) -> str:
        return self.name
