"""Claims of single cells: a value with its interval, beside its counts, or with a ± over folds.

An interval counts where the header, the caption or the cell says that it is a confidence interval, a ± where the
specification says how many folds there are. Brackets that may hold anything are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from scoreproof.checking import Verdict, ask
from scoreproof.claims import Recheck, Standing, interval, spread
from scoreproof.claims.recheck import proved
from scoreproof.claims.texts import claim_of
from scoreproof.errors import ScoreproofError
from scoreproof.kinds.average import AverageProblem, printed_average
from scoreproof.kinds.binary.scores import score
from scoreproof.kinds.proportion_interval import LIMIT, PROPORTION, ProportionIntervalProblem
from scoreproof.papers.in_tables.printed_table import PrintedTable
from scoreproof.papers.rechecking import cases_of, claim_result, folds_of
from scoreproof.papers.result import CellText, ClaimResult, RowResult
from scoreproof.papers.table_semantics.scale import Scale
from scoreproof.reported import report
from scoreproof.reported.interval_text import read_interval
from scoreproof.work.budget import Budget

_SHARES = {"acc", "sens", "spec", "ppv", "npv"}
_CONFIDENCE = re.compile(r"\bCIs?\b|confidence (?:interval|limit)", re.IGNORECASE)
_WHOLE = r"(\d{1,3}(?:,\d{3})+|\d{1,15})"
_COUNTED = re.compile(rf"\s*[\d.·]+\s*%?\s*[(\[]\s*{_WHOLE}\s*/\s*{_WHOLE}\s*[)\]]\s*")
_COUNTS_FIRST = re.compile(rf"\s*{_WHOLE}\s*/\s*{_WHOLE}\s*[(\[]\s*(\d{{1,12}}(?:\.\d{{1,12}})?\s*%?)\s*[)\]]\s*")
_CLAIMING = re.compile(r"[(\[±]|\+/-|\\pm")
_SPREADS = {
    "sd": re.compile(r"\b(?:SDs?|s\.d\.|std\.?|standard deviations?|st\.? ?dev)\b", re.IGNORECASE),
    "se": re.compile(r"\bSEM\b|\bs\.e\.m?\.|\bstandard errors?\b"),  # "Se" is the sensitivity
    "halfwidth": _CONFIDENCE,
}
_SECONDS = 5.0


def claims_of_cells(table: PrintedTable) -> Iterator[ClaimResult]:
    """What single cells claim, re-checked."""
    intervals = _CONFIDENCE.search(table.said) is not None
    allowed = 0  # values ± over folds that can be
    for row in table.result.rows:
        for cell in row.cells:
            if not _CLAIMING.search(cell.raw):
                continue
            heading = table.heading(table.column(cell))
            try:
                recheck = _of_cell(cell, row, intervals or bool(_CONFIDENCE.search(f"{heading} {cell.raw}")))
                if recheck is None and "±" in cell.text:
                    recheck = _over_folds(cell, row, f"{heading} {table.said}")
            except ScoreproofError:
                continue  # what cannot be read in one way only is no claim
            if recheck is not None and recheck.of in ("sd", "±") and recheck.verdict is not Standing.IMPOSSIBLE:
                allowed += 1
            elif recheck is not None:
                yield claim_result(recheck, where=table.where(row))
    if allowed:
        text = f"{allowed} value{'s' * (allowed > 1)} ± over folds ({table.result.name})"
        yield ClaimResult(text, None, "Each ± is one that so many values from 0 to 1 can have.")
    yield from _counts_first(table)


def _counts_first(table: PrintedTable) -> Iterator[ClaimResult]:
    """Cells such as "190/200 (95.0%)", which no check reads as a score."""
    shares = [column for column in table.found.score_columns if column.heading.score in _SHARES]
    for row in table.found.rows:
        for column in shares:
            raw = row.cells[column.index].raw
            match = _COUNTS_FIRST.fullmatch(raw) if "/" in raw else None
            if match is not None:
                percent = "%" if column.scale is Scale.PERCENT and "%" not in match[3] else ""
                cell = CellText((row.index, column.index), column.heading.score, raw, f"{match[3].strip()}{percent}")
                recheck = _counted(cell, *_whole(match[1], match[2]))
                label = row.label or f"row {row.index + 1}"
                if recheck is not None:
                    yield claim_result(recheck, where=f"{table.result.name}, {label}")


def _over_folds(cell: CellText, row: RowResult, said: str) -> Recheck | None:
    """A mean ± over folds whose number the specification gives; what follows the ± only if the table says so."""
    k = folds_of(row)
    quantity = score(cell.score)
    if k is None or k < 2 or quantity.range != (Fraction(0), Fraction(1)):
        return None
    kinds = [kind for kind, pattern in _SPREADS.items() if pattern.search(said)]
    return spread(cell.text, k, kind=kinds[0] if len(kinds) == 1 else "unknown")


def _of_cell(cell: CellText, row: RowResult, confidence: bool) -> Recheck | None:
    counted = _COUNTED.fullmatch(cell.raw)
    if counted is not None:
        return _counted(cell, *_whole(*counted.groups()))
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


def _whole(*texts: str) -> tuple[int, int]:
    hits, cases = (int(text.replace(",", "")) for text in texts)
    return hits, cases


def _counted(cell: CellText, hits: int, cases: int) -> Recheck | None:
    """A value beside the counts it is of: a mean of one row that is known exactly."""
    if cases == 0 or hits > cases or cell.score not in _SHARES:
        return None
    share = replace(report(cell.score, Fraction(hits, cases), eps="0"), name=f"{hits} of {cases}")
    problem: AverageProblem = printed_average(cell.score, [share], cell.text)
    answer = ask(problem, budget=Budget.of_work(_SECONDS))
    claim = f"{cell.raw}: {cell.score} {cell.text} is {hits:,} of {cases:,}"
    if answer.verdict is Verdict.INCONSISTENT:
        words = f"{hits:,} of {cases:,} is {hits / cases:.6g}"
        return Recheck(
            claim, Standing.IMPOSSIBLE, words, cell.score, assumes=("the counts are as printed",), answer=answer
        )
    return Recheck(claim, Standing.CERTAIN, "the counts give it", cell.score, assumes=("the counts are as printed",))
