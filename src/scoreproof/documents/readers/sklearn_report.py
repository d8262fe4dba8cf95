"""Classification reports as scikit-learn prints them, or gives them as a dictionary, as tables."""

from __future__ import annotations

from scoreproof.documents.contents import Contents
from scoreproof.documents.grid import rectangle
from scoreproof.documents.report_lines import average_of, report_rows
from scoreproof.documents.source import Source
from scoreproof.documents.table import Position, Table
from scoreproof.errors import UnreadableInput

HEADER = ("", "precision", "recall", "f1-score", "support")


def read(source: Source) -> Contents:
    """Every report of a text, one at least."""
    contents = tables_of(source)
    if not contents.tables:
        raise UnreadableInput("classification report: a header 'precision recall f1-score support' without rows")
    return contents


def tables_of(source: Source) -> Contents:
    """The reports of a text; other lines are passed over, odd lines inside a report are a problem."""
    tables: list[Table] = []
    problems: list[str] = []
    for report in report_rows(source.text):
        if report.odd is not None and not any(average_of(row.label) for row in report.rows):
            number, line = report.odd
            problems.append(f"line {number}: not a line of a classification report: {line[:60]!r}")
        if report.rows:
            tables.append(
                rectangle([HEADER, *((row.label, *row.scores, row.support) for row in report.rows)]).table(
                    Position(len(tables), line=report.line),
                    header_rows=1,
                    caption=report.caption,
                    source=source.name,
                    kind="classification-report",
                )
            )
    return Contents(tables, problems)
