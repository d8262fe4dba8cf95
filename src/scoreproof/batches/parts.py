"""A part: the rows of a chunk with the columns that were added, as the bytes of a Parquet file.

Rows left open have no verdict yet; a part with such rows is completed later, from its own bytes.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scoreproof.batches.arrow import Table, decimals, parquet, texts, whole_numbers
from scoreproof.batches.deciding import RowAnswer
from scoreproof.batches.settings import Settings

_UNIQUE = ("witness", "proof", "certificate")  # hardly any value twice: no dictionary
_LEVEL = 3  # of compression


def part_table(settings: Settings, table: Table, first: int, answers: Sequence[RowAnswer | None]) -> Table:
    """The rows of an input with what was answered; ``first`` is the number of the first row, from 1."""
    made = table.add_column(0, settings.column("row"), whole_numbers(range(first, first + table.num_rows)))
    for name in settings.added[1:]:
        values = [None if answer is None else getattr(answer, name) for answer in answers]
        made = made.append_column(settings.column(name), _added(name, values))
    return made


def _added(name: str, values: list[Any]) -> Any:
    return decimals(values) if name == "strength" else texts(values)


def to_bytes(settings: Settings, table: Table) -> bytes:
    """A part as a Parquet file; the same rows give the same bytes."""
    plain = {settings.column(name) for name in _UNIQUE}
    sink = io.BytesIO()
    parquet().write_table(
        table,
        sink,
        compression="zstd",
        compression_level=_LEVEL,
        use_dictionary=[name for name in table.column_names if name not in plain],
    )
    return sink.getvalue()


def from_bytes(data: bytes, columns: Sequence[str] | None = None) -> Table:
    """A part that was written, or some of its columns."""
    return parquet().ParquetFile(io.BytesIO(data)).read(columns=columns, use_threads=False)


def open_places(settings: Settings, table: Table) -> list[int]:
    """The places of the rows that are still open."""
    verdicts = table.column(settings.column("verdict")).to_pylist()
    return [place for place, verdict in enumerate(verdicts) if verdict is None]


def input_rows(settings: Settings, table: Table, places: Iterable[int]) -> list[dict[str, Any]]:
    """Some rows as they were in the input."""
    added = {settings.column(name) for name in settings.added}
    own = table.select([name for name in table.column_names if name not in added])
    rows: list[dict[str, Any]] = own.take(whole_numbers(list(places))).to_pylist()
    return rows


def completed(settings: Settings, table: Table, answers: Mapping[int, RowAnswer]) -> Table:
    """A part with its open rows answered, by their places."""
    for name in settings.added[1:]:
        column = settings.column(name)
        values = table.column(column).to_pylist()
        for place, answer in answers.items():
            values[place] = getattr(answer, name)
        place_of = table.column_names.index(column)
        table = table.set_column(place_of, column, _added(name, values))
    return table
