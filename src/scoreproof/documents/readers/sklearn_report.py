"""The text that scikit-learn's ``classification_report`` prints, read whole.

Class names may hold blanks, so a line is read from its right end: three scores and a support, or one score and a
support for accuracy.
"""

from __future__ import annotations

import re

from scoreproof.documents.contents import Contents
from scoreproof.documents.grid import rectangle
from scoreproof.documents.source import Source
from scoreproof.documents.table import Position, Table
from scoreproof.errors import UnreadableInput

HEADER = ("", "precision", "recall", "f1-score", "support")
_HEADER = re.compile(r"\s*+precision\s++recall\s++f1-score\s++support\s*+")
_LONGEST_LINE = 1_000  # characters
_VALUE = r"(?:\d+\.\d+|nan)"
_FULL = re.compile(rf"\s*(.*\S)\s+({_VALUE})\s+({_VALUE})\s+({_VALUE})\s+(\d[\d,.]*)\s*")
_ACCURACY = re.compile(rf"\s*(accuracy)\s+({_VALUE})\s+(\d[\d,.]*)\s*")


def read(source: Source) -> Contents:
    """Every report of a text; other lines are passed over, odd lines inside a report are a problem."""
    tables: list[Table] = []
    problems: list[str] = []
    lines = source.text.split("\n")
    number = 0
    while number < len(lines):
        if not _HEADER.fullmatch(lines[number]):
            number += 1
            continue
        start = number
        caption = lines[start - 1].strip() if start and lines[start - 1].strip() else ""
        rows: list[tuple[str, ...]] = [HEADER]
        blanks = 0
        number += 1
        while number < len(lines):
            line = lines[number]
            read = len(line) <= _LONGEST_LINE
            full, accuracy = (_FULL.fullmatch(line), _ACCURACY.fullmatch(line)) if read else (None, None)
            if accuracy:
                rows.append(("accuracy", "", "", accuracy[2], accuracy[3]))
            elif full:
                rows.append((full[1], full[2], full[3], full[4], full[5]))
            elif not line.strip():
                blanks += 1
                if blanks > 3:
                    break
            else:
                if not any("avg" in row[0] for row in rows[1:]):
                    problems.append(f"line {number + 1}: not a line of a classification report: {line.strip()[:60]!r}")
                break
            number += 1
        if len(rows) > 1:
            tables.append(
                rectangle(rows).table(
                    Position(len(tables), line=start + 1),
                    header_rows=1,
                    caption=caption,
                    source=source.name,
                    kind="classification-report",
                )
            )
    if not tables:
        raise UnreadableInput("classification report: a header 'precision recall f1-score support' without rows")
    return Contents(tables, problems)
