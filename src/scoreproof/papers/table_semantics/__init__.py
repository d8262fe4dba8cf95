"""What the cells of a table mean: headings, units, rows, classes, folds."""

from scoreproof.papers.table_semantics.cells import CellKind, Counts, read_cell
from scoreproof.papers.table_semantics.classes import ClassReport
from scoreproof.papers.table_semantics.columns import Scale
from scoreproof.papers.table_semantics.headings import Heading, Role, read_heading
from scoreproof.papers.table_semantics.interpret import interpret, report_problem
from scoreproof.papers.table_semantics.interpretation import FoldBlock, Interpretation
from scoreproof.papers.table_semantics.rows import Report, RowKind, Value

__all__ = [
    "CellKind",
    "ClassReport",
    "Counts",
    "FoldBlock",
    "Heading",
    "Interpretation",
    "Report",
    "Role",
    "RowKind",
    "Scale",
    "Value",
    "interpret",
    "read_cell",
    "read_heading",
    "report_problem",
]
