"""``scoreproof sota``: what the best of many classifiers, or a whole leaderboard, is worth."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scoreproof.cli.app import OUTPUT, AsJson, Html, app, grouped, option, says
from scoreproof.cli.output import console, emit_json, numbers
from scoreproof.errors import InvalidOption
from scoreproof.figures import save_figure
from scoreproof.files import write_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from scoreproof.cli.sota_answers import Answers
    from scoreproof.pages.writer import Section


_ACCURACY = ("accuracy", "acc")


@dataclass(frozen=True, slots=True)
class BestOptions:
    """The best of many."""

    cases: int | None = says("Size of the test set.")
    classifiers: str | None = says("How many classifiers; counts like 900,100 with a list of accuracies.")
    accuracy: str | None = says("Their true accuracy, or a list like 0.9,0.91.")
    dependence: float | None = says("p_dep: P(right where a reference classifier is right).")
    correlation: float | None = says("Instead of --dependence: pairwise correlation of correctness.")
    alpha: float = says("One minus the confidence.", 0.05)


@dataclass(frozen=True, slots=True)
class QuestionOptions:
    """Questions."""

    observed_best: str | None = says("The best score seen: what does it say about the truth?")
    better_by: float | None = says("Would a method truly better by this much rank below it?")
    max_bias: float | None = says("How many cases keep the optimism of the best below this?")
    simulate: int = says("Cross-check with this many simulated competitions.", 0)
    seed: int | None = says("Seed of the simulation.")


@dataclass(frozen=True, slots=True)
class BoardOptions:
    """Leaderboards."""

    column: str | None = says("Column of the scores.")
    public_column: str | None = says("Column of the public scores.")
    name_column: str | None = says("Column of the names.")
    public_cases: int | None = says("Size of the public test set.")
    public_positives: int | None = says("Positives of the public test set, for AUCs.")
    public_negatives: int | None = says("Negatives of the public test set, for AUCs.")
    percent: bool = says("Scores are percentages.", False)
    sort: bool = says("The board is not sorted.", False)
    predictions: bool = says(
        "The file has true labels and every entry's predictions (AUC: scores), a column each.", False
    )
    public_share: float | None = says("With --predictions: split the cases, so many public.")
    ladder: str | None = says("Scores in the order of submission: release improvements by this step, or 'cases'.")
    prior: str = says("Distribution of true accuracies: auto, beta or spline.", "auto")
    top: int = says("Entries to print.", 20)


@dataclass(frozen=True, slots=True)
class ScoreOptions:
    """Other scores."""

    score: str = says("accuracy, auc, f1, mcc or any registered score.", "accuracy")
    positives: int | None = says("Positive cases.")
    negatives: int | None = says("Negative cases.")
    sens: float | None = says("True sensitivity.")
    spec: float | None = says("True specificity.")
    auc: float | None = says("True AUC.")
    roc_shape: str = says("Variance of the AUC: hanley-mcneil, binormal or worst.", "hanley-mcneil")
    spread_ratio: float = says("Binormal: spread of the positives over that of the negatives.", 1.0)


@app.command("sota")
@grouped
def sota(
    board: Annotated[
        Path | None,
        typer.Argument(help="A leaderboard as CSV (team, score and perhaps public), best first.", metavar="CSV"),
    ] = None,
    *,
    best: BestOptions,
    question: QuestionOptions,
    reading: BoardOptions,
    other: ScoreOptions,
    html: Html = None,
    figures: Annotated[
        Path | None,
        option("Write the figures as PNG into this folder.", metavar="FOLDER", rich_help_panel=OUTPUT),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """What is the state of the art worth? The best of many classifiers is an optimistic one.

    Examples:
      scoreproof sota --cases 3000 --classifiers 1000 --accuracy 0.9 --observed-best 0.9213
      scoreproof sota leaderboard.csv --cases 7687
      scoreproof sota leaderboard.csv --score auc --positives 257 --negatives 10725
    """
    from scoreproof.cli.sota_answers import Answers, Asked, refuse

    field = asdict(best) | {
        "classifiers": _numbers("--classifiers", best.classifiers, int),
        "accuracy": _numbers("--accuracy", best.accuracy, float),
    }
    answers = Answers(Asked(**field, **asdict(question), draw=html is not None or figures is not None))
    score, classes = other.score, {"--positives": other.positives, "--negatives": other.negatives}
    rates = {"--sens": other.sens, "--spec": other.spec}
    told = {f"--{n.replace('_', '-')}": v for n, v in asdict(reading).items() if n not in ("prior", "top")}
    boards = {name: value or None for name, value in told.items()}
    if board is not None:
        refuse("a leaderboard", rates | {"--auc": other.auc})
        _read_board(answers, board, best.cases, reading, other)
    elif score == "auc" or other.auc is not None:
        refuse("--score auc", boards | rates | {"--score": None if score in (*_ACCURACY, "auc") else score})
        answers.auc(other.auc, other.positives, other.negatives, shape=other.roc_shape, ratio=other.spread_ratio)
    elif score not in _ACCURACY or other.sens is not None or other.spec is not None:
        refuse(f"--score {score}", boards | {"--simulate": question.simulate or None})
        answers.other_score(score, other.positives, other.negatives, sens=other.sens, spec=other.spec)
    else:
        refuse("--score accuracy without --sens and --spec", boards | classes)
        answers.accuracy()
    _write(answers.sections, answers.figures, html, figures)
    if as_json:
        emit_json(answers.document)
    else:
        answers.print(console(), max(1, reading.top))


def _read_board(answers: Answers, board: Path, cases: int | None, how: BoardOptions, other: ScoreOptions) -> None:
    """A leaderboard by its predictions, as a ladder, of AUCs, or of accuracies."""
    from scoreproof.cli.sota_answers import refuse

    columns = {"column": how.column, "public_column": how.public_column, "name_column": how.name_column}
    reading: dict[str, Any] = {"percent": how.percent, "sort": how.sort, "prior": how.prior}
    classes, public = {"--positives": other.positives, "--negatives": other.negatives}, how.public_cases
    if how.predictions:
        refuse("--predictions", classes | {"--cases": cases, "--ladder": how.ladder, "--public-cases": public})
        score = "auc" if other.score == "auc" else "accuracy"
        answers.predicted(board, truth=how.column, score=score, share=how.public_share)
    elif how.ladder is not None:
        answers.ladder(board, columns=columns, step=how.ladder)
    elif other.score == "auc":
        refuse("a leaderboard of AUCs", {"--public-cases": public})
        if other.positives is None or other.negatives is None:
            raise InvalidOption("a leaderboard of AUCs needs --positives and --negatives of its test set")
        reading |= {"p": other.positives, "n": other.negatives, "shape": other.roc_shape, "ratio": other.spread_ratio}
        sizes = how.public_positives, how.public_negatives
        if (sizes[0] is None) != (sizes[1] is None):
            raise InvalidOption("--public-positives and --public-negatives go together: give both")
        reading["public_sizes"] = None if None in sizes else sizes
        answers.auc_board(board, columns=columns, reading=reading)
    else:
        named = None if other.score in _ACCURACY else other.score
        publics = {"--public-positives": how.public_positives, "--public-negatives": how.public_negatives}
        refuse("a leaderboard, which is read as accuracies or --score auc", classes | publics | {"--score": named})
        answers.board(board, columns=columns, reading=reading | {"public_cases": public})


def _numbers(name: str, text: str | None, kind: type) -> Any:
    """``0.9`` as a number, ``0.9,0.91`` as a list."""
    if text is None:
        return None
    what = "a whole number" if kind is int else "a number"
    values = numbers(name, text.replace("_", ""), kind, f"{what}, or several separated by commas")
    return values[0] if len(values) == 1 else values


def _write(sections: list[Section], drawn: dict[str, Figure], html: Path | None, folder: Path | None) -> None:
    if html is not None:
        from scoreproof.pages import sota_page

        write_file(html, sota_page(sections, drawn))
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        for name, figure in drawn.items():
            save_figure(figure, folder / f"{name}.png")
