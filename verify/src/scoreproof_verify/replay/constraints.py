"""What a statement about a mean of scores demands, derived anew from the statement.

Each claim is an interval for a mean, a variance, a minimum or a maximum over evaluation sets with weights (see
``flattening``). Matrices for all sets can be judged exactly, one score at a time, under each treatment of 0/0.
Bounds on the tp, the tn and their sum are hexagons of whole numbers (generalised polymatroids), which add up exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from math import ceil, floor

from scoreproof_verify.formulas import PREDICTIVE_OF_BOTH, Rule, of_one_class
from scoreproof_verify.statement import Claim, Ends
from scoreproof_verify.texts import require

Span = tuple[Fraction, Fraction]
Matrix = tuple[int, int, int, int]  # p, n, tp, tn
Tree = int | tuple["Tree", ...]
_BITS = 200
_MOST_COUNTS = 100_000  # class counts of one fold


@dataclass(frozen=True, slots=True)
class Set:
    """An evaluation set: its class counts (the least of each in a balanced family; the size in others) and weight."""

    p: int
    n: int
    weight: Fraction
    family: int | None = None


@dataclass(frozen=True, slots=True)
class Family:
    """Folds that together hold p positives and n negatives: balanced ones, or any (each class in two if trainable)."""

    p: int
    n: int
    folds: int
    rule: str
    repeats: int


@dataclass(frozen=True, slots=True)
class Limit:
    """The mean of a score over a part of the tree lies between two numbers, either of which may be open."""

    name: str
    rule: Rule
    ends: Ends
    part: Tree


@dataclass(slots=True)
class Demands:
    """Everything a statement says."""

    sets: list[Set] = field(default_factory=list)
    families: list[Family] = field(default_factory=list)
    tree: Tree = 0
    repeats: list[Tree] = field(default_factory=list)
    means: list[Claim] = field(default_factory=list)
    centres: dict[str, Fraction] = field(default_factory=dict)
    variances: dict[str, Span] = field(default_factory=dict)
    minima: dict[str, Span] = field(default_factory=dict)
    maxima: dict[str, Span] = field(default_factory=dict)
    limits: list[Limit] = field(default_factory=list)
    hexagons: dict[int, Hexagon] = field(default_factory=dict)
    order: list[tuple[str, Rule]] = field(default_factory=list)  # the scores, in the order of rows
    attained: bool = True
    ddof: tuple[int, ...] = (0, 1)
    one_divisor: bool = False  # whichever of these it is, all deviations have the same
    error: bool = False
    spread_over: str = "folds"  # "repeats", "parts"
    over_folds: bool = False  # extremes
    undefined: str = "any"

    @property
    def parts(self) -> tuple[Tree, ...]:
        """The direct parts of the outermost mean."""
        return self.tree if isinstance(self.tree, tuple) else (self.tree,)

    @property
    def flat(self) -> bool:
        return all(isinstance(part, int) for part in self.parts)

    @property
    def extreme_parts(self) -> tuple[Tree, ...]:
        return tuple(range(len(self.sets))) if self.over_folds else self.parts

    @property
    def spread_parts(self) -> tuple[Tree, ...]:
        known = {"repeats": tuple(self.repeats), "parts": self.parts}
        return known.get(self.spread_over, tuple(range(len(self.sets))))

    @property
    def means_deviate(self) -> bool:
        return not all(isinstance(part, int) for part in self.spread_parts)

    @property
    def skips(self) -> bool:
        return self.undefined in ("any", "skip")

    def class_counts(self, fold: Set) -> list[tuple[int, int]]:
        if fold.family is None:
            return [(fold.p, fold.n)]
        family = self.families[fold.family]
        if family.rule == "balanced":
            return [(fold.p + a, fold.n + b) for a, b in product((0, 1), repeat=2)]
        size = fold.p + fold.n
        least, most = max(0, size - family.n), min(family.p, size)
        require(most - least < _MOST_COUNTS, "a fold has too many possible class counts")
        return [(q, size - q) for q in range(least, most + 1)]

    def hexagon(self, k: int | None, p: int, n: int, limits: Iterable[tuple[str, Ends]]) -> Hexagon:
        """Bounds on the counts of a set by its summands, and by limits of its counted scores."""
        hexagon = Hexagon(p, n)
        if k in self.hexagons:
            hexagon.bounds = dict(self.hexagons[k].bounds)
        for name, ends in limits:
            if name in COUNTED:
                hexagon.share(name, p, n, *ends)
        return hexagon

    def ways(self, name: str, rule: Rule) -> tuple[str, ...]:
        """How the 0/0 of a score may be counted; no way if it would not have been reported.

        An F-score computed as the harmonic mean of precision and recall is 0/0 wherever both are 0.
        """
        if self.undefined == "exclude":
            return ()
        if self.undefined != "any":
            return (self.undefined,)
        if rule.harmonic:
            return ("zero", "skip", "harmonic")
        return ("zero", "skip", "present") if name == "bacc" or name in PREDICTIVE_OF_BOTH else ("zero", "skip")

    def every_limit(self) -> list[Limit]:
        """Limits on parts, those of reported extremes included."""
        limits = list(self.limits)
        for name, rule in self.order:
            if name in self.minima or name in self.maxima:
                ends = (self.minima.get(name, (None, None))[0], self.maxima.get(name, (None, None))[1])
                limits += [Limit(name, rule, ends, part) for part in self.extreme_parts]
        return limits

    def part_limits(self) -> list[Limit]:
        """Limits on parts that are means themselves."""
        return [limit for limit in self.every_limit() if not isinstance(limit.part, int)]

    def set_limits(self) -> dict[int, list[Limit]]:
        limits: dict[int, list[Limit]] = {}
        for limit in self.every_limit():
            if isinstance(limit.part, int):
                limits.setdefault(limit.part, []).append(limit)
        return limits

    def judge(self, matrices: list[Matrix]) -> bool | None:
        """Whether one matrix per set gives the report; None for a tie beyond 200 bits."""
        if self.one_divisor and len(self.variances) > 1:
            return _any([replace(self, ddof=(d,), one_divisor=False).judge(matrices) for d in self.ddof])
        if not self._possible(matrices):
            return False
        answers = []
        every = self.every_limit()
        for name, rule in self.scores():
            limits = [limit for limit in every if limit.name == name]
            ways = self.ways(name, rule)
            if all(rule.ratio(tp, tn, p, n)[1] for p, n, tp, tn in matrices):  # nothing is 0/0
                ways = ("", "harmonic") if "harmonic" in ways else ("",)
            answers.append(_any([self._under(name, rule, way, matrices, limits) for way in ways]))
        return _all(answers)

    def scores(self) -> Iterator[tuple[str, Rule]]:
        seen = dict(self.order)
        for limit in self.limits:
            seen.setdefault(limit.name, limit.rule)
        return iter(seen.items())

    def _possible(self, matrices: list[Matrix]) -> bool:
        """Whether the class counts, and the summands, of matrices are those of their sets."""
        for k, (p, n, tp, tn) in enumerate(matrices):
            if (p, n) not in self.class_counts(self.sets[k]) or not (0 <= tp <= p and 0 <= tn <= n):
                return False
            if k in self.hexagons and not self.hexagons[k].holds(tp, tn):
                return False
        for number, family in enumerate(self.families):
            folds = [m for m, each in zip(matrices, self.sets, strict=True) if each.family == number]
            if (sum(m[0] for m in folds), sum(m[1] for m in folds)) != (family.p, family.n):
                return False
            if family.rule == "trainable" and min(sum(m[0] > 0 for m in folds), sum(m[1] > 0 for m in folds)) < 2:
                return False
        return True

    def _under(self, name: str, rule: Rule, way: str, matrices: list[Matrix], limits: list[Limit]) -> bool | None:
        """Whether everything said of one score holds if its 0/0 are counted in one way."""
        scored: list[Span | None] = []
        for p, n, tp, tn in matrices:
            num, den = rule.ratio(tp, tn, p, n)
            if den == 0 and num:
                return False
            if way == "harmonic" and (tp if rule.harmonic == "tp" else tn) == 0:
                scored.append(None)
            else:
                scored.append(rule.enclose(num, den, _BITS) if den else filled(name, way, p, n, tp, tn))

        def over(part: Tree) -> Span | None:
            if isinstance(part, int):
                return scored[part]
            inside = [x for piece in part if (x := over(piece)) is not None]
            return _mean(inside) if inside else None

        mean = over(self.tree)
        own = [claim for claim in self.means if claim.name == name]
        answers = [mean is not None and _within(mean, claim.low, claim.high) for claim in own]
        if name in self.variances:
            answers.append(self._variance(name, [over(part) for part in self.spread_parts]))
        answers += [_within(x, *limit.ends) for limit in limits if (x := over(limit.part)) is not None]
        if self.attained:
            answers += self._reached(name, [x for part in self.extreme_parts if (x := over(part)) is not None])
        return _all(answers)

    def _reached(self, name: str, values: list[Span]) -> Iterator[bool | None]:
        """Whether some part has the least value that is reported, and some the largest."""
        if name in self.minima:
            yield _any([_within(x, None, self.minima[name][1]) for x in values])
        if name in self.maxima:
            yield _any([_within(x, self.maxima[name][0], None) for x in values])

    def _variance(self, name: str, values: list[Span | None]) -> bool | None:
        counted = [value for value in values if value is not None]
        low, high = self.variances[name]
        if self.error:
            low, high = low * len(counted), high * len(values)
        count = len(counted)
        if count == 0:
            return False
        middle = [(a + b) / 2 for a, b in counted]
        mean = sum(middle, Fraction(0)) / count
        squares = sum(((x - mean) ** 2 for x in middle), Fraction(0))
        width = max(b - a for a, b in counted)
        error = 8 * count * width * (1 + max(max(abs(a), abs(b)) for a, b in counted))
        ends = max(squares - error, Fraction(0)), squares + error
        divisors = [count - d for d in self.ddof if count > d]
        return _any([_within((ends[0] / d, ends[1] / d), low, high) for d in divisors])


def _any(answers: list[bool | None]) -> bool | None:
    """Whether one holds; None if that is not known."""
    return True if True in answers else None if None in answers else False


def _all(answers: list[bool | None]) -> bool | None:
    """Whether all hold; None if that is not known."""
    return False if False in answers else None if None in answers else True


def filled(name: str, way: str, p: int, n: int, tp: int, tn: int) -> Span | None:
    """What a 0/0 counts as; None if its set is left out."""
    if way in ("skip", "harmonic"):
        return None
    if name in PREDICTIVE_OF_BOTH:
        exact = Fraction(*of_one_class(name, way, tp, tn, p, n))
        return exact, exact
    value = Fraction(int(way == "one"))
    if way == "present":
        value = Fraction(tp, p) if p else Fraction(tn, n)
    return value, value


def _mean(values: list[Span]) -> Span:
    nothing = Fraction(0)
    low, high = (sum((v[end] for v in values), nothing) / len(values) for end in (0, 1))
    return low, high


def _within(value: Span, low: Fraction | None, high: Fraction | None) -> bool | None:
    if (low is None or low <= value[0]) and (high is None or value[1] <= high):
        return True
    return False if (low is not None and value[1] < low) or (high is not None and value[0] > high) else None


def members_of(tree: Tree) -> list[int]:
    return [tree] if isinstance(tree, int) else [k for part in tree for k in members_of(part)]


def shares(tree: Tree, left_out: set[int] | frozenset[int] = frozenset()) -> dict[int, Fraction]:
    """What the sets that count weigh in a mean of means; a part without any of them is left out itself."""
    if isinstance(tree, int):
        return {} if tree in left_out else {tree: Fraction(1)}
    if all(isinstance(part, int) for part in tree):
        alone = [part for part in tree if isinstance(part, int) and part not in left_out]
        return dict.fromkeys(alone, Fraction(1, len(alone))) if alone else {}
    inside = [own for part in tree if (own := shares(part, left_out))]
    return {k: w / len(inside) for own in inside for k, w in own.items()}


# of which count a linear score is the share, and whether it is the share of what is missing
COUNTED = {
    "sens": ("tp", 1),
    "fnr": ("tp", -1),
    "spec": ("tn", 1),
    "fpr": ("tn", -1),
    "acc": ("both", 1),
    "err": ("both", -1),
}


class Hexagon:
    """Bounds on tp, tn and their sum: of one matrix, or added up over several."""

    def __init__(self, p: int, n: int) -> None:
        self.bounds = {"tp": (0, p), "tn": (0, n), "both": (0, p + n)}

    def share(self, name: str, p: int, n: int, low: Fraction | None, high: Fraction | None) -> None:
        """Take in that a counted score of a matrix (p, n) lies between two numbers."""
        what, sign = COUNTED[name]
        size = {"tp": p, "tn": n, "both": p + n}[what]
        least, most = None if low is None else ceil(low * size), None if high is None else floor(high * size)
        if sign < 0:
            least, most = None if most is None else size - most, None if least is None else size - least
        a, b = self.bounds[what]
        self.bounds[what] = (a if least is None else max(a, least), b if most is None else min(b, most))
        for _ in range(3):  # until tp, tn and their sum agree
            (a, b), (c, d), (e, f) = (self.bounds[what] for what in ("tp", "tn", "both"))
            e, f = max(e, a + c), min(f, b + d)
            a, b = max(a, e - d), min(b, f - c)
            c, d = max(c, e - b), min(d, f - a)
            self.bounds = {"tp": (a, b), "tn": (c, d), "both": (e, f)}

    def add(self, other: Hexagon) -> None:
        crossed = any(low > high for own in (self, other) for low, high in own.bounds.values())
        for what, (low, high) in other.bounds.items():
            a, b = self.bounds[what]
            self.bounds[what] = (1, 0) if crossed else (a + low, b + high)

    def holds(self, tp: int, tn: int) -> bool:
        counted = {"tp": tp, "tn": tn, "both": tp + tn}
        return all(low <= counted[what] <= high for what, (low, high) in self.bounds.items())
