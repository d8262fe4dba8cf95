"""Scores that do not bound each other where no sizes are known: whatever is printed for them is possible.

With all cells positive, the odds tp/fn, tn/fp, tp/fp and tn/fn are those of sens, spec, ppv and npv; the product of the
first two is that of the last two, and any three are free. Of spec and npv the odds do not contain tp, with which f1, ji
and fm run from 0 to 1 whatever the other cells are; likewise f1n beside sens and ppv, with tn. At given sens and spec,
and so at any value of bacc, bm and gm, the prevalence takes ppv (or npv) from 0 to 1; likewise mk beside sens or spec.
Accuracy runs from 0 to 1 with the class, or the answer, that a rate does not speak of. An AUC A bounds a point of its
curve by sens (1 - fpr) <= A <= 1 - fpr (1 - sens), which some fpr fulfils at any sens and some sens at any fpr, and
which every point close to (1, 1) fulfils; the prevalence is still free.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

from scoreproof.reported import Claim
from scoreproof.reported.claim import leaves_room

_FREE = tuple(
    frozenset(names)
    for names in (
        *combinations(("sens", "spec", "ppv", "npv"), 3),
        *product(["spec"], ["npv"], ("f1", "ji", "fm")),
        ("sens", "ppv", "f1n"),
        *product(("bacc", "bm", "gm"), ("ppv", "npv")),
        *product(["mk"], ("sens", "spec")),
        *product(["acc"], ("sens", "spec", "ppv", "npv", "auc")),
        *product(["auc"], ("sens", "spec"), ("ppv", "npv")),
        ("auc", "f1"),
    )
)


def free(claims: Sequence[Claim]) -> bool:
    """Whether any values of these scores, printed with so many digits, are those of some matrix of some size.

    >>> from scoreproof.reported import read_scores
    >>> free(read_scores({"sens": "0.91", "fdr": "0.20"})), free(read_scores({"sens": "0.91", "f1": "0.20"}))
    (True, False)
    """
    names = {getattr(claim.quantity, "complement", None) or claim.quantity.name for claim in claims}
    return all(map(leaves_room, claims)) and (len(names) == 1 or any(names <= together for together in _FREE))
