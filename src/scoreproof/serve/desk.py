"""What the page asks, answered: plain values in, plain values out.

These functions run in a process of their own (``gate.Seats``), so that a question can be ended, cannot hang the page
and cannot fill the memory. A mistake in what was asked is an answer, too: ``{"error": words}``.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from scoreproof.checking import verify
from scoreproof.documents import Table, read_tables
from scoreproof.errors import InvalidOption, ScoreproofError, fault
from scoreproof.files import write_file
from scoreproof.findings import Finding
from scoreproof.findings.audits import of_claim
from scoreproof.findings.words import sentence
from scoreproof.limits import Limits, adopt, current, require_within
from scoreproof.pages import to_html, to_latex, to_text
from scoreproof.pages.audit_view import audit_view
from scoreproof.pages.table_view import RowView
from scoreproof.papers.auditing import audit
from scoreproof.papers.collecting import Documents, find_table, propose, propose_tables
from scoreproof.papers.plan import plan
from scoreproof.papers.proposals import OPEN
from scoreproof.papers.result import AuditResult, ClaimResult, RowResult
from scoreproof.papers.specification import Specification, load_sent
from scoreproof.papers.table_semantics import interpret
from scoreproof.serve.paper_view import mark, picture, sentences_of
from scoreproof.work.subprocess_worker import Tell

REPORTS = {
    "report.html": "text/html",
    "report.tex": "application/x-tex",
    "report.txt": "text/plain",
    "report.json": "application/json",
    "certificates.zip": "application/zip",
    "paper.scoreproof.yaml": "application/yaml",
}
_ELSEWHERE = ("file", "table", "kind", "text", "grid")  # what says where a table is, which the page holds itself
_GLANCE = 3.0  # seconds for all rows while somebody types
_FULL = 30.0  # seconds per row of a report
_LARGE_PROOF = 300_000  # characters of one that the report holds, not the page


def answer(request: Mapping[str, Any], data: bytes, tell: Tell) -> dict[str, Any]:
    """The answer to one question of the page, within the limits of the server."""
    adopt(Limits(**request["limits"]))
    try:
        return _VERBS[request["verb"]](request, data, tell)
    except ScoreproofError as error:
        return {"error": str(error)}


def _read(request: Mapping[str, Any], data: bytes, tell: Tell) -> dict[str, Any]:
    """A dropped paper or pasted tables: what ``scoreproof audit`` makes of them, and what its assumptions rest on."""
    name, path = request.get("name", ""), request.get("path")
    if path is None:
        made = propose_tables(read_tables(f"{data.decode('utf-8', 'replace')}\n"))
    else:
        with _called(path, name):
            made = propose(path, progress=lambda page, pages: tell([page, pages, "pages read"]))
    content = made.content
    tables = [find_table(made.specification, index, made.documents) for index in range(len(content["tables"]))]
    own_title = path is not None and content["title"] != Path(path).stem
    rest = {
        "title": content["title"] if own_title else Path(name).stem,
        "source": name,
        "datasets": {OPEN: {"p": "unknown", "n": "unknown"}, **content["datasets"]},
        "experiments": {OPEN: {"dataset": OPEN, "assumed": f"the scores are of {OPEN}"}, **content["experiments"]},
        "extracted": content["extracted"],
    }
    sentences = list(sentences_of(content["extracted"], rest, [table.position.page for table in tables]))
    pages = mark(path, sentences) if path is not None and tables[0].format == "pdf" else 0
    parts = [{key: value for key, value in told.items() if key not in _ELSEWHERE} for told in content["tables"]]
    rows = sum(len(table.rows) for table in tables)
    looked = _looked(made, rows, tell) if rows <= current().page_rows else {"tables": [None] * len(tables)}
    return {
        "paper": request.get("paper", ""),
        "rest": rest,
        "tables": [
            {**_shown(table, part), "told": told}
            for table, part, told in zip(tables, parts, looked.pop("tables"), strict=True)
        ],
        "sentences": sentences,
        "pages": pages,
        "paragraphs": [] if pages else made.paragraphs,
        "problems": list(made.problems),
        **looked,
    }


@contextmanager
def _called(path: str | Path, name: str) -> Iterator[None]:
    """Errors speak of a file by the name that the page knows it by."""
    try:
        yield
    except ScoreproofError as error:
        raise type(error)(str(error).replace(str(path), name)) from None


def _shown(table: Table, part: Mapping[str, Any]) -> dict[str, Any]:
    """A table as the page keeps it: the part of a specification that holds it, and how it is read."""
    held = {
        "caption": table.caption,
        "grid": [list(row) for row in table.rows],
        "header_rows": table.header_rows,
        "bold": sorted([row + 1, column + 1] for row, column in table.bold),
        "spans": [[span.row + 1, span.column + 1, span.rows, span.columns] for span in table.spans],
        **part,
    }
    return {"part": held, "where": str(table.position), "notes": list(table.notes), **_meant(table)}


def _meant(table: Table) -> dict[str, Any]:
    try:
        meaning = interpret(table)
    except ScoreproofError:
        raise
    except Exception as error:  # the other tables are shown
        return {"columns": [], "unread": [], "assumptions": [fault(error)], "transposed": False, "useful": False}
    columns = [column.to_dict() for column in meaning.columns]
    for column in columns:
        other = "label" if column["role"] == "label" else "ignore"
        column["means"] = str(column.get("score") or column.get("count") or other)
    return {
        "columns": columns,
        "unread": [cell.to_dict() for cell in meaning.unread],
        "assumptions": list(meaning.assumptions),
        "transposed": meaning.transposed,
        "useful": bool(meaning.score_columns and meaning.reports),
    }


def _open(request: Mapping[str, Any], data: bytes, tell: Tell) -> dict[str, Any]:
    """A specification to go on from, its tables written out; files beside it are those dropped together with it."""
    folder = Path(request["folder"])
    path = folder / "paper.scoreproof.yaml"
    path.write_bytes(data)
    with _called(path, "specification"):
        spec = load_sent(path, [file.name for file in folder.iterdir()])
    document = yaml.safe_load(data)  # without aliases and of a bounded size: ``load`` has read it
    documents, shown = Documents(), []
    for index, entry in enumerate(document["tables"]):
        part = {"name": f"Table {index + 1}", **{key: each for key, each in entry.items() if key not in _ELSEWHERE}}
        shown.append(_shown(find_table(spec, index, documents), part))
    rest = {key: value for key, value in document.items() if key != "tables"}
    return {"tables": shown, "rest": rest, "problems": [], "sentences": [], "pages": 0, "paragraphs": []}


def _look(request: Mapping[str, Any], data: bytes, tell: Tell) -> dict[str, Any]:
    """The verdicts on every row, quickly: what is not decided in a moment stays undecided."""
    specification = request["specification"]
    spec = load_sent(specification)
    looked = _looked(spec, rows_within(spec), tell)
    experiments = spec.paper.experiments
    if experiments and all(each.assumed and not name.startswith(OPEN) for name, each in experiments.items()):
        # what somebody put a sentence on may be of other cases by its caption, before anybody stands for it
        stated = {name: {**each, "assumed": ""} for name, each in specification["experiments"].items()}
        plans = plan(load_sent({**specification, "experiments": stated}))
        for told, planned in zip(looked["tables"], plans, strict=True):
            told["other_sizes"] = list(map(sentence, planned.other_sizes))
    return looked


def rows_within(spec: Specification) -> int:
    """The rows of all tables, if somebody can wait for what is said of them."""
    documents = Documents()
    grids = (table.grid or find_table(spec, place, documents).rows for place, table in enumerate(spec.paper.tables))
    rows = sum(map(len, grids))
    require_within("page_rows", rows, "the tables")
    return rows


def _looked(given: Any, rows: int, tell: Tell) -> dict[str, Any]:
    """What is found within seconds."""
    budget = max(0.05, _GLANCE / max(rows, 1))
    result = audit(given, jobs=1, budget=budget, strength=False, progress=lambda *step: tell(step))
    return _told(result)


def _picture(request: Mapping[str, Any], data: bytes, tell: Tell) -> dict[str, Any]:
    """A page of a paper, written as a picture to a file."""
    write_file(request["file"], picture(request["path"], request["page"]))
    return {}


def _report(request: Mapping[str, Any], data: bytes, tell: Tell) -> dict[str, Any]:
    """The whole report, in every format, written to a folder."""
    spec = load_sent(request["specification"])
    result = audit(spec, jobs=1, budget=_FULL, progress=lambda done, rows, label: tell([done, rows, label]))
    folder = Path(request["folder"])
    written = {
        "report.html": to_html(result),
        "report.tex": to_latex(result),
        "report.txt": to_text(result),
        "report.json": json.dumps(result.to_dict(), indent=1, ensure_ascii=False),
        "paper.scoreproof.yaml": specification_text(request["specification"]),
    }
    for name, text in written.items():
        write_file(folder / name, text)
    with zipfile.ZipFile(folder / "certificates.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, document in audit_view(result).shelf.kept.items():
            archive.writestr(name, document)
    return {"report": request["report"], **_told(result)}


def _write(request: Mapping[str, Any], data: bytes, tell: Tell) -> dict[str, Any]:
    """The page's specification as the text of a file; it need not be complete, but no longer than one may be."""
    tables = request["specification"].get("tables")
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise InvalidOption("specification: expected tables")
    require_within("tables", len(tables), "specification")
    grids = [table["grid"] for table in tables if isinstance(table.get("grid"), list)]
    cells = sum(len(row) for grid in grids for row in grid if isinstance(row, list))
    require_within("cells", cells, "all grids together")
    return {"text": specification_text(request["specification"])}


