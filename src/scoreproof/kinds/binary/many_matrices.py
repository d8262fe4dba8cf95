"""Many reports at once: the matrix that the printed rates of each name.

The same look as ``one_matrix.named_matrix`` takes at one report, on arrays (see ``many``). What does not fit is refuted
in ``many_boxes``, or asked one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from scoreproof.arrays import Bools, Ints
from scoreproof.kinds.binary.many import ClaimColumn, ManyReports
from scoreproof.kinds.binary.many_lines import matrices_on_lines
from scoreproof.kinds.binary.named_box import NAMING

_PLAIN_SCALE = 10**6  # from here on digits may be a machine's, which notes speak of


@dataclass(frozen=True, slots=True)
class NamedMatrices:
    """Which rows have a named matrix that gives every claim, and its cells; other rows have no meaning."""

    fits: Bools
    tp: Ints
    fp: Ints
    fn: Ints
    tn: Ints


def named_matrices(reports: ManyReports) -> NamedMatrices:
    """The first of the matrices that the printed rates name which gives every claim of its row."""
    p, n, columns, asked = reports.p, reports.n, reports.columns, reports.asked.copy()
    size = len(p)
    scales = [np.where(column.there, column.scale, 0) for column in columns.values()]
    most = np.max(scales, axis=0) if scales else np.zeros(size, dtype=np.int64)
    for scale in scales:  # as many decimals each, and some: then no note is due
        asked &= (scale == 0) | (scale == most)
    asked &= (most > 1) & (most < _PLAIN_SCALE)
    fits = np.zeros(size, dtype=np.bool_)
    cells = [np.zeros(size, dtype=np.int64) for _ in range(4)]
    for tp, tn, named in _named(columns, p, n):
        possible = asked & named & ~fits & (tp >= 0) & (tp <= p) & (tn >= 0) & (tn <= n)
        tp, tn = np.where(possible, tp, 0), np.where(possible, tn, 0)
        tried = (tp, n - tn, p - tp, tn)
        for column in columns.values():
            possible &= column.holds(*tried)
        for cell, value in zip(cells, tried, strict=True):
            cell[possible] = value[possible]
        fits |= possible
    return NamedMatrices(fits, *cells)


def _named(columns: Mapping[str, ClaimColumn], p: Ints, n: Ints) -> Iterator[tuple[Ints, Ints, Bools]]:
    """The matrices that the printed rates name, in the order of ``one_matrix``: tp, tn, and for which rows."""
    nobody = np.zeros(len(p), dtype=np.bool_)
    sens, spec, acc = (columns[name].there if name in columns else nobody for name in NAMING)
    zero = np.zeros(len(p), dtype=np.int64)
    tp = _share(columns["sens"], p) if sens.any() else zero
    tn = _share(columns["spec"], n) if spec.any() else zero
    right = _share(columns["acc"], p + n) if acc.any() else zero
    yield tp, tn, sens & spec
    corrected = sens & spec & acc & (right != tp + tn)
    yield tp, right - tp, corrected | (acc & sens & ~spec)
    yield right - tn, tn, corrected | (acc & spec & ~sens)
    for name, count, alone in (
        ("sens", tp, sens & ~spec & ~acc),
        ("spec", tn, spec & ~sens & ~acc),
        ("acc", right, acc & ~sens & ~spec),
    ):
        if alone.any():
            *cells, left = matrices_on_lines(columns, name, count, p, n)
            yield cells[0], cells[1], alone & left


def _share(column: ClaimColumn, of: Ints) -> Ints:
    """The whole number nearest to the printed share of a count."""
    shares: Ints = (2 * column.units * of + column.scale) // (2 * column.scale)
    return shares
