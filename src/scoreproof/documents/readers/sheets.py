"""Sheets of spreadsheets as tables: blank rows part them, a line with a single cell above a table is its caption."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from scoreproof.documents.formats import Contents
from scoreproof.documents.grid import Placed, lay


@dataclass(slots=True)
class SheetTables:
    """Collects the tables of one sheet, row by row; they are added to those of the sheets before it."""

    contents: Contents
    title: str
    _block: list[Sequence[Placed]] = field(default_factory=list)
    _notes: list[str] = field(default_factory=list)
    _caption: str = ""
    _next: int = 0

    def add(self, number: int, line: Sequence[Placed], notes: Sequence[str] = (), *, covered: bool = False) -> None:
        """The next row that holds something, counted from 1; ``covered`` if cells from above reach into it."""
        if number != self._next:
            self.end()
        if not covered and not any(cell.text for cell in line):
            self.end()
            return
        self._block.append(line)
        self._notes += notes
        self._next = number + 1

    def end(self) -> None:
        """The rows so far are a table; a block of single cells is the caption of the table after it."""
        block, caption = self._block, [self._caption] if self._caption else []
        start = self._next - len(block)
        while block and block[0] and block[0][0].text and not any(cell.text for cell in block[0][1:]):
            caption.append(block[0][0].text)
            block, start = block[1:], start + 1
        grid = lay(block)
        self._caption = " ".join(caption) if not grid.rows else ""
        if len(grid.rows) > 1:
            self.contents.add(grid, caption=" ".join(caption), notes=self._notes, line=start, sheet=self.title)
        self._block, self._notes = [], []
