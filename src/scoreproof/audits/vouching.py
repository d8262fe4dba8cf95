"""Whether the other rows of a table bear out how the tool read it.

A misreading fails systematically, an error is sporadic among rows that pass. So of a table that nobody described a row
is inconsistent only if several other rows pass a test of the same scores, few fail with it, and no other unit, average
or statistic of the other rows lets it pass. Otherwise it is conditional, and the condition says why.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any, cast

from scoreproof.asking import Answer, Verdict, ask
from scoreproof.audits.as_average import possible_as_average
from scoreproof.audits.result import Answered, Outcome, RowResult, TableCheck
from scoreproof.errors import ScoreproofError
from scoreproof.kinds.kind import Problem
from scoreproof.reported import Claim, report
from scoreproof.work.deadline import Deadline

_FEWEST = 3  # other rows that must pass
_FAILING = 3  # times as many rows must pass as fail
_SECONDS = 1.0  # for a row in the other unit


def vouched(
    rows: Sequence[RowResult], checks: Sequence[TableCheck]
) -> tuple[tuple[RowResult, ...], tuple[TableCheck, ...]]:
    """The rows and comparisons of a table; what the table itself does not bear out is a conditional row."""
    judged = [_judged(row, rows) if row.outcome is Outcome.INCONSISTENT else row for row in rows]
    kept = []
    for check in checks:
        condition = _condition_of_check(check, checks) if check.verdict is Verdict.INCONSISTENT else ""
        if condition:
            _doubt(judged, check, condition)
        else:
            kept.append(check)
    return tuple(judged), tuple(kept)


def _judged(row: RowResult, rows: Sequence[RowResult]) -> RowResult:
    condition = _condition(row, rows)
    if not condition:
        return row
    readings = tuple(replace(reading, assumed=condition) for reading in row.readings)
    return replace(row, outcome=Outcome.CONDITIONAL, readings=readings)


def _condition(row: RowResult, rows: Sequence[RowResult]) -> str:
    """What would have to be so for the row to be impossible; empty where the table bears it out."""
    problems = [reading.answer.problem for reading in row.readings]
    if any(map(possible_as_average, problems)):
        return "these are scores of one confusion matrix, not averages over classes, folds or images"
    others = [other for other in rows if other is not row]
    statistic = _statistic(row, others)
    if statistic:
        return f"this row is a result, not the {statistic} of the others"
    names = set(row.scores)
    alike = [other for other in others if names <= set(other.scores)]
    beside = [reading for other in alike for reading in other.readings]
    unit = next(filter(None, (_other_unit(problem, beside) for problem in problems)), "")
    if unit:
        return unit
    passing = _distinct(other for other in alike if other.outcome is Outcome.CONSISTENT)
    failing = _distinct(other for other in alike if other.outcome is Outcome.INCONSISTENT) | {_values(row)}
    return _borne_out(len(passing), len(failing), "row")


def _condition_of_check(check: TableCheck, checks: Sequence[TableCheck]) -> str:
    alike = [one for one in checks if one.kind == check.kind and _names(check.answer) <= _names(one.answer)]
    unit = _other_unit(check.answer.problem, alike)
    if unit:
        return unit
    passing = sum(one.verdict is Verdict.CONSISTENT for one in alike)
    return _borne_out(passing, sum(one.verdict is Verdict.INCONSISTENT for one in alike), "comparison")


def _borne_out(passing: int, failing: int, what: str) -> str:
    """What must be taken for granted where too few pass, or too many fail."""
    if passing >= _FEWEST and passing >= _FAILING * failing:
        return ""
    fit = f"{passing or 'no'} other {what}{'s' * (passing != 1)} of these scores fit{'s' * (passing == 1)}"
    return f"the table was read as its author meant it ({fit}, {failing} {'do' if failing > 1 else 'does'} not)"


def _doubt(rows: list[RowResult], check: TableCheck, condition: str) -> None:
    """A comparison that the table does not bear out, as a reading of the row it is about."""
    told = Answered(check.what, check.answer, condition)
    for index, row in enumerate(rows):
        if row.row in check.rows and row.outcome is not Outcome.INCONSISTENT:
            rows[index] = replace(row, outcome=Outcome.CONDITIONAL, readings=(told, *row.readings))
            return
    table, number = (rows[0].table, max(check.rows, default=0)) if rows else (0, 0)
    rows.append(RowResult(table, number, check.what, "", "", (), Outcome.CONDITIONAL, (told,)))


def _names(answer: Answer[Any, Any]) -> set[str]:
    return {claim.quantity.name for claim in answer.problem.claims}


def _values(row: RowResult) -> tuple[str, ...]:
    return tuple(cell.text for cell in row.cells)


def _distinct(rows: Iterable[RowResult]) -> set[tuple[str, ...]]:
    """Rows that were copied count once."""
    return {_values(row) for row in rows}


def _other_unit(problem: Problem, beside: Sequence[Answered | TableCheck]) -> str:
    """In words, that a report is possible if a column is read in the other unit; the rows that fit must still do so."""
    fitting = [told.answer.problem for told in beside if told.verdict is Verdict.CONSISTENT]
    problems = (problem, *(told.answer.problem for told in beside))
    every = [claim for each in problems for claim in each.claims if claim.quantity.range[1] == 1]
    large = {claim.quantity.name for claim in every if claim.number.value > 1}
    small = {claim.quantity.name for claim in every if "%" in claim.text and claim.number.value < Fraction(1, 50)}
    names = [claim.quantity.name for claim in problem.claims if claim.quantity.name in large | small]
    for changed in (*([name] for name in names), *([names] if len(names) > 1 else ())):
        if all(_fits_in_other_unit(each, changed) for each in (problem, *fitting[:_FEWEST])):
            percent = any("%" in claim.text for claim in problem.claims if claim.quantity.name in changed)
            return f"{', '.join(changed)} {'is a percentage' if percent else 'is a fraction, not a percentage'}"
    return ""


def _fits_in_other_unit(problem: Problem, names: Sequence[str]) -> bool:
    """Whether a report is possible with some of its values in the other unit."""
    claims = [_exchanged(claim) if claim.quantity.name in names else claim for claim in problem.claims]
    if None in claims:
        return False
    with suppress(ScoreproofError):
        changed = problem.with_claims(cast("list[Claim]", claims))
        return ask(changed, budget=Deadline.of_work(_SECONDS)).verdict is Verdict.CONSISTENT
    return False


def _exchanged(claim: Claim) -> Claim | None:
    text = claim.text.replace("%", "").strip() if "%" in claim.text else f"{claim.text}%"
    rule: dict[str, Any] = {"rounding": claim.rounding} if claim.eps is None else {}
    try:
        made = report(claim.quantity, text, **rule)
    except ScoreproofError:
        return None
    return None if made.beyond_range else made


def _statistic(row: RowResult, others: Sequence[RowResult]) -> str:
    """The statistic of the other rows that every number of a row is, if there is one; it only ever excuses."""
    columns = []
    for cell in row.cells:
        place = 0 if row.cells[0].place[0] != row.cells[-1].place[0] else 1  # a transposed table's rows are columns
        own = _number(cell.text)
        beside = [
            number
            for other in others
            for one in other.cells
            if one.score == cell.score and one.place[place] == cell.place[place]
            if (number := _number(one.text)) is not None
        ]
        if own is None or len(beside) < 3:
            return ""
        columns.append((own, 10.0 ** -len(cell.text.strip("% ").partition(".")[2]), beside))
    for name, computed in _STATISTICS.items():
        if columns and all(
            any(abs(own - value) <= step * 1.01 for value in computed(beside)) for own, step, beside in columns
        ):
            return name
    return ""


def _number(text: str) -> float | None:
    try:
        return float(text.strip("% "))
    except ValueError:
        return None


def _ranges(values: Sequence[float]) -> list[float]:
    """Interquartile ranges by the two usual definitions, and by plain places in the sorted list."""
    ordered, size = sorted(values), len(values)
    cuts = [statistics.quantiles(values, n=4, method=method) for method in ("inclusive", "exclusive")]
    return [*(upper - lower for lower, _, upper in cuts), ordered[size * 3 // 4] - ordered[size // 4]]


_STATISTICS: dict[str, Callable[[Sequence[float]], list[float]]] = {
    "standard deviation": lambda values: [statistics.stdev(values), statistics.pstdev(values)],
    "doubled standard deviation": lambda values: [2 * statistics.stdev(values), 2 * statistics.pstdev(values)],
    "standard error": lambda values: [statistics.stdev(values) / len(values) ** 0.5],
    "interquartile range": _ranges,
    "range": lambda values: [max(values) - min(values)],
    "mean": lambda values: [statistics.fmean(values)],
    "median": lambda values: [statistics.median(values)],
    "maximum": lambda values: [max(values)],
    "minimum": lambda values: [min(values)],
}
