"""What a pass is worth: whether the report could have failed at all, and the share of similar reports that would pass.

A consistent report is no proof of anything if nearly every report would be. Drawing each score on its own is the
opposite of an honest report, whose scores are tied together by one confusion matrix; a check that lets few such
reports pass is a sharp one. Few cells: the passing reports are the union of the cells' boxes, counted. Many cells: the
size of the union is estimated from random cells, each weighted by how many others stand behind the same report (Karp,
Luby & Madras 1989, doi:10.1016/0196-6774(89)90038-2). Means of scores: random reports are checked.

Of the same quantities with the same digits, every value that their ranges allow is a report. None can be refuted if

- the kind says that the quantities do not bound each other (``Kind.free``: no sizes are known);
- one score of known class counts leaves no gaps: from the worst matrices to the best ones, case by case, it moves by
  less than a text leaves open, so that every text is that of some matrices on the way;
- or each of them was asked, and a witness was found for it.

The first report that is refuted ends the search; where none is and nothing of this shows that none can be, it could.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from scoreproof.checking import Answer, trial
from scoreproof.errors import InvalidOption
from scoreproof.insight.printed_boxes import FAR, Ints, NearReports, count_distinct, one_matrix, region
from scoreproof.kinds import kind_named
from scoreproof.kinds.binary.engine.bands import band
from scoreproof.kinds.binary.engine.rectangles import filler
from scoreproof.kinds.binary.engine.solutions import Block, Solutions
from scoreproof.kinds.binary.experiment import FoldRule, is_unknown, normal_form
from scoreproof.kinds.binary.problem import PLAIN, BinaryProblem
from scoreproof.kinds.binary.scores import Score, Shape
from scoreproof.kinds.kind import Problem
from scoreproof.reported import Claim
from scoreproof.reported.claim import leaves_room
from scoreproof.results import Result
from scoreproof.validation import random_seed, real, whole
from scoreproof.work.budget import Budget

_MOST_ROWS = 4_000  # of the region, to be walked
_MOST_CASES = 10**9
_MOST_CELLS = 20_000
_MOST_REPORTS = 60_000
_MEASURED = 4_000  # random cells whose boxes are measured, if not all are
_MOST_WEIGHED = 50  # of them for which the other cells behind a report are counted
_CROWDED = 0.2
_PER_CHECK = 0.3  # seconds a single random report may take
_GLANCE = 0.05  # seconds of work, of which a search takes up to twice as many
_Z = 1.959963984540054  # standard errors on each side at the 95 % level


@dataclass(frozen=True, slots=True)
class Strength(Result):
    """The share of reports like a given one that would pass.

    ``low`` and ``high`` bound it at the 95 % level, counting undecided reports as failing and as passing; if ``exact``
    they are equal. ``method`` is ``"count"``, ``"sample of matrices"`` or ``"random reports"``; ``draws`` says how many
    matrices or reports were looked at.
    """

    fraction: float
    low: float
    high: float
    exact: bool
    method: str
    draws: int
    undecided: int
    reports: int
    within: float

    _told = "* grade words"

    @property
    def grade(self) -> str:
        """strong (at most 1 in 100 pass), fair (1 in 10) or weak, by the upper bound; unclear if only that is weak."""
        grade = _grade(self.high)
        return "unclear" if grade == "weak" != _grade(self.fraction) else grade

    words = property(str)

    def __str__(self) -> str:
        if not self.exact and not self.draws:
            return "no report like this one was tried in time; nothing can be said about the strength of the test"
        grade = "too few were tried to grade the test" if self.grade == "unclear" else f"the test is {self.grade}"
        return f"{self._how_many} reports like this one would pass by chance; {grade}"

    @property
    def _how_many(self) -> str:
        if self.fraction == 0:
            return "none of the" if self.exact else f"fewer than 1 in {_rounded(1 / self.high)}"
        if self.fraction >= 0.5:
            return f"about {100 * self.fraction:.0f}% of the" if self.fraction < 1 else "all"
        about = f"about 1 in {_rounded(1 / self.fraction)}"
        if not self.exact and (self.low == 0 or self.high > 2 * self.low):
            return f"{about} (at most 1 in {_rounded(1 / self.high)})"
        return about


def _grade(share: float) -> str:
    return "strong" if share <= 0.01 else "fair" if share <= 0.1 else "weak"


_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def _rounded(number: float) -> str:
    """Two significant digits: with thousands separated, from a million on in words, then as a power of ten.

    >>> _rounded(3.14), _rounded(24_312), _rounded(1.52e12), _rounded(2.04e18)
    ('3.1', '24,000', '1.5 trillion', '2 × 10¹⁸')
    """
    if number < 10:
        return f"{number:.2g}"
    digits, _, power = f"{number:.1e}".partition("e")
    thousands, tens = divmod(int(power), 3)
    if thousands < 2:
        return f"{float(f'{number:.1e}'):,.0f}"
    if thousands < 5:
        return f"{float(digits) * 10**tens:.3g} {('million', 'billion', 'trillion')[thousands - 2]}"
    return f"{digits.removesuffix('.0')} × 10{str(int(power)).translate(_RAISED)}"


def strength(
    result: Answer[Any, Any], *, within: float = 0.05, budget: float | Budget = 2.0, draws: int = 400, seed: int = 0
) -> Strength:
    """How surprising a pass is: the share of reports like this one that the same check would let pass.

    Reports like this one have each score drawn on its own, all printable values equally likely, within ``within`` of
    the reported one (scores without upper bound: within that share of it). For one confusion matrix the passing reports
    are counted, or estimated from a sample of matrices if there are too many; for means of scores up to ``draws``
    reports are checked within ``budget`` seconds.

    >>> from scoreproof.checking.check import check
    >>> from scoreproof.kinds.binary.experiment import TestSet
    >>> from scoreproof.insight.strength_of_pass import strength
    >>> result = check(TestSet(p=75, n=304), {"acc": "0.855", "sens": "0.507", "spec": "0.941"})
    >>> print(strength(result))
    about 1 in 520 reports like this one would pass by chance; the test is strong
    """
    if not isinstance(result, Answer):
        raise InvalidOption(f"strength: expected the result of a check, got {type(result).__name__}")
    within, draws = real("within", within, above=0, at_most=1), whole("draws", draws, at_least=1)
    rng, deadline = np.random.default_rng(random_seed(seed)), Budget.of(budget)
    near, problem = region(result.claims, Fraction(str(within))), result.problem
    passes = _Passes(problem, near, float(within), draws, rng, deadline)
    if near.size == 0:
        return passes.share(0.0, "count", 0)
    if max(map(abs, (*near.least, *near.most))) >= FAR:  # more digits than whole numbers of 64 bits have
        return passes.share(0.0, "random reports", 0, ends=(0.0, 1.0))
    counts = one_matrix(problem.experiment) if isinstance(problem, BinaryProblem) and not result.cases else None
    return (None if counts is None else passes.from_cells(problem, counts)) or passes.from_checks()


def worth(answer: Answer[Any, Any]) -> str:
    """What a pass is worth, in a sentence that takes a tenth of a second: how strong the test was, or that it was none.

    >>> from scoreproof import TestSet, check
    >>> worth(check(TestSet(p=75, n=304), {"acc": "0.86"}))
    'Nothing could have refuted this: not tested'
    """
    if not could_fail(answer.problem):
        return "Nothing could have refuted this: not tested"
    passing = strength(answer, budget=Budget.of_work(_GLANCE))
    if passing.grade == "unclear" or not (passing.exact or passing.draws):
        return "Too few reports like this one could be tried in a moment to say how strong the test is"
    return str(passing)[0].upper() + str(passing)[1:]


@dataclass(frozen=True, slots=True)
class _Passes:
    """The reports near one that pass, by counting or by drawing."""

    problem: Problem
    near: NearReports
    within: float
    draws: int
    rng: np.random.Generator
    deadline: Budget

    def share(
        self, share: float, method: str, draws: int, undecided: int = 0, *, ends: tuple[float, float] | None = None
    ) -> Strength:
        """The result; it is exact if it has no ends."""
        low, high = ends or (share, share)
        return Strength(share, low, high, ends is None, method, draws, undecided, self.near.size, self.within)

    def from_cells(self, problem: BinaryProblem, counts: tuple[int, int]) -> Strength | None:
        """From the matrices of the region: all of them, or a sample; None where random reports serve better."""
        if max(counts) > _MOST_CASES:
            return None
        solutions = _solutions(problem, self.near.whole(), counts)
        if solutions.rows > _MOST_ROWS:
            return None
        blocks = list(solutions)
        cells = sum(block.count for block in blocks)
        if cells <= _MOST_CELLS:
            inside = self.near.behind(counts, *_cells(blocks), zero=filler(problem.undefined) == 0)
            if inside.volumes.sum() <= _MOST_REPORTS:
                return self.share(count_distinct(inside.reports()) / self.near.size, "count", cells)
        return self._sampled(problem, counts, blocks)

    def _sampled(self, problem: BinaryProblem, counts: tuple[int, int], blocks: list[Block]) -> Strength | None:
        """The union of the boxes: their total volume times the mean of 1 / (cells behind a random report of a box)."""
        cells = _some_cells(blocks, _MEASURED, self.rng)
        inside = self.near.behind(counts, *cells, zero=filler(problem.undefined) == 0)
        volumes = np.zeros(_MEASURED)
        volumes[: len(inside.low)] = inside.volumes
        cover = sum(block.count for block in blocks) * volumes.mean() / self.near.size
        if not 0 < cover <= _CROWDED:
            return None  # many cells behind one report: the weights scatter, and random reports tell more
        total, tried = 0.0, 0
        for index in self.rng.choice(_MEASURED, size=min(self.draws, _MOST_WEIGHED), p=volumes / volumes.sum()):
            if self.deadline.passed:
                break
            units = self.rng.integers(inside.low[index], inside.high[index], endpoint=True).tolist()
            behind = _solutions(problem, self.near.report(units), counts).count
            if not behind:
                return None
            total, tried = total + 1 / behind, tried + 1
        if not tried:
            return None
        # a weight between 0 and 1 scatters no more than a coin of the same mean
        least, most = _shares(math.floor(total), math.ceil(total), tried)
        error = 2 * volumes.std() / volumes.mean() / math.sqrt(_MEASURED)
        low, high = (min(1.0, max(0.0, cover * x)) for x in (least * (1 - error), most * (1 + error)))
        return self.share(cover * total / tried, "sample of matrices", tried, ends=(low, high))

    def from_checks(self) -> Strength:
        """Random reports, checked one after the other until the time is up."""
        tried = passed = undecided = 0
        while tried < self.draws and not self.deadline.passed:
            drawn = self.problem.with_claims(self.near.report(self.near.draw(self.rng)))
            fits = trial(drawn, budget=self.deadline.moment(_PER_CHECK)).fits
            if tried and fits is None and min(self.deadline.left(), self.deadline.time_left()) < _PER_CHECK:
                break  # cut off by the end of all the time, and not of its own
            tried += 1
            passed += fits is True
            undecided += fits is None
        ends = _shares(passed, passed + undecided, tried)
        return self.share(passed / tried if tried else 0.0, "random reports", tried, undecided, ends=ends)


def _solutions(problem: BinaryProblem, reported: tuple[Claim, ...], counts: tuple[int, int]) -> Solutions:
    bands = [band(index, claim, *counts) for index, claim in enumerate(reported)]
    return Solutions(bands, filler=filler(problem.undefined), most_rows=_MOST_ROWS)


def _cells(blocks: list[Block]) -> tuple[Ints, Ints]:
    """All cells of the blocks."""
    grids = (np.mgrid[b.tp[0] : b.tp[1] + 1, b.tn[0] : b.tn[1] + 1].reshape(2, -1) for b in blocks)
    tp, tn = np.concatenate([np.empty((2, 0), dtype=np.int64), *grids], axis=1)
    return tp, tn


def _some_cells(blocks: list[Block], draws: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Random cells of the blocks, each as likely as any other."""
    sizes = np.array([block.count for block in blocks], dtype=np.float64)
    chosen = rng.choice(len(blocks), size=draws, p=sizes / sizes.sum())
    ends = np.array([(*block.tp, *block.tn) for block in blocks], dtype=np.int64)[chosen]
    tp = rng.integers(ends[:, 0], ends[:, 1], endpoint=True)
    tn = rng.integers(ends[:, 2], ends[:, 3], endpoint=True)
    return tp, tn


