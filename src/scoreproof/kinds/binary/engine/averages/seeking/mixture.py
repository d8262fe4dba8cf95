"""Starts from a mixture: shares of points under which every sum is the wanted one.

A relaxation over fractions of points that cannot be refuted ends with shares of a few points for each kind of alike
sets. Sets that are dealt to these points by their shares nearly give the report, also where they must be quite unlike
each other, which rates drawn about one place do not lead to.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoreproof.kinds.binary.engine.averages.points import Floats
from scoreproof.kinds.binary.engine.averages.seeking.fitting import Fitted
from scoreproof.kinds.binary.engine.averages.seeking.sums import Sums

_SHAKEN = (0.0, 0.003, 0.01, 0.03, 0.1)  # rates, by attempt


@dataclass(frozen=True, slots=True)
class MixedKind:
    """Alike sets: their places, some points (p, tp, tn) of cases so many, and how many sets each is to have."""

    members: tuple[int, ...]
    size: float
    points: Floats
    shares: Floats

    def dealt(self, rng: np.random.Generator) -> Floats:
        """A point for each member: whole shares as they are, the rest by chance."""
        counts = np.floor(self.shares + 1e-9)
        rest = np.maximum(self.shares - counts, 1e-9)
        for _ in range(len(self.members) - int(counts.sum())):
            at = int(rng.choice(len(rest), p=rest / rest.sum()))
            counts[at] += 1
            rest[at] = 1e-9
        each = np.repeat(np.arange(len(counts)), counts.astype(np.int64))[: len(self.members)]
        dealt: Floats = self.points[:, rng.permutation(each)]
        return dealt


@dataclass(frozen=True, slots=True)
class Mixture:
    """Shares of points of every kind; of a report whose deviations have the one divisor, if that is known."""

    kinds: tuple[MixedKind, ...]
    ddof: int | None

    def start(self, sums: Sums, rng: np.random.Generator, attempt: int) -> Fitted:
        """Rates and classes of sets that are dealt to the points, shaken a little more from attempt to attempt."""
        rates = np.empty((3, sum(len(kind.members) for kind in self.kinds)))
        for kind in self.kinds:
            p, tp, tn = kind.dealt(rng)
            rates[:, list(kind.members)] = tp / np.maximum(p, 1), tn / np.maximum(kind.size - p, 1), p
        sens, spec, classes = rates[:, sums.places]
        spread = _SHAKEN[attempt % len(_SHAKEN)]
        sens, spec = (rate + spread * rng.normal(size=sums.sets) for rate in (sens, spec))
        return Fitted(sens, spec, np.where(sums.unknown, classes, sums.p))
