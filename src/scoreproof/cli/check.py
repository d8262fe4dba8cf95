"""``scoreproof check``: one report, decided on the spot."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Annotated, Any

import typer

from scoreproof.cli.app import app
from scoreproof.cli.arguments import assignments, common_or_each
from scoreproof.cli.class_values import values_by_class
from scoreproof.cli.explain_words import show_explanation
from scoreproof.cli.option_groups import ExperimentOptions, grouped
from scoreproof.cli.options import (
    AsJson,
    Average,
    Beta,
    BoundsOnly,
    Certificate,
    Classes,
    Concave,
    DecimalComma,
    DetectedObjects,
    ExtremesAre,
    FoldsRule,
    FurtherPoints,
    Labels,
    MacroF1As,
    Matrix,
    Maximum,
    Minimum,
    NoTies,
    Parts,
    Predicted,
    Queries,
    Total,
    UndefinedAs,
    option,
)
from scoreproof.cli.output import EXIT_NO, EXIT_OK, STATUS, console, emit_json, new_table, working
from scoreproof.cli.words import show_result, summary
from scoreproof.errors import InvalidOption
from scoreproof.files import write_file
from scoreproof.kinds.binary.experiment import sums_matrices
from scoreproof.validation import whole

_MOST_LINES = 1_000_000


@app.command("check")
@grouped
def check_command(
    scores: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME=VALUE...", help="Scores as printed, such as acc=0.6801 or sens=74.3%."),
    ] = None,
    *,
    options: ExperimentOptions,
    fold_rule: FoldsRule = None,
    total: Total = None,
    average: Average = False,
    parts: Parts = None,
    regression: Predicted = None,
    detection: DetectedObjects = None,
    queries: Queries = None,
    no_ties: NoTies = False,
    point: FurtherPoints = None,
    concave: Concave = False,
    classes: Classes = None,
    labels: Labels = None,
    matrix: Matrix = None,
    macro_f1: MacroF1As = None,
    report: Annotated[
        Path | None, option("A scikit-learn classification report as a text file (- is the standard input).")
    ] = None,
    minimum: Minimum = None,
    maximum: Maximum = None,
    bounds_only: BoundsOnly = False,
    extremes_over: ExtremesAre = "parts",
    spread: Annotated[str, option("What follows a ±: deviation, error (of the mean), or ignore.")] = "deviation",
    divisor: Annotated[
        str, option("Of the variance behind a ±: population, sample, any (one for all), or each (its own).")
    ] = "any",
    spread_over: Annotated[str, option("What a ± is over: folds, repeats, parts of nested means, or any.")] = "any",
    fold_digits: Annotated[int | None, option("The averaged values were themselves rounded to so many digits.")] = None,
    rounding: Annotated[
        list[str] | None,
        option("How values were rounded: any (default), nearest, floor or ceil; or NAME=RULE for one score."),
    ] = None,
    eps: Annotated[
        list[str] | None,
        option("Largest distance of a printed value from the true one; or NAME=EPS for one score (repeatable)."),
    ] = None,
    beta: Beta = None,
    undefined: UndefinedAs = "any",
    decimal_comma: DecimalComma = False,
    budget: Annotated[float, option("Seconds after which the answer is 'undecided'.")] = 30.0,
    certificate: Certificate = None,
    list_all: Annotated[bool, option("List every matrix that fits.", "--all")] = False,
    limit: Annotated[int, option("Most lines that --all prints.")] = 1000,
    explain: Annotated[
        bool, option("If inconsistent: the smallest conflict, the nearest repairs, other designs.", "--explain")
    ] = False,
    oversampled: Annotated[
        list[int] | None, option("With --explain: a size the smaller class was raised to (repeatable).")
    ] = None,
    hypothesis: Annotated[
        list[Path] | None, option("With --explain: another experiment to try, as a JSON or YAML file (repeatable).")
    ] = None,
    catalogue: Annotated[
        list[str] | None, option("With --explain: known data whose readings are to be tried (repeatable).", "--catalog")
    ] = None,
    explain_budget: Annotated[float, option("Seconds an explanation may take.")] = 5.0,
    as_json: AsJson = False,
) -> None:
    """Could this experiment have produced these scores?

    Exit status: 0 consistent, 1 inconsistent, 2 wrong usage, 3 undecided, 4 a fault of scoreproof.
    """
    from scoreproof.checking import ask
    from scoreproof.checking.check import check
    from scoreproof.cli.experiments import experiment, read_experiment

    limit = whole("--limit", limit, at_least=1, at_most=_MOST_LINES)
    designs: dict[str, Any] = {
        "total": total,
        "average": parts if parts is not None else 0 if average else None,
        "regression": regression,
        "detection": detection,
        "queries": queries,
        "classes": classes,
        "labels": labels,
        "matrix": matrix,
    }
    rules: dict[str, Any] = {
        "rounding": common_or_each(rounding or [], "--rounding"),
        "eps": common_or_each(eps or [], "--eps"),
    }
    if report is not None:
        from scoreproof.csv_reader import read_content
        from scoreproof.documents.report_text import report_problem

        others = (scores, *designs.values(), minimum, maximum, point)
        if any(value is not None for value in others) or no_ties or concave or options.stated:
            raise InvalidOption("--report describes experiment and scores; give no others beside it")
        one_matrix = False
        stated = {name: value for name, value in (*rules.items(), ("macro_f1", macro_f1)) if value is not None}
        with working("checking a classification report", quiet=False):
            result = ask(report_problem(read_content(report).text, undefined=undefined, **stated), budget=budget)
    else:
        setting = experiment(options, fold_rule=fold_rule, **designs)
        one_matrix = setting.kind == "binary" and sums_matrices(setting)
        given = values_by_class(setting, assignments(scores or [], "scores"), decimal_comma=decimal_comma)
        with working(f"checking {setting}", quiet=one_matrix):
            result = check(
                setting,
                given,
                minimum=assignments(minimum or [], "--min") or None,
                maximum=assignments(maximum or [], "--max") or None,
                attained=not bounds_only,
                spread=spread,
                divisor=divisor,
                spread_over=spread_over,
                extremes_over=extremes_over,
                fold_digits=fold_digits,
                beta=beta,
                undefined=undefined,
                decimal_comma=decimal_comma,
                budget=budget,
                **rules,
                **_special(macro_f1, no_ties, point, concave),
            )
    explanation = None
    if explain:
        own = {file.stem: read_experiment(file) for file in hypothesis or []}
        with working("looking for an explanation", quiet=False):
            explanation = result.explain(
                hypotheses=own, oversampled=oversampled or [], catalogue=catalogue or [], budget=explain_budget
            )
    elif oversampled or hypothesis or catalogue:
        raise InvalidOption("--oversampled, --hypothesis and --catalog are about explanations; add --explain")
    if certificate is not None and result.certificate is not None:
        write_file(certificate, json.dumps(result.certificate) + "\n")
    if as_json:
        document: dict[str, Any] = result.to_dict()
        if result.witness is not None and result.claims:
            from scoreproof.insight.strength_of_pass import worth

            document["worth"] = worth(result)
        if result.witness is not None and one_matrix and result.problem.kind == "binary":
            document["solutions"] = summary(result)
            if list_all:
                blocks = itertools.islice(result.solutions(), limit)
                document["solutions"]["blocks"] = [{"tp": list(b.tp), "tn": list(b.tn)} for b in blocks]
        if explanation is not None:
            document["explanation"] = explanation.to_dict()
        emit_json(document)
    else:
        show_result(result, console(), certificate=certificate, list_all=list_all, limit=limit)
        if explanation is not None and result.verdict == "inconsistent":
            show_explanation(explanation, console())
    raise typer.Exit(STATUS[result.verdict])


def _special(macro_f1: str | None, no_ties: bool, points: list[str] | None, concave: bool) -> dict[str, Any]:
    """The options of one kind alone, where they were given."""
    special: dict[str, Any] = {} if macro_f1 is None else {"macro_f1": macro_f1}
    if no_ties:
        special["ties"] = False
    if concave:
        special["concave"] = True
    if points:
        special["points"] = [assignments(each.split(","), "--point") for each in points]
    return special


@app.command("verify")
def verify_command(
    file: Annotated[
        Path | None, typer.Argument(help="A certificate written by 'scoreproof check --certificate'.")
    ] = None,
    page: Annotated[
        Path | None, option("Write a page that re-checks certificates in any browser.", metavar="FILE")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Re-check a certificate with code that shares nothing with the engine that made it.

    Exit status: 0 valid, 1 not valid, 2 no certificate.
    """
    from scoreproof.checking import verify

    if page is not None:
        from scoreproof.pages import verify_page

        write_file(page, verify_page())
        console(stderr=True).print(f"page: {page}", markup=False)
    if file is None:
        if page is None:
            raise InvalidOption("the certificate is missing: scoreproof verify FILE, or --page FILE for a page")
        return
    verification = verify(file)
    if as_json:
        emit_json(verification.to_dict())
    else:
        word = "[bold green]valid[/]" if verification else "[bold red]not valid[/]"
        console().print(word)
        console().print(verification.words, markup=False)
    raise typer.Exit(EXIT_OK if verification else EXIT_NO)


