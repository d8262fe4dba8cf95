"""How sure is a metric? An interval beside every score of one test set.

Shares of cases (accuracy, sensitivity, predictive values, and the rates of errors) get Wilson's interval (Brown, Cai &
DasGupta 2001, doi:10.1214/ss/1009213286); other scores of the confusion matrix the percentiles of matrices drawn like
it, which is the bootstrap of the cases; the AUC gets DeLong's (1988, doi:10.2307/2531595), from the curve's own counts.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from scoreproof.kinds.binary.scores import ConfusionMatrix, known_scores
from scoreproof.metrics.roc import RocCurve
from scoreproof.validation import fraction, random_seed

#: Scores that are shares of cases: which cells are counted, and of which.
_SHARES = {
    "acc": (("tp", "tn"), ("tp", "fp", "fn", "tn")),
    "sens": (("tp",), ("tp", "fn")),
    "spec": (("tn",), ("tn", "fp")),
    "ppv": (("tp",), ("tp", "fp")),
    "npv": (("tn",), ("tn", "fn")),
    "err": (("fp", "fn"), ("tp", "fp", "fn", "tn")),
    "fnr": (("fn",), ("tp", "fn")),
    "fpr": (("fp",), ("tn", "fp")),
    "fdr": (("fp",), ("tp", "fp")),
    "for": (("fn",), ("tn", "fn")),
}
_DRAWS = 2000
_FEWEST = 0.9
Bounds = tuple[float, float]


def score_intervals(matrix: ConfusionMatrix, *, level: float = 0.95, seed: int = 0) -> Mapping[str, Bounds]:
    """Intervals of every registered score; one that is often undefined in draws like the matrix has none.

    >>> found = score_intervals(ConfusionMatrix(tp=261, fp=107, fn=39, tn=193))
    >>> [round(b, 4) for b in found["sens"]]
    [0.8272, 0.9034]
    """
    level = fraction("level", level)
    from scoreproof.statistics.proportions import wilson

    cells = matrix.to_dict()
    total = sum(cells.values())
    generator = np.random.default_rng(random_seed(seed))
    drawn = generator.multinomial(total, [c / total for c in matrix.cells], size=_DRAWS).T
    tails = ((1 - level) / 2, (1 + level) / 2)
    intervals: dict[str, Bounds] = {}
    for known in known_scores():
        if known.name in _SHARES:
            hits, cases = (sum(cells[c] for c in part) for part in _SHARES[known.name])
            if cases:
                bounds = wilson(hits, cases, level=level)
                intervals[known.name] = bounds.low, bounds.high
            continue
        values = known.values(*drawn)
        values = values[np.isfinite(values)]
        if len(values) >= _FEWEST * _DRAWS:
            low, high = np.quantile(values, tails)
            intervals[known.name] = float(low), float(high)
    return intervals


def auc_bounds(curve: RocCurve, level: float = 0.95) -> Bounds | None:
    """DeLong's interval of the area, None with fewer than two cases of a class."""
    if min(curve.p, curve.n) < 2:
        return None
    from scoreproof.statistics.auc import auc_effect, placements

    # Cases that make this curve: the interval depends on their order only.
    steps = -np.arange(len(curve.tp) - 1.0)
    scores = np.concatenate([np.repeat(steps, np.diff(curve.tp)), np.repeat(steps, np.diff(curve.fp))])
    placed = placements(np.arange(len(scores)) < curve.p, scores)
    bounds = auc_effect("AUC", placed, level).interval
    return None if bounds is None else (bounds.low, bounds.high)
