"""Slips planted in tables of real documents that were tested: how many are found, asked about, or pass unnoticed.

    python -m benchmarks.field_slips AUDITS [--tables 60] [--seed 1]

``AUDITS`` is the ``--out`` folder of ``benchmarks.field_study``. Tables of which at least three rows were tested and
none accused are drawn; each is audited alone as it is (what that says is no slip's), then once with each sort of slip
in the tested numbers of one row. A slip is found if something is called inconsistent that was not before, a question if
something is asked that was not asked before. No slip can be found that leaves the numbers possible.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import scoreproof as sp
from benchmarks.field_study import accusations
from scoreproof.documents import Table, Tables

Row = list[str]
_ROWS = 3
_NUMBER = re.compile(r"\d+\.\d+")
_MOST_CELLS = 2_000


def _digits(row: Row, place: int, change: Callable[[str], str]) -> Row:
    row[place] = _NUMBER.sub(lambda match: change(match[0]), row[place], count=1)
    return row


def swapped(rows: list[Row], at: int, places: list[int], rng: random.Random) -> Row:
    """Two neighbouring digits of a number swapped."""

    def change(text: str) -> str:
        pairs = [k for k in range(len(text) - 1) if text[k : k + 2].isdigit() and text[k] != text[k + 1]]
        k = rng.choice(pairs or [0])
        return text[:k] + text[k + 1] + text[k] + text[k + 2 :] if pairs else text

    return _digits(list(rows[at]), rng.choice(places), change)


def changed(rows: list[Row], at: int, places: list[int], rng: random.Random) -> Row:
    """One digit of a number another one."""

    def change(text: str) -> str:
        k = rng.choice([k for k, char in enumerate(text) if char.isdigit()])
        return text[:k] + rng.choice([digit for digit in "0123456789" if digit != text[k]]) + text[k + 1 :]

    return _digits(list(rows[at]), rng.choice(places), change)


def exchanged(rows: list[Row], at: int, places: list[int], rng: random.Random) -> Row:
    """Two neighbouring numbers of a row exchanged."""
    row = list(rows[at])
    if len(places) > 1:
        k = rng.randrange(len(places) - 1)
        first, second = places[k], places[k + 1]
        row[first], row[second] = row[second], row[first]
    return row


def shifted(rows: list[Row], at: int, places: list[int], rng: random.Random) -> Row:
    """The numbers of a row one column further."""
    row = list(rows[at])
    for place, source in zip(places, [*places[-1:], *places[:-1]], strict=True):
        row[place] = rows[at][source]
    return row


def copied(rows: list[Row], at: int, places: list[int], rng: random.Random) -> Row:
    """A number copied from the row above."""
    row, above = list(rows[at]), rows[at - 1]
    other = [place for place in places if _NUMBER.search(above[place]) and above[place] != row[place]]
    if other:
        place = rng.choice(other)
        row[place] = above[place]
    return row


SLIPS = (swapped, changed, exchanged, shifted, copied)


def _told(table: Table) -> set[tuple[str, str, str]]:
    answer = json.loads(sp.audit(Tables((table,)), jobs=1).to_json())
    return {(entry["outcome"], entry["row"], entry["words"]) for entry in accusations(answer)}


def _tested_cells(table: dict[str, Any]) -> dict[int, list[int]]:
    """By row of the table, the columns of the numbers that took part in a test which could have failed."""
    places = {tuple(cell["place"]) for row in table["rows"] if row["outcome"] == "consistent" for cell in row["cells"]}
    cells: dict[int, list[int]] = {}
    for row, column in sorted(places):
        if row > table["table"]["header_rows"] and _NUMBER.search(table["table"]["rows"][row][column]):
            cells.setdefault(row, []).append(column)
    return cells


def _drawn(folder: Path, count: int, rng: random.Random) -> list[tuple[Table, dict[int, list[int]]]]:
    tables = []
    for path in sorted(folder.glob("*.json")):
        answer: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["answer"]
        for table in answer.get("tables", ()):
            cells = _tested_cells(table)
            small = sum(map(len, table["table"]["rows"])) <= _MOST_CELLS
            if len(cells) >= _ROWS and small and not list(accusations({"tables": [table]})):
                tables.append((Table.from_dict(table["table"]), cells))
    rng.shuffle(tables)
    return tables[:count]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    rng = random.Random(given.seed)
    tally: dict[str, Counter[str]] = {slip.__name__: Counter() for slip in SLIPS}
    for table, cells in _drawn(given.folder, given.tables, rng):
        if not table.header_rows:
            continue
        before = _told(table)
        rows = [list(row) for row in table.rows]
        for slip in SLIPS:
            at = rng.choice(list(cells))
            if (made := slip(rows, at, cells[at], rng)) == rows[at]:
                continue
            other = replace(table, rows=(*table.rows[:at], tuple(made), *table.rows[at + 1 :]))
            new = {outcome for outcome, *_ in _told(other) - before}
            tally[slip.__name__]["found" if "outright" in new else "question" if new else "unnoticed"] += 1
    print("| slip | planted | found | question | unnoticed |\n|---|---|---|---|---|")
    for slip in SLIPS:
        counts = tally[slip.__name__]
        shown = " | ".join(str(counts[name]) for name in ("found", "question", "unnoticed"))
        print(f"| {(slip.__doc__ or '').rstrip('.')} | {counts.total()} | {shown} |")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
