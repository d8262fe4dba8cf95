"""``scoreproof check``: one report, decided on the spot."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scoreproof.cli.app import AsJson, Certificate, ExperimentOptions, Only, app, grouped, option, says
from scoreproof.cli.experiments import values_by_class
from scoreproof.cli.output import (
    STATUS,
    assignments,
    console,
    emit_json,
    new_table,
    show_verification,
    working,
    write_proof,
)
from scoreproof.cli.reports import show_result, summary
from scoreproof.errors import InvalidOption
from scoreproof.files import write_file
from scoreproof.kinds.binary.experiment import sums_matrices
from scoreproof.reported.conventions import Conventions, conventions
from scoreproof.validation import whole
from scoreproof.work.budget import Budget

if TYPE_CHECKING:
    from scoreproof.checking import Answer
    from scoreproof.insight.explanation import Explanation

_MOST_LINES = 1_000_000
_BRIEFLY = 1.0  # seconds of an explanation that nobody asked for


_TAKEN = tuple(name for name in conventions() if name != "digits")  # texts say theirs
_OF_REPORTS = {"rounding", "eps", "undefined", "macro_f1", "decimal_comma", "beta", "strict"}


@dataclass(frozen=True, slots=True)
class DesignOptions:
    """Other experiments."""

    fold_rule: str | None = says(
        "Class counts folds may have: balanced (default) or scikit-learn (exactly its own); with --unstratified "
        "any (default) or trainable (each class in at least two folds)."
    )
    total: int | None = says("Cases in the test set, where the class counts are unknown.")
    average: bool = says("Every value is a mean over the same parts (classes, folds, images) of unknown sizes.", False)
    parts: int | None = says("Of --average: how many parts there are, all of equal weight.")
    regression: str | None = says("Errors of predicted numbers on so many cases, or unknown.", metavar="N")
    detection: int | None = says("Object detection with so many annotated objects; 0 if unknown.", min=0)
    queries: int | None = says("Retrieval: so many queries with one relevant item each.")
    classes: str | None = says("Cases of every class, of several that exclude each other: 50,70,30, or cat=50,dog=70.")
    labels: str | None = says("Cases that have each label, of labels that do not exclude each other.")
    matrix: str | None = says(
        "A printed confusion matrix of several classes, rows of true classes: '120 7 9; 15 116 3; 12 13 115'."
    )
    report: Path | None = says("A scikit-learn classification report as a text file (- is the standard input).")

    @property
    def given(self) -> dict[str, Any]:
        """What describes an experiment of its own, by the names of ``designs``."""
        names = ("total", "regression", "detection", "queries", "classes", "labels", "matrix")
        averaged = self.parts if self.parts is not None else 0 if self.average else None
        stated = {name: getattr(self, name) for name in names} | {"average": averaged}
        return {name: value for name, value in stated.items() if value is not None}


@dataclass(frozen=True, slots=True)
class ExplainOptions:
    """Explanations."""

    explain: bool | None = says(
        "What does not fit is explained within a second; --explain takes longer and lists everything it tried, "
        "--no-explain is for those who count.",
        None,
        "--explain/--no-explain",
    )
    oversampled: list[int] | None = says("A size the smaller class may have been raised to.", metavar="N")
    hypothesis: list[Path] | None = says("Another experiment to try, as a JSON or YAML file.")
    catalogue: list[str] | None = says("Known data whose readings are to be tried.", None, "--catalog", metavar="NAME")
    explain_budget: float = says("Seconds an explanation may take; without --explain it is one at most.", 5.0)


@dataclass(frozen=True, slots=True)
class AnswerOptions:
    """Output."""

    budget: float = says("Seconds after which the answer is 'undecided'.", 30.0)
    list_all: bool = says("List every matrix that fits.", False, "--all")
    limit: int = says("Most lines that --all prints.", 1000)


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
    how: Annotated[Conventions, Only(*_TAKEN)],
    explaining: ExplainOptions,
    wanted: AnswerOptions,
    certificate: Certificate = None,
    as_json: AsJson = False,
) -> None:
    """Could this experiment have produced these scores?

    Exit status: 0 consistent, 1 inconsistent, 2 wrong usage, 3 a question (impossible unless a convention was followed
    that nobody stated) or undecided, 4 a fault of scoreproof.

    Example: scoreproof check --p 1000 --n 6000 acc=0.6801 npv=0.9401 f1=0.4004
    """
    from scoreproof.checking import ask, with_conventions
    from scoreproof.checking.check import check
    from scoreproof.cli.experiments import experiment
    from scoreproof.findings.finding import of_answer

    limit = whole("--limit", wanted.limit, at_least=1, at_most=_MOST_LINES)
    if designs.report is not None:
        from scoreproof.csv_reader import read_content
        from scoreproof.papers.table_semantics import report_problem

        given_beside = scores or designs.given or options.stated or set(how.stated) - _OF_REPORTS
        if given_beside:
            raise InvalidOption("--report describes experiment and scores; give no others beside it")
        with working("checking a classification report", quiet=False):
            deadline = Budget.of(wanted.budget)
            problem = report_problem(read_content(designs.report).text, **how.but(strict=False).stated)
            result = with_conventions(ask(problem, budget=deadline), how, deadline)
    else:
        setting = experiment(options, fold_rule=designs.fold_rule, **designs.given)
        given = values_by_class(setting, assignments(scores or [], "scores"), decimal_comma=how.decimal_comma)
        with working(f"checking {setting}", quiet=setting.kind == "binary" and sums_matrices(setting)):
            result = check(setting, given, budget=wanted.budget, **how.stated)
    explanation = _explained(result, explaining)
    findings = () if not result.verdict.impossible else of_answer(result, explanation)
    write_proof(certificate, result.certificate)
    if as_json:
        document = {**_document(result, wanted, limit), "findings": [finding.brief() for finding in findings]}
        if explaining.explain and explanation is not None:
            document["explanation"] = explanation.to_dict()
        emit_json(document)
    else:
        full = bool(explaining.explain)
        told: dict[str, Any] = {"certificate": certificate, "list_all": wanted.list_all, "limit": limit, "full": full}
        show_result(result, explanation, console(), **told)
    raise typer.Exit(STATUS[result.verdict])


def _document(result: Answer[Any, Any], wanted: AnswerOptions, limit: int) -> dict[str, Any]:
    """The answer, what a pass is worth, and the matrices that fit."""
    document: dict[str, Any] = result.to_dict()
    if result.witness is not None and result.claims:
        from scoreproof.insight.strength_of_pass import worth

        document["worth"] = worth(result)
    problem = result.problem
    if result.witness is not None and problem.kind == "binary" and sums_matrices(problem.experiment):
        document["solutions"] = summary(result)
        if wanted.list_all:
            blocks = itertools.islice(result.solutions(), limit)
            document["solutions"]["blocks"] = [{"tp": list(b.tp), "tn": list(b.tn)} for b in blocks]
    return document


def _explained(result: Answer[Any, Any], wanted: ExplainOptions) -> Explanation | None:
    """Why a report is impossible: in full where that is asked for, else what a second finds."""
    beside = wanted.oversampled or wanted.hypothesis or wanted.catalogue
    if wanted.explain is False and beside:
        raise InvalidOption("--oversampled, --hypothesis and --catalog are about explanations; leave --no-explain out")
    if wanted.explain is False or not (wanted.explain or result.verdict.impossible):
        return None
    from scoreproof.cli.experiments import read_experiment

    if not (wanted.explain or beside):
        return result.explain(assumptions=False, budget=min(_BRIEFLY, wanted.explain_budget))
    own = {file.stem: read_experiment(file) for file in wanted.hypothesis or []}
    with working("looking for an explanation", quiet=False):
        return result.explain(
            hypotheses=own,
            oversampled=wanted.oversampled or [],
            catalogue=wanted.catalogue or [],
            budget=wanted.explain_budget,
        )


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

    Example: scoreproof verify proof.json
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
    show_verification(verification, verification.to_dict() if as_json else None)


@app.command("scores")
def scores_command(as_json: AsJson = False) -> None:
    """List the scores, their formulas and every name they are known by.

    Example: scoreproof scores --json
    """
    from scoreproof.kinds.binary.scores import known_scores
    from scoreproof.quantities import CURVE, DETECTION, RANKING, REGRESSION, register_of

    if as_json:
        own = [*known_scores(), *REGRESSION, *CURVE, *DETECTION, *RANKING]
        emit_json(
            [
                {
                    "name": quantity.name,
                    "kind": quantity.kind,
                    "title": quantity.title,
                    "latex": quantity.latex,
                    "range": [None if end is None else float(end) for end in quantity.range],
                    "rises": quantity.direction > 0,
                    "complement": getattr(quantity, "complement", None),
                    "reference": quantity.reference,
                    "spellings": register_of(quantity.kind).spellings(quantity),
                }
                for quantity in own
            ]
        )
        return
    table = new_table("name", "score", "range", "also known as")
    table.columns[0].style, table.columns[1].no_wrap = "bold", True
    for quantity in known_scores():
        least, most = ("∞" if end is None else str(end) for end in quantity.range)
        title = f"{quantity.title} (1 - {quantity.complement})" if quantity.complement else quantity.title
        table.add_row(quantity.name, title, f"{least} to {most}", ", ".join((*quantity.synonyms,)))
    out = console()
    out.print(table)
    out.print("F-scores of any beta: f2, f0.5, f2n (negative class), or fbeta, fbp, fbn with --beta.")
    out.print(f"Of predicted numbers (--regression): {', '.join(known.name for known in REGRESSION)}.")
    for words, known in (("Areas under curves", CURVE), ("Detection", DETECTION), ("Rankings", RANKING)):
        more = ", hits@k, p@k, mrr@k, ndcg@k" if known is RANKING else ""
        out.print(f"{words}: {', '.join(quantity.name for quantity in known)}{more}.")
    out.print("Case, blanks, dots, dashes and underscores do not matter; Greek letters may be used.")
