"""CSV and other delimited text, by the rules of ``csv_reader``, all columns as texts: "0.90" must stay "0.90"."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from scoreproof.batches.arrow import arrow, texts
from scoreproof.batches.frame import ROWS, Chunk
from scoreproof.csv_reader import Content, Line, each_line, read_content, separator_of
from scoreproof.csv_reader.cells import decimal_commas
from scoreproof.errors import UnreadableInput
from scoreproof.limits import require_within
from scoreproof.work.pool import gc_paused

_SAMPLE = 1_000  # lines that show whether numbers have decimal commas
_PIECE = 2**20  # characters


@dataclass(frozen=True, slots=True)
class DelimitedFrame:
    """The text of a file, cut into cells as they are asked for."""

    content: Content = field(repr=False)
    separator: str
    columns: tuple[str, ...]
    decimal_comma: bool
    numbers: frozenset[str] = frozenset()

    @classmethod
    def of(cls, path: Path) -> DelimitedFrame:
        content = read_content(path)
        separator = separator_of(content.text)
        lines = islice(_filled(content, separator), _SAMPLE)
        _, header = next(lines)
        while not header[-1]:  # lines that end with a separator
            header.pop()
        if not all(header):
            raise UnreadableInput(f"{content.source}: expected a name for every column, got a blank one in the header")
        require_within("columns", len(header), content.source)
        commas = decimal_commas(cell for _, cells in lines for cell in cells)
        return cls(content, separator, tuple(header), commas)

    @property
    def name(self) -> str:
        return self.content.source

    @property
    def notes(self) -> tuple[str, ...]:
        commas = ("numbers were read with decimal commas",) if self.decimal_comma else ()
        return (*self.content.notes, *commas)

    def digest(self) -> str:
        text, made = self.content.text, hashlib.sha256()
        for start in range(0, len(text), _PIECE):
            made.update(text[start : start + _PIECE].encode("utf-8", "surrogatepass"))
        return made.hexdigest()

    def chunks(self, rows: int = ROWS) -> Iterator[Chunk]:
        lines = islice(_filled(self.content, self.separator), 1, None)
        done = 0
        while True:
            with gc_paused():
                some = list(islice(lines, rows))
                made = self._chunk(some) if some else None
            if made is None:
                return
            done += len(some)
            require_within("rows", done, self.name, least=True)
            yield made

    def _chunk(self, lines: list[Line]) -> Chunk:
        width = len(self.columns)
        flaws: dict[int, str] = {}
        for place, (number, cells) in enumerate(lines):
            if len(cells) != width:
                if len(cells) < width or any(cells[width:]):
                    flaws[place] = f"line {number} has {len(cells)} cells: expected {width}, as many as the header"
                cells[:] = [*cells, *("",) * width][:width]
        columns: list[Any] = [texts(cells) for cells in zip(*(c for _, c in lines), strict=True)]
        return Chunk(arrow().table(columns, names=list(self.columns)), flaws)


def _filled(content: Content, separator: str) -> Iterator[Line]:
    """The lines that are not blank."""
    return (line for line in each_line(content, separator) if any(line[1]))
