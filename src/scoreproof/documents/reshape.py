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
from scoreproof.documents.table import Table
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
    if _says_twice(table, half):
        yield from (_part(table, start, half) for start in (0, half))
    else:
        yield table


def _says_twice(table: Table, half: int) -> bool:
    """Whether the halves of a table have the same headers, labels in their first columns, and nothing across both."""
    if half < 2 or 2 * half != table.shape[1] or any(row[:half] != row[half:] for row in table.header):
        return False
    names = table.header[-1][:half] if table.header else ()
    crossing = any(span.column < half < span.column + span.columns for span in table.spans)
    labels = [row[place] for row in table.body for place in (0, half)]
    told = len(set(names)) == half and bool(names[0])
    return told and not crossing and 2 * sum(map(looks_numeric, labels)) <= len(labels)


def _part(table: Table, start: int, width: int) -> Table:
    """Some columns of a table, without the rows in which they are empty."""
    kept = [k for k, row in enumerate(table.rows) if k < table.header_rows or any(row[start : start + width])]
    new = {old: number for number, old in enumerate(kept)}

    def moved(marks: Iterable[tuple[int, int]]) -> frozenset[tuple[int, int]]:
        return frozenset((new[row], at - start) for row, at in marks if row in new and start <= at < start + width)

    spans = tuple(
        replace(span, row=new[span.row], column=span.column - start)
        for span in table.spans
        if start <= span.column < start + width and all(k in new for k in range(span.row, span.row + span.rows))
    )
    rows = tuple(table.rows[row][start : start + width] for row in kept)
    return replace(table, rows=rows, spans=spans, bold=moved(table.bold), underlined=moved(table.underlined))
