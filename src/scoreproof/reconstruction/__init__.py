"""Reconstruct what was not printed: matrices, prevalence and other scores, as guaranteed ranges.

This module is light: what does the work is imported when ``reconstruct`` is called.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from scoreproof.reported import Claim, Value

if TYPE_CHECKING:
    from scoreproof.reconstruction.ranges import Range
    from scoreproof.reconstruction.result import Reconstruction

__all__ = ["Range", "Reconstruction", "reconstruct"]

Total = int | tuple[int, int]


def reconstruct(
    scores: Mapping[str, Value | Claim],
    *,
    p: int | None = None,
    n: int | None = None,
    total: Total | None = None,
    prevalence: Value | Claim | None = None,
    rounding: Any = None,
    eps: Any = None,
    digits: Any = None,
    beta: Any = None,
    undefined: str = "any",
    decimal_comma: bool = False,
    tightness: float = 1e-4,
    budget: float = 30.0,
) -> Reconstruction:
    """Everything that follows from reported scores: matrices, prevalence and all other scores, as guaranteed ranges.

    With ``p`` and ``n`` the matrices that fit are listed; with a ``total`` (a number or a pair (least, most)) all class
    counts are tried; with neither, the rates of the four cells are bounded for matrices of any size, to within
    ``tightness`` of values that occur. ``prevalence`` may be given as reported. The other options are those of
    ``check``.

    >>> from scoreproof import reconstruct
    >>> found = reconstruct({"acc": "0.706", "tpr": "0.430", "fpr": "0.031", "ppv": "0.930"}, rounding="nearest")
    >>> found.ranges["tn"].text(4), found.ranges["prevalence"].text(4)
    ('0.4947 to 0.4975', '0.4866 to 0.4895')
    >>> reconstruct({"acc": "0.85", "ppv": "0.80", "sens": "0.75"}, total=100, rounding="nearest").verdict
    <Verdict.INCONSISTENT: 'inconsistent'>
    """
    from scoreproof.reconstruction.api import from_scores

    return from_scores(
        scores,
        p=p,
        n=n,
        total=total,
        prevalence=prevalence,
        rounding=rounding,
        eps=eps,
        digits=digits,
        beta=beta,
        undefined=undefined,
        decimal_comma=decimal_comma,
        tightness=tightness,
        budget=budget,
    )


def __getattr__(name: str) -> Any:
    if name == "Range":
        from scoreproof.reconstruction.ranges import Range

        return Range
    if name == "Reconstruction":
        from scoreproof.reconstruction.result import Reconstruction

        return Reconstruction
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
