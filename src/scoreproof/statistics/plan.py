"""Everything ``compare`` was told, checked, and the correction of its pairs."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Literal

import numpy as np

from scoreproof.statistics.comparison import PairResult
from scoreproof.statistics.corrections import adjust
from scoreproof.statistics.result import TestResult


@dataclass(frozen=True, slots=True)
class Plan:
    """What is compared, how, and at which level."""

    names: tuple[str, ...]
    values: str
    task: str | None = None
    metric: str | None = None
    test: str = "auto"
    question: Literal["better", "variance"] = "better"
    folds: int | None = None
    test_to_train: float | None = None
    higher_is_better: bool = True
    alpha: float = 0.05
    correction: str = "holm"
    control: int | None = None
    positive: Hashable | None = None
    decimals: int | None = 9
    seed: int = 0
    rope: float | None = None
    sizes: Mapping[str, Any] = field(default_factory=dict)

    def pairs(self) -> list[tuple[int, int]]:
        if self.control is None:
            return list(combinations(range(len(self.names)), 2))
        return [(self.control, i) for i in range(len(self.names)) if i != self.control]


def paired_results(results: Mapping[str, list[TestResult]], plan: Plan) -> tuple[PairResult, ...]:
    """All pairs of all scores as one family: two scores are two chances of a false alarm, too.

    The first effect of each result is a difference, above 0 where the first model scores higher.
    """
    tests = [(what, ab, found) for what, many in results.items() for ab, found in zip(plan.pairs(), many, strict=True)]
    adjusted = adjust([found.p_value for _, _, found in tests], plan.correction)
    pairs = []
    for (what, (a, b), result), p in zip(tests, adjusted, strict=True):
        size = result.effects[0].value if result.effects else 0.0
        sign = 0 if np.isnan(size) else int(np.sign(size)) * (1 if plan.higher_is_better else -1)
        better = {1: plan.names[a], -1: plan.names[b], 0: None}[sign]
        pairs.append(PairResult(plan.names[a], plan.names[b], what, result, float(p), better))
    return tuple(pairs)
