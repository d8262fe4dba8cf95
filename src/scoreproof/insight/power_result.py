"""Everything a power analysis assumes, in one picklable value.

The setting names scores instead of holding them, so that it can be sent to other processes and written down: two
analyses with the same setting draw the same trials.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Self

from scoreproof.checking.check import experiment_from_dict
from scoreproof.figures import new_figure
from scoreproof.insight.deviations import Deviation, Units, deviation_of
from scoreproof.insight.outcomes import Classifier, classifier_of, named_scores, of_classes
from scoreproof.insight.printed_boxes import PrintedColumn
from scoreproof.jsonable import Jsonable, document, rebuilt
from scoreproof.kinds.binary.problem import BinaryProblem, with_read_ranges
from scoreproof.kinds.multi_class.experiment import sets_of
from scoreproof.kinds.multi_class.problem import ClassesProblem, in_order
from scoreproof.reported import Claim, Rounding
from scoreproof.reported.conventions import Undefined
from scoreproof.reported.number import Printed, decimal_text
from scoreproof.results import Result, SmallTable, Tabular

if TYPE_CHECKING:
    from matplotlib.figure import Figure


_WIDE = 90  # characters of a title line


@dataclass(frozen=True, slots=True)
class PowerSetting(Jsonable):
    """A stated experiment, the one performed, and how reports of it are made and tested."""

    stated: Any  # of two classes, or of several
    performed: Any
    names: tuple[str, ...]
    deviation: Deviation
    classifier: Classifier
    rounding: Rounding
    eps: Fraction | None
    undefined: Undefined
    budget: float
    seed: int

    _told = "experiment=stated performed scores=names *"

    @property
    def scores(self) -> tuple[Any, ...]:
        return named_scores(self.names, self.stated)

    @property
    def several(self) -> bool:
        """Whether it is of several classes."""
        return of_classes(self.stated)

    def reported(self, units: Units, digits: int) -> tuple[Claim, ...]:
        """The report with these printed values, as a check reads it."""
        rule, scale = self.rounding if self.eps is None else None, 10**digits
        claims = []
        for score, unit in zip(self.scores, units, strict=True):
            ends = PrintedColumn.of(score, scale, rule, self.eps).bounds(unit)
            text = decimal_text(unit, digits)
            claims.append(Claim(score, score.name, text, Printed(unit, scale), *ends, rule, self.eps))
        return tuple(claims)

    def problem(self, reported: tuple[Claim, ...]) -> BinaryProblem | ClassesProblem:
        """A report of the stated experiment, tested as ``check`` does."""
        if self.several:
            classes, counts = sets_of(self.stated)
            return ClassesProblem(classes, tuple(counts), in_order(reported), self.undefined)
        return BinaryProblem(with_read_ranges(self.stated), reported, self.undefined)

    def to_dict(self) -> dict[str, Any]:
        rule = None if self.eps is not None else self.rounding
        return document(self, self._told, rounding=rule, eps=None if self.eps is None else str(self.eps))

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """The setting of a document; where ``eps`` is given the rounding says nothing."""
        made = {name: experiment_from_dict(document[name]) for name in ("experiment", "performed")}
        deviation, classifier = deviation_of(document["deviation"]), classifier_of(document["classifier"])
        rule = document["rounding"] or Rounding.ANY
        return rebuilt(cls, {**document, **made, "deviation": deviation, "classifier": classifier, "rounding": rule})


@dataclass(frozen=True, slots=True)
class Power(Result):
    """The probability that a deviation is noticed in reports of so many digits.

    ``power`` is the share of the trials that the check calls inconsistent. Trials it leaves undecided are counted
    apart: ``low`` takes them as not noticed and ``high`` as noticed, each with its Monte-Carlo error. ``unchanged``
    trials, in which the deviation left the report as it was (two equal columns swapped), stay in the denominator. If
    ``exact``, all outcomes were summed up: ``trials`` is their number, and shares stand in for counts.
    """

    setting: PowerSetting
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
    def setting(self) -> PowerSetting:
        return self.points[0].setting

    def __iter__(self) -> Iterator[Power]:
        return iter(self.points)

    def __len__(self) -> int:
        return len(self.points)

    def __getitem__(self, digits: int) -> Power:
        """The power at so many digits."""
        return {point.digits: point for point in self.points}[digits]

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
        return "\n".join([self._said(), *(f"  {point.digits} digits: {point.words}" for point in self.points)])

    def _said(self) -> str:
        setting = self.setting
        return f"{setting.deviation}, for {', '.join(setting.names)} ({rule_words(setting)}) from {setting.stated}:"

    def _tables(self) -> list[SmallTable]:
        head = ("digits", "power", "low", "high", "trials", "undecided")
        rows = [
            (
                str(each.digits),
                *map(percent, (each.power, each.low, each.high)),
                "exact" if each.exact else f"{each.trials:,}",
                f"{each.undecided:,}",
            )
            for each in self.points
        ]
        return [SmallTable(rows, head, self._said())]

    def figure(self) -> Figure:
        """Power against digits, with error bars; undecided trials widen the bar upwards."""
        figure = new_figure(6.4, 4.2)
        axes = figure.add_subplot()
        points = sorted(self, key=lambda point: point.digits)
        places = [point.digits for point in points]
        bars = [[max(0.0, p.power - p.low) for p in points], [max(0.0, p.high - p.power) for p in points]]
        axes.errorbar(places, [p.power for p in points], yerr=bars, fmt="o-", markersize=5, capsize=3)
        box = {"facecolor": "white", "edgecolor": "none", "pad": 0.5, "alpha": 0.8}
        beside: dict[str, Any] = {"xytext": (9, -12), "textcoords": "offset points", "fontsize": 8, "bbox": box}
        for point in points:
            axes.annotate(percent(point.power), (point.digits, point.power), **beside)
        axes.set(xticks=places, xlim=(places[0] - 0.4, places[-1] + 0.5), ylim=(-0.03, 1.06))
        axes.set(xlabel="decimal places reported", ylabel="power: probability of being noticed")
        axes.grid(axis="y", color="#dddddd", linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
        setting = self.setting
        told = f"{', '.join(setting.names)}, {rule_words(setting)}", setting.deviation, f"stated: {setting.stated}"
        lines = [part for line in map(str, told) for part in textwrap.wrap(line, _WIDE)]
        axes.set_title("\n".join(lines).replace("$", r"\$"), fontsize=9, loc="left")
        return figure


def percent(share: float) -> str:
    """A probability for people: four digits, but never rounded to certainty.

    >>> percent(0.99999), percent(1.0), percent(0.706), percent(0.0)
    ('0.9999', '1', '0.7060', '0')
    """
    if share in (0.0, 1.0):
        return f"{share:g}"
    return f"{min(0.9999, max(0.0001, share)):.4f}"


def rule_words(setting: PowerSetting) -> str:
    """How values were rounded and how they are read, for people."""
    if setting.eps is not None:
        return f"tested within {float(setting.eps):g}"
    if setting.rounding == "any":
        return "tested for any rounding"
    return {"nearest": "rounded to nearest", "floor": "floored", "ceil": "ceiled"}[setting.rounding]
