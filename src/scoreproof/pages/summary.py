"""The first screen: what a reviewer needs before any detail."""

from __future__ import annotations

from collections.abc import Iterator

from scoreproof.asking import Verdict
from scoreproof.audits import AuditResult, ClaimResult, Outcome, RowResult, TableResult
from scoreproof.pages.escape import link, short, whole
from scoreproof.pages.extent import Extent
from scoreproof.pages.words import (
    CAUTION,
    MEANINGS,
    SIGNS,
    counted,
    listed,
    row_name,
    sentence,
    sign,
    strength,
    table_name,
    verdict_sentence,
    why,
)

_MOST_FINDINGS = 60
_CLAIMS = {True: ("consistent", "the tables support it"), False: ("inconsistent", "the tables do not support it")}


def headline(result: AuditResult) -> str:
    """The outcome of the whole audit in one sentence."""
    rows = result.outcomes()
    tested = sum(rows[name] for name in ("consistent", "inconsistent", "undecided"))
    wrong = rows["inconsistent"]
    broken = [one for table in result.tables for one in table.checks if str(one.get("verdict")) == "inconsistent"]
    averages = sum(one.get("kind", "average") == "average" for one in broken)
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
    if rows["undecided"]:
        return f"No inconsistency was found; {rows['undecided']:,} of {counted(tested, 'tested row')} are undecided."
    if rows["error"]:
        return f"All {counted(tested, 'tested row')} are consistent; {rows['error']:,} could not be checked."
    if tested == 1:
        return "The one tested row is consistent with the experiment as described."
    return f"All {counted(tested, 'tested row')} are consistent with the experiments as described."


def summary(result: AuditResult, extent: Extent) -> str:
    """The summary section; ``extent`` knows where the texts of rows stand."""
    outcome = sign(result.verdict)
    stopped = (
        '<p class="banner">The audit was interrupted: rows that were not reached are missing below.</p>'
        if result.interrupted
        else ""
    )
    return (
        f'<section id="summary"><h2 class="hidden">Summary</h2>{stopped}'
        f'<p class="headline {result.verdict}"><span class="sign" aria-hidden="true">{outcome.symbol}</span> '
        f"{short(headline(result), 600)}</p>"
        f"{_tiles(result)}{_tables(result)}{_findings(result, extent)}{_claims(result.claims)}"
        f'<p class="quiet caution">{CAUTION}</p></section>'
    )


def _tiles(result: AuditResult) -> str:
    rows = result.outcomes()
    unread = sum(table.tally.get("unread", 0) for table in result.tables)
    shown = [
        (f"{SIGNS[name].symbol} {SIGNS[name].word}", rows[name], name)
        for name in map(str, Outcome)
        if rows[name] or name in ("consistent", "inconsistent", "undecided")
    ]
    shown.append(("cells unread", unread, "unread" if unread else ""))
    tiles = "".join(f'<li class="{kind}"><b>{number:,}</b> {label}</li>' for label, number, kind in shown)
    return f'<ul class="tiles">{tiles}</ul>'


def _tables(result: AuditResult) -> str:
    """One line per table: rows by outcome, cells read and unread, and the reading that fits all rows."""
    if not result.tables:
        return "<p>No table was found.</p>"
    rare = [name for name in ("untested", "error") if result.outcomes()[name]]
    names = ["consistent", "inconsistent", "undecided", *rare]
    heads = "".join(
        f'<th scope="col" class="num"><span aria-hidden="true">{SIGNS[name].symbol}</span> {SIGNS[name].word}</th>'
        for name in names
    )
    lines = "".join(_table(place, table, names) for place, table in enumerate(result.tables))
    return (
        '<div class="box" tabindex="0" role="region" aria-label="tables in short"><table class="short"><thead><tr>'
        f'<th scope="col">Table</th><th scope="col" class="num">rows</th>{heads}<th scope="col" class="num">cells read'
        '</th><th scope="col" class="num">missing</th><th scope="col" class="num">unread</th><th scope="col">fits every'
        f" row</th></tr></thead><tbody>{lines}</tbody></table></div>"
    )


