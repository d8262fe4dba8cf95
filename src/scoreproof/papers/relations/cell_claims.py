"""Claims of cells: a value with its interval, beside its counts, with a ± over folds; and columns of p-values.

An interval counts where the header, the caption or the cell says that it is a confidence interval, a ± where the
specification says how many folds there are. Brackets that may hold anything are left alone. A p-value is re-checked
where heading or caption name the test and the two rows that were compared: McNemar's test of two rates on one test set,
DeLong's of two AUCs, over folds Wilcoxon's signed-rank test and the paired t test; else a note says what is missing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
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
from scoreproof.papers.table_semantics.headings import Role
from scoreproof.papers.table_semantics.interpretation import Column
from scoreproof.papers.table_semantics.orientation import Scale
from scoreproof.reported import report
from scoreproof.reported.printed_text import read_interval, read_p
from scoreproof.work.budget import Budget

_SHARES = {"acc", "sens", "spec", "ppv", "npv"}
_SAYS = PATTERNS["cell_claims"]
_SPREADS = {
    "sd": re.compile(r"\b(?:SDs?|s\.d\.|std\.?|standard deviations?|st\.? ?dev)\b", re.IGNORECASE),
    "se": re.compile(r"\bSEM\b|\bs\.e\.m?\.|\bstandard errors?\b"),  # "Se" is the sensitivity
    "halfwidth": _SAYS["confidence"],
}
_TESTS = {
    "mcnemar": re.compile(r"mc ?nemar", re.IGNORECASE),
    "delong": re.compile(r"de ?long", re.IGNORECASE),
    "wilcoxon": re.compile(r"wilcoxon(?!\W+(?:rank[- ]sum|mann))|signed[- ]rank", re.IGNORECASE),
    "paired t": re.compile(r"paired\W+(?:samples? )?(?:student['’]?s?\W+)?t\b", re.IGNORECASE),
    "another test": re.compile(
        r"\b(?:rank[- ]sum|mann|whitney|unpaired|fisher|chi|anova|kruskal|friedman|nemenyi|bootstrap|permutation)\b|χ"
        r"|\b(?:log[- ]rank|bonferroni|holm|adjusted|corrected p)\b|(?<!paired )(?<!paired student's )\bt[- ]test",
        re.IGNORECASE,
    ),
}
_SCORES = {"mcnemar": ("acc", "sens", "spec"), "delong": ("auc",)}
_AGAINST = r"(?:\bvs\.?|\bversus|\bagainst|\bcompared (?:to|with)|\brelative to|\bw\.?r\.?t\.?)\s+(?:the )?"
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

    def heading(self, column: int) -> str:
        return self.meaning.columns[column].heading.text if column < len(self.meaning.columns) else ""

    def where(self, row: RowResult) -> str:
        return f"{self.result.name}, {row.label or f'row {row.row + 1}'}"

    def left(self, what: str, why: str) -> ClaimResult:
        """A claim that is seen and not re-checked, and why."""
        return ClaimResult(f"{what} ({self.result.name})", None, f"Not re-checked: {why}.")


def found_claims(tables: Sequence[tuple[TableResult, Interpretation]]) -> tuple[ClaimResult, ...]:
    """What cells and columns of p-values claim, re-checked; of very many those that matter most come first."""
    printed = [PrintedTable(table, meaning) for table, meaning in tables]
    claims = [claim for table in printed for check in (claims_of_cells, p_values) for claim in check(table)]
    if len(claims) <= _MOST:
        return tuple(claims)
    order = sorted(claims, key=lambda claim: claim.recheck is None or claim.recheck.verdict in ("possible", "certain"))
    left = f"{len(claims) - _MOST} further claims were found in the tables"
    return (
        *order[:_MOST],
        ClaimResult(left, None, "They are not listed; those that cannot be, or that no method gives, come first."),
    )


def claims_of_cells(table: PrintedTable) -> Iterator[ClaimResult]:
    """What single cells claim, re-checked."""
    intervals = _SAYS["confidence"].search(table.said) is not None
    allowed = 0  # values ± over folds that can be
    for row in table.result.rows:
        for cell in row.cells:
            if not _SAYS["claiming"].search(cell.raw):
                continue
            heading = table.heading(table.column(cell))
            try:
                recheck = _of_cell(cell, row, intervals or bool(_SAYS["confidence"].search(f"{heading} {cell.raw}")))
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
    shares = [column for column in table.meaning.score_columns if column.heading.score in _SHARES]
    for row in table.meaning.rows:
        for column in shares:
            raw = row.cells[column.index].raw
            match = _SAYS["counts_first"].fullmatch(raw) if "/" in raw else None
            if match is not None:
                percent = "%" if column.scale is Scale.PERCENT and "%" not in match[3] else ""
                cell = CellText((row.index, column.index), column.heading.score, raw, f"{match[3].strip()}{percent}")
                recheck = _counted(cell, *_whole(match[1], match[2]))
                label = row.label or f"row {row.index + 1}"
                if recheck is not None:
                    yield claim_result(recheck, where=f"{table.result.name}, {label}")


def _over_folds(cell: CellText, row: RowResult, words: str) -> Recheck | None:
    """A mean ± over folds whose number the specification gives; what follows the ± only if the table says so."""
    k = folds_of(row)
    quantity = score(cell.score)
    if k is None or k < 2 or quantity.range != (Fraction(0), Fraction(1)):
        return None
    kinds = [kind for kind, pattern in _SPREADS.items() if pattern.search(words)]
    return spread(cell.text, k, kind=kinds[0] if len(kinds) == 1 else "unknown")


def _of_cell(cell: CellText, row: RowResult, confidence: bool) -> Recheck | None:
    counted = _SAYS["counted"].fullmatch(cell.raw)
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
    claim, assumes = f"{cell.raw}: {cell.score} {cell.text} is {hits:,} of {cases:,}", ("the counts are as printed",)
    if answer.verdict is Verdict.INCONSISTENT:
        words = f"{hits:,} of {cases:,} is {hits / cases:.6g}"
        return Recheck(claim, Standing.IMPOSSIBLE, words, cell.score, assumes=assumes, answer=answer)
    return Recheck(claim, Standing.CERTAIN, "the counts give it", cell.score, assumes=assumes)


@dataclass(frozen=True, slots=True)
class _Said:
    """What heading and caption say of a column of p-values."""

    test: str
    exact: bool
    over_folds: bool


def p_values(table: PrintedTable) -> Iterator[ClaimResult]:
    """Every p-value whose test and rows are clear; of the other columns why nothing was done."""
    for column in table.meaning.columns:
        heading = column.heading
        if heading.role is not Role.OTHER or not _SAYS["heading"].search(heading.text):
            continue
        texts = {row.index: row.cells[column.index].raw for row in table.meaning.rows}
        printed = {row: text for row, text in texts.items() if _is_p(text)}
        if not printed:
            continue
        try:
            yield from _of_column(table, column, printed)
        except ScoreproofError as error:
            yield table.left(f"{heading.text}: {', '.join(list(printed.values())[:4])}", str(error))


def _is_p(text: str) -> bool:
    if read_cell(text).kind is CellKind.MISSING:
        return False
    try:
        read_p(text)
    except ScoreproofError:
        return False
    return True


def _of_column(table: PrintedTable, column: Column, printed: dict[int, str]) -> Iterator[ClaimResult]:
    stated = _said(column.heading.text, table.said)
    rows = _results(table, column.heading.group)
    reference = _reference(table, column, rows, printed)
    for row in rows:
        if row is reference or row.row not in printed:
            continue
        name = _score(table, column, stated.test, row)
        pair = [_cell(result, name) for result in (row, reference)]
        recheck = _CALLS[stated.test](stated, (row, reference), pair, printed[row.row])
        yield claim_result(recheck, where=f"{table.result.name}, {row.label} against {reference.label}")


def _said(heading: str, above: str) -> _Said:
    """The test: the heading's word, or that of the caption if the heading has none."""
    text = heading if any(pattern.search(heading) for pattern in _TESTS.values()) else above
    tests = [name for name, pattern in _TESTS.items() if pattern.search(text)]
    if tests == ["another test"]:
        raise InvalidOption("the test named there cannot be re-checked from the printed scores")
    if len(tests) != 1:
        raise InvalidOption("the table does not name one test; claims: in the specification can say which it was")
    whole = f"{heading} {above}"
    return _Said(tests[0], bool(re.search(r"\bexact\b", whole, re.IGNORECASE)), bool(_SAYS["over_folds"].search(whole)))


