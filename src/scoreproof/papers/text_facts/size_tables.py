"""Tables of data sets: "Dataset | #Train | #Test", a line for each.

A line gives the size of the test set of the data it names. It counts for tables whose captions name the data, and where
there is one line only, for all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from scoreproof.documents.table import Table
from scoreproof.papers.table_semantics.counts import read_count
from scoreproof.papers.text_facts.facts import CaseCount, Portion
from scoreproof.papers.text_facts.sentence import Sentence

_DATA = re.compile(r"(?:data ?sets?|datasets?|data|corpus|corpora|databases?|benchmarks?|names?)(?: names?)?", re.I)
_UNIT = r"(?:images?|samples?|cases?|instances?|records?|examples?|documents?|scans?|slides?|patients?|size)"
_COUNTED = r"(?:#\s?|n(?:o\.?|um\.?|umber)?(?: of)? )"
_TEST = re.compile(rf"{_COUNTED}test(?:ing)?(?: {_UNIT})?|test(?:ing)?(?: set)? (?:{_UNIT}|\(#\))|\|?test\|?", re.I)
_TRAIN = re.compile(r"train", re.I)
_SAID = re.compile(r"#|\bno\b|\bnum|\bsize\b|\bsamples\b|\bimages\b|\|", re.I)
_FEWEST = 20  # cases
_MOST = 40  # lines
_PERCENT = 100


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
    tests = [column for column, header in enumerate(headers) if column and _TEST.fullmatch(header)]
    if len(tests) != 1 or not _DATA.fullmatch(headers[0]) or not any(map(_TRAIN.search, headers)):
        return []
    column = tests[0]
    names = [row[0].strip() for row in table.body]
    sizes = [read_count(row[column]) for row in table.body]
    counts = [size for size in sizes if size is not None and size >= _FEWEST]
    if not counts or len(counts) < len(names) or len(names) > _MOST or len(set(names)) < len(names) or not all(names):
        return []
    if max(counts) <= _PERCENT and not _SAID.search(headers[column]):  # accuracies in percent
        return []
    said = [f"{headers[0]} | {headers[column]}: {name} {size:,}" for name, size in zip(names, counts, strict=True)]
    return [
        (name, CaseCount(size, f"cases of {name}", Portion.TEST, Sentence(text, f"table {number}")))
        for name, size, text in zip(names, counts, said, strict=True)
    ]
