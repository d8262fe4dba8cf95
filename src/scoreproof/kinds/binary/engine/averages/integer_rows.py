"""Linear scores over folds, decided on totals by branch and bound (Land and Doig 1960, doi:10.2307/1910129).

What is cheap is asked first: rows in which a score cancels against those that explain it (accuracy less its shares of
sensitivity and specificity nearly vanishes), a few boxes with a linear program, functionals of a reduced lattice basis
where folds are large and intervals narrow, and then boxes until the time is up (``solve``). Of balanced folds whose odd
cases may fall together in several ways, the ways are looked at one by one for a witness before all of them at once.

Totals are dealt to the folds evenly, which keeps every bound on a fold's tp, tn and number right that the totals keep
on average: each of the three differs by at most one between folds. A minimum or maximum that must be reached gets
a fold of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate
from math import gcd
from typing import Any

from scoreproof.kinds.binary.engine.averages.aggregated_folds import FoldTotals, SetBlock, build, cases, odd_cases
from scoreproof.kinds.binary.engine.averages.constraints import COUNTED, Constraints, Hexagon
from scoreproof.kinds.binary.experiment.normal import EvaluationSet, overlaps, stratified_folds
from scoreproof.kinds.binary.experiment.tree import FoldRule
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.solve.integer_rows import IntegerRow, IntegerRows, SearchOutcome, branch_and_bound, combine, fails
from scoreproof.work.budget import Budget

Point = tuple[int, int]


def witnesses(totals: FoldTotals, x: Sequence[int]) -> Iterator[tuple[ConfusionMatrix, ...]]:
    """Ways to deal totals to the folds: evenly, then with folds that reach the reported extremes."""
    yield _placed(totals, x, [_evenly(*_sums(x, at), _folds(totals, x, at)) for at in range(len(totals.blocks))])
    reached = _extremes(totals)
    if reached:
        for at, block in enumerate(totals.blocks):
            for first in range(2):
                points = [_evenly(*_sums(x, k), _folds(totals, x, k)) for k in range(len(totals.blocks))]
                points[at] = _reaching(block, *_sums(x, at), _folds(totals, x, at), reached, together=bool(first))
                yield _placed(totals, x, points)
        yield _placed(
            totals,
            x,
            [
                _reaching(block, *_sums(x, at), _folds(totals, x, at), reached, together=False)
                for at, block in enumerate(totals.blocks)
            ],
        )


def _sums(x: Sequence[int], at: int) -> Point:
    return x[2 * at], x[2 * at + 1]


def _folds(totals: FoldTotals, x: Sequence[int], at: int) -> int:
    """How many folds a block has at a point."""
    block = totals.blocks[at]
    if block.family is None:
        return block.count
    return block.count + block.slope * x[2 * len(totals.blocks) + totals.families.index(block.family)]


def _evenly(tp: int, tn: int, folds: int) -> list[Point]:
    """tp and tn dealt so that both, and their sums, differ by at most one."""
    if folds == 0:
        return []
    a, b = tp % folds, tn % folds
    return [(tp // folds + (at < a), tn // folds + ((at - a) % folds < b)) for at in range(folds)]


def _extremes(totals: FoldTotals) -> list[tuple[str, Fraction, Fraction]]:
    """The extremes over single sets that some set must reach."""
    if not all(isinstance(part, int) for part in totals.constraints.extreme_parts):
        return []
    return [
        (target.score.name, *extreme)
        for target in totals.constraints.targets
        if target.attained and target.score.name in COUNTED
        for extreme in (target.minimum, target.maximum)
        if extreme is not None
    ]


def _reaching(
    block: SetBlock, tp: int, tn: int, folds: int, reached: list[tuple[str, Fraction, Fraction]], *, together: bool
) -> list[Point]:
    """Folds of a block, some of which reach extremes: each extreme its own fold, or one fold all that it can."""
    special: list[Point] = []
    wanted = block.hexagon
    for name, low, high in reached:
        start = wanted if together else block.hexagon
        tighter = start.bounded(name, block.p, block.n, low, high)
        if tighter.empty:
            continue
        wanted = tighter
        if not together and len(special) < folds - 1:
            special.append(_nearest(tighter, tp // max(folds, 1), tn // max(folds, 1)))
    if together and folds > 1:
        special.append(_nearest(wanted, tp // folds, tn // folds))
    rest = _evenly(tp - sum(a for a, _ in special), tn - sum(b for _, b in special), folds - len(special))
    return special + rest


def _nearest(hexagon: Hexagon, tp: int, tn: int) -> Point:
    """A point of a hexagon near to another."""
    tp = min(max(tp, hexagon.tp[0]), hexagon.tp[1])
    tn = min(max(tn, hexagon.tn[0], hexagon.right[0] - tp), hexagon.tn[1], hexagon.right[1] - tp)
    return min(max(tp, hexagon.right[0] - tn), hexagon.right[1] - tn), tn


def _placed(totals: FoldTotals, x: Sequence[int], points: list[list[Point]]) -> tuple[ConfusionMatrix, ...]:
    """The folds of all blocks as one matrix per set, the folds of each repeat with their share of odd cases."""
    found: dict[int, ConfusionMatrix] = {}
    queues: dict[int, list[list[ConfusionMatrix]]] = {}
    for block, mine in zip(totals.blocks, points, strict=True):
        made = [ConfusionMatrix(tp, block.n - tn, block.p - tp, tn) for tp, tn in mine]
        if block.family is None:
            found.update(zip(block.members, made, strict=True))
        else:
            queues.setdefault(block.family, []).append(made)
    for number, family in enumerate(totals.families):
        whole = totals.constraints.form.families[family]
        members = next(block.members for block in totals.blocks if block.family == family)
        order = arranged(queues[family], whole.repeats, *odd_cases(whole), x[2 * len(totals.blocks) + number])
        found.update(zip(members, order, strict=True))
    return tuple(found[index] for index in sorted(found))


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
