"""Disaggregation: totals of alike folds, dealt to the folds.

Evenly dealt totals keep every bound on a fold's tp, tn and number right that the totals keep on average: each of the
three differs by at most one between folds. A reported minimum or maximum that must be reached gets a fold of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from scoreproof.kinds.binary.engine.averages.aggregated_folds import FoldTotals, SetBlock, odd_cases
from scoreproof.kinds.binary.engine.averages.constraints import COUNTED, Hexagon
from scoreproof.kinds.binary.scores import ConfusionMatrix

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
