"""From a file to its text: UTF-8 with or without its mark, UTF-16 with its mark, else Windows-1252, which is said.

Whatever holds zero bytes or many control characters is no text and is refused, before anybody looks for a table in it.
"""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass

from scoreproof.errors import UnreadableInput
from scoreproof.files import read_file, shown_path
from scoreproof.limits import current, exceeded

_SAMPLE = 100_000  # characters that show whether it is text
_ODD = re.compile("[\x00-\x08\x0e-\x1f\ufffd]")
_OTHER_FILES = (b"PK\x03\x04", b"%PDF-")
_OLD = "read as Windows-1252, since it is no UTF-8: letters with accents may be wrong"


@dataclass(frozen=True, slots=True)
class Content:
    """The text of a file, its lines ended by line feeds alone; ``source`` names it in messages."""

    source: str
    text: str
    notes: tuple[str, ...] = ()


def read_content(path: str | os.PathLike[str]) -> Content:
    """The text of a file; ``-`` is standard input."""
    if str(path) != "-":
        return decode(shown_path(path), read_file(path, limit="data_megabytes"))
    source, most = "standard input", current().data_megabytes * 2**20
    try:
        data = sys.stdin.buffer.read(most + 1)
    except (OSError, ValueError) as error:
        raise UnreadableInput(f"{source}: cannot be read ({getattr(error, 'strerror', None) or error})") from None
    if len(data) > most:
        raise exceeded("data_megabytes", None, source)
    return decode(source, data)


def decode(source: str, data: bytes) -> Content:
    """The text that bytes stand for.

    >>> decode("a.csv", "café".encode("utf-16")).text, decode("a.csv", "café".encode("latin-1")).notes[0][:29]
    ('café', 'a.csv was read as Windows-125')
    """
    notes: tuple[str, ...] = ()
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            text = data.decode("utf-16")
        except UnicodeDecodeError:
            raise UnreadableInput(f"{source}: expected text, got bytes that are no UTF-16") from None
    elif b"\x00" in data or data.startswith(_OTHER_FILES):
        raise _binary(source, data)
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("cp1252", errors="replace")
            notes = (f"{source} was {_OLD}",)
    sample = text[:_SAMPLE]
    if len(_ODD.findall(sample)) > 0.02 * len(sample):
        raise _binary(source, data)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text or text.isspace():
        raise UnreadableInput(f"{source}: expected text, got {'a blank' if data else 'an empty'} file")
    return Content(source, text, notes)


def _binary(source: str, data: bytes) -> UnreadableInput:
    advice = "; save the table as CSV" if data.startswith(_OTHER_FILES) else ""
    return UnreadableInput(f"{source}: expected text, got binary data{advice}")
