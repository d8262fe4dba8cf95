"""Documents of foreign formats, read in a process of their own.

PDF, Word, Excel, HTML, LaTeX and what notebooks hold are parsed by other people's libraries, whose time and memory
nobody can promise. They are read by a child with limits (``seconds`` of processor time and ``memory`` of ``Limits``,
and ten times the seconds by the clock); its death is an error like any other, which says how it came about. A reader of
pages has the time anew for each of them; where it dies at one, the others are read without it.
"""

from __future__ import annotations

import importlib
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from scoreproof import errors
from scoreproof.documents.formats import FORMATS, Contents, of_suffix, prose
from scoreproof.documents.grid import tallied
from scoreproof.documents.source import Source
from scoreproof.documents.table import Table
from scoreproof.errors import ScoreproofError, UnreadableInput, require_extra
from scoreproof.limits import Limits, current, within
from scoreproof.work.subprocess_worker import BY_CLOCK, Died, SubprocessWorker, Tell, in_worker, unread

_PLAIN = ("csv", "tsv")
_TOLD = ("name", "format", "notes", "inserted", "skipped_pages")  # of a source, to the process that reads it
_MOST_DEATHS = 3  # pages of one document at which its reader may die


def read_here(reader: str, source: Source, *, paragraphs: bool = True) -> Contents:
    """What a document holds, read in this process; its ``paragraphs`` only where they are wanted."""
    module = importlib.import_module(f"scoreproof.documents.readers.{reader}")
    with tallied("data_cells" if source.format in _PLAIN else "cells"):
        contents: Contents = module.read(source)
        contents.paragraphs = prose(contents.paragraphs) if paragraphs else []
        return contents


def begin(path: str | os.PathLike[str]) -> None:
    """Start the process that will read a file, which loads its library while this process loads its own."""
    named = of_suffix(Path(path).suffix)
    if named is not None and named.sandboxed and not in_worker():
        _READER.start("sys" if named.extra is None else named.extra[0])


def read_sandboxed(reader: str, source: Source, *, paragraphs: bool = True) -> Contents:
    """What a document holds, read in a process of its own; its ``paragraphs`` only where they are wanted."""
    if (extra := FORMATS[source.format].extra) is not None:
        require_extra(*extra)
    told = _asked(reader, source, paragraphs)
    paragraphs_read = [(text, place) for text, place in told["paragraphs"]]
    return Contents(
        source, [Table.from_dict(table) for table in told["tables"]], list(told["problems"]), paragraphs_read
    )


def _asked(reader: str, source: Source, paragraphs: bool) -> Any:
    limits = current()
    request = {
        **{name: getattr(source, name) for name in _TOLD},
        "reader": reader,
        "binary": bool(source.data),
        "paragraphs": paragraphs,
        "limits": limits.to_dict(),
    }
    data = source.data or source.text.encode("utf-8", "surrogatepass")
    at = 0

    def heard(place: tuple[int, int]) -> None:
        nonlocal at
        at = place[0]
        source.tell(*place)

    try:
        if in_worker():
            told = answer(request, data, heard)
        else:
            time = {"seconds": BY_CLOCK * limits.seconds, "processor": limits.seconds}
            told = _READER(request, data, megabytes=limits.memory, told=heard, **time)
    except Died as end:
        if at and len(source.skipped_pages) < _MOST_DEATHS:
            return _asked(reader, replace(source, skipped_pages=(*source.skipped_pages, at)), paragraphs)
        raise unread(str(end), source.name or "the text") from None
    if "error" in told:
        kind = getattr(errors, told["error"], UnreadableInput)
        raise kind(told["words"])
    return told


def answer(request: Any, data: bytes, tell: Tell) -> Any:
    """What the worker does with one document."""
    content: Any = {"data": data} if request["binary"] else {"text": data.decode("utf-8", "surrogatepass")}
    told = {name: request[name] for name in _TOLD}
    source = Source(**told, **content, tell=lambda page, pages: tell((page, pages)))
    try:
        with within(Limits(**request["limits"])):
            contents = read_here(request["reader"], source, paragraphs=request["paragraphs"])
    except ScoreproofError as error:
        return {"error": type(error).__name__, "words": str(error)}
    tables = [table.to_dict() for table in contents.tables]
    return {"tables": tables, "problems": contents.problems, "paragraphs": contents.paragraphs}


_READER = SubprocessWorker("scoreproof.documents.sandboxed_readers:answer")
