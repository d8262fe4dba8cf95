"""One row to be audited, complete in itself, and what becomes of it.

A task is plain data: it travels to other processes, and its digest is the key under which an interrupted run finds the
row again. Each reading of the row's experiment is decided on its own; a row is inconsistent only if every reading is.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scoreproof._version import __version__
from scoreproof.asking import Verdict
from scoreproof.asking.answer import CheckResult
from scoreproof.asking.checking import check
from scoreproof.audits.at_once import seen_at_once
from scoreproof.audits.readings import Reading, UnknownClasses
from scoreproof.audits.result import CellText, Outcome, ReadingVerdict, RowResult
from scoreproof.errors import ScoreproofError
from scoreproof.kinds.binary.experiment import TestSet, sums_matrices
from scoreproof.reported import Claim

if TYPE_CHECKING:
    from scoreproof.reconstruction import Reconstruction

_SHORTEST = 0.05  # seconds that even the last of many readings gets


@dataclass(frozen=True, slots=True)
class Options:
    """The options of ``check`` that hold for a row; ``rounding`` and ``eps`` may be mappings from scores."""

    rounding: str | Mapping[str, str] | None = None
    eps: str | Mapping[str, str] | None = None
    undefined: str | None = None  # as check does where nothing is said
    spread: str = "deviation"
    divisor: str = "any"
    spread_over: str = "any"
    extremes_over: str = "parts"
    fold_digits: int | None = None
    beta: str | None = None

    @property
    def plain_rule(self) -> str | None:
        """The rounding rule, where one rule holds for all scores and nothing else is special."""
        if self.eps is not None or self.beta is not None or self.undefined is not None:
            return None
        return "any" if self.rounding is None else self.rounding if isinstance(self.rounding, str) else None

    def to_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Task:
    """One row under one group of columns: its scores as texts, and the readings of its experiment."""

    table: int
    row: int
    label: str
    group: str
    experiment: str
    cells: tuple[CellText, ...]
    scores: Mapping[str, str]
    readings: tuple[Reading, ...]
    options: Options
    minimum: Mapping[str, str] = field(default_factory=dict)
    maximum: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    untested: bool = False
    error: str = ""
    shared: bool = False  # whether its test set is that of the other rows of its experiment
    section: str = ""  # the heading inside the table above it

    @property
    def cheap(self) -> bool:
        """Whether every reading is about one matrix of known counts, decided in a fraction of a millisecond."""
        for one in self.readings:
            test = one.experiment
            if not isinstance(test, TestSet) and (isinstance(test, UnknownClasses) or not sums_matrices(test)):
                return False
        return True

    def digest(self, settings: str) -> str:
        """The key of this row in a journal: everything its verdict depends on."""
        stated = {
            "version": __version__,
            "settings": settings,
            "place": [self.table, self.row, self.label, self.group, self.experiment],
            "cells": [cell.to_dict() for cell in self.cells],
            "scores": dict(self.scores),
            "extremes": [dict(self.minimum), dict(self.maximum)],
            "readings": [[one.label, one.experiment.to_dict()] for one in self.readings],
            "options": self.options.to_dict(),
            "notes": [self.untested, self.error, *self.notes],
        }
        return hashlib.sha256(json.dumps(stated, sort_keys=True, default=str).encode()).hexdigest()[:32]


def audit_row(task: Task, *, budget: float, seed: int) -> RowResult:
    """The verdicts on one row; an error in it becomes its outcome."""
    if task.error or task.untested or not task.readings or not task.scores:
        return row_of(task, Outcome.ERROR if task.error else Outcome.UNTESTED, (), task.error)
    alone = len(task.readings) == 1
    if alone:
        seen = _seen(task, task.readings[0])
        if seen is not None:
            return row_of(task, Outcome.CONSISTENT, (seen,))
    deadline = time.monotonic() + budget
    found: list[ReadingVerdict] = []
    try:
        for number, reading in enumerate(task.readings):
            share = (deadline - time.monotonic()) / (len(task.readings) - number)
            found.append(decide(task, reading, budget=max(share, _SHORTEST), seed=seed, look=not alone))
    except ScoreproofError as error:
        return row_of(task, Outcome.ERROR, tuple(found), str(error))
    except Exception as error:  # one row must not stop the others, whatever is wrong with it
        return row_of(task, Outcome.ERROR, tuple(found), f"unexpected {type(error).__name__}: {error}")
    return row_of(task, outcome(found), tuple(found), notes=_noted(found))


def _noted(readings: list[ReadingVerdict]) -> tuple[str, ...]:
    """What the checks say beside their verdicts, each once; of several readings, which of them says it."""
    if len(readings) == 1:
        return readings[0].notes
    return tuple(dict.fromkeys(f"{reading.label}: {note}" for reading in readings for note in reading.notes))


def outcome(readings: list[ReadingVerdict]) -> Outcome:
    """Consistent if some reading is, inconsistent if all are, undecided otherwise."""
    verdicts = {one.verdict for one in readings}
    if Verdict.CONSISTENT in verdicts:
        return Outcome.CONSISTENT
    return Outcome.INCONSISTENT if verdicts == {Verdict.INCONSISTENT} else Outcome.UNDECIDED


def decide(task: Task, reading: Reading, *, budget: float, seed: int, look: bool = True) -> ReadingVerdict:
    """The verdict on a row under one reading; ``look`` is False where a look has not sufficed."""
    if isinstance(reading.experiment, UnknownClasses):
        return _without_classes(task, reading, reading.experiment, budget)
    seen = _seen(task, reading) if look else None
    if seen is not None:
        return seen
    return recorded(reading, checked(task, reading, budget=budget, seed=seed))


def _seen(task: Task, reading: Reading) -> ReadingVerdict | None:
    rule = task.options.plain_rule
    return None if rule is None else seen_at_once(task.scores, reading, rule)


def checked(task: Task, reading: Reading, *, budget: float, seed: int) -> CheckResult:
    """The check of a row under one reading of known class counts; one matrix has no ± and no extremes."""
    assert not isinstance(reading.experiment, UnknownClasses)
    options = task.options
    one = sums_matrices(reading.experiment)
    stated: dict[str, Any] = {} if options.undefined is None else {"undefined": options.undefined}
    return check(
        reading.experiment,
        task.scores,
        rounding=options.rounding,
        eps=options.eps,
        beta=options.beta,
        spread="ignore" if one else options.spread,
        divisor=options.divisor,
        spread_over=options.spread_over,
        extremes_over=options.extremes_over,
        fold_digits=None if one else options.fold_digits,
        minimum=None if one else task.minimum or None,
        maximum=None if one else task.maximum or None,
        budget=budget,
        seed=seed,
        **stated,
    )


def recorded(reading: Reading, result: CheckResult) -> ReadingVerdict:
    """A check as plain data."""
    certificate = result.certificate
    return ReadingVerdict(
        reading.label,
        str(result.experiment),
        result.verdict,
        result.statement() if certificate is None else certificate["statement"],
        result.reason,
        None if result.witness is None else result.witness.to_dict(),
        certificate,
        result.notes,
    )


def _without_classes(task: Task, reading: Reading, classes: UnknownClasses, budget: float) -> ReadingVerdict:
    found = reconstructed(task, classes, budget=budget)
    return ReadingVerdict(
        reading.label,
        str(classes),
        found.verdict,
        found.statement(),
        found.reason,
        None if found.witness is None else found.witness.to_dict(),
        found.certificate,
        found.notes,
    )


def reconstructed(
    task: Task, classes: UnknownClasses, *, budget: float, prevalence: Claim | None = None
) -> Reconstruction:
    """What the scores of a row say when the class counts are not known; one matrix has no ±."""
    from scoreproof.reconstruction import reconstruct

    options = task.options
    return reconstruct(
        printed_alone(task.scores),
        total=classes.total,
        prevalence=prevalence,
        rounding=options.rounding,
        eps=options.eps,
        beta=options.beta,
        budget=budget,
    )


def printed_alone(scores: Mapping[str, str]) -> dict[str, str]:
    """The values without what follows a ±."""
    return {name: text.split("±")[0].strip() + ("%" if _drops_sign(text) else "") for name, text in scores.items()}


def _drops_sign(text: str) -> bool:
    """Whether the percent sign stands behind the ± that is cut off."""
    value, mark, _ = text.partition("±")
    return bool(mark) and "%" in text and "%" not in value


def row_of(
    task: Task, found: Outcome, readings: tuple[ReadingVerdict, ...] = (), error: str = "", notes: tuple[str, ...] = ()
) -> RowResult:
    """The task with what became of it."""
    return RowResult(
        task.table,
        task.row,
        task.label,
        task.group,
        task.experiment,
        task.cells,
        found,
        readings,
        notes=(*task.notes, *notes) if notes else task.notes,
        error=error,
    )
