"""Finding the table a specification speaks of: written out in it, or in a document beside it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from scoreproof.documents import Position, Table, Tables, read_tables
from scoreproof.documents.grid import guess_header_rows
from scoreproof.documents.table import Span
from scoreproof.errors import LimitExceeded, ScoreproofError
from scoreproof.files import shown_path
from scoreproof.papers.specification.load import Specification
from scoreproof.papers.table_semantics import Interpretation


class Documents:
    """The documents of one audit, each read once however many of its tables are wanted."""

    def __init__(self) -> None:
        self._read: dict[tuple[str, str | None], Tables] = {}
        self._meant: dict[int, Interpretation] = {}
        self._failed: dict[int, tuple[Table, str]] = {}
        self.faults: list[str] = []  # of ours, about no single table

    def keep(self, source: Path, kind: str | None, tables: Tables) -> None:
        """A document that was read already."""
        self._read[str(source), kind] = tables

    def keep_meaning(self, found: Interpretation) -> None:
        """What a table means, as far as the table itself tells."""
        self._meant[id(found.table)] = found  # it holds the table, so that no other takes its place in memory

    def keep_failure(self, table: Table, why: str) -> None:
        """A table that could not be looked at by a fault of ours."""
        self._failed[id(table)] = table, why

    def failed(self, table: Table) -> str:
        """Why a table could not be looked at; empty if it could."""
        return self._failed[id(table)][1] if id(table) in self._failed else ""

    def meaning(self, table: Table) -> Interpretation | None:
        """What was kept of a table."""
        return self._meant.get(id(table))

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
    fitting = [one for one in tables if words in _plain(one.caption)]
    if len(fitting) != 1:
        found = "no table has" if not fitting else f"{len(fitting)} tables have"
        raise spec.fail((*place, "caption"), f"{found} these words in the caption; the captions are {_listed(tables)}")
    return fitting[0]


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def _listed(tables: Tables) -> str:
    shown = [f"{number}: {one.caption[:40] or '(none)'}" for number, one in enumerate(tables, 1)]
    return "; ".join(shown[:8]) + ("; ..." if len(shown) > 8 else "")
