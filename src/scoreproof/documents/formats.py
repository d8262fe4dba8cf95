"""Every format of documents, once: its name, its reader, its suffixes, the extra it needs, and how a source is told.

A reader is a module of ``documents.readers`` with ``read(source) -> Contents``. The format of a file is taken from its
first bytes where these are telling (PDF, zip), from its name otherwise, from its text last.
"""

from __future__ import annotations

import io
import os
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from scoreproof.csv_reader import decode
from scoreproof.documents.readers.latex_source import Inserted, whole_paper
from scoreproof.documents.table import Position, Table, check_text
from scoreproof.errors import UnreadableInput
from scoreproof.files import read_file, shown_path
from scoreproof.limits import current, require_within
from scoreproof.validation import chosen

MOST_TEXT = 2_000_000  # characters of a document that are looked through for paragraphs
_LONGEST, _BESIDE = 20_000, 40  # characters of a paragraph (what is longer is data), and counted beside each

Paragraph = tuple[str, str]  # the text, and where it stands
Progress = Callable[[int, int], None]  # hears which page is read, and of how many


@dataclass(slots=True)
class Contents:
    """What a reader gets out of a document: tables, problems, and paragraphs in order, made when they are asked for."""

    source: Source
    tables: list[Table] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    paragraphs: Iterable[Paragraph] = ()
    cells: int = 0  # of all tables

    def add(self, grid: Table, *, caption: str = "", notes: Iterable[str] = (), kind: str = "", **place: Any) -> None:
        """One more table, and its place (``line``, ``page``, ``sheet``); ``kind`` if it is not that of the document."""
        check_text(caption)
        kind, name = kind or self.source.format, self.source.name
        self.cells += len(grid.rows) * grid.shape[1]
        plain = self.source.format in ("csv", "tsv")  # cells that stand there one by one
        require_within("data_cells" if plain else "cells", self.cells, name or "the text", least=True)
        told: dict[str, Any] = {"position": Position(len(self.tables), **place), "notes": tuple(notes)}
        self.tables.append(replace(grid, caption=caption, format=kind, source=name, **told))
        require_within("tables", len(self.tables), name or "the text", least=True)

    @contextmanager
    def noting(self, place: str) -> Iterator[None]:
        """What cannot be read at a place is a problem, and the rest is read; too many tables end the reading."""
        try:
            yield
        except (UnreadableInput, RecursionError) as error:
            if len(self.tables) > current().tables:
                raise
            self.problems.append(f"{place}: {'nested too deeply' if isinstance(error, RecursionError) else error}")


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
            length += len(text) + _BESIDE
        if length > MOST_TEXT:
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
    sniff: Callable[[str], object] | None = None


_RESULTS = re.compile(
    r'"n-samples"|"[\w@]{1,60},[\w-]{1,60}"\s*:|"\w{2,60}_stderr"\s*:|"pass@[0-9]{1,4}"\s*:|"sum_squared"\s*:'
)
_SPECIFICATION = re.compile(r'"(?:tables|datasets|experiments)"\s*:')
LOOKED_AT = 200_000  # bytes of a file that tell what it is


def is_results(text: str) -> bool:
    """Whether a text is a results file of an evaluation harness, as far as its beginning tells."""
    begin = text[:LOOKED_AT]
    return begin.lstrip()[:1] in ("{", "[") and bool(_RESULTS.search(begin)) and not _SPECIFICATION.search(begin)


