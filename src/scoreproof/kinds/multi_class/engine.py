"""Decide a report: what one class or the sums settle at a glance, then a search for counts, then cutting into parts.

Every part of all counts is refuted by multipliers (``bound``), listed (``listing``), or cut again; the steps are the
proof, in the order in which a reader who always takes the lower half first meets them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scoreproof.kinds.kind import Decision
from scoreproof.kinds.multi_class.bound import MixedClass, Refutation
from scoreproof.kinds.multi_class.cutting import cut_of, left_out
from scoreproof.kinds.multi_class.judge import treatment_of
from scoreproof.kinds.multi_class.listing import Listing, TooMany
from scoreproof.kinds.multi_class.matrix import ClassMatrix, matrix_with
from scoreproof.kinds.multi_class.model import ClassesModel, model_of
from scoreproof.kinds.multi_class.node import CountPart, narrowed, root_of
from scoreproof.kinds.multi_class.problem import ClassesProblem
from scoreproof.kinds.multi_class.seeking import Choice, CountSeeker, Judge
from scoreproof.kinds.multi_class.witness import ClassesWitness
from scoreproof.work.budget import Budget, OutOfTime

_FEW = 3_000  # choices in half of the classes that are listed before anything is searched
_MANY = 40_000  # and after
_FIRST_MOVES, _MOVES = 50, 4_000
_PATIENCE = 30  # parts after which moves are tried for long, whatever fits say; at once of several sets
_SEARCH = 0.35  # of the time, before cutting
_MOST_STEPS = 20_000

Step = list[Any] | None


def decide_classes(problem: ClassesProblem, *, deadline: Budget, seed: int) -> Decision[ClassesWitness]:
    """Counts that give the report, the proof that there are none, or neither."""
    return Engine(problem, deadline, seed).decide()


class Engine:
    """One decision; ``model`` may have more rules than the problem says, ``also`` is asked of counts that fit."""

    def __init__(
        self,
        problem: ClassesProblem,
        deadline: Budget,
        seed: int,
        model: ClassesModel | None = None,
        also: Judge | None = None,
    ) -> None:
        self.problem, self.deadline, self.also = problem, deadline, also
        self.model: ClassesModel = model_of(problem) if model is None else model
        self.seeker = CountSeeker(self.model, self._judged, np.random.default_rng(seed))
        self.steps: list[Any] = []
        self.parts = 0
        self.patience = 1 if len(self.model.sets) > 1 else _PATIENCE

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
        while waiting:
            self.deadline.tick()
            node = narrowed(self.model, waiting.pop())
            if node is None:
                self.steps.append(["none"])
                continue
            counts, step = self._listed(node, _FEW)
            mixed = None
            if step is None and counts is None:
                counts, step, mixed = self._part(node, first=not self.steps)
            if counts is not None:
                return counts
            if step is None:
                cut = cut_of(self.model, node, mixed)
                if cut is None:
                    raise TooMany
                step, low, high = cut
                waiting += [low, high]
            self.steps.append(step)
            if len(self.steps) > _MOST_STEPS:
                raise TooMany
        return None

    def _part(self, node: CountPart, *, first: bool) -> tuple[Choice, Step, MixedClass | None]:
        """Counts of a part that fit, or the step that refutes it, or what should be cut."""
        if first:
            counts = self.seeker.moved(node, _FIRST_MOVES, self.deadline.part(_SEARCH), once=True)
            if counts is not None:
                return counts, None, None
        waits = left_out(self.model, node) is not None
        if waits and not first:  # classes without a correct case are looked at one by one
            return None, None, None
        refutation = Refutation(self.model, node, self.deadline)
        if refutation.proof is not None:
            return None, refutation.proof, None
        counts = self.seeker.fitted(node, self.deadline.part(_SEARCH)) if first else None
        if counts is None:
            counts = self.seeker.fitted(node, self.deadline.part(_SEARCH), refutation.guess)
        if counts is not None or waits:
            return counts, None, None
        self.parts += 1
        if self.parts == self.patience:
            counts = self.seeker.moved(node, _MOVES, self.deadline.part(_SEARCH), refutation.guess, once=False)
            if counts is not None:
                return counts, None, None
        return *self._listed(node, _MANY), refutation.mixed

    def _listed(self, node: CountPart, most: int) -> tuple[Choice, Step]:
        """Counts or a step, if a list of all counts is not too long."""
        try:
            counts = Listing(self.model, node, self.deadline, most).first(self._judged)
        except TooMany:
            return None, None
        return counts, ["list"] if counts is None else None

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
