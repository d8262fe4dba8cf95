"""Results on the terminal, in words and tables a reviewer would use; audits also for machines.

What is proved comes first, then what is possible; of an audit the findings, a line for each table, one sentence about
the rest. Sentences are those of the findings.

SARIF 2.1.0 (OASIS 2020) has a rule for each verdict and a result for each finding, at the line where its table stands
if the format has lines. Annotations are workflow commands of GitHub on standard output; the job summary, and the
gravest verdict as the output ``verdict`` of the step, go where GitHub says.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from scoreproof._version import __version__
from scoreproof.cli.output import escaped, kept_proof, new_table
from scoreproof.files import write_file
from scoreproof.findings.words import cut
from scoreproof.kinds import kind_named
from scoreproof.kinds.binary.experiment import sums_matrices, total_counts
from scoreproof.reported.number import decimal_text
from scoreproof.results import COLOURS, in_terminal, plain

if TYPE_CHECKING:
    from rich.console import Console

    from scoreproof.checking.answer import Answer
    from scoreproof.findings import Finding
    from scoreproof.findings.collection import PaperLine
    from scoreproof.insight.explanation import Explanation
    from scoreproof.kinds.binary.engine.solutions import Solutions
    from scoreproof.papers.result import AuditResult, TableResult

_WALK = 20_000  # rows a summary may walk
_FOLDS_SHOWN = 40


def summary(result: Answer[Any, Any]) -> dict[str, Any]:
    """How many matrices fit and between which counts."""
    solutions = result.solutions(most_rows=_WALK)
    least, most = solutions.count_bounds
    ranges = {what: solutions.range(what) for what in ("tp", "fp", "fn", "tn")}
    return {
        "count": least if least == most else None,
        "count_bounds": [least, most],
        "ranges": {
            what: {"low": int(span.low), "high": int(span.high or 0), "exact": span.exact}
            for what, span in ranges.items()
            if span is not None
        },
    }


def decimal(value: Fraction) -> str:
    """A bound as a decimal: exact where it ends within 24 digits, so that what is shown is what was used."""
    for digits in range(1, 25):
        scaled = value * 10**digits
        if scaled.denominator == 1:
            return decimal_text(scaled.numerator, digits)
    return f"{float(value):.12g}"


def show_result(
    result: Answer[Any, Any],
    explanation: Explanation | None,
    out: Console,
    *,
    certificate: Path | None,
    list_all: bool,
    limit: int,
    full: bool,
) -> None:
    """The verdict, what it rests on, and what a reader may conclude; of a finding its card."""
    from scoreproof.findings.finding import of_answer

    passed = ""
    if result.witness is not None and result.claims:
        from scoreproof.insight.strength_of_pass import worth  # needs numpy, which a proof of one matrix does not

        passed = f". {worth(result)}"
    out.print(f"[bold {COLOURS[result.verdict]}]{result.verdict.upper()}[/]  {escaped(result.subject + passed, None)}")
    if result.verdict.impossible:
        show_findings(of_answer(result, explanation), out, full=full)
    binary = result.problem.kind == "binary"
    one_matrix = binary and sums_matrices(result.problem.experiment)
    single = one_matrix and result.witness is not None
    table = new_table("score", "reported", "true value between", *["in the matrix below"] * single)
    for claim in result.claims:
        row = [escaped(claim.name, None), escaped(claim.text, None), f"{decimal(claim.low)} and {decimal(claim.high)}"]
        if single and result.witness is not None:
            shown = claim.score.text(*result.witness.matrix.cells, digits=claim.number.digits + 2)
            row.append("0/0" if shown is None else shown)
        table.add_row(*row)
    out.print(table)
    for case in result.cases:
        out.print(f"  read as {escaped(case.subject, None)}: [bold]{case.verdict}[/]")
    if list_all and not one_matrix:
        out.print("[bold]Note:[/] --all lists confusion matrices of one test set; here it has nothing to list.")
    if result.witness is not None:
        if single:
            _show_matrices(result, out, list_all=list_all, limit=limit)
        elif binary:
            _show_folds(result, out)
        else:
            tables = kind_named(result.problem.kind).tables(result.problem, result.witness)
            out.print(in_terminal("For example:" if tables else f"For example {result.witness}.", tables))
    elif result.verdict.impossible:
        _show_proof(result, out, certificate)
    else:
        out.print(f"Not decided: {result.reason}. This is no sign of a mistake; try a larger --budget.", markup=False)
    for note in result.notes:
        out.print(f"[bold]Note:[/] {escaped(note, None)}.")


def _show_folds(result: Answer[Any, Any], out: Console) -> None:
    assert result.witness is not None
    columns = ("set", "p", "n", "tp", "fp", "fn", "tn", *(claim.name for claim in result.claims))
    table = new_table(*columns, right=columns)
    for number, matrix in enumerate(result.witness.matrices[:_FOLDS_SHOWN], start=1):
        scores = [str(claim.score.text(*matrix.cells, digits=4) or "0/0") for claim in result.claims]
        table.add_row(*map(str, (number, matrix.p, matrix.n, *matrix.cells)), *scores)
    out.print(table)
    hidden = len(result.witness.matrices) - _FOLDS_SHOWN
    if hidden > 0:
        out.print(f"... and {hidden} more sets (--json lists all).")
    out.print("These matrices give the reported values; others may do so too.")


def _show_matrices(result: Answer[Any, Any], out: Console, *, list_all: bool, limit: int) -> None:
    assert result.witness is not None
    matrix = result.witness.matrix
    predicted = ("predicted positive", "predicted negative")
    table = new_table("", *predicted, right=predicted)
    table.add_row("positive", f"tp {matrix.tp}", f"fn {matrix.fn}")
    table.add_row("negative", f"fp {matrix.fp}", f"tn {matrix.tn}")
    out.print(table)
    solutions = result.solutions(most_rows=_WALK)
    least, most = solutions.count_bounds
    if least == most == 1:
        out.print("It is the only matrix that fits.")
        return
    number = f"{least:,}" if least == most else f"between {max(least, 1):,} and {most:,}"
    out.print(f"It is one of {number} matrices that fit; over all of them")
    for what in ("tp", "tn"):
        span = solutions.range(what)
        if span is not None:
            within = "" if span.exact else " at most"
            out.print(f"  {what} ranges{within} from {int(span.low)} to {int(span.high or 0)}")
    if list_all:
        _list(solutions, out, limit)


def _list(solutions: Solutions, out: Console, limit: int) -> None:
    out.print("All of them, as ranges of (tp, tn):")
    blocks = iter(solutions)
    for block in itertools.islice(blocks, limit):
        out.print(f"  tp {_span(block.tp)}  tn {_span(block.tn)}")
    if next(blocks, None) is not None:
        out.print(f"  ... more; only {limit} lines are shown (--limit)")


def _span(ends: tuple[int, int]) -> str:
    return str(ends[0]) if ends[0] == ends[1] else f"{ends[0]}-{ends[1]}"


def show_findings(findings: Iterable[Finding], out: Console, *, full: bool = False) -> None:
    """The cards; ``full`` with everything that was tried."""
    for finding in findings:
        head, _, rest = finding.text(10_000 if out.soft_wrap else out.width).partition("\n")  # piped lines are whole
        if str(finding.where):
            out.print(head, style=f"bold {COLOURS[finding.verdict]}", markup=False, highlight=False)
        out.print(rest, markup=False, highlight=False)
        for title, items in finding.details if full else ():
            out.print(f"[bold]{escaped(title, None)}[/]")
            for words in items:
                out.print(f"  • {words}", markup=False)


def _show_proof(result: Answer[Any, Any], out: Console, certificate: Path | None) -> None:
    proof = result.certificate
    assert proof is not None
    rule = {str(claim.rounding) for claim in result.claims}
    how = {
        "any": "whether values were rounded, floored or ceiled",
        "nearest": "if values were rounded to nearest",
        "floor": "if values were floored",
        "ceil": "if values were ceiled",
    }.get(next(iter(rule)) if len(rule) == 1 else "", "within the stated tolerance")
    size = "covers every case"
    if result.problem.kind == "binary" and sums_matrices(result.problem.experiment):
        p, n = total_counts(result.problem.experiment)
        size = f"covers all {(p + 1) * (n + 1):,} possible matrices"
    steps = len(proof["proof"].get("steps", ()))
    words = f"has {steps} step{'s' * (steps != 1)} and {size}" if steps else size
    out.print(f"The proof {words}, {how}. {kept_proof(certificate)}", markup=False)


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
    read, missing = tally.get("number", 0), tally.get("missing", 0)
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
        words = "<br>".join(_cell(sentence) for _, sentence, _ in _told(paper)) or "none"
        lines.append(f"| {_cell(paper.paper)} | {paper.standing} | {words} |")
    return "\n".join([*lines, "", "An inconsistency says that numbers and description do not belong together.", ""])


def _cell(text: str) -> str:
    """Text of strangers in a cell of Markdown: nothing in it is markup."""
    shown = plain(text).replace("&", "&amp;").replace("<", "&lt;")
    return "".join(f"\\{sign}" if sign in "\\|`*_[]#!" else sign for sign in shown)
