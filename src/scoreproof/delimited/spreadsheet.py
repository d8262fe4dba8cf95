"""Lines of CSV for people with a spreadsheet, whatever strangers wrote into the cells.

A spreadsheet runs what begins like a formula: such a cell gets an apostrophe in front, unless it is a number.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from typing import Any

_FORMULA = tuple("=+-@\t\r\n|%＝＋－＠")  # some spreadsheets take the wide signs for the narrow ones
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*%?(?:\s*±\s*\d*\.?\d+\s*%?)?")


def harmless(cell: Any) -> str:
    """A cell that no spreadsheet runs.

    >>> harmless("=cmd|' /C calc'!A0"), harmless("-0.12"), harmless(None), harmless("-1+1")
    ("'=cmd|' /C calc'!A0", '-0.12', '', "'-1+1")
    """
    text = "" if cell is None else str(cell)
    return f"'{text}" if text.startswith(_FORMULA) and not _NUMBER.fullmatch(text) else text


def spreadsheet_lines(rows: Iterable[Iterable[Any]]) -> str:
    r"""The rows as CSV.

    >>> spreadsheet_lines([["paper", "row"], ["a, b", "@SUM(1)"]])
    'paper,row\r\n"a, b",\'@SUM(1)\r\n'
    """
    lines = io.StringIO(newline="")
    csv.writer(lines).writerows(map(harmless, row) for row in rows)
    return lines.getvalue()
