"""An audit in which every text wants to be markup, wherever a text of a paper, a name or a sentence can stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import report_fixtures

import scoreproof as sp
from scoreproof.checking.answer import Fit, Tried
from scoreproof.insight.conflicts import Conflict
from scoreproof.insight.explanation import Explanation, TableExplanation, TableHypothesis
from scoreproof.insight.repairs import Change, Repair, Slip
from scoreproof.insight.strength_of_pass import Strength
from scoreproof.kinds.average import printed_average
from scoreproof.kinds.order import said_better
from scoreproof.papers.result import (
    Answered,
    AuditResult,
    CellText,
    ClaimResult,
    Outcome,
    RowResult,
    TableCheck,
    TableResult,
)

Text = Callable[[str], str]  # the text that stands at a place
SCORES = {"acc": "0.6801", "npv": "0.9401", "f1": "0.4004"}
HOSTILE = [
    '<script>alert(1)</script><img src=x onerror="document.title=1">',
    "\"><svg onload=alert(2)>' onmouseover='alert(3)",
    "</script><script>document.title='taken'</script>",
    "\u202e0.68\u202c\u200f\x00\x07",
    "A" * 100_000,
    "<!--<script>", "]]>&lt;&#x27;\\u003c",
    "{{7*7}} ${x} \\input{/etc/passwd} %",
]  # fmt: skip


@cache
def hostile() -> AuditResult:
    """Every text of a result is one that wants to be markup."""
    return _audit([_everywhere(text) for text in HOSTILE])


def marked() -> tuple[AuditResult, set[str]]:
    """An audit whose texts are elements that say where they stand, and all these places."""
    places: set[str] = set()

    def text(place: str) -> str:
        places.add(place)
        return f"<i>{place}</i>"

    return _audit([text]), places


def _everywhere(text: str) -> Text:
    return lambda _: text


def _audit(texts: Sequence[Text]) -> AuditResult:
    first, last = texts[0], texts[-1]
    lines = [[at("label cell"), at("acc cell"), at("npv cell"), at("f1 cell")] for at in texts]
    table = report_fixtures.plain_table(
        ["Method", "acc", "npv", first("heading")],
        [*lines, ["average", last("printed average"), "", ""]],
        caption=first("caption"),
        source=last("table source"),
        notes=(first("note of the reader"),),
    )
    rows = [_row(at, number) for number, at in enumerate(texts, 1)]
    rows += [_failed(at, number) for number, at in enumerate(texts, 1)]
    audited = TableResult(
        first("name of the table"),
        table,
        tuple(rows),
        {"number": 1, "unread": 1},
        tuple(at("assumption when reading") for at in texts),
        ({"row": 1, "column": 0, "raw": first("unread cell"), "why": last("why unread")},),
        (last("untested column"),),
        (_comparison(first, len(texts) + 1, last("printed average")),),
        (last("reading of every row"),),
        TableExplanation(
            (first("row explained"),),
            (first("row in question"),),
            (TableHypothesis("x", first("hypothesis of the table"), (first("row that fits"),)),),
            1,
        ),
    )
    claim = ClaimResult(first("claim"), False, last("words of the claim"), _order(first))
    return AuditResult(first("title"), last("source"), (audited,), (claim,), version=first("version"))


def _row(at: Text, line: int) -> RowResult:
    cells = [CellText((line, k), name, at(f"{name} cell"), at(f"{name} text")) for k, name in enumerate(SCORES, 1)]
    return replace(
        report_fixtures.row(
            (0, line),
            at("label"),
            cells,
            [_binary(at), _average(at)],
            experiment=at("experiment"),
            explanation=_explanation(at),
            strength=Strength(0.5, 0.4, 0.6, False, at("method of the strength"), 50, 0, 10**6, 0.05),
            notes=(at("note of the row"),),
        ),
        group=at("group"),
    )


def _failed(at: Text, line: int) -> RowResult:
    return RowResult(0, line, at("label that failed"), "", "", (), Outcome.ERROR, error=at("error"))


def _binary(at: Text) -> Answered:
    """A refuted confusion matrix: its texts are drawn, and its certificate is kept inside the page."""
    answer = sp.check(sp.TestSet(1000, 6000), SCORES, strict=True)
    claims = tuple(replace(claim, name=at("name of a score"), text=at("drawn text")) for claim in answer.claims)
    return Answered(at("label of the reading"), _tainted(at, answer, answer.problem.with_claims(claims)))


def _average(at: Text) -> Answered:
    """A refuted average: what it is said to be of names the rows as printed."""
    answer = sp.ask(printed_average("acc", ["0.80", "0.82"], "0.90"))
    rows = tuple(replace(row, text=at("averaged row")) for row in answer.problem.rows)
    return Answered(at("label of the other reading"), _tainted(at, answer, replace(answer.problem, rows=rows)))


def _order(at: Text) -> Any:
    answer = sp.ask(said_better("A", "B", "acc", {"A": "0.80", "B": "0.90"}))
    return _tainted(at, answer, replace(answer.problem, method=at("method of the claim")))


def _tainted(at: Text, answer: Any, problem: Any) -> Any:
    proof = {**(answer.proof or {}), "note": at("certificate")}
    return replace(answer, problem=problem, proof=proof, reason=at("reason"), notes=(at("note of the answer"),))


def _comparison(at: Text, line: int, printed: str) -> TableCheck:
    answer = sp.ask(printed_average("acc", ["0.80", "0.82"], "0.90"))
    claims = tuple(replace(claim, text=printed) for claim in answer.claims)
    answer = _tainted(at, answer, answer.problem.with_claims(claims))
    return TableCheck(at("what is compared"), answer, at("words of the comparison"), (line,))


def _explanation(at: Text) -> Explanation:
    names = at("score in conflict"), at("score repaired")
    return Explanation(
        sp.Verdict.INCONSISTENT,
        at("report"),
        at("experiment explained"),
        (Conflict(("acc", names[0]), at("conflict"), at("identity of the conflict")),),
        (Repair(Slip.DIGIT, (Change(names[1], at("printed"), at("repaired")),), None, 0.0),),
        (
            Tried("x", at("hypothesis that fits"), Fit.FITS, (at("variant that fits"),)),
            Tried("x", at("hypothesis that does not fit"), Fit.DOES_NOT_FIT),
            Tried("x", at("open hypothesis"), Fit.UNDECIDED),
        ),
        (at("untried"),),
        reading=at("reading explained"),
    )
