"""Costs of misclassification: for which ratio of costs is one method preferable to another?

MC = C_FN FN + C_FP FP (Lavazza and Morasca 2023, section VI.A). Per case and in units of C_FP it is k fn + fp with the
ratio k = C_FN / C_FP, a line in k. The rates (fn, fp) of a method are only known to be mixtures of some corners, so its
cost lies between two lines' envelopes, and one method is certainly cheaper than another on an interval of k.

Correct calls may cost (or earn) something, too: a treated patient, a spared examination. ``CellCosts`` prices all four
cells; the cost per case is then linear in their rates, so its range is that over the corners. A budget asks who
certainly stays within it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.insight.reconstruction import Reconstruction
from scoreproof.jsonable import Jsonable
from scoreproof.kinds.unknown_classes.ranges import Range, above, below
from scoreproof.validation import exact, shown

Errors = list[tuple[Fraction, Fraction]]  # (fn, fp) as rates
_MOST_CORNERS = 5_000


@dataclass(frozen=True, slots=True)
class Preference(Jsonable):
    """``one`` certainly costs less than ``other`` if the cost ratio is above ``low`` and below ``high`` (None: any)."""

    one: str
    other: str
    low: Fraction
    high: Fraction | None

    _told = "cheaper=one than=other ratio_above=low ratio_below=high"

    def __str__(self) -> str:
        if self.low == 0 and self.high is None:
            return f"{self.one} costs less than {self.other} whatever the costs"
        if self.high is None:
            return f"{self.one} certainly costs less than {self.other} if C_FN/C_FP is above {above(self.low)}"
        if self.low == 0:
            return f"{self.one} certainly costs less than {self.other} if C_FN/C_FP is below {below(self.high)}"
        return (
            f"{self.one} certainly costs less than {self.other} if C_FN/C_FP is between {above(self.low)} "
            f"and {below(self.high)}"
        )


def error_rates(found: Reconstruction) -> Errors:
    """Corners (fn, fp) of everything a method may have done wrong, as rates; every error is a mixture of them."""
    corners: dict[tuple[Fraction, Fraction], None] = {}
    for tp, fp, fn, tn in found.corners():
        total = tp + fp + fn + tn
        corners[Fraction(fn, total), Fraction(fp, total)] = None
        if len(corners) > _MOST_CORNERS:
            break
    else:
        return _hull(list(corners))
    spans = [_rate(found, name) for name in ("fn", "fp")]
    return [(fn, fp) for fn in spans[0] for fp in spans[1]]


def _rate(found: Reconstruction, name: str) -> tuple[Fraction, Fraction]:
    span = found.ranges[name]
    high = Fraction(1) if span.high is None else span.high
    if found.known == "rates":
        return span.low, high
    least, most = found.total or (sum(found.classes or (1,)),) * 2
    return span.low / most, high / least


def _hull(points: Errors) -> Errors:
    """The corners of the convex hull."""
    ordered = sorted(points)
    if len(ordered) < 3:
        return ordered
    hull: Errors = []
    for sweep in (ordered, ordered[::-1]):
        start = len(hull)
        for point in sweep:
            while len(hull) >= start + 2 and _turn(hull[-2], hull[-1], point) <= 0:
                hull.pop()
            hull.append(point)
        hull.pop()
    return hull


def _turn(a: tuple[Fraction, Fraction], b: tuple[Fraction, Fraction], c: tuple[Fraction, Fraction]) -> Fraction:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def cheaper(one: str, first: Errors, other: str, second: Errors) -> Preference | None:
    """The interval of cost ratios for which the one certainly costs less; None if there is none."""
    low, high = Fraction(0), None
    for fn, fp in first:
        for fn2, fp2 in second:
            gain, loss = fn2 - fn, fp - fp2  # less only if k * gain > loss
            if gain > 0:
                low = max(low, loss / gain)
            elif gain < 0:
                bound = loss / gain
                high = bound if high is None else min(high, bound)
            elif loss >= 0:
                return None
    if high is not None and high <= low:
        return None
    return Preference(one, other, low, high)


def cost(errors: Errors, ratio: Fraction) -> Range:
    """The cost per case, in units of C_FP, at one cost ratio."""
    values = [ratio * fn + fp for fn, fp in errors]
    return Range(min(values), max(values))


def read_ratio(ratio: Any) -> Fraction | None:
    """A cost ratio C_FN / C_FP: a positive number."""
    if ratio is None:
        return None
    read = exact("cost_ratio", ratio, wanted="a positive number C_FN / C_FP")
    if read <= 0:
        raise InvalidOption(f"cost_ratio: expected a positive number C_FN / C_FP, got {shown(ratio)}")
    return read


@dataclass(frozen=True, slots=True)
class CellCosts(Jsonable):
    """What a case costs in each cell; a negative cost is a gain."""

    tp: Fraction
    fp: Fraction
    fn: Fraction
    tn: Fraction

    @property
    def cells(self) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        return self.tp, self.fp, self.fn, self.tn

    def of(self, tp: int, fp: int, fn: int, tn: int) -> Fraction:
        """The cost per case of one confusion matrix.

        >>> read_costs({"fn": 10, "fp": 1}).of(80, 10, 20, 90)
        Fraction(21, 20)
        """
        cells = (tp, fp, fn, tn)
        return sum((price * many for price, many in zip(self.cells, cells, strict=True)), Fraction(0)) / sum(cells)

    def __str__(self) -> str:
        return ", ".join(f"{name} {float(value):g}" for name, value in self.to_dict().items() if value)


_CELLS = ("tp", "fp", "fn", "tn")


def read_costs(costs: Any) -> CellCosts | None:
    """Costs per case of some cells, the others free: {"fn": 10, "fp": 1, "tp": 0.5} or "fn=10,fp=1,tp=0.5"."""
    if costs is None or isinstance(costs, CellCosts):
        return costs
    if isinstance(costs, str):
        parts = [part.partition("=") for part in costs.split(",") if part.strip()]
        costs = {name.strip().lower(): value.strip() for name, _, value in parts}
    if not isinstance(costs, Mapping) or not costs or any(name not in _CELLS for name in costs):
        raise InvalidOption(f"costs: expected prices of tp, fp, fn, tn such as fn=10,fp=1, got {shown(costs)}")
    prices = {name: _price(f"cost of {name}", value) for name, value in costs.items()}
    if not any(prices.values()):
        raise InvalidOption("costs: all are 0, so every method costs the same; give at least one")
    return CellCosts(*(prices.get(name, Fraction(0)) for name in _CELLS))


def _price(name: str, value: Any) -> Fraction:
    return exact(name, value)


def read_budget(budget: Any) -> Fraction | None:
    """The cost per case that must not be exceeded."""
    return None if budget is None else _price("cost_budget", budget)


def cell_cost(found: Reconstruction, costs: CellCosts) -> Range:
    """The cost per case of everything a method may have done."""
    values = []
    for count, cells in enumerate(found.corners()):
        values.append(costs.of(*cells))
        if count > _MOST_CORNERS:
            break
    else:
        return Range(min(values), max(values))
    # Too many corners to visit: each cell at its own cheapest and dearest.
    low = high = Fraction(0)
    for name, price in zip(_CELLS, costs.cells, strict=True):
        ends = sorted(price * rate for rate in _rate(found, name))
        low, high = low + ends[0], high + ends[1]
    return Range(low, high)


def within(span: Range, budget: Fraction) -> str:
    """Whether a cost certainly, possibly or certainly not stays within a budget."""
    if span.high is not None and span.high <= budget:
        return "certainly"
    return "possibly" if span.low <= budget else "certainly not"


def class_cost(matrix: Sequence[Sequence[int]], costs: Sequence[Sequence[Any]]) -> Fraction:
    """The mean cost of a case, exactly; rows are true, columns called classes, in both tables.

    >>> class_cost([[8, 2, 0], [1, 6, 3], [0, 1, 9]], [[0, 1, 3], [1, 0, 1], [3, 1, 0]])
    Fraction(7, 30)
    """
    k = len(matrix)
    for name, table in (("matrix", matrix), ("costs", costs)):
        if len(table) != k or any(len(row) != k for row in table) or k < 2:
            raise InvalidValue(f"{name}: expected {k} rows of {k} numbers, one for each class, at least two classes")
    total = Fraction(0)
    cases = 0
    for i, row in enumerate(matrix):
        for j, many in enumerate(row):
            if isinstance(many, bool) or int(many) != many or many < 0:
                raise InvalidValue(f"matrix[{i}][{j}] = {many!r}: expected a count of cases, at least 0")
            total += int(many) * exact(f"costs[{i}][{j}]", costs[i][j])
            cases += int(many)
    if cases == 0:
        raise InvalidValue("matrix: no case at all; at least one is needed")
    return total / cases


def cheapest(
    matrices: Mapping[str, Sequence[Sequence[int]]], costs: Sequence[Sequence[Any]]
) -> tuple[tuple[str, Fraction], ...]:
    """Methods by their mean cost, the cheapest first.

    >>> found = cheapest({"A": [[9, 1], [4, 6]], "B": [[7, 3], [1, 9]]}, [[0, 1], [10, 0]])
    >>> [name for name, _ in found]
    ['B', 'A']
    """
    return tuple(sorted(((name, class_cost(m, costs)) for name, m in matrices.items()), key=lambda pair: pair[1]))
