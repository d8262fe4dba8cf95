"""Whether a report could have failed at all: a pass that nothing could have prevented says nothing.

Of the same quantities with the same digits, every value that their ranges allow is a report. None can be refuted if

- the kind says that the quantities do not bound each other (``Kind.free``: no sizes are known);
- one score of known class counts leaves no gaps: from the worst matrices to the best ones, case by case, it moves by
  less than a text leaves open, so that every text is that of some matrices on the way;
- or each of them was asked, and a witness was found for it.

The first report that is refuted ends the search; where none is and nothing of this shows that none can be, it could.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from functools import lru_cache

import numpy as np

from scoreproof.checking import trial
from scoreproof.insight.printed_boxes import NearReports, one_matrix, region
from scoreproof.kinds import kind_named
from scoreproof.kinds.binary.engine.rectangles import filler
from scoreproof.kinds.binary.experiment import FoldRule, is_unknown, normal_form
from scoreproof.kinds.binary.problem import PLAIN, BinaryProblem
from scoreproof.kinds.binary.scores import Score, Shape
from scoreproof.kinds.kind import Problem
from scoreproof.reported.claim import leaves_room
from scoreproof.work.budget import Budget

_BUDGET = 0.1  # seconds of work
_WHOLE = Fraction(2)  # no bounded quantity has a wider range
_MOST_ASKED = 1_100
_MOST_CELLS = 100_000
_MOST_TEXTS = 1_000_000
# Kinds of problems that print nothing but their claims; of others, what stands beside these could fail as well.
_CLAIMS_ALONE = (
    "binary", "unknown_classes", "unknown_counts", "multi_class", "multi_label", "curve", "ranking", "detection",
    "regression", "common_average",
)  # fmt: skip


def could_fail(problem: Problem) -> bool:
    """Whether a report of the same quantities with the same digits could have been refuted; False only if none could.

    It takes at most about a tenth of a second, and is remembered for other values of the same quantities.

    >>> from scoreproof import KFold, TestSet, UnknownClasses, check
    >>> could_fail(check(TestSet(p=75, n=304), {"acc": "0.855"}).problem)
    True
    >>> could_fail(check(TestSet(p=75, n=304), {"acc": "0.86"}).problem)
    False
    >>> could_fail(check(UnknownClasses(), {"sens": "0.855", "ppv": "0.931"}).problem)
    False
    """
    claims = problem.claims
    if not claims or problem.kind not in _CLAIMS_ALONE:
        return True
    if kind_named(problem.kind).free(problem):
        return False
    if isinstance(problem, BinaryProblem) and (problem.averages != PLAIN or is_unknown(problem.experiment)):
        return True
    if not all(map(leaves_room, claims)) or any(None in claim.quantity.range for claim in claims):
        return True
    if isinstance(problem, BinaryProblem) and len(claims) == 2 and _of_both_classes(problem):
        return any(could_fail(problem.with_claims([claim])) for claim in claims)
    whole = region(claims, _WHOLE)
    # the values are not what is asked about: with the least of each, tables ask about their rows once
    return _refutable(problem.with_claims(whole.report(whole.least)))  # type: ignore[arg-type]  # it is a key


def _of_both_classes(problem: BinaryProblem) -> bool:
    """Whether one score is of the positives and one of the negatives, of known numbers: neither bounds the other."""
    names = {claim.score.complement or claim.score.name for claim in problem.claims}
    return names == {"sens", "spec"} and _known_counts(problem) is not None


def _known_counts(problem: BinaryProblem) -> list[tuple[int, int, Fraction]] | None:
    """Positives, negatives and weight of every evaluation set, at least one of either class; None if they are open.

    Of balanced folds the least numbers: which of them have one case more changes no mean of either class.
    """
    form = normal_form(problem.experiment)
    balanced = all(family.rule is FoldRule.BALANCED for family in form.families)
    if not balanced or form.ranges or form.sums or any(min(each.p, each.n) == 0 for each in form.sets):
        return None
    return [(each.p, each.n, each.weight) for each in form.sets]


@lru_cache(maxsize=1_000)
def _refutable(problem: Problem) -> bool:
    whole = region(problem.claims, _WHOLE)
    reports = _unshown(problem, whole) if isinstance(problem, BinaryProblem) and len(problem.claims) == 1 else None
    if reports is None:
        if whole.size > _MOST_ASKED:
            return True
        spans = (range(least, most + 1) for least, most in zip(whole.least, whole.most, strict=True))
        reports = list(itertools.product(*spans))
    deadline = Budget.of_work(_BUDGET)
    # neighbours apart: what cannot be printed is often a run of values
    order = (reports[place] for place in np.random.default_rng(0).permutation(len(reports)))
    asked = (problem.with_claims(whole.report(units)) for units in order)
    return any(deadline.passed or not trial(report, budget=deadline).fits for report in asked)


def _unshown(problem: BinaryProblem, whole: NearReports) -> list[tuple[int, ...]] | None:
    """The texts of one score that are not those of matrices on the way from the worst to the best; None if not known.

    A linear score moves by equal steps within a set; of others all matrices on the way are looked at, or many.
    """
    claim, counts = problem.claims[0], one_matrix(problem.experiment)
    if claim.score.shape is Shape.LINEAR and claim.score.builtin:
        known = _known_counts(problem)
        width = claim.high - claim.low
        steady = known is not None and all(weight * _step(claim.score, p, n) <= width for p, n, weight in known)
        return [] if steady else None
    if counts is None or whole.size > _MOST_TEXTS:
        return None
    p, n = counts
    way = np.linspace(0, p + n, min(p + n, _MOST_CELLS) + 1).astype(np.int64)
    zero = filler(problem.undefined) == 0
    inside = whole.behind(counts, np.minimum(way, p), np.maximum(way - p, 0), zero=zero)
    ends = np.zeros(whole.size + 1, dtype=np.int64)
    np.add.at(ends, inside.low[:, 0] - whole.least[0], 1)
    np.add.at(ends, inside.high[:, 0] - whole.least[0] + 1, -1)
    return [(int(place) + whole.least[0],) for place in np.flatnonzero(np.cumsum(ends[:-1]) == 0)]


def _step(score: Score, p: int, n: int) -> Fraction:
    """By how much a linear score moves at most with one more case that is right."""
    worst, *better = (Fraction(*score.ratio(tp, n - tn, p - tp, tn)) for tp, tn in ((0, 0), (1, 0), (0, 1)))
    return max(abs(value - worst) for value in better)
