"""Zeros that a program added: 0.7794 printed as 0.779400.

``%f`` and pandas' LaTeX print six decimals, also of numbers that were rounded to fewer before. Where every score of a
table has six decimals and all end in the same zeros, the zeros are no digits of the report, and are left out. That can
only widen what a number stands for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from scoreproof.tables.meaning.cells import Kind
from scoreproof.tables.meaning.headings import Heading, Role
from scoreproof.tables.meaning.rows import Row

_DECIMALS = 6
_PADDED = re.compile(rf"\d+\.(\d{{{_DECIMALS}}})")


def without_padding(headings: Sequence[Heading], rows: list[Row], assumptions: list[str]) -> list[Row]:
    """The rows without zeros that all numbers of their table end in."""
    scores = [index for index, heading in enumerate(headings) if heading.role is Role.SCORE]
    shortest, numbers = 0, 0
    for row in rows:
        for index in scores:
            cell = row.cells[index]
            if cell.kind is not Kind.NUMBER:
                continue
            found = _PADDED.fullmatch(cell.number)
            if found is None or found[1][-1] != "0":
                return rows  # the usual table, seen at its first number
            numbers += 1
            shortest = max(shortest, len(found[1].rstrip("0")))
    if numbers < 2 or not shortest:
        return rows
    cut = _DECIMALS - shortest
    assumptions.append(f"all scores have six decimals that end in {'0' * cut}: read as rounded to {shortest}, padded")

    def cells(row: Row) -> Row:
        read = list(row.cells)
        for index in scores:
            if read[index].kind is Kind.NUMBER:
                read[index] = read[index]._replace(number=read[index].number[:-cut])
        return replace(row, cells=tuple(read))

    return [cells(row) for row in rows]
