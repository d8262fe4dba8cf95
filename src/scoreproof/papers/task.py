"""One row: how its scores may have come about, the problem that each such reading poses, and what becomes of it.

A task can be sent to another process, and its digest says whether a finished row may be used again. Each reading's
problem is asked on its own; a row is inconsistent only if every one is.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from scoreproof._version import __version__
from scoreproof.checking import Answer, Verdict, ask
from scoreproof.checking.ask import proved
from scoreproof.errors import ScoreproofError, fault
from scoreproof.insight.strength_of_pass import could_fail
from scoreproof.kinds import ReportFit, fitted, kind_named
from scoreproof.kinds.binary.experiment import MeanOfScores, ScoreOfMeans, TestSet
from scoreproof.kinds.curve.problem import CurveProblem
from scoreproof.kinds.kind import Problem
from scoreproof.kinds.multi_class.experiment import MultiClass
from scoreproof.kinds.unknown_classes.experiment import UnknownClasses
from scoreproof.papers.other_meanings import possible_as_average
from scoreproof.papers.result import Answered, CellText, Outcome, RowResult
from scoreproof.papers.specification.model import OptionsModel, TableModel
from scoreproof.papers.table_semantics import Counts, Report, RowKind, Value
from scoreproof.quantities import CURVE, quantity
from scoreproof.reported import Conventions
from scoreproof.reported.conventions import told
from scoreproof.work.budget import Budget

_OPEN = UnknownClasses()
_ANYTHING_FITS = "nothing could have refuted it: any such values are possible; sizes or more scores would help"
_LEFT_OPEN = "left open: each guess had {:.2g} s, for those of a paper share their time; a larger budget gives more"
Scores = Mapping[str, str] | ReportFit
Answers = Sequence[Answered]
Ends = tuple[Mapping[str, str], Mapping[str, str]]  # smallest and largest values of scores
NO_ENDS: Ends = ({}, {})


@dataclass(slots=True, unsafe_hash=True)  # not frozen: each row has one, made thrice as fast so
class RowReading:
    """One way to understand how a row's scores came about."""

    label: str
    experiment: Any  # of some kind, which it names
    assumed: str = ""  # what is taken for granted, where nobody is sure


_ONE = "the scores are of one class in one test set"
OF_CLASS = RowReading("a class against all others, sizes unknown", UnknownClasses(), _ONE)


def cases_of(experiment: Any) -> int | None:
    """The number of cases of one test set, where it is known."""
    if isinstance(experiment, TestSet):
        return experiment.p + experiment.n
    ends = experiment.totals if isinstance(experiment, UnknownClasses) else None
    return ends[0] if ends is not None and ends[0] == ends[1] else None


def with_total(readings: tuple[RowReading, ...], counts: Counts) -> tuple[RowReading, ...]:
    """Readings of unknown classes with the number of cases, or the classes, that the row itself gives."""
    completed = []
    for reading in readings:
        if isinstance(reading.experiment, UnknownClasses):
            cases = cases_of(reading.experiment)
            known = counts if cases is None or counts.total is not None else replace(counts, total=cases)
            whole, total = known.test_set(), known.completed().total
            if whole is not None:
                reading = replace(reading, label="one test set", experiment=whole)
            elif total is not None and total > 0 and not known.completed().conflict:
                of_row = f"the scores are of one test set of the {total:,} cases in its row" if reading.assumed else ""
                words = f"{total} cases as the row says, class counts unknown"
                reading = RowReading(words, UnknownClasses(total), of_row)
        completed.append(reading)
    return tuple(completed)


def from_both_sides(readings: tuple[RowReading, ...]) -> tuple[RowReading, ...]:
    """Columns headed by a class are of this class or, as the specification counts, of the other one."""
    sets = [(each, each.experiment) for each in readings if isinstance(each.experiment, TestSet)]
    turned = [
        replace(each, label=f"{each.label}, the other class positive", experiment=TestSet(test.n, test.p))
        for each, test in sets
        if test.p != test.n
    ]
    return (*readings, *turned)


def over_sets(sets: Sequence[TestSet], way: str, what: str) -> tuple[RowReading, ...]:
    """Means over several sets, or the scores of their added matrices; both where the way is not known."""
    means = RowReading(f"mean of scores over {len(sets)} {what}", MeanOfScores(tuple(sets)))
    adds = RowReading(f"score of means over {len(sets)} {what}", ScoreOfMeans(tuple(sets)))
    return {"mean_of_scores": (means,), "score_of_means": (adds,)}.get(way, (means, adds))


