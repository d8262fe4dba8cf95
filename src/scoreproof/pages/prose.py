"""Plain text ready to be pasted into a review: the findings, then the questions, then one sentence about the rest.

What is proved and what is only possible are said in separate sentences; a reviewer can cut any of them without
changing the meaning of the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scoreproof.checking import Verdict
from scoreproof.findings.words import counted, cut
from scoreproof.pages.audit_view import ClaimView, audit_view
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
        paragraphs.append(" ".join(_claims(audit.claims)))
    if wrong:
        paragraphs.append(
            f"{audit.caution} The HTML report holds every proof as a file that anyone can check again (scoreproof "
            "verify FILE)."
        )
    return "\n\n".join(paragraphs)


def _claims(claims: Sequence[ClaimView]) -> Iterator[str]:
    for claim in claims:
        if claim.assumes:
            yield f"The claim “{cut(claim.text, 300)}” is {claim.standing}: {cut(claim.words, 400)}"
            yield f"This takes for granted: {listed(claim.assumes)}."
            if claim.needs:
                yield f"It would need {listed(claim.needs)}."
            continue
        standing = {True: "is supported by", False: "is not supported by", None: "is left open by"}[claim.holds]
        yield f"The claim “{cut(claim.text, 300)}” {standing} the tables: {cut(claim.words, 400)}"
