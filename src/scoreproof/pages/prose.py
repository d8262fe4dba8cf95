"""A plain-text paragraph per table, ready to be pasted into a review.

What is proved, what is only conjectured and how strong the test is are said in separate sentences; a reviewer can
cut any of them without changing the meaning of the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scoreproof.pages.audit_view import ClaimView, audit_view
from scoreproof.pages.row_view import RowView
from scoreproof.pages.table_view import TableView
from scoreproof.pages.words import counted, cut, listed, sentence
from scoreproof.papers.result import AuditResult
from scoreproof.validation import declared

_MOST_ROWS = 12
_TESTED = ("consistent", "inconsistent", "question", "undecided")


@declared
def to_text(result: AuditResult) -> str:
    """The audit in words: one paragraph per table, then the claims, then what an inconsistency does not mean.

    >>> from scoreproof.papers.result import AuditResult
    >>> print(to_text(AuditResult("A paper", "paper.tex", ())))
    We checked whether the numbers printed in “A paper” can come from the experiments it describes. No table was found.
    """
    audit = audit_view(result, told=False)
    title = f"“{cut(audit.title, 200)}”" if audit.title else "the paper"
    opening = f"We checked whether the numbers printed in {title} can come from the experiments it describes."
    if not audit.tables:
        return f"{opening} No table was found."
    method = (
        "The test allows for rounding and is exact: “consistent” means that counts were found which give every printed "
        "score, “inconsistent” that a proof shows there are none."
    )
    stopped = " The audit was interrupted, so some rows are missing." if audit.interrupted else ""
    paragraphs = [f"{opening} {method}{stopped}"]
    paragraphs += [" ".join(_table(table)) for table in audit.tables]
    if audit.claims:
        paragraphs.append(" ".join(_claims(audit.claims)))
    if audit.outcomes["inconsistent"] or any(table.broken for table in audit.tables):
        paragraphs.append(
            f"{audit.caution} We ask the authors to check the rows named above. The HTML report holds every proof as a "
            "file that anyone can check again (scoreproof verify FILE)."
        )
    return "\n\n".join(paragraphs)


def _table(table: TableView) -> Iterator[str]:
    rows = [row for row in table.rows if row.outcome in _TESTED]
    said = [f"{table.outcomes[name]:,} {name}" for name in _TESTED if table.outcomes[name]]
    if not rows:
        yield f"{table.name}: no row could be tested."
    else:
        yield from (f"{table.name}: {words[:1].lower()}{words[1:]}" for words in table.other_sizes[:_MOST_ROWS])
        yield f"{table.name}: of {counted(len(rows), 'tested row')}, {listed(said)}."
    yield from _left_out(table)
    wrong = [row for row in table.rows if row.outcome == "inconsistent"]
    for row in wrong[:_MOST_ROWS]:
        yield from _proved(row)
    if len(wrong) > _MOST_ROWS:
        yield f"{counted(len(wrong) - _MOST_ROWS, 'further inconsistent row')} are listed in the full report."
    for check in table.broken[:_MOST_ROWS]:
        yield f"Proved: {sentence(cut(check.words, 300))}"
    guesses = list(_conjectures(table, wrong[:_MOST_ROWS]))
    if guesses:
        yield f"Conjectured, not proved: {' '.join(guesses)}"
    asked = [f"{row.name}: {row.said}" for row in table.rows if row.outcome == "question" and not table.questions]
    for words in (*table.questions, *asked)[:_MOST_ROWS]:
        yield f"A question: {words}"
    pending = [row for row in table.rows if row.outcome == "undecided"]
    if pending:
        yield f"For {_names(pending)} no answer was reached in the time allowed; this is no sign of a mistake."
    if table.fits_all:
        yield f"Every tested row is consistent with {listed(f'“{label}”' for label in table.fits_all[:4])}."
    yield from _strengths(rows)


def _names(rows: Sequence[RowView]) -> str:
    """The rows by name; where there are many, some of them and a number."""
    shown = [f"“{row.name}”" for row in rows[:_MOST_ROWS]]
    more = len(rows) - len(shown)
    return listed([*shown, counted(more, "more row")] if more > 0 else shown)


def _left_out(table: TableView) -> Iterator[str]:
    unread = table.tally.get("unread", 0)
    if unread:
        yield f"{counted(unread, 'cell')} could not be read and {'was' if unread == 1 else 'were'} left out."
    if table.untested:
        yield f"Not tested: {listed(table.untested[:8])}."
    failed = [row for row in table.rows if row.outcome == "error"]
    if failed:
        yield f"Not checked: {'; '.join(f'{row.name} ({row.error})' for row in failed[:_MOST_ROWS])}."


def _proved(row: RowView) -> Iterator[str]:
    where = f" ({cut(row.experiment, 200)})" if row.experiment else ""
    yield f"Proved: in the row “{row.name}” the numbers {row.printed} cannot come from " + (
        f"the experiment as described{where}."
        if len(row.readings) <= 1
        else f"any of the {len(row.readings)} readings of the experiment that were tried{where}."
    )
    under = f"Read as {row.read_as}: " if row.read_as else ""
    for said in [f"{under}{words}" for words in row.conflicts[:1]] or row.proved[:2]:
        yield sentence(cut(said, 500))


def _conjectures(table: TableView, rows: Sequence[RowView]) -> Iterator[str]:
    """What might explain the rows: statements of explanations that are marked as guesses."""
    if table.together is not None and table.together.explains_all:
        yield cut(table.together.words, 400)
    for row in rows:
        for guess in row.guesses:
            yield f"{row.name}: {guess}"


def _strengths(rows: Sequence[RowView]) -> Iterator[str]:
    """How strong the test is: for a few rows each, for many the weakest and the strongest."""
    strong = [row for row in rows if row.strength]
    if not strong:
        return
    if len({row.strength for row in strong}) == 1:
        yield f"Strength of the test: {strong[0].strength}."
    elif len(strong) <= 6:
        yield f"Strength of the test: {'; '.join(f'{row.name}: {row.strength}' for row in strong)}."
    else:
        ends = sorted((row for row in strong if row.passing is not None), key=lambda row: row.passing or 0.0)
        if ends:
            first, last = ends[0], ends[-1]
            yield (
                f"Strength of the test: strongest for {first.name} ({first.strength}), weakest for "
                f"{last.name} ({last.strength})."
            )


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
