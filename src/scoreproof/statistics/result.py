"""What every test returns: the statistic, the p-value, and everything a reader needs to judge them.

The method named is the one actually used (an exact test that fell back to an approximation says so), the effect sizes
come with intervals where one exists, and the inputs are echoed, so that a result can be checked later. Numbers read as
a paper prints them: three significant digits, and p-values that never read as zero.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from scoreproof.jsonable import document, jsonable
from scoreproof.results import Result, SmallTable
from scoreproof.validation import declared, real

_ECHOED_IN_FULL = 1000


def number_text(value: float) -> str:
    """Three significant digits, zeros at the end included; whole numbers from 10 on and 0 in full."""
    if math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "infinity" if value > 0 else "-infinity"
    if value == int(value) and (value == 0 or 10 <= abs(value) < 1e15):
        return str(int(value))
    if 1000 <= abs(value) < 1e15:
        return f"{value:.1f}"
    return f"{value:#.3g}".rstrip(".")


def count_text(value: float) -> str:
    """A statistic or degrees of freedom: whole numbers in full, others with three significant digits."""
    return str(int(value)) if math.isfinite(value) and value == int(value) else number_text(value)


def p_text(p: float) -> str:
    """The p-value with its sign: "p = 0.0312", or "p < 1e-300" where floats end."""
    if math.isnan(p):
        return "p undefined"
    if p >= 1:
        return "p = 1"
    return "p < 1e-300" if p < 1e-300 else f"p = {p:#.3g}"


def bare_p(p: float) -> str:
    """The p-value for a table cell."""
    return p_text(p).removeprefix("p ").removeprefix("= ")


def percent_text(level: float) -> str:
    """A confidence level as readers expect it."""
    return f"{100 * level:.6g}%"


@dataclass(frozen=True, slots=True)
class Interval(Result):
    """A confidence interval, with its level and the method that gave it.

    >>> print(Interval(0.61, 0.72, 0.95, "Wilson"))
    95% CI 0.610 to 0.720
    """

    low: float
    high: float
    level: float
    method: str

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def __str__(self) -> str:
        how = " by bootstrap" if "bootstrap" in self.method else ""
        how = " by Newcombe's method" if self.method.startswith("Newcombe") else how
        return f"{percent_text(self.level)} CI {number_text(self.low)} to {number_text(self.high)}{how}"


@dataclass(frozen=True, slots=True)
class Effect(Result):
    """How large, rather than how surprising: a named size and, where one exists, its interval.

    >>> print(Effect("Cohen's d_z", 0.5))
    Cohen's d_z = 0.500
    """

    name: str
    value: float
    interval: Interval | None = None

    def __str__(self) -> str:
        text = f"{self.name} = {number_text(self.value)}"
        return f"{text} ({self.interval})" if self.interval is not None else text

    @classmethod
    @declared
    def around(cls, name: str, value: float, half: float, level: float, method: str, *, share: bool = False) -> Effect:
        """A size with an interval of this half-width; that of a share ends at 0 and 1."""
        value, half, level = real("value", value), real("half", half, at_least=0), real("level", level)
        low, high = value - half, value + half
        return cls(
            name, value, Interval(max(0.0, low) if share else low, min(1.0, high) if share else high, level, method)
        )

    @property
    def turned(self) -> Effect:
        """The same difference, or the same share of one side, seen from the other side."""
        whole = 1.0 if self.name.startswith("P(") else 0.0
        bounds = self.interval
        if bounds is not None:
            bounds = Interval(whole - bounds.high, whole - bounds.low, bounds.level, bounds.method)
        return Effect(self.name, whole - self.value, bounds)


class LateEffects(Sequence[Effect]):
    """Effect sizes that take longer than their test, computed when one is first looked at; pickled as what they are."""

    def __init__(self, compute: Callable[[], tuple[Effect, ...]]) -> None:
        self._compute = compute

    @cached_property
    def _all(self) -> tuple[Effect, ...]:
        return self._compute()

    def __getitem__(self, index: Any) -> Any:
        return self._all[index]

    def __len__(self) -> int:
        return len(self._all)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, tuple | LateEffects) and self._all == tuple(other)

    def __hash__(self) -> int:
        return hash(self._all)

    def __reduce__(self) -> tuple[type[tuple[Any, ...]], tuple[tuple[Effect, ...]]]:
        return tuple, (self._all,)


_NO_SPREAD = "an estimated variance is zero, which makes the statistic infinite (or 0) and says nothing about new data"


@dataclass(frozen=True, slots=True)
class TestResult(Result):
    """One statistical test, finished.

    ``str(result)`` is a sentence for a paper, ``result.to_dict()`` is ready for JSON.

    >>> from scoreproof.statistics import sign_test
    >>> print(sign_test(wins=10, losses=4))
    Sign test (exact binomial): wins = 10 of 14, p = 0.180; P(win) = 0.714 (95% CI 0.419 to 0.916).
    """

    __test__: ClassVar[bool] = False

    test: str
    method: str
    statistic_name: str
    statistic: float
    p_value: float
    alternative: str = "two-sided"
    df: tuple[float, ...] = ()
    effects: Sequence[Effect] = ()
    notes: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict, compare=False)
    inputs: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.p_value == 0 and (math.isinf(self.statistic) or self.statistic == 0):
            object.__setattr__(self, "notes", tuple(dict.fromkeys((*self.notes, _NO_SPREAD))))

    @property
    def effect(self) -> Effect | None:
        """The main effect size: the first one, where there is any."""
        return self.effects[0] if self.effects else None

    @property
    def interval(self) -> Interval | None:
        """The interval of the main effect size, where one exists."""
        return self.effects[0].interval if self.effects else None

    @declared
    def significant(self, alpha: float = 0.05) -> bool:
        """Whether p lies at or below ``alpha``."""
        return self.p_value <= alpha

    @property
    def headline(self) -> str:
        """The test, its statistic and its p-value, without effect sizes."""
        return self.told()

    @declared
    def told(self, *, turned: bool = False) -> str:
        """The headline; ``turned`` as it reads when the second model is named first, with the sign of its statistic."""
        freedom = f"({', '.join(count_text(d) for d in self.df)})" if self.df else ""
        statistic = self.statistic
        if turned and ("difference" in self.statistic_name or self.statistic_name in ("t", "z", "D")):
            statistic = -statistic
        other = "turned" in self.details and turned
        shown = self.details["turned"] if other else self.details.get("shown", count_text(statistic))
        p = "p = 0" if math.isinf(self.statistic) and self.p_value == 0 else p_text(self.p_value)
        side = "" if self.alternative == "two-sided" else f", one-sided ({self.alternative})"
        return f"{self.test} ({self.method}): {self.statistic_name}{freedom} = {shown}, {p}{side}"

    def __str__(self) -> str:
        return "; ".join([self.headline, *(str(e) for e in self.effects)]) + "."

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON types; undefined numbers become None, long arrays their size."""
        told = document(self, "test method statistic_name statistic df p_value alternative effects notes")
        echoed = {name: jsonable(getattr(self, name), _ECHOED_IN_FULL) for name in ("details", "inputs")}
        return {**told, **echoed, "sentence": str(self)}

    def _tables(self) -> list[SmallTable]:
        freedom = ", ".join(count_text(d) for d in self.df)
        rows = [
            ("method", self.method),
            (self.statistic_name, self.details.get("shown", count_text(self.statistic))),
            *([("degrees of freedom", freedom)] if freedom else []),
            ("p", bare_p(self.p_value)),
            ("alternative", self.alternative),
            *((e.name, str(e).removeprefix(f"{e.name} = ")) for e in self.effects),
            *(("note", note) for note in self.notes),
        ]
        return [SmallTable(rows, caption=self.test)]
