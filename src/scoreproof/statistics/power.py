"""Could this study have seen a difference at all? Power and the smallest difference it can detect.

Two independent proportions by the normal formula of R's power.prop.test (Fleiss, Levin & Paik 2003, chapter
4, doi:10.1002/0471445428), and two models on one test set by McNemar's test, exactly (the discordant pairs
are binomial, and so is the split of them) or by the approximation of Connor (1987, doi:10.2307/2531961).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import special

from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.results import Result, SmallTable
from scoreproof.statistics.result import number_text
from scoreproof.statistics.tails import normal_quantile
from scoreproof.validation import chosen, fraction, real, shown, whole

LARGEST_EXACT = 20_000


@dataclass(frozen=True, slots=True)
class Power(Result):
    """A design and the chance that its test will notice the difference.

    >>> print(power_mcnemar(n=300, p_b=0.15, p_c=0.08))
    McNemar's test, discordance 0.15 against 0.08, 300 cases: power 0.684 at alpha 0.05 (exact).
    """

    design: str
    n: float
    power: float
    alpha: float
    method: str

    def __str__(self) -> str:
        return f"{self.design}: power {number_text(self.power)} at alpha {self.alpha:g} ({self.method})."

    def _tables(self) -> list[SmallTable]:
        rows = [("n", number_text(self.n)), ("power", number_text(self.power)), ("alpha", f"{self.alpha:g}")]
        return [SmallTable([*rows, ("method", self.method)], caption=self.design)]


def power_two_proportions(
    *, n: float, p1: float, p2: float, alpha: float = 0.05, sides: int = 2, strict: bool = False
) -> Power:
    """The power to tell p1 from p2 with n cases in each group; ``strict`` adds the wrong tail, as R does.

    >>> round(power_two_proportions(n=300, p1=0.75, p2=0.8).power, 6)
    0.310519
    """
    p1, p2 = fraction("p1", p1, closed=True), fraction("p2", p2, closed=True)
    size, alpha = _size(n), fraction("alpha", alpha)
    value = _proportions_power(size, p1, p2, critical_z(alpha, sides), strict=strict and sides == 2)
    design = f"Two independent proportions, {p1:g} against {p2:g}, {number_text(size)} per group"
    return Power(design, size, value, alpha, "normal approximation" + (", one-sided" if sides == 1 else ""))


def cases_for_two_proportions(
    *, p1: float, p2: float, power: float = 0.8, alpha: float = 0.05, sides: int = 2
) -> float:
    """Cases per group needed to tell p1 from p2 (round up).

    >>> round(cases_for_two_proportions(p1=0.75, p2=0.8), 3)
    1093.739
    """
    p1, p2 = fraction("p1", p1, closed=True), fraction("p2", p2, closed=True)
    if p1 == p2:
        raise InvalidOption(
            f"p1 = p2 = {p1:g}: expected two different proportions; no number of cases tells them apart"
        )
    alone, each = _spreads(p1, p2)
    wanted = normal_quantile(fraction("power", power))
    return ((critical_z(fraction("alpha", alpha), sides) * alone + wanted * each) / (p1 - p2)) ** 2


def detectable_difference(
    *, n: float, p1: float, power: float = 0.8, alpha: float = 0.05, sides: int = 2, upwards: bool = True
) -> float:
    """The smallest p2 - p1 that n cases per group detect with this power.

    >>> round(detectable_difference(n=300, p1=0.75), 4)
    0.092
    """
    size, start = _size(n), fraction("p1", p1, closed=True)
    critical, wanted = critical_z(fraction("alpha", alpha), sides), fraction("power", power)
    room = 1 - start if upwards else start
    sign = 1 if upwards else -1

    def missing(difference: float) -> float:
        return _proportions_power(size, start, start + sign * difference, critical, strict=False) - wanted

    return sign * _smallest(missing, room, f"{number_text(size)} per group from {start:g}")


def power_mcnemar(
    *, n: int, p_b: float, p_c: float, alpha: float = 0.05, method: Literal["exact", "asymptotic"] = "exact"
) -> Power:
    """The power of McNemar's two-sided test with n cases, where only the first model is right with
    probability ``p_b`` and only the second with ``p_c``.

    >>> round(power_mcnemar(n=300, p_b=0.15, p_c=0.08).power, 4)
    0.6841
    >>> round(power_mcnemar(n=300, p_b=0.15, p_c=0.08, method="asymptotic").power, 4)
    0.7171
    """
    cases = whole("n", n, at_least=1)
    (b, c), alpha = _discordance(p_b, p_c), fraction("alpha", alpha)
    chosen("method", method, ("exact", "asymptotic"))
    if method == "exact" and cases > LARGEST_EXACT:
        raise InvalidOption(f"method = 'exact' with n = {cases}: expected at most {LARGEST_EXACT}; use 'asymptotic'")
    value = _mcnemar_exact(cases, b, c, alpha) if method == "exact" else _mcnemar_normal(cases, b, c, alpha)
    how = "exact" if method == "exact" else "normal approximation"
    return Power(f"McNemar's test, discordance {b:g} against {c:g}, {cases} cases", cases, value, alpha, how)


def cases_for_mcnemar(*, p_b: float, p_c: float, power: float = 0.8, alpha: float = 0.05) -> float:
    """Cases needed by McNemar's test, by the normal approximation (round up).

    >>> round(cases_for_mcnemar(p_b=0.15, p_c=0.08), 1)
    366.1
    """
    b, c = _discordance(p_b, p_c)
    if b == c:
        raise InvalidOption(f"p_b = p_c = {b:g}: expected two different rates; no number of cases tells them apart")
    discordant, difference = b + c, abs(b - c)
    z_power = normal_quantile(fraction("power", power))
    root = critical_z(fraction("alpha", alpha), 2) * math.sqrt(discordant) + z_power * math.sqrt(
        discordant - difference**2
    )
    return (root / difference) ** 2


def detectable_mcnemar(*, n: int, discordant: float, power: float = 0.8, alpha: float = 0.05) -> float:
    """The smallest difference of two rates (accuracies, sensitivities) McNemar's test detects on n cases,
    when the models disagree on the share ``discordant`` of them; by the normal approximation.

    >>> round(detectable_mcnemar(n=300, discordant=0.23), 4)
    0.0773
    """
    cases, share = whole("n", n, at_least=1), fraction("discordant", discordant)
    alpha, wanted = fraction("alpha", alpha), fraction("power", power)

    def missing(difference: float) -> float:
        return _mcnemar_normal(cases, (share + difference) / 2, (share - difference) / 2, alpha) - wanted

    return _smallest(missing, share, f"{cases} cases of which {share:g} discordant")


def _size(n: float) -> float:
    return real("n (cases)", n, above=0)


def _discordance(p_b: float, p_c: float) -> tuple[float, float]:
    b, c = fraction("p_b", p_b, closed=True), fraction("p_c", p_c, closed=True)
    if b + c > 1:
        raise InvalidValue(f"p_b + p_c = {b + c:g}: expected at most 1, the two are disjoint events")
    return b, c


def critical_z(alpha: float, sides: int) -> float:
    if sides not in (1, 2):
        raise InvalidOption(f"sides = {shown(sides)}: expected 1 or 2")
    return -normal_quantile(alpha / sides)


def _spreads(p1: float, p2: float) -> tuple[float, float]:
    """The standard deviations under one common proportion and under two."""
    total = p1 + p2
    return math.sqrt(total * (1 - total / 2)), math.sqrt(p1 * (1 - p1) + p2 * (1 - p2))


def _proportions_power(n: float, p1: float, p2: float, critical: float, *, strict: bool) -> float:
    alone, each = _spreads(p1, p2)
    if each == 0:
        return 1.0 if p1 != p2 else 0.0
    shift = math.sqrt(n) * abs(p1 - p2)
    power = float(special.ndtr((shift - critical * alone) / each))
    return power + float(special.ndtr((-shift - critical * alone) / each)) if strict else power


def _mcnemar_normal(n: int, b: float, c: float, alpha: float) -> float:
    discordant, difference = b + c, abs(b - c)
    spread = discordant - difference**2
    shift = math.sqrt(n) * difference - critical_z(alpha, 2) * math.sqrt(discordant)
    if spread <= 0:
        return float(shift > 0)
    return float(special.ndtr(shift / math.sqrt(spread)))


def _mcnemar_exact(n: int, b: float, c: float, alpha: float) -> float:
    """Sum over the numbers of discordant pairs: their probability times the chance that the test rejects then."""
    if b + c == 0:
        return 0.0
    pairs = np.arange(1, n + 1)
    # The largest smaller count that the two-sided exact test rejects, or -1.
    cut = np.floor(special.bdtrik(alpha / 2, pairs, 0.5)) + 1
    cut = np.where(special.bdtr(np.minimum(cut, pairs), pairs, 0.5) > alpha / 2, cut - 1, cut)
    cut = np.where((cut >= 0) & (special.bdtr(np.maximum(cut, 0), pairs, 0.5) > alpha / 2), cut - 1, cut)
    some = cut >= 0
    m, low = pairs[some], cut[some]
    share = b / (b + c)
    rejects = special.betainc(m - low, low + 1, 1 - share) + special.betainc(m - low, low + 1, share)
    logs = special.gammaln(n + 1) - special.gammaln(m + 1) - special.gammaln(n - m + 1)
    weights = np.exp(logs + special.xlogy(m, b + c) + special.xlog1py(n - m, -(b + c)))
    return min(1.0, float(np.sum(weights * rejects)))


def _smallest(missing: Callable[[float], float], room: float, design: str) -> float:
    if room <= 0 or missing(room) < 0:
        raise InvalidValue(f"{design}: no difference reaches the power wanted; expected more cases or less power")
    if missing(0.0) >= 0:
        return 0.0
    from scipy.optimize import brentq

    return float(brentq(missing, 0.0, room, xtol=1e-12, rtol=1e-12))
