"""Could this study have seen a difference at all? Power, the smallest difference it can detect, and what is needed.

Two independent proportions by the normal formula of R's power.prop.test (Fleiss, Levin & Paik 2003, chapter 4,
doi:10.1002/0471445428); two models on one test set by McNemar's test, exactly (the discordant pairs are binomial, and
so is their split) or by the approximation of Connor (1987, doi:10.2307/2531961). ``plan_study`` plans each design of a
comparison: AUCs by the variances of Hanley & McNeil (1982, doi:10.1148/radiology.143.1.7063747), signed ranks by
Noether (1987, doi:10.1080/01621459.1987.10478478), seeds and folds by the noncentral t distribution, folds with the
correction of Nadeau & Bengio (2003, doi:10.1023/A:1024068626366).
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, TypedDict, Unpack

import numpy as np
from scipy import special

from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.results import Result
from scoreproof.statistics.auc import hanley_mcneil_error
from scoreproof.statistics.result import number_text
from scoreproof.statistics.tails import normal_quantile, t_quantile
from scoreproof.validation import Share, chosen, fraction, optioned, real, shown, whole

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


def power_two_proportions(
    *, n: float, p1: float, p2: float, alpha: Share = 0.05, sides: int = 2, strict: bool = False
) -> Power:
    """The power to tell p1 from p2 with n cases in each group; ``strict`` adds the wrong tail, as R does."""
    p1, p2 = fraction("p1", p1, closed=True), fraction("p2", p2, closed=True)
    size = real("n (cases)", n, above=0)
    value = _proportions_power(size, p1, p2, critical_z(alpha, sides), strict=strict and sides == 2)
    design = f"Two independent proportions, {p1:g} against {p2:g}, {number_text(size)} per group"
    return Power(design, size, value, alpha, "normal approximation" + (", one-sided" if sides == 1 else ""))


def power_mcnemar(
    *, n: int, p_b: float, p_c: float, alpha: Share = 0.05, method: Literal["exact", "asymptotic"] = "exact"
) -> Power:
    """The power of McNemar's two-sided test with n cases, where only the first model is right with
    probability ``p_b`` and only the second with ``p_c``.
    """
    cases = whole("n", n, at_least=1)
    b, c = _discordance(p_b, p_c)
    if method == "exact" and cases > LARGEST_EXACT:
        raise InvalidOption(f"method = 'exact' with n = {cases}: expected at most {LARGEST_EXACT}; use 'asymptotic'")
    value = _mcnemar_exact(cases, b, c, alpha) if method == "exact" else _mcnemar_normal(cases, b, c, alpha)
    how = "exact" if method == "exact" else "normal approximation"
    return Power(f"McNemar's test, discordance {b:g} against {c:g}, {cases} cases", cases, value, alpha, how)


def _discordance(p_b: float, p_c: float) -> tuple[float, float]:
    b, c = fraction("p_b", p_b, closed=True), fraction("p_c", p_c, closed=True)
    if b + c > 1:
        raise InvalidValue(f"p_b + p_c = {b + c:g}: expected at most 1, the two are disjoint events")
    return b, c


def critical_z(alpha: float, sides: int) -> float:
    if sides not in (1, 2):
        raise InvalidOption(f"sides = {shown(sides)}: expected 1 or 2")
    return -normal_quantile(alpha / sides)


def _proportions_power(n: float, p1: float, p2: float, critical: float, *, strict: bool) -> float:
    """With the standard deviations under one common proportion, and under two."""
    total = p1 + p2
    alone, each = math.sqrt(total * (1 - total / 2)), math.sqrt(p1 * (1 - p1) + p2 * (1 - p2))
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


DESIGNS = {
    "mcnemar": "cases of one test set, labels of two models",
    "proportions": "cases of each of two test sets",
    "auc": "cases of one test set, scores of two models",
    "wilcoxon": "data sets (or independent cases), two models on each",
    "seeds": "training runs of each of two models",
    "folds": "runs of a cross-validation, two models on the same folds",
}
_MOST_PLANNED = 10**7


class StudyOptions(TypedDict, total=False):
    """What single designs need besides the difference to be seen."""

    correlation: float
    share: float
    folds: int
    margin: float | None


@optioned(StudyOptions, correlation=0.0, share=0.5, folds=10)
def plan_study(
    design: str,
    *,
    size: int | None = None,
    difference: float | None = None,
    first: float | None = None,
    second: float | None = None,
    discordant: float | None = None,
    sd: float | None = None,
    power: float = 0.8,
    alpha: Share = 0.05,
    **more: Unpack[StudyOptions],
) -> Power:
    """How many cases (data sets, seeds, runs of folds) a comparison needs, or with ``size`` what it can see.

    With ``size`` and no ``difference`` (no ``second``) it is the smallest that is seen with this power.

    ``mcnemar``: ``discordant``, the share of cases only one model gets right, and ``difference`` of the rates.
    ``proportions``: the rates ``first`` and ``second`` on different cases. ``auc``: the AUCs ``first`` and ``second``,
    their ``correlation`` and the ``share`` of positives. ``wilcoxon``, ``seeds``, ``folds``: the mean ``difference``
    and the standard deviation ``sd`` of differences (of the values of one model for seeds), ``folds`` of one run.
    ``margin`` asks, for mcnemar, auc and seeds, for non-inferiority of equally good models instead, at alpha one-sided.

    >>> print(plan_study("mcnemar", discordant=0.23, difference=0.07))
    McNemar's test, discordance 0.15 against 0.08, 389 cases: power 0.801 at alpha 0.05 (exact).
    >>> plan_study("wilcoxon", difference=0.02, sd=0.03).n, plan_study("seeds", difference=0.01, sd=0.01).n
    (25, 17)
    >>> print(plan_study("seeds", size=5, sd=0.01))
    Welch's test, difference 0.0202444, deviation 0.01, 5 seeds of each model: power 0.800 at alpha 0.05 (noncentral t).
    """
    chosen("design", design, tuple(DESIGNS))
    power = fraction("power", power)
    told = {"difference": difference, "first": first, "second": second, "discordant": discordant, "sd": sd}
    needed = dict(_NEEDED[design])
    margin = more["margin"]
    if margin is not None:
        if design not in ("mcnemar", "auc", "seeds"):
            raise InvalidOption(f"margin with design = {design!r}: expected mcnemar, auc or seeds; leave it out")
        needed.pop("difference", None)
        needed.pop("second", None)
        margin = real("margin", margin, above=0)
    lacking = [name for name in needed if told[name] is None]
    unknown = "second" if "second" in needed else "difference"
    smallest = lacking == [unknown] and size is not None
    if lacking and not smallest:
        raise InvalidOption(f"design = {design!r} needs {lacking[0]} (--{lacking[0]}): expected {needed[lacking[0]]}")
    numbers = {name: real(name, value) for name, value in told.items() if value is not None}
    if "sd" in numbers and numbers["sd"] <= 0:
        raise InvalidOption(f"sd = {numbers['sd']:g}: expected a positive standard deviation")
    correlation, share = (
        real("correlation", more["correlation"], at_least=-1, below=1),
        fraction("share", more["share"]),
    )
    setting = _Setting(alpha, correlation, share, whole("folds", more["folds"], at_least=2), margin, **numbers)
    if size is not None:
        size = whole("size", size, at_least=1)
        return _CHANCES[design](_smallest(setting, unknown, design, size, power) if smallest else setting, size)
    return _fewest(setting, design, power)


def _fewest(setting: _Setting, design: str, power: float) -> Power:
    """The smallest size that has the power, by doubling and bisection."""
    chance = _CHANCES[design]
    least = most = 4 if design == "auc" else 1
    while chance(setting, most).power < power:
        least, most = most, 2 * most
        if most > _MOST_PLANNED:
            why = "runs of the same folds share their data, and no number of them suffices"
            why = why if design == "folds" else f"more than {_MOST_PLANNED:,} would be needed"
            raise InvalidValue(f"{design}: {why}; expected a larger difference, a smaller deviation or less power")
    least = min(least + 1, most)
    most = least + bisect_left(range(least, most), True, key=lambda n: chance(setting, n).power >= power)
    # An exact test's power is a saw: go on until a larger number does no worse.
    return next(reached for n in range(most, most + 200) if (reached := chance(setting, n)).power >= power)


def _smallest(setting: _Setting, unknown: str, design: str, size: int, power: float) -> _Setting:
    """The setting with the smallest difference (or second rate above the first) that the size sees."""
    from scipy.optimize import brentq

    low = setting.first if unknown == "second" else 0.0
    most = {"mcnemar": setting.discordant, "proportions": 1.0, "auc": 1 - 1e-9}.get(design, setting.sd)

    def at(value: float) -> _Setting:
        return replace(setting, second=value) if unknown == "second" else replace(setting, difference=value)

    def missing(value: float) -> float:
        return _CHANCES[design](at(value), size).power - power

    while design in ("wilcoxon", "seeds", "folds") and most < 1000 * setting.sd and missing(most) < 0:
        most *= 2  # far beyond the answer the noncentral t distribution has no digits
    if low >= most or missing(most) < 0:
        raise InvalidValue(f"{design}, size = {size}: no difference has the power {power:g}; expected a larger size")
    return at(float(brentq(missing, low + 1e-12 * (most - low), most, xtol=1e-10)))


@dataclass(frozen=True, slots=True)
class _Setting:
    alpha: float
    correlation: float
    share: float
    folds: int
    margin: float | None = None
    difference: float = 0.0
    first: float = 0.0
    second: float = 0.0
    discordant: float = 0.0
    sd: float = 1.0

    @property
    def critical(self) -> float:
        return critical_z(self.alpha, 2 if self.margin is None else 1)

    def told(self, what: str, n: int, value: float, method: str) -> Power:
        about = "" if self.margin is None else f", not worse by {self.margin:g}"
        return Power(what + about, n, min(1.0, max(0.0, value)), self.alpha, method)


def _mcnemar_chance(s: _Setting, n: int) -> Power:
    if s.margin is not None:
        share = fraction("discordant", s.discordant, closed=True)
        shift = s.margin * math.sqrt(n / share) - s.critical if share else math.inf
        what = f"McNemar's test, discordance {share:g}, {n} cases"
        return s.told(what, n, float(special.ndtr(shift)), "normal approximation")
    if not 0 < abs(s.difference) <= s.discordant <= 1:
        raise InvalidOption(
            f"difference = {s.difference:g}, discordant = {s.discordant:g}: expected a difference of the rates between "
            "0 and the share of cases that only one model gets right"
        )
    b, c = (s.discordant + abs(s.difference)) / 2, (s.discordant - abs(s.difference)) / 2
    return power_mcnemar(n=n, p_b=b, p_c=c, alpha=s.alpha, method="exact" if n <= LARGEST_EXACT else "asymptotic")


def _auc_chance(s: _Setting, n: int) -> Power:
    positives = max(1, round(n * s.share))
    negatives = max(1, n - positives)
    second = s.first if s.margin is not None else s.second
    a, b = (
        hanley_mcneil_error(fraction(x, area), positives, negatives)
        for x, area in (("first", s.first), ("second", second))
    )
    gap = abs(s.first - second) if s.margin is None else s.margin
    if not gap:
        raise InvalidOption(f"first = second = {s.first:g}: expected two different AUCs; no cases tell them apart")
    cases = f"{positives} positive and {negatives} negative cases"
    what = f"AUC {s.first:g} against {second:g}, correlation {s.correlation:g}, {cases}"
    error = math.sqrt(a**2 + b**2 - 2 * s.correlation * a * b)
    return s.told(what, n, float(special.ndtr(gap / error - s.critical)), "Hanley-McNeil")


def _wilcoxon_chance(s: _Setting, n: int) -> Power:
    above = float(special.ndtr(math.sqrt(2) * abs(s.difference) / s.sd))
    value = float(special.ndtr((above - 0.5) * math.sqrt(3 * n) - s.critical)) if 2.0 ** (1 - n) <= s.alpha else 0.0
    return s.told(f"Wilcoxon test, difference {s.difference:g}, deviation {s.sd:g}, {n} pairs", n, value, "Noether")


def _t_chance(noncentrality: float, df: float, alpha: float, sides: int) -> float:
    reach = t_quantile(1 - 2 * alpha / sides, df)
    # Far from 0 scipy has no digits of a tail, which is nothing there.
    below, wrong = (float(np.nan_to_num(special.nctdtr(df, noncentrality, end))) for end in (reach, -reach))
    return 1 - below + wrong if sides == 2 else 1 - below


def _seeds_chance(s: _Setting, n: int) -> Power:
    gap, sides = (abs(s.difference), 2) if s.margin is None else (s.margin, 1)
    value = _t_chance(gap / s.sd * math.sqrt(n / 2), 2 * n - 2, s.alpha, sides) if n > 1 else 0.0
    what = f"Welch's test, difference {gap:g}, deviation {s.sd:g}, {n} seeds of each model"
    return s.told(what, n, value, "noncentral t")


def _folds_chance(s: _Setting, n: int) -> Power:
    k = s.folds
    error = s.sd * math.sqrt(1 / (n * k) + 1 / (k - 1))
    value = _t_chance(abs(s.difference) / error, k + n - 2, s.alpha, 2)
    what = f"Corrected resampled t-test, difference {s.difference:g}, deviation {s.sd:g}, {n} runs of {k} folds"
    return s.told(what, n, value, "noncentral t")


_DIFFERENCE = {"difference": "the difference to be seen"}
_SPREAD = {**_DIFFERENCE, "sd": "the standard deviation of the differences (of one model's values for seeds)"}
_NEEDED: dict[str, dict[str, str]] = {
    "mcnemar": {**_DIFFERENCE, "discordant": "the share of cases that only one model gets right"},
    "proportions": {"first": "a rate", "second": "a rate"},
    "auc": {"first": "an AUC", "second": "an AUC"},
    **dict.fromkeys(("wilcoxon", "seeds", "folds"), _SPREAD),
}
_CHANCES: dict[str, Callable[[_Setting, int], Power]] = {
    "mcnemar": _mcnemar_chance,
    "proportions": lambda s, n: power_two_proportions(n=n, p1=s.first, p2=s.second, alpha=s.alpha),
    "auc": _auc_chance,
    "wilcoxon": _wilcoxon_chance,
    "seeds": _seeds_chance,
    "folds": _folds_chance,
}