@app.command("scores")
def scores_command(as_json: AsJson = False) -> None:
    """List the scores, their formulas and every name they are known by."""
    from scoreproof.kinds.binary.scores import known_scores
    from scoreproof.kinds.regression.problem import REGISTER
    from scoreproof.quantities import CURVE, DETECTION, RANKING, register_of

    if as_json:
        own = [*known_scores(), *REGISTER, *CURVE, *DETECTION, *RANKING]
        emit_json(
            [
                {
                    "name": one.name,
                    "kind": one.kind,
                    "title": one.title,
                    "latex": one.latex,
                    "range": [None if end is None else float(end) for end in one.range],
                    "rises": one.direction > 0,
                    "complement": getattr(one, "complement", None),
                    "reference": one.reference,
                    "spellings": register_of(one.kind).spellings(one),
                }
                for one in own
            ]
        )
        return
    table = new_table("name", "score", "range", "also known as")
    table.columns[0].style, table.columns[1].no_wrap = "bold", True
    for one in known_scores():
        least, most = ("∞" if end is None else str(end) for end in one.range)
        title = f"{one.title} (1 - {one.complement})" if one.complement else one.title
        table.add_row(one.name, title, f"{least} to {most}", ", ".join((*one.synonyms,)))
    out = console()
    out.print(table)
    out.print("F-scores of any beta: f2, f0.5, f2n (negative class), or fbeta, fbp, fbn with --beta.")
    out.print(f"Of predicted numbers (--regression): {', '.join(known.name for known in REGISTER)}.")
    for words, known in (("Areas under curves", CURVE), ("Detection", DETECTION), ("Rankings", RANKING)):
        more = ", hits@k, p@k, mrr@k, ndcg@k" if known is RANKING else ""
        out.print(f"{words}: {', '.join(quantity.name for quantity in known)}{more}.")
    out.print("Case, blanks, dots, dashes and underscores do not matter; Greek letters may be used.")
