"""``scoreproof audit`` and ``scoreproof init``: a whole paper, from its tables to a report."""

from __future__ import annotations

import importlib
import json
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from scoreproof.cli.app import OUTPUT, AsJson, app, grouped, option, says, where
from scoreproof.cli.audit_many import audit_papers, listed
from scoreproof.cli.output import (
    EXIT_FAULT,
    EXIT_INTERRUPTED,
    EXIT_NO,
    EXIT_OK,
    STATUS,
    console,
    emit_json,
    escaped,
    fail,
    progress_bar,
)
from scoreproof.cli.reports import announce
from scoreproof.errors import InvalidOption, UnreadableInput
from scoreproof.files import write_file

if TYPE_CHECKING:
    from scoreproof.papers.result import AuditResult


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """Output."""

    out: Path | None = says("Write reports and specifications to this folder.", metavar="FOLDER")
    html: Path | None = says("Write the report as one HTML file.")
    latex: Path | None = says("Write a LaTeX snippet.")
    text: Path | None = says("Write a paragraph for a review.")
    certificates: Path | None = says("Write every certificate to a file of its own.", metavar="FOLDER")
    sarif: Path | None = says("Write the findings as SARIF 2.1.0, for code scanning.")
    annotate: bool = says("Print the findings as annotations of GitHub, and add them to its job summary.", False)
    fail_on: Literal["open", "inconsistent"] = says(
        "Which exit status is not 0: open (as above), or inconsistent (1 for that, 0 for all else), for hooks "
        "that meet files of all sorts.",
        "open",
        metavar="WORD",
    )

    @property
    def of_one(self) -> dict[str, Path | None]:
        """Those that one paper has, by their options."""
        return {f"--{name}": getattr(self, name) for name in ("html", "latex", "text", "certificates")}

    def gated(self, status: int) -> int:
        """The exit status that was asked for."""
        return status if self.fail_on == "open" or status in (EXIT_NO, EXIT_FAULT) else EXIT_OK


@dataclass(frozen=True, slots=True)
class RowOptions:
    """How rows are audited."""

    ask: bool = says("Ask for the sizes of each table; Enter accepts what the text says.", False)
    jobs: int | None = says("Processes for rows with folds (default: one per core).")
    cluster: str | None = says("A Dask cluster to do the work: the address of its scheduler, tcp://HOST:PORT.")
    budget: float = says("Seconds per row after which it is 'undecided'.", 30.0)
    seed: int = says("Seed of the searches.", 0)
    resume: Path | None = says("Keep finished rows in this journal, and go on from it.")
    no_explain: bool = says("Verdicts only: no explanations, no strength of the test.", False)

    @property
    def how(self) -> dict[str, Any]:
        """Those that ``audit`` takes."""
        asked: bool | str = False if self.no_explain else "auto"
        pool = where(self.jobs, self.cluster, otherwise=None)
        return {"jobs": pool, "budget": self.budget, "seed": self.seed, "explain": asked, "strength": asked}


