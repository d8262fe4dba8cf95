"""Predicted numbers: how many cases, and whether the errors are means over several evaluations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from scoreproof.errors import InvalidExperiment
from scoreproof.validation import declared, shown

_LARGEST = 10**12
UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Regression:
    """One evaluation of predicted numbers on ``n`` cases (None: not known).

    With ``folds`` every value is a mean over so many evaluations (folds or runs; "unknown": over some, or of one) of at
    most ``n`` cases each. ``predictors`` is what an adjusted R² was adjusted for. ``integers`` says that true and
    predicted values are whole numbers.

    >>> str(Regression(100)), str(Regression(folds=10))
    ('one evaluation on 100 cases', 'means over 10 evaluations')
    """

    kind: ClassVar[str] = "regression"
    n: int | None = None
    folds: int | str | None = None
    predictors: int | None = None
    integers: bool = False

    def __post_init__(self) -> None:
        for name, least in (("n", 1), ("folds", 2), ("predictors", 0)):
            value = getattr(self, name)
            if value is None or (name == "folds" and isinstance(value, str) and value == UNKNOWN):
                continue
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= _LARGEST:
                raise InvalidExperiment(f"{name}: expected a whole number from {least} or nothing, got {shown(value)}")
        if not isinstance(self.integers, bool):
            raise InvalidExperiment(f"integers: expected True or False, got {shown(self.integers)}")
        if self.integers and (self.n is None or self.folds is not None):
            raise InvalidExperiment(
                "integers: whole numbers say something of one evaluation on n cases; give n, no folds"
            )
        if self.predictors is not None and (self.n is None or self.folds is not None):
            raise InvalidExperiment(
                "predictors: an adjusted R² is compared on one evaluation of n cases; give n, no folds"
            )
        if self.predictors is not None and self.n is not None and self.predictors > self.n - 2:
            raise InvalidExperiment(f"predictors: expected at most n - 2 = {self.n - 2}, got {self.predictors}")

    @classmethod
    @declared
    def from_dict(cls, tree: Mapping[str, Any]) -> Regression:
        known = ("n", "folds", "predictors", "integers")
        unknown = [str(key) for key in tree if key not in ("type", *known)]
        if unknown:
            raise InvalidExperiment(f"regression: unknown key {', '.join(unknown)}; known are {', '.join(known)}")
        return cls(**{key: tree[key] for key in known if key in tree})

    def to_dict(self) -> dict[str, Any]:
        given = {"n": self.n, "folds": self.folds, "predictors": self.predictors, "integers": self.integers or None}
        return {"type": self.kind} | {key: value for key, value in given.items() if value is not None}

    def __str__(self) -> str:
        cases = "" if self.n is None else f" on {self.n} cases"
        whole = " of whole numbers" if self.integers else ""
        if self.folds is None:
            return f"one evaluation{cases}{whole}" if cases or whole else "one evaluation on an unknown number of cases"
        if self.folds == UNKNOWN:
            return "one evaluation, or means over several" + (f" of at most {self.n} cases" if self.n else "")
        return f"means over {self.folds} evaluations" + (f" of at most {self.n} cases" if self.n else "")
