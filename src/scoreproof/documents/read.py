"""Getting the tables and the paragraphs out of a document, whatever its format, in one parse."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import cast

from scoreproof.documents.formats import FORMATS, Paragraph
from scoreproof.documents.readers.records import PandasFrame, is_frame, table_of
from scoreproof.documents.reshape import reshaped
from scoreproof.documents.sandboxed_readers import read_here, read_sandboxed
from scoreproof.documents.source import open_source
from scoreproof.documents.table import Tables
from scoreproof.errors import InvalidOption, LimitExceeded, NoTable


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
