"""The power of a check, by simulation or by listing outcomes.

Fazekas & Kovács (2024, doi:10.1016/j.asoc.2024.111993, section 5.2): each trial draws an outcome, prints it, lets the
deviation happen and asks the check. A trial's random numbers follow from the seed and its number alone, so the result
does not depend on how many processes share the work, and the same outcomes are printed with few and with many digits.
A trial that a journal kept is drawn again and counts if its witness holds or its proof verifies; otherwise it is asked
anew. Where both experiments are one confusion matrix all outcomes are listed instead, if they are not too many.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from scoreproof.checking import Answer, Verdict, ask
from scoreproof.checking.ask import proved
from scoreproof.errors import InvalidExperiment, InvalidOption, ScoreproofError
from scoreproof.insight.deviations import TWO_CLASSES, Deviation, deviation_of
from scoreproof.insight.outcomes import Classifier, classifier_of, forms_of, named_scores, of_classes, true_report
from scoreproof.insight.power_result import Power, PowerCurve, PowerSetting
from scoreproof.insight.printed_boxes import Ints, PrintedColumn, boxes, contained, one_matrix
from scoreproof.jsonable import Jsonable
from scoreproof.kinds import kind_named
from scoreproof.kinds.binary.experiment import Experiment, NormalForm
from scoreproof.kinds.kind import Problem
from scoreproof.reported import Conventions, Rounding, read_scores
from scoreproof.reported.conventions import Undefined, spelled, told
from scoreproof.validation import fraction, random_seed, seconds, shown, whole
from scoreproof.work.journal import Journal
from scoreproof.work.pool import Pool, pool_of
from scoreproof.work.pool import told as notify

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
    given = list(digits) if isinstance(digits, Sequence) and not isinstance(digits, str) else [digits]
    if not given:
        raise InvalidOption("digits: expected how many digits are printed, such as 4 or [2, 3, 4]; got none")
    places = list(dict.fromkeys(whole("digits", place, at_most=_MOST_DIGITS) for place in given))
    trials = whole("trials", trials, at_least=1, at_most=_MOST_TRIALS)
    level, pool = fraction("level", level), pool_of(jobs)
    half = (10 ** places[0] // 2,) * len(setting.names)  # mistakes come to light before any work is done
    setting.deviation.altered(half, setting.scores, 10 ** places[0])
    if setting.undefined is Undefined.SKIP:
        ask(setting.problem(setting.reported(half, places[0])), budget=0.01)
    listed = places if exact is not False and not setting.several else []
    points = [point for each in listed if (point := enumerate_power(setting, each, level)) is not None]
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
    several, names = of_classes(experiment), [scores] if isinstance(scores, str) else scores
    if not isinstance(experiment, Experiment) and not several:
        raise InvalidExperiment(f"experiment: expected TestSet(p, n), KFold(...) or the like, got {shown(experiment)}")
    (sample,) = read_scores({"acc": "0.5"}, how.only("rounding", "eps"))
    if sample.eps is not None and sample.eps > _LARGEST_EPS:
        raise InvalidOption(
            f"eps: expected at most {_LARGEST_EPS}, beyond which every report passes; got {shown(how.eps)}"
        )
    if not isinstance(names, Sequence) or not names or not all(isinstance(name, str) for name in names):
        raise InvalidOption(f"scores: expected names such as ['acc', 'sens', 'spec'], got {shown(scores)}")
    happened = deviation_of(deviation)
    if several and isinstance(happened, TWO_CLASSES):
        expected = "'last digit', 'swapped columns', 'none' or OtherExperiment(...)"
        raise InvalidOption(f"deviation: of several classes expected {expected}, got {happened.name!r}")
    return PowerSetting(
        experiment,
        happened.performed(experiment),
        tuple(score.name for score in named_scores(names, experiment, how.beta)),
        happened,
        classifier_of(classifier),
        sample.rounding or Rounding.ANY,
        sample.eps,
        how.undefined,
        seconds(budget),
        random_seed(seed),
    )


def _estimated(setting: PowerSetting, digits: int, done: Sequence[Trial], level: float) -> Power:
    from scoreproof.statistics.tails import wilson  # needs scipy, which listing all outcomes does not

    trials, verdicts = len(done), Counter(trial.verdict for trial in done)
    noticed, undecided = verdicts[Verdict.INCONSISTENT], verdicts[Verdict.UNDECIDED]
    unchanged = sum(not trial.changed for trial in done)
    low, high = wilson(noticed, trials, level=level).low, wilson(noticed + undecided, trials, level=level).high
    counts = (trials, noticed, undecided, unchanged, unchanged / trials)
    return Power(setting, digits, noticed / trials, low, high, *counts, exact=False, level=level)


Progress = Callable[[int, int], None]
Place = tuple[int, int]  # digits, and the number of a trial
_CHUNK = 8  # trials a process does before it reports back
_LONGEST = 20_000  # characters of a proof that is kept; a longer one is found again


@dataclass(frozen=True, slots=True)
class Trial(Jsonable):
    """The outcome of one trial: what the check said, and whether the report had changed at all.

    ``shown`` is what a journal keeps to show it: a witness or a proof.
    """

    digits: int
    number: int
    verdict: Verdict
    changed: bool = True
    shown: dict[str, Any] | None = field(default=None, compare=False)

    _told = "digits trial=number verdict changed shown"


Kept = tuple[Place, Trial | None]  # and what a journal kept of it


def run_trials(
    setting: PowerSetting,
    digits: Sequence[int],
    trials: int,
    *,
    pool: Pool,
    journal: Journal[Trial],
    progress: Progress | None,
) -> list[Trial]:
    """All trials at all digits, those of the journal included: a trial is the same in a run of 300 and of 1,000."""
    keys = {(places, number): f"{places} digits, trial {number}" for number in range(trials) for places in digits}
    earlier = {place: journal[key] for place, key in keys.items() if key in journal}
    wanted = [(place, earlier.get(place)) for place in keys]
    done: list[Trial] = []
    if progress is not None:
        notify(progress, 0, len(wanted))
    pool = pool.at_most(len(wanted))
    size = max(1, min(_CHUNK, len(wanted) // (4 * pool.size)))
    chunks = [wanted[start : start + size] for start in range(0, len(wanted), size)]
    for some in pool.results([(_run, (setting, chunk)) for chunk in chunks], ahead=3):
        for trial in some:
            place, kept = wanted[len(done)]
            if kept is None or (trial is not kept and trial != kept):
                journal[keys[place]] = trial
            done.append(replace(trial, shown=None))
            if progress is not None:
                notify(progress, len(done), len(wanted))
    return done


def _run(setting: PowerSetting, wanted: Sequence[Kept]) -> list[Trial]:
    """Trials, done or shown again by what a journal kept."""
    forms = () if setting.several else forms_of(setting.performed)
    return [_trial(setting, forms, *place, kept) for place, kept in wanted]


def _trial(setting: PowerSetting, forms: Sequence[NormalForm], digits: int, number: int, kept: Trial | None) -> Trial:
    rng = np.random.default_rng(np.random.SeedSequence(setting.seed, spawn_key=(number,)))
    before = true_report(setting, forms, 10**digits, rng)
    alternatives = setting.deviation.altered(before, setting.scores, 10**digits)
    chances = np.cumsum([chance for chance, _ in alternatives])
    after = alternatives[min(int(np.searchsorted(chances, rng.random(), side="right")), len(chances) - 1)][1]
    changed = after != before or setting.performed != setting.stated
    reported = setting.reported(after, digits)
    if any(claim.beyond_range for claim in reported):  # a value that the score never takes needs no check
        return Trial(digits, number, Verdict.INCONSISTENT, changed)
    problem = setting.problem(reported)
    quick = kind_named(problem.kind).quick(problem)
    if kept is not None and not quick and (kept.digits, kept.number) == (digits, number) and _is_shown(problem, kept):
        return replace(kept, changed=changed)
    answer = ask(problem, budget=setting.budget)
    return Trial(digits, number, answer.verdict, changed, None if quick else _shown(answer))


def _is_shown(problem: Problem, trial: Trial) -> bool:
    """Whether what was kept of a trial shows its verdict; one that is undecided claims nothing."""
    shown = trial.shown or {}
    try:
        witness = shown.get("witness")
        known = None if witness is None else kind_named(problem.kind).read_witness(witness)
        return proved(Answer(problem, trial.verdict, known, shown.get("proof")))
    except (ScoreproofError, TypeError, ValueError, AttributeError, LookupError, RecursionError):
        return False


def _shown(answer: Answer[Any, Any]) -> dict[str, Any] | None:
    """What shows an answer, if that is short."""
    if answer.witness is not None:
        return {"witness": answer.witness.to_dict()}
    if answer.proof is not None and len(json.dumps(answer.proof)) <= _LONGEST:
        return {"proof": answer.proof}
    return None


_MOST_VALUES = 300_000  # cells times scores: some seconds
_MOST_REPORTS = 6_000_000


def enumerate_power(setting: PowerSetting, digits: int, level: float) -> Power | None:
    """The exact share of outcomes that are noticed.

    None if one side is not a single matrix, has too many outcomes, or may be printed in too many ways.
    """
    made, stated = one_matrix(setting.performed), one_matrix(setting.stated)
    if made is None or stated is None:
        return None
    if max((p + 1) * (n + 1) for p, n in (made, stated)) * len(setting.names) > _MOST_VALUES:
        return None
    scale, zero = 10**digits, setting.undefined is Undefined.ZERO
    columns = [PrintedColumn.of(score, scale, setting.rounding, setting.eps) for score in setting.scores]
    passing = boxes(columns, *stated, *_grid(*stated), zero=zero)
    if passing.volumes.sum() > _MOST_REPORTS:
        return None
    truth, weights = _true_reports(setting, made, scale, zero)
    if not len(truth):
        raise InvalidOption(
            f"power: every outcome of {setting.performed} leaves a score undefined ({', '.join(setting.names)}); "
            "leave that score out, or use undefined='zero'"
        )
    distinct, place = np.unique(truth, axis=0, return_inverse=True)
    together = np.bincount(place.ravel(), weights=weights, minlength=len(distinct))
    other, printed = setting.performed != setting.stated, []
    for before, weight in zip(map(tuple, distinct.tolist()), together.tolist(), strict=True):
        altered = setting.deviation.altered(before, setting.scores, scale)
        printed += [(after, after != before or other, weight * chance) for chance, after in altered]
    rows, changed, chances = map(np.array, zip(*printed, strict=True))
    noticed = ~contained(rows, passing.reports())
    seen, same = (float((chances * part).sum() / chances.sum()) for part in (noticed, ~changed))
    many = int((weights > 0).sum())
    return Power(setting, digits, seen, seen, seen, many, None, 0, None, same, exact=True, level=level)


def _grid(p: int, n: int) -> tuple[Ints, Ints]:
    tp, tn = np.indices((p + 1, n + 1)).reshape(2, -1)
    return tp, tn


def _true_reports(
    setting: PowerSetting, made: tuple[int, int], scale: int, zero: bool
) -> tuple[Ints, NDArray[np.float64]]:
    """The report of every outcome in which all scores are defined, and the weight of the outcome."""
    # what a rule prints is the upper end of the numbers it allows, except that ceiling takes the lower one:
    # nearest rounds ties up, flooring allows the floor alone unless the value is exact
    rule = Rounding.NEAREST if setting.rounding is Rounding.ANY else setting.rounding
    columns = [PrintedColumn.of(score, scale, rule, None) for score in setting.scores]
    outcomes = boxes(columns, *made, *_grid(*made), zero=zero)
    printed = outcomes.low if rule is Rounding.CEIL else outcomes.high
    weights = np.outer(*(setting.classifier.weights(cases) for cases in made)).ravel()
    kept = (outcomes.low <= outcomes.high).all(axis=1)
    return printed[kept], weights[kept]
