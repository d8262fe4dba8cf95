"""An audit for the terminal (findings first, a line for each table, one sentence about the rest) and for machines.

SARIF 2.1.0 (OASIS 2020) has a rule for each verdict and a result for each finding, at the line where its table stands
if the format has lines. Annotations are workflow commands of GitHub on standard output; the job summary, and the
gravest verdict as the output ``verdict`` of the step, go where GitHub says. Sentences are those of the findings.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from scoreproof._version import __version__
from scoreproof.cli.output import escaped
from scoreproof.cli.words import show_findings
from scoreproof.files import write_file
from scoreproof.findings.words import cut
from scoreproof.results import COLOURS, plain

if TYPE_CHECKING:
    from rich.console import Console

    from scoreproof.papers.collection import PaperLine
    from scoreproof.papers.result import AuditResult, TableResult


_COLOUR = COLOURS | {"inconsistent": "bold red"}
_MOST_CARDS = 20
_MOST_ITEMS = 10
_MOST_NAMES = 6


def show_audit(result: AuditResult, out: Console) -> None:
    """The summary a reviewer wants to see first."""
    from scoreproof.findings.audits import next_tests
    from scoreproof.pages.audit_view import headline, passed

    if result.title:
        out.print(plain(result.title), style="bold", markup=False)
    if result.source:
        out.print(plain(result.source), markup=False)
    findings, outcomes = result.findings, result.outcomes()
    out.print(f"[{_COLOUR[result.verdict]}]{result.verdict}[/]  {escaped(headline(outcomes, findings), None)}")
    for finding in findings[:_MOST_CARDS]:
        out.print()
        show_findings((finding,), out)
    if len(findings) > _MOST_CARDS:
        out.print(f"and {len(findings) - _MOST_CARDS} more (--json and --html have them all)")
    out.print()
    if passed(outcomes):
        out.print(passed(outcomes), markup=False)
    for table in result.tables:
        _show_table(table, out)
    for claim in result.claims:
        word = {True: "[green]holds[/]", False: "[bold red]not supported[/]", None: "[yellow]open[/]"}[claim.holds]
        if claim.recheck is not None:
            standing = str(claim.recheck.verdict)
            word = f"[{COLOURS[standing]}]{standing}[/]"
        out.print(f"{word}  [bold]{escaped(claim.text)}[/]  {escaped(claim.words, 400)}")
        for need in claim.recheck.needs if claim.recheck is not None else ():
            out.print(f"  would need {plain(need)}", markup=False)
    wanted = next_tests(result)
    if wanted:
        out.print("[bold]What would allow the next test[/]")
        for words in wanted[:_MOST_ITEMS]:
            out.print(f"  {plain(words)}", markup=False)


def _show_table(table: TableResult, out: Console) -> None:
    """A line on what was read and tested, and what is said beside it."""
    tally, unread = table.tally, table.tally.get("unread", 0)
    read, missing = tally.get("number", 0) + tally.get("counts", 0), tally.get("missing", 0)
    rows = ", ".join(f"{number} {name}" for name, number in table.outcomes().items() if number) or "no rows"
    colour = "yellow" if unread else "green"
    out.print(
        f"[bold]{escaped(table.name)}[/]  {rows}; {read} cells read, {missing} missing, [{colour}]{unread} unread[/]"
    )
    for words in table.other_sizes[:_MOST_ITEMS]:
        out.print(f"  [yellow]sizes[/]  {escaped(words, 400)}")
    for cell in table.unread[:_MOST_ITEMS]:
        shown = escaped(str(cell["raw"]))
        out.print(f"  unread  row {cell['row'] + 1}, column {cell['column'] + 1}: {shown} ({cell['why']})")
    for row in table.rows:
        if row.outcome in ("undecided", "error"):
            late = next((reading.answer.reason for reading in row.readings if reading.verdict == "undecided"), "")
            out.print(
                f"  [{_COLOUR[row.outcome]}]{row.outcome}[/]  {escaped(row.label)}: {escaped(row.error or late, 400)}"
            )
    why: dict[str, dict[str, None]] = {}
    for column in table.untested:
        name, _, reason = column.partition(": ")
        why.setdefault(reason, {})[cut(name, 40) or "(no heading)"] = None
    for reason, names in list(why.items())[:_MOST_ITEMS]:
        more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
        out.print(
            f"  not tested  {', '.join(list(names)[:_MOST_NAMES])}{more}: {plain(reason)}", markup=False, style="dim"
        )


_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_RULES = {
    "inconsistent": ("error", "No experiment as described can have produced these numbers; a proof shows it."),
    "question": ("warning", "These numbers are impossible unless something is so that the paper does not say."),
    "error": ("note", "The paper could not be audited."),
}


def announce(papers: Sequence[PaperLine], sarif: Path | None, *, annotate: bool) -> None:
    """Write and print what was asked for."""
    if sarif is not None:
        write_file(sarif, json.dumps(sarif_log(papers), indent=1, ensure_ascii=False) + "\n")
    if annotate:
        for line in workflow_commands(papers):
            print(line)
        gravest = min(papers, key=lambda line: line.rank).standing if papers else "not tested"
        for name, words in (("GITHUB_STEP_SUMMARY", job_summary(papers)), ("GITHUB_OUTPUT", f"verdict={gravest}\n")):
            if os.environ.get(name):
                with open(os.environ[name], "a", encoding="utf-8") as file:
                    file.write(words)


def sarif_log(papers: Iterable[PaperLine]) -> dict[str, Any]:
    """The findings as a SARIF log of one run."""
    rules = [
        {"id": name, "shortDescription": {"text": words}, "defaultConfiguration": {"level": level}}
        for name, (level, words) in _RULES.items()
    ]
    driver = {"name": "scoreproof", "version": __version__, "rules": rules}
    results = [_result(paper, *told) for paper in papers for told in _told(paper)]
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}


def _told(paper: PaperLine) -> Iterable[tuple[str, str, int | None]]:
    """Verdict, words and line of what is said of a paper."""
    if paper.error:
        yield "error", paper.error, None
    for finding in paper.findings:
        yield finding["verdict"], finding["review"], finding["line"]


def _result(paper: PaperLine, verdict: str, words: str, line: int | None) -> dict[str, Any]:
    address = quote(Path(paper.paper).as_posix())
    place: dict[str, Any] = {"artifactLocation": {"uri": address}}
    if line is not None:
        place["region"] = {"startLine": line}
    own = hashlib.sha256(f"{paper.paper} {words}".encode("utf-8", "backslashreplace")).hexdigest()[:32]
    return {
        "ruleId": verdict,
        "level": _RULES[verdict][0],
        "message": {"text": plain(words)},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"finding/v1": own},
    }


def workflow_commands(papers: Iterable[PaperLine]) -> Iterable[str]:
    """A workflow command for each finding; its properties and words are escaped as GitHub asks."""
    for paper in papers:
        for verdict, words, line in _told(paper):
            level = {"note": "notice"}.get(_RULES[verdict][0], _RULES[verdict][0])
            place = f"file={_escaped(plain(paper.paper), ':,')}" + (f",line={line}" if line is not None else "")
            yield f"::{level} {place},title=scoreproof: {verdict}::{_escaped(plain(words))}"


def _escaped(text: str, more: str = "") -> str:
    for sign in "%\r\n" + more:
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text


def job_summary(papers: Sequence[PaperLine]) -> str:
    """The papers and their findings as Markdown."""
    lines = ["## scoreproof", "", "| paper | verdict | findings |", "|---|---|---|"]
    for paper in sorted(papers, key=lambda line: line.rank):
        words = "<br>".join(_cell(said) for _, said, _ in _told(paper)) or "none"
        lines.append(f"| {_cell(paper.paper)} | {paper.standing} | {words} |")
    return "\n".join([*lines, "", "An inconsistency says that numbers and description do not belong together.", ""])


def _cell(text: str) -> str:
    """Text of strangers in a cell of Markdown: nothing in it is markup."""
    shown = plain(text).replace("&", "&amp;").replace("<", "&lt;")
    return "".join(f"\\{sign}" if sign in "\\|`*_[]#!" else sign for sign in shown)
