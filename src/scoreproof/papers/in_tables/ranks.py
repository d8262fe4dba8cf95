"""Mean ranks that a table prints beside the scores that were ranked: data sets by methods.

The scores give the ranks, so the printed means can be compared with them. That the ranks are of these data sets and
these methods nobody says. So a mean rank is only called impossible if at least twice as many others agree exactly with
the scores and the mean ranks do not add up, which they must whatever the data sets; otherwise other data may have been
ranked. Nor does anybody say how methods of equal score were ranked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from scoreproof.claims import Standing, ranks
from scoreproof.claims.rankings import rank_table
from scoreproof.claims.texts import claim_of
from scoreproof.errors import ScoreproofError
from scoreproof.kinds.mean_ranks import MEAN_RANK
from scoreproof.papers.in_tables.lines import Lines, both_ways
from scoreproof.papers.in_tables.printed_table import PrintedTable
from scoreproof.papers.rechecking import claim_result
from scoreproof.papers.result import ClaimResult
from scoreproof.papers.table_semantics.cells import CellKind, ReadCell

MEAN_RANK_HEAD = re.compile(
    r"(?:the )?(?:mean|average|avg|ave|friedman(?:['’]s)?)[\s.-]*(?:mean|average|avg)?[\s.-]*rank(?:s|ings?)?"
    r"\s*(?:\(?[↓↑]\)?)?",
    re.IGNORECASE,
)
_HALVES = re.compile(r"\d{1,4}(?:\.[05]0?)?")


def mean_ranks(table: PrintedTable) -> Iterator[ClaimResult]:
    """Every row or column of mean ranks, beside the ranks of the printed scores."""
    printed = table.result.table
    for lines in both_ways(printed, MEAN_RANK_HEAD.fullmatch, decimal_comma=table.found.decimal_comma):
        for column, parts in lines.summaries(MEAN_RANK_HEAD):
            head = " ".join(lines.heads[column])
            try:
                yield _rechecked(table, lines, column, parts)
            except ScoreproofError as error:
                yield table.left(head, str(error))


def _rechecked(table: PrintedTable, lines: Lines, column: int, parts: Sequence[int]) -> ClaimResult:
    head = " ".join(lines.heads[column])
    ranked = [number for number, row in enumerate(lines.cells) if row[column].kind is CellKind.NUMBER]
    cells = [[lines.cells[number][part] for number in ranked] for part in parts]
    names = [lines.labels[number] for number in ranked]
    if len(ranked) < 2 or len(parts) < 2 or len(set(names)) < len(names):
        return table.left(head, "expected two or more methods, of different names, on two or more data sets")
    if any(cell.kind is not CellKind.NUMBER or cell.percent != row[0].percent for row in cells for cell in row):
        return table.left(head, "not every method has a score on every data set, all in percent or all not")
    means = {name: lines.cells[number][column].number for name, number in zip(names, ranked, strict=True)}
    own = _ranks_in_brackets(cells)
    ways: list[tuple[Any, bool]] = [(own, False)]
    if own is None:
        texts = [[cell.number for cell in row] for row in cells]
        ways = [(texts, True), (texts, False)]
    off, agreeing, scores, higher = min((*_compared(means, *way), *way) for way in ways)
    if off:
        if own is None and any(len({cell.number for cell in row}) < len(row) for row in cells):
            return table.left(head, "they differ from those of the printed scores, some of which are equal")
        if -agreeing < max(2, 2 * off) or _adds_up(list(means.values())):
            return table.left(
                head, "they are not those of the printed scores; perhaps other data sets or methods were ranked"
            )
    recheck = ranks(means, scores=scores, higher=higher)
    if not off and recheck.verdict is Standing.IMPOSSIBLE:
        return table.left(head, f"perhaps other data sets were ranked: {recheck.words}")
    return claim_result(recheck, where=table.result.name)


def _compared(means: dict[str, str], scores: Any, higher: bool) -> tuple[int, int]:
    """How many mean ranks are not those of the scores, and, less than 0, how many surely are."""
    ranked = rank_table(scores, len(means), higher=higher)
    off = agreeing = 0
    for place, (name, text) in enumerate(means.items()):
        printed, (low, high) = claim_of(MEAN_RANK, name, text, rounding="any"), ranked.of_method(place)
        if printed.low > high or low > printed.high:
            off += 1
        elif low == high:
            agreeing += 1
    return off, -agreeing


def _adds_up(means: Sequence[str]) -> bool:
    """Whether so many mean ranks can have the sum that they have on whatever data sets."""
    printed = [claim_of(MEAN_RANK, "rank", text, rounding="any") for text in means]
    wanted = Fraction(len(means) * (len(means) + 1), 2)
    return sum(claim.low for claim in printed) <= wanted <= sum(claim.high for claim in printed)


def _ranks_in_brackets(cells: Sequence[Sequence[ReadCell]]) -> list[list[Fraction]] | None:
    """The ranks that a table prints itself, "0.763 (4)"; None where brackets hold something else."""
    found = []
    for row in cells:
        if not all(_HALVES.fullmatch(cell.bracket) for cell in row):
            return None
        own = [Fraction(cell.bracket) for cell in row]
        if 2 * sum(own) != len(row) * (len(row) + 1) or not all(1 <= rank <= len(row) for rank in own):
            return None
        found.append(own)
    return found
