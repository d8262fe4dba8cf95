"""Every format of documents, once: its name, its reader, its suffixes, the extra it needs, and how a source is told.

A reader is a module of ``documents.readers`` with ``read(source) -> Contents``: the tables of a document, what it could
not read, and its paragraphs with their places, captions among them. Formats that other people's libraries parse are
read in a process of their own (``sandboxed``).

A source is a path or a text. A file is opened only if it is a regular file of a sensible size; its format is taken from
its first bytes where these are telling (PDF, zip), from its name otherwise, from its text last.
"""

from __future__ import annotations

import io
import os
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
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

    def add(self, grid: Table, *, caption: str = "", notes: Iterable[str] = (), kind: str = "", **place: Any) -> None:
        """One more table, and its place (``line``, ``page``, ``sheet``); ``kind`` if it is not that of the document."""
        check_text(caption)
        position = Position(len(self.tables), **place)
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
        Format("markdown", "markdown", (".md", ".markdown"), sandboxed=True),
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


_MOST_MEMBERS = 10_000  # of a zip archive

_REFUSED = {
    ".xls": "the old Excel format is not read; save it as .xlsx or .csv",
    ".doc": "the old Word format is not read; save it as .docx",
    ".odt": "OpenDocument texts are not read; save it as .docx",
    ".rtf": "RTF is not read; save it as .docx",
    **dict.fromkeys((".png", ".jpg", ".jpeg"), "pictures are not read; give the file the picture was made from"),
}
_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # how old Office files and encrypted new ones begin


@dataclass(frozen=True, slots=True)
class Source:
    """What is to be read: its name for messages, its format, and its content.

    ``inserted`` are the places of a text that come from other files. Readers of many pages ``tell`` which one they are
    at, and of how many, and leave out ``skipped_pages``, at which a reader died before.
    """

    name: str
    format: str
    data: bytes = b""
    text: str = ""
    notes: Sequence[str] = ()
    inserted: Inserted = ()
    skipped_pages: Sequence[int] = ()
    tell: Callable[[int, int], None] = lambda page, pages: None


def format_by_name(path: str | os.PathLike[str]) -> str:
    """The format that the name of a file tells; empty if it tells none."""
    known = of_suffix(Path(path).suffix)
    return "" if known is None else known.name


def is_document(path: str | os.PathLike[str]) -> bool:
    """Whether a path is named like a document with tables; YAML, and JSON without results, are specifications."""
    suffix = Path(path).suffix.lower() if "\n" not in str(path) else ""
    if suffix == ".json":
        try:
            with Path(path).open("rb") as file:
                return is_results(file.read(LOOKED_AT).decode("utf-8", "replace"))
        except OSError:
            return False
    known = of_suffix(suffix) if suffix else None
    return suffix in (".txt", *_REFUSED) or (known is not None and known.name != "model-index")


def open_source(path_or_text: str | os.PathLike[str], kind: str | None = None) -> Source:
    """The content behind a path, or a text as it is.

    A ``Path`` is a path. A string is a text if it has more than one line, a path otherwise.
    """
    if kind is not None:
        chosen("kind", kind, FORMATS)
    if not isinstance(path_or_text, (str, os.PathLike)):
        raise UnreadableInput(f"tables: expected a path or a text, got {type(path_or_text).__name__}")
    if isinstance(path_or_text, str) and not {"\n", "\r"}.isdisjoint(path_or_text):
        return _from_text(path_or_text, kind)
    if isinstance(path_or_text, str) and not path_or_text.strip():
        raise UnreadableInput("tables: expected a path or a text, got nothing")
    return _from_file(Path(path_or_text), kind)


def _from_text(text: str, kind: str | None) -> Source:
    if kind is not None and FORMATS[kind].binary:
        raise UnreadableInput(f"kind={kind!r} needs a file, got a text")
    require_within("megabytes", len(text) >> 20, "the text")
    if "\x00" in text:
        raise UnreadableInput("the text holds zero bytes: it is no text; give the path of the file instead")
    if not text.strip():
        raise UnreadableInput("the text is blank: there is no table in it")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return Source("", kind or sniff_text(text), text=text)


