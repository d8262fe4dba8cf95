"""Claims that a table makes by itself, where nothing is ambiguous.

Values with their interval, their counts or their ±; p-values whose test is named and whose two rows are; mean ranks
and averages beside the values they are of; bold and underlined type that the caption explains. What is seen and
cannot be read in one way only is left, with the reason. Nothing is guessed from prose.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scoreproof.papers.result import ClaimResult, TableResult
from scoreproof.papers.table_semantics import Interpretation

_MOST = 200


def found_claims(tables: Sequence[tuple[TableResult, Interpretation]]) -> tuple[ClaimResult, ...]:
    """What the tables claim by themselves, re-checked; of very many those that matter most come first."""
    claims = [claim for table, found in tables for claim in _of_table(table, found)]
    if len(claims) <= _MOST:
        return tuple(claims)
    order = sorted(claims, key=lambda claim: claim.recheck is None or claim.recheck.verdict in ("possible", "certain"))
    left = f"{len(claims) - _MOST} further claims were found in the tables"
    return (
        *order[:_MOST],
        ClaimResult(left, None, "They are not listed; those that cannot be, or that no method gives, come first."),
    )


def _of_table(table: TableResult, found: Interpretation) -> Iterator[ClaimResult]:
    from scoreproof.papers.in_tables.averages import averages
    from scoreproof.papers.in_tables.cells import claims_of_cells
    from scoreproof.papers.in_tables.marks import marked_best
    from scoreproof.papers.in_tables.p_values import p_values
    from scoreproof.papers.in_tables.printed_table import PrintedTable
    from scoreproof.papers.in_tables.ranks import mean_ranks

    printed = PrintedTable(table, found)
    for claims in (claims_of_cells, p_values, mean_ranks, averages, marked_best):
        yield from claims(printed)
