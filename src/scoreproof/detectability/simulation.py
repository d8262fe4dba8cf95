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
from typing import Any

import numpy as np

from scoreproof.checking import Answer, Verdict, ask
from scoreproof.checking.ask import proved
from scoreproof.detectability.class_outcomes import draw_class_report
from scoreproof.detectability.deviations import Units
from scoreproof.detectability.outcomes import draw_report, forms
from scoreproof.detectability.setting import Setting
from scoreproof.errors import ScoreproofError
from scoreproof.jsonable import Jsonable
from scoreproof.kinds import kind_named
from scoreproof.kinds.binary.experiment import NormalForm
from scoreproof.kinds.kind import Problem
from scoreproof.work.journal import Journal
from scoreproof.work.pool import Pool, told

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
    setting: Setting,
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


def _results(work: Callable[..., list[Trial]], setting: Setting, wanted: Sequence[Any], pool: Pool) -> Iterator[Trial]:
    pool = pool.at_most(len(wanted))
    size = max(1, min(_CHUNK, len(wanted) // (4 * pool.size)))
    chunks = [wanted[start : start + size] for start in range(0, len(wanted), size)]
    for some in pool.results([(work, (setting, chunk)) for chunk in chunks], ahead=3):
        yield from some


def _asked(setting: Setting, wanted: Sequence[Place]) -> list[Trial]:
    """Trials that are done."""
    made = _forms(setting)
    return [_trial(setting, *_report(setting, made, *place), *place) for place in wanted]


def _believed(setting: Setting, kept: Sequence[tuple[Place, Trial]]) -> list[Trial]:
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


def _forms(setting: Setting) -> Sequence[NormalForm]:
    return () if setting.several else forms(setting.performed)


def _report(setting: Setting, made: Sequence[NormalForm], digits: int, number: int) -> tuple[Units, bool]:
    """What a trial prints, and whether the deviation changed anything."""
    rng = np.random.default_rng(np.random.SeedSequence(setting.seed, spawn_key=(number,)))
    before = _drawn(setting, made, digits, rng)
    after = _happened(setting, before, digits, rng)
    return after, after != before or setting.performed != setting.stated


def _trial(setting: Setting, after: Units, changed: bool, digits: int, number: int) -> Trial:
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


def _drawn(setting: Setting, made: Sequence[NormalForm], digits: int, rng: np.random.Generator) -> Units:
    if not setting.several:
        return draw_report(setting, made, digits, rng)
    how = (setting.classifier, 10**digits, setting.rounding, setting.undefined)
    return draw_class_report(setting.performed, setting.scores, *how, rng)


def _happened(setting: Setting, before: Units, digits: int, rng: np.random.Generator) -> Units:
    """One of the reports the deviation may print, by their probabilities."""
    alternatives = setting.deviation.altered(before, setting.scores, 10**digits)
    luck = rng.random()
    for chance, after in alternatives:
        luck -= chance
        if luck < 0:
            return after
    return alternatives[-1][1]
