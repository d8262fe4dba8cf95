"""Lattice basis reduction (Lenstra, Lenstra and Lovász 1982, doi:10.1007/BF01457454) in floats.

The lattice point near a target is that of the nearest plane (Babai 1986, doi:10.1007/BF02579403).
"""

from __future__ import annotations

import numpy as np

from scoreproof.arrays import Floats, Ints
from scoreproof.work.budget import Budget

_DELTA = 0.98
_MOST_STEPS = 20_000
_TINY = 1e-30
_WHOLE = 2.0**52  # from here on floats name no whole number: vectors that depend on each other, all but for noise
_STEPS, _STEP = 50, 2.5e-5  # between two looks at the clock, and the seconds of one


class ReducedBasis:
    """A basis reduced after Lenstra, Lenstra and Lovász; ``whole @ given`` is the reduced one."""

    def __init__(self, given: Floats, deadline: Budget) -> None:
        self.basis = np.array(given, dtype=np.float64)
        self.whole: Ints = np.eye(len(given), dtype=np.int64)
        self._reduce(deadline)
        self._orthogonal, self._lengths, _ = _orthogonal(self.basis)

    def _reduce(self, deadline: Budget) -> None:
        basis, whole, count = self.basis, self.whole, len(self.basis)
        _, lengths, shares = _orthogonal(basis)

        def subtract(k: int, j: int) -> None:
            times = np.rint(shares[k, j])
            if 0 < abs(times) < _WHOLE:
                basis[k] -= times * basis[j]
                whole[k] -= int(times) * whole[j]
                shares[k, :j] -= times * shares[j, :j]
                shares[k, j] -= times

        k = 1
        for step in range(_MOST_STEPS):
            if step % _STEPS == 0:
                deadline.charge(_STEPS * _STEP)
                if deadline.passed:
                    return
            if k >= count:
                return
            subtract(k, k - 1)
            share = shares[k, k - 1]
            if lengths[k] >= (_DELTA - share**2) * lengths[k - 1]:
                for j in range(k - 2, -1, -1):
                    subtract(k, j)
                k += 1
                continue
            # exchange k and k - 1, and update instead of starting over
            length = lengths[k] + share**2 * lengths[k - 1]
            for table in (basis, whole):
                table[[k, k - 1]] = table[[k - 1, k]]
            shares[[k, k - 1], : k - 1] = shares[[k - 1, k], : k - 1]
            shares[k, k - 1] = share * lengths[k - 1] / length
            lengths[k] = lengths[k - 1] * lengths[k] / length
            lengths[k - 1] = length
            above = shares[k + 1 :, k].copy()
            shares[k + 1 :, k] = shares[k + 1 :, k - 1] - share * above
            shares[k + 1 :, k - 1] = above + shares[k, k - 1] * shares[k + 1 :, k]
            k = max(k - 1, 1)

    def nearest(self, targets: Floats) -> Ints:
        """The coefficients, in the basis that was given, of lattice points near targets, one in each row."""
        rest = targets.copy()
        taken = np.zeros((len(targets), len(self.basis)), dtype=np.int64)
        for k in range(len(self.basis) - 1, -1, -1):
            times = np.rint(rest @ self._orthogonal[k] / self._lengths[k])
            times[np.abs(times) >= _WHOLE] = 0.0
            rest -= times[:, None] * self.basis[k]
            taken[:, k] = times
        combined: Ints = taken @ self.whole
        return combined


def _orthogonal(basis: Floats) -> tuple[Floats, Floats, Floats]:
    """Orthogonal vectors, their squared lengths, and the share of each in the rows of a basis."""
    count = len(basis)
    vectors, lengths, shares = np.zeros_like(basis), np.zeros(count), np.zeros((count, count))
    for k in range(count):
        shares[k, :k] = vectors[:k] @ basis[k] / lengths[:k]
        vectors[k] = basis[k] - shares[k, :k] @ vectors[:k]
        lengths[k] = max(float(vectors[k] @ vectors[k]), _TINY)
    return vectors, lengths, shares
