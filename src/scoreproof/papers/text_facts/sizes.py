"""Sizes of experiments: from tables that count cases, and from facts to the experiments a table may have come from.

"Class | Train | Test" has one line a class, "Dataset | #Train | #Test" one a data set. A suggestion is what somebody
would write into a specification after one reading: the classes of the test set, or of all cases with the folds they
were dealt to, or the size of a test set that a split leaves. Where sentences disagree each gets its own suggestion.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import ceil, floor, prod

from scoreproof.documents.table import Table
from scoreproof.papers.table_semantics.cells import read_count
from scoreproof.papers.text_facts.facts import PATTERNS, CaseCount, Fact, Folds, Portion, Sentence, Split
from scoreproof.results import Result

_SAYS = PATTERNS["tables"]
_MOST_CLASSES = 101  # with a line of their total
_LONGEST_NAME = 60  # characters of the name of a class
_FEWEST = 20  # cases
_MOST_LINES = 40
_PERCENT = 100
_MOST = 16
_MOST_SIZES = 9  # ways to round the shares of all classes
_OF = {Portion.TEST: " of the test set", Portion.ALL: ""}


def class_tables(tables: Sequence[Table]) -> Iterator[CaseCount]:
    """The classes that tables count, each with the table in words as its sentence; a last line may be their total."""
    for number, table in enumerate(tables, 1):
        headers = [header.strip() for header in table.headers]
        if not 2 <= len(table.body) <= _MOST_CLASSES or len(headers) < 2 or table.header_rows > 2:
            continue
        told = _SAYS["caption"].search(table.caption) is not None and not headers[0].isdigit()
        parted = any(map(_SAYS["parts"].search, headers[1:]))
        columns = _headed(headers, "test_set") or ([] if parted else _headed(headers, "plain"))
        if len(columns) == 1 and (told or _SAYS["class"].fullmatch(headers[0])):
            counts = _without_total(_counts(table, columns[0]))
            if len(counts) > 1 and all(count > 0 and len(name) <= _LONGEST_NAME for name, count in counts.items()):
                header = headers[columns[0]]
                part = Portion.TEST if _SAYS["test_set"].fullmatch(header) else Portion.ALL
                text = ", ".join(f"{name} {count:,}" for name, count in counts.items())
                sentence = Sentence(f"{table.headers[0] or 'class'} | {header}: {text}", f"table {number}")
                yield CaseCount.of_classes(tuple(counts.items()), part, sentence)


def _headed(headers: Sequence[str], what: str) -> list[int]:
    return [column for column, header in enumerate(headers) if column and _SAYS[what].fullmatch(header)]


def _counts(table: Table, column: int) -> dict[str, int]:
    """The counts of a column by the names of their lines; none if a line has no name or no count, or names repeat."""
    read = {row[0].strip(): read_count(row[column]) for row in table.body}
    counts = {name: count for name, count in read.items() if name and count is not None}
    return counts if len(counts) == len(table.body) else {}


def _without_total(counts: dict[str, int]) -> dict[str, int]:
    """The classes without a last line that is their total; none if a total is another number, or stands elsewhere."""
    totals = [name for name in counts if _SAYS["total"].fullmatch(name)]
    if not totals:
        return counts
    *classes, last = counts
    whole = totals == [last] and counts[last] == sum(counts[name] for name in classes)
    return {name: counts[name] for name in classes} if whole else {}


def size_tables(tables: Sequence[Table]) -> Iterator[tuple[str, int]]:
    """The names of the data in tables of data sets, each with the size of its test set."""
    for table in tables:
        headers = [header.strip() for header in table.headers]
        tests, trained = _headed(headers, "test"), any(map(_SAYS["train"].search, headers))
        if len(tests) != 1 or not trained or not _SAYS["data"].fullmatch(headers[0]) or len(table.body) > _MOST_LINES:
            continue
        sizes = _counts(table, tests[0])
        percent = max(sizes.values(), default=0) <= _PERCENT and not _SAYS["said"].search(headers[tests[0]])
        if sizes and not percent and min(sizes.values()) >= _FEWEST:  # no accuracies
            yield from sizes.items()


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
    folds, split = _agreed(known), _one(known)
    counted = [fact for fact in known if isinstance(fact, CaseCount)]
    counted.sort(key=lambda fact: not fact.counts)  # those with classes first
    tested, whole = ([fact for fact in counted if fact.part is part] for part in (Portion.TEST, Portion.ALL))
    made = [_stated(fact) for fact in tested if fact.counts]
    if folds is not None:
        made += [_in_folds(fact, folds) for fact in whole if fact.counts and (folds.k or 0) <= fact.total]
    made += [_stated(fact) for fact in tested if not fact.counts]
    made += [test for fact in whole for test in _left_by(split, fact)] if split is not None else []
    made += map(_stated, whole)
    kept: dict[tuple[object, ...], Suggestion] = {}
    for suggestion in made:
        kept.setdefault((frozenset(suggestion.classes), suggestion.total, suggestion.folds), suggestion)
    return tuple(kept.values())[:_MOST]


def _stated(fact: CaseCount) -> Suggestion:
    """All cases, or the test set, as they are counted."""
    total, label = None if fact.counts else fact.total, f"{fact.in_words}{_OF[fact.part]}"
    return Suggestion(label, fact.counts, total, part=fact.part, sentences=(fact.sentence,))


def _in_folds(fact: CaseCount, folds: Folds) -> Suggestion:
    repeated = f", repeated {folds.repeats} times" if folds.repeats else ""
    return Suggestion(
        f"{fact.in_words} in {folds.k} folds{repeated}",
        classes=fact.counts,
        folds=folds.k,
        repeats=folds.repeats or 1,
        stratified=folds.stratified,
        sentences=tuple(dict.fromkeys((fact.sentence, folds.sentence))),
    )


def _left_by(split: Split, fact: CaseCount) -> list[Suggestion]:
    """The test sets a split leaves, rounded either way: so much of each class if stratified, else of all cases."""
    sentences, percent = tuple(dict.fromkeys((fact.sentence, split.sentence))), f"{split.test:g}%"
    tested = fact.total * Fraction(str(split.test)) / 100  # a whole number of these is dealt out, or of each class
    low, high = floor(tested), ceil(tested)
    ways = [range(count * low // fact.total, -(-count * high // fact.total) + 1) for _, count in fact.counts]
    if split.stratified and ways and prod(map(len, ways)) <= _MOST_SIZES and min(way[0] for way in ways) > 0:
        counts = [tuple(zip(dict(fact.counts), size, strict=True)) for size in product(*ways)]
        tests = [CaseCount.of_classes(test, Portion.TEST, fact.sentence) for test in counts]
        told = [(f"{test.in_words} ({percent} of each class)", test.counts) for test in tests]
        return [Suggestion(label, classes, part=Portion.TEST, sentences=sentences) for label, classes in told]
    sizes = [size for size in dict.fromkeys((low, high)) if 0 < size < fact.total]
    labels = [(f"{size:,} cases ({percent} of {fact.total:,})", size) for size in sizes]
    return [Suggestion(label, (), size, part=Portion.TEST, sentences=sentences) for label, size in labels]


def _agreed(known: Iterable[Fact]) -> Folds | None:
    """The cross-validation all sentences mean; what only some of them say of it counts, unless others deny it."""
    folds = [fact for fact in known if isinstance(fact, Folds) and fact.k is not None]
    if len({fact.k for fact in folds}) != 1:
        return None
    repeats, stratified = ({getattr(fact, name) for fact in folds} - {None} for name in ("repeats", "stratified"))
    return replace(
        folds[0],
        repeats=repeats.pop() if len(repeats) == 1 else None,
        stratified=stratified.pop() if len(stratified) == 1 else None,
    )


def _one(known: Iterable[Fact]) -> Split | None:
    splits = [fact for fact in known if isinstance(fact, Split) and fact.test > 0]
    shares = {(split.training, split.validation, split.test) for split in splits}
    by_kind = {split.stratified: split for split in reversed(splits)}
    return by_kind.get(False) or by_kind.get(True) or splits[0] if len(shares) == 1 else None
