"""A part of all counts: narrowed by its lines, or refuted by multipliers of them that a linear program proposes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from scoreproof.kinds.multi_class.model import whole_rule
from scoreproof.kinds.unknown_counts.lines import FINE, Box, Coefficients, CountLine, CountLines, Product

_ROUNDS = 40
_UNIT = 1 << 30
_MOST_CLASSES = 60  # of a linear program
Whole = tuple[tuple[tuple[int, int], ...], int]  # variables with coefficients, and the constant


def whole_lines(lines: Sequence[CountLine]) -> list[Whole]:
    """The same inequalities in whole numbers."""
    made = []
    for line in lines:
        places = list(line.coefficients)
        *own, constant = whole_rule(*line.coefficients.values(), line.constant)
        made.append((tuple((at, value) for at, value in zip(places, own, strict=True) if value), constant))
    return made


def narrowed(box: Box, lines: Sequence[Whole]) -> Box | None:
    """What the lines leave of a box of whole numbers; None if it is nothing."""
    box = list(box)
    for _ in range(_ROUNDS):
        before = list(box)
        for own, constant in lines:
            most = constant + sum(value * box[at][value > 0] for at, value in own)
            if most < 0:
                return None
            for at, value in own:
                low, high = box[at]
                rest = most - value * (high if value > 0 else low)  # value x >= -rest
                if value > 0:
                    low = max(low, -(rest // value))
                else:
                    high = min(high, rest // -value)
                if low > high:
                    return None
                if (low, high) != box[at]:
                    box[at] = low, high
                    most = rest + value * (high if value > 0 else low)
        if box == before:
            break
    return box


class CountProgram:
    """The linear program of a part; ``proof`` is a step that refutes it, else ``point`` are counts it admits."""

    def __init__(self, model: CountLines, box: Box) -> None:
        self.model, self.box = model, box
        self.proof: list[Any] | None = None
        self.point: Any = None
        if model.classes > _MOST_CLASSES:
            return
        self.ends: list[tuple[float, float]] = [(float(low), float(high)) for low, high in box]
        self.ends += [(0.0, 0.0)] * (model.variables - len(box))
        self.lines = [*model.lines, *model.means]
        for one in model.products:
            self.lines += self._enclosed(one)
        self._solve(None)

    def _enclosed(self, one: Product) -> Iterator[CountLine]:
        """The four inequalities around a product."""
        box, model = self.box, self.model
        unit = 1
        if one.form is not None:
            y_ends = model.score_ends(one.form, box, one.place)
            self.ends[one.y] = y_ends[0] / FINE, y_ends[1] / FINE
            unit = FINE
            if model.left_out(one.form, box, one.place):
                return
        elif one.y < len(box):
            y_ends = box[one.y]
        else:
            y_ends = round(self.ends[one.y][0] * FINE), round(self.ends[one.y][1] * FINE)
            unit = FINE
        x_ends = _span(one.x, box)
        if one.form is None:
            (z,) = one.z[0]
            self.ends[z] = x_ends[0] * y_ends[0] / unit, x_ends[1] * y_ends[1] / unit
        for x_side in (0, 1):
            for y_side in (0, 1):
                x0, y0 = x_ends[x_side], Fraction(y_ends[y_side], unit)
                sign = 1 if x_side == y_side else -1
                own: Coefficients = {}
                for parts, factor in ((one.z[0], Fraction(1)), (one.x[0], -y0), ({one.y: Fraction(1)}, -Fraction(x0))):
                    for at, value in parts.items():
                        own[at] = own.get(at, Fraction(0)) + sign * factor * value
                constant = sign * (one.z[1] - y0 * one.x[1] + x0 * y0)
                yield CountLine(("product", *one.name, x_side, x0, y_side, y_ends[y_side]), own, constant)

    def _solve(self, aim: Any) -> Any:
        """The least by which lines must be broken; with an ``aim`` a point of the part in that direction."""
        from scipy.optimize import linprog

        size = self.model.variables
        rows, rest = np.zeros((len(self.lines), size + 1)), np.zeros(len(self.lines))
        scale = np.array([max(abs(low), abs(high), 1e-9) for low, high in self.ends])
        for r, line in enumerate(self.lines):
            for at, value in line.coefficients.items():
                rows[r, at] = -float(value) * scale[at]
            rest[r] = float(line.constant)
        weight = np.maximum(np.abs(rows).max(axis=1), np.maximum(np.abs(rest), 1e-12))
        rows, rest = rows / weight[:, None], rest / weight
        rows[:, size] = -1.0
        bounds = [(low / s, high / s) for (low, high), s in zip(self.ends, scale, strict=True)]
        cost = np.zeros(size + 1)
        cost[size] = 1.0
        limit: tuple[float, float | None] = (0.0, None)
        if aim is not None:
            cost[: len(aim)], cost[size], limit = aim, 0.0, (0.0, 1e-9)
        solved = linprog(cost, A_ub=rows, b_ub=rest, bounds=[*bounds, limit], method="highs")
        if solved.x is None:
            return None
        point = solved.x[:size] * scale
        if aim is not None:
            return point
        if solved.fun is not None and solved.fun > 1e-9:
            self._prove(-np.asarray(solved.ineqlin.marginals) / weight)
        self.point = point
        return point

    def _prove(self, y: Any) -> None:
        """Whole multipliers, if with them no point of the box keeps to the sum of the lines."""
        y = np.maximum(y, 0.0)
        # multipliers differ by the size of their lines: each is kept to 30 bits of the largest
        whole = [round(float(v) / float(y.max()) * _UNIT * 1024) for v in y]
        total: Coefficients = {}
        constant = Fraction(0)
        for line, v in zip(self.lines, whole, strict=True):
            if v:
                constant += v * line.constant
                for at, value in line.coefficients.items():
                    total[at] = total.get(at, Fraction(0)) + v * value
        most = float(constant)
        for at, value in total.items():
            low, high = self.ends[at]
            most += max(float(value) * low, float(value) * high)
        if most < 0:
            self.proof = ["bound", [[*line.name, v] for line, v in zip(self.lines, whole, strict=True) if v]]

    def centre(self, rng: np.random.Generator, directions: int) -> Any:
        """About the middle of what the program admits: the mean of points in random directions."""
        points = [self._solve(rng.normal(size=3 * self.model.classes)) for _ in range(directions)]
        kept = [point for point in points if point is not None]
        return np.average(kept, axis=0, weights=rng.dirichlet(np.ones(len(kept)))) if kept else self.point


def _span(form: tuple[Coefficients, Fraction], box: Box) -> tuple[int, int]:
    """The least and the greatest value of a sum of counts."""
    parts, constant = form
    low = constant + sum(value * box[at][value < 0] for at, value in parts.items())
    high = constant + sum(value * box[at][value > 0] for at, value in parts.items())
    return int(low), int(high)