def _shares(fewest: int, most: int, tried: int) -> tuple[float, float]:
    """Between which shares the true one lies at the 95 % level (Wilson 1927), of so many at least and so many at most.

    ``statistics`` has the formula, too, but loading it takes three times as long as a check may.

    >>> [round(end, 4) for end in _shares(3, 4, 10)]
    [0.1078, 0.6873]
    """
    if not tried:
        return 0.0, 1.0

    def end(passed: int, sign: int) -> float:
        half = _Z * math.sqrt(passed * (tried - passed) / tried + _Z**2 / 4)
        return min(1.0, max(0.0, (passed + _Z**2 / 2 + sign * half) / (tried + _Z**2)))

    return end(fewest, -1), end(most, 1)


_TO_REFUTE = 0.1  # seconds of work
_WHOLE = Fraction(2)  # no bounded quantity has a wider range
_MOST_ASKED = 1_100
_MOST_ON_THE_WAY = 100_000
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
    reports = 1 if len(claims) > 2 else 0
    for claim in claims:  # every row comes here
        reports *= claim.number.scale
        if reports > _MOST_ASKED:  # more than are asked about
            return True
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
    deadline = Budget.of_work(_TO_REFUTE)
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
    way = np.linspace(0, p + n, min(p + n, _MOST_ON_THE_WAY) + 1).astype(np.int64)
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
