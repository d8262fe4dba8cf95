"""``scoreproof recommend``: which test, why, and what to avoid.

``scoreproof plan``: how many cases, data sets, seeds or folds a comparison needs.
"""

from __future__ import annotations

from typing import Annotated

import typer

from scoreproof.cli.app import app
from scoreproof.cli.options import AsJson, Html, Plot, Question, Task, Unpaired, option
from scoreproof.cli.output import console, emit_json, new_table
from scoreproof.errors import InvalidOption
from scoreproof.figures import save_figure
from scoreproof.files import write_file


@app.command("recommend")
def recommend_command(
    file: Annotated[str | None, typer.Argument(help="CSV with a column per model, to count the models from.")] = None,
    *,
    task: Task = None,
    metric: Annotated[str | None, option("For instance auc, sens, f1, dice, mse, map.")] = None,
    models: Annotated[int | None, option("How many models; 2 by default.")] = None,
    values: Annotated[
        str | None,
        option(
            "How the values came about: 'one test set', 'per case', 'data sets', 'folds', '5x2 folds', "
            "'matrices' or 'published'."
        ),
    ] = None,
    question: Question = "better",
    unpaired: Unpaired = False,
    human: Annotated[bool, option("One of the models is a person.", "--human")] = False,
    table: Annotated[bool, option("The whole decision table instead.", "--table")] = False,
    as_json: AsJson = False,
    html: Html = None,
    plot: Plot = None,
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
    count, how = models, values
    if file is not None:
        from scoreproof.cli.score_file import read_scores

        if models is not None:
            raise InvalidOption("models was given twice: expected either a file or --models, not both")
        found = read_scores(file, metric=metric, values=values)
        count, how = len(found.models), values or found.values
    result = recommend(
        task=task,
        metric=metric,
        models=2 if count is None else count,
        values=how or "data sets",
        question=question,  # type: ignore[arg-type]
        paired=not unpaired,
        human=human,
    )
    if plot is not None:
        save_figure(result.figure(), plot)
    if html is not None:
        from scoreproof.pages import recommendation_page

        write_file(html, recommendation_page(result))
    if as_json:
        emit_json(result.to_dict())
        return
    from rich.text import Text

    first, *rest = str(result).split("\n")
    terminal = console()
    terminal.print(Text(first, style="bold"))
    for line in rest:
        terminal.print(Text(line))


def _show_table(*, as_json: bool) -> None:
    from scoreproof.statistics import RULES

    if as_json:
        emit_json([rule.to_dict() for rule in RULES])
        return
    from rich.text import Text

    columns = ("question", "models", "values", "task", "metric", "test")
    table = new_table(*columns, title="The decision table: the first row that fits applies")
    for rule in RULES:
        row = rule.to_dict()
        cells = [", ".join(row[key]) or "any" for key in ("models", "values", "tasks", "metrics")]
        asked = "equal" if rule.question == "equivalent" else rule.question
        table.add_row(*(Text(c) for c in (asked, *cells, rule.test)))
    console().print(table)


@app.command("plan")
def plan_command(
    design: Annotated[
        str,
        typer.Argument(
            help="mcnemar (labels of one test set), proportions (two test sets), auc (scores of one test set), "
            "wilcoxon (data sets, or cases), seeds (training runs) or folds (runs of a cross-validation)."
        ),
    ],
    *,
    size: Annotated[int | None, option("Ask what so many cases (data sets, seeds, runs) can see.")] = None,
    difference: Annotated[float | None, option("The difference to be seen.")] = None,
    first: Annotated[float | None, option("The first rate or AUC.")] = None,
    second: Annotated[float | None, option("The second rate or AUC.")] = None,
    discordant: Annotated[float | None, option("The share of cases that only one model gets right.")] = None,
    sd: Annotated[
        float | None, option("The standard deviation of the differences (of one model's values for seeds).")
    ] = None,
    correlation: Annotated[float, option("Of the two AUCs; 0 is the cautious choice.")] = 0.0,
    share: Annotated[float, option("The share of positive cases, for AUCs.")] = 0.5,
    folds: Annotated[int, option("Folds of one run.")] = 10,
    margin: Annotated[
        float | None, option("Plan to show that one is not worse by more than this, if both are equally good.")
    ] = None,
    power: Annotated[float, option("The chance of noticing the difference that is wanted.")] = 0.8,
    alpha: Annotated[float, option("Level of significance.")] = 0.05,
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

    found = plan_study(
        design,
        size=size,
        difference=difference,
        first=first,
        second=second,
        discordant=discordant,
        sd=sd,
        correlation=correlation,
        share=share,
        folds=folds,
        margin=margin,
        power=power,
        alpha=alpha,
    )
    if as_json:
        emit_json(found.to_dict())
    else:
        console().print(str(found), markup=False, highlight=False)
