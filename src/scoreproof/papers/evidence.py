"""A reading is a hypothesis, and the rows of the table are the evidence.

Misreadings fail systematically, errors are sporadic among rows that pass a test that could have failed. So a reading,
shared by tables with the same headings, is weighed against *something else*: the prior odds are those of its words, the
evidence its rows' outcomes (papers err in one of a hundred rows, one paper in ten much more often) against those of
redrawn numbers. A row is inconsistent only if the other rows alone make the odds overwhelming, and no average or role
lets it pass. Otherwise it is a question, one for all rows with one cause, if its headings are plain, other rows bear
them out, or the miss is small; what most rows contradict is dropped.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

from scoreproof.checking import Verdict, trial
from scoreproof.checking.answer import Fit
from scoreproof.checking.check import outcomes
from scoreproof.errors import ScoreproofError
from scoreproof.insight.strength_of_pass import could_fail
from scoreproof.kinds import kind_named
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.conventions import Convention, conventions_of
from scoreproof.kinds.kind import Problem
from scoreproof.papers.other_meanings import AS_AVERAGE, fits, other_meaning, possible_as_average, rewritten
from scoreproof.papers.result import Answered, Outcome, Question, RowResult, TableCheck
from scoreproof.papers.table_semantics import Interpretation
from scoreproof.papers.table_semantics.headings import Role, read_heading
from scoreproof.papers.table_semantics.words import Patterns, loaded
from scoreproof.papers.task import OF_CLASS, is_open
from scoreproof.reported import Claim, Conventions
from scoreproof.reported.number import decimal_text
from scoreproof.work.budget import Budget

ERRING = 0.01  # share of wrong rows in most papers
CARELESS = 0.1  # share of papers that err at an unknown, larger rate
VOUCHED, ASKED = math.log(1000), math.log(3)  # log odds by the other rows that make an accusation, and a question
STATED = math.log(4)  # prior log odds of sizes that a caption gives, and of all classes of a test set
FROM_TEXT = math.log(1 / 3)  # and of other numbers of cases in the text, or of scores under a caption of something else
FEWEST = 3  # other rows that must pass, each a test that less than half of other numbers pass
FAILING = 0.2  # share of rows that may fail
ALIKE = 0.25  # of what averages leave to F1
NEAR = Fraction(3, 100)  # of a number, how far it may lie off for a question without neighbours
DRAWS = 16
_SECONDS = 0.5  # for one redrawn row
_SECONDS_UNSAID, _SHARE_UNSAID = 2.0, 0.6  # for the conventions of a row, and of what is left for one of them
_ADMITTED = (Fit.FITS, Fit.NOTHING_LEFT)
_MOST_ASKED = 6  # other rows that are asked about a convention
_SAYS = Patterns(loaded("scoreproof.papers", "patterns.toml")["evidence"])
_NO_MATRIX = "then no confusion matrix gives these values together"
_CLEARED_BY = {
    "sizes": "how many cases of each class these rows are of (p and n, or classes)",
    "headings": "what the columns hold (which average, over what), or the values that were meant",
    "conventions": "how the numbers were computed (an option of the table, or strict)",
}


def log_odds(passing: int, failing: int, chance: float) -> float:
    """The log odds of a reading against something else, by the outcomes of distinct rows."""
    careful = (1 - ERRING) ** passing * ERRING**failing  # beside it a Beta(1, 3) rate of errors, integrated
    careless = 3 * math.exp(math.lgamma(1 + failing) + math.lgamma(3 + passing) - math.lgamma(4 + failing + passing))
    reading = math.log((1 - CARELESS) * careful + CARELESS * careless)
    return reading - passing * math.log(chance) - failing * math.log(1 - chance)


@dataclass
class ReadingEvidence:
    """One reading of a table's rows: which pass, which fail, and the chance of other numbers to pass."""

    passing: dict[tuple[str, ...], Problem] = field(default_factory=dict)  # copied rows count once
    failing: dict[tuple[str, ...], Problem] = field(default_factory=dict)

    def add(self, values: tuple[str, ...], told: Answered | TableCheck) -> None:
        if told.verdict is Verdict.CONSISTENT and could_fail(told.answer.problem):
            self.passing[values] = told.answer.problem
        elif told.verdict is Verdict.INCONSISTENT:
            self.failing[values] = told.answer.problem

    @property
    def counts(self) -> tuple[int, int]:
        return len(self.passing), len(self.failing)

    @cached_property
    def chance(self) -> float:
        return _chance_of_passing([*self.passing.values(), *self.failing.values()])

    def odds_without(self, values: tuple[str, ...]) -> float:
        """What the other rows say."""
        return log_odds(len(self.passing), len(self.failing.keys() - {values}), self.chance)

    def vouches_against(self, values: tuple[str, ...], prior: float) -> bool:
        """Whether a failing row may be called inconsistent: plain words never make up for rows that pass."""
        passing, failing = self.counts
        few = failing <= max(1, FAILING * (passing + failing))
        return passing >= FEWEST and few and self.chance <= 0.5 and min(prior, 0) + self.odds_without(values) > VOUCHED

    def asks_about(self, values: tuple[str, ...], prior: float, *, sized: bool) -> bool:
        """Whether a failing row is worth a question: its reading is likely without it, or the numbers nearly fit."""
        passing, failing = self.counts
        few = max(1, FAILING * (passing + failing)) if sized else max(1, passing)  # a size is of all rows, or of none
        if failing <= few and prior + self.odds_without(values) > ASKED:
            return True
        if sized or prior < 0:  # which other rows do not bear out
            return False
        near = (  # that numbers a little off would be possible
            fits(own, (rewritten(each, each.text, NEAR * abs(each.number.value)) for each in own.claims))
            for own in self.failing.values()
        )
        return 1 < passing >= failing or 2 * sum(near) >= failing


