"""Apache Arrow, the columnar library of batches: an optional part, loaded when a batch is made.

pyarrow and not DuckDB or polars: pandas, polars and DuckDB frames all turn into Arrow tables without a copy, Parquet is
read and written in pieces with the columns' own types, and what is written is the same bytes each time.
"""

from __future__ import annotations

import io
from typing import Any

from scoreproof.documents.extras import need

Table = Any  # pyarrow.Table, which has no types of its own


def arrow() -> Any:
    """pyarrow, or an error that names the extra."""
    module = need("pyarrow", "batch", "frames of many rows")
    if module.cpu_count() > 1:
        module.set_cpu_count(1)  # processes share the work, not threads
    return module


def parquet() -> Any:
    """pyarrow.parquet."""
    return need("pyarrow.parquet", "batch", "Parquet files")


def packed(table: Table) -> bytes:
    """A table as bytes that travel; a slice travels without the rest of its table."""
    sink = io.BytesIO()
    with arrow().ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue()


def unpacked(data: bytes) -> Table:
    """The table again."""
    return arrow().ipc.open_stream(data).read_all()
