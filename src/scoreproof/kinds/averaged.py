"""Statements about means with a ±, and the variance behind one: what kinds of averages have in common."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from fractions import Fraction
from typing import Any

from scoreproof.reported import Claim
from scoreproof.reported.claim import claim_from_dict, spread_interval
from scoreproof.reported.conventions import Divisor, Spread, choice

Span = tuple[Fraction, Fraction]


def statement(experiment: Any, claims: Iterable[Claim], **conventions: StrEnum) -> dict[str, Any]:
    """What a certificate carries: the experiment, the scores, and each convention by its name."""
    return {
        "experiment": experiment.to_dict(),
        "scores": [claim.to_dict() for claim in claims],
        **{name: str(chosen) for name, chosen in conventions.items()},
    }


def read(stated: Mapping[str, Any], experiment: Any, kind: str, **conventions: Any) -> dict[str, Any]:
    """The parts of a problem that a statement describes; the class of the experiment, those of the conventions."""
    return {
        "experiment": experiment.from_dict(stated["experiment"]),
        "claims": tuple(claim_from_dict(entry, kind=kind) for entry in stated["scores"]),
        **{name: choice(options, name, stated[name]) for name, options in conventions.items()},
    }


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
