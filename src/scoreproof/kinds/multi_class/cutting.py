"""Where a part of all counts that is neither met nor refuted is cut in two.

First whatever a refutation would be blunt on: classes without a correct case, whose F-scores may be left out; the range
of squares that a chord of MCC spans; a wide range of correct cases. Then the class that the linear program gives
several counts at once, between them: there the program is furthest from what one matrix can have. If it mixes nothing
that matters, whole numbers do, and the widest range is halved until what is left can be listed.
"""

from __future__ import annotations

from typing import Any

from scoreproof.kinds.multi_class.bound import MixedClass
from scoreproof.kinds.multi_class.model import Agreement, ClassesModel
from scoreproof.kinds.multi_class.node import CountPart
from scoreproof.reported.conventions import Undefined

_MATTERS = 0.05  # widths of claims by which mixed scores are off
Cut = tuple[list[Any], CountPart, CountPart]


def cut_of(model: ClassesModel, node: CountPart, mixed: MixedClass | None) -> Cut | None:
    """A part cut in two, as a step of a proof and both halves; None if it is a single choice of counts."""
    apart = left_out(model, node)
    if apart is not None:
        return _cut_cell(node, apart, "tp", 0)
    if node.squares is not None and _squares_matter(model, node):
        value = (node.squares[0] + node.squares[1]) // 2
        return ["squares", value], node.cut_squares(value, above=False), node.cut_squares(value, above=True)
    for number, (least, most) in enumerate(node.right):
        total = sum(model.cells[c].n for c in model.sets[number])
        if most - least > max(8, total // 20):
            value = (least + most) // 2
            low, high = (node.cut_right(number, value, above=above) for above in (False, True))
            return ["right", number, value], low, high
    if mixed is not None and mixed.gap > _MATTERS:
        low_end, high_end = _ends(node, mixed.cell, mixed.axis)
        if low_end < high_end:
            return _cut_cell(node, mixed.cell, mixed.axis, min(max(mixed.value, low_end), high_end - 1))
    ranges = [(*_ends(node, c, axis), c, axis) for c in range(len(node.boxes)) for axis in ("tp", "q")]
    low_end, high_end, cell, axis = max(ranges, key=lambda entry: entry[1] - entry[0])
    return _cut_cell(node, cell, axis, (low_end + high_end) // 2) if low_end < high_end else None


def _ends(node: CountPart, cell: int, axis: str) -> tuple[int, int]:
    box = node.boxes[cell]
    return (box.t0, box.t1) if axis == "tp" else (box.q0, box.q1)


def _cut_cell(node: CountPart, cell: int, axis: str, value: int) -> Cut:
    low, high = (node.cut_cell(cell, axis, value, above=above) for above in (False, True))
    return ["cut", cell, axis, value], low, high


def left_out(model: ClassesModel, node: CountPart) -> int | None:
    """A class that may have no correct case, so that its F-score may be left out: looked at by itself."""
    if model.problem.undefined not in (Undefined.ANY, Undefined.SKIP):
        return None
    if not any(mean.form.harmonic for mean in model.means):
        return None
    return next((c for c, box in enumerate(node.boxes) if box.t0 == 0 < box.t1), None)


def _squares_matter(model: ClassesModel, node: CountPart) -> bool:
    """Whether the chord of MCC over the range of squares is too far off."""
    assert node.squares is not None
    total = float(model.cells[0].total) ** 2
    least, most = (max(0.0, 1 - end / total) for end in reversed(node.squares))
    bow = (most**0.5 - least**0.5) ** 2 / max(4 * (most**0.5 + least**0.5), 1e-9)
    widths = [float(goal.high - goal.low) for goal in model.goals if isinstance(goal, Agreement) and goal.name == "mcc"]
    return bow > min(widths) / 4 and node.squares[0] < node.squares[1]
