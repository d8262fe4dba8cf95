"""Columns of p-values, where the heading or the caption names the test and the two rows that were compared.

McNemar's test of two rates on one test set, DeLong's of two AUCs, and over folds Wilcoxon's signed-rank test and the
paired t test. Of what a table leaves open a note says what is missing: which test, which rows, which score, how many
cases or folds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from scoreproof.claims import Recheck, auc_difference, mcnemar, paired, signed_rank
from scoreproof.errors import InvalidOption, ScoreproofError
from scoreproof.papers.in_tables.printed_table import PrintedTable
from scoreproof.papers.rechecking import cases_of, claim_result, classes_of, folds_of
from scoreproof.papers.result import CellText, ClaimResult, RowResult
from scoreproof.papers.table_semantics import RowKind
from scoreproof.papers.table_semantics.cells import CellKind, read_cell
from scoreproof.papers.table_semantics.headings import Role
from scoreproof.papers.table_semantics.interpretation import Column
from scoreproof.reported.p_text import read_p

_HEADING = re.compile(
    r"\bp(?:[\s-]?val(?:ue)?s?)?\b(?![@/.])|\bmcnemar\b|\bwilcoxon\b|\bdelong\b|\bsignificance\b", re.IGNORECASE
)
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
_OVER_FOLDS = re.compile(r"\b(?:over|across|of|on)\b[^.;]{0,20}\bfolds?\b|\bfold[- ]wise\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Said:
    """What heading and caption say of a column of p-values."""

    test: str
    exact: bool
    over_folds: bool


def p_values(table: PrintedTable) -> Iterator[ClaimResult]:
    """Every p-value whose test and rows are clear; of the other columns why nothing was done."""
    for column in table.found.columns:
        heading = column.heading
        if heading.role is not Role.OTHER or not _HEADING.search(heading.text):
            continue
        texts = {row.index: row.cells[column.index].raw for row in table.found.rows}
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
    said = _said(column.heading.text, table.said)
    rows = _results(table, column.heading.group)
    reference = _reference(table, column, rows, printed)
    for row in rows:
        if row is reference or row.row not in printed:
            continue
        name = _score(table, column, said.test, row)
        pair = [_cell(one, name) for one in (row, reference)]
        recheck = _CALLS[said.test](said, (row, reference), pair, printed[row.row])
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
    return _Said(tests[0], bool(re.search(r"\bexact\b", whole, re.IGNORECASE)), bool(_OVER_FOLDS.search(whole)))


def _results(table: PrintedTable, group: str) -> list[RowResult]:
    kinds = {report.row: report.kind for report in table.found.reports}
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
    tested = [c.index for c in table.found.columns if _HEADING.search(c.heading.text) and c.heading.role is Role.OTHER]
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


def _mcnemar(said: _Said, rows: tuple[RowResult, RowResult], pair: Sequence[CellText], p: str) -> Recheck:
    sizes = {cases_of(row, pair[0].score) for row in rows}
    if None in sizes or len(sizes) != 1:
        raise InvalidOption("on how many cases both were tested is not known")
    return mcnemar(pair[0].text, pair[1].text, n=sizes.pop(), p=p, method="exact" if said.exact else "any")


def _delong(said: _Said, rows: tuple[RowResult, RowResult], pair: Sequence[CellText], p: str) -> Recheck:
    sets = [classes_of(row) for row in rows]
    if sets[0] is None or sets[0] != sets[1]:
        raise InvalidOption("on how many positives and negatives both were tested is not known")
    return auc_difference(pair[0].text, pair[1].text, p=sets[0].p, n=sets[0].n, pvalue=p)


def _folds(said: _Said, rows: tuple[RowResult, RowResult]) -> int:
    k = folds_of(rows[0])
    if not said.over_folds or k is None or k != folds_of(rows[1]):
        raise InvalidOption("whether the test is over the folds, and over how many, is not said")
    return k


def _wilcoxon(said: _Said, rows: tuple[RowResult, RowResult], pair: Sequence[CellText], p: str) -> Recheck:
    return signed_rank(_folds(said, rows), p, method="exact" if said.exact else "any", sides="any")


def _paired_t(said: _Said, rows: tuple[RowResult, RowResult], pair: Sequence[CellText], p: str) -> Recheck:
    return paired(pair[0].text, pair[1].text, _folds(said, rows), p)


_CALLS: dict[str, Call] = {"mcnemar": _mcnemar, "delong": _delong, "wilcoxon": _wilcoxon, "paired t": _paired_t}
