"""Percent or fraction, by what the rows bear out.

A column whose numbers are all below 2, among columns in percent, may hold percentages ("FDR 1.59" beside "precision
98.41") or fractions. Both are tried on the rows, whatever their sizes are; the unit under which more of them are
possible is taken, and the usual one where that decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from scoreproof.checking import trial
from scoreproof.errors import ScoreproofError
from scoreproof.kinds import fitted
from scoreproof.kinds.unknown_classes.experiment import UnknownClasses
from scoreproof.papers.row_reading import RowReading
from scoreproof.papers.table_semantics import Interpretation, Report, Value
from scoreproof.papers.table_semantics.interpret import understood
from scoreproof.papers.table_semantics.scale import Scale
from scoreproof.papers.task import posed
from scoreproof.quantities import quantity
from scoreproof.reported.conventions import USUAL
from scoreproof.work.budget import Budget

_MOST_ROWS = 8
_SECONDS = 0.2  # for one row in one unit
_SMALL = 2.0


def with_likelier_units(found: Interpretation) -> Interpretation:
    """The table, read with the other unit of a column where more rows are possible so."""
    units: dict[int, Scale] = {}
    for index, alike in _mixed(found):
        usual, other = (
            sum(_fits(one, found.columns[index].heading.score, percent) for one in alike) for percent in (False, True)
        )
        if other > usual:
            units[index] = Scale.PERCENT
    return understood(found.table, found.options, units) if units else found


def _mixed(found: Interpretation) -> Iterator[tuple[int, Sequence[Report]]]:
    """Columns of fractions among columns of percentages, each with rows that have both."""
    scores = [one for one in found.score_columns if quantity(one.heading.score).range[1] == 1]
    if found.options["percent"] is not None or not {Scale.FRACTION, Scale.PERCENT} <= {one.scale for one in scores}:
        return
    for column in scores:
        values = [
            (value, report)
            for report in found.reports
            for value in report.plain
            if _column(value, found) == column.index and len(report.plain) > 1
        ]
        small = all(_size(value) < _SMALL and not value.cell.percent for value, _ in values)
        if column.scale is Scale.FRACTION and values and small:
            yield column.index, [report for _, report in values][:_MOST_ROWS]


def _column(value: Value, found: Interpretation) -> int:
    return value.place[0] if found.transposed else value.place[1]


def _size(value: Value) -> float:
    with suppress(ValueError):
        return abs(float(value.cell.number.replace(",", ".")))
    return _SMALL


def _fits(one: Report, name: str, percent: bool) -> bool:
    """Whether a row is possible with a column in a unit: with the counts it prints, or of any sizes."""
    texts: Mapping[str, str] = {
        value.score: value.cell.text(percent=percent) if value.score == name else value.text for value in one.plain
    }
    test = one.counts.test_set() if one.counts else None
    reading = RowReading("", test or UnknownClasses())
    with suppress(ScoreproofError):
        problem = posed(reading, fitted(reading.experiment, texts), USUAL, {}, {})
        return trial(problem, budget=Budget.of_work(_SECONDS)).fits is True
    return False
