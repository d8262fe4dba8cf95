"""What the page asks, answered: plain values in, plain values out.

These functions run in a process of their own (``seats``), so that a question can be ended, cannot hang the page and
cannot fill the memory. A mistake in what was asked is an answer, too: ``{"error": words}``.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from scoreproof.checking import verify
from scoreproof.documents import Table, read_tables
from scoreproof.errors import InvalidOption, ScoreproofError, fault
from scoreproof.files import write_file
from scoreproof.limits import Limits, adopt, require_within
from scoreproof.pages import to_html, to_latex, to_text
from scoreproof.pages.audit_view import audit_view
from scoreproof.pages.table_view import TableView
from scoreproof.papers.auditing import audit
from scoreproof.papers.collecting import PARTS, Proposed, experiments_of, propose
from scoreproof.papers.followups import Wanted, follow_up
from scoreproof.papers.proposals import resting_on
from scoreproof.papers.result import AuditResult, TableResult
from scoreproof.papers.sources import Documents, find_table
from scoreproof.papers.specification import load_sent
from scoreproof.papers.table_semantics import interpret
from scoreproof.work.subprocess_worker import Tell

REPORTS = {
    "report.html": "text/html",
    "report.tex": "application/x-tex",
    "report.txt": "text/plain",
    "report.json": "application/json",
    "certificates.zip": "application/zip",
    "paper.scoreproof.yaml": "application/yaml",
}
_GLANCE = 3.0  # seconds for all rows while somebody types
_ROW = 5.0  # seconds for one row's explanation
_FULL = 30.0  # seconds per row of a report


def answer(request: Mapping[str, Any], data: bytes, tell: Tell) -> dict[str, Any]:
    """The answer to one question of the page, within the limits of the server."""
    adopt(Limits(**request["limits"]))
    try:
        return _VERBS[request["verb"]](request, data, tell)
    except ScoreproofError as error:
        return {"error": str(error)}


def _read(request: Mapping[str, Any], data: bytes, tell: Tell) -> dict[str, Any]:
    """The tables of a dropped file with what its text proposes for them, or of pasted text."""
    name = request.get("name", "")
    if "path" not in request:
        pasted = read_tables(f"{data.decode('utf-8', 'replace')}\n")
        shown = [_shown(table, number) for number, table in enumerate(pasted, 1)]
        return {"tables": shown, "problems": list(pasted.problems), "name": name}
    with _called(request["path"], name):
        made = propose(request["path"])
    tables = [find_table(made.specification, index, made.documents) for index in range(len(made.content["tables"]))]
    told = made.content["tables"]
    shown = [
        {
            **_shown(table, number),
            "proposals": list(_proposed(made, told[number - 1])),
            "assumed": {key: told[number - 1][key] for key in PARTS if key in told[number - 1]},
        }
        for number, table in enumerate(tables, 1)
    ]
    return {"tables": shown, "problems": list(made.problems), "name": name}


@contextmanager
def _called(path: str | Path, name: str) -> Iterator[None]:
    """Errors speak of a file by the name that the page knows it by."""
    try:
        yield
    except ScoreproofError as error:
        raise type(error)(str(error).replace(str(path), name)) from None


def _proposed(made: Proposed, table: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What ``scoreproof audit`` would assume of a table, and the sentences it rests on."""
    for name in dict.fromkeys(experiments_of(table)):
        experiment = made.content["experiments"][name]
        sentences = resting_on(made.content["extracted"], name)
        yield {
            "name": name,
            "dataset": made.content["datasets"].get(name),  # none of queries and objects, which are the experiment
            "experiment": experiment,
            "sentences": [{"sentence": told["sentence"], "place": told["place"]} for told in sentences],
        }


def _shown(table: Table, number: int) -> dict[str, Any]:
    """A table as the page keeps it: the part of a specification that holds it, and how it is read."""
    part = {
        "name": f"Table {number}",
        "caption": table.caption,
        "grid": [list(row) for row in table.rows],
        "header_rows": table.header_rows,
        "bold": sorted([row + 1, column + 1] for row, column in table.bold),
        "spans": [[span.row + 1, span.column + 1, span.rows, span.columns] for span in table.spans],
    }
    return {"part": part, "where": str(table.position), "notes": list(table.notes), **_meant(table)}


def _meant(table: Table) -> dict[str, Any]:
    try:
        found = interpret(table)
    except ScoreproofError:
        raise
    except Exception as error:  # the other tables are shown
        return {"columns": [], "unread": [], "assumptions": [fault(error)], "transposed": False, "useful": False}
    columns = [column.to_dict() for column in found.columns]
    return {
        "columns": [{**column, "means": _means(column)} for column in columns],
        "unread": [cell.to_dict() for cell in found.unread],
        "assumptions": list(found.assumptions),
        "transposed": found.transposed,
        "useful": bool(found.score_columns and found.reports),
    }


