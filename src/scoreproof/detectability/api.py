"""The power of a check: options read, the way chosen (listing all outcomes, or simulating), the shares summed up."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from scoreproof.asking import Verdict
from scoreproof.asking.check import check
from scoreproof.detectability.classifiers import Classifier, classifier_of
from scoreproof.detectability.deviations import Deviation, deviation_of
from scoreproof.detectability.enumeration import Shares, can_enumerate, enumerate_power
from scoreproof.detectability.outcomes import forms
from scoreproof.detectability.result import Power, PowerCurve
from scoreproof.detectability.setting import Setting
from scoreproof.detectability.simulation import Progress, Trial, run_trials
from scoreproof.errors import DuplicateScore, InvalidExperiment, InvalidOption
from scoreproof.kinds.binary.experiment import Experiment
from scoreproof.kinds.binary.experiment.tree import whole
from scoreproof.kinds.binary.scores import score
from scoreproof.reported import Rounding, report
from scoreproof.reported.conventions import Undefined, choice
from scoreproof.statistics.proportions import wilson
from scoreproof.work.journal import Journal

_MOST_DIGITS = 9
_MOST_TRIALS = 10_000_000


def analyse(
    experiment: Experiment,
    scores: str | Sequence[str],
    digits: int | Sequence[int],
    *,
    deviation: str | Deviation,
    classifier: str | Classifier,
    trials: int,
    seed: int,
    rounding: Any,
    eps: Any,
    beta: Any,
    undefined: str,
    exact: bool | None,
    level: float,
    budget: float,
    jobs: int,
    progress: Progress | None,
    resume: str | os.PathLike[str] | None,
) -> Power | PowerCurve:
    """See ``scoreproof.detectability.power``."""
    setting = _setting(experiment, scores, deviation, classifier, seed, rounding, eps, beta, undefined, budget)
    places = _digits(digits)
    trials = _whole("trials", trials, least=1, most=_MOST_TRIALS)
    if not (isinstance(level, float) and 0 < level < 1):
        raise InvalidOption(f"level: expected a number between 0 and 1 such as 0.95, got {level!r}")
    _try_out(setting, places[0])
    points = _exactly(setting, places, level) if exact is not False and can_enumerate(setting) else None
    if points is not None and resume is not None:
        raise InvalidOption(
            "resume: all outcomes are listed here, and there are no trials to keep; leave resume out, or simulate "
            "(exact=False, --simulate)"
        )
    if points is None:
        if exact:
            raise InvalidOption(
                "exact: expected an experiment that is one confusion matrix with few enough outcomes to list "
                f"(on either side), got {setting.stated} and {setting.performed}; leave exact out to simulate"
            )
        forms(setting.performed)
        with Journal(resume, "power trials", Trial.from_dict, about=setting.to_dict()) as journal:
            found = run_trials(setting, places, trials, jobs=jobs, journal=journal, progress=progress)
        points = [_estimated(setting, d, [one for one in found if one.digits == d], level) for d in places]
    return PowerCurve(tuple(points)) if isinstance(digits, Sequence) else points[0]


def _setting(
    experiment: Experiment,
    scores: str | Sequence[str],
    deviation: str | Deviation,
    classifier: str | Classifier,
    seed: int,
    rounding: Any,
    eps: Any,
    beta: Any,
    undefined: str,
    budget: float,
) -> Setting:
    if not isinstance(experiment, Experiment):
        raise InvalidExperiment(f"experiment: expected TestSet(p, n), KFold(...) or the like, got {experiment!r}")
    if isinstance(budget, bool) or not isinstance(budget, (int, float)) or not 0 < budget < float("inf"):
        raise InvalidOption(f"budget: expected a positive number of seconds per check, got {budget!r}")
    sample = report("acc", "0.5", rounding=rounding, eps=eps)
    happened = deviation_of(deviation)
    return Setting(
        experiment,
        happened.performed(experiment),
        _names(scores, beta),
        happened,
        classifier_of(classifier),
        sample.rounding or Rounding.ANY,
        sample.eps,
        choice(Undefined, "undefined", undefined),
        float(budget),
        _whole("seed", seed, least=0),
    )


def _names(scores: str | Sequence[str], beta: Any) -> tuple[str, ...]:
    given = [scores] if isinstance(scores, str) else scores
    if not isinstance(given, Sequence) or not given:
        raise InvalidOption(f"scores: expected names such as ['acc', 'sens', 'spec'], got {scores!r}")
    names: list[str] = []
    for one in given:
        if not isinstance(one, str):
            raise InvalidOption(f"scores: expected the name of a score, got {one!r}")
        name = score(one, beta).name
        if name in names:
            raise DuplicateScore(f"scores: {one!r} is given twice ({score(name).title})")
        names.append(name)
    return tuple(names)


def _digits(digits: int | Sequence[int]) -> list[int]:
    given = list(digits) if isinstance(digits, Sequence) and not isinstance(digits, str) else [digits]
    if not given:
        raise InvalidOption("digits: expected how many digits are printed, such as 4 or [2, 3, 4]; got none")
    places = [_whole("digits", one, least=0, most=_MOST_DIGITS) for one in given]
    return list(dict.fromkeys(places))


def _whole(what: str, value: Any, *, least: int, most: int | None = None) -> int:
    try:
        number = whole(what, value, least=least)
    except InvalidExperiment as error:
        raise InvalidOption(str(error)) from None
    if most is not None and number > most:
        raise InvalidOption(f"{what}: at most {most:,} is supported, got {number:,}")
    return number


def _try_out(setting: Setting, digits: int) -> None:
    """Mistakes in the deviation or the options come to light before any work is done."""
    half = 10**digits // 2
    setting.deviation.altered((half,) * len(setting.names), setting.scores, 10**digits)
    if setting.undefined is Undefined.SKIP:
        named: dict[str, Any] = {one.name: one for one in setting.reported((half,) * len(setting.names), digits)}
        check(setting.stated, named, undefined=setting.undefined, budget=0.01)


def _exactly(setting: Setting, places: Sequence[int], level: float) -> list[Power] | None:
    points = []
    for digits in places:
        shares = enumerate_power(setting, digits)
        if shares is None:
            return None
        points.append(_summed(setting, digits, shares, level))
    return points


def _summed(setting: Setting, digits: int, shares: Shares, level: float) -> Power:
    found = shares.noticed
    return Power(
        setting, digits, found, found, found, shares.outcomes, None, 0, None, shares.unchanged, exact=True, level=level
    )


def _estimated(setting: Setting, digits: int, found: Sequence[Trial], level: float) -> Power:
    trials = len(found)
    noticed = sum(one.verdict is Verdict.INCONSISTENT for one in found)
    undecided = sum(one.verdict is Verdict.UNDECIDED for one in found)
    unchanged = sum(not one.changed for one in found)
    return Power(
        setting,
        digits,
        noticed / trials,
        wilson(noticed, trials, level=level).low,
        wilson(noticed + undecided, trials, level=level).high,
        trials,
        noticed,
        undecided,
        unchanged,
        unchanged / trials,
        exact=False,
        level=level,
    )
