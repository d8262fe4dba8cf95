"""Getting the tables and the paragraphs out of a document, whatever its format, in one parse.

PDF, Word, Excel, HTML, LaTeX and what notebooks hold are parsed by other people's libraries, whose time and memory
nobody can promise. They are read by a child with limits (``seconds`` of processor time and ``memory`` of ``Limits``,
and ten times the seconds by the clock); its death is an error like any other, which says how it came about. A reader of
pages has the time anew for each of them; where it dies at one, the others are read without it.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from scoreproof import errors
from scoreproof.documents.formats import FORMATS, Contents, Paragraph, of_suffix, prose
from scoreproof.documents.grid import tallied
from scoreproof.documents.readers.records import PandasFrame, is_frame, table_of
from scoreproof.documents.reshape import reshaped
from scoreproof.documents.source import Source, open_source
from scoreproof.documents.table import Table, Tables
from scoreproof.errors import InvalidOption, LimitExceeded, NoTable, ScoreproofError, UnreadableInput, require_extra
from scoreproof.limits import Limits, current, within
from scoreproof.work.subprocess_worker import BY_CLOCK, Died, SubprocessWorker, Tell, in_worker, unread


@dataclass(frozen=True, slots=True)
class PaperText:
    """The tables of a document, and its paragraphs with their places."""

    tables: Tables
    paragraphs: tuple[Paragraph, ...] = ()


def read_tables(path_or_text: str | os.PathLike[str] | PandasFrame, *, kind: str | None = None) -> Tables:
    """The tables of a document as grids of text cells, with captions and positions.

    A ``Path``, or a string of one line, names a file: CSV, TSV, Markdown, HTML, LaTeX, Excel, OpenDocument, Word, PDF,
    a notebook, plain text, or a model card. A string of several lines is the text itself, a pandas data frame one
    table. ``kind``, the name of a format, overrules what the file's name or the content suggests. Cells are never
    converted: "0.90" stays "0.90". PDF, Word, spreadsheets, HTML, LaTeX and notebooks are read in a process of their
    own, within the ``Limits``.

    >>> tables = read_tables("Method,Acc,Sens\\nA,0.90,80.0%\\nB,0.85 ± 0.10,n/a\\n")
    >>> tables[0].body
    (('A', '0.90', '80.0%'), ('B', '0.85 ± 0.10', 'n/a'))
    """
    if is_frame(path_or_text):
        if kind is not None:
            raise InvalidOption(f"kind: expected nothing beside a data frame, got {kind!r}")
        return Tables((table_of(cast("PandasFrame", path_or_text)),), "", "frame")
    return _read(cast("str | os.PathLike[str]", path_or_text), kind, paragraphs=False).tables


def read_paper(
    path_or_text: str | os.PathLike[str],
    *,
    kind: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> PaperText:
    """The tables of a document as ``read_tables`` gives them, and what is written beside them.

    ``progress`` hears which page is read, and of how many, where there are pages.

    >>> paper = read_paper("# Data\\n\\nWe tested on 12 images.\\n\\n| Acc |\\n|---|\\n| 0.9 |\\n", kind="markdown")
    >>> len(paper.tables), paper.paragraphs
    (1, (('We tested on 12 images.', "section 'Data'"),))
    """
    return _read(path_or_text, kind, paragraphs=True, progress=progress)


def _read(
    path_or_text: str | os.PathLike[str],
    kind: str | None,
    *,
    paragraphs: bool,
    progress: Callable[[int, int], None] | None = None,
) -> PaperText:
    source = open_source(path_or_text, kind)
    source = source if progress is None else replace(source, tell=progress)
    known = FORMATS[source.format]
    read = read_sandboxed if known.sandboxed else read_here
    contents = read(known.reader, source, paragraphs=paragraphs)
    tables, problems, texts = contents.tables, contents.problems, tuple(contents.paragraphs)
    if not tables:
        name = source.name or "the text"
        why = f": {'; '.join(problems[:3])}" if problems else f" (read as {source.format})"
        beyond = any("--allow" in problem for problem in problems)  # a limit, which names its option
        if beyond:
            raise LimitExceeded(f"{name}: no table was found{why}")
        raise NoTable(f"{name}: no table was found{why}", texts)
    return PaperText(Tables(tuple(reshaped(tables)), source.name, source.format, tuple(problems)), texts)


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


_READER = SubprocessWorker("scoreproof.documents.read:answer")