def both_classes(readings: Sequence[RowReading]) -> tuple[RowReading, ...]:
    """The readings that are one test set of two classes, for averages over both: which is positive is all the same."""
    of_both: dict[tuple[int, ...], RowReading] = {}
    for reading in readings:
        if isinstance(reading.experiment, TestSet) and reading.experiment.p and reading.experiment.n:
            counts = tuple(sorted((reading.experiment.p, reading.experiment.n)))
            of_both.setdefault(counts, replace(reading, label="both classes", experiment=MultiClass(counts)))
    return tuple(of_both.values())


def about_counts(report: Report, stated: TestSet | None, counts: TestSet | None, names: Sequence[str]) -> list[str]:
    """What is said of a row with counts of its own beside those that the specification gives."""
    completed = report.counts.completed()
    if completed.conflict:
        return [f"the counts in the row contradict each other ({completed.conflict}) and were not used"]
    if counts is not None and stated not in (None, counts) and report.kind is not RowKind.FOLD:
        others = f"the data set p={stated.p}, n={stated.n}; the row's were used" if stated is not None else ""
        return [f"the row says p={counts.p}, n={counts.n}, {others}"]
    if counts is not None:
        return [f"p={counts.p} and n={counts.n} as the row itself says"] if names else []
    if stated is not None and completed.total is not None and stated.p + stated.n != completed.total:
        return [f"the row says {completed.total} cases, the data set has {stated.p + stated.n}"]
    return []


class TableSettings:
    """What holds for the rows of one table: the paper's options, then the table's, then the column's."""

    def __init__(self, paper: OptionsModel, model: TableModel) -> None:
        own, names = model.options, OptionsModel.model_fields
        merged = {name: getattr(paper if getattr(own, name) is None else own, name) for name in names}
        if own.rounding is not None or own.eps is not None:
            merged["rounding" if own.rounding is None else "eps"] = None
        self._brackets: str = merged.pop("brackets") or "ignore"
        self.usual = told({name: value for name, value in merged.items() if value is not None})
        columns = model.columns.items()
        self._columns = {head: of for head, of in columns if of.rounding is not None or of.eps is not None}

    @property
    def rule(self) -> dict[str, str | None]:
        """Rounding or eps of the table."""
        rounding, eps = self.usual.rounding, self.usual.eps
        return {"eps": eps} if isinstance(eps, str) else {"rounding": rounding if isinstance(rounding, str) else None}

    def of(self, values: Sequence[Value]) -> tuple[Conventions, dict[str, str]]:
        """The options and the texts of a row's plain values."""
        scores = {value.score: value.text for value in values}
        special = self._columns or self._brackets != "ignore" or {value.spread_kind for value in values} - {""}
        if len(scores) == len(values) and not special:
            return self.usual, scores
        first = {value.score: value for value in reversed(values)}
        scores = {name: first[name].text for name in scores}
        bracketed = [value for value in first.values() if value.cell.bracket and self._brackets != "ignore"]
        for value in bracketed:
            scores[value.score] = value.cell.text(percent=value.text.endswith("%"), spread=value.cell.bracket)
        how = self._with_spread(first.values(), bool(bracketed))
        return self.by_name({quantity(name).name: first[name] for name in scores}, how), scores

    def _with_spread(self, values: Iterable[Value], bracketed: bool) -> Conventions:
        spreads = {value.spread_kind for value in values} - {""}
        kinds = {"error" if kind == "sem" else "deviation" for kind in spreads}
        kinds |= {self._brackets} if bracketed else set()
        if not kinds or self.usual.spread == "ignore":
            return self.usual
        return self.usual.but(spread=kinds.pop() if len(kinds) == 1 else "ignore")

    def by_name(self, values: Mapping[str, Value], how: Conventions | None = None) -> Conventions:
        """The options with the rounding or eps that columns have of their own, by the names of the scores."""
        how, columns = how or self.usual, self._columns
        heads = {name: value.header for name, value in values.items()}
        own = {name: columns.get(head) or columns.get(head.split(" / ")[-1]) for name, head in heads.items()}
        if not any(own.values()):
            return how
        usual = self.rule.get("rounding"), self.rule.get("eps")
        each = {name: (column.rounding, column.eps) if column else usual for name, column in own.items()}
        rounding = {name: rule for name, (rule, margin) in each.items() if rule is not None and not margin}
        margins = {name: margin for name, (_, margin) in each.items() if margin is not None}
        return how.but(rounding=rounding, eps=margins)


