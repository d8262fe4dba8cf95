"""The power of a check: options read, the way chosen (listing all outcomes, or simulating), the shares summed up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, overload

from scoreproof.checking import Verdict, ask
from scoreproof.errors import InvalidExperiment, InvalidOption
from scoreproof.insight.deviations import TWO_CLASSES, Deviation, deviation_of
from scoreproof.insight.outcomes import Classifier, classifier_of, forms_of, named_scores, of_classes
from scoreproof.insight.power_result import Power, PowerCurve, PowerSetting
from scoreproof.insight.trials import Trial, can_enumerate, enumerate_power, run_trials
from scoreproof.kinds.binary.experiment import Experiment
from scoreproof.reported import Conventions, Rounding, read_scores
from scoreproof.reported.conventions import Undefined, spelled, told
from scoreproof.validation import fraction, random_seed, seconds, shown, whole
from scoreproof.work.journal import Journal
from scoreproof.work.pool import pool_of

_MOST_DIGITS = 9
_LARGEST_EPS = 1_000_000
_MOST_TRIALS = 10_000_000
_TAKEN = ("rounding", "eps", "beta", "undefined")


@overload
def power(experiment: Any, scores: str | Sequence[str], digits: int, **options: Any) -> Power: ...


@overload
def power(experiment: Any, scores: str | Sequence[str], digits: Sequence[int], **options: Any) -> PowerCurve: ...


@spelled(*_TAKEN, jobs=-1, progress=None, resume=None)
def power(
    experiment: Any,
    scores: str | Sequence[str],
    digits: int | Sequence[int],
    *,
    deviation: str | Deviation = "last digit",
    classifier: str | Classifier = "any",
    trials: int = 1000,
    seed: int = 0,
    exact: bool | None = None,
    level: float = 0.95,
    budget: float = 3.0,
    **options: Any,
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
    Of several classes (``MultiClass``, its folds and means) the scores are named as in ``check``, "sens" standing for
    that of every class; outcomes are drawn, and deviations that speak of positives are refused.
    ``exact`` demands (True) or forbids (False) the listing. ``budget`` is in seconds per check, ``jobs`` in processes
    (-1: all cores) or a pool (a cluster's address, a Dask client), ``progress(done, total)`` is called now and then,
    and ``resume`` names a file that keeps finished trials.

    References: Fazekas & Kovács 2024, doi:10.1016/j.asoc.2024.111993, sections 3.4, 4.5, 5.2 and 5.3.

    >>> from scoreproof.kinds.binary.experiment import TestSet
    >>> from scoreproof.insight.deviations import LastDigit
    >>> from scoreproof.insight.power_analysis import power
    >>> skin = TestSet(p=75, n=304)
    >>> curve = power(skin, ["acc", "sens", "spec"], [2, 3], deviation=LastDigit("acc"), rounding="nearest")
    >>> [(point.digits, round(point.power, 4), point.exact) for point in curve]
    [(2, 0.7256, True), (3, 1.0, True)]
    """
    jobs, progress, resume = options.pop("jobs", -1), options.pop("progress", None), options.pop("resume", None)
    how = told(options)
    how.refuse_all_but(_TAKEN, "not used by power; leave it out")
    setting = _setting(experiment, scores, deviation, classifier, seed, how, budget)
    places = _digits(digits)
    trials = whole("trials", trials, at_least=1, at_most=_MOST_TRIALS)
    level, pool = fraction("level", level), pool_of(jobs)
    _try_out(setting, places[0])
    listed = exact is not False and not setting.several and can_enumerate(setting)
    exactly = [enumerate_power(setting, each, level) for each in places] if listed else [None]
    points = [point for point in exactly if point is not None]
    if len(points) == len(places) and resume is not None:
        raise InvalidOption(
            "resume: all outcomes are listed here, and there are no trials to keep; leave resume out, or simulate "
            "(exact=False, --simulate)"
        )
    if len(points) < len(places):
        if exact:
            raise InvalidOption(
                "exact: expected an experiment that is one confusion matrix with few enough outcomes to list "
                f"(on either side), got {setting.stated} and {setting.performed}; leave exact out to simulate"
            )
        if not setting.several:
            forms_of(setting.performed)  # or an error
        with Journal(resume, "power trials", Trial.from_dict, about=setting.to_dict()) as journal:
            done = run_trials(setting, places, trials, pool=pool, journal=journal, progress=progress)
        points = [_estimated(setting, d, [trial for trial in done if trial.digits == d], level) for d in places]
    return PowerCurve(tuple(points)) if isinstance(digits, Sequence) else points[0]