# Blanks are matched possessively and never across lines, so that a flood of them is passed over once.
_PIPES = re.compile(
    r"^ {0,3}+(?:\|?+[^\S\n]*+:?+-++:?+[^\S\n]*+(?:\|[^\S\n]*+:?+-++:?+[^\S\n]*+)++\|?+[^\S\n]*+"
    r"|\|[^\S\n]*+:?+-++:?+[^\S\n]*+\|[^\S\n]*+)$",
    re.MULTILINE,
)
_MODEL_INDEX = re.compile(r"^[^\S\n]*+model-index[^\S\n]*+:", re.MULTILINE)
_TAGGED = re.compile(r"<(?:table|html|!doctype html)\b", re.IGNORECASE)
_TABULAR = re.compile(r"\\begin\s*+\{(?:(?:long|x|xl|super|mpx)?tab|(?:long|tall)?tblr|array|Nice)")
REPORT = re.compile(  # what a log writes before the header of a classification report, or marks, and the header
    r"^[ \t]*+(?P<before>[^\w\n]{0,20}|[^\n]{0,200}[-:>\]][ \t]{0,20})"
    r"\bprecision[ \t]++recall[ \t]++f1-score[ \t]++support[ \t]*+$",
    re.MULTILINE,
)
DICTIONARY = re.compile(r"\s*\{.{0,300}?['\"](?:precision|recall|f1-score|support)['\"]\s*:", re.DOTALL)


FORMATS = {  # in the order in which a text is asked
    known.name: known
    for known in (
        Format("results", "records", (".json",), sniff=is_results),
        Format("latex", "latex", (".tex", ".ltx", ".latex"), True, sniff=_TABULAR.search),
        Format("html", "hypertext", (".html", ".htm", ".xhtml"), True, sniff=_TAGGED.search),
        Format("model-index", "records", (".yaml", ".yml"), sniff=_MODEL_INDEX.search),
        Format("classification-report", "plain_text", sniff=lambda text: REPORT.search(text) or DICTIONARY.match(text)),
        Format("markdown", "markdown", (".md", ".markdown"), True, sniff=_PIPES.search),
        Format("csv", "plain_text", (".csv",)),
        Format("tsv", "plain_text", (".tsv", ".tab")),
        Format("text", "plain_text"),
        Format("notebook", "notebook", (".ipynb",), True),
        Format("excel", "sheets", (".xlsx", ".xlsm"), True, True, ("openpyxl", "office", "Excel files")),
        Format("ods", "sheets", (".ods",), True, True),
        Format("word", "word", (".docx",), True, True, ("docx", "office", "Word files")),
        Format("pdf", "pdf", (".pdf",), True, True, ("pypdfium2", "pdf", "PDF files")),
        Format("parquet", "records", (".parquet", ".pq"), True, True, ("pyarrow", "batch", "Parquet files")),
    )
}


def of_suffix(suffix: str) -> Format | None:
    """The format of files that are named so."""
    return next((known for known in FORMATS.values() if suffix.lower() in known.suffixes), None)


_MOST_MEMBERS = 10_000  # of a zip archive
_NOT_READ = (".xls", ".doc", ".odt", ".rtf", ".png", ".jpg", ".jpeg")
_INSTEAD = "give the file it was made from, or save it as .xlsx, .docx or .csv"
_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # how old Office files and encrypted new ones begin


@dataclass(frozen=True, slots=True)
class Source:
    """What is to be read; ``inserted`` are the places of a text that come from other files.

    Readers of many pages ``tell`` which one they are at, and leave out ``skipped_pages``, at which a reader died.
    """

    name: str
    format: str
    data: bytes = b""
    text: str = ""
    notes: Sequence[str] = ()
    inserted: Inserted = ()
    skipped_pages: Sequence[int] = ()
    tell: Progress = lambda page, pages: None


def is_document(path: str | os.PathLike[str]) -> bool:
    """Whether a path is named like a document with tables; YAML, and JSON without results, are specifications."""
    suffix = Path(path).suffix.lower() if "\n" not in str(path) else ""
    if suffix == ".json":
        with suppress(OSError), Path(path).open("rb") as file:
            return is_results(file.read(LOOKED_AT).decode("utf-8", "replace"))
        return False
    known = of_suffix(suffix)
    return suffix in (".txt", *_NOT_READ) or (known is not None and known.name != "model-index")


