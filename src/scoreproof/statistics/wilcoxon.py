"""Wilcoxon's signed-rank test, the one to use for two models and many values.

Exact for up to 500 non-zero differences, with ties, from the true permutation distribution of the ranks at hand; beyond
that the normal approximation with the tie-corrected variance. The Hodges-Lehmann shift and its interval take longer
than the test, and are computed when they are first looked at. Demšar (2006, jmlr.org/papers/v7/demsar06a) and Rainio,
Teuho & Klén (2024, doi:10.1038/s41598-024-56706-x) recommend it over the paired t-test.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import Alternative, one_of_alternatives, pair
from scoreproof.errors import InvalidOption
from scoreproof.statistics.hodges_lehmann import hodges_lehmann
from scoreproof.statistics.result import Effect, LateEffects, TestResult
from scoreproof.statistics.signed_ranks import SignedRanks, Zeros, lost_to_rounding, rank_sum_law, signed_ranks
from scoreproof.statistics.tails import normal_p, two_sided_z
from scoreproof.statistics.wording import number_text, percent_text
from scoreproof.validation import chosen, fraction

_EXACT_UP_TO = 500
_EXACT_AT_MOST = 1500


def wilcoxon_signed_rank(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    method: Literal["auto", "exact", "asymptotic"] = "auto",
    zeros: Zeros = "drop",
    continuity: bool = False,
    decimals: int | None = 9,
    level: float = 0.95,
) -> TestResult:
    """Do paired values differ? The statistic V is the rank sum of the positive differences.

    ``zeros`` says what becomes of equal pairs: dropped before ranking (Wilcoxon), or ranked and then dropped
    (``"pratt"``). Differences are rounded to ``decimals`` before ranking, so that 0.3 - 0.2 and 0.2 - 0.1
    tie; None ranks them as they are. ``continuity`` moves the asymptotic statistic by one half. When no pair
    differs, V = 0 and p = 1.

    >>> result = wilcoxon_signed_rank([0.84, 0.83, 0.89, 0.74, 0.91], [0.75, 0.84, 0.85, 0.72, 0.90])
    >>> result.statistic, result.p_value
    (13.5, 0.1875)
    >>> wilcoxon_signed_rank([1, 2, 3], [1, 2, 3]).p_value
    1.0
    """
    first, second = pair(x, y)
    alternative = one_of_alternatives(alternative)
    chosen("method", method, ("auto", "exact", "asymptotic"))
    chosen("zeros", zeros, ("drop", "pratt"))
    level = fraction("level", level)
    differences = first - second
    scale = float(max(np.max(np.abs(first)), np.max(np.abs(second))))
    ranks = signed_ranks(differences, zeros=zeros, decimals=decimals, scale=scale)
    if method == "exact" and ranks.n > _EXACT_AT_MOST:
        raise InvalidOption(
            f"method = 'exact' with {ranks.n} differences: expected at most {_EXACT_AT_MOST}; "
            "use 'asymptotic', which agrees with it to many digits there"
        )
    exact = method == "exact" or (method == "auto" and ranks.n <= _EXACT_UP_TO)
    variance = float(np.sum(ranks.doubled.astype(np.float64) ** 2)) / 16
    deviation = ranks.v - ranks.total / 4
    z = 0.0 if variance == 0 else (deviation - _shift(deviation, alternative, continuity)) / math.sqrt(variance)
    law = rank_sum_law(ranks.doubled) if exact else None
    if ranks.n == 0:
        p, how = 1.0, "no pair differs"
    elif law is not None:
        p, how = law.p_value(ranks.positive, alternative), "exact permutation distribution"
    else:
        p, how = (normal_p(z, alternative), "normal approximation" + (", continuity corrected" if continuity else ""))

    def effects() -> tuple[Effect, ...]:
        if law is not None:
            critical, two_sided = law.critical(1 - level), law.p_value(ranks.positive, "two-sided")
        else:
            reach = two_sided_z(level) * math.sqrt(variance) + (0.5 if continuity else 0.0)
            critical, two_sided = max(0.0, ranks.total / 4 - reach), normal_p(abs(z))
        rejects = ranks.n > 0 and two_sided <= 1 - level
        shift = hodges_lehmann(ranks.differences, critical, level=level, rejects=rejects)
        return (*((shift,) if shift else ()), Effect("rank-biserial r", ranks.rank_biserial))

    details = {
        "n": ranks.n,
        "zeros": ranks.zeros,
        "r_plus": ranks.v,
        "r_minus": (ranks.total - ranks.positive) / 2,
        "z": z,
    }
    return TestResult(
        test="Wilcoxon signed-rank test",
        method=how + _treatment(ranks.zeros, zeros, tied=ranks.tied),
        statistic_name="V",
        statistic=ranks.v,
        p_value=p,
        alternative=alternative,
        effects=LateEffects(effects),
        notes=_notes(ranks, alternative, level) + lost_to_rounding(first, second, decimals),
        details=details,
        inputs={"x": first, "y": second, "decimals": decimals, "level": level},
    )


def _shift(deviation: float, alternative: Alternative, continuity: bool) -> float:
    if not continuity:
        return 0.0
    if alternative == "two-sided":
        return 0.5 * float(np.sign(deviation))
    return 0.5 if alternative == "greater" else -0.5


def _treatment(zeros: int, rule: Zeros, *, tied: bool) -> str:
    said = ", midranks for ties" if tied else ""
    if zeros:
        said += f", {zeros} equal pair{'s' if zeros > 1 else ''} {'dropped' if rule == 'drop' else 'by Pratt'}"
    return said


def _notes(ranks: SignedRanks, alternative: Alternative, level: float) -> tuple[str, ...]:
    n, alpha = ranks.n, 1 - level
    smallest = 2.0**-n * (2 if alternative == "two-sided" else 1)
    if n == 0 or smallest <= alpha:
        return ()
    d = ranks.differences
    return (
        f"with {n} differing pair{'s' if n > 1 else ''} the smallest attainable p is {smallest:.3g}: no result can "
        f"reach {alpha:.3g}, and no interval {percent_text(level)} (all differences, {number_text(float(d.min()))} to "
        f"{number_text(float(d.max()))}, make one of {percent_text(1 - 2.0 ** (1 - n))})",
    )
