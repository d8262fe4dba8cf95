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

from scoreproof.papers.table_semantics.cells import CellKind
from scoreproof.papers.table_semantics.headings import Heading, Role
from scoreproof.papers.table_semantics.rows import Row, RowKind

_DEFAULT = 6  # the decimals of %f
_FEWEST = 4  # decimals, and numbers: fewer may end in zeros by chance
_PADDED = re.compile(rf"\d+\.(\d{{{_FEWEST},{_DEFAULT}}})")


def without_padding(headings: Sequence[Heading], rows: list[Row], assumptions: list[str]) -> list[Row]:
    """The rows without zeros that all numbers of their kind of row, or of its column, end in."""
    scores = [index for index, heading in enumerate(headings) if heading.role is Role.SCORE]
    decimals: dict[tuple[RowKind, int], list[str]] = {}
    usual: set[tuple[RowKind, int]] = set()  # most columns, seen at their first number that does not end in 0
    for row in rows:
        for index in scores:
            place = row.kind, index
            cell = row.cells[index]
            if place in usual or cell.kind is not CellKind.NUMBER:
                continue
            match = _PADDED.fullmatch(cell.number) if cell.number[-1] == "0" else None
            if match is None:
                usual.add(place)
            else:
                decimals.setdefault(place, []).append(match[1])
    cuts: dict[tuple[RowKind, int], int] = {}
    for kind in {kind for kind, _ in decimals}:
        whole = {place: found for place, found in decimals.items() if place[0] is kind}
        alike = not any(place[0] is kind for place in usual)
        together = _zeros([one for found in whole.values() for one in found], _FEWEST) if alike else 0
        for place, found in whole.items():
            cut = 0 if place in usual else max(together, _zeros(found, _FEWEST - 1))
            if cut:
                cuts[place] = cut
    for kind, cut in dict.fromkeys((place[0], cut) for place, cut in cuts.items()):
        assumptions.append(
            f"{kind} rows: scores that all end in {'0' * cut} are read without, as filled in by a program"
        )
    return [_shortened(row, scores, cuts) for row in rows] if cuts else rows


def _zeros(decimals: Sequence[str], fewest: int) -> int:
    """How many zeros all of these end in, if they are as many decimals and enough numbers to tell."""
    length = len(decimals[0])
    enough = len(decimals) >= (2 if length == _DEFAULT else fewest)
    longest = max(len(digits.rstrip("0")) for digits in decimals)
    return length - longest if enough and longest and {*map(len, decimals)} == {length} else 0


def _shortened(row: Row, scores: Sequence[int], cuts: dict[tuple[RowKind, int], int]) -> Row:
    cells = list(row.cells)
    for index in scores:
        cut = cuts.get((row.kind, index))
        if cut and cells[index].kind is CellKind.NUMBER:
            cells[index] = cells[index]._replace(number=cells[index].number[:-cut])
    return replace(row, cells=tuple(cells))
