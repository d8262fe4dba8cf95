"""A reading is a hypothesis, and the rows of the table are the evidence.

What the tool read into a table (scores, units, sizes from a sentence) is shared by its rows. Misreadings fail
systematically, errors are sporadic among rows that pass a test that could have failed. So every reading is weighed
against *something else*: the odds are those of the rows' outcomes under the reading, where papers err in one of a
hundred rows and one paper in ten much more often, to those under numbers that do not obey it (their chance of passing
is measured by redraws: a value exchanged with that of another row, or moved a little).

A row is inconsistent only if the odds of its reading without the row are overwhelming, several other rows pass, few
fail, and no other unit, average or role lets it pass. Otherwise it is a question, where the other rows bear the reading
out or the miss is small, and one question stands for all rows with one cause. What most rows contradict is dropped.
"""

from __future__ import annotations

import math
import random
import re
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from typing import cast

from scoreproof.checking import Verdict, trial
from scoreproof.errors import ScoreproofError
from scoreproof.insight.falsifiability import could_fail
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.kind import Problem
from scoreproof.papers.as_average import possible_as_average
from scoreproof.papers.result import Answered, CellText, Outcome, Question, RowResult, TableCheck
from scoreproof.papers.task import is_open
from scoreproof.reported import Claim, report
from scoreproof.work.budget import Budget

ERRING = 0.01  # share of wrong rows in most papers
CARELESS = 0.1  # share of papers that err at an unknown, larger rate
VOUCHED = math.log(1000)  # log odds without the row that make an accusation
ASKED = math.log(3)  # and a question
STATED = math.log(4)  # prior log odds of sizes that a caption gives, and of all classes of a test set
FROM_TEXT = math.log(1 / 3)  # and of other numbers of cases in the text
FEWEST = 3  # other rows that must pass, each a test that less than half of other numbers pass
FAILING = 0.2  # share of rows that may fail
NEAR = Fraction(3, 100)  # of a number, how far it may lie off for a question without neighbours
DRAWS = 16
_FAR_BELOW = 0.25  # of the upper quartile of a column
_SECONDS = 0.5  # for one redrawn row
#: Words that make a row something else than a result, and a table something else than scores.
_NO_RESULT = re.compile(
    r"(?:^|[\W_])(?:std|sd|stdev|st\.? ?dev|deviations?|iqr|sem|stderr|variance|var|ci|range|wins?|losses|ties|ranks?|"
    r"p[- ]?values?|diff(?:erence)?|gains?|improv\w*|delta|gap|change)(?:$|[\W_])|[Δ∆±]",
    re.I,
)
_NO_RESULTS = re.compile(r"\b(?:wins?|ranks?|ranking|p[- ]values?|differences?|improvements?|gains?|number of)\b", re.I)
_WEIGHTED = "recall is accuracy, as it is where scores are averages over classes, weighted by their sizes"


def log_odds(passing: int, failing: int, chance: float) -> float:
    """The log odds of a reading against something else, by the outcomes of distinct rows.

    >>> log_odds(6, 1, 0.1) > VOUCHED, log_odds(1, 3, 0.3) < 0
    (True, True)
    """
    careful = (1 - ERRING) ** passing * ERRING**failing
    # a Beta(1, 3) rate of errors, integrated
    careless = 3 * math.exp(math.lgamma(1 + failing) + math.lgamma(3 + passing) - math.lgamma(4 + failing + passing))
    reading = math.log((1 - CARELESS) * careful + CARELESS * careless)
    return reading - passing * math.log(chance) - failing * math.log(1 - chance)


@dataclass(slots=True)
class ReadingEvidence:
    """One reading of a table's rows: which pass, which fail, and the chance of other numbers to pass."""

    prior: float
    passing: dict[tuple[str, ...], Problem] = field(default_factory=dict)  # copied rows count once
    failing: dict[tuple[str, ...], Problem] = field(default_factory=dict)
    _chance: float | None = None

    def add(self, values: tuple[str, ...], told: Answered | TableCheck) -> None:
        if told.verdict is Verdict.CONSISTENT and could_fail(told.answer.problem):
            self.passing[values] = told.answer.problem
        elif told.verdict is Verdict.INCONSISTENT:
            self.failing[values] = told.answer.problem

    @property
    def chance(self) -> float:
        if self._chance is None:
            self._chance = chance_of_passing([*self.passing.values(), *self.failing.values()])
        return self._chance

    def odds_without(self, values: tuple[str, ...]) -> float:
        return self.prior + log_odds(len(self.passing), len(self.failing.keys() - {values}), self.chance)

    def vouches_against(self, values: tuple[str, ...]) -> bool:
        """Whether a failing row may be called inconsistent."""
        passing, failing = len(self.passing), len(self.failing)
        few = failing <= max(1, FAILING * (passing + failing))
        return passing >= FEWEST and few and self.chance <= 0.5 and self.odds_without(values) > VOUCHED

    def asks_about(self, values: tuple[str, ...]) -> bool:
        """Whether a failing row is worth a question: others bear the reading out, or the numbers nearly fit."""
        passing, failing = len(self.passing), len(self.failing)
        if failing <= max(1, passing) and self.odds_without(values) > ASKED:
            return True
        if self.prior:  # sizes that other rows do not bear out
            return False
        return 1 < passing >= failing or 2 * sum(map(nearly_fits, self.failing.values())) >= failing


