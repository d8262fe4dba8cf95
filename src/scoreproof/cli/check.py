"""``scoreproof check``: one report, decided on the spot."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from scoreproof.cli.app import app
from scoreproof.cli.class_values import values_by_class
from scoreproof.cli.option_groups import ExperimentOptions, Only, grouped
from scoreproof.cli.options import (
    AsJson,
    Average,
    Certificate,
    Classes,
    DetectedObjects,
    FoldsRule,
    Labels,
    Matrix,
    Parts,
    Predicted,
    Queries,
    Total,
    option,
)
from scoreproof.cli.output import EXIT_NO, EXIT_OK, STATUS, assignments, console, emit_json, new_table, working
from scoreproof.cli.words import show_explanation, show_result, summary
from scoreproof.errors import InvalidOption
from scoreproof.files import write_file
from scoreproof.kinds.binary.experiment import sums_matrices
from scoreproof.reported.conventions import Conventions, conventions
from scoreproof.validation import whole

_MOST_LINES = 1_000_000


_TAKEN = tuple(name for name in conventions() if name != "digits")  # texts say theirs
_OF_REPORTS = {"rounding", "eps", "undefined", "macro_f1", "decimal_comma", "beta"}


@dataclass(frozen=True, slots=True)
class DesignOptions:
    """Experiments other than a test set with its folds."""

    fold_rule: FoldsRule = None
    total: Total = None
    average: Average = False
    parts: Parts = None
    regression: Predicted = None
    detection: DetectedObjects = None
    queries: Queries = None
    classes: Classes = None
    labels: Labels = None
    matrix: Matrix = None

    @property
    def given(self) -> dict[str, Any]:
        """What describes an experiment of its own, by the names of ``designs``."""
        names = ("total", "regression", "detection", "queries", "classes", "labels", "matrix")
        averaged = self.parts if self.parts is not None else 0 if self.average else None
        stated = {name: getattr(self, name) for name in names} | {"average": averaged}
        return {name: value for name, value in stated.items() if value is not None}


@dataclass(frozen=True, slots=True)
class ExplainOptions:
    """What an explanation tries."""

    explain: Annotated[
        bool, option("If inconsistent: the smallest conflict, the nearest repairs, other designs.", "--explain")
    ] = False
    oversampled: Annotated[
        list[int] | None, option("With --explain: a size the smaller class was raised to (repeatable).")
    ] = None
    hypothesis: Annotated[
        list[Path] | None, option("With --explain: another experiment to try, as a JSON or YAML file (repeatable).")
    ] = None
    catalogue: Annotated[
        list[str] | None, option("With --explain: known data whose readings are to be tried (repeatable).", "--catalog")
    ] = None
    explain_budget: Annotated[float, option("Seconds an explanation may take.")] = 5.0


@app.command("check")
@grouped
def check_command(
    scores: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME=VALUE...", help="Scores as printed, such as acc=0.6801 or sens=74.3%."),
    ] = None,
    *,
    options: ExperimentOptions,
    designs: DesignOptions,
    report: Annotated[
        Path | None, option("A scikit-learn classification report as a text file (- is the standard input).")
    ] = None,
    how: Annotated[Conventions, Only(*_TAKEN)],
    budget: Annotated[float, option("Seconds after which the answer is 'undecided'.")] = 30.0,
    certificate: Certificate = None,
    list_all: Annotated[bool, option("List every matrix that fits.", "--all")] = False,
    limit: Annotated[int, option("Most lines that --all prints.")] = 1000,
    explaining: ExplainOptions,
    as_json: AsJson = False,
) -> None:
    """Could this experiment have produced these scores?

    Exit status: 0 consistent, 1 inconsistent, 2 wrong usage, 3 undecided, 4 a fault of scoreproof.
    """
    from scoreproof.checking import ask
    from scoreproof.checking.check import check
    from scoreproof.cli.experiments import experiment, read_experiment

    limit = whole("--limit", limit, at_least=1, at_most=_MOST_LINES)
    if report is not None:
        from scoreproof.csv_reader import read_content
        from scoreproof.documents.report_text import report_problem

        given_beside = scores or designs.given or options.stated or set(how.stated) - _OF_REPORTS
        if given_beside:
            raise InvalidOption("--report describes experiment and scores; give no others beside it")
        one_matrix = False
        with working("checking a classification report", quiet=False):
            result = ask(report_problem(read_content(report).text, **how.stated), budget=budget)
    else:
        setting = experiment(options, fold_rule=designs.fold_rule, **designs.given)
        one_matrix = setting.kind == "binary" and sums_matrices(setting)
        given = values_by_class(setting, assignments(scores or [], "scores"), decimal_comma=how.decimal_comma)
        with working(f"checking {setting}", quiet=one_matrix):
            result = check(setting, given, budget=budget, **how.stated)
    explanation = None
    if explaining.explain:
        own = {file.stem: read_experiment(file) for file in explaining.hypothesis or []}
        with working("looking for an explanation", quiet=False):
            explanation = result.explain(
                hypotheses=own,
                oversampled=explaining.oversampled or [],
                catalogue=explaining.catalogue or [],
                budget=explaining.explain_budget,
            )
    elif explaining.oversampled or explaining.hypothesis or explaining.catalogue:
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
    from scoreproof.quantities import CURVE, DETECTION, RANKING, REGRESSION, register_of

    if as_json:
        own = [*known_scores(), *REGRESSION, *CURVE, *DETECTION, *RANKING]
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
    out.print(f"Of predicted numbers (--regression): {', '.join(known.name for known in REGRESSION)}.")
    for words, known in (("Areas under curves", CURVE), ("Detection", DETECTION), ("Rankings", RANKING)):
        more = ", hits@k, p@k, mrr@k, ndcg@k" if known is RANKING else ""
        out.print(f"{words}: {', '.join(quantity.name for quantity in known)}{more}.")
    out.print("Case, blanks, dots, dashes and underscores do not matter; Greek letters may be used.")
