"""Delimited text, the one reader behind every command: bytes to text, the separator, lines of cells, columns.

A table of a million plain numbers is read in a fraction of a second; whatever else people bring (semicolons and decimal
commas, tabs, UTF-16, quoted line breaks, a first line "sep=;") is read by the same rules everywhere, and what cannot be
read is refused with its line. Columns of numbers, in ``scoreproof.csv_reader.columns``, need numpy; the rest does not.
"""

from scoreproof.csv_reader.content import MISSING, Content, decode, number, read_content, separator_of
from scoreproof.csv_reader.rows import Line, Rows, each_line, read_rows, rows_of

__all__ = [
    "MISSING",
    "Content",
    "Line",
    "Rows",
    "decode",
    "each_line",
    "number",
    "read_content",
    "read_rows",
    "rows_of",
    "separator_of",
]
