"""``scoreproof recommend``: which test, why, and what to avoid.

``scoreproof plan``: how many cases, data sets, seeds or folds a comparison needs.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated

import typer

from scoreproof.cli.app import app
from scoreproof.cli.option_groups import grouped, says
from scoreproof.cli.options import OUTPUT, AsJson, Html, option
from scoreproof.cli.output import console, emit_json, show
from scoreproof.errors import InvalidOption
from scoreproof.files import write_file
from scoreproof.results import SmallTable, in_terminal


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
        from scoreproof.cli.compare import DataOptions, TestOptions, compared

        if given.models is not None or given.human or given.question not in ("better", "variance"):
            raise InvalidOption("of a file only what is better or varies more: expected no --models and no --human")
        data = DataOptions(values=given.values, task=given.task, metric=given.metric, unpaired=given.unpaired)
        found = compared(file, data, TestOptions(question=given.question))
        result, notes = found.recommendation, found.notes
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
