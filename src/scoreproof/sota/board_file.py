"""A leaderboard out of a CSV file, as competition sites export it.

Columns are found by their usual names or named by the user; a file of bare numbers is read as one column of
scores. Every cell that is no score is refused with its line, because a silently dropped entry changes m.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scoreproof.csv_reader import Line, Rows, number, read_rows
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.results import Tabular

_SCORE = (
    "private", "private score", "privatescore", "private lb", "score", "final score", "test score", "auc", "auroc",
    "roc auc", "accuracy", "acc", "test accuracy", "test acc", "top 1 accuracy", "top1 accuracy", "top 1 acc", "top 1",
    "top1", "acc@1", "accuracy@1", "overall accuracy", "percentage correct", "value",
)  # fmt: skip
_PUBLIC = ("public", "public score", "publicscore", "public lb")
_NAME = (
    "team", "team name", "teamname", "name", "entry", "method", "model", "model name", "classifier", "submission",
    "participant", "user", "algorithm", "approach",
)  # fmt: skip
_TRUTH = ("y", "y true", "truth", "true", "label", "labels", "target", "class", "gold", "ground truth")
_IDENTIFIERS = ("id", "case", "index", "image", "sample", "file", "patient", "")


@dataclass(frozen=True, slots=True)
class BoardFile(Tabular):
    """The columns of a leaderboard file."""

    names: tuple[str, ...] | None
    scores: tuple[float, ...]
    public: tuple[float, ...] | None
    percent: bool = False  #: whether the heading says so
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        public = "" if self.public is None else ", with public scores"
        return f"{len(self.scores):,} scores from {min(self.scores):g} to {max(self.scores):g}{public}"

    def _rows(self) -> list[dict[str, Any]]:
        columns = {"name": self.names, "score": self.scores, "public": self.public}
        given = {name: values for name, values in columns.items() if values is not None}
        return [dict(zip(given, row, strict=True)) for row in zip(*given.values(), strict=True)]


def read_leaderboard(
    path: str | Path,
    *,
    column: str | None = None,
    public_column: str | None = None,
    name_column: str | None = None,
) -> BoardFile:
    r"""Names, scores and, where there are any, public scores of a CSV file; ``-`` is standard input.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "board.csv"
    >>> _ = file.write_text("team;score;public\nA;0,95;0,96\nB;0,94;0,97\n")
    >>> read_leaderboard(file)
    <BoardFile: 2 scores from 0.94 to 0.95, with public scores>
    >>> _ = file.write_text("0.95\n0.94\n")
    >>> read_leaderboard(file).scores
    (0.95, 0.94)
    """
    rows = read_rows(path)
    rows.check_width()
    header, source = rows.header, rows.source
    if any(number(cell) is not None for cell in header):
        if column or public_column or name_column:
            raise InvalidOption(f"{source}: a column was named, but the file has no line of column names")
        return _without_header(rows)
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
    return BoardFile(
        None if name is None else _texts(rows.lines, name),
        _numbers(rows, rows.lines, score),
        None if public is None or public == score else _numbers(rows, rows.lines, public),
        "%" in header[score],
        rows.notes,
    )


def _without_header(rows: Rows) -> BoardFile:
    lines = ((rows.header_line, list(rows.header)), *rows.lines)
    width = len(rows.header)
    if width == 1:
        return BoardFile(None, _numbers(rows, lines, 0), None, notes=rows.notes)
    if width == 2 and number(rows.header[0]) is None:
        return BoardFile(_texts(lines, 0), _numbers(rows, lines, 1), None, notes=rows.notes)
    raise InvalidOption(f"{rows.source}: {width} columns without names; add a first line such as team,score,public")


def _column(header: Sequence[str], wanted: str | None, usual: Sequence[str], source: str, what: str) -> int | None:
    names = [_plain(cell) for cell in header]
    if wanted is not None:
        key = _plain(wanted)
        if key not in names:
            raise InvalidOption(f"{source}: no {what} {wanted!r}; the columns are {', '.join(header)}")
        return names.index(key)
    return next((names.index(name) for name in usual if name in names), None)


def _plain(heading: str) -> str:
    """A heading without its unit, arrow and marks: "Top-1 Accuracy (%) ↑" is "top 1 accuracy"."""
    bare = re.sub(r"[(\[](?:%|↑|↓|in %|percent|higher is better)[)\]]|[%↑↓*#▲▼]", " ", heading.lower())
    return " ".join(re.sub(r"[_\-\s]+", " ", bare).split())


def _numbers(rows: Rows, lines: Sequence[Line], index: int) -> tuple[float, ...]:
    cells = _texts(lines, index)
    if len({"%" in cell for cell in cells}) > 1:
        raise InvalidValue(f"{rows.source}: some scores carry a percent sign and some do not; write them all one way")
    values = []
    for (line, _), cell in zip(lines, cells, strict=True):
        value = number(cell)
        if value is None:
            raise InvalidValue(f"{rows.source}, line {line}: expected a score, got {cell!r}")
        values.append(value)
    return tuple(values)


def _texts(lines: Sequence[Line], index: int) -> tuple[str, ...]:
    return tuple(cells[index] for _, cells in lines)


def read_predictions(path: str | Path, *, truth: str | None = None) -> tuple[list[Any], dict[str, list[Any]]]:
    """The true labels and every entry's predictions of a CSV file with a column for each; identifiers are left out."""
    rows = read_rows(path)
    rows.check_width()
    place = _column(rows.header, truth, _TRUTH, rows.source, "column of true labels")
    if place is None:
        raise InvalidOption(
            f"{rows.source}: no column of true labels among {', '.join(rows.header)}; name it with --column"
        )
    columns = {
        name: [_value(cell) for cell in _texts(rows.lines, index)]
        for index, name in enumerate(rows.header)
        if index == place or _plain(name) not in _IDENTIFIERS
    }
    return columns.pop(rows.header[place]), columns


def _value(cell: str) -> Any:
    value = number(cell)
    return cell if value is None else value
