"""A whole audit as plain values: what a reviewer needs before any detail, then the tables.

An audit as one HTML file: the summary, every table with its cells marked, rows in words, proofs to save.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from scoreproof.errors import InvalidValue
from scoreproof.pages.cards import Deck
from scoreproof.pages.certificates import Proof, Shelf
from scoreproof.pages.places import MOST_LINES, Extent, Rest
from scoreproof.pages.row_view import RowView
from scoreproof.pages.table_view import TableView, table_view
from scoreproof.pages.words import CAUTION, SIGNS, counted, cut, sentence
from scoreproof.pages.writer import write
from scoreproof.papers.result import AuditResult, ClaimResult, Extraction, Outcome
from scoreproof.validation import declared

_MOST_FINDINGS = 60
_ORDER = tuple(map(str, (Outcome.INCONSISTENT, Outcome.QUESTION, Outcome.ERROR, Outcome.UNDECIDED)))
_ALWAYS = ("consistent", "inconsistent", "undecided")
_CLAIMS = {
    True: ("consistent", "the tables support it"),
    False: ("inconsistent", "the tables do not support it"),
    None: ("undecided", "open"),
}


_RECHECKED = {
    "impossible": ("inconsistent", "impossible"),
    "certain": ("consistent", "certain"),
    "possible": ("consistent", "possible"),
    "unexplained": ("undecided", "unexplained"),
}
_MOST_METHODS = 6


@dataclass(frozen=True, slots=True)
class FindingView:
    """What needs a second look: its sign, where it is told, what it is, its table, why, and how strong the test was."""

    verdict: str
    anchor: str
    name: str
    table: str
    words: str
    strength: str = ""


@dataclass(frozen=True, slots=True)
class ClaimView:
    """A claim of the paper beside what was found; ``holds`` as the audit has it, ``proof`` that it does not.

    ``needs`` says what would have to hold, ``methods`` what reproduces it, ``assumes`` what was taken for granted.
    """

    verdict: str
    text: str
    standing: str
    words: str
    holds: bool | None
    proof: Proof | None
    methods: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    assumes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AuditView:
    """An audit as it is told."""

    title: str
    source: str
    version: str
    verdict: str
    headline: str
    interrupted: bool
    outcomes: dict[str, int]
    shown: tuple[str, ...]  # the outcomes that have a column
    unread: int
    tables: tuple[TableView, ...]
    tested: tuple[tuple[str, list[TableView]], ...]  # what was tested, and in which tables
    findings: tuple[FindingView, ...]
    more_findings: int
    claims: tuple[ClaimView, ...]
    extracted: tuple[Extraction, ...]
    problems: tuple[str, ...]
    caution: str
    shelf: Shelf
    cards: dict[str, Any]
    rest: dict[str, Any] | None = None  # rows that are searched


def audit_view(result: AuditResult, *, told: bool = True) -> AuditView:
    """The audit; unless it is ``told`` row by row, it has no grids, no cards, no figures and no certificates."""
    if not isinstance(result, AuditResult):
        raise InvalidValue(f"result: expected the AuditResult of an audit, got {type(result).__name__}")
    extent = Extent.of(result) if told else None
    shelf, deck, rest, tables = Shelf(), Deck(), Rest(), []
    room = MOST_LINES
    for place, table in enumerate(result.tables):
        view = table_view(table, place, len(deck.cards), extent, shelf, room)
        room -= len(view.body)
        if view.beyond:
            view = replace(view, searched=rest.add(view.beyond))
        tables.append(view)
        hidden = set(map(id, view.beyond))
        for row in view.rows if told else ():
            if id(row) in hidden:
                deck.skip()
                continue
            strength = f"Strength: {row.strength}." if row.strength else ""
            deck.add(row.outcome, row.name, (row.said, row.why, _reads(row), strength), row.cells, row.anchor)
    findings = [finding for view in tables for finding in _findings(view)]
    claims = tuple(_claim(claim, number, shelf) for number, claim in enumerate(result.claims, 1))
    outcomes = result.outcomes()
    return AuditView(
        title=result.title.strip(),
        source=result.source.strip(),
        version=cut(result.version, 40),
        verdict=str(result.verdict),
        headline=cut(_headline(outcomes, tables), 600),
        interrupted=result.interrupted,
        outcomes=outcomes,
        shown=tuple(name for name in SIGNS if name in _ALWAYS or outcomes[name]),
        unread=sum(view.tally.get("unread", 0) for view in tables),
        tables=tuple(tables),
        tested=tuple((words, [view for view in tables if view.tested == words]) for words in _different(tables)),
        findings=tuple(findings[:_MOST_FINDINGS]),
        more_findings=max(0, len(findings) - _MOST_FINDINGS),
        claims=claims,
        extracted=result.extracted,
        problems=tuple(cut(problem, 300) for problem in result.problems[:_MOST_FINDINGS]),
        caution=CAUTION,
        shelf=shelf,
        cards=deck.to_dict(),
        rest=rest.to_dict() if rest.tables else None,
    )


def _different(tables: list[TableView]) -> list[str]:
    return list(dict.fromkeys(view.tested for view in tables))


def _headline(rows: dict[str, int], tables: list[TableView]) -> str:
    """The outcome of the whole audit in one sentence."""
    tested = sum(rows[name] for name in (*_ALWAYS, "question"))
    wrong = rows["inconsistent"]
    broken = [check for view in tables for check in view.broken]
    averages = sum(check.kind == "average" for check in broken)
    others = len(broken) - averages
    if wrong or broken:
        parts = []
        if wrong:
            parts.append(f"{wrong:,} of {counted(tested, 'tested row')} cannot come from the experiment as described")
        if averages:
            parts.append(f"{counted(averages, 'printed average')} cannot come from the printed rows")
        if others:
            parts.append(f"{counted(others, 'comparison')} inside the tables {'does' if others == 1 else 'do'} not fit")
        return f"{'; '.join(parts)}."
    if not tested:
        return "No row could be tested."
    if rows["question"]:
        open_too = f"; {rows['undecided']:,} are undecided" if rows["undecided"] else ""
        return (
            f"No inconsistency was found; {rows['question']:,} of {counted(tested, 'tested row')} would be one if "
            f"what was read of the paper is so{open_too}."
        )
    if rows["undecided"]:
        return f"No inconsistency was found; {rows['undecided']:,} of {counted(tested, 'tested row')} are undecided."
    if rows["error"]:
        return f"All {counted(tested, 'tested row')} are consistent; {rows['error']:,} could not be checked."
    if tested == 1:
        return "The one tested row is consistent with the experiment as described."
    return f"All {counted(tested, 'tested row')} are consistent with the experiments as described."


def _findings(view: TableView) -> Iterator[FindingView]:
    for check in view.checks:
        if check.verdict != "consistent":
            yield FindingView(check.verdict, view.anchor, view.name, "", cut(check.words, 400))
    for question in view.questions:
        yield FindingView("question", view.anchor, view.name, "", question)
    for wanted in _ORDER:
        for row in view.rows:
            if row.outcome == wanted and not (wanted == "question" and view.questions):
                why = row.why if wanted in ("inconsistent", "question") else ""
                yield FindingView(wanted, row.anchor, row.name, view.name, cut(why or row.said, 400), row.strength)


def _reads(row: RowView) -> str:
    """The experiment with its witness; of several readings those that fit, or that are open."""
    if len(row.readings) == 1:
        only = row.readings[0]
        return f"{cut(only.words, 120)}: {only.note if only.verdict == 'consistent' and only.note else only.verdict}"
    for wanted, word in (("consistent", "Fits"), ("undecided", "Open")):
        chosen = [cut(reading.label, 90) for reading in row.readings if reading.verdict == wanted]
        if chosen:
            return f"{word}: {'; '.join(chosen[:4])}{' …' if len(chosen) > 4 else ''}"
    return ""


def _claim(claim: ClaimResult, number: int, shelf: Shelf) -> ClaimView:
    verdict, standing = _CLAIMS[claim.holds]
    found = claim.recheck
    if found is not None:
        verdict, standing = _RECHECKED[str(found.verdict)]
    if claim.holds is False and (claim.answer is None or claim.answer.certificate is None):
        verdict = "undecided"  # a test speaks against it, but what is called inconsistent has a proof
    certificate = None if claim.answer is None else claim.answer.certificate
    proof = shelf.keep(certificate, f"certificate-claim-{number}.json", claim.text)
    words = cut(sentence(claim.words), 600)
    if found is None:
        return ClaimView(verdict, claim.text, standing, words, claim.holds, proof)
    methods = tuple(cut(str(one), 120) for one in found.methods[:_MOST_METHODS])
    needs, assumes = (tuple(cut(one, 120) for one in parts) for parts in (found.needs, found.assumes))
    return ClaimView(verdict, claim.text, standing, words, claim.holds, proof, methods, needs, assumes)


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
