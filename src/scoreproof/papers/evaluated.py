"""What the predictions of one method give for the values of a table's row, and an honest row for a cross-validation.

Of two labels a value without an averaging word is of the positive class; of more it is an average, and which one is a
matter of the reading, as is whether the scores of folds were averaged or their predictions pooled. Ratios are exact
fractions; a mean of roots (MCC over folds) is told to twelve digits and judged exactly. As in scikit-learn a class that
is never predicted has a precision of zero where a value is written; any usual way to count it is right.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from statistics import stdev
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoreproof.arrays import numbers, written
from scoreproof.errors import InvalidOption, InvalidValue, ScoreproofError
from scoreproof.kinds import kind_of
from scoreproof.kinds.binary.experiment import MeanOfScores, TestSet
from scoreproof.kinds.binary.problem import Witness
from scoreproof.kinds.binary.scores import ConfusionMatrix, score
from scoreproof.kinds.multi_class.problem import ClassesProblem, asked_of, classes_problem
from scoreproof.kinds.multi_class.quantities import AVERAGES, refused, refused_of_means
from scoreproof.kinds.multi_class.witness import Treatment, mean_value, treatment_of
from scoreproof.limits import require_within
from scoreproof.metrics.labels import labels, matrix_of, positives, same_kind, same_shape
from scoreproof.papers.table_semantics import Report, RowKind, Value
from scoreproof.quantities import quantity
from scoreproof.reported import report
from scoreproof.reported.number import decimal_text
from scoreproof.results import Result, SmallTable
from scoreproof.validation import shown, whole

_FINE = 12  # digits of a root inside a mean


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The confusion matrices of one evaluation: one, or those of the folds whose scores are averaged."""

    parts: tuple[ConfusionMatrix, ...]

    def turned(self) -> Outcomes:
        """The same with the other class positive."""
        return Outcomes(tuple(ConfusionMatrix(m.tn, m.fn, m.fp, m.tp) for m in self.parts))

    def gives(self, name: str, text: str, options: dict[str, Any]) -> bool:
        """Whether a printed text is what these outcomes give, exactly."""
        sets = tuple(TestSet(part.p, part.n) for part in self.parts)
        experiment = sets[0] if len(sets) == 1 else MeanOfScores(sets)
        kind = kind_of(experiment, {name: text})
        return bool(kind.holds(kind.problem(experiment, {name: text}, **options), Witness(self.parts)))

    def text(self, name: str, like: str) -> str | None:
        """The score, or the mean of those of folds, with digits, percent sign and ± of a text; None if not defined."""
        claim = report(name, like)
        values = [value for part in self.parts if (value := _value(part, name)) is not None]
        if len(values) < len(self.parts):
            return None
        percent = "%" in claim.text
        shown = printed(sum(values, Fraction(0)) / len(values), claim.number.digits, percent=percent)
        if claim.spread is not None and len(values) > 1:
            spread = Fraction(stdev(map(float, values)))
            shown += f" ± {printed(spread, claim.spread.digits, percent=percent)}"
        return shown


def _value(matrix: ConfusionMatrix, name: str) -> Fraction | None:
    wanted = score(name)
    num, den = wanted.ratio(*matrix.cells)
    if not den:
        return None
    if wanted.link.name == "ratio":
        return Fraction(num, den)
    text = matrix.score(name, digits=_FINE)
    return None if text is None else Fraction(text)


def printed(value: Fraction, digits: int, *, percent: bool = False) -> str:
    """A value with so many digits, rounded to nearest; in percent two of them stand before the point.

    >>> printed(Fraction(2, 3), 3), printed(Fraction(2, 3), 3, percent=True), printed(Fraction(-1, 2), 0)
    ('0.667', '66.7%', '0')
    """
    units = floor(value * 10**digits + Fraction(1, 2))  # halves upwards, as scores are printed elsewhere
    places = max(digits - 2, 0) if percent else digits
    return decimal_text(units, places) + "%" * percent


ClassCounts = tuple[int, int, int]  # cases of a class, how many of them were found, and how often it was predicted


