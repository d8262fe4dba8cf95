"""What an audit returns: for each row of each table the verdicts, and what they rest on.

Rows are plain data, so that they travel between processes, are written to the journal of an interrupted run and come
back unchanged, and every report (terminal, JSON, HTML, LaTeX, prose) is made from the same document.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from scoreproof._version import __version__
from scoreproof.checking import Answer, Certificate, Verdict
from scoreproof.claims.recheck import Recheck
from scoreproof.documents import Table
from scoreproof.insight.explanation import Explanation, TableExplanation
from scoreproof.insight.strength_of_pass import Strength, could_fail
from scoreproof.jsonable import document
from scoreproof.markup import html_verdict
from scoreproof.papers.text_facts.sizes import Extraction
from scoreproof.results import Result, SmallTable, Tabular

if TYPE_CHECKING:
    from scoreproof.findings import Finding


class Outcome(StrEnum):
    """What became of a row."""

    CONSISTENT = "consistent"
    INCONSISTENT = "inconsistent"
    QUESTION = "question"  # impossible only if what was taken from the text is so
    UNDECIDED = "undecided"
    NOT_TESTED = "not tested"  # nothing was asked of it, or nothing could have refuted it
    ERROR = "error"


_MOST_CARDS, _MOST_PICTURES = 10, 60  # in a notebook; in a document
_GRAVEST = (Verdict.INCONSISTENT, Verdict.QUESTION, Verdict.UNDECIDED, Verdict.CONSISTENT)
_DECIDED = (Verdict.CONSISTENT, Verdict.INCONSISTENT)
_TESTED = (Outcome.CONSISTENT, Outcome.INCONSISTENT, Outcome.QUESTION)
#: How tests are called by the kinds of their problems; relations between numbers of a table have sorts of their own.
SORTS = {
    "binary": "sizes", "unknown_counts": "sizes", "multi_class": "class averages", "multi_label": "class averages",
    "unknown_classes": "one matrix", "common_average": "averages", "average": "fold and class rows",
    "printed_classes": "class rows", "printed_matrix": "printed counts", "one_test_set": "one test set",
    "shared_variance": "one test set", "regression": "errors",
}  # fmt: skip


class CellText(NamedTuple):  # an audit makes many of these, and a frozen dataclass takes twice as long
    """One score of a row: its place in the table, the raw text there, and the text that was checked."""

    place: tuple[int, int]
    score: str
    raw: str
    text: str

    def to_dict(self) -> dict[str, Any]:
        return {**self._asdict(), "place": list(self.place)}

    @classmethod
    def from_dict(cls, entry: Mapping[str, Any]) -> CellText:
        return cls(**{**entry, "place": tuple(entry["place"])})


class _Decided:
    __slots__ = ()
    answer: Answer[Any, Any]

    @property
    def verdict(self) -> Verdict:
        return self.answer.verdict

    @property
    def certificate(self) -> Certificate | None:
        return self.answer.certificate


@dataclass(frozen=True, slots=True)
class Answered(_Decided):
    """The answer on a row under one reading of its experiment; ``assumed`` is what the reading takes for granted."""

    label: str
    answer: Answer[Any, Any]
    assumed: str = ""

    @property
    def words(self) -> str:
        return self.answer.subject

    def to_dict(self) -> dict[str, Any]:
        condition = {"assumed": self.assumed} if self.assumed else {}
        return {"label": self.label, "words": self.words, **condition, **self.answer.to_dict()}

    @classmethod
    def from_dict(cls, entry: Mapping[str, Any]) -> Answered:
        answer = {key: value for key, value in entry.items() if key not in ("label", "words", "assumed")}
        return cls(entry["label"], Answer.from_dict(answer), entry.get("assumed", ""))


@dataclass(frozen=True, slots=True)
class RowResult(Result):
    """One row of a table, for one group of columns; ``error`` says why it could not be checked, maybe by our fault."""

    table: int
    row: int
    label: str
    group: str
    experiment: str
    cells: tuple[CellText, ...]
    outcome: Outcome
    readings: tuple[Answered, ...] = ()
    explanation: Explanation | None = None
    strength: Strength | None = None
    notes: tuple[str, ...] = ()
    error: str = ""
    by_fault: bool = False

    @property
    def scores(self) -> dict[str, str]:
        return {cell.score: cell.text for cell in self.cells}

    def fitting(self) -> tuple[str, ...]:
        """The readings this row is consistent with."""
        return tuple(reading.label for reading in self.readings if reading.verdict is Verdict.CONSISTENT)

    def __str__(self) -> str:
        printed = ", ".join(f"{cell.score} {cell.raw}" for cell in self.cells)
        return f"{self.outcome}: {self.name}{f', {printed}' if printed else ''}"

    @property
    def name(self) -> str:
        return self.label or f"row {self.row + 1}"

    @property
    def reason(self) -> str:
        """Why it is not consistent, in words, where words were found."""
        asked = self.outcome is Outcome.QUESTION
        verdict = Verdict.INCONSISTENT if asked else self.outcome
        reasons = (reading.answer.reason for reading in self.readings if reading.verdict == verdict)
        reason = self.error or next(filter(None, reasons), "")
        return f"{self.condition}: {reason}".removesuffix(": ") if asked else reason

    @property
    def condition(self) -> str:
        """What would have to be so for the row to be impossible ("if ..."), where something was assumed."""
        assumed = [own.assumed for own in self.readings if own.assumed and own.verdict is Verdict.INCONSISTENT]
        return f"if {' or '.join(dict.fromkeys(assumed))}" if assumed else ""

    def _tables(self) -> list[SmallTable]:
        return [SmallTable([(own.label or own.words, own.verdict) for own in self.readings])] if self.readings else []

    def line(self) -> dict[str, Any]:
        """The row as one line of a table of rows."""
        came = {"outcome": str(self.outcome), "fits": "; ".join(self.fitting()), "reason": self.reason}
        return {**document(self, "table row label group"), **self.scores, **came}


def _sort(problem: Any) -> str:
    sized = problem.kind == "unknown_classes" and problem.experiment.totals is not None
    return "sizes" if sized else SORTS.get(problem.kind, problem.kind)


def _outcomes(rows: Iterable[RowResult]) -> dict[str, int]:
    counted = Counter(row.outcome for row in rows)
    return {str(outcome): counted[outcome] for outcome in Outcome}


@dataclass(frozen=True, slots=True)
class TableCheck(_Decided, Result):
    """What a table says against itself: a printed average against its rows, scores against counts, row against row.

    ``words`` say what came out, ``sort`` which relation between numbers it is, if the table itself bears it out.
    """

    what: str
    answer: Answer[Any, Any]
    words: str
    rows: tuple[int, ...] = ()
    sort: str = ""
    explanation: Explanation | None = None

    @property
    def kind(self) -> str:
        return str(self.answer.problem.kind)

    def __str__(self) -> str:
        return f"{self.verdict}: {self.what}: {self.words}"


@dataclass(frozen=True, slots=True)
class Question(Result):
    """Rows that are impossible if something is so that the table does not settle: one for all rows with one cause.

    ``passing`` and ``failing`` count the rows that fit that reading and that do not; ``means`` is what would follow,
    ``clears`` what somebody would have to say to settle it.
    """

    rows: tuple[int, ...]
    condition: str
    passing: int
    failing: int
    names: tuple[str, ...] = ()
    means: str = ""
    clears: str = ""

    def __str__(self) -> str:
        return f"{', '.join(self.names)}: impossible if {self.condition}"


@dataclass(frozen=True, slots=True)
class TableResult(Tabular):
    """One table of the paper: its grid as printed, what was read of it, and its rows audited.

    ``unread`` and ``untested`` name what no check used, ``fits_all`` the readings that every row is consistent with;
    ``explanation`` would explain all inconsistent rows; ``other_sizes`` says which other sizes are named for the table.
    """

    name: str
    table: Table
    rows: tuple[RowResult, ...]
    tally: Mapping[str, int] = field(default_factory=dict)
    assumptions: tuple[str, ...] = ()
    unread: tuple[Mapping[str, Any], ...] = ()
    untested: tuple[str, ...] = ()
    checks: tuple[TableCheck, ...] = ()
    fits_all: tuple[str, ...] = ()
    explanation: TableExplanation | None = None
    other_sizes: tuple[str, ...] = ()
    questions: tuple[Question, ...] = ()

    def outcomes(self) -> dict[str, int]:
        return _outcomes(self.rows)

    def to_dict(self) -> dict[str, Any]:
        return document(self, "*", outcomes=self.outcomes())

    def __str__(self) -> str:
        counts = ", ".join(f"{number} {name}" for name, number in self.outcomes().items() if number)
        return f"{self.name}: {counts or 'no rows'}"

    def _rows(self) -> list[dict[str, Any]]:
        return [row.line() for row in self.rows]

    def _repr_html_(self) -> str:
        calm = (row for row in self.rows if row.outcome not in (Outcome.INCONSISTENT, Outcome.QUESTION))
        verdicts = {cell.place: str(row.outcome) for row in calm for cell in row.cells}
        for finding in reversed(AuditResult("", "", (self,)).findings):  # the cells at fault, not their rows
            verdicts |= {cell: str(finding.verdict) for where in finding.at(1) for cell in where.cells}
        return html_verdict(self) + self.table.html(verdicts)


@dataclass(frozen=True, slots=True)
class ClaimResult(Result):
    """A claim of the paper (best method, significance) beside what the tables say; ``holds`` is None if open."""

    text: str
    holds: bool | None
    words: str
    answer: Answer[Any, Any] | None = None
    recheck: Recheck | None = None

    def __str__(self) -> str:
        return f"{self.text}: {self.words}"


@dataclass(frozen=True, slots=True)
class AuditResult(Tabular):
    """A paper audited: every table, every row, and the verdict a gate acts on."""

    title: str
    source: str
    tables: tuple[TableResult, ...]
    claims: tuple[ClaimResult, ...] = ()
    interrupted: bool = False
    version: str = __version__
    extracted: tuple[Extraction, ...] = ()
    problems: tuple[str, ...] = ()  #: what of the paper could not be read: scanned pages, broken tables
    faults: tuple[str, ...] = ()  #: what went wrong beside the rows by a fault of scoreproof

    @property
    def faulty(self) -> bool:
        """Whether something was not done by a fault of scoreproof, in a row or beside."""
        return bool(self.faults) or any(row.by_fault for row in self.rows())

    def rows(self) -> tuple[RowResult, ...]:
        return tuple(row for table in self.tables for row in table.rows)

    def outcomes(self) -> dict[str, int]:
        return _outcomes(self.rows())

    def sorts(self) -> dict[str, int]:
        """How many rows of tables were put to a test that could have failed, by the sort of the test."""
        tested: set[tuple[str, int, object]] = set()
        for number, table in enumerate(self.tables):
            rows = [(row.row, own) for row in table.rows if row.outcome in _TESTED for own in row.readings]
            told = [(place, own.answer.problem) for place, own in rows if own.verdict in _DECIDED]
            told = [(place, problem) for place, problem in told if problem.kind != "relation" and could_fail(problem)]
            tested |= {(_sort(problem), number, place) for place, problem in told}  # relations have sorts of their own
            for check in table.checks:
                if check.verdict in _DECIDED:
                    sort = check.sort or _sort(check.answer.problem)
                    tested |= {(sort, number, place) for place in check.rows or (check.what,)}
        return dict(Counter(sort for sort, _, _ in sorted(tested, key=str)).most_common())

    @property
    def verdict(self) -> Verdict:
        """The gravest of its rows and comparisons: inconsistent, a question, undecided, consistent, not tested."""
        outcomes = {str(row.outcome) for row in self.rows()}
        outcomes |= {str(check.verdict) for table in self.tables for check in table.checks}
        if self.interrupted or "error" in outcomes:
            outcomes.add("undecided")
        return next((verdict for verdict in _GRAVEST if verdict in outcomes), Verdict.NOT_TESTED)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is inconsistent, then what is a question: what has one cause is one finding."""
        return tuple(import_module("scoreproof.findings").of_audit(self))

    @property
    def summary(self) -> str:
        """How many rows ended how, and what inside the tables does not fit: what the verdict rests on comes first."""
        rows, checks = self.outcomes(), Counter(str(check.verdict) for table in self.tables for check in table.checks)
        del checks["consistent"]
        parts = []
        for name in map(str, (*_GRAVEST[:3], Outcome.ERROR, Outcome.CONSISTENT, Outcome.NOT_TESTED)):
            for number, what, where in ((rows[name], "row", ""), (checks[name], "comparison", " inside the tables")):
                parts += [f"{number} {what}{'s' * (number != 1)}{where} {name}"] if number else []
        return ", ".join([*(parts or ["no rows"]), *(["interrupted"] if self.interrupted else [])])

    def to_dict(self) -> dict[str, Any]:
        findings = [finding.brief(pictured=number < _MOST_PICTURES) for number, finding in enumerate(self.findings)]
        counts = {"outcomes": self.outcomes(), "sorts": self.sorts(), "findings": findings}
        return document(self, "title source verdict summary *", **counts)

    def __str__(self) -> str:
        return f"{self.title or 'audit'}: {self.summary}"

    def _rows(self) -> list[dict[str, Any]]:
        return [row.line() for row in self.rows()]

    def _repr_html_(self) -> str:
        cards = (finding._repr_html_() for finding in self.findings[:_MOST_CARDS])
        tables = (table._repr_html_() for table in self.tables)
        return "".join((html_verdict(f"{self.verdict}: {self}"), *cards, *tables))
