"""An integer program with bound propagation (Savelsbergh 1994, doi:10.1287/ijoc.6.4.445): what a report asks of counts.

Of one matrix the scores of a class are rules of its cell, and whatever follows from the number of correct cases T alone
(accuracy, micro averages, recall weighted by support, one-against-rest accuracy) is a range of whole numbers for T.
Everything else is a goal: a mean of scores, a ratio of sums, kappa, MCC, an F-score of means.

A part has a box for every cell and ranges of T; ``narrowed`` draws from the sums what is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import lcm
from typing import Any

from scoreproof.errors import InvalidOption, NotCovered
from scoreproof.kinds.multi_class.cells import ClassCell, CountBox, Line, Rule, propagated, rule_line, tightened
from scoreproof.kinds.multi_class.problem import ClassesProblem, asked_of
from scoreproof.kinds.multi_class.quantities import RIGHT, Form, form_named, uses_total
from scoreproof.reported import Claim
from scoreproof.reported.conventions import MacroF1, Undefined

MOST_GIVEN = 10**7  # cases a label may be given to where nobody says how many there are
Linear = tuple[Fraction, Fraction]  # slope and intercept
PRINTED = {Undefined.ZERO: (0,), Undefined.ONE: (1,), Undefined.ANY: (0, 1)}  # for a 0/0 of a class
_ZERO, _ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True, slots=True)
class Mean:
    """A weighted sum of one score over the cells: claim ``index`` says that it is from low to high."""

    index: int
    form: Form
    weights: tuple[Fraction, ...]
    low: Fraction
    high: Fraction


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio of two sums over the cells of one set: a micro average."""

    index: int
    form: Form
    low: Fraction
    high: Fraction


@dataclass(frozen=True, slots=True)
class Agreement:
    """Kappa or MCC of one matrix."""

    index: int
    name: str
    low: Fraction
    high: Fraction


@dataclass(frozen=True, slots=True)
class OfMeans:
    """An F-score of two means, of precision and recall."""

    index: int
    form: Form
    precision: Mean
    recall: Mean
    low: Fraction
    high: Fraction


Goal = Mean | Ratio | Agreement | OfMeans


@dataclass(slots=True)
class ClassesModel:
    """What is decided: ``right`` are the least and most correct cases of every set."""

    problem: ClassesProblem
    cells: list[ClassCell]
    sets: list[list[int]]
    right: list[tuple[int, int]]
    goals: list[Goal] = field(default_factory=list)
    contradiction: int | None = None  # a cell whose claims nothing gives, whatever the counts
    lines: list[Line] = field(default_factory=list)  # of tp and q of every cell in turn, then T of every set

    @property
    def exclusive(self) -> bool:
        return self.problem.exclusive

    @property
    def means(self) -> list[Mean]:
        """Every mean that some goal needs."""
        plain = [goal for goal in self.goals if isinstance(goal, Mean)]
        inner = [part for goal in self.goals if isinstance(goal, OfMeans) for part in (goal.precision, goal.recall)]
        return plain + inner


def model_of(problem: ClassesProblem) -> ClassesModel:
    """What the engine decides."""
    sets: list[list[int]] = []
    cells: list[ClassCell] = []
    right: list[tuple[int, int]] = []
    for number, own in enumerate(problem.counts):
        total = problem.totals[number]
        sets.append(list(range(len(cells), len(cells) + len(own))))
        for place, n in enumerate(own):
            size = MOST_GIVEN if total is None else total
            most = size if total is None else size - n
            rules = ((1, -1, 0), (-1, 1, most))  # tp <= q <= most + tp
            cells.append(ClassCell(number, place, n, size, rules, CountBox(0, n, 0, most + n)))
        right.append((0, sum(own)))
    model = ClassesModel(problem, cells, sets, right)
    for index, claim in enumerate(problem.claims):
        _admit(model, index, claim)
    return with_rules(model, ())


def with_rules(model: ClassesModel, rules: Sequence[tuple[int, Rule]]) -> ClassesModel:
    """The same with more rules of single cells."""
    own = [cell.rules for cell in model.cells]
    for at, rule in rules:
        own[at] = (*own[at], rule)
    cells = [
        replace(cell, rules=known, box=tightened(cell.box, known)) for cell, known in zip(model.cells, own, strict=True)
    ]
    return replace(model, cells=cells, lines=list(_lines(cells, model)))


def _lines(cells: Sequence[ClassCell], model: ClassesModel) -> Iterator[Line]:
    """What holds of tp and q of every cell and of the correct cases of every set."""
    for c, cell in enumerate(cells):
        yield from (rule_line(rule, 2 * c) for rule in cell.rules)
        if model.exclusive:  # the wrong cases of the row and of the column of a class are different ones
            yield ((2 * c, 2), (2 * c + 1, -1), (2 * len(cells) + cell.number, -1)), cell.total - cell.n
    for number, own in enumerate(model.sets):
        for sign in (1, -1):
            yield (*((2 * c, sign) for c in own), (2 * len(cells) + number, -sign)), 0
            if model.exclusive:
                yield tuple((2 * c + 1, sign) for c in own), -sign * cells[own[0]].total


