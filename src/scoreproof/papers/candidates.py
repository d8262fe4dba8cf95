"""How a table may be read, and which of these readings its rows bear out.

The words of a table say which way round it stands, what is percent, and whether scores are of one confusion matrix or
averages over classes. None of that decides: it is the first candidate. The others have a column in the other unit, the
table turned, or averages; each has prior odds, and the rows are the evidence (``evidence.log_odds``). They are tried
whatever their sizes are, and those that could not fail say nothing. Where no row speaks against the words they stand;
else the first candidate of the largest odds is taken.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from scoreproof.checking import trial
from scoreproof.errors import ScoreproofError
from scoreproof.insight.falsifiability import could_fail
from scoreproof.kinds.unknown_classes.experiment import UnknownClasses
from scoreproof.papers.common_parts import common
from scoreproof.papers.evidence import log_odds
from scoreproof.papers.other_meanings import OF_TWO_CLASSES
from scoreproof.papers.row_reading import RowReading
from scoreproof.papers.table_semantics import Interpretation, Report, RowKind
from scoreproof.papers.table_semantics.headings import Role, read_heading
from scoreproof.papers.table_semantics.interpret import understood
from scoreproof.papers.table_semantics.orientation import Scale
from scoreproof.papers.task import Posed, pose
from scoreproof.quantities import quantity
from scoreproof.reported.conventions import USUAL
from scoreproof.work.budget import Budget

_MOST_ROWS = 8
_MOST_TURNED = 200  # cells of a table that is tried the other way round
_SECONDS = 0.2  # for one row of one candidate
_SMALL = 2.0
_ONE_MATRIX, _AVERAGED = 0.2, 0.5  # share of other numbers that pass, about
_OTHER_UNIT = math.log(1 / 2)
_TURNED = math.log(1 / 10)
_OVER_CLASSES = math.log(1 / 3)
_AVERAGES = "more rows are possible so"


class ReadingCandidate(NamedTuple):
    """A table read in one way, with the prior log odds of that way against what its words say."""

    found: Interpretation
    prior: float = 0.0
    words: str = ""


def likeliest(found: Interpretation, *, alone: bool) -> Interpretation:
    """The table as its rows bear it out; ``alone``: nobody but the tool says what it is."""
    units = [*_other_units(found)]
    if not (units or alone) or not _outcomes(found)[1]:
        return found
    others = [*units, *([*_turned(found), *_over_classes(found)] if alone else [])]
    best = max((ReadingCandidate(found), *others), key=_odds)
    return replace(best.found, assumptions=(*best.found.assumptions, best.words)) if best.words else best.found


def _odds(candidate: ReadingCandidate) -> float:
    """The log odds of a candidate by the outcomes of its rows."""
    chance = _AVERAGED if candidate.found.class_averages else _ONE_MATRIX
    return candidate.prior + log_odds(*_outcomes(candidate.found), chance)


def _outcomes(found: Interpretation) -> tuple[int, int]:
    """How many of some rows are possible, and how many are not."""
    outcomes = []
    results = [one for one in found.reports if one.kind in (RowKind.RESULT, RowKind.CLASS) and len(one.plain) > 1]
    for one in results[:_MOST_ROWS]:
        with suppress(ScoreproofError):
            posed = _posed(one, found.over_classes(one.group))
            if posed is not None and could_fail(posed.problem):
                outcomes.append(trial(posed.problem, budget=Budget.of_work(_SECONDS)).fits)
    return outcomes.count(True), outcomes.count(False)


def _posed(one: Report, over: str) -> Posed | None:
    """A row with the counts it prints, as averages, or of any sizes."""
    if over:
        way = common(one, over, USUAL, other_kinds=False)
        return None if way is None else pose(way[0].reading, {value.score: value.text for value in way[1]}, USUAL)
    counts = one.counts.test_set() if one.counts else None
    return pose(RowReading("", counts or UnknownClasses()), one.scores, USUAL)


def _other_units(found: Interpretation) -> Iterator[ReadingCandidate]:
    """With a column of small numbers among percentages in percent ("FDR 1.59" beside "precision 98.41")."""
    scores = [each for each in found.score_columns if quantity(each.heading.score).range[1] == 1]
    if found.options["percent"] is not None or not {Scale.FRACTION, Scale.PERCENT} <= {each.scale for each in scores}:
        return
    axis = 0 if found.transposed else 1
    for column in scores:
        values = [
            value
            for report in found.reports
            for value in report.plain
            if value.place[axis] == column.index and len(report.plain) > 1
        ]
        small = all(_size(value.cell.number) < _SMALL and not value.cell.percent for value in values)
        if column.scale is Scale.FRACTION and values and small:
            yield ReadingCandidate(understood(found.table, found.options, {column.index: Scale.PERCENT}), _OTHER_UNIT)


def _size(number: str) -> float:
    with suppress(ValueError):
        return abs(float(number.replace(",", ".")))
    return _SMALL


def _turned(found: Interpretation) -> Iterator[ReadingCandidate]:
    """The other way round, where the names of its lines are those of scores, too."""
    rows = found.table.rows
    if found.options["transposed"] is not None or not rows or len(rows) * len(rows[0]) > _MOST_TURNED:
        return
    names: Sequence[str] = rows[0] if found.transposed else [row[0] for row in rows]
    if sum(read_heading(name).role is Role.SCORE for name in names if 0 < len(name) < 40) > 1:
        turned = understood(found.table, {**found.options, "transposed": not found.transposed})
        if turned.reports:
            yield ReadingCandidate(turned, _TURNED, "read the other way round, since so more of it is possible")


def _over_classes(found: Interpretation) -> Iterator[ReadingCandidate]:
    """With scores that no word calls averages as such: precision, recall and F1 of more classes than one."""
    groups = dict.fromkeys(one.group for one in found.reports if not one.counts)
    of_two = any(column.heading.score in OF_TWO_CLASSES for column in found.score_columns)
    results = any(one.kind is RowKind.RESULT for one in found.reports)
    if groups and results and not of_two and not found.class_averages:
        averages = dict.fromkeys(groups, _AVERAGES)
        words = "the scores are taken for averages over classes, since so more rows are possible"
        yield ReadingCandidate(replace(found, class_averages=averages), _OVER_CLASSES, words)
