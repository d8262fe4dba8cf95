"""Meet in the middle (Horowitz and Sahni 1974, doi:10.1145/321812.321823).

Every choice of counts where they are few: two halves of the classes, joined where all q add up to the cases.

Floats with a margin say which pairs come near; each of these is judged exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from scoreproof.kinds.multi_class.cells import columns, listed
from scoreproof.kinds.multi_class.fitting import score_ends
from scoreproof.kinds.multi_class.model import Agreement, ClassesModel, CountPart, OfMeans, rules_at
from scoreproof.work.budget import Budget

MOST_PAIRS = 3_000_000
_MOST_NEAR = 100_000
_MARGIN = 1e-9
_PAIR = 1e-7  # seconds of a pair of halves
Judge = Callable[[list[tuple[int, int]]], bool]


class TooMany(Exception):
    """More choices than are listed."""


def split_cells(sizes: list[int], most: int) -> tuple[list[int], list[int]] | None:
    """Two halves of the cells with about as many choices each; None if one has more than are listed."""
    halves: tuple[list[int], list[int]] = [], []
    products = [1, 1]
    for cell in sorted(range(len(sizes)), key=lambda c: -sizes[c]):
        half = products[1] < products[0]
        halves[half].append(cell)
        products[half] *= sizes[cell]
        if products[half] > most:
            return None
    return halves


class Listing:
    """All choices of a node of one set; ``first`` gives one that the judge accepts, or None."""

    def __init__(self, model: ClassesModel, node: CountPart, deadline: Budget, most: int) -> None:
        if len(model.sets) != 1:
            raise TooMany
        self.model, self.node, self.deadline = model, node, deadline
        spreads = [columns(box, rules_at(model, node, c), most + 1) for c, box in enumerate(node.boxes)]
        if any(box.q1 - box.q0 > most for box in node.boxes):
            raise TooMany
        sizes = [spread.points for spread in spreads]
        halves = split_cells(sizes, most)
        if halves is None:
            raise TooMany
        self.halves = halves
        self.points = [listed(spread) for spread in spreads]
        self.means = model.means
        self.first_half, self.other_half = (self._half(cells) for cells in halves)

    def _half(self, cells: list[int]) -> Any:
        """Sums over the cells of a half: q, tp, n q, q squared, then least and greatest parts of every mean."""
        wide = 4 + 2 * len(self.means)
        sums = np.zeros((1, wide))
        for c in cells:
            tp, q = self.points[c]
            own = np.empty((len(tp), wide))
            cell = self.model.cells[c]
            own[:, 0], own[:, 1], own[:, 2], own[:, 3] = q, tp, cell.n * q, q.astype(float) ** 2
            for m, mean in enumerate(self.means):
                weight = float(mean.weights[c])
                least, most = score_ends(self.model, mean, cell, tp.astype(float), q.astype(float))
                own[:, 4 + 2 * m], own[:, 5 + 2 * m] = weight * least, weight * most
            sums = (sums[:, None, :] + own[None, :, :]).reshape(-1, wide)
            self.deadline.tick()
        return sums

    def first(self, judge: Judge) -> list[tuple[int, int]] | None:
        """A choice that the judge accepts."""
        total = self.model.cells[0].total
        a, b = self.first_half, self.other_half
        if not len(a) or not len(b):
            return None
        if self.model.exclusive:
            order = np.argsort(b[:, 0], kind="stable")
            keys = b[order, 0]
            by_q = np.argsort(a[:, 0], kind="stable")
            wanted, starts = np.unique(a[by_q, 0], return_index=True)
            ends = np.append(starts[1:], len(by_q))
            lows = np.searchsorted(keys, total - wanted, "left")
            highs = np.searchsorted(keys, total - wanted, "right")
            blocks = [(by_q[s:e], order[x:y]) for s, e, x, y in zip(starts, ends, lows, highs, strict=True) if y > x]
        else:
            blocks = [(np.arange(len(a)), np.arange(len(b)))]
        if sum(len(x) * len(y) for x, y in blocks) > MOST_PAIRS:
            raise TooMany
        near = 0
        for x, y in blocks:
            self.deadline.tick()
            self.deadline.charge(_PAIR * len(x) * len(y))
            sums = a[x][:, None, :] + b[y][None, :, :]
            for i, j in zip(*np.nonzero(self._near(sums)), strict=True):
                near += 1
                self.deadline.tick()
                if near > _MOST_NEAR:
                    raise TooMany
                counts = self._counts(int(x[i]), int(y[j]))
                if judge(counts):
                    return counts
        return None

    def _near(self, sums: Any) -> Any:
        least, most = self.node.right[0]
        right = sums[..., 1]
        keep = (right >= least) & (right <= most)
        for m, mean in enumerate(self.means):
            keep &= sums[..., 5 + 2 * m] >= float(mean.low) - _MARGIN
            keep &= sums[..., 4 + 2 * m] <= float(mean.high) + _MARGIN
        total = float(self.model.cells[0].total)
        spread = total**2 - sum(float(cell.n) ** 2 for cell in self.model.cells)
        x = total * right - sums[..., 2]
        for goal in self.model.goals:
            if isinstance(goal, Agreement):
                below = total**2 - sums[..., 2]
                if goal.name == "mcc":
                    below = np.sqrt(np.maximum((total**2 - sums[..., 3]) * spread, 0))
                value = x / np.maximum(below, 1e-12)
                keep &= (below == 0) | ((value >= float(goal.low) - _MARGIN) & (value <= float(goal.high) + _MARGIN))
            elif isinstance(goal, OfMeans):
                s, r = goal.form.den[2], goal.form.den[1]
                p, t = (4 + 2 * self.means.index(part) for part in (goal.precision, goal.recall))
                ends = [
                    (s + r)
                    * sums[..., p + k]
                    * sums[..., t + k]
                    / np.maximum(s * sums[..., p + k] + r * sums[..., t + k], 1e-300)
                    for k in (0, 1)
                ]
                filled = sums[..., p] + sums[..., t] < _MARGIN  # 0/0, which counts as what the report says
                keep &= filled | ((ends[1] >= float(goal.low) - _MARGIN) & (ends[0] <= float(goal.high) + _MARGIN))
        return keep

    def _counts(self, first: int, other: int) -> list[tuple[int, int]]:
        counts: list[tuple[int, int]] = [(0, 0)] * len(self.points)
        for cells, at in zip(self.halves, (first, other), strict=True):
            for c in reversed(cells):
                tp, q = self.points[c]
                at, own = divmod(at, len(tp))
                counts[c] = int(tp[own]), int(q[own])
        return counts