def _admit(model: ClassesModel, index: int, claim: Claim) -> None:
    problem = model.problem
    about = asked_of(claim)
    single = len(problem.counts) == 1
    if about.place is None and not about.average:
        if about.score == "acc":
            _mean(model, index, claim, RIGHT, [_ONE] * len(model.cells))
        elif single:
            model.goals.append(Agreement(index, about.score, claim.low, claim.high))
        else:
            raise NotCovered(
                f"{about.title} averaged over several matrices is not tested, being no sum over classes; leave it out"
            )
        return
    form = form_named(about.score)
    if uses_total(form) and None in problem.totals:
        raise InvalidOption(f"{claim.name}: it depends on the number of cases; give it as total=")
    if about.place is not None:
        if single:
            _class_rules(model, claim, form, model.sets[0][about.place])
        else:
            weights = [Fraction(int(cell.place == about.place)) for cell in model.cells]
            _mean(model, index, claim, form, weights)
        return
    if about.average == "micro":
        _micro(model, index, claim, form)
        return
    weights = []
    for own in problem.counts:
        size = len(own) if about.average == "macro" else sum(own)
        if not size:
            raise InvalidOption(f"{claim.name}: a set without cases has no average weighted by support")
        weights += [Fraction(1 if about.average == "macro" else n, size) for n in own]
    if form.harmonic and problem.macro_f1 is MacroF1.OF_MEANS:
        share = [weight / len(problem.counts) for weight in weights]
        parts = [Mean(index, form_named(name), tuple(share), -_ONE, _ONE * 2) for name in ("ppv", "sens")]
        model.goals.append(OfMeans(index, form, parts[0], parts[1], claim.low, claim.high))
        return
    _mean(model, index, claim, form, weights)


def _class_rules(model: ClassesModel, claim: Claim, form: Form, number: int) -> None:
    """low den <= num <= high den, and no 0/0 that cannot be printed like that."""
    cell = model.cells[number]
    rules = [*cell.rules, *interval_rules(form, cell.n, cell.total, claim.low, claim.high)]
    box: CountBox | None = cell.box
    printable = any(claim.low <= value <= claim.high for value in PRINTED.get(model.problem.undefined, ()))
    if not printable and not form.den[0]:  # of a Jaccard index proofs do not say that it is no 0/0
        box = defined(form.name, cell, cell.box)
    if box is None:
        model.contradiction = number
    model.cells[number] = replace(cell, rules=tuple(rules), box=box or cell.box)


def defined(score: str, cell: ClassCell, box: CountBox) -> CountBox | None:
    """What is left of a box where a score of a class is not 0/0; None if it always is."""
    form = form_named(score)
    a, b = form.den[0], form.den[1]
    beside = form.den[2] * cell.n + form.den[3] * cell.total
    if not a and not b and not beside:
        return None
    if b > 0 and beside == 0:
        return box._replace(q0=max(box.q0, 1))
    if b < 0 and not a:
        return box._replace(q1=min(box.q1, beside - 1))
    return box


def interval_rules(form: Form, n: int, total: int, low: Fraction, high: Fraction) -> list[Rule]:
    """That a score is from low to high, as rules."""
    (a, b, c, d), (e, f, g, h) = form.num, form.den
    beside, below = c * n + d * total, g * n + h * total
    rules = []
    for end, sign in ((low, 1), (high, -1)):  # sign * (num - end * den) >= 0
        u, v = end.numerator, end.denominator
        rules.append((-sign * (a * v - e * u), -sign * (b * v - f * u), sign * (beside * v - below * u)))
    return rules


def _mean(model: ClassesModel, index: int, claim: Claim, form: Form, weights: Sequence[Fraction]) -> None:
    """A mean over cells; the weights are those within each set."""
    sets = len(model.problem.counts)
    if sets == 1 and model.exclusive:
        plain = _of_right(model, form, weights)
        if plain is not None:
            _bound_right(model, claim, plain, (_ZERO, _ONE))
            return
    if form is RIGHT and model.exclusive and len(set(model.problem.totals)) == 1:
        cases = sum(map(sum, model.problem.counts))  # the mean accuracy of sets of one size is that of all together
        if (claim.low * cases).__ceil__() > (claim.high * cases).__floor__():
            model.contradiction = 0
    shares = tuple(weight / sets for weight in weights)
    model.goals.append(Mean(index, form, shares, claim.low, claim.high))


