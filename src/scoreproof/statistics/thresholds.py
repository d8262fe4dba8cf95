"""Does a difference of two classifiers hold at other thresholds? McNemar's test at each of several.

McNemar's test compares labels, and labels come from a threshold: whether a significant difference is that of the models
or of the threshold shows when the scores are cut elsewhere and the test is repeated (Rainio, Teuho & Klén 2024,
doi:10.1038/s41598-024-56706-x). All tests are one family, Holm-corrected.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import binary_labels, both_classes, numbers, same_length
from scoreproof.results import SmallTable, Tabular
from scoreproof.statistics.corrections import adjust
from scoreproof.statistics.mcnemar import mcnemar_predictions
from scoreproof.statistics.result import TestResult, bare_p, number_text
from scoreproof.validation import fraction


@dataclass(frozen=True, slots=True)
class ThresholdTests(Tabular):
    """McNemar's test of sensitivity and of specificity at each threshold, corrected for all of them."""

    thresholds: tuple[float, ...]
    sensitivity: tuple[TestResult, ...]
    specificity: tuple[TestResult, ...]
    p_adjusted: tuple[tuple[float, float], ...]
    alpha: float = 0.05

    def _rows(self) -> list[dict[str, Any]]:
        rows = []
        for i, threshold in enumerate(self.thresholds):
            row: dict[str, Any] = {"threshold": threshold}
            for j, (name, tests) in enumerate((("sens", self.sensitivity), ("spec", self.specificity))):
                told = tests[i].details
                row |= {f"{name}_first": told["first"], f"{name}_second": told["second"]}
                row |= {f"{name}_b": told["b"], f"{name}_c": told["c"], f"{name}_p": self.p_adjusted[i][j]}
            rows.append(row)
        return rows

    def __str__(self) -> str:
        ahead = {"first": 0, "second": 0, "both ways": 0}
        for row in self._rows():
            signs = {np.sign(row[f"{n}_b"] - row[f"{n}_c"]) for n in ("sens", "spec") if row[f"{n}_p"] <= self.alpha}
            if signs:
                ahead["both ways" if len(signs) > 1 else "first" if signs == {1} else "second"] += 1
        many = len(self.thresholds)
        if not any(ahead.values()):
            return (
                f"At none of {many} thresholds the models differ in sensitivity or specificity (alpha {self.alpha:g})."
            )
        parts = [f"the {who} at {n}" for who, n in ahead.items() if n and who != "both ways"]
        told = f"is better in sensitivity or specificity: {', '.join(parts)}" if parts else "is better in both"
        crossed = f"; at {ahead['both ways']} each is better in one of the two" if ahead["both ways"] else ""
        return f"Of {many} thresholds one model {told}{crossed} (McNemar tests, Holm-corrected, alpha {self.alpha:g})."

    def _tables(self) -> list[SmallTable]:
        head = ("threshold", "sensitivity 1", "sensitivity 2", "p", "specificity 1", "specificity 2", "p")
        rows = []
        for row in self._rows():
            sides = [(number_text(row[f"{n}_first"]), number_text(row[f"{n}_second"]), bare_p(row[f"{n}_p"])) for n in
                     ("sens", "spec")]  # fmt: skip
            rows.append((number_text(row["threshold"]), *sides[0], *sides[1]))
        return [SmallTable(rows, head, "McNemar tests over thresholds")]


def mcnemar_thresholds(
    truth: npt.ArrayLike,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    thresholds: npt.ArrayLike | None = None,
    positive: Hashable | None = None,
    alpha: float = 0.05,
) -> ThresholdTests:
    """McNemar's tests of two models' scores cut at the same thresholds, nine deciles of all scores unless told.

    >>> truth = [0] * 6 + [1] * 6
    >>> first, second = [1, 2, 3, 4, 5, 7, 6, 8, 9, 10, 11, 12], [4, 1, 8, 2, 3, 9, 5, 6, 7, 10, 12, 11]
    >>> print(mcnemar_thresholds(truth, first, second, thresholds=[4, 6, 8]))
    At none of 3 thresholds the models differ in sensitivity or specificity (alpha 0.05).
    """
    alpha = fraction("alpha", alpha)
    y = binary_labels("truth", truth, positive=positive)
    both_classes("truth", y, at_least=1)
    a, b = numbers("first", first), numbers("second", second)
    for name, scores in (("first", a), ("second", b)):
        same_length("truth", y, name, scores)
    cuts = (
        np.unique(np.quantile(np.concatenate([a, b]), np.arange(1, 10) / 10))
        if thresholds is None
        else numbers("thresholds", thresholds)
    )
    tests = {
        score: tuple(mcnemar_predictions(y, a >= t, b >= t, score=score, level=1 - alpha) for t in cuts)
        for score in ("sensitivity", "specificity")
    }
    p = adjust([r.p_value for many in tests.values() for r in many], "holm").reshape(2, -1).T
    pairs = tuple((float(s), float(t)) for s, t in p)
    return ThresholdTests(tuple(cuts.tolist()), tests["sensitivity"], tests["specificity"], pairs, alpha)
