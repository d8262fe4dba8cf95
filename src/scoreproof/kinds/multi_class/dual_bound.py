"""Dual bounds by column generation (Dantzig and Wolfe 1960, doi:10.1287/opre.8.1.101): multipliers that refute a part.

Each row says low <= sum <= high, where a cell adds a tp + b q + c q^2 and weighted scores. Besides what is linear as
stated there are tangents and chords of what is not:

- kappa >= v says (N T - (1 - v) S) / N^2 >= v, S the sum of n q;
- MCC = X / root(K Z) with X = (N T - S) / N^2, K = 1 - sum n^2 / N^2, Z = 1 - sum q^2 / N^2. On the convex side
  root(K Z) <= (K u + Z / u) / 2 for every u > 0; on the other it is above its chord over the node's range of Z;
- an F-score of means P, R is at most k ((1 - t)^2 P / r + t^2 R / s) for every t, with k = s + r.

For multipliers y every choice of counts has y . rows at most the sum over the cells of the greatest value of y . rows
in each; if that is below what the rows require, there is no choice. Since every score but the Jaccard index is linear
in tp for fixed q, the greatest value is at an end of an interval of tp. The program is solved in floats with columns
made as they are needed; the integers that come out are judged by the verifier alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from scoreproof.kinds.multi_class.cells import columns, listed
from scoreproof.kinds.multi_class.fitting import score_ends
from scoreproof.kinds.multi_class.model import Agreement, ClassesModel, CountPart, Mean, OfMeans, Ratio, rules_at
from scoreproof.kinds.multi_class.problem import asked_of
from scoreproof.reported.conventions import Undefined
from scoreproof.work.budget import Budget

if TYPE_CHECKING:
    from scoreproof.solve.linear_programs import ColumnProgram

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
    total = model.cells[0].total
    squares = sum(box.q0**2 for box in node.boxes), min(total**2, sum(box.q1**2 for box in node.boxes))
    k = 1 - Fraction(sum(cell.n**2 for cell in model.cells), total**2)
    if k == 0:
        return
    least, most = (1 - Fraction(end, total**2) for end in reversed(squares))  # of Z
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
    claimed = any(about.score == "sens" and about.average in _MEANS and claim.low > 0 for about, claim in asked)
    return len(model.sets) == 1 and all(cell.n for cell in model.cells) and claimed


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


def row_ends(rows: Sequence[SumRow]) -> tuple[Any, Any]:
    """What rows require at least and at most."""
    low = np.array([-np.inf if row.low is None else float(row.low) for row in rows])
    return low, np.array([np.inf if row.high is None else float(row.high) for row in rows])


def row_values(model: ClassesModel, rows: Sequence[SumRow], cell: int, tp: Any, q: Any) -> tuple[Any, Any]:
    """The rows' least and greatest values at counts of a cell; they differ where a 0/0 is open."""
    low, high = np.zeros((len(tp), len(rows))), np.zeros((len(tp), len(rows)))
    cache: dict[tuple[int, str], tuple[Any, Any]] = {}
    for r, row in enumerate(rows):
        if cell in row.linear:
            a, b, c = (float(x) for x in row.linear[cell])
            value = a * tp + b * q + (c * q * q if c else 0)
            low[:, r], high[:, r] = value, value
        for mean, factor in row.means:
            if not mean.weights[cell]:
                continue
            key = (id(mean), mean.form.name)
            if key not in cache:
                cache[key] = score_ends(model, mean, model.cells[cell], tp, q)
            weight = float(mean.weights[cell] * factor)
            least, most = cache[key]
            low[:, r] += weight * (least if weight > 0 else most)
            high[:, r] += weight * (most if weight > 0 else least)
    return low, high


_MOST_Q = 20_000
_MOST_POINTS = 200_000  # of a cell with a score that is not linear in tp
_UNIT = 1 << 30
_ROUNDS = 60
_CELL = 3e-4  # seconds of a table
_TRACE = 1e-9  # a share that is the solver's noise


class _Columns:
    """The columns of the tables that a program has, as they were ``added``: cells and places in their tables."""

    def __init__(self, tables: list[Any], program: ColumnProgram) -> None:
        self.tables, self.program = tables, program
        self.added: list[tuple[int, int]] = []
        self._known: set[tuple[int, int, bytes]] = set()

    def add(self, cell: int, places: Iterable[int], y: Any) -> int:
        """Give the program columns, with open values as the multipliers have them; how many are new ones."""
        low, high = self.tables[cell]
        new = []
        for at in places:
            values = low[at] if low is high else np.where(y > 0, high[at], low[at])
            if (cell, at, values.tobytes()) not in self._known:
                self._known.add((cell, at, values.tobytes()))
                self.added.append((cell, at))
                new.append(values)
        self.program.add([len(y) + cell] * len(new), new)
        return len(new)


