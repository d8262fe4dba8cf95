"""How much of an audit the page tells: everything about a paper, the findings of a large collection."""

from __future__ import annotations

from dataclasses import dataclass

from scoreproof.audit import Outcome, RowResult

_EVERY_ROW = 500
_EVERY_FIGURE = 60
_FINDINGS = (Outcome.INCONSISTENT, Outcome.UNDECIDED, Outcome.ERROR)


@dataclass(frozen=True, slots=True)
class Extent:
    """With ``every_row`` consistent rows have a text too, with ``every_figure`` also a figure."""

    every_row: bool
    every_figure: bool

    @classmethod
    def of(cls, rows: int) -> Extent:
        """The extent for an audit of so many rows.

        >>> Extent.of(40), Extent.of(10_000)
        (Extent(every_row=True, every_figure=True), Extent(every_row=False, every_figure=False))
        """
        return cls(rows <= _EVERY_ROW, rows <= _EVERY_FIGURE)

    def anchor(self, table: int, index: int, row: RowResult) -> str:
        """The place of a row's text, which also names its certificate; empty if it has no text of its own."""
        return f"table-{table + 1}-row-{index + 1}" if self.every_row or row.outcome in _FINDINGS else ""
