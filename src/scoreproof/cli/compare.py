"""``scoreproof compare``: a CSV file in, the right test run and reported."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scoreproof.cli.app import app
from scoreproof.cli.options import AsJson, Html, Plot, Question, Task, Unpaired, option
from scoreproof.cli.output import console, emit_json, new_table
from scoreproof.errors import InvalidOption
from scoreproof.figures import check_drawable, save_figure
from scoreproof.files import write_file

if TYPE_CHECKING:
    from scoreproof.statistics import Comparison

_PREDICTIONS = ("delong", "mcnemar")


@app.command("compare")
def compare_command(
    file: Annotated[
        str,
        typer.Argument(
            help="CSV with a column per model (values of a metric, a row per data set, fold or case), or with columns "
            "model, dataset, fold, score; or, with a column of true labels, predictions. '-' reads standard input."
        ),
    ],
    *,
    test: Annotated[
        str,
        option(
            "auto, wilcoxon, sign, paired-t, corrected-t, 5x2cv, permutation, friedman, levene, "
            "pitman-morgan, "
            "welch, mann-whitney, delong or mcnemar. With --unpaired: mann-whitney, welch, kruskal, "
            "levene, f-test or bartlett. auto follows the recommendation."
        ),
    ] = "auto",
    values: Annotated[
        str | None,
        option(
            "How the values came about: 'data sets', 'per case', 'runs', 'folds', '5x2 folds', 'published' (one "
            "value per model) or 'matrices'; by default what the columns that name the rows say."
        ),
    ] = None,
    truth: Annotated[
        str | None, option("Column of the true labels (found by itself when called truth, y_true, label...).")
    ] = None,
    positive: Annotated[str | None, option("The positive label, where labels are not 0 and 1.")] = None,
    positives: Annotated[int | None, option("Positive cases, for published values.")] = None,
    negatives: Annotated[int | None, option("Negative cases, for published values.")] = None,
    cases: Annotated[int | None, option("All cases, for published accuracies.")] = None,
    cluster: Annotated[
        str | None,
        option(
            "Column of what cases belong to (patient, speaker, document), where those of one are not independent; "
            "found "
            "by its usual names. 'none': all are independent."
        ),
    ] = None,
    models: Annotated[str | None, option("Columns to compare, separated by commas; all by default.")] = None,
    control: Annotated[str | None, option("Compare every model with this one only.")] = None,
    unpaired: Unpaired = False,
    task: Task = None,
    metric: Annotated[
        str | None, option("The metric the values are of; with predictions what to compare; in long files the column.")
    ] = None,
    question: Question = "better",
    folds: Annotated[int | None, option("Folds of one cross-validation run, when runs were repeated.")] = None,
    test_to_train: Annotated[
        float | None, option("Instead of --folds: test cases over training cases of random splits.")
    ] = None,
    lower_is_better: Annotated[
        bool | None,
        option(
            "Which way is better; by default as the metric's name says (errors and losses are better low).",
            "--lower-is-better/--higher-is-better",
        ),
    ] = None,
    margin: Annotated[
        float | None, option("The largest difference that does not matter, for --question equivalent or 'not worse'.")
    ] = None,
    costs: Annotated[
        Path | None,
        option("With --metric cost: a CSV file of costs, a row for each true and a column for each predicted class."),
    ] = None,
    thresholds: Annotated[
        str | None,
        option("Two models' scores cut at each of these ('0.3,0.5,0.7', or 'deciles'), with McNemar's test at each."),
    ] = None,
    alpha: Annotated[float, option("Level of significance.")] = 0.05,
    correction: Annotated[str, option("holm, hochberg, hommel, bonferroni, bh, by or none.")] = "holm",
    rope: Annotated[
        float | None, option("Half-width of practical equality: how likely are the models equal for practice?")
    ] = None,
    seed: Annotated[int, option("Seed of the permutation test.")] = 0,
    as_json: AsJson = False,
    html: Html = None,
    latex: Annotated[Path | None, option("Write LaTeX tables here.")] = None,
    plot: Plot = None,
) -> None:
    """Compare models: choose the test, check its assumptions, run it, correct, report.

    Examples:
      scoreproof compare scores.csv
      scoreproof compare folds.csv --values folds --folds 5 --plot ranks.svg
      scoreproof compare predictions.csv --test delong --html report.html
    """
    from scoreproof.cli.score_file import read_groups, read_scores
    from scoreproof.cli.score_parts import Scores
    from scoreproof.statistics import compare

    if plot is not None:
        check_drawable(plot)
    if truth is not None and test not in ("auto", "permutation", *_PREDICTIONS):
        raise InvalidOption(f"--truth with --test {test}: expected delong, mcnemar or permutation of predictions")
    if values in ("published", "matrices"):
        from scoreproof.cli.reinterpret import read_published

        if truth is not None:
            raise InvalidOption(f"--truth with --values {values}: expected no predictions; leave one of them out")
        scores = Scores(file, read_published(file, values, models=models, metric=metric))
    elif unpaired:
        if truth is not None:
            raise InvalidOption("--truth with --unpaired: expected values of a metric; leave one of them out")
        scores = read_groups(file, models=models, metric=metric)
    else:
        scores = read_scores(
            file,
            models=models,
            truth=truth,
            metric=metric,
            values=values,
            predictions=None if test in ("auto", "permutation") else test in _PREDICTIONS,
            cluster=cluster,
        )
    if thresholds is not None:
        _show_thresholds(scores, thresholds, positive, alpha, as_json=as_json)
        return
    told = None if lower_is_better is None else not lower_is_better
    found = compare(
        scores.models,
        truth=scores.truth,
        values=values or scores.values,
        clusters=scores.clusters,
        task=task,
        metric=metric or scores.metric,
        test=test,
        question=question,  # type: ignore[arg-type]
        folds=folds if folds is not None or test_to_train is not None else scores.folds,
        test_to_train=test_to_train,
        higher_is_better=scores.higher_is_better if told is None else told,
        margin=margin,
        costs=None if costs is None else _costs(costs),
        alpha=alpha,
        correction=correction,
        control=control,
        paired=not unpaired and scores.paired,
        positive=_label(positive, scores.truth),
        positives=positives,
        negatives=negatives,
        cases=cases,
        seed=seed,
        rope=rope,
    )
    found = replace(found, notes=(*found.notes, *scores.notes))
    _write(found, html, latex, plot)
    if as_json:
        emit_json(found.to_dict())
    else:
        _show(found)


def _costs(path: Path) -> list[list[float]]:
    """A square table of costs; a first column of words names the true classes."""
    from scoreproof.csv_reader.columns import read_columns

    table = read_columns(str(path))
    columns = [table.numbers(n) for n in table.names if not table.mostly_words(n)]
    return [[float(column[row]) for column in columns] for row in range(table.rows)]


def _show_thresholds(scores: Any, text: str, positive: str | None, alpha: float, *, as_json: bool) -> None:
    """McNemar's test of two models' scores at several thresholds."""
    from scoreproof.results import in_terminal
    from scoreproof.statistics import mcnemar_thresholds

    if scores.truth is None or len(scores.models) != 2:
        raise InvalidOption("--thresholds: expected scores of two models with the true labels (--models A,B)")
    try:
        cuts = None if text.strip() == "deciles" else [float(part) for part in text.split(",")]
    except ValueError:
        raise InvalidOption(f"--thresholds {text!r}: expected numbers such as 0.3,0.5,0.7, or deciles") from None
    first, second = scores.models.values()
    label = _label(positive, scores.truth)
    found = mcnemar_thresholds(scores.truth, first, second, thresholds=cuts, positive=label, alpha=alpha)
    if as_json:
        emit_json({"models": list(scores.models), **found.to_dict()})
        return
    terminal = console()
    terminal.print(in_terminal("", found._tables()))
    names = ", ".join(f"{n}: {name}" for n, name in zip(("first", "second"), scores.models, strict=True))
    terminal.print(f"{found} ({names})", markup=False)


def _label(text: str | None, truth: Any) -> str | float | None:
    """A label as its column holds it: a number where all of them are."""
    if text is None or truth is None or truth.dtype.kind not in "iuf":
        return text
    try:
        return float(text)
    except ValueError:
        return text


def _write(found: Comparison, html: Path | None, latex: Path | None, plot: Path | None) -> None:
    if plot is not None:
        save_figure(found.figure(), plot)
    if html is not None:
        from scoreproof.pages import comparison_page

        write_file(html, comparison_page(found))
    if latex is not None:
        write_file(latex, found.latex() + "\n")


def _show(found: Comparison) -> None:
    from rich.markup import escape
    from rich.text import Text

    terminal = console()
    tables = [(found.test, found.model_table()), (f"Pairs: {found.pair_test}", found.pair_table())]
    strong = {found.pairs.index(p) for p in found.significant()}
    for number, (title, (head, rows)) in enumerate(tables):
        columns = [escape(name) for name in head]
        table = new_table(*columns, right=columns[1:], title=escape(title))
        for i, row in enumerate(rows):
            table.add_row(*(Text(cell) for cell in row), style="bold" if number == 1 and i in strong else "")
        terminal.print(table)
    terminal.print(Text(found.text))
