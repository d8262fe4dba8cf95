"""Zeros that a program added: 0.7794 printed as 0.779400.

``%f`` and pandas' LaTeX print six decimals, also of numbers that were rounded to fewer before, and pandas fills a
column up to its longest number, so that fold rows of three digits get a fourth from the mean below them. Where every
score of the rows of one kind has the same many decimals and all end in the same zeros, the zeros are no digits of the
report, and are left out. That can only widen what a number stands for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from scoreproof.tables.meaning.cells import Kind
from scoreproof.tables.meaning.headings import Heading, Role
from scoreproof.tables.meaning.rows import Row, RowKind

_DEFAULT = 6  # the decimals of %f
_FEWEST = 4  # decimals, and numbers: fewer may end in zeros by chance
_PADDED = re.compile(rf"\d+\.(\d{{{_FEWEST},{_DEFAULT}}})")


def without_padding(headings: Sequence[Heading], rows: list[Row], assumptions: list[str]) -> list[Row]:
    """The rows without zeros that all numbers of their kind of row end in."""
    scores = [index for index, heading in enumerate(headings) if heading.role is Role.SCORE]
    decimals: dict[RowKind, list[str] | None] = {}
    for row in rows:
        found = decimals.setdefault(row.kind, [])
        if found is None:
            continue
        for index in scores:
            cell = row.cells[index]
            if cell.kind is Kind.NUMBER:
                match = _PADDED.fullmatch(cell.number) if cell.number[-1] == "0" else None
                if match is None:  # the usual table, seen at its first number
                    decimals[row.kind] = None
                    break
                found.append(match[1])
    cuts = {kind: cut for kind, found in decimals.items() if found and (cut := _zeros(found))}
    if not cuts:
        return rows
    for kind, cut in cuts.items():
        assumptions.append(f"{kind} rows: all scores end in {'0' * cut}, which is read as added by a program")
    return [_shortened(row, scores, cuts[row.kind]) if row.kind in cuts else row for row in rows]


def _zeros(decimals: Sequence[str]) -> int:
    """How many zeros all of these end in, if they are as many decimals and enough numbers to tell."""
    length = len(decimals[0])
    enough = len(decimals) >= (2 if length == _DEFAULT else _FEWEST)
    longest = max(len(digits.rstrip("0")) for digits in decimals)
    return length - longest if enough and longest and {*map(len, decimals)} == {length} else 0


def _shortened(row: Row, scores: Sequence[int], cut: int) -> Row:
    cells = list(row.cells)
    for index in scores:
        if cells[index].kind is Kind.NUMBER:
            cells[index] = cells[index]._replace(number=cells[index].number[:-cut])
    return replace(row, cells=tuple(cells))
