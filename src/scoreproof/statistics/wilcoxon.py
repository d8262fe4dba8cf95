"""Wilcoxon's signed-rank test, exact with ties and zeros, the shift it believes in, and the sign test.

Given the ranks, each sign is a fair coin: the law of the rank sum is a product of short factors, computed by a
convolution (Wilcoxon 1945, doi:10.2307/3001968; Pratt 1959, doi:10.1080/01621459.1959.10501526), exactly for up to 200
non-zero differences, beyond that by the normal approximation with the tie-corrected variance. Demšar (2006,
jmlr.org/papers/v7/demsar06a) and Rainio, Teuho & Klén (2024, doi:10.1038/s41598-024-56706-x) recommend the test over
the paired t-test where ranks are the question, and warn of the sign test's low power.

The Hodges-Lehmann estimate is the median of all pairwise means of the differences; its interval holds the shifts that
the test does not reject (Hollander, Wolfe & Chicken 2014, section 3.2, doi:10.1002/9781119196037), by the test's own
critical value, so that it excludes 0 exactly when the test rejects. Of many differences the pairwise means are not
listed: one of given rank is found by counting how many lie below a guess. It is computed when it is first looked at.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import Alternative, Floats, pair, rounded
from scoreproof.errors import InvalidOption
from scoreproof.statistics.result import (
    Effect,
    Interval,
    LateEffects,
    TestResult,
    count_text,
    number_text,
    percent_text,
)
from scoreproof.statistics.tails import (
    binomial_lower,
    binomial_upper,
    clopper_pearson,
    fisher_interval,
    normal_p,
    two_sided_z,
)
from scoreproof.validation import Share, whole

_LISTED = 1500
_SHORT = 20_000
_NAME = "Hodges-Lehmann difference"


def hodges_lehmann(
    differences: Floats, critical: float | None, *, level: float = 0.95, rejects: bool = False
) -> Effect | None:
    """The estimate, with the interval where ``critical``, the largest rank sum that is rejected, is known.

    ``rejects`` is the verdict of the test about 0, which decides where an end of the interval falls on 0 itself.
    """
    n = len(differences)
    if n == 0:
        return None
    d = np.sort(differences)
    total = n * (n + 1) // 2
    middle = sorted({(total + 1) // 2, total // 2 + 1})
    ends = [] if critical is None else [math.floor(critical) + 1, total - math.floor(critical)]
    means = dict(zip([*middle, *ends], _walsh(d, [*middle, *ends]), strict=True))
    estimate = sum(means[m] for m in middle) / len(middle)
    if critical is None:
        return Effect(_NAME, estimate)
    low, high = (means[rank] for rank in ends)
    low, high = _agreeing(d, min(low, estimate), max(high, estimate), rejects=rejects, above=estimate > 0)
    return Effect(_NAME, estimate, Interval(low, high, level, "inverted signed-rank test"))


def _agreeing(d: Floats, low: float, high: float, *, rejects: bool, above: bool) -> tuple[float, float]:
    """The interval without 0 where the test rejects it, with 0 where it does not.

    Ends are pairwise means; of one that is 0 the test says whether it belongs to the interval or the next beyond it.
    """
    if not rejects:
        return min(low, 0.0), max(high, 0.0)
    if low > 0 or high < 0:
        return low, high
    if above:
        return _walsh(d, [_count(d, 0.0) + 1])[0], high
    return low, _walsh(d, [_count(d, 0.0, strict=True)])[0]


def _walsh(d: Floats, ranks: list[int]) -> list[float]:
    """The pairwise means of these ranks (from 1) of sorted differences."""
    if len(d) <= _LISTED:
        means = (d[:, None] + d[None, :])[np.triu_indices(len(d))] / 2
        means.partition([rank - 1 for rank in ranks])
        return [float(means[rank - 1]) for rank in ranks]
    from scipy.optimize import brentq

    def above(at: float, rank: int) -> float:
        return _count(d, at) - rank + 0.5

    nearest = []
    close = 1e-15 if len(d) <= _SHORT else 1e-7 * float(d[-1] - d[0])
    for rank in ranks:
        ends = float(d[0]) - close - 1e-300, float(d[-1]) + close
        at = ends[0] if ends[0] == ends[1] else float(brentq(above, *ends, (rank,), xtol=close, rtol=1e-15))
        # The pairwise mean closest to it.
        place = np.clip(np.searchsorted(d, 2 * at - d), 1, len(d) - 1)
        means = np.concatenate([d + d[place], d + d[place - 1]]) / 2
        nearest.append(float(means[np.argmin(np.abs(means - at))]))
    return nearest


def _count(d: Floats, at: float, *, strict: bool = False) -> int:
    """How many pairwise means are at most (or below) a value."""
    # In rising order, which numpy searches several times as fast.
    reach = np.searchsorted(d, (2 * at - d)[::-1], side="left" if strict else "right")[::-1]
    # Each pair once: for the i-th difference those from itself on.
    return int(np.maximum(reach - np.arange(len(d)), 0).sum())


Zeros = Literal["drop", "pratt"]
_EXACT_UP_TO = 200
_EXACT_AT_MOST = 1000  # counts up to 2^n fit a float


def wilcoxon_signed_rank(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    method: Literal["auto", "exact", "asymptotic"] = "auto",
    zeros: Zeros = "drop",
    continuity: bool = False,
    decimals: int | None = 9,
    level: Share = 0.95,
) -> TestResult:
    """Do paired values differ? The statistic V is the rank sum of the positive differences.

    ``zeros`` says what becomes of equal pairs: dropped before ranking (Wilcoxon), or ranked and then dropped
    (``"pratt"``). Differences are rounded to ``decimals`` before ranking, so that 0.3 - 0.2 and 0.2 - 0.1
    tie; None ranks them as they are. ``continuity`` moves the asymptotic statistic by one half. When no pair
    differs, V = 0 and p = 1.

    >>> result = wilcoxon_signed_rank([0.84, 0.83, 0.89, 0.74, 0.91], [0.75, 0.84, 0.85, 0.72, 0.90])
    >>> result.statistic, result.p_value
    (13.5, 0.1875)
    """
    first, second = pair(x, y)
    differences = first - second
    scale = float(max(np.max(np.abs(first)), np.max(np.abs(second))))
    ranks = signed_ranks(differences, zeros=zeros, decimals=decimals, scale=scale)
    if method == "exact" and ranks.n > _EXACT_AT_MOST:
        raise InvalidOption(f"method = 'exact' of {ranks.n} pairs: expected at most {_EXACT_AT_MOST}; use 'auto'")
    exact = method == "exact" or (method == "auto" and ranks.n <= _EXACT_UP_TO)
    variance = float(np.sum(ranks.doubled.astype(np.float64) ** 2)) / 16
    deviation = ranks.v - ranks.total / 4
    side = {"two-sided": float(np.sign(deviation)), "greater": 1.0, "less": -1.0}[alternative] if continuity else 0.0
    z = 0.0 if variance == 0 else (deviation - side / 2) / math.sqrt(variance)
    law = RankSumLaw(ranks.doubled) if exact else None
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
        return (*((shift,) if shift else ()), rank_biserial_effect(ranks.rank_biserial, ranks.n, level))

    if ranks.tied:
        how += ", midranks for ties"
    if ranks.zeros:
        equal = f", {ranks.zeros} equal pair{'s' if ranks.zeros > 1 else ''}"
        how += f"{equal} {'dropped' if zeros == 'drop' else 'by Pratt'}"
    r_minus = (ranks.total - ranks.positive) / 2
    details = {"n": ranks.n, "zeros": ranks.zeros, "r_plus": ranks.v, "r_minus": r_minus, "z": z}
    notes = _unreachable(ranks, alternative, level) + lost_to_rounding(first, second, decimals)
    inputs = {"x": first, "y": second, "decimals": decimals, "level": level}
    told = {**details, "turned": count_text(r_minus)}
    return TestResult(
        "Wilcoxon signed-rank test", how, "V", ranks.v, p, alternative, (), LateEffects(effects), notes, told, inputs
    )


def _unreachable(ranks: SignedRanks, alternative: Alternative, level: float) -> tuple[str, ...]:
    """A note where so few pairs differ that no result could be significant."""
    n, d, smallest = ranks.n, ranks.differences, 2.0**-ranks.n * (2 if alternative == "two-sided" else 1)
    if n == 0 or smallest <= 1 - level:
        return ()
    return (
        f"with {n} differing pair{'s' if n > 1 else ''} the smallest attainable p is {smallest:.3g}: no result can "
        f"reach {1 - level:.3g}, and no interval {percent_text(level)} (all differences, {number_text(float(d.min()))} "
        f"to {number_text(float(d.max()))}, make one of {percent_text(1 - 2.0 ** (1 - n))})",
    )


def sign_test(
    x: npt.ArrayLike | None = None,
    y: npt.ArrayLike | None = None,
    *,
    wins: int | None = None,
    losses: int | None = None,
    ties: Literal["drop", "split"] = "drop",
    alternative: Alternative = "two-sided",
    decimals: int | None = 9,
    level: Share = 0.95,
) -> TestResult:
    """The exact sign test, from paired values or from the numbers of wins and losses of x.

    Equal pairs are dropped, or split evenly (``ties="split"``, one of an odd number being dropped). With
    neither wins nor losses p = 1.

    >>> sign_test([3, 5, 2, 8], [1, 4, 2, 6]).p_value
    0.25
    """
    counts = wins is not None or losses is not None
    if counts == (x is not None or y is not None):
        raise InvalidOption("expected either x and y, or wins and losses; give one of the two forms")
    equal = 0
    notes: tuple[str, ...] = ()
    if counts:
        won, lost = whole("wins", wins), whole("losses", losses)
    elif x is None or y is None:
        raise InvalidOption("x and y come together: expected both")
    else:
        first, second = pair(x, y)
        d = rounded(first - second, decimals)
        won, lost = int(np.sum(d > 0)), int(np.sum(d < 0))
        notes = lost_to_rounding(first, second, decimals)
        equal = len(d) - won - lost
        if ties == "split":
            won, lost = won + equal // 2, lost + equal // 2
    n = won + lost
    how = "exact binomial" + (f", {equal} equal pairs {'split' if ties == 'split' else 'dropped'}" if equal else "")
    p = fair_coin_p(won, lost, alternative)
    effects = (Effect("P(win)", won / n if n else 0.5, clopper_pearson(won, n, level=level)),)
    details = {"wins": won, "losses": lost, "ties": equal, "shown": f"{won} of {n}", "turned": f"{lost} of {n}"}
    inputs = {"wins": won, "losses": lost, "ties": equal, "level": level}
    return TestResult(
        "Sign test", how, "wins", won, p, alternative, effects=effects, notes=notes, details=details, inputs=inputs
    )


def fair_coin_p(won: int, lost: int, alternative: Alternative) -> float:
    """The exact binomial p-value of these wins against a fair coin; 1 without any game."""
    n = won + lost
    if alternative == "two-sided":
        return min(1.0, 2 * binomial_lower(min(won, lost), n))
    return binomial_upper(won, n) if alternative == "greater" else binomial_lower(won, n)


def rank_biserial_effect(r: float, n: int, level: float) -> Effect:
    """With an interval on Fisher's scale, from the variance of the rank sum (King & Minium 2003, chapter 19)."""
    error = math.sqrt((2 * n + 1) * 2 / (3 * n * (n + 1))) if n > 1 else math.inf
    return Effect("rank-biserial r", r, fisher_interval(r, error, level))


