"""An audit in the terminal: what was read, what fits, and under which reading."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoreproof.cli.output import escaped, new_table
from scoreproof.results import COLOURS, plain

if TYPE_CHECKING:
    from rich.console import Console

    from scoreproof.papers.result import AuditResult, RowResult, TableResult

_COLOUR = COLOURS | {"inconsistent": "bold red"}
_MOST_ROWS = 60
_MOST_SAID = 20


def show_audit(result: AuditResult, out: Console) -> None:
    """The summary a reviewer wants to see first."""
    if result.title:
        out.print(plain(result.title), style="bold", markup=False)
    if result.source:
        out.print(plain(result.source), markup=False)
    for said in result.extracted[:_MOST_SAID]:
        out.print(f"  read   {plain(str(said))[:400]}", markup=False, style="dim")
    for table in result.tables:
        _show_table(table, out)
    for claim in result.claims:
        word = {True: "[green]holds[/]", False: "[bold red]not supported[/]", None: "[yellow]open[/]"}[claim.holds]
        if claim.recheck is not None:
            standing = str(claim.recheck.verdict)
            word = f"[{COLOURS[standing]}]{standing}[/]"
        out.print(f"\n{word}  [bold]{escaped(claim.text)}[/]")
        out.print(f"  {plain(claim.words)}", markup=False)
        for need in claim.recheck.needs if claim.recheck is not None else ():
            out.print(f"  would need {plain(need)}", markup=False)
    out.print()
    out.print(f"[{_COLOUR[result.verdict]}]{result.verdict}[/]  {escaped(result.summary, None)}")


def _show_table(table: TableResult, out: Console) -> None:
    out.print()
    out.rule(f"[bold]{escaped(table.name)}[/]", align="left", style="dim")
    if table.table.caption:
        out.print(plain(table.table.caption)[:300], markup=False)
    tally = table.tally
    read = tally.get("number", 0) + tally.get("counts", 0)
    unread = tally.get("unread", 0)
    colour = "yellow" if unread else "green"
    missing, rows = tally.get("missing", 0), _counts(table.outcomes())
    out.print(f"{read} cells read, {missing} missing, [{colour}]{unread} unread[/]; {rows}")
    for words in table.other_sizes[:_MOST_SAID]:
        out.print(f"  [yellow]sizes[/]  {escaped(words, 400)}")
    _show_rows(table, out)
    for cell in table.unread[:10]:
        shown = escaped(str(cell["raw"]))
        out.print(f"  unread  row {cell['row'] + 1}, column {cell['column'] + 1}: {shown} ({cell['why']})")
    for check in table.checks:
        if check.verdict != "consistent":
            out.print(f"  [{_COLOUR[check.verdict]}]{check.verdict}[/]  {escaped(check.words, 400)}")
    for question in table.questions:
        out.print(f"  [{_COLOUR['question']}]question[/]  {escaped(str(question), 400)}")
    agreeing = sum(check.verdict == "consistent" for check in table.checks)
    if agreeing:
        out.print(f"  {agreeing} comparison{'s' * (agreeing != 1)} inside the table agree{'s' * (agreeing == 1)}")
    if table.fits_all and len(table.rows) > 1:
        out.print(f"  every row fits: {'; '.join(table.fits_all)}", markup=False)
    if table.explanation is not None:
        out.print(f"  {plain(str(table.explanation))}", markup=False)
    for column in table.untested:
        out.print(f"  not tested  {plain(column)}", markup=False, style="dim")


def _show_rows(table: TableResult, out: Console) -> None:
    from scoreproof.pages.labels import headings, in_the_papers_words, labels

    grid = new_table("row", "verdict", "why")
    grid.show_header = False
    grid.columns[0].max_width, grid.columns[1].no_wrap = 34, True
    heads = headings(table.table)
    # The rows that need attention come first in a table too long to show.
    rows = list(table.rows)
    if len(rows) > _MOST_ROWS:
        rows = [row for row in rows if row.outcome not in ("consistent", "not tested")][:_MOST_ROWS]
    for row in rows:
        name = f"{row.label} ({row.group})" if row.group else row.label
        said = in_the_papers_words(_said(row), labels(row.cells, row.label, heads))
        grid.add_row(escaped(name), f"[{_COLOUR[row.outcome]}]{row.outcome}[/]", escaped(said, 400))
    if rows:
        out.print(grid)
    if len(rows) < len(table.rows):
        out.print(f"  {len(table.rows) - len(rows)} more rows, not shown here (--json and --html have them all)")


def _said(row: RowResult) -> str:
    """One line about a row: under which reading it fits, or the first sentence of why it does not."""
    if row.error:
        return row.error
    if row.outcome == "not tested":
        return "; ".join(row.notes)
    parts = []
    fitting = row.fitting()
    if row.outcome == "question":
        parts.append(f"impossible {row.reason}")
    elif fitting and len(fitting) == len(row.readings) > 1:
        parts.append(_under_all(len(fitting)))
    elif fitting and len(row.readings) > 1:
        more = f"; and {len(fitting) - 2} more" if len(fitting) > 2 else ""
        parts.append(f"with {len(fitting)} of {len(row.readings)} readings: {'; '.join(fitting[:2])}{more}")
    elif row.outcome == "inconsistent":
        parts.append(f"{', '.join(f'{cell.score} {cell.raw}' for cell in row.cells)}")
        readings = len(row.readings)
        parts.append(_under_all(readings) if readings > 1 else row.readings[0].words)
        if row.explanation is not None:
            parts.append(row.explanation.summary)
    elif row.outcome == "undecided":
        parts.append(next((reading.answer.reason for reading in row.readings if reading.verdict == "undecided"), ""))
    elif row.readings:
        parts.append(row.readings[0].words)
    if row.strength is not None:
        parts.append(row.strength.words)
    return "; ".join(part.rstrip(".") for part in (*parts, *row.notes) if part)


def _under_all(readings: int) -> str:
    return "under both readings" if readings == 2 else f"under all {readings} readings"


def _counts(outcomes: dict[str, int]) -> str:
    return ", ".join(f"{number} {name}" for name, number in outcomes.items() if number) or "no rows"
