"""An audit to be pasted: plain text for a review, and LaTeX.

The text has the findings, then the questions, then one sentence about the rest; what is proved and what is only
possible are said in separate sentences, of which a reviewer can cut any. LaTeX has one booktabs table for each table of
the paper; it needs ``booktabs`` (and ``longtable`` where a table has more than thirty rows) and compiles with pdfLaTeX
whatever the paper's cells hold: a character it has no glyph for is written as its code point.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scoreproof.checking import Verdict
from scoreproof.findings.words import SIGNS, counted, cut
from scoreproof.markup import escape_latex
from scoreproof.pages.audit_view import ClaimView, audit_view
from scoreproof.pages.table_view import RowView, TableView
from scoreproof.papers.result import AuditResult
from scoreproof.results import listed
from scoreproof.validation import declared

_MOST_FINDINGS = 12
_MOST_ITEMS = 8


@declared
def to_text(result: AuditResult) -> str:
    """The audit in words: what was tested, a paragraph for each finding and each question, the rest in a sentence.

    >>> from scoreproof.papers.result import AuditResult
    >>> print(to_text(AuditResult("A paper", "paper.tex", ())))
    “A paper”: no table was found.
    """
    audit = audit_view(result, told=False)
    title = f"“{cut(audit.title, 200)}”" if audit.title else "The paper"
    if not audit.tables:
        return f"{title}: no table was found."
    stopped = " The audit was interrupted, so some rows are missing." if audit.interrupted else ""
    paragraphs = [f"{title}: {audit.headline[:1].lower()}{audit.headline[1:]}{stopped}"]
    wrong = [finding for finding in audit.findings if finding.verdict is Verdict.INCONSISTENT]
    asked = [finding for finding in audit.findings if finding.verdict is not Verdict.INCONSISTENT]
    paragraphs += [cut(f"Proved. {finding.review()}", 1000) for finding in wrong[:_MOST_FINDINGS]]
    paragraphs += [cut(f"A question. {finding.review()}", 1000) for finding in asked[:_MOST_FINDINGS]]
    more = sum(max(0, len(group) - _MOST_FINDINGS) for group in (wrong, asked))
    paragraphs += [f"{counted(more, 'further finding')} in the full report."] if more else []
    rest = [audit.passed, *(f"{view.name}: {words}" for view in audit.tables for words in view.other_sizes[:1])]
    if audit.wanted:
        rest.append(f"More could be tested. {' '.join(cut(words, 300) for words in audit.wanted[:_MOST_ITEMS])}")
    paragraphs += [" ".join(filter(None, rest))] if any(rest) else []
    if audit.claims:
        paragraphs.append(" ".join(_claims_in_prose(audit.claims)))
    if wrong:
        paragraphs.append(
            f"{audit.caution} The HTML report holds every proof as a file that anyone can check again (scoreproof "
            "verify FILE)."
        )
    return "\n\n".join(paragraphs)


def _claims_in_prose(claims: Sequence[ClaimView]) -> Iterator[str]:
    for claim in claims:
        if claim.assumes:
            yield f"The claim “{cut(claim.text, 300)}” is {claim.standing}: {cut(claim.words, 400)}"
            yield f"This takes for granted: {listed(claim.assumes)}."
            if claim.needs:
                yield f"It would need {listed(claim.needs)}."
            continue
        standing = {True: "is supported by", False: "is not supported by", None: "is left open by"}[claim.holds]
        yield f"The claim “{cut(claim.text, 300)}” {standing} the tables: {cut(claim.words, 400)}"


_LONG = 30
_PIECE = 12
_MOST_ROWS = 2000


@declared
def to_latex(result: AuditResult) -> str:
    r"""The rows, verdicts, readings and notes of an audit as LaTeX tables.

    >>> from scoreproof.papers.result import AuditResult
    >>> print(to_latex(AuditResult("A 5% paper", "", ())))
    % A 5% paper: no tables
    """
    audit = audit_view(result, told=False)
    title = cut(audit.title, 100) or "audit"
    if not audit.tables:
        return f"% {title}: no tables"
    packages = "booktabs and longtable" if any(len(table.rows) > _LONG for table in audit.tables) else "booktabs"
    parts = [f"% {title}: made by scoreproof {audit.version}; needs the packages {packages}"]
    parts += [rf"\paragraph{{{SIGNS[str(each.verdict)].word}}} {each.latex()}" for each in audit.findings[:_LONG]]
    parts += ["\n".join(_table(table)) for table in audit.tables]
    if audit.claims:
        parts.append("\n".join(_claims_in_latex(audit.claims)))
    return "\n\n".join(parts)


def _claims_in_latex(claims: Sequence[ClaimView]) -> Iterator[str]:
    """The claims of the paper, how each stands, why, and what that takes for granted."""
    columns = r"p{0.3\linewidth}lp{0.28\linewidth}p{0.22\linewidth}"
    yield from (r"\begin{table}", r"\centering\small", r"\caption{Claims of the paper.}")
    yield from (
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        r"Claim & Standing & Found & What it takes \\",
        r"\midrule",
    )
    for claim in claims[:_LONG]:
        needs = [f"It would need {listed(claim.needs)}."] if claim.needs else []
        assumed = [f"Assumed: {listed(claim.assumes)}."] if claim.assumes else []
        cells = (
            cut(claim.text, 300),
            claim.standing,
            cut(claim.words, 400),
            cut(" ".join(needs + assumed), 300) or "–",
        )
        yield " & ".join(rf"\raggedright {_breakable(cell)}" for cell in cells) + r" \tabularnewline"
    if len(claims) > _LONG:
        yield rf"\multicolumn{{4}}{{l}}{{and {len(claims) - _LONG} more claims}} \\"
    yield from (r"\bottomrule", r"\end{tabular}", r"\end{table}")


def _table(table: TableView) -> Iterator[str]:
    rows = table.rows[:_MOST_ROWS]
    columns = r"p{0.24\linewidth}lp{0.24\linewidth}p{0.3\linewidth}"
    heads = r"Row & Verdict & Fitting readings & Note \\"
    caption = rf"\caption{{{escape_latex(_caption(table))}}}"
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


def _caption(table: TableView) -> str:
    counts = listed(f"{number} {SIGNS[name].word}" for name, number in table.outcomes.items() if number)
    fits = f" Every tested row fits {listed(cut(label, 80) for label in table.fits_all[:3])}." if table.fits_all else ""
    sizes = "".join(f" {cut(words, 300)}" for words in table.other_sizes[:3])
    rows = f".{sizes} Rows: {counts or 'none'}" if sizes else f": {counts or 'no rows'}"
    return f"Consistency of {table.name}{rows}.{fits}"


def _cells(row: RowView) -> Iterator[str]:
    yield f"{row.name}: {row.printed}" if row.printed else row.name
    yield SIGNS[row.outcome].word
    yield cut("; ".join(row.fitting), 300) or ("none" if row.outcome == "inconsistent" else "–")
    yield cut("" if row.outcome == "consistent" else row.sentence, 500) or "–"
