"""Better than chance? Each method against classifiers that look at nothing.

The random classifier says positive with the prevalence r as probability: F1 = r, accuracy r^2 + (1 - r)^2 and a
Matthews correlation of 0 on average. The majority classifier always says the larger class, the all-positive one always
positive (Lavazza and Morasca 2023, doi:10.1109/ACCESS.2023.3278996, sections II.B and II.C).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoreproof.errors import InvalidOption
from scoreproof.insight.reconstruction import Reconstruction
from scoreproof.jsonable import Jsonable
from scoreproof.kinds.binary.scores import score
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
    """A method under one score: its value, and its best and its worst possible rank."""

    method: str
    value: Range
    rank: tuple[int, int]

    _told = "method value is_best rank"

    @property
    def is_best(self) -> str:
        """Whether the method is certainly, possibly or certainly not the best."""
        best, worst = self.rank
        return NO if best > 1 else CERTAIN if worst == 1 else POSSIBLE


@dataclass(frozen=True, slots=True)
class ClaimedBest(Jsonable):
    """Someone's conclusion: this method is the best by that score."""

    method: str
    by: str

    _told = "best=method by"

    def __str__(self) -> str:
        return f"{self.method} is best by {score(self.by).title}"


def ranks(values: dict[str, Range], *, rises: bool) -> tuple[Rank, ...]:
    """The rank of every method, the best first."""
    spans = list(values.items())
    rows = []
    for name, value in spans:
        ahead = [(span, value) if rises else (value, span) for other, span in spans if other != name]
        best = 1 + sum(surely_above(upper, lower) for upper, lower in ahead)
        worst = 1 + sum(_may_lie_above(upper, lower) for upper, lower in ahead)
        rows.append(Rank(name, value, (best, worst)))
    return tuple(sorted(rows, key=lambda row: (sum(row.rank), row.rank)))


def surely_above(upper: Range, lower: Range) -> bool:
    """Whether every value of one range lies above every value of the other."""
    return lower.high is not None and upper.low > lower.high


def _may_lie_above(upper: Range, lower: Range) -> bool:
    return upper.high is None or upper.high > lower.low


def dominating(values: dict[str, dict[str, Range]]) -> tuple[tuple[str, str], ...]:
    """The pairs (one, other) where the one certainly has the higher sensitivity and the higher specificity."""
    able = [name for name, spans in values.items() if "sens" in spans and "spec" in spans]
    return tuple(
        (one, other)
        for one in able
        for other in able
        if one != other and all(surely_above(values[one][part], values[other][part]) for part in ("sens", "spec"))
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
    return ClaimedBest(str(method), score(by).name)
