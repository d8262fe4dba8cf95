"""Auditing a whole paper: a specification, many problems, one result."""

from scoreproof.audits.auditing import audit
from scoreproof.audits.collection import Collection, PaperLine
from scoreproof.audits.result import (
    Answered,
    AuditResult,
    CellText,
    ClaimResult,
    Extraction,
    Outcome,
    RowResult,
    TableCheck,
    TableResult,
)
from scoreproof.audits.specification.load import Specification, load, schema

__all__ = [
    "Answered",
    "AuditResult",
    "CellText",
    "ClaimResult",
    "Collection",
    "Extraction",
    "Outcome",
    "PaperLine",
    "RowResult",
    "Specification",
    "TableCheck",
    "TableResult",
    "audit",
    "load",
    "schema",
]
