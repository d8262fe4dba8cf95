"""An audit in the terminal: the findings first, then the tables in a line each, and one sentence about the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoreproof.cli.output import escaped
from scoreproof.cli.words import show_findings
from scoreproof.results import COLOURS, plain

if TYPE_CHECKING:
    from rich.console import Console

    from scoreproof.papers.result import AuditResult, TableResult

_COLOUR = COLOURS | {"inconsistent": "bold red"}
_MOST_CARDS = 20
_MOST_ITEMS = 10


def show_audit(result: AuditResult, out: Console) -> None:
    """The summary a reviewer wants to see first."""
    from scoreproof.findings.audits import next_tests
    from scoreproof.pages.audit_view import headline, passed

    if result.title:
        out.print(plain(result.title), style="bold", markup=False)
    if result.source:
        out.print(plain(result.source), markup=False)
    findings, outcomes = result.findings, result.outcomes()
    out.print(f"[{_COLOUR[result.verdict]}]{result.verdict}[/]  {escaped(headline(outcomes, findings), None)}")
    for finding in findings[:_MOST_CARDS]:
        out.print()
        show_findings((finding,), out)
    if len(findings) > _MOST_CARDS:
        out.print(f"and {len(findings) - _MOST_CARDS} more (--json and --html have them all)")
    out.print()
    if passed(outcomes):
        out.print(passed(outcomes), markup=False)
    for table in result.tables:
        _show_table(table, out)
    for claim in result.claims:
        word = {True: "[green]holds[/]", False: "[bold red]not supported[/]", None: "[yellow]open[/]"}[claim.holds]
        if claim.recheck is not None:
            standing = str(claim.recheck.verdict)
            word = f"[{COLOURS[standing]}]{standing}[/]"
        out.print(f"{word}  [bold]{escaped(claim.text)}[/]  {escaped(claim.words, 400)}")
        for need in claim.recheck.needs if claim.recheck is not None else ():
            out.print(f"  would need {plain(need)}", markup=False)
    wanted = next_tests(result)
    if wanted:
        out.print("[bold]What would allow the next test[/]")
        for words in wanted[:_MOST_ITEMS]:
            out.print(f"  {plain(words)}", markup=False)


def _show_table(table: TableResult, out: Console) -> None:
    """A line on what was read and tested, and what is said beside it."""
    tally, unread = table.tally, table.tally.get("unread", 0)
    read, missing = tally.get("number", 0) + tally.get("counts", 0), tally.get("missing", 0)
    rows = ", ".join(f"{number} {name}" for name, number in table.outcomes().items() if number) or "no rows"
    colour = "yellow" if unread else "green"
    out.print(
        f"[bold]{escaped(table.name)}[/]  {rows}; {read} cells read, {missing} missing, [{colour}]{unread} unread[/]"
    )
    for words in table.other_sizes[:_MOST_ITEMS]:
        out.print(f"  [yellow]sizes[/]  {escaped(words, 400)}")
    for cell in table.unread[:_MOST_ITEMS]:
        shown = escaped(str(cell["raw"]))
        out.print(f"  unread  row {cell['row'] + 1}, column {cell['column'] + 1}: {shown} ({cell['why']})")
    for row in table.rows:
        if row.outcome in ("undecided", "error"):
            late = next((reading.answer.reason for reading in row.readings if reading.verdict == "undecided"), "")
            out.print(
                f"  [{_COLOUR[row.outcome]}]{row.outcome}[/]  {escaped(row.label)}: {escaped(row.error or late, 400)}"
            )
    for column in table.untested[:_MOST_ITEMS]:
        out.print(f"  not tested  {plain(column)}", markup=False, style="dim")
