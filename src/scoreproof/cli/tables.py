"""``scoreproof tables``: what was read from a document, cell by cell, and what was not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scoreproof.cli.app import AsJson, app, option
from scoreproof.cli.output import console, emit_json, escaped, new_table
from scoreproof.csv_reader import read_content
from scoreproof.errors import InvalidOption

if TYPE_CHECKING:
    from rich.console import Console

    from scoreproof.papers.table_semantics import Interpretation

_MOST_ROWS = 200


@app.command("tables")
def tables_command(
    file: Annotated[
        str, typer.Argument(help="CSV, Markdown, HTML, LaTeX, Excel, Word, PDF, text or YAML; - reads text.")
    ],
    kind: Annotated[str | None, option("The format, if the name and the content do not tell.")] = None,
    table: Annotated[int | None, option("Only this table, counted from 1.")] = None,
    column: Annotated[
        list[str] | None, option("What a column is, such as 'PR=precision' (repeatable).", metavar="HEADER=SCORE")
    ] = None,
    decimal_comma: Annotated[
        bool | None, option("Whether 0,912 is 0.912.", "--decimal-comma/--no-decimal-comma")
    ] = None,
    percent: Annotated[
        bool | None, option("The unit of all scores, if the table does not tell.", "--percent/--fraction")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the tables of a document as they were read: columns, scores, counts, folds, and every unread cell.

    Example: scoreproof tables paper.tex --table 2 --column PR=precision
    """
    from scoreproof.documents import read_tables
    from scoreproof.papers.table_semantics import interpret

    tables = read_tables(f"{read_content(file).text}\n" if file == "-" else Path(file), kind=kind)
    chosen = list(tables)
    if table is not None:
        if not 1 <= table <= len(chosen):
            raise InvalidOption(f"--table: expected 1 to {len(chosen)}, got {table}")
        chosen = [chosen[table - 1]]
    named: dict[str | int, str] = {}
    for pair in column or []:
        header, equals, score = pair.rpartition("=")
        if not equals or not header or not score:
            raise InvalidOption(f"--column: expected HEADER=SCORE such as PR=precision, got {pair!r}")
        named[header] = score
    found = [interpret(one, columns=named, decimal_comma=decimal_comma, percent=percent) for one in chosen]
    if as_json:
        document: dict[str, Any] = {
            "source": tables.source,
            "format": tables.format,
            "tables": [one.to_dict() for one in found],
            "problems": list(tables.problems),
        }
        emit_json(document)
        return
    out = console()
    for one in found:
        _show(one, out)
    for problem in tables.problems:
        out.print(f"[yellow]not read:[/] {escaped(problem)}")


def _show(found: Interpretation, out: Console) -> None:
    table = found.table
    out.rule(style="dim")
    out.print(f"[bold]{escaped(str(table.position))}[/]  {table.format}")
    if table.caption:
        out.print(table.caption[:300], markup=False)
    grid = new_table(*[""] * table.shape[1])
    grid.show_header = False
    unread = {(cell.row, cell.column) for cell in found.unread}
    untested = {column.index for column in found.untested}
    for index, row in enumerate(table.rows[:_MOST_ROWS]):
        cells = []
        for place, text in enumerate(row):
            shown = escaped(text)
            if (index, place) in unread:
                shown = f"[black on yellow]{shown}[/]"
            elif index < table.header_rows:
                shown = f"[bold]{shown}[/]"
            elif (index if found.transposed else place) in untested:
                shown = f"[dim]{shown}[/]"
            cells.append(shown)
        grid.add_row(*cells, end_section=index == table.header_rows - 1)
    out.print(grid)
    if table.shape[0] > _MOST_ROWS:
        out.print(f"... {table.shape[0] - _MOST_ROWS} more rows")
    _show_meaning(found, out)


def _show_meaning(found: Interpretation, out: Console) -> None:
    if not found.score_columns:
        headers = ", ".join(column.heading.text for column in found.columns if column.heading.text)
        out.print(f"No column is named like a score; the headers are: {escaped(headers)}")
        out.print("Say what a column is with --column HEADER=SCORE; 'scoreproof scores' lists the scores.")
        return
    tally = found.tally
    colour = "yellow" if tally["unread"] else "green"
    out.print(
        f"{tally['number'] + tally['counts']} cells read, {tally['missing']} missing, "
        f"[{colour}]{tally['unread']} unread[/]; {len(found.reports)} reports to check"
    )
    for cell in found.unread[:50]:
        out.print(f"  unread  row {cell.row + 1}, column {cell.column + 1}: {escaped(cell.raw)} ({cell.why})")
    if len(found.unread) > 50:
        out.print(f"  ... {len(found.unread) - 50} more (--json has them all)")
    for column in found.untested:
        out.print(f"  not tested  {escaped(column.heading.text)}: {column.heading.note}")
    for group, why in found.class_averages.items():
        out.print(f"  averages over classes  {f'{group}: ' if group else ''}{why}", markup=False)
    for words in found.not_compared:
        out.print(f"  not compared  {words}", markup=False)
    for assumption in found.assumptions:
        out.print(f"  assumed  {assumption}", markup=False)
    for note in found.table.notes:
        out.print(f"  note  {note}", markup=False)
    for block in found.folds:
        out.print(f"  folds  {block}", markup=False)
        for one in block.check_averages():
            out.print(f"    {one}", style="" if one else "red", markup=False)
    if found.class_report is not None:
        out.print(f"  {found.class_report}", markup=False)
        for one in found.class_report.check_averages():
            out.print(f"    {one}", style="" if one else "red", markup=False)
