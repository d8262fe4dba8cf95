"""Sizes of experiments: from tables that count cases, and from facts to the experiments a table may have come from.

"Class | Train | Test" has one line a class, "Dataset | #Train | #Test" one a data set. The first column names the
classes and says so, or the caption does; a column of whole numbers headed by the test set (or the only one) counts
them. A last line may be the total, and must be then. The size of a data set counts for tables whose captions name the
data, and where there is one line only, for all.

A suggestion is what somebody would write into a specification after one reading: the classes of the test set, or of all
cases with the folds they were dealt to, or the size of a test set that a split leaves. Where sentences disagree each
gets its own suggestion; nothing is chosen here, and nothing that was proposed accuses by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil, floor, prod
from typing import TypeVar

from scoreproof.documents.table import Table
from scoreproof.papers.table_semantics.cells import read_count
from scoreproof.papers.text_facts.facts import PATTERNS, CaseCount, ClassCounts, Fact, Folds, Portion, Sentence, Split
from scoreproof.results import Result

_SAYS = PATTERNS["tables"]
_MOST_CLASSES = 100
_LONGEST_NAME = 60  # characters of the name of a class
_FEWEST = 20  # cases
_MOST_LINES = 40  # lines
_PERCENT = 100


def class_tables(tables: Sequence[Table]) -> Iterator[ClassCounts]:
    """The classes that tables count, each with the table in words as its sentence."""
    for number, table in enumerate(tables, 1):
        counted = _counted(table)
        if counted is not None:
            header, part, counts = counted
            text = ", ".join(f"{name} {count:,}" for name, count in counts)
            words = f"{table.headers[0] or 'class'} | {header}: {text}"
            yield ClassCounts(counts, part, Sentence(words, f"table {number}"))


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
    if not sizes or len(sizes) < len(read) or len(read) > _MOST_LINES:
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


_MOST = 16
_MOST_SIZES = 9  # ways to round the shares of all classes
_OF = {Portion.TEST: " of the test set", Portion.ALL: ""}


@dataclass(frozen=True, slots=True)
class Extraction(Result):
    """What a sentence says of the experiments; ``used`` names the experiment that rests on it, or why none does."""

    what: str
    sentence: str
    place: str = ""
    used: str = ""

    def __str__(self) -> str:
        return f"{self.what}: {self.sentence!r}{f' ({self.place})' if self.place else ''}"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Class counts, or a total where the classes are unknown, with or without folds; and where it was read."""

    label: str
    classes: tuple[tuple[str, int], ...] = ()
    total: int | None = None
    folds: int | None = None
    repeats: int = 1
    stratified: bool | None = None
    part: Portion = Portion.ALL
    sentences: tuple[Sentence, ...] = ()

    def __str__(self) -> str:
        return self.label


def suggestions(facts: Iterable[Fact]) -> tuple[Suggestion, ...]:
    """What the facts of a paper suggest, the most definite first.

    >>> from scoreproof.papers.text_facts import facts
    >>> from scoreproof.papers.text_facts.facts import sentences
    >>> text = "We had 38 preterm and 262 term records. Performance was estimated by 5-fold cross-validation."
    >>> [str(p) for p in suggestions(fact for s in sentences(text) for fact in facts(s))]
    ['38 preterm and 262 term in 5 folds', '38 preterm and 262 term']
    """
    known = tuple(facts)
    folds, split = _agreed(_those(Folds, known)), _one(_those(Split, known))
    classes, cases = _by_part(_those(ClassCounts, known)), _by_part(_those(CaseCount, known))
    whole, everything = classes[Portion.ALL], cases[Portion.ALL]
    made = [_of_classes(fact) for fact in classes[Portion.TEST]]
    if folds is not None and folds.k is not None:
        made += [_in_folds(fact, folds) for fact in whole if folds.k <= fact.total]
    made += [_of_total(case) for case in cases[Portion.TEST]]
    if split is not None:
        made += [test for fact in whole for test in _classes_left_by(split, fact)]
        made += _left_by(split, {case.total: case.sentence for case in everything})
    made += [*map(_of_classes, whole), *map(_of_total, everything)]
    return _different(made)


_Sort = TypeVar("_Sort")
_Counted = TypeVar("_Counted", CaseCount, ClassCounts)


