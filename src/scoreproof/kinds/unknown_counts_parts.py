"""McCormick envelopes (1976, doi:10.1007/BF01580665) and Farkas multipliers over n, tp and q of every class.

What all counts of a report keep to, as linear inequalities in n, tp and q of every class.

Class i has n of the N cases, is given to q of them, to tp rightly; T is the sum of all tp. Scores of a class, micro
averages and accuracy are linear as stated. An average of ratios is linear in further variables s, one for each class,
with s times the denominator equal to the numerator; kappa in the products w = n q; an average weighted by support in
z = n s. A product x y is enclosed by (x - x0) (y - y0) >= 0 for ends x0, y0 of the part that is looked at (McCormick).

A part of all counts: narrowed by its lines, or refuted by multipliers of them that a linear program proposes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from scoreproof.kinds.multi_class.model import whole_rule
from scoreproof.kinds.multi_class.problem import ClassesProblem, asked_of
from scoreproof.kinds.multi_class.quantities import Form, form_named
from scoreproof.reported import Claim
from scoreproof.reported.conventions import MacroF1, Undefined

FINE = 1 << 20  # ends of scores are multiples of 1 / FINE
_ONE = Fraction(1)
_PRINTED = {Undefined.ZERO: (0,), Undefined.ONE: (1,), Undefined.ANY: (0, 1)}

Box = list[tuple[int, int]]  # least and greatest n, tp, q of every class, then T
Coefficients = dict[int, Fraction]


@dataclass(frozen=True, slots=True)
class CountLine:
    """The sum of coefficients times variables and ``constant`` is at least 0; ``name`` is what a proof calls it."""

    name: tuple[str | int, ...]
    coefficients: Coefficients
    constant: Fraction


@dataclass(frozen=True, slots=True)
class Product:
    """x times the variable y is z; x and z are sums of counts or single variables."""

    name: tuple[str | int, ...]
    x: tuple[Coefficients, Fraction]
    y: int
    z: tuple[Coefficients, Fraction]
    form: Form | None = None  # whose value y is
    place: int = 0


@dataclass(slots=True)
class CountLines:
    """The lines of a report on so many classes and cases; ``products`` by the number of their variable."""

    report: ClassesProblem
    total: int
    lines: list[CountLine] = field(default_factory=list)
    means: list[CountLine] = field(default_factory=list)
    products: list[Product] = field(default_factory=list)
    variables: int = 0
    _scores: dict[str, list[int]] = field(default_factory=dict)
    _weighted: dict[str, list[int]] = field(default_factory=dict)
    _chance: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.variables = 3 * self.classes + 1
        self.lines += self._matrix()
        for index, claim in enumerate(self.report.claims):
            self._admit(index, claim)

    @property
    def classes(self) -> int:
        return len(self.report.classes)

    @property
    def right(self) -> int:
        """The variable of all correct cases."""
        return 3 * self.classes

    def places(self, i: int) -> tuple[int, int, int]:
        """The variables n, tp and q of a class."""
        return i, self.classes + i, 2 * self.classes + i

    def root(self) -> Box:
        return [(0, self.total)] * (3 * self.classes + 1)

    def _matrix(self) -> Iterator[CountLine]:
        """What every confusion matrix keeps to."""
        k, total = self.classes, Fraction(self.total)
        for axis, start in (("n", 0), ("q", 2 * k)):
            for sign in (1, -1):
                own = {start + i: Fraction(sign) for i in range(k)}
                yield CountLine(("sum", axis, sign), own, -sign * total)
        for sign in (1, -1):
            own = {k + i: Fraction(sign) for i in range(k)} | {self.right: Fraction(-sign)}
            yield CountLine(("sum", "tp", sign), own, Fraction(0))
        for i in range(k):
            n, tp, q = self.places(i)
            yield CountLine(("row", i), {n: _ONE, tp: -_ONE}, Fraction(0))
            yield CountLine(("column", i), {q: _ONE, tp: -_ONE}, Fraction(0))
            # the wrong cases of the row and of the column of a class are different ones
            yield CountLine(("wrong", i), {self.right: -_ONE, n: -_ONE, q: -_ONE, tp: 2 * _ONE}, total)

    def _sum(self, form: Form, i: int, *, below: bool) -> tuple[Coefficients, Fraction]:
        a, b, c, d = form.den if below else form.num
        n, tp, q = self.places(i)
        parts = {n: Fraction(c), tp: Fraction(a), q: Fraction(b)}
        return {at: value for at, value in parts.items() if value}, Fraction(d * self.total)

    # --- claims

    def _admit(self, index: int, claim: Claim) -> None:
        about = asked_of(claim)
        ends = (("low", 1, claim.low), ("high", -1, claim.high))
        if about.place is not None:
            self._of_class(index, claim, form_named(about.score), about.place)
        elif not about.average and about.score == "acc":
            for side, sign, end in ends:
                own = {self.right: Fraction(sign)}
                self.lines.append(CountLine(("claim", index, side), own, -sign * end * self.total))
        elif not about.average and about.score == "kappa":
            for side, sign, end in ends:
                own = dict.fromkeys(self._products_of_chance(), -sign * (1 - end))
                own[self.right] = Fraction(sign * self.total)
                self.means.append(CountLine(("claim", index, side), own, -sign * end * self.total**2))
        elif about.average:
            self._average(index, claim, form_named(about.score), about.average)

    def _of_class(self, index: int, claim: Claim, form: Form, i: int) -> None:
        (num, above), (den, below) = (self._sum(form, i, below=side) for side in (False, True))
        for side, sign, end in (("low", 1, claim.low), ("high", -1, claim.high)):
            own = {at: sign * (num.get(at, 0) - end * den.get(at, 0)) for at in {*num, *den}}
            self.lines.append(CountLine(("claim", index, side), own, sign * (above - end * below)))
        if not any(claim.low <= value <= claim.high for value in _PRINTED.get(self.report.undefined, ())):
            self.lines.append(CountLine(("defined", index), den, below - 1))

    def _average(self, index: int, claim: Claim, form: Form, average: str) -> None:
        ends = (("low", 1, claim.low), ("high", -1, claim.high))
        if average == "micro":
            # all n and all q add up to N, all tp to T
            (a, b, c, d), (e, f, g, h) = form.num, form.den
            above, below = ((x + y + z * self.classes) * self.total for x, y, z in ((b, c, d), (f, g, h)))
            for side, sign, end in ends:
                own = {self.right: sign * (a - end * e)}
                self.lines.append(CountLine(("claim", index, side), own, sign * (above - end * below)))
            return
        if form.harmonic and self.report.macro_f1 is MacroF1.OF_MEANS:
            return  # only where all class counts are known is this looked at
        size = self.classes if average == "macro" else self.total
        for side, sign, end in ends:
            own = {at: Fraction(sign, size) for at in self._values(form, average)}
            self.means.append(CountLine(("claim", index, side), own, -sign * end))

    # --- products

    def _more(self) -> list[int]:
        """A new variable for every class."""
        start = self.variables
        self.variables += self.classes
        return list(range(start, self.variables))

    def _values(self, form: Form, average: str) -> list[int]:
        """Variables of a score of every class, times its cases if it is weighted by them."""
        if form.name not in self._scores:
            own = self._scores[form.name] = self._more()
            for i, s in enumerate(own):
                den, num = self._sum(form, i, below=True), self._sum(form, i, below=False)
                self.products.append(Product(("score", form.name, i), den, s, num, form, i))
        if average == "macro":
            return self._scores[form.name]
        if form.name not in self._weighted:
            own = self._weighted[form.name] = self._more()
            for i, (s, z) in enumerate(zip(self._scores[form.name], own, strict=True)):
                cases = ({i: _ONE}, Fraction(0))
                self.products.append(Product(("weighted", form.name, i), cases, s, ({z: _ONE}, Fraction(0))))
        return self._weighted[form.name]

    def _products_of_chance(self) -> list[int]:
        if not self._chance:
            self._chance = self._more()
            for i, w in enumerate(self._chance):
                n, _, q = self.places(i)
                cases = ({n: _ONE}, Fraction(0))
                self.products.append(Product(("chance", "", i), cases, q, ({w: _ONE}, Fraction(0))))
        return self._chance

    def left_out(self, form: Form, box: Box, i: int) -> bool:
        """Whether an F-score may be left out of its mean though it is no 0/0: then its variable is free."""
        open_ = self.report.undefined in (Undefined.ANY, Undefined.SKIP)
        return open_ and form.harmonic and box[self.places(i)[1]][0] == 0

    def score_ends(self, form: Form, box: Box, i: int) -> tuple[int, int]:
        """The least and the greatest value of a score in a box, in parts of 1 / FINE: it is extreme at corners."""
        if self.left_out(form, box, i):
            return 0, FINE
        low, high = FINE, 0
        for n, tp, q in product(*({*box[at]} for at in self.places(i))):
            num, den = form.ratio(tp, q, n, self.total)
            if den <= 0:
                return 0, FINE
            low, high = min(low, num * FINE // den), max(high, -(-num * FINE // den))
        return max(low, 0), min(high, FINE)


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
        for term in model.products:
            self.lines += self._enclosed(term)
        self._solve(None)

    def _enclosed(self, term: Product) -> Iterator[CountLine]:
        """The four inequalities around a product."""
        box, model = self.box, self.model
        unit = 1
        if term.form is not None:
            y_ends = model.score_ends(term.form, box, term.place)
            self.ends[term.y] = y_ends[0] / FINE, y_ends[1] / FINE
            unit = FINE
            if model.left_out(term.form, box, term.place):
                return
        elif term.y < len(box):
            y_ends = box[term.y]
        else:
            y_ends = round(self.ends[term.y][0] * FINE), round(self.ends[term.y][1] * FINE)
            unit = FINE
        x_ends = _span(term.x, box)
        if term.form is None:
            (z,) = term.z[0]
            self.ends[z] = x_ends[0] * y_ends[0] / unit, x_ends[1] * y_ends[1] / unit
        for x_side in (0, 1):
            for y_side in (0, 1):
                x0, y0 = x_ends[x_side], Fraction(y_ends[y_side], unit)
                sign = 1 if x_side == y_side else -1
                own: Coefficients = {}
                for parts, factor in (
                    (term.z[0], Fraction(1)),
                    (term.x[0], -y0),
                    ({term.y: Fraction(1)}, -Fraction(x0)),
                ):
                    for at, value in parts.items():
                        own[at] = own.get(at, Fraction(0)) + sign * factor * value
                constant = sign * (term.z[1] - y0 * term.x[1] + x0 * y0)
                yield CountLine(("product", *term.name, x_side, x0, y_side, y_ends[y_side]), own, constant)

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
