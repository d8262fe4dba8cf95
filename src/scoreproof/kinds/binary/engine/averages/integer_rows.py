"""Linear scores over folds as whole-number rows on totals, decided by ``solve.integer_rows`` and lattice branching.

What is cheap is asked first: rows in which a score cancels against those that explain it (accuracy less its shares of
sensitivity and specificity nearly vanishes), a few boxes with a linear program, functionals of a reduced lattice basis
where folds are large and intervals narrow, and then boxes until the time is up. Of balanced folds whose odd cases may
fall together in several ways, the ways are looked at one by one for a witness before all of them at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from math import gcd
from typing import Any

from scoreproof.kinds.binary.engine.averages.aggregated_folds import FoldTotals, build, cases
from scoreproof.kinds.binary.engine.averages.constraints import Constraints
from scoreproof.kinds.binary.engine.averages.fold_witnesses import witnesses
from scoreproof.kinds.binary.experiment.folds import overlaps, stratified_folds
from scoreproof.kinds.binary.experiment.normal import EvaluationSet
from scoreproof.kinds.binary.experiment.tree import FoldRule
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.solve.integer_rows import (
    IntegerRow,
    IntegerRows,
    SearchOutcome,
    branch_and_bound,
    combine,
    fails,
)
from scoreproof.work.budget import Budget

_QUICK, _GLANCE, _PROGRAMS = 20, 6, 2  # boxes: without programs, of known folds, and with programs before lattices
_LATTICE, _LATTICE_SHARE = 120, 0.7  # variables of which a basis is soon reduced; of the time
_MOST_OVERLAPS = 6  # ways in which odd cases fall together that are looked at

Matrices = tuple[ConfusionMatrix, ...]
Outcome = SearchOutcome[Matrices]


def decide_rows(constraints: Constraints, deadline: Budget) -> Outcome:
    """Decide linear constraints on folds of known or balanced classes; a proof has an entry for each case."""
    if constraints.form.families:
        usual, *others = _arrangements(constraints)
        outcome = _known_folds(usual, deadline)
        if outcome.witness is None:
            outcome = _every_case(constraints, deadline, boxes=1)
        for other in others if outcome.witness is None and outcome.proof is None else ():
            outcome = _known_folds(other, deadline)
            if outcome.witness is not None:
                break
        if outcome.witness is not None or outcome.proof is not None:
            return outcome
    return _every_case(constraints, deadline)


def _every_case(constraints: Constraints, deadline: Budget, *, boxes: int | None = None) -> Outcome:
    """Decide every way to count 0/0 in time, or with so many ``boxes`` each."""
    proof: list[Any] = []
    nodes = 0
    undecided = False
    for treatment in cases(constraints):
        totals = build(constraints, treatment)
        outcome = _decide_case(totals, deadline, boxes)
        nodes += outcome.nodes
        if outcome.witness is not None:
            return outcome
        undecided = undecided or outcome.proof is None
        proof.append({"treatments": treatment, "bits": totals.bits, "steps": outcome.proof})
    return SearchOutcome(proof=None if undecided else proof, nodes=nodes)


def _known_folds(constraints: Constraints, deadline: Budget) -> Outcome:
    """A witness that a few boxes show, for folds whose class counts are known; never a proof."""
    for treatment in cases(constraints):
        totals = build(constraints, treatment)
        if totals.bits is None and all(low <= high for low, high in zip(totals.least, totals.most, strict=True)):
            outcome = branch_and_bound(_problem(totals), _derived(totals), _GLANCE, deadline, with_programs=False)
            if outcome.witness is not None:
                return outcome
    return SearchOutcome()


def _decide_case(totals: FoldTotals, deadline: Budget, boxes: int | None) -> Outcome:
    """Decide one way to count 0/0, or try to with so many ``boxes``."""
    if any(low > high for low, high in zip(totals.least, totals.most, strict=True)):
        return SearchOutcome(proof=[], nodes=1)
    problem, rows = _problem(totals), totals.rows
    failing = next((row for row in rows if fails(row, totals.least, totals.most)), None)
    if failing is not None:  # a row without coefficients, say, which a linear program does not take
        return SearchOutcome(proof=[["out", [int(row is failing) for row in rows]]], nodes=1)
    if totals.bits is None:  # with more blocks the whole numbers of combined rows grow long
        rows = _derived(totals)
        outcome = branch_and_bound(problem, rows, boxes or _QUICK, deadline, with_programs=False)
        if outcome.witness is not None or outcome.proof is not None:
            return outcome
    if boxes is not None:
        return SearchOutcome(nodes=boxes)
    outcome = branch_and_bound(problem, rows, _PROGRAMS, deadline, with_programs=True)
    if outcome.witness is None and outcome.proof is None and len(totals.least) <= _LATTICE:
        from scoreproof.solve.lattice_branching import LatticeBranching

        outcome = LatticeBranching(problem, deadline.part(_LATTICE_SHARE)).run()
    if outcome.witness is not None or outcome.proof is not None:
        return outcome
    return branch_and_bound(problem, rows, None, deadline, with_programs=True)


def _problem(totals: FoldTotals) -> IntegerRows[Matrices]:
    def accept(point: Sequence[int]) -> Matrices | None:
        sure = totals.complete and (totals.bits is None or _surely(totals, point))
        return next((m for m in witnesses(totals, point) if sure or totals.constraints.fits(m)), None)

    return IntegerRows(totals.rows, totals.least, totals.most, accept)


def _surely(totals: FoldTotals, point: Sequence[int]) -> bool:
    """Whether a point fits every row whatever the rounding of coefficients hides."""
    hidden = sum(totals.most)
    sums = [sum(a * v for a, v in zip(row.a, point, strict=True)) for row in totals.rows]
    return all(row.low + hidden <= s <= row.high - hidden for row, s in zip(totals.rows, sums, strict=True))


def _derived(totals: FoldTotals) -> list[IntegerRow]:
    """The base rows, and rows in which the share of a block cancels: a score less the others that explain it there."""
    base = totals.rows
    rows = list(base)
    for k in range(0, 2 * len(totals.blocks), 2):
        alone = [
            next((i for i, row in enumerate(base) if row.a[k + axis] and not row.a[k + 1 - axis]), None)
            for axis in (0, 1)
        ]
        mixed = [i for i, row in enumerate(base) if row.a[k] and row.a[k + 1]]
        for at in mixed:
            y = [int(i == at) for i in range(len(base))]
            partners = alone if any(i is not None for i in alone) else [next((i for i in mixed if i != at), None), None]
            for axis, other in enumerate(partners):
                if other is not None:
                    share = sum(f * row.a[k + axis] for f, row in zip(y, base, strict=True) if f)
                    y = [f * base[other].a[k + axis] for f in y]
                    y[other] -= share
            if sum(map(bool, y)) > 1:
                shared = gcd(*y) or 1
                rows.append(combine(base, [f // shared for f in y]))
    return rows


def settled(constraints: Constraints) -> Constraints:
    """The constraints with balanced folds as scikit-learn makes them: one of the choices, to look for a witness in."""
    made = {}
    for number, family in enumerate(constraints.form.families):
        if family.rule is FoldRule.BALANCED:
            repeats, k = family.repeats, family.folds // family.repeats
            made[number] = stratified_folds(family.p // repeats, family.n // repeats, k) * repeats
    return _with_folds(constraints, made)


def dealt_evenly(constraints: Constraints) -> Constraints:
    """The constraints with the classes of open folds dealt in proportion to their sizes: one choice of many."""
    constraints = settled(constraints)
    sizes: dict[int | None, list[int]] = {}
    for each in constraints.form.sets:
        sizes.setdefault(each.family, []).append(each.size)
    made = {}
    for number, family in enumerate(constraints.form.families):
        upto = [0, *accumulate(sizes.get(number, ()))]
        positive = [cases * family.p // (upto[-1] or 1) for cases in upto]
        made[number] = [
            (p - q, m - k - p + q) for k, m, q, p in zip(upto, upto[1:], positive, positive[1:], strict=False)
        ]
    return _with_folds(constraints, made)


def _arrangements(constraints: Constraints) -> Iterator[Constraints]:
    """The constraints with balanced folds as scikit-learn makes them, then, of one family, with other overlaps."""
    yield settled(constraints)
    families = constraints.form.families
    if len(families) > 1 or any(family.repeats > 1 or family.rule is not FoldRule.BALANCED for family in families):
        return
    for family in families:
        k = family.folds
        (p, more), (n, extra) = divmod(family.p, k), divmod(family.n, k)
        usual = max(0, more + extra - k)
        least, most = overlaps(family.p, family.n, k)
        for both in range(least, min(most + 1, least + _MOST_OVERLAPS)):
            if both != usual:
                counts = (both, more - both, extra - both, k - more - extra + both)
                sizes = ((p + 1, n + 1), (p + 1, n), (p, n + 1), (p, n))
                folds = [size for size, c in zip(sizes, counts, strict=True) for _ in range(c)]
                yield _with_folds(constraints, {0: folds})


def _with_folds(constraints: Constraints, folds: Mapping[int, Sequence[tuple[int, int]]]) -> Constraints:
    """The constraints with these class counts for the folds of some of their families."""
    form, made = constraints.form, {number: iter(own) for number, own in folds.items()}
    sets = tuple(
        EvaluationSet(*next(made[each.family]), each.weight) if each.family in made else each for each in form.sets
    )
    families = () if all(each.family is None for each in sets) else form.families
    return replace(constraints, form=replace(form, sets=sets, families=families))
