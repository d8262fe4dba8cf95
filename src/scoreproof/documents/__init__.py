"""Getting the tables out of a document: readers of formats, and the grid of cells they give."""

from scoreproof.documents.read import read_tables
from scoreproof.documents.table import Position, Span, Table, Tables

__all__ = ["Position", "Span", "Table", "Tables", "read_tables"]