@app.command("audit")
@grouped
def audit_command(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PAPER...",
            help="A paper (.pdf, .tex, .docx, .html, .md, .ipynb, .csv, .xlsx) or a specification (YAML, JSON); "
            "several, a folder, or a pattern.",
        ),
    ] = None,
    *,
    rows: RowOptions,
    reports: ReportOptions,
    schema: Annotated[
        bool, option("Print the JSON Schema of specifications and exit.", "--schema", rich_help_panel=OUTPUT)
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Audit the tables of papers: as a specification describes them, or as their own text does.

    Of a paper the report and the specification that was used are written beside it, or to --out. Sizes read from the
    text are assumed: a row that is impossible only with them is a 'question'.

    Exit status: 0 something was tested and everything is consistent, 1 something inconsistent, 2 wrong usage or
    unreadable input, 3 something undecided or a question, 5 nothing was tested, 130 interrupted.

    Examples:
      scoreproof audit paper.pdf
      scoreproof audit submissions/ --out reports
    """
    if schema:
        from scoreproof.papers.specification import schema as published

        emit_json(published())
        return
    if not files:
        raise InvalidOption(
            "what to audit is missing: scoreproof audit paper.pdf, or paper.yaml ('scoreproof init' drafts one)"
        )
    if as_json and reports.annotate:
        raise InvalidOption("--annotate: its lines would stand beside the document of --json; give one of them")
    papers, left_out = listed(files, reports.out)
    for words in left_out:
        console(stderr=True).print(words, markup=False)
    of_one = {**reports.of_one, "--resume": rows.resume, "--ask": rows.ask or None}
    given = [name for name, value in of_one.items() if value is not None]
    several = len(papers) > 1 or papers != list(map(Path, files))
    if several or (reports.fail_on != "open" and not given):
        if given:
            raise InvalidOption(f"{given[0]}: expected one paper, got {', '.join(files)}; several go to --out FOLDER")
        audit_papers(papers, reports, rows.how, as_json=as_json)
    for file in (*reports.of_one.values(), reports.sarif):  # known before the work, not after it
        if file is not None and not file.parent.is_dir():
            raise UnreadableInput(f"{file}: there is no folder {file.parent}")
    spec, html = _opened(papers[0], reports.out, reports.html, ask=rows.ask)
    _audit_one(spec, papers[0], rows, replace(reports, html=html), as_json=as_json)


def _opened(paper: Path, out: Path | None, html: Path | None, *, ask: bool) -> tuple[Any, Path | None]:
    """What is audited, and where its page goes; the specification of a paper is written on the way."""
    from scoreproof.documents.read import begin

    begin(paper)
    from scoreproof.papers.collecting import is_paper, propose

    if not is_paper(paper):
        if out is not None or ask:
            raise InvalidOption("--out and --ask: expected a paper, got a specification; its report goes to --html")
        return paper, html
    folder = out if out is not None else paper.parent
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    Thread(target=_load_the_rest).start()
    with progress_bar("pages") as (progress, _):
        proposed = propose(paper, beside=folder, progress=progress)
    if ask:
        from scoreproof.cli.audit_questions import answered

        proposed = answered(proposed)
    target = folder / f"{paper.stem}.audit.yaml"
    write_file(target, proposed.text)
    err = console(stderr=True)
    for problem in proposed.problems:
        err.print(f"not read: {problem}", markup=False)
    err.print(f"specification: {target}", markup=False)
    return proposed, html if html is not None else folder / f"{paper.stem}.audit.html"


def _load_the_rest() -> None:
    """Load what deciding and reporting will take, while another process reads the paper and this one waits for it."""
    importlib.import_module("scoreproof.pages.writer").load("audit")
    for name in ("scoreproof.pages.audit_view", "numpy", "scoreproof.cli.reports"):
        importlib.import_module(name)


def _audit_one(spec: Any, paper: Path, rows: RowOptions, files: ReportOptions, *, as_json: bool) -> None:
    from scoreproof.cli.reports import show_audit
    from scoreproof.findings.collection import PaperLine
    from scoreproof.papers.auditing import audit

    try:
        with progress_bar("rows") as (progress, _):
            result = audit(spec, progress=progress, resume=rows.resume, **rows.how)
    except KeyboardInterrupt:
        console(stderr=True).print("interrupted before the first row")
        raise typer.Exit(EXIT_INTERRUPTED) from None
    written = _write_reports(result, files)
    if as_json:
        emit_json(result.to_dict())
    else:
        show_audit(result, console())
    if files.sarif is not None or files.annotate:
        announce([PaperLine.of(str(paper), "", result)], files.sarif, annotate=files.annotate)
    err = console(stderr=True)
    for what in written:
        err.print(what, markup=False)
    if result.tables and not result.rows():
        err.print(_unknown_headings(result), markup=False)
    if result.interrupted:
        kept = f"the finished rows are in {rows.resume}: run the same command again to go on"
        err.print(f"interrupted; {kept if rows.resume else 'give --resume FILE to keep finished rows next time'}")
        raise typer.Exit(EXIT_INTERRUPTED)
    for words in result.faults:
        fail(words)
    raise typer.Exit(files.gated(EXIT_FAULT if result.faulty else STATUS[result.verdict]))


def _unknown_headings(result: AuditResult) -> str:
    """What to do where no column is named like a score."""
    headings = dict.fromkeys(cell for table in result.tables for cell in table.table.rows[0] if cell.strip())
    return (
        f"no heading is known as a score ({', '.join(list(headings)[:8])}): say what a column holds in the "
        "specification, such as columns: {HEADING: acc}; 'scoreproof scores' lists the names"
    )


@app.command("init")
def init_command(
    paper: Annotated[
        Path, typer.Argument(help="A paper or a table: .tex, .pdf, .html, .csv, .xlsx, .docx, .md, .txt, model card.")
    ],
    output: Annotated[
        Path | None, option("Where to write (default: NAME.scoreproof.yaml).", "--output", "-o", metavar="FILE")
    ] = None,
    kind: Annotated[str | None, option("The paper's format, if its name does not tell.")] = None,
    force: Annotated[bool, option("Overwrite an existing file.", "--force")] = False,
) -> None:
    """Draft a specification from the tables of a paper; what a person must give is marked FILL IN.

    Example: scoreproof init paper.tex
    """
    from scoreproof.papers.draft import draft

    target = output if output is not None else paper.with_name(f"{paper.stem}.scoreproof.yaml")
    if target.exists() and not force:
        raise InvalidOption(f"{target}: the file exists; give another name with --output, or --force to overwrite it")
    made = draft(paper, kind=kind, beside=target.parent)
    write_file(target, made.text)
    out = console()
    out.print(f"{target}: {made}", markup=False)
    for problem in made.problems:
        out.print(f"[yellow]not read:[/] {escaped(problem, None)}")
    out.print(f"Fill in what is marked, then run: scoreproof audit {target}", markup=False)


def _write_reports(result: AuditResult, files: ReportOptions) -> list[str]:
    """What was written, in words."""
    written = []
    for what, name in (("HTML report", "html"), ("LaTeX snippet", "latex"), ("paragraph", "text")):
        file = getattr(files, name)
        if file is not None:
            made = getattr(importlib.import_module("scoreproof.pages"), f"to_{name}")
            write_file(file, f"{made(result)}\n")
            written.append(f"{what}: {file}")
    if files.certificates is not None:
        count = _write_certificates(result, files.certificates)
        written.append(f"{count} certificates: {files.certificates} (re-check each with 'scoreproof verify FILE')")
    return written


def _write_certificates(result: AuditResult, folder: Path) -> int:
    """One file for every certificate, named by table, row and reading."""
    folder.mkdir(exist_ok=True)
    count = 0
    for row in result.rows():
        for number, reading in enumerate(row.readings, 1):
            if reading.certificate is not None:
                column = f"-{row.cells[0].place[1] + 1}" if row.group and row.cells else ""
                file = folder / f"table{row.table + 1}-row{row.row + 1}{column}-reading{number}.json"
                write_file(file, json.dumps(reading.certificate) + "\n")
                count += 1
    for index, table in enumerate(result.tables, 1):
        for number, check in enumerate(table.checks, 1):
            if check.certificate is not None:
                file = folder / f"table{index}-check{number}.json"
                write_file(file, json.dumps(check.certificate) + "\n")
                count += 1
    return count