def _those(sort: type[_Sort], known: Iterable[object]) -> list[_Sort]:
    return [fact for fact in known if isinstance(fact, sort)]


def _by_part(counts: Iterable[_Counted]) -> dict[Portion, list[_Counted]]:
    parts: dict[Portion, list[_Counted]] = {part: [] for part in Portion}
    for count in counts:
        parts[count.part].append(count)
    return parts


def _of_total(case: CaseCount) -> Suggestion:
    label = f"{case.total:,} {case.unit}{_OF[case.part]}"
    return Suggestion(label, total=case.total, part=case.part, sentences=(case.sentence,))


def _of_classes(fact: ClassCounts) -> Suggestion:
    label = f"{fact.in_words}{_OF[fact.part]}"
    return Suggestion(label, classes=fact.counts, part=fact.part, sentences=(fact.sentence,))


def _in_folds(fact: ClassCounts, folds: Folds) -> Suggestion:
    repeated = f", repeated {folds.repeats} times" if folds.repeats else ""
    return Suggestion(
        f"{fact.in_words} in {folds.k} folds{repeated}",
        classes=fact.counts,
        folds=folds.k,
        repeats=folds.repeats or 1,
        stratified=folds.stratified,
        sentences=tuple(dict.fromkeys((fact.sentence, folds.sentence))),
    )


def _classes_left_by(split: Split, whole: ClassCounts) -> list[Suggestion]:
    """The test sets that a split leaves: so much of each class if it is stratified, else of all cases."""
    tested = whole.total * Fraction(str(split.test)) / 100  # a whole number of these is dealt out, or of each class
    low, high = Fraction(floor(tested), whole.total), Fraction(ceil(tested), whole.total)
    ways = [range(floor(count * low), ceil(count * high) + 1) for _, count in whole.counts]
    if not split.stratified or prod(map(len, ways)) > _MOST_SIZES or min(way[0] for way in ways) < 1:
        return _left_by(split, {whole.total: whole.sentence})
    names = [name for name, _ in whole.counts]
    sentences = tuple(dict.fromkeys((whole.sentence, split.sentence)))
    made = []
    for size in product(*ways):
        test = ClassCounts(tuple(zip(names, size, strict=True)), Portion.TEST, whole.sentence)
        label = f"{test.in_words} ({split.test:g}% of each class)"
        made.append(Suggestion(label, classes=test.counts, part=Portion.TEST, sentences=sentences))
    return made


def _left_by(split: Split, totals: Mapping[int, Sentence]) -> list[Suggestion]:
    """The test sets a split leaves: of the share's size, rounded either way."""
    made = []
    for total, sentence in totals.items():
        share = total * Fraction(str(split.test)) / 100
        for size in dict.fromkeys((floor(share), ceil(share))):
            if 0 < size < total:
                label = f"{size:,} cases ({split.test:g}% of {total:,})"
                sentences = tuple(dict.fromkeys((sentence, split.sentence)))
                made.append(Suggestion(label, total=size, part=Portion.TEST, sentences=sentences))
    return made


def _agreed(stated: Sequence[Folds]) -> Folds | None:
    """The cross-validation all sentences mean; what only some of them say of it counts, unless others deny it."""
    folds = [fact for fact in stated if fact.k is not None]
    if len({fact.k for fact in folds}) != 1:
        return None
    repeats = {fact.repeats for fact in folds if fact.repeats is not None}
    stratified = {fact.stratified for fact in folds if fact.stratified is not None}
    return Folds(
        folds[0].k,
        repeats.pop() if len(repeats) == 1 else None,
        stratified.pop() if len(stratified) == 1 else None,
        False,
        folds[0].sentence,
    )


def _one(told: Sequence[Split]) -> Split | None:
    splits = [split for split in told if split.test > 0]
    shares = {(split.training, split.validation, split.test) for split in splits}
    by_kind = {split.stratified: split for split in reversed(splits)}
    return by_kind.get(False) or by_kind.get(True) or splits[0] if len(shares) == 1 else None


def _different(made: Iterable[Suggestion]) -> tuple[Suggestion, ...]:
    kept: dict[tuple[object, ...], Suggestion] = {}
    for suggestion in made:
        kept.setdefault((frozenset(suggestion.classes), suggestion.total, suggestion.folds), suggestion)
    return tuple(kept.values())[:_MOST]
