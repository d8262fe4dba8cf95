"""An experiment of which the class counts are not known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from scoreproof.errors import InvalidExperiment, InvalidValue
from scoreproof.kinds.unknown_classes.quantities import PREVALENCE
from scoreproof.limits import require_digits
from scoreproof.reported import Claim, Value, report
from scoreproof.reported.claim import claim_from_dict
from scoreproof.validation import declared, shown

Total = int | tuple[int, int]


@dataclass(frozen=True, slots=True)
class UnknownClasses:
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
            object.__setattr__(self, "prevalence", read_prevalence(self.prevalence))

    @classmethod
    @declared
    def from_dict(cls, tree: Mapping[str, Any]) -> UnknownClasses:
        total, prevalence = tree.get("total"), tree.get("prevalence")
        if isinstance(prevalence, Mapping):
            prevalence = claim_from_dict({"score": PREVALENCE, **prevalence}, kind=None)
        return cls(tuple(total) if isinstance(total, list) else total, prevalence)

    @property
    def totals(self) -> tuple[int, int] | None:
        """The fewest and the most cases there may be."""
        return self.total if isinstance(self.total, tuple) else None

    @property
    def claim(self) -> Claim | None:
        """The prevalence as it was read."""
        return self.prevalence if isinstance(self.prevalence, Claim) else None

    def to_dict(self) -> dict[str, Any]:
        tree: dict[str, Any] = {"type": "unknown_classes"}
        if self.totals is not None:
            tree["total"] = list(self.totals)
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
