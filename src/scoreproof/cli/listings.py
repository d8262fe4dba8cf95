"""What stands in a document and in the catalogue: ``scoreproof tables`` and ``scoreproof catalog``.

``tables`` shows what was read from a document, cell by cell, and what was not; ``catalog`` the known experiments, and
which reading of one a report fits.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scoreproof.cli.app import AsJson, Only, app, grouped, option, says
from scoreproof.cli.output import STATUS, assignments, console, emit_json, escaped, new_table, show
from scoreproof.csv_reader import read_content
from scoreproof.errors import InvalidOption
from scoreproof.reported.conventions import Conventions

if TYPE_CHECKING:
    from rich.console import Console

    from scoreproof.catalog import Benchmark, Entry, Reading
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
    meanings = [interpret(table, columns=named, decimal_comma=decimal_comma, percent=percent) for table in chosen]
    if as_json:
        document: dict[str, Any] = {
            "source": tables.source,
            "format": tables.format,
            "tables": [meaning.to_dict() for meaning in meanings],
            "problems": list(tables.problems),
        }
        emit_json(document)
        return
    out = console()
    for meaning in meanings:
        _show_tables(meaning, out)
    for problem in tables.problems:
        out.print(f"[yellow]not read:[/] {escaped(problem)}")


def _show_tables(meaning: Interpretation, out: Console) -> None:
    table = meaning.table
    out.rule(style="dim")
    out.print(f"[bold]{escaped(str(table.position))}[/]  {table.format}")
    if table.caption:
        out.print(table.caption[:300], markup=False)
    grid = new_table(*[""] * table.shape[1])
    grid.show_header = False
    unread = {(cell.row, cell.column) for cell in meaning.unread}
    untested = {column.index for column in meaning.untested}
    for index, row in enumerate(table.rows[:_MOST_ROWS]):
        cells = []
        for place, text in enumerate(row):
            shown = escaped(text)
            if (index, place) in unread:
                shown = f"[black on yellow]{shown}[/]"
            elif index < table.header_rows:
                shown = f"[bold]{shown}[/]"
            elif (index if meaning.transposed else place) in untested:
                shown = f"[dim]{shown}[/]"
            cells.append(shown)
        grid.add_row(*cells, end_section=index == table.header_rows - 1)
    out.print(grid)
    if table.shape[0] > _MOST_ROWS:
        out.print(f"... {table.shape[0] - _MOST_ROWS} more rows")
    _show_meaning(meaning, out)


def _show_meaning(meaning: Interpretation, out: Console) -> None:
    if not meaning.score_columns:
        headers = ", ".join(column.heading.text for column in meaning.columns if column.heading.text)
        out.print(f"No column is named like a score; the headers are: {escaped(headers)}")
        out.print("Say what a column is with --column HEADER=SCORE; 'scoreproof scores' lists the scores.")
        return
    tally = meaning.tally
    colour = "yellow" if tally["unread"] else "green"
    out.print(
        f"{tally['number']} cells read, {tally['missing']} missing, "
        f"[{colour}]{tally['unread']} unread[/]; {len(meaning.reports)} reports to check"
    )
    for cell in meaning.unread[:50]:
        out.print(f"  unread  row {cell.row + 1}, column {cell.column + 1}: {escaped(cell.raw)} ({cell.why})")
    if len(meaning.unread) > 50:
        out.print(f"  ... {len(meaning.unread) - 50} more (--json has them all)")
    for column in meaning.untested:
        out.print(f"  not tested  {escaped(column.heading.text)}: {column.heading.note}")
    for group, why in meaning.class_averages.items():
        out.print(f"  averages over classes  {f'{group}: ' if group else ''}{why}", markup=False)
    for words in meaning.not_compared:
        out.print(f"  not compared  {words}", markup=False)
    for assumption in meaning.assumptions:
        out.print(f"  assumed  {assumption}", markup=False)
    for note in meaning.table.notes:
        out.print(f"  note  {note}", markup=False)
    for block in meaning.folds:
        out.print(f"  folds  {block}", markup=False)
        for average in block.check_averages():
            out.print(f"    {average}", style="" if average else "red", markup=False)
    if meaning.class_report is not None:
        out.print(f"  {meaning.class_report}", markup=False)
        for average in meaning.class_report.check_averages():
            out.print(f"    {average}", style="" if average else "red", markup=False)


_TAKEN = ("minimum", "maximum", "attained", "rounding", "eps", "undefined")


@dataclass(frozen=True, slots=True)
class SelectedOptions:
    """What of the entries is meant."""

    choose: list[str] | None = says(
        "Fix an axis of the entry, such as split=train.", None, "--set", metavar="AXIS=VALUE"
    )
    item: list[str] | None = says("Only this image or batch, such as 01.", metavar="NAME")
    folds: int | None = says("Read a data set as cross-validation with this many folds.")
    repeats: int = says("How often the cross-validation was repeated.", 1)
    file: list[Path] | None = says("A YAML file with an entry of your own.")


@app.command("catalog")
@grouped
def catalog_command(
    name: Annotated[str | None, typer.Argument(help="An entry, such as drive; all are listed without it.")] = None,
    scores: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME=VALUE]...", help="Scores as printed: says which readings they fit."),
    ] = None,
    *,
    selected: SelectedOptions,
    how: Annotated[Conventions, Only(*_TAKEN)],
    budget: Annotated[float, option("Seconds per reading after which it is undecided.")] = 30.0,
    list_all: Annotated[bool, option("List every common data set and benchmark too.", "--all")] = False,
    as_json: AsJson = False,
) -> None:
    """Known experiments: their class counts, citations and usual readings; benchmarks of known size.

    With scores, exit status: 0 if some reading is consistent, 1 if none is, 2 wrong usage, 3 undecided. --minimum and
    --maximum are the smallest and largest value over the images, batches or folds; readings that add all matrices have
    neither, and are then left out.

    Example: scoreproof catalog drive --item 01 acc=0.9633 sens=0.7406
    """
    from scoreproof.catalog import benchmarks, entries, entry, identify

    files = selected.file or []
    if name is None:
        _list_entries(entries(files), benchmarks(), everything=list_all, as_json=as_json)
        return
    known = entry(name, files)
    chosen = assignments(selected.choose or [], "--set")
    if not scores:
        if how.stated:
            raise InvalidOption(f"{', '.join(how.stated)}: that is about a report; give its scores, such as acc=0.90")
        readings = known.readings(items=selected.item or None, folds=selected.folds, repeats=selected.repeats, **chosen)
        if as_json:
            emit_json({**known.to_dict(), "readings": [reading.to_dict() for reading in readings]})
        else:
            _show_entry(known, readings)
        return
    for score in scores:
        if "=" not in score:
            raise InvalidOption(f"scores: expected NAME=VALUE such as acc=0.90, got {score!r}")
    identification = identify(
        known,
        assignments(scores, "scores"),
        items=selected.item or None,
        folds=selected.folds,
        repeats=selected.repeats,
        chosen=chosen,
        budget=budget,
        **how.stated,
    )
    show(identification, as_json=as_json)
    raise typer.Exit(STATUS[identification.verdict])


def _list_entries(shelf: tuple[Entry, ...], sized: tuple[Benchmark, ...], *, everything: bool, as_json: bool) -> None:
    if as_json:
        emit_json(
            [
                {
                    "name": listing.name,
                    "aliases": list(listing.aliases),
                    "title": listing.title,
                    "task": listing.task,
                    "citation": listing.citation,
                    "sets": len(listing.sets),
                }
                for listing in (*shelf, *(known.entry() for known in sized))
            ]
        )
        return
    plain = [shelved for shelved in shelf if shelved.source == "common.yaml"]
    table = new_table("name", "what", "counts known by")
    for listing in shelf:
        if listing.source == "common.yaml":
            continue
        items = [listing.item] if any(part.item for part in listing.sets) else []
        axes = ", ".join([*items, *(axis.name for axis in listing.axes)])
        table.add_row(f"[bold]{listing.name}[/]", listing.title, axes or "data set")
    out = console()
    out.print(table)
    if everything:
        counts = new_table("common binary data set", "p", "n", right="pn")
        for listing in plain:
            counts.add_row(escaped(listing.name), str(listing.sets[0].p), str(listing.sets[0].n))
        out.print(counts)
        sizes = new_table("benchmark", "a share of", "score", right=("a share of",))
        for known in sized:
            for split, size in known.splits.items():
                sizes.add_row(escaped(f"{known.name}, {split}", None), f"{size:,}", known.score)
        out.print(sizes)
    else:
        out.print(
            f"and {len(plain)} common binary data sets, {len(sized)} benchmarks of known size (--all lists them)."
        )
    out.print("Show one with: scoreproof catalog drive", markup=False)
    out.print("Test a report with: scoreproof catalog drive --item 01 acc=0.9633 sens=0.7406", markup=False)


def _show_entry(known: Entry, readings: tuple[Reading, ...]) -> None:
    from scoreproof.kinds.binary.experiment import total_counts

    out = console()
    out.print(f"[bold]{escaped(known.title, None)}[/]")
    out.print(known.task, markup=False)
    out.print(known.citation, markup=False)
    for note in known.notes:
        out.print(f"- {note}", markup=False)
    if known.axes:
        axes = new_table("axis", "value", "meaning", "")
        for axis in known.axes:
            for place, (value, words) in enumerate(axis.values.items()):
                role = "default" if value == axis.default else "tried" if axis.use == "reading" else ""
                axes.add_row(
                    f"[bold]{escaped(axis.name)}[/]" if place == 0 else "", escaped(value), escaped(words, None), role
                )
        out.print(axes)
    table = new_table("reading", "p in all", "n in all", right=("p in all", "n in all"))
    for reading in readings:
        p, n = total_counts(reading.experiment)
        table.add_row(escaped(reading.label, None), f"{p:,}", f"{n:,}")
    out.print(table)
