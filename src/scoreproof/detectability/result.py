"""What a power analysis returns: a probability with its error, and the curve of several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from scoreproof.detectability.setting import Setting
from scoreproof.jsonable import document, rebuilt
from scoreproof.results import Result, SmallTable, Tabular

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class Power(Result):
    """The probability that a deviation is noticed in reports of so many digits.

    ``power`` is the share of the trials that the check calls inconsistent. Trials it leaves undecided are counted
    apart: ``low`` takes them as not noticed and ``high`` as noticed, each with its Monte-Carlo error. ``unchanged``
    trials, in which the deviation left the report as it was (two equal columns swapped), stay in the denominator. If
    ``exact``, all outcomes were summed up: ``trials`` is their number, and shares stand in for counts.
    """

    setting: Setting
    digits: int
    power: float
    low: float
    high: float
    trials: int
    noticed: int | None
    undecided: int
    unchanged: int | None
    unchanged_share: float
    exact: bool
    level: float = 0.95

    def to_dict(self) -> dict[str, Any]:
        told = "digits power low high level exact trials noticed undecided unchanged unchanged_share"
        level = None if self.exact else self.level
        return {**document(self, told, level=level), **self.setting.to_dict()}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        given = {key: value for key, value in document.items() if key != "level" or value is not None}
        return rebuilt(cls, {**given, "setting": document})

    @property
    def words(self) -> str:
        """The probability and what it rests on."""
        if self.exact:
            return f"power {percent(self.power)} (exact, {self.trials:,} outcomes)"
        left = f", {self.undecided:,} undecided" if self.undecided else ""
        sure = f"{100 * self.level:g}% CI {percent(self.low)} to {percent(self.high)}"
        return f"power {percent(self.power)} ({sure}; {self.noticed:,} of {self.trials:,} noticed{left})"

    def __str__(self) -> str:
        names = ", ".join(self.setting.names)
        return (
            f"{self.setting.deviation}: {self.words}, for {names} at {self.digits} digits ({rule_words(self.setting)}) "
            f"from {self.setting.stated}"
        )


@dataclass(frozen=True, slots=True)
class PowerCurve(Tabular):
    """Power against the number of reported digits."""

    points: tuple[Power, ...]

    @property
    def setting(self) -> Setting:
        return self.points[0].setting

    def __iter__(self) -> Iterator[Power]:
        return iter(self.points)

    def __len__(self) -> int:
        return len(self.points)

    def __getitem__(self, digits: int) -> Power:
        """The power at so many digits."""
        for point in self.points:
            if point.digits == digits:
                return point
        raise KeyError(digits)

    def to_dict(self) -> dict[str, Any]:
        shared = self.setting.to_dict()
        points = [{key: value for key, value in point.to_dict().items() if key not in shared} for point in self.points]
        return {**shared, "points": points}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        return cls(tuple(Power.from_dict({**document, **point}) for point in document["points"]))

    def _rows(self) -> list[dict[str, Any]]:
        return list(self.to_dict()["points"])

    def __str__(self) -> str:
        one = self.setting
        lines = [
            f"{one.deviation}, for {', '.join(one.names)} ({rule_words(one)}) from {one.stated}:",
            *(f"  {point.digits} digits: {point.words}" for point in self.points),
        ]
        return "\n".join(lines)

    def _tables(self) -> list[SmallTable]:
        rows = (
            (
                str(point.digits),
                *map(percent, (point.power, point.low, point.high)),
                "exact" if point.exact else f"{point.trials:,}",
                f"{point.undecided:,}",
            )
            for point in self.points
        )
        head = ("digits", "power", "low", "high", "trials", "undecided")
        return [SmallTable(rows, head, str(self).splitlines()[0])]

    def figure(self) -> Figure:
        """Power against digits, with error bars."""
        from scoreproof.detectability.figure import plot_power

        return plot_power({str(self.setting.deviation): self})


Curves = Mapping[str, PowerCurve]


def percent(share: float) -> str:
    """A probability for people: four digits, but never rounded to certainty.

    >>> percent(0.99999), percent(1.0), percent(0.706), percent(0.0)
    ('0.9999', '1', '0.7060', '0')
    """
    if share in (0.0, 1.0):
        return f"{share:g}"
    return f"{min(0.9999, max(0.0001, share)):.4f}"


def rule_words(setting: Setting) -> str:
    """How values were rounded and how they are read, for people."""
    if setting.eps is not None:
        return f"tested within {float(setting.eps):g}"
    if setting.rounding == "any":
        return "tested for any rounding"
    return {"nearest": "rounded to nearest", "floor": "floored", "ceil": "ceiled"}[setting.rounding]
