"""What a cell says where a number is wanted ("0.9", "0,9", "90 %", "0.81 ± 0.02"), and cells that no spreadsheet runs.

A spreadsheet runs what begins like a formula: such a cell gets an apostrophe in front, unless it is a number.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from typing import Any

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
    match = _NUMBER.fullmatch(cell.strip().replace("−", "-"))
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
