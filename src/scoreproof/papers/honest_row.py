"""A row of text that says what a cross-validation gave, so that a reader can check it.

Means without the number of folds, a ± without its divisor, folds without their sizes: what papers leave out is what a
reader needs. The row says all of it, with digits that the values have.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from statistics import stdev
from typing import Any

from scoreproof.arrays import numbers, written
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.papers.evaluated import printed
from scoreproof.results import Result, SmallTable
from scoreproof.validation import shown

_PREFIX = "test_"


@dataclass(frozen=True, slots=True)
class HonestRow(Result):
    """Scores over folds: for each its mean, sample standard deviation, least and greatest value, as texts."""

    folds: int
    digits: int
    cells: Mapping[str, tuple[str, ...]]
    sizes: tuple[tuple[int, int], ...] = ()

    def __str__(self) -> str:
        said = [
            f"{name} {mean} ± {spread} (range {low} to {high})"
            for name, (mean, spread, low, high) in self.cells.items()
        ]
        over = f"means ± sample standard deviations (divisor k - 1) over {self.folds} folds"
        sizes = ", ".join(f"{p} and {n}" for p, n in self.sizes)
        known = f"; positives and negatives of the folds: {sizes}" if sizes else ""
        return f"{'; '.join(said)}: {over}, rounded to {self.digits} digits{known}."

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
    if isinstance(digits, bool) or not isinstance(digits, int) or not 0 <= digits <= 15:
        raise InvalidOption(f"digits: expected a whole number from 0 to 15, got {shown(digits)}")
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
    if y is None:
        return ()
    indices = results.get("indices")
    if not isinstance(indices, Mapping) or "test" not in indices:
        raise InvalidOption("y: expected results with the folds; call cross_validate(..., return_indices=True)")
    import numpy as np

    from scoreproof.metrics.labels import positives

    (actual,) = positives({"y": y}, positive)
    try:
        folds = [actual[test] for test in indices["test"]]
    except (IndexError, TypeError, ValueError):
        raise InvalidValue("y: expected the labels that the folds of the results were made of, got others") from None
    return tuple((int(np.count_nonzero(fold)), int(np.count_nonzero(~fold))) for fold in folds)
