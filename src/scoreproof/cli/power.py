"""``scoreproof power``: would this mistake have been noticed?"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scoreproof.cli.app import AsJson, Classes, ExperimentOptions, Only, Plot, app, grouped, option, says, where
from scoreproof.cli.output import EXIT_INTERRUPTED, fail, numbers, progress_bar, show
from scoreproof.errors import InvalidOption
from scoreproof.figures import check_drawable, save_figure
from scoreproof.kinds.binary.experiment import total_counts
from scoreproof.reported.conventions import Conventions

if TYPE_CHECKING:
    from scoreproof.insight.deviations import Deviation
    from scoreproof.insight.outcomes import Classifier


@dataclass(frozen=True, slots=True)
class DeviationOptions:
    """What went wrong."""

    deviation: str = says(
        "'last digit', 'swapped columns', 'wrong formula', 'other counts', oversampling, 'other aggregation', or none.",
        "last digit",
    )
    score: str | None = says("The score whose last digit or formula is off (default: any).")
    swap: str | None = says("The two columns swapped (default: any two).", metavar="NAME,NAME")
    true_p: int | None = says("Positives in truth, for 'other counts' or oversampling.")
    true_n: int | None = says("Negatives in truth, for 'other counts' or oversampling.")


@dataclass(frozen=True, slots=True)
class TrialOptions:
    """How outcomes are drawn."""

    classifier: str = says(
        "Outcomes: 'any' counts equally likely, 'plausible' rates from 0.5 to 1, or a range such as 0.7,0.95.", "any"
    )
    trials: int = says("Random outcomes per number of digits.", 1000)
    seed: int = says("Of the random outcomes.", 0)
    simulate: bool = says("Draw random outcomes even where all of them could be listed.", False)
    budget: float = says("Seconds per check, after which a trial counts as undecided.", 3.0)
    jobs: int | None = says("Processes (default: one per core).")
    cluster: str | None = says("A Dask cluster to do the work: the address of its scheduler, tcp://HOST:PORT.")
    resume: Path | None = says("Keep finished trials in this file, and go on from there next time.")


@app.command("power")
@grouped
def power_command(
    scores: Annotated[str, option("The scores that are reported, such as acc,sens,spec.")],
    digits: Annotated[str, option("Decimal places, one number or several: 4 or 2,3,4.")],
    *,
    options: ExperimentOptions,
    classes: Classes = None,
    happened: DeviationOptions,
    how: Annotated[Conventions, Only("rounding", "eps", "beta", "undefined")],
    running: TrialOptions,
    plot: Plot = None,
    as_json: AsJson = False,
) -> None:
    """How likely would a given mistake be noticed, if scores were reported to so many digits?

    Exit status: 0, or 2 for wrong usage, or 130 if interrupted (--resume keeps the trials done).

    Example: scoreproof power --p 100 --n 200 --scores acc,sens,spec --digits 3,4
    """
    from scoreproof.cli.experiments import experiment
    from scoreproof.insight.power_analysis import power

    stated = experiment(options, classes=classes)
    if plot is not None:
        check_drawable(plot)
    positives, negatives = (0, 0) if stated.kind == "multi_class" else total_counts(stated)
    deviation = _deviation(**asdict(happened), smaller="p" if positives <= negatives else "n")
    pool, exact = where(running.jobs, running.cluster, otherwise=-1), False if running.simulate else None
    drawn: dict[str, Any] = {name: getattr(running, name) for name in ("trials", "seed", "budget", "resume")}
    names = [name.strip() for name in scores.split(",")]
    shown = numbers("--digits", digits, int, "whole numbers such as 4 or 2,3,4")
    classifier = _classifier(running.classifier)
    try:
        with _interruptible(), progress_bar("trials") as (progress, _):
            drawn |= {"deviation": deviation, "classifier": classifier, "progress": progress, "jobs": pool}
            curve = power(stated, names, shown, exact=exact, **drawn, **how.stated)
    except KeyboardInterrupt:
        kept = " (--resume keeps trials)"
        if running.resume is not None:
            kept = f"; the finished trials are in {running.resume}, run again to go on"
        fail(f"interrupted{kept}")
        raise typer.Exit(EXIT_INTERRUPTED) from None
    if plot is not None:
        save_figure(curve.figure(), plot)
    show(curve, as_json=as_json)


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
