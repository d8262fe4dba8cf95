"""From a file to its text, its separator, and what a cell says where a number is wanted ("0,9", "90 %", "0.81 ± 0.02").

A text is UTF-8, UTF-16 with its mark, else Windows-1252, which is said; zero bytes and many control characters are
refused. The separator makes the most lines equally wide; where two do so, the one that the first line agrees with wins,
then tabs and semicolons over commas, since a comma may be a decimal comma.
"""

from __future__ import annotations

import csv
import io
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from scoreproof.errors import UnreadableInput
from scoreproof.files import read_file, shown_path
from scoreproof.limits import current, exceeded

MISSING = frozenset(
    {"", "na", "n/a", "nan", "none", "null", "-", "–", "—", "−", "?", "nr", "n.r.", "n.a.", "not reported", "..."}
)
_NUMBER = re.compile(
    r"([+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?|[+-]?inf)\s*(%?)"
    r"(\s*(?:±|\+/-|\+-|\$?\\pm\$?)\s*[\d.,]+\s*%?|\s*\(\s*[\d.,]+\s*%?\s*\))?",
    re.IGNORECASE,
)
_COMMA, _POINT = re.compile(r"[+-]?\d*,\d"), re.compile(r"[+-]?\d*\.\d")


def number(cell: str) -> float | None:
    """A percentage as a fraction, what stands before a ±; None where there is no number.

    >>> number("81 %"), number("0,5"), number("0.81 ± 0.02"), number("A")
    (0.81, 0.5, 0.81, None)
    """
    match = _matched(cell)
    if match is None:
        return None
    value = float(match[1].replace(",", "."))
    return value / 100 if match[2] else value


def has_spread(cell: str) -> bool:
    """Whether a ± or a bracket follows the number."""
    match = _matched(cell)
    return match is not None and bool(match[3])


def is_missing(cell: str) -> bool:
    return cell.lower() in MISSING


def decimal_commas(cells: Iterable[str]) -> bool:
    """Whether numbers have decimal commas: some have, and none has a point.

    >>> decimal_commas(["A", "0,91 ± 0,02"]), decimal_commas(["0,91", "0.92"]), decimal_commas(["12"])
    (True, False, False)
    """
    numbers = [cell for cell in cells if _matched(cell) is not None]
    return any(map(_COMMA.match, numbers)) and not any(map(_POINT.match, numbers))


def _matched(cell: str) -> re.Match[str] | None:
    return _NUMBER.fullmatch(cell.strip().replace("−", "-"))


_FORMULA = tuple("=+-@\t\r\n|%＝＋－＠")  # some spreadsheets take the wide signs for the narrow ones
_PLAIN = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*%?(?:\s*±\s*\d*\.?\d+\s*%?)?")


def harmless(cell: Any) -> str:
    """A cell that no spreadsheet runs.

    >>> harmless("=cmd|' /C calc'!A0"), harmless("-0.12"), harmless(None), harmless("-1+1")
    ("'=cmd|' /C calc'!A0", '-0.12', '', "'-1+1")
    """
    text = "" if cell is None else str(cell)
    return f"'{text}" if text.startswith(_FORMULA) and not _PLAIN.fullmatch(text) else text


def spreadsheet_lines(rows: Iterable[Iterable[Any]]) -> str:
    r"""The rows as CSV.

    >>> spreadsheet_lines([["paper", "row"], ["a, b", "@SUM(1)"]])
    'paper,row\r\n"a, b",\'@SUM(1)\r\n'
    """
    lines = io.StringIO(newline="")
    csv.writer(lines).writerows(map(harmless, row) for row in rows)
    return lines.getvalue()


_SEPARATORS = ("\t", ";", "|", ",")
_FIRST = 40_000  # characters that show the separator
_TOLD = re.compile(r"sep=(.)\n")
_DECIMAL_COMMA = re.compile(r'"?[+-]?\d*,\d+ *%?"?')
_CLOSE = 0.05  # of the lines


def separator_of(text: str) -> str:
    r"""A tab, semicolon, bar or comma; a blank for white space.

    >>> separator_of("Method;Acc\nA;0,91\nB;0,93\n"), separator_of("score\n0,91\n0,93\n"), separator_of("a b\n1  2\n")
    (';', '\t', ' ')
    """
    told = _TOLD.match(text)
    if told is not None:
        return told[1]
    sample = text if len(text) <= _FIRST else text[: max(text.find("\n"), text.rfind("\n", 0, _FIRST)) + 1]
    present = [mark for mark in _SEPARATORS if mark in sample]
    lines = [line.strip() for line in sample.split("\n") if line.strip()]
    if not present:
        return " " if _equally_many_words(lines) else ","
    if present == [","] and _one_column(lines):
        return "\t"
    return present[0] if len(present) == 1 else _widest(sample, present)


def without_told_separator(text: str) -> str:
    """The text with the line in which spreadsheets tell the separator left blank."""
    return _TOLD.sub("\n", text, count=1) if _TOLD.match(text) else text


def _widest(sample: str, present: list[str]) -> str:
    shares: dict[str, tuple[float, bool]] = {}
    for mark in present:
        try:
            rows = csv.reader(io.StringIO(sample), delimiter=mark, skipinitialspace=True)
            widths = [len(cells) for cells in rows if any(cells)]
        except csv.Error:
            continue
        wide = Counter(width for width in widths if width > 1).most_common(1)
        if wide:
            shares[mark] = wide[0][1] / len(widths), widths[0] == wide[0][0]
    best = max((share for share, _ in shares.values()), default=0.0)
    close = [mark for mark, (share, _) in shares.items() if share >= best - _CLOSE]
    return next((mark for mark in close if shares[mark][1]), close[0] if close else ",")


def _one_column(lines: list[str]) -> bool:
    """Whether all commas are decimal commas of one column of numbers."""
    first, *rest = lines
    return ("," not in first or _DECIMAL_COMMA.fullmatch(first) is not None) and all(
        _DECIMAL_COMMA.fullmatch(line) for line in rest or [first]
    )


def _equally_many_words(lines: list[str]) -> bool:
    counts = {len(line.split()) for line in lines}
    return len(lines) > 1 and len(counts) == 1 and counts != {1} and '"' not in "".join(lines)


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
