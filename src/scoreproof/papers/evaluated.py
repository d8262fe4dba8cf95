"""What the predictions of one method give for the values of a table's row, and an honest row for a cross-validation.

Of two labels a value without an averaging word is of the positive class; of more it is an average. A mean of roots (MCC
over folds) is told to twelve digits and judged exactly; a class that is never predicted counts in any usual way.
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
from scoreproof.results import Result
from scoreproof.validation import shown, whole

_FINE = 12  # digits of a root inside a mean
ClassCounts = tuple[int, int, int]  # cases of a class, how many of them were found, and how often it was predicted


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The outcomes of one method by a design: of all cases, or of the folds whose scores are averaged."""

    design: str
    rounding: str
    folds: tuple[tuple[ClassCounts, ...], ...]
    matrices: tuple[ConfusionMatrix, ...] = ()  # of two labels, one of them positive
    average: str = ""  # what a value of several classes is that names no average

    @property
    def way(self) -> str:
        return f"{self.design}, {self.average} averages" if self.average else self.design

    def tested(self, row: Report) -> list[Value]:
        """The values of a row that can be computed."""
        values = [] if row.kind is RowKind.CLASS and not self.matrices else [*row.plain, *row.qualified]
        return list(filter(self.name, values))

    def name(self, value: Value) -> str:
        """The score that a value is; nothing if labels do not give it."""
        if self._of_two(value):
            return value.score
        name = f"{value.qualifier} {value.score}".strip()
        return next((way for way in (name, f"{self.average} {name}") if "±" not in value.text and self._has(way)), "")

    def gives(self, value: Value, rounding: str = "") -> bool:
        """Whether the printed text is what the predictions give, exactly."""
        scores, options = {self.name(value): value.text}, dict[str, Any](rounding=rounding or self.rounding)
        try:
            if not self._of_two(value):
                return treatment_of(*self._asked(scores, **options)) is not False
            sets = tuple(TestSet(matrix.p, matrix.n) for matrix in self.matrices)
            experiment = sets[0] if len(sets) == 1 else MeanOfScores(sets)
            kind = kind_of(experiment, scores)
            return bool(kind.holds(kind.problem(experiment, scores, **options), Witness(self.matrices)))
        except ScoreproofError:
            return False

    def text(self, value: Value, like: str = "") -> str | None:
        """What the predictions give for the score of a value, printed like it or another text; None if undefined."""
        name, like = self.name(value), like or value.text
        return _of_matrices(self.matrices, name, like) if self._of_two(value) else self._of_classes(name, like)

    def right(self, row: Report) -> int:
        return sum(map(self.gives, self.tested(row)))

    def exchanged(self, value: Value, row: Report) -> Iterator[str]:
        """Other scores that would be printed as this value: of the row, the other class, another average."""
        others = (other for other in self.tested(row) if other is not value)
        yield from (f"this is {self.name(other)}" for other in others if self.text(other, value.text) == value.text)
        turned = [ConfusionMatrix(matrix.tn, matrix.fn, matrix.fp, matrix.tp) for matrix in self.matrices]
        if self._of_two(value) and _of_matrices(turned, value.score, value.text) == value.text:
            yield "of the other class"
        for name in (f"{average} {value.score}" for average in AVERAGES if "±" not in value.text):
            if name != self.name(value) and self._has(name) and self._of_classes(name, value.text) == value.text:
                yield f"this is {name}"

    def _of_two(self, value: Value) -> bool:
        return bool(self.matrices) and not value.qualifier and quantity(value.score).kind == "binary"

    def _has(self, name: str) -> bool:
        return not refused(name) and not (len(self.folds) > 1 and refused_of_means(name))

    def _of_classes(self, name: str, like: str) -> str | None:
        problem, right = self._asked({name: like})
        (claim,) = problem.claims
        value = mean_value(problem, right, asked_of(claim), Treatment.ZERO)
        return None if value is None else printed(value, claim.number.digits, percent="%" in claim.text)

    def _asked(self, scores: Mapping[str, str], **options: Any) -> tuple[ClassesProblem, list[list[tuple[int, int]]]]:
        """The problem of a printed score of classes, and what was right and predicted in each part."""
        classes = tuple(f"class {place}" for place, _ in enumerate(self.folds[0], 1))
        cases = [[own for own, _, _ in fold] for fold in self.folds]
        right = [[(right, called) for _, right, called in fold] for fold in self.folds]
        return classes_problem(classes, cases, scores, **options), right


