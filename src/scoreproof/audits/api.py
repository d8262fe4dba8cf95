"""From a specification to an ``AuditResult``: load, plan, run, put together."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, overload

from scoreproof.audits.claims import check_claims
from scoreproof.audits.collecting import without_collecting
from scoreproof.audits.followups import Hypothesis, Wanted, explain_table
from scoreproof.audits.plan import TablePlan, plan
from scoreproof.audits.readings import Readings
from scoreproof.audits.result import AuditResult, RowResult, TableResult
from scoreproof.audits.run import FinishedRow, Progress, Run, run
from scoreproof.audits.shared import shared_test_sets
from scoreproof.audits.specification.load import Specification, load
from scoreproof.audits.task import Task
from scoreproof.errors import InvalidOption
from scoreproof.work.journal import Journal

_CHOICES = (True, False, "auto")


def run_audit(
    spec: str | Path | Mapping[str, Any] | Specification,
    *,
    jobs: int | None,
    budget: float,
    seed: int,
    explain: bool | str,
    strength: bool | str,
    progress: Progress | None,
    resume: str | Path | None,
) -> AuditResult:
    """What ``scoreproof.audit`` does, all options given."""
    _check_options(jobs, budget, seed, explain, strength)
    with without_collecting():
        found = load(spec)
        plans = plan(found)
    wanted = _wanted(found, explain, strength, min(budget, 5.0), seed)
    how = Run(jobs, float(budget), seed, explain, strength, wanted)
    return _audited(found, plans, how, progress, resume)


def _audited(
    found: Specification, plans: Sequence[TablePlan], how: Run, progress: Progress | None, resume: str | Path | None
) -> AuditResult:
    tasks = plans[0].tasks if len(plans) == 1 else _Joined([one.tasks for one in plans])
    with ExitStack() as stack:
        kept = None if resume is None else Journal(resume, "audit", FinishedRow.from_dict)
        journal = None if kept is None else stack.enter_context(kept)
        rows, interrupted = run(tasks, how, journal=journal, progress=progress)
    wanted = replace(how.wanted, explain=how.wanted.explain and not interrupted)
    tables = tuple(_tables(plans, rows, wanted))
    return AuditResult(
        found.paper.title, found.paper.source, tables, check_claims(found.paper.claims, tables), interrupted
    )


class _Joined(Sequence[Task]):
    """The tasks of all tables, one after the other."""

    def __init__(self, parts: Sequence[Sequence[Task]]) -> None:
        self._parts = parts
        self._ends = list(itertools.accumulate(map(len, parts)))

    @overload
    def __getitem__(self, index: int) -> Task: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Task]: ...
    def __getitem__(self, index: int | slice) -> Task | Sequence[Task]:
        if isinstance(index, slice):
            return [self[one] for one in range(*index.indices(len(self)))]
        part = bisect.bisect_right(self._ends, index)
        if not index >= 0 or part == len(self._parts):
            raise IndexError(index)
        return self._parts[part][index - (self._ends[part - 1] if part else 0)]

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __iter__(self) -> Iterator[Task]:
        return itertools.chain.from_iterable(self._parts)


def _check_options(jobs: Any, budget: Any, seed: Any, explain: Any, strength: Any) -> None:
    if jobs is not None and (isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 1):
        raise InvalidOption(f"jobs: expected a number of processes from 1, got {jobs!r}")
    if isinstance(budget, bool) or not isinstance(budget, (int, float)) or not 0 < budget < float("inf"):
        raise InvalidOption(f"budget: expected a positive number of seconds per row, got {budget!r}")
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise InvalidOption(f"seed: expected a whole number, got {seed!r}")
    for name, value in (("explain", explain), ("strength", strength)):
        if value not in _CHOICES:
            raise InvalidOption(f"{name}: expected True, False or 'auto', got {value!r}")


def _wanted(spec: Specification, explain: bool | str, strength: bool | str, budget: float, seed: int) -> Wanted:
    readings = Readings(spec)
    hypotheses = tuple(
        Hypothesis(name, model.label, readings.hypothesis(name), tuple(model.instead_of or ()))
        for name, model in spec.paper.hypotheses.items()
    )
    return Wanted(bool(explain), bool(strength), budget, seed, hypotheses)


def _tables(plans: Sequence[TablePlan], rows: Sequence[RowResult], wanted: Wanted) -> list[TableResult]:
    tables = []
    start = 0
    for one in plans:
        own = tuple(rows[start : start + len(one.tasks)])
        start += len(one.tasks)
        table = TableResult(
            one.name,
            one.table,
            own,
            one.found.tally,
            one.assumptions,
            tuple(cell.to_dict() for cell in one.found.unread),
            one.untested,
            (*one.checks, *shared_test_sets(one.tasks, own, wanted.budget)),
            _fits_all(own),
        )
        tables.append(replace(table, explanation=explain_table(table, one.tasks, wanted)))
    return tables


def _fits_all(rows: Sequence[RowResult]) -> tuple[str, ...]:
    """The readings every decided row is consistent with."""
    decided = [row for row in rows if row.readings]
    if not decided:
        return ()
    shared = set(decided[0].fitting()).intersection(*(row.fitting() for row in decided[1:]))
    return tuple(label for label in decided[0].fitting() if label in shared)
