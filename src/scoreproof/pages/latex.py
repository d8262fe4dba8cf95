"""A LaTeX snippet of an audit: one booktabs table per table of the paper, with rows, verdicts, readings and a note.

It needs ``booktabs`` (and ``longtable`` where a table has more than thirty rows) and compiles with pdfLaTeX whatever
the paper's cells hold: a character it has no glyph for is written as its code point.
"""

from __future__ import annotations

from collections.abc import Iterator

from scoreproof.asking import Verdict
from scoreproof.audits import AuditResult, Outcome, RowResult, TableResult
from scoreproof.errors import InvalidValue
from scoreproof.latex import escape_latex
from scoreproof.pages.escape import cut
from scoreproof.pages.words import (
    counted,
    listed,
    printed,
    row_name,
    sign,
    strength,
    table_name,
    told_apart,
    verdict_sentence,
    why,
)

_LONG = 30
_PIECE = 12
_MOST_ROWS = 2000


def to_latex(result: AuditResult) -> str:
    r"""The rows, verdicts, readings and notes of an audit as LaTeX tables.

    >>> from scoreproof.audits import AuditResult
    >>> print(to_latex(AuditResult("A 5% paper", "", ())))
    % A 5% paper: no tables
    """
    if not isinstance(result, AuditResult):
        raise InvalidValue(f"result: expected the AuditResult of an audit, got {type(result).__name__}")
    title = cut(result.title, 100) or "audit"
    if not result.tables:
        return f"% {title}: no tables"
    packages = "booktabs and longtable" if any(len(table.rows) > _LONG for table in result.tables) else "booktabs"
    parts = [f"% {title}: made by scoreproof {cut(result.version, 40)}; needs the packages {packages}"]
    parts += ["\n".join(_table(place, table)) for place, table in enumerate(result.tables)]
    return "\n\n".join(parts)


def _table(place: int, table: TableResult) -> Iterator[str]:
    rows = table.rows[:_MOST_ROWS]
    columns = r"p{0.24\linewidth}lp{0.24\linewidth}p{0.3\linewidth}"
    heads = r"Row & Verdict & Fitting readings & Note \\"
    caption = rf"\caption{{{escape_latex(_caption(place, table))}}}"
    long = len(rows) > _LONG
    if long:
        yield rf"\begin{{longtable}}{{{columns}}}"
        yield caption + r"\\"
        yield from (r"\toprule", heads, r"\midrule", r"\endfirsthead", r"\toprule", heads, r"\midrule", r"\endhead")
    else:
        yield from (r"\begin{table}", r"\centering\small", caption, rf"\begin{{tabular}}{{{columns}}}")
        yield from (r"\toprule", heads, r"\midrule")
    for row in rows:
        yield " & ".join(rf"\raggedright {_breakable(cell)}" for cell in _cells(row)) + r" \tabularnewline"
    if len(table.rows) > _MOST_ROWS:
        yield rf"\multicolumn{{4}}{{l}}{{and {len(table.rows) - _MOST_ROWS} more rows}} \\"
    yield r"\bottomrule"
    yield from (r"\end{longtable}",) if long else (r"\end{tabular}", r"\end{table}")


def _breakable(text: str) -> str:
    """The text as LaTeX, with places to break a line inside words that no column can hold."""
    words = []
    for word in text.split():
        pieces = [word[k : k + _PIECE] for k in range(0, len(word), _PIECE)] if len(word) > 2 * _PIECE else [word]
        words.append(r"\hspace{0pt}".join(map(escape_latex, pieces)))
    return " ".join(words)


def _caption(place: int, table: TableResult) -> str:
    counts = [f"{number} {sign(name).word}" for name, number in table.outcomes().items() if number]
    broken = sum(str(one.get("verdict")) == "inconsistent" for one in table.checks)
    if broken:
        counts.append(f"{counted(broken, 'comparison')} inside the table inconsistent")
    fits = f" Every tested row fits {listed(cut(one, 80) for one in table.fits_all[:3])}." if table.fits_all else ""
    return f"Consistency of {table_name(table, place)}: {listed(counts) or 'no rows'}.{fits}"


def _cells(row: RowResult) -> Iterator[str]:
    yield f"{row_name(row)}: {printed(row)}" if row.cells else row_name(row)
    yield sign(row.outcome).word
    labels = told_apart([one.label for one in row.readings])[1]
    fitting = [label for label, one in zip(labels, row.readings, strict=True) if one.verdict is Verdict.CONSISTENT]
    yield cut("; ".join(fitting), 300) or ("none" if row.outcome is Outcome.INCONSISTENT else "–")
    said = why(row) if row.outcome is Outcome.INCONSISTENT else ""
    if row.outcome in (Outcome.ERROR, Outcome.UNDECIDED, Outcome.UNTESTED):
        said = verdict_sentence(row)
    power = f"Strength: {strength(row)}." if strength(row) else ""
    yield cut(f"{said} {power}".strip(), 500) or "–"
