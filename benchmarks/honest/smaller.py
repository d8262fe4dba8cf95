"""An accused row made small: the same table with fewer columns, as long as the row stays accused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import scoreproof as sp
from benchmarks.honest.cells import HEADINGS, Sheet
from benchmarks.honest.judging import BUDGET

Grid = list[list[str]]
_SCORES = frozenset(heading for spellings in HEADINGS.values() for heading in spellings)
_COUNTS = frozenset(["TP", "FP", "FN", "TN", "N"])


def smaller(sheet: Sheet, label: str, specification: dict[str, Any], number: int) -> Grid | None:
    """The smallest table of one row that is still called inconsistent; None if the row is not by itself."""
    rows = [[cell.text for cell in row] for row in sheet.rows if row[0].text == label][:1]
    grid = [sheet.header, *rows]
    if not rows or not _accused(grid, specification, number):
        return None
    for name in sheet.header[1:]:
        at = grid[0].index(name)
        less = [row[:at] + row[at + 1 :] for row in grid]
        if len(less[0]) > 1 and _accused(less, specification, number):
            grid = less
    return grid


def _accused(grid: Grid, specification: dict[str, Any], number: int) -> bool:
    table = {key: value for key, value in specification["tables"][number].items() if key not in ("file", "table")}
    alone = {**specification, "tables": [{**table, "grid": grid}]}
    alone.pop("claims", None)
    try:
        result = sp.audit(alone, jobs=1, budget=BUDGET, explain=False, strength=False)
    except sp.ScoreproofError:
        return False
    return str(result.verdict) == "inconsistent"


def peculiar(sheet: Sheet, grid: Grid | None) -> str:
    """What may have misled the audit about the little that is left."""
    return ", ".join(_peculiar(sheet, grid)) or "nothing peculiar"


def _peculiar(sheet: Sheet, grid: Grid | None) -> Iterator[str]:
    if grid is None:
        yield "only beside other rows"
        return
    for heading in grid[0][1:]:
        if heading.removesuffix(" (%)") not in _SCORES | _COUNTS:
            yield f"{heading!r} taken for a score"
    digits = max(
        (len("".join(filter(str.isdigit, text.partition("±")[0])).lstrip("0")) for text in grid[1][1:]), default=0
    )
    if digits >= 15:
        yield "a double in full"
    elif digits >= 7 and sheet.tool == "torch":
        yield "a float32 in full"
    if sheet.tool == "R" and any(heading.removesuffix(" (%)") in HEADINGS["f1"] for heading in grid[0]):
        yield "F1 as 2PR/(P+R), nan without true positives"
    if sheet.empty:
        yield "0/0 somewhere"
    if sheet.make.startswith("StratifiedKFold before") or sheet.make.startswith("stratified by"):
        yield "stratified folds of another make"
    if any("±" in text for text in grid[1]):
        yield "±"
