"""``scoreproof reconstruct``: what was not printed."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scoreproof.cli.app import app
from scoreproof.cli.class_values import several_classes, show_classes
from scoreproof.cli.option_groups import Only, grouped
from scoreproof.cli.options import (
    AsJson,
    Certificate,
    Classes,
    Prevalence,
    Tightness,
    option,
)
from scoreproof.cli.output import STATUS, assignments, console, emit_json, escaped, kept_proof, new_table
from scoreproof.cli.words import show_explanation
from scoreproof.errors import InvalidOption
from scoreproof.figures import check_drawable, save_figure
from scoreproof.files import write_file
from scoreproof.reported.conventions import Conventions
from scoreproof.results import COLOURS

if TYPE_CHECKING:
    from rich.console import Console

    from scoreproof.insight.reconstruction import Reconstruction

_FIRST = ("tp", "fp", "fn", "tn", "p", "n", "prevalence")


@dataclass(frozen=True, slots=True)
class SizeOptions:
    """What is known of the test set."""

    p: Annotated[int | None, option("Positives in the test set, if known.", "--p")] = None
    n: Annotated[int | None, option("Negatives in the test set, if known.", "--n")] = None
    total: Annotated[str | None, option("Cases in the test set: a number, or a range such as 90-110.")] = None
    prevalence: Prevalence = None
    classes: Classes = None
    interval_method: Annotated[
        str | None,
        option(
            "Method of intervals printed with scores, acc='0.912 (0.880-0.938)': wilson, ..., or any.", metavar="NAME"
        ),
    ] = None


@app.command("reconstruct")
@grouped
def reconstruct_command(
    scores: Annotated[
        list[str], typer.Argument(metavar="NAME=VALUE...", help="Scores as printed, such as acc=0.706 or tpr=43.0%.")
    ],
    *,
    sizes: SizeOptions,
    how: Annotated[Conventions, Only("rounding", "eps", "beta", "decimal_comma", "macro_f1")],
    tightness: Tightness = 1e-4,
    budget: Annotated[float, option("Seconds after which the answer is 'undecided'.")] = 30.0,
    explain: Annotated[
        bool, option("If nothing fits: the smallest conflict and the nearest repairs.", "--explain")
    ] = False,
    certificate: Certificate = None,
    plot: Annotated[Path | None, option("Draw the admissible region to this file (.png, .svg, .pdf).")] = None,
    limit: Annotated[int, option("Most class counts or matrices that are listed.")] = 12,
    as_json: AsJson = False,
) -> None:
    """Which confusion matrices, which prevalence and which other scores follow from these?

    Every range holds for every confusion matrix that could have produced the scores. Exit status: 0 something fits, 1
    nothing does, 2 wrong usage, 3 undecided.
    """
    from scoreproof.insight.reconstructing import reconstruct

    if plot is not None:
        check_drawable(plot)
    given = assignments(scores, "scores")
    found: Any
    if sizes.classes is not None:
        beside = asdict(sizes) | {"beta": how.beta}
        classes = beside.pop("classes")
        rules = {name: value for name, value in how.stated.items() if name not in ("beta", "macro_f1")}
        found = several_classes(classes, given, rules | {"budget": budget}, how.macro_f1, **beside)
    else:
        if "macro_f1" in how.stated:
            raise InvalidOption("--macro-f1: it is about several classes; give them with --classes")
        found = reconstruct(
            given,
            p=sizes.p,
            n=sizes.n,
            total=_range(sizes.total),
            prevalence=sizes.prevalence,
            interval_method=sizes.interval_method,
            tightness=tightness,
            budget=budget,
            **how.stated,
        )
    if certificate is not None and found.certificate is not None:
        write_file(certificate, json.dumps(found.certificate) + "\n")
    if plot is not None and found.verdict == "consistent":
        save_figure(found.figure(), plot)
    explanation = found.explain() if explain and found.verdict == "inconsistent" else None
    if as_json:
        emit_json({**found.to_dict(), **({"explanation": explanation.to_dict()} if explanation else {})})
    else:
        if sizes.classes is not None:
            show_classes(found, console(), certificate)
        else:
            _show(found, console(), certificate, limit)
        if explanation is not None:
            show_explanation(explanation, console())
    raise typer.Exit(STATUS[found.verdict])


def _range(text: str | None) -> int | tuple[int, int] | None:
    if text is None:
        return None
    ends = text.replace("..", "-").split("-")
    if len(ends) > 2 or not all(end.strip().isdecimal() for end in ends):
        raise InvalidOption(f"--total: expected a number such as 100, or a range such as 90-110; got {text!r}")
    numbers = [int(end) for end in ends]
    return numbers[0] if len(numbers) == 1 else (numbers[0], numbers[1])


def _show(found: Reconstruction, out: Console, certificate: Path | None, limit: int) -> None:
    out.print(
        f"[bold {COLOURS[found.verdict]}]{found.verdict.upper()}[/]  {escaped(found.setting(), None)}", highlight=False
    )
    for note in found.notes:
        out.print(f"[bold]Note:[/] {escaped(note, None)}.", highlight=False)
    if found.verdict == "inconsistent":
        _show_refutation(found, out, certificate)
        return
    if found.verdict == "undecided":
        out.print(f"Not decided: {found.reason}. This is no sign of a mistake; try a larger --budget.", markup=False)
        return
    _show_ranges(found, out)
    for question in found.open_questions:
        out.print(f"[yellow]Open:[/] {escaped(question, None)}.")
    if found.known == "rates":
        _show_smallest(found, out)
    elif found.known == "total":
        _show_groups(found, out, limit)
    else:
        _show_matrices(found, out, limit)


def _show_ranges(found: Reconstruction, out: Console) -> None:
    from scoreproof.kinds.binary.scores import score
    from scoreproof.kinds.unknown_classes.ranges import above, below

    reported = {one.score.name: one.text for one in found.claims}
    table = new_table("", "at least", "at most", "reported", "", right=("at least", "at most"))
    rates = found.known == "rates"
    for name, span in found.ranges.items():
        if " - " in name:
            continue
        title = name if name in _FIRST else score(name).title
        title = f"{title}, as a rate" if rates and name in _FIRST[:4] else title
        sharp = "" if span.exact else "outer bounds"
        table.add_row(title, below(span.low), above(span.high), reported.get(name, ""), sharp)
    out.print(table)


def _show_smallest(found: Reconstruction, out: Console) -> None:
    least = found.smallest
    if least is None:
        return
    if not least.matrices:
        out.print(f"No test set of up to {least.searched} cases gives these scores exactly; larger ones do.")
        return
    totals = ", ".join(map(str, least.totals))
    out.print(f"Smallest test sets that give these scores: {totals} cases, the first with {least.matrices[0]}.")


def _show_groups(found: Reconstruction, out: Console, limit: int) -> None:
    if found.groups is None:
        out.print("The class counts that fit are too many to be listed; the ranges hold for all of them.")
        return
    count = "many" if found.count is None else f"{found.count:,}"
    out.print(f"{len(found.groups):,} class counts and {count} matrices fit:")
    for group in found.groups[:limit]:
        out.print(f"  p={group.p} n={group.n}, for example {group.example}")
    if len(found.groups) > limit:
        out.print(f"  ... {len(found.groups) - limit:,} more (--limit)")


def _show_matrices(found: Reconstruction, out: Console, limit: int) -> None:
    import itertools

    count = "Too many to count" if found.count is None else f"{found.count:,} matri{'x' if found.count == 1 else 'ces'}"
    out.print(f"{count} fit{'s' if found.count == 1 else ''}:")
    for matrix in itertools.islice(found.matrices(), limit):
        out.print(f"  {matrix}")
    if found.count is None or found.count > limit:
        out.print("  ... (--limit)")


def _show_refutation(found: Reconstruction, out: Console, certificate: Path | None) -> None:
    printed = ", ".join(map(str, found.claims))
    out.print(f"No confusion matrix {found.setting()} has {printed}.", markup=False)
    if found.reason:
        out.print(f"Reason: {found.reason}.", markup=False)
    proof = found.certificate
    assert proof is not None
    steps = len(proof["proof"]["steps"])
    out.print(f"The proof has {steps} step{'s' * (steps != 1)} and covers every case.")
    out.print(kept_proof(certificate), markup=False)