def _from_file(path: Path, wanted: str | None) -> Source:
    name, suffix = shown_path(path), path.suffix.lower()
    data = read_file(path, advice=" (a pasted table needs more than one line)")
    kind = wanted or _sniff_bytes(name, suffix, data) or format_by_name(path)
    if kind and FORMATS[kind].binary:
        return Source(name, kind, data=data)
    if suffix in _REFUSED and wanted is None:
        raise UnreadableInput(f"{name}: {_REFUSED[suffix]}")
    content = decode(name, data)
    kind = kind or sniff_text(content.text)
    if kind == "latex":
        paper = whole_paper(path, content.text)
        return Source(name, kind, text=paper.text, notes=paper.problems, inserted=paper.inserted)
    return Source(name, kind, text=content.text, notes=content.notes)


def _sniff_bytes(name: str, suffix: str, data: bytes) -> str | None:
    if data[:1024].lstrip().startswith(b"%PDF-"):
        return "pdf"
    if data.startswith(b"PK\x03\x04"):
        members = check_zip(name, data)
        for folder, kind in (("xl/", "excel"), ("word/", "word"), ("content.xml", "ods")):
            if any(member.startswith(folder) for member in members):
                return kind if kind != "ods" or suffix not in _REFUSED else None
        raise UnreadableInput(f"{name}: a zip archive that is no Excel, Word or OpenDocument file; unpack it first")
    if data.startswith(_COMPOUND) and suffix not in _REFUSED:
        raise UnreadableInput(
            f"{name}: the file asks for a password, or is of the old Office format; save it as .xlsx, .docx or .csv "
            "without a password"
        )
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


# Blanks are matched possessively and never across lines, so that a flood of them is passed over once.
_PIPES = re.compile(
    r"^ {0,3}+(?:\|?+[^\S\n]*+:?+-++:?+[^\S\n]*+(?:\|[^\S\n]*+:?+-++:?+[^\S\n]*+)++\|?+[^\S\n]*+"
    r"|\|[^\S\n]*+:?+-++:?+[^\S\n]*+\|[^\S\n]*+)$",
    re.MULTILINE,
)
_MODEL_INDEX = re.compile(r"^[^\S\n]*+(?:-[^\S\n]*+)?model-index[^\S\n]*+:", re.MULTILINE)
_TAGGED = re.compile(r"<(?:table|html|!doctype html)\b", re.IGNORECASE)
_TABULAR = re.compile(r"\\begin\s*+\{(?:(?:long|x|xl|super|mpx)?tab|(?:long|tall)?tblr|array|Nice)")


def sniff_text(text: str) -> str:
    """The format a text seems to be in; ``text`` (columns made of blanks) if nothing else fits.

    >>> sniff_text("| a | b |\\n|---|---|\\n| 1 | 2 |"), sniff_text("a,b\\n1,2\\n"), sniff_text("a  b\\n1  2\\n")
    ('markdown', 'csv', 'text')
    """
    from scoreproof.documents.readers.printed_scores import is_report

    tests: tuple[tuple[str, Callable[[str], object]], ...] = (
        *((known.name, known.sniff) for known in FORMATS.values() if known.sniff),
        ("latex", _TABULAR.search),
        ("html", _TAGGED.search),
        ("model-index", _MODEL_INDEX.search),
        ("classification-report", is_report),
        ("markdown", _PIPES.search),
    )
    if (told := next((name for name, test in tests if test(text)), "")) != "":
        return told
    lines = [line for line in text.split("\n") if line.strip()]
    if sum("\t" in line for line in lines) >= max(2, 0.5 * len(lines)):
        return "tsv"
    for mark in ";,":  # in quotes it is text
        counts = [re.sub('"[^"]*"', "", line).count(mark) if '"' in line else line.count(mark) for line in lines]
        if len(lines) >= 2 and counts[0] >= 1 and sum(count == counts[0] for count in counts) >= 0.8 * len(lines):
            return "csv"
    return "text"