def _of_matrices(matrices: Sequence[ConfusionMatrix], name: str, like: str) -> str | None:
    """The score of two labels, or its mean, with digits, percent sign and ± of a text; None if it is undefined."""
    claim, wanted = report(name, like), score(name)
    ratios = [wanted.ratio(*matrix.cells) for matrix in matrices]
    texts = [matrix.score(name, digits=_FINE) for matrix in matrices]
    if not all(den for _, den in ratios) or None in texts:
        return None
    exact, percent = wanted.link.name == "ratio", "%" in claim.text
    values = [Fraction(*ratio) if exact else Fraction(str(text)) for ratio, text in zip(ratios, texts, strict=True)]
    shown = printed(sum(values, Fraction(0)) / len(values), claim.number.digits, percent=percent)
    if claim.spread is not None and len(values) > 1:
        shown += f" ± {printed(Fraction(stdev(map(float, values))), claim.spread.digits, percent=percent)}"
    return shown


def printed(value: Fraction, digits: int, *, percent: bool = False) -> str:
    """A value with so many digits, rounded to nearest; in percent two of them stand before the point.

    >>> printed(Fraction(2, 3), 3), printed(Fraction(2, 3), 3, percent=True), printed(Fraction(-1, 2), 0)
    ('0.667', '66.7%', '0')
    """
    units = floor(value * 10**digits + Fraction(1, 2))  # halves upwards, as scores are printed elsewhere
    places = max(digits - 2, 0) if percent else digits
    return decimal_text(units, places) + "%" * percent


def evaluations(
    y_true: ArrayLike, y_pred: ArrayLike, folds: ArrayLike | None, positive: Any, rounding: str
) -> list[Evaluated]:
    """The ways to read a row of predictions, the likeliest first."""
    actual, guessed = labels("y_true", y_true), labels("y_pred", y_pred)
    same_shape("y_true", actual, "y_pred", guessed)
    same_kind("y_true", actual, "y_pred", guessed)
    places = _places(folds, actual)
    designs, pooled = {"one test set": places}, [np.arange(actual.size)]
    if len(places) > 1:
        mean = f"mean of the scores over {len(places)} folds"
        designs = {mean: places, f"the predictions of {len(places)} folds pooled": pooled}
    ways = {
        design: class_counts([actual[own] for own in parts], [guessed[own] for own in parts])
        for design, parts in designs.items()
    }
    if positive is None and any(len(way[0]) > 2 for way in ways.values()):
        return [Evaluated(design, rounding, way, (), average) for average in AVERAGES for design, way in ways.items()]
    truth, predicted = positives({"y_true": y_true, "y_pred": y_pred}, positive)
    two = [tuple(matrix_of(truth[own], predicted[own]) for own in parts) for parts in designs.values()]
    return [Evaluated(design, rounding, ways[design], both) for design, both in zip(designs, two, strict=True)]


def class_counts(
    actual: Sequence[NDArray[Any]], guessed: Sequence[NDArray[Any]]
) -> tuple[tuple[ClassCounts, ...], ...]:
    """The counts of every class in true and predicted labels, fold by fold."""
    given = [*actual, *guessed]
    alike = len({part.dtype.kind for part in given}) == 1  # a common type would round large whole numbers
    known, codes = np.unique(np.concatenate(given, dtype=None if alike else object), return_inverse=True)
    require_within("cells", len(known) * len(actual), "the counts of every label in every fold")
    parts, size = np.split(codes, np.cumsum([part.size for part in given])[:-1]), len(known)
    return tuple(
        tuple(zip(*(np.bincount(own, minlength=size).tolist() for own in (a, a[a == g], g)), strict=True))
        for a, g in zip(parts[: len(actual)], parts[len(actual) :], strict=True)
    )


def _places(folds: ArrayLike | None, cases: NDArray[Any]) -> list[NDArray[Any]]:
    """The cases of each fold; all cases without folds."""
    if folds is None:
        return [np.arange(cases.size)]
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


def honest_row(results: Mapping[str, Any], y: Any = None, *, digits: int = 3, positive: Any = None) -> HonestRow:
    """The row for what scikit-learn's ``cross_validate`` returned, with sizes of folds if it has ``indices`` and ``y``.

    >>> row = honest_row({"fit_time": [0.1, 0.1], "test_accuracy": [0.91, 0.94]})
    >>> print(row)
    accuracy 0.925 ± 0.021 (range 0.910 to 0.940): means ± sample standard deviations (divisor k - 1) over 2 folds, \
rounded to 3 digits.
    """
    digits = whole("digits", digits, at_most=15)
    if not isinstance(results, Mapping):
        raise InvalidValue(f"results: expected what cross_validate returns, got {shown(results)}")
    named = ((written(key), values) for key, values in results.items())
    tests = {name: numbers(f"results: {name}", values) for name, values in named if name.startswith(_PREFIX)}
    scores = {name.removeprefix(_PREFIX): values.tolist() for name, values in tests.items()}
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
        return tuple((int(actual[test].sum()), int((~actual[test]).sum())) for test in indices["test"])
    except (IndexError, TypeError, ValueError):
        raise InvalidValue("y: expected the labels that the folds of the results were made of, got others") from None