Asked = dict[str, tuple[list[RowResult], ReadingEvidence]]


def weighed(
    rows: Sequence[RowResult], checks: Sequence[TableCheck], caption: str = ""
) -> tuple[tuple[RowResult, ...], tuple[TableCheck, ...], tuple[Question, ...]]:
    """The rows and comparisons of a table that nobody described, by what the table itself bears out."""
    readings: dict[tuple[str, str], ReadingEvidence] = {}
    doubt = FROM_TEXT if _NO_RESULTS.search(caption) else 0.0
    for row in rows:
        for reading in row.readings:
            readings.setdefault(_key(reading), ReadingEvidence(_prior(reading) + doubt)).add(_values(row), reading)
    asked: Asked = {}
    judged = [_judged(row, rows, readings, asked) for row in rows]
    kept = tuple(_borne_out(judged, checks, asked))
    questions = []
    for condition, (about, found) in asked.items():
        places, labels = (row.row for row in about), (row.label or f"row {row.row + 1}" for row in about)
        counts = len(found.passing), len(found.failing)
        questions.append(Question(tuple(places), condition, *counts, tuple(labels)))
    return tuple(judged), kept, tuple(questions)


def _key(reading: Answered) -> tuple[str, str]:
    return reading.label, reading.answer.problem.kind


def _prior(reading: Answered) -> float:
    """The prior log odds of a reading: what a caption says is of its table, a size of the text may be of another."""
    if not reading.assumed or is_open(reading):
        return 0.0
    problem = reading.answer.problem
    classes = problem.kind == "multi_class" or isinstance(getattr(problem, "experiment", None), TestSet)
    return STATED if "the caption" in reading.assumed or classes else FROM_TEXT


def _values(row: RowResult) -> tuple[str, ...]:
    return tuple(cell.text for cell in row.cells)


def _judged(
    row: RowResult, rows: Sequence[RowResult], readings: Mapping[tuple[str, str], ReadingEvidence], asked: Asked
) -> RowResult:
    """A row that fails, by what its neighbours bear out."""
    failing = [reading for reading in row.readings if reading.verdict is Verdict.INCONSISTENT]
    if row.outcome not in (Outcome.INCONSISTENT, Outcome.QUESTION) or not failing:
        return row
    values, outright = _values(row), row.outcome is Outcome.INCONSISTENT
    excuse = _excuse(row, rows)
    if excuse:
        return _dropped(row, excuse)
    best = max(failing, key=lambda each: readings[_key(each)].odds_without(values))
    reading = readings[_key(best)]
    if outright and reading.vouches_against(values):
        return row
    fits = any(each.verdict is Verdict.CONSISTENT and not each.assumed for each in row.readings)
    explained = fits and is_open(best)  # as averages over parts, which nobody needs to say
    if not explained and reading.asks_about(values):
        condition = best.assumed or f"{', '.join(row.scores)} are what their headings say"
        about = replace(
            row,
            outcome=Outcome.QUESTION,
            readings=tuple(replace(each, assumed=each.assumed or condition) for each in row.readings),
        )
        asked.setdefault(condition, ([], reading))[0].append(about)
        return about
    fit = f"{len(reading.passing)} of {len(reading.passing) + len(reading.failing)} rows fit it"
    note = f"not used: {best.assumed or f'that the scores are what their headings say ({best.label})'}; {fit}"
    return _dropped(row, note)


def _dropped(row: RowResult, note: str, readings: Sequence[Answered] | None = None) -> RowResult:
    """A row without what its table does not bear out: tested if what is left could have failed."""
    rest = [each for each in readings or row.readings if each.verdict is Verdict.CONSISTENT]
    tested = any(could_fail(each.answer.problem) for each in rest)
    outcome = Outcome.CONSISTENT if tested else Outcome.NOT_TESTED
    return replace(row, outcome=outcome, readings=tuple(rest), notes=(*row.notes, note))


