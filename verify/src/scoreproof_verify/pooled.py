"""Means of alike sets, whose linear scores are those of one matrix: the sum of theirs.

With p and n the same in all sets of a part, and one weight, the mean of t/p is the sum of all t over that of all p, and
so for each score that is linear in tp and tn. What a statement says of such scores over parts that deviate it says of
one matrix for each part.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from scoreproof_verify.averages import Demands, Set, Tree, members_of, shares
from scoreproof_verify.formulas import LINEAR
from scoreproof_verify.texts import require


def pooled(demands: Demands) -> Demands:
    """The demands on linear scores, with one set in the place of each part that deviates."""
    require(demands.means_deviate, "the deviation is not over means of sets")
    sets = [_together(demands, part) for part in demands.spread_parts]
    means = [
        claim
        for claim in demands.means
        if claim.rule.border == LINEAR and all(claim.rule.ratio(0, 0, one.p, one.n)[1] > 0 for one in sets)
    ]
    require(len(means) > 0, "no linear score is reported")
    names = {claim.name for claim in means}
    return replace(
        demands,
        sets=sets,
        families=[],
        tree=tuple(range(len(sets))),
        repeats=[],
        means=means,
        variances={name: span for name, span in demands.variances.items() if name in names},
        minima={},
        maxima={},
        limits=[],
        hexagons={},
        order=[(claim.name, claim.rule) for claim in means],
        spread_over="folds",
    )


def _together(demands: Demands, part: Tree) -> Set:
    """A part's sets as one set of all their cases."""
    mine = members_of(part)
    first = demands.sets[mine[0]]
    alike = all((demands.sets[k].p, demands.sets[k].n) == (first.p, first.n) for k in mine)
    plain = all(demands.sets[k].family is None and k not in demands.hexagons for k in mine)
    even = len(set(shares(part).values())) == 1
    require(alike and plain and even, "a part that deviates holds sets that are not alike")
    return Set(first.p * len(mine), first.n * len(mine), Fraction(1, len(demands.spread_parts)))