def _of_right(model: ClassesModel, form: Form, weights: Sequence[Fraction]) -> Linear | None:
    """slope and intercept if the mean is a function of T alone, since all q add up to the cases."""
    if form.den[0] or form.den[1]:
        return None
    slopes, shifts, beside = set(), set(), _ZERO
    for cell, weight in zip(model.cells, weights, strict=True):
        below = form.den[2] * cell.n + form.den[3] * cell.total
        if weight and not below:
            return None
        share = weight / (below or 1)
        if cell.n:
            slopes.add(share * form.num[0])
        shifts.add(share * form.num[1])
        beside += share * (form.num[2] * cell.n + form.num[3] * cell.total)
    if len(slopes) != 1 or len(shifts) != 1:
        return None
    return slopes.pop(), beside + shifts.pop() * model.cells[0].total


def _bound_right(model: ClassesModel, claim: Claim, num: Linear, den: Linear) -> None:
    """low <= (a T + b) / (c T + d) <= high, in whole T."""
    least, most = model.right[0]
    for end, sign in ((claim.low, 1), (claim.high, -1)):
        slope, room = sign * (num[0] - end * den[0]), sign * (num[1] - end * den[1])  # slope T + room >= 0
        if slope > 0:
            least = max(least, (-room / slope).__ceil__())
        elif slope < 0:
            most = min(most, (room / -slope).__floor__())
        elif room < 0:
            least, most = 1, 0
    model.right[0] = least, most


def _micro(model: ClassesModel, index: int, claim: Claim, form: Form) -> None:
    """A ratio of sums; of exclusive classes a function of T."""
    classes, sets = len(model.problem.classes), len(model.problem.counts)
    if not model.exclusive:
        if sets > 1:
            raise NotCovered(f"{claim.name}: micro averages over several sets of labels are not tested; leave it out")
        model.goals.append(Ratio(index, form, claim.low, claim.high))
        return
    (a, b, c, d), (e, f, g, h) = form.num, form.den
    above, below = b + c + d * classes, f + g + h * classes  # times the cases of a set
    if sets == 1:
        total = model.cells[0].total
        _bound_right(model, claim, (Fraction(a), Fraction(above * total)), (Fraction(e), Fraction(below * total)))
        return
    if e:
        raise NotCovered(f"{claim.name}: its mean over several matrices is not tested; leave it out")
    shift = Fraction(above, below)
    shares = (Fraction(a, below * sets),) * len(model.cells)
    model.goals.append(Mean(index, RIGHT, shares, claim.low - shift, claim.high - shift))


def whole_rule(*parts: Fraction) -> tuple[int, ...]:
    """The same numbers times what makes them whole.

    >>> whole_rule(Fraction(1, 2), Fraction(2, 3))
    (3, 4)
    """
    common = lcm(*(part.denominator for part in parts))
    return tuple(int(part * common) for part in parts)


@dataclass(frozen=True, slots=True)
class CountPart:
    """Boxes of all cells; least and most correct cases of every set."""

    boxes: tuple[CountBox, ...]
    right: tuple[tuple[int, int], ...]

    def halves(self, step: Sequence[Any]) -> tuple[CountPart, CountPart]:
        """Both halves of a cut as a proof states it: ["cut", cell, axis, value] or ["right", set, value]."""
        at, value = step[1], step[-1]
        if step[0] == "right":
            low, high = self.right[at]
            ends = (low, value), (value + 1, high)
            lower, upper = (replace(self, right=(*self.right[:at], own, *self.right[at + 1 :])) for own in ends)
            return lower, upper
        most, least = ("t1", "t0") if step[2] == "tp" else ("q1", "q0")
        cut = (self.boxes[at]._replace(**{most: value}), self.boxes[at]._replace(**{least: value + 1}))
        lower, upper = (replace(self, boxes=(*self.boxes[:at], box, *self.boxes[at + 1 :])) for box in cut)
        return lower, upper


def root_of(model: ClassesModel) -> CountPart:
    """All counts."""
    return CountPart(tuple(cell.box for cell in model.cells), tuple(model.right))


def narrowed(model: ClassesModel, node: CountPart) -> CountPart | None:
    """What the lines leave of a node; None if it is nothing."""
    ends = [end for t0, t1, q0, q1 in node.boxes for end in ((t0, t1), (q0, q1))]
    left = propagated([*ends, *node.right], model.lines)
    if left is None:
        return None
    boxes = tuple(CountBox(*left[at], *left[at + 1]) for at in range(0, len(ends), 2))
    return CountPart(boxes, tuple(left[len(ends) :]))


def rules_at(model: ClassesModel, node: CountPart, cell: int) -> tuple[tuple[int, int, int], ...]:
    """The rules of a cell in a node: its own, and that its wrong cases are among all of them."""
    own = model.cells[cell]
    if not model.exclusive:
        return own.rules
    return (*own.rules, (-2, 1, own.total - node.right[own.number][0] - own.n))