def _excuse(row: RowResult, rows: Sequence[RowResult]) -> str:
    """In words, why a row is no result, or what else than the columns' plain meaning lets it pass."""
    if _NO_RESULT.search(row.label):
        return "by its name this row is no result"
    statistic = _statistic(row, rows)
    if statistic:
        return f"this row is the {statistic} of others"
    if _of_another_size(row, rows):
        return "these numbers are of another size than those above and below them: deviations?"
    averaged = [reading for reading in row.readings if reading.answer.problem.kind == "common_average"]
    refuted = any(reading.verdict is Verdict.INCONSISTENT for reading in averaged)
    if row.scores.get("acc") == row.scores.get("sens", "") and not refuted:
        return _WEIGHTED
    problems = [each.answer.problem for each in row.readings if each.verdict is Verdict.INCONSISTENT]
    note = next(filter(None, map(possible_as_average, problems)), "")
    if note:
        return note
    names = set(row.scores)
    others = [other for other in rows if other is not row and names <= set(other.scores)]
    beside = [reading for other in others for reading in other.readings]
    return next(filter(None, (_other_unit(problem, beside) for problem in problems)), "")


def _borne_out(judged: list[RowResult], checks: Sequence[TableCheck], asked: Asked) -> Iterator[TableCheck]:
    """The comparisons inside a table that it bears out; the others are questions about their rows, or dropped."""
    kinds: dict[str, ReadingEvidence] = {}
    for check in checks:
        kinds.setdefault(check.kind, ReadingEvidence(0.0)).add((check.what,), check)
    for check in checks:
        alike, own = kinds[check.kind], (check.what,)
        if check.verdict is not Verdict.INCONSISTENT:
            yield check
        elif _other_unit(check.answer.problem, [other for other in checks if other.kind == check.kind]):
            continue
        elif alike.vouches_against(own):
            yield check
        elif alike.asks_about(own):
            condition = f"{check.what} is what its heading says"
            asked.setdefault(condition, ([], alike))[0].append(_doubted(judged, check, condition))


def _doubted(rows: list[RowResult], check: TableCheck, condition: str) -> RowResult:
    """A comparison that the table does not bear out, as a reading of the row it is about."""
    told = Answered(check.what, check.answer, condition)
    for index, row in enumerate(rows):
        if row.row in check.rows and row.outcome is not Outcome.INCONSISTENT:
            rows[index] = replace(row, outcome=Outcome.QUESTION, readings=(told, *row.readings))
            return rows[index]
    table, number = (rows[0].table, max(check.rows, default=0)) if rows else (0, 0)
    rows.append(RowResult(table, number, check.what, "", "", (), Outcome.QUESTION, (told,)))
    return rows[-1]


def chance_of_passing(problems: Sequence[Problem]) -> float:
    """The share of other numbers that pass: values exchanged with those of other rows, or moved a little."""
    rng = random.Random(0)
    passed = tried = 0
    for _ in range(DRAWS):
        problem = rng.choice(problems)
        place = rng.randrange(len(problem.claims))
        claim = problem.claims[place]
        others = [each.text for other in problems for each in other.claims if each.quantity == claim.quantity]
        exchanged = len(problem.claims) > 1 and rng.random() < 0.5  # a share of the same cases fits in every row
        text = rng.choice(others) if exchanged else _moved(claim, rng)
        if text == claim.text:
            text = _moved(claim, rng)
        with suppress(ScoreproofError):
            changed = _rewritten(claim, text)
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
    digits = len(str(number.scale)) - 1
    value = Decimal(units).scaleb(-digits) * (100 if percent else 1)
    shown = f"{value:.{max(0, digits - 2 if percent else digits)}f}{'%' * percent}"
    spread = claim.text.partition("±")[2]
    return f"{shown} ± {spread}" if spread else shown


def _rewritten(claim: Claim, text: str, eps: Fraction | None = None) -> Claim:
    """A claim about the same quantity with another text, under the same rule."""
    margin = claim.eps if eps is None else eps
    return report(claim.quantity, text, rounding=claim.rounding if margin is None else None, eps=margin)


def nearly_fits(problem: Problem) -> bool:
    """Whether numbers that lie a little off would be possible."""
    with suppress(ScoreproofError):
        claims = [_rewritten(claim, claim.text, NEAR * abs(claim.number.value)) for claim in problem.claims]
        return trial(problem.with_claims(claims), budget=Budget.of_work(_SECONDS)).fits is True
    return False


