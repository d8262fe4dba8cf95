"""Every format of documents, once: its name, its reader, its suffixes, the extra it needs, how its text is told.

A reader is a module of ``documents.readers`` with ``read(source) -> Contents``. Formats that other people's libraries
parse are read in a process of their own (``sandboxed``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


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


FORMATS = {
    known.name: known
    for known in (
        Format("csv", "delimited", (".csv",)),
        Format("tsv", "delimited", (".tsv", ".tab")),
        Format("markdown", "markdown", (".md", ".markdown")),
        Format("html", "hypertext", (".html", ".htm", ".xhtml"), sandboxed=True),
        Format("latex", "latex", (".tex", ".ltx", ".latex"), sandboxed=True),
        Format("excel", "excel", (".xlsx", ".xlsm"), True, True, ("openpyxl", "office", "Excel files")),
        Format("ods", "ods", (".ods",), sandboxed=True, binary=True),
        Format("word", "word", (".docx",), True, True, ("docx", "office", "Word files")),
        Format("pdf", "pdf", (".pdf",), True, True, ("pypdfium2", "pdf", "PDF files")),
        Format("text", "pasted"),
        Format("model-index", "model_index", (".yaml", ".yml")),
        Format("classification-report", "sklearn_report"),
        Format("notebook", "notebook", (".ipynb",), sandboxed=True),
    )
}


def of_suffix(suffix: str) -> Format | None:
    """The format of files that are named so."""
    return next((known for known in FORMATS.values() if suffix.lower() in known.suffixes), None)