def _results(table: PrintedTable, group: str) -> list[RowResult]:
    kinds = {report.row: report.kind for report in table.meaning.reports}
    return [row for row in table.result.rows if row.group in ("", group) and kinds.get(row.row) is RowKind.RESULT]


def _reference(table: PrintedTable, column: Column, rows: Sequence[RowResult], printed: dict[int, str]) -> RowResult:
    """The row that the others are compared with: named, or the other one of two."""
    if len(rows) > _MOST_ROWS:
        raise InvalidOption(f"the table has {len(rows)} rows, too many to find the one the others are compared with")
    whole = f"{column.heading.text} {table.said}"
    named = [row for row in rows if re.search(rf"{_AGAINST}{re.escape(row.label)}(?!\w|[-+ ]\w)", whole, re.IGNORECASE)]
    named = named or [
        row for row in rows if re.search(rf"{_AGAINST}{re.escape(row.label)}(?!\w)", column.heading.text, re.IGNORECASE)
    ]
    if len({row.label for row in named}) == 1 and len(named) == 1:
        if named[0].row in printed:
            raise InvalidOption(f"{named[0].label} has a p-value against itself")
        return named[0]
    own = [row for row in rows if row.row in printed]
    if not named and len(rows) == 2 and own:
        if len(own) == 2 and printed[own[0].row] != printed[own[1].row]:
            raise InvalidOption("two rows have two different p-values, so that neither is against the other")
        return next(row for row in rows if row is not own[0])
    raise InvalidOption("the table does not say which row the others are compared with")


