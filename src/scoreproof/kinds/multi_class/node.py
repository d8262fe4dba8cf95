"""A part of all counts: a box for every cell, ranges of the correct cases, a range of the sum of squares.

``narrowed`` draws from the sums what each cell can still have: all q of a matrix add up to its cases N, all tp to T,
and no class has fn + fp = n + q - 2 tp above the N - T wrong cases. The verifier narrows the same boxes by code of
its own; a proof only says where to cut and how each part is refuted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from scoreproof.kinds.multi_class.cells import CountBox, tightened
from scoreproof.kinds.multi_class.model import Agreement, ClassesModel

_ROUNDS = 12


@dataclass(frozen=True, slots=True)
class CountPart:
    """Boxes of all cells; least and most correct cases of every set; least and greatest sum of q squared."""

    boxes: tuple[CountBox, ...]
    right: tuple[tuple[int, int], ...]
    squares: tuple[int, int] | None = None

    def cut_cell(self, cell: int, axis: str, value: int, *, above: bool) -> CountPart:
        boxes = list(self.boxes)
        boxes[cell] = boxes[cell].cut(axis, value, above=above)
        return replace(self, boxes=tuple(boxes))

    def cut_right(self, number: int, value: int, *, above: bool) -> CountPart:
        right = list(self.right)
        low, high = right[number]
        right[number] = (value + 1, high) if above else (low, value)
        return replace(self, right=tuple(right))

    def cut_squares(self, value: int, *, above: bool) -> CountPart:
        assert self.squares is not None
        low, high = self.squares
        return replace(self, squares=(value + 1, high) if above else (low, value))


def root_of(model: ClassesModel) -> CountPart:
    """All counts."""
    squares = any(isinstance(goal, Agreement) and goal.name == "mcc" for goal in model.goals)
    total = model.cells[0].total
    return CountPart(
        tuple(cell.box for cell in model.cells), tuple(model.right), (0, total * total) if squares else None
    )


def narrowed(model: ClassesModel, node: CountPart) -> CountPart | None:
    """What the sums leave of a node; None if it is nothing."""
    boxes, right, squares = list(node.boxes), list(node.right), node.squares
    for _ in range(_ROUNDS):
        before = (list(boxes), list(right))
        for number, cells in enumerate(model.sets):
            ends = _narrow_set(model, cells, boxes, right[number])
            if ends is None:
                return None
            right[number] = ends
        if squares is not None:
            low = max(squares[0], sum(box.q0**2 for box in boxes))
            high = min(squares[1], sum(box.q1**2 for box in boxes))
            if low > high:
                return None
            squares = low, high
        if (boxes, right) == before:
            break
    return CountPart(tuple(boxes), tuple(right), squares)


def _narrow_set(
    model: ClassesModel, cells: list[int], boxes: list[CountBox], right: tuple[int, int]
) -> tuple[int, int] | None:
    t_low, t_high = sum(boxes[c].t0 for c in cells), sum(boxes[c].t1 for c in cells)
    least, most = max(right[0], t_low), min(right[1], t_high)
    total = model.cells[cells[0]].total
    q_low = q_high = 0
    if model.exclusive:
        q_low, q_high = sum(boxes[c].q0 for c in cells), sum(boxes[c].q1 for c in cells)
        if q_low > total or q_high < total:
            return None
        fullest = max(model.cells[c].n + boxes[c].q0 - 2 * boxes[c].t1 for c in cells)
        most = min(most, total - fullest)
    if least > most:
        return None
    for c in cells:
        cell, box = model.cells[c], boxes[c]
        t0, t1, q0, q1 = box
        t0, t1 = max(t0, least - t_high + box.t1), min(t1, most - t_low + box.t0)
        rules = cell.rules
        if model.exclusive:
            q0, q1 = max(q0, total - q_high + box.q1), min(q1, total - q_low + box.q0)
            rules = (*rules, (-2, 1, total - least - cell.n))
        narrow = tightened(CountBox(t0, t1, q0, q1), rules)
        if narrow.empty:
            return None
        boxes[c] = narrow
    return least, most


def rules_at(model: ClassesModel, node: CountPart, cell: int) -> tuple[tuple[int, int, int], ...]:
    """The rules of a cell in a node: its own, and that its wrong cases are among all of them."""
    own = model.cells[cell]
    if not model.exclusive:
        return own.rules
    return (*own.rules, (-2, 1, own.total - node.right[own.number][0] - own.n))
