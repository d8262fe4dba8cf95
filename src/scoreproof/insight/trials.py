"""Power by simulation, the way of Fazekas and Kovács (2024, doi:10.1016/j.asoc.2024.111993, section 5.2).

Each trial draws an outcome, prints it, lets the deviation happen and asks the check. A trial's random numbers follow
from the seed and its number alone, so the result does not depend on how many processes share the work, and the same
outcomes are printed with few and with many digits. A trial that a journal kept is drawn again and counts if its witness
holds or its proof verifies; otherwise it is asked anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scoreproof.checking import Answer, Verdict, ask
from scoreproof.checking.ask import proved
from scoreproof.errors import InvalidExperiment, InvalidOption, ScoreproofError
from scoreproof.insight.deviations import Units
from scoreproof.insight.outcomes import Classifier, Fold, draw_class_report, mean_units
from scoreproof.insight.power_result import PowerSetting
from scoreproof.insight.printed_boxes import Bools, Ints, PrintedColumn, boxes, contained, one_matrix
from scoreproof.jsonable import Jsonable
from scoreproof.kinds import kind_named
from scoreproof.kinds.binary.experiment import (
    Experiment,
    FoldRule,
    MeanOfScores,
    NormalForm,
    TestSet,
    is_unknown,
    normal_form,
    readings,
)
from scoreproof.kinds.binary.scores import ConfusionMatrix, Score
from scoreproof.kinds.kind import Problem
from scoreproof.reported import Rounding
from scoreproof.reported.conventions import Undefined
from scoreproof.work.journal import Journal
from scoreproof.work.pool import Pool, told

if TYPE_CHECKING:
    import numpy as np


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
    wanted = [(places, number) for number in range(trials) for places in digits]
    kept = [place for place in wanted if _key(*place) in journal]
    found: dict[Place, Trial] = {}
    if progress is not None:
        told(progress, 0, len(wanted))

    def take(trial: Trial) -> None:
        found[trial.digits, trial.number] = replace(trial, shown=None)
        if progress is not None:
            told(progress, len(found), len(wanted))

    again = [(place, journal[_key(*place)]) for place in kept]
    for trial in _results(_believed, setting, again, pool):
        take(trial)
    missing = [place for place in wanted if place not in found]
    for trial in _results(_asked, setting, missing, pool):
        journal[_key(trial.digits, trial.number)] = trial
        take(trial)
    return [found[place] for place in wanted]


def _key(digits: int, number: int) -> str:
    return f"{digits} digits, trial {number}"


def _results(
    work: Callable[..., list[Trial]], setting: PowerSetting, wanted: Sequence[Any], pool: Pool
) -> Iterator[Trial]:
    pool = pool.at_most(len(wanted))
    size = max(1, min(_CHUNK, len(wanted) // (4 * pool.size)))
    chunks = [wanted[start : start + size] for start in range(0, len(wanted), size)]
    for some in pool.results([(work, (setting, chunk)) for chunk in chunks], ahead=3):
        yield from some


def _asked(setting: PowerSetting, wanted: Sequence[Place]) -> list[Trial]:
    """Trials that are done."""
    made = _forms(setting)
    return [_trial(setting, *_report(setting, made, *place), *place) for place in wanted]


def _believed(setting: PowerSetting, kept: Sequence[tuple[Place, Trial]]) -> list[Trial]:
    """Those of the trials kept that are shown again, or done again in no time."""
    made = _forms(setting)
    found = []
    for place, trial in kept:
        after, changed = _report(setting, made, *place)
        problem = setting.posed(after, place[0])
        if problem is None or kind_named(problem.kind).quick(problem):
            found.append(_trial(setting, after, changed, *place))
        elif (trial.digits, trial.number) == place and _is_shown(problem, trial):
            found.append(replace(trial, changed=changed))
    return found


def _is_shown(problem: Problem, trial: Trial) -> bool:
    """Whether what was kept of a trial shows its verdict; one that is undecided claims nothing."""
    shown = trial.shown or {}
    try:
        witness = shown.get("witness")
        known = None if witness is None else kind_named(problem.kind).read_witness(witness)
        return proved(Answer(problem, trial.verdict, known, shown.get("proof")))
    except (ScoreproofError, TypeError, ValueError, AttributeError, LookupError, RecursionError):
        return False


def _forms(setting: PowerSetting) -> Sequence[NormalForm]:
    return () if setting.several else forms(setting.performed)


def _report(setting: PowerSetting, made: Sequence[NormalForm], digits: int, number: int) -> tuple[Units, bool]:
    """What a trial prints, and whether the deviation changed anything."""
    rng = np.random.default_rng(np.random.SeedSequence(setting.seed, spawn_key=(number,)))
    before = _drawn(setting, made, digits, rng)
    after = _happened(setting, before, digits, rng)
    return after, after != before or setting.performed != setting.stated


def _trial(setting: PowerSetting, after: Units, changed: bool, digits: int, number: int) -> Trial:
    problem = setting.posed(after, digits)
    if problem is None:
        return Trial(digits, number, Verdict.INCONSISTENT, changed)
    answer = ask(problem, budget=setting.budget)
    return Trial(digits, number, answer.verdict, changed, _kept(problem, answer))


def _kept(problem: Problem, answer: Answer[Any, Any]) -> dict[str, Any] | None:
    """What shows an answer that took long, if that is short."""
    if kind_named(problem.kind).quick(problem):
        return None
    if answer.witness is not None:
        return {"witness": answer.witness.to_dict()}
    if answer.proof is not None and len(json.dumps(answer.proof)) <= _LONGEST:
        return {"proof": answer.proof}
    return None


def _drawn(setting: PowerSetting, made: Sequence[NormalForm], digits: int, rng: np.random.Generator) -> Units:
    if not setting.several:
        return draw_report(setting, made, digits, rng)
    how = (setting.classifier, 10**digits, setting.rounding, setting.undefined)
    return draw_class_report(setting.performed, setting.scores, *how, rng)


def _happened(setting: PowerSetting, before: Units, digits: int, rng: np.random.Generator) -> Units:
    """One of the reports the deviation may print, by their probabilities."""
    alternatives = setting.deviation.altered(before, setting.scores, 10**digits)
    luck = rng.random()
    for chance, after in alternatives:
        luck -= chance
        if luck < 0:
            return after
    return alternatives[-1][1]


_REDRAWS = 2_000
_LARGEST = 10**9  # cases of a data set that numpy deals into folds
_MOST_CASES = 10**15  # of one evaluation set


def forms(experiment: Experiment) -> list[NormalForm]:
    """The ways the experiment may have been carried out, each as a list of evaluation sets.

    An experiment that adds its matrices is one set; one of unknown aggregation has several forms.
    """
    found = []
    for one in readings(experiment) if is_unknown(experiment) else [experiment]:
        counts = one_matrix(one)
        form = normal_form(MeanOfScores([TestSet(*counts)]) if counts is not None else one)
        if form.ranges:
            raise InvalidExperiment("power: experiments with ranges of their parts are not supported; leave them out")
        if any(one.size > _MOST_CASES for one in form.sets):
            raise InvalidExperiment(f"power: evaluation sets of at most {_MOST_CASES:,} cases are supported")
        found.append(form)
    return found


def draw_report(setting: PowerSetting, made: Sequence[NormalForm], digits: int, rng: np.random.Generator) -> Units:
    """The true report of a random outcome, as printed; drawn again while a score is undefined."""
    scores, scale = setting.scores, 10**digits
    for _ in range(_REDRAWS):
        form = made[int(rng.integers(len(made)))] if len(made) > 1 else made[0]
        folds = _class_counts(form, rng)
        if folds is None:
            continue
        matrices = _matrices(folds, setting.classifier, rng)
        weights = [one.weight for one in form.sets]
        units = _printed(setting, scores, matrices, weights, scale)
        if units is not None:
            return units
    raise InvalidOption(
        f"power: {_REDRAWS} random outcomes of {setting.performed} all left a score undefined "
        f"({', '.join(setting.names)}); leave that score out, or use undefined='zero'"
    )


def _printed(
    setting: PowerSetting,
    scores: Sequence[Score],
    matrices: Sequence[ConfusionMatrix],
    weights: Sequence[Fraction],
    scale: int,
) -> Units | None:
    units = []
    for one in scores:
        unit = mean_units(one, matrices, weights, scale, setting.rounding, setting.undefined)
        if unit is None:
            return None
        units.append(unit)
    return tuple(units)


def _class_counts(form: NormalForm, rng: np.random.Generator) -> list[Fold] | None:
    """The positives and negatives of every set, dealt at random where open; None if a rule forbids the deal."""
    folds = [(one.p, one.n) for one in form.sets]
    for number, family in enumerate(form.families):
        mine = [index for index, one in enumerate(form.sets) if one.family == number]
        if family.rule is FoldRule.BALANCED:
            k = family.folds // family.repeats
            for repeat in range(family.repeats):
                here = mine[repeat * k : (repeat + 1) * k]
                more = rng.permutation(k) < family.p // family.repeats % k
                extra = rng.permutation(k) < family.n // family.repeats % k
                for index, a, b in zip(here, more, extra, strict=True):
                    folds[index] = (folds[index][0] + int(a), folds[index][1] + int(b))
            continue
        sizes = [form.sets[index].size for index in mine]
        if sum(sizes) >= _LARGEST:
            raise InvalidExperiment(f"power: unstratified folds of at most {_LARGEST:,} cases are supported")
        dealt = rng.multivariate_hypergeometric(sizes, family.p, method="marginals")
        with_both = min(sum(dealt > 0), sum(s > c for s, c in zip(sizes, dealt, strict=True)))
        if family.rule is FoldRule.TRAINABLE and with_both < 2:
            return None
        for index, size, count in zip(mine, sizes, dealt, strict=True):
            folds[index] = (int(count), size - int(count))
    return folds


def _matrices(folds: Sequence[Fold], classifier: Classifier, rng: np.random.Generator) -> list[ConfusionMatrix]:
    drawn = classifier.draw(folds, rng)
    return [ConfusionMatrix(tp, n - tn, p - tp, tn) for (p, n), (tp, tn) in zip(folds, drawn, strict=True)]


_MOST_VALUES = 300_000  # cells times scores: some seconds
_MOST_REPORTS = 6_000_000


@dataclass(frozen=True, slots=True)
class Shares:
    """Weights of the outcomes whose deviation is noticed, or leaves the report as it was."""

    noticed: float
    unchanged: float
    outcomes: int


def can_enumerate(setting: PowerSetting) -> bool:
    """Whether all outcomes can be listed: one matrix on either side, and not too many of them."""
    made, stated = one_matrix(setting.performed), one_matrix(setting.stated)
    if made is None or stated is None:
        return False
    cells = max((p + 1) * (n + 1) for p, n in (made, stated))
    return cells * len(setting.names) <= _MOST_VALUES


def enumerate_power(setting: PowerSetting, digits: int) -> Shares | None:
    """The exact share of outcomes that are noticed; None if values may be printed in too many ways."""
    made, stated = one_matrix(setting.performed), one_matrix(setting.stated)
    assert made is not None
    assert stated is not None
    scale, zero = 10**digits, setting.undefined is Undefined.ZERO
    columns = [PrintedColumn.of(one, scale, setting.rounding, setting.eps) for one in setting.scores]
    passing = boxes(columns, *stated, *_grid(*stated), zero=zero)
    if passing.volumes.sum() > _MOST_REPORTS:
        return None
    truth, weights = _true_reports(setting, made, scale, zero)
    if not len(truth):
        raise InvalidOption(
            f"power: every outcome of {setting.performed} leaves a score undefined ({', '.join(setting.names)}); "
            "leave that score out, or use undefined='zero'"
        )
    printed, changed, chances = _altered(setting, truth, weights, scale)
    noticed = ~contained(printed, passing.reports())
    total = chances.sum()
    return Shares(
        float((chances * noticed).sum() / total), float((chances * ~changed).sum() / total), int((weights > 0).sum())
    )


def _grid(p: int, n: int) -> tuple[Ints, Ints]:
    tp, tn = np.meshgrid(np.arange(p + 1), np.arange(n + 1), indexing="ij")
    return tp.ravel(), tn.ravel()


def _true_reports(
    setting: PowerSetting, made: tuple[int, int], scale: int, zero: bool
) -> tuple[Ints, NDArray[np.float64]]:
    """The report of every outcome in which all scores are defined, and the weight of the outcome."""
    # what a rule prints is the upper end of the numbers it allows, except that ceiling takes the lower one:
    # nearest rounds ties up, flooring allows the floor alone unless the value is exact
    rule = {Rounding.ANY: Rounding.NEAREST}.get(setting.rounding, setting.rounding)
    columns = [PrintedColumn.of(one, scale, rule, None) for one in setting.scores]
    tp, tn = _grid(*made)
    found = boxes(columns, *made, tp, tn, zero=zero)
    printed = found.low if rule is Rounding.CEIL else found.high
    weights = np.outer(setting.classifier.weights(made[0]), setting.classifier.weights(made[1])).ravel()
    kept = (found.low <= found.high).all(axis=1)
    return printed[kept], weights[kept]


def _altered(
    setting: PowerSetting, truth: Ints, weights: NDArray[np.float64], scale: int
) -> tuple[Ints, Bools, NDArray[np.float64]]:
    """What may be printed instead, whether that differs from the truth, and its weight."""
    distinct, place = np.unique(truth, axis=0, return_inverse=True)
    together = np.bincount(place.ravel(), weights=weights, minlength=len(distinct))
    rows, changed, chances = [], [], []
    scores = setting.scores
    for units, weight in zip(distinct.tolist(), together.tolist(), strict=True):
        before = tuple(units)
        for chance, after in setting.deviation.altered(before, scores, scale):
            rows.append(after)
            changed.append(after != before or setting.performed != setting.stated)
            chances.append(weight * chance)
    return np.array(rows, dtype=np.int64), np.array(changed), np.array(chances)
