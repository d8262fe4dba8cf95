"""Five repetitions of twofold cross-validation: Dietterich's t and Alpaydin's combined F.

Dietterich (1998, doi:10.1162/089976698300017197) took one of the ten differences for the numerator; Alpaydin
(1999, doi:10.1162/089976699300016007) uses all ten, so that the answer does not depend on their order. Prefer
the F.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import Floats, score_table, without_noise
from scoreproof.errors import InvalidValue
from scoreproof.statistics.result import Effect, TestResult
from scoreproof.statistics.tails import f_upper, t_p


def five_by_two_f(a: npt.ArrayLike, b: npt.ArrayLike) -> TestResult:
    """The combined 5x2cv F test; a and b hold five rows (repetitions) of two values (folds).

    All ten differences zero: F = 0, p = 1. Differences without spread inside any repetition: F infinite, p =
    0.

    >>> a = [[0.81, 0.82], [0.81, 0.77], [0.82, 0.81], [0.79, 0.81], [0.81, 0.80]]
    >>> b = [[0.78, 0.79], [0.77, 0.78], [0.77, 0.79], [0.78, 0.77], [0.76, 0.77]]
    >>> result = five_by_two_f(a, b)
    >>> round(result.statistic, 4), round(result.p_value, 4)
    (2.4468, 0.1677)
    """
    d, first, second = _differences(a, b)
    numerator, spread = float(np.sum(d**2)), _spread(d, first, second)
    f = 0.0 if numerator == 0 else (math.inf if spread == 0 else numerator / (2 * spread))
    return TestResult(
        test="Combined 5x2cv F test",
        method="Alpaydin",
        statistic_name="F",
        statistic=f,
        df=(10, 5),
        p_value=f_upper(f, 10, 5),
        effects=_effects(d, float(np.max(np.abs(first)))),
        notes=_notes(f),
        inputs={"a": first, "b": second},
    )


def five_by_two_t(a: npt.ArrayLike, b: npt.ArrayLike) -> TestResult:
    """Dietterich's 5x2cv t test, whose numerator is the very first difference.

    >>> a = [[0.81, 0.82], [0.81, 0.77], [0.82, 0.81], [0.79, 0.81], [0.81, 0.80]]
    >>> b = [[0.78, 0.79], [0.77, 0.78], [0.77, 0.79], [0.78, 0.77], [0.76, 0.77]]
    >>> round(five_by_two_t(a, b).statistic, 4)
    1.3838
    """
    d, first, second = _differences(a, b)
    top, spread = float(d[0, 0]), _spread(d, first, second)
    t = 0.0 if top == 0 else (math.copysign(math.inf, top) if spread == 0 else top / math.sqrt(spread / 5))
    return TestResult(
        test="5x2cv t test",
        method="Dietterich",
        statistic_name="t",
        statistic=t,
        df=(5,),
        p_value=t_p(t, 5),
        effects=_effects(d, float(np.max(np.abs(first)))),
        notes=_notes(t),
        inputs={"a": first, "b": second},
    )


def _differences(a: npt.ArrayLike, b: npt.ArrayLike) -> tuple[Floats, Floats, Floats]:
    first, second = score_table(a, at_least=(1, 1)), score_table(b, at_least=(1, 1))
    for name, table in (("a", first), ("b", second)):
        if table.shape != (5, 2):
            raise InvalidValue(
                f"{name} has shape {table.shape}: expected (5, 2), five repetitions of twofold cross-validation"
            )
    return first - second, first, second


def _spread(d: Floats, a: Floats, b: Floats) -> float:
    """The sum of the five variances; float noise around equal differences counts as none."""
    within = float(np.sum((d - d.mean(axis=1, keepdims=True)) ** 2))
    size = float(max(np.max(np.abs(a)), np.max(np.abs(b))))
    return 0.0 if within <= 1e-28 * size**2 else within


def _effects(d: Floats, scale: float) -> tuple[Effect, ...]:
    return (Effect("mean difference", without_noise(float(np.mean(d)), scale)),)


def _notes(statistic: float) -> tuple[str, ...]:
    infinite = "the differences do not vary within any repetition: the statistic is infinite"
    return (infinite,) if math.isinf(statistic) else ()
