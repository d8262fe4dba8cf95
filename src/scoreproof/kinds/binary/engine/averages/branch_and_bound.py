"""Branch and bound over (tp, tn) with LP bounds (Land and Doig 1960, doi:10.2307/1910129).

A node is relaxed, its columns are filtered by multipliers, every combination is tried if they are few
(``meet_in_the_middle``), and otherwise it is divided, until all are closed.

Proof steps, in the order in which a reader walks the tree (each node: filters, then how it ends):

    ["filter", [y...]]        drop what these multipliers rule out; the node is closed if that is everything
    ["all"]                   every combination left was tried: none fits
    ["total", row, b]         two nodes: the integer total is at most b, or at least b + 1
    ["split", part, axis, v, [j...]]  a node for each j: so many of the part's sets have axis <= v
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from scoreproof.kinds.binary.engine.averages.dual_bound import (
    Model,
    Node,
    NodeProgram,
    Relaxation,
    WeightedPart,
    as_integers,
    filtered,
    root,
    size,
)
from scoreproof.kinds.binary.engine.averages.meet_in_the_middle import LeafAnswer, enumerate_node
from scoreproof.kinds.binary.engine.averages.points import BITS
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.work.budget import Budget, OutOfTime

_PROBED = ("tp", "tn", "sum", "difference")
_TRIES = 3  # at one extreme


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
        self._relaxation = Relaxation(model)
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
        self._relaxation.deadline = deadline
        at_hand: Node | None = None
        known = 0
        try:
            while self._stack and self._stuck is None:
                (pause or deadline).tick()
                at_hand, known = self._stack.pop(), len(self._proof)
                self._stuck = self._visit(at_hand, deadline)
                at_hand = None
        except OutOfTime:
            if at_hand is not None:  # begun anew next time
                del self._proof[known:]
                self._stack.append(at_hand)
            return TreeOutcome(reason=f"{self._nodes} nodes of the search tree, {len(self._stack)} left open")
        return self._stuck or TreeOutcome(proof=self._proof)

    def _visit(self, node: Node, deadline: Budget) -> TreeOutcome | None:
        """Close a node or divide it; what came of it, if that ends the search."""
        self._nodes += 1
        prepared = self._prepare(node)
        if prepared is None:
            return None
        node, support = prepared
        leaf = enumerate_node(self.model, node, deadline)
        if leaf.answer is LeafAnswer.FOUND:
            return TreeOutcome(witness=leaf.witness)
        if leaf.answer is LeafAnswer.NONE:
            self._proof.append(["all"])
            return None
        children = (self._by_total(node, support) if support else None) or self._divide(node)
        if children is None:
            return TreeOutcome(reason=f"{self._nodes} nodes of the search tree, one of which cannot be divided further")
        self._stack += children
        return None

    def _prepare(self, node: Node) -> tuple[Node, list[tuple[int, int, float]]] | None:
        """Relax, filter, and probe the extremes of each part; None if the node is closed."""
        program = self._relaxation.open(node)
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
        totals = self._relaxation.totals(node, support)
        fractional = []
        for k, row in enumerate(self.model.rows):
            if row.integral:
                value = float(np.ldexp(totals[k], BITS - row.bits))
                off = abs(value - round(value))
                if off > 0.02:
                    fractional.append((off, k, int(np.floor(value))))
        for _, k, b in sorted(fractional, reverse=True)[:6]:
            sides = by_total(self.model, node, k, b)
            if any(self._relaxation.solve(side).multipliers is not None for side in sides):
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


def coordinate(model: Model, part: WeightedPart, axis: str) -> np.ndarray:
    """One of the axes of a group, for the columns left to a part."""
    values: np.ndarray = model.groups[part.group].axes[axis][part.columns]
    return values


def split(model: Model, node: Node, position: int, axis: str, value: int, order: list[int]) -> list[Node]:
    """The nodes in which j of the part's sets have axis <= value, for each j; impossible ones are left out."""
    part = node.parts[position]
    below = coordinate(model, part, axis) <= value
    lower, upper = part.columns[below], part.columns[~below]
    children = []
    for j in order:
        pieces = [
            part._replace(columns=columns, sets=count)
            for columns, count in ((lower, j), (upper, part.sets - j))
            if count
        ]
        if all(len(piece.columns) for piece in pieces):
            children.append(node._replace(parts=node.parts[:position] + pieces + node.parts[position + 1 :]))
    return children


def by_total(model: Model, node: Node, row: int, b: int) -> list[Node]:
    """The nodes in which an integer total is at most b, and at least b + 1."""
    bits = model.rows[row].bits
    highs, lows = list(node.highs), list(node.lows)
    highs[row] = min(highs[row], b << bits)
    lows[row] = max(lows[row], (b + 1) << bits)
    return [node._replace(highs=highs), node._replace(lows=lows)]
