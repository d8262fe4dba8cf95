"""A table on its way through an audit: as it was read, its rows as tasks; or what stopped its reading, in its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoreproof.documents import Position, Table
from scoreproof.papers.result import TableCheck
from scoreproof.papers.specification.load import Specification
from scoreproof.papers.table_semantics import Interpretation, interpret
from scoreproof.papers.task import Task


@dataclass(frozen=True, slots=True)
class TablePlan:
    """A table as it was read, and its rows as tasks."""

    name: str
    table: Table
    found: Interpretation
    tasks: Sequence[Task]
    checks: tuple[TableCheck, ...]
    untested: tuple[str, ...]
    assumptions: tuple[str, ...]
    read_alone: bool = False  # whether nobody but the tool says what its rows are
    other_sizes: tuple[str, ...] = ()


def unread(spec: Specification, index: int, why: str, *, by_fault: bool) -> TablePlan:
    """A table that is too much, or whose reading failed, is a row that says so; the other tables are audited."""
    model = spec.paper.tables[index]
    name = model.name or f"table {index + 1}"
    nothing = Table((("not read",), ("",)), 1, name, Position(index), str(model.file or ""))
    where = spec.document.where(("tables", index))
    task = Task(index, 0, "", "", "", (), error=f"{where}: {why}", by_fault=by_fault)
    return TablePlan(name, nothing, interpret(nothing), [task], (), (), ())
