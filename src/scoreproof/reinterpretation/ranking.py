"""Do the conclusions survive? Ranks of methods as intervals, under every score.

A method is certainly better than another if its worst possible value beats the other's best; its rank lies between one
more than the number of methods certainly better than it, and one more than the number of those that may be.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from scoreproof.errors import InvalidOption
from scoreproof.jsonable import Jsonable, document, rebuilt
from scoreproof.kinds.binary.scores import Score, score
from scoreproof.kinds.unknown_classes.ranges import Range
from scoreproof.validation import shown

CERTAIN, POSSIBLE, NO = "certainly", "possibly", "certainly not"


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
