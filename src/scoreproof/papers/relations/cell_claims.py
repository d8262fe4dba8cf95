"""Claims of cells: a value with its interval, beside its counts, with a ± over folds; and columns of p-values.

An interval counts where the header, the caption or the cell says that it is a confidence interval, a ± where the
specification says how many folds there are. Brackets that may hold anything are left alone. A p-value is re-checked
where heading or caption name the test and the two rows that were compared: McNemar's test of two rates on one test set,
DeLong's of two AUCs, over folds Wilcoxon's signed-rank test and the paired t test; else a note says what is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from scoreproof.checking import Verdict, ask
from scoreproof.claims import Recheck, Standing, auc_difference, interval, mcnemar, paired, signed_rank, spread
from scoreproof.claims.recheck import claim_of, proved
from scoreproof.errors import InvalidOption, ScoreproofError
from scoreproof.kinds.average import AverageProblem, printed_average
from scoreproof.kinds.binary.scores import score
from scoreproof.kinds.proportion_interval import LIMIT, PROPORTION, ProportionIntervalProblem
from scoreproof.papers.claims import cases_of, claim_result, classes_of, folds_of
from scoreproof.papers.relations.grid import PATTERNS
from scoreproof.papers.result import CellText, ClaimResult, RowResult, TableResult
from scoreproof.papers.table_semantics import Interpretation, RowKind
from scoreproof.papers.table_semantics.cells import CellKind, read_cell
from scoreproof.papers.table_semantics.columns import Scale
from scoreproof.papers.table_semantics.headings import Role
from scoreproof.papers.table_semantics.interpretation import Column
from scoreproof.reported import report
from scoreproof.reported.printed_text import read_interval, read_p
from scoreproof.work.budget import Budget

_SHARES = {"acc", "sens", "spec", "ppv", "npv"}
_SAYS = PATTERNS["cell_claims"]
_SPREADS = {"sd": "standard_deviation", "se": "standard_error", "halfwidth": "confidence"}
_TESTS = ("mcnemar", "delong", "wilcoxon", "paired t", "another test")
_SCORES = {"mcnemar": ("acc", "sens", "spec"), "delong": ("auc",)}
_MOST_ROWS = 200
_SECONDS = 5.0
_MOST = 200  # claims that are listed


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """What became of a table, and how it was understood."""

    result: TableResult
    meaning: Interpretation

    @property
    def said(self) -> str:
        """What stands above the table."""
        return f"{self.result.name} {self.result.table.caption or ''}"

    def column(self, cell: CellText) -> int:
        """The column a cell belongs to; scores down the side are columns, too."""
        return cell.place[0] if self.meaning.transposed else cell.place[1]

    def where(self, label: str, row: int) -> str:
        return f"{self.result.name}, {label or f'row {row + 1}'}"


def found_claims(tables: Sequence[tuple[TableResult, Interpretation]]) -> tuple[ClaimResult, ...]:
    """What cells and columns of p-values claim, re-checked; of very many those that matter most."""
    printed = [PrintedTable(table, meaning) for table, meaning in tables]
    claims = [claim for table in printed for check in (claims_of_cells, p_values) for claim in check(table)]
    if len(claims) > _MOST:
        claims.sort(key=lambda claim: claim.recheck is None or claim.recheck.verdict in ("possible", "certain"))
        left = f"{len(claims) - _MOST} further claims were found in the tables"
        why = "They are not listed; those that cannot be, or that no method gives, come first."
        claims[_MOST:] = [ClaimResult(left, None, why)]
    return tuple(claims)


def claims_of_cells(table: PrintedTable) -> Iterator[ClaimResult]:
    """What single cells claim, re-checked."""
    intervals = _SAYS["confidence"].search(table.said) is not None
    allowed = 0  # values ± over folds that can be
    for row in table.result.rows:
        for cell in row.cells:
            if not _SAYS["claiming"].search(cell.raw):
                continue
            column, columns = table.column(cell), table.meaning.columns
            heading = columns[column].heading.text if column < len(columns) else ""
            try:
                recheck = _of_cell(cell, row, intervals or bool(_SAYS["confidence"].search(f"{heading} {cell.raw}")))
                if recheck is None and "±" in cell.text:
                    recheck = _over_folds(cell, row, f"{heading} {table.said}")
            except ScoreproofError:
                continue  # what cannot be read in one way only is no claim
            if recheck is not None and recheck.of in ("sd", "±") and recheck.verdict is not Standing.IMPOSSIBLE:
                allowed += 1
            elif recheck is not None:
                yield claim_result(recheck, where=table.where(row.label, row.row))
    if allowed:
        text = f"{allowed} value{'s' * (allowed > 1)} ± over folds ({table.result.name})"
        yield ClaimResult(text, None, "Each ± is one that so many values from 0 to 1 can have.")
    yield from _counts_first(table)


def _counts_first(table: PrintedTable) -> Iterator[ClaimResult]:
    """Cells such as "190/200 (95.0%)", which no check reads as a score."""
    shares = [column for column in table.meaning.score_columns if column.heading.score in _SHARES]
    for row in table.meaning.rows:
        for column in shares:
            raw = row.cells[column.index].raw
            if "/" in raw and (match := _SAYS["counts_first"].fullmatch(raw)) is not None:
                percent = "%" if column.scale is Scale.PERCENT and "%" not in match[3] else ""
                cell = CellText((row.index, column.index), column.heading.score, raw, f"{match[3].strip()}{percent}")
                recheck = _counted(cell, match[1], match[2])
                if recheck is not None:
                    yield claim_result(recheck, where=table.where(row.label, row.index))


def _over_folds(cell: CellText, row: RowResult, words: str) -> Recheck | None:
    """A mean ± over folds whose number the specification gives; what follows the ± only if the table says so."""
    k = folds_of(row)
    if k is None or k < 2 or score(cell.score).range != (Fraction(0), Fraction(1)):
        return None
    kinds = [kind for kind, pattern in _SPREADS.items() if _SAYS[pattern].search(words)]
    return spread(cell.text, k, kind=kinds[0] if len(kinds) == 1 else "unknown")


def _of_cell(cell: CellText, row: RowResult, confidence: bool) -> Recheck | None:
    counted = _SAYS["counted"].fullmatch(cell.raw)
    if counted is not None:
        return _counted(cell, *counted.groups())
    if not confidence or cell.score not in _SHARES:
        return None
    read = read_interval(cell.raw)
    percent = "%" if cell.text.endswith("%") and not read.value.endswith("%") else ""
    level = "" if read.level is None else f"{float(read.level) * 100:g}% CI "
    cases = cases_of(row, cell.score)
    if cases is not None:
        return interval(f"{read.value}{percent} ({level}{read.low} to {read.high})", cases)
    ends = {"value": PROPORTION, "low": LIMIT, "high": LIMIT}
    parts = tuple(claim_of(kind, name, getattr(read, name) + percent) for name, kind in ends.items())
    claim = f"{cell.raw} is an interval of {cell.score}"
    refuted = proved(ProportionIntervalProblem(parts, None, read.level or "0.95"))
    if refuted is not None:
        assumes = ("an interval holds the value it is of",)
        return Recheck(claim, Standing.IMPOSSIBLE, refuted.reason, "n", assumes=assumes, answer=refuted)
    return Recheck(claim, Standing.POSSIBLE, "the value lies in it; n is not known", "n", assumes=("n is not known",))


def _counted(cell: CellText, *counts: str) -> Recheck | None:
    """A value beside the counts it is of: a mean of one row that is known exactly."""
    hits, cases = (int(text.replace(",", "")) for text in counts)
    if cases == 0 or hits > cases or cell.score not in _SHARES:
        return None
    share = replace(report(cell.score, Fraction(hits, cases), eps="0"), name=f"{hits} of {cases}")
    problem: AverageProblem = printed_average(cell.score, [share], cell.text)
    answer = ask(problem, budget=Budget.of_work(_SECONDS))
    claim, assumes = f"{cell.raw}: {cell.score} {cell.text} is {hits:,} of {cases:,}", ("the counts are as printed",)
    if answer.verdict is Verdict.INCONSISTENT:
        words = f"{hits:,} of {cases:,} is {hits / cases:.6g}"
        return Recheck(claim, Standing.IMPOSSIBLE, words, cell.score, assumes=assumes, answer=answer)
    return Recheck(claim, Standing.CERTAIN, "the counts give it", cell.score, assumes=assumes)


def p_values(table: PrintedTable) -> Iterator[ClaimResult]:
    """Every p-value whose test and rows are clear; of the other columns why nothing was done."""
    tested = [
        c for c in table.meaning.columns if c.heading.role is Role.OTHER and _SAYS["p_value"].search(c.heading.text)
    ]
    for column in tested:
        texts = {row.index: row.cells[column.index].raw for row in table.meaning.rows}
        printed = {row: text for row, text in texts.items() if _is_p(text)}
        try:
            yield from _of_column(table, column, printed, several=len(tested) > 1) if printed else ()
        except ScoreproofError as error:
            what = f"{column.heading.text}: {', '.join(list(printed.values())[:4])} ({table.result.name})"
            yield ClaimResult(what, None, f"Not re-checked: {error}.")


def _is_p(text: str) -> bool:
    try:
        return read_cell(text).kind is not CellKind.MISSING and bool(read_p(text))
    except ScoreproofError:
        return False


def _of_column(
    table: PrintedTable, column: Column, printed: Mapping[int, str], *, several: bool
) -> Iterator[ClaimResult]:
    heading, words = column.heading.text, f"{column.heading.text} {table.said}"
    named = [[name for name in _TESTS if _SAYS[name].search(text)] for text in (heading, table.said)]
    tests = named[0] or named[1]  # the heading's word, or that of the caption if the heading has none
    if tests == ["another test"]:
        raise InvalidOption("the test named there cannot be re-checked from the printed scores")
    if len(tests) != 1:
        raise InvalidOption("the table does not name one test; claims: in the specification can say which it was")
    kinds = {report.row: report.kind for report in table.meaning.reports}
    own = [row for row in table.result.rows if row.group in ("", column.heading.group)]
    rows = [row for row in own if kinds.get(row.row) is RowKind.RESULT]
    reference = _reference(heading, words, rows, printed)
    for row in rows:
        if row is reference or row.row not in printed:
            continue
        before = [cell.score for cell in row.cells if several and table.column(cell) == column.index - 1]
        name = _score(tests[0], row, before)
        pair = [_cell(result, name) for result in (row, reference)]
        recheck = _recheck(tests[0], words, (row, reference), pair, printed[row.row])
        yield claim_result(recheck, where=f"{table.result.name}, {row.label} against {reference.label}")


def _reference(heading: str, words: str, rows: Sequence[RowResult], printed: Mapping[int, str]) -> RowResult:
    """The row that the others are compared with: named, or the other one of two."""
    if len(rows) > _MOST_ROWS:
        raise InvalidOption(f"the table has {len(rows)} rows, too many to find the one the others are compared with")
    named: list[RowResult] = []
    for text, end in ((words, r"(?!\w|[-+ ]\w)"), (heading, r"(?!\w)")):
        against = _SAYS["against"].pattern
        named = named or [row for row in rows if re.search(against + re.escape(row.label) + end, text, re.IGNORECASE)]
    if len(named) == 1:
        if named[0].row in printed:
            raise InvalidOption(f"{named[0].label} has a p-value against itself")
        return named[0]
    own = [row for row in rows if row.row in printed]
    if not named and len(rows) == 2 and own:
        if len(own) == 2 and printed[own[0].row] != printed[own[1].row]:
            raise InvalidOption("two rows have two different p-values, so that neither is against the other")
        return next(row for row in rows if row is not own[0])
    raise InvalidOption("the table does not say which row the others are compared with")


def _score(test: str, row: RowResult, before: Sequence[str]) -> str:
    """The score that was compared: the only one that can have been, or that of the column before."""
    may = _SCORES.get(test, tuple(cell.score for cell in row.cells))
    names = list(dict.fromkeys(cell.score for cell in row.cells if cell.score in may))
    if len(names) == 1:
        return names[0]
    if len(before) == 1 and before[0] in may:
        return before[0]
    raise InvalidOption(f"which of {', '.join(names) or 'the scores'} was tested is not said")


def _cell(row: RowResult, name: str) -> CellText:
    cells = [cell for cell in row.cells if cell.score == name]
    if len(cells) != 1:
        raise InvalidOption(f"no {name} of {row.label} was read")
    return cells[0]


def _recheck(test: str, words: str, rows: tuple[RowResult, RowResult], pair: Sequence[CellText], p: str) -> Recheck:
    """A p-value of a test of two rows by what ``words`` say of it."""
    first, second = (cell.text for cell in pair)
    method = "exact" if _SAYS["exact"].search(words) else "any"
    if test == "mcnemar":
        sizes = {cases_of(row, pair[0].score) for row in rows}
        if None in sizes or len(sizes) != 1:
            raise InvalidOption("on how many cases both were tested is not known")
        return mcnemar(first, second, n=sizes.pop(), p=p, method=method)
    if test == "delong":
        sets = [classes_of(row) for row in rows]
        if sets[0] is None or sets[0] != sets[1]:
            raise InvalidOption("on how many positives and negatives both were tested is not known")
        return auc_difference(first, second, p=sets[0].p, n=sets[0].n, pvalue=p)
    k = folds_of(rows[0])
    if k is None or k != folds_of(rows[1]) or not _SAYS["over_folds"].search(words):
        raise InvalidOption("whether the test is over the folds, and over how many, is not said")
    return signed_rank(k, p, method=method, sides="any") if test == "wilcoxon" else paired(first, second, k, p)