@dataclass(frozen=True, slots=True)
class ReadTable:
    """A table that nobody described: its rows and comparisons under what the tool read into it."""

    rows: tuple[RowResult, ...]
    checks: tuple[TableCheck, ...]
    meaning: Interpretation

    def key(self, reading: Answered) -> Key:
        """What rows of one reading have in common; sizes may be of one table of several with the same headings."""
        headings = tuple(column.heading.text for column in self.meaning.score_columns)
        return (f"table {self.rows[0].table}",) if _is_sized(reading) else headings, *_alike(reading)

    def prior(self, row: RowResult, reading: Answered) -> float:
        """The prior log odds of a reading: by the words of its columns, and by where its sizes were said."""
        labels = {row.label.rpartition(" / ")[2] for row in self.rows}
        of_scores = any(read_heading(label).role is Role.SCORE for label in labels if len(label) < 40)  # as columns are
        something_else = of_scores or _SAYS["no_results"].search(self.meaning.table.caption) is not None
        problem = reading.answer.problem
        if _is_sized(reading):
            classes = problem.kind == "multi_class" or isinstance(getattr(problem, "experiment", None), TestSet)
            stated = STATED if "the caption" in reading.assumed or classes else FROM_TEXT
            return stated + something_else * FROM_TEXT
        if something_else:
            return FROM_TEXT
        axis, used = 0 if self.meaning.transposed else 1, {claim.quantity.name for claim in problem.claims}
        cells = [cell for cell in row.cells if cell.score in used] or row.cells
        sure = min((self.meaning.columns[cell.place[axis]].heading.sure for cell in cells), default=0.5)
        words = math.log(sure / (1 - sure))
        return min(0.0, words) if is_open(reading) else words


Weighed = tuple[tuple[RowResult, ...], tuple[TableCheck, ...], tuple[Question, ...]]
Key = tuple[tuple[str, ...], str, str]
Asked = dict[str, tuple[list[RowResult], ReadingEvidence, str]]  # by condition; and what would clear it


