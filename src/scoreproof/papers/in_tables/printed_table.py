"""A table that was audited, with what its columns mean: where claims are looked for."""

from __future__ import annotations

from dataclasses import dataclass

from scoreproof.papers.result import CellText, ClaimResult, RowResult, TableResult
from scoreproof.papers.table_semantics import Interpretation


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """What became of a table, and how it was understood."""

    result: TableResult
    found: Interpretation

    @property
    def said(self) -> str:
        """What stands above the table."""
        return f"{self.result.name} {self.result.table.caption or ''}"

    def column(self, cell: CellText) -> int:
        """The column a cell belongs to; scores down the side are columns, too."""
        return cell.place[0] if self.found.transposed else cell.place[1]

    def heading(self, column: int) -> str:
        return self.found.columns[column].heading.text if column < len(self.found.columns) else ""

    def where(self, row: RowResult) -> str:
        return f"{self.result.name}, {row.label or f'row {row.row + 1}'}"

    def left(self, what: str, why: str) -> ClaimResult:
        """A claim that is seen and not re-checked, and why."""
        return ClaimResult(f"{what} ({self.result.name})", None, f"Not re-checked: {why}.")