def open_source(path_or_text: str | os.PathLike[str], kind: str | None = None) -> Source:
    """The content behind a path, or a text as it is: a string of more than one line."""
    if kind is not None:
        chosen("kind", kind, FORMATS)
    if not isinstance(path_or_text, (str, os.PathLike)) or path_or_text == "":
        given = "nothing" if path_or_text == "" else type(path_or_text).__name__
        raise UnreadableInput(f"tables: expected a path or a text, got {given}")
    if isinstance(path_or_text, str) and not {"\n", "\r"}.isdisjoint(path_or_text):
        return _from_text(path_or_text, kind)
    return _from_file(Path(path_or_text), kind)


def _from_text(text: str, kind: str | None) -> Source:
    require_within("megabytes", len(text) >> 20, "the text")
    if "\x00" in text or (kind is not None and FORMATS[kind].binary):
        raise UnreadableInput(f"{kind or 'the text'}: expected a text, got bytes; give the path of the file instead")
    if not text.strip():
        raise UnreadableInput("the text is blank: there is no table in it")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return Source("", kind or sniff_text(text), text=text)


def _from_file(path: Path, wanted: str | None) -> Source:
    name, suffix = shown_path(path), path.suffix.lower()
    data = read_file(path, advice=" (a pasted table needs more than one line)")
    named = of_suffix(suffix)
    kind = wanted or _sniff_bytes(name, suffix, data) or (named.name if named else "")
    if kind and FORMATS[kind].binary:
        return Source(name, kind, data=data)
    if suffix in _NOT_READ and wanted is None:
        raise UnreadableInput(f"{name}: {suffix} files are not read; {_INSTEAD}")
    content = decode(name, data)
    kind = kind or sniff_text(content.text)
    if kind != "latex":
        return Source(name, kind, text=content.text, notes=content.notes)
    text, inserted, problems = whole_paper(path, content.text)
    return Source(name, kind, text=text, notes=problems, inserted=inserted)


def _sniff_bytes(name: str, suffix: str, data: bytes) -> str | None:
    if data[:1024].lstrip().startswith(b"%PDF-"):
        return "pdf"
    if data.startswith(b"PK\x03\x04"):
        members = check_zip(name, data)
        for folder, kind in (("xl/", "excel"), ("word/", "word"), ("content.xml", "ods" if suffix != ".odt" else None)):
            if any(member.startswith(folder) for member in members):
                return kind
        raise UnreadableInput(f"{name}: a zip archive that is no Excel, Word or OpenDocument file; unpack it first")
    if data.startswith(_COMPOUND) and suffix not in _NOT_READ:
        raise UnreadableInput(f"{name}: the file asks for a password, or is of the old Office format; {_INSTEAD}")
    return None


def check_zip(name: str, data: bytes) -> list[str]:
    """The names in a zip archive that is whole and unpacks to a sensible size."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise UnreadableInput(f"{name}: the file is damaged ({error})") from None
    if len(infos) > _MOST_MEMBERS:
        raise UnreadableInput(f"{name}: an archive of {len(infos):,} files is no document; at most {_MOST_MEMBERS:,}")
    require_within("unpacked_megabytes", sum(info.file_size for info in infos) >> 20, name)
    return [info.filename for info in infos]


def sniff_text(text: str) -> str:
    """The format a text seems to be in; ``text`` (columns made of blanks) if nothing else fits.

    >>> sniff_text("| a | b |\\n|---|---|\\n| 1 | 2 |"), sniff_text("a,b\\n1,2\\n"), sniff_text("a  b\\n1  2\\n")
    ('markdown', 'csv', 'text')
    """
    told = next((known.name for known in FORMATS.values() if known.sniff and known.sniff(text)), "")
    lines = [line for line in text.split("\n") if line.strip()]
    if told or sum("\t" in line for line in lines) >= max(2, 0.5 * len(lines)):
        return told or "tsv"
    for mark in ";,":  # in quotes it is text
        counts = [re.sub('"[^"]*"', "", line).count(mark) if '"' in line else line.count(mark) for line in lines]
        if len(lines) >= 2 and counts[0] >= 1 and sum(count == counts[0] for count in counts) >= 0.8 * len(lines):
            return "csv"
    return "text"
