"""Claims that a table makes by itself, where nothing is ambiguous.

A cell with a value and an interval, where the header, the caption or the cell says that it is a confidence interval; a
value beside the counts it is of, "0.96 (3001/3133)"; bold type, where the caption says that it marks the best. Marks
without a legend, p-values without their test, and brackets that may hold anything are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from scoreproof.asking import Verdict, ask
from scoreproof.audits.rechecking import cases_of, claim_result
from scoreproof.audits.result import CellText, ClaimResult, RowResult, TableResult
from scoreproof.claims import Recheck, Standing, interval
from scoreproof.claims.recheck import proved
from scoreproof.claims.texts import claim_of, read_interval
from scoreproof.errors import ScoreproofError
from scoreproof.kinds.average.problem import AverageProblem, printed_average
from scoreproof.kinds.binary.scores import score
from scoreproof.kinds.order.problem import said_best
from scoreproof.kinds.proportion_interval.problem import LIMIT, PROPORTION, ProportionIntervalProblem
from scoreproof.reported import Claim, report

_SHARES = {"acc", "sens", "spec", "ppv", "npv"}
_CONFIDENCE = re.compile(r"\bCIs?\b|confidence (?:interval|limit)", re.IGNORECASE)
_COUNTED = re.compile(r"\s*[\d.·]+\s*%?\s*[(\[]\s*(\d{1,3}(?:,\d{3})+|\d+)\s*/\s*(\d{1,3}(?:,\d{3})+|\d+)\s*[)\]]\s*")
_BOLD_IS_BEST = re.compile(r"\bbest\b[^.;]*\bbold\b|\bbold\b[^.;]*\bbest\b", re.IGNORECASE)
_OTHER_MARKS = re.compile(
    r"second|underlin|italic|per (?:group|block|section)|within|among|except|excluding", re.IGNORECASE
)
_MOST = 200
_SECONDS = 5.0


def found_claims(tables: Sequence[TableResult]) -> tuple[ClaimResult, ...]:
    """What the tables claim by themselves, re-checked; of very many those that matter most come first."""
    found = [claim for table in tables for claim in _of_table(table)]
    if len(found) <= _MOST:
        return tuple(found)
    order = sorted(found, key=lambda claim: claim.recheck is None or claim.recheck.verdict in ("possible", "certain"))
    left = f"{len(found) - _MOST} further claims were found in the tables"
    return (
        *order[:_MOST],
        ClaimResult(left, None, "They are not listed; those that cannot be, or that no method gives, come first."),
    )


def _of_table(table: TableResult) -> Iterator[ClaimResult]:
    said = f"{table.name} {table.table.caption or ''}"
    intervals = _CONFIDENCE.search(said) is not None
    headers = _headers(table)
    for row in table.rows:
        for cell in row.cells:
            if "(" not in cell.raw and "[" not in cell.raw:
                continue
            where = f"{table.name}, {row.label or f'row {row.row + 1}'}"
            try:
                found = _of_cell(
                    cell, row, intervals or bool(_CONFIDENCE.search(headers.get(cell.place[1], "") + cell.raw))
                )
            except ScoreproofError:
                continue  # what cannot be read in one way only is no claim
            if found is not None:
                yield claim_result(found, where=where)
    if _BOLD_IS_BEST.search(said) and not _OTHER_MARKS.search(said):
        yield from _in_bold(table)


def _headers(table: TableResult) -> Mapping[int, str]:
    heads = table.table.rows[: table.table.header_rows]
    width = max((len(row) for row in heads), default=0)
    return {column: " ".join(row[column] for row in heads if column < len(row)) for column in range(width)}


def _of_cell(cell: CellText, row: RowResult, confidence: bool) -> Recheck | None:
    counted = _COUNTED.fullmatch(cell.raw)
    if counted is not None:
        return _counted(cell, *(int(text.replace(",", "")) for text in counted.groups()))
    if not confidence or cell.score not in _SHARES:
        return None
    read = read_interval(cell.raw)
    percent = "%" if cell.text.endswith("%") and not read.value.endswith("%") else ""
    level = "" if read.level is None else f"{float(read.level) * 100:g}% CI "
    text = f"{read.value}{percent} ({level}{read.low} to {read.high})"
    cases = cases_of(row, cell.score)
    if cases is not None:
        return interval(text, cases)
    parts = tuple(
        claim_of(PROPORTION if name == "value" else LIMIT, name, getattr(read, name) + percent)
        for name in ("value", "low", "high")
    )
    claim = f"{cell.raw} is an interval of {cell.score}"
    refuted = proved(ProportionIntervalProblem(parts, None, read.level or "0.95"))
    if refuted is not None:
        assumes = ("an interval holds the value it is of",)
        return Recheck(claim, Standing.IMPOSSIBLE, refuted.reason, "n", assumes=assumes, answer=refuted)
    return Recheck(claim, Standing.POSSIBLE, "the value lies in it; n is not known", "n", assumes=("n is not known",))


def _counted(cell: CellText, hits: int, cases: int) -> Recheck | None:
    """A value beside the counts it is of: a mean of one row that is known exactly."""
    if cases == 0 or hits > cases or cell.score not in _SHARES:
        return None
    share = replace(report(cell.score, Fraction(hits, cases), eps="0"), name=f"{hits} of {cases}")
    problem: AverageProblem = printed_average(cell.score, [share], cell.text)
    answer = ask(problem, budget=_SECONDS)
    claim = f"{cell.raw}: {cell.score} {cell.text} is {hits:,} of {cases:,}"
    if answer.verdict is Verdict.INCONSISTENT:
        words = f"{hits:,} of {cases:,} is {hits / cases:.6g}"
        return Recheck(
            claim, Standing.IMPOSSIBLE, words, cell.score, assumes=("the counts are as printed",), answer=answer
        )
    return Recheck(claim, Standing.CERTAIN, "the counts give it", cell.score, assumes=("the counts are as printed",))


def _in_bold(table: TableResult) -> Iterator[ClaimResult]:
    """Of each score the one value in bold, against the others; several in bold, or none, say nothing."""
    columns: dict[int, list[tuple[str, CellText]]] = {}
    for row in table.rows:
        for cell in row.cells:
            columns.setdefault(cell.place[1], []).append((row.label or f"row {row.row + 1}", cell))
    for cells in columns.values():
        marked = [(label, cell) for label, cell in cells if cell.place in table.table.bold]
        labels = [label for label, _ in cells]
        if len(marked) != 1 or len(cells) < 2 or len(set(labels)) != len(labels):
            continue
        label, name = marked[0][0], marked[0][1].score
        try:
            values: dict[str, Claim] = {own: report(name, cell.text) for own, cell in cells}
            answer = ask(said_best(label, name, dict(values)), budget=_SECONDS)
        except ScoreproofError:
            continue
        word = "highest" if score(name).direction > 0 else "lowest"
        text = f"{label} is best by {name} (in bold, {table.name})"
        if answer.verdict is Verdict.INCONSISTENT:
            yield ClaimResult(text, False, f"{answer.reason[:1].upper()}{answer.reason[1:]}.", answer)
        elif answer.verdict is Verdict.CONSISTENT:
            yield ClaimResult(
                text, True, f"No printed {name} is ahead of it; it is the {word}, perhaps with others.", answer
            )