class Posed(NamedTuple):
    """The problem of a row under one reading."""

    label: str
    problem: Problem
    assumed: str = ""


def pose(reading: RowReading, scores: Scores, how: Conventions, ends: Ends = NO_ENDS) -> Posed | None:
    """A row under a reading, as far as its scores are of such an experiment; None if none is."""
    fit = scores if isinstance(scores, ReportFit) else fitted(reading.experiment, scores)
    if not fit.scores:
        return None
    if how.concave and fit.kind.name != "curve":
        how = how.but(concave=False)
    if any(ends):  # those of areas cannot be asked
        asked = ({name: text for name, text in each.items() if name in fit.scores} for each in ends)
        known = ({name: text for name, text in each.items() if CURVE.find(name) is None} or None for each in asked)
        how = how.but(**dict(zip(("minimum", "maximum"), known, strict=True)))
    if fit.left_out:
        options = {name: value for name, value in how.stated.items() if isinstance(value, Mapping)}
        rest = {name: {k: v for k, v in value.items() if k not in fit.left_out} for name, value in options.items()}
        how = how.but(**rest)
    return Posed(reading.label, fit.kind.row(reading.experiment, fit.scores, how), reading.assumed)


@dataclass(slots=True)  # every row is one, and to freeze it would take three times as long
class Task:
    """One row under one group of columns: its cells, and its problem under each reading; none if it is not tested."""

    table: int
    row: int
    label: str
    group: str
    experiment: str
    cells: tuple[CellText, ...] = ()
    posed: tuple[Posed, ...] = ()
    notes: tuple[str, ...] = ()
    error: str = ""
    shared: bool = False  # whether its test set is that of the other rows of its experiment
    section: str = ""  # the heading inside the table above it
    other_sizes: str = ""  # what names others than those it is audited with, beside what names these
    by_fault: bool = False  # whether the error is a fault of ours
    firm: bool = False  # whether problems that take nothing for granted hold under every guess, too

    @property
    def quick(self) -> bool:
        """Whether it is decided in less time than sending it to another process takes."""
        for _, problem, _ in self.posed:  # noqa: SIM110 - every row comes here
            if not kind_named(problem.kind).quick(problem):
                return False
        return True

    def digest(self, settings: str) -> str:
        """The key of this row in a journal: everything its verdict depends on."""
        stated = {
            "version": __version__,
            "settings": settings,
            "place": [self.table, self.row, self.label, self.group, self.experiment],
            "cells": [cell.to_dict() for cell in self.cells],
            "problems": [[label, problem.kind, problem.to_dict(), assumed] for label, problem, assumed in self.posed],
            "notes": [self.error, self.other_sizes, self.firm, *self.notes],
        }
        return hashlib.sha256(json.dumps(stated, sort_keys=True).encode()).hexdigest()[:32]

    def result(self, outcome: Outcome, readings: Answers = (), error: str = "", notes: Sequence[str] = ()) -> RowResult:
        """The row with what became of it."""
        place = (self.table, self.row, self.label, self.group, self.experiment, self.cells)
        told = ((*self.notes, *notes), error or self.error, self.by_fault)
        return RowResult(*place, outcome, tuple(readings), None, None, *told)


def audit_row(task: Task, budget: float, seed: int, guess: float | None = None, shown: Any = None) -> RowResult:
    """The answers on one row, each guess in ``guess`` seconds at most; ``shown`` is the answer where that is known."""
    if task.error or not task.posed:
        return task.result(Outcome.ERROR if task.error else Outcome.NOT_TESTED)
    answers: list[Answered] = []
    try:
        if shown is not None:
            return _finished(task, [Answered(task.posed[0].label, shown, task.posed[0].assumed)])
        deadline = Budget(budget)
        for number, (label, problem, assumed) in enumerate(task.posed):
            more = len(task.posed) - number
            share = deadline if more == 1 else deadline.moment(deadline.left() / more)
            if assumed and guess is not None:
                share = share.moment(guess)
            answers.append(Answered(label, _asked(problem, share, seed), assumed))
        late = any(reading.assumed and reading.verdict is Verdict.UNDECIDED for reading in answers)
        return _finished(task, answers, (_LEFT_OPEN.format(guess),) if late and guess is not None else ())
    except ScoreproofError as error:
        return task.result(Outcome.ERROR, answers, str(error))
    except Exception as error:  # one row must not stop the others, whatever is wrong with it
        return replace(task, by_fault=True).result(Outcome.ERROR, answers, fault(error))


