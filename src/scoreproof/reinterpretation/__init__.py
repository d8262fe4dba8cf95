"""Re-read what was concluded: other scores, baselines, test sets, ranks and costs.

This module is light: what does the work is imported when ``reinterpret`` is called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scoreproof.reinterpretation.class_costs import cheapest, class_cost
    from scoreproof.reinterpretation.result import Finding, Reading, Reinterpretation

__all__ = ["Finding", "Reading", "Reinterpretation", "cheapest", "class_cost", "reinterpret"]


def reinterpret(
    table: Any,
    *,
    p: int | None = None,
    n: int | None = None,
    total: Any = None,
    prevalence: Any = None,
    claim: Any = None,
    cost_ratio: Any = None,
    costs: Any = None,
    cost_budget: Any = None,
    rounding: Any = None,
    eps: Any = None,
    decimal_comma: bool = False,
    tightness: float = 1e-4,
    budget: float = 30.0,
) -> Reinterpretation:
    """Re-read a table of methods: other scores, one test set or several, chance, ranks and costs, all guaranteed.

    ``table`` is a CSV file, a mapping from method names to scores (or a ``ConfusionMatrix``), or a list of rows with a
    name. ``p`` and ``n``, ``total`` or ``prevalence`` hold for every row that does not bring its own. ``claim`` is a
    conclusion to test, ("MFCC", "f1") for "MFCC is best by F1"; ``cost_ratio`` is C_FN / C_FP;
    ``costs`` prices the four cells instead, {"fn": 10, "fp": 1, "tp": 0.5}, a negative price being a gain, and
    ``cost_budget`` is what a case may cost. ``budget`` is in seconds per method. For k classes see ``class_cost``.

    >>> from scoreproof import ConfusionMatrix, reinterpret
    >>> a, c = ConfusionMatrix(tp=50, fp=40, fn=10, tn=30), ConfusionMatrix(tp=51, fp=39, fn=10, tn=5)
    >>> found = reinterpret({"a": a, "c": c}, claim=("c", "f1"))
    >>> found.standing["mcc"], found.same_test_set.possible
    ('certainly not', False)
    """
    from scoreproof.reinterpretation.api import from_table

    return from_table(
        table,
        p=p,
        n=n,
        total=total,
        prevalence=prevalence,
        claim=claim,
        cost_ratio=cost_ratio,
        costs=costs,
        cost_budget=cost_budget,
        rounding=rounding,
        eps=eps,
        decimal_comma=decimal_comma,
        tightness=tightness,
        budget=budget,
    )


def __getattr__(name: str) -> Any:
    if name in ("Finding", "Reading", "Reinterpretation"):
        from scoreproof.reinterpretation import result

        return getattr(result, name)
    if name in ("cheapest", "class_cost"):
        from scoreproof.reinterpretation import class_costs

        return getattr(class_costs, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
