"""What a batch reads, whatever it came as: named columns, a digest of all rows, and the rows in chunks.

A chunk is an Arrow table with the columns of the input in their own types, and what is wrong with some of its rows as
they stand in the file (a line with too few cells), by their place in the chunk.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from scoreproof.batches.arrow import Table, arrow, packed
from scoreproof.errors import UnreadableInput
from scoreproof.limits import require_within
from scoreproof.validation import shown

ROWS = 20_000  # of a chunk: as much work as a process does before it reports back


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some rows; ``flaws`` says of rows by their place what is wrong with them."""

    table: Table
    flaws: Mapping[int, str] = field(default_factory=dict)


class Frame(Protocol):
    """Rows to be read, as often as wanted."""

    @property
    def name(self) -> str:
        """What it is called in messages."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of its columns."""

    @property
    def numbers(self) -> frozenset[str]:
        """The columns that hold numbers and not texts."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know about how it was read."""

    def digest(self) -> str:
        """A digest of everything in it."""

    def chunks(self, rows: int = ROWS) -> Iterator[Chunk]:
        """Its rows, so many at a time."""


@dataclass(frozen=True, slots=True)
class TableFrame:
    """An Arrow table in memory."""

    table: Table
    name: str = "the frame"
    notes: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self.table.column_names)

    @property
    def numbers(self) -> frozenset[str]:
        return number_columns(self.table.schema)

    def digest(self) -> str:
        made = hashlib.sha256()
        for chunk in self.chunks():
            made.update(packed(chunk.table))
        return made.hexdigest()

    def chunks(self, rows: int = ROWS) -> Iterator[Chunk]:
        for start in range(0, self.table.num_rows, rows):
            yield Chunk(in_plain_types(self.table.slice(start, rows)))


def in_plain_types(table: Table) -> Table:
    """A table whose texts are of the plain type: views, which polars uses, cannot be picked from."""
    pa = arrow()
    views = {pa.string_view(): pa.string(), pa.binary_view(): pa.binary()}
    if not any(each.type in views for each in table.schema):
        return table
    return table.cast(pa.schema([each.with_type(views.get(each.type, each.type)) for each in table.schema]))


def number_columns(schema: Any) -> frozenset[str]:
    """The columns whose values do not say how they were rounded."""
    types = arrow().types
    return frozenset(each.name for each in schema if types.is_floating(each.type) or types.is_integer(each.type))


def frame_of(given: Any) -> Frame:
    """The frame that is meant: a path, an Arrow table, a pandas or polars frame, or what else speaks Arrow."""
    frame = _frame(given)
    if not frame.columns:
        raise UnreadableInput(f"{frame.name}: expected columns with names, got none")
    doubled = [name for name, times in Counter(frame.columns).items() if times > 1]
    if doubled:
        raise UnreadableInput(f"{frame.name}: expected columns of different names, got {shown(min(doubled))} twice")
    return frame


def _frame(given: Any) -> Frame:
    if isinstance(given, (str, os.PathLike)):
        return _file(Path(given))
    pa = arrow()
    if isinstance(given, pa.Table):
        return TableFrame(given)
    if not hasattr(given, "__arrow_c_stream__"):
        raise UnreadableInput(
            "frame: expected the path of a CSV or Parquet file, or a frame of pandas, polars or Arrow; got "
            f"{type(given).__name__}"
        )
    if hasattr(given, "columns"):
        require_within("columns", len(given.columns), "frame")
    try:
        table = pa.table(given)
    except Exception as error:  # whatever objects in its cells, and names of its columns, raise
        raise UnreadableInput(
            f"frame: its columns cannot be taken as they are ({str(error)[:150]}); give every column one type, "
            "scores as texts"
        ) from None
    kept = [name for name in table.column_names if not name.startswith("__index_level_")]  # pandas' index
    return TableFrame(table.select(kept))


def _file(path: Path) -> Frame:
    from scoreproof.batches.arrow_files import FEATHER, PARQUET, ArrowFile
    from scoreproof.batches.delimited_file import DelimitedFrame

    forms = {".parquet": PARQUET, ".pq": PARQUET, ".arrow": FEATHER, ".feather": FEATHER}
    form = forms.get(path.suffix.lower())
    return DelimitedFrame.of(path) if form is None else ArrowFile.of(path, form)
