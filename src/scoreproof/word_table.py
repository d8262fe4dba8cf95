"""Tables whose columns are never narrower than their longest word, as long as all words fit beside each other.

rich narrows the widest columns first and breaks words where need be: "Kruskal-Walli s test". Here the widest are
narrowed too, but no further than to their longest word.
"""

from __future__ import annotations

from collections.abc import Iterator

from rich import box
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import measure_renderables
from rich.table import Column, Table

_BETWEEN = 3  # characters between two columns


class WordTable(Table):
    """A table as all commands show them."""

    def __init__(self, title: str | None = None) -> None:
        super().__init__(
            box=box.SIMPLE_HEAD, pad_edge=False, title=title, title_justify="left", title_style="bold", highlight=False
        )

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        room = options.max_width - _BETWEEN * (len(self.columns) - 1) - 2
        sizes = [measure_renderables(console, options, self._parts(column)) for column in self.columns]
        least = [s.maximum if c.no_wrap else s.minimum for c, s in zip(self.columns, sizes, strict=True)]
        most = [size.maximum for size in sizes]
        if sum(least) <= room < sum(most):
            widths = next(w for w in _widths(least, most) if sum(w) <= room)
            for column, width in zip(self.columns, widths, strict=True):
                column.width = width
        yield from super().__rich_console__(console, options)

    def _parts(self, column: Column) -> list[RenderableType]:
        return [*([column.header] if self.show_header else []), *column.cells, ""]


def _widths(least: list[int], most: list[int]) -> Iterator[list[int]]:
    """The widest columns made narrower step by step, none below its least width."""
    for limit in range(max(most), -1, -1):
        yield [max(low, min(high, limit)) for low, high in zip(least, most, strict=True)]