@dataclass(frozen=True, slots=True)
class SignedRanks:
    """The doubled midranks of the non-zero differences, and how much of them is positive."""

    doubled: npt.NDArray[np.int64]
    positive: int
    zeros: int
    tied: bool
    #: the non-zero differences, free of float noise where rounding removed no more than that
    differences: Floats

    @property
    def n(self) -> int:
        return len(self.doubled)

    @property
    def total(self) -> int:
        return int(self.doubled.sum())

    @property
    def v(self) -> float:
        """The sum of the ranks of the positive differences."""
        return self.positive / 2

    @property
    def rank_biserial(self) -> float:
        return (2 * self.positive - self.total) / self.total if self.n else 0.0


def signed_ranks(differences: Floats, *, zeros: Zeros, decimals: int | None, scale: float = 1.0) -> SignedRanks:
    """Rank the absolute differences after rounding: 0.3 - 0.2 and 0.2 - 0.1 tie, whatever floats say.

    ``scale`` is how large the values are whose differences these are: it says what is float noise.
    """
    d = rounded(differences, decimals)
    kept = d[d != 0]
    size = np.abs(kept if zeros == "drop" else d)
    order = np.argsort(size)
    rising = size[order]
    starts = np.ones(len(size), dtype=bool)
    starts[1:] = rising[1:] != rising[:-1]
    first = np.flatnonzero(starts)
    counts = np.diff(first, append=len(size))
    doubled = np.empty(len(size), dtype=np.int64)
    doubled[order] = np.repeat(2 * first + counts + 1, counts)
    tied = bool(np.any(counts[rising[first] > 0] > 1))
    if zeros == "pratt":
        doubled = doubled[d != 0]
    noise = bool(np.all(np.abs(differences - d) <= 64 * np.finfo(np.float64).eps * scale))
    clean = kept if noise else differences[d != 0]
    return SignedRanks(doubled, int(doubled[kept > 0].sum()), int(len(d) - len(kept)), tied, clean)