def gather(table: ReadTable, readings: dict[Key, ReadingEvidence]) -> None:
    """Add the rows of a table to the readings they are evidence of; tables with the same headings share them."""
    for row in table.rows:
        for reading in row.readings:
            readings.setdefault(table.key(reading), ReadingEvidence()).add(_values(row), reading)


def weighed(table: ReadTable, readings: Mapping[Key, ReadingEvidence]) -> Weighed:
    """The rows and comparisons of a table that nobody described, by what the paper itself bears out."""
    asked: Asked = {}
    judged = [_judged(row, table, readings, asked) for row in table.rows]
    kept = tuple(_borne_out(judged, table.checks, asked))
    questions = (_question(words, about, own.counts, clears) for words, (about, own, clears) in asked.items())
    return tuple(judged), kept, tuple(questions)


def _question(condition: str, about: Sequence[RowResult], counts: tuple[int, int], clears: str) -> Question:
    reasons = filter(None, (each.answer.reason for row in about for each in _failing(row) if each.assumed))
    labels = tuple(row.label or f"row {row.row + 1}" for row in about)
    rows, means = tuple(row.row for row in about), next(reasons, _NO_MATRIX)
    return Question(rows, condition, *counts, labels, means, _CLEARED_BY[clears])


def _values(row: RowResult) -> tuple[str, ...]:
    return tuple(cell.text for cell in row.cells)


def _failing(row: RowResult) -> list[Answered]:
    return [reading for reading in row.readings if reading.verdict is Verdict.INCONSISTENT]


def _is_sized(reading: Answered) -> bool:
    return bool(reading.assumed) and not is_open(reading)


def _judged(row: RowResult, table: ReadTable, readings: Mapping[Key, ReadingEvidence], asked: Asked) -> RowResult:
    """A row that fails, by what its neighbours bear out."""
    failing = _failing(row)
    if row.outcome not in (Outcome.INCONSISTENT, Outcome.QUESTION) or not failing:
        return row
    if excuse := other_meaning(row, table.rows):
        return _dropped(row, excuse)
    values = _values(row)
    weighed = [(each, readings[table.key(each)], table.prior(row, each)) for each in failing]
    best, evidence, prior = max(weighed, key=lambda each: each[2] + each[1].odds_without(values))
    vouched, sized = evidence.vouches_against(values, prior), _is_sized(best)
    if row.outcome is Outcome.INCONSISTENT and vouched:
        return row
    averaged = _as_average(row, best) if is_open(best) and not vouched else ""  # which nobody needs to say
    if averaged:  # where many rows are of one matrix, why is this one not?
        return _dropped(row, averaged)
    if evidence.asks_about(values, prior, sized=sized):
        condition = best.assumed or f"{', '.join(row.scores)} are what their headings say"
        asked.setdefault(condition, ([], evidence, "sizes" if sized else "headings"))[0].append(_asking(row, condition))
        return asked[condition][0][-1]
    unused = best.assumed or f"that the scores are what their headings say ({best.label})"
    return _dropped(row, f"not used: {unused}; {evidence.counts[0]} of {sum(evidence.counts)} rows fit it")


def _as_average(row: RowResult, refuted: Answered) -> str:
    """In words, that a row refuted as one of one matrix fits averages over the same parts; empty if it does not."""
    problem = refuted.answer.problem
    if refuted.label == OF_CLASS.label and not _near_one_matrix(problem):
        return ""  # runs and folds of one class are alike
    possible = any(each.verdict is Verdict.CONSISTENT and not each.assumed for each in row.readings)
    return AS_AVERAGE if possible else possible_as_average(problem)


def _near_one_matrix(problem: Problem) -> bool:
    """Whether F1 is in the upper part of what averages leave (P + R - 1 to the harmonic mean): alike parts are."""
    values = {claim.quantity.name: float(claim.number.value) for claim in problem.claims}
    p, r, f1 = (values.get(name, math.nan) for name in ("ppv", "sens", "f1"))
    highest = 2 * p * r / (p + r) if p + r else 0.0
    return not highest - f1 > ALIKE * (highest - max(0.0, p + r - 1))


