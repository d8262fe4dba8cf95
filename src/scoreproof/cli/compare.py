"""``scoreproof compare``: a CSV file in, the right test run and reported.

``scoreproof recommend``: which test, why, and what to avoid; ``scoreproof plan``: how many cases, data sets, seeds or
folds a comparison needs.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scoreproof.cli.app import OUTPUT, AsJson, Html, Plot, app, grouped, option, says
from scoreproof.cli.output import console, emit_json, numbers, show
from scoreproof.errors import InvalidOption
from scoreproof.figures import check_drawable, save_figure
from scoreproof.files import write_file
from scoreproof.results import SmallTable, in_terminal

if TYPE_CHECKING:
    from scoreproof.cli.score_columns import Scores
    from scoreproof.statistics import Comparison


_PREDICTIONS = ("delong", "mcnemar")


@dataclass(frozen=True, slots=True)
class DataOptions:
    """What the file holds."""

    values: str | None = says(
        "How the values came about: 'data sets', 'per case', 'runs', 'folds', '5x2 folds', 'published' (one "
        "value per model) or 'matrices'; by default what the columns that name the rows say."
    )
    truth: str | None = says("Column of the true labels (found by itself when called truth, y_true, label...).")
    positive: str | None = says("The positive label, where labels are not 0 and 1.")
    positives: int | None = says("Positive cases, for published values.")
    negatives: int | None = says("Negative cases, for published values.")
    cases: int | None = says("All cases, for published accuracies.")
    cluster: str | None = says(
        "Column of what cases belong to (patient, speaker, document), where those of one are not independent; "
        "found by its usual names. 'none': all are independent."
    )
    models: str | None = says("Columns to compare, separated by commas; all by default.")
    unpaired: bool = says("The models were evaluated on different cases.", False)
    task: str | None = says("binary, multiclass, multilabel, regression, segmentation, detection or retrieval.")
    metric: str | None = says(
        "The metric the values are of; with predictions what to compare; in long files the column."
    )
    lower_is_better: bool | None = says(
        "Which way is better; by default as the metric's name says (errors and losses are better low).",
        None,
        "--lower-is-better/--higher-is-better",
    )
    costs: Path | None = says(
        "With --metric cost: a CSV file of costs, a row for each true and a column for each predicted class."
    )


@dataclass(frozen=True, slots=True)
class TestOptions:
    """The test."""

    test: str = says(
        "auto, wilcoxon, sign, paired-t, corrected-t, 5x2cv, permutation, friedman, levene, pitman-morgan, "
        "welch, mann-whitney, delong or mcnemar. With --unpaired: mann-whitney, welch, kruskal, levene, f-test "
        "or bartlett. auto follows the recommendation.",
        "auto",
    )
    question: str = says(
        "better: which scores higher; variance: which varies more; equivalent; or 'not worse' (than --control).",
        "better",
    )
    control: str | None = says("Compare every model with this one only.")
    folds: int | None = says("Folds of one cross-validation run, when runs were repeated.")
    test_to_train: float | None = says("Instead of --folds: test cases over training cases of random splits.")
    margin: float | None = says(
        "The largest difference that does not matter, for --question equivalent or 'not worse'."
    )
    alpha: float = says("Level of significance.", 0.05)
    correction: str = says("holm, hochberg, hommel, bonferroni, bh, by or none.", "holm")
    rope: float | None = says("Half-width of practical equality: how likely are the models equal for practice?")
    seed: int = says("Seed of the permutation test.", 0)
    thresholds: str | None = says(
        "Two models' scores cut at each of these ('0.3,0.5,0.7', or 'deciles'), with McNemar's test at each."
    )


@app.command("compare")
@grouped
def compare_command(
    file: Annotated[
        str,
        typer.Argument(
            help="CSV with a column per model (values of a metric, a row per data set, fold or case), or with columns "
            "model, dataset, fold, score; or, with a column of true labels, predictions. '-' reads standard input."
        ),
    ],
    *,
    data: DataOptions,
    how: TestOptions,
    html: Html = None,
    latex: Annotated[Path | None, option("Write LaTeX tables here.", metavar="FILE", rich_help_panel=OUTPUT)] = None,
    plot: Plot = None,
    as_json: AsJson = False,
) -> None:
    """Compare models: choose the test, check its assumptions, run it, correct, report.

    Examples:
      scoreproof compare scores.csv
      scoreproof compare folds.csv --values folds --folds 5 --plot ranks.svg
      scoreproof compare predictions.csv --test delong --html report.html
    """
    if plot is not None:
        check_drawable(plot)
    if how.thresholds is not None:
        _show_thresholds(_read(file, data, how.test), how.thresholds, data.positive, how.alpha, as_json=as_json)
        return
    comparison = compared(file, data, how)
    if plot is not None:
        save_figure(comparison.figure(), plot)
    if html is not None:
        from scoreproof.pages import comparison_page

        write_file(html, comparison_page(comparison))
    if latex is not None:
        write_file(latex, comparison.latex() + "\n")
    show(comparison, as_json=as_json)


def compared(file: str, data: DataOptions, how: TestOptions) -> Comparison:
    """The comparison of the models of a file."""
    from scoreproof.statistics import compare

    scores = _read(file, data, how.test)
    options = asdict(how)
    options.pop("thresholds")
    if how.folds is None and how.test_to_train is None:
        options["folds"] = scores.folds
    comparison = compare(
        scores.models,
        truth=scores.truth,
        values=data.values or scores.values,
        clusters=scores.clusters,
        task=data.task,
        metric=data.metric or scores.metric,
        higher_is_better=scores.higher_is_better if data.lower_is_better is None else not data.lower_is_better,
        costs=None if data.costs is None else _costs(data.costs),
        paired=not data.unpaired and scores.paired,
        positive=_label(data.positive, scores.truth),
        positives=data.positives,
        negatives=data.negatives,
        cases=data.cases,
        **options,
    )
    return replace(comparison, notes=(*comparison.notes, *scores.notes))


def _read(file: str, data: DataOptions, test: str) -> Scores:
    """The file as the options say: published values, groups, or a column per model."""
    from scoreproof.cli.score_columns import Scores
    from scoreproof.cli.score_file import read_groups, read_scores

    if data.truth is not None and test not in ("auto", "permutation", *_PREDICTIONS):
        raise InvalidOption(f"--truth with --test {test}: expected delong, mcnemar or permutation of predictions")
    if data.values in ("published", "matrices"):
        from scoreproof.cli.inference import read_published

        if data.truth is not None:
            raise InvalidOption(f"--truth with --values {data.values}: expected no predictions; leave one of them out")
        return Scores(file, read_published(file, data.values, models=data.models, metric=data.metric))
    if data.unpaired:
        if data.truth is not None:
            raise InvalidOption("--truth with --unpaired: expected values of a metric; leave one of them out")
        return read_groups(file, models=data.models, metric=data.metric)
    return read_scores(
        file,
        models=data.models,
        truth=data.truth,
        metric=data.metric,
        values=data.values,
        predictions=None if test in ("auto", "permutation") else test in _PREDICTIONS,
        cluster=data.cluster,
    )


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
    wanted = "numbers such as 0.3,0.5,0.7, or deciles"
    cuts = None if text.strip() == "deciles" else numbers("--thresholds", text, float, wanted)
    first, second = scores.models.values()
    label = _label(positive, scores.truth)
    comparison = mcnemar_thresholds(scores.truth, first, second, thresholds=cuts, positive=label, alpha=alpha)
    if as_json:
        emit_json({"models": list(scores.models), **comparison.to_dict()})
        return
    terminal = console()
    terminal.print(in_terminal("", comparison._tables()))
    names = ", ".join(f"{n}: {name}" for n, name in zip(("first", "second"), scores.models, strict=True))
    terminal.print(f"{comparison} ({names})", markup=False)


def _label(text: str | None, truth: Any) -> str | float | None:
    """A label as its column holds it: a number where all of them are."""
    if text is None or truth is None or truth.dtype.kind not in "iuf":
        return text
    try:
        return float(text)
    except ValueError:
        return text


@dataclass(frozen=True, slots=True)
class DesignedOptions:
    """The comparison."""

    task: str | None = says("binary, multiclass, multilabel, regression, segmentation, detection or retrieval.")
    metric: str | None = says("For instance auc, sens, f1, dice, mse, map.")
    models: int | None = says("How many models; 2 by default.")
    values: str | None = says(
        "How the values came about: 'one test set', 'per case', 'data sets', 'folds', '5x2 folds', 'matrices' or "
        "'published'."
    )
    question: str = says(
        "better: which scores higher; variance: which varies more; equivalent; or 'not worse' (than --control).",
        "better",
    )
    unpaired: bool = says("The models were evaluated on different cases.", False)
    human: bool = says("One of the models is a person.", False)


@app.command("recommend")
@grouped
def recommend_command(
    file: Annotated[str | None, typer.Argument(help="A file as for compare: what compare would run.")] = None,
    *,
    given: DesignedOptions,
    table: Annotated[bool, option("The whole decision table instead.", "--table", rich_help_panel=OUTPUT)] = False,
    html: Html = None,
    as_json: AsJson = False,
) -> None:
    """Which statistical test fits a comparison of models, and why.

    Examples:
      scoreproof recommend --task binary --metric auc --models 2 --values "one test set"
      scoreproof recommend scores.csv --values folds
      scoreproof recommend --table
    """
    from scoreproof.statistics import recommend

    if table:
        _show_table(as_json=as_json)
        return
    notes: tuple[str, ...] = ()
    if file is not None:
        if given.models is not None or given.human or given.question not in ("better", "variance"):
            raise InvalidOption("of a file only what is better or varies more: expected no --models and no --human")
        data = DataOptions(values=given.values, task=given.task, metric=given.metric, unpaired=given.unpaired)
        comparison = compared(file, data, TestOptions(question=given.question))
        result, notes = comparison.recommendation, comparison.notes
    else:
        result = recommend(
            task=given.task,
            metric=given.metric,
            models=2 if given.models is None else given.models,
            values=given.values or "data sets",
            question=given.question,  # type: ignore[arg-type]
            paired=not given.unpaired,
            human=given.human,
        )
    if html is not None:
        from scoreproof.pages import recommendation_page

        write_file(html, recommendation_page(result))
    if as_json:
        emit_json(result.to_dict())
    else:
        console().print("\n".join([str(result), *(f"Note: {note}." for note in notes)]), markup=False)


def _show_table(*, as_json: bool) -> None:
    from scoreproof.statistics import RULES

    if as_json:
        emit_json([rule.to_dict() for rule in RULES])
        return
    rows = []
    for rule in RULES:
        cells = (", ".join(rule.to_dict()[key]) or "any" for key in ("models", "values", "tasks", "metrics"))
        rows.append(("equal" if rule.question == "equivalent" else rule.question, *cells, rule.test))
    head = ("question", "models", "values", "task", "metric", "test")
    console().print(in_terminal("", [SmallTable(rows, head, "The decision table: the first row that fits applies")]))


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """The study."""

    size: int | None = says("Ask what so many cases (data sets, seeds, runs) can see.")
    difference: float | None = says("The difference to be seen.")
    first: float | None = says("The first rate or AUC.")
    second: float | None = says("The second rate or AUC.")
    discordant: float | None = says("The share of cases that only one model gets right.")
    sd: float | None = says("The standard deviation of the differences (of one model's values for seeds).")
    correlation: float = says("Of the two AUCs; 0 is the cautious choice.", 0.0)
    share: float = says("The share of positive cases, for AUCs.", 0.5)
    folds: int = says("Folds of one run.", 10)
    margin: float | None = says("Plan to show that one is not worse by more than this, if both are equally good.")
    power: float = says("The chance of noticing the difference that is wanted.", 0.8)
    alpha: float = says("Level of significance.", 0.05)


@app.command("plan")
@grouped
def plan_command(
    design: Annotated[
        str,
        typer.Argument(
            help="mcnemar (labels of one test set), proportions (two test sets), auc (scores of one test set), "
            "wilcoxon (data sets, or cases), seeds (training runs) or folds (runs of a cross-validation)."
        ),
    ],
    *,
    given: PlanOptions,
    as_json: AsJson = False,
) -> None:
    """How many cases, data sets, seeds or folds are needed to see a difference, or what so many can see.

    Examples:
      scoreproof plan mcnemar --discordant 0.1 --difference 0.03
      scoreproof plan auc --first 0.85 --second 0.80 --correlation 0.5 --share 0.2
      scoreproof plan wilcoxon --difference 0.02 --sd 0.03
      scoreproof plan seeds --difference 0.01 --sd 0.008 --size 5
    """
    from scoreproof.statistics import plan_study

    show(plan_study(design, **asdict(given)), as_json=as_json)
