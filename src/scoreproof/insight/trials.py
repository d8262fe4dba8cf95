"""Power by simulation (Fazekas & Kovács 2024, doi:10.1016/j.asoc.2024.111993, section 5.2), or by listing outcomes.

Each trial draws an outcome, prints it, lets the deviation happen and asks the check. A trial's random numbers follow
from the seed and its number alone, so the result does not depend on how many processes share the work, and the same
outcomes are printed with few and with many digits. A trial that a journal kept is drawn again and counts if its witness
holds or its proof verifies; otherwise it is asked anew. Where both experiments are one confusion matrix all outcomes
are listed instead, if they are not too many.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoreproof.checking import Answer, Verdict, ask
from scoreproof.checking.ask import proved
from scoreproof.errors import InvalidOption, ScoreproofError
from scoreproof.insight.deviations import Units
from scoreproof.insight.outcomes import dealt_counts, forms_of, mean_units, rounded
from scoreproof.insight.power_result import Power, PowerSetting
from scoreproof.insight.printed_boxes import Bools, Ints, PrintedColumn, boxes, contained, one_matrix
from scoreproof.jsonable import Jsonable
from scoreproof.kinds import kind_named
from scoreproof.kinds.binary.experiment import NormalForm
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.kind import Problem
from scoreproof.kinds.multi_class.experiment import sets_of
from scoreproof.kinds.multi_class.problem import ClassesProblem
from scoreproof.kinds.multi_class.witness import Treatment, mean_value
from scoreproof.reported import Rounding
from scoreproof.reported.conventions import MacroF1, Undefined
from scoreproof.work.journal import Journal
from scoreproof.work.pool import Pool, told

Progress = Callable[[int, int], None]
Place = tuple[int, int]  # digits, and the number of a trial
_CHUNK = 8  # trials a process does before it reports back
_LONGEST = 20_000  # characters of a proof that is kept; a longer one is found again
_REDRAWS = 2_000
_FILLED = {Undefined.ZERO: Treatment.ZERO, Undefined.ONE: Treatment.ONE, Undefined.SKIP: Treatment.SKIP}


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
        told(progress, 0, len(wanted))
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
                told(progress, len(done), len(wanted))
    return done


def _run(setting: PowerSetting, wanted: Sequence[Kept]) -> list[Trial]:
    """Trials, done or shown again by what a journal kept."""
    forms = () if setting.several else forms_of(setting.performed)
    return [_trial(setting, forms, *place, kept) for place, kept in wanted]


def _trial(setting: PowerSetting, forms: Sequence[NormalForm], digits: int, number: int, kept: Trial | None) -> Trial:
    rng = np.random.default_rng(np.random.SeedSequence(setting.seed, spawn_key=(number,)))
    before = _true_report(setting, forms, 10**digits, rng)
    after = _happened(setting, before, digits, rng)
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


def _true_report(setting: PowerSetting, forms: Sequence[NormalForm], scale: int, rng: np.random.Generator) -> Units:
    """The true report of a random outcome, as printed; drawn again while a score is undefined."""
    for _ in range(_REDRAWS):
        units = _of_matrices(setting, forms, scale, rng) if forms else _of_classes(setting, scale, rng)
        defined = tuple(unit for unit in units if unit is not None)
        if len(defined) == len(units):
            return defined
    raise InvalidOption(
        f"power: {_REDRAWS} random outcomes of {setting.performed} all left a score undefined "
        f"({', '.join(setting.names)}); leave that score out, or use undefined='zero'"
    )


def _of_classes(setting: PowerSetting, scale: int, rng: np.random.Generator) -> list[int | None]:
    """On several classes: the cases of a class that are wrong scatter over the others at random."""
    classes, counts = sets_of(setting.performed)
    sets = []
    for sizes in counts:
        right = [tp for tp, _ in setting.classifier.draw([(n, 0) for n in sizes], rng)]
        given = np.array(right)
        for place, (n, tp) in enumerate(zip(sizes, right, strict=True)):
            shares = rng.dirichlet(np.ones(len(sizes) - 1))
            given += np.insert(rng.multinomial(n - tp, shares), place, 0)
        sets.append([(tp, int(q)) for tp, q in zip(right, given, strict=True)])
    problem = ClassesProblem(classes, tuple(counts), (), setting.undefined, MacroF1.MEAN)
    values = (mean_value(problem, sets, score, _FILLED.get(setting.undefined)) for score in setting.scores)
    return [None if value is None else rounded(value * scale, setting.rounding) for value in values]


def _of_matrices(
    setting: PowerSetting, forms: Sequence[NormalForm], scale: int, rng: np.random.Generator
) -> list[int | None]:
    """On two classes: a confusion matrix for each evaluation set, whose class counts may be open."""
    form = forms[int(rng.integers(len(forms)))] if len(forms) > 1 else forms[0]
    folds = dealt_counts(form, rng)
    if folds is None:
        return [None]
    sets = [
        (each.weight, ConfusionMatrix(tp, n - tn, p - tp, tn))
        for each, (p, n), (tp, tn) in zip(form.sets, folds, setting.classifier.draw(folds, rng), strict=True)
    ]
    return [mean_units(wanted, sets, scale, setting.rounding, setting.undefined) for wanted in setting.scores]


def _happened(setting: PowerSetting, before: Units, digits: int, rng: np.random.Generator) -> Units:
    """One of the reports the deviation may print, by their probabilities."""
    alternatives = setting.deviation.altered(before, setting.scores, 10**digits)
    luck = rng.random()
    for chance, after in alternatives:
        luck -= chance
        if luck < 0:
            return after
    return alternatives[-1][1]


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


def can_enumerate(setting: PowerSetting) -> bool:
    """Whether all outcomes can be listed: one matrix on either side, and not too many of them."""
    made, stated = one_matrix(setting.performed), one_matrix(setting.stated)
    if made is None or stated is None:
        return False
    cells = max((p + 1) * (n + 1) for p, n in (made, stated))
    return cells * len(setting.names) <= _MOST_VALUES


def enumerate_power(setting: PowerSetting, digits: int, level: float) -> Power | None:
    """The exact share of outcomes that are noticed; None if values may be printed in too many ways."""
    made, stated = one_matrix(setting.performed), one_matrix(setting.stated)
    assert made is not None
    assert stated is not None
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
    printed, changed, chances = _altered(setting, truth, weights, scale)
    noticed = ~contained(printed, passing.reports())
    seen, same = (float((chances * part).sum() / chances.sum()) for part in (noticed, ~changed))
    many = int((weights > 0).sum())
    return Power(setting, digits, seen, seen, seen, many, None, 0, None, same, exact=True, level=level)


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
    columns = [PrintedColumn.of(score, scale, rule, None) for score in setting.scores]
    tp, tn = _grid(*made)
    outcomes = boxes(columns, *made, tp, tn, zero=zero)
    printed = outcomes.low if rule is Rounding.CEIL else outcomes.high
    weights = np.outer(setting.classifier.weights(made[0]), setting.classifier.weights(made[1])).ravel()
    kept = (outcomes.low <= outcomes.high).all(axis=1)
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
