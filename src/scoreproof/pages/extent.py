"""How much of an audit the page tells: everything about a paper, the findings of a large collection.

A page of a hundred thousand rows must still open. Beyond 500 rows only findings (rows that are not consistent) have a
text of their own, at most 600 of them, and at most 200 rows have a figure. The first 2,000 lines of the tables stand
there as in the paper, each cell with its card; the rest is searched (``rest``).
"""

from __future__ import annotations

from dataclasses import dataclass

from scoreproof.papers.result import AuditResult, Outcome

_EVERY_ROW = 500
_EVERY_FIGURE = 60
_MOST_TEXTS = 600
_MOST_FIGURES = 200
_ORDER = (Outcome.INCONSISTENT, Outcome.QUESTION, Outcome.ERROR, Outcome.UNDECIDED)


@dataclass(frozen=True, slots=True)
class Extent:
    """Which rows, by table and place in it, have a text and a figure."""

    texts: frozenset[tuple[int, int]]
    figures: frozenset[tuple[int, int]]

    @classmethod
    def of(cls, result: AuditResult) -> Extent:
        """The extent for an audit.

        >>> from scoreproof.papers.result import AuditResult
        >>> Extent.of(AuditResult("", "", ())).texts
        frozenset()
        """
        rows = [(t, r, row.outcome) for t, table in enumerate(result.tables) for r, row in enumerate(table.rows)]
        # Inconsistent rows come first where there is room for some only.
        findings = [(t, r) for wanted in _ORDER for t, r, outcome in rows if outcome is wanted]
        others = [(t, r) for t, r, outcome in rows if outcome not in _ORDER]
        told = findings[:_MOST_TEXTS] + (others if len(rows) <= _EVERY_ROW else [])
        drawn = findings[:_MOST_FIGURES] + (others if len(rows) <= _EVERY_FIGURE else [])
        return cls(frozenset(told), frozenset(drawn))

    def place(self, table: int, index: int) -> tuple[str, bool]:
        """The anchor of a row's text, which also names its certificate (empty without one), and if it has a figure."""
        anchor = f"table-{table + 1}-row-{index + 1}" if (table, index) in self.texts else ""
        return anchor, (table, index) in self.figures