class NodeRefutation:
    """``proof`` is a step of whole multipliers and bounds; without one, ``guess`` may be counts that nearly fit."""

    def __init__(self, model: ClassesModel, node: CountPart, deadline: Budget) -> None:
        self.model, self.node = model, node
        self.rows = rows_at(model, node)
        self.low, self.high = row_ends(self.rows)
        self.points: list[tuple[Any, Any]] = []
        self.tables = [self._table(cell) for cell in range(len(model.cells))]
        deadline.charge(_CELL * len(self.tables))
        self.proof: list[Any] | None = None
        self.guess: list[tuple[float, float]] | None = None
        if all(len(low) for low, _ in self.tables):
            y = self._solve(deadline)
            if y is not None:
                self.proof = self._leaf(y)

    def _table(self, cell: int) -> Any:
        """The rows' least and greatest values at every column of a cell; they differ where a 0/0 is open."""
        spread = columns(self.node.boxes[cell], rules_at(self.model, self.node, cell), _MOST_Q)
        curved = any(mean.form.den[0] for row in self.rows for mean, _ in row.means)
        if curved and spread.points <= _MOST_POINTS:
            tp, q = listed(spread)
        else:
            tp, q = np.concatenate((spread.low, spread.high)), np.concatenate((spread.q, spread.q))
        tp, q = tp.astype(float), q.astype(float)
        self.points.append((tp, q))
        low, high = row_values(self.model, self.rows, cell, tp, q)
        return low, high if (low != high).any() else low

    def _values(self, cell: int, y: Any) -> Any:
        """The greatest y . rows at every column of a cell."""
        low, high = self.tables[cell]
        if low is high:
            return low @ y
        return low @ np.minimum(y, 0.0) + high @ np.maximum(y, 0.0)

    def _solve(self, deadline: Budget) -> Any:
        """Float multipliers that refute the node, or None."""
        from scoreproof.solve.linear_programs import ColumnProgram

        rows, cells = len(self.rows), range(len(self.tables))
        program = ColumnProgram(self.low, self.high, [1] * len(cells))
        start = np.zeros(rows)
        given = _Columns(self.tables, program)
        for cell, (low, _) in enumerate(self.tables):
            given.add(cell, {0, len(low) // 2, len(low) - 1}, start)
        for _ in range(_ROUNDS):
            cost, dual = program.solve(deadline)
            if cost < 1e-10:
                self._mix(program.shares(), given.added)
                return None
            y, base = dual[:rows], dual[rows:]
            kept = np.where(np.isfinite(np.where(y > 0, self.low, self.high)), y, 0.0)  # the solver's noise is left out
            if self._gap(kept) > 0:
                return kept
            more = 0
            for cell in cells:
                gain = self._values(cell, y) + base[cell]
                best = np.argsort(-gain)[:4] if len(gain) < 64 else np.argpartition(-gain, 4)[:4]
                more += given.add(cell, [int(at) for at in best if gain[at] > 1e-9], y)
            if not more:
                return None
        return None

    def _mix(self, shares: Any, added: list[tuple[int, int]]) -> None:
        """The mean counts of every cell in a solution, near which there may be whole ones."""
        by_cell: list[list[tuple[float, int]]] = [[] for _ in self.tables]
        for share, (cell, at) in zip(shares, added, strict=True):
            if share > _TRACE:
                by_cell[cell].append((share, at))
        self.guess = []
        for cell, parts in enumerate(by_cell):
            weights = np.array([share for share, _ in parts])
            weights = weights / weights.sum()
            places = [place for _, place in parts]
            tp, q = (axis[places] for axis in self.points[cell])
            self.guess.append((float(weights @ tp), float(weights @ q)))

    def _required(self, y: Any) -> float:
        ends = np.where(y > 0, self.low, self.high)
        return float(sum(a * b for a, b in zip(y, ends, strict=True) if a))

    def _gap(self, y: Any) -> float:
        """What the rows require beyond what the cells can give."""
        most = sum(float(self._values(cell, y).max()) for cell in range(len(self.tables)))
        return self._required(y) - most - 1e-9 * float(np.abs(y).sum())

    def _leaf(self, y: Any) -> list[Any] | None:
        """The refutation in whole numbers."""
        largest = float(np.abs(y).max()) or 1.0
        whole = np.array([round(float(v) / largest * _UNIT) for v in y], dtype=float)
        tops = [float(self._values(cell, whole).max()) for cell in range(len(self.tables))]
        slack = self._required(whole) - sum(tops)
        if slack <= 2 * len(tops):
            return None
        share = int(slack / (2 * len(tops)))
        named = [[*row.name, int(v)] for row, v in zip(self.rows, whole, strict=True) if v]
        return ["bound", named, [int(np.ceil(top)) + share for top in tops]]
