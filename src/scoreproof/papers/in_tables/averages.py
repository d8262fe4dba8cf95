"""Columns and rows headed "Average" beside the values they may be of: data sets, tasks, scores.

Nobody says that each value counts the same, or that these are all. So a printed average is only called impossible if
at least three others of the same column are the plain mean of their line, three times as many as are not and too
closely for chance, and no weights at all, the same for all lines, give them all. Fold rows are compared elsewhere
(``audits.inside``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from scoreproof.claims import Recheck, Standing, mean_of
from scoreproof.claims.recheck import listed
from scoreproof.errors import ScoreproofError
from scoreproof.kinds.printed import unknown
from scoreproof.papers.in_tables.lines import Lines, both_ways
from scoreproof.papers.in_tables.printed_table import PrintedTable
from scoreproof.papers.rechecking import claim_result
from scoreproof.papers.result import ClaimResult
from scoreproof.papers.table_semantics import RowKind
from scoreproof.papers.table_semantics.cells import CellKind
from scoreproof.papers.table_semantics.rows import classify
from scoreproof.reported import report

AVERAGE_HEAD = re.compile(
    r"(?:overall |the )?(?:mean|average|avg)\.?(?: (?:scores?|values?|performance))?", re.IGNORECASE
)
_VALUE = unknown("value")
_FEWEST, _SHARE, _CHANCE = 3, 3, 1e-6


def averages(table: PrintedTable) -> Iterator[ClaimResult]:
    """Every row or column of averages that no fold or class explains, against the values beside it."""
    found = table.found
    for lines in both_ways(table.result.table, AVERAGE_HEAD.fullmatch, decimal_comma=found.decimal_comma):
        of_rows = lines.turned is not found.transposed  # columns of these lines are the rows that were interpreted
        if of_rows and (found.folds or found.class_report is not None):
            continue
        for column, parts in lines.summaries(AVERAGE_HEAD):
            heads = [" ".join(lines.heads[part]) for part in parts]
            folds = any(classify((head,), ("",), ())[0] is RowKind.FOLD for head in heads)
            if len(parts) >= 2 and not folds:
                yield from _compared(table, lines, column, parts)


def _compared(table: PrintedTable, lines: Lines, column: int, parts: Sequence[int]) -> Iterator[ClaimResult]:
    head = " ".join(lines.heads[column])
    values: dict[str, tuple[list[str], str]] = {}
    for label, row in zip(lines.labels, lines.cells, strict=True):
        line = [row[place] for place in (*parts, column)]
        if all(cell.kind is CellKind.NUMBER and cell.percent == line[-1].percent for cell in line):
            *own, mean = (cell.number for cell in line)
            values[label or f"line {len(values) + 1}"] = own, mean
    try:
        checked = {label: mean_of(own, mean) for label, (own, mean) in values.items()}
    except ScoreproofError as error:
        yield table.left(head, str(error))
        return
    off = [label for label, recheck in checked.items() if recheck.verdict is Standing.IMPOSSIBLE]
    agreeing = len(checked) - len(off)
    what = f"{head} is the mean of {listed([' '.join(lines.heads[part]) for part in parts][:6])}"
    if len(parts) > 6:
        what += f" and {len(parts) - 6} more"
    if not off and checked:
        words = f"All {agreeing} printed averages can be the plain mean of their values."
        yield ClaimResult(f"{what} ({table.result.name})", True, words)
    elif off and (
        agreeing < max(_FEWEST, _SHARE * len(off))
        or _by_chance([line for label, line in values.items() if label not in off]) > _CHANCE
        or _weighted([*values.values()])
    ):
        yield table.left(what, f"{len(off)} of {len(checked)} are not, so that weights or other values are possible")
    else:
        for label in off:
            yield claim_result(_named(checked[label], agreeing), what, f"{table.result.name}, {label}")


def _named(recheck: Recheck, agreeing: int) -> Recheck:
    return replace(recheck, assumes=(*recheck.assumes, f"as in the {agreeing} lines beside it"))


def _by_chance(lines: Sequence[tuple[Sequence[str], str]]) -> float:
    """How likely, roughly, means over one more value that is not shown would all print like the plain means."""
    chance = 1.0
    for own, mean in lines:
        claims, printed = [report(_VALUE, text) for text in own], report(_VALUE, mean)
        values = [claim.number.value for claim in claims]
        open_by = printed.high - printed.low + sum(claim.high - claim.low for claim in claims) / len(claims)
        spread = max(values) - min(values)
        chance *= min(1.0, float((len(claims) + 1) * open_by / spread)) if spread else 1.0
    return chance


def _weighted(lines: Sequence[tuple[Sequence[str], str]]) -> bool:
    """Whether weights that are the same for all lines may give all averages. It only ever spares somebody."""
    from scipy.optimize import linprog

    rows, ends = [], []
    for own, mean in lines:
        claims, printed = [report(_VALUE, text) for text in own], report(_VALUE, mean)
        rows += [[float(claim.low) for claim in claims], [-float(claim.high) for claim in claims]]
        ends += [float(printed.high), -float(printed.low)]
    width = len(rows[0])
    loose = [end + 1e-9 * max(1.0, abs(end)) for end in ends]
    found = linprog([0.0] * width, A_ub=rows, b_ub=loose, A_eq=[[1.0] * width], b_eq=[1.0], bounds=(0, 1))
    return found.status != 2  # 2: infeasible
