"""From believed relations to what an audit says: rows that were tested, and lines that break what the others obey.

A line is asked exactly, under every rounding the paper may have used. If the other lines give overwhelming odds and
nothing else explains the number, it is a comparison that fails; otherwise a question. Only of some sorts (``_ASKED``),
and where a heading or the paper names the relation; what breaks the others is for the author (``to_look_at``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import attrgetter
from typing import Any

import numpy as np

from scoreproof.checking import Answer, Verdict, ask
from scoreproof.documents import Table
from scoreproof.errors import ScoreproofError
from scoreproof.kinds.relation import BoundSide, RelationProblem, span_shown, value_range
from scoreproof.papers.evidence import VOUCHED
from scoreproof.papers.other_meanings import rewritten
from scoreproof.papers.relations import belief, shares
from scoreproof.papers.relations.belief import BELIEVED, FEWEST, TableRelation, choose
from scoreproof.papers.relations.grid import PATTERNS, views
from scoreproof.papers.relations.meaning import INTERVALS, MARKS, ORDERS, RANKS, deviations, named_relations, repeated
from scoreproof.papers.relations.search import AVERAGES, COUNTS, FORMS, GAINS, IDENTITIES, candidates
from scoreproof.papers.result import Answered, CellText, Outcome, Question, RowResult, TableCheck, TableResult
from scoreproof.work.budget import Budget

#: What proposes relations of a table beside the search.
PROPOSERS = (named_relations, shares.share_relations, shares.shares_of_one_number, shares.counts_with_percentages)
OUTRIGHT = 2 * VOUCHED  # log odds by the other lines that make a comparison that fails
#: Sorts whose breaks are errors as a rule.
_ASKED = {AVERAGES, COUNTS, IDENTITIES, GAINS, INTERVALS, MARKS, ORDERS, RANKS, shares.SHARES}
_NOT_ASKED = {"mean of two", "weighted mean"}  # too often of something else
MOST_LINES = 20_000  # of a table that is looked at
_F1 = "F1 (harmonic mean)"
_OBEYING = 5  # other lines that obey it
_MANY = 16  # lines of which two may break it
_MOST_BROKEN = 0.03  # share of lines that may, of still more
_MOST_ROWS = 2_000  # of a table that get an answer of their own
_SECONDS = 2.0
Relations = Sequence[TableRelation]
_said = attrgetter("name", "words", "view.turned")


@dataclass(frozen=True, slots=True)
class RelationFinding:
    """A line that breaks a believed relation, with the exact answer."""

    relation: TableRelation
    line: int
    answer: Answer[Any, Any]
    outright: bool

    @property
    def row(self) -> int:
        """The row of the table in which the number stands."""
        return self.relation.view.place(self.line, self.relation.target)[0]

    @property
    def where(self) -> str:
        return self.relation.view.labels[self.line] or f"line {self.line + 1}"

    @property
    def words(self) -> str:
        """The evidence, what the number would be, and what is printed."""
        printed, problem = self.relation.view.text(self.line, self.relation.target), self.answer.problem
        told = self.answer.reason
        if isinstance(problem, RelationProblem) and problem.parts:
            word = "it would be" if problem.bound is BoundSide.EQUAL else "that is"
            told = f"{word} {span_shown(problem, problem.claims[0].number.digits - 1)}"
        return f"{self.relation.evident}; in {self.where} {told}, printed is {printed}"


def relations_of(table: Table) -> tuple[list[TableRelation], list[TableRelation]]:
    """The relations that a table bears out, one per target, and all that were weighed."""
    if len(table.rows) > MOST_LINES:
        return [], []
    relations: list[TableRelation] = []
    for view in views(table):
        own = belief.weighed(view, candidates(view))
        relations += own
        for mean in (each for each in choose(own) if each.name == "mean"):
            relations += deviations(view, mean)
        for propose in PROPOSERS:
            relations += propose(table, view)
    return choose(relations), relations


def broken(chosen: Relations, relations: Relations) -> list[RelationFinding]:
    """The lines that break a believed relation and that nothing else explains, each with its proof.

    Without orders that no one cell breaks alone: a slip is in one cell, a misread heading in many; one of a cell.
    """
    findings = list(_breaking(chosen, relations))
    orders = [finding for finding in findings if finding.relation.sort == ORDERS]
    cells = [set(finding.relation.places[finding.line]) for finding in orders]
    left_out = orders[1:] if cells and set.intersection(*cells) else orders
    return [finding for finding in findings if finding not in left_out]


def to_look_at(table: Table) -> tuple[str, ...]:
    """For the author: every line that breaks a relation which its table bears out, whatever its sort."""
    return tuple(finding.words for finding in _breaking(*relations_of(table), every=True))


def _breaking(chosen: Relations, relations: Relations, *, every: bool = False) -> Iterator[RelationFinding]:
    explained = {
        relation.view.place(int(line), relation.target) for relation in chosen if relation.exclusive
        for line in np.flatnonzero(relation.obeys if relation.explains is None else relation.explains)
    }  # fmt: skip
    for relation in chosen:
        for line in map(int, np.flatnonzero(relation.breaks)):
            known = relation.exclusive and relation.view.place(line, relation.target) in explained
            firm = every or relation.stated or _is_firm(relation, line)
            if not known and firm and not _otherwise(relation, line, relations):
                answer = _exact(relation, line, Verdict.INCONSISTENT)
                if answer is not None:
                    yield RelationFinding(relation, line, answer, _is_outright(relation, line))


def _exact(relation: TableRelation, line: int, verdict: Verdict) -> Answer[Any, Any] | None:
    """The proof of a line, under every rounding, if it has this verdict; none of what cannot be asked."""
    with suppress(ScoreproofError):
        answer = ask(relation.problem(line), budget=Budget.of_work(_SECONDS))
        return answer if answer.verdict is verdict else None
    return None


def _is_above(relation: TableRelation, line: int) -> bool:
    """Whether an F1 is above what its parts give: that of mean precision and recall is at least the mean F1."""
    problem = relation.problem(line)
    if relation.name != _F1 or not isinstance(problem, RelationProblem):
        return False
    return problem.claims[0].low > (value_range(problem)[1] or 0)


def _is_averaged(relation: TableRelation, line: int) -> bool:
    """Whether what is no linear function of its parts may be a mean: of runs, by its ±, of classes, or of lines."""
    if relation.linear or _is_above(relation, line):
        return False
    view, own = relation.view, relation.view.series[relation.target]
    of_runs = any(each.texts[line] for each in view.series if each.part == "spread" and each.index == own.index)
    of_classes = PATTERNS["lines"]["classes"].search(view.labels[line]) is not None
    return of_runs or of_classes or view.is_statistic(line, relation.target)


def _otherwise(relation: TableRelation, line: int, relations: Relations) -> bool:
    """Whether another relation explains the line, or it is a mean, of another unit or sign, or filled up with zeros."""
    if any(_bears_out(other, relation, line) for other in relations):
        return True
    view, problem = relation.view, relation.problem(line)
    if not isinstance(problem, RelationProblem) or problem.bound is not BoundSide.EQUAL or view.at:
        return False
    compares = view.turned and FORMS["difference"].is_named(view.labels[line])
    if _is_averaged(relation, line) or (relation.sort == AVERAGES and compares):
        return True
    if relation.sort == GAINS and _another_base(relation, line, problem):
        return True
    printed = problem.claims[0]
    if len(problem.parts) > 1 and all(claim.text.endswith("0") for claim in (printed, *problem.parts)):
        return True
    moves = [printed.number.value * (factor - 1) for factor in (-1, 100, Fraction(1, 100))]  # with the room it has
    moved = (replace(printed, low=printed.low + by, high=printed.high + by) for by in moves)
    return any(_meets(replace(problem, claims=(claim,))) for claim in moved)


def _bears_out(other: TableRelation, relation: TableRelation, line: int) -> bool:
    rival = other is not relation and other.view is relation.view and other.target == relation.target
    likely = other.exclusive and other.odds > BELIEVED / 2 and 2 * other.counts[0] >= relation.counts[0]
    return rival and likely and bool(other.obeys[line])


def _meets(problem: RelationProblem) -> bool:
    least, most = (problem.at(corner) for corner in problem.corners())
    return least is not None and problem.meets(least, most)


def _another_base(relation: TableRelation, line: int, problem: RelationProblem) -> bool:
    """Whether a gain is right against another number of its row or column: the best of the others changes."""
    view, parts = relation.view, relation.series[1:]
    beside = [place for place, series in enumerate(view.series) if series.part == "main"]
    texts = {view.text(line, place) for place in beside if place not in relation.series}
    if view.series[parts[-1]].index == view.series[parts[0]].index:  # against a line
        texts |= set(view.series[parts[0]].texts)
    changed = (
        replace(problem, parts=(*problem.parts[:place], rewritten(claim, text), *problem.parts[place + 1 :]))
        for place, claim in enumerate(problem.parts) for text in texts - {"", claim.text}
    )  # fmt: skip
    return any(map(_meets, changed))


def _is_firm(relation: TableRelation, line: int) -> bool:
    """Whether the other lines bear a relation out so well that one which breaks it is worth a question."""
    if not relation.hinted or relation.sort not in _ASKED or relation.name in _NOT_ASKED:
        return False
    if relation.sort == COUNTS and relation.view.turned:
        return False  # the mean or the median of a row of shares is no share of those of the counts
    if relation.name == _F1 and relation.counts[0] < _OBEYING and not _is_above(relation, line):
        return False  # few lines do not show that they are no means
    breaks = relation.breaks if relation.explains is None else relation.breaks & ~relation.explains
    having = relation.counts[1]
    few = breaks.sum() <= max(1 + (having >= _MANY), _MOST_BROKEN * having)  # or they are no errors
    return bool(few) and relation.counts[0] >= FEWEST and relation.without(line) >= VOUCHED


def _is_outright(relation: TableRelation, line: int) -> bool:
    """Whether the other lines make the relation as good as certain: then a line that breaks it is wrong."""
    if relation.without(line) < OUTRIGHT or relation.counts[0] < _OBEYING or not relation.hinted:
        return False
    problem = relation.problem(line)
    if relation.name == _F1 or relation.linear or not isinstance(problem, RelationProblem):
        return _is_above(relation, line) if relation.name == _F1 else relation.sort != MARKS
    printed, (low, high) = problem.claims[0], value_range(problem)
    near = low is None or high is None or min(abs(printed.low - high), abs(low - printed.high)) < high - low
    return not near  # of a ratio of rounded numbers one may be of something slightly else


def with_relations(tables: Sequence[TableResult]) -> tuple[TableResult, ...]:
    """The tables of a paper with what their numbers say against each other."""
    tested = [_is_tested_by_rows(table) for table in tables]
    per_table = [([], []) if done else relations_of(table.table) for table, done in zip(tables, tested, strict=True)]
    borne_out = {_said(relation) for chosen, _ in per_table for relation in chosen}
    for chosen, relations in per_table:  # a short table may obey what tables with the same headings bear out
        taken = {relation.key(relation.target) for relation in chosen}
        others = [each for each in relations if each.obeys.all() and each.key(each.target) not in taken]
        chosen += [each for each in others if _said(each) in borne_out]
    for later, relation in repeated([(table.name, table.table) for table in tables]):
        if belief.is_believed(relation):
            per_table[later][0].append(relation)
    return tuple(
        table if done and not chosen else _with(table, number, chosen, relations)
        for number, (table, done, (chosen, relations)) in enumerate(zip(tables, tested, per_table, strict=True))
    )


def _is_tested_by_rows(table: TableResult) -> bool:
    """Whether the fractions of a table of thousands of rows were tested row by row, so that no column says more."""
    if len(table.rows) <= _MOST_ROWS or not all(row.readings for row in table.rows):
        return False
    tested = {cell.place[1] for row in table.rows[:_MOST_ROWS] for cell in row.cells}
    columns = enumerate(zip(*table.table.body, strict=True))
    return not any("." in "".join(texts) for place, texts in columns if place not in tested)


def _with(table: TableResult, number: int, chosen: Relations, relations: Relations) -> TableResult:
    checks, rows = [*table.checks], _Rows(table, number)
    doubted = {row.row for row in table.rows if row.outcome in (Outcome.INCONSISTENT, Outcome.QUESTION)}  # by names
    scores = any("." in text for row in table.table.body for text in row)  # and not only numbers of cases
    for relation in chosen:
        checks += _held(relation)
        for line in map(int, np.flatnonzero(relation.obeys)) if scores else ():
            rows.test(relation, line)
    asked: dict[int, list[RelationFinding]] = {}
    for finding in broken(chosen, relations):
        own = finding.relation
        if finding.outright:
            what = f"{own.view.series[own.target].name} of {finding.where}"
            checks.append(TableCheck(what, finding.answer, finding.words, (finding.row,), own.sort))
        elif finding.row not in doubted or own.sort != IDENTITIES:
            asked.setdefault(id(own), []).append(finding)
    questions = (*table.questions, *map(rows.ask, asked.values()))
    tested = {relation.view.series[place].name for relation in chosen for place in relation.series}
    untested = (note for note in table.untested if note.partition(":")[0] not in tested)
    return replace(
        table, rows=tuple(sorted(rows.known.values(), key=lambda row: row.row)), checks=tuple(checks),
        questions=questions, untested=(*untested, *_not_believed(table.table, chosen)),
    )  # fmt: skip


def _not_believed(table: Table, chosen: Relations) -> Iterator[str]:
    """Series that sum up or compare others by their headings, and do not so in enough lines."""
    given = {(relation.view.turned, relation.target) for relation in chosen}
    for view in views(table):
        for place, series in enumerate(view.series):
            named = series.part == "main" and series.head and PATTERNS["lines"]["summary"].fullmatch(series.head[-1])
            lines = int((~np.isnan(view.values[:, place])).sum())
            if named and lines >= FEWEST and len(view.series) > 2 and (view.turned, place) not in given:
                yield f"{series.name}: no mean, sum or difference is obeyed by four fifths of its {lines} lines"


def _held(relation: TableRelation) -> Iterator[TableCheck]:
    """A believed relation as a comparison that holds, with the rows that it tests."""
    lines = map(int, np.flatnonzero(relation.obeys)[:3])
    answer = next(filter(None, (_exact(relation, line, Verdict.CONSISTENT) for line in lines)), None)
    if answer is not None:
        rows = {place[0] for line, places in relation.places.items() if relation.obeys[line] for place in places}
        yield TableCheck(relation.words, answer, relation.evident, tuple(sorted(rows)), relation.sort)


class _Rows:
    """The rows of a table by place and group; those of lines that nothing else read are added."""

    def __init__(self, table: TableResult, number: int) -> None:
        self.table, self.number = table.table, number
        self.known = {(row.row, row.group): row for row in table.rows}

    def at(self, relation: TableRelation, line: int) -> tuple[tuple[int, str], RowResult]:
        """The row in which the number of a line stands, or a new one."""
        view, row = relation.view, relation.view.place(line, relation.target)[0]
        if (key := next((key for key in self.known if key[0] == row), None)) is not None:
            return key, self.known[key]
        series = relation.series[:1] if view.at else relation.series
        places = [(view.place(line, own), view.series[own].name, view.text(line, own)) for own in series]
        cells = tuple(CellText(place, name, self.table.rows[place[0]][place[1]], text) for place, name, text in places)
        label = self.table.rows[row][0] or f"row {row + 1}"
        return (row, ""), RowResult(self.number, row, label, "", "", cells, Outcome.NOT_TESTED)

    def test(self, relation: TableRelation, line: int) -> None:
        """The row of a line, if nothing else has tested it or failed on it, as one whose numbers were."""
        if len(self.known) > _MOST_ROWS:
            return
        key, row = self.at(relation, line)
        own = [each for each in self.known.values() if each.row == row.row]
        failed = any(note.startswith("not used") for each in own for note in each.notes)
        untested = not failed and all(each.outcome is Outcome.NOT_TESTED for each in own)
        if untested and (answer := _exact(relation, line, Verdict.CONSISTENT)):
            self.known[key] = replace(row, outcome=Outcome.CONSISTENT, readings=(Answered(relation.words, answer),))

    def ask(self, findings: Sequence[RelationFinding]) -> Question:
        """One question about the rows that break one relation; each row carries the proof under its condition."""
        relation, names = findings[0].relation, []
        (obeying, having), words = relation.counts, relation.words
        condition = f"{words}, as in {obeying} of {having} lines"
        for finding in findings:
            key, row = self.at(relation, finding.line)
            readings = (Answered(words, finding.answer, condition), *row.readings)
            outcome = row.outcome if row.outcome is Outcome.INCONSISTENT else Outcome.QUESTION
            self.known[key] = replace(row, outcome=outcome, readings=readings, notes=(*row.notes, finding.words))
            names.append(row.label)
        return Question(tuple(finding.row for finding in findings), condition, obeying, having - obeying, tuple(names))
