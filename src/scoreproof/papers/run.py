"""Running many rows: cheap ones here in one go, costly ones in several processes, all of them resumable.

A row about one matrix takes a fraction of a millisecond, less than sending it to another process, so only rows with
folds or unknown classes are spread by joblib. The results do not depend on the number of processes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from scoreproof.errors import InvalidOption
from scoreproof.papers.followups import Wanted, chosen, follow_up
from scoreproof.papers.result import Outcome, RowResult
from scoreproof.papers.task import Task, audit_row, believed, row_of
from scoreproof.work.journal import Journal
from scoreproof.work.pool import Call, Pool, all_cores, gc_paused, told

Progress = Callable[[int, int, str], None]
_HERE = 1.0  # seconds of work in this process before others are started
_FEW = 4  # costly rows for which other processes are not worth starting
_MOST_FOLLOWED = 40  # rows that explain="auto" explains


@dataclass(frozen=True, slots=True)
class Run:
    """How to run: where, seconds per row, seed, which questions to ask afterwards."""

    pool: Pool | None
    budget: float
    seed: int
    explain: bool | str
    strength: bool | str
    wanted: Wanted
    guess: float | None = None  # seconds for one guess of a paper whose guesses have them together

    @property
    def settings(self) -> str:
        """What the verdict of a row depends on beside the row itself."""
        asked = [(one.name, one.label, [str(r.experiment) for r in one.readings]) for one in self.wanted.hypotheses]
        guess = "" if self.guess is None else f" guess={self.guess}"
        return f"budget={self.budget}{guess} seed={self.seed} explain={self.explain} strength={self.strength} {asked}"


@dataclass(slots=True)
class _State:
    """What has been done so far."""

    tasks: Sequence[Task]
    rows: list[RowResult | None]
    keys: list[str]
    journal: Journal[RowResult] | None
    progress: Progress | None
    done: int = 0
    total: int = 0

    def keep(self, index: int, row: RowResult, *, followed: bool) -> None:
        """A row with its verdict, or with what was asked about it: the journal keeps only what can be proved again."""
        self.rows[index] = row
        if self.journal is not None and not followed:
            self.journal[self.keys[index]] = row
        self.tell(row.label)

    def tell(self, label: str) -> None:
        self.done += 1
        if self.progress is not None:
            told(self.progress, self.done, self.total, label)


def run(
    tasks: Sequence[Task], how: Run, *, journal: Journal[RowResult] | None = None, progress: Progress | None = None
) -> tuple[list[RowResult], bool]:
    """The rows in the order of the tasks, and whether Ctrl-C stopped the run before its end."""
    keys = [task.digest(how.settings) for task in tasks] if journal is not None else []
    state = _State(tasks, [None] * len(tasks), keys, journal, progress, total=len(tasks))
    if journal is not None and keys and journal.earlier and not any(key in journal for key in keys):
        raise InvalidOption(
            "resume: none of the rows in this journal is one of this audit; it is of another specification, of other "
            "options or of other files: name another journal"
        )
    for index, key in enumerate(keys):
        if journal is not None and key in journal:
            row = believed(tasks[index], journal[key])
            if row is not None:
                state.rows[index] = row
                state.tell(row.label)
    interrupted = False
    try:
        _first_pass(state, how)
        _second_pass(state, how)
    except KeyboardInterrupt:
        interrupted = True
    if journal is not None:
        for key, row in zip(keys, state.rows, strict=True):
            if row is not None and key not in journal:  # Ctrl-C came between the row and its line
                journal[key] = row
    return [row if row is not None else _unreached(tasks[index]) for index, row in enumerate(state.rows)], interrupted


def _first_pass(state: _State, how: Run) -> None:
    """Every row's verdict."""
    costly = []
    with gc_paused():
        for index, task in enumerate(state.tasks):
            if state.rows[index] is not None:
                continue
            if task.quick:
                state.keep(index, _decided(task, how.budget, how.seed, how.guess), followed=False)
            else:
                costly.append(index)
    if costly:
        calls: list[Call[RowResult]] = [
            (_decided, (state.tasks[index], how.budget, how.seed, how.guess)) for index in costly
        ]
        for index, row in zip(costly, _shared_out(calls, how.pool), strict=True):
            state.keep(index, row, followed=False)


def _decided(task: Task, budget: float, seed: int, guess: float | None) -> RowResult:
    return audit_row(task, budget=budget, seed=seed, guess=guess)


def _second_pass(state: _State, how: Run) -> None:
    """Explanations and strengths, where they were asked for."""
    if not (how.wanted.explain or how.wanted.strength):
        return
    rows = [row for row in state.rows if row is not None]
    explain, strong = chosen(rows, how.explain, how.strength, _MOST_FOLLOWED)
    todo = sorted(explain | strong)
    if not todo:
        return
    state.total += len(todo)
    calls: list[Call[RowResult]] = [
        (
            follow_up,
            (rows[index], replace(how.wanted, explain=index in explain, strength=index in strong)),
        )
        for index in todo
    ]
    for index, row in zip(todo, _shared_out(calls, how.pool), strict=True):
        state.keep(index, row, followed=True)


def _shared_out(calls: Sequence[Call[RowResult]], pool: Pool | None) -> Iterator[RowResult]:
    """The results of some calls in order, from several processes where that pays: to start them takes seconds."""
    if pool is not None:
        yield from pool.at_most(len(calls)).results(calls)
        return
    start = time.monotonic()
    for done, (function, arguments) in enumerate(calls):
        left = len(calls) - done
        if left >= _FEW and time.monotonic() - start > _HERE:
            yield from all_cores().at_most(left).results(calls[done:])
            return
        yield function(*arguments)


def _unreached(task: Task) -> RowResult:
    return row_of(task, Outcome.NOT_TESTED, notes=("not reached before the interruption",))
