"""Inequalities that all counts of classes of unknown size keep to, each derived from the statement and its name.

Class i has n of the N cases and is given to q of them, to tp rightly: its cells against the rest are tp, fp = q - tp,
fn = n - tp, tn = N - n - q + tp, and T is the sum of all tp. A line is a sum of variables that is at least 0. Besides
counts there are s, the score of a class as it goes into a mean, z = n s, and w = n q.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import ceil, floor, lcm
from typing import Any

from scoreproof_verify.documents import chosen, given, integer
from scoreproof_verify.replay.class_parts import PRINTED, Line, Ranges, Variable
from scoreproof_verify.replay.class_report import Entry, Stated, beta_squared, class_score, ratio
from scoreproof_verify.texts import quoted, require

RIGHT: Variable = ("right",)
FINE = 1 << 20


@dataclass(slots=True)
class Sum:
    """Coefficients of variables, and what is added."""

    parts: dict[Variable, Fraction] = field(default_factory=dict)
    rest: Fraction = Fraction(0)

    def plus(self, other: Sum, factor: Fraction | int = 1) -> Sum:
        for variable, value in other.parts.items():
            self.parts[variable] = self.parts.get(variable, Fraction(0)) + factor * value
        self.rest += factor * other.rest
        return self

    def of(self, variable: Variable, value: Fraction | int) -> Sum:
        return self.plus(Sum({variable: Fraction(value)}))

    @property
    def whole(self) -> Line:
        """The same times a common denominator."""
        unit = lcm(self.rest.denominator, *(value.denominator for value in self.parts.values()))
        return [(variable, int(value * unit)) for variable, value in self.parts.items() if value], int(self.rest * unit)


class CountLines:
    """The lines of a statement by their names, in boxes of n, tp, q and T."""

    def __init__(self, stated: Stated, cases: int) -> None:
        self.stated, self.cases = stated, cases
        self.classes, self.size = len(stated.names), Fraction(cases)
        self.fixed = self._between_counts()

    def all_counts(self) -> Ranges:
        boxes = [(axis, i) for i in range(self.classes) for axis in ("n", "tp", "q")]
        return dict.fromkeys([*boxes, RIGHT], (0, self.cases))

    def _between_counts(self) -> dict[tuple[Any, ...], Sum]:
        """The lines between counts alone, by their names."""
        lines: dict[tuple[Any, ...], Sum] = {}
        for axis, sign in product(("n", "tp", "q"), (1, -1)):
            line = Sum({(axis, i): Fraction(sign) for i in range(self.classes)})
            lines["sum", axis, sign] = line.of(RIGHT, -sign) if axis == "tp" else line.plus(Sum(rest=-sign * self.size))
        for i in range(self.classes):
            lines["row", i] = Sum().of(("n", i), 1).of(("tp", i), -1)
            lines["column", i] = Sum().of(("q", i), 1).of(("tp", i), -1)
            # wrong cases in the row and in the column of a class are different ones, and among all N - T
            wrong = Sum(rest=self.size).of(RIGHT, -1)
            lines["wrong", i] = wrong.of(("n", i), -1).of(("q", i), -1).of(("tp", i), 2)
        for index, entry in enumerate(self.stated.entries):
            if entry.place is not None or entry.average == "micro" or self._accuracy(entry):
                for side in ("low", "high"):
                    lines["claim", index, side] = self._claim(entry, side)
            printed = [entry.low <= value <= entry.high for value in PRINTED.get(self.stated.undefined, ())]
            if entry.place is not None and not any(printed):
                lines["defined", index] = self.sides(entry.score, entry.place)[1].plus(Sum(rest=Fraction(-1)))
        return lines

    def _accuracy(self, entry: Entry) -> bool:
        return entry.place is None and not entry.average and entry.score == "acc"

    def sides(self, score: str, i: int) -> tuple[Sum, Sum]:
        """Numerator and denominator of a score of a class; both are linear, so that four points say all."""
        start = ratio(score, 0, 0, 0, self.cases)
        made = (Sum(rest=Fraction(start[0])), Sum(rest=Fraction(start[1])))
        for axis, n, tp, q in (("n", 1, 0, 0), ("tp", 0, 1, 0), ("q", 0, 0, 1)):
            point = ratio(score, tp, q, n, self.cases)
            for side in (0, 1):
                if point[side] != start[side]:
                    made[side].of((axis, i), point[side] - start[side])
        return made

    def _claim(self, entry: Entry, side: str) -> Sum:
        """A printed value as a line."""
        sign, end = (Fraction(1), entry.low) if side == "low" else (Fraction(-1), entry.high)
        line = Sum()
        if self._accuracy(entry):
            line.of(RIGHT, 1).rest -= end * self.cases
        elif entry.place is not None:
            above, below = self.sides(entry.score, entry.place)
            line.plus(above).plus(below, -end)
        elif entry.average == "micro":
            # every class has the same coefficients; the sums are T and twice N
            for part, factor in zip(self.sides(entry.score, 0), (Fraction(1), -end), strict=True):
                line.of(RIGHT, factor * part.parts.get(("tp", 0), Fraction(0)))
                both = part.parts.get(("n", 0), Fraction(0)) + part.parts.get(("q", 0), Fraction(0))
                line.rest += factor * (self.cases * both + self.classes * part.rest)
        elif entry.average:
            meant = beta_squared(entry.score) is None or self.stated.macro_f1 == "mean"
            require(meant, "this average is no mean of scores")
            letter, size = ("s", self.classes) if entry.average == "macro" else ("z", self.cases)
            for i in range(self.classes):
                line.of((letter, entry.score, i), Fraction(1, size))
            line.rest -= end
        else:
            require(entry.score == "kappa", "there is no such line")
            # (N T - S) - end (N^2 - S) for S the sum of n q
            line.of(RIGHT, self.cases)
            for i in range(self.classes):
                line.of(("w", i), end - 1)
            line.rest -= end * self.cases**2
        return Sum().plus(line, sign)

    # --- lines of a step

    def named(self, name: Sequence[Any], boxes: Ranges) -> Sum:
        """The line a proof names."""
        if name[0] == "product":
            return self._product(name, boxes)
        if name[0] == "claim" and len(name) == 3 and name[2] in ("low", "high"):
            return self._claim(chosen(self.stated.entries, name[1], "a score", "there is no such score"), name[2])
        plain = all(isinstance(part, (str, int)) and not isinstance(part, bool) for part in name)  # true is not 1
        return given(self.fixed.get(tuple(name)) if plain else None, "there is no such line")

    def _product(self, name: Sequence[Any], boxes: Ranges) -> Sum:
        """(x - x0) (y - y0), at least 0 if both ends are lower or both upper ones, else at most 0."""
        require(len(name) == 8, "a line is malformed")
        what, score = name[1], name[2]
        require(what in ("score", "weighted", "chance"), "there is no such product")
        if what == "chance":
            require(score == "", "a product of n and q names a score")
        else:
            require(isinstance(score, str), f"no score of a class is called {quoted(score)}")
            class_score(score)
        i, x_side, x0, y_side, at = (integer(value, "a product") for value in name[3:])
        require(0 <= i < self.classes and x_side in (0, 1) and y_side in (0, 1), "a line is malformed")
        unit = FINE
        x, y = Sum().of(("n", i), 1), ("s", score, i)  # type: tuple[Sum, Variable]
        if what == "score":
            require(not self._free(score, i, boxes), "a score that may be left out is not bound to its counts")
            z, x = self.sides(score, i)
        elif what == "weighted":
            z = Sum().of(("z", score, i), 1)
        else:
            y, z, unit = ("q", i), Sum().of(("w", i), 1), 1
        y0 = Fraction(at, unit)
        for expression, side, end in ((x, x_side, Fraction(x0)), (Sum().of(y, 1), y_side, y0)):
            low, high = self.span(expression, boxes)
            require(end <= low if side == 0 else end >= high, "a product is taken from within its range")
        line = Sum(rest=x0 * y0).plus(z).plus(x, -y0).of(y, -x0)
        return Sum().plus(line, 1 if x_side == y_side else -1)

    def span(self, line: Sum, boxes: Ranges) -> tuple[Fraction, Fraction]:
        """At most the least and at least the greatest value of a sum."""
        low = high = line.rest
        for variable, value in line.parts.items():
            if value:
                ends = [value * end for end in self._ends(variable, boxes)]
                low, high = low + min(ends), high + max(ends)
        return low, high

    def _ends(self, variable: Variable, boxes: Ranges) -> tuple[Fraction, Fraction]:
        if variable in boxes:
            least, most = boxes[variable]
            return Fraction(least), Fraction(most)
        if variable[0] == "w":
            (a, b), (c, d) = boxes["n", variable[1]], boxes["q", variable[1]]
            return Fraction(a * c), Fraction(b * d)
        _, score, i = variable
        low, high = self._score_ends(score, i, boxes)
        if variable[0] == "s":
            return low, high
        least, most = boxes["n", i]
        return least * low, most * high

    def _free(self, score: str, i: int, boxes: Ranges) -> bool:
        """Whether an F-score may be left out of a mean though it is no 0/0: that of a class without a correct case."""
        open_ = self.stated.undefined in ("any", "skip")
        return open_ and beta_squared(score) is not None and boxes["tp", i][0] == 0

    def _score_ends(self, score: str, i: int, boxes: Ranges) -> tuple[Fraction, Fraction]:
        """A ratio of linear functions is extreme at corners where its denominator is positive; all are from 0 to 1."""
        whole = zero, unit = Fraction(0), Fraction(1)
        if self._free(score, i, boxes):
            return whole
        values = []
        for n, tp, q in product(*(boxes[axis, i] for axis in ("n", "tp", "q"))):
            above, below = ratio(score, tp, q, n, self.cases)
            if below <= 0:
                return whole
            values.append(Fraction(above, below))
        low, high = (min(max(value, zero), unit) for value in (min(values), max(values)))
        # in parts of 1 / FINE, outwards
        return Fraction(floor(low * FINE), FINE), Fraction(ceil(high * FINE), FINE)
