"""Better than chance? Each method against classifiers that look at nothing.

The random classifier says positive with the prevalence r as probability: F1 = r, accuracy r^2 + (1 - r)^2 and a
Matthews correlation of 0 on average. The majority classifier always says the larger class, the all-positive one always
positive (Lavazza and Morasca 2023, doi:10.1109/ACCESS.2023.3278996, sections II.B and II.C).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from scoreproof.jsonable import Jsonable
from scoreproof.kinds.unknown_classes.ranges import Range
from scoreproof.reconstruction.result import Reconstruction

CERTAIN, POSSIBLE, NO = "certainly", "possibly", "certainly not"


@dataclass(frozen=True, slots=True)
class Baseline(Jsonable):
    """A trivial classifier's score, and by how much the method exceeds it."""

    against: str
    score: str
    value: Range
    lead: Range

    _told = "* better"

    @property
    def better(self) -> str:
        """Whether the method is certainly, possibly or certainly not better."""
        if self.lead.low > 0:
            return CERTAIN
        return NO if self.lead.high is not None and self.lead.high <= 0 else POSSIBLE


def baselines(found: Reconstruction) -> tuple[Baseline, ...]:
    """The method against every trivial classifier whose score is known."""
    spans = found.ranges
    share = spans.get("prevalence")
    if share is None:
        return ()
    low, high = share.low, Fraction(1) if share.high is None else share.high
    rows = (
        ("random", "f1", Range(low, high), spans.get("f1 - random")),
        ("random", "acc", random_accuracy(low, high), spans.get("acc - random")),
        ("random", "mcc", Range(Fraction(0), Fraction(0)), spans.get("mcc")),
        ("all positive", "f1", Range(_all_positive_f1(low), _all_positive_f1(high)), spans.get("f1 - all positive")),
        ("all positive", "acc", Range(low, high), spans.get("acc - all positive")),
        ("majority", "acc", majority_accuracy(low, high), _over_both(spans)),
    )
    return tuple(Baseline(against, name, value, lead) for against, name, value, lead in rows if lead is not None)


def random_accuracy(low: Fraction, high: Fraction) -> Range:
    """r^2 + (1 - r)^2 over a range of prevalences.

    >>> random_accuracy(Fraction(1, 10), Fraction(1, 10)).low
    Fraction(41, 50)
    """
    ends = [r * r + (1 - r) ** 2 for r in (low, high)]
    return Range(Fraction(1, 2) if low <= Fraction(1, 2) <= high else min(ends), max(ends))


def majority_accuracy(low: Fraction, high: Fraction) -> Range:
    """max(r, 1 - r) over a range of prevalences."""
    ends = [max(r, 1 - r) for r in (low, high)]
    return Range(Fraction(1, 2) if low <= Fraction(1, 2) <= high else min(ends), max(ends))


def _all_positive_f1(share: Fraction) -> Fraction:
    return 2 * share / (1 + share)


def _over_both(spans: dict[str, Range]) -> Range | None:
    """The lead over the better one of always positive and always negative."""
    one, other = spans.get("acc - all positive"), spans.get("acc - all negative")
    if one is None or other is None or one.high is None or other.high is None:
        return None
    return Range(min(one.low, other.low), min(one.high, other.high), False)