def _setting(
    experiment: Any,
    scores: str | Sequence[str],
    deviation: str | Deviation,
    classifier: str | Classifier,
    seed: int,
    how: Conventions,
    budget: float,
) -> PowerSetting:
    several = of_classes(experiment)
    if not isinstance(experiment, Experiment) and not several:
        raise InvalidExperiment(f"experiment: expected TestSet(p, n), KFold(...) or the like, got {shown(experiment)}")
    (sample,) = read_scores({"acc": "0.5"}, how.only("rounding", "eps"))
    if sample.eps is not None and sample.eps > _LARGEST_EPS:
        raise InvalidOption(
            f"eps: expected at most {_LARGEST_EPS}, beyond which every report passes; got {shown(how.eps)}"
        )
    happened = deviation_of(deviation)
    if several and isinstance(happened, TWO_CLASSES):
        expected = "'last digit', 'swapped columns', 'none' or OtherExperiment(...)"
        raise InvalidOption(f"deviation: of several classes expected {expected}, got {happened.name!r}")
    return PowerSetting(
        experiment,
        happened.performed(experiment),
        tuple(score.name for score in named_scores(_names(scores), experiment, how.beta)),
        happened,
        classifier_of(classifier),
        sample.rounding or Rounding.ANY,
        sample.eps,
        how.undefined,
        seconds(budget),
        random_seed(seed),
    )


def _names(scores: str | Sequence[str]) -> Sequence[str]:
    names = [scores] if isinstance(scores, str) else scores
    if not isinstance(names, Sequence) or not names:
        raise InvalidOption(f"scores: expected names such as ['acc', 'sens', 'spec'], got {shown(scores)}")
    for name in names:
        if not isinstance(name, str):
            raise InvalidOption(f"scores: expected the name of a score, got {shown(name)}")
    return names


def _digits(digits: int | Sequence[int]) -> list[int]:
    given = list(digits) if isinstance(digits, Sequence) and not isinstance(digits, str) else [digits]
    if not given:
        raise InvalidOption("digits: expected how many digits are printed, such as 4 or [2, 3, 4]; got none")
    places = [whole("digits", place, at_most=_MOST_DIGITS) for place in given]
    return list(dict.fromkeys(places))


def _try_out(setting: PowerSetting, digits: int) -> None:
    """Mistakes in the deviation or the options come to light before any work is done."""
    half = 10**digits // 2
    setting.deviation.altered((half,) * len(setting.names), setting.scores, 10**digits)
    if setting.undefined is Undefined.SKIP:
        ask(setting.problem(setting.reported((half,) * len(setting.names), digits)), budget=0.01)


def _estimated(setting: PowerSetting, digits: int, done: Sequence[Trial], level: float) -> Power:
    from scoreproof.statistics.tails import wilson  # needs scipy, which listing all outcomes does not

    trials, verdicts = len(done), Counter(trial.verdict for trial in done)
    noticed, undecided = verdicts[Verdict.INCONSISTENT], verdicts[Verdict.UNDECIDED]
    unchanged = sum(not trial.changed for trial in done)
    low = wilson(noticed, trials, level=level).low
    high = wilson(noticed + undecided, trials, level=level).high
    counts = (trials, noticed, undecided, unchanged, unchanged / trials)
    return Power(setting, digits, noticed / trials, low, high, *counts, exact=False, level=level)