def _table(place: int, table: TableResult, names: list[str]) -> str:
    rows, tally = table.outcomes(), table.tally
    cells = "".join(f'<td class="num{f" {name}" * bool(rows[name])}">{rows[name]:,}</td>' for name in names)
    read = tally.get("number", 0) + tally.get("counts", 0)
    fits = listed(table.fits_all[:3]) + (" …" if len(table.fits_all) > 3 else "")
    return (
        f'<tr><th scope="row"><a href="#table-{place + 1}">{short(table_name(table, place))}</a></th>'
        f'<td class="num">{len(table.rows):,}</td>{cells}<td class="num">{read:,}</td>'
        f'<td class="num">{tally.get("missing", 0):,}</td><td class="num">{tally.get("unread", 0):,}</td>'
        f"<td>{short(fits, 160) or '–'}</td></tr>"
    )


def _findings(result: AuditResult, extent: Extent) -> str:
    """What needs a second look, with links."""
    items = list(_finding_items(result, extent))
    if not items:
        return ""
    more = (
        f'<p class="quiet">and {counted(len(items) - _MOST_FINDINGS, "more finding")} in the tables below.</p>'
        if len(items) > _MOST_FINDINGS
        else ""
    )
    return f'<h3>To look at again</h3><ul class="findings">{"".join(items[:_MOST_FINDINGS])}</ul>{more}'


def _finding_items(result: AuditResult, extent: Extent) -> Iterator[str]:
    for place, table in enumerate(result.tables):
        name = short(table_name(table, place), 80)
        for one in table.checks:
            if str(one.get("verdict")) != "consistent":
                shown = sign(one.get("verdict"))
                yield (
                    f'<li><span class="sign {short(one.get("verdict"), 20)}" aria-hidden="true">{shown.symbol}</span> '
                    f'<a href="#table-{place + 1}">{name}</a>: {short(sentence(str(one.get("words", ""))), 400)}</li>'
                )
        for wanted in (Outcome.INCONSISTENT, Outcome.ERROR, Outcome.UNDECIDED):
            for index, row in enumerate(table.rows):
                if row.outcome is wanted:
                    yield _finding(row, name, extent.anchor(place, index))


def _finding(row: RowResult, table: str, place: str) -> str:
    said = why(row) if row.outcome is Outcome.INCONSISTENT else ""
    power = f' <span class="quiet">Strength: {short(strength(row))}.</span>' if strength(row) else ""
    return (
        f'<li><span class="sign {row.outcome}" aria-hidden="true">{sign(row.outcome).symbol}</span> '
        f"{link(place, short(row_name(row), 170))} "
        f'<span class="quiet">({table})</span>: '
        f"{short(said or verdict_sentence(row), 400)}{power}</li>"
    )


def _claims(claims: tuple[ClaimResult, ...]) -> str:
    if not claims:
        return ""
    items = []
    for claim in claims:
        kind, words = ("undecided", "open") if claim.holds is None else _CLAIMS[claim.holds]
        items.append(
            f'<li><span class="sign {kind}" aria-hidden="true">{SIGNS[kind].symbol}</span> “{whole(claim.text, 300)}”: '
            f"<em>{words}</em>. {short(sentence(claim.words), 600)}</li>"
        )
    return f'<h3>Claims of the paper</h3><ul class="findings">{"".join(items)}</ul>'


def meanings(result: AuditResult) -> str:
    """What the verdicts mean."""
    seen = {str(Verdict.CONSISTENT), str(Verdict.INCONSISTENT), str(Verdict.UNDECIDED)}
    seen |= {name for name, number in result.outcomes().items() if number}
    items = "".join(
        f'<dt><span class="sign {name}">{SIGNS[name].symbol}</span> {SIGNS[name].word}</dt><dd>{MEANINGS[name]}</dd>'
        for name in SIGNS
        if name in seen
    )
    return f'<section id="meaning"><h2>What the verdicts mean</h2><dl class="meanings">{items}</dl></section>'
