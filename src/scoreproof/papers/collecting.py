"""The documents of an audit: the tables that a specification names, and the specification that a paper is given.

Each document is read once, a paper for its tables and for its text. Nothing in the specification made of a paper is
certain but the tables: every experiment is assumed, so that no size taken from a sentence turns into an accusation.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from scoreproof.documents import Position, Table, Tables, read_tables
from scoreproof.documents.formats import Paragraph, is_document
from scoreproof.documents.read import PaperText, read_paper
from scoreproof.documents.table import Span, guess_header_rows
from scoreproof.errors import InvalidExperiment, LimitExceeded, NoTable, ScoreproofError, fault
from scoreproof.papers.named_data import of_parts
from scoreproof.papers.printed_in_text import instead_of_tables
from scoreproof.papers.proposals import OPEN, Proposals, left_unused, proposals
from scoreproof.papers.specification.load import Specification, load
from scoreproof.papers.table_semantics import Interpretation, interpret
from scoreproof.papers.text_facts.sizes import class_tables
from scoreproof.quantities import quantity
from scoreproof.validation import shown


class Documents:
    """The documents of one audit, each read once however many of its tables are wanted."""

    def __init__(self) -> None:
        self.read: dict[tuple[str, str | None], Tables] = {}
        self.meanings: dict[int, tuple[Table, Interpretation | None, str]] = {}  # tables are held, so that ids stay
        self.faults: list[str] = []  # of ours, about no single table

    def looked_at(self, table: Table) -> tuple[Interpretation | None, str]:
        """What a table means if that was asked already, or why it could not be looked at by a fault of ours."""
        return self.meanings.get(id(table), (table, None, ""))[1:]

    def tables(self, source: Path | str, kind: str | None) -> Tables:
        """All tables of a file or a text."""
        key = str(source), kind
        if key not in self.read:
            self.read[key] = read_tables(source, kind=kind)
        return self.read[key]


def find_table(spec: Specification, index: int, documents: Documents) -> Table:
    """The table number ``index`` of a specification, as a grid of texts."""
    model = spec.paper.tables[index]
    if model.grid is not None:
        return _grid(spec, index, model.grid)
    source = f"{model.text}\n" if model.file is None else spec.resolve(model.file)
    try:
        tables = documents.tables(source, model.kind)
    except LimitExceeded:  # nothing is wrong with the specification, and the other tables can be read
        raise
    except ScoreproofError as error:
        raise spec.fail(("tables", index, "text" if model.file is None else "file"), str(error)) from None
    chosen = _chosen(spec, index, tables)
    return replace(chosen, caption=model.caption, source="") if model.file is None and model.caption else chosen


def _grid(spec: Specification, index: int, grid: Sequence[Sequence[str]]) -> Table:
    model, width = spec.paper.tables[index], max(map(len, grid))
    rows = tuple((*row, *[""] * (width - len(row))) for row in grid)
    headers = guess_header_rows(rows) if model.header_rows is None else model.header_rows
    if not 0 < headers < len(rows):
        key = "grid" if model.header_rows is None else "header_rows"
        words = f"expected header rows and rows below them, got {headers} header rows of {len(rows)}"
        raise spec.fail(("tables", index, key), words)
    for key, places in dict[str, list[Any]](bold=model.bold, spans=model.spans).items():
        for number, (row, column, *size) in enumerate(places):
            down, across = size or (1, 1)
            if min(row, column, down, across) < 1 or row + down - 1 > len(rows) or column + across - 1 > width:
                words = f"expected a place in the grid of {len(rows)} rows, {width} columns"
                raise spec.fail(("tables", index, key, number), words)
    spans = tuple(Span(row - 1, column - 1, down, across) for row, column, down, across in model.spans)
    bold = frozenset((row - 1, column - 1) for row, column in model.bold)
    position = Position(index, line=spec.document.line(("tables", index, "grid")))
    return Table(rows, headers, model.caption or "", position, spec.document.source, "specification", spans, bold)


def _chosen(spec: Specification, index: int, tables: Tables) -> Table:
    model = spec.paper.tables[index]
    if model.table is not None:
        if model.table > len(tables):
            raise spec.fail(("tables", index, "table"), f"the file has {len(tables)} tables, got number {model.table}")
        return tables[model.table - 1]
    if len(tables) == 1 and (model.caption is None or model.file is None):
        return tables[0]
    listed = "; ".join(f"{number}: {table.caption[:40] or '(none)'}" for number, table in enumerate(tables[:8], 1))
    if model.caption is None:
        words = f"the file has {len(tables)} tables; say which with table (a number) or caption ({listed})"
        raise spec.fail(("tables", index), words)
    words = " ".join(model.caption.lower().split())
    fitting = [table for table in tables if words in " ".join(table.caption.lower().split())]
    if len(fitting) != 1:
        words = f"{len(fitting) or 'no'} tables have these words in the caption; the captions are {listed}"
        raise spec.fail(("tables", index, "caption"), words)
    return fitting[0]


PARTS = ("experiment", "groups", "rows")  # of a table that name its experiments
_MOST_TEXT = 2 * 2**20
_TEXTS = {".tex", ".ltx", ".md", ".markdown", ".html", ".htm", ".txt", ".csv", ".tsv"}


@dataclass(frozen=True, slots=True)
class Proposed:
    """The specification that a paper was given, with the paper as it was read."""

    specification: Specification
    content: Mapping[str, Any]
    documents: Documents
    problems: tuple[str, ...] = ()
    paragraphs: tuple[Paragraph, ...] = ()

    def with_content(self, content: Mapping[str, Any]) -> Proposed:
        """Another specification of the same paper, which is not read again."""
        specification = replace(load(content), folder=self.specification.folder)
        return replace(self, specification=specification, content=content)

    @property
    def text(self) -> str:
        """The specification as a file, which ``scoreproof audit`` takes as well."""
        head = (
            "# What 'scoreproof audit' used. Copy this file before changing it: the next audit writes it again.\n"
            "# Experiments are assumed from the text; take the line 'assumed' away from one that you know is right.\n"
        )
        return head + yaml.safe_dump(dict(self.content), sort_keys=False, allow_unicode=True, width=110)


def is_paper(spec: object) -> bool:
    """Whether what is to be audited is a document rather than a specification.

    >>> is_paper("paper.pdf"), is_paper("paper.yaml"), is_paper({"tables": []})
    (True, False, False)
    """
    return isinstance(spec, str | os.PathLike) and is_document(spec)


def propose(
    paper: str | os.PathLike[str],
    *,
    kind: str | None = None,
    beside: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Proposed:
    """The specification of a paper; file names in it are relative to the folder ``beside``."""
    path = Path(paper)
    try:
        read = read_paper(path, kind=kind, progress=progress)
    except NoTable as error:
        advice = instead_of_tables(error.paragraphs)
        raise NoTable("; ".join(filter(None, (str(error), advice))), error.paragraphs) from None
    folder, documents = beside if beside is not None else path.parent, Documents()
    file = os.path.relpath(path, folder)
    content = _content(read, path, file, kind, documents)
    specification = replace(load(content), folder=folder)
    documents.read[str(specification.resolve(file)), kind] = read.tables
    return Proposed(specification, content, documents, read.tables.problems, read.paragraphs)


def propose_tables(tables: Tables, experiment: Any = None) -> Proposed:
    """The specification of tables at hand, of an experiment that is known or of none."""
    documents = Documents()
    content = _content(PaperText(tables), Path("tables"), "", None, documents) | {"title": "", "source": ""}
    for told, table in zip(content["tables"], tables, strict=True):
        told.pop("table", None)
        told.pop("file")
        told |= {"grid": [list(row) for row in table.rows], "header_rows": table.header_rows}
    made = Proposed(load(content), content, documents)
    return made if experiment is None else with_experiment(made, experiment)


def with_experiment(proposed: Proposed, experiment: Any) -> Proposed:
    """The same tables under an experiment that somebody stands for."""
    if not hasattr(experiment, "to_dict") or not isinstance(getattr(experiment, "kind", None), str):
        raise InvalidExperiment(f"experiment: expected TestSet(p, n), KFold(...) or the like, got {shown(experiment)}")
    name = "as given"
    tables = []
    for told in proposed.content["tables"]:
        kept = {key: value for key, value in told.items() if key not in PARTS}
        tables.append(kept if len(kept) == len(told) else {**kept, "experiment": [name]})
    stated = {"datasets": {}, "experiments": {name: {"tree": experiment.to_dict()}}, "tables": tables}
    return proposed.with_content({**proposed.content, **stated})


def experiments_of(table: Mapping[str, Any]) -> Iterator[str]:
    """The names of the experiments that a table of a specification is tried with, some of them more than once."""
    parts = [names for key in PARTS[1:] for names in table.get(key, {}).values()]
    yield from (name for names in (table.get("experiment", ()), *parts) for name in names)


def _tested(made: Proposals, table: Table, index: int, documents: Documents) -> dict[str, Any]:
    meaning = interpret(table)
    documents.meanings[id(table)] = table, meaning, ""
    if not (meaning.score_columns and meaning.reports):
        return {"untested": "no column is named like a score"}
    if made.medians[index]:
        why = f"medians are not tested, for those of one row may be of different runs: {made.medians[index]!r}"
        return {"untested": why}
    names = made.of_tables[index]
    if any(quantity(column.heading.score).kind == "detection" for column in meaning.score_columns):
        names = [name for name in names if name.startswith(OPEN)] or names  # shares of objects, not of images
    return of_parts(made, meaning, index + 1, names)


def _content(read: PaperText, path: Path, file: str, kind: str | None, documents: Documents) -> dict[str, Any]:
    captions = [table.caption for table in read.tables]
    try:
        made = proposals(read.paragraphs, captions, class_tables(read.tables))
    except ScoreproofError:
        raise
    except Exception as error:  # the text is of no use then, but its tables may be
        documents.faults.append(fault(error))
        made = proposals((), [""] * len(captions))
    tables = []
    for index, table in enumerate(read.tables):
        told: dict[str, Any] = {"name": table_name(table, index), "file": file}
        told |= {"kind": kind} if kind is not None else {}
        told |= {"table": index + 1} if len(read.tables) > 1 else {}
        try:
            told |= _tested(made, table, index, documents)
        except ScoreproofError:
            raise
        except Exception as error:
            documents.meanings[id(table)] = table, None, fault(error)
            told["untested"] = fault(error)
        tables.append(told)
    used = {name for told in tables for name in experiments_of(told)}
    left_unused(made.extracted, made.experiments, used)
    return {
        "title": title_of(path),
        "source": path.name,
        "datasets": {name: dataset for name, dataset in made.datasets.items() if name in used},
        "experiments": {name: stated for name, stated in made.experiments.items() if name in used},
        "tables": tables,
        "extracted": made.extracted,
    }


def title_of(path: Path) -> str:
    """The title that a LaTeX, HTML or Markdown source gives itself, or the name of the file."""
    text = path.read_bytes()[:_MOST_TEXT].decode("utf-8", errors="replace") if path.suffix.lower() in _TEXTS else ""
    match = re.search(r"\\title\s*\{([^{}]{3,200})\}|<title>([^<]{3,200})</title>", text, re.IGNORECASE)
    match = match or re.search(r"\A\s*#\s+(\S+ [^\n]{3,200})(\n|\Z)", text)  # one word names a section
    return " ".join((match[1] or match[2]).split()) if match else path.stem


def table_name(table: Table, index: int) -> str:
    """What a caption calls a table, or its number."""
    match = re.match(r"\s*(tab(?:le|\.)?\s*[0-9IVX]+[a-z]?)\b", table.caption, re.IGNORECASE)
    return match[1].strip() if match else f"Table {index + 1}"
