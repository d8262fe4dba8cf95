"""Linearisation of squares of means of parts: sums over single sets, about values of these.

With V the mean of a part, c the centre and w what a set weighs in the part, (V - c)^2 becomes w^2 (x - g)^2 when the
set's value changes from f to x, with g = f - (V - c) / w. So about given values they are squares of single sets about
centres of their own, less what is counted more than once: exactly, as long as one set of each part changes. Changes of
two sets of one part add twice the product of what they change its mean by.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from scoreproof.arrays import Floats, Ints


@dataclass(frozen=True, slots=True)
class DeviatingParts:
    """The parts whose means deviate."""

    number: Ints  # by set: of its part
    inside: Floats  # by set: what it weighs there; 0 if it does not count
    known: Floats  # by part: what sets whose points are given add to its mean

    @classmethod
    def of(cls, sets: int, weights: Sequence[dict[int, float]]) -> DeviatingParts:
        """DeviatingParts by what each of their sets weighs."""
        number, inside = np.zeros(sets, dtype=np.int64), np.zeros(sets)
        for part, mine in enumerate(weights):
            for index, weight in mine.items():
                number[index], inside[index] = part, weight
        return cls(number, inside, np.zeros(len(weights)))

    def means(self, values: Floats) -> Floats:
        """By part, from the values of all sets."""
        found: Floats = self.known + np.bincount(self.number, self.inside * values, len(self.known))
        return found

    def about(self, values: Floats, centre: float) -> tuple[Floats, Floats, float]:
        """By set, what multiplies a square and about what it is taken; and what is to be added to the sum of them."""
        off = self.means(values) - centre
        counted = self.inside > 0
        mine = off[self.number]
        centres = values - np.divide(mine, self.inside, out=np.zeros_like(mine), where=counted)
        return self.inside**2, centres, float((off**2).sum() - (mine[counted] ** 2).sum())

    def some(self, left: Ints, values: Floats) -> DeviatingParts:
        """With some of the sets left, the others with their values."""
        known = self.inside * values
        known[left] = 0.0
        added = np.bincount(self.number, known, len(self.known))
        return replace(self, number=self.number[left], inside=self.inside[left], known=self.known + added)

    def products(self, places: Sequence[int], changes: Sequence[Floats]) -> Floats:
        """What changes of the means of parts by some sets add together, beside what each adds alone."""
        by_part: dict[int, Floats] = {}
        found = np.zeros_like(changes[0])
        for place, change in zip(places, changes, strict=True):
            before = by_part.get(int(self.number[place]))
            found += 0.0 if before is None else 2 * before * change
            by_part[int(self.number[place])] = change if before is None else before + change
        return found
