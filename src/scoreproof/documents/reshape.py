"""Grids that hold their scores in another shape, as tables with a score in each column.

"Acc. 0.81" in a cell names the score that other tables have in the header: each name becomes a column of its own. Two
tables side by side under one caption repeat their header: they are two tables.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from scoreproof.documents.grid import looks_numeric
from scoreproof.documents.table import Span, Table
from scoreproof.quantities.measures import measure

_NAMED = re.compile(
    r"(?P<name>[A-Za-z][A-Za-z0-9 ²^@/.-]{0,20}?)\s*[:=]?\s+"
    r"(?P<value>[<>~≈]?\d[\d.,]*\s?%?(?:\s*(?:±|\+/-)\s*[\d.]+\s?%?)?)"
)
_MOST_NAMES = 6  # in one column
_SHARE = 0.7  # of the cells of a column that have a name in them


def reshaped(tables: Iterable[Table]) -> list[Table]:
    """The tables, those in another shape as the tables that they stand for, counted anew."""
    made = [part for table in tables for part in _side_by_side(_with_named_columns(table))]
    return [
        table if table.position.index == index else replace(table, position=replace(table.position, index=index))
        for index, table in enumerate(made)
    ]


def _with_named_columns(table: Table) -> Table:
    """The table with a column for every score that is named in cells.

    >>> table = Table((("Data", "Metric"), ("A", "Acc. 0.81"), ("A", "AUC 0.87"), ("B", "RMSE 0.51")))
    >>> _with_named_columns(table).rows[:3]
    (('Data', 'Acc.', 'AUC', 'RMSE'), ('A', '0.81', '', ''), ('A', '', '0.87', ''))
    """
    names = (
        [_names([row[column] for row in table.body]) for column in range(table.shape[1])] if table.header_rows else []
    )
    if not any(names):
        return table
    starts, width = [], 0
    for own in names:
        starts.append(width)
        width += max(1, len(own))
    rows, bold, underlined = [], set(), set()
    for number, row in enumerate(table.rows):
        cells = [""] * width
        for column, (text, own) in enumerate(zip(row, names, strict=True)):
            place = starts[column]
            said = _NAMED.fullmatch(text) if own and number >= table.header_rows else None
            if said is not None:
                place, text = place + own.index(said["name"]), said["value"]
            elif own and number == table.header_rows - 1:
                cells[place : place + len(own)] = own
                continue
            reach = len(own) if own and number < table.header_rows else 1
            cells[place : place + reach] = [text] * reach
            bold |= {(number, place)} if (number, column) in table.bold else set()
            underlined |= {(number, place)} if (number, column) in table.underlined else set()
        rows.append(tuple(cells))
    spans = [
        replace(span, column=starts[span.column])
        for span in table.spans
        if not any(names[span.column : span.column + span.columns])
    ]
    return replace(table, rows=tuple(rows), spans=tuple(spans), bold=frozenset(bold), underlined=frozenset(underlined))


def _names(cells: Sequence[str]) -> list[str]:
    """The scores that the cells of a column name, if nearly all of them do; none otherwise."""
    filled = [cell for cell in cells if cell]
    said = [match["name"] for match in map(_NAMED.fullmatch, filled) if match is not None]
    names = [name for name in Counter(said) if measure(name) is not None]
    told = sum(name in names for name in said)
    return names if len(names) <= _MOST_NAMES and told == len(said) >= max(2, _SHARE * len(filled)) else []


def _side_by_side(table: Table) -> Iterator[Table]:
    """The left and the right half of a table whose header says everything twice, each with its own labels.

    >>> rows = (("Model", "Acc", "Model", "Acc"), ("A", "0.81", "C", "0.87"), ("B", "0.79", "D", "0.90"))
    >>> [half.rows for half in _side_by_side(Table(rows))]
    [(('Model', 'Acc'), ('A', '0.81'), ('B', '0.79')), (('Model', 'Acc'), ('C', '0.87'), ('D', '0.90'))]
    """
    half = table.shape[1] // 2
    heads = [(row[:half], row[half:]) for row in table.header]
    labels = [row[place] for row in table.body for place in (0, half)] if half else []
    alike = heads and all(left == right for left, right in heads) and table.shape[1] % 2 == 0 and half >= 2
    crossing = any(span.column < half < span.column + span.columns for span in table.spans)
    numeric = sum(map(looks_numeric, labels))
    if not alike or crossing or not heads[-1][0][0] or 2 * numeric > len(labels) or len(set(heads[-1][0])) < half:
        yield table
        return
    for start in (0, half):
        kept = [
            row
            for row in range(len(table.rows))
            if row < table.header_rows or any(table.rows[row][start : start + half])
        ]
        new = {old: number for number, old in enumerate(kept)}

        def moved(
            marks: Iterable[tuple[int, int]], start: int = start, new: dict[int, int] = new
        ) -> frozenset[tuple[int, int]]:
            return frozenset((new[r], c - start) for r, c in marks if r in new and start <= c < start + half)

        spans = tuple(
            Span(new[span.row], span.column - start, span.rows, span.columns)
            for span in table.spans
            if span.row in new and start <= span.column < start + half and span.row + span.rows - 1 in new
        )
        rows = tuple(table.rows[row][start : start + half] for row in kept)
        yield replace(table, rows=rows, spans=spans, bold=moved(table.bold), underlined=moved(table.underlined))
