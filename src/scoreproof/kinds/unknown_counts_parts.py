"""McCormick envelopes (1976, doi:10.1007/BF01580665) and Farkas multipliers over n, tp and q of every class.

They are linear inequalities that all counts of a report keep to; a part of the counts is narrowed by them, or refuted
by multipliers that a linear program proposes.

Class i has n of the N cases, is given to q of them, to tp rightly; T is the sum of all tp. Scores of a class, micro
averages and accuracy are linear as stated. An average of ratios is linear in further variables s, one for each class,
with s times the denominator equal to the numerator; kappa in the products w = n q; an average weighted by support in
z = n s. A product x y is enclosed by (x - x0) (y - y0) >= 0 for ends x0, y0 of the part that is looked at (McCormick).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from scoreproof.kinds.multi_class.cells import Line
from scoreproof.kinds.multi_class.model import PRINTED, whole_rule
from scoreproof.kinds.multi_class.problem import ClassesProblem, asked_of
from scoreproof.kinds.multi_class.quantities import Form, form_named
from scoreproof.reported import Claim
from scoreproof.reported.conventions import MacroF1, Undefined

FINE = 1 << 20  # ends of scores are multiples of 1 / FINE
_ONE = Fraction(1)

Box = list[tuple[int, int]]  # least and greatest n, tp, q of every class, then T
Coefficients = dict[int, Fraction]
CountSum = tuple[Coefficients, Fraction]  # and what is added


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
    x: CountSum
    y: int
    z: CountSum
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
    _made: dict[tuple[str, str], list[int]] = field(default_factory=dict)

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

    def _sum(self, form: Form, i: int, *, below: bool) -> CountSum:
        a, b, c, d = form.den if below else form.num
        n, tp, q = self.places(i)
        parts = {n: Fraction(c), tp: Fraction(a), q: Fraction(b)}
        return {at: value for at, value in parts.items() if value}, Fraction(d * self.total)

    # --- claims

    def _admit(self, index: int, claim: Claim) -> None:
        about, cases = asked_of(claim), Fraction(self.total)
        if about.place is not None:
            num, den = (self._sum(form_named(about.score), about.place, below=side) for side in (False, True))
            self.lines += _between(index, claim, num, den)
            if not any(claim.low <= value <= claim.high for value in PRINTED.get(self.report.undefined, ())):
                self.lines.append(CountLine(("defined", index), den[0], den[1] - 1))
        elif about.average == "micro":  # all n and all q add up to N, all tp to T
            (a, b, c, d), (e, f, g, h) = (form_named(about.score).num, form_named(about.score).den)
            above, below = ((x + y + z * self.classes) * cases for x, y, z in ((b, c, d), (f, g, h)))
            self.lines += _between(index, claim, ({self.right: Fraction(a)}, above), ({self.right: Fraction(e)}, below))
        elif about.average:
            form = form_named(about.score)
            what, size = ("score", self.classes) if about.average == "macro" else ("weighted", self.total)
            if not form.harmonic or self.report.macro_f1 is not MacroF1.OF_MEANS:  # else known counts are looked at
                own = dict.fromkeys(self._products(what, form), Fraction(1, size))
                self.means += _between(index, claim, (own, Fraction(0)), ({}, _ONE))
        elif about.score == "acc":
            self.lines += _between(index, claim, ({self.right: _ONE}, Fraction(0)), ({}, cases))
        elif about.score == "kappa":
            chance = dict.fromkeys(self._products("chance"), -_ONE)
            num = {**chance, self.right: cases}, Fraction(0)
            self.means += _between(index, claim, num, (chance, cases * cases))

    # --- products

    def _products(self, what: str, form: Form | None = None) -> list[int]:
        """A variable for every class: a score, its product with n, or that of n and q."""
        name = "" if form is None else form.name
        if (what, name) not in self._made:
            inner = self._products("score", form) if what == "weighted" else []
            self._made[what, name] = own = list(range(self.variables, self.variables + self.classes))
            self.variables += self.classes
            for i, at in enumerate(own):
                n, _, q = self.places(i)
                if what == "score" and form is not None:
                    den, num = self._sum(form, i, below=True), self._sum(form, i, below=False)
                    self.products.append(Product((what, name, i), den, at, num, form, i))
                else:
                    y = inner[i] if inner else q
                    self.products.append(Product((what, name, i), _single(n), y, _single(at)))
        return self._made[what, name]

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


def _single(variable: int) -> CountSum:
    return {variable: _ONE}, Fraction(0)


def _between(index: int, claim: Claim, num: CountSum, den: CountSum) -> Iterator[CountLine]:
    """low den <= num <= high den."""
    for side, sign, end in (("low", 1, claim.low), ("high", -1, claim.high)):
        own = {at: sign * (num[0].get(at, 0) - end * den[0].get(at, 0)) for at in {**num[0], **den[0]}}
        yield CountLine(("claim", index, side), own, sign * (num[1] - end * den[1]))


_UNIT = 1 << 30
_MOST_CLASSES = 60  # of a linear program


def whole_lines(lines: Sequence[CountLine]) -> list[Line]:
    """The same inequalities in whole numbers."""
    made = []
    for line in lines:
        *own, constant = whole_rule(*line.coefficients.values(), line.constant)
        made.append((tuple((at, value) for at, value in zip(line.coefficients, own, strict=True) if value), constant))
    return made


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
        box, model, x_ends = self.box, self.model, _span(term.x, self.box)
        if term.form is not None:
            low, high = model.score_ends(term.form, box, term.place)
            self.ends[term.y] = low / FINE, high / FINE
            if model.left_out(term.form, box, term.place):
                return
        unit = 1 if term.y < len(box) else FINE
        y_ends = [round(end * unit) for end in self.ends[term.y]]
        if term.form is None:
            (z,) = term.z[0]
            self.ends[z] = x_ends[0] * y_ends[0] / unit, x_ends[1] * y_ends[1] / unit
        for (x_side, x0), (y_side, y_end) in product(enumerate(x_ends), enumerate(y_ends)):
            y0, sign = Fraction(y_end, unit), 1 if x_side == y_side else -1
            own: Coefficients = {}
            for parts, factor in ((term.z[0], _ONE), (term.x[0], -y0), ({term.y: _ONE}, -Fraction(x0))):
                for at, value in parts.items():
                    own[at] = own.get(at, Fraction(0)) + sign * factor * value
            constant = sign * (term.z[1] - y0 * term.x[1] + x0 * y0)
            yield CountLine(("product", *term.name, x_side, x0, y_side, y_end), own, constant)

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


def _span(form: CountSum, box: Box) -> tuple[int, int]:
    """The least and the greatest value of a sum of counts."""
    parts, constant = form
    low = constant + sum(value * box[at][value < 0] for at, value in parts.items())
    high = constant + sum(value * box[at][value > 0] for at, value in parts.items())
    return int(low), int(high)
