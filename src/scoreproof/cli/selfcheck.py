"""``scoreproof selfcheck``: the tables of a paper against the predictions behind them, before somebody else does it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scoreproof.cli.app import app
from scoreproof.cli.options import AsJson, option
from scoreproof.cli.output import EXIT_NO, EXIT_UNDECIDED, console, emit_json
from scoreproof.errors import InvalidOption

if TYPE_CHECKING:
    from scoreproof.metrics.files import PredictionTable


@app.command("selfcheck")
def selfcheck_command(
    predictions: Annotated[Path, typer.Argument(help="CSV file with a header, one line per case.")],
    paper: Annotated[Path, typer.Argument(help="The paper or table: .tex, .docx, .html, .md, .csv, .xlsx, .pdf.")],
    truth: Annotated[str | None, option("Column of the truth.")] = None,
    predicted: Annotated[str | None, option("Column of the predictions.")] = None,
    fold: Annotated[str | None, option("Column that says in which fold a case was tested.")] = None,
    positive: Annotated[str | None, option("The positive label, where it is not 1.")] = None,
    row: Annotated[str | None, option("The row of the table that the predictions are of.")] = None,
    rounding: Annotated[str, option("How values were cut to digits: nearest, floor, ceil, any.")] = "nearest",
    as_json: AsJson = False,
) -> None:
    """Compare each printed score of a table with what the predictions give, and write the correct row.

    Without a usual column of predictions, columns named like rows of the table are the predictions of these rows.

    Exit status: 0 every compared score is right, 1 one is wrong, 2 wrong usage or unreadable input, 3 none compared.

    Example: scoreproof selfcheck predictions.csv paper.tex --truth label
    """
    from scoreproof.documents.read import read_paper
    from scoreproof.metrics.files import positive_label, read_predictions
    from scoreproof.papers.selfcheck import selfcheck
    from scoreproof.papers.table_semantics import interpret

    cases = read_predictions(predictions)
    read = read_paper(paper)
    tables = read.tables
    truth_column = cases.need("truth", truth)
    labels = {one.label for table in tables for one in interpret(table).reports}
    columns = _methods(
        cases, predicted, row, [name for name in cases.columns if name in labels and name != truth_column]
    )
    actual, *guessed = cases.labels([truth_column, *columns.values()])
    folds: Any = None
    if fold is not None:
        (folds,) = cases.labels([cases.need("truth", fold)])
    by_row: Any = dict(zip(columns, guessed, strict=True))
    checked = selfcheck(
        actual,
        by_row[""] if list(columns) == [""] else by_row,
        read,
        folds=folds,
        positive=positive_label(actual, positive),
        rounding=rounding,
    )
    if as_json:
        emit_json(checked.to_dict())
    else:
        out = console()
        out.print(checked)
        for line in checked.untested:
            out.print(f"not compared  {line}", markup=False)
        if checked.wrong:
            for line in checked.corrected:
                out.print(f"correct row:  {line}", markup=False)
        for near in checked.to_look_at:
            out.print(f"to look at:   {near}", markup=False)
    raise typer.Exit(EXIT_UNDECIDED if not checked.cells else EXIT_NO if checked.wrong else 0)


def _methods(cases: PredictionTable, predicted: str | None, row: str | None, named: list[str]) -> dict[str, str]:
    """The rows of the table and the columns with their predictions."""
    column = cases.find("predicted", predicted)
    if column is not None:
        return {row or "": column}
    if row is not None or not named:
        raise InvalidOption(
            f"{cases.source}: which column are the predictions? say --predicted; there are {', '.join(cases.columns)}"
        )
    return {name: name for name in named}
