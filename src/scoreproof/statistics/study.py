"""How many cases, data sets, seeds or runs of folds does a comparison need, and what can a given number see?

``plan_study`` answers for each design of a comparison how many cases, data sets, seeds or runs of folds are needed, or
what a given number can see: AUCs by the variances of Hanley & McNeil (1982, doi:10.1148/radiology.143.1.7063747),
signed ranks by Noether (1987, doi:10.1080/01621459.1987.10478478), seeds and folds by the noncentral t distribution,
folds with the correction of Nadeau & Bengio (2003, doi:10.1023/A:1024068626366). With a margin it plans a proof of
non-inferiority of models that are equally good.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from scipy import special

from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.statistics.auc import auc_error
from scoreproof.statistics.power import LARGEST_EXACT, Power, critical_z, power_mcnemar, power_two_proportions
from scoreproof.statistics.tails import t_quantile
from scoreproof.validation import chosen, fraction, real, whole

DESIGNS = {
    "mcnemar": "cases of one test set, labels of two models",
    "proportions": "cases of each of two test sets",
    "auc": "cases of one test set, scores of two models",
    "wilcoxon": "data sets (or independent cases), two models on each",
    "seeds": "training runs of each of two models",
    "folds": "runs of a cross-validation, two models on the same folds",
}
_MOST_PLANNED = 10**7


def plan_study(
    design: str,
    *,
    size: int | None = None,
    difference: float | None = None,
    first: float | None = None,
    second: float | None = None,
    discordant: float | None = None,
    sd: float | None = None,
    correlation: float = 0.0,
    share: float = 0.5,
    folds: int = 10,
    margin: float | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
) -> Power:
    """How many cases (data sets, seeds, runs of folds) a comparison needs, or with ``size`` what it can see.

    ``mcnemar``: ``discordant``, the share of cases only one model gets right, and ``difference`` of the rates.
    ``proportions``: the rates ``first`` and ``second`` on different cases. ``auc``: the AUCs ``first`` and ``second``,
    their ``correlation`` and the ``share`` of positives. ``wilcoxon``, ``seeds``, ``folds``: the mean ``difference``
    and the standard deviation ``sd`` of differences (of the values of one model for seeds), ``folds`` of one run.
    ``margin`` asks, for mcnemar, auc and seeds, for non-inferiority of equally good models instead, at alpha one-sided.

    >>> print(plan_study("mcnemar", discordant=0.23, difference=0.07))
    McNemar's test, discordance 0.15 against 0.08, 389 cases: power 0.801 at alpha 0.05 (exact).
    >>> plan_study("wilcoxon", difference=0.02, sd=0.03).n, plan_study("seeds", difference=0.01, sd=0.01).n
    (25, 17)
    """
    chosen("design", design, tuple(DESIGNS))
    power, alpha = fraction("power", power), fraction("alpha", alpha)
    told = {"difference": difference, "first": first, "second": second, "discordant": discordant, "sd": sd}
    needed = dict(_NEEDED[design])
    if margin is not None:
        if design not in ("mcnemar", "auc", "seeds"):
            raise InvalidOption(f"margin with design = {design!r}: expected mcnemar, auc or seeds; leave it out")
        needed.pop("difference", None)
        needed.pop("second", None)
        real("margin", margin, above=0)
    lacking = [name for name in needed if told[name] is None]
    if lacking:
        raise InvalidOption(f"design = {design!r} needs {lacking[0]} (--{lacking[0]}): expected {needed[lacking[0]]}")
    numbers = {name: real(name, value) for name, value in told.items() if value is not None}
    if "sd" in numbers and numbers["sd"] <= 0:
        raise InvalidOption(f"sd = {numbers['sd']:g}: expected a positive standard deviation")
    setting = _Setting(alpha, real("correlation", correlation, at_least=-1, below=1), fraction("share", share),
                       whole("folds", folds, at_least=2), margin, **numbers)  # fmt: skip
    chance = _CHANCES[design]
    if size is not None:
        return chance(setting, whole("size", size, at_least=1))
    least = _FEWEST[design]
    most = least
    while chance(setting, most).power < power:
        least, most = most, 2 * most
        if most > _MOST_PLANNED:
            why = "runs of the same folds share their data, and no number of them suffices" if design == "folds" else ""
            why = why or f"more than {_MOST_PLANNED:,} would be needed"
            raise InvalidValue(f"{design}: {why}; expected a larger difference, a smaller deviation or less power")
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (least, middle) if chance(setting, middle).power >= power else (middle, most)
    # An exact test's power is a saw: go on until a larger number does no worse.
    return next(found for n in range(most, most + 200) if (found := chance(setting, n)).power >= power)


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
        return s.told(
            f"McNemar's test, discordance {share:g}, {n} cases", n, float(special.ndtr(shift)), "normal approximation"
        )
    if not 0 < abs(s.difference) <= s.discordant <= 1:
        raise InvalidOption(
            f"difference = {s.difference:g}, discordant = {s.discordant:g}: expected a difference of the rates between "
            "0 and "
            "the share of cases that only one model gets right"
        )
    b, c = (s.discordant + abs(s.difference)) / 2, (s.discordant - abs(s.difference)) / 2
    return power_mcnemar(n=n, p_b=b, p_c=c, alpha=s.alpha, method="exact" if n <= LARGEST_EXACT else "asymptotic")


def _proportions_chance(s: _Setting, n: int) -> Power:
    return power_two_proportions(n=n, p1=s.first, p2=s.second, alpha=s.alpha)


def _auc_chance(s: _Setting, n: int) -> Power:
    positives = max(1, round(n * s.share))
    negatives = max(1, n - positives)
    second = s.first if s.margin is not None else s.second
    errors = []
    for name, area in (("first", s.first), ("second", second)):
        a = fraction(name, area)
        errors.append(auc_error(a, positives, negatives, a / (2 - a), 2 * a * a / (1 + a)))
    variance = errors[0] ** 2 + errors[1] ** 2 - 2 * s.correlation * errors[0] * errors[1]
    gap = abs(s.first - second) if s.margin is None else s.margin
    if not gap:
        raise InvalidOption(
            f"first = second = {s.first:g}: expected two different AUCs; no number of cases tells them apart"
        )
    cases = f"{positives} positive and {negatives} negative cases"
    what = f"AUC {s.first:g} against {second:g}, correlation {s.correlation:g}, {cases}"
    return s.told(what, n, float(special.ndtr(gap / math.sqrt(variance) - s.critical)), "Hanley-McNeil")


def _wilcoxon_chance(s: _Setting, n: int) -> Power:
    above = float(special.ndtr(math.sqrt(2) * abs(s.difference) / s.sd))
    value = float(special.ndtr((above - 0.5) * math.sqrt(3 * n) - s.critical)) if 2.0 ** (1 - n) <= s.alpha else 0.0
    return s.told(f"Wilcoxon test, difference {s.difference:g}, deviation {s.sd:g}, {n} pairs", n, value, "Noether")


def _t_chance(noncentrality: float, df: float, alpha: float, sides: int) -> float:
    reach = t_quantile(1 - 2 * alpha / sides, df)
    value = 1 - float(special.nctdtr(df, noncentrality, reach))
    return value + float(special.nctdtr(df, noncentrality, -reach)) if sides == 2 else value


def _seeds_chance(s: _Setting, n: int) -> Power:
    gap = abs(s.difference) if s.margin is None else s.margin
    value = _t_chance(gap / s.sd * math.sqrt(n / 2), 2 * n - 2, s.alpha, 2 if s.margin is None else 1) if n > 1 else 0.0
    return s.told(
        f"Welch's test, difference {gap:g}, deviation {s.sd:g}, {n} seeds of each model", n, value, "noncentral t"
    )


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
    "proportions": _proportions_chance,
    "auc": _auc_chance,
    "wilcoxon": _wilcoxon_chance,
    "seeds": _seeds_chance,
    "folds": _folds_chance,
}
_FEWEST = {"mcnemar": 1, "proportions": 1, "auc": 4, "wilcoxon": 1, "seeds": 1, "folds": 1}
