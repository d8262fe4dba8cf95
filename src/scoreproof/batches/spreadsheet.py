"""The rows of a batch as one CSV file, for people with a spreadsheet: verdicts without certificates.

A spreadsheet runs what begins like a formula, and the cells come from strangers: such a cell gets an apostrophe in
front, unless it is a number.
"""

from __future__ import annotations

import csv
import io
import os
import re
import tempfile
from pathlib import Path
from typing import Any

from scoreproof.batches.result import BatchResult

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*%?(?:\s*±\s*\d*\.?\d+\s*%?)?")


def harmless(cell: Any) -> str:
    """A cell that no spreadsheet runs.

    >>> harmless("=cmd|' /C calc'!A0"), harmless("-0.12"), harmless(None), harmless("-1+1")
    ("'=cmd|' /C calc'!A0", '-0.12', '', "'-1+1")
    """
    text = "" if cell is None else str(cell)
    return f"'{text}" if text.startswith(_FORMULA) and not _NUMBER.fullmatch(text) else text


def write_csv(result: BatchResult, path: Path) -> None:
    """All rows, part by part; the file is as it was or complete."""
    left_out = f"{result.prefix}certificate"
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:50]}.", dir=path.resolve().parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            for number, table in enumerate(result.parts()):
                table = table.drop_columns([left_out])
                lines = io.StringIO(newline="")
                writer = csv.writer(lines)
                if number == 0:
                    writer.writerow(map(harmless, table.column_names))
                columns = [map(harmless, column.to_pylist()) for column in table.columns]
                writer.writerows(zip(*columns, strict=True))
                file.write(lines.getvalue())
        Path(name).chmod(0o644)
        Path(name).replace(path.resolve())
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
