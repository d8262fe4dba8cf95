"""A LaTeX snippet of an audit: one booktabs table per table of the paper, with rows, verdicts, readings and a note.

It needs ``booktabs`` (and ``longtable`` where a table has more than thirty rows) and compiles with pdfLaTeX whatever
the paper's cells hold: a character it has no glyph for is written as its code point.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from scoreproof.audit import AuditResult, Outcome, RowResult, TableResult
from scoreproof.errors import InvalidValue
from scoreproof.reports.escape import cut
from scoreproof.reports.words import (
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
from scoreproof.verdict import Verdict

_LONG = 30
_PIECE = 12
_MOST_ROWS = 2000
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\ensuremath{<}",
    ">": r"\ensuremath{>}",
    "|": r"\ensuremath{|}",
    '"': "''",
    "[": "{[}",
    "]": "{]}",
    "`": r"\textasciigrave{}",
    "-": "{-}",
}
_MATHS = {
    "±": r"\pm", "×": r"\times", "÷": r"\div", "−": "-", "≤": r"\leq", "≥": r"\geq", "≠": r"\neq", "≈": r"\approx",
    "→": r"\to", "←": r"\leftarrow", "↑": r"\uparrow", "↓": r"\downarrow", "∞": r"\infty", "√": r"\surd", "·": r"\cdot",
    "²": "^2", "³": "^3", "¹": "^1", "°": r"^\circ", "∅": r"\emptyset", "∈": r"\in", "✓": r"\surd", "✗": r"\times",
    "⋅": r"\cdot", "∗": "*", "⁻": "^-", "µ": r"\mu",
    "α": r"\alpha", "β": r"\beta", "γ": r"\gamma", "δ": r"\delta", "ε": r"\epsilon", "ζ": r"\zeta", "η": r"\eta",
    "θ": r"\theta", "ι": r"\iota", "κ": r"\kappa", "λ": r"\lambda", "μ": r"\mu", "ν": r"\nu", "ξ": r"\xi", "π": r"\pi",
    "ρ": r"\rho", "σ": r"\sigma", "τ": r"\tau", "φ": r"\phi", "χ": r"\chi", "ψ": r"\psi", "ω": r"\omega",
    "Γ": r"\Gamma", "Δ": r"\Delta", "Θ": r"\Theta", "Λ": r"\Lambda", "Σ": r"\Sigma", "Φ": r"\Phi", "Ψ": r"\Psi",
    "Ω": r"\Omega",
}  # fmt: skip
_LETTERS = {
    "–": "--", "—": "---", "‐": "{-}", "‑": "{-}", "‘": "`", "’": "'", "“": "``", "”": "''", "…": r"\dots{}",
    "†": r"\dag{}", "‡": r"\ddag{}", "§": r"\S{}", "¶": r"\P{}", "©": r"\copyright{}", "£": r"\pounds{}",
    "ß": r"\ss{}", "æ": r"\ae{}", "Æ": r"\AE{}", "œ": r"\oe{}", "Œ": r"\OE{}", "ø": r"\o{}", "Ø": r"\O{}",
    "ł": r"\l{}", "Ł": r"\L{}", "ı": r"\i{}", "\u00a0": "~", "\u2009": r"\,", "\t": " ", "\n": " ",
}  # fmt: skip
_ACCENTS = {
    "\u0300": r"\`", "\u0301": r"\'", "\u0302": r"\^", "\u0303": r"\~", "\u0308": r'\"', "\u030a": r"\r",
    "\u0327": r"\c", "\u030c": r"\v", "\u0304": r"\=", "\u0306": r"\u", "\u0307": r"\.", "\u030b": r"\H",
}  # fmt: skip


def escape_latex(text: str) -> str:
    r"""The text as LaTeX that prints it.

    >>> print(escape_latex("50% of $x_1$ é β 中"))
    50\% of \$x\_1\$ \'{e} \ensuremath{\beta} {[}U+4E2D{]}
    """
    return "".join(map(_character, text))


def _character(one: str) -> str:
    if one in _SPECIAL:
        return _SPECIAL[one]
    if one.isascii() and one.isprintable():
        return one
    if one in _MATHS:
        return rf"\ensuremath{{{_MATHS[one]}}}"
    if one in _LETTERS:
        return _LETTERS[one]
    base, *marks = list(unicodedata.normalize("NFD", one))
    if len(marks) == 1 and base.isascii() and base.isalpha() and marks[0] in _ACCENTS:
        # An accent replaces the dot of an i.
        return f"{_ACCENTS[marks[0]]}{{{chr(92) + base if base in 'ij' else base}}}"
    return f"{{[}}U+{ord(one):04X}{{]}}"


def to_latex(result: AuditResult) -> str:
    r"""The rows, verdicts, readings and notes of an audit as LaTeX tables.

    >>> from scoreproof.audit import AuditResult
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
