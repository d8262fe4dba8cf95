"""How fast reports are written: a table of ten thousand rows, and the figure of one row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import scoreproof as sp
from benchmarks.measure import Row, best
from scoreproof.documents import Table
from scoreproof.kinds.binary.drawing import draw
from scoreproof.pages import to_html, to_latex, to_text
from scoreproof.papers.result import Answered, AuditResult, CellText, Outcome, RowResult, TableResult

_ROWS = 10_000
_PROMISED_BYTES = 15_000_000


def rows() -> Iterator[Row]:
    audit = audit_of(_ROWS)
    size = len(to_html(audit).encode("utf-8"))
    kept = "within" if size <= _PROMISED_BYTES else "beyond"
    note = f"{size / 1e6:.1f} MB, {kept} {_PROMISED_BYTES // 1_000_000} MB"
    yield Row(f"HTML report of {_ROWS:,} rows", best(lambda: to_html(audit), repeats=1), note=note)
    yield Row(f"LaTeX table of {_ROWS:,} rows", best(lambda: to_latex(audit), repeats=1))
    yield Row(f"paragraph on {_ROWS:,} rows", best(lambda: to_text(audit), repeats=1))
    problem = _checked("0.6801").readings[0].answer.problem
    yield Row("drawing of three scores, p = 1,000, n = 6,000", best(lambda: draw(problem)))


def audit_of(number: int) -> AuditResult:
    """A table with one inconsistent row in thirty."""
    good, bad = _checked("0.6821"), _checked("0.6801")
    made = []
    for line in range(1, number + 1):
        one = good if line % 30 else bad
        cells = tuple(cell._replace(place=(line, cell.place[1])) for cell in one.cells)
        made.append(replace(one, row=line, label=f"method {line}", cells=cells))
    lines = ((one.label, *(cell.raw for cell in one.cells)) for one in made)
    table = Table((("Method", "acc", "npv", "f1"), *lines))
    return AuditResult("many rows", "", (TableResult("Table 1", table, tuple(made), {"number": 3 * number}),))


def _checked(accuracy: str) -> RowResult:
    scores = {"acc": accuracy, "npv": "0.9401", "f1": "0.4004"}
    found = sp.check(sp.TestSet(1000, 6000), scores)
    reading = Answered("as described", found)
    cells = tuple(CellText((1, k), name, text, text) for k, (name, text) in enumerate(scores.items(), 1))
    return RowResult(0, 1, "", "", found.subject, cells, Outcome(str(found.verdict)), (reading,))
