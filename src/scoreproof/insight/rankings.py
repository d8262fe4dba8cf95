"""Better than chance? Each method against classifiers that look at nothing.

The random classifier says positive with the prevalence r as probability: F1 = r, accuracy r^2 + (1 - r)^2 and a
Matthews correlation of 0 on average. The majority classifier always says the larger class, the all-positive one always
positive (Lavazza and Morasca 2023, doi:10.1109/ACCESS.2023.3278996, sections II.B and II.C).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

from scoreproof.errors import InvalidOption
from scoreproof.insight.reconstruction import Reconstruction
from scoreproof.jsonable import Jsonable, document, rebuilt
from scoreproof.kinds.binary.scores import Score, score
from scoreproof.kinds.unknown_classes.ranges import Range
from scoreproof.validation import shown

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


@dataclass(frozen=True, slots=True)
class Rank(Jsonable):
    """A method under one score: its value and its rank, both as ranges."""

    method: str
    value: Range
    best: int
    worst: int

    @property
    def is_best(self) -> str:
        """Whether the method is certainly, possibly or certainly not the best."""
        return NO if self.best > 1 else CERTAIN if self.worst == 1 else POSSIBLE

    def to_dict(self) -> dict[str, Any]:
        return document(self, "method value is_best", rank=[self.best, self.worst])

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        best, worst = document["rank"]
        return rebuilt(cls, {**document, "best": best, "worst": worst})


@dataclass(frozen=True, slots=True)
class ClaimedBest:
    """Someone's conclusion: this method is the best by that score."""

    method: str
    by: Score

    def __str__(self) -> str:
        return f"{self.method} is best by {self.by.title}"


def beats(one: Range, other: Range, *, rises: bool) -> bool:
    """Whether every value of the one is better than every value of the other."""
    if rises:
        return other.high is not None and one.low > other.high
    return one.high is not None and one.high < other.low


def may_beat(one: Range, other: Range, *, rises: bool) -> bool:
    """Whether some value of the one is better than some value of the other."""
    if rises:
        return one.high is None or one.high > other.low
    return other.high is None or one.low < other.high


def ranks(values: dict[str, Range], *, rises: bool) -> tuple[Rank, ...]:
    """The rank of every method, the best first."""
    rows = []
    for name, value in values.items():
        others = [span for other, span in values.items() if other != name]
        best = 1 + sum(beats(span, value, rises=rises) for span in others)
        worst = 1 + sum(may_beat(span, value, rises=rises) for span in others)
        rows.append(Rank(name, value, best, worst))
    return tuple(sorted(rows, key=lambda row: (row.best + row.worst, row.best)))


def dominating(values: dict[str, dict[str, Range]]) -> tuple[tuple[str, str], ...]:
    """The pairs (one, other) where the one certainly has the higher sensitivity and the higher specificity."""
    able = [name for name, spans in values.items() if "sens" in spans and "spec" in spans]
    return tuple(
        (one, other)
        for one in able
        for other in able
        if one != other and all(beats(values[one][part], values[other][part], rises=True) for part in ("sens", "spec"))
    )


def read_claim(claim: Any, methods: list[str]) -> ClaimedBest | None:
    """A claim from (method, score) or {"best": method, "by": score}."""
    if claim is None or isinstance(claim, ClaimedBest):
        return claim
    if isinstance(claim, dict):
        if set(claim) != {"best", "by"}:
            raise InvalidOption(f"claim: expected {{'best': METHOD, 'by': SCORE}}, got {shown(claim)}")
        claim = claim["best"], claim["by"]
    if not isinstance(claim, (tuple, list)) or len(claim) != 2:
        raise InvalidOption(f"claim: expected a pair (method, score), got {shown(claim)}")
    method, by = claim
    if method not in methods:
        raise InvalidOption(f"claim: no row is called {method!r}; the table has {', '.join(methods)}")
    return ClaimedBest(str(method), score(by))
