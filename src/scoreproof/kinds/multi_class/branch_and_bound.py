"""Branch and bound (Land and Doig 1960, doi:10.2307/1910129) over the counts of all classes, primal searches first.

A whole report leaves little open and is met by moves from any start. Where averages alone are reported, most starts are
nowhere near; so first come counts with fractions that meet all goals (``fitting``), and moves from those.

First whatever a refutation would be blunt on: classes without a correct case, whose F-scores may be left out; a wide
range of correct cases. Then the widest range is halved until what is left can be listed.

Every part of all counts is refuted by multipliers (``dual_bound``), listed (``searches``), or cut again; the steps are
the proof, in the order in which a reader who always takes the lower half first meets them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scoreproof.kinds.kind import Decision
from scoreproof.kinds.multi_class.dual_bound import NodeRefutation
from scoreproof.kinds.multi_class.fitting import Features, Fitting, likely_share, likely_starts
from scoreproof.kinds.multi_class.model import ClassesModel, CountPart, model_of, narrowed, root_of
from scoreproof.kinds.multi_class.problem import ClassesProblem
from scoreproof.kinds.multi_class.searches import Counts, CountSearch, Judge, TooMany, listed_choice
from scoreproof.kinds.multi_class.witness import ClassesWitness, ClassMatrix, matrix_with, treatment_of
from scoreproof.reported.conventions import Undefined
from scoreproof.work.budget import Budget, OutOfTime

_FIT_MOVES, _FEW_MOVES = 300, 60
_CLOSE, _FAR = 0.5, 1.5  # half widths or cases off that moves make up for, or may


def cut_of(model: ClassesModel, node: CountPart) -> list[Any] | None:
    """Where a part is cut in two, as a step of a proof; None if it is a single choice of counts."""
    apart = left_out(model, node)
    if apart is not None:
        return ["cut", apart, "tp", 0]
    for number, (least, most) in enumerate(node.right):
        if most - least > max(8, sum(model.cells[c].n for c in model.sets[number]) // 20):
            return ["right", number, (least + most) // 2]
    ranges = [(t1 - t0, t0, c, "tp") for c, (t0, t1, _, _) in enumerate(node.boxes)]
    ranges += [(q1 - q0, q0, c, "q") for c, (_, _, q0, q1) in enumerate(node.boxes)]
    width, low, cell, axis = max(ranges, key=lambda entry: entry[0])
    return ["cut", cell, axis, low + width // 2] if width > 0 else None


def left_out(model: ClassesModel, node: CountPart) -> int | None:
    """A class that may have no correct case, so that its F-score may be left out: looked at by itself."""
    if model.problem.undefined not in (Undefined.ANY, Undefined.SKIP):
        return None
    if not any(mean.form.harmonic for mean in model.means):
        return None
    return next((c for c, box in enumerate(node.boxes) if box.t0 == 0 < box.t1), None)


_FEW = 3_000  # choices in half of the classes that are listed
_FIRST_MOVES = 50
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
        self.rng, self.features = np.random.default_rng(seed), Features(self.model)
        self.steps: list[Any] = []

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

    def first(self) -> Counts | None:
        """Counts that fit; None if every part was refuted, as ``steps`` say."""
        waiting = [root_of(self.model)]
        while waiting:
            self.deadline.tick()
            node = narrowed(self.model, waiting.pop())
            if node is None:
                self.steps.append(["none"])
                continue
            counts, step = self._listed(node)
            if step is None and counts is None:
                counts, step = self._part(node, first=not self.steps)
            if counts is not None:
                return counts
            if step is None:
                step = cut_of(self.model, node)
                if step is None:
                    raise TooMany
                waiting += node.halves(step)
            self.steps.append(step)
            if len(self.steps) > _MOST_STEPS:
                raise TooMany
        return None

    def _part(self, node: CountPart, *, first: bool) -> tuple[Counts | None, Step]:
        """Counts of a part that fit, or the step that refutes it, or neither."""
        share = likely_share(self.model)
        search = CountSearch(self.model, node, self.features, self.rng)
        if first:
            alike = [(cell.n * share, cell.n) for cell in self.model.cells]
            counts = search.find(self.deadline.part(_SEARCH), self._judged, alike, _FIRST_MOVES)
            if counts is not None:
                return counts, None
        elif left_out(self.model, node) is not None:  # such classes are looked at one by one
            return None, None
        refutation = NodeRefutation(self.model, node, self.deadline)
        if refutation.proof is not None:
            return None, refutation.proof
        starts = likely_starts(self.model, share, self.rng) if first else []
        fitting, deadline = Fitting(self.model, node, self.features), self.deadline.part(_SEARCH)
        for start in [*starts, *([refutation.guess] if refutation.guess is not None else [])]:
            if deadline.passed:
                break
            fit = fitting.fit(start, deadline)
            if fit.far <= _FAR:
                moves = _FIT_MOVES if fit.far <= _CLOSE else _FEW_MOVES
                counts = search.find(deadline, self._judged, fit.counts, moves)
                if counts is not None:
                    return counts, None
        return None, None

    def _listed(self, node: CountPart) -> tuple[Counts | None, Step]:
        """Counts or a step, if a list of all counts is not too long."""
        try:
            counts = listed_choice(self.model, node, self.deadline, _FEW, self._judged)
        except TooMany:
            return None, None
        return counts, ["list"] if counts is None else None

    # --- judging

    def _judged(self, counts: Counts) -> bool:
        if not self._sound(counts) or (self.also is not None and not self.also(counts)):
            return False
        return treatment_of(self.problem, self._by_set(counts)) is not False

    def _by_set(self, counts: Counts) -> list[Counts]:
        return [[counts[c] for c in cells] for cells in self.model.sets]

    def _sound(self, counts: Counts) -> bool:
        """Whether whole counts keep to every line of the model."""
        if not all(0 <= tp <= cell.n for (tp, _), cell in zip(counts, self.model.cells, strict=True)):
            return False
        values = [number for point in counts for number in point]
        values += [sum(tp for tp, _ in own) for own in self._by_set(counts)]
        return all(
            constant + sum(value * values[at] for at, value in parts) >= 0 for parts, constant in self.model.lines
        )

    def _witness(self, counts: Counts) -> ClassesWitness:
        if not self.model.exclusive:
            return ClassesWitness(labels=tuple(map(tuple, self._by_set(counts))))
        matrices: list[ClassMatrix] = []
        for cells in self.model.sets:
            points = [(counts[c][0], counts[c][1] - counts[c][0]) for c in cells]
            matrices.append(matrix_with(points, [self.model.cells[c].n for c in cells]))
        return ClassesWitness(tuple(matrices))
