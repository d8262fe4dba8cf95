"""Getting a table of scores out of a document, and saying what its cells mean."""

from scoreproof.documents.meaning.averages import AverageCheck
from scoreproof.documents.meaning.cells import CellKind, ReadCell, read_cell
from scoreproof.documents.meaning.class_report import ClassReport, ClassRow
from scoreproof.documents.meaning.counts import Counts
from scoreproof.documents.meaning.folds import FoldBlock
from scoreproof.documents.meaning.headings import Heading, Role, read_heading
from scoreproof.documents.meaning.interpret import interpret
from scoreproof.documents.meaning.interpretation import Column, Interpretation, Unread
from scoreproof.documents.meaning.report import Report, Value
from scoreproof.documents.meaning.rows import Row, RowKind
from scoreproof.documents.meaning.scale import Scale
from scoreproof.documents.read import read_tables
from scoreproof.documents.table import Position, Span, Table, Tables

__all__ = [
    "AverageCheck",
    "CellKind",
    "ClassReport",
    "ClassRow",
    "Column",
    "Counts",
    "FoldBlock",
    "Heading",
    "Interpretation",
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