@dataclass(frozen=True, slots=True)
class ClassOutcomes:
    """The counts of every class in one evaluation: of all cases, or of the folds whose scores are averaged."""

    classes: tuple[str, ...]
    folds: tuple[tuple[ClassCounts, ...], ...]

    @classmethod
    def of(cls, actual: Sequence[NDArray[Any]], guessed: Sequence[NDArray[Any]]) -> ClassOutcomes:
        """The outcomes of true and predicted labels, fold by fold."""
        given = [*actual, *guessed]
        alike = len({part.dtype.kind for part in given}) == 1  # a common type would round large whole numbers
        known, codes = np.unique(np.concatenate(given, dtype=None if alike else object), return_inverse=True)
        require_within("cells", len(known) * len(actual), "the counts of every label in every fold")
        parts, size = np.split(codes, np.cumsum([part.size for part in given])[:-1]), len(known)
        folds = tuple(
            tuple(zip(*(np.bincount(own, minlength=size).tolist() for own in (a, a[a == g], g)), strict=True))
            for a, g in zip(parts[: len(actual)], parts[len(actual) :], strict=True)
        )
        return cls(tuple(f"class {place}" for place in range(1, size + 1)), folds)

    def has(self, name: str) -> bool:
        """Whether a score can be said of several classes, under this name."""
        return not refused(name) and not (len(self.folds) > 1 and refused_of_means(name))

    def gives(self, name: str, text: str, options: dict[str, Any]) -> bool:
        """Whether a printed text is what these outcomes give, exactly."""
        return treatment_of(*self._asked(name, text, **options)) is not False

    def text(self, name: str, like: str) -> str | None:
        """The score as it would be printed with the digits and percent sign of a text; None if undefined."""
        problem, right = self._asked(name, like)
        (claim,) = problem.claims
        value = mean_value(problem, right, asked_of(claim), Treatment.ZERO)
        return None if value is None else printed(value, claim.number.digits, percent="%" in claim.text)

    def _asked(self, name: str, text: str, **options: Any) -> tuple[ClassesProblem, list[list[tuple[int, int]]]]:
        """The problem of one printed score, and what was right and predicted in each part."""
        cases = [[own for own, _, _ in fold] for fold in self.folds]
        right = [[(right, called) for _, right, called in fold] for fold in self.folds]
        return classes_problem(self.classes, cases, {name: text}, **options), right


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The outcomes of one method by a design; ``two`` are those of two labels, one of them positive."""

    design: str
    rounding: str
    several: ClassOutcomes
    two: Outcomes | None = None
    average: str = ""  # what a value of several classes is that names no average

    @property
    def way(self) -> str:
        """The reading in words."""
        return f"{self.design}, {self.average} averages" if self.average else self.design

    def tested(self, row: Report) -> list[Value]:
        """The values of a row that can be computed."""
        if row.kind is RowKind.CLASS and self.two is None:
            return []
        return [value for value in (*row.plain, *row.qualified) if self.name(value)]

    def name(self, value: Value) -> str:
        """The score that a value is; nothing if labels do not give it."""
        if self._of_two(value):
            return value.score
        if "±" in value.text:
            return ""
        name = f"{value.qualifier} {value.score}".strip()
        return next((way for way in (name, f"{self.average} {name}") if self.several.has(way)), "")

    def gives(self, value: Value, rounding: str = "") -> bool:
        """Whether the printed text is what the predictions give."""
        try:
            return self._source(value).gives(self.name(value), value.text, {"rounding": rounding or self.rounding})
        except ScoreproofError:
            return False

    def text(self, value: Value, like: str = "") -> str | None:
        """What the predictions give for the score of a value, printed like it, or like another text."""
        return self._source(value).text(self.name(value), like or value.text)

    def right(self, row: Report) -> int:
        """How many values of a row are right."""
        return sum(map(self.gives, self.tested(row)))

    def exchanged(self, value: Value, row: Report) -> Iterator[str]:
        """Other scores that would be printed as this value: of the row, the other class, another average."""
        for other in self.tested(row):
            if other is not value and self.text(other, value.text) == value.text:
                yield f"this is {self.name(other)}"
        if self.two is not None and self._of_two(value):
            if self.two.turned().text(value.score, value.text) == value.text:
                yield "of the other class"
            if "±" in value.text:
                return
        for average in AVERAGES:
            name = f"{average} {value.score}"
            another = name != self.name(value) and self.several.has(name)
            if another and self.several.text(name, value.text) == value.text:
                yield f"this is {name}"

    def _of_two(self, value: Value) -> bool:
        return self.two is not None and not value.qualifier and quantity(value.score).kind == "binary"

    def _source(self, value: Value) -> Outcomes | ClassOutcomes:
        return self.two if self.two is not None and self._of_two(value) else self.several


def evaluations(
    y_true: ArrayLike, y_pred: ArrayLike, folds: ArrayLike | None, positive: Any, rounding: str
) -> list[Evaluated]:
    """The ways to read a row of predictions, the likeliest first."""
    actual, guessed = labels("y_true", y_true), labels("y_pred", y_pred)
    same_shape("y_true", actual, "y_pred", guessed)
    same_kind("y_true", actual, "y_pred", guessed)
    every, places = [np.arange(actual.size)], _places(folds, actual)
    designs = {"one test set": every}
    if len(places) > 1:
        means, pooled = f"mean of the scores over {len(places)} folds", f"the predictions of {len(places)} folds pooled"
        designs = {means: places, pooled: every}
    ways = {
        design: ClassOutcomes.of([actual[own] for own in parts], [guessed[own] for own in parts])
        for design, parts in designs.items()
    }
    if positive is None and any(len(way.classes) > 2 for way in ways.values()):
        return [Evaluated(design, rounding, way, None, average) for average in AVERAGES for design, way in ways.items()]
    truth, said = positives({"y_true": y_true, "y_pred": y_pred}, positive)
    return [
        Evaluated(design, rounding, way, Outcomes(tuple(matrix_of(truth[own], said[own]) for own in designs[design])))
        for design, way in ways.items()
    ]


def _places(folds: ArrayLike | None, cases: NDArray[Any]) -> list[NDArray[Any]]:
    """The cases of each fold; none without folds."""
    if folds is None:
        return []
    own = labels("folds", folds)
    if own.shape != cases.shape:
        raise InvalidOption(f"folds: expected one for each of the {cases.size} cases, got {own.size}")
    known, codes = np.unique(own, return_inverse=True)
    require_within("tables", len(known), "the confusion matrices of the folds")
    return np.split(np.argsort(codes, kind="stable"), np.cumsum(np.bincount(codes))[:-1])


_PREFIX = "test_"


@dataclass(frozen=True, slots=True)
class HonestRow(Result):
    """Scores over folds: for each its mean, sample standard deviation, least and greatest value, as texts."""

    folds: int
    digits: int
    cells: Mapping[str, tuple[str, ...]]
    sizes: tuple[tuple[int, int], ...] = ()

    def __str__(self) -> str:
        cells = self.cells.items()
        parts = [f"{name} {mean} ± {spread} (range {low} to {high})" for name, (mean, spread, low, high) in cells]
        over = f"means ± sample standard deviations (divisor k - 1) over {self.folds} folds"
        sizes = ", ".join(f"{p} and {n}" for p, n in self.sizes)
        known = f"; positives and negatives of the folds: {sizes}" if sizes else ""
        return f"{'; '.join(parts)}: {over}, rounded to {self.digits} digits{known}."

    @property
    def latex(self) -> str:
        """The means and deviations as cells of a LaTeX table."""
        return " & ".join(rf"${mean} \pm {spread}$" for mean, spread, _, _ in self.cells.values()) + r" \\"

    def _tables(self) -> list[SmallTable]:
        rows = [(name, *values) for name, values in self.cells.items()]
        return [SmallTable(rows, ("score", "mean", "deviation", "least", "greatest"), str(self))]


def honest_row(results: Mapping[str, Any], y: Any = None, *, digits: int = 3, positive: Any = None) -> HonestRow:
    """The row for what scikit-learn's ``cross_validate`` returned.

    With ``return_indices=True`` and the labels ``y`` the class counts of the folds are told as well; a reader can then
    put them into ``scoreproof check``.

    >>> row = honest_row({"fit_time": [0.1, 0.1], "test_accuracy": [0.91, 0.94]})
    >>> print(row)
    accuracy 0.925 ± 0.021 (range 0.910 to 0.940): means ± sample standard deviations (divisor k - 1) over 2 folds, \
