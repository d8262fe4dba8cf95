"""Counts of one confusion matrix as printed, and the scores printed beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from scoreproof.kinds.printed_matrix.counts import Known, Pairs, follow, read_counts
from scoreproof.reported import Claim, Value, read_scores
from scoreproof.reported.claim import claim_from_dict, refuse_spread
from scoreproof.reported.conventions import Undefined, choice


@dataclass(frozen=True, slots=True)
class PrintedMatrixProblem:
    """Printed counts of one matrix, any of tp, fp, fn, tn, p, n, total; and its scores."""

    kind: ClassVar[str] = "printed_matrix"
    counts: Pairs
    claims: tuple[Claim, ...] = ()
    undefined: Undefined = Undefined.ANY

    def __post_init__(self) -> None:
        refuse_spread(self.claims)

    @property
    def known(self) -> Known:
        """What follows from the counts."""
        return follow(self.counts)

    def to_dict(self) -> dict[str, Any]:
        return {
            "counts": [[name, value] for name, value in self.counts],
            "scores": [claim.to_dict() for claim in self.claims],
            "undefined": str(self.undefined),
        }

    @classmethod
    def from_dict(cls, statement: Mapping[str, Any]) -> PrintedMatrixProblem:
        return cls(
            read_counts((name, value) for name, value in statement["counts"]),
            tuple(map(claim_from_dict, statement["scores"])),
            choice(Undefined, "undefined", statement["undefined"]),
        )

    def with_claims(self, claims: Iterable[Claim]) -> PrintedMatrixProblem:
        return replace(self, claims=tuple(claims))


def printed_matrix(
    counts: Mapping[str, int | Iterable[int]],
    scores: Mapping[str, Value | Claim] | None = None,
    *,
    undefined: str | Undefined = Undefined.ANY,
    rounding: Any = None,
    eps: Any = None,
    digits: Any = None,
    beta: Any = None,
    decimal_comma: bool = False,
) -> PrintedMatrixProblem:
    """The problem of printed counts and scores; the options are those of ``check``.

    >>> printed_matrix({"tp": 5, "fn": 5, "fp": 2, "tn": 18}, {"acc": "0.77"}).known.matrix
    ConfusionMatrix(tp=5, fp=2, fn=5, tn=18)
    """
    options = {"rounding": rounding, "eps": eps, "digits": digits, "beta": beta, "decimal_comma": decimal_comma}
    claims = read_scores(scores, **options) if scores else ()
    return PrintedMatrixProblem(read_counts(counts), claims, choice(Undefined, "undefined", undefined))
