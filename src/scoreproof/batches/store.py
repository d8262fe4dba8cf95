"""Where parts are kept: a folder that is its own journal.

Every file is written beside its place and moved there when it is whole, so what is there is finished and is not done
again. ``batch.json`` says of which input and settings the parts are; a folder of another batch is refused. Parts with
open rows, and the answers on those so far, are in ``open`` until they are complete; the parts are then the same bytes,
however often the run was ended and begun again.
"""

from __future__ import annotations

import json
import os
import shutil
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from scoreproof.errors import InvalidOption, UnreadableInput
from scoreproof.files import read_file, shown_path, write_file
from scoreproof.limits import current

MANIFEST = "batch.json"
SUMMARY = "summary.json"
_FORMAT = "scoreproof batch 1"
_OPEN = "open"
_QUICKLY = 1  # how hard answers are compressed, that are soon part of a part
_ANSWERS = ".json.z"
Document = dict[str, Any]  # an answer as JSON has it


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
            shutil.rmtree(self._kept_answers(number), ignore_errors=True)

    def read(self, number: int) -> bytes:
        return read_file(self._path(number, complete=True), limit="data_megabytes", advice="; run the batch again")

    def read_open(self, number: int) -> bytes:
        return read_file(self._path(number, complete=False), limit="data_megabytes", advice="; run the batch again")

    def numbers(self) -> list[int]:
        return _numbers(self.folder)

    def open_numbers(self) -> list[int]:
        complete = set(self.numbers())  # a run may have ended between writing a part and forgetting the open one
        return [number for number in _numbers(self.folder / _OPEN) if number not in complete]

    def _kept_answers(self, number: int) -> Path:
        return self.folder / _OPEN / f"answers-{number:06d}"

    def keep_answers(self, number: int, answers: Mapping[int, Document]) -> None:
        """Keep answers on open rows of a part, by their places, until the part is complete."""
        self._kept_answers(number).mkdir(exist_ok=True)
        path = self._kept_answers(number) / f"{min(answers)}{_ANSWERS}"  # a row is answered once, so the name is new
        write_file(path, zlib.compress(json.dumps(list(answers.items())).encode(), _QUICKLY))

    def answers(self, number: int) -> dict[int, Document]:
        kept: dict[int, Document] = {}
        for path in self._kept_answers(number).glob(f"[0-9]*{_ANSWERS}"):
            try:
                kept.update(json.loads(_unpacked(read_file(path, limit="data_megabytes"))))
            except (ValueError, TypeError, RecursionError):  # damaged: these rows are asked again
                continue
        return kept

    def finish(self) -> None:
        """Everything is complete: forget what was kept on the way."""
        shutil.rmtree(self.folder / _OPEN, ignore_errors=True)


def _unpacked(data: bytes) -> bytes:
    """What was compressed; a file of a few bytes could stand for a memory full of them."""
    unpacking = zlib.decompressobj()
    try:
        text = unpacking.decompress(data, current().data_megabytes * 2**20)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if not unpacking.eof:
        raise ValueError("it is cut, or larger than is read")
    return text


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
        found = json.loads(read_file(folder / MANIFEST))
    except (ValueError, RecursionError) as error:
        why = str(error) if isinstance(error, UnreadableInput) else f"{shown_path(folder / MANIFEST)} is no JSON"
        raise UnreadableInput(f"{shown_path(folder)}: expected the folder of a batch ({why})") from None
    if not isinstance(found, dict) or found.get("format") != _FORMAT:
        raise UnreadableInput(f"{shown_path(folder)}: expected the folder of a batch, got another {MANIFEST}")
    return found


def _require_same(folder: Path, ours: Mapping[str, Any]) -> None:
    theirs = read_manifest(folder)
    other = [key for key in ours if theirs.get(key) != ours[key]]
    if other:
        raise InvalidOption(
            f"out: {shown_path(folder)} holds another batch (other {', '.join(other)}); name another folder, or give "
            "the same input and options"
        )
