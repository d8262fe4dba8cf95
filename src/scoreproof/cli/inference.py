"""``scoreproof reconstruct``: what was not printed.

``scoreproof reinterpret``: what a paper's table says beyond its conclusions.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scoreproof.cli.app import AsJson, Certificate, Only, Plot, app, grouped, option, says
from scoreproof.cli.experiments import several_classes
from scoreproof.cli.output import EXIT_NO, EXIT_OK, STATUS, assignments, console, kept_proof, show, write_proof
from scoreproof.cli.reports import show_findings
from scoreproof.cli.score_columns import Scores, listed, only, plain_name, role, value_column
from scoreproof.csv_reader.columns import Columns, read_columns
from scoreproof.errors import InvalidOption
from scoreproof.figures import check_drawable, save_figure
from scoreproof.files import write_file
from scoreproof.reported.conventions import Conventions

if TYPE_CHECKING:
    from scoreproof.insight.reconstruction import Reconstruction


@dataclass(frozen=True, slots=True)
class SizeOptions:
    """What is known of the test set."""

    p: int | None = says("Positives in the test set, if known.")
    n: int | None = says("Negatives in the test set, if known.")
    total: str | None = says("Cases in the test set: a number, or a range such as 90-110.")
    prevalence: str | None = says("The share of positives, as printed.")
    classes: str | None = says("Cases of every class, of several that exclude each other: 50,70,30, or cat=50,dog=70.")
    interval_method: str | None = says(
        "Method of intervals printed with scores, acc='0.912 (0.880-0.938)': wilson, ..., or any.", metavar="NAME"
    )


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """Output."""

    tightness: float = says("How close to values that occur the ranges should come.", 1e-4)
    budget: float = says("Seconds after which the answer is 'undecided'.", 30.0)
    explain: bool = says("If nothing fits: the smallest conflict and the nearest repairs.", False)
    limit: int = says("Most class counts or matrices that are listed.", 12)


@app.command("reconstruct")
@grouped
def reconstruct_command(
    scores: Annotated[
        list[str], typer.Argument(metavar="NAME=VALUE...", help="Scores as printed, such as acc=0.706 or tpr=43.0%.")
    ],
    *,
    sizes: SizeOptions,
    how: Annotated[Conventions, Only("rounding", "eps", "beta", "decimal_comma", "macro_f1")],
    wanted: SearchOptions,
    certificate: Certificate = None,
    plot: Plot = None,
    as_json: AsJson = False,
) -> None:
    """Which confusion matrices, which prevalence and which other scores follow from these?

    Every range holds for every confusion matrix that could have produced the scores. Exit status: 0 something fits, 1
    nothing does, 2 wrong usage, 3 undecided.

    Example: scoreproof reconstruct acc=0.706 sens=43.0% --total 90-110
    """
    from scoreproof.insight.reconstructing import reconstruct

    if plot is not None:
        check_drawable(plot)
    given = assignments(scores, "scores")
    reconstruction: Any
    known = asdict(sizes)
    classes = known.pop("classes")
    if classes is not None:
        rules = {name: value for name, value in how.stated.items() if name not in ("beta", "macro_f1")}
        rules["budget"] = wanted.budget
        reconstruction = several_classes(classes, given, rules, how.macro_f1, **known, beta=how.beta)
    else:
        if "macro_f1" in how.stated:
            raise InvalidOption("--macro-f1: it is about several classes; give them with --classes")
        known |= {"total": _range(sizes.total), "tightness": wanted.tightness, "budget": wanted.budget}
        reconstruction = reconstruct(given, **known, **how.stated)
    write_proof(certificate, reconstruction.certificate)
    if plot is not None and reconstruction.verdict == "consistent":
        save_figure(reconstruction.figure(), plot)
    explanation = reconstruction.explain() if wanted.explain and reconstruction.verdict == "inconsistent" else None
    show(reconstruction, as_json=as_json, **({"explanation": explanation.to_dict()} if explanation else {}))
    if not as_json:
        told = [f"Open: {question}." for question in getattr(reconstruction, "open_questions", ())]
        if sizes.classes is None and reconstruction.verdict == "consistent":
            told += _listed(reconstruction, wanted.limit)
        elif reconstruction.certificate is not None:
            told.append(kept_proof(certificate))
        for line in told:
            console().print(line, markup=False)
        if explanation is not None:
            show_findings(explanation.findings, console(), full=True)
    raise typer.Exit(STATUS[reconstruction.verdict])


def _range(text: str | None) -> int | tuple[int, int] | None:
    if text is None:
        return None
    ends = text.replace("..", "-").split("-")
    if len(ends) > 2 or not all(end.strip().isdecimal() for end in ends):
        raise InvalidOption(f"--total: expected a number such as 100, or a range such as 90-110; got {text!r}")
    numbers = [int(end) for end in ends]
    return numbers[0] if len(numbers) == 1 else (numbers[0], numbers[1])


def _listed(reconstruction: Reconstruction, limit: int) -> Iterator[str]:
    """What fits: the smallest test sets, the class counts, or the matrices, as far as is known."""
    least, groups = reconstruction.smallest, reconstruction.groups
    if reconstruction.known == "rates":
        if least is not None and least.matrices:
            totals = ", ".join(map(str, least.totals))
            yield f"Smallest test sets that give these scores: {totals} cases, the first with {least.matrices[0]}."
        elif least is not None:
            yield f"No test set of up to {least.searched} cases gives these scores exactly; larger ones do."
        return
    number = "Too many" if reconstruction.count is None else f"{reconstruction.count:,}"
    if reconstruction.known == "total" and groups is None:
        yield "The class counts that fit are too many to be listed; the ranges hold for all of them."
    elif reconstruction.known == "total" and groups is not None:
        yield f"{len(groups):,} class counts and {number.lower()} matrices fit:"
        yield from (f"  p={group.p} n={group.n}, for example {group.example}" for group in groups[:limit])
        if len(groups) > limit:
            yield f"  ... {len(groups) - limit:,} more (--limit)"
    else:
        yield f"{number} matri{'x fits' if reconstruction.count == 1 else 'ces fit'}:"
        yield from (f"  {matrix}" for matrix in itertools.islice(reconstruction.matrices(), limit))
        if reconstruction.count is None or reconstruction.count > limit:
            yield "  ... (--limit)"


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
        results: dict[str, Any] = {m: tuple(float(c[i]) for c in numbers) for i, m in enumerate(names)}
    else:
        rest = [n for n in table.names if n != column and role(n) != "other"]
        printed = table.column(value_column(table, rest, metric))
        results = dict(zip(names, printed, strict=True))
    if len(results) < len(names):
        raise InvalidOption(f"{path}: a model stands in two rows: expected one row for each")
    return only(Scores(path, results), listed(models)).models


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
    reinterpretation = reinterpret(
        table,
        claim=_claim(claim),
        tightness=drawn.tightness,
        budget=drawn.budget,
        **asdict(costs),
        **asdict(sizes),
        **how.stated,
    )
    if drawn.html is not None:
        write_file(drawn.html, reinterpretation.to_html())
    if drawn.rank_plot is not None:
        save_figure(reinterpretation.rank_figure(drawn.rank_by), drawn.rank_plot)
    if drawn.cost_plot is not None:
        save_figure(reinterpretation.cost_figure(), drawn.cost_plot)
    show(reinterpretation, as_json=as_json)
    raise typer.Exit(EXIT_NO if any(finding.grave for finding in reinterpretation.findings) else EXIT_OK)


def _claim(pair: tuple[str, str] | None) -> dict[str, str] | None:
    if pair is None:
        return None
    parts = dict(word.partition("=")[::2] for word in pair)
    if set(parts) != {"best", "by"} or not all(parts.values()):
        raise InvalidOption(f"--claim: expected best=METHOD by=SCORE, got {' '.join(pair)!r}")
    return parts
