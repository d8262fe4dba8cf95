"""A part: the rows of a chunk with the columns that were added, as the bytes of a Parquet file.

Rows left open have no verdict yet; a part with such rows is completed later, from its own bytes.

A batch run: chunks through the pool as they are read, then the costly rows one by one.

A task takes a chunk and gives the bytes of its part, so nothing but this process needs the folder, and a worker may be
on another machine. What is there already is not done again. Costly rows are tasks of their own, so no worker gets a
heap of them; their answers are kept once a second, and their part is completed with the last of them.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import islice
from typing import Any, Self

from scoreproof.batches.deciding import Row, RowAnswer, decide_chunk, decide_row
from scoreproof.batches.frame import Chunk, Frame, Table, decimals, packed, parquet, texts, unpacked, whole_numbers
from scoreproof.batches.settings import Settings
from scoreproof.batches.store import Store
from scoreproof.work.pool import Call, Pool, gc_paused, told

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


_KEEP_EVERY = 1.0  # seconds
Progress = Callable[[int, int, str], None]
_Part = tuple[int, bytes, int, int]  # its number, the file, its rows, how many of them are open


def run(
    settings: Settings,
    frame: Frame,
    store: Store,
    pool: Pool,
    rows_per_part: int,
    progress: Progress | None = None,
    starting: ExitStack | None = None,
) -> int:
    """Decide what is not decided yet; the number of rows that were decided now.

    Until the first part is done other processes may be ``starting``; then they are waited for.
    """
    now = seen = 0
    for number, data, rows, left in _cheap(settings, frame, store, pool, rows_per_part, starting or ExitStack()):
        store.keep(number, data, complete=not left)
        now += rows - left
        seen += rows
        if progress is not None:
            told(progress, seen, seen, "rows")
    now += _costly(settings, store, pool, progress)
    store.finish()
    return now


def _cheap(
    settings: Settings, frame: Frame, store: Store, pool: Pool, rows_per_part: int, starting: ExitStack
) -> Iterator[_Part]:
    calls: Iterator[Call[_Part]] = (
        (decide_part, (settings, number, number * rows_per_part + 1, packed(chunk.table), dict(chunk.flaws)))
        for number, chunk in enumerate(frame.chunks(rows_per_part))
        if not store.has(number)
    )
    for function, arguments in islice(calls, 1):  # here, since nobody else is ready
        yield function(*arguments)
    starting.close()
    for _, part in pool.as_finished(calls, ahead=1):
        yield part


def decide_part(settings: Settings, number: int, first: int, data: bytes, flaws: dict[int, str]) -> _Part:
    """A task: the part of a chunk whose first row has this number."""
    with gc_paused():
        table = unpacked(data)
        answers = decide_chunk(settings, Chunk(table, flaws))
        made = part_table(settings, table, first, answers)
        return number, to_bytes(settings, made), len(answers), sum(answer is None for answer in answers)


def _costly(settings: Settings, store: Store, pool: Pool, progress: Progress | None) -> int:
    """Answer the open rows, and complete their parts."""
    waiting: dict[int, set[int]] = {}
    done = total = 0
    for number in store.open_numbers():
        places = set(open_places(settings, from_bytes(store.read_open(number), [settings.column("verdict")])))
        waiting[number] = places - set(_kept(store, number))
        total += len(places)
        done += len(places) - len(waiting[number])
        if not waiting[number]:
            _complete(settings, store, number, {})
    before = done
    asked: list[tuple[int, int]] = []
    with _Keeper(store) as keeper:
        for index, answer in pool.as_finished(_row_calls(settings, store, waiting, asked)):
            number, place = asked[index]
            keeper.take(number, place, answer)
            waiting[number].discard(place)
            done += 1
            if progress is not None:
                told(progress, done, total, "costly rows")
            if not waiting[number]:
                _complete(settings, store, number, keeper.given_up(number))
    return done - before


class _Keeper:
    """Answers on their way to the store: written together once a second, and whatever ends the run."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._taken: dict[int, dict[int, RowAnswer]] = {}  # of the parts that are not complete
        self._unwritten: dict[int, list[int]] = {}
        self._written = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.write()

    def take(self, number: int, place: int, answer: RowAnswer) -> None:
        self._taken.setdefault(number, {})[place] = answer
        self._unwritten.setdefault(number, []).append(place)
        if time.monotonic() - self._written > _KEEP_EVERY:
            self.write()

    def given_up(self, number: int) -> dict[int, RowAnswer]:
        """The answers of a part that will be completed with them; they need not be written any more."""
        self._unwritten.pop(number, None)
        return self._taken.pop(number)

    def write(self) -> None:
        for number, places in self._unwritten.items():
            taken = self._taken[number]
            self._store.keep_answers(number, {place: taken[place].to_dict() for place in places})
        self._unwritten.clear()
        self._written = time.monotonic()


def _row_calls(
    settings: Settings, store: Store, waiting: dict[int, set[int]], asked: list[tuple[int, int]]
) -> Iterator[Call[RowAnswer]]:
    """A task for each open row; ``asked`` gets their places in the order of the tasks."""
    for number, left in list(waiting.items()):
        places = sorted(left)
        if not places:
            continue
        table = from_bytes(store.read_open(number))
        for place, row in zip(places, input_rows(settings, table, places), strict=True):
            asked.append((number, place))
            yield answer_row, (settings, row)


def answer_row(settings: Settings, row: Row) -> RowAnswer:
    """A task: one costly row."""
    answer = decide_row(settings, row)
    assert answer is not None
    return answer


def _kept(store: Store, number: int) -> dict[int, RowAnswer]:
    """The answers that an earlier run kept; what is none is asked again."""
    kept: dict[int, RowAnswer] = {}
    for place, document in store.answers(number).items():
        try:
            kept[place] = RowAnswer.from_dict(document)
        except (ValueError, TypeError, LookupError, AttributeError):
            continue
    return kept


def _complete(settings: Settings, store: Store, number: int, taken: Mapping[int, RowAnswer]) -> None:
    """Write a part with all its answers: those of this run, and those that an earlier one kept."""
    table = from_bytes(store.read_open(number))
    places = open_places(settings, table)
    kept = _kept(store, number) if len(taken) < len(places) else {}
    answers = {place: taken[place] if place in taken else kept[place] for place in places}
    store.keep(number, to_bytes(settings, completed(settings, table, answers)), complete=True)
