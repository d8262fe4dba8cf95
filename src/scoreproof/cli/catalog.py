"""``scoreproof catalog``: the known experiments, and which reading of one a report fits."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scoreproof.cli.app import AsJson, Only, app, grouped, option, says
from scoreproof.cli.output import STATUS, assignments, console, emit_json, escaped, new_table, show
from scoreproof.errors import InvalidOption
from scoreproof.reported.conventions import Conventions

if TYPE_CHECKING:
    from scoreproof.catalog import Benchmark, Entry, Reading


_TAKEN = ("minimum", "maximum", "attained", "rounding", "eps", "undefined")


@dataclass(frozen=True, slots=True)
class SelectedOptions:
    """What of the entries is meant."""

    choose: list[str] | None = says(
        "Fix an axis of the entry, such as split=train.", None, "--set", metavar="AXIS=VALUE"
    )
    item: list[str] | None = says("Only this image or batch, such as 01.", metavar="NAME")
    folds: int | None = says("Read a data set as cross-validation with this many folds.")
    repeats: int = says("How often the cross-validation was repeated.", 1)
    file: list[Path] | None = says("A YAML file with an entry of your own.")


@app.command("catalog")
@grouped
def catalog_command(
    name: Annotated[str | None, typer.Argument(help="An entry, such as drive; all are listed without it.")] = None,
    scores: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME=VALUE]...", help="Scores as printed: says which readings they fit."),
    ] = None,
    *,
    selected: SelectedOptions,
    how: Annotated[Conventions, Only(*_TAKEN)],
    budget: Annotated[float, option("Seconds per reading after which it is undecided.")] = 30.0,
    list_all: Annotated[bool, option("List every common data set and benchmark too.", "--all")] = False,
    as_json: AsJson = False,
) -> None:
    """Known experiments: their class counts, citations and usual readings; benchmarks of known size.

    With scores, exit status: 0 if some reading is consistent, 1 if none is, 2 wrong usage, 3 undecided. --minimum and
    --maximum are the smallest and largest value over the images, batches or folds; readings that add all matrices have
    neither, and are then left out.

    Example: scoreproof catalog drive --item 01 acc=0.9633 sens=0.7406
    """
    from scoreproof.catalog import benchmarks, entries, entry, identify

    files = selected.file or []
    if name is None:
        _list(entries(files), benchmarks(), everything=list_all, as_json=as_json)
        return
    known = entry(name, files)
    chosen = assignments(selected.choose or [], "--set")
    if not scores:
        if how.stated:
            raise InvalidOption(f"{', '.join(how.stated)}: that is about a report; give its scores, such as acc=0.90")
        readings = known.readings(items=selected.item or None, folds=selected.folds, repeats=selected.repeats, **chosen)
        if as_json:
            emit_json({**known.to_dict(), "readings": [reading.to_dict() for reading in readings]})
        else:
            _show(known, readings)
        return
    for score in scores:
        if "=" not in score:
            raise InvalidOption(f"scores: expected NAME=VALUE such as acc=0.90, got {score!r}")
    found = identify(
        known,
        assignments(scores, "scores"),
        items=selected.item or None,
        folds=selected.folds,
        repeats=selected.repeats,
        chosen=chosen,
        budget=budget,
        **how.stated,
    )
    show(found, as_json=as_json)
    raise typer.Exit(STATUS[found.verdict])


def _list(shelf: tuple[Entry, ...], sized: tuple[Benchmark, ...], *, everything: bool, as_json: bool) -> None:
    if as_json:
        emit_json(
            [
                {
                    "name": one.name,
                    "aliases": list(one.aliases),
                    "title": one.title,
                    "task": one.task,
                    "citation": one.citation,
                    "sets": len(one.sets),
                }
                for one in (*shelf, *(known.entry() for known in sized))
            ]
        )
        return
    plain = [one for one in shelf if one.source == "common.yaml"]
    table = new_table("name", "what", "counts known by")
    for one in shelf:
        if one.source == "common.yaml":
            continue
        axes = ", ".join([*([one.item] if any(part.item for part in one.sets) else []), *(a.name for a in one.axes)])
        table.add_row(f"[bold]{one.name}[/]", one.title, axes or "data set")
    out = console()
    out.print(table)
    if everything:
        counts = new_table("common binary data set", "p", "n", right="pn")
        for one in plain:
            counts.add_row(escaped(one.name), str(one.sets[0].p), str(one.sets[0].n))
        out.print(counts)
        sizes = new_table("benchmark", "a share of", "score", right=("a share of",))
        for known in sized:
            for split, size in known.splits.items():
                sizes.add_row(escaped(f"{known.name}, {split}", None), f"{size:,}", known.score)
        out.print(sizes)
    else:
        out.print(
            f"and {len(plain)} common binary data sets, {len(sized)} benchmarks of known size (--all lists them)."
        )
    out.print("Show one with: scoreproof catalog drive", markup=False)
    out.print("Test a report with: scoreproof catalog drive --item 01 acc=0.9633 sens=0.7406", markup=False)


def _show(known: Entry, readings: tuple[Reading, ...]) -> None:
    from scoreproof.kinds.binary.experiment import total_counts

    out = console()
    out.print(f"[bold]{escaped(known.title, None)}[/]")
    out.print(known.task, markup=False)
    out.print(known.citation, markup=False)
    for note in known.notes:
        out.print(f"- {note}", markup=False)
    if known.axes:
        axes = new_table("axis", "value", "meaning", "")
        for axis in known.axes:
            for place, (value, words) in enumerate(axis.values.items()):
                role = "default" if value == axis.default else "tried" if axis.use == "reading" else ""
                axes.add_row(
                    f"[bold]{escaped(axis.name)}[/]" if place == 0 else "", escaped(value), escaped(words, None), role
                )
        out.print(axes)
    table = new_table("reading", "p in all", "n in all", right=("p in all", "n in all"))
    for reading in readings:
        p, n = total_counts(reading.experiment)
        table.add_row(escaped(reading.label, None), f"{p:,}", f"{n:,}")
    out.print(table)
