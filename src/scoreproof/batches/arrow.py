"""Apache Arrow, the columnar library of batches: an optional part, loaded when a batch is made.

pyarrow and not DuckDB or polars: pandas, polars and DuckDB frames all turn into Arrow tables without a copy, Parquet is
read and written in pieces with the columns' own types, and what is written is the same bytes each time.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import numpy as np

from scoreproof.arrays import Ints
from scoreproof.errors import need

_MOST_BYTES = 2**31 - 1  # of the texts of one array
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


def texts(values: Sequence[str | None]) -> Any:
    """A column of texts. (``pyarrow.array`` would load pandas first, in each process, to see whether it is given any.)

    >>> texts(["acc", None, "é"]).to_pylist()
    ['acc', None, 'é']
    """
    pa = arrow()
    encoded = [b"" if value is None else value.encode() for value in values]
    ends = np.zeros(len(encoded) + 1, dtype=np.int64)
    np.cumsum([len(text) for text in encoded], out=ends[1:])
    if ends[-1] > _MOST_BYTES:
        return pa.array(values, pa.string())  # which is an array of pieces then
    return pa.Array.from_buffers(
        pa.string(),
        len(encoded),
        [_given(values), pa.py_buffer(ends.astype(np.int32)), pa.py_buffer(b"".join(encoded))],
    )


def whole_numbers(values: Sequence[int]) -> Any:
    """A column of whole numbers.

    >>> whole_numbers(range(3, 6)).to_pylist()
    [3, 4, 5]
    """
    pa = arrow()
    return pa.Array.from_buffers(pa.int64(), len(values), [None, pa.py_buffer(np.asarray(values, dtype=np.int64))])


def decimals(values: Sequence[float | None]) -> Any:
    """A column of numbers.

    >>> decimals([0.5, None]).to_pylist()
    [0.5, None]
    """
    pa = arrow()
    filled = np.array([0.0 if value is None else value for value in values], dtype=np.float64)
    return pa.Array.from_buffers(pa.float64(), len(values), [_given(values), pa.py_buffer(filled)])


def _given(values: Sequence[Any]) -> Any:
    """A bit for each value that is there, lowest first; nothing if all are."""
    there = np.array([value is not None for value in values], dtype=bool)
    return None if there.all() else arrow().py_buffer(np.packbits(there, bitorder="little"))


def codes_of(indices: Any) -> Ints:
    """The places that a dictionary's indices say, as numpy's numbers (-1: none).

    >>> codes_of(texts(["b", None, "b", "a"]).dictionary_encode().indices).tolist()
    [0, -1, 0, 1]
    """
    present, held = indices.buffers()
    within = slice(indices.offset, indices.offset + len(indices))
    made: Ints = np.frombuffer(held, dtype=f"i{indices.type.bit_width // 8}")[within].astype(np.int64)
    if indices.null_count:
        made[~np.unpackbits(np.frombuffer(present, dtype=np.uint8), bitorder="little").astype(bool)[within]] = -1
    return made


def packed(table: Table) -> bytes:
    """A table as bytes that travel; a slice travels without the rest of its table."""
    sink = io.BytesIO()
    with arrow().ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue()


def unpacked(data: bytes) -> Table:
    """The table again."""
    return arrow().ipc.open_stream(data).read_all()
