"""Tables of Jupyter notebooks: data frames and other HTML in outputs, printed reports, Markdown cells.

Code is not read: what counts is what it printed. Of an output in several formats HTML is taken before Markdown, and
Markdown before text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from scoreproof.documents.formats import Contents, Paragraph, Source, prose, sniff_text
from scoreproof.documents.readers import hypertext, markdown, plain_text
from scoreproof.errors import LimitExceeded, UnreadableInput
from scoreproof.files import read_json

_READERS = {
    "html": hypertext.read,
    "markdown": markdown.read,
    "text": plain_text.read,
    "classification-report": plain_text.read,
}
_STEERING = re.compile(r"\x1b\[[0-9;]*m")  # colours of a terminal


def read(source: Source) -> Contents:
    """Every table that the outputs and the text of a notebook show."""
    document = read_json(source.name or "text", source.text)
    cells = document.get("cells") if isinstance(document, dict) else None
    if not isinstance(cells, list):
        raise UnreadableInput(f"{source.name or 'text'}: expected a notebook with a list of cells, found none")
    paragraphs: list[Paragraph] = []
    contents = Contents(source, paragraphs=paragraphs)
    for number, cell in enumerate(cells, 1):
        for kind, text in _shown(cell) if isinstance(cell, dict) else ():
            try:
                inside = _READERS[kind](Source(source.name, kind, text=text))
            except LimitExceeded:
                raise
            except UnreadableInput as error:
                contents.problems.append(f"cell {number}: {error}")
                continue
            for table in inside.tables:
                contents.add(table, caption=table.caption, notes=table.notes)
            if kind != "text":  # what a text has of prose is what a program printed
                contents.problems += [f"cell {number}: {problem}" for problem in inside.problems]
            if cell.get("cell_type") == "markdown":
                paragraphs += [(words, place or f"cell {number}") for words, place in prose(inside.paragraphs)]
    return contents


def _shown(cell: Any) -> Iterator[tuple[str, str]]:
    """The format and the text of everything a cell shows."""
    if cell.get("cell_type") == "markdown":
        yield "markdown", _text(cell.get("source"))
    outputs = cell.get("outputs")
    for output in outputs if isinstance(outputs, list) else ():
        data = output.get("data") if isinstance(output, dict) else {}
        shown = data if isinstance(data, dict) else {"text/plain": output.get("text")}
        for kind, name in (("html", "text/html"), ("markdown", "text/markdown"), ("text", "text/plain")):
            text = _STEERING.sub("", _text(shown.get(name)))
            if text.strip():
                sniffed = sniff_text(text) if kind == "text" else kind
                if sniffed in _READERS and ("\n" in text or kind == "html"):
                    yield sniffed, text
                break


def _text(value: Any) -> str:
    """A text of a notebook, which may be a list of lines."""
    parts = value if isinstance(value, list) else [value]
    return "".join(part for part in parts if isinstance(part, str)).replace("\r\n", "\n").replace("\r", "\n")
