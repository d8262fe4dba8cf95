"""Getting a table of scores out of a document, and saying what its cells mean."""

from scoreproof.tables.read import read_tables
from scoreproof.tables.table import Position, Span, Table, Tables

__all__ = ["Position", "Span", "Table", "Tables", "read_tables"]