def lost_to_rounding(x: Floats, y: Floats, decimals: int | None) -> tuple[str, ...]:
    """A note when rounding made real differences, not mere float noise, vanish."""
    d, noise = np.abs(x - y), 64 * np.finfo(np.float64).eps * np.maximum(np.abs(x), np.abs(y))
    lost = int(np.sum((rounded(d, decimals) == 0) & (d > noise)))
    told = f"{lost} differences vanished in rounding to {decimals} decimals: pass decimals=None to rank them"
    return (told,) if lost and decimals is not None else ()


class RankSumLaw:
    """The exact law of the sum of the positive doubled ranks, each sign a fair coin."""

    def __init__(self, doubled: npt.NDArray[np.int64]) -> None:
        self.unit = int(np.gcd.reduce(doubled)) if len(doubled) else 1
        self.ranks, self.total = np.sort(doubled // self.unit), int(doubled.sum())

    def at_most(self, doubled: int) -> float:
        """The probability of this doubled rank sum or less."""
        if doubled < 0:
            return 0.0
        if 2 * doubled >= self.total:
            # By symmetry: at most this is not more than that.
            return 1.0 - self.at_most(self.total - doubled - 1)
        return float(self._lower(doubled // self.unit)[-1])

    def p_value(self, positive: int, alternative: str) -> float:
        """The p-value of the doubled sum of the positive ranks."""
        if alternative == "two-sided":
            extreme = min(positive, self.total - positive)
            return 1.0 if 2 * extreme >= self.total else min(1.0, 2 * self.at_most(extreme))
        return self.at_most(self.total - positive if alternative == "greater" else positive)

    def critical(self, alpha: float) -> float | None:
        """The largest rank sum (not doubled) that a two-sided test rejects, None where it can reject nothing."""
        lower = self._lower(max(0, (self.total - 1) // 2 // self.unit))
        rejected = int(np.searchsorted(2 * lower, alpha, side="right"))
        return None if rejected == 0 else (rejected - 1) * self.unit / 2

    def _lower(self, top: int) -> Floats:
        """P(at most ``unit`` times the index), up to ``top``. All terms are positive, so small tails keep digits."""
        law = np.zeros(top + 1)
        law[0] = 1.0
        reach = 0
        for rank in self.ranks.tolist():
            if rank > top:
                break
            reach = min(top, reach + rank)
            law[rank : reach + 1] += law[: reach + 1 - rank]
        return np.cumsum(law) * 0.5 ** len(self.ranks)
