"""How strong a check is: would a mistake have been noticed, and how surprising is a pass?

This module is light: what does the work is imported when ``power`` or ``strength`` is called.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    from scoreproof.asking.answer import Answer
    from scoreproof.detectability.classifiers import AnyClassifier, Classifier, PlausibleClassifier
    from scoreproof.detectability.deviations import (
        Deviation,
        LastDigit,
        OtherAggregation,
        OtherCounts,
        OtherExperiment,
        Oversampling,
        SwappedColumns,
    )
    from scoreproof.detectability.figure import plot_power
    from scoreproof.detectability.passing import Strength
    from scoreproof.detectability.result import Power, PowerCurve
    from scoreproof.kinds.binary.experiment import Experiment

__all__ = [
    "AnyClassifier",
    "Deviation",
    "LastDigit",
    "OtherAggregation",
    "OtherCounts",
    "OtherExperiment",
    "Oversampling",
    "PlausibleClassifier",
    "Power",
    "PowerCurve",
    "Strength",
    "SwappedColumns",
    "plot_power",
    "power",
    "strength",
]

_HOME = {
    "classifiers": ("AnyClassifier", "PlausibleClassifier"),
    "deviations": (
        "Deviation",
        "LastDigit",
        "OtherAggregation",
        "OtherCounts",
        "OtherExperiment",
        "Oversampling",
        "SwappedColumns",
    ),
    "figure": ("plot_power",),
    "passing": ("Strength",),
    "result": ("Power", "PowerCurve"),
}


@overload
def power(
    experiment: Experiment,
    scores: str | Sequence[str],
    digits: int,
    *,
    deviation: str | Deviation = ...,
    classifier: str | Classifier = ...,
    trials: int = ...,
    seed: int = ...,
    rounding: Any = ...,
    eps: Any = ...,
    beta: Any = ...,
    undefined: str = ...,
    exact: bool | None = ...,
    level: float = ...,
    budget: float = ...,
    jobs: int = ...,
    progress: Callable[[int, int], None] | None = ...,
    resume: str | os.PathLike[str] | None = ...,
) -> Power: ...


@overload
def power(
    experiment: Experiment,
    scores: str | Sequence[str],
    digits: Sequence[int],
    *,
    deviation: str | Deviation = ...,
    classifier: str | Classifier = ...,
    trials: int = ...,
    seed: int = ...,
    rounding: Any = ...,
    eps: Any = ...,
    beta: Any = ...,
    undefined: str = ...,
    exact: bool | None = ...,
    level: float = ...,
    budget: float = ...,
    jobs: int = ...,
    progress: Callable[[int, int], None] | None = ...,
    resume: str | os.PathLike[str] | None = ...,
) -> PowerCurve: ...


def power(
    experiment: Experiment,
    scores: str | Sequence[str],
    digits: int | Sequence[int],
    *,
    deviation: str | Deviation = "last digit",
    classifier: str | Classifier = "any",
    trials: int = 1000,
    seed: int = 0,
    rounding: Any = None,
    eps: Any = None,
    beta: Any = None,
    undefined: str = "exclude",
    exact: bool | None = None,
    level: float = 0.95,
    budget: float = 3.0,
    jobs: int = -1,
    progress: Callable[[int, int], None] | None = None,
    resume: str | os.PathLike[str] | None = None,
) -> Power | PowerCurve:
    """The probability that a deviation from the stated experiment would be noticed.

    ``experiment`` is what a paper states, ``scores`` what it reports, to so many ``digits`` (several give a curve).
    Each trial draws a true outcome, computes and rounds the scores exactly, lets the ``deviation`` happen, and tests
    the report against the stated experiment. Noticed are the reports proved inconsistent; undecided ones are counted
    apart. Where both experiments are one confusion matrix all outcomes are listed instead, and the answer is exact.

    ``deviation`` is ``"last digit"``, ``"oversampling"``, ``"swapped columns"``, ``"other aggregation"``, ``"none"``,
    or ``LastDigit(score)``, ``OtherCounts(p, n)``, ``Oversampling(to)``, ``SwappedColumns(first, second)``,
    ``OtherExperiment(experiment)``. ``classifier`` says how outcomes come about: ``"any"`` counts equally likely in
    every evaluation set, or ``"plausible"``, sensitivity and specificity between 0.5 and 1 (``PlausibleClassifier``).
    ``rounding`` or ``eps`` is how the check reads values; they are printed to nearest unless floored or ceiled.
    ``exact`` demands (True) or forbids (False) the listing. ``budget`` is in seconds per check, ``jobs`` in processes
    (-1: all cores), ``progress(done, total)`` is called now and then, and ``resume`` names a file that keeps finished
    trials.

    References: Fazekas & Kovács 2024, doi:10.1016/j.asoc.2024.111993, sections 3.4, 4.5, 5.2 and 5.3.

    >>> from scoreproof.kinds.binary.experiment import TestSet
    >>> from scoreproof.detectability import LastDigit, power
    >>> skin = TestSet(p=75, n=304)
    >>> curve = power(skin, ["acc", "sens", "spec"], [2, 3], deviation=LastDigit("acc"), rounding="nearest")
    >>> [(point.digits, round(point.power, 4), point.exact) for point in curve]
    [(2, 0.7256, True), (3, 1.0, True)]
    """
    from scoreproof.detectability.api import analyse

    return analyse(
        experiment,
        scores,
        digits,
        deviation=deviation,
        classifier=classifier,
        trials=trials,
        seed=seed,
        rounding=rounding,
        eps=eps,
        beta=beta,
        undefined=undefined,
        exact=exact,
        level=level,
        budget=budget,
        jobs=jobs,
        progress=progress,
        resume=resume,
    )


def strength(
    result: Answer[Any, Any], *, within: float = 0.05, budget: float = 2.0, draws: int = 400, seed: int = 0
) -> Strength:
    """How surprising a pass is: the share of reports like this one that the same check would let pass.

    Reports like this one have each score drawn on its own, all printable values equally likely, within ``within`` of
    the reported one (scores without upper bound: within that share of it). For one confusion matrix the passing reports
    are counted, or estimated from a sample of matrices if there are too many; for means of scores up to ``draws``
    reports are checked within ``budget`` seconds.

    >>> from scoreproof.asking.checking import check
    >>> from scoreproof.kinds.binary.experiment import TestSet
    >>> from scoreproof.detectability import strength
    >>> result = check(TestSet(p=75, n=304), {"acc": "0.855", "sens": "0.507", "spec": "0.941"})
    >>> print(strength(result))
    about 1 in 520 reports like this one would pass by chance; the test is strong
    """
    from scoreproof.detectability.passing import strength_of

    return strength_of(result, within=within, budget=budget, draws=draws, seed=seed)


def __getattr__(name: str) -> Any:
    import importlib

    for module, names in _HOME.items():
        if name in names:
            return getattr(importlib.import_module(f"scoreproof.detectability.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
