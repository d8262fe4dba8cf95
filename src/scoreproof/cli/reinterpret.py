"""What papers print, as a file: a row for each model with its confusion matrix or with one value.

``scoreproof reinterpret``: what a paper's table says beyond its conclusions.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from scoreproof.cli.app import app
from scoreproof.cli.option_groups import Only, grouped, says
from scoreproof.cli.options import AsJson, option
from scoreproof.cli.output import EXIT_NO, EXIT_OK, show
from scoreproof.cli.score_parts import Scores, listed, only, value_column
from scoreproof.cli.score_roles import plain_name, role
from scoreproof.csv_reader.columns import Columns, read_columns
from scoreproof.errors import InvalidOption
from scoreproof.figures import check_drawable, save_figure
from scoreproof.files import write_file
from scoreproof.reported.conventions import Conventions

_CELLS = ("tp", "fp", "fn", "tn")


def read_published(path: str, values: str, *, models: str | None = None, metric: str | None = None) -> dict[str, Any]:
    """The models by name, each with (tp, fp, fn, tn) or with its value as printed."""
    table = read_columns(path)
    column = _names(table)
    names = table.column(column)
    if values == "matrices":
        cells = {plain_name(n): n for n in table.names}
        lacking = [c for c in _CELLS if c not in cells]
        if lacking:
            raise InvalidOption(f"{path}: no column {lacking[0]!r}: expected model, tp, fp, fn and tn, a row per model")
        numbers = [table.numbers(cells[c]) for c in _CELLS]
        found: dict[str, Any] = {m: tuple(float(c[i]) for c in numbers) for i, m in enumerate(names)}
    else:
        rest = [n for n in table.names if n != column and role(n) != "other"]
        printed = table.column(value_column(table, rest, metric))
        found = dict(zip(names, printed, strict=True))
    if len(found) < len(names):
        raise InvalidOption(f"{path}: a model stands in two rows: expected one row for each")
    return only(Scores(path, found), listed(models)).models


def _names(table: Columns) -> str:
    likely = [n for n in table.names if role(n) == "model"] or [n for n in table.names if table.mostly_words(n)]
    if len(likely) != 1:
        raise InvalidOption(f"{table.source}: which column names the models? expected one called model")
    return likely[0]


@dataclass(frozen=True, slots=True)
class CostOptions:
    """What mistakes cost."""

    cost_ratio: str | None = says("Cost of a false negative in false positives: ranks the methods by cost.")
    costs: str | None = says("Costs of all four cells per case, such as fn=10,fp=1,tp=0.5 (negative: a gain).")
    cost_budget: str | None = says("What a case may cost: who stays within it?")


@dataclass(frozen=True, slots=True)
class SharedSizeOptions:
    """What is known of the test set of all methods."""

    p: int | None = says("Positives in the test set of all methods, if known.")
    n: int | None = says("Negatives in the test set of all methods, if known.")
    total: int | None = says("Cases in the test set of all methods, if known.")
    prevalence: str | None = says("The share of positives, as printed.")
    interval_method: str | None = says(
        "Method of intervals printed with scores: clopper-pearson, ..., or any.", metavar="NAME"
    )


@dataclass(frozen=True, slots=True)
class DrawnOptions:
    """Output."""

    html: Path | None = says("Write a page of its own to this file.")
    rank_plot: Path | None = says("Draw the ranks to this file (.png, .svg, .pdf).")
    rank_by: str = says("The score of --rank-plot.", "mcc")
    cost_plot: Path | None = says("Draw costs against the cost ratio to this file.")
    tightness: float = says("How close to values that occur the ranges should come.", 1e-4)
    budget: float = says("Seconds per method.", 30.0)


@app.command("reinterpret")
@grouped
def reinterpret_command(
    table: Annotated[Path, typer.Argument(help="A CSV file with a name column and score columns (or tp, fp, fn, tn).")],
    claim: Annotated[
        tuple[str, str] | None, option("A conclusion to test, such as best=MFCC by=f1.", metavar="best=METHOD by=SCORE")
    ] = None,
    *,
    costs: CostOptions,
    sizes: SharedSizeOptions,
    how: Annotated[Conventions, Only("rounding", "eps", "decimal_comma")],
    drawn: DrawnOptions,
    as_json: AsJson = False,
) -> None:
    """Re-read a table of methods: other scores, the same test set, chance, ranks and costs.

    Exit status: 0 nothing grave was found, 1 something was, 2 wrong usage.

    Example: scoreproof reinterpret methods.csv --claim best=MFCC by=f1 --cost-ratio 10
    """
    from scoreproof.insight.reinterpreting import reinterpret

    for plot in filter(None, (drawn.rank_plot, drawn.cost_plot)):
        check_drawable(plot)
    found = reinterpret(
        table,
        claim=_claim(claim),
        tightness=drawn.tightness,
        budget=drawn.budget,
        **asdict(costs),
        **asdict(sizes),
        **how.stated,
    )
    if drawn.html is not None:
        write_file(drawn.html, found.to_html())
    if drawn.rank_plot is not None:
        save_figure(found.rank_figure(drawn.rank_by), drawn.rank_plot)
    if drawn.cost_plot is not None:
        save_figure(found.cost_figure(), drawn.cost_plot)
    show(found, as_json=as_json)
    raise typer.Exit(EXIT_NO if any(one.grave for one in found.findings) else EXIT_OK)


def _claim(pair: tuple[str, str] | None) -> dict[str, str] | None:
    if pair is None:
        return None
    parts = dict(word.partition("=")[::2] for word in pair)
    if set(parts) != {"best", "by"} or not all(parts.values()):
        raise InvalidOption(f"--claim: expected best=METHOD by=SCORE, got {' '.join(pair)!r}")
    return parts
