"""A batch run into a folder that is its own journal: chunks through the pool as they are read, then the costly rows.

A task takes a chunk and gives the bytes of its part, so nothing but this process needs the folder, and a worker may be
on another machine. Costly rows are tasks of their own, so no worker gets a heap of them; their answers are kept in a
journal, and their part is completed with the last of them.

Every file is written beside its place and moved there when it is whole, so what is there is finished and is not done
again. ``batch.json`` says of which input and settings the parts are; a folder of another batch is refused. Parts with
open rows, and the answers on those so far, are in ``open`` until they are complete; the parts are then the same bytes,
however often the run was ended and begun again.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from scoreproof.batches.deciding import Row, RowAnswer, decide_chunk, decide_row
from scoreproof.batches.frame import (
    Chunk,
    Frame,
    completed,
    from_bytes,
    input_rows,
    open_places,
    packed,
    part_table,
    to_bytes,
    unpacked,
)
from scoreproof.batches.settings import Settings
from scoreproof.errors import InvalidOption, UnreadableInput
from scoreproof.files import read_file, shown_path, write_file
from scoreproof.work.journal import Journal
from scoreproof.work.pool import Call, Pool, gc_paused, told

MANIFEST = "batch.json"
SUMMARY = "summary.json"
_FORMAT = "scoreproof batch 1"
_OPEN = "open"


class Store:
    """Parts by their numbers in a folder, one Parquet file each; without a folder, in one that goes with the store."""

    def __init__(self, folder: Path | None = None) -> None:
        self._own = TemporaryDirectory(prefix="scoreproof-batch-") if folder is None else None
        self.folder = Path(self._own.name) if self._own is not None else folder or Path()

    def _path(self, number: int, *, complete: bool) -> Path:
        return (self.folder if complete else self.folder / _OPEN) / f"part-{number:06d}.parquet"

    def has(self, number: int) -> bool:
        """Whether there is nothing left to do for the cheap rows of a part."""
        return any(self._path(number, complete=complete).exists() for complete in (True, False))

    def keep(self, number: int, data: bytes, *, complete: bool) -> None:
        """Keep a part; a complete one takes the place of one with open rows."""
        path = self._path(number, complete=complete)
        path.parent.mkdir(exist_ok=True)
        write_file(path, data)
        if complete:
            self._path(number, complete=False).unlink(missing_ok=True)
            self._answers(number).unlink(missing_ok=True)

    def read(self, number: int) -> bytes:
        return read_file(self._path(number, complete=True), limit="data_megabytes", advice="; run the batch again")

    def read_open(self, number: int) -> bytes:
        return read_file(self._path(number, complete=False), limit="data_megabytes", advice="; run the batch again")

    def numbers(self) -> list[int]:
        return _numbers(self.folder)

    def open_numbers(self) -> list[int]:
        complete = set(self.numbers())  # a run may have ended between writing a part and forgetting the open one
        return [number for number in _numbers(self.folder / _OPEN) if number not in complete]

    def _answers(self, number: int) -> Path:
        return self.folder / _OPEN / f"answers-{number:06d}.jsonl"

    def answers(self, number: int) -> Journal[RowAnswer]:
        """The answers on open rows of a part, by their places, until the part is complete; a damaged journal goes."""
        journal = Journal(self._answers(number), "batch", RowAnswer.from_dict)
        try:
            with journal:
                return journal
        except UnreadableInput:
            self._answers(number).unlink()
            return Journal(self._answers(number), "batch", RowAnswer.from_dict)

    def finish(self) -> None:
        """Everything is complete: forget what was kept on the way."""
        shutil.rmtree(self.folder / _OPEN, ignore_errors=True)


def _numbers(folder: Path) -> list[int]:
    names = (path.stem.removeprefix("part-") for path in folder.glob("part-*.parquet"))
    return sorted(int(name) for name in names if name.isdigit())


@contextmanager
def opened(folder: Path, about: Mapping[str, Any]) -> Iterator[Store]:
    """The folder of a batch, new or one to go on with; a batch has it for itself."""
    manifest = {"format": _FORMAT, **about}
    if folder.exists() and not folder.is_dir():
        raise InvalidOption(f"out: expected a folder, got the file {shown_path(folder)}; name another")
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise UnreadableInput(f"{shown_path(folder)}: cannot be made ({error.strerror})") from None
    with _alone(folder):
        if (folder / MANIFEST).exists():
            _require_same(folder, json.loads(json.dumps(manifest)))
        elif any(folder.iterdir()):
            raise InvalidOption(
                f"out: {shown_path(folder)} holds other files; name a new folder, or that of this batch"
            )
        else:
            write_file(folder / MANIFEST, json.dumps(manifest, indent=1) + "\n")
        for place in (folder, folder / _OPEN):
            for left in place.glob(".part-*"):  # by a run that was ended while it wrote
                left.unlink()
        yield Store(folder)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Two runs in one folder would do everything twice."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InvalidOption(
                f"out: {shown_path(folder)} is being written by another run; wait for it, or name another folder"
            ) from None
        yield
    finally:
        os.close(handle)


def read_manifest(folder: Path) -> dict[str, Any]:
    """What a folder says it holds."""
    try:
        manifest = json.loads(read_file(folder / MANIFEST))
    except (ValueError, RecursionError) as error:
        why = str(error) if isinstance(error, UnreadableInput) else f"{shown_path(folder / MANIFEST)} is no JSON"
        raise UnreadableInput(f"{shown_path(folder)}: expected the folder of a batch ({why})") from None
    if not isinstance(manifest, dict) or manifest.get("format") != _FORMAT:
        raise UnreadableInput(f"{shown_path(folder)}: expected the folder of a batch, got another {MANIFEST}")
    return manifest


def _require_same(folder: Path, ours: Mapping[str, Any]) -> None:
    theirs = read_manifest(folder)
    other = [key for key in ours if theirs.get(key) != ours[key]]
    if other:
        raise InvalidOption(
            f"out: {shown_path(folder)} holds another batch (other {', '.join(other)}); name another folder, or give "
            "the same input and options"
        )


Progress = Callable[[int, int, str], None]
_Part = tuple[int, bytes, int, int]  # its number, the file, its rows, how many of them are open


def run(
    settings: Settings,
    frame: Frame,
    store: Store,
    pool: Pool,
    rows_per_part: int,
    progress: Progress | None = None,
) -> int:
    """Decide what is not decided yet; the number of rows that were decided now."""
    now = seen = 0
    for number, data, rows, left in _cheap(settings, frame, store, pool, rows_per_part):
        store.keep(number, data, complete=not left)
        now += rows - left
        seen += rows
        if progress is not None:
            told(progress, seen, seen, "rows")
    now += _costly(settings, store, pool, progress)
    store.finish()
    return now


def _cheap(settings: Settings, frame: Frame, store: Store, pool: Pool, rows_per_part: int) -> Iterator[_Part]:
    calls: Iterator[Call[_Part]] = (
        (decide_part, (settings, number, number * rows_per_part + 1, packed(chunk.table), dict(chunk.flaws)))
        for number, chunk in enumerate(frame.chunks(rows_per_part))
        if not store.has(number)
    )
    for function, arguments in islice(calls, 1):  # here, since nobody else is ready
        yield function(*arguments)
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
        places = open_places(settings, from_bytes(store.read_open(number), [settings.column("verdict")]))
        with store.answers(number) as journal:
            waiting[number] = {place for place in places if not _is_kept(journal, place)}
        total += len(places)
        done += len(places) - len(waiting[number])
        if not waiting[number]:
            _complete(settings, store, number, journal)
    before = done
    asked: list[tuple[int, int]] = []
    writing: dict[int, Journal[RowAnswer]] = {}
    try:
        for index, answer in pool.as_finished(_row_calls(settings, store, waiting, asked)):
            number, place = asked[index]
            if number not in writing:
                writing[number] = store.answers(number).__enter__()
            writing[number][str(place)] = answer
            waiting[number].discard(place)
            done += 1
            if progress is not None:
                told(progress, done, total, "costly rows")
            if not waiting[number]:
                writing[number].__exit__()
                _complete(settings, store, number, writing.pop(number))
    finally:
        for journal in writing.values():
            journal.__exit__()
    return done - before


def _is_kept(journal: Journal[RowAnswer], place: int) -> bool:
    """Whether an earlier run answered a row; what is no answer is asked again."""
    with suppress(UnreadableInput):
        return str(place) in journal and bool(journal[str(place)])
    return False


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


def _complete(settings: Settings, store: Store, number: int, journal: Journal[RowAnswer]) -> None:
    """Write a part with all its answers, those that an earlier run kept among them."""
    table = from_bytes(store.read_open(number))
    answers = {place: journal[str(place)] for place in open_places(settings, table)}
    store.keep(number, to_bytes(settings, completed(settings, table, answers)), complete=True)
