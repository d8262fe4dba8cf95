"""The documents of an audit: the tables that a specification names, and the specification that a paper is given.

A table is written out in a specification, or stands in a document beside it; each document is read once. A paper is
read for its tables and for its text. Nothing in the specification made of it is certain but the tables: every
experiment is assumed, so that no size taken from a sentence turns into an accusation.
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
from scoreproof.files import shown_path
from scoreproof.papers.named_data import of_parts
from scoreproof.papers.printed_in_text import instead_of_tables
from scoreproof.papers.proposals import OPEN, Proposals, left_unused, proposals
from scoreproof.papers.specification.load import Specification, load
from scoreproof.papers.table_semantics import Interpretation, interpret
from scoreproof.quantities import quantity
from scoreproof.validation import shown


class Documents:
    """The documents of one audit, each read once however many of its tables are wanted."""

    def __init__(self) -> None:
        self._read: dict[tuple[str, str | None], Tables] = {}
        self._looked_at: dict[int, tuple[Table, Interpretation | None, str]] = {}  # held, so that its id stays its own
        self.faults: list[str] = []  # of ours, about no single table

    def keep(self, source: Path, kind: str | None, tables: Tables) -> None:
        """A document that was read already."""
        self._read[str(source), kind] = tables

    def look_at(self, table: Table, meaning: Interpretation | None, why: str = "") -> None:
        """Keep what a table means, as far as it tells itself, or why it could not be looked at by a fault of ours."""
        self._looked_at[id(table)] = table, meaning, why

    def looked_at(self, table: Table) -> tuple[Interpretation | None, str]:
        """What was kept of a table."""
        return self._looked_at.get(id(table), (table, None, ""))[1:]

    def tables(self, source: Path | str, kind: str | None) -> Tables:
        """All tables of a file or a text."""
        key = str(source), kind
        if key not in self._read:
            self._read[key] = read_tables(source, kind=kind)
        return self._read[key]


def find_table(spec: Specification, index: int, documents: Documents) -> Table:
    """The table number ``index`` of a specification, as a grid of texts."""
    model = spec.paper.tables[index]
    if model.grid is not None:
        return _grid(spec, index)
    place = ("tables", index, "file" if model.file is not None else "text")
    if model.file is not None and not os.path.exists(spec.resolve(model.file)):  # false for odd names
        raise spec.fail(place, f"{shown_path(spec.resolve(model.file))}: no such file")
    try:
        if model.file is not None:
            tables = documents.tables(spec.resolve(model.file), model.kind)
        else:
            text = model.text or ""
            tables = documents.tables(text if "\n" in text else f"{text}\n", model.kind)
    except LimitExceeded:  # nothing is wrong with the specification, and the other tables can be read
        raise
    except ScoreproofError as error:
        raise spec.fail(place, str(error)) from None
    chosen = _chosen(spec, index, tables)
    if model.file is None and model.caption:
        return replace(chosen, caption=model.caption, source="")
    return chosen


def _grid(spec: Specification, index: int) -> Table:
    model = spec.paper.tables[index]
    width = max(map(len, model.grid or [[]]))
    rows = tuple(tuple(row) if len(row) == width else (*row, *[""] * (width - len(row))) for row in (model.grid or []))
    headers = guess_header_rows(rows) if model.header_rows is None else model.header_rows
    if not 0 < headers < len(rows):
        raise spec.fail(
            ("tables", index, "header_rows" if model.header_rows is not None else "grid"),
            f"expected header rows and rows below them, got {headers} header rows of {len(rows)}",
        )
    line = spec.document.line(("tables", index, "grid"))
    return Table(
        rows,
        headers,
        model.caption or "",
        Position(index, line=line),
        spec.document.source,
        "specification",
        tuple(Span(row - 1, column - 1, down, across) for row, column, down, across in _inside(spec, index, "spans")),
        frozenset((row - 1, column - 1) for row, column in _inside(spec, index, "bold")),
    )


def _inside(spec: Specification, index: int, key: str) -> Sequence[tuple[int, ...]]:
    """Places of the grid, as ``bold`` and ``spans`` name them."""
    model = spec.paper.tables[index]
    rows, width = len(model.grid or ()), max(map(len, model.grid or [[]]))
    places: Sequence[tuple[int, ...]] = getattr(model, key)
    for number, (row, column, *size) in enumerate(places):
        down, across = size or (1, 1)
        if min(row, column, down, across) < 1 or row + down - 1 > rows or column + across - 1 > width:
            raise spec.fail(
                ("tables", index, key, number), f"expected a place in the grid of {rows} rows, {width} columns"
            )
    return places


def _chosen(spec: Specification, index: int, tables: Tables) -> Table:
    model = spec.paper.tables[index]
    place: tuple[str | int, ...] = ("tables", index)
    if model.table is not None:
        if model.table > len(tables):
            raise spec.fail((*place, "table"), f"the file has {len(tables)} tables, got number {model.table}")
        return tables[model.table - 1]
    if len(tables) == 1 and (model.caption is None or model.file is None):
        return tables[0]
    if model.caption is None:
        raise spec.fail(
            place,
            f"the file has {len(tables)} tables; say which with table (a number) or caption ({_listed(tables)})",
        )
    words = _plain(model.caption)
    fitting = [table for table in tables if words in _plain(table.caption)]
    if len(fitting) != 1:
        many = "no table has" if not fitting else f"{len(fitting)} tables have"
        raise spec.fail((*place, "caption"), f"{many} these words in the caption; the captions are {_listed(tables)}")
    return fitting[0]


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def _listed(tables: Tables) -> str:
    shown = [f"{number}: {table.caption[:40] or '(none)'}" for number, table in enumerate(tables, 1)]
    return "; ".join(shown[:8]) + ("; ..." if len(shown) > 8 else "")


_MEDIANS = "medians are not tested, for those of one row may be of different runs: {!r}"
NO_SCORES = "no column is named like a score"
PARTS = ("experiment", "groups", "rows")  # of a table that name its experiments
_GIVEN = "as given"
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
    folder = beside if beside is not None else path.parent
    file = os.path.relpath(path, folder)
    documents = Documents()
    content = _content(read, path, file, kind, documents)
    specification = replace(load(content), folder=folder)
    documents.keep(specification.resolve(file), kind, read.tables)
    return Proposed(specification, content, documents, read.tables.problems, read.paragraphs)


def propose_tables(tables: Tables, experiment: Any = None) -> Proposed:
    """The specification of tables at hand, of an experiment that is known or of none."""
    documents = Documents()
    content = _content(PaperText(tables), Path("tables"), "", None, documents)
    for told, table in zip(content["tables"], tables, strict=True):
        told.pop("table", None)
        told.pop("file")
        told |= {"grid": [list(row) for row in table.rows], "header_rows": table.header_rows}
    content = {**content, "title": "", "source": ""}
    specification = load(content)
    made = Proposed(specification, content, documents)
    return made if experiment is None else with_experiment(made, experiment)


def with_experiment(proposed: Proposed, experiment: Any) -> Proposed:
    """The same tables under an experiment that somebody stands for."""
    if not hasattr(experiment, "to_dict") or not isinstance(getattr(experiment, "kind", None), str):
        raise InvalidExperiment(f"experiment: expected TestSet(p, n), KFold(...) or the like, got {shown(experiment)}")
    tables = [
        of_one_experiment(told, _GIVEN) if "experiment" in told else dict(told) for told in proposed.content["tables"]
    ]
    stated = {"datasets": {}, "experiments": {_GIVEN: {"tree": experiment.to_dict()}}, "tables": tables}
    return proposed.with_content({**proposed.content, **stated})


def experiments_of(table: Mapping[str, Any]) -> Iterator[str]:
    """The names of the experiments that a table of a specification is tried with, some of them more than once."""
    yield from table.get("experiment", ())
    for key in PARTS[1:]:
        for names in table.get(key, {}).values():
            yield from names


def of_one_experiment(table: Mapping[str, Any], name: str) -> dict[str, Any]:
    """A table all of whose rows are of one experiment."""
    return {**{key: value for key, value in table.items() if key not in PARTS}, "experiment": [name]}


def _tested(made: Proposals, table: Table, index: int, documents: Documents) -> dict[str, Any]:
    """With what a table is tested, or why it is not."""
    meaning = interpret(table)
    documents.look_at(table, meaning)
    if not (meaning.score_columns and meaning.reports):
        return {"untested": NO_SCORES}
    if made.medians[index]:
        return {"untested": _MEDIANS.format(made.medians[index])}
    names = made.of_tables[index]
    if any(quantity(column.heading.score).kind == "detection" for column in meaning.score_columns):
        names = [name for name in names if name.startswith(OPEN)] or names  # shares of objects, not of images
    return of_parts(made, meaning, index + 1, names)


def _content(read: PaperText, path: Path, file: str, kind: str | None, documents: Documents) -> dict[str, Any]:
    captions = [table.caption for table in read.tables]
    try:
        made = proposals(read.paragraphs, captions)
    except ScoreproofError:
        raise
    except Exception as error:  # the text is of no use then, but its tables may be
        documents.faults.append(fault(error))
        made = proposals((), [""] * len(captions))
    tables = []
    for index, table in enumerate(read.tables):
        told: dict[str, Any] = {"name": table_name(table, index), "file": file}
        if kind is not None:
            told["kind"] = kind
        if len(read.tables) > 1:
            told["table"] = index + 1
        try:
            told |= _tested(made, table, index, documents)
        except ScoreproofError:
            raise
        except Exception as error:
            documents.look_at(table, None, fault(error))
            told["untested"] = fault(error)
        tables.append(told)
    used = {name for told in tables for name in experiments_of(told)}
    left_unused(made.extracted, made.experiments, used)
    return {
        "title": title_in(text_of_file(path)) or path.stem,
        "source": path.name,
        "datasets": {name: dataset for name, dataset in made.datasets.items() if name in used},
        "experiments": {name: stated for name, stated in made.experiments.items() if name in used},
        "tables": tables,
        "extracted": made.extracted,
    }


def text_of_file(path: Path) -> str:
    """The words of a paper that is a text file, for the names of data sets."""
    if path.suffix.lower() not in _TEXTS:
        return ""
    return path.read_bytes()[:_MOST_TEXT].decode("utf-8", errors="replace")


def title_in(words: str) -> str:
    """The title that a LaTeX, HTML or Markdown source gives itself.

    >>> title_in("# Vessels, segmented\\n\\nText"), title_in("no title")
    ('Vessels, segmented', '')
    """
    match = re.search(r"\\title\s*\{([^{}]{3,200})\}|<title>([^<]{3,200})</title>", words, re.IGNORECASE)
    match = match or re.search(r"\A\s*#\s+(\S+ [^\n]{3,200})(\n|\Z)", words)  # one word names a section
    return " ".join((match[1] or match[2]).split()) if match else ""


def table_name(table: Table, index: int) -> str:
    """What a caption calls a table, or its number."""
    match = re.match(r"\s*(tab(?:le|\.)?\s*[0-9IVX]+[a-z]?)\b", table.caption, re.IGNORECASE)
    return match[1].strip() if match else f"Table {index + 1}"
