"""The assumption matrix: audited rows against the readings of their experiment, with the strength of each test."""

from __future__ import annotations

from collections.abc import Sequence

from scoreproof.asking import Verdict
from scoreproof.audits import RowResult, TableResult
from scoreproof.pages.escape import link, short
from scoreproof.pages.words import counted, listed, row_name, sign, strength, told_apart

_MOST_COLUMNS = 24


def matrix(result: TableResult, rows: Sequence[tuple[RowResult, str]]) -> str:
    """The matrix of these rows, each with the anchor of its text (or nothing)."""
    if not rows:
        return ""
    labels = list(dict.fromkeys(one.label for row, _ in rows for one in row.readings))
    columns = labels[:_MOST_COLUMNS] if len(labels) > 1 else []
    powered = any(strength(row) for row, _ in rows)
    shared, names = told_apart(columns)
    # A long reading has a number in the header and its words below; short ones speak for themselves.
    numbered = any(len(name) > 18 for name in names)
    heads = "".join(
        f'<th scope="col" class="mid">{f"({place})" if numbered else short(name)}</th>'
        for place, name in enumerate(names, 1)
    )
    power = '<th scope="col">Strength of the test</th>' if powered else ""
    lines = "".join(_line(row, anchor, columns, powered) for row, anchor in rows)
    return (
        f"<h3>{'Rows and readings' if columns else 'Rows'}</h3>{_agreement(result, labels)}"
        '<div class="box" tabindex="0" role="region" aria-label="rows and readings"><table class="matrix"><thead><tr>'
        '<th scope="col">Row</th>'
        f'<th scope="col">Verdict</th>{heads}{power}</tr></thead><tbody>{lines}</tbody></table></div>'
        f"{_key(shared, names if numbered else [])}"
        f"{_hidden(result, len(rows), len(labels) - len(columns) if columns else 0)}"
    )


def _line(row: RowResult, anchor: str, columns: Sequence[str], powered: bool) -> str:
    shown = sign(row.outcome)
    name = short(row_name(row), 170)
    verdicts = {one.label: one.verdict for one in row.readings}
    cells = "".join(_cell(verdicts.get(label)) for label in columns)
    power = f"<td>{short(strength(row))}</td>" if powered else ""
    return (
        f'<tr><th scope="row">{link(anchor, name)}</th><td><span class="sign {row.outcome}">{shown.symbol}</span> '
        f"{shown.word}</td>{cells}{power}</tr>\n"
    )


def _cell(verdict: Verdict | None) -> str:
    if verdict is None:
        return '<td class="mid quiet"><span class="hidden">not asked</span></td>'
    shown = sign(verdict)
    return (
        f'<td class="mid {verdict}"><span class="sign" aria-hidden="true">{shown.symbol}</span>'
        f'<span class="hidden">{shown.word}</span></td>'
    )


def _key(shared: str, names: Sequence[str]) -> str:
    """The readings in words, where the header has numbers only, and what all of them have in common."""
    items = "".join(f"<li>({place}) {short(one)}</li>" for place, one in enumerate(names, 1))
    common = f"<li>All readings: {short(shared)}.</li>" if shared else ""
    return f'<ol class="key">{items}{common}</ol>' if items or common else ""


def _agreement(result: TableResult, labels: Sequence[str]) -> str:
    """Which reading fits all rows."""
    if result.fits_all:
        which = listed(f"“{one}”" for one in result.fits_all[:6])
        return f'<p>Every tested row is consistent with <strong class="yes">{short(which, 600)}</strong>.</p>'
    if len(labels) > 1:
        return "<p>No single reading fits every tested row.</p>"
    return ""


def _hidden(result: TableResult, shown: int, more_readings: int) -> str:
    parts = []
    if shown < len(result.rows):
        parts.append(f"{counted(len(result.rows) - shown, 'row')} without findings not listed here")
    if more_readings:
        parts.append(f"{counted(more_readings, 'further reading')} in the JSON report")
    return f'<p class="quiet">{"; ".join(parts)}.</p>' if parts else ""
