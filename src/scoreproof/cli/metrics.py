"""``scoreproof metrics``: a file of predictions in, every metric of its task out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scoreproof.cli.app import app
from scoreproof.cli.option_groups import grouped
from scoreproof.cli.options import AsJson, Html, Plot, option
from scoreproof.cli.output import console, emit_json, note
from scoreproof.errors import InvalidOption
from scoreproof.figures import check_drawable, save_figure
from scoreproof.files import write_file
from scoreproof.results import in_terminal

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from scoreproof.metrics.files import PredictionColumns, PredictionTable


class MetricsTask(StrEnum):
    """What the model predicts."""

    BINARY = "binary"
    MULTICLASS = "multiclass"
    MULTILABEL = "multilabel"
    REGRESSION = "regression"
    SEGMENTATION = "segmentation"
    DETECTION = "detection"
    RETRIEVAL = "retrieval"


class UndefinedChoice(StrEnum):
    """What becomes of a score that is 0/0."""

    NAN = "nan"
    ZERO = "zero"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class PredictionOptions:
    """Where what stands, and how labels are made of scores."""

    truth: Annotated[str | None, option("Column of the truth (multilabel: start of the columns' names).")] = None
    predicted: Annotated[str | None, option("Column of the predictions (multilabel: start of the columns' names).")] = (
        None
    )
    score: Annotated[str | None, option("Column of numeric scores, higher meaning more positive (binary).")] = None
    threshold: Annotated[float | None, option("Positive from this score upwards, 0.5 unless told (binary).")] = None
    training: Annotated[
        Path | None, option("CSV file of training predictions to choose the threshold on (binary).")
    ] = None
    criterion: Annotated[str, option("With --training: the score to be best there (youden, accuracy, f1, ...).")] = (
        "youden"
    )
    positive: Annotated[str | None, option("The positive label, if it is not 1 or true (binary).")] = None

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
    task: Annotated[
        MetricsTask,
        option("binary, multiclass, multilabel, regression, segmentation, detection or retrieval.", metavar="TASK"),
    ] = MetricsTask.BINARY,
    columns: PredictionOptions,
    reference: Annotated[
        Path | None,
        option("The truth of segmentation (.npy mask), detection (COCO annotations), retrieval (TREC qrels)."),
    ] = None,
    undefined: Annotated[
        UndefinedChoice, option("A score that is 0/0: undefined, 0, or left out of means.")
    ] = UndefinedChoice.NAN,
    json: AsJson = False,
    html: Html = None,
    plot: Plot = None,
) -> None:
    """Every metric of a file of predictions.

    Columns are found by their usual names (truth, predicted, score, ...) or
    named by the options. Multiclass files may have a score_CLASS column per
    class, for the AUC and top-k accuracy. Multilabel files have a pair of 0/1 columns per label
    (truth_cat, predicted_cat), or one pair of columns with lists (cat;dog).

    Choose a threshold on training data: the best one on the test set flatters
    the model.
    """
    from scoreproof.metrics import evaluate_regression, files
    from scoreproof.metrics.files import read_predictions

    if task is not MetricsTask.BINARY and columns.of_binary:
        raise InvalidOption(f"{columns.of_binary[0]} belongs to --task binary, not to {task}")
    if columns.threshold is not None and columns.training is not None:
        raise InvalidOption("--threshold and --training contradict each other; give one of them")
    _check_figure(task, plot)
    if task in (MetricsTask.SEGMENTATION, MetricsTask.DETECTION, MetricsTask.RETRIEVAL):
        _two_files(file, reference, task, columns.truth or columns.predicted, json=json, html=html)
        return
    if reference is not None:
        raise InvalidOption(f"--reference belongs to segmentation, detection and retrieval, not to --task {task}")
    table, named = read_predictions(file), files.PredictionColumns(columns.truth, columns.predicted, columns.score)
    result: Any
    ranking: dict[str, float] = {}
    if task is MetricsTask.BINARY:
        result = _binary(table, named, columns, undefined.value)
    elif task is MetricsTask.MULTICLASS:
        result = files.multiclass_from_table(table, named, undefined=undefined.value)
        ranking = files.class_ranking_from_table(table, named)
    elif task is MetricsTask.MULTILABEL:
        result = files.multilabel_from_table(table, named, undefined=undefined.value)
    else:
        result = evaluate_regression(*files.regression_columns(table, named))
    if plot is not None:
        save_figure(_figure(task, result, table, named), plot)
    _write_page(html, file, result)
    for remark in table.cells.notes:
        note(remark)
    if json:
        emit_json({"file": str(file), **result.to_dict(), **ranking})
        return
    from scoreproof.metrics.labels import small_table

    console().print(result)
    if ranking:
        rows = [(name.replace("_", " "), value) for name, value in ranking.items()]
        console().print(in_terminal("", [small_table("Scores of the classes", ["metric", "value"], rows)]))


def _binary(table: PredictionTable, named: PredictionColumns, how: PredictionOptions, undefined: str) -> Any:
    """Two classes, at a threshold that was given or chosen on training data."""
    from scoreproof.metrics import files

    threshold = how.threshold
    if how.training is not None:
        trained = files.read_predictions(how.training)
        chosen = files.threshold_from_table(trained, named, criterion=how.criterion, positive=how.positive)
        threshold = chosen.threshold
    told: dict[str, Any] = {"positive": how.positive, "undefined": undefined}
    return files.binary_from_table(table, named, threshold=threshold, **told)


def _figure(task: MetricsTask, result: Any, table: PredictionTable, named: PredictionColumns) -> Figure:
    from scoreproof.metrics import figures
    from scoreproof.metrics.files import regression_columns

    if task is MetricsTask.REGRESSION:
        return figures.regression_figure(*regression_columns(table, named))
    return figures.curves_figure(result) if task is MetricsTask.BINARY else figures.confusion_figure(result)


def _two_files(
    file: Path, reference: Path | None, task: MetricsTask, column: str | None, *, json: bool, html: Path | None
) -> None:
    """Masks, detections and rankings: the predictions and the truth are files of their own."""
    from scoreproof.metrics.files import evaluate_files

    if reference is None or column is not None:
        raise InvalidOption(
            f"--task {task} needs --reference FILE with the truth, and no --truth or --predicted column"
        )
    result = evaluate_files(task.value, file, reference)  # type: ignore[arg-type]
    _write_page(html, file, result)
    if json:
        emit_json({"file": str(file), "reference": str(reference), **result.to_dict()})
    else:
        from rich.text import Text

        console().print(Text(str(result)))


def _check_figure(task: MetricsTask, plot: Path | None) -> None:
    """Refuse a figure that cannot be made before any work is done."""
    if plot is None:
        return
    if task not in (MetricsTask.BINARY, MetricsTask.MULTICLASS, MetricsTask.REGRESSION):
        raise InvalidOption(f"--plot: there is no figure for --task {task}; leave it out")
    check_drawable(plot)


def _write_page(page: Path | None, file: Path, result: Any) -> None:
    if page is not None:
        from scoreproof.pages import metrics_page

        write_file(page, metrics_page(file.name, result))
