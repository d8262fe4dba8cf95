"""A frame, whatever it came as: named columns in Arrow's types, a digest of all rows, and the rows in chunks.

A chunk is an Arrow table with the columns of the input in their own types, and what is wrong with some of its rows as
they stand in the file (a line with too few cells), by their place in the chunk.

Columns of percentages are those whose heading says so, and those that the user names. A heading is sometimes wrong
about its column ("Accuracy (%)" above 0.91), so what it says is believed of numbers above one only; the others are the
fault of their row, never read as a hundredth of what was meant.

Apache Arrow is an optional part, loaded when a batch is made. pyarrow and not DuckDB or polars: pandas, polars and
DuckDB frames all turn into Arrow tables without a copy, Parquet is read and written in pieces with the columns' own
types, and what is written is the same bytes each time.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from scoreproof.arrays import Ints
from scoreproof.errors import InvalidValue, UnreadableInput, need
from scoreproof.limits import require_within
from scoreproof.validation import shown

if TYPE_CHECKING:
    from scoreproof.batches.deciding import RowAnswer
    from scoreproof.batches.settings import Settings

_HEADING = re.compile(r"%|\bper ?cent(?:age)?s?\b|(?<![a-z])pct(?![a-z])", re.IGNORECASE)
_SIGN = re.compile(r"[%٪﹪％]\s*$")
_NUMBER = re.compile(r"[+−-]?(?P<whole>\d*)(?:[.,·](?P<rest>\d*))?")
_LONGEST = 30  # characters of a cell in a message


def says_percent(heading: str) -> bool:
    """Whether a heading says that its column holds percentages.

    >>> says_percent("Accuracy (%)"), says_percent("acc_pct"), says_percent("Accuracy")
    (True, True, False)
    """
    return bool(_HEADING.search(heading))


def without_percent(heading: str) -> str:
    """A heading without that word."""
    return re.sub(r"\(\s*\)|\[\s*\]", "", _HEADING.sub("", heading)).strip(" _-,")


def as_percentage(value: Any, column: str, *, stated: bool, digits: int | None) -> Any:
    """A cell of such a column as ``check`` takes it; ``stated`` by the user, or only by the heading.

    >>> as_percentage("91.2", "Acc (%)", stated=False, digits=None), as_percentage(0.5, "err", stated=True, digits=1)
    ('91.2%', '0.5%')
    >>> as_percentage("0.912", "Acc (%)", stated=False, digits=None)
    Traceback (most recent call last):
    ...
    scoreproof.errors.InvalidValue: Acc (%): the heading says percent, but '0.912' is not above 1; write it with its \
sign (0.912%) if it is a percentage, or say so of the column (percent=[...], --percent COLUMN)
    """
    if isinstance(value, bool) or not isinstance(value, (str, int, float, Decimal)):
        return value  # no number, as ``check`` will say
    text = value if isinstance(value, str) else str(value) if digits is None else f"{value:.{digits}f}"
    text = text.strip()
    if _SIGN.search(text):
        return value
    if not stated and not _above_one(text):
        raise InvalidValue(
            f"{column}: the heading says percent, but {shown(text)} is not above 1; write it with its sign "
            f"({text[:_LONGEST]}%) if it is a percentage, or say so of the column (percent=[...], --percent COLUMN)"
        )
    return f"{text}%"


def _above_one(text: str) -> bool:
    number = _NUMBER.match(text)
    assert number is not None
    whole, rest = number["whole"].lstrip("0"), number["rest"] or ""
    return whole not in ("", "1") or (whole == "1" and bool(rest.strip("0")))


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
    from scoreproof.batches.frame_files import FEATHER, PARQUET, ArrowFile, DelimitedFrame

    if os.path.isdir(path):  # no name is too long for it to say no
        from scoreproof.batches.other_frames import BoardsFrame

        return BoardsFrame.of(path)
    forms = {".parquet": PARQUET, ".pq": PARQUET, ".arrow": FEATHER, ".feather": FEATHER}
    form = forms.get(path.suffix.lower())
    return DelimitedFrame.of(path) if form is None else ArrowFile.of(path, form)


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
