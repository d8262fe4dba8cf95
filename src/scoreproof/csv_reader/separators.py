"""Which character separates the cells: the one that makes the most lines equally wide.

Where two do so, the one that the first line agrees with wins, then tabs and semicolons over commas, since a comma
may be a decimal comma. Without any of them, lines of equally many words are separated by white space.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter

_SEPARATORS = ("\t", ";", "|", ",")
_SAMPLE = 40_000  # characters that show the separator
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
    sample = text if len(text) <= _SAMPLE else text[: max(text.find("\n"), text.rfind("\n", 0, _SAMPLE)) + 1]
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
