"""Decide a report: what one class or the sums settle at a glance, then a search for counts, then cutting into parts.

Every part of all counts is refuted by multipliers (``bound``), listed (``listing``), or cut again; the steps are the
proof, in the order in which a reader who always takes the lower half first meets them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scoreproof.kinds.kind import Decision
from scoreproof.kinds.multi_class.bound import Refutation
from scoreproof.kinds.multi_class.judge import treatment_of
from scoreproof.kinds.multi_class.listing import Listing, TooMany
from scoreproof.kinds.multi_class.matrix import ClassMatrix, matrix_with
from scoreproof.kinds.multi_class.model import Agreement, ClassesModel, model_of
from scoreproof.kinds.multi_class.node import CountPart, narrowed, root_of
from scoreproof.kinds.multi_class.problem import ClassesProblem
from scoreproof.kinds.multi_class.seeking import Judge, Seeker
from scoreproof.kinds.multi_class.witness import ClassesWitness
from scoreproof.reported.conventions import Undefined
from scoreproof.work.deadline import Deadline, OutOfTime

_FEW = 3_000  # choices in half of the classes that are listed before anything is searched
_MANY = 40_000  # and after
_FIRST_MOVES, _MOVES = 50, 4_000
_STEPS_IN_PART = 60
_SEARCH = 0.35  # of the time, before cutting
_MOST_STEPS = 20_000

Cut = tuple[list[Any], CountPart, CountPart]


def decide_classes(problem: ClassesProblem, *, deadline: Deadline, seed: int) -> Decision[ClassesWitness]:
    """Counts that give the report, the proof that there are none, or neither."""
    return Engine(problem, deadline, seed).decide()


class Engine:
    """One decision; ``model`` may have more rules than the problem says, ``also`` is asked of counts that fit."""

    def __init__(
        self,
        problem: ClassesProblem,
        deadline: Deadline,
        seed: int,
        model: ClassesModel | None = None,
        also: Judge | None = None,
    ) -> None:
        self.problem, self.deadline, self.also = problem, deadline, also
        self.model: ClassesModel = model_of(problem) if model is None else model
        self.seeker = Seeker(self.model, self._judged, np.random.default_rng(seed))
        self.steps: list[Any] = []
        self.searched = False

    def decide(self) -> Decision[ClassesWitness]:
        if self.model.contradiction is not None:
            return Decision(proof={"kind": "parts", "steps": [["none"]]})
        try:
            counts = self.first()
        except OutOfTime:
            return Decision(reason=self._reason())
        except TooMany:
            return Decision(reason=f"more than {_MOST_STEPS} parts of all counts had to be looked at")
        if counts is None:
            return Decision(proof={"kind": "parts", "steps": self.steps})
        return Decision(self._witness(counts))

    def _reason(self) -> str:
        return (
            f"within {self.deadline.seconds:.3g} s neither counts of {len(self.problem.classes)} classes that give all "
            "scores were found nor a proof that there are none"
        )

    # --- parts

    def first(self) -> list[tuple[int, int]] | None:
        """Counts that fit; None if every part was refuted, as ``steps`` say."""
        waiting = [root_of(self.model)]
        first = True
        while waiting:
            self.deadline.check()
            node = narrowed(self.model, waiting.pop())
            if node is None:
                self.steps.append(["none"])
                continue
            counts, closed = self._part(node, first)
            if counts is not None:
                return counts
            first = False
            if closed:
                continue
            cut = self._cut(node)
            if cut is None:
                raise TooMany
            step, low, high = cut
            self.steps.append(step)
            waiting += [low, high]
            if len(self.steps) > _MOST_STEPS:
                raise TooMany
        return None

    def _part(self, node: CountPart, first: bool) -> tuple[list[tuple[int, int]] | None, bool]:
        """Counts of a part that fit, or whether it is refuted."""
        listed = self._listed(node, _FEW)
        if listed is not None:
            return listed
        if first:
            due = self.deadline.part(_SEARCH)
            counts = self.seeker.moved(node, _FIRST_MOVES, due, once=True) or self.seeker.fitted(node, due)
            if counts is not None:
                return counts, False
        waits = self._left_out(node) is not None
        if waits and not first:
            return None, False
        refutation = Refutation(self.model, node, self.deadline)
        if refutation.proof is not None:
            self.steps.append(refutation.proof)
            return None, True
        if waits:  # classes without a correct case are looked at one by one; before that, near what the rows admit
            return self.seeker.fitted(node, self.deadline.part(_SEARCH), refutation.guess), False
        moves, share = (_STEPS_IN_PART, 0.05) if self.searched else (_MOVES, _SEARCH)
        counts = self.seeker.moved(node, moves, self.deadline.part(share), refutation.guess, once=False)
        self.searched = True
        if counts is not None:
            return counts, False
        listed = self._listed(node, _MANY)
        return (None, False) if listed is None else listed

    def _listed(self, node: CountPart, most: int) -> tuple[list[tuple[int, int]] | None, bool] | None:
        """What a list of all counts says, if it is not too long."""
        try:
            counts = Listing(self.model, node, self.deadline, most).first(self._judged)
        except TooMany:
            return None
        if counts is None:
            self.steps.append(["list"])
        return counts, counts is None

    # --- cuts

    def _cut(self, node: CountPart) -> Cut | None:
        """A part cut in two, where it is widest."""
        model = self.model
        apart = self._left_out(node)
        if apart is not None:
            low, high = (node.cut_cell(apart, "tp", 0, above=above) for above in (False, True))
            return ["cut", apart, "tp", 0], low, high
        if node.squares is not None and self._squares_matter(node):
            value = (node.squares[0] + node.squares[1]) // 2
            return ["squares", value], node.cut_squares(value, above=False), node.cut_squares(value, above=True)
        for number, (least, most) in enumerate(node.right):
            total = sum(model.cells[c].n for c in model.sets[number])
            if most - least > max(8, total // 20):
                value = (least + most) // 2
                low, high = (node.cut_right(number, value, above=above) for above in (False, True))
                return ["right", number, value], low, high
        widest = max(
            (
                ((box.t1 - box.t0, c, "tp") if (box.t1 - box.t0) >= (box.q1 - box.q0) else (box.q1 - box.q0, c, "q"))
                for c, box in enumerate(node.boxes)
            ),
            key=lambda entry: entry[0],
        )
        width, cell, axis = widest
        if width == 0:
            return None
        box = node.boxes[cell]
        value = (box.t0 + box.t1) // 2 if axis == "tp" else (box.q0 + box.q1) // 2
        low, high = (node.cut_cell(cell, axis, value, above=above) for above in (False, True))
        return ["cut", cell, axis, value], low, high

    def _left_out(self, node: CountPart) -> int | None:
        """A class that may have no correct case, so that its F-score may be left out: looked at by itself."""
        if self.problem.undefined not in (Undefined.ANY, Undefined.SKIP):
            return None
        if not any(mean.form.harmonic for mean in self.model.means):
            return None
        return next((c for c, box in enumerate(node.boxes) if box.t0 == 0 < box.t1), None)

    def _squares_matter(self, node: CountPart) -> bool:
        """Whether the chord of MCC over the range of squares is too far off."""
        assert node.squares is not None
        total = float(self.model.cells[0].total) ** 2
        least, most = (max(0.0, 1 - end / total) for end in reversed(node.squares))
        bow = (most**0.5 - least**0.5) ** 2 / max(4 * (most**0.5 + least**0.5), 1e-9)
        widths = [
            float(goal.high - goal.low)
            for goal in self.model.goals
            if isinstance(goal, Agreement) and goal.name == "mcc"
        ]
        return bow > min(widths) / 4 and node.squares[0] < node.squares[1]

    # --- judging

    def _judged(self, counts: list[tuple[int, int]]) -> bool:
        if not self._sound(counts) or (self.also is not None and not self.also(counts)):
            return False
        return treatment_of(self.problem, self._by_set(counts)) is not False

    def _by_set(self, counts: list[tuple[int, int]]) -> list[list[tuple[int, int]]]:
        return [[counts[c] for c in cells] for cells in self.model.sets]

    def _sound(self, counts: list[tuple[int, int]]) -> bool:
        for c, (tp, q) in enumerate(counts):
            cell = self.model.cells[c]
            if not 0 <= tp <= min(cell.n, q) or q - tp > cell.box.q1:
                return False
        if not self.model.exclusive:
            return True
        for cells in self.model.sets:
            total = self.model.cells[cells[0]].total
            wrong = total - sum(counts[c][0] for c in cells)
            if sum(counts[c][1] for c in cells) != total:
                return False
            if any(self.model.cells[c].n + counts[c][1] - 2 * counts[c][0] > wrong for c in cells):
                return False
        return True

    def _witness(self, counts: list[tuple[int, int]]) -> ClassesWitness:
        if not self.model.exclusive:
            return ClassesWitness(labels=tuple(map(tuple, self._by_set(counts))))
        matrices: list[ClassMatrix] = []
        for cells in self.model.sets:
            points = [(counts[c][0], counts[c][1] - counts[c][0]) for c in cells]
            matrices.append(matrix_with(points, [self.model.cells[c].n for c in cells]))
        return ClassesWitness(tuple(matrices))
