"""An audit as one HTML file: the summary, every table with its cells marked, rows in words, proofs to save."""

from __future__ import annotations

from scoreproof.pages.audit_view import audit_view
from scoreproof.pages.writer import write
from scoreproof.papers.result import AuditResult
from scoreproof.validation import declared


@declared
def to_html(result: AuditResult) -> str:
    """The report of an audit as one self-contained HTML page.

    With more than 500 rows only those that are not consistent have a text of their own (600 at most, 200 of them with
    a figure); every cell keeps its card.

    >>> from scoreproof.papers.result import AuditResult
    >>> to_html(AuditResult("A <b>paper</b>", "paper.tex", ())).count("A &lt;b&gt;paper&lt;/b&gt;")
    2
    """
    return write("audit", audit=audit_view(result))
