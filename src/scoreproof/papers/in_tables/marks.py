"""Bold and underlined type that a caption explains: the best value of a column, and the second best.

Marks without a legend say nothing, nor do several in one column. Rows that nobody competes with, people and oracles,
are no rivals.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from scoreproof.checking import Verdict, ask
from scoreproof.errors import ScoreproofError
from scoreproof.kinds.binary.scores import score
from scoreproof.kinds.order import said_best
from scoreproof.papers.in_tables.printed_table import PrintedTable
from scoreproof.papers.result import CellText, ClaimResult
from scoreproof.reported import report
from scoreproof.work.budget import Budget

_BREAKS = re.compile(r"[.;,()]\s|[.;,()]$|\band\b|\bwhile\b|\bwhereas\b")
_BEST = re.compile(r"\b(?:best|highest|top)\b", re.IGNORECASE)
_SECOND = re.compile(r"\b(?:second|2nd|runner)\b", re.IGNORECASE)
_TYPES = {"bold": re.compile(r"\bbold", re.IGNORECASE), "underlined": re.compile(r"\bunderlin", re.IGNORECASE)}
_LIMITED = re.compile(
    r"third|3rd|italic|colou?r|per (?:group|block|section|categor)|each (?:group|block|section|categor)|within|among"
    r"|except|excluding|significan|open[- ]source|single[- ]model",
    re.IGNORECASE,
)
_NO_RIVALS = re.compile(
    r"\b(?:human|expert|radiologist|physician|clinician|reader|annotator|observer|oracle|upper|ideal|ground|random|chance"
    r"|teacher|ensemble|fully|supervised)",
    re.IGNORECASE,
)
_SECONDS = 5.0
Marked = tuple[str, CellText]


def marked_best(table: PrintedTable) -> Iterator[ClaimResult]:
    """Of each score the one value marked as best, and as second best, against the others."""
    legend = _legend(table.said)
    if not legend or len({report.section for report in table.found.reports}) > 1:
        return
    columns: dict[int, list[Marked]] = {}
    for row in table.result.rows:
        for cell in row.cells:
            columns.setdefault(table.column(cell), []).append((row.label or f"row {row.row + 1}", cell))
    for cells in columns.values():
        labels = [label for label, _ in cells]
        if len(cells) < 2 or len(set(labels)) != len(labels):
            continue
        yield from _of_column(table, legend, dict(cells))


def _legend(said: str) -> dict[str, str]:
    """Which type marks the best value and which the second best, as far as a caption says so clearly."""
    if _LIMITED.search(said):
        return {}
    if "respectively" in said:
        return _in_turn(said)
    found: dict[str, str] = {}
    for part in _BREAKS.split(said):
        types = [name for name, pattern in _TYPES.items() if pattern.search(part)]
        if len(types) != 1 or types[0] in found.values():
            continue
        if _SECOND.search(part):
            found.setdefault("second", types[0])
        elif _BEST.search(part):
            found.setdefault("best", types[0])
    return found if "best" in found else {}


def _in_turn(said: str) -> dict[str, str]:
    """ "The best and second best in bold and underlined, respectively": ranks and types in the same order."""
    (sentence,) = [part for part in re.split(r"[.;]\s", said) if "respectively" in part][:1]
    words = [_SECOND.search(sentence), _BEST.search(sentence), *(kind.search(sentence) for kind in _TYPES.values())]
    if None in words:
        return {}
    second, best, bold, underlined = (word.start() for word in words if word is not None)
    return {"best": "bold", "second": "underlined"} if best < second < bold < underlined else {}


def _of_column(table: PrintedTable, legend: Mapping[str, str], cells: Mapping[str, CellText]) -> Iterator[ClaimResult]:
    marks = {"bold": table.result.table.bold, "underlined": table.result.table.underlined}
    places = {rank: marks[how] for rank, how in legend.items()}
    best = _only(cells, places["best"])
    if best is None:
        return
    yield from _against(table, best, cells, "best", legend["best"])
    second = _only(cells, places.get("second", ()))
    if second is not None and second != best:
        others = {label: cell for label, cell in cells.items() if label != best}
        yield from _against(table, second, others, "second best", legend["second"])


def _only(cells: Mapping[str, CellText], places: Collection[tuple[int, int]]) -> str | None:
    """The one row of a column whose value is marked."""
    marked = [label for label, cell in cells.items() if cell.place in places]
    return marked[0] if len(marked) == 1 else None


def _against(
    table: PrintedTable, label: str, cells: Mapping[str, CellText], rank: str, how: str
) -> Iterator[ClaimResult]:
    name = cells[label].score
    rivals = {own: cell for own, cell in cells.items() if own == label or not _NO_RIVALS.search(own)}
    if len(rivals) < 2:
        return
    try:
        values = {own: report(name, cell.text) for own, cell in rivals.items()}
        answer = ask(said_best(label, name, values), budget=Budget.of_work(_SECONDS))
        word = "highest" if score(name).direction > 0 else "lowest"
    except ScoreproofError:
        return  # quantities that have no order, or values that claim none
    text = f"{label} is {rank} by {name} ({'in ' * (how == 'bold')}{how}, {table.result.name})"
    if answer.verdict is Verdict.INCONSISTENT:
        yield ClaimResult(text, False, f"{answer.reason[:1].upper()}{answer.reason[1:]}.", answer)
    elif answer.verdict is Verdict.CONSISTENT:
        left = "" if rank == "best" else " but the best"
        words = f"No printed {name}{left} is ahead of it; it is the {word} of these, perhaps with others."
        yield ClaimResult(text, True, words, answer)
