"""Many papers: a line for each, and all their rows in one table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from scoreproof.jsonable import rebuilt
from scoreproof.papers.result import AuditResult, RowResult
from scoreproof.results import Result, SmallTable, Tabular

FAILED = "error"  # the verdict of a paper that could not be audited


@dataclass(frozen=True, slots=True)
class PaperLine(Result):
    """A paper of many: its verdict, how many tables, rows and cells were read, its rows, or why it was not audited."""

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

    @classmethod
    def of(cls, paper: str, report: str, result: AuditResult) -> Self:
        """The line of an audited paper."""
        tally = sum((Counter(table.tally) for table in result.tables), Counter())
        names = [table.name for table in result.tables]
        return cls(
            paper,
            str(result.verdict),
            report,
            len(result.tables),
            result.outcomes(),
            tally["number"] + tally["counts"],
            tally["unread"],
            tuple(_line(row, names[row.table]) for row in result.rows()),
            by_fault=result.faulty,
        )

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        return rebuilt(cls, document)

    def __str__(self) -> str:
        if self.error:
            return f"{self.paper}: {self.error}"
        said = ", ".join(f"{number} {name}" for name, number in self.outcomes.items() if number)
        return f"{self.paper}: {said or 'no rows'}"


def _line(row: RowResult, table: str) -> dict[str, str]:
    printed = "; ".join(f"{cell.score} {cell.raw}" for cell in row.cells)
    why = row.reason or "; ".join(row.notes[:1])
    return {
        "table": table,
        "row": row.label or f"row {row.row + 1}",
        "group": row.group,
        "verdict": str(row.outcome),
        "reason": why,
        "printed": printed,
    }


@dataclass(frozen=True, slots=True)
class Collection(Tabular):
    """Many papers audited."""

    papers: tuple[PaperLine, ...]
    interrupted: bool = False

    @property
    def verdict(self) -> str:
        """The gravest of the papers' verdicts: inconsistent, a paper that failed, undecided, consistent."""
        found = {line.verdict for line in self.papers}
        return next(
            (word for word in ("inconsistent", FAILED, "undecided", "consistent") if word in found), "not tested"
        )

    def __str__(self) -> str:
        counted = Counter(line.verdict for line in self.papers)
        said = ", ".join(f"{number} {name}" for name, number in sorted(counted.items()))
        return f"{len(self.papers)} paper{'s' * (len(self.papers) != 1)}: {said or 'none'}"

    def _rows(self) -> list[dict[str, Any]]:
        return [{"paper": line.paper, **row} for line in self.papers for row in line.rows]

    def _tables(self) -> list[SmallTable]:
        head = ("paper", "tables", "rows", "verdict")
        rows = [(line.paper, line.tables, len(line.rows), line.verdict) for line in self.papers]
        return [SmallTable(rows, head)] if rows else []
