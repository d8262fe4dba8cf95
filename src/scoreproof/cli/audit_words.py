"""An audit in the terminal: what was read, what fits, and under which reading."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from scoreproof.cli.output import console

if TYPE_CHECKING:
    from rich.console import Console

    from scoreproof.audits.result import AuditResult, RowResult, TableResult

_COLOUR = {
    "consistent": "green",
    "inconsistent": "bold red",
    "undecided": "yellow",
    "untested": "dim",
    "error": "magenta",
}
_MOST_ROWS = 60
_LONGEST = 70


@contextmanager
def progress_bar() -> Iterator[Callable[[int, int, str], None] | None]:
    """A bar on standard error that moves with the rows; none when piped."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("rows"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def moved(done: int, total: int, label: str) -> None:
            bar.update(task, completed=done, total=total, description=_plain(label)[:40])

        yield moved


def show_audit(result: AuditResult, out: Console) -> None:
    """The summary a reviewer wants to see first."""
    if result.title:
        out.print(_plain(result.title), style="bold", markup=False)
    if result.source:
        out.print(_plain(result.source), markup=False)
    for table in result.tables:
        _show_table(table, out)
    for claim in result.claims:
        word = {True: "[green]holds[/]", False: "[bold red]does not hold[/]", None: "[yellow]open[/]"}[claim.holds]
        out.print(f"\n{word}  [bold]{_escaped(claim.text)}[/]")
        out.print(f"  {_plain(claim.words)}", markup=False)
    out.print()
    out.print(f"[{_COLOUR[result.verdict]}]{result.verdict}[/]  {result.summary}")


def _show_table(table: TableResult, out: Console) -> None:
    out.print()
    out.rule(f"[bold]{_escaped(table.name)}[/]", align="left", style="dim")
    if table.table.caption:
        out.print(_plain(table.table.caption)[:300], markup=False)
    tally = table.tally
    read = tally.get("number", 0) + tally.get("counts", 0)
    unread = tally.get("unread", 0)
    colour = "yellow" if unread else "green"
    missing, rows = tally.get("missing", 0), _counts(table.outcomes())
    out.print(f"{read} cells read, {missing} missing, [{colour}]{unread} unread[/]; {rows}")
    _show_rows(table, out)
    for cell in table.unread[:10]:
        shown = _escaped(str(cell["raw"]))
        out.print(f"  unread  row {cell['row'] + 1}, column {cell['column'] + 1}: {shown} ({cell['why']})")
    for one in table.checks:
        if one["verdict"] != "consistent":
            out.print(f"  [{_COLOUR[str(one['verdict'])]}]{one['verdict']}[/]  {_escaped(str(one['words']), 400)}")
    agreeing = sum(one["verdict"] == "consistent" for one in table.checks)
    if agreeing:
        out.print(f"  {agreeing} comparison{'s' * (agreeing != 1)} inside the table agree{'s' * (agreeing == 1)}")
    if table.fits_all and len(table.rows) > 1:
        out.print(f"  every row fits: {'; '.join(table.fits_all)}", markup=False)
    if table.explanation is not None and table.explanation.get("words"):
        out.print(f"  {_plain(str(table.explanation['words']))}", markup=False)
    for column in table.untested:
        out.print(f"  not tested  {_plain(column)}", markup=False, style="dim")


def _show_rows(table: TableResult, out: Console) -> None:
    from rich import box
    from rich.table import Table

    from scoreproof.pages.labels import headings, in_the_papers_words, labels

    grid = Table(box=None, pad_edge=False, show_header=False, padding=(0, 1))
    grid.box = box.SIMPLE
    grid.add_column(overflow="fold", max_width=34)
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    heads = headings(table.table)
    # The rows that need attention come first in a table too long to show.
    rows = list(table.rows)
    if len(rows) > _MOST_ROWS:
        rows = [row for row in rows if row.outcome not in ("consistent", "untested")][:_MOST_ROWS]
    for row in rows:
        name = f"{row.label} ({row.group})" if row.group else row.label
        said = in_the_papers_words(_said(row), labels(row.cells, row.label, heads))
        grid.add_row(_escaped(name), f"[{_COLOUR[row.outcome]}]{row.outcome}[/]", _escaped(said, 400))
    if rows:
        out.print(grid)
    if len(rows) < len(table.rows):
        out.print(f"  {len(table.rows) - len(rows)} more rows, not shown here (--json and --html have them all)")


def _said(row: RowResult) -> str:
    """One line about a row: under which reading it fits, or the first sentence of why it does not."""
    if row.error:
        return row.error
    if row.outcome == "untested":
        return "; ".join(row.notes)
    parts = []
    fitting = row.fitting()
    if fitting and len(fitting) == len(row.readings) > 1:
        parts.append(f"under all {len(fitting)} readings")
    elif fitting and len(row.readings) > 1:
        more = f"; and {len(fitting) - 2} more" if len(fitting) > 2 else ""
        parts.append(f"with {len(fitting)} of {len(row.readings)} readings: {'; '.join(fitting[:2])}{more}")
    elif row.outcome == "inconsistent":
        parts.append(f"{', '.join(f'{cell.score} {cell.raw}' for cell in row.cells)}")
        readings = len(row.readings)
        parts.append(f"under all {readings} readings" if readings > 1 else row.readings[0].words)
        if row.explanation is not None and row.explanation.get("summary"):
            parts.append(str(row.explanation["summary"]))
    elif row.outcome == "undecided":
        parts.append(next((one.reason for one in row.readings if one.verdict == "undecided"), ""))
    elif row.readings:
        parts.append(row.readings[0].words)
    if row.strength is not None and row.strength.get("words"):
        parts.append(str(row.strength["words"]))
    return "; ".join(part.rstrip(".") for part in (*parts, *row.notes) if part)


def _counts(outcomes: dict[str, int]) -> str:
    return ", ".join(f"{number} {name}" for name, number in outcomes.items() if number) or "no rows"


def _plain(text: str) -> str:
    """Text of a paper without what could steer a terminal."""
    return "".join(char if char.isprintable() else "�" for char in text)


def _escaped(text: str, longest: int = _LONGEST) -> str:
    from rich.markup import escape

    shown = _plain(text)
    return escape(shown if len(shown) <= longest else f"{shown[: longest - 1]}…")
