"""From a path or a text to the bytes and the format, with every refusal said clearly.

A file is opened only if it is a regular file of a sensible size, and its format is taken from its first bytes where
these are telling (PDF, zip), from its name otherwise, from its text last.
"""

from __future__ import annotations

import io
import os
import re
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from scoreproof.csv_reader import decode
from scoreproof.documents.formats import FORMATS, LOOKED_AT, is_results, of_suffix
from scoreproof.documents.readers.latex_source import Inserted, whole_paper
from scoreproof.documents.readers.printed_scores import is_report
from scoreproof.errors import UnreadableInput
from scoreproof.files import read_file, shown_path
from scoreproof.limits import require_within
from scoreproof.validation import chosen

_MOST_MEMBERS = 10_000  # of a zip archive

_REFUSED = {
    ".xls": "the old Excel format is not read; save it as .xlsx or .csv",
    ".doc": "the old Word format is not read; save it as .docx",
    ".odt": "OpenDocument texts are not read; save it as .docx",
    ".rtf": "RTF is not read; save it as .docx",
    ".png": "pictures are not read; give the file the picture was made from",
    ".jpg": "pictures are not read; give the file the picture was made from",
    ".jpeg": "pictures are not read; give the file the picture was made from",
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
        return os.path.isfile(path) and is_results(_beginning(Path(path)))
    return format_by_name(suffix and f"it{suffix}") not in ("", "model-index") or suffix in (".txt", *_REFUSED)


def _beginning(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(LOOKED_AT).decode("utf-8", "replace")
    except OSError:
        return ""


def open_source(path_or_text: str | os.PathLike[str], kind: str | None = None) -> Source:
    """The content behind a path, or a text as it is.

    A ``Path`` is a path. A string is a text if it has more than one line, a path otherwise.
    """
    if kind is not None:
        chosen("kind", kind, FORMATS)
    if isinstance(path_or_text, str) and ("\n" in path_or_text or "\r" in path_or_text):
        return _from_text(path_or_text, kind)
    if not isinstance(path_or_text, (str, os.PathLike)):
        raise UnreadableInput(f"tables: expected a path or a text, got {type(path_or_text).__name__}")
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
    name = shown_path(path)
    data = read_file(path, advice=" (a pasted table needs more than one line)")
    suffix = path.suffix.lower()
    kind = wanted or _sniff_bytes(name, data) or format_by_name(path)
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


def _sniff_bytes(name: str, data: bytes) -> str | None:
    if data[:1024].lstrip().startswith(b"%PDF-"):
        return "pdf"
    if data.startswith(b"PK\x03\x04"):
        members = check_zip(name, data)
        for folder, kind in (("xl/", "excel"), ("word/", "word"), ("content.xml", "ods")):
            if any(member.startswith(folder) for member in members):
                return kind if kind != "ods" or Path(name).suffix.lower() not in _REFUSED else None
        raise UnreadableInput(f"{name}: a zip archive that is no Excel, Word or OpenDocument file; unpack it first")
    if data.startswith(_COMPOUND) and Path(name).suffix.lower() not in _REFUSED:
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
_TABULAR = re.compile(r"\\begin\s*+\{(?:(?:long|x|xl|super|mpx)?tab|(?:long|tall)?tblr|array|Nice)")


def sniff_text(text: str) -> str:
    """The format a text seems to be in; ``text`` (columns made of blanks) if nothing else fits.

    >>> sniff_text("| a | b |\\n|---|---|\\n| 1 | 2 |"), sniff_text("a,b\\n1,2\\n"), sniff_text("a  b\\n1  2\\n")
    ('markdown', 'csv', 'text')
    """
    if (told := next((known for known in FORMATS.values() if known.sniff and known.sniff(text)), None)) is not None:
        return told.name
    if _TABULAR.search(text):
        return "latex"
    if re.search(r"<(?:table|html|!doctype html)\b", text, re.IGNORECASE):
        return "html"
    if _MODEL_INDEX.search(text):
        return "model-index"
    if is_report(text):
        return "classification-report"
    if _PIPES.search(text):
        return "markdown"
    lines = [line for line in text.split("\n") if line.strip()]
    if sum("\t" in line for line in lines) >= max(2, 0.5 * len(lines)):
        return "tsv"
    for mark in ";,":
        counts = [_marks(line, mark) for line in lines]
        if len(lines) >= 2 and counts[0] >= 1 and sum(count == counts[0] for count in counts) >= 0.8 * len(lines):
            return "csv"
    return "text"


def _marks(line: str, mark: str) -> int:
    """How often a separator stands in a line; in quotes it is text."""
    if '"' not in line:
        return line.count(mark)
    return re.sub('"[^"]*"', "", line).count(mark)
