"""Many papers audited, each a task of its own: in other processes, or on a cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from scoreproof.audits.auditing import audit
from scoreproof.audits.result import AuditResult
from scoreproof.work.pool import Call, pool_of


def audit_each(specs: Iterable[Any], *, pool: Any = 1, **options: Any) -> Iterator[AuditResult]:
    """The audits of some papers in their order; the options are those of ``audit``, each paper in one process.

    >>> paper = {"tables": [{"grid": [["Fold", "Acc"], ["Fold 1", "0.80"], ["Fold 2", "0.82"], ["Average", "0.90"]]}]}
    >>> [str(result.verdict) for result in audit_each([paper, paper], explain=False)]
    ['inconsistent', 'inconsistent']
    """
    calls: Iterator[Call[AuditResult]] = ((_audited, (spec, options)) for spec in specs)
    return pool_of(pool, "pool").results(calls)


def _audited(spec: Any, options: dict[str, Any]) -> AuditResult:
    return audit(spec, **{"jobs": 1, **options})
