"""Findings: what is wrong, or asked, about printed numbers, as a value that every surface shows with the same card.

A finding says where, what in one sentence with the numbers, what could have been printed instead, the nearest repair,
on what it rests, and the question for the authors; it carries the answer with its certificate. ``of_answer`` makes the
findings of one check, ``of_audit`` those of a paper, ``of_recheck`` those of a claim of significance. Nothing here
decides anything or asks an engine. Names are loaded when they are used: a check needs nothing of papers.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scoreproof.findings.audits import of_audit, of_recheck
    from scoreproof.findings.finding import Finding, Ground, Where, of_answer
    from scoreproof.findings.picture import Picture

_MODULES = {
    "Finding": "finding",
    "Ground": "finding",
    "Picture": "picture",
    "Where": "finding",
    "of_answer": "finding",
    "of_audit": "audits",
    "of_recheck": "audits",
}
__all__ = ["Finding", "Ground", "Picture", "Where", "of_answer", "of_audit", "of_recheck"]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
