"""The printed numbers of a table line by line, upright or turned: for columns and rows that sum up the others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from scoreproof.documents import Table
from scoreproof.documents.grid import looks_numeric
from scoreproof.papers.table_semantics import RowKind
from scoreproof.papers.table_semantics.cells import CellKind, ReadCell, read_cell
from scoreproof.papers.table_semantics.rows import classify

_PARTS = (RowKind.RESULT, RowKind.FOLD, RowKind.CLASS)
_MOST = 2_000  # lines, and columns, of a table that is looked at
Levels = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lines:
    """Labels and cells line by line under heads of one or more levels; ``turned`` says that lines are columns."""

    heads: tuple[Levels, ...]
    labels: tuple[str, ...]
    cells: tuple[tuple[ReadCell, ...], ...]
    turned: bool

    def summaries(self, pattern: re.Pattern[str]) -> list[tuple[int, list[int]]]:
        """The columns headed so, each with the columns it sums up: those before it, up to the last such one."""
        own = [column for column, head in enumerate(self.heads) if any(pattern.fullmatch(level) for level in head)]
        rests = {column: tuple(level for level in self.heads[column] if not pattern.fullmatch(level)) for column in own}
        found = []
        for column in own:
            alike = [other for other in own if rests[other] == rests[column]]
            previous = alike[alike.index(column) - 1] if column != alike[0] else -1
            span = range(previous + 1, column) if len(alike) > 1 else range(len(self.heads))
            parts = [other for other in span if other not in own and self._is_part(other, rests[column])]
            found.append((column, parts))
        return found

    def _is_part(self, column: int, rest: Levels) -> bool:
        head = self.heads[column]
        if rest and head[-len(rest) :] != rest:
            return False
        if not rest and len(head) > 1 and sum(other[-1:] == head[-1:] for other in self.heads) > 1:
            return False  # one of several scores, of which the summary may be of any
        numbers = any(row[column].kind is CellKind.NUMBER for row in self.cells)
        return numbers and classify((head[0] if head else "",), ("",), ())[0] in _PARTS


def both_ways(table: Table, wanted: Callable[[str], object], *, decimal_comma: bool) -> Iterator[Lines]:
    """The table upright and turned, as far as a head there is wanted and the table is no long one."""
    rows, headers = table.rows, table.header_rows
    width = len(rows[0]) if rows else 0
    if len(rows) > _MOST or width > _MOST:
        return
    labels = _label_columns(table)
    for turned in (False, True):
        grid = tuple(zip(*rows, strict=True)) if turned else rows
        above, beside = (labels, headers) if turned else (headers, labels)
        heads = [_levels(row[column] for row in grid[:above]) for column in range(beside, len(grid[0]) if grid else 0)]
        if not any(wanted(level) for head in heads for level in head):
            continue
        lines = grid[above:]
        yield Lines(
            tuple(heads),
            tuple(" / ".join(_levels(row[:beside])) for row in lines),
            tuple(tuple(read_cell(text, decimal_comma=decimal_comma) for text in row[beside:]) for row in lines),
            turned,
        )


def _levels(texts: object) -> Levels:
    return tuple(dict.fromkeys(text.strip().strip("*_:").strip() for text in texts if text.strip()))  # type: ignore[attr-defined]


def _label_columns(table: Table) -> int:
    """The leading columns without numbers below their heads: at least one."""
    width = table.shape[1]
    return next(
        (c for c in range(1, width) if any(looks_numeric(row[c]) for row in table.body)),
        max(1, width - 1),
    )
