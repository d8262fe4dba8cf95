"""Numbers that other numbers of a table give: time, and how many planted slips are named; none in true tables."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from benchmarks.made_tables import slips
from benchmarks.measure import Row, best
from benchmarks.recorded import record
from scoreproof.checking import Verdict, ask
from scoreproof.documents import Table
from scoreproof.kinds.relation import VALUE, RelationProblem
from scoreproof.papers.relations.belief import TableRelation
from scoreproof.papers.relations.findings import broken, relations_of
from scoreproof.papers.relations.grid import split_cell
from scoreproof.reported import report

_SLIPS = 300
_SECONDS = 0.1


def rows() -> Iterator[Row]:
    for lines, columns, promised in ((50, 20, _SECONDS), (1_000, 20, None), (10_000, 20, None)):
        table = _long(lines, columns)
        took = best(lambda table=table: relations_of(table), repeats=3, clock=time.process_time)  # type: ignore[misc]
        yield Row(f"relations of a table of {lines:,} x {columns}", took, promised_seconds=promised)
    tried, named, wrong = recall(_SLIPS, 1)
    total, found = sum(tried.values()), sum(named.values())
    by_sort = ", ".join(f"{sort} {named[sort]} of {tried[sort]}" for sort in sorted(tried))
    record("planted slips in tables", total, f"{found} named; {wrong} findings in lines without one")
    yield Row(f"slips that are missed, of {total}", None, rate=1 - found / total, promised_rate=0.2, note=by_sort)
    yield Row(f"findings in other lines, of {_SLIPS} tables", None, rate=wrong / _SLIPS, promised_rate=0.02)


def _long(lines: int, columns: int) -> Table:
    rng = random.Random(lines)
    rows = [["Method", *(f"Set {k}" for k in range(1, columns - 1)), "Avg."]]
    for number in range(lines):
        values = [rng.uniform(40, 95) for _ in range(columns - 2)]
        rows.append([f"Method {number}", *(f"{x:.2f}" for x in values), f"{sum(values) / len(values):.2f}"])
    return Table(tuple(map(tuple, rows)), 1)


def recall(count: int, seed: int) -> tuple[Counter[str], Counter[str], int]:
    """Of slips that break a relation which the true table bears out: how many there are and are named, by sort.

    Beside them the number of findings in lines without a slip.
    """
    tried: Counter[str] = Counter()
    named: Counter[str] = Counter()
    wrong = 0
    for made, slip, grid, line in islice(slips(seed), count):
        believed = relations_of(made.table())[0]
        findings = list(broken(*relations_of(made.table(grid))))
        own = set(made.lines[line])
        hit = [finding for finding in findings if own & set(finding.relation.places[finding.line])]
        wrong += len(findings) - len(hit)
        if any(_is_broken(relation, grid, own) for relation in believed):
            tried[slip] += 1
            named[slip] += bool(hit)
    return tried, named, wrong


def _is_broken(relation: TableRelation, grid: list[list[str]], own: set[tuple[int, int]]) -> bool:
    """Whether the numbers of a line break a relation that the true table bears out, beyond all rounding."""
    for line, places in relation.places.items():
        problem = relation.problem(line)
        if not own & set(places) or not isinstance(problem, RelationProblem) or len(problem.parts) > len(places) - 1:
            continue
        target, *parts = (report(VALUE, split_cell(grid[row][column]).main) for row, column in places)
        kept = problem.parts if relation.name == "mean rank" else tuple(parts)
        if ask(replace(problem, parts=kept, claims=(target,))).verdict is Verdict.INCONSISTENT:
            return True
    return False
