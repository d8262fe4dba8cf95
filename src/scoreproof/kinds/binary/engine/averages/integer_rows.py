"""Linear scores over folds, decided on totals by branch and bound (Land and Doig 1960, doi:10.2307/1910129).

What is cheap is asked first: rows in which a score cancels against those that explain it (accuracy less its shares of
sensitivity and specificity nearly vanishes), a few boxes with a linear program, functionals of a reduced lattice basis
where folds are large and intervals narrow, and then boxes until the time is up (``solve``). Of balanced folds
scikit-learn's are looked at for a witness before all of them at once.

Totals are dealt to the folds evenly, which keeps every bound on a fold's tp, tn and number right that the totals keep
on average: each of the three differs by at most one between folds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from math import gcd
from typing import Any

from scoreproof.kinds.binary.engine.averages.aggregated_folds import FoldTotals, build, cases, odd_cases
from scoreproof.kinds.binary.engine.averages.constraints import Constraints
from scoreproof.kinds.binary.experiment.normal import EvaluationSet, stratified_folds
from scoreproof.kinds.binary.experiment.tree import FoldRule
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.solve.integer_rows import IntegerRow, IntegerRows, SearchOutcome, branch_and_bound, combine, fails
from scoreproof.work.budget import Budget

Point = tuple[int, int]


def dealt(totals: FoldTotals, x: Sequence[int]) -> tuple[ConfusionMatrix, ...]:
    """Totals dealt evenly to the folds."""
    points = [_evenly(x[2 * at], x[2 * at + 1], _folds(totals, x, at)) for at in range(len(totals.blocks))]
    return _placed(totals, x, points)


def _folds(totals: FoldTotals, x: Sequence[int], at: int) -> int:
    """How many folds a block has at a point."""
    block = totals.blocks[at]
    if block.family is None:
        return block.count
    return block.count + block.slope * x[totals.overlap_of(block.family)]


def _evenly(tp: int, tn: int, folds: int) -> list[Point]:
    """tp and tn dealt so that both, and their sums, differ by at most one."""
    if folds == 0:
        return []
    a, b = tp % folds, tn % folds
    return [(tp // folds + (at < a), tn // folds + ((at - a) % folds < b)) for at in range(folds)]


def _placed(totals: FoldTotals, x: Sequence[int], points: list[list[Point]]) -> tuple[ConfusionMatrix, ...]:
    """The folds of all blocks as one matrix per set, the folds of each repeat with their share of odd cases."""
    matrices: dict[int, ConfusionMatrix] = {}
    queues: dict[int, list[list[ConfusionMatrix]]] = {}
    for block, folds in zip(totals.blocks, points, strict=True):
        alike = {(tp, tn): ConfusionMatrix(tp, block.n - tn, block.p - tp, tn) for tp, tn in dict.fromkeys(folds)}
        made = [alike[point] for point in folds]
        if block.family is None:
            matrices.update(zip(block.members, made, strict=True))
        else:
            queues.setdefault(block.family, []).append(made)
    for family in totals.families:
        whole = totals.constraints.form.families[family]
        members = next(block.members for block in totals.blocks if block.family == family)
        order = arranged(queues[family], whole.repeats, *odd_cases(whole), x[totals.overlap_of(family)])
        matrices.update(zip(members, order, strict=True))
    return tuple(matrices[index] for index in sorted(matrices))


def arranged(
    kinds: list[list[ConfusionMatrix]], repeats: int, more: int, extra: int, both: int
) -> list[ConfusionMatrix]:
    """Folds of a balanced family in the order of its repeats; kinds are both odd, odd positive, odd negative, even."""
    queues = [iter(kind) for kind in kinds]
    folds = sum(map(len, kinds)) // repeats
    order = []
    for repeat in range(repeats):
        here = both // repeats + (repeat < both % repeats)
        shares = (here, more // repeats - here, extra // repeats - here, folds - (more + extra) // repeats + here)
        for queue, share in zip(queues, shares, strict=True):
            order += [next(queue) for _ in range(share)]
    return order


_QUICK, _GLANCE, _PROGRAMS = 20, 6, 2  # boxes: without programs, of known folds, and with programs before lattices
_LATTICE, _LATTICE_SHARE = 120, 0.7  # variables of which a basis is soon reduced; of the time

Matrices = tuple[ConfusionMatrix, ...]
Outcome = SearchOutcome[Matrices]


def decide_rows(constraints: Constraints, deadline: Budget) -> Outcome:
    """Decide linear constraints on folds of known or balanced classes; a proof has an entry for each case."""
    if constraints.form.families:
        outcome = _known_folds(settled(constraints), deadline)
        if outcome.witness is not None:
            return outcome
    proof: list[Any] = []
    nodes = 0
    for treatment in cases(constraints):
        totals = build(constraints, treatment)
        outcome = _decide_case(totals, deadline)
        nodes += outcome.nodes
        if outcome.witness is not None:
            return outcome
        proof.append({"treatments": treatment, "bits": totals.bits, "steps": outcome.proof})
    undecided = any(case["steps"] is None for case in proof)
    return SearchOutcome(proof=None if undecided else proof, nodes=nodes)


def _known_folds(constraints: Constraints, deadline: Budget) -> Outcome:
    """A witness that a few boxes show, for folds whose class counts are known; never a proof."""
    for treatment in cases(constraints):
        totals = build(constraints, treatment)
        if totals.bits is None and all(low <= high for low, high in zip(totals.least, totals.most, strict=True)):
            outcome = branch_and_bound(
                _problem(totals), [*totals.rows, *_explained(totals)], _GLANCE, deadline, with_programs=False
            )
            if outcome.witness is not None:
                return outcome
    return SearchOutcome()


def _decide_case(totals: FoldTotals, deadline: Budget) -> Outcome:
    """Decide one way to count 0/0."""
    if any(low > high for low, high in zip(totals.least, totals.most, strict=True)):
        return SearchOutcome(proof=[], nodes=1)
    problem, rows = _problem(totals), totals.rows
    explained = [*rows, *_explained(totals)]
    failing = next((row for row in explained if fails(row, totals.least, totals.most)), None)
    if failing is not None:  # a row without coefficients, say, which a linear program does not take
        return SearchOutcome(proof=[["out", list(failing.y)]], nodes=1)
    if totals.bits is None:  # with more blocks the whole numbers of combined rows grow long
        rows = explained
        outcome = branch_and_bound(problem, rows, _QUICK, deadline, with_programs=False)
        if outcome.witness is not None or outcome.proof is not None:
            return outcome
    outcome = branch_and_bound(problem, rows, _PROGRAMS, deadline, with_programs=True)
    if outcome.witness is None and outcome.proof is None and len(totals.least) <= _LATTICE:
        from scoreproof.solve.lattice_branching import branch_on_planes

        outcome = branch_on_planes(problem, deadline.part(_LATTICE_SHARE))
    if outcome.witness is not None or outcome.proof is not None:
        return outcome
    return branch_and_bound(problem, rows, None, deadline, with_programs=True)


def _problem(totals: FoldTotals) -> IntegerRows[Matrices]:
    def accept(point: Sequence[int]) -> Matrices | None:
        matrices = dealt(totals, point)
        sure = totals.complete and (totals.bits is None or _surely(totals, point))
        return matrices if sure or totals.constraints.fits(matrices) else None

    return IntegerRows(totals.rows, totals.least, totals.most, accept)


def _surely(totals: FoldTotals, point: Sequence[int]) -> bool:
    """Whether a point fits every row whatever the rounding of coefficients hides."""
    hidden = sum(totals.most)
    sums = [sum(a * v for a, v in zip(row.a, point, strict=True)) for row in totals.rows]
    return all(row.low + hidden <= s <= row.high - hidden for row, s in zip(totals.rows, sums, strict=True))


def _explained(totals: FoldTotals) -> Iterator[IntegerRow]:
    """Rows in which a score less those that explain it cancels over all folds: accuracy, less its mean shares."""
    upto = 2 * len(totals.blocks)
    shares = [(sum(row.a[0:upto:2]), sum(row.a[1:upto:2])) for row in totals.rows]
    east = next((at for at, (tp, tn) in enumerate(shares) if tp and not tn), None)
    north = next((at for at, (tp, tn) in enumerate(shares) if tn and not tp), None)
    if east is None or north is None:
        return
    of_tp, of_tn = shares[east][0], shares[north][1]
    for at, (tp, tn) in enumerate(shares):
        if tp and tn:
            y = [0] * len(shares)
            y[at], y[east], y[north] = of_tp * of_tn, -tp * of_tn, -tn * of_tp
            shared = gcd(*y)
            yield combine(totals.rows, [factor // shared for factor in y])


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


def _with_folds(constraints: Constraints, folds: Mapping[int, Sequence[tuple[int, int]]]) -> Constraints:
    """The constraints with these class counts for the folds of some of their families."""
    form, made = constraints.form, {number: iter(own) for number, own in folds.items()}
    sets = tuple(
        EvaluationSet(*next(made[each.family]), each.weight) if each.family in made else each for each in form.sets
    )
    families = () if all(each.family is None for each in sets) else form.families
    return replace(constraints, form=replace(form, sets=sets, families=families))
