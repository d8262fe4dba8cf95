"""One table of the paper in the report: the grid, what was assumed, the matrix of readings, and the rows in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PureWindowsPath
from typing import Any

from scoreproof.audits import Outcome, RowResult, TableResult
from scoreproof.audits.inside import certificates_of
from scoreproof.pages.article import article
from scoreproof.pages.certificates import Shelf
from scoreproof.pages.escape import short, whole
from scoreproof.pages.extent import Extent
from scoreproof.pages.grid import grid
from scoreproof.pages.matrix import matrix
from scoreproof.pages.places import Places, places
from scoreproof.pages.words import SIGNS, counted, entries, sentence, sign, table_name, text, texts

_MOST_ITEMS = 200
_CALM = (Outcome.CONSISTENT, Outcome.UNTESTED)


@dataclass(frozen=True, slots=True)
class Told:
    """A row that has a text of its own."""

    row: RowResult
    anchor: str
    drawn: bool


def section(result: TableResult, place: int, first_card: int, extent: Extent, shelf: Shelf) -> str:
    """The section of a table."""
    marked = places(result)
    told = [
        Told(row, extent.anchor(place, index), (place, index) in extent.figures)
        for index, row in enumerate(result.rows)
        if (place, index) in extent.texts
    ]
    listed = [
        (row, extent.anchor(place, index))
        for index, row in enumerate(result.rows)
        if (place, index) in extent.texts or row.outcome not in _CALM
    ]
    return (
        f'<section id="table-{place + 1}" class="table"><h2>{short(table_name(result, place))}</h2>'
        f"{_origin(result)}{grid(result, marked, first_card)}{_legend(result, marked)}"
        f"{_checks(result, place, shelf)}{_together(result)}{matrix(result, listed)}{_read(result)}"
        f"{_texts(told, shelf)}{_left(result, told)}</section>\n"
    )


def _origin(result: TableResult) -> str:
    table = result.table
    if not table.source.strip():
        return ""
    # A report is sent to others: where the file lies on this machine is nobody's business.
    path = PureWindowsPath(table.source)
    name = path.name if path.is_absolute() or table.source.startswith("/") else table.source
    return f'<p class="quiet">Read from {short(name)}: {short(table.position)}.</p>'


def _legend(result: TableResult, marked: Places) -> str:
    seen = {one.outcome for one in marked.checked.values()} | {verdict for verdict, _ in marked.compared.values()}
    outcomes = [name for name in SIGNS if name in seen]
    shown = [f'<li class="{name}">{sign(name).word}</li>' for name in outcomes]
    if any(one.in_conflict for one in marked.checked.values()):
        shown.append('<li class="key">in the smallest conflict</li>')
    if marked.unread:
        shown.append('<li class="unread">unread</li>')
    if marked.untested:
        shown.append('<li class="skipped">not tested</li>')
    hint = (
        '<p class="quiet screen">Point at a marked cell for its explanation, or tab to the table and use the arrow '
        "keys; Enter goes to the text of the row.</p>"
        if any((marked.checked, marked.compared, marked.unread, marked.untested))
        else ""
    )
    return f'<ul class="signs">{"".join(shown)}</ul>{hint}' if shown else hint


def _checks(result: TableResult, place: int, shelf: Shelf) -> str:
    """Exact comparisons inside the table: averages against rows, a class report against itself."""
    items = "".join(
        _check(one, f"certificate-table-{place + 1}-check-{number}.json", shelf)
        for number, one in enumerate(result.checks[:_MOST_ITEMS], 1)
    )
    more = len(result.checks) - _MOST_ITEMS
    rest = f'<p class="quiet">and {more:,} more in the JSON report.</p>' if more > 0 else ""
    return f'<h3>Inside the table</h3><ul class="findings">{items}</ul>{rest}' if items else ""


def _check(one: Mapping[str, Any], file: str, shelf: Shelf) -> str:
    proofs = certificates_of(one)
    names = (
        [file] if len(proofs) == 1 else [file.replace(".json", f"-part-{part + 1}.json") for part in range(len(proofs))]
    )
    buttons = " ".join(shelf.button(proof, name, "this check") for proof, name in zip(proofs, names, strict=True))
    return (
        f'<li><span class="sign {short(text(one, "verdict"), 20)}" aria-hidden="true">'
        f"{sign(one.get('verdict')).symbol}</span> {short(sentence(text(one, 'words')), 600)} "
        f"{buttons}</li>"
    )


def _together(result: TableResult) -> str:
    """What would explain all inconsistent rows at once."""
    said = result.explanation
    hypotheses = entries(said, "hypotheses")
    if not hypotheses and not text(said, "words"):
        return ""
    asked = counted(len(texts(said, "rows")), "row")
    hopeful = [one for one in hypotheses if texts(one, "fits") or texts(one, "open")]
    items = "".join(_shared(one, asked) for one in hopeful[:20])
    failed = "; ".join(text(one, "label") or text(one, "name") for one in hypotheses if one not in hopeful)
    if failed:
        items += f"<li>Fitting none of them: {short(failed, 1200)}.</li>"
    return (
        f"<h3>Explaining the inconsistent rows together</h3><p>{short(sentence(text(said, 'words')), 800)}</p>"
        f"{f'<ul>{items}</ul>' if items else ''}"
    )


def _shared(one: Mapping[str, Any], asked: str) -> str:
    pending = len(texts(one, "open"))
    left = f", {pending:,} open" if pending else ""
    label, words = text(one, "label") or text(one, "name"), text(one, "words")
    more = "" if words.startswith(label) else short(sentence(words), 600)
    return f"<li>{short(label, 300)}: fits {len(texts(one, 'fits')):,} of {asked}{left}. {more}</li>"


def _read(result: TableResult) -> str:
    """What was assumed, left unread, and not tested."""
    lists = [
        ("Assumed when reading", [short(sentence(one), 600) for one in result.assumptions]),
        ("Unread cells", [_unread(one) for one in result.unread]),
        ("Columns not tested", [short(one, 200) for one in result.untested]),
        ("Notes of the reader", [short(sentence(one), 600) for one in result.table.notes]),
    ]
    parts = []
    for title, items in lists:
        if items:
            more = f'<li class="quiet">and {len(items) - _MOST_ITEMS:,} more</li>' if len(items) > _MOST_ITEMS else ""
            shown = "".join(f"<li>{one}</li>" for one in items[:_MOST_ITEMS])
            parts.append(f"<h4>{title}</h4><ul>{shown}{more}</ul>")
    if not parts:
        return ""
    return f'<details class="read"><summary>How the table was read</summary>{"".join(parts)}</details>'


def _unread(entry: Mapping[str, Any]) -> str:
    row, column = entry.get("row"), entry.get("column")
    where = f"row {row + 1}, column {column + 1}: " if isinstance(row, int) and isinstance(column, int) else ""
    return f"{where}“{whole(text(entry, 'raw'), 80)}” ({short(text(entry, 'why'), 200)})"


def _texts(told: Sequence[Told], shelf: Shelf) -> str:
    """Findings open, consistent rows behind a line that opens."""
    findings = [one for one in told if one.row.outcome not in _CALM]
    others = [one for one in told if one.row.outcome in _CALM]
    parts = []
    if findings:
        parts.append(f"<h3>Row by row</h3>{''.join(_articles(findings, shelf))}")
    if others:
        kind = "consistent row" if all(one.row.outcome is Outcome.CONSISTENT for one in others) else "other row"
        parts.append(
            f'<details class="rest"><summary>{counted(len(others), kind)}</summary>'
            f"{''.join(_articles(others, shelf))}</details>"
        )
    return "".join(parts)


def _articles(rows: Sequence[Told], shelf: Shelf) -> Iterator[str]:
    for one in rows:
        yield article(one.row, one.anchor, shelf, drawn=one.drawn)


def _left(result: TableResult, told: Sequence[Told]) -> str:
    """How many findings have no text here."""
    findings = sum(row.outcome not in _CALM for row in result.rows)
    left = findings - sum(one.row.outcome not in _CALM for one in told)
    words = (
        f"{counted(left, 'more finding')} without a text here: the cards show them in short, the JSON report in full."
    )
    return f'<p class="quiet">{words}</p>' if left else ""