def _finished(task: Task, answers: list[Answered], beside: tuple[str, ...] = ()) -> RowResult:
    firm = {reading.verdict for reading in answers if not reading.assumed} if task.firm else set()
    if firm == {Verdict.INCONSISTENT}:  # then no guess can be right, though it may be of other scores
        answers = [reading for reading in answers if not reading.assumed or reading.verdict is Verdict.INCONSISTENT]
    reached, notes = outcome(answers), answers[0].answer.notes
    if len(answers) > 1:  # which of them says it
        notes = tuple(dict.fromkeys(f"{each.label}: {note}" for each in answers for note in each.answer.notes))
    notes += beside
    if reached is Outcome.CONSISTENT and not _could_fail(task, answers):
        reached, notes = Outcome.NOT_TESTED, (_ANYTHING_FITS, *notes)
    if reached is Outcome.INCONSISTENT:
        notes += (task.other_sizes,) if task.other_sizes else ()
        notes += tuple(filter(None, dict.fromkeys(possible_as_average(problem) for _, problem, _ in task.posed)))
    return task.result(reached, answers, notes=notes)


def believed(task: Task, kept: RowResult) -> RowResult | None:
    """A row that a journal kept, if its answers are proved, which alone are used; None if it is to be asked again."""
    if len(kept.readings) != len(task.posed) or not kept.readings:
        return None
    for (label, problem, assumed), reading in zip(task.posed, kept.readings, strict=True):
        alone = problem.base if isinstance(problem, CurveProblem) else problem
        alike = (reading.label, reading.assumed) == (label, assumed) and reading.answer.problem in (problem, alone)
        if not alike or not proved(reading.answer):
            return None
    return _finished(task, list(kept.readings))


def _asked(problem: Problem, deadline: Budget, seed: int) -> Answer[Any, Any]:
    """The answer; where areas stand beside scores that contradict each other, that of the scores alone."""
    if isinstance(problem, CurveProblem) and problem.base.claims:
        alone = ask(problem.base, budget=deadline.part(0.5), seed=seed)
        if alone.verdict is Verdict.INCONSISTENT:
            return alone
    return ask(problem, budget=deadline, seed=seed)


def outcome(answers: Answers) -> Outcome:
    """What becomes of a row: consistent if some reading is, inconsistent if all are, a question if all guesses are."""
    assumed = [reading for reading in answers if reading.assumed]
    every = _of(answers, Outcome.INCONSISTENT)
    if not assumed or (len(assumed) < len(answers) and every is Outcome.INCONSISTENT):
        return every
    sized = [reading for reading in assumed if not is_open(reading)]  # of unknown classes almost everything is possible
    return _of(sized or assumed, Outcome.QUESTION)


def _could_fail(task: Task, answers: Answers) -> bool:
    """Whether other values in the same cells could have been called inconsistent, or a question."""
    if len(answers) == 1:
        return could_fail(answers[0].answer.problem)
    guesses = [reading for reading in answers if reading.assumed]
    firm = [reading for reading in answers if not reading.assumed] if task.firm else answers
    ways = [[reading for reading in guesses if not is_open(reading)] or guesses, firm]
    return any(way and all(could_fail(reading.answer.problem) for reading in way) for way in ways)


def is_open(reading: Answered) -> bool:
    """Whether a reading says nothing of sizes: one test set of any number of cases of each class."""
    problem = reading.answer.problem
    return getattr(getattr(problem, "base", problem), "experiment", None) == _OPEN


def _of(answers: Answers, impossible: Outcome) -> Outcome:
    verdicts = [reading.answer.verdict for reading in answers]
    if Verdict.CONSISTENT in verdicts:
        return Outcome.CONSISTENT
    return impossible if verdicts.count(Verdict.INCONSISTENT) == len(verdicts) > 0 else Outcome.UNDECIDED