def _asking(row: RowResult, condition: str) -> RowResult:
    readings = tuple(replace(each, assumed=each.assumed or condition) for each in row.readings)
    return replace(row, outcome=Outcome.QUESTION, readings=readings)


def _dropped(row: RowResult, note: str) -> RowResult:
    """A row without what its table does not bear out: tested if what is left could have failed."""
    rest = tuple(each for each in row.readings if each.verdict is Verdict.CONSISTENT)
    tested = any(could_fail(each.answer.problem) for each in rest)
    outcome = Outcome.CONSISTENT if tested else Outcome.NOT_TESTED
    return replace(row, outcome=outcome, readings=rest, notes=(*row.notes, note))


def _borne_out(judged: list[RowResult], checks: Sequence[TableCheck], asked: Asked) -> Iterator[TableCheck]:
    """The comparisons inside a table that it bears out; the others are questions about their rows, or dropped."""
    kinds: dict[str, ReadingEvidence] = {}
    doubted: dict[tuple[str, tuple[int, ...]], list[TableCheck]] = {}
    for check in checks:
        kinds.setdefault(check.kind, ReadingEvidence()).add((check.what,), check)
    wrong = {row.row for row in judged if row.outcome in (Outcome.INCONSISTENT, Outcome.QUESTION)}
    for check in checks:
        alike, own = kinds[check.kind], (check.what,)
        # of the whole table, or of a row, that is doubted anyway: one cause
        anyway = bool(wrong) and (not check.rows or not wrong.isdisjoint(check.rows))
        if check.verdict is not Verdict.INCONSISTENT or (not anyway and alike.vouches_against(own, 0.0)):
            yield check
        elif not anyway and alike.asks_about(own, 0.0, sized=False):
            doubted.setdefault((check.kind, check.rows), []).append(check)
    for (kind, _), together in doubted.items():  # of one row and one kind: they have one cause
        verb = "is" if len(together) == 1 else "are"
        condition = f"{'; '.join(check.what for check in together)} {verb} what the headings say"
        about = [_doubted(judged, check, condition) for check in together][-1]
        asked.setdefault(condition, ([], kinds[kind], "headings"))[0].append(about)


def _doubted(rows: list[RowResult], check: TableCheck, condition: str) -> RowResult:
    """A comparison that the table does not bear out, as a reading of the row it is about."""
    own = (place for place, row in enumerate(rows) if row.row in check.rows and row.outcome is not Outcome.INCONSISTENT)
    place = next(own, len(rows))
    if place == len(rows):
        table, number = (rows[0].table, max(check.rows, default=0)) if rows else (0, 0)
        rows.append(RowResult(table, number, check.what, "", "", (), Outcome.QUESTION))
    told = Answered(check.what, check.answer, condition)
    rows[place] = replace(rows[place], outcome=Outcome.QUESTION, readings=(told, *rows[place].readings))
    return rows[place]


def _chance_of_passing(problems: Sequence[Problem]) -> float:
    """The share of other numbers that pass: values exchanged with those of other rows, or moved a little."""
    rng = random.Random(0)
    passed = tried = 0
    changeable = [problem for problem in problems if problem.claims]  # counts that contradict each other have none
    for _ in range(DRAWS if changeable else 0):
        problem = rng.choice(changeable)
        claim = rng.choice(problem.claims)
        others = [each.text for other in changeable for each in other.claims if each.quantity == claim.quantity]
        exchanged = len(problem.claims) > 1 and rng.random() < 0.5  # a share of the same cases fits in every row
        text = rng.choice(others) if exchanged else _moved(claim, rng)
        if text == claim.text:
            text = _moved(claim, rng)
        with suppress(ScoreproofError):
            changed = rewritten(claim, text)
            drawn = problem.with_claims([changed if each is claim else each for each in problem.claims])
            tried += 1
            passed += trial(drawn, budget=Budget.of_work(_SECONDS)).fits is not False
    return (passed + 0.5) / (tried + 1)


