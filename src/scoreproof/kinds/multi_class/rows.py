"""Linear inequalities that every possible choice of counts keeps to, as sums over the cells.

Each row says low <= sum <= high, where a cell adds a tp + b q + c q^2 and weighted scores. Besides what is linear as
stated there are tangents and chords of what is not:

- kappa >= v says (N T - (1 - v) S) / N^2 >= v, S the sum of n q;
- MCC = X / root(K Z) with X = (N T - S) / N^2, K = 1 - sum n^2 / N^2, Z = 1 - sum q^2 / N^2. On the convex side
  root(K Z) <= (K u + Z / u) / 2 for every u > 0; on the other it is above its chord over the node's range of Z;
- an F-score of means P, R is at most k ((1 - t)^2 P / r + t^2 R / s) for every t, with k = s + r; and from below, it is
  at least its value at one end of one mean, a concave function of the other, above the chord.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from scoreproof.kinds.multi_class.model import Agreement, ClassesModel, Mean, OfMeans, Ratio
from scoreproof.kinds.multi_class.node import CountPart
from scoreproof.kinds.multi_class.problem import asked_of
from scoreproof.reported.conventions import Undefined

Linear = tuple[Fraction, Fraction, Fraction]  # of tp, q, q squared
_ZERO, _ONE = Fraction(0), Fraction(1)
_FINE = 1 << 40
_MOST_COUPLED = 6
_MEANS = ("macro", "weighted")
_POINTS = (0.0, 0.5, 1.0)


@dataclass(frozen=True, slots=True)
class SumRow:
    """``name`` is what a proof calls it; ``means`` are weighted scores and what they are multiplied with."""

    name: tuple[str | int, ...]
    low: Fraction | None
    high: Fraction | None
    linear: dict[int, Linear]
    means: tuple[tuple[Mean, Fraction], ...] = ()


def _sided(name: tuple[str | int, ...], side: str, bound: Fraction, linear: dict[int, Linear]) -> SumRow:
    return SumRow(name, bound, None, linear) if side == "low" else SumRow(name, None, bound, linear)


def rows_at(model: ClassesModel, node: CountPart) -> list[SumRow]:
    """The rows of a node."""
    rows: list[SumRow] = []
    for number, cells in enumerate(model.sets):
        size = max(1, sum(model.cells[c].n for c in cells))
        least, most = node.right[number]
        share = {c: (Fraction(1, size), _ZERO, _ZERO) for c in cells}
        rows.append(SumRow(("right", number), Fraction(least, size), Fraction(most, size), share))
        if model.exclusive:
            rows.append(SumRow(("given", number), _ONE, _ONE, {c: (_ZERO, Fraction(1, size), _ZERO) for c in cells}))
            rows += _coupled(model, node, cells, size)
    for goal in model.goals:
        if isinstance(goal, Mean):
            rows.append(SumRow(("mean", goal.index), goal.low, goal.high, {}, ((goal, _ONE),)))
        elif isinstance(goal, Ratio):
            rows += _ratio(model, goal)
        elif isinstance(goal, OfMeans):
            rows += _of_means(model, goal)
        elif goal.name == "kappa":
            rows += _kappa(model, goal)
        else:
            rows += _mcc(model, node, goal)
    return rows


def _coupled(model: ClassesModel, node: CountPart, cells: list[int], size: int) -> Iterator[SumRow]:
    """fn + fp = n + q - 2 tp is at most N - T, for the classes nearest to it."""

    def fullness(c: int) -> int:
        box = node.boxes[c]
        return model.cells[c].n + box.q1 - 2 * box.t0

    wrong = size - node.right[model.cells[cells[0]].number][1]
    tight = sorted((c for c in cells if fullness(c) > wrong), key=fullness, reverse=True)[:_MOST_COUPLED]
    for c in tight:
        share = {d: (Fraction(1, size), _ZERO, _ZERO) for d in cells if d != c}
        share[c] = (-Fraction(1, size), Fraction(1, size), _ZERO)
        yield SumRow(("wrong", c), None, 1 - Fraction(model.cells[c].n, size), share)


def _ratio(model: ClassesModel, goal: Ratio) -> Iterator[SumRow]:
    size = max(1, sum(cell.n for cell in model.cells))
    (a, b, c, d), (e, f, g, h) = goal.form.num, goal.form.den
    for side, end in (("low", goal.low), ("high", goal.high)):
        beside = sum((c - end * g) * cell.n + (d - end * h) * cell.total for cell in model.cells) / size
        own = ((a - end * e) / size, (b - end * f) / size, _ZERO)
        everywhere = dict.fromkeys(range(len(model.cells)), own)
        yield _sided(("ratio", goal.index, side), side, -Fraction(beside), everywhere)


def _kappa(model: ClassesModel, goal: Agreement) -> Iterator[SumRow]:
    total = model.cells[0].total
    for side, end in (("low", goal.low), ("high", goal.high)):
        own = {c: (Fraction(1, total), -(1 - end) * cell.n / total**2, _ZERO) for c, cell in enumerate(model.cells)}
        yield _sided(("kappa", goal.index, side), side, end, own)


def _mcc(model: ClassesModel, node: CountPart, goal: Agreement) -> Iterator[SumRow]:
    assert node.squares is not None
    total = model.cells[0].total
    k = 1 - Fraction(sum(cell.n**2 for cell in model.cells), total**2)
    if k == 0:
        return
    least, most = (1 - Fraction(end, total**2) for end in reversed(node.squares))  # of Z
    least = max(least, _ZERO)
    for side, end in (("low", goal.low), ("high", goal.high)):
        if (end >= 0) == (side == "high") or end == 0:
            for share in _POINTS:
                z = float(least) + share * float(most - least)
                u = Fraction(max(1, round((z / float(k)) ** 0.5 * _FINE)), _FINE)
                # X -/+ v root(K Z): X + v / (2 u) sum q^2 / N^2 against v (K u + 1 / u) / 2
                yield _mcc_row(
                    model,
                    ("mcc", goal.index, side, u.numerator, u.denominator),
                    side,
                    end / (2 * u),
                    end * (k * u + 1 / u) / 2,
                )
            continue
        f0, f1 = root_below(k * least), root_below(k * most)
        slope = (f1 - f0) / (most - least) if most > least else _ZERO
        # v (f0 + slope (Z - least)), with Z = 1 - sum q^2 / N^2
        yield _mcc_row(model, ("mcc", goal.index, side), side, end * slope, end * (f0 + slope * (1 - least)))


def _mcc_row(model: ClassesModel, name: tuple[str | int, ...], side: str, squares: Fraction, bound: Fraction) -> SumRow:
    total = model.cells[0].total
    own = {
        c: (Fraction(1, total), -Fraction(cell.n, total**2), squares / total**2) for c, cell in enumerate(model.cells)
    }
    return _sided(name, side, bound, own)


def root_below(value: Fraction) -> Fraction:
    """A rational just below the root."""
    return Fraction(isqrt(value.numerator * _FINE**2 // value.denominator), _FINE)


def claimed_mean(model: ClassesModel, goal: OfMeans, name: str) -> tuple[Fraction, Fraction]:
    """The range of the mean precision or recall, as far as it is claimed."""
    average = asked_of(model.problem.claims[goal.index]).average
    for claim in model.problem.claims:
        about = asked_of(claim)
        if about.average == average and about.score == name:
            return max(_ZERO, claim.low), min(_ONE, claim.high)
    return _ZERO, _ONE


def _is_defined(model: ClassesModel) -> bool:
    """Whether an F-score of means surely is a number, or counts as 0: tangents say nothing where it is 0/0."""
    if model.problem.undefined in (Undefined.ZERO, Undefined.EXCLUDE) or all(least > 0 for least, _ in model.right):
        return True
    asked = ((asked_of(claim), claim) for claim in model.problem.claims)
    found = any(one.score == "sens" and one.average in _MEANS and claim.low > 0 for one, claim in asked)
    return len(model.sets) == 1 and all(cell.n for cell in model.cells) and found


def _of_means(model: ClassesModel, goal: OfMeans) -> Iterator[SumRow]:
    s, r = goal.form.den[2], goal.form.den[1]
    (p0, p1), (r0, r1) = claimed_mean(model, goal, "ppv"), claimed_mean(model, goal, "sens")
    if p0 > p1 or r0 > r1:
        return
    if not _is_defined(model):
        return
    ends = sorted((float(s * p0 / ((s * p0 + r * r1) or 1)), float(s * p1 / ((s * p1 + r * r0) or 1))))
    for share in _POINTS:
        t = Fraction(round((ends[0] + share * (ends[1] - ends[0])) * 1024), 1024)
        parts = ((goal.precision, (s + r) * (1 - t) ** 2 / r), (goal.recall, (s + r) * t**2 / s))
        yield SumRow(("tangent", goal.index, t.numerator, t.denominator), goal.low, None, {}, parts)
    if len(model.sets) > 1:
        return

    def value(x: Fraction, y: Fraction) -> Fraction:
        below = s * x + r * y
        return (s + r) * x * y / below if below else _ZERO

    for name, mean, (low, high), other in (
        ("ppv", goal.precision, (p0, p1), r0),
        ("sens", goal.recall, (r0, r1), p0),
    ):
        at = [value(end, other) if name == "ppv" else value(other, end) for end in (low, high)]
        slope = (at[1] - at[0]) / (high - low) if high > low else _ZERO
        yield SumRow(("chord", goal.index, name), None, goal.high - at[0] + slope * low, {}, ((mean, slope),))
