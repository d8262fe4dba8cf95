"""A result on the terminal, in words and tables a reviewer would use: what is proved first, then what is possible."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scoreproof.cli.output import escaped, kept_proof, new_table
from scoreproof.kinds import kind_named
from scoreproof.kinds.binary.experiment import sums_matrices, total_counts
from scoreproof.reported.number import decimal_text
from scoreproof.results import COLOURS, in_terminal

if TYPE_CHECKING:
    from rich.console import Console

    from scoreproof.checking.answer import Answer
    from scoreproof.findings import Finding
    from scoreproof.insight.explanation import Explanation
    from scoreproof.kinds.binary.engine.solutions import Solutions

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
    from scoreproof.findings.of_answers import of_answer

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
    for one in result.claims:
        row = [escaped(one.name, None), escaped(one.text, None), f"{decimal(one.low)} and {decimal(one.high)}"]
        if single and result.witness is not None:
            shown = one.score.text(*result.witness.matrix.cells, digits=one.number.digits + 2)
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
    columns = ("set", "p", "n", "tp", "fp", "fn", "tn", *(one.name for one in result.claims))
    table = new_table(*columns, right=columns)
    for number, matrix in enumerate(result.witness.matrices[:_FOLDS_SHOWN], start=1):
        scores = [str(one.score.text(*matrix.cells, digits=4) or "0/0") for one in result.claims]
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
