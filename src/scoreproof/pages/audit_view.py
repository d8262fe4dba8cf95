"""A whole audit as one HTML file: what was tested, the findings as cards, what would allow more tests; then the tables.

Everything else (how tables were read, each row with its readings, the proofs, what the words mean) folds. The page
carries its certificates: each is a JSON script element that no browser runs, with a button that saves it as the file
``scoreproof verify`` reads. Proofs can be large; beyond a total the rest stays in the JSON report, and the page says
so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from markupsafe import Markup

from scoreproof.checking import Verdict
from scoreproof.errors import InvalidValue
from scoreproof.findings.audits import next_tests, of_claim
from scoreproof.findings.finding import Finding
from scoreproof.findings.words import CAUTION, SIGNS, counted, cut, embed, sentence, visible
from scoreproof.pages.grid_view import MOST_LINES, Deck, Rest
from scoreproof.pages.table_view import TableView, table_view
from scoreproof.pages.writer import write
from scoreproof.papers.result import AuditResult, ClaimResult, TableResult
from scoreproof.papers.text_facts.sizes import Extraction
from scoreproof.results import listed
from scoreproof.validation import declared

_MOST_BYTES = 6_000_000


@dataclass(frozen=True, slots=True)
class Proof:
    """A certificate beside what it proves: its file, what it is called, its size, and whether the page holds it."""

    file: str
    label: str
    kilobytes: int
    kept: bool

    def buttons(self) -> Markup:
        """The buttons that save it and that check it in the browser; where the page lacks it, words that say so."""
        if not self.kept:
            return Markup('<span class="quiet">(proof of {:,} kB in the JSON report)</span>').format(self.kilobytes)
        return Markup(
            '<button type="button" class="check" data-file="{0}" aria-label="Check this proof: {1}">Check this '
            'proof</button> <button type="button" class="save" data-file="{0}" aria-label="Save certificate: {1}">'
            "Save certificate</button>"
        ).format(visible(self.file), visible(self.label))


@dataclass(slots=True)
class Shelf:
    """Collects certificates while a page is prepared; ``kept`` holds file names and JSON, ``left`` the others.

    ``kinds`` are the kinds of the kept ones and of the proofs in them.
    """

    kept: dict[str, str] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    kinds: set[str] = field(default_factory=set)
    size: int = 0

    def keep(self, certificate: Mapping[str, Any] | None, name: str, label: str) -> Proof | None:
        """The certificate under its file name; nothing where there is none."""
        if certificate is None:
            return None
        document = embed(dict(certificate))
        fits = self.size + len(document) <= _MOST_BYTES
        if fits:
            self.size += len(document)
            self.kept[name] = document
            self.kinds.update(_kinds(certificate))
        else:
            self.left.append(name)
        return Proof(name, cut(label, 300), len(document) // 1000, fits)


def _kinds(document: Any) -> Iterator[str]:
    """The kind of a certificate, and of every proof within its proof."""
    waiting = [document]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Mapping):
            if isinstance(part.get("kind"), str):
                yield part["kind"]
            waiting += [part[key] for key in ("proof", "cases") if key in part]
        elif isinstance(part, list):
            waiting += part


MOST_CARDS = 60
_MOST_ITEMS = 60
_TESTED = ("consistent", "inconsistent", "question", "undecided")
_MOST_METHODS = 6
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
    passed: str  # the one sentence about rows that are possible
    interrupted: bool
    shown: tuple[str, ...]  # the outcomes that occur
    tables: tuple[TableView, ...]
    findings: tuple[Finding, ...]
    cards: tuple[Markup, ...]  # of the first findings
    wanted: tuple[str, ...]  # what would allow the next test
    claims: tuple[ClaimView, ...]
    extracted: tuple[Extraction, ...]
    problems: tuple[str, ...]
    caution: str
    shelf: Shelf
    deck: dict[str, Any]
    rest: dict[str, Any] | None = None  # rows that are searched


def audit_view(result: AuditResult, *, told: bool = True) -> AuditView:
    """The audit; unless it is ``told`` as a page, it has no grids, no cards and no certificates."""
    if not isinstance(result, AuditResult):
        raise InvalidValue(f"result: expected the AuditResult of an audit, got {type(result).__name__}")
    findings, shelf, deck, rest = result.findings, Shelf(), Deck(), Rest()
    anchors = [f"finding-{number}" if number <= MOST_CARDS else "" for number in range(1, len(findings) + 1)]
    tables: list[TableView] = []
    room = MOST_LINES
    for place, table in enumerate(result.tables):
        own = [(anchor, each) for anchor, each in zip(anchors, findings, strict=True) if each.at(place + 1)]
        view = table_view(table, place, own, len(deck.cards), room, grids=told)
        room -= len(view.body)
        if view.beyond:
            view = replace(view, searched=rest.add(view.beyond))
        tables.append(view)
        hidden = set(map(id, view.beyond))
        for row in view.rows if told else ():
            deck.add(None if id(row) in hidden else row)
    shown = findings[:MOST_CARDS] if told else ()
    cards = [_card(finding, f"finding-{k}", result, shelf) for k, finding in enumerate(shown, 1)]
    outcomes = result.outcomes()
    return AuditView(
        title=result.title.strip(),
        source=result.source.strip(),
        version=cut(result.version, 40),
        verdict=str(result.verdict),
        headline=cut(headline(outcomes, findings), 600),
        passed=passed(outcomes),
        interrupted=result.interrupted,
        shown=tuple(name for name in SIGNS if outcomes[name]),
        tables=tuple(tables),
        findings=findings,
        cards=tuple(cards),
        wanted=tuple(sentence(words) for words in next_tests(result)[:_MOST_ITEMS]),
        claims=tuple(
            _claim(claim, number, shelf)
            for number, claim in enumerate(result.claims, 1)
            if not any(of_claim(claim, ""))  # which are findings
        ),
        extracted=result.extracted,
        problems=tuple(cut(problem, 300) for problem in result.problems[:_MOST_ITEMS]),
        caution=CAUTION,
        shelf=shelf,
        deck=deck.to_dict(),
        rest=rest.to_dict() if rest.tables else None,
    )


def headline(rows: dict[str, int], findings: Sequence[Finding]) -> str:
    """How many of the printed rows were tested, and how many findings and questions there are."""
    tested, printed = sum(rows[name] for name in _TESTED), sum(rows.values())
    wrong = sum(finding.verdict is Verdict.INCONSISTENT for finding in findings)
    asked = len(findings) - wrong
    counts = [counted(wrong, "finding")] if wrong else ["no inconsistency"] if tested or asked else []
    counts += [counted(asked, "question")] if asked else []
    if not tested:
        of = f" of {counted(printed, 'result row')}" if printed else ""
        return f"No row{of} could be tested{f'; {listed(counts)}' if counts else ''}."
    return f"{tested:,} of {counted(printed, 'result row')} tested: {listed(counts)}."


def passed(rows: dict[str, int]) -> str:
    """The one sentence about rows that are possible, and about those that were not decided."""
    number, parts = rows["consistent"], []
    if number:
        parts.append(f"{counted(number, 'row')} can have come about as described or assumed.")
    if rows["undecided"]:
        parts.append(f"{counted(rows['undecided'], 'row')} could not be decided in the time allowed.")
    if rows["error"]:
        parts.append(f"{counted(rows['error'], 'row')} could not be checked.")
    return " ".join(parts)


def _card(finding: Finding, anchor: str, result: AuditResult, shelf: Shelf) -> Markup:
    """The card of a finding with its buttons; the proofs of its other rows and readings fold."""
    proofs = list(_proofs(finding, result, anchor, shelf))
    copy = Markup('<button type="button" class="copy" data-copy="{}">Copy for the review</button>')
    first = proofs[0].buttons() if proofs else Markup("")
    more = Markup("").join(Markup("<li>{} {}</li>").format(visible(each.label), each.buttons()) for each in proofs[1:])
    table = f"table-{finding.where.number}" if finding.where.number else ""
    buttons = copy.format(cut(finding.review(), 2000)) + Markup(" ") + first
    folded = Markup("<h4>Further proofs</h4><ul>{}</ul>").format(more) if more else ""
    return Markup(finding.html(anchor=anchor, table=table, buttons=buttons, more=folded))


def _proofs(finding: Finding, result: AuditResult, anchor: str, shelf: Shelf) -> Iterator[Proof]:
    """The proof of a finding first, then those of its other rows and, of impossible rows, of their other readings."""
    table = result.tables[finding.where.number - 1] if finding.where.number else None
    certificates = [(finding.certificate, str(finding.where) or finding.headline)]
    certificates += [] if table is None else list(_others(finding, table))
    seen: list[Any] = []
    for certificate, label in certificates:
        if certificate is not None and certificate not in seen:
            seen.append(certificate)
            number = f"-{len(seen)}" if len(seen) > 1 else ""
            proof = shelf.keep(certificate, f"certificate-{anchor}{number}.json", label)
            if proof is not None:
                yield proof


def _others(finding: Finding, table: TableResult) -> Iterator[tuple[Any, str]]:
    wrong = finding.verdict is Verdict.INCONSISTENT
    for row in table.rows:
        if row.row in finding.where.rows and str(row.outcome) == str(finding.verdict):
            refuted = [reading for reading in row.readings if reading.certificate is not None]
            for reading in refuted if wrong else refuted[:1]:
                yield reading.certificate, f"{row.label}: {reading.label or reading.words}"
    for check in table.checks if wrong else ():
        if check.certificate is not None and set(check.rows) & set(finding.where.rows):
            yield check.certificate, check.what


def _claim(claim: ClaimResult, number: int, shelf: Shelf) -> ClaimView:
    verdict, standing = _CLAIMS[claim.holds]
    recheck = claim.recheck
    if recheck is not None:
        verdict, standing = _RECHECKED[str(recheck.verdict)]
    if claim.holds is False and (claim.answer is None or claim.answer.certificate is None):
        verdict = "undecided"  # a test speaks against it, but what is called inconsistent has a proof
    certificate = None if claim.answer is None else claim.answer.certificate
    proof = shelf.keep(certificate, f"certificate-claim-{number}.json", claim.text)
    words = cut(sentence(claim.words), 600)
    if recheck is None:
        return ClaimView(verdict, claim.text, standing, words, claim.holds, proof)
    methods = tuple(cut(str(method), 120) for method in recheck.methods[:_MOST_METHODS])
    needs, assumes = (tuple(cut(part, 120) for part in parts) for parts in (recheck.needs, recheck.assumes))
    return ClaimView(verdict, claim.text, standing, words, claim.holds, proof, methods, needs, assumes)


@declared
def to_html(result: AuditResult) -> str:
    """The report of an audit as one self-contained HTML page.

    The first sixty findings have a card each; every cell of the first 2,000 lines of the tables says what became of it,
    further lines can be searched.

    >>> from scoreproof.papers.result import AuditResult
    >>> to_html(AuditResult("A <b>paper</b>", "paper.tex", ())).count("A &lt;b&gt;paper&lt;/b&gt;")
    2
    """
    return write("audit", audit=audit_view(result))
