"""``scoreproof sota``: what the best of many classifiers, or a whole leaderboard, is worth."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scoreproof.cli.app import app
from scoreproof.cli.output import console, emit_json
from scoreproof.errors import InvalidOption
from scoreproof.figures import save_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from scoreproof.pages.document import Section

_BEST, _ASK, _BOARD, _OTHER, _OUT = (
    "The best of many",
    "Questions",
    "Leaderboards",
    "Other scores",
    "Output",
)

_ACCURACY = ("accuracy", "acc")


@app.command("sota")
def sota(
    board: Annotated[
        Path | None,
        typer.Argument(help="A leaderboard as CSV (team, score and perhaps public), best first.", metavar="CSV"),
    ] = None,
    *,
    cases: Annotated[int | None, typer.Option(help="Size of the test set.", rich_help_panel=_BEST)] = None,
    classifiers: Annotated[
        str | None,
        typer.Option(
            help="How many classifiers; counts like 900,100 with a list of accuracies.", rich_help_panel=_BEST
        ),
    ] = None,
    accuracy: Annotated[
        str | None,
        typer.Option(help="Their true accuracy, or a list like 0.9,0.91.", rich_help_panel=_BEST),
    ] = None,
    dependence: Annotated[
        float | None,
        typer.Option(help="p_dep: P(right where a reference classifier is right).", rich_help_panel=_BEST),
    ] = None,
    correlation: Annotated[
        float | None,
        typer.Option(help="Instead of --dependence: pairwise correlation of correctness.", rich_help_panel=_BEST),
    ] = None,
    alpha: Annotated[float, typer.Option(help="One minus the confidence.", rich_help_panel=_BEST)] = 0.05,
    observed_best: Annotated[
        str | None,
        typer.Option(help="The best score seen: what does it say about the truth?", rich_help_panel=_ASK),
    ] = None,
    better_by: Annotated[
        float | None,
        typer.Option(help="Would a method truly better by this much rank below it?", rich_help_panel=_ASK),
    ] = None,
    max_bias: Annotated[
        float | None,
        typer.Option(help="How many cases keep the optimism of the best below this?", rich_help_panel=_ASK),
    ] = None,
    simulate: Annotated[
        int, typer.Option(help="Cross-check with this many simulated competitions.", rich_help_panel=_ASK)
    ] = 0,
    seed: Annotated[int | None, typer.Option(help="Seed of the simulation.", rich_help_panel=_ASK)] = None,
    column: Annotated[str | None, typer.Option(help="Column of the scores.", rich_help_panel=_BOARD)] = None,
    public_column: Annotated[
        str | None, typer.Option(help="Column of the public scores.", rich_help_panel=_BOARD)
    ] = None,
    name_column: Annotated[str | None, typer.Option(help="Column of the names.", rich_help_panel=_BOARD)] = None,
    public_cases: Annotated[
        int | None, typer.Option(help="Size of the public test set.", rich_help_panel=_BOARD)
    ] = None,
    public_positives: Annotated[
        int | None, typer.Option(help="Positives of the public test set, for AUCs.", rich_help_panel=_BOARD)
    ] = None,
    public_negatives: Annotated[
        int | None, typer.Option(help="Negatives of the public test set, for AUCs.", rich_help_panel=_BOARD)
    ] = None,
    percent: Annotated[bool, typer.Option("--percent", help="Scores are percentages.", rich_help_panel=_BOARD)] = False,
    sort: Annotated[bool, typer.Option("--sort", help="The board is not sorted.", rich_help_panel=_BOARD)] = False,
    prior: Annotated[
        str,
        typer.Option(help="Distribution of true accuracies: auto, beta or spline.", rich_help_panel=_BOARD),
    ] = "auto",
    top: Annotated[int, typer.Option(help="Entries to print.", rich_help_panel=_BOARD)] = 20,
    score: Annotated[
        str, typer.Option(help="accuracy, auc, f1, mcc or any registered score.", rich_help_panel=_OTHER)
    ] = "accuracy",
    positives: Annotated[int | None, typer.Option(help="Positive cases.", rich_help_panel=_OTHER)] = None,
    negatives: Annotated[int | None, typer.Option(help="Negative cases.", rich_help_panel=_OTHER)] = None,
    sens: Annotated[float | None, typer.Option(help="True sensitivity.", rich_help_panel=_OTHER)] = None,
    spec: Annotated[float | None, typer.Option(help="True specificity.", rich_help_panel=_OTHER)] = None,
    auc: Annotated[float | None, typer.Option(help="True AUC.", rich_help_panel=_OTHER)] = None,
    roc_shape: Annotated[
        str,
        typer.Option(help="Variance of the AUC: hanley-mcneil, binormal or worst.", rich_help_panel=_OTHER),
    ] = "hanley-mcneil",
    spread_ratio: Annotated[
        float,
        typer.Option(help="Binormal: spread of the positives over that of the negatives.", rich_help_panel=_OTHER),
    ] = 1.0,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON document on standard output.", rich_help_panel=_OUT)
    ] = False,
    html: Annotated[Path | None, typer.Option(help="Write a self-contained HTML page.", rich_help_panel=_OUT)] = None,
    figures: Annotated[
        Path | None, typer.Option(help="Write the figures as PNG into this folder.", rich_help_panel=_OUT)
    ] = None,
) -> None:
    """What is the state of the art worth? The best of many classifiers is an optimistic one.

    scoreproof sota --cases 3000 --classifiers 1000 --accuracy 0.9 --observed-best 0.9213

    scoreproof sota leaderboard.csv --cases 7687

    scoreproof sota leaderboard.csv --score auc --positives 257 --negatives 10725
    """
    from scoreproof.cli.sota_answers import Answers, Asked

    asked = Asked(
        cases=cases,
        classifiers=_numbers("--classifiers", classifiers, int),
        accuracy=_numbers("--accuracy", accuracy, float),
        dependence=dependence,
        correlation=correlation,
        alpha=alpha,
        observed_best=observed_best,
        better_by=better_by,
        max_bias=max_bias,
        simulate=simulate,
        seed=seed,
        draw=html is not None or figures is not None,
    )
    answers = Answers(asked)
    boards = {
        "--column": column,
        "--public-column": public_column,
        "--name-column": name_column,
        "--public-cases": public_cases,
        "--public-positives": public_positives,
        "--public-negatives": public_negatives,
        "--percent": percent or None,
        "--sort": sort or None,
    }
    classes = {"--positives": positives, "--negatives": negatives}
    rates = {"--sens": sens, "--spec": spec}
    if board is not None:
        columns = {"column": column, "public_column": public_column, "name_column": name_column}
        reading: dict[str, Any] = {"percent": percent, "sort": sort, "prior": prior}
        _refuse("a leaderboard", rates | {"--auc": auc})
        if score == "auc":
            _refuse("a leaderboard of AUCs", {"--public-cases": public_cases})
            if positives is None or negatives is None:
                raise InvalidOption("a leaderboard of AUCs needs --positives and --negatives of its test set")
            reading |= {"p": positives, "n": negatives, "shape": roc_shape, "ratio": spread_ratio}
            reading["public_sizes"] = _public_sizes(public_positives, public_negatives)
            answers.auc_board(board, columns=columns, reading=reading, top=top)
        else:
            named = None if score in _ACCURACY else score
            publics = {"--public-positives": public_positives, "--public-negatives": public_negatives}
            _refuse("a leaderboard, which is read as accuracies or --score auc", classes | publics | {"--score": named})
            answers.board(board, columns=columns, reading=reading | {"public_cases": public_cases}, top=top)
    elif score == "auc" or auc is not None:
        _refuse("--score auc", boards | rates | {"--score": None if score in (*_ACCURACY, "auc") else score})
        answers.auc(auc, positives, negatives, shape=roc_shape, ratio=spread_ratio)
    elif score not in _ACCURACY or sens is not None or spec is not None:
        _refuse(f"--score {score}", boards | {"--simulate": simulate or None})
        answers.other_score(score, positives, negatives, sens=sens, spec=spec)
    else:
        _refuse("--score accuracy without --sens and --spec", boards | classes)
        answers.accuracy()
    _write(answers.sections, answers.figures, html, figures)
    if as_json:
        emit_json(answers.document)
    else:
        answers.print(console())


def _public_sizes(positives: int | None, negatives: int | None) -> tuple[int, int] | None:
    if positives is None and negatives is None:
        return None
    if positives is None or negatives is None:
        raise InvalidOption("--public-positives and --public-negatives go together: give both")
    return positives, negatives


def _refuse(what: str, options: dict[str, Any]) -> None:
    """Options that would be silently ignored are errors."""
    wrong = next((name for name, value in options.items() if value is not None), None)
    if wrong is not None:
        raise InvalidOption(f"{wrong}: does not go with {what}; leave it out")


def _numbers(name: str, text: str | None, kind: type) -> Any:
    """``0.9`` as a number, ``0.9,0.91`` as a list."""
    if text is None:
        return None
    try:
        values = [kind(part) for part in text.replace("_", "").split(",")]
    except ValueError:
        what = "a whole number" if kind is int else "a number"
        raise InvalidOption(f"{name}: expected {what}, or several separated by commas; got {text!r}") from None
    return values[0] if len(values) == 1 else values


def _write(sections: list[Section], drawn: dict[str, Figure], html: Path | None, folder: Path | None) -> None:
    if html is not None:
        from scoreproof.pages import sota_page

        html.write_text(sota_page(sections, drawn), encoding="utf-8")
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        for name, figure in drawn.items():
            save_figure(figure, folder / f"{name}.png")
