"""What the cells of a table mean: headings, units, rows, classes, folds."""

from scoreproof.papers.table_semantics.cells import CellKind, Counts, ReadCell, read_cell
from scoreproof.papers.table_semantics.classes import ClassReport, ClassRow
from scoreproof.papers.table_semantics.headings import Heading, Role, read_heading
from scoreproof.papers.table_semantics.interpret import interpret
from scoreproof.papers.table_semantics.interpretation import AverageCheck, Column, FoldBlock, Interpretation, Unread
from scoreproof.papers.table_semantics.orientation import Scale
from scoreproof.papers.table_semantics.rows import Report, Row, RowKind, Value

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
    "ReadCell",
    "Report",
    "Role",
    "Row",
    "RowKind",
    "Scale",
    "Unread",
    "Value",
    "interpret",
    "read_cell",
    "read_heading",
]
