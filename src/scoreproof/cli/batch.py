"""``scoreproof batch``: a frame of many reports in, the same rows with verdicts out."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scoreproof.cli.app import AsJson, Certificate, Only, app, grouped, says, where
from scoreproof.cli.output import (
    EXIT_INTERRUPTED,
    STATUS,
    assignments,
    console,
    emit_json,
    fail,
    progress_bar,
    show_verification,
    write_proof,
)
from scoreproof.errors import InvalidOption
from scoreproof.files import write_file
from scoreproof.reported.conventions import Conventions

if TYPE_CHECKING:
    from scoreproof.batches import BatchResult

_PAGE = "summary.html"


@dataclass(frozen=True, slots=True)
class ColumnOptions:
    """What the columns hold."""

    column: list[str] | None = says(
        "Which column a score or setting is in, such as acc='Acc. (test)'.", metavar="NAME=COLUMN"
    )
    carry: list[str] | None = says("A column to carry along whatever its name says.", metavar="COLUMN")
    percent: list[str] | None = says("A column of percentages, if its heading does not say so.", metavar="COLUMN")
    source: str | None = says("The column to count verdicts by.", metavar="COLUMN")
    long: bool | None = says("Each line has one score of a report (columns score and value).", None, "--long/--wide")
    experiment_file: Path | None = says(
        "The experiment of all rows as a JSON or YAML file, or catalog:NAME,... of a known one.", None, "--experiment"
    )


@dataclass(frozen=True, slots=True)
class WorkOptions:
    """How the rows are worked on."""

    strength: bool = says("Ask of every pass how surprising it is (takes longer).", False)
    explain: bool = says("Write the finding of each row that does not fit (takes longer).", False)
    rows_per_part: int = says("Rows of a part, and of a task.", 20_000)
    workers: int | None = says("Processes that share the work (default 1; -1: one per core).")
    cluster: str | None = says("A Dask cluster to do the work: the address of its scheduler, tcp://HOST:PORT.")
    budget: float = says("Seconds per row after which it is 'undecided'.", 30.0)
    seed: int = says("Seed of the searches.", 0)


@dataclass(frozen=True, slots=True)
class KeptOptions:
    """Output."""

    csv: Path | None = says("Write the rows with their verdicts as one CSV file, too.")
    proof: int | None = says(
        "Fetch the proof of this row (from 1) from a finished batch, and verify it.", metavar="ROW"
    )


@app.command("batch")
@grouped
def batch_command(
    frame: Annotated[
        Path,
        typer.Argument(
            help="The rows: a CSV, Parquet or Arrow file, or a folder of boards; with --proof a finished OUT."
        ),
    ],
    out: Annotated[Path | None, typer.Argument(help="The folder for the parts; run again to go on from it.")] = None,
    *,
    columns: ColumnOptions,
    how: Annotated[Conventions, Only("rounding", "eps", "digits", "beta", "undefined", "strict")],
    work: WorkOptions,
    kept: KeptOptions,
    certificate: Certificate = None,
    as_json: AsJson = False,
) -> None:
    """Check every row of a table of reported results.

    Columns are known by their names: scores (acc, sens, F1...), p and n, folds, repeats, kind and so on. OUT gets the
    rows with their verdicts as Parquet parts, the proofs in them, and a summary page.

    Exit status: 0 everything consistent, 1 something inconsistent, 2 wrong usage or unreadable input, 3 something
    undecided, 130 interrupted. With --proof: 0 valid, 1 not valid.

    Example: scoreproof batch reports.csv out --csv verdicts.csv
    """
    csv, proof = kept.csv, kept.proof
    if proof is not None:
        beside = {"OUT": out, "--column": columns.column, "--workers": work.workers, "--csv": csv}
        beside |= {"--experiment": columns.experiment_file}
        given = [name for name, value in beside.items() if value is not None]
        if given:
            raise InvalidOption(f"--proof reads a finished batch; it cannot be combined with {', '.join(given)}")
        _show_proof(frame, proof, certificate, as_json)
    if out is None:
        raise InvalidOption("the folder for the parts is missing: scoreproof batch reports.csv OUT")
    if certificate is not None:
        raise InvalidOption("--certificate: goes with --proof ROW, the row whose certificate it is")
    from scoreproof.batches import batch
    from scoreproof.cli.experiments import read_experiment

    stated: dict[str, Any] = {
        name: value for name, value in (asdict(columns) | asdict(work)).items() if value is not None
    }
    stated["columns"] = assignments(stated.pop("column", []), "--column")
    file, pool = stated.pop("experiment_file", None), where(stated.pop("workers", None), work.cluster, otherwise=1)
    stated.pop("cluster", None)
    experiment = None if file is None else read_experiment(file)
    try:
        with progress_bar("rows") as (progress, _):
            result = batch(frame, out, experiment=experiment, pool=pool, progress=progress, **stated, **how.stated)
    except KeyboardInterrupt:
        fail(f"interrupted; the finished parts are in {out}: run the same command again to go on")
        raise typer.Exit(EXIT_INTERRUPTED) from None
    _finished(result, out, csv, as_json)


def _finished(result: BatchResult, out: Path, csv: Path | None, as_json: bool) -> None:
    from scoreproof.pages import batch_page

    write_file(out / _PAGE, batch_page(result))
    if csv is not None:
        from scoreproof.batches.frame_files import write_csv

        write_csv(result, csv)
    if as_json:
        emit_json(result.to_dict())
    else:
        console().print(result)
        for note in result.notes:
            console().print(f"note: {note}", markup=False)
    err = console(stderr=True)
    err.print(f"parts: {out}, summary: {out / _PAGE}" + (f", CSV: {csv}" if csv is not None else ""), markup=False)
    if result.refutations:
        row = result.refutations[0].row
        err.print(f"a proof: scoreproof batch {out} --proof {row}", markup=False)
    raise typer.Exit(STATUS[result.verdict])


def _show_proof(folder: Path, row: int, certificate: Path | None, as_json: bool) -> None:
    from scoreproof.batches import open_batch
    from scoreproof.checking import verify

    proof = open_batch(folder).proof(row)
    verification = verify(proof)
    write_proof(certificate, proof)
    document = {"row": row, "certificate": proof, "verification": verification.to_dict()}
    show_verification(verification, document if as_json else None)
