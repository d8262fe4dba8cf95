"""Auditing a whole paper: a specification, many checks, one result."""

from scoreproof.audit.result import AuditResult, CellText, ClaimResult, Outcome, ReadingVerdict, RowResult, TableResult

__all__ = ["AuditResult", "CellText", "ClaimResult", "Outcome", "ReadingVerdict", "RowResult", "TableResult"]