def specification_text(specification: Mapping[str, Any]) -> str:
    """A specification as the file that ``scoreproof audit`` reads; each row of a grid is one line."""
    tables = [{key: value for key, value in table.items() if value} for table in specification["tables"]]
    rest = {key: value for key, value in specification.items() if key != "tables" and value}
    return str(yaml.dump({**rest, "tables": tables}, Dumper=_Lines, sort_keys=False, allow_unicode=True, width=10**6))


class _Lines(yaml.SafeDumper):
    """Lists of plain values on one line, all texts in quotes where a reader might take them for something else."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _line(dumper: yaml.SafeDumper, values: list[Any]) -> yaml.Node:
    flat = all(isinstance(value, (str, int)) for value in values)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", values, flow_style=flat)


_Lines.add_representer(list, _line)


def _verify(request: Mapping[str, Any], data: bytes, tell: Tell) -> dict[str, Any]:
    """Whether a certificate proves what it states."""
    path = Path(request["folder"]) / "certificate.json"
    path.write_bytes(data)
    with _called(path, request.get("name", "the certificate")):
        verification = verify(path)
    return {"valid": bool(verification), "words": str(verification)}


def _told(result: AuditResult) -> dict[str, Any]:
    view = audit_view(result, told=False)
    tables = [
        {
            "other_sizes": view_of.other_sizes,
            "rows": [_row(row, shown) for row, shown in zip(table.rows, view_of.rows, strict=True)],
            "checks": view_of.checks,
            "cards": [_card(finding) for finding in view.findings if finding.where.number == number],
            "faults": [
                [*cell, str(finding.verdict)]
                for finding in reversed(view.findings)
                for where in finding.at(number)
                for cell in where.cells
            ],
        }
        for number, (table, view_of) in enumerate(zip(result.tables, view.tables, strict=True), 1)
    ]
    return {
        "verdict": str(result.verdict),
        "headline": f"{view.headline} {view.passed}",
        "wanted": view.wanted,
        "tables": tables,
        "claims": [_claim(claim) for claim in result.claims],
        "cards": [_card(finding) for finding in view.findings if not finding.where.number],
    }


def _card(finding: Finding) -> dict[str, Any]:
    """The card of a finding, where its rows are, and what its buttons need."""
    certificate = json.dumps(finding.certificate) if finding.certificate is not None else ""
    acts = ["Copy for the review", *(["Check this proof"] if 0 < len(certificate) < _LARGE_PROOF else [])]
    buttons = " ".join(f'<button type="button">{act}</button>' for act in acts)
    return {
        "verdict": str(finding.verdict),
        "headline": finding.headline,
        "html": finding.html(buttons=f"{buttons} <span role='status'></span>"),
        "places": [[where.table, row] for where in (finding.where, *finding.also) for row in where.rows],
        "quotes": [ground.quote for ground in finding.rests_on if ground.quote],
        "review": finding.review(),
        "certificate": certificate if len(certificate) < _LARGE_PROOF else "",
    }


def _claim(claim: ClaimResult) -> dict[str, Any]:
    finding = next(iter(of_claim(claim, "")), None)
    verdict = ("consistent" if claim.holds else "undecided") if finding is None else str(finding.verdict)
    return {"text": claim.text, "verdict": verdict, "words": sentence(claim.words)}


def _row(row: RowResult, shown: RowView) -> dict[str, Any]:
    cells = [cell.place for cell in row.cells]
    return {"row": row.row, "name": shown.name, "outcome": shown.outcome, "words": shown.sentence, "cells": cells}


_VERBS: dict[str, Callable[[Mapping[str, Any], bytes, Tell], dict[str, Any]]] = {
    "read": _read,
    "open": _open,
    "look": _look,
    "picture": _picture,
    "report": _report,
    "write": _write,
    "verify": _verify,
}
