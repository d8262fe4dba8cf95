"""Many papers: a line for each, and all their rows in one table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from scoreproof.findings.finding import Finding
from scoreproof.papers.result import AuditResult, RowResult
from scoreproof.results import Result, SmallTable, Tabular

FAILED = "error"  # the verdict of a paper that could not be audited
WORST_FIRST = ("inconsistent", "question", "undecided", FAILED, "consistent", "not tested")
_SHOWN = 3  # findings on the line of a paper
#: The columns of a finding on the line of its paper.
FINDING = ("verdict", "table", "rows", "finding", "repair", "question", "review", "line")


@dataclass(frozen=True, slots=True)
class PaperLine(Result):
    """A paper of many: its verdict, what was read of it, its rows, or why it was not audited.

    ``findings`` are what stands on the cards of its report, each with the line of the file where its table begins.
    """

    paper: str
    verdict: str
    report: str = ""
    tables: int = 0
    outcomes: Mapping[str, int] = field(default_factory=dict)
    cells: int = 0
    unread: int = 0
    rows: tuple[Mapping[str, str], ...] = ()
    error: str = ""
    by_fault: bool = False
    findings: tuple[Mapping[str, Any], ...] = ()

    @property
    def standing(self) -> str:
        """The verdict of its first finding, which may be of a claim, else its own."""
        return str(self.findings[0]["verdict"]) if self.findings else self.verdict

    @property
    def rank(self) -> tuple[int, int, str]:
        """What puts the worst paper first."""
        return WORST_FIRST.index(self.standing), -len(self.findings), self.paper

    @classmethod
    def of(cls, paper: str, report: str, result: AuditResult) -> Self:
        """The line of an audited paper."""
        tally = sum((Counter(table.tally) for table in result.tables), Counter())
        names = [table.name for table in result.tables]
        rows = tuple(_line(row, names[row.table]) for row in result.rows())
        counts = len(result.tables), result.outcomes(), tally["number"], tally["unread"]
        findings = tuple(_told(finding, result) for finding in result.findings)
        return cls(paper, str(result.verdict), report, *counts, rows, by_fault=result.faulty, findings=findings)

    def __str__(self) -> str:
        if self.error:
            return f"{self.paper}: {self.error}"
        counts = ", ".join(f"{number} {name}" for name, number in self.outcomes.items() if number)
        told = [f"  {each['table']}, {each['rows']}: {each['finding']}" for each in self.findings[:_SHOWN]]
        return "\n".join([f"{self.paper}: {counts or 'no rows'}", *told])


def _told(finding: Finding, result: AuditResult) -> dict[str, Any]:
    """A finding as a line of a file."""
    where = finding.where
    table = result.tables[where.number - 1].table if where.number else None
    line = None if table is None else table.position.line
    if table is not None and table.format == "csv" and where.rows:
        line = where.rows[0] + 1
    words = (finding.headline, finding.repair, finding.question, finding.review())
    return dict(zip(FINDING, (str(finding.verdict), where.table, "; ".join(where.names), *words, line), strict=True))


def _line(row: RowResult, table: str) -> dict[str, str]:
    printed = "; ".join(f"{cell.score} {cell.raw}" for cell in row.cells)
    why = row.reason or "; ".join(row.notes[:1])
    names = {"table": table, "row": row.name, "group": row.group}
    return {**names, "verdict": str(row.outcome), "reason": why, "printed": printed}


@dataclass(frozen=True, slots=True)
class Collection(Tabular):
    """Many papers audited."""

    papers: tuple[PaperLine, ...]
    interrupted: bool = False

    @property
    def verdict(self) -> str:
        """The gravest of the papers' verdicts: a paper that failed comes before one with a question."""
        verdicts = {line.verdict for line in self.papers}
        return next((word for word in ("inconsistent", FAILED, *WORST_FIRST) if word in verdicts), "not tested")

    def __str__(self) -> str:
        counted = Counter(line.standing for line in self.papers)
        plural = {"question": "with a question", FAILED: "not read"}
        counts = ", ".join(f"{counted[name]} {plural.get(name, name)}" for name in WORST_FIRST if counted[name])
        return f"{len(self.papers)} paper{'s' * (len(self.papers) != 1)}: {counts or 'none'}"

    @property
    def findings(self) -> list[dict[str, Any]]:
        """All findings, the worst papers' first."""
        worst_first = sorted(self.papers, key=lambda line: line.rank)
        return [{"paper": line.paper, **finding} for line in worst_first for finding in line.findings]

    def _rows(self) -> list[dict[str, Any]]:
        return [{"paper": line.paper, **row} for line in self.papers for row in line.rows]

    def _tables(self) -> list[SmallTable]:
        head = ("paper", "tables", "rows", "verdict")
        rows = [(line.paper, line.tables, len(line.rows), line.verdict) for line in self.papers]
        return [SmallTable(rows, head)] if rows else []
