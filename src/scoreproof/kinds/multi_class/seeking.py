"""Counts that give a report, sought in a part of all counts: by each treatment of 0/0 that may be what was done.

A whole report leaves little open and is met by moves from any start. Where averages alone are reported, most starts are
nowhere near; so first come counts with fractions that meet all goals (``fitting``), and moves from those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from scoreproof.kinds.multi_class.features import Features
from scoreproof.kinds.multi_class.fitting import Fitting, likely_starts
from scoreproof.kinds.multi_class.judge import ADMITTED, FILLED, Treatment
from scoreproof.kinds.multi_class.model import ClassesModel, defined
from scoreproof.kinds.multi_class.node import CountPart, narrowed
from scoreproof.kinds.multi_class.problem import asked_of
from scoreproof.kinds.multi_class.search import CountSearch, Guess, likely_share
from scoreproof.work.budget import Budget

_FIT_MOVES, _FEW_MOVES = 300, 60
_CLOSE, _FAR = 0.5, 1.5  # half widths or cases off that moves make up for, or may
Judge = Callable[[list[tuple[int, int]]], bool]
Choice = list[tuple[int, int]] | None


class CountSeeker:
    """Searches of one decision; whatever they come to is judged by ``judge``."""

    def __init__(self, model: ClassesModel, judge: Judge, rng: np.random.Generator) -> None:
        self.model, self.judge, self.rng = model, judge, rng
        self.share = likely_share(model)

    def moved(self, node: CountPart, moves: int, deadline: Budget, guess: Guess = None, *, once: bool) -> Choice:
        """Counts that so many moves from a guess lead to, by the first treatment that is possible or by any."""
        for features, part in self._ways(node, guess):
            counts = CountSearch(self.model, part, features, self.rng).find(
                deadline, self.judge, self.share, moves, guess
            )
            if counts is not None or once:
                return counts
        return None

    def fitted(self, node: CountPart, deadline: Budget, guess: Guess = None) -> Choice:
        """Counts near fractions that meet all goals, from a guess or from likely starts."""
        for features, part in self._ways(node, guess):
            search = CountSearch(self.model, part, features, self.rng)
            if not search.possible:
                continue
            fitting = Fitting(self.model, part, features)
            for start in [guess] if guess is not None else likely_starts(self.model, self.share, self.rng):
                if deadline.passed:
                    return None
                fit = fitting.fit(start, deadline)
                if fit.far <= _FAR:
                    moves = _FIT_MOVES if fit.far <= _CLOSE else _FEW_MOVES
                    counts = search.find(deadline, self.judge, self.share, moves, fit.counts)
                    if counts is not None:
                        return counts
        return None

    def _ways(self, node: CountPart, guess: Guess) -> Iterator[tuple[Features, CountPart]]:
        """Every treatment that can make a difference, and what it leaves of a part."""
        for treatment in self._treatments(node):
            part = treated(self.model, node, treatment)
            if part is not None:
                yield Features(self.model, treatment), part
                if self._all_given(guess):
                    return  # nothing near the start is 0/0

    def _all_given(self, guess: Guess) -> bool:
        """Whether every class has correct cases at a start."""
        if guess is None:
            return all(0 < cell.n < cell.total for cell in self.model.cells)
        return all(min(point) >= 1 for point in guess)

    def _treatments(self, node: CountPart) -> list[Treatment | None]:
        """The treatments of 0/0 that can make a difference in a part."""
        model = self.model
        admitted = list(ADMITTED[model.problem.undefined])
        empty = any(box.q0 == 0 for box in node.boxes) or any(cell.n in (0, cell.total) for cell in model.cells)
        harmonic = any(mean.form.harmonic for mean in model.means) and any(box.t0 == 0 for box in node.boxes)
        kept = [way for way in admitted if empty or (way is Treatment.SKIP_F and harmonic)]
        return kept if admitted[0] in kept else [admitted[0], *kept]


def treated(model: ClassesModel, node: CountPart, treatment: Treatment | None) -> CountPart | None:
    """What a treatment of 0/0 leaves of a part: where its number is not the printed one, a class has no 0/0."""
    if len(model.sets) > 1:  # scores of classes are means over the sets
        return node
    boxes = list(node.boxes)
    for claim in model.problem.claims:
        about = asked_of(claim)
        filled = FILLED.get(treatment)
        if about.place is None or (filled is not None and claim.low <= filled <= claim.high):
            continue
        cell = model.sets[0][about.place]
        box = defined(about.score, model.cells[cell], boxes[cell])
        if box is None:
            return None
        boxes[cell] = box
    return narrowed(model, replace(node, boxes=tuple(boxes)))
