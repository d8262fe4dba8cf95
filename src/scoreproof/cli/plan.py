"""``scoreproof plan``: how many cases, data sets, seeds or folds a comparison needs."""

from __future__ import annotations

from typing import Annotated

import typer

from scoreproof.cli.app import app
from scoreproof.cli.options import AsJson, option
from scoreproof.cli.output import console, emit_json


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
