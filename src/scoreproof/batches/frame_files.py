"""CSV and other delimited text, by the rules of ``csv_reader``, all columns as texts: "0.90" must stay "0.90".

The rows of a batch as one CSV file, for people with a spreadsheet: verdicts without certificates.

Parquet and Arrow files, read in pieces.

Files of strangers are first looked through by a process of its own with the usual limits of processor time and memory
(``work.subprocess_worker``): a file that is damaged, or that unpacks to far more than it seems, ends that process and
not this one.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from scoreproof.batches.frame import ROWS, Chunk, arrow, in_plain_types, number_columns, parquet, texts
from scoreproof.batches.result import BatchResult
from scoreproof.csv_reader import Content, Line, each_line, read_content, separator_of
from scoreproof.csv_reader.content import decimal_commas, spreadsheet_lines
from scoreproof.errors import UnreadableInput
from scoreproof.files import require_file, shown_path, writing
from scoreproof.limits import current, require_within
from scoreproof.work.pool import gc_paused
from scoreproof.work.subprocess_worker import BY_CLOCK, Died, SubprocessWorker, Tell, unread

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


def write_csv(result: BatchResult, path: Path) -> None:
    """All rows, part by part; the file is as it was or complete."""
    left_out = f"{result.prefix}certificate"
    with writing(path) as file:
        for number, table in enumerate(result.parts()):
            table = table.drop_columns([left_out])
            head = [table.column_names] if number == 0 else []
            rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
            file.write(spreadsheet_lines([*head, *rows]).encode("utf-8", "backslashreplace"))


PARQUET, FEATHER = "parquet", "arrow"
_LOOK = SubprocessWorker("scoreproof.batches.frame_files:look_through")


@dataclass(frozen=True, slots=True)
class ArrowFile:
    """A Parquet file, or one in Arrow's own format (also called Feather), as ``form`` says."""

    path: Path
    form: str
    schema: Any
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, path: Path, form: str) -> ArrowFile:
        _looked_through(path, form)
        return cls(path, form, _schema(path, form))

    @property
    def name(self) -> str:
        return shown_path(self.path)

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self.schema.names)

    @property
    def numbers(self) -> frozenset[str]:
        return number_columns(self.schema)

    def digest(self) -> str:
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def chunks(self, rows: int = ROWS) -> Iterator[Chunk]:
        if self.form == PARQUET:
            with parquet().ParquetFile(self.path) as file:
                yield from _rechunked(file.iter_batches(batch_size=rows, use_threads=False), rows)
            return
        with arrow().memory_map(str(self.path)) as source, arrow().ipc.open_file(source) as file:
            yield from _rechunked((file.get_batch(k) for k in range(file.num_record_batches)), rows)


def _schema(path: Path, form: str) -> Any:
    if form == PARQUET:
        return parquet().read_schema(path)
    with arrow().OSFile(str(path)) as source, arrow().ipc.open_file(source) as file:
        return file.schema


def _rechunked(batches: Iterator[Any], rows: int) -> Iterator[Chunk]:
    """Record batches of whatever size as chunks of so many rows."""
    waiting: list[Any] = []
    count = 0
    for batch in batches:
        start = 0
        while start < batch.num_rows:
            piece = batch.slice(start, rows - count)
            waiting.append(piece)
            start += piece.num_rows
            count += piece.num_rows
            if count == rows:
                yield Chunk(in_plain_types(arrow().Table.from_batches(waiting)))
                waiting, count = [], 0
    if waiting:
        yield Chunk(in_plain_types(arrow().Table.from_batches(waiting)))


def _looked_through(path: Path, form: str) -> None:
    """An error unless the whole file can be read within the limits."""
    arrow()
    name = shown_path(path)
    require_file(path, limit="data_megabytes")
    limits = current()
    request = {"path": os.path.abspath(path), "form": form}
    try:
        _LOOK.start("pyarrow.parquet")  # what loading it takes counts for nobody
        facts = _LOOK(
            request, b"", seconds=BY_CLOCK * limits.seconds, megabytes=limits.memory, processor=limits.seconds
        )
    except Died as end:
        raise unread(str(end), name) from None
    if "error" in facts:
        raise UnreadableInput(f"{name}: cannot be read as {form} ({facts['error']})")
    require_within("columns", facts["columns"], name)
    require_within("rows", facts["rows"], name)


def look_through(request: Any, _data: bytes, _tell: Tell) -> dict[str, Any]:
    """In a process of its own: read everything once."""
    path, form = Path(request["path"]), request["form"]
    rows = 0
    try:
        schema = _schema(path, form)
        for chunk in ArrowFile(path, form, schema).chunks():
            chunk.table.validate(full=True)
            rows += chunk.table.num_rows
    except (arrow().ArrowException, OSError, ValueError, UnicodeError) as error:
        return {"error": (str(error).splitlines() or [type(error).__name__])[0][:150]}
    return {"rows": rows, "columns": len(schema.names)}
