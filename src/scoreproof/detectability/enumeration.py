"""Power without chance: every outcome of one confusion matrix, weighted.

When both the performed and the stated experiment amount to one matrix, all true reports can be listed, altered, and
looked up among the reports that some matrix of the stated experiment stands behind (see ``boxes``). The paper
simulates these cases (Fazekas & Kovács 2024, doi:10.1016/j.asoc.2024.111993, Figure 5); the sum over all outcomes has
no Monte-Carlo error.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoreproof.detectability.boxes import Bools, Ints, PrintedColumn, boxes, contained
from scoreproof.detectability.setting import Setting, one_matrix
from scoreproof.errors import InvalidOption
from scoreproof.reported import Rounding
from scoreproof.reported.conventions import Undefined

_MOST_VALUES = 300_000  # cells times scores: some seconds
_MOST_REPORTS = 6_000_000


@dataclass(frozen=True, slots=True)
class Shares:
    """Weights of the outcomes whose deviation is noticed, or leaves the report as it was."""

    noticed: float
    unchanged: float
    outcomes: int


def can_enumerate(setting: Setting) -> bool:
    """Whether all outcomes can be listed: one matrix on either side, and not too many of them."""
    made, stated = one_matrix(setting.performed), one_matrix(setting.stated)
    if made is None or stated is None:
        return False
    cells = max((p + 1) * (n + 1) for p, n in (made, stated))
    return cells * len(setting.names) <= _MOST_VALUES


def enumerate_power(setting: Setting, digits: int) -> Shares | None:
    """The exact share of outcomes that are noticed; None if values may be printed in too many ways."""
    made, stated = one_matrix(setting.performed), one_matrix(setting.stated)
    assert made is not None
    assert stated is not None
    scale, zero = 10**digits, setting.undefined is Undefined.ZERO
    columns = [PrintedColumn.of(one, scale, setting.rounding, setting.eps) for one in setting.scores]
    passing = boxes(columns, *stated, *_grid(*stated), zero=zero)
    if passing.volumes.sum() > _MOST_REPORTS:
        return None
    truth, weights = _true_reports(setting, made, scale, zero)
    if not len(truth):
        raise InvalidOption(
            f"power: every outcome of {setting.performed} leaves a score undefined ({', '.join(setting.names)}); "
            "leave that score out, or use undefined='zero'"
        )
    printed, changed, chances = _altered(setting, truth, weights, scale)
    noticed = ~contained(printed, passing.reports())
    total = chances.sum()
    return Shares(
        float((chances * noticed).sum() / total), float((chances * ~changed).sum() / total), int((weights > 0).sum())
    )


def _grid(p: int, n: int) -> tuple[Ints, Ints]:
    tp, tn = np.meshgrid(np.arange(p + 1), np.arange(n + 1), indexing="ij")
    return tp.ravel(), tn.ravel()


def _true_reports(setting: Setting, made: tuple[int, int], scale: int, zero: bool) -> tuple[Ints, NDArray[np.float64]]:
    """The report of every outcome in which all scores are defined, and the weight of the outcome."""
    # what a rule prints is the upper end of the numbers it allows, except that ceiling takes the lower one:
    # nearest rounds ties up, flooring allows the floor alone unless the value is exact
    rule = {Rounding.ANY: Rounding.NEAREST}.get(setting.rounding, setting.rounding)
    columns = [PrintedColumn.of(one, scale, rule, None) for one in setting.scores]
    tp, tn = _grid(*made)
    found = boxes(columns, *made, tp, tn, zero=zero)
    printed = found.low if rule is Rounding.CEIL else found.high
    weights = np.outer(setting.classifier.weights(made[0]), setting.classifier.weights(made[1])).ravel()
    kept = (found.low <= found.high).all(axis=1)
    return printed[kept], weights[kept]


def _altered(
    setting: Setting, truth: Ints, weights: NDArray[np.float64], scale: int
) -> tuple[Ints, Bools, NDArray[np.float64]]:
    """What may be printed instead, whether that differs from the truth, and its weight."""
    distinct, place = np.unique(truth, axis=0, return_inverse=True)
    together = np.bincount(place.ravel(), weights=weights, minlength=len(distinct))
    rows, changed, chances = [], [], []
    scores = setting.scores
    for units, weight in zip(distinct.tolist(), together.tolist(), strict=True):
        before = tuple(units)
        for chance, after in setting.deviation.altered(before, scores, scale):
            rows.append(after)
            changed.append(after != before or setting.performed != setting.stated)
            chances.append(weight * chance)
    return np.array(rows, dtype=np.int64), np.array(changed), np.array(chances)
