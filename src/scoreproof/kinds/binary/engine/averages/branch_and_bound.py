"""Branch and bound over (tp, tn) with LP bounds (Land and Doig 1960, doi:10.2307/1910129).

A node is relaxed, its columns are filtered by multipliers, every combination is tried if they are few, and otherwise it
is divided, until all are closed. Combinations are tried by meet in the middle (Horowitz and Sahni 1974,
doi:10.1145/321812.321823): the sets are divided into two halves whose combinations are listed; the sums of one half are
matched with those of the other within the bounds of the rows. What matches is judged exactly.

Proof steps, in the order in which a reader walks the tree (each node: filters, then how it ends):

    ["filter", [y...]]        drop what these multipliers rule out; the node is closed if that is everything
    ["all"]                   every combination left was tried: none fits
    ["total", row, b]         two nodes: the integer total is at most b, or at least b + 1
    ["split", part, axis, v, [j...]]  a node for each j: so many of the part's sets have axis <= v
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from scoreproof.arrays import Floats, Ints
from scoreproof.kinds.binary.engine.averages.dual_bound import (
    Model,
    Node,
    NodeProgram,
    WeightedPart,
    as_integers,
    by_total,
    coordinate,
    filtered,
    root,
    size,
    split,
    sums,
    totals,
)
from scoreproof.kinds.binary.engine.averages.points import BITS
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.solve.meet_in_the_middle import Matches
from scoreproof.work.budget import NEVER, Budget, OutOfTime

_PROBED = ("tp", "tn", "sum", "difference")
_TRIES = 3  # at one extreme
_MOST = 1_500_000  # combinations of a half
_MOST_CHOSEN = 12_000_000  # times their sets
_MOST_PAIRS = 20_000_000  # pairs that agree in the most telling row
_MOST_MATCHES = 20_000  # judged exactly before a node counts as too large
_TELLING = 5  # rows that are matched
_LEAST_SHARE = 1e-3  # that a second row may be expected to leave
_SLACK = 64.0  # units; covers the rounding of columns and of float sums
_SUM = 2e-8  # seconds of a sum of a row


@dataclass(slots=True)
class TreeOutcome:
    """How a search ended: a witness, a proof, or neither, with what was tried."""

    witness: tuple[ConfusionMatrix, ...] | None = None
    proof: list[list[Any]] | None = None
    reason: str = ""


class TreeSearch:
    """A search of a model that can be interrupted and goes on where it was."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._deadline = NEVER
        self._proof: list[list[Any]] = []
        self._stack = [root(model)]  # what is left open
        self._nodes = 0
        self._stuck: TreeOutcome | None = None  # a witness, or a node that cannot be divided
        self._empty = any(not len(part.columns) for part in self._stack[0].parts)

    def run(self, deadline: Budget, pause: Budget | None = None) -> TreeOutcome:
        """Go on until it is decided or the time is up; deterministic for a seed but for the clock.

        After the pause no new node is begun; one that was is only given up at the deadline.
        """
        if self._empty:
            return TreeOutcome(proof=[])
        self._deadline = deadline
        at_hand: Node | None = None
        known = 0
        try:
            while self._stack and self._stuck is None:
                (pause or deadline).tick()
                at_hand, known = self._stack.pop(), len(self._proof)
                self._stuck = self._visit(at_hand)
                at_hand = None
        except OutOfTime:
            if at_hand is not None:  # begun anew next time
                del self._proof[known:]
                self._stack.append(at_hand)
            return TreeOutcome(reason=f"{self._nodes} nodes of the search tree, {len(self._stack)} left open")
        return self._stuck or TreeOutcome(proof=self._proof)

    def _visit(self, node: Node) -> TreeOutcome | None:
        """Close a node or divide it; what came of it, if that ends the search."""
        self._nodes += 1
        prepared = self._prepare(node)
        if prepared is None:
            return None
        node, support = prepared
        witness = enumerate_node(self.model, node, self._deadline)
        if witness:
            return TreeOutcome(witness=witness)
        if witness is not None:
            self._proof.append(["all"])
            return None
        children = (self._by_total(node, support) if support else None) or self._divide(node)
        if children is None:
            return TreeOutcome(reason=f"{self._nodes} nodes of the search tree, one of which cannot be divided further")
        self._stack += children
        return None

    def _prepare(self, node: Node) -> tuple[Node, list[tuple[int, int, float]]] | None:
        """Relax, filter, and probe the extremes of each part; None if the node is closed."""
        program = NodeProgram(self.model, node, self._deadline)
        relaxed = program.solve()
        if relaxed.multipliers is not None:
            left = self._apply(node, as_integers(relaxed.multipliers), always=True)
            return None if left is None else (left, [])
        for position in range(len(node.parts)):
            for axis in _PROBED:
                for sign in (1, -1):
                    narrowed = self._probe(program, node, position, axis, sign)
                    if narrowed is None:
                        return None
                    node = narrowed
        return node, relaxed.support

    def _apply(self, node: Node, y: list[int], *, always: bool = False) -> Node | None:
        """Filter by y, on record if it changed anything; None if it closed the node."""
        left = filtered(self.model, node, y)
        if left is None or always or size(left) < size(node):
            self._proof.append(["filter", y])
        return left

    def _probe(self, program: NodeProgram, node: Node, position: int, axis: str, sign: int) -> Node | None:
        """Ask whether a set of this part can sit at the extreme of an axis; if not, filter by the reason why.

        The program is that of the node before any probing: what it proves holds for what is left of it.
        """
        for _ in range(_TRIES):
            part = node.parts[position]
            if len(part.columns) <= 1:
                return node
            along = sign * _direction(self.model, part, axis)
            if along.max() == along.min():
                return node
            extreme = np.flatnonzero(along == along.max())
            relaxed = program.solve((position, int(part.columns[extreme[len(extreme) // 2]])))
            if relaxed.multipliers is None:
                return node
            left = self._apply(node, as_integers(relaxed.multipliers))
            if left is None:
                return None
            if size(left) == size(node):
                return node
            node = left
        return node

    def _divide(self, node: Node) -> list[Node] | None:
        """Children of a node, last first, the step that made them on record; None if nothing tells columns apart."""
        widest: tuple[float, int, str, int] | None = None
        for position, part in enumerate(node.parts):
            if len(part.columns) < 2:
                continue
            for axis, values in self.model.groups[part.group].axes.items():
                along = values[part.columns]
                low, high = int(along.min()), int(along.max())
                share = (high - low) / max(int(values.max()), 1)
                if high > low and (widest is None or share > widest[0]):
                    widest = (share, position, axis, (low + high) // 2)
        if widest is None:
            return None
        _, position, axis, value = widest
        order = list(range(node.parts[position].sets + 1))
        self._proof.append(["split", position, axis, value, order])
        return split(self.model, node, position, axis, value, order)[::-1]

    def _by_total(self, node: Node, support: list[tuple[int, int, float]]) -> list[Node] | None:
        """Divide on an integer total that is fractional in the relaxation, if one side closes at once."""
        total = totals(self.model, node, support)
        fractional = []
        for k, row in enumerate(self.model.rows):
            if row.integral:
                value = float(np.ldexp(total[k], BITS - row.bits))
                off = abs(value - round(value))
                if off > 0.02:
                    fractional.append((off, k, int(np.floor(value))))
        for _, k, b in sorted(fractional, reverse=True)[:6]:
            sides = by_total(self.model, node, k, b)
            if any(NodeProgram(self.model, side, self._deadline).solve().multipliers is not None for side in sides):
                self._proof.append(["total", k, b])
                return sides[::-1]
        return None


def _direction(model: Model, part: WeightedPart, axis: str) -> np.ndarray:
    """tp, tn, or the sum or difference of the two rates."""
    if axis in ("tp", "tn"):
        return coordinate(model, part, axis)
    group = model.groups[part.group]
    sens = group.tp[part.columns] / np.maximum(group.p[part.columns], 1)
    spec = group.tn[part.columns] / np.maximum(group.n[part.columns], 1)
    along: np.ndarray = sens + spec if axis == "sum" else sens - spec
    return along


def halves(node: Node) -> tuple[list[int], list[int]] | None:
    """The sets (as positions of their parts) in two halves of few combinations; None if that is too many.

    Sets with one column are in neither.
    """
    open_parts = [k for k, part in enumerate(node.parts) if len(part.columns) > 1]
    split: tuple[list[int], list[int]] = ([], [])
    sizes = [1, 1]
    for k in sorted(open_parts, key=lambda k: -len(node.parts[k].columns)):
        alike = [0, 0]  # sets in each half, whose choices count in one order only
        for _ in range(node.parts[k].sets):
            side = 0 if sizes[0] <= sizes[1] else 1
            split[side].append(k)
            alike[side] += 1
            sizes[side] = sizes[side] * (len(node.parts[k].columns) + alike[side] - 1) // alike[side]
            if max(sizes) > _MOST or any(
                len(half) * size > _MOST_CHOSEN for half, size in zip(split, sizes, strict=True)
            ):
                return None
    return split


def enumerate_node(model: Model, node: Node, deadline: Budget = NEVER) -> tuple[ConfusionMatrix, ...] | None:
    """A combination of a node that fits, empty if none does; None if there are too many to try them.

    Sums of the two halves are matched on the few rows that tell combinations apart best; what matches is judged by
    all rows, exactly. Judging takes a millisecond or so, and thousands may match: time is watched all along.
    """
    parted = halves(node)
    if parted is None:
        return None
    rows, share = _telling(model, node)
    pairs = math.prod(
        math.comb(len(node.parts[k].columns) + sets - 1, sets) for half in parted for k, sets in Counter(half).items()
    )
    if pairs * min(share, 1.0) > 4 * _MOST_PAIRS:
        return None
    listed = [_combinations(node, half, deadline) for half in parted]
    wide = _widths(model, node, rows)
    low, high = _bounds(node, rows)
    deadline.charge(_SUM * len(rows) * sum(combinations.shape[1] for combinations in listed))
    left, right = (_sums(model, node, half, at, rows) for half, at in zip(parted, listed, strict=True))
    for _, part in _settled(node):
        left += sums(model, part, rows)
    matches = Matches(left, right, low - _SLACK - wide, high + _SLACK)
    if matches.pairs > _MOST_PAIRS:
        return None
    whole = list(range(len(model.rows)))
    lows, highs = (ends[:, None] for ends in _bounds(node, whole))
    lows, highs = lows - _SLACK - _widths(model, node, whole)[:, None], highs + _SLACK
    places = [k for half in parted for k in half]
    settled = [(k, int(part.columns[0])) for k, part in _settled(node)]
    known = np.sum([model.groups[node.parts[k].group].low[:, [at]] for k, at in settled], axis=0)
    judged: set[tuple[ConfusionMatrix, ...]] = set()  # columns that differ in how 0/0 counts are the same matrices
    for pairs_found in matches.portions(deadline):
        combined = np.concatenate([half[:, at] for half, at in zip(listed, pairs_found, strict=True)])
        chosen = np.zeros_like(combined)
        total = np.zeros((len(whole), combined.shape[1])) + known
        for place, k in enumerate(places):
            chosen[place] = node.parts[k].columns[combined[place]]
            total += model.groups[node.parts[k].group].low[:, chosen[place]]
        for columns in _distinct(places, chosen[:, ((total >= lows) & (total <= highs)).all(axis=0)]).tolist():
            deadline.tick()
            witness = matrices(model, node, [*zip(places, columns, strict=True), *settled])
            if witness in judged:
                continue
            judged.add(witness)
            if len(judged) > _MOST_MATCHES:
                return None
            if model.constraints.fits(witness):
                return witness
    return ()


def _bounds(node: Node, rows: list[int]) -> tuple[Floats, Floats]:
    """The bounds of some rows."""
    low, high = np.array([(node.lows[k], node.highs[k]) for k in rows], dtype=np.float64).T
    return low, high


def _widths(model: Model, node: Node, rows: list[int]) -> Floats:
    """By how much the sums of columns that stand for a range of values may exceed those of their lower ends."""
    widths = np.zeros(len(rows))
    for part in node.parts:
        group = model.groups[part.group]
        gap = np.array([(group.high[row][part.columns] - group.low[row][part.columns]).max() for row in rows])
        widths += part.sets * np.where(gap > 4, gap, 0)  # rounding outwards alone makes at most 2
    return widths


def _telling(model: Model, node: Node) -> tuple[list[int], float]:
    """The rows whose bounds are narrowest against the spread of their columns, and the two narrowest's share of it."""
    share = []
    for k in range(len(model.rows)):
        spread = sum(
            part.sets * (int(values.max()) - int(values.min()))
            for part in node.parts
            for values in [model.groups[part.group].low[k][part.columns]]
        )
        low, high = _bounds(node, [k])
        share.append((float(high[0] - low[0]) / spread if spread else np.inf, k))
    best = sorted(share)[:_TELLING]
    return [k for _, k in best], max(0.0, float(best[0][0])) * min(
        1.0, max(_LEAST_SHARE, float(best[1 % len(best)][0]))
    )


def _settled(node: Node) -> list[tuple[int, WeightedPart]]:
    """The parts with one column, once for each of their sets."""
    return [(k, part) for k, part in enumerate(node.parts) if len(part.columns) == 1 for _ in range(part.sets)]


def _combinations(node: Node, half: list[int], deadline: Budget) -> Ints:
    """Places of columns (sets x combinations); of alike sets each choice in one order only."""
    chosen = np.zeros((0, 1), dtype=np.int64)
    for place, k in enumerate(half):
        deadline.tick()
        size = len(node.parts[k].columns)
        least = chosen[-1] if place and half[place - 1] == k else np.zeros(chosen.shape[1], dtype=np.int64)
        counts = size - least
        begin = np.repeat(np.cumsum(counts) - counts - least, counts)
        chosen = np.vstack([np.repeat(chosen, counts, axis=1), np.arange(int(counts.sum())) - begin])
    deadline.tick()
    return chosen


def _sums(model: Model, node: Node, half: list[int], chosen: Ints, rows: list[int]) -> Floats:
    """The sums of combinations of a half (rows x combinations)."""
    total = np.zeros((len(rows), chosen.shape[1]))
    for k, at in zip(half, chosen, strict=True):
        total += sums(model, node.parts[k], rows).take(at, axis=1)
    return total


def _distinct(places: list[int], chosen: Ints) -> Ints:
    """Combinations (one in each row) that differ not only in which of several alike sets has which column."""
    chosen = chosen.copy()
    for k in set(places):
        alike = [at for at, place in enumerate(places) if place == k]
        chosen[alike] = np.sort(chosen[alike], axis=0)
    return np.unique(chosen.T, axis=0)


def matrices(model: Model, node: Node, chosen: list[tuple[int, int]]) -> tuple[ConfusionMatrix, ...]:
    """A choice of columns as one matrix per evaluation set, in the order of the sets."""
    by_set: dict[int, ConfusionMatrix] = {}
    free = {k: iter(group.indices) for k, group in enumerate(model.groups)}
    for k, column in sorted(chosen):
        number = node.parts[k].group
        group = model.groups[number]
        p, n, tp, tn = (int(x[column]) for x in (group.p, group.n, group.tp, group.tn))
        by_set[next(free[number])] = ConfusionMatrix(tp, n - tn, p - tp, tn)
    return tuple(by_set[index] for index in sorted(by_set))
