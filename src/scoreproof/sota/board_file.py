"""A leaderboard out of a CSV file, as competition sites export it.

Columns are found by their usual names or named by the user; a file of bare numbers is read as one column of
scores. Every cell that is no score is refused with its line, because a silently dropped entry changes m.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scoreproof.errors import InvalidOption, InvalidValue

_SCORE = ("private", "private score", "privatescore", "score", "auc", "accuracy", "acc", "test accuracy", "value")
_PUBLIC = ("public", "public score", "publicscore")
_NAME = ("team", "team name", "teamname", "name", "entry", "method", "model", "classifier", "submission")


@dataclass(frozen=True, slots=True)
class BoardFile:
    """The columns of a leaderboard file."""

    names: tuple[str, ...] | None
    scores: tuple[float, ...]
    public: tuple[float, ...] | None


def read_leaderboard(
    path: str | Path,
    *,
    column: str | None = None,
    public_column: str | None = None,
    name_column: str | None = None,
) -> BoardFile:
    """Names, scores and, where there are any, public scores of a CSV file."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidValue(f"{path}: not a text file in UTF-8 ({error.reason}); save the board as CSV") from None
    return parse_leaderboard(text, str(path), column=column, public_column=public_column, name_column=name_column)


def parse_leaderboard(
    text: str,
    source: str = "leaderboard",
    *,
    column: str | None = None,
    public_column: str | None = None,
    name_column: str | None = None,
) -> BoardFile:
    r"""The same from text.

    >>> parse_leaderboard("team,score,public\nA,0.95,0.96\nB,0.94,0.97\n")
    BoardFile(names=('A', 'B'), scores=(0.95, 0.94), public=(0.96, 0.97))
    >>> parse_leaderboard("0.95\n0.94\n").scores
    (0.95, 0.94)
    """
    rows = _rows(text, source)
    header = [cell.strip() for cell in rows[0][1]]
    if any(_is_number(cell) for cell in header):
        if column or public_column or name_column:
            raise InvalidOption(f"{source}: a column was named, but the file has no line of column names")
        return _without_header(rows, source)
    score = _column(header, column, _SCORE, source, "column")
    public = _column(header, public_column, _PUBLIC, source, "public column")
    name = _column(header, name_column, _NAME, source, "name column")
    if score is None and len(header) == 1:
        score = 0
    if score is None:
        raise InvalidOption(
            f"{source}: no column of scores found among {', '.join(header) or 'no names'}; name it with "
            "column= (--column)"
        )
    body = rows[1:]
    if not body:
        raise InvalidValue(f"{source}: column names but no entries")
    return BoardFile(
        None if name is None else tuple(_cell(row, name, line, source) for line, row in body),
        _numbers(body, score, source),
        None if public is None or public == score else _numbers(body, public, source),
    )


def _rows(text: str, source: str) -> list[tuple[int, list[str]]]:
    first = text.strip().splitlines()[:1]
    if not first:
        raise InvalidValue(f"{source}: the file is empty")
    delimiter = max(",;\t", key=first[0].count)
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    try:
        rows = [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise InvalidValue(f"{source}: not readable as CSV near line {reader.line_num} ({error})") from None
    return rows


def _without_header(rows: Sequence[tuple[int, list[str]]], source: str) -> BoardFile:
    width = len(rows[0][1])
    if width == 1:
        return BoardFile(None, _numbers(rows, 0, source), None)
    if width == 2 and not _is_number(rows[0][1][0]):
        return BoardFile(tuple(_cell(row, 0, line, source) for line, row in rows), _numbers(rows, 1, source), None)
    raise InvalidOption(f"{source}: {width} columns without names; add a first line such as team,score,public")


def _column(header: list[str], wanted: str | None, usual: Sequence[str], source: str, what: str) -> int | None:
    names = [" ".join(cell.lower().replace("_", " ").split()) for cell in header]
    if wanted is not None:
        key = " ".join(wanted.lower().replace("_", " ").split())
        if key not in names:
            raise InvalidOption(f"{source}: no {what} {wanted!r}; the columns are {', '.join(header)}")
        return names.index(key)
    return next((names.index(name) for name in usual if name in names), None)


def _numbers(rows: Sequence[tuple[int, list[str]]], index: int, source: str) -> tuple[float, ...]:
    cells = [(line, _cell(row, index, line, source)) for line, row in rows]
    percent = {cell.endswith("%") for _, cell in cells}
    if len(percent) > 1:
        raise InvalidValue(f"{source}: some scores carry a percent sign and some do not; write them all one way")
    values = []
    for line, cell in cells:
        if not _is_number(cell):
            raise InvalidValue(f"{source}, line {line}: expected a score, got {cell!r}")
        values.append(float(cell.removesuffix("%")) / (100 if cell.endswith("%") else 1))
    return tuple(values)


def _cell(row: list[str], index: int, line: int, source: str) -> str:
    if index >= len(row):
        raise InvalidValue(f"{source}, line {line}: {len(row)} cells, but the entry needs {index + 1}")
    return row[index].strip()


def _is_number(cell: str) -> bool:
    try:
        float(cell.strip().removesuffix("%"))
    except ValueError:
        return False
    return True
