"""A plain-text paragraph per table, ready to be pasted into a review.

What is proved, what is only conjectured and how strong the test is are said in separate sentences; a reviewer can
cut any of them without changing the meaning of the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scoreproof.audits import AuditResult, ClaimResult, Outcome, RowResult, TableResult
from scoreproof.errors import InvalidValue
from scoreproof.pages.escape import cut
from scoreproof.pages.words import (
    CAUTION,
    counted,
    entries,
    listed,
    printed,
    proved,
    row_name,
    sentence,
    strength,
    table_name,
    text,
    texts,
)

_MOST_ROWS = 12
_TESTED = (Outcome.CONSISTENT, Outcome.INCONSISTENT, Outcome.UNDECIDED)


def to_text(result: AuditResult) -> str:
    """The audit in words: one paragraph per table, then the claims, then what an inconsistency does not mean.

    >>> from scoreproof.audits import AuditResult
    >>> print(to_text(AuditResult("A paper", "paper.tex", ())))
    We checked whether the numbers printed in “A paper” can come from the experiments it describes. No table was found.
    """
    if not isinstance(result, AuditResult):
        raise InvalidValue(f"result: expected the AuditResult of an audit, got {type(result).__name__}")
    title = f"“{cut(result.title, 200)}”" if result.title.strip() else "the paper"
    opening = f"We checked whether the numbers printed in {title} can come from the experiments it describes."
    if not result.tables:
        return f"{opening} No table was found."
    method = (
        "The test allows for rounding and is exact: “consistent” means that counts were found which give every printed "
        "score, “inconsistent” that a proof shows there are none."
    )
    stopped = " The audit was interrupted, so some rows are missing." if result.interrupted else ""
    paragraphs = [f"{opening} {method}{stopped}"]
    paragraphs += [" ".join(_table(place, table)) for place, table in enumerate(result.tables)]
    if result.claims:
        paragraphs.append(" ".join(_claims(result.claims)))
    if result.outcomes()["inconsistent"] or any(_broken(table) for table in result.tables):
        paragraphs.append(
            f"{CAUTION} We ask the authors to check the rows named above. The HTML report holds every proof as a "
            "file that anyone can check again (scoreproof verify FILE)."
        )
    return "\n\n".join(paragraphs)


def _table(place: int, table: TableResult) -> Iterator[str]:
    rows = [row for row in table.rows if row.outcome in _TESTED]
    counts = table.outcomes()
    said = [f"{counts[name]:,} {name}" for name in ("consistent", "inconsistent", "undecided") if counts[name]]
    name = table_name(table, place)
    if not rows:
        yield f"{name}: no row could be tested."
    else:
        yield f"{name}: of {counted(len(rows), 'tested row')}, {listed(said)}."
    yield from _left_out(table)
    wrong = [row for row in table.rows if row.outcome is Outcome.INCONSISTENT]
    for row in wrong[:_MOST_ROWS]:
        yield from _proved(row)
    if len(wrong) > _MOST_ROWS:
        yield f"{counted(len(wrong) - _MOST_ROWS, 'further inconsistent row')} are listed in the full report."
    for one in _broken(table)[:_MOST_ROWS]:
        yield f"Proved: {sentence(cut(one, 300))}"
    guesses = list(_conjectures(table, wrong[:_MOST_ROWS]))
    if guesses:
        yield f"Conjectured, not proved: {' '.join(guesses)}"
    opened = [row for row in table.rows if row.outcome is Outcome.UNDECIDED]
    if opened:
        names = _names(opened)
        yield f"For {names} no answer was reached in the time allowed; this is no sign of a mistake."
    if table.fits_all:
        yield f"Every tested row is consistent with {listed(f'“{cut(one, 120)}”' for one in table.fits_all[:4])}."
    yield from _strengths(rows)


def _names(rows: Sequence[RowResult]) -> str:
    """The rows by name; where there are many, some of them and a number."""
    shown = [f"“{row_name(row)}”" for row in rows[:_MOST_ROWS]]
    more = len(rows) - len(shown)
    return listed([*shown, counted(more, "more row")] if more > 0 else shown)


def _left_out(table: TableResult) -> Iterator[str]:
    unread = table.tally.get("unread", 0)
    if unread:
        yield f"{counted(unread, 'cell')} could not be read and {'was' if unread == 1 else 'were'} left out."
    if table.untested:
        yield f"Not tested: {listed(cut(one, 60) for one in table.untested[:8])}."
    failed = [row for row in table.rows if row.outcome is Outcome.ERROR]
    if failed:
        yield f"Not checked: {'; '.join(f'{row_name(row)} ({cut(row.error, 160)})' for row in failed[:_MOST_ROWS])}."


def _proved(row: RowResult) -> Iterator[str]:
    where = f" ({cut(row.experiment, 200)})" if row.experiment else ""
    yield f"Proved: in the row “{row_name(row)}” the numbers {printed(row)} cannot come from " + (
        f"the experiment as described{where}."
        if len(row.readings) <= 1
        else f"any of the {len(row.readings)} readings of the experiment that were tried{where}."
    )
    for said in proved(row):
        yield sentence(cut(said, 500))


def _conjectures(table: TableResult, rows: Sequence[RowResult]) -> Iterator[str]:
    """What might explain the rows: statements of explanations that are marked as guesses."""
    if texts(table.explanation, "explains_all"):
        yield sentence(cut(text(table.explanation, "words"), 400))
    for row in rows:
        guesses = texts(row.explanation, "conjectured")[:2]
        if not guesses:
            guesses = [text(one, "words") for one in entries(row.explanation, "repairs")[:1]]
        for guess in guesses:
            if guess:
                yield f"{row_name(row)}: {sentence(cut(guess, 300))}"


def _broken(table: TableResult) -> list[str]:
    """Averages inside the table that do not fit its rows."""
    return [text(one, "words") for one in table.checks if text(one, "verdict") == "inconsistent"]


def _strengths(rows: Sequence[RowResult]) -> Iterator[str]:
    """How strong the test is: for a few rows each, for many the weakest and the strongest."""
    said = [(row, strength(row)) for row in rows if strength(row)]
    if not said:
        return
    different = list(dict.fromkeys(words for _, words in said))
    if len(different) == 1:
        yield f"Strength of the test: {different[0].rstrip('.')}."
    elif len(said) <= 6:
        yield f"Strength of the test: {'; '.join(f'{row_name(row)}: {words}' for row, words in said).rstrip('.')}."
    else:
        known = [(row, words, _fraction(row)) for row, words in said if _fraction(row) is not None]
        ends = sorted(known, key=lambda one: one[2] or 0.0)
        if ends:
            (strong, first, _), (weak, last, _) = ends[0], ends[-1]
            yield (
                f"Strength of the test: strongest for {row_name(strong)} ({first.rstrip('.')}), weakest for "
                f"{row_name(weak)} ({last.rstrip('.')})."
            )


def _fraction(row: RowResult) -> float | None:
    found = (row.strength or {}).get("fraction")
    return float(found) if isinstance(found, (int, float)) else None


def _claims(claims: Sequence[ClaimResult]) -> Iterator[str]:
    for claim in claims:
        standing = {True: "is supported by", False: "is not supported by", None: "is left open by"}[claim.holds]
        yield f"The claim “{cut(claim.text, 300)}” {standing} the tables: {sentence(cut(claim.words, 400))}"
