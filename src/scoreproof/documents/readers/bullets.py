"""Scores listed as points, as model cards and README files do: "- Accuracy: 0.91" becomes a column of a table.

A run of points with a name and a number each is a table of one row if at least two of the names are those of scores;
other lists (hyperparameters, sizes) are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scoreproof.documents.grid import rectangle, tidy
from scoreproof.documents.table import Position, Table
from scoreproof.quantities.measures import measure

_POINT = re.compile(
    r"\s{0,6}[-*+]\s+(?P<name>[^:=|]{1,60}?)\s*(?::|=)\s*(?P<mark>[*_`]*)\s*"
    r"(?P<value>[<>~≈]?\s?\d[\d.,]*\s?%?(?:\s*(?:±|\+/-)\s*[\d.]+\s?%?)?)\s*(?P=mark)\s*"
)
_MARKS = str.maketrans("", "", "*`_")
_FEWEST = 2
_MOST = 60  # points of one list
_LONGEST = 200  # characters of a point


def bullet_tables(lines: Sequence[str], source: str) -> Iterator[tuple[int, Table]]:
    """The first line (from 0) and the table of every list of scores.

    >>> [(place, table)] = bullet_tables(["It gives:", "- Loss: 0.31", "- Accuracy: 0.91", "- **F1**: 0.90"], "")
    >>> place, table.rows
    (1, (('Loss', 'Accuracy', 'F1'), ('0.31', '0.91', '0.90')))
    """
    run: list[tuple[str, str]] = []
    start = 0
    for number, line in enumerate([*lines, ""]):
        point = _POINT.fullmatch(line) if len(line) <= _LONGEST else None
        if point is not None and len(run) < _MOST:
            if not run:
                start = number
            run.append((tidy(point["name"].translate(_MARKS)), tidy(point["value"])))
            continue
        if _is_report(run):
            draft = rectangle([[name for name, _ in run], [value for _, value in run]])
            caption = _above(lines, start)
            yield (
                start,
                draft.table(
                    Position(0, line=start + 1), header_rows=1, caption=caption, source=source, kind="markdown"
                ),
            )
        run = []


def _is_report(run: Sequence[tuple[str, str]]) -> bool:
    names = [name for name, _ in run]
    if len(run) < _FEWEST or len(set(names)) < len(names):
        return False
    return sum(measure(name) is not None for name in names) >= _FEWEST


def _above(lines: Sequence[str], start: int) -> str:
    """The nearest line above that says something."""
    near = (tidy(line.translate(_MARKS)).lstrip("# ") for line in reversed(lines[max(0, start - 3) : start]))
    return next(filter(None, near), "")[:300]
