"""``scoreproof audit`` and ``scoreproof init``: a whole paper, from its tables to a report."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from scoreproof.cli.app import app
from scoreproof.cli.audit_many import audit_papers, listed
from scoreproof.cli.options import AsJson, OnCluster, option, where
from scoreproof.cli.output import EXIT_FAULT, EXIT_INTERRUPTED, STATUS, console, emit_json, escaped, fail, progress_bar
from scoreproof.errors import InvalidOption, UnreadableInput
from scoreproof.files import write_file

if TYPE_CHECKING:
    from scoreproof.papers.result import AuditResult


@app.command("audit")
def audit_command(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PAPER...",
            help="A paper (.pdf, .tex, .docx, .html, .md, .ipynb, .csv, .xlsx) or a specification (YAML, JSON); "
            "several, a folder, or a pattern.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        option("Write reports and specifications to this folder.", metavar="FOLDER"),
    ] = None,
    ask: Annotated[bool, option("Ask for the sizes of each table; Enter accepts what the text says.", "--ask")] = False,
    html: Annotated[Path | None, option("Write the report as one HTML file.", metavar="FILE")] = None,
    latex: Annotated[Path | None, option("Write a LaTeX snippet.", metavar="FILE")] = None,
    text: Annotated[Path | None, option("Write a paragraph for a review.", metavar="FILE")] = None,
    certificates: Annotated[
        Path | None, option("Write every certificate to a file of its own.", metavar="FOLDER")
    ] = None,
    jobs: Annotated[int | None, option("Processes for rows with folds (default: one per core).")] = None,
    cluster: OnCluster = None,
    budget: Annotated[float, option("Seconds per row after which it is 'undecided'.")] = 30.0,
    seed: Annotated[int, option("Seed of the searches.")] = 0,
    resume: Annotated[
        Path | None, option("Keep finished rows in this journal, and go on from it.", metavar="FILE")
    ] = None,
    no_explain: Annotated[
        bool, option("Verdicts only: no explanations, no strength of the test.", "--no-explain")
    ] = False,
    schema: Annotated[bool, option("Print the JSON Schema of specifications and exit.", "--schema")] = False,
    as_json: AsJson = False,
) -> None:
    """Audit the tables of papers: as a specification describes them, or as their own text does.

    Of a paper the report and the specification that was used are written beside it, or to --out. Sizes read from the
    text are assumed: a row that is impossible only with them is a 'question'.

    Exit status: 0 something was tested and everything is consistent, 1 something inconsistent, 2 wrong usage or
    unreadable input, 3 something undecided or a question, 5 nothing was tested, 130 interrupted.
    """
    if schema:
        from scoreproof.papers.specification import schema as published

        emit_json(published())
        return
    if not files:
        raise InvalidOption(
            "what to audit is missing: scoreproof audit paper.pdf, or paper.yaml ('scoreproof init' drafts one)"
        )
    asked: bool | str = False if no_explain else "auto"
    spread = where(jobs, cluster, otherwise=None)
    how: dict[str, Any] = {"jobs": spread, "budget": budget, "seed": seed, "explain": asked, "strength": asked}
    papers, left_out = listed(files, out)
    for words in left_out:
        console(stderr=True).print(words, markup=False)
    if len(papers) > 1 or len(papers) != len(files) or not _is_one_file(files[0]):
        refused = {"--html": html, "--latex": latex, "--text": text, "--certificates": certificates, "--resume": resume}
        given = [name for name, value in refused.items() if value is not None] + ["--ask"] * ask
        if given:
            raise InvalidOption(f"{given[0]}: of one paper only; several go to --out FOLDER")
        audit_papers(papers, out, how, as_json=as_json)
    _check_places(html, latex, text, certificates)
    spec, html = _opened(papers[0], out, html, ask=ask)
    _audit_one(spec, how, Reports(html, latex, text, certificates), resume, as_json=as_json)


class Reports(NamedTuple):
    """Where reports of one audit go; None for those that are not wanted."""

    html: Path | None
    latex: Path | None
    text: Path | None
    certificates: Path | None


def _is_one_file(name: str) -> bool:
    return not Path(name).is_dir() and not any(mark in name for mark in "*?[")


def _opened(paper: Path, out: Path | None, html: Path | None, *, ask: bool) -> tuple[Any, Path | None]:
    """What is audited, and where its page goes; the specification of a paper is written on the way."""
    from scoreproof.documents.sandboxed_readers import begin

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
    proposed = propose(paper, beside=folder)
    if ask:
        from scoreproof.cli.audit_questions import answered

        proposed = answered(proposed)
    target = folder / f"{paper.stem}.audit.yaml"
    write_file(target, proposed.text)
    said = console(stderr=True)
    for problem in proposed.problems:
        said.print(f"not read: {problem}", markup=False)
    said.print(f"specification: {target}", markup=False)
    return proposed, html if html is not None else folder / f"{paper.stem}.audit.html"


def _load_the_rest() -> None:
    """Load what deciding and reporting will take, while another process reads the paper and this one waits for it."""
    importlib.import_module("scoreproof.pages.writer").load("audit")
    for name in ("scoreproof.pages.audit_view", "numpy", "scoreproof.cli.audit_words"):
        importlib.import_module(name)


def _audit_one(spec: Any, how: dict[str, Any], files: Reports, resume: Path | None, *, as_json: bool) -> None:
    from scoreproof.cli.audit_words import show_audit
    from scoreproof.papers.auditing import audit

    html, latex, text, certificates = files
    try:
        with progress_bar("rows") as progress:
            result = audit(spec, progress=progress, resume=resume, **how)
    except KeyboardInterrupt:
        console(stderr=True).print("interrupted before the first row")
        raise typer.Exit(EXIT_INTERRUPTED) from None
    _write_reports(result, html=html, latex=latex, text=text)
    written = _write_certificates(result, certificates) if certificates is not None else 0
    if as_json:
        emit_json(result.to_dict())
    else:
        show_audit(result, console())
    said = console(stderr=True)
    for what, file in (("HTML report", html), ("LaTeX snippet", latex), ("paragraph", text)):
        if file is not None:
            said.print(f"{what}: {file}", markup=False)
    if certificates is not None:
        said.print(
            f"{written} certificates: {certificates} (re-check each with 'scoreproof verify FILE')", markup=False
        )
    if result.interrupted:
        kept = f"the finished rows are in {resume}: run the same command again to go on"
        said.print(
            f"interrupted; {kept if resume is not None else 'give --resume FILE to keep finished rows next time'}",
            markup=False,
        )
        raise typer.Exit(EXIT_INTERRUPTED)
    for words in result.faults:
        fail(words)
    raise typer.Exit(EXIT_FAULT if result.faulty else STATUS[result.verdict])


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
    """Draft a specification from the tables of a paper; what a person must give is marked FILL IN."""
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


def _check_places(*files: Path | None) -> None:
    """A report that cannot be written should be known before the work, not after it."""
    for file in files:
        if file is not None and not file.parent.is_dir():
            raise UnreadableInput(f"{file}: there is no folder {file.parent}")


def _write_reports(result: AuditResult, *, html: Path | None, latex: Path | None, text: Path | None) -> None:
    if html is None and latex is None and text is None:
        return
    reports = importlib.import_module("scoreproof.pages")
    for file, made in ((html, reports.to_html), (latex, reports.to_latex), (text, reports.to_text)):
        if file is not None:
            write_file(file, made(result))


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
