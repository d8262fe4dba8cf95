"""The rows that a long page does not show line by line: short entries for the page's script, which searches them.

A browser lays out a few thousand lines of a table in no time and a hundred thousand not at all. So the first lines are
shown as they stand in the paper; the others are data, of which the matches of a search are shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from scoreproof.pages.row_view import RowView
from scoreproof.pages.texts import cut, visible

MOST_LINES = 2_000  # of all tables of a page that are shown as they stand


@dataclass(slots=True)
class Rest:
    """Entries by table: outcome, name, what is printed, why, and where the row is told; sentences are kept once."""

    tables: list[list[list[Any]]] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=dict)

    def add(self, rows: Iterable[RowView]) -> int:
        """The number under which the rows of a table are kept."""
        self.tables.append([self._entry(row) for row in rows])
        return len(self.tables) - 1

    def _entry(self, row: RowView) -> list[Any]:
        why = self._numbers.setdefault(visible(cut(row.why or row.said, 300)), len(self._numbers))
        return [row.outcome, visible(row.name), visible(cut(row.printed, 200)), why, row.anchor]

    def to_dict(self) -> dict[str, Any]:
        return {"lines": list(self._numbers), "tables": self.tables}
