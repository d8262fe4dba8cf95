"""Auditing a whole paper: a specification, many checks, one result.

Only the door is here, so that ``import scoreproof`` stays light; the work is in ``api`` and is loaded on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scoreproof.audits.result import (
        AuditResult,
        CellText,
        ClaimResult,
        Outcome,
        ReadingVerdict,
        RowResult,
        TableResult,
    )
    from scoreproof.audits.specification.load import Specification, load, schema

_LATER = {
    **dict.fromkeys(
        ("AuditResult", "CellText", "ClaimResult", "Outcome", "ReadingVerdict", "RowResult", "TableResult"),
        "scoreproof.audits.result",
    ),
    **dict.fromkeys(("Specification", "load", "schema"), "scoreproof.audits.specification.load"),
}


def audit(
    spec: str | Path | Mapping[str, Any] | Specification,
    *,
    jobs: int | None = None,
    budget: float = 30.0,
    seed: int = 0,
    explain: bool | str = "auto",
    strength: bool | str = "auto",
    progress: Callable[[int, int, str], None] | None = None,
    resume: str | Path | None = None,
) -> AuditResult:
    """Audit the tables of a paper.

    ``spec`` is the path of a specification, its text, a mapping, or a loaded ``Specification``. Each row is decided
    under every reading of its experiment within ``budget`` seconds; rows with folds are spread over ``jobs`` processes.
    ``explain`` and ``strength`` say whether to ask why rows do not fit and how strong the test was (``"auto"``: for the
    first rows of a long paper). ``progress`` is called with the rows done, the rows in all and the last row's label.
    ``resume`` names a journal from which an interrupted run goes on. Ctrl-C ends the run with what is done, and
    ``interrupted`` says so.

    >>> result = audit({
    ...     "title": "An example",
    ...     "datasets": {"cases": {"p": 1000, "n": 6000}},
    ...     "experiments": {"test": {"dataset": "cases"}},
    ...     "tables": [{"experiment": "test", "grid": [
    ...         ["Method", "Acc", "NPV", "F1"],
    ...         ["A", "0.6801", "0.9401", "0.4004"],
    ...         ["B", "0.6821", "0.9401", "0.4004"],
    ...     ]}],
    ... }, explain=False, strength=False)
    >>> print(result)
    An example: 1 row inconsistent, 1 row consistent
    >>> [(row.label, str(row.outcome)) for row in result.rows()]
    [('A', 'inconsistent'), ('B', 'consistent')]
    """
    from scoreproof.audits.api import run_audit

    return run_audit(
        spec,
        jobs=jobs,
        budget=budget,
        seed=seed,
        explain=explain,
        strength=strength,
        progress=progress,
        resume=resume,
    )


def __getattr__(name: str) -> Any:
    if name in _LATER:
        import importlib

        return getattr(importlib.import_module(_LATER[name]), name)
    raise AttributeError(f"module 'scoreproof.audits' has no attribute {name!r}")


__all__ = [
    "AuditResult",
    "CellText",
    "ClaimResult",
    "Outcome",
    "ReadingVerdict",
    "RowResult",
    "Specification",
    "TableResult",
    "audit",
    "load",
    "schema",
]
