"""``scoreproof power``: would this mistake have been noticed?"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scoreproof.cli.app import app
from scoreproof.cli.option_groups import ExperimentOptions, Only, grouped
from scoreproof.cli.options import AsJson, Classes, OnCluster, option, where
from scoreproof.cli.output import EXIT_INTERRUPTED, console, emit_json, escaped, fail, new_table, progress_bar
from scoreproof.errors import InvalidOption
from scoreproof.figures import check_drawable, save_figure
from scoreproof.kinds.binary.experiment import total_counts
from scoreproof.reported.conventions import Conventions

if TYPE_CHECKING:
    from scoreproof.insight.deviations import Deviation
    from scoreproof.insight.outcomes import Classifier
    from scoreproof.insight.power_result import PowerCurve


@dataclass(frozen=True, slots=True)
class DeviationOptions:
    """What went wrong."""

    deviation: Annotated[
        str,
        option(
            "What went wrong: 'last digit', 'swapped columns', 'wrong formula', 'other counts', oversampling, "
            "'other aggregation', or none."
        ),
    ] = "last digit"
    score: Annotated[str | None, option("The score whose last digit or formula is off (default: any).")] = None
    swap: Annotated[str | None, option("The two columns swapped (default: any two).", metavar="NAME,NAME")] = None
    true_p: Annotated[int | None, option("Positives in truth, for 'other counts' or oversampling.")] = None
    true_n: Annotated[int | None, option("Negatives in truth, for 'other counts' or oversampling.")] = None


@dataclass(frozen=True, slots=True)
class TrialOptions:
    """How outcomes are drawn."""

    trials: Annotated[int, option("Random outcomes per number of digits.")] = 1000
    seed: Annotated[int, option("Of the random outcomes.")] = 0
    simulate: Annotated[bool, option("Draw random outcomes even where all of them could be listed.", "--simulate")] = (
        False
    )
    budget: Annotated[float, option("Seconds per check, after which a trial counts as undecided.")] = 3.0
    jobs: Annotated[int | None, option("Processes (default: one per core).")] = None
    cluster: OnCluster = None
    resume: Annotated[Path | None, option("Keep finished trials in this file, and go on from there next time.")] = None


@app.command("power")
@grouped
def power_command(
    scores: Annotated[str, option("The scores that are reported, such as acc,sens,spec.")],
    digits: Annotated[str, option("Decimal places, one number or several: 4 or 2,3,4.")],
    *,
    options: ExperimentOptions,
    classes: Classes = None,
    happened: DeviationOptions,
    classifier: Annotated[
        str,
        option("Outcomes: 'any' counts equally likely, 'plausible' rates from 0.5 to 1, or a range such as 0.7,0.95."),
    ] = "any",
    how: Annotated[Conventions, Only("rounding", "eps", "beta", "undefined")],
    running: TrialOptions,
    figure: Annotated[Path | None, option("Write the curve to this .png, .svg or .pdf file.")] = None,
    as_json: AsJson = False,
) -> None:
    """How likely would a given mistake be noticed, if scores were reported to so many digits?

    Exit status: 0, or 2 for wrong usage, or 130 if interrupted (--resume keeps the trials done).
    """
    from scoreproof.cli.experiments import experiment
    from scoreproof.insight.power_analysis import power

    stated = experiment(options, classes=classes)
    if figure is not None:
        check_drawable(figure)
    positives, negatives = (0, 0) if stated.kind == "multi_class" else total_counts(stated)
    deviation = _deviation(**asdict(happened), smaller="p" if positives <= negatives else "n")
    try:
        with _interruptible(), progress_bar("trials") as progress:
            curve = power(
                stated,
                [name.strip() for name in scores.split(",")],
                [_number("--digits", text) for text in digits.split(",")],
                deviation=deviation,
                classifier=_classifier(classifier),
                trials=running.trials,
                seed=running.seed,
                exact=False if running.simulate else None,
                budget=running.budget,
                jobs=where(running.jobs, running.cluster, otherwise=-1),
                progress=progress,
                resume=running.resume,
                rounding=how.rounding,
                eps=how.eps,
                beta=how.beta,
                undefined=how.undefined,
            )
    except KeyboardInterrupt:
        kept = " (--resume keeps trials)"
        if running.resume is not None:
            kept = f"; the finished trials are in {running.resume}, run again to go on"
        fail(f"interrupted{kept}")
        raise typer.Exit(EXIT_INTERRUPTED) from None
    if figure is not None:
        save_figure(curve.figure(), figure)
    if as_json:
        emit_json(curve.to_dict())
    else:
        _show(curve, figure)


def _number(what: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise InvalidOption(f"{what}: expected whole numbers such as 4 or 2,3,4, got {text!r}") from None


def _deviation(
    deviation: str, score: str | None, swap: str | None, true_p: int | None, true_n: int | None, *, smaller: str
) -> Deviation:
    """The deviation with its own options; an option of another deviation is an error."""
    from scoreproof.insight.deviations import (
        LastDigit,
        OtherCounts,
        Oversampling,
        SwappedColumns,
        WrongFormula,
        deviation_of,
    )

    spelled = " ".join(deviation.lower().replace("_", " ").replace("-", " ").split())
    kind = OtherCounts if spelled == OtherCounts.name else type(deviation_of(deviation))
    for flag, value, homes in (
        ("--score", score, (LastDigit, WrongFormula)),
        ("--swap", swap, (SwappedColumns,)),
        ("--true-p", true_p, (OtherCounts, Oversampling)),
        ("--true-n", true_n, (OtherCounts, Oversampling)),
    ):
        if value is not None and kind not in homes:
            raise InvalidOption(f"{flag}: does not go with --deviation {deviation!r}; leave it out")
    if kind is OtherCounts:
        return OtherCounts(true_p, true_n)
    if kind is LastDigit or kind is WrongFormula:
        return kind(score)
    if kind is SwappedColumns:
        pair = [part.strip() for part in swap.split(",")] if swap is not None else []
        if swap is not None and len(pair) != 2:
            raise InvalidOption(f"--swap: expected two scores such as acc,spec, got {swap!r}")
        return SwappedColumns(*pair)
    if kind is Oversampling:
        wrong = true_n if smaller == "p" else true_p
        if wrong is not None:
            raise InvalidOption(f"oversampling enlarges the smaller class: expected --true-{smaller}, got {wrong}")
        return Oversampling(true_p if smaller == "p" else true_n)
    return deviation_of(deviation)


def _classifier(text: str) -> str | Classifier:
    if "," not in text:
        return text
    from scoreproof.insight.outcomes import PlausibleClassifier

    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise InvalidOption(
            f"--classifier: expected any, plausible, or LOW,HIGH such as 0.7,0.95; got {text!r}"
        ) from None
    return PlausibleClassifier(low, high)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let the pool of processes end without a word: its thread may trip over the work it loses by an interruption."""
    usual = threading.excepthook

    def quiet(args: threading.ExceptHookArgs) -> None:
        if args.thread is None or "ExecutorManager" not in args.thread.name:
            usual(args)

    threading.excepthook = quiet
    try:
        yield
    except KeyboardInterrupt:
        raise  # the process is about to end, and the thread may still be at it
    except BaseException:
        threading.excepthook = usual
        raise
    threading.excepthook = usual


def _show(curve: PowerCurve, figure: Path | None) -> None:
    from scoreproof.insight.power_result import percent, rule_words

    out = console()
    one = curve.setting
    out.print(f"[bold]{escaped(str(one.stated), None)}[/]")
    out.print(f"what went wrong: {one.deviation}", markup=False)
    out.print(f"reported: {', '.join(one.names)}, {rule_words(one)}; outcomes: {one.classifier}", markup=False)
    columns = ("digits", "power", "at least", "at most", "trials", "undecided")
    table = new_table(*columns, right=columns)
    for point in curve:
        shares = map(percent, (point.power, point.low, point.high))
        made = f"all {point.trials:,}" if point.exact else f"{point.trials:,}"
        table.add_row(str(point.digits), *shares, made, f"{point.undecided:,}")
    out.print(table)
    if all(point.exact for point in curve):
        out.print("Power is the share of all outcomes whose report is proved inconsistent: exact.")
    else:
        out.print(
            f"Power is the share of reports proved inconsistent; bounds at the {100 * curve.points[0].level:g}% level, "
            "undecided trials counted as missed below and as noticed above."
        )
    if figure is not None:
        out.print(f"Figure: {figure}", markup=False)
