"""Tables that count cases: "Class | Train | Test", one line a class; "Dataset | #Train | #Test".

The first column names the classes and says so, or the caption does; a column of whole numbers headed by the test set
(or the only one) counts them. A last line may be the total, and must be then. The size of a data set counts for tables
whose captions name the data, and where there is one line only, for all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from scoreproof.documents.table import Table
from scoreproof.papers.table_semantics.counts import read_count
from scoreproof.papers.text_facts.facts import CaseCount, ClassCounts, Portion, Sentence
from scoreproof.papers.text_facts.words import PATTERNS

_SAYS = PATTERNS["tables"]
_MOST_CLASSES = 100
_LONGEST_NAME = 60  # characters of the name of a class
_FEWEST = 20  # cases
_MOST = 40  # lines
_PERCENT = 100


def class_tables(tables: Sequence[Table]) -> Iterator[ClassCounts]:
    """The classes that tables count, each with the table in words as its sentence."""
    for number, table in enumerate(tables, 1):
        counted = _counted(table)
        if counted is not None:
            header, part, counts = counted
            text = ", ".join(f"{name} {count:,}" for name, count in counts)
            said = f"{table.headers[0] or 'class'} | {header}: {text}"
            yield ClassCounts(counts, part, Sentence(said, f"table {number}"))


def _counted(table: Table) -> tuple[str, Portion, tuple[tuple[str, int], ...]] | None:
    """The header of the column that counts, whose cases these are, and the classes."""
    headers = [header.strip() for header in table.headers]
    column = _counting_column(headers) if _names_classes(table, headers) else None
    if column is None:
        return None
    names = [row[0].strip() for row in table.body]
    values = [read_count(row[column]) for row in table.body]
    counts = [(name, value) for name, value in zip(names, values, strict=True) if value is not None and name]
    if len(counts) < len(names) or len({*names}) < len(names):
        return None
    counts = _without_total(counts)
    if len(counts) < 2 or any(count < 1 or len(name) > _LONGEST_NAME for name, count in counts):
        return None
    part = Portion.TEST if _SAYS["test_set"].fullmatch(headers[column]) else Portion.ALL
    return headers[column], part, tuple(counts)


def _names_classes(table: Table, headers: Sequence[str]) -> bool:
    """Whether a table has a line for each class, by its first header or its caption."""
    if not 2 <= len(table.body) <= _MOST_CLASSES + 1 or len(headers) < 2 or table.header_rows > 2:
        return False
    told = _SAYS["caption"].search(table.caption) is not None and not headers[0].isdigit()
    return told or _SAYS["class"].fullmatch(headers[0]) is not None


def _counting_column(headers: Sequence[str]) -> int | None:
    """The one column of the test set, or of all cases where no header speaks of parts of them."""
    tests = [column for column, header in enumerate(headers) if column and _SAYS["test_set"].fullmatch(header)]
    plain = [column for column, header in enumerate(headers) if column and _SAYS["plain"].fullmatch(header)]
    parted = any(map(_SAYS["parts"].search, headers[1:]))
    columns = tests or ([] if parted else plain)
    return columns[0] if len(columns) == 1 else None


def _without_total(counts: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """The classes without a last line that is their total; none if a total is another number, or stands elsewhere."""
    totals = [place for place, (name, _) in enumerate(counts) if _SAYS["total"].fullmatch(name)]
    if not totals:
        return counts
    *classes, (_, total) = counts
    return classes if totals == [len(classes)] and total == sum(count for _, count in classes) else []


def size_tables(tables: Sequence[Table]) -> Iterator[list[tuple[str, CaseCount]]]:
    """For each table of data sets the names of the data, each with the size of its test set."""
    for number, table in enumerate(tables, 1):
        sizes = _sizes(table, number)
        if sizes:
            yield sizes


def of_caption(sized: Iterable[Sequence[tuple[str, CaseCount]]], caption: str) -> list[CaseCount]:
    """The sizes of the data that a caption names."""
    words = _words(caption)
    return [fact for lines in sized for name, fact in lines if set(_words(name)) <= set(words) and _words(name)]


def of_all(sized: Iterable[Sequence[tuple[str, CaseCount]]]) -> list[CaseCount]:
    """The sizes of the only data of a table."""
    return [lines[0][1] for lines in sized if len(lines) == 1]


def _words(text: str) -> list[str]:
    return re.findall(r"[\w-]+", text.lower())


def _sizes(table: Table, number: int) -> list[tuple[str, CaseCount]]:
    headers = [header.strip() for header in table.headers]
    tests = [column for column, header in enumerate(headers) if column and _SAYS["test"].fullmatch(header)]
    if len(tests) != 1 or not _SAYS["data"].fullmatch(headers[0]) or not any(map(_SAYS["train"].search, headers)):
        return []
    head = headers[tests[0]]
    read = [(row[0].strip(), read_count(row[tests[0]])) for row in table.body]
    sizes = {name: size for name, size in read if name and size is not None and size >= _FEWEST}
    if not sizes or len(sizes) < len(read) or len(read) > _MOST:
        return []
    if max(sizes.values()) <= _PERCENT and not _SAYS["said"].search(head):  # accuracies in percent
        return []
    place = f"table {number}"
    return [
        (
            name,
            CaseCount(
                size, f"cases of {name}", Portion.TEST, Sentence(f"{headers[0]} | {head}: {name} {size:,}", place)
            ),
        )
        for name, size in sizes.items()
    ]