def _means(column: Mapping[str, Any]) -> str:
    return str(column.get("score") or column.get("count") or ("label" if column["role"] == "label" else "ignore"))


def _open(request: Mapping[str, Any], data: bytes, tell: Tell) -> dict[str, Any]:
    """A specification to go on from, its tables written out; files beside it are those dropped together with it."""
    folder = Path(request["folder"])
    path = folder / "paper.scoreproof.yaml"
    path.write_bytes(data)
    with _called(path, "specification"):
        found = load_sent(path, [file.name for file in folder.iterdir()])
    document = yaml.safe_load(data)  # without aliases and of a bounded size: ``load`` has read it
    documents, shown = Documents(), []
    for index, entry in enumerate(document["tables"]):
        table = _shown(find_table(found, index, documents), index + 1)
        kept = {key: value for key, value in entry.items() if key not in ("file", "table", "kind", "text", "grid")}
        shown.append({**table, "part": {**table["part"], **kept, "name": kept.get("name") or f"Table {index + 1}"}})
    rest = {key: value for key, value in document.items() if key != "tables"}
    return {"tables": shown, "rest": rest, "problems": []}


def _look(request: Mapping[str, Any], data: bytes, tell: Tell) -> dict[str, Any]:
    """The verdicts on every row, quickly: what is not decided in a moment stays undecided."""
    found = load_sent(request["specification"])
    rows = sum(len(table.grid or ()) for table in found.paper.tables)
    result = audit(found, jobs=1, budget=max(0.05, _GLANCE / rows), explain=False, strength=False)
    return _told(result)


def _row(request: Mapping[str, Any], data: bytes, tell: Tell) -> dict[str, Any]:
    """One row with all there is about it, as a page of its own."""
    result = audit(load_sent(request["specification"]), jobs=1, budget=_ROW, explain=False, strength=False)
    table = result.tables[0]
    place = request["place"]
    if not 0 <= place < len(table.rows):
        raise InvalidOption(f"row {place}: the table has {len(table.rows)} tested rows")
    row = follow_up(table.rows[place], Wanted(explain=True, strength=True, budget=_ROW, seed=0))
    alone = replace(result, tables=(replace(table, rows=(row,), checks=()),), claims=())
    write_file(request["file"], to_html(alone))
    return {"words": str(row), "anchor": audit_view(alone).tables[0].rows[0].anchor}


def _report(request: Mapping[str, Any], data: bytes, tell: Tell) -> dict[str, Any]:
    """The whole report, in every format, written to a folder."""
    found = load_sent(request["specification"])
    result = audit(found, jobs=1, budget=_FULL, progress=lambda done, rows, label: tell([done, rows, label]))
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
    return _told(result)


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
        found = verify(path)
    return {"valid": bool(found), "words": str(found)}


def _told(result: AuditResult) -> dict[str, Any]:
    view = audit_view(result, told=False)
    return {
        "words": result.summary,
        "verdict": str(result.verdict),
        "headline": view.headline,
        "tables": [
            {
                "other_sizes": list(shown.other_sizes),
                "rows": list(_rows(table, shown)),
                "checks": [_plain(check, "verdict words") for check in shown.checks],
            }
            for table, shown in zip(result.tables, view.tables, strict=True)
        ],
        "claims": [_plain(claim, "text verdict standing words needs") for claim in view.claims],
    }


def _plain(view: Any, names: str) -> dict[str, Any]:
    return {name: getattr(view, name) for name in names.split()}


def _rows(table: TableResult, view: TableView) -> Iterator[dict[str, Any]]:
    for row, told in zip(table.rows, view.rows, strict=True):
        notes = [reading.note for reading in told.readings if reading.verdict == "consistent" and reading.note]
        yield {
            "row": row.row,
            "name": told.name,
            "outcome": told.outcome,
            "words": told.error or told.why or next(iter(notes), "") or row.reason or told.said,
            "fits": told.fitting if len(told.readings) > 1 else [],
            "cells": [[*cell.place, cell.score] for cell in row.cells],
            "notes": list(told.notes),
        }


_VERBS: dict[str, Callable[[Mapping[str, Any], bytes, Tell], dict[str, Any]]] = {
    "read": _read,
    "open": _open,
    "look": _look,
    "row": _row,
    "report": _report,
    "write": _write,
    "verify": _verify,
}
