"""Power by simulation, the way of Fazekas and Kovács (2024, doi:10.1016/j.asoc.2024.111993, section 5.2).

Each trial draws an outcome, prints it, lets the deviation happen and asks the check. A trial's random numbers follow
from the seed and its number alone, so the result does not depend on how many processes share the work, and the same
outcomes are printed with few and with many digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from scoreproof.asking import Verdict
from scoreproof.detectability.class_outcomes import draw_class_report
from scoreproof.detectability.deviations import Units
from scoreproof.detectability.outcomes import draw_report, forms
from scoreproof.detectability.setting import Setting
from scoreproof.jsonable import Jsonable
from scoreproof.kinds.binary.experiment import NormalForm
from scoreproof.work.journal import Journal
from scoreproof.work.pool import Pool
from scoreproof.work.progress import told

Progress = Callable[[int, int], None]
_CHUNK = 8  # trials a process does before it reports back


@dataclass(frozen=True, slots=True)
class Trial(Jsonable):
    """The outcome of one trial: what the check said, and whether the report had changed at all."""

    digits: int
    number: int
    verdict: Verdict
    changed: bool = True

    _told = "digits trial=number verdict changed"


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
    missing = [place for place in wanted if _key(*place) not in journal]
    finished = len(wanted) - len(missing)
    if progress is not None:
        told(progress, finished, len(wanted))
    for some in _results(setting, missing, pool):
        for trial in some:
            journal[_key(trial.digits, trial.number)] = trial
        finished += len(some)
        if progress is not None:
            told(progress, finished, len(wanted))
    return [journal[_key(*place)] for place in wanted]


def _key(digits: int, number: int) -> str:
    return f"{digits} digits, trial {number}"


def _results(setting: Setting, wanted: Sequence[tuple[int, int]], pool: Pool) -> Iterator[list[Trial]]:
    pool = pool.at_most(len(wanted))
    size = max(1, min(_CHUNK, len(wanted) // (4 * pool.size)))
    chunks = [wanted[start : start + size] for start in range(0, len(wanted), size)]
    return pool.results([(_chunk, (setting, chunk)) for chunk in chunks], ahead=3)


def _chunk(setting: Setting, wanted: Sequence[tuple[int, int]]) -> list[Trial]:
    made = () if setting.several else forms(setting.performed)
    return [_trial(setting, made, places, number) for places, number in wanted]


def _trial(setting: Setting, made: Sequence[NormalForm], digits: int, number: int) -> Trial:
    rng = np.random.default_rng(np.random.SeedSequence(setting.seed, spawn_key=(number,)))
    before = _drawn(setting, made, digits, rng)
    after = _happened(setting, before, digits, rng)
    changed = after != before or setting.performed != setting.stated
    return Trial(digits, number, setting.judge(after, digits), changed)


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
