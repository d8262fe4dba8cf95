"""Everything ``compare`` was told, checked; the correction of its pairs; and the comparison they make."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict

import numpy as np
import numpy.typing as npt

from scoreproof.statistics.comparison import Comparison, ModelSummary, PairResult
from scoreproof.statistics.equivalence import QUESTIONS as EQUIVALENCE
from scoreproof.statistics.friedman import pairs_of
from scoreproof.statistics.recommend import Recommendation, recommend
from scoreproof.statistics.result import TestResult
from scoreproof.statistics.tails import adjust

RATES = {"sens": "sensitivity", "spec": "specificity", "acc": "accuracy"}
#: Rates of errors: one minus a rate, with the same test and the mirrored interval.
ERROR_RATES = {"fnr": "sens", "fpr": "spec", "err": "acc"}
_UNKNOWN_DIRECTION = (
    "whether higher values are better is not known, so that no model is called better (and rank 1 is the highest): say "
    "what they are of, metric= (--metric rmse), or higher_is_better= (--higher-is-better, --lower-is-better)"
)
Ahead = Callable[[int, int, TestResult], float]


class CompareOptions(TypedDict, total=False):
    """What ``compare`` can be told besides what is compared and what is asked."""

    clusters: npt.ArrayLike | None
    margin: float | None
    costs: npt.ArrayLike | None
    folds: int | None
    test_to_train: float | None
    higher_is_better: bool | None
    correction: str
    positive: Hashable | None
    positives: int | None
    negatives: int | None
    cases: int | None
    decimals: int | None
    seed: int
    rope: float | None


@dataclass(frozen=True, slots=True)
class Plan:
    """What is compared, how, and at which level."""

    names: tuple[str, ...]
    values: str
    task: str | None = None
    metric: str | None = None
    test: str = "auto"
    question: Literal["better", "variance", "equivalent", "not worse"] = "better"
    folds: int | None = None
    test_to_train: float | None = None
    higher_is_better: bool | None = None
    alpha: float = 0.05
    correction: str = "holm"
    control: int | None = None
    positive: Hashable | None = None
    decimals: int | None = 9
    seed: int = 0
    rope: float | None = None
    margin: float | None = None
    clusters: npt.NDArray[np.int64] | None = None
    costs: npt.ArrayLike | None = None
    sizes: Mapping[str, Any] = field(default_factory=dict)
    measured: str | None = None  #: the metric by the name it came with, for the sentences
    notes: tuple[str, ...] = ()

    @property
    def highest_first(self) -> bool:
        """Whether rank 1 is the highest value: unless low is better."""
        return self.higher_is_better is not False

    @property
    def level(self) -> float:
        return 1 - self.alpha

    def pairs(self) -> list[tuple[int, int]]:
        columns = pairs_of(len(self.names), self.control)
        # Whether a model is not worse is asked of every other model against the control.
        return [(b, a) for a, b in columns] if self.question == "not worse" else columns

    def advice(self, **told: Any) -> Recommendation:
        """What the decision table says to this plan, or to what is known better."""
        asked = {"task": self.task, "metric": self.metric, "values": self.values, "question": self.question}
        return recommend(models=len(self.names), **asked | told)


def paired_results(
    results: Mapping[str, list[TestResult]], plan: Plan, ahead: Ahead | None = None
) -> tuple[PairResult, ...]:
    """All pairs of all scores as one family: two scores are two chances of a false alarm, too.

    ``ahead`` is above 0 where the first model of a pair scores higher (or varies more), as the first effect of a result
    is unless told.
    """
    tests = [
        (what, ab, result) for what, many in results.items() for ab, result in zip(plan.pairs(), many, strict=True)
    ]
    adjusted = adjust([result.p_value for _, _, result in tests], plan.correction)
    upwards = 1 if plan.question == "variance" else {True: 1, False: -1, None: None}[plan.higher_is_better]
    pairs = []
    for (what, (a, b), result), p in zip(tests, adjusted, strict=True):
        size = ahead(a, b, result) if ahead else (result.effects[0].value if result.effects else 0.0)
        unsaid = not size or np.isnan(size) or plan.question in EQUIVALENCE
        higher = None if unsaid else plan.names[a if size > 0 else b]
        better = None
        if higher is not None and upwards is not None:
            better = plan.names[a if size * upwards > 0 else b]
        pairs.append(PairResult(plan.names[a], plan.names[b], what, result, float(p), better, higher))
    return tuple(pairs)


def conclude(
    results: Mapping[str, list[TestResult]],
    plan: Plan,
    advice: Recommendation,
    models: Iterable[ModelSummary],
    *,
    rows: int,
    unit: str,
    ahead: Ahead | None = None,
    **more: Any,
) -> Comparison:
    """The finished comparison from the tests of all pairs, by score; a note of several is told once."""
    tests = [result for many in results.values() for result in many]
    usual: dict[str, Any] = {
        "test": (more.get("omnibus") or tests[0]).test,
        "notes": tuple(dict.fromkeys(note for result in tests for note in result.notes)),
        "pairs": paired_results(results, plan, ahead),
        "alpha": plan.alpha,
        "correction": plan.correction,
        "higher_is_better": plan.higher_is_better,
        "question": plan.question,
        "metric": plan.measured,
        "margin": plan.margin,
    }
    finished = usual | more
    finished["notes"] = (*finished["notes"], *plan.notes)
    if plan.clusters is not None:
        many = int(plan.clusters.max()) + 1
        finished["notes"] += (f"the {rows} cases come in {many} clusters, which are what is independent: {many} count",)
    if plan.higher_is_better is None and plan.question == "better":
        finished["notes"] = (*finished["notes"], _UNKNOWN_DIRECTION)
    return Comparison(rows=rows, unit=unit, models=tuple(models), recommendation=advice, **finished)
