"""Every format of documents, once: its name, its reader, its suffixes, the extra it needs, how its text is told.

A reader is a module of ``documents.readers`` with ``read(source) -> Contents``: the tables of a document, what it could
not read, and its paragraphs. A paragraph is a text beside the tables with the place it stands in; captions are among
them, since papers often give the size of a test set there. What is too long to be prose is left out. Formats that
other people's libraries parse are read in a process of their own (``sandboxed``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from scoreproof.documents.grid import check_text
from scoreproof.documents.table import Position, Table
from scoreproof.errors import UnreadableInput
from scoreproof.limits import current, require_within

if TYPE_CHECKING:
    from scoreproof.documents.source import Source

MOST_TEXT = 2_000_000  # characters of a document that are looked through for paragraphs
_LONGEST = 20_000  # characters of a paragraph; what is longer is data
_MOST = 50_000  # paragraphs

Paragraph = tuple[str, str]  # the text, and where it stands


@dataclass(slots=True)
class Contents:
    """What a reader gets out of a document: tables, problems, and paragraphs in order, made when they are asked for."""

    source: Source
    tables: list[Table] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    paragraphs: Iterable[Paragraph] = ()

    def add(
        self,
        grid: Table,
        *,
        caption: str = "",
        notes: Iterable[str] = (),
        kind: str = "",
        line: int | None = None,
        page: int | None = None,
        sheet: str | None = None,
    ) -> None:
        """One more table, and where it stands; ``kind`` where its format is not that of the document."""
        check_text(caption)
        position = Position(len(self.tables), line, page, sheet)
        name, kind = self.source.name, kind or self.source.format
        table = replace(grid, caption=caption, position=position, source=name, format=kind, notes=tuple(notes))
        self.tables.append(table)
        require_within("tables", len(self.tables), name or "the text", least=True)

    @contextmanager
    def noting(self, place: str) -> Iterator[None]:
        """What cannot be read at a place is a problem, and the rest is read; too many tables end the reading."""
        try:
            yield
        except (UnreadableInput, RecursionError) as error:
            if len(self.tables) > current().tables:
                raise
            deep = isinstance(error, RecursionError)
            self.problems.append(f"{place}: {'the table nests deeper than it can be read' if deep else error}")


def looked_through(text: str) -> str:
    """As much of a text as is looked through, to the end of a line: no number is cut."""
    return text if len(text) <= MOST_TEXT else text[:MOST_TEXT].rpartition("\n")[0]


def prose(paragraphs: Iterable[Paragraph]) -> list[Paragraph]:
    """The paragraphs that are prose, as far as a document is looked through.

    >>> prose([("We used 12 images.", "section 'Data'"), ("", "section 'Data'")])
    [('We used 12 images.', "section 'Data'")]
    """
    kept: list[Paragraph] = []
    length = 0
    for text, place in paragraphs:
        if text and len(text) <= _LONGEST:
            kept.append((text, place))
            length += len(text)
        if length > MOST_TEXT or len(kept) >= _MOST:
            break
    return kept


@dataclass(frozen=True, slots=True)
class Format:
    """One format; ``extra`` is a module that must be there, the extra that installs it, and what it is for."""

    name: str
    reader: str
    suffixes: tuple[str, ...] = ()
    sandboxed: bool = False
    binary: bool = False
    extra: tuple[str, str, str] | None = None
    sniff: Callable[[str], bool] | None = None


_RESULTS = re.compile(
    r'"n-samples"|"[\w@]{1,60},[\w-]{1,60}"\s*:|"\w{2,60}_stderr"\s*:|"pass@[0-9]{1,4}"\s*:|"sum_squared"\s*:'
)
_SPECIFICATION = re.compile(r'"(?:tables|datasets|experiments)"\s*:')
LOOKED_AT = 200_000  # bytes of a file that tell what it is


def is_results(text: str) -> bool:
    """Whether a text is a results file of an evaluation harness, as far as its beginning tells.

    >>> is_results('{"results": {"arc_easy": {"acc,none": 0.5}}}'), is_results('{"tables": []}')
    (True, False)
    """
    begin = text[:LOOKED_AT]
    return begin.lstrip()[:1] in ("{", "[") and bool(_RESULTS.search(begin)) and not _SPECIFICATION.search(begin)


FORMATS = {
    known.name: known
    for known in (
        Format("csv", "plain_text", (".csv",)),
        Format("tsv", "plain_text", (".tsv", ".tab")),
        Format("markdown", "markdown", (".md", ".markdown")),
        Format("html", "hypertext", (".html", ".htm", ".xhtml"), sandboxed=True),
        Format("latex", "latex", (".tex", ".ltx", ".latex"), sandboxed=True),
        Format("excel", "sheets", (".xlsx", ".xlsm"), True, True, ("openpyxl", "office", "Excel files")),
        Format("ods", "sheets", (".ods",), sandboxed=True, binary=True),
        Format("word", "word", (".docx",), True, True, ("docx", "office", "Word files")),
        Format("pdf", "pdf", (".pdf",), True, True, ("pypdfium2", "pdf", "PDF files")),
        Format("text", "plain_text"),
        Format("model-index", "records", (".yaml", ".yml")),
        Format("classification-report", "printed_scores"),
        Format("notebook", "notebook", (".ipynb",), sandboxed=True),
        Format("results", "records", (".json",), sniff=is_results),
        Format("parquet", "records", (".parquet", ".pq"), True, True, ("pyarrow", "batch", "Parquet files")),
    )
}


def of_suffix(suffix: str) -> Format | None:
    """The format of files that are named so."""
    return next((known for known in FORMATS.values() if suffix.lower() in known.suffixes), None)
