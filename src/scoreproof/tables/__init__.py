"""Getting a table of scores out of a document, and saying what its cells mean."""

from scoreproof.tables.meaning.averages import AverageCheck
from scoreproof.tables.meaning.cells import Kind, ReadCell, read_cell
from scoreproof.tables.meaning.class_report import ClassReport, ClassRow
from scoreproof.tables.meaning.counts import Counts
from scoreproof.tables.meaning.folds import FoldBlock
from scoreproof.tables.meaning.headings import Heading, Role, read_heading
from scoreproof.tables.meaning.interpret import interpret
from scoreproof.tables.meaning.interpretation import Column, Interpretation, Unread
from scoreproof.tables.meaning.report import Report, Value
from scoreproof.tables.meaning.rows import Row, RowKind
from scoreproof.tables.meaning.scale import Scale
from scoreproof.tables.read import read_tables
from scoreproof.tables.table import Position, Span, Table, Tables

__all__ = [
    "AverageCheck",
    "ClassReport",
    "ClassRow",
    "Column",
    "Counts",
    "FoldBlock",
    "Heading",
    "Interpretation",
    "Kind",
    "Position",
    "ReadCell",
    "Report",
    "Role",
    "Row",
    "RowKind",
    "Scale",
    "Span",
    "Table",
    "Tables",
    "Unread",
    "Value",
    "interpret",
    "read_cell",
    "read_heading",
    "read_tables",
]