def _score(table: PrintedTable, column: Column, test: str, row: RowResult) -> str:
    """The score that was compared: the only one that can have been, or that of the column before."""
    may = _SCORES.get(test, tuple(cell.score for cell in row.cells))
    names = list(dict.fromkeys(cell.score for cell in row.cells if cell.score in may))
    if len(names) == 1:
        return names[0]
    others = (c for c in table.meaning.columns if c.heading.role is Role.OTHER)
    tested = [c.index for c in others if _SAYS["heading"].search(c.heading.text)]
    before = {index: index - 1 for index in tested}
    beside = [cell.score for cell in row.cells if table.column(cell) == before[column.index]]
    if len(tested) > 1 and len(beside) == 1 and beside[0] in may:
        return beside[0]
    raise InvalidOption(f"which of {', '.join(names) or 'the scores'} was tested is not said")


def _cell(row: RowResult, name: str) -> CellText:
    cells = [cell for cell in row.cells if cell.score == name]
    if len(cells) != 1:
        raise InvalidOption(f"no {name} of {row.label} was read")
    return cells[0]


Call = Callable[[_Said, tuple[RowResult, RowResult], Sequence[CellText], str], Recheck]


def _mcnemar(stated: _Said, rows: tuple[RowResult, RowResult], pair: Sequence[CellText], p: str) -> Recheck:
    sizes = {cases_of(row, pair[0].score) for row in rows}
    if None in sizes or len(sizes) != 1:
        raise InvalidOption("on how many cases both were tested is not known")
    return mcnemar(pair[0].text, pair[1].text, n=sizes.pop(), p=p, method="exact" if stated.exact else "any")


def _delong(stated: _Said, rows: tuple[RowResult, RowResult], pair: Sequence[CellText], p: str) -> Recheck:
    sets = [classes_of(row) for row in rows]
    if sets[0] is None or sets[0] != sets[1]:
        raise InvalidOption("on how many positives and negatives both were tested is not known")
    return auc_difference(pair[0].text, pair[1].text, p=sets[0].p, n=sets[0].n, pvalue=p)


def _folds(stated: _Said, rows: tuple[RowResult, RowResult]) -> int:
    k = folds_of(rows[0])
    if not stated.over_folds or k is None or k != folds_of(rows[1]):
        raise InvalidOption("whether the test is over the folds, and over how many, is not said")
    return k


def _wilcoxon(stated: _Said, rows: tuple[RowResult, RowResult], pair: Sequence[CellText], p: str) -> Recheck:
    return signed_rank(_folds(stated, rows), p, method="exact" if stated.exact else "any", sides="any")


def _paired_t(stated: _Said, rows: tuple[RowResult, RowResult], pair: Sequence[CellText], p: str) -> Recheck:
    return paired(pair[0].text, pair[1].text, _folds(stated, rows), p)


_CALLS: dict[str, Call] = {"mcnemar": _mcnemar, "delong": _delong, "wilcoxon": _wilcoxon, "paired t": _paired_t}