def _other_unit(problem: Problem, beside: Sequence[Answered | TableCheck]) -> str:
    """In words, that a report is possible if a column is read in the other unit; the rows that fit must still do so."""
    fitting = [told.answer.problem for told in beside if told.verdict is Verdict.CONSISTENT]
    problems = (problem, *(told.answer.problem for told in beside))
    every = [claim for each in problems for claim in each.claims if claim.quantity.range[1] == 1]
    large = {claim.quantity.name for claim in every if claim.number.value > 1}
    small = {claim.quantity.name for claim in every if "%" in claim.text and claim.number.value < Fraction(1, 50)}
    names = [claim.quantity.name for claim in problem.claims if claim.quantity.name in large | small]
    for changed in (*([name] for name in names), *([names] if len(names) > 1 else ())):
        if all(_fits_in_other_unit(each, changed) for each in (problem, *fitting[:FEWEST])):
            percent = any("%" in claim.text for claim in problem.claims if claim.quantity.name in changed)
            return f"{', '.join(changed)}: possible as {'fractions' if percent else 'percentages'}"
    return ""


def _fits_in_other_unit(problem: Problem, names: Sequence[str]) -> bool:
    """Whether a report is possible with some of its values in the other unit."""
    claims = [_exchanged(claim) if claim.quantity.name in names else claim for claim in problem.claims]
    if None in claims:
        return False
    with suppress(ScoreproofError):
        changed = problem.with_claims(cast("list[Claim]", claims))
        return trial(changed, budget=Budget.of_work(_SECONDS)).fits is True
    return False


def _exchanged(claim: Claim) -> Claim | None:
    text = claim.text.replace("%", "").strip() if "%" in claim.text else f"{claim.text}%"
    try:
        made = _rewritten(claim, text)
    except ScoreproofError:
        return None
    return None if made.beyond_range else made


def _statistic(row: RowResult, rows: Sequence[RowResult]) -> str:
    """The statistic of other rows that every number of a row is, if there is one; it only ever excuses.

    Tried are all others, and those before it, without the last one or two, which may be statistics, too.
    """
    place = next(index for index, other in enumerate(rows) if other is row)
    before = rows[:place]
    for others in ((*before, *rows[place + 1 :]), before, before[:-1], before[:-2]):
        columns = [_beside(cell, row, others) for cell in row.cells]
        for name, computed in _STATISTICS.items():
            if columns and all(
                own is not None
                and len(beside) > FEWEST
                and any(abs(own - value) <= step * 1.01 for value in computed(beside))
                for own, step, beside in columns
            ):
                return name
    return ""


def _beside(cell: CellText, row: RowResult, others: Sequence[RowResult]) -> tuple[float | None, float, list[float]]:
    """A number with the size of its last digit, and the numbers of other rows in its column."""
    axis = 0 if row.cells[0].place[0] != row.cells[-1].place[0] else 1  # a transposed table's rows are columns
    alike = (each for other in others for each in other.cells if each.score == cell.score)
    beside = [_number(each.text) for each in alike if each.place[axis] == cell.place[axis]]
    digits = len(cell.text.strip("% ").partition(".")[2])
    return _number(cell.text), 10.0**-digits, [number for number in beside if number is not None]


def _of_another_size(row: RowResult, rows: Sequence[RowResult]) -> bool:
    """Whether every number of a row is far below most of its column, as deviations under means are."""
    columns = [_beside(cell, row, [other for other in rows if other is not row]) for cell in row.cells]
    return len(columns) > 1 and all(
        own is not None and len(beside) >= FEWEST and own < _FAR_BELOW * sorted(beside)[len(beside) * 3 // 4]
        for own, _, beside in columns
    )


def _number(text: str) -> float | None:
    try:
        return float(text.strip("% "))
    except ValueError:
        return None


def _ranges(values: Sequence[float]) -> list[float]:
    """Interquartile ranges by the two usual definitions, and by plain places in the sorted list."""
    ordered, size = sorted(values), len(values)
    cuts = [statistics.quantiles(values, n=4, method=method) for method in ("inclusive", "exclusive")]
    return [*(upper - lower for lower, _, upper in cuts), ordered[size * 3 // 4] - ordered[size // 4]]


_STATISTICS: dict[str, Callable[[Sequence[float]], list[float]]] = {
    "standard deviation": lambda values: [statistics.stdev(values), statistics.pstdev(values)],
    "doubled standard deviation": lambda values: [2 * statistics.stdev(values), 2 * statistics.pstdev(values)],
    "standard error": lambda values: [statistics.stdev(values) / len(values) ** 0.5],
    "interquartile range": _ranges,
    "range": lambda values: [max(values) - min(values)],
    "mean": lambda values: [statistics.fmean(values)],
    "median": lambda values: [statistics.median(values)],
    "maximum": lambda values: [max(values)],
    "minimum": lambda values: [min(values)],
}
