"""Decide a class report in stages, from what a glance settles to what must be searched.

1. A class alone: its printed scores leave it no counts.
2. The least and greatest sums over the classes do not meet (``sums.trimmed``).
3. An average lies outside what the classes leave (``averaging``).
4. For no number of correct cases are there counts that add up (``sums.Programme``): exact without averages.
5. Counts that add up and give the averages are looked for by small changes (``climbing``); where they are few, all are
   listed (``listing``), which is exact.

What no stage settles is undecided.
"""

from __future__ import annotations

import random
from typing import Any

from scoreproof.kinds.class_report.averaging import apart, average_bounds
from scoreproof.kinds.class_report.climbing import Climb
from scoreproof.kinds.class_report.listing import Listing
from scoreproof.kinds.class_report.matrix import ClassMatrix, matrix_with
from scoreproof.kinds.class_report.model import ReportModel, model_of
from scoreproof.kinds.class_report.points import Point, Row, TooMany
from scoreproof.kinds.class_report.problem import ClassReportProblem, asked_of
from scoreproof.kinds.class_report.starting import start
from scoreproof.kinds.class_report.sums import Programme, trimmed
from scoreproof.kinds.kind import Decision
from scoreproof.work.deadline import Deadline, OutOfTime

MOST_ROWS = 500_000  # tp of all classes together
_MOST_SUMS = 3_000_000
_FEW_CHOICES, _MOST_CHOICES = 20_000, 150_000
_STARTS = 8  # numbers of correct cases from which averages are sought
_FIRST_STEPS, _STEPS = 2_000, 20_000
_SHARE = 0.3  # of the time, for searching counts that give the averages


def decide_report(problem: ClassReportProblem, *, deadline: Deadline, seed: int) -> Decision[ClassMatrix]:
    """A confusion matrix that gives the report, the proof that there is none, or neither."""
    model = model_of(problem)
    try:
        refuted = at_a_glance(model)
        if isinstance(refuted, dict):
            return Decision(proof=refuted)
        return _searched(model, refuted, deadline, random.Random(seed))
    except TooMany as many:
        return Decision(reason=str(many))
    except OutOfTime:
        return Decision(reason=f"not all counts of {len(model.parts)} classes within {deadline.seconds:.3g} s")


def at_a_glance(model: ReportModel) -> dict[str, Any] | list[list[Row]]:
    """Stages 1 to 3: a proof, or the rows that are left."""
    rows: list[list[Row]] = []
    allowed = MOST_ROWS
    for place, part in enumerate(model.parts):
        rows.append(part.rows(allowed))
        allowed -= part.correct[1] - part.correct[0] + 1
        if not rows[-1]:
            return {"kind": "class", "class": place}
    kept = trimmed(model, rows)
    if kept is None:
        return {"kind": "sums"}
    for average in model.averages:
        if apart(average, *average_bounds(model, average, kept)):
            return {"kind": "average", "average": asked_of(average.claim).average, "score": average.score}
    return kept


def _searched(
    model: ReportModel, rows: list[list[Row]], deadline: Deadline, rng: random.Random
) -> Decision[ClassMatrix]:
    programme = Programme(model, rows, _MOST_SUMS, deadline)
    climb = Climb(model, rows, rng)
    patience = deadline.part(_SHARE)
    waiting = programme.totals
    starts = tried = 0
    try:
        while waiting and starts < _STARTS and not (starts and patience.passed):
            right = waiting.pop(0)
            tried += 1
            counts = (start(model, rows, right, rng) if tried <= _STARTS else None) or programme.counts_for(right)
            if counts is None:
                continue
            arrived = climb.from_counts(counts, _STEPS if starts else _FIRST_STEPS, patience)
            if arrived is not None:
                return Decision(_matrix(model, arrived))
            if not starts and (decision := _listed(model, rows, _FEW_CHOICES, deadline)):
                return decision
            starts += 1
            waiting.append(right)  # another search may find what this one did not
    except TooMany as many:
        return _listed(model, rows, _MOST_CHOICES, deadline) or Decision(reason=str(many))
    if not starts:
        return Decision(proof={"kind": "programme"})
    reason = f"{len(model.parts)} classes have counts that add up, but none were found that give the averages, too"
    return _listed(model, rows, _MOST_CHOICES, deadline) or Decision(reason=reason)


def _listed(model: ReportModel, rows: list[list[Row]], most: int, deadline: Deadline) -> Decision[ClassMatrix] | None:
    """What a list of all counts says, if it is not too long."""
    try:
        counts = Listing(model, rows, most, deadline).first()
    except TooMany:
        return None
    return Decision(proof={"kind": "listing"}) if counts is None else Decision(_matrix(model, counts))


def _matrix(model: ReportModel, counts: list[Point]) -> ClassMatrix:
    return matrix_with(counts, [part.support for part in model.parts])
