"""Matrices of given margins by a greedy flow (Gale 1957, doi:10.2140/pjm.1957.7.1073), and exact judgement of scores.

A matrix with diagonal tp_i, row sums n_i and column sums tp_i + fp_i exists if and only if the wrong cases counted by
their true class, fn_i = n_i - tp_i, and by the class they were given, fp_i, are equally many, say E, and
fn_i + fp_i <= E for every class.

Necessary: a wrong case is counted once by row and once by column, and what is wrong in row i and what is wrong in
column i are different cases. Sufficient, by construction: take the class u with the largest fn + fp and the next
largest with which it has a cell (u, j) or (i, u) to fill, and fill that cell until its row or its column is used up, or
until another class h has fn_h + fp_h = E for what is left of E. The condition then holds for what is left. A step is
never empty: if another class h is as full as E before it, then so is u, all others are empty (fn and fp add up to E
each), and h is the partner.

A 0/0 counts as zero, as one, or is left out of averages (then no number is printed for the class itself). Where any of
these is admitted, one of them must fit the whole report: a report is made by one program. Left out may also be the
F-score of a class without a correct case, which is 0/0 as 2PR / (P + R).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from math import isqrt, lcm
from typing import Any

from scoreproof.kinds.multi_class.problem import ClassesProblem, asked_of, averages_f1
from scoreproof.kinds.multi_class.quantities import ClassesScore, Form, form_named
from scoreproof.kinds.statement import StatedFields
from scoreproof.reported import Claim
from scoreproof.reported.conventions import MacroF1, Undefined

Point = tuple[int, int]  # tp, fp
_MOST_WRITTEN_OUT = 6  # classes of a matrix that is written out in a sentence


@dataclass(frozen=True, slots=True)
class ClassMatrix(StatedFields):
    """A confusion matrix of k classes by its cells that are not 0: (true class, given class, cases)."""

    k: int
    cells: tuple[tuple[int, int, int], ...]

    @property
    def matrix(self) -> list[list[int]]:
        """All cells, one row for each true class."""
        rows = [[0] * self.k for _ in range(self.k)]
        for i, j, cases in self.cells:
            rows[i][j] += cases
        return rows

    @property
    def supports(self) -> list[int]:
        """The row sums."""
        sums = [0] * self.k
        for i, _, cases in self.cells:
            sums[i] += cases
        return sums

    @property
    def points(self) -> list[Point]:
        """tp and fp of every class."""
        right, wrong = [0] * self.k, [0] * self.k
        for i, j, cases in self.cells:
            if i == j:
                right[i] += cases
            else:
                wrong[j] += cases
        return list(zip(right, wrong, strict=True))

    @property
    def sound(self) -> bool:
        """Whether it is a matrix at all: every cell inside it, named once, with a positive whole number."""
        places = [(i, j) for i, j, _ in self.cells]
        return len(set(places)) == len(places) and all(
            0 <= i < self.k and 0 <= j < self.k and isinstance(cases, int) and cases > 0 for i, j, cases in self.cells
        )

    def __str__(self) -> str:
        if self.k <= _MOST_WRITTEN_OUT:
            rows = "; ".join(" ".join(map(str, row)) for row in self.matrix)
            return f"the confusion matrix ({rows}), a row for each true class"
        right = sum(tp for tp, _ in self.points)
        return (
            f"a confusion matrix of {self.k} classes with {right} correct and {sum(self.supports) - right} wrong cases"
        )


def matrix_with(points: Sequence[Point], supports: Sequence[int]) -> ClassMatrix:
    """A matrix with these counts.

    >>> matrix_with([(3, 1), (2, 2), (4, 0)], [4, 3, 5]).matrix
    [[3, 1, 0], [1, 2, 0], [0, 1, 4]]
    """
    k = len(points)
    cells = {(i, i): tp for i, (tp, _) in enumerate(points)}
    rows = [support - tp for (tp, _), support in zip(points, supports, strict=True)]
    columns = [fp for _, fp in points]
    left = sum(rows)
    while left:
        full = [row + column for row, column in zip(rows, columns, strict=True)]
        order = sorted((i for i in range(k) if full[i]), key=full.__getitem__, reverse=True)
        u, rest = order[0], order[1:]
        partner = next(j for j in rest if (rows[u] and columns[j]) or (columns[u] and rows[j]))
        i, j = (u, partner) if rows[u] and columns[partner] else (partner, u)
        room = (left - full[h] for h in rest[:2] if h != partner)  # the fullest of the others has the least
        cases = min(rows[i], columns[j], *room)
        cells[i, j] = cells.get((i, j), 0) + cases
        rows[i], columns[j], left = rows[i] - cases, columns[j] - cases, left - cases
    return ClassMatrix(k, tuple((i, j, cases) for (i, j), cases in sorted(cells.items()) if cases))


_MOST_SHOWN = 8


@dataclass(frozen=True, slots=True)
class ClassesWitness:
    """One matrix for each set; or, of labels that do not exclude each other, tp and q of every label of each set."""

    matrices: tuple[ClassMatrix, ...] = ()
    labels: tuple[tuple[tuple[int, int], ...], ...] = ()

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> ClassesWitness:
        if "labels" in document:
            return cls(labels=tuple(tuple((tp, q) for tp, q in own) for own in document["labels"]))
        return cls(tuple(map(ClassMatrix.from_dict, document["matrices"])))

    def to_dict(self) -> dict[str, Any]:
        if self.labels:
            return {"labels": [[list(point) for point in own] for own in self.labels]}
        return {"matrices": [matrix.to_dict() for matrix in self.matrices]}

    @property
    def counts(self) -> list[list[tuple[int, int]]]:
        """tp and q of every class of every set."""
        if self.labels:
            return [list(own) for own in self.labels]
        return [[(tp, tp + fp) for tp, fp in matrix.points] for matrix in self.matrices]

    @property
    def matrix(self) -> list[list[int]]:
        """The one matrix, all cells."""
        (matrix,) = self.matrices
        return matrix.matrix

    def __str__(self) -> str:
        if self.labels:
            return _of_labels(self.labels[0]) + (f" and {len(self.labels) - 1} more sets" * (len(self.labels) > 1))
        if len(self.matrices) == 1:
            return str(self.matrices[0])
        return f"{len(self.matrices)} confusion matrices, the first being {self.matrices[0]}"


def _of_labels(own: tuple[tuple[int, int], ...]) -> str:
    named = ", ".join(f"{tp} of {q}" for tp, q in own[:_MOST_SHOWN])
    more = f" and {len(own) - _MOST_SHOWN} more" if len(own) > _MOST_SHOWN else ""
    return f"labels given rightly in {named}{more} cases"


Counts = Sequence[tuple[int, int]]  # tp and q of every class


class Treatment(StrEnum):
    """What a 0/0 counts as."""

    ZERO = "zero"
    ONE = "one"
    SKIP = "skip"
    SKIP_F = "skip, F-scores without a correct case too"


ADMITTED = {
    Undefined.ANY: tuple(Treatment),
    Undefined.ZERO: (Treatment.ZERO,),
    Undefined.ONE: (Treatment.ONE,),
    Undefined.SKIP: (Treatment.SKIP, Treatment.SKIP_F),
    Undefined.EXCLUDE: (None,),
}
FILLED: dict[Treatment | None, Fraction] = {Treatment.ZERO: Fraction(0), Treatment.ONE: Fraction(1)}


def treatment_of(problem: ClassesProblem, sets: Sequence[Counts]) -> Treatment | bool | None:
    """The first treatment of 0/0 with which these counts give every claim (None: none is needed); False if none."""
    if problem.macro_f1 is MacroF1.ANY and averages_f1(problem):
        read = [treatment_of(replace(problem, macro_f1=way), sets) for way in (MacroF1.MEAN, MacroF1.OF_MEANS)]
        return next((treatment for treatment in read if treatment is not False), False)
    claims = problem.claims[::-1]  # averages first: counts that are tried give the classes' own scores already
    for treatment in ADMITTED[problem.undefined]:
        scorer = _Scorer(problem, sets, treatment)
        if all(map(scorer.fits, claims)):
            return treatment if scorer.needed else None
        if not scorer.needed and not scorer.may_skip:
            return False  # nothing is 0/0 here, so that all treatments are alike
    return False


def mean_value(
    problem: ClassesProblem,
    sets: Sequence[Counts],
    about: ClassesScore,
    treatment: Treatment | None = None,
    digits: int = 30,
) -> Fraction | None:
    """A score, or its mean over several sets, MCC to so many digits; None if nothing would be printed."""
    scorer = _Scorer(problem, sets, treatment)
    if about.score == "mcc" and not about.average and about.place is None:
        x, square = scorer.correlation()
        return _root(x, square, digits) if square else scorer._filled(None)
    return scorer._over_sets([scorer.value(about, number) for number in range(len(sets))])


def _root(x: int, square: int, digits: int) -> Fraction:
    """x / root(square), cut after so many digits."""
    root = isqrt(x * x * 100**digits // square)
    return Fraction(root if x >= 0 else -root, 10**digits)


class _Scorer:
    """Scores of known counts under one treatment of 0/0 (None: nothing is 0/0); ``needed`` says that it mattered."""

    def __init__(self, problem: ClassesProblem, sets: Sequence[Counts], treatment: Treatment | None) -> None:
        self.problem, self.sets, self.treatment, self.totals = problem, sets, treatment, problem.totals
        self.needed = False

    @property
    def may_skip(self) -> bool:
        """Whether leaving out F-scores that are no 0/0 may matter."""
        return any(tp == 0 for own in self.sets for tp, _ in own)

    def fits(self, claim: Claim) -> bool:
        about = asked_of(claim)
        if about.score == "mcc" and not about.average and about.place is None:
            return self._correlated(claim)
        value = self._over_sets([self.value(about, number) for number in range(len(self.sets))])
        return value is not None and claim.low <= value <= claim.high

    def value(self, about: ClassesScore, number: int) -> Fraction | None:
        """The score of one set."""
        counts, own = self.sets[number], self.problem.counts[number]
        if about.place is not None:
            tp, q = counts[about.place]
            return self._filled(self._of_class(form_named(about.score), tp, q, own[about.place], number))
        if about.average:
            return self._average(form_named(about.score), about.average, number)
        total = sum(own)
        right = sum(tp for tp, _ in counts)
        if about.score == "acc":
            return Fraction(right, total)
        chance = sum(n * q for n, (_, q) in zip(own, counts, strict=True))
        return self._filled(Fraction(total * right - chance, total**2 - chance) if chance != total**2 else None)

    def _over_sets(self, values: list[Fraction | None]) -> Fraction | None:
        defined = [value for value in values if value is not None]
        if len(defined) < len(values) and (len(values) == 1 or not self._skips or not defined):
            return None
        return sum(defined, Fraction(0)) / len(defined)

    @property
    def _skips(self) -> bool:
        return self.treatment in (Treatment.SKIP, Treatment.SKIP_F)

    def _of_class(self, form: Form, tp: int, q: int, n: int, number: int) -> Fraction | None:
        num, den = form.ratio(tp, q, n, self.totals[number] or 0)
        if den == 0 or (form.harmonic and tp == 0 and self.treatment is Treatment.SKIP_F):
            return None
        return Fraction(num, den)

    def _filled(self, value: Fraction | None) -> Fraction | None:
        if value is not None:
            return value
        self.needed = True
        return None if self.treatment is None else FILLED.get(self.treatment)

    def _micro(self, form: Form, number: int) -> Fraction | None:
        own, total = self.problem.counts[number], self.totals[number] or 0
        ratios = [form.ratio(tp, q, n, total) for n, (tp, q) in zip(own, self.sets[number], strict=True)]
        den = sum(below for _, below in ratios)
        return self._filled(Fraction(sum(above for above, _ in ratios), den) if den else None)

    def _average(self, form: Form, average: str, number: int) -> Fraction | None:
        if average == "micro":
            return self._micro(form, number)
        if form.harmonic and self.problem.macro_f1 is MacroF1.OF_MEANS:
            return self._of_means(form, average, number)
        parts: list[tuple[int, Fraction]] = []
        for (n, (tp, q)), classes in Counter(zip(self.problem.counts[number], self.sets[number], strict=True)).items():
            weight = classes if average == "macro" else classes * n
            value = self._filled(self._of_class(form, tp, q, n, number))
            if value is not None:
                parts.append((weight, value))
            elif weight and not self._skips:
                return None
        common = lcm(*(value.denominator for _, value in parts))  # adding fractions one by one is slow
        above = sum(weight * value.numerator * (common // value.denominator) for weight, value in parts)
        size = sum(weight for weight, _ in parts) * common
        return Fraction(above, size) if size else None

    def _of_means(self, form: Form, average: str, number: int) -> Fraction | None:
        precision = self._average(form_named("ppv"), average, number)
        recall = self._average(form_named("sens"), average, number)
        if precision is None or recall is None:
            return None
        above, below = form.num[0], (form.den[2], form.den[1])  # (s + r) P R / (s P + r R)
        size = below[0] * precision + below[1] * recall
        return self._filled(above * precision * recall / size if size else None)

    def _correlated(self, claim: Claim) -> bool:
        """MCC = x / root(y z), compared by squares."""
        x, square = self.correlation()
        if square == 0:
            value = self._filled(None)
            return value is not None and claim.low <= value <= claim.high
        return not _root_above(claim.low, x, square) and not _root_above(-claim.high, -x, square)

    def correlation(self) -> tuple[int, int]:
        """MCC as a numerator and the square of the denominator."""
        counts, own = self.sets[0], self.problem.counts[0]
        total = sum(own)
        x = total * sum(tp for tp, _ in counts) - sum(n * q for n, (_, q) in zip(own, counts, strict=True))
        return x, (total**2 - sum(q * q for _, q in counts)) * (total**2 - sum(n * n for n in own))


def _root_above(value: Fraction, x: int, square: int) -> bool:
    """Whether value > x / root(square)."""
    signed = value * abs(value) * square
    return signed > x * abs(x)