def _moved(claim: Claim, rng: random.Random) -> str:
    """The text of a value that lies a little off, with as many digits."""
    number, percent = claim.number, "%" in claim.text
    step = max(2, rng.randint(2, max(3, number.scale * 3 // 100)))
    units = max(0, number.units + rng.choice((-step, step)))
    if claim.quantity.range[1] == 1:
        units = min(units, number.scale)
    shown = decimal_text(units, max(0, number.digits - 2 * percent)) + "%" * percent
    spread = claim.text.partition("±")[2]
    return f"{shown} ± {spread}" if spread else shown


def with_unsaid(rows: Sequence[RowResult], how: Conventions) -> tuple[tuple[RowResult, ...], tuple[Question, ...]]:
    """The rows, those as questions that a convention may save which the others may follow, too; and the questions."""
    if how.strict or all(row.outcome is not Outcome.INCONSISTENT for row in rows):
        return tuple(rows), ()
    unsaid = _Unsaid(how, defaultdict(list))
    for reading in (each for row in rows for each in row.readings if each.verdict is Verdict.CONSISTENT):
        unsaid.passing[_alike(reading)].append(reading.answer.problem)
    asked: defaultdict[str, list[RowResult]] = defaultdict(list)
    judged = list(rows)
    for index, row in enumerate(rows):
        saved = unsaid.saving(row) if row.outcome is Outcome.INCONSISTENT else None
        if saved is not None:
            condition = f"no convention is followed that nobody states (it would fit if {saved.label})"
            judged[index] = _asking(row, condition)
            asked[condition].append(judged[index])
    fitting = {condition: len(unsaid.passing[_alike(_failing(about[0])[0])]) for condition, about in asked.items()}
    questions = (_question(each, about, (fitting[each], len(about)), "conventions") for each, about in asked.items())
    return tuple(judged), tuple(questions)


@dataclass(frozen=True, slots=True)
class _Unsaid:
    """The conventions that rows of a table may follow unsaid; ``borne`` keeps which of them the passing rows may."""

    how: Conventions
    passing: defaultdict[tuple[str, str], list[Problem]]
    borne: dict[tuple[tuple[str, str], str], bool] = field(default_factory=dict)

    def saving(self, row: RowResult) -> Convention | None:
        """The commonest convention under which a row is possible and the others are, too."""
        for reading in (each for each in _failing(row) if not each.assumed):
            problem, place = reading.answer.problem, _alike(reading)
            deadline, quick = Budget.of_work(_SECONDS_UNSAID), kind_named(problem.kind).quick(problem)
            for convention in conventions_of(problem, self.how):
                # asked first are the other rows, once for a table, where each is one matrix; else this row
                if (quick or (place, convention.name) in self.borne) and not self._is_borne(place, convention):
                    continue
                tried = outcomes(problem, convention, deadline.part(_SHARE_UNSAID))
                if any(each.answer in _ADMITTED for each in tried) and self._is_borne(place, convention):
                    return convention
        return None

    def _is_borne(self, place: tuple[str, str], convention: Convention) -> bool:
        """Whether rows that are possible as read may follow a convention; one that says nothing of them does."""
        key = place, convention.name
        if key not in self.borne:
            beside = self.passing[place][:_MOST_ASKED]
            tries = (outcomes(other, convention, Budget.of_work(_SECONDS_UNSAID)) for other in beside)
            self.borne[key] = all(not own or any(each.answer is not Fit.DOES_NOT_FIT for each in own) for own in tries)
        return self.borne[key]


def _alike(reading: Answered) -> tuple[str, str]:
    return reading.label, reading.answer.problem.kind