rounded to 3 digits.
    """
    digits = whole("digits", digits, at_most=15)
    if not isinstance(results, Mapping):
        raise InvalidValue(f"results: expected what cross_validate returns, got {shown(results)}")
    scores = {
        name.removeprefix(_PREFIX): numbers(f"results: {name}", values).tolist()
        for name, values in ((written(key), values) for key, values in results.items())
        if name.startswith(_PREFIX)
    }
    lengths = {len(values) for values in scores.values()}
    if len(lengths) != 1 or min(lengths) < 2:
        raise InvalidValue("results: expected scores named test_... of the same two or more folds")
    cells = {}
    for name, values in scores.items():
        if not all(map(math.isfinite, values)):
            raise InvalidValue(f"results: {name} is not a number in some fold; say what an undefined score counts as")
        mean = sum(map(Fraction, values), Fraction(0)) / len(values)
        told = (mean, Fraction(stdev(values)), Fraction(min(values)), Fraction(max(values)))
        cells[name] = tuple(printed(value, digits) for value in told)
    return HonestRow(lengths.pop(), digits, cells, _sizes(results, y, positive))


def _sizes(results: Mapping[str, Any], y: Any, positive: Any) -> tuple[tuple[int, int], ...]:
    """Positives and negatives of each fold, where the labels are given."""
    if y is None:
        return ()
    indices = results.get("indices")
    if not isinstance(indices, Mapping) or "test" not in indices:
        raise InvalidOption("y: expected results with the folds; call cross_validate(..., return_indices=True)")
    (actual,) = positives({"y": y}, positive)
    try:
        folds = [actual[test] for test in indices["test"]]
    except (IndexError, TypeError, ValueError):
        raise InvalidValue("y: expected the labels that the folds of the results were made of, got others") from None
    return tuple((int(fold.sum()), int((~fold).sum())) for fold in folds)
