"""``scoreproof sota``: what the best of many classifiers, or a whole leaderboard, is worth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scoreproof.cli.app import app
from scoreproof.cli.option_groups import grouped
from scoreproof.cli.output import console, emit_json
from scoreproof.errors import InvalidOption
from scoreproof.figures import save_figure
from scoreproof.files import write_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from scoreproof.cli.sota_answers import Answers
    from scoreproof.pages.document import Section


def _panel(title: str) -> Callable[..., Any]:
    """Options that the help shows together."""
    return lambda words, *names: typer.Option(*names, help=words, rich_help_panel=title)


_BEST, _ASK, _BOARD = map(_panel, ("The best of many", "Questions", "Leaderboards"))
_OTHER, _OUT = map(_panel, ("Other scores", "Output"))
_ACCURACY = ("accuracy", "acc")


@dataclass(frozen=True, slots=True)
class BestOptions:
    """The field of classifiers."""

    cases: Annotated[int | None, _BEST("Size of the test set.")] = None
    classifiers: Annotated[
        str | None, _BEST("How many classifiers; counts like 900,100 with a list of accuracies.")
    ] = None
    accuracy: Annotated[str | None, _BEST("Their true accuracy, or a list like 0.9,0.91.")] = None
    dependence: Annotated[float | None, _BEST("p_dep: P(right where a reference classifier is right).")] = None
    correlation: Annotated[float | None, _BEST("Instead of --dependence: pairwise correlation of correctness.")] = None
    alpha: Annotated[float, _BEST("One minus the confidence.")] = 0.05


@dataclass(frozen=True, slots=True)
class QuestionOptions:
    """What is asked about it."""

    observed_best: Annotated[str | None, _ASK("The best score seen: what does it say about the truth?")] = None
    better_by: Annotated[float | None, _ASK("Would a method truly better by this much rank below it?")] = None
    max_bias: Annotated[float | None, _ASK("How many cases keep the optimism of the best below this?")] = None
    simulate: Annotated[int, _ASK("Cross-check with this many simulated competitions.")] = 0
    seed: Annotated[int | None, _ASK("Seed of the simulation.")] = None


@dataclass(frozen=True, slots=True)
class BoardOptions:
    """How a leaderboard is read."""

    column: Annotated[str | None, _BOARD("Column of the scores.")] = None
    public_column: Annotated[str | None, _BOARD("Column of the public scores.")] = None
    name_column: Annotated[str | None, _BOARD("Column of the names.")] = None
    public_cases: Annotated[int | None, _BOARD("Size of the public test set.")] = None
    public_positives: Annotated[int | None, _BOARD("Positives of the public test set, for AUCs.")] = None
    public_negatives: Annotated[int | None, _BOARD("Negatives of the public test set, for AUCs.")] = None
    percent: Annotated[bool, _BOARD("Scores are percentages.", "--percent")] = False
    sort: Annotated[bool, _BOARD("The board is not sorted.", "--sort")] = False
    predictions: Annotated[
        bool,
        _BOARD("The file has true labels and every entry's predictions (AUC: scores), a column each.", "--predictions"),
    ] = False
    public_share: Annotated[float | None, _BOARD("With --predictions: split the cases, so many public.")] = None
    ladder: Annotated[
        str | None, _BOARD("Scores in the order of submission: release improvements by this step, or 'cases'.")
    ] = None
    prior: Annotated[str, _BOARD("Distribution of true accuracies: auto, beta or spline.")] = "auto"
    top: Annotated[int, _BOARD("Entries to print.")] = 20


@dataclass(frozen=True, slots=True)
class ScoreOptions:
    """Other scores than accuracy."""

    score: Annotated[str, _OTHER("accuracy, auc, f1, mcc or any registered score.")] = "accuracy"
    positives: Annotated[int | None, _OTHER("Positive cases.")] = None
    negatives: Annotated[int | None, _OTHER("Negative cases.")] = None
    sens: Annotated[float | None, _OTHER("True sensitivity.")] = None
    spec: Annotated[float | None, _OTHER("True specificity.")] = None
    auc: Annotated[float | None, _OTHER("True AUC.")] = None
    roc_shape: Annotated[str, _OTHER("Variance of the AUC: hanley-mcneil, binormal or worst.")] = "hanley-mcneil"
    spread_ratio: Annotated[float, _OTHER("Binormal: spread of the positives over that of the negatives.")] = 1.0


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
    as_json: Annotated[bool, _OUT("One JSON document on standard output.", "--json")] = False,
    html: Annotated[Path | None, _OUT("Write a self-contained HTML page.")] = None,
    figures: Annotated[Path | None, _OUT("Write the figures as PNG into this folder.")] = None,
) -> None:
    """What is the state of the art worth? The best of many classifiers is an optimistic one.

    scoreproof sota --cases 3000 --classifiers 1000 --accuracy 0.9 --observed-best 0.9213

    scoreproof sota leaderboard.csv --cases 7687

    scoreproof sota leaderboard.csv --score auc --positives 257 --negatives 10725
    """
    from scoreproof.cli.sota_answers import Answers, Asked

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
        _refuse("a leaderboard", rates | {"--auc": other.auc})
        _read_board(answers, board, best.cases, reading, other)
    elif score == "auc" or other.auc is not None:
        _refuse("--score auc", boards | rates | {"--score": None if score in (*_ACCURACY, "auc") else score})
        answers.auc(other.auc, other.positives, other.negatives, shape=other.roc_shape, ratio=other.spread_ratio)
    elif score not in _ACCURACY or other.sens is not None or other.spec is not None:
        _refuse(f"--score {score}", boards | {"--simulate": question.simulate or None})
        answers.other_score(score, other.positives, other.negatives, sens=other.sens, spec=other.spec)
    else:
        _refuse("--score accuracy without --sens and --spec", boards | classes)
        answers.accuracy()
    _write(answers.sections, answers.figures, html, figures)
    if as_json:
        emit_json(answers.document)
    else:
        answers.print(console())


def _read_board(answers: Answers, board: Path, cases: int | None, how: BoardOptions, other: ScoreOptions) -> None:
    """A leaderboard by its predictions, as a ladder, of AUCs, or of accuracies."""
    columns = {"column": how.column, "public_column": how.public_column, "name_column": how.name_column}
    reading: dict[str, Any] = {"percent": how.percent, "sort": how.sort, "prior": how.prior}
    classes, public = {"--positives": other.positives, "--negatives": other.negatives}, how.public_cases
    if how.predictions:
        _refuse("--predictions", classes | {"--cases": cases, "--ladder": how.ladder, "--public-cases": public})
        score = "auc" if other.score == "auc" else "accuracy"
        answers.predicted(board, truth=how.column, score=score, share=how.public_share)
    elif how.ladder is not None:
        answers.ladder(board, columns=columns, step=how.ladder)
    elif other.score == "auc":
        _refuse("a leaderboard of AUCs", {"--public-cases": public})
        if other.positives is None or other.negatives is None:
            raise InvalidOption("a leaderboard of AUCs needs --positives and --negatives of its test set")
        reading |= {"p": other.positives, "n": other.negatives, "shape": other.roc_shape, "ratio": other.spread_ratio}
        reading["public_sizes"] = _public_sizes(how.public_positives, how.public_negatives)
        answers.auc_board(board, columns=columns, reading=reading, top=how.top)
    else:
        named = None if other.score in _ACCURACY else other.score
        publics = {"--public-positives": how.public_positives, "--public-negatives": how.public_negatives}
        _refuse("a leaderboard, which is read as accuracies or --score auc", classes | publics | {"--score": named})
        answers.board(board, columns=columns, reading=reading | {"public_cases": public}, top=how.top)


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

        write_file(html, sota_page(sections, drawn))
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        for name, figure in drawn.items():
            save_figure(figure, folder / f"{name}.png")
