"""Auditing a whole paper: a specification, many problems, one result."""

from scoreproof.audits.auditing import audit
from scoreproof.audits.many_papers import audit_each
from scoreproof.audits.result import (
    Answered,
    AuditResult,
    CellText,
    ClaimResult,
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
    "Outcome",
    "RowResult",
    "Specification",
    "TableCheck",
    "TableResult",
    "audit",
    "audit_each",
    "load",
    "schema",
]
