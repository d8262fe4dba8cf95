"""``scoreproof metrics``: a file of predictions in, every metric of its task out.

``scoreproof selfcheck``: the tables of a paper against the predictions behind them, before somebody else does it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from scoreproof.cli.app import AsJson, Html, Plot, app, grouped, option, says
from scoreproof.cli.output import EXIT_NO, EXIT_UNDECIDED, console, emit_json, note, show
from scoreproof.errors import InvalidOption
from scoreproof.figures import check_drawable, save_figure
from scoreproof.files import write_file
from scoreproof.results import in_terminal

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from scoreproof.metrics.files import PredictionColumns, PredictionTable


Task = Literal["binary", "multiclass", "multilabel", "regression", "segmentation", "detection", "retrieval"]
_TWO_FILES = ("segmentation", "detection", "retrieval")
_DRAWN = ("binary", "multiclass", "regression")


@dataclass(frozen=True, slots=True)
class PredictionOptions:
    """Predictions."""

    task: Task = says(
        "binary, multiclass, multilabel, regression, segmentation, detection or retrieval.", "binary", metavar="TASK"
    )
    truth: str | None = says("Column of the truth (multilabel: start of the columns' names).")
    predicted: str | None = says("Column of the predictions (multilabel: start of the columns' names).")
    score: str | None = says("Column of numeric scores, higher meaning more positive (binary).")
    threshold: float | None = says("Positive from this score upwards, 0.5 unless told (binary).")
    training: Path | None = says("CSV file of training predictions to choose the threshold on (binary).")
    criterion: str = says("With --training: the score to be best there (youden, accuracy, f1, ...).", "youden")
    positive: str | None = says("The positive label, if it is not 1 or true (binary).")
    reference: Path | None = says(
        "The truth of segmentation (.npy mask), detection (COCO annotations), retrieval (TREC qrels)."
    )
    undefined: Literal["nan", "zero", "skip"] = says(
        "A score that is 0/0: undefined (nan), zero, or left out of means (skip).", "nan", metavar="WORD"
    )

    @property
    def of_binary(self) -> list[str]:
        """Options that were given and mean something to binary tasks only."""
        names = ("score", "threshold", "training", "positive")
        return [f"--{name}" for name in names if getattr(self, name) is not None]


@app.command("metrics")
@grouped
def metrics(
    file: Annotated[Path, typer.Argument(help="CSV file with a header, one line per case; - reads standard input.")],
    *,
    given: PredictionOptions,
    html: Html = None,
    plot: Plot = None,
    as_json: AsJson = False,
) -> None:
    """Every metric of a file of predictions.

    Columns are found by their usual names (truth, predicted, score, ...) or named by the options. Multiclass files may
    have a score_CLASS column per class, for the AUC and top-k accuracy. Multilabel files have a pair of 0/1 columns per
    label (truth_cat, predicted_cat), or one pair of columns with lists (cat;dog).

    Choose a threshold on training data: the best one on the test set flatters the model.

    Example: scoreproof metrics predictions.csv --training training.csv --html metrics.html
    """
    from scoreproof.metrics import evaluate_regression, files

    task = given.task
    if task != "binary" and given.of_binary:
        raise InvalidOption(f"{given.of_binary[0]} belongs to --task binary, not to {task}")
    if given.threshold is not None and given.training is not None:
        raise InvalidOption("--threshold and --training contradict each other; give one of them")
    if plot is not None and task not in _DRAWN:
        raise InvalidOption(f"--plot: there is no figure for --task {task}; leave it out")
    if plot is not None:
        check_drawable(plot)
    if task in _TWO_FILES:
        _two_files(file, given, html, as_json=as_json)
        return
    if given.reference is not None:
        raise InvalidOption(f"--reference belongs to segmentation, detection and retrieval, not to --task {task}")
    table = files.read_predictions(file)
    named = files.PredictionColumns(given.truth, given.predicted, given.score)
    result: Any
    ranking: dict[str, float] = {}
    if task == "binary":
        result = _binary(table, named, given)
    elif task == "multiclass":
        result = files.multiclass_from_table(table, named, undefined=given.undefined)
        ranking = files.class_ranking_from_table(table, named)
    elif task == "multilabel":
        result = files.multilabel_from_table(table, named, undefined=given.undefined)
    else:
        result = evaluate_regression(*files.regression_columns(table, named))
    if plot is not None:
        save_figure(_figure(task, result, table, named), plot)
    _write_page(html, file, result)
    for remark in table.cells.notes:
        note(remark)
    show(result, as_json=as_json, file=str(file), **ranking)
    if ranking and not as_json:
        from scoreproof.metrics.labels import small_table

        rows = [(name.replace("_", " "), value) for name, value in ranking.items()]
        console().print(in_terminal("", [small_table("Scores of the classes", ["metric", "value"], rows)]))


def _binary(table: PredictionTable, named: PredictionColumns, how: PredictionOptions) -> Any:
    """Two classes, at a threshold that was given or chosen on training data."""
    from scoreproof.metrics import files

    threshold = how.threshold
    if how.training is not None:
        trained = files.read_predictions(how.training)
        chosen = files.threshold_from_table(trained, named, criterion=how.criterion, positive=how.positive)
        threshold = chosen.threshold
    told: dict[str, Any] = {"positive": how.positive, "undefined": how.undefined}
    return files.binary_from_table(table, named, threshold=threshold, **told)


def _figure(task: str, result: Any, table: PredictionTable, named: PredictionColumns) -> Figure:
    from scoreproof.metrics.classes import confusion_figure
    from scoreproof.metrics.curves import curves_figure
    from scoreproof.metrics.files import regression_columns
    from scoreproof.metrics.predicted_numbers import regression_figure

    if task == "regression":
        return regression_figure(*regression_columns(table, named))
    return curves_figure(result) if task == "binary" else confusion_figure(result)


def _two_files(file: Path, given: PredictionOptions, html: Path | None, *, as_json: bool) -> None:
    """Masks, detections and rankings: the predictions and the truth are files of their own."""
    from scoreproof.metrics.files import evaluate_files

    if given.reference is None or given.truth or given.predicted:
        raise InvalidOption(
            f"--task {given.task} needs --reference FILE with the truth, and no --truth or --predicted column"
        )
    result: Any = evaluate_files(given.task, file, given.reference)  # type: ignore[arg-type]
    _write_page(html, file, result)
    show(result, as_json=as_json, file=str(file), reference=str(given.reference))


def _write_page(page: Path | None, file: Path, result: Any) -> None:
    if page is not None:
        from scoreproof.pages import metrics_page

        write_file(page, metrics_page(file.name, result))


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
    labels = {report.label for table in tables for report in interpret(table).reports}
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
        for near in (*checked.to_look_at, *checked.beside_others):
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
